#include "mux/sync/move.h"

#include "base/mem.h"

/* Cells that the smallest move makes right. */
#define MOVE_CELLS 24

/* Rows for which one search looks, and the characters that each row needs. */
#define MOVE_SAMPLES 6
#define MOVE_TEXT 6

/* Rows with pairs, blocks or another order of columns are left alone. */
#define MOVE_NOT VT_LINE_SHOWN

/* One search: the frames, and a row's columns as bits. */
struct search {
	const struct vt_frame *old;
	const struct vt_frame *cur;
	const struct vt_frame *new;
	uint64_t *bits;
};

/* The columns of a row at which CUR is wrong: FROM..TO-1; none: equal. */
struct need {
	unsigned from;
	unsigned to;
};

static bool
plain(const struct vt_line *line)
{
	return (line->flags & MOVE_NOT) == 0;
}

/* Returns the columns in which A and B differ, first to last. */
static struct need
differing(const struct search *s, const struct vt_line *a,
    const struct vt_line *b, unsigned *count)
{
	const unsigned words = VT_LINE_WORDS(s->new->cols);
	struct need d = { 0, 0 };
	unsigned i;

	*count = 0;
	if (a == b)
		return d;
	vt_line_differ(a, b, s->new->cols, s->bits);
	for (i = 0; i < words; i++) {
		if (s->bits[i] == 0)
			continue;
		if (*count == 0)
			d.from = i * 64 + (unsigned)__builtin_ctzll(s->bits[i]);
		d.to = i * 64 + 64 - (unsigned)__builtin_clzll(s->bits[i]);
		*count += (unsigned)__builtin_popcountll(s->bits[i]);
	}
	return d;
}

/* Returns whether lines A and B have equal cells in the columns D. */
static bool
alike(const struct vt_line *a, const struct vt_line *b, struct need d)
{
	unsigned x;

	for (x = d.from; x < d.to; x++)
		if (!vt_line_cell_equal(a, x, b, x))
			return false;
	return true;
}

/*
 * Extends the columns D, which are equal in A and B, on both sides while the next
 * column within LIMIT is equal, too.
 */
static struct need
widen(const struct vt_line *a, const struct vt_line *b, struct need d,
    struct need limit)
{
	while (d.from > limit.from &&
	       vt_line_cell_equal(a, d.from - 1, b, d.from - 1))
		d.from--;
	while (d.to < limit.to && vt_line_cell_equal(a, d.to, b, d.to))
		d.to++;
	return d;
}

/* Returns whether the columns D of LINE have enough text to be recognised. */
static bool
has_text(const struct vt_line *line, struct need d)
{
	unsigned x, n = 0;

	for (x = d.from; x < d.to && n < MOVE_TEXT; x++)
		n += vt_line_cell(line, x).ch > ' ';
	return n >= MOVE_TEXT;
}

/*
 * Returns the nearest row of OLD whose columns D equal those of NEW's row Y; -1:
 * none.
 */
static int
elsewhere(const struct search *s, unsigned y, struct need d)
{
	const unsigned rows = s->new->rows;
	unsigned n;

	for (n = 1; n < rows; n++) {
		if (y + n < rows && plain(s->old->lines[y + n]) &&
		    alike(s->new->lines[y], s->old->lines[y + n], d))
			return (int)(y + n);
		if (y >= n && plain(s->old->lines[y - n]) &&
		    alike(s->new->lines[y], s->old->lines[y - n], d))
			return (int)(y - n);
	}
	return -1;
}

/*
 * Adds row Y, as row Y + SHIFT of OLD, to a move if they are equal in CORE.  WIDE
 * are the columns in which all rows of the move are equal, CORE those that some
 * row needs, GAIN the cells that the move makes right.
 */
static bool
join(const struct search *s, unsigned y, int shift, struct need *wide,
    struct need *core, unsigned *gain)
{
	const int from = (int)y + shift;
	const struct vt_line *a, *b;
	struct need d, w;
	unsigned count;

	if (from < 0 || from >= (int)s->new->rows)
		return false;
	a = s->new->lines[y];
	b = s->old->lines[from];
	if (!plain(a) || !plain(b) || !plain(s->cur->lines[y]) ||
	    !alike(a, b, *core))
		return false;
	w = widen(a, b, *core, *wide);
	d = differing(s, s->cur->lines[y], a, &count);
	*wide = w;
	if (count > 0 && d.from < w.to && d.to > w.from) {
		core->from = MIN_OF(core->from, MAX_OF(d.from, w.from));
		core->to = MAX_OF(core->to, MIN_OF(d.to, w.to));
		*gain += count;
	}
	return true;
}

/* Returns whether an edge of M at column X cuts no cell. */
static bool
edge_ok(const struct search *s, const struct sync_move *m, unsigned x)
{
	unsigned i;

	if (x == 0 || x >= s->new->cols)
		return true;
	for (i = 0; i < m->rows; i++)
		if (vt_cell_continues(
			vt_line_cell(s->old->lines[m->from + i], x)) ||
		    vt_cell_continues(
			vt_line_cell(s->cur->lines[m->to + i], x)))
			return false;
	return true;
}

/* Grows a move from row Y, of which the columns D are at row FROM of OLD. */
static bool
grow(const struct search *s, unsigned y, struct need d, unsigned from,
    struct sync_move *m)
{
	const int shift = (int)from - (int)y;
	struct need wide = { 0, s->new->cols }, core = d;
	unsigned top = y, end = y, gain = 0;

	while (end < s->new->rows && join(s, end, shift, &wide, &core, &gain))
		end++;
	while (
	    top > 0 && end > y && join(s, top - 1, shift, &wide, &core, &gain))
		top--;
	if (end - top < SYNC_MOVE_ROWS || gain < MOVE_CELLS)
		return false;
	*m = (struct sync_move){ top, (unsigned)((int)top + shift), end - top,
		core.from, core.to };
	while (m->left > wide.from && !edge_ok(s, m, m->left))
		m->left--;
	while (m->right < wide.to && !edge_ok(s, m, m->right))
		m->right++;
	return edge_ok(s, m, m->left) && edge_ok(s, m, m->right);
}

/* Returns how many rows of CUR are wrong. */
static unsigned
rows_wrong(const struct search *s)
{
	unsigned y, n = 0;

	for (y = 0; y < s->new->rows; y++)
		n += s->cur->lines[y] != s->new->lines[y] &&
		     !vt_line_equal(s->cur->lines[y], s->new->lines[y]);
	return n;
}

bool
sync_move_find(const struct vt_frame *old, const struct vt_frame *cur,
    const struct vt_frame *new, struct sync_move *m)
{
	struct search s = { old, cur, new, NULL };
	unsigned y, wrong, step, seen = 0, count;
	bool found = false;
	struct need d;
	int from;

	wrong = rows_wrong(&s);
	if (wrong < SYNC_MOVE_ROWS)
		return false;
	s.bits = mem_calloc(VT_LINE_WORDS(new->cols), sizeof(*s.bits));
	step = MAX_OF(wrong / MOVE_SAMPLES, 1U);
	for (y = 0; y < new->rows && !found; y++) {
		if (!plain(new->lines[y]))
			continue;
		d = differing(&s, cur->lines[y], new->lines[y], &count);
		if (count == 0 || seen++ % step != 0 ||
		    !has_text(new->lines[y], d))
			continue;
		from = elsewhere(&s, y, d);
		found = from >= 0 && grow(&s, y, d, (unsigned)from, m);
	}
	mem_free(s.bits);
	return found;
}

void
sync_move_apply(
    struct vt_frame *f, const struct vt_frame *old, const struct sync_move *m)
{
	unsigned i;

	for (i = 0; i < m->rows; i++)
		vt_line_copy(NULL, vt_frame_own(f, m->to + i), m->left,
		    old->lines[m->from + i], m->left, m->right - m->left);
}
