/*
 * mux/view/status.h - status lines, and the message or prompt over them.
 *
 * Purpose:   draws the rows of a client outside its window.
 * Ownership: the builder keeps the frame of the status lines until it is dirty
 *            or status-interval has passed; a line's texts are borrowed.
 * Source:    tmux(1), status-format, message-format, message-line.
 * Tests:     regress/unit/check_view_status.c
 */
#ifndef MUX_VIEW_STATUS_H
#define MUX_VIEW_STATUS_H

#include "mux/sync/prompt_edit.h"
#include "mux/view/build.h"

/* Adds VIEW_SURFACE_STATUS if there are status lines. */
void view_status_add(struct view_builder *b, struct sync_view *v, mono_ms now);

void view_status_fini(struct view_builder *b);

/* A message, or a prompt with the edited text. */
struct view_line {
	const char *message;            /* expanded */
	const struct prompt_edit *edit; /* NULL: a message */
	bool command;                   /* vi keys: in command mode */
	const struct pane *pane; /* a prompt over its last row, or NULL */
};

/* The row of the client for messages and prompts. */
int view_status_line_row(const struct view_builder *b);

/*
 * Draws the line; stores its place, the first column of the prompt's text and
 * the text's pen.
 */
struct vt_frame *view_status_line_new(const struct view_builder *b,
    const struct view_line *line, struct cell_rect *at, unsigned *x,
    struct pen *pen);

/*
 * Adds VIEW_SURFACE_LINE; a prompt takes the focus.  Returns the first column
 * of the prompt's text.
 */
unsigned view_status_line_add(
    struct view_builder *b, struct sync_view *v, const struct view_line *line);

#endif
