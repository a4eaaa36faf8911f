/*
 * mux/mode/copy_view.h - view mode: copy mode over the output of commands.
 *
 * Purpose:   shows lines that commands print in place of a pane's program.
 *            They can be searched, selected and copied as in copy mode; later
 *            lines are added below.
 * Ownership: the mode belongs to its pane and has a terminal of its own.
 * Units:     the oldest of COPY_VIEW_ROWS_MAX rows disappear.
 * Errors:    -ERR_LIMIT if the pane has too many modes.
 * Source:    tmux(1), WINDOWS AND PANES.
 * Tests:     regress/unit/check_mode_view.c, regress/e2e/output.sh
 *
 * Keys that tmux leaves free in the table of copy mode: / and ? search, j and k
 * move, b pages up, G goes to the end.
 */
#ifndef MUX_MODE_COPY_VIEW_H
#define MUX_MODE_COPY_VIEW_H

#include <stddef.h>

#include "base/compiler.h"

struct mode_host;
struct pane;

#define COPY_VIEW_ROWS_MAX 100000
#define COPY_VIEW_BYTES_MAX ((size_t)64 << 20)

/*
 * Adds TEXT, lines of which the last may lack its newline, to the view mode of
 * P, which comes to the top; opens it if there is none.  HOST outlives the mode.
 */
int copy_view_say(struct pane *p, const struct mode_host *host,
    const char *text, size_t n) WARN_UNUSED;

#endif
