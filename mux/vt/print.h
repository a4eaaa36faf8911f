/*
 * mux/vt/print.h - writes printable characters to the screen.
 *
 * Purpose:   runs of ASCII and of other code points to cells: deferred wrap,
 *            insert mode, charsets, wide characters, grapheme clusters.
 * Ownership: as in ctl.h.
 * Units:     code points.
 * Errors:    none; a code point that would join a full cluster is dropped.
 * Source:    xterm for wrapping; UAX #29 through base/grapheme.h.
 * Tests:     regress/unit/check_vt_term.c, regress/vt/
 */
#ifndef MUX_VT_PRINT_H
#define MUX_VT_PRINT_H

#include "mux/vt/line_put.h"
#include "mux/vt/screen.h"

/* Prints N bytes of 0x20..0x7e; P[0..ROOM) is readable. */
void vt_print_ascii(struct vt_term *t, const uint8_t *p, size_t n, size_t room);

/*
 * Prints well-formed UTF-8 while VT_SPREAD_LOOK bytes are readable and no long
 * run of ASCII begins.
 *
 * Returns: where anything else begins.
 */
const uint8_t *vt_print_utf8(
    struct vt_term *t, const uint8_t *s, const uint8_t *end);

/* Prints code points that are no controls, one by one. */
void vt_print_text(struct vt_term *t, const uint32_t *cp, size_t n);

/*
 * Moves the cursor to where a block of W columns fits, as text would wrap;
 * without autowrap, back from the margin.  Returns false if there is no place.
 */
bool vt_print_block_room(struct vt_term *t, int w);

/* Prints the last cluster N more times (REP). */
void vt_print_repeat(struct vt_term *t, int n);

/* Records the cluster CP of WIDTH columns at (X, Y) as the last one. */
static inline void
vt_print_note(struct vt_term *t, uint32_t cp, int x, int y, unsigned width)
{
	struct vt_last *l = &t->last;

	l->joinable = true;
	l->repeatable = true;
	l->state_known = false;
	l->simple = false;
	l->width = (uint8_t)width;
	l->len = 0;
	l->x = x;
	l->y = y;
	l->first = l->prev = cp;
	l->count = 1;
}

/* True if a simple character might join the last cluster. */
static inline bool
vt_print_may_join(const struct vt_term *t)
{
	return t->last.joinable && !t->last.simple;
}

/* True with sets other than ASCII, in insert mode, or if rows may be odd. */
static inline bool
vt_print_is_odd(const struct vt_term *t)
{
	const struct vt_charsets *c = &t->charsets;

	_Static_assert(VT_CHARSET_ASCII == 0 && VT_MODE_IRM < 64, "below");
	return ((uint64_t)(c->g[c->gl] | c->single) |
		   (t->modes[0] &
		       (UINT64_C(1) << VT_MODE_IRM | VT_MODES_ODD))) != 0;
}

/* Tests five conditions by one branch, since they rarely fail. */
static inline bool
vt_print_is_plain(const struct vt_term *t)
{
	return ((unsigned)vt_print_is_odd(t) | vt_print_may_join(t) |
		   t->wrap) == 0;
}

/*
 * Prints a few bytes that do not reach the margin: the most frequent text.
 * VT_LINE_FEW bytes must be readable.  Returns false, and changes nothing, if
 * vt_print_ascii must handle the text.
 */
static inline bool
vt_print_few(struct vt_term *t, const uint8_t *p, unsigned n)
{
	struct vt_line *line;

	if (unlikely(n > VT_LINE_FEW || (int)n > t->right - t->x ||
		     !vt_print_is_plain(t)))
		return false;
	line = vt_row_own(t, t->y);
	if (unlikely(!vt_line_put_few(
		line, (unsigned)t->x, p, n, vt_pen_style(t, line))))
		return false;
	t->x += (int)n;
	vt_print_note(t, p[n - 1], t->x - 1, t->y, 1);
	t->last.simple = true;
	return true;
}

#endif
