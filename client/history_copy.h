/*
 * client/history_copy.h - the history that a client far away holds itself.
 *
 * Purpose:   a tail (mux/sync/tail.h) for each pane the server told of; to be
 *            looked at when the server does not answer.
 * Ownership: owns its tails; the compression contexts are the caller's.
 * Units:     lines.
 * Errors:    -ERR_PEER for messages that do not fit: the server is then to be
 *            told what is held.
 * Source:    our own.
 * Tests:     regress/unit/check_client_history_copy.c, regress/e2e/mirror.sh
 */
#ifndef CLIENT_HISTORY_COPY_H
#define CLIENT_HISTORY_COPY_H

#include "mux/sync/tail.h"

#define HISTORY_COPY_LINES \
 5000 /* of a pane, at most, if the server has no limit */

struct history_copy;
struct ssp_zip;

struct history_copy *history_copy_new(struct ssp_zip *zip);
void history_copy_free(struct history_copy *h); /* NULL is fine */

/* A message of the server. */
int history_copy_message(
    struct history_copy *h, const uint8_t *p, size_t n) WARN_UNUSED;

/* Appends what the server is to be told: LINES a pane, and what there is. */
void history_copy_want(
    const struct history_copy *h, uint32_t lines, struct buf *out);

/* The tail of a pane, or NULL. */
const struct sync_tail *history_copy_tail(
    const struct history_copy *h, uint32_t pane);

/* Lines of all panes, and how many panes they are of. */
size_t history_copy_lines(const struct history_copy *h, unsigned *panes);

#endif
