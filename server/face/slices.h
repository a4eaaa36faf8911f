/*
 * server/face/slices.h - does the work of modes between other events.
 *
 * Purpose:   a command of a mode may begin work that takes long, as a search in
 *            a million lines does.  One mode a turn of the loop works for
 *            SLICES_US; programs, keys and other clients have the rest.
 * Ownership: struct viewers owns it.  Jobs name panes and modes by id.
 * Units:     microseconds, milliseconds.
 * Tests:     regress/unit/check_viewer.c, regress/e2e/slices.sh
 */
#ifndef SERVER_FACE_SLICES_H
#define SERVER_FACE_SLICES_H

#include <stdint.h>

#include "base/list.h"

#define SLICES_US 1500          /* of one turn */
#define SLICES_SHOW_US 200000   /* between two pictures of work behind */
#define SLICES_MAX_US 10000000u /* longest wait of a command, as in tmux */

struct pane;
struct viewers;

struct slices {
	struct viewers *all;
	struct list jobs;
	bool queued; /* a turn is deferred */
};

void slices_init(struct viewers *vs);
void slices_fini(struct viewers *vs);

/* The mode over P has got input: does the work that it has now. */
void slices_start(struct viewers *vs, const struct pane *p);

/*
 * Whether the mode over P is busy with a command.  Then its command, of
 * connection CONN, ends (cmdq_continue) when the mode is not busy any more.
 */
bool slices_busy(const struct pane *p);
void slices_wait(
    struct viewers *vs, const struct pane *p, uint64_t conn, uint64_t token);

/* A key of the client on connection CONN ends the work that it waits for. */
void slices_typed(struct viewers *vs, uint64_t conn);

#endif
