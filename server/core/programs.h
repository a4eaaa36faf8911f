/*
 * server/core/programs.h - the output and the end of panes' programs.
 *
 * Purpose:   marks output, names windows after programs (automatic-rename),
 *            keeps or closes the pane of a program that has ended
 *            (remain-on-exit).
 *            ARG of these functions is the server (pane_io_ops).
 * Source:    tmux(1): automatic-rename, remain-on-exit, renumber-windows.
 * Tests:     regress/e2e/respawn.sh, regress/e2e/options_panes.sh
 */
#ifndef SERVER_CORE_PROGRAMS_H
#define SERVER_CORE_PROGRAMS_H

#include <stdint.h>

struct server;
struct window;

/* The program of pane ID has written. */
void programs_output(void *arg, uint32_t id);

/* The program of pane ID has ended and its output was read. */
void programs_exited(void *arg, uint32_t id);

/* Names W after its active pane's program, if automatic-rename is on. */
void programs_name(struct server *sv, struct window *w);

#endif
