/*
 * Cells, words and lines of the text.
 */
#include <string.h>

#include "base/utf8.h"
#include "mux/mode/copy_int.h"

void
copy_clamp(struct copy *c)
{
	c->top = CLAMP(c->top, copy_first(c), copy_base(c));
	c->cy = MIN_OF(c->cy, c->rows - 1);
	c->cx = MIN_OF(c->cx, c->cols);
}

static const struct vt_line *
line_at(struct copy *c, vt_row row)
{
	return text_row(&c->text.text, row);
}

/* Columns up to the last one that is not blank. */
unsigned
copy_len(struct copy *c, vt_row row)
{
	const struct vt_line *l = line_at(c, row);
	unsigned n = l == NULL ? 0 : MIN_OF(l->len, c->cols);

	for (; n > 0; n--) {
		const struct vt_cell cell = l->cells[n - 1];

		/* A tab of one column is a blank, as in tmux. */
		if (cell.width != VT_PAD && cell.width != VT_TAB &&
		    (cell.width != VT_NARROW ||
			(cell.ch != 0 && cell.ch != ' ')))
			break;
	}
	return n;
}

bool
copy_wrapped(struct copy *c, vt_row row)
{
	const struct vt_line *l = line_at(c, row);

	return l != NULL && (l->flags & VT_LINE_WRAPPED) != 0 &&
	       row < copy_last(c);
}

bool
copy_is_tail(struct copy *c, struct vt_pos p)
{
	const struct vt_line *l = line_at(c, p.row);

	return l != NULL && vt_cell_continues(vt_line_cell(l, p.col));
}

bool
copy_is_half(struct copy *c, struct vt_pos p)
{
	const struct vt_line *l = line_at(c, p.row);

	return l != NULL && vt_line_cell(l, p.col).width == VT_TAIL;
}

size_t
copy_cell(struct copy *c, struct vt_pos p, char *out)
{
	const struct vt_line *l = line_at(c, p.row);

	if (l != NULL && p.col < l->len && l->cells[p.col].width < VT_TAB)
		return vt_line_text(l, p.col, out);
	out[1] = '\0';
	if (l != NULL && vt_line_cell(l, p.col).width >= VT_TAB) {
		out[0] = vt_line_cell(l, p.col).width == VT_TAB ? '\t' : '\0';
		return out[0] != '\0';
	}
	out[0] = ' ';
	return 1;
}

static bool
is_blank(uint32_t cp)
{
	return cp == ' ' || (cp >= 9 && cp <= 13) || cp == 0x85 || cp == 0xa0 ||
	       cp == 0x1680 || (cp >= 0x2000 && cp <= 0x200a) || cp == 0x2028 ||
	       cp == 0x2029 || cp == 0x202f || cp == 0x205f || cp == 0x3000;
}

/* The columns of the tab at COL from there on; 0: there is none. */
static unsigned
tab_at(const struct vt_line *l, unsigned col)
{
	unsigned n = 1;

	if (vt_line_cell(l, col).width < VT_TAB)
		return 0;
	while (vt_line_cell(l, col + n).width == VT_TAB_REST)
		n++;
	return n;
}

unsigned
copy_blank(struct copy *c, struct vt_pos p)
{
	const struct vt_line *l = line_at(c, p.row);
	const struct vt_cell cell =
	    l == NULL ? VT_CELL_BLANK : vt_line_cell(l, p.col);

	if (cell.width >= VT_TAB)
		return tab_at(l, p.col);
	if (cell.width == VT_TAIL)
		return 0;
	if (cell.ch == 0 || is_blank(cell.ch))
		return cell.width == VT_WIDE ? 2 : 1;
	return 0;
}

bool
copy_separator(struct copy *c, struct vt_pos p, const char *set)
{
	char text[VT_CLUSTER_MAX + 1];
	const struct vt_line *l = line_at(c, p.row);
	const size_t n = copy_cell(c, p, text);
	const char *s;

	if (l != NULL && vt_line_cell(l, p.col).width >= VT_TAB)
		return strchr(set, '\t') != NULL;
	if (n == 0)
		return false;
	if (copy_blank(c, p) > 0)
		return strchr(set, ' ') != NULL;
	s = strstr(set, text);
	return s != NULL;
}

/* --- cells and lines -------------------------------------------------------- */

struct vt_pos
copy_left(struct copy *c, struct vt_pos p, bool wrap)
{
	while (p.col > 0 && copy_is_tail(c, p))
		p.col--;
	if (p.col > 0) {
		/* As in tmux, the cursor may stand within a tab. */
		p.col--;
		while (p.col > 0 && copy_is_half(c, p))
			p.col--;
	} else if (p.row > copy_first(c) &&
		   (wrap || copy_wrapped(c, p.row - 1))) {
		p.row--;
		p.col = copy_len(c, p.row);
	}
	return p;
}

/* The first column of the last cell of a row; 0 if it is empty. */
static unsigned
copy_last_cell(struct copy *c, vt_row row)
{
	struct vt_pos p = { row, copy_len(c, row) };

	if (p.col > 0)
		p.col--;
	while (p.col > 0 && copy_is_tail(c, p))
		p.col--;
	return p.col;
}

struct vt_pos
copy_right(struct copy *c, struct vt_pos p, bool wrap, bool all)
{
	const unsigned end = all ? c->cols : copy_len(c, p.row);
	/* With vi keys the cursor does not stand after the last cell. */
	const unsigned last =
	    wrap && !all && copy_is_vi(c) ? copy_last_cell(c, p.row) : end;

	if (wrap && p.col >= last && p.row < copy_last(c)) {
		p.row++;
		p.col = 0;
	} else if (p.col < last) {
		p.col++;
		while (p.col < end && copy_is_tail(c, p))
			p.col++;
	}
	return p;
}

struct vt_pos
copy_line_start(struct copy *c, struct vt_pos p, bool wrap)
{
	if (wrap)
		while (p.row > copy_first(c) && copy_wrapped(c, p.row - 1))
			p.row--;
	p.col = 0;
	return p;
}

struct vt_pos
copy_line_end(struct copy *c, struct vt_pos p, bool wrap, bool all)
{
	if (wrap)
		while (p.row < copy_last(c) && copy_wrapped(c, p.row))
			p.row++;
	p.col = all ? c->cols : copy_len(c, p.row);
	return p;
}

struct vt_pos
copy_indentation(struct copy *c, struct vt_pos p)
{
	struct vt_pos at = copy_line_start(c, p, true);
	unsigned n;

	for (;;) {
		n = copy_len(c, at.row);
		for (at.col = 0; at.col < n; at.col++)
			if (!copy_is_tail(c, at) && copy_blank(c, at) == 0)
				return at;
		/* As in tmux, the cursor stays in a line of blanks. */
		if (!copy_wrapped(c, at.row))
			return p;
		at.row++;
	}
}

/* --- words ------------------------------------------------------------------ */

/* A walk to the right over the words of wrapped lines. */
struct walk {
	struct copy *c;
	struct vt_pos p;
	unsigned end; /* last column that belongs to the row */
};

static void
walk_row(struct walk *w)
{
	w->end = copy_wrapped(w->c, w->p.row) ? w->c->cols - 1
					      : copy_len(w->c, w->p.row);
}

static struct walk
walk_new(struct copy *c, struct vt_pos p)
{
	struct walk w = { c, p, 0 };

	walk_row(&w);
	return w;
}

/* Moves on to the next row after the end of this one; false at the end. */
static bool
walk_on(struct walk *w)
{
	while (w->p.col > w->end) {
		if (copy_ends(w->c, w->p.row, 1))
			return false;
		w->p.row++;
		w->p.col = 0;
		walk_row(w);
	}
	return true;
}

static bool
in_word(struct walk *w, const char *separators)
{
	return copy_blank(w->c, w->p) == 0 &&
	       !copy_separator(w->c, w->p, separators);
}

static bool
in_separators(struct walk *w, const char *separators)
{
	return copy_blank(w->c, w->p) == 0 &&
	       copy_separator(w->c, w->p, separators);
}

/* Skips the rest of the word, or of the separators, under the cursor. */
static void
skip_run(struct walk *w, const char *separators)
{
	if (copy_separator(w->c, w->p, separators))
		do
			w->p.col++;
		while (walk_on(w) && in_separators(w, separators));
	else
		do
			w->p.col++;
		while (walk_on(w) && in_word(w, separators));
}

struct vt_pos
copy_next_word(struct copy *c, struct vt_pos p, const char *separators)
{
	struct walk w = walk_new(c, p);
	unsigned n;

	if (!walk_on(&w))
		return w.p;
	if (copy_blank(c, w.p) == 0)
		skip_run(&w, separators);
	while (walk_on(&w) && (n = copy_blank(c, w.p)) > 0)
		w.p.col += n;
	return w.p;
}

static struct vt_pos
copy_next_word_end(struct copy *c, struct vt_pos p, const char *separators)
{
	struct walk w = walk_new(c, p);
	unsigned n;

	while (walk_on(&w)) {
		if ((n = copy_blank(c, w.p)) > 0) {
			w.p.col += n;
			continue;
		}
		skip_run(&w, separators);
		break;
	}
	return w.p;
}

/* What next-word-end does, by the keys of the mode. */
struct vt_pos
copy_word_end_move(struct copy *c, struct vt_pos p, const char *separators)
{
	if (!copy_is_vi(c))
		return copy_next_word_end(c, p, separators);
	if (copy_blank(c, p) == 0)
		p = copy_right(c, p, false, false);
	p = copy_next_word_end(c, p, separators);
	return copy_left(c, p, true);
}

/* The end of the word at P, for a selection: it stays in the line. */
struct vt_pos
copy_word_end_select(struct copy *c, struct vt_pos p, const char *separators)
{
	if (!copy_is_vi(c))
		return copy_next_word_end(c, p, separators);
	if (copy_blank(c, p) == 0 && p.col < copy_last_cell(c, p.row))
		p = copy_right(c, p, false, false);
	p = copy_next_word_end(c, p, separators);
	return copy_left(c, p, true);
}

struct vt_pos
copy_previous_word(struct copy *c, struct vt_pos p, const char *separators,
    bool already, bool stop_at_end)
{
	struct vt_pos old;
	bool letters;

	if (already || copy_blank(c, p) > 0)
		for (;;) {
			if (p.col > 0) {
				p.col--;
				if (copy_blank(c, p) == 0) {
					letters =
					    !copy_separator(c, p, separators);
					break;
				}
				continue;
			}
			if (copy_ends(c, p.row, -1))
				return p;
			p.row--;
			p.col = copy_len(c, p.row);
			if (stop_at_end && p.col > 0) {
				old = p;
				old.col--;
				if (copy_blank(c, old) > 0) {
					letters = false;
					break;
				}
			}
		}
	else
		letters = !copy_separator(c, p, separators);
	do {
		old = p;
		if (p.col == 0) {
			if (p.row <= copy_first(c) ||
			    !copy_wrapped(c, p.row - 1))
				break;
			p.row--;
			p.col = c->cols;
		}
		if (p.col > 0)
			p.col--;
	} while (copy_blank(c, p) == 0 &&
		 letters != copy_separator(c, p, separators));
	return old;
}

/* --- jumps ------------------------------------------------------------------- */

static bool
cell_is(struct copy *c, struct vt_pos p, const char *text)
{
	char got[VT_CLUSTER_MAX + 1];

	return !copy_is_tail(c, p) && copy_cell(c, p, got) > 0 &&
	       strcmp(got, text) == 0;
}

bool
copy_find_char(struct copy *c, struct vt_pos *p, const char *text)
{
	struct vt_pos q = *p;
	unsigned n;

	for (;; q.row++, q.col = 0) {
		n = copy_len(c, q.row);
		for (; q.col < n; q.col++)
			if (cell_is(c, q, text)) {
				*p = q;
				return true;
			}
		if (q.row >= copy_last(c) || !copy_wrapped(c, q.row))
			return false;
	}
}

bool
copy_find_char_back(struct copy *c, struct vt_pos *p, const char *text)
{
	struct vt_pos q = *p;
	unsigned n = q.col + 1;

	for (;; q.row--, n = copy_len(c, q.row)) {
		for (; n > 0; n--) {
			q.col = n - 1;
			if (cell_is(c, q, text)) {
				*p = q;
				return true;
			}
		}
		if (q.row <= copy_first(c) || !copy_wrapped(c, q.row - 1))
			return false;
	}
}
