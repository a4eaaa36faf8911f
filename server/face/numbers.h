/*
 * server/face/numbers.h - the overlay of display-panes.
 *
 * Purpose:   shows the number of each pane in big digits for a time or until a
 *            key; a digit or letter selects a pane.
 * Ownership: an overlay; DONE is called once, when it is closed.
 * Units:     milliseconds.
 * Source:    tmux(1), display-panes.
 * Tests:     regress/e2e/client.sh
 */
#ifndef SERVER_FACE_NUMBERS_H
#define SERVER_FACE_NUMBERS_H

#include <stdbool.h>

#include "base/types.h"

struct viewer;

/* PANE: id of the selected pane, or MUX_NONE. */
typedef void (*numbers_done_fn)(void *arg, uint32_t pane);

/* Shows the numbers for MS (0: until a key); KEYS: a key selects a pane. */
void numbers_open(
    struct viewer *vw, mono_ms ms, bool keys, numbers_done_fn done, void *arg);

bool numbers_shown(const struct viewer *vw);

#endif
