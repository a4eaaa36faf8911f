/*
 * server/face/redraw.h - the view of one attached client, from the model.
 *
 * Purpose:   panes, borders, status lines, message and prompt as surfaces; the
 *            modes wanted of the user's terminal.
 * Ownership: the viewer keeps its last view and the frames drawn for it.
 * Units:     cells of the client's terminal.
 * Errors:    none.
 * Source:    idea 4 of ARCHITECTURE.md; the look is tmux's.
 * Tests:     regress/e2e
 */
#ifndef SERVER_FACE_REDRAW_H
#define SERVER_FACE_REDRAW_H

#include <stdbool.h>

#include "base/pen.h"
#include "conf/option.h"

struct pane;
struct session;
struct vt_frame;
struct viewer;
struct vt_frame_state;
struct window;

/* Builds vw->view again. */
void redraw_view(struct viewer *vw);

/* Does the focused pane's tty echo, as the view has it? */
bool redraw_echoes(const struct viewer *vw);

/* Has it been told otherwise since? */
bool redraw_modes_changed(struct viewer *vw);
/* The pen of message-style. */
struct pen redraw_message_pen(struct viewer *vw);

/* The pen of mode-style in the window shown. */
struct pen redraw_mode_pen(struct viewer *vw);

/* The shape that a choice of cursor-style and its like means. */
void redraw_cursor_style(struct vt_frame_state *st, int64_t style);

/*
 * A format option of a pane in the first row of F, whose other columns stay as
 * they are.
 */
void redraw_pane_text(struct viewer *vw, struct vt_frame *f, struct pane *p,
    enum option_id format, const struct pen *base);

/* Whether the client's theme is the light one. */
bool redraw_light(const struct viewer *vw);

/* Rows that the status lines of a session take. */
unsigned redraw_status_rows(const struct session *s);

#endif
