/*
 * server/face/redraw_int.h - what the files of the drawing share.
 *
 * Purpose:   surface ids, and the parts of a view: text (styles, status lines,
 *            message and prompt, panels of keys) and frames of panes.
 * Ownership: frames returned are the caller's reference.
 * Units:     cells.
 * Errors:    none; a style that does not parse changes nothing.
 * Source:    our own; the options' meanings are tmux's.
 * Tests:     regress/e2e/look.sh, regress/e2e/prompt.sh, regress/e2e/panel.sh
 */
#ifndef SERVER_FACE_REDRAW_INT_H
#define SERVER_FACE_REDRAW_INT_H

#include "conf/format_draw.h"
#include "server/face/redraw.h"

/* Surface ids: the kind in the upper half. */
#define SURFACE_PANE(id) ((UINT64_C(1) << 32) | (id))
#define SURFACE_CHROME (UINT64_C(2) << 32)
#define SURFACE_STATUS (UINT64_C(3) << 32)
#define SURFACE_LINE (UINT64_C(4) << 32) /* message or prompt */
#define SURFACE_NUMBERS (UINT64_C(5) << 32)
#define SURFACE_PANEL (UINT64_C(6) << 32)
#define SURFACE_PEOPLE (UINT64_C(7) << 32)
#define SURFACE_OUTSIDE (UINT64_C(8) << 32)
#define SURFACE_PAGER (UINT64_C(9) << 32)

struct sync_view;
struct options;

/* redraw.c */

/* Bits of a pane's tty for its frame; false if they are not to be had. */
bool redraw_pane_modes(struct viewer *vw, const struct pane *p, uint32_t *bits);

/* redraw_text.c */

/* C, or what a colour of the theme is for this client. */
colour redraw_text_colour(const struct viewer *vw, colour c);

/* The pen of a style text over BASE, expanded for a pane (or NULL). */
struct pen redraw_text_pen(struct viewer *vw, struct pane *p, const char *style,
    const struct pen *base);

/* The pen of a style option, expanded for the client. */
struct pen redraw_text_style(struct viewer *vw, const struct options *o,
    enum option_id id, const struct pen *base);

/* Draws an expanded format into row Y; its ranges are left in *DRAWN. */
void redraw_text_draw(struct viewer *vw, struct vt_frame *f, unsigned y,
    const char *text, const struct pen *base, struct format_drawn *drawn);

/* Makes the status lines again: ROWS of them. */
void redraw_text_status(struct viewer *vw, unsigned rows);

/* Puts message or prompt over the view; STATUS rows are the status lines'. */
void redraw_text_line(struct viewer *vw, struct sync_view *v, unsigned status);

/* The panel of keys that can follow, when it is on. */
void redraw_text_keys(struct viewer *vw, struct sync_view *v, unsigned status);

/* redraw_pane.c */

/* The pane's picture for this client. */
struct vt_frame *redraw_pane_frame(
    struct viewer *vw, struct pane *p, bool active);

#endif
