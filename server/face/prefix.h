/*
 * server/face/prefix.h - whose key the prefix is (nested-prefix).
 *
 * Purpose:   decides whether a client's prefix key goes to the multiplexer in
 *            its pane.
 * Units:     none.
 * Errors:    none.
 * Tests:     regress/e2e/nested.sh
 */
#ifndef SERVER_FACE_PREFIX_H
#define SERVER_FACE_PREFIX_H

#include <stdbool.h>

struct viewer;

/* Whether the client's prefix is a key for its pane. */
bool prefix_is_inner(const struct viewer *vw);

#endif
