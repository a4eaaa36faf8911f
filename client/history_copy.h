/*
 * client/history_copy.h - the client's copy of the panes' histories.
 *
 * Purpose:   keeps a tail (mux/sync/tail.h), the newest lines, for each pane
 *            that the server sent; readable while the server does not answer.
 * Ownership: owns its tails; the compression contexts belong to the caller.
 * Units:     lines.
 * Errors:    -ERR_PEER for messages that do not fit; the caller then tells the
 *            server which lines it has (history_copy_want).
 * Tests:     regress/unit/check_client_history_copy.c, regress/e2e/mirror.sh
 */
#ifndef CLIENT_HISTORY_COPY_H
#define CLIENT_HISTORY_COPY_H

#include "mux/sync/opening.h"
#include "mux/sync/tail.h"

/* Lines kept of a pane, if the server sets no limit. */
#define HISTORY_COPY_LINES 5000

struct history_copy;
struct ssp_zip;

struct history_copy *history_copy_new(struct ssp_zip *zip);
void history_copy_free(struct history_copy *h); /* NULL is fine */

/* Applies a message of the server. */
int history_copy_message(
    struct history_copy *h, const uint8_t *p, size_t n) WARN_UNUSED;

/*
 * Appends the request to the server: LINES a pane, and the lines that the
 * client has.
 */
void history_copy_want(struct history_copy *h, uint32_t lines, struct buf *out);

/* Returns the tail of a pane, or NULL. */
const struct sync_tail *history_copy_tail(
    const struct history_copy *h, uint32_t pane);

/*
 * Returns the text_remade for which the lines of a pane are right, or
 * SYNC_TAIL_UNSURE.
 */
uint64_t history_copy_remade(const struct history_copy *h, uint32_t pane);

/*
 * Returns what copy mode of a pane begins with while it shows SCREEN, or NULL:
 * not known; valid until the next message.
 */
const struct sync_opening *history_copy_opening(
    const struct history_copy *h, uint32_t pane, const struct vt_frame *screen);

/* Returns a count that grows with each change. */
uint64_t history_copy_changes(const struct history_copy *h);

/* Returns the number of lines of all panes, and in PANES how many have any. */
size_t history_copy_lines(const struct history_copy *h, unsigned *panes);

#endif
