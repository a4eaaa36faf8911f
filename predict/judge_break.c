/*
 * Learns where and how a program breaks lines of typed text.
 */
#include "predict/guess_int.h"
#include "predict/judge_int.h"

/* Columns that have moved sideways together, at least; fewer may be chance. */
#define JUDGE_SLIDE 8u

/* What a batch of text keys did in a guess without breaks. */
struct judge_text {
	const struct guess *g;
	const struct vt_frame *f;
	struct margin *m;
	unsigned x;        /* the end of the typed text */
	unsigned area;     /* the first column that text can have */
	unsigned from, to; /* the window */
	unsigned start;    /* of the row's text */
	unsigned mark;
	enum margin_class class; /* of the last key */
	bool blank;              /* the key before was a blank */
	size_t keys;
};

/* Returns whether columns FROM..TO-1 of row A of the guess are row B of F. */
static bool
judge_same(const struct judge_text *t, unsigned a, unsigned b, unsigned from,
    unsigned to)
{
	return guess_same_text(t->g->f->lines[a], t->f->lines[b], from, to);
}

/* Returns whether columns C..X-1 of the guess's row end at F's cursor. */
static bool
judge_carried(const struct judge_text *t, unsigned c)
{
	const struct vt_line *a = guess_line(t->g);
	const struct vt_line *b = t->f->lines[t->f->state.y];
	unsigned x = t->x, end = t->f->state.x;

	if (x - c > end || end < t->from)
		return false;
	for (; x > c; x--, end--)
		if (vt_line_cell(a, x - 1).ch != vt_line_cell(b, end - 1).ch &&
		    !(guess_blank(a, x - 1) && guess_blank(b, end - 1)))
			return false;
	return true;
}

/*
 * Returns the rows that have moved up by BY, the broken one, which ends at C,
 * among them.
 */
static unsigned
judge_up(const struct judge_text *t, unsigned by, unsigned c)
{
	unsigned y = t->g->y, n;

	if (y < by || !judge_same(t, y, y - by, t->start, c))
		return 0;
	for (n = 1; n + by <= y; n++)
		if (!judge_same(t, y - n, y - n - by, t->from, t->to))
			break;
	return n + by - 1;
}

/*
 * Returns as struct context_enter's `open` how the rows below the new one
 * moved.
 */
static unsigned
judge_down(const struct judge_text *t)
{
	unsigned y = t->g->y + 1, rows = t->f->rows, n;

	if (guess_blank_from(t->g->f->lines[y], t->start, t->to))
		return 0;
	for (n = y; n + 1 < rows; n++)
		if (!judge_same(t, n, n + 1, t->from, t->to))
			break;
	return n > y ? rows - n : 0;
}

/* Records that columns from C on of the row, and the last key, moved. */
static bool
judge_moved(struct judge_text *t, unsigned c, enum margin_carry carry)
{
	struct margin *m = t->m;
	unsigned y = t->g->y, left = t->f->state.x - (t->x - c), rows;
	unsigned row = t->f->state.y;

	if (row == 0 || row > y + 1 || left >= t->x ||
	    !guess_blank_from(t->f->lines[row - 1], c, MIN_OF(t->x, t->to)))
		return false;
	if (row == y + 1) {
		if (!judge_same(t, y, y, t->start, c))
			return false;
		rows = judge_down(t);
		if (rows > 0) {
			m->opens = m->open == rows ? m->opens + 1 : 1;
			m->open = rows;
		}
	} else {
		rows = judge_up(t, y + 1 - row, c);
		if (rows == 0)
			return false;
		if (m->up_y != y || m->up_rows != rows ||
		    m->up_by != y + 1 - row)
			m->ups = 0;
		m->ups++;
		m->up_y = y;
		m->up_rows = rows;
		m->up_by = y + 1 - row;
	}
	margin_broke(m, t->class, t->x, (unsigned)t->keys - 1, carry);
	margin_began(m, t->start, t->mark, left,
	    t->mark != 0 && judge_same(t, y, row, t->start, left));
	return true;
}

/* Returns whether the row's text moved left, and records that. */
static bool
judge_slid(struct judge_text *t)
{
	const struct vt_line *a = guess_line(t->g);
	unsigned x, to = t->f->state.x, by = t->x - to, from = t->x;
	unsigned vague = (unsigned)t->keys - 1, i;

	if (t->f->state.y != t->g->y || to >= t->x ||
	    t->area + JUDGE_SLIDE > to)
		return false;
	for (x = t->area; x < to; x++)
		if (vt_line_cell(a, x + by).ch !=
			vt_line_cell(t->f->lines[t->g->y], x).ch &&
		    !(guess_blank(a, x + by) &&
			guess_blank(t->f->lines[t->g->y], x)))
			return false;
	/* By a column for each key, or by many at once. */
	if (by <= t->keys && by < JUDGE_SLIDE) {
		by = 1;
		from = to + 1;
		vague = 0;
	}
	if (t->m->slide != by || t->m->breaks[t->class] != from)
		t->m->slides = 0;
	t->m->slides++;
	t->m->slide = by;
	for (i = 0; i < MARGIN_CLASSES; i++)
		margin_broke(
		    t->m, (enum margin_class)i, from, vague, MARGIN_SLIDE);
	return true;
}

/* Returns whether a blank left row and cursor as they were. */
static bool
judge_hung(struct judge_text *t)
{
	if (t->class != MARGIN_BLANK || t->keys != 1 ||
	    t->f->state.y != t->g->y || t->f->state.x + 1u != t->x ||
	    !judge_same(t, t->g->y, t->g->y, t->from, t->x))
		return false;
	margin_broke(t->m, t->class, t->x, 0, MARGIN_HANG);
	return true;
}

/* Finds how the program broke the row; returns whether it did. */
static bool
judge_broke(struct judge_text *t)
{
	const struct vt_line *l = guess_line(t->g);
	unsigned x = t->x, c = x - 1;

	if (judge_hung(t) || judge_slid(t) || judge_moved(t, x, MARGIN_AFTER))
		return true;
	while (c > t->start && !guess_blank(l, c - 1) && !t->blank)
		c--;
	if (t->keys > 1 && t->class == MARGIN_BLANK)
		return false;
	/* A letter alone may be there by chance. */
	if (c > t->start && (t->keys == 1 || x - c > 1) &&
	    judge_carried(t, c) && judge_moved(t, c, MARGIN_WORD))
		return true;
	return t->class == MARGIN_TEXT && t->keys == 1 &&
	       judge_carried(t, x - 1) && judge_moved(t, x - 1, MARGIN_CHAR);
}

/*
 * Replays the keys without breaks; returns false if others than text are among
 * them. EXTENT is that of each class, if the cursor ended its row.
 */
static bool
judge_plain(struct predict *p, struct surface *s, struct replay *r, size_t n,
    unsigned extent[MARGIN_CLASSES], enum margin_class *class)
{
	const struct guess_key *k;
	unsigned x;
	size_t i;

	extent[MARGIN_TEXT] = extent[MARGIN_BLANK] = 0;
	for (i = 0; i < n && !r->g.lost; i++) {
		k = &s->keys[i].key;
		if (k->act != GUESS_TEXT && k->act != GUESS_BACKSPACE)
			return false;
		replay_step(p, s, r, i);
		if (k->act != GUESS_TEXT)
			continue;
		*class = k->cp == ' ' ? MARGIN_BLANK : MARGIN_TEXT;
		x = r->g.x + r->g.pending;
		if (guess_text_end(&r->g, x) == x)
			extent[*class] = MAX_OF(extent[*class], x);
	}
	return n > 0 && !r->g.lost && s->keys[n - 1].key.act == GUESS_TEXT;
}

/* Learns whether a backspace alone moved a word back to the row above. */
static void
judge_reflow(const struct replay *r, const struct surface *s,
    const struct vt_frame *f, size_t n)
{
	const struct vt_frame *b = s->frame;
	unsigned start, end;

	if (n != 1 || s->keys[0].key.act != GUESS_BACKSPACE ||
	    r->margin == NULL || !guess_reflows(&r->g, r->g.x, &start, &end))
		return;
	/* Where a break was seen in a batch its column is not known exactly. */
	if (f->state.y == b->state.y && f->state.x + 1u == b->state.x) {
		if (end + r->g.x - start <= r->margin->stays[MARGIN_TEXT])
			context_score_add(&r->margin->soft, false);
	} else if (f->state.y + 1u == b->state.y) {
		context_score_add(&r->margin->soft, true);
	}
}

void
judge_breaks(
    struct predict *p, struct surface *s, const struct vt_frame *f, size_t n)
{
	struct replay r;
	size_t i;

	replay_init(p, s, &r);
	judge_reflow(&r, s, f, n);
	for (i = 0; i < n && !r.g.lost; i++)
		replay_step(p, s, &r, i);
	s->end = !r.g.lost && guess_cursor_is(&r.g, f)
		     ? r.g.end
		     : (struct guess_end){ 0, 0 };
	if (r.margin != NULL && r.g.breaks > 0 && !r.g.lost)
		margin_score(
		    r.margin, r.g.broke_y, judge_match(&r.g, f) != JUDGE_NO);
	replay_fini(&r);
}

bool
judge_margin(struct predict *p, struct surface *s, const struct vt_frame *f,
    size_t n, bool sure)
{
	struct judge_text t = { .f = f, .keys = n };
	unsigned extent[MARGIN_CLASSES], i;
	struct replay r;
	bool known = false;

	if (n > 0 && s->keys[0].masked)
		return false;
	replay_init(p, s, &r);
	t.g = &r.g;
	t.m = r.margin;
	t.blank = n == 1 && s->blank;
	r.env.margin = NULL;
	/* vi fills its rows up to the border. */
	r.env.learns = r.env.vi == GUESS_VI_NONE && !r.env.vi_says;
	if (t.m == NULL || !judge_plain(p, s, &r, n, extent, &t.class) ||
	    r.g.y >= f->rows)
		goto out;
	t.x = r.g.x + r.g.pending;
	guess_window(&r.g, &t.from, &t.to);
	t.area = guess_area(&r.g, t.m);
	t.start = guess_row_start(guess_line(&r.g), t.area, t.x, &t.mark);
	if (judge_match(&r.g, f) != JUDGE_NO) {
		known = true;
		t.m->wraps = t.m->wraps || r.g.wraps > 0;
		for (i = 0; i < MARGIN_CLASSES; i++)
			margin_stayed(t.m, (enum margin_class)i, extent[i]);
	} else if (t.x > 0 && extent[t.class] == t.x && t.start < t.x) {
		known = r.env.alternate ? judge_broke(&t) : judge_slid(&t);
		if (!known && sure && s->run > 1 && f->state.x < t.x)
			margin_broke(
			    t.m, t.class, t.x, (unsigned)n - 1, MARGIN_LOST);
		/* A full field may lead to the next one, or go sideways. */
		t.m->jumps =
		    t.m->jumps || (!known && sure && s->run > 1 &&
				      r.env.alternate && f->state.y != r.g.y);
	}
out:
	replay_fini(&r);
	return known;
}

size_t
judge_broken(
    struct predict *p, struct surface *s, const struct vt_frame *f, size_t n)
{
	size_t k, end = MIN_OF(s->nkeys, n + PREDICT_BREAK_KEYS);

	for (k = MAX_OF(n, 1u); k <= end; k++)
		if (judge_margin(p, s, f, k, false))
			return k;
	return n;
}
