/*
 * mux/mode/preview.h - pictures of panes, windows and sessions, and texts about
 * them.
 *
 * Purpose:   the preview of choose-tree and choose-client.
 * Source:    tmux(1), choose-tree; tree-mode-preview-format.
 * Tests:     regress/unit/check_mode_list.c
 */
#ifndef MUX_MODE_PREVIEW_H
#define MUX_MODE_PREVIEW_H

#include "mux/mode/list.h"

/* Where a preview is drawn. */
struct preview {
	struct mode_list *list;
	struct vt_frame *frame;
	struct vt_rect rect;
	const struct mode_paint *paint;
};

/* The screen of one pane, around its cursor. */
void preview_pane(const struct preview *pv, struct pane *p);

/* The same in R of F; its cursor is drawn if CURSOR. */
void preview_screen(
    struct vt_frame *f, const struct vt_rect *r, struct pane *p, bool cursor);

/* The panes of a window, or the windows of a session, side by side. */
void preview_window(
    const struct preview *pv, struct session *s, struct winlink *wl);
void preview_session(const struct preview *pv, struct session *s);

/* Text about a session, window or pane, and about its window and session. */
void preview_session_info(
    const struct preview *pv, struct session *s, unsigned *row);
void preview_window_info(const struct preview *pv, struct session *s,
    struct winlink *wl, unsigned *row);
void preview_pane_info(const struct preview *pv, struct session *s,
    struct winlink *wl, struct pane *p, unsigned *row);

/* One row of an info view, a format expanded at WHERE. */
void preview_row(const struct preview *pv, const struct mode_where *where,
    unsigned *row, const char *label, const char *format);

#endif
