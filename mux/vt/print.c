/*
 * Printing.  Runs that cannot combine and need no translation are written to
 * the line at once, up to the end of the row; print_cell() prints everything
 * else, one code point at a time.
 *
 * A cluster grows in its cell.  Its first code point is printed as if it were
 * alone.  Each code point that joins it (no boundary before it, or no width of
 * its own) is appended to the cell where the cluster began.  When anything else
 * than printing moves the cursor, joining ends; a code point without width then
 * joins the character in the cell at the cursor, as in xterm, and the cursor
 * stays.
 */
#include "mux/vt/print.h"

#include <string.h>

#include "base/utf8.h"
#include "mux/vt/line_int.h"
#include "mux/vt/run.h"
#include "mux/vt/sized.h"
#include "mux/vt/spread.h"

/* Executes a pending wrap if DECAWM is set. */
static void
print_wrap(struct vt_term *t)
{
	struct vt_line *line;

	t->wrap = false;
	if (!vt_mode_on(t, VT_MODE_DECAWM))
		return;
	if (vt_full_width(t)) {
		line = vt_row_own(t, t->y);
		line->flags |= VT_LINE_WRAPPED;
	}
	vt_index(t);
	t->x = t->left;
}

/* Moves the cursor by N columns, at most to EDGE. */
static inline void
print_advance(struct vt_term *t, int n, int edge)
{
	t->x += n;
	if (t->x > edge) {
		t->x = edge;
		t->wrap = true;
	}
}

/* Clears the wrap flag of a row whose last column was overwritten. */
static inline void
print_unwrap(struct vt_term *t, struct vt_line *line)
{
	if (unlikely((line->flags & VT_LINE_WRAPPED) != 0) && t->x >= t->cols)
		line->flags &= (uint16_t)~VT_LINE_WRAPPED;
}

/* Writes N bytes, of which ROOM are readable, into a line with one owner. */
static inline void
print_bytes(struct vt_term *t, struct vt_line *line, const uint8_t *p, size_t n,
    size_t room)
{
	unsigned style = vt_pen_style(t, line);

	if (n > VT_LINE_FEW || room < VT_LINE_FEW ||
	    !vt_line_put_few(line, (unsigned)t->x, p, (unsigned)n, style))
		vt_line_put_ascii(line, (unsigned)t->x, p, (unsigned)n, style);
}

/* Moves the cursor after K filled columns, at most to EDGE. */
static inline void
print_filled(struct vt_term *t, struct vt_line *line, int k, int edge)
{
	t->x += k;
	if (t->x > edge) {
		print_unwrap(t, line);
		t->x = edge;
		t->wrap = true;
	}
}

/* Prints a run of bytes, of which ROOM are readable. */
static NOINLINE void
print_run(struct vt_term *t, const uint8_t *p, size_t n, size_t room)
{
	struct vt_line *line;
	size_t done = 0, k;
	int edge;

	while (done < n) {
		if (t->wrap)
			print_wrap(t);
		edge = vt_margin_edge(t);
		k = (size_t)(edge - t->x + 1);
		if (n - done < k)
			k = n - done;
		line = vt_row_own(t, t->y);
		vt_row_split(t, line, t->x);
		vt_row_split(t, line, t->x + (int)k);
		print_bytes(t, line, p + done, k, room - done);
		done += k;
		print_filled(t, line, (int)k, edge);
		/*
		 * Without DECAWM, of the rest only the last byte stays visible.
		 */
		if (t->wrap && done < n && !vt_mode_on(t, VT_MODE_DECAWM))
			done = n - 1;
	}
	vt_print_note(t, p[n - 1], t->wrap ? t->x : t->x - 1, t->y, 1);
	t->last.simple = true;
}

/* --- one cell -------------------------------------------------------------- */

/* The same in any row; no text goes on from one of double width. */
static ALWAYS_INLINE void
print_wrap_in(struct vt_term *t, const bool odd)
{
	if (odd && (vt_row_line(t, t->y)->flags & VT_LINE_DOUBLE_WIDTH) != 0) {
		t->wrap = false;
		if (vt_mode_on(t, VT_MODE_DECAWM)) {
			vt_index(t);
			t->x = t->left;
		}
	} else
		print_wrap(t);
}

/* Returns the last column for text at the cursor. */
static ALWAYS_INLINE int
print_edge(const struct vt_term *t, const bool odd)
{
	return odd ? vt_right_edge(t) : vt_margin_edge(t);
}

/* Makes room for W columns at the cursor; false if there is none. */
static ALWAYS_INLINE bool
print_room(struct vt_term *t, int w, const bool odd)
{
	struct vt_line *line;
	int edge;

	if (t->wrap)
		print_wrap_in(t, odd);
	edge = print_edge(t, odd);
	if (t->x + w - 1 <= edge)
		return true; /* else, as in xterm, show nothing of a half */
	if (!vt_mode_on(t, VT_MODE_DECAWM))
		return false;
	if (odd)
		vt_sized_clear(t, t->y, t->x, t->x + 1, true, false);
	line = vt_row_own(t, t->y);
	vt_line_put_pad(line, (unsigned)t->x, vt_pen_style(t, line));
	print_wrap_in(t, odd);
	return t->x + w - 1 <= print_edge(t, odd);
}

/* Moves the cursor past the lower rows of blocks, to where W columns fit. */
static bool
print_pass(struct vt_term *t, int w)
{
	int left = t->rows + t->cols, x;

	while ((x = vt_sized_past(t, t->y, t->x, w)) >= 0) {
		if (--left < 0)
			return false;
		if (x + w - 1 <= print_edge(t, true)) {
			t->x = x;
			continue;
		}
		/* As in kitty, also without autowrap. */
		if (vt_full_width(t))
			vt_row_own(t, t->y)->flags |= VT_LINE_WRAPPED;
		vt_index(t);
		t->x = t->left;
		if (t->x + w - 1 > print_edge(t, true))
			return false;
	}
	return true;
}

bool
vt_print_block_room(struct vt_term *t, int w)
{
	int edge;

	if (t->wrap && vt_mode_on(t, VT_MODE_DECAWM))
		print_wrap_in(t, true);
	t->wrap = false;
	edge = print_edge(t, true);
	if (!vt_mode_on(t, VT_MODE_DECAWM) && t->x + w - 1 > edge)
		t->x = edge - w + 1;
	return t->x >= 0 && print_room(t, w, true) && print_pass(t, w);
}

/* Prints a character or cluster of width W at the cursor. */
static ALWAYS_INLINE void
print_put_in(struct vt_term *t, uint32_t cp, const char *text, size_t n, int w,
    const bool odd)
{
	enum vt_width width = w == 2 ? VT_WIDE : VT_NARROW;
	struct vt_line *line;
	unsigned style, x;
	int edge;

	if (!print_room(t, w, odd) || (odd && !print_pass(t, w))) {
		/* Nothing was printed that the next code point could join. */
		vt_unjoin(t);
		return;
	}
	edge = print_edge(t, odd);
	x = (unsigned)t->x;
	if (odd) {
		if (vt_mode_on(t, VT_MODE_IRM) && vt_x_inside(t))
			vt_sized_shift(t, t->y, t->x, w, edge + 1, true);
		else
			vt_sized_clear(t, t->y, t->x, t->x + w, true, false);
	}
	line = vt_row_own(t, t->y);
	vt_row_split(t, line, t->x);
	if (vt_mode_on(t, VT_MODE_IRM) && vt_x_inside(t)) {
		vt_row_split(t, line, edge + 1);
		vt_line_insert(line, x, (unsigned)w, (unsigned)edge + 1,
		    vt_erase_style(t, line));
		t->pen_gen = 0;
	}
	vt_row_split(t, line, t->x + w);
	style = vt_pen_style(t, line);
	if (n > 0)
		vt_line_put_cluster(line, x, text, n, width, style);
	else
		vt_line_put(line, x, cp, width, style);
	vt_print_note(t, cp, t->x, t->y, (unsigned)w);
	t->x += w;
	if (t->x > edge) {
		print_unwrap(t, line);
		t->x = edge;
		t->wrap = true;
	}
}

static NOINLINE void
print_put_odd(struct vt_term *t, uint32_t cp, const char *text, size_t n, int w)
{
	print_put_in(t, cp, text, n, w, true);
}

static void
print_put(struct vt_term *t, uint32_t cp, const char *text, size_t n, int w)
{
	if (unlikely(vt_odd(t)))
		print_put_odd(t, cp, text, n, w);
	else
		print_put_in(t, cp, text, n, w, false);
}

/* --- clusters -------------------------------------------------------------- */

/* Appends to the text of the last cluster, for REP and print_move_down. */
static void
last_append(struct vt_last *l, uint32_t cp)
{
	size_t n;

	if (l->len == 0)
		l->len = (uint8_t)utf8_put(l->first, (uint8_t *)l->text);
	n = utf8_put(cp, (uint8_t *)l->text + l->len);
	if (l->len + n <= VT_CLUSTER_MAX)
		l->len = (uint8_t)(l->len + n);
	l->prev = cp;
	if (l->count < UINT32_MAX)
		l->count++;
}

/* Moves the last cluster, which has outgrown its row, to the next row. */
static void
print_move_down(struct vt_term *t)
{
	struct vt_last l = t->last;
	struct vt_line *line = vt_row_own(t, l.y);

	if (!vt_mode_on(t, VT_MODE_DECAWM) || t->left >= t->right)
		return;
	vt_line_put_pad(line, (unsigned)l.x, vt_pen_style(t, line));
	print_wrap_in(t, vt_odd(t));
	print_put(t, l.first, l.text, l.len, 2);
	l.x = t->last.x;
	l.y = t->last.y;
	l.width = 2;
	t->last = l;
}

/* Changes the width of the last cluster to W columns. */
static void
print_set_width(struct vt_term *t, int w)
{
	struct vt_last *l = &t->last;
	struct vt_line *line;
	int edge = l->x > t->right ? t->cols - 1 : t->right;

	if (unlikely(vt_odd(t)))
		edge = MIN_OF(edge, vt_row_cols(t, l->y) - 1);
	if (w == 2 && l->x == edge) {
		print_move_down(t);
		return;
	}
	if (unlikely(vt_odd(t)) && w == 2)
		vt_sized_clear(t, l->y, l->x + 1, l->x + 2, true, false);
	line = vt_row_own(t, l->y);
	if (w == 2 && vt_mode_on(t, VT_MODE_IRM) && l->x >= t->left &&
	    l->x <= t->right)
		vt_line_insert(line, (unsigned)l->x + 1, 1, (unsigned)edge + 1,
		    vt_erase_style(t, line));
	vt_line_set_width(line, (unsigned)l->x, w == 2 ? VT_WIDE : VT_NARROW);
	t->pen_gen = 0;
	l->width = (uint8_t)w;
	t->x = l->x;
	t->wrap = false;
	print_advance(t, w, edge);
}

/* Appends CP to the last cluster. */
static void
print_join(struct vt_term *t, uint32_t cp, bool clusters)
{
	struct vt_last *l = &t->last;
	struct vt_line *line = vt_row_own(t, l->y);
	int w = l->width;

	if (clusters)
		w = grapheme_width_add(
		    t->graphemes, w, l->first, l->prev, l->count, cp);
	if (!vt_line_append(t->pool, line, (unsigned)l->x, cp))
		return;
	last_append(l, cp);
	if (w != l->width && (w == 1 || w == 2))
		print_set_width(t, w);
}

/* Prints a code point without width when there is no cluster to join. */
static void
print_mark(struct vt_term *t, uint32_t cp)
{
	struct vt_line *line;

	if (unlikely(vt_odd(t)) && vt_sized_append(t, cp))
		return;
	line = vt_row_own(t, t->y);
	vt_line_append(t->pool, line, (unsigned)t->x, cp);
}

/* Returns the grapheme state after the last cluster, or the initial one. */
static inline struct grapheme_state
print_state(const struct vt_term *t)
{
	const struct vt_last *l = &t->last;
	struct grapheme_state state = { 0, 0 };

	if (l->joinable && l->state_known)
		return l->state;
	if (l->joinable)
		(void)grapheme_break(t->graphemes, &state, l->prev);
	return state;
}

/* Prints one code point, in any state. */
static NOINLINE void
print_cell(struct vt_term *t, uint32_t cp)
{
	struct vt_last *l = &t->last;
	struct grapheme_state state = print_state(t), before = state;
	bool clusters = vt_mode_on(t, VT_MODE_CLUSTERS), boundary;
	int w;

	boundary = grapheme_step(t->graphemes, &state, cp, &w);
	if (unlikely(!clusters)) {
		boundary = true;
		state = before;
	}
	if (l->joinable && (!boundary || w == 0)) {
		print_join(t, cp, clusters && !boundary);
		l->state_known = true;
		l->simple = clusters && grapheme_closed(&state);
	} else if (w == 0) {
		print_mark(t, cp);
	} else {
		print_put(t, cp, NULL, 0, w);
		l->state_known = clusters;
		l->simple = clusters ? grapheme_closed(&state)
				     : grapheme_simple(t->graphemes, cp) != 0;
	}
	l->state = state;
}

/* --- from the parser ------------------------------------------------------- */

/* Returns the code point of a byte 0x20..0x7e in the selected set. */
static uint32_t
print_translate(struct vt_term *t, uint8_t b)
{
	unsigned g =
	    t->charsets.single != 0 ? t->charsets.single : t->charsets.gl;

	t->charsets.single = 0;
	return vt_charset_map((enum vt_charset)t->charsets.g[g], b);
}

/* Prints ASCII in other sets or in insert mode. */
static NOINLINE void
print_ascii_slow(struct vt_term *t, const uint8_t *p, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		print_cell(t, print_translate(t, p[i]));
}

/* Prints N bytes of ASCII, over usual rows. */
static ALWAYS_INLINE void
print_ascii_usual(struct vt_term *t, const uint8_t *p, size_t n, size_t room)
{
	struct vt_line *line;

	/* ASCII, too, joins a prepended mark (GB9b). */
	if (t->last.joinable && !t->last.simple) {
		print_cell(t, *p++);
		n--;
		room--;
	}
	if (likely(!t->wrap && t->x <= t->right && n > 0 &&
		   n <= (size_t)(t->right - t->x))) {
		/* The text does not reach the margin. */
		line = vt_row_own(t, t->y);
		vt_row_split(t, line, t->x);
		vt_row_split(t, line, t->x + (int)n);
		print_bytes(t, line, p, n, room);
		t->x += (int)n;
		vt_print_note(t, p[n - 1], t->x - 1, t->y, 1);
		t->last.simple = true;
	} else if (n > 0)
		print_run(t, p, n, room);
}

/* Prints N bytes in other sets, in insert mode, or where rows may be odd. */
static NOINLINE void
print_ascii_odd(struct vt_term *t, const uint8_t *p, size_t n, size_t room)
{
	size_t k;

	if (!vt_charsets_plain(&t->charsets) || vt_mode_on(t, VT_MODE_IRM)) {
		print_ascii_slow(t, p, n);
		return;
	}
	/* A run of the margins' width wraps once at most. */
	for (; n > 0; p += k, n -= k, room -= k) {
		if (vt_odd_meets(t)) {
			print_cell(t, *p);
			k = 1;
			continue;
		}
		k = MIN_OF(n, (size_t)(t->right - t->left + 1));
		print_ascii_usual(t, p, k, room);
	}
}

/* Prints any N bytes. */
static NOINLINE void
print_ascii_any(struct vt_term *t, const uint8_t *p, size_t n, size_t room)
{
	if (unlikely(vt_print_is_odd(t)))
		print_ascii_odd(t, p, n, room);
	else
		print_ascii_usual(t, p, n, room);
}

void
vt_print_ascii(struct vt_term *t, const uint8_t *p, size_t n, size_t room)
{
	if (room < VT_LINE_FEW || n > VT_LINE_FEW ||
	    !vt_print_few(t, p, (unsigned)n))
		print_ascii_any(t, p, n, room);
}

/* Columns that print_over fills at a time. */
#define PRINT_ASIDE 256

/* Replaces half of a wide character at column X by a space. */
static void
print_half(struct vt_term *t, struct vt_line *line, unsigned x)
{
	struct vt_cell *c = &line->cells[x];

	*c = vt_cell_of(' ', 0);
	c->style = (uint16_t)vt_erase_style(t, line);
}

/*
 * Prints characters over existing ones; keeps the cells to their right.
 *
 * Returns: the columns filled.
 */
static NOINLINE unsigned
print_over(struct vt_term *t, struct vt_line *line, const uint8_t **s,
    const uint8_t *end, unsigned cols)
{
	struct vt_cell cells[PRINT_ASIDE + VT_SPREAD_SLACK];
	unsigned x = (unsigned)t->x, to;
	bool left, right;

	to = x + vt_spread(t->graphemes, s, end, cells,
		     MIN_OF(cols, PRINT_ASIDE), vt_pen_style(t, line));
	if (to == x)
		return 0;
	vt_line_grow(line, to);
	if (unlikely(line->cells[x].width == VT_TAB_REST))
		vt_line_untab(line, x);
	if (to < line->len && unlikely(line->cells[to].width == VT_TAB_REST))
		vt_line_untab(line, to);
	left = line->cells[x].width == VT_TAIL;
	right = to < line->len && line->cells[to].width == VT_TAIL;
	memcpy(line->cells + x, cells, (to - x) * sizeof(cells[0]));
	line->len = (uint16_t)MAX_OF(to, (unsigned)line->len);
	/* Last, since adding a style may drop unused ones. */
	if (unlikely(left))
		print_half(t, line, x - 1);
	if (unlikely(right))
		print_half(t, line, to);
	return to - x;
}

/*
 * Prints simple characters up to the end of the row, directly from UTF-8 to
 * cells.  Leaves long ASCII runs to their own fast path.
 *
 * Returns: where the rest begins.
 */
static ALWAYS_INLINE const uint8_t *
print_utf8_row(struct vt_term *t, const uint8_t *s, const uint8_t *end)
{
	struct vt_line *line = vt_row_own(t, t->y);
	unsigned x = (unsigned)t->x, cols, done;
	int edge = vt_margin_edge(t);
	const struct vt_cell *c;

	cols = (unsigned)(edge + 1) - x;
	cols = (unsigned)MIN_OF((size_t)cols, (size_t)(end - s));
	if (likely(x >= line->len)) {
		if (unlikely(x + cols > line->cap))
			vt_line_grow(line, x + cols);
		done = vt_spread(t->graphemes, &s, end, line->cells + x, cols,
		    vt_pen_style(t, line));
		if (done == 0)
			return s;
		if (x > line->len)
			memset(line->cells + line->len, 0,
			    (x - line->len) * sizeof(*c));
		line->len = (uint16_t)(x + done);
	} else {
		done = print_over(t, line, &s, end, cols);
		if (done == 0)
			return s;
	}
	c = &line->cells[x + done - 1];
	c -= c->width == VT_TAIL;
	vt_print_note(t, c->ch, (int)(c - line->cells), t->y, c->width + 1u);
	t->last.simple = true;
	print_filled(t, line, (int)done, edge);
	return s;
}

/* Whether print_utf8_row may print: no translation, insertion or odd row. */
static NOINLINE bool
print_is_usual(struct vt_term *t)
{
	return vt_charsets_plain(&t->charsets) && !vt_mode_on(t, VT_MODE_IRM) &&
	       !vt_odd_meets(t);
}

const uint8_t *
vt_print_utf8(struct vt_term *t, const uint8_t *s, const uint8_t *end)
{
	uint32_t cp;
	unsigned k;

	while (end - s >= VT_SPREAD_LOOK &&
	       (likely(!vt_print_is_odd(t)) || print_is_usual(t))) {
		if (likely(!vt_print_may_join(t))) {
			/*
			 * Only a character that occupies a cell executes the
			 * wrap.
			 */
			if (t->wrap && vt_run_take(s, &cp) > 0 &&
			    grapheme_simple(t->graphemes, cp) != 0)
				print_wrap(t);
			if (!t->wrap) {
				s = print_utf8_row(t, s, end);
				/*
				 * If the row is not full, another kind of text
				 * follows.
				 */
				if (t->wrap || end - s < VT_SPREAD_LOOK)
					continue;
			}
		}
		k = vt_run_decode(s, &cp);
		if (k == 0 || (k == 1 && vt_run_ascii(s, VT_SPREAD_LOOK) ==
					     VT_SPREAD_LOOK))
			break;
		/* It belongs to a cluster, or does not fit the row. */
		print_cell(t, cp);
		s += k;
	}
	return s;
}

void
vt_print_text(struct vt_term *t, const uint32_t *cp, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		print_cell(t,
		    cp[i] < 0x7f ? print_translate(t, (uint8_t)cp[i]) : cp[i]);
}

void
vt_print_repeat(struct vt_term *t, int n)
{
	struct vt_last l = t->last;
	uint8_t run[64];

	if (l.width == 0 || !l.repeatable)
		return;
	/* More than a screenful would only change the history. */
	n = MIN_OF(n, t->cols * t->rows);
	if (l.len == 0 && l.width == 1 && l.first < 0x7f &&
	    !vt_mode_on(t, VT_MODE_IRM) && !vt_odd(t)) {
		memset(run, (int)l.first, sizeof run);
		for (; n > 0; n -= (int)sizeof run)
			print_run(
			    t, run, MIN_OF((size_t)n, sizeof run), sizeof run);
		return;
	}
	for (; n > 0; n--)
		print_put(t, l.first, l.text, l.len, l.width);
	l.x = t->last.x;
	l.y = t->last.y;
	l.joinable = t->last.joinable;
	l.simple = false;
	t->last = l;
}
