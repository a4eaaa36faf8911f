#include "predict/effect.h"

#include <string.h>

#include "predict/effect_int.h"
#include "predict/guess_int.h"
#include "predict/params.h"

/* --- rows ----------------------------------------------------------------- */

/* A row before and behind a key. */
struct effect_pair {
	const struct vt_line *b, *f;
	unsigned cols;
};

enum effect_kind {
	EFFECT_SAME,
	EFFECT_LOOKS,  /* other pens or marks */
	EFFECT_NUMBER, /* another number */
	EFFECT_OTHER,
};

bool
effect_digit(const struct vt_line *l, unsigned x)
{
	uint32_t ch = vt_line_cell(l, x).ch;

	return ch >= '0' && ch <= '9';
}

/* Returns the number at column X of L, and where it ends. */
int
effect_number(const struct vt_line *l, unsigned x, unsigned cols, unsigned *end)
{
	int n = 0;

	for (; x < cols && effect_digit(l, x); x++)
		if (n < 100000000)
			n = n * 10 + (int)(vt_line_cell(l, x).ch - '0');
	*end = x;
	return n;
}

/*
 * Returns whether the row differs in one number alone, at column *COL, and by
 * how much.
 */
static bool
effect_counted(const struct effect_pair *p, unsigned *col, int *step)
{
	unsigned x = 0, endb, endf;

	while (x < p->cols && guess_same_text(p->b, p->f, x, x + 1))
		x++;
	while (x > 0 && effect_digit(p->b, x - 1))
		x--;
	if (x >= p->cols || !effect_digit(p->b, x) || !effect_digit(p->f, x))
		return false;
	*col = x;
	*step = effect_number(p->f, x, p->cols, &endf) -
		effect_number(p->b, x, p->cols, &endb);
	for (; endb < p->cols && endf < p->cols; endb++, endf++)
		if (vt_line_cell(p->b, endb).ch !=
			vt_line_cell(p->f, endf).ch &&
		    !(guess_blank(p->b, endb) && guess_blank(p->f, endf)))
			return false;
	return *step != 0;
}

static enum effect_kind
effect_kind(const struct effect_pair *p)
{
	unsigned x, marks = 0, col;
	int step;

	if (p->b == p->f || vt_line_equal(p->b, p->f))
		return EFFECT_SAME;
	if (effect_counted(p, &col, &step))
		return EFFECT_NUMBER;
	for (x = 0; x < p->cols; x++)
		if (!guess_same_text(p->b, p->f, x, x + 1) &&
		    ++marks > EFFECT_MARKS)
			return EFFECT_OTHER;
	return EFFECT_LOOKS;
}

/* Returns the columns of the row's text. */
void
effect_extent(
    const struct vt_line *l, unsigned cols, unsigned *from, unsigned *to)
{
	*from = guess_indent(l, cols);
	for (*to = vt_line_used(l); *to > *from && guess_blank(l, *to - 1);)
		--*to;
}

static bool
effect_pen_is(const struct vt_line *l, unsigned x, const struct pen *pen)
{
	return pen_equal(vt_line_pen(l, x), pen);
}

/* --- how a selected row looks --------------------------------------------- */

/* Returns the pen of column X in the other state; NULL: unknown. */
const struct pen *
effect_pen(
    const struct effect_look *k, const struct pen *pen, bool text, bool on)
{
	unsigned i;

	for (i = 0; i < k->npens; i++)
		if (k->pen[i].text == text &&
		    pen_equal(on ? &k->pen[i].off : &k->pen[i].on, pen))
			return on ? &k->pen[i].on : &k->pen[i].off;
	return NULL;
}

/* Adds the pens and marks of a row that is OFF, and ON; false: no such look. */
static bool
effect_look_add(struct effect_look *k, const struct vt_line *off,
    const struct vt_line *on, unsigned cols)
{
	unsigned x, from, to, i;
	const struct pen *a, *b, *known;
	bool text;

	effect_extent(off, cols, &from, &to);
	for (x = 0; x < cols; x++) {
		if (!guess_same_text(off, on, x, x + 1)) {
			for (i = 0; i < k->nmarks && k->mark[i].col != x; i++)
				;
			if (i == EFFECT_MARKS)
				return false;
			if (i == k->nmarks)
				k->nmarks++;
			k->mark[i] =
			    (struct effect_mark){ x, vt_line_cell(off, x).ch,
				    vt_line_cell(on, x).ch };
		}
		a = vt_line_pen(off, x);
		b = vt_line_pen(on, x);
		if (pen_equal(a, b))
			continue;
		text = x >= from && x < to;
		if (!text)
			k->to = MAX_OF(k->to, x + 1);
		known = effect_pen(k, a, text, true);
		if (known != NULL)
			continue;
		if (k->npens == EFFECT_PENS)
			return false;
		k->pen[k->npens++] = (struct effect_pen){ *a, *b, text };
	}
	return k->npens + k->nmarks > 0;
}

/* Returns whether column X of L looks as that of a selected row. */
static bool
effect_is_on(const struct effect_look *k, const struct vt_line *l, bool on)
{
	unsigned i;

	for (i = 0; i < k->nmarks; i++)
		if (k->mark[i].col == k->col)
			return vt_line_cell(l, k->col).ch ==
			       (on ? k->mark[i].on : k->mark[i].off);
	for (i = 0; i < k->npens; i++)
		if (effect_pen_is(
			l, k->col, on ? &k->pen[i].on : &k->pen[i].off))
			return true;
	return false;
}

int
effect_row(const struct effect_table *t, const struct vt_frame *f)
{
	const struct effect_look *k = &t->look;
	int found = -1;
	unsigned y;

	if (!k->known)
		return -1;
	for (y = 0; y < MIN_OF(f->rows, (unsigned)EFFECT_ROWS); y++) {
		if ((k->bars >> y & 1) != 0 ||
		    !effect_is_on(k, f->lines[y], true))
			continue;
		if (found >= 0)
			return -1;
		found = (int)y;
	}
	return found;
}

/* Returns the first column in which both rows changed, and swapped looks. */
static unsigned
effect_swapped(
    const struct vt_frame *b, const struct vt_frame *f, unsigned p, unsigned q)
{
	const struct vt_line *bp = b->lines[p], *bq = b->lines[q];
	const struct vt_line *fp = f->lines[p], *fq = f->lines[q];
	unsigned x;

	for (x = 0; x < b->cols; x++) {
		if (!guess_same_text(bp, fp, x, x + 1)) {
			if (guess_same_text(bp, fq, x, x + 1) &&
			    guess_same_text(bq, fp, x, x + 1))
				return x;
			continue;
		}
		if (!pen_equal(vt_line_pen(bp, x), vt_line_pen(fp, x)) &&
		    pen_equal(vt_line_pen(bp, x), vt_line_pen(fq, x)) &&
		    pen_equal(vt_line_pen(bq, x), vt_line_pen(fp, x)))
			return x;
	}
	return b->cols;
}

/*
 * Returns for how many other rows column X looks as it does in L, less those
 * that look as it does in M.
 */
static int
effect_votes(const struct vt_frame *f, const struct vt_line *l,
    const struct vt_line *m, unsigned x, unsigned p, unsigned q)
{
	const struct pen *a = vt_line_pen(l, x), *b = vt_line_pen(m, x);
	bool pens = !pen_equal(a, b);
	int votes = 0;
	unsigned y;

	for (y = 0; y < f->rows; y++) {
		if (y == p || y == q ||
		    guess_blank_from(f->lines[y], 0, f->cols))
			continue;
		votes += pens ? effect_pen_is(f->lines[y], x, a)
			      : guess_same_text(f->lines[y], l, x, x + 1);
		votes -= pens ? effect_pen_is(f->lines[y], x, b)
			      : guess_same_text(f->lines[y], m, x, x + 1);
	}
	if (votes == 0)
		votes =
		    (int)((b->attrs & PEN_REVERSE) != 0 || !guess_blank(m, x)) -
		    (int)((a->attrs & PEN_REVERSE) != 0);
	return votes;
}

/* Finds the rows that were selected in B and in F; learns their look. */
static bool
effect_look(struct effect_look *look, const struct vt_frame *b,
    const struct vt_frame *f, unsigned p, unsigned q, unsigned *from,
    unsigned *to)
{
	struct effect_look k = { .row = 0 };
	unsigned x = effect_swapped(b, f, p, q), y;
	bool down;

	if (x == b->cols)
		return false;
	/* Most rows are not selected. */
	down = effect_votes(b, b->lines[q], b->lines[p], x, p, q) > 0;
	*from = down ? p : q;
	*to = down ? q : p;
	k.col = x;
	if (!effect_look_add(&k, f->lines[*from], b->lines[*from], b->cols) ||
	    !effect_look_add(&k, b->lines[*to], f->lines[*to], b->cols))
		return false;
	k.known = true;
	k.row = *to;
	for (y = 0; y < MIN_OF(f->rows, (unsigned)EFFECT_ROWS); y++)
		if (y != *to && effect_is_on(&k, f->lines[y], true))
			k.bars |= UINT64_C(1) << y;
	*look = k;
	return true;
}

/* --- what a key does ------------------------------------------------------- */

const struct effect *
effect_find(const struct effect_table *t, uint64_t key)
{
	size_t i;

	for (i = 0; i < EFFECT_KEYS; i++)
		if (t->effect[i].key == key)
			return &t->effect[i];
	return NULL;
}

static struct effect *
effect_make(struct effect_table *t, uint64_t key)
{
	struct effect *e = &t->effect[0];
	size_t i;

	for (i = 0; i < EFFECT_KEYS; i++) {
		if (t->effect[i].key == key) {
			e = &t->effect[i];
			break;
		}
		if (t->effect[i].used < e->used)
			e = &t->effect[i];
	}
	if (e->key != key)
		*e = (struct effect){ .key = key };
	e->used = ++t->clock;
	return e;
}

bool
effect_idle(const struct effect_table *t, const struct effect *e,
    const struct vt_frame *f, unsigned x, unsigned y, unsigned n)
{
	return e->idles >= n && e->idle.x == x && e->idle.y == y &&
	       e->idle.row == effect_row(t, f);
}

int
effect_target(const struct effect *e, const struct vt_frame *f, unsigned row)
{
	int to;

	if (row < EFFECT_ROWS && e->to[row] == EFFECT_SCROLLS)
		return -1;
	if (row < EFFECT_ROWS && e->to[row] > 0)
		to = e->to[row] - 1;
	else if (e->by == 0)
		return -1;
	else
		to = (int)row + e->by;
	if (to < 0 || to >= (int)f->rows || to >= EFFECT_ROWS ||
	    (to != (int)row &&
		guess_blank_from(f->lines[(unsigned)to], 0, f->cols)))
		return -1;
	return to;
}

static double
effect_chance(const struct context_score *s, double wrong)
{
	return s->hit / (s->hit + s->miss + wrong);
}

double
effect_stays(const struct effect *e)
{
	return effect_chance(&e->stays, PREDICT_EFFECT_STAYS);
}

double
effect_picks(const struct effect *e)
{
	return effect_chance(&e->picks, PREDICT_EFFECT_PICKS);
}

double
effect_clears(const struct effect *e)
{
	return effect_chance(&e->clears, PREDICT_EFFECT_CLEARS);
}

/* --- learning -------------------------------------------------------------- */

/* Returns whether the key emptied the cursor's row from F's cursor on. */
static bool
effect_cleared(const struct vt_frame *b, const struct vt_frame *f,
    unsigned *col, uint32_t *fill)
{
	const struct vt_line *lb = b->lines[b->state.y];
	const struct vt_line *lf = f->lines[f->state.y];
	unsigned x = f->state.x, from, to;
	uint32_t ch;

	if (f->state.y != b->state.y || x >= b->state.x ||
	    !guess_same_text(lb, lf, 0, x))
		return false;
	ch = vt_line_cell(lf, x).ch;
	if (ch != '_' && !guess_blank(lf, x))
		return false;
	effect_extent(lb, b->cols, &from, &to);
	*fill = ch == '_' ? '_' : 0;
	*col = x;
	for (; x < MAX_OF(to, (unsigned)b->state.x); x++)
		if (*fill == '_' ? vt_line_cell(lf, x).ch != '_'
				 : !guess_blank(lf, x))
			return false;
	return true;
}

/* The rows that differ between two frames. */
struct effect_rows {
	unsigned look[2], nlooks, others, number[EFFECT_COUNTS], numbers;
	enum effect_kind cursor; /* that of the cursor's row */
};

static void
effect_rows(
    const struct vt_frame *b, const struct vt_frame *f, struct effect_rows *r)
{
	struct effect_pair p = { .cols = b->cols };
	enum effect_kind kind;
	unsigned y;

	memset(r, 0, sizeof(*r));
	for (y = 0; y < b->rows; y++) {
		p.b = b->lines[y];
		p.f = f->lines[y];
		kind = effect_kind(&p);
		if (y == b->state.y)
			r->cursor = kind;
		switch (kind) {
		case EFFECT_SAME:
			break;
		case EFFECT_LOOKS:
			if (r->nlooks < 2)
				r->look[r->nlooks] = y;
			r->nlooks++;
			break;
		case EFFECT_NUMBER:
			if (r->numbers < EFFECT_COUNTS)
				r->number[r->numbers] = y;
			r->numbers++;
			break;
		case EFFECT_OTHER:
			r->others++;
			break;
		}
	}
}

/* Learns the numbers that the key counts. */
static void
effect_learn_counts(struct effect *e, unsigned times, const struct vt_frame *b,
    const struct vt_frame *f, const struct effect_rows *r)
{
	struct effect_pair p = { .cols = b->cols };
	struct effect_count c;
	unsigned i;

	e->ncounts = 0;
	for (i = 0; i < r->numbers && i < EFFECT_COUNTS; i++) {
		c.row = r->number[i];
		p.b = b->lines[c.row];
		p.f = f->lines[c.row];
		if (effect_counted(&p, &c.col, &c.step) &&
		    c.step % (int)times == 0) {
			c.step /= (int)times;
			e->count[e->ncounts++] = c;
		}
	}
}

/* Returns whether BY is more likely a step to the next row than OLD. */
static bool
effect_nearer(int by, int old)
{
	return (by < 0) == (old < 0) ||
	       (by < 0 ? -by : by) < (old < 0 ? -old : old);
}

/* Learns which row is selected behind row FROM: row TO. */
static void
effect_learn_row(
    struct effect *e, unsigned times, unsigned from, unsigned to, int want)
{
	int by = (int)to - (int)from;

	/* A list begins anew behind its end. */
	if (e->by == 0 || e->picks.hit < 1) {
		e->by = by / (int)times;
		context_score_add(&e->picks, true);
	} else if (by == e->by * (int)times || want == (int)to) {
		context_score_add(&e->picks, true);
	} else if (times == 1 && effect_nearer(by, e->by)) {
		e->by = by;
		e->ncounts = 0;
		context_score_add(&e->picks, false);
	}
	if (times == 1 && from < EFFECT_ROWS)
		e->to[from] = (uint8_t)(to + 1);
}

bool
effect_learn(struct effect_table *t, uint64_t key, unsigned times,
    const struct vt_frame *b, const struct vt_frame *f)
{
	struct effect *e = effect_make(t, key);
	struct effect_rows r;
	unsigned from, to, col;
	int row = effect_row(t, b), want = -1;
	uint32_t fill;
	struct effect_place place;
	bool stays = f->state.x == b->state.x && f->state.y == b->state.y;

	if (effect_cleared(b, f, &col, &fill)) {
		context_score_add(&e->clears,
		    e->clears.hit <= 0 || (e->col == col && e->fill == fill));
		e->col = col;
		e->row = f->state.y;
		e->fill = fill;
		effect_rows(b, f, &r);
		return r.others + r.nlooks <= 1;
	}
	if (e->clears.hit > 0 && f->state.x != e->col)
		context_score_add(&e->clears, false);
	effect_rows(b, f, &r);
	if (stays && r.nlooks + r.others + r.numbers == 0) {
		place = (struct effect_place){ b->state.x, b->state.y, row };
		e->idles = effect_idle(t, e, b, b->state.x, b->state.y, 1)
			       ? e->idles + 1
			       : 1;
		e->idle = place;
		return true;
	}
	if (effect_idle(t, e, b, b->state.x, b->state.y, 1))
		e->idles = 0;
	if (row >= 0 && times == 1)
		want = effect_target(e, b, (unsigned)row);
	stays = stays && r.cursor != EFFECT_OTHER;
	context_score_add(&e->stays, stays);
	if (r.nlooks == 2 && r.look[1] < EFFECT_ROWS &&
	    effect_look(&t->look, b, f, r.look[0], r.look[1], &from, &to)) {
		e->follows = f->state.y != b->state.y;
		effect_learn_row(e, times, from, to, want);
		/* Not where the list begins anew. */
		if ((int)to - (int)from == e->by * (int)times)
			effect_learn_counts(e, times, b, f, &r);
		return true;
	}
	/* At the end of a list it scrolls, or nothing changes. */
	if (times == 1 && row >= 0 && row < EFFECT_ROWS &&
	    effect_row(t, f) == row)
		e->to[row] = EFFECT_SCROLLS;
	else if (r.numbers > 0 && r.nlooks == 0 && r.others == 0 &&
		 e->ncounts == 0)
		effect_learn_counts(e, times, b, f, &r);
	return r.others + r.nlooks == 0;
}
