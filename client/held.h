/*
 * client/held.h - the history that a client far away holds itself.
 *
 * Purpose:   a tail (mux/sync/tail.h) for each pane the server told of; to be
 *            looked at when the server does not answer.
 * Ownership: owns its tails; the compression contexts are the caller's.
 * Units:     lines.
 * Errors:    -ERR_PEER for messages that do not fit: the server is then to be
 *            told what is held.
 * Source:    our own.
 * Tests:     regress/unit/check_client_held.c, regress/e2e/mirror.sh
 */
#ifndef CLIENT_HELD_H
#define CLIENT_HELD_H

#include "mux/sync/tail.h"

#define HELD_LINES 5000 /* of a pane, at most, if the server has no limit */

struct held;
struct ssp_zip;

struct held *held_new(struct ssp_zip *zip);
void held_free(struct held *h); /* NULL is fine */

/* A message of the server. */
int held_message(struct held *h, const uint8_t *p, size_t n) WARN_UNUSED;

/* Appends what the server is to be told: LINES a pane, and what there is. */
void held_want(const struct held *h, uint32_t lines, struct buf *out);

/* The tail of a pane, or NULL. */
const struct sync_tail *held_tail(const struct held *h, uint32_t pane);

/* Lines of all panes, and how many panes they are of. */
size_t held_lines(const struct held *h, unsigned *panes);

#endif
