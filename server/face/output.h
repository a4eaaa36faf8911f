/*
 * server/face/output.h - the output of commands, shown in view mode.
 *
 * Purpose:   shows lines that a command printed over a pane (copy_view.h), or
 *            over the window of a client that may not change panes (pager.h).
 * Errors:    over a pane with too many modes, the client's pager shows them.
 * Tests:     regress/e2e/output.sh, regress/unit/check_viewer.c
 */
#ifndef SERVER_FACE_OUTPUT_H
#define SERVER_FACE_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>

struct pane;
struct viewer;
struct viewers;

/* Adds lines to the view mode of P; false if it has too many modes. */
bool output_pane(
    struct viewers *vs, struct pane *p, const char *text, size_t n);

/* Adds lines for the client: to the view mode of its pane, or to its pager. */
void output_client(struct viewer *vw, const char *text, size_t n);

#endif
