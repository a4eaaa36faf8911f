/*
 * mux/view/text.h - colours, pens and expanded formats of one client.
 *
 * Purpose:   resolves theme colours and styles, and draws formats into rows of
 *            frames.
 * Ownership: the caller holds the only reference to a frame; struct
 *            format_drawn is filled and freed as in conf/format_draw.h.
 * Errors:    a style that does not parse leaves the base pen unchanged.
 * Tests:     regress/unit/check_view_text.c
 */
#ifndef MUX_VIEW_TEXT_H
#define MUX_VIEW_TEXT_H

#include "conf/format_draw.h"
#include "conf/option.h"
#include "mux/view/host.h"
#include "mux/vt/frame.h"

/* Resolves a theme colour for the client; returns other colours unchanged. */
colour view_text_colour(const struct view_context *cx, colour c);

/*
 * The same for an option of O that may be a format.
 * In:      p the pane that the format sees, or NULL: the client's
 * Returns: COLOUR_NONE if the option is empty or gives no colour
 */
colour view_text_option_colour(const struct view_context *cx, struct pane *p,
    const struct options *o, enum option_id id);

/* Expands a style for the client and P (may be NULL), applied to BASE. */
struct pen view_text_pen(const struct view_context *cx, struct pane *p,
    const char *style, const struct pen *base);

/* Expands and parses a style option of pane P into *SY. */
void view_text_option_style(const struct view_context *cx, struct pane *p,
    enum option_id id, struct style *sy);

/* Expands a style option for the client, applied to BASE. */
struct pen view_text_style(const struct view_context *cx,
    const struct options *o, enum option_id id, const struct pen *base);

/* The pen of message-style. */
struct pen view_text_message_pen(const struct view_context *cx);

/* The pen of mode-style in the client's window. */
struct pen view_text_mode_pen(const struct view_context *cx);

/*
 * The bytes of TEXT that fit into WIDTH columns and end behind a word or a
 * hyphen within one; 0: there are none.
 */
size_t view_text_fit(
    const struct grapheme_table *gt, const char *text, unsigned width);

/* Returns the format that draws TEXT as it is, a new string. */
char *view_text_plain_new(const char *text);

/*
 * Finds the character that fills an area: the first of FORMAT, expanded with is_inside
 * (within the window, where no pane is) for the pane P or, if NULL, the client's.
 * Stores its pen and returns its code point; 0: none of width 1.
 */
uint32_t view_text_fill(const struct view_context *cx, struct pane *p,
    const char *format, bool inside, struct pen *pen);

/* Draws an expanded format over all of row Y; stores its ranges in *DRAWN. */
void view_text_draw(const struct view_context *cx, struct vt_frame *f,
    unsigned y, const char *text, const struct pen *base,
    struct format_drawn *drawn);

/*
 * Draws an expanded format into COLS columns from (X, Y).  Cells without text or
 * fill in the format are left unchanged.
 */
void view_text_put(const struct view_context *cx, struct vt_frame *f,
    unsigned x, unsigned y, int cols, const char *text, const struct pen *base);

/*
 * Draws a format option of pane P into COLS columns from (X, Y).  Cells without
 * text or fill in the format are left unchanged.
 */
void view_text_pane(const struct view_context *cx, struct vt_frame *f,
    unsigned x, unsigned y, int cols, struct pane *p, enum option_id format,
    const struct pen *base);

#endif
