/*
 * server/io/nested.h - multiplexers that run in panes.
 *
 * Purpose:   recognises a client of rmux or tmux in a pane. A program of this
 *            machine has its name. A client of rmux sets mode 2079 of its
 *            terminal, also through ssh, and resets it when it leaves; the job
 *            that has set it must be in the foreground, so that a link that
 *            breaks leaves no trace.
 * Units:     none.
 * Errors:    none. security: any program may say that it is one; that changes
 *            only which program gets the prefix key (nested-prefix).
 * Source:    /proc on Linux.
 * Tests:     regress/e2e/nested.sh
 */
#ifndef SERVER_IO_NESTED_H
#define SERVER_IO_NESTED_H

#include <stdbool.h>

struct pane_io;
struct vt_effect;

/* Records that the program in P says whether it is a multiplexer. */
void nested_said(struct pane_io *p, const struct vt_effect *e);

/* Whether a multiplexer runs in the foreground of P, which may be NULL. */
bool nested_now(const struct pane_io *p);

#endif
