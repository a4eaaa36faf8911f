/*
 * server/core/pane_wait.h - waiting for the end of a pane's program.
 *
 * Purpose:   split-window -W and new-pane -W wait here. A program that a
 *            respawn starts is waited for as well.
 * Ownership: a pane_wait belongs to the caller of pane_wait_add until DONE,
 *            which frees it.
 * Source:    tmux 3.8.
 * Tests:     regress/e2e/respawn.sh
 */
#ifndef SERVER_CORE_PANE_WAIT_H
#define SERVER_CORE_PANE_WAIT_H

#include "base/list.h"

struct server;

#define PANE_WAIT_KILLED 129 /* the code of a pane that was killed: SIGHUP */

struct pane_wait {
	struct list_node node;
	uint32_t pane;
	int code; /* as a shell gives it in $? */
	void (*done)(struct pane_wait *w);
};

/* Waits for the end of pane W->pane; W->done is set. */
void pane_wait_add(struct server *sv, struct pane_wait *w);

/* Notes how a program has ended: a status of wait(2). */
void pane_wait_status(struct server *sv, uint32_t pane, int status);

/* The pane is dead or has gone: its waiter is done. It may run commands. */
void pane_wait_end(struct server *sv, uint32_t pane);

#endif
