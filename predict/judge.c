#include <string.h>

#include "base/mem.h"
#include "predict/guess_int.h"
#include "predict/judge_int.h"

enum judge_match
judge_match(const struct guess *g, const struct vt_frame *f)
{
	unsigned y, first;
	size_t i;

	if (!guess_cursor_is(g, f))
		return JUDGE_NO;
	for (i = 0; i < g->nmarks; i++)
		if (g->marks[i].alive && !guess_mark_is(g, &g->marks[i], f))
			return JUDGE_NO;
	first = g->y == 0 ? 0 : g->y - 1;
	for (y = first; y <= g->y; y++)
		if (!guess_same_text(g->f->lines[y], f->lines[y], 0, f->cols))
			return JUDGE_MARKS;
	/* Enters on empty lines may look alike but for the rows above. */
	for (y = 0; y < f->rows; y++)
		if (g->f->lines[y] != f->lines[y] &&
		    !guess_same_text(g->f->lines[y], f->lines[y], 0, f->cols))
			return JUDGE_ROWS;
	return JUDGE_ALL;
}

/*
 * Writes the text that keys FROM..TO-1 leave in a new line to CPS; returns
 * false if other keys than letters and backspace are among them.
 */
static bool
judge_text(const struct surface *s, size_t from, size_t to,
    uint32_t cps[PREDICT_PENDING_MAX], size_t *n)
{
	*n = 0;
	for (; from < to; from++) {
		if (s->keys[from].key.act == GUESS_TEXT)
			cps[(*n)++] = s->keys[from].key.cp;
		else if (s->keys[from].key.act == GUESS_BACKSPACE)
			*n -= *n > 0;
		else
			return false;
	}
	return true;
}

/* Returns the columns of that text; -1: unknown. */
static int
judge_width(
    const struct predict *p, const struct surface *s, size_t from, size_t to)
{
	uint32_t cps[PREDICT_PENDING_MAX];
	size_t n, i;
	int w = 0;

	if (!judge_text(s, from, to, cps, &n))
		return -1;
	for (i = 0; i < n; i++)
		w += grapheme_cp_width(p->gt, cps[i]);
	mem_wipe(cps, sizeof(cps));
	return w;
}

/*
 * Returns whether the cursor's row of F shows the prompt and keys FROM..TO-1.
 */
static bool
judge_new_line(const struct predict *p, const struct surface *s,
    const struct guess_env *env, const struct vt_frame *f, size_t from,
    size_t to)
{
	const struct vt_line *l = f->lines[f->state.y];
	unsigned x = env->prompt_cols;
	struct vt_cell c;
	uint32_t cps[PREDICT_PENDING_MAX];
	size_t n, i;

	if (env->prompt == NULL || !guess_at_prompt(env, l) ||
	    !judge_text(s, from, to, cps, &n))
		return false;
	for (i = 0; i < n; i++) {
		c = vt_line_cell(l, x);
		if (c.ch != cps[i] && !(cps[i] == ' ' && c.ch == 0))
			break;
		x += (unsigned)MAX_OF(grapheme_cp_width(p->gt, cps[i]), 0);
	}
	mem_wipe(cps, sizeof(cps));
	/* Text behind the cursor belongs to an older line. */
	return i == n && x == f->state.x &&
	       (guess_blank(l, x) || guess_dim(l, x));
}

/*
 * Returns whether a frame that acknowledges the keys before LO may contain key
 * I-1. Acknowledgements are 50 ms late, and lost keys arrive in one batch.
 */
static bool
judge_may_be(
    const struct predict *p, const struct surface *s, size_t lo, size_t i)
{
	mono_ms lump = MIN_OF(p->policy.rtt, (mono_ms)PREDICT_LUMP_MS);

	return i <= lo + 1 ||
	       mono_until(s->keys[lo].sent, s->keys[i - 1].sent) <= lump + 50;
}

/*
 * Returns whether the text before the cursor is the same: where no key has left
 * a mark, the cursor alone says little.
 */
static bool
judge_still(const struct guess *g, const struct vt_frame *f)
{
	return guess_same_text(
	    g->f->lines[g->y], f->lines[f->state.y], 0, f->state.x);
}

/*
 * Returns how many keys F contains: at least LO, which are acknowledged. The
 * echo of a key comes before its acknowledgement, so F may contain more, up to
 * HI.
 */
static size_t
judge_align(struct predict *p, struct surface *s, const struct vt_frame *f,
    size_t lo, size_t hi, bool *explained)
{
	struct replay r;
	enum judge_match m;
	size_t i, marks = SIZE_MAX, rows = SIZE_MAX, line = SIZE_MAX;
	size_t enter = SIZE_MAX, all = SIZE_MAX;

	replay_init(p, s, &r);
	/* A prompt that was awaited is the answer to an earlier Enter. */
	if (r.await)
		enter = 0;
	for (i = 0; i <= hi && all == SIZE_MAX; i++) {
		if (enter != SIZE_MAX && line == SIZE_MAX && i >= lo &&
		    judge_may_be(p, s, lo, i) &&
		    judge_new_line(p, s, &r.env, f, enter, i))
			line = i;
		if (i >= lo && !r.g.lost && (m = judge_match(&r.g, f)) != 0) {
			if (m == JUDGE_ALL)
				all = i;
			else if (m == JUDGE_ROWS && rows == SIZE_MAX)
				rows = i;
			else if (marks == SIZE_MAX &&
				 ((i > 0 && (r.g.effects == 0 || r.g.unpicked ||
						r.g.nmarks > 0)) ||
				     judge_still(&r.g, f)))
				marks = i;
		}
		if (i == hi || (r.g.lost && enter == SIZE_MAX))
			break;
		if (s->keys[i].key.act == GUESS_ENTER)
			enter = i + 1;
		replay_step(p, s, &r, i);
	}
	replay_fini(&r);
	*explained = true;
	if (all != SIZE_MAX)
		return all;
	if (rows != SIZE_MAX)
		return rows;
	/* Other rows have changed: the prompt may be a new one, or the same. */
	if (marks != SIZE_MAX && line != SIZE_MAX && line > marks) {
		*explained = false;
		return lo;
	}
	if (marks != SIZE_MAX)
		return marks;
	/* The next Enter, on an empty line, may have been answered, too. */
	*explained =
	    line != SIZE_MAX && (!r.await || line == s->nkeys ||
				    s->keys[line].key.act != GUESS_ENTER);
	if (line != SIZE_MAX)
		return line;
	*explained = false;
	return lo;
}

/*
 * Returns how many text keys before key K are the text before F's cursor.
 */
static size_t
judge_suffix(const struct surface *s, const struct vt_frame *f, size_t k)
{
	const struct vt_line *l = f->lines[f->state.y];
	unsigned x = f->state.x;
	struct vt_cell c;
	size_t n = 0;

	for (; k > n && x > 0; n++) {
		if (s->keys[k - 1 - n].key.act != GUESS_TEXT)
			break;
		x--;
		if (vt_line_cell(l, x).width == VT_TAIL && x > 0)
			x--;
		c = vt_line_cell(l, x);
		if (c.ch != s->keys[k - 1 - n].key.cp &&
		    !(guess_blank(l, x) && s->keys[k - 1 - n].key.cp == ' '))
			break;
	}
	return n;
}

/*
 * No prediction explains F. Returns how many keys it contains by the text
 * before its cursor, at least LO.
 */
static size_t
judge_tail(const struct predict *p, const struct surface *s,
    const struct vt_frame *f, size_t lo)
{
	size_t k, found = lo;

	/* The longest one: text may repeat itself. */
	for (k = lo; k <= s->nkeys && (k <= lo || judge_may_be(p, s, lo, k));
	     k++)
		if (k >= lo + PREDICT_TAIL_KEYS &&
		    judge_suffix(s, f, k) >= k - lo)
			found = k;
	return found;
}

/* --- learning ------------------------------------------------------------- */

static void
judge_wrong(struct predict *p, mono_ms now, const struct surface_key *k)
{
	p->stats.wrong++;
	p->stats.wrong_ms += mono_until(k->shown_at, now);
}

static void
judge_verdict(struct predict *p, struct surface *s, struct context *c,
    mono_ms now, const struct surface_key *k, bool right)
{
	enum context_class class = CONTEXT_MOVE;

	if (k->key.act == GUESS_TEXT)
		class = CONTEXT_TEXT;
	else if (k->key.act != GUESS_LEFT && k->key.act != GUESS_RIGHT)
		class = CONTEXT_ERASE;
	context_learn(c, class, s->run, right);
	/* Only text proves that the program shows text. */
	if (!right)
		s->run = s->moves = 0;
	else if (class == CONTEXT_TEXT || s->run > 0)
		s->run++;
	else if (class == CONTEXT_MOVE)
		s->moves++;
	if (s->run > 1)
		s->doubt = 0;
	if (right) {
		p->stats.confirmed++;
		policy_right(&p->policy, now, mono_until(k->sent, now));
	} else if (k->shown) {
		judge_wrong(p, now, k);
	}
}

/*
 * Returns whether L is the guess's row, with or without the text right of the
 * line, which Enter may remove.
 */
static bool
judge_row_is(const struct guess *g, const struct vt_line *l)
{
	const struct vt_line *m = g->f->lines[g->y];
	unsigned cols = g->f->cols, end = guess_text_end(g, g->x);

	return guess_same_text(m, l, 0, cols) ||
	       (!g->env->alternate && g->x > 0 &&
		   guess_same_text(m, l, 0, end) &&
		   guess_blank_from(l, end, cols));
}

/*
 * Returns the row of F that shows the guess's row; -1: none, or several
 * candidates. Programs repeat lines: among equal rows it is the one with as
 * many equal rows above it as the guess has.
 */
static int
judge_find_row(const struct guess *g, const struct vt_frame *f)
{
	const struct vt_line *l = g->f->lines[g->y];
	int y, top, above = 0;

	/* Above the last row the screen has not scrolled. */
	if (f->state.y + 1u < f->rows)
		return g->y <= f->state.y && judge_row_is(g, f->lines[g->y])
			   ? (int)g->y
			   : -1;
	for (y = (int)g->y - 1; y >= 0; y--, above++)
		if (!guess_same_text(l, g->f->lines[y], 0, f->cols))
			break;
	for (y = (int)MIN_OF(g->y, f->state.y); y >= 0; y--)
		if (judge_row_is(g, f->lines[y]))
			break;
	for (top = y; top > 0; top--)
		if (!judge_row_is(g, f->lines[top - 1]))
			break;
	if (y < 0 || (top == 0 && top != y) || top + above > y)
		return y == top ? y : -1;
	return top + above;
}

/*
 * Returns whether Enter opened a row, as in editors: the number of rows that
 * stay at the bottom, plus one; 0: no. ROW is the new place of the line that
 * was left.
 */
static unsigned
judge_opened(const struct guess *g, const struct vt_frame *f)
{
	unsigned y = f->state.y, n;

	if (y == g->y && y > 0) { /* no row below: the rows above moved up */
		for (n = 0; n < y; n++)
			if (!guess_same_text(
				f->lines[n], g->f->lines[n + 1], 0, f->cols))
				return 0;
		return f->rows - y;
	}
	if (y != g->y + 1 ||
	    !guess_same_text(f->lines[g->y], g->f->lines[g->y], 0, f->cols))
		return 0;
	for (n = y; n + 1 < f->rows; n++)
		if (!guess_same_text(
			f->lines[n + 1], g->f->lines[n], 0, f->cols))
			break;
	/* The rows below the moved ones are unchanged. */
	for (y = n + 1; y + 1 < f->rows; y++)
		if (!guess_same_text(f->lines[y], g->f->lines[y], 0, f->cols))
			return 0;
	return f->rows - n;
}

/*
 * Finds the effect of Enter in a full-screen program; X is where the new line
 * begins.
 */
static void
judge_enter_alternate(const struct replay *r, const struct vt_frame *f,
    unsigned x, struct context_enter *e)
{
	const struct guess *g = &r->g;
	unsigned indent = guess_indent(g->f->lines[g->y], f->cols);

	if (f->state.y == g->y && x == r->env.edge_cols &&
	    guess_at_edge(&r->env, f->lines[g->y]) &&
	    guess_at_edge(&r->env, g->f->lines[g->y])) {
		e->rows = 1;
		e->place = CONTEXT_SAME;
		return;
	}
	if (x != 0 && x != indent)
		return;
	e->open = (uint8_t)judge_opened(g, f);
	e->rows = e->open > 0;
	e->place = x == 0 ? CONTEXT_COL0 : CONTEXT_INDENT;
}

/* Records that Enter at the replay's place did E. */
static void
judge_enter_learn(
    struct predict *p, const struct replay *r, const struct context_enter *e)
{
	bool bottom = replay_at_bottom(r);
	uint64_t key, last = 0;
	int kind;

	for (kind = CONTEXT_ENTER_LINE; kind <= CONTEXT_ENTER_ALL; kind++) {
		key =
		    replay_enter_key(r, (enum context_enter_kind)kind, bottom);
		if (key != last)
			context_enter_learn(&p->contexts, key, e);
		last = key;
	}
}

void
judge_left(struct predict *p, struct surface *s, const struct vt_frame *f)
{
	const struct context_enter none = { .rows = 0 };
	struct vt_frame *last = s->frame;
	struct replay r;
	size_t i;

	if (s->base != NULL)
		s->frame = s->base;
	replay_init(p, s, &r);
	if (r.env.alternate && s->keys[0].key.act == GUESS_ENTER)
		recall_learn(&s->recalls, replay_effect_key(&s->keys[0].key),
		    s->frame, f);
	for (i = 0; i < s->nkeys && !r.g.lost && !s->keys[0].masked; i++) {
		if (s->keys[i].key.act == GUESS_ENTER) {
			judge_enter_learn(p, &r, &none);
			break;
		}
		replay_step(p, s, &r, i);
	}
	replay_fini(&r);
	s->frame = last;
}

/* Returns whether F shows columns 0..COLS-1 of L in any row. */
static bool
judge_shows(const struct vt_frame *f, const struct vt_line *l, unsigned cols)
{
	unsigned y;

	for (y = 0; y < f->rows; y++)
		if (guess_same_text(l, f->lines[y], 0, cols))
			return true;
	return false;
}

/*
 * Returns whether a shell has rewritten its line at Enter (a transient prompt):
 * F shows a row a little above it, but not the line.
 */
static bool
judge_rewritten(const struct guess *g, const struct vt_frame *f)
{
	unsigned y = g->y, end = y - MIN_OF(y, 4u);

	if (g->env->alternate || g->x == 0 ||
	    judge_shows(f, guess_line(g), g->x))
		return false;
	while (y-- > end)
		if (guess_indent(g->f->lines[y], f->cols) < f->cols &&
		    judge_shows(f, g->f->lines[y], f->cols))
			return true;
	return false;
}

/* Learns whether text right of the line, which R has typed, is still in F. */
static void
judge_right(const struct replay *r, const struct vt_frame *f)
{
	const struct vt_line *l = guess_line(&r->g);
	unsigned x = r->g.x, from = x, y;

	while (from < f->cols && guess_blank(l, from))
		from++;
	if (r->env.alternate || r->env.canonical || from >= f->cols ||
	    !guess_at_prompt(&r->env, l) || x <= r->env.prompt_cols ||
	    guess_dim(l, from))
		return;
	for (y = f->state.y; y-- > 0;) {
		if (!guess_same_text(l, f->lines[y], 0, from))
			continue;
		if (guess_blank_from(f->lines[y], from, f->cols))
			habit_learn_right(r->habit, false);
		else if (guess_same_text(l, f->lines[y], from, f->cols))
			habit_learn_right(r->habit, true);
		return;
	}
}

/*
 * Returns whether F shows the line that R has typed on the last row directly
 * above that.
 */
static bool
judge_above(const struct replay *r, const struct vt_frame *f)
{
	return r->g.x > r->env.prompt_cols && f->state.y > 0 &&
	       f->state.y + 1u == f->rows && replay_at_bottom(r) &&
	       guess_same_text(
		   guess_line(&r->g), f->lines[f->state.y - 1], 0, r->g.x);
}

/*
 * Sees F between Enter, the first key that is not text, and its answer: the
 * line above an empty row.
 */
static void
judge_echo(struct predict *p, struct surface *s, const struct vt_frame *f)
{
	struct replay r;
	size_t i;

	if (s->nkeys == 0 || f->state.x > 0 || f->state.y + 1u != f->rows ||
	    !guess_blank_from(f->lines[f->state.y], 0, f->cols))
		return;
	replay_init(p, s, &r);
	for (i = 0; i < s->nkeys && !r.g.lost; i++) {
		if (s->keys[i].key.act == GUESS_ENTER) {
			s->echoed = s->echoed || judge_above(&r, f);
			break;
		}
		replay_step(p, s, &r, i);
	}
	replay_fini(&r);
}

/* Finds the effect of Enter, key I-1 of N; R is the replay up to it. */
static void
judge_enter(struct predict *p, struct surface *s, const struct replay *r,
    const struct vt_frame *f, size_t i, size_t n)
{
	int row = judge_find_row(&r->g, f);
	int w = judge_width(p, s, i, n);
	struct context_enter e = { .place = CONTEXT_COL0 };
	unsigned rows = 0, x;
	bool bottom = replay_at_bottom(r);

	judge_right(r, f);
	if (bottom && f->state.x > 0 && r->g.x > r->env.prompt_cols)
		context_score_add(
		    &r->habit->echo, s->echoed || judge_above(r, f));
	if (f->state.x > 0)
		s->echoed = false;
	if (w < 0 || (int)f->state.x < w)
		return; /* the start of the line is unknown */
	x = f->state.x - (unsigned)w;
	if (bottom)
		row = f->state.y + 1u == f->rows ? f->state.y - 1 : -1;
	if (r->env.alternate) {
		judge_enter_alternate(r, f, x, &e);
	} else if (row >= 0) {
		rows = (unsigned)(f->state.y - row);
		if (r->env.prompt != NULL && x == r->env.prompt_cols && x > 0 &&
		    guess_at_prompt(&r->env, f->lines[f->state.y]))
			e.place = CONTEXT_PROMPT;
		else if (x != 0 && x == guess_indent(f->lines[row], f->cols))
			e.place = CONTEXT_INDENT;
		else if (x != 0)
			rows = 0;
		e.rows =
		    (uint8_t)(rows > 8 || judge_rewritten(&r->g, f) ? 0 : rows);
	}
	/* The command still runs, or its prompt is about to be printed. */
	if (!r->env.alternate && r->env.prompt_cols > 0 && e.rows > 0 &&
	    e.place == CONTEXT_COL0)
		return;
	judge_enter_learn(p, r, &e);
}

/* Returns whether columns X.. of L show the first N keys. */
static bool
judge_typed(const struct predict *p, const struct surface *s,
    const struct vt_line *l, unsigned x, size_t n)
{
	uint32_t cps[PREDICT_PENDING_MAX];
	struct vt_cell c;
	bool same = judge_text(s, 0, n, cps, &n);
	size_t i;

	for (i = 0; i < n && same; i++) {
		c = vt_line_cell(l, x);
		same = c.ch == cps[i] || (cps[i] == ' ' && c.ch == 0);
		x += (unsigned)MAX_OF(grapheme_cp_width(p->gt, cps[i]), 0);
	}
	mem_wipe(cps, sizeof(cps));
	return same;
}

/* Columns right of the cursor that tell whether text moves. */
#define JUDGE_KEEP 8u

/*
 * Finds whether the first N keys, which are text, moved the text right of the
 * cursor. A command that only moves the cursor tells nothing.
 */
static void
judge_keep(const struct predict *p, const struct surface *s, struct context *c,
    const struct vt_frame *f, size_t n)
{
	const struct vt_frame *b = s->frame;
	const struct vt_line *l = b->lines[b->state.y];
	const struct vt_line *m = f->lines[f->state.y];
	unsigned x = b->state.x, w, to = x, col;
	char t[8], u[8];

	if (f->state.y != b->state.y || f->state.x <= x)
		return;
	w = f->state.x - x;
	if (!judge_typed(p, s, m, x, n))
		return;
	/* The text right of the cursor; it may begin with a blank. */
	for (col = x; col + w < b->cols && col < x + 2 * w + JUDGE_KEEP &&
		      col < to + PREDICT_GAP;
	     col++)
		if (!guess_blank(l, col))
			to = col + 1;
	if (to == x || guess_suggested(l, x, b->cols))
		return;
	if (to > x + w && guess_same_text(l, m, x + w, to)) {
		c->keep = MIN_OF(c->keep + 1, 3);
		return;
	}
	for (; x < to; x++) {
		(void)replay_row_text(l, x, x + 1, t, sizeof(t));
		(void)replay_row_text(m, x + w, x + w + 1, u, sizeof(u));
		if (strcmp(t, u) != 0)
			return;
	}
	c->keep = MAX_OF(c->keep - 1, -3);
}

/*
 * Learns whether the program closes brackets: F shows the first N keys, of
 * which one opened a bracket and the rest is text behind it.
 */
static void
judge_pair(const struct replay *r, const struct surface *s,
    const struct vt_frame *f, size_t n)
{
	const struct vt_line *l = f->lines[f->state.y];
	const struct vt_frame *b = s->frame;
	unsigned x = f->state.x, behind;
	uint32_t cp = 0;
	int pair = -1;

	for (behind = 0; behind < n && pair < 0; behind++) {
		cp = s->keys[n - 1 - behind].key.cp;
		if (s->keys[n - 1 - behind].key.act != GUESS_TEXT ||
		    (behind > 0 && habit_closes(cp) >= 0))
			return;
		pair = habit_opens(cp);
	}
	if (pair < 0 || r->env.canonical || r->env.keep || x < behind ||
	    f->state.y != b->state.y || vt_line_cell(l, x - behind).ch != cp)
		return;
	/* A second quote closes. */
	if (habit_closer(pair) == cp &&
	    (n > 1 || vt_line_cell(b->lines[b->state.y], b->state.x).ch == cp))
		return;
	if (vt_line_cell(l, x).ch == habit_closer(pair) &&
	    guess_blank(b->lines[b->state.y], b->state.x))
		habit_learn_pair(r->habit, pair, true);
	else if (guess_blank(l, x))
		habit_learn_pair(r->habit, pair, false);
}

/*
 * Judges key I of a batch without Enter by F; R is the replay after the batch.
 */
static void
judge_key(struct predict *p, struct surface *s, struct replay *r, mono_ms now,
    const struct vt_frame *f, size_t i, bool explained)
{
	const struct surface_key *k = &s->keys[i];
	const struct guess_mark *m = NULL;
	size_t j;

	/* vi waits after Escape, which may begin another key. */
	if (k->vi && !explained && k->key.cp == 033 && guess_vi_inserts(f))
		return;
	if (k->vi) {
		if (explained)
			context_score_add(&s->vi_score, true);
		else if (!guess_cursor_is(&r->g, f))
			context_score_add(&s->vi_score, false);
		if (explained)
			p->stats.confirmed++;
		else if (k->shown)
			judge_wrong(p, now, k);
		return;
	}
	for (j = 0; j < r->g.nmarks && m == NULL; j++)
		if (r->g.marks[j].key == i)
			m = &r->g.marks[j];
	if (k->key.act == GUESS_TEXT) {
		/* A command, as predicted, is no text, too. */
		if (m == NULL && s->run == 0 && !r->g.lost &&
		    r->g.effects + r->g.recalled > 0 &&
		    f->state.x == s->frame->state.x)
			context_learn(r->context, CONTEXT_TEXT, 0, false);
		if (m == NULL || !m->alive)
			return;
		if (explained || guess_mark_is(&r->g, m, f)) {
			if (m->fresh)
				judge_verdict(p, s, r->context, now, k, true);
			return;
		}
		judge_verdict(p, s, r->context, now, k, false);
		return;
	}
	/* A key without effect proves nothing. */
	if (explained && !guess_cursor_is(&r->g, s->frame))
		judge_verdict(p, s, r->context, now, k, true);
	else if (!guess_cursor_is(&r->g, f))
		judge_verdict(p, s, r->context, now, k, false);
}

/* Learns where an arrow goes: F shows that key alone. */
static void
judge_arrow(const struct replay *r, const struct surface *s,
    const struct vt_frame *f, size_t n)
{
	const struct vt_frame *b = s->frame;
	int arrow = guess_arrow_of(&s->keys[0].key);
	unsigned x, from, to, y = f->state.y;
	const struct vt_line *l = f->lines[y];

	if (n != 1 || arrow < 0 || !r->env.alternate || y == b->state.y ||
	    !guess_same_text(l, b->lines[y], 0, f->cols))
		return;
	guess_window(&r->g, &from, &to);
	for (x = to; x > from && guess_blank(l, x - 1); x--)
		;
	x = MIN_OF(x, (unsigned)b->state.x);
	habit_learn_arrow(r->habit, (enum habit_arrow)arrow, b->state.y, y,
	    x == f->state.x, habit_col(r->habit, y) == (int)f->state.x);
}

/*
 * Learns what a key does that edits nothing: F shows some presses of that key
 * alone.
 */
static void
judge_effect(const struct replay *r, struct surface *s,
    const struct vt_frame *f, size_t n)
{
	uint64_t key = replay_effect_key(&s->keys[0].key);
	size_t i;

	if (r->env.effects == NULL)
		return;
	if (s->keys[0].key.act == GUESS_TEXT)
		s->effects.deaf =
		    n == 1 && vt_frame_equal(s->frame, f)
			? MIN_OF(s->effects.deaf + 1, PREDICT_EFFECT_DEAF)
			: 0;
	if (key == 0 || n > PREDICT_EFFECT_TIMES || r->g.vi != GUESS_VI_NONE ||
	    guess_vi_inserts(f))
		return;
	for (i = 1; i < n; i++)
		if (s->keys[i].key.act != s->keys[0].key.act ||
		    s->keys[i].key.cp != s->keys[0].key.cp)
			return;
	/* Text that is shown. */
	if (s->keys[0].key.act == GUESS_TEXT &&
	    (s->run > 0 || (f->state.y == s->frame->state.y &&
			       f->state.x != s->frame->state.x)))
		return;
	if (!effect_learn(&s->effects, key, (unsigned)n, s->frame, f) && n == 1)
		recall_learn(&s->recalls, key, s->frame, f);
}

/*
 * Learns whether text moves the line up, to make room for rows below it.
 */
static void
judge_rise(const struct replay *r, const struct surface *s,
    const struct vt_frame *f, size_t n)
{
	const struct vt_frame *b = s->frame;
	size_t i;

	for (i = 0; i < n; i++)
		if (s->keys[i].key.act != GUESS_TEXT)
			return;
	if (n == 0 || r->env.alternate || r->env.canonical)
		return;
	if (f->state.y < b->state.y &&
	    !guess_blank_from(f->lines[f->state.y + 1], 0, f->cols))
		habit_learn_below(r->habit, f->rows - 1u - f->state.y, true);
	else if (f->state.y == b->state.y)
		habit_learn_below(r->habit, f->rows - 1u - f->state.y, false);
}

/*
 * Learns from text key I whether the program takes such signs; returns whether
 * it did not.
 */
static bool
judge_sign(const struct surface *s, const struct replay *r,
    const struct vt_frame *f, size_t i, bool explained)
{
	const struct surface_key *k = &s->keys[i];
	const struct guess_mark *m = r->g.marks;
	size_t n = r->g.nmarks;
	bool right;

	if (k->key.act != GUESS_TEXT || k->vi)
		return false;
	for (; n > 0 && (m->key != i || !m->alive); n--)
		m++;
	if (n == 0)
		return false;
	right = explained || guess_mark_is(&r->g, m, f);
	if (right ? m->fresh : f->state.y == r->g.y)
		habit_learn(r->habit, k->key.cp, right);
	return !right;
}

/*
 * Learns from text that F shows as signs. All first N keys are text, none is
 * the sign.
 */
static void
judge_signs(struct surface *s, const struct vt_frame *f, size_t n)
{
	const struct vt_frame *b = s->frame;
	uint32_t sign = vt_line_cell(f->lines[f->state.y], b->state.x).ch;
	size_t i;

	for (i = 0; i < n; i++)
		if (s->keys[i].key.act != GUESS_TEXT || s->keys[i].masked ||
		    s->keys[i].key.cp == sign)
			return;
	mask_learn(&s->mask, b, f, (unsigned)n);
}

/* Judges the first N keys, letters of a secret, by F. */
static void
judge_masked(struct predict *p, struct surface *s, mono_ms now,
    const struct vt_frame *f, size_t n, bool explained)
{
	struct replay r;
	size_t i;

	replay_init(p, s, &r);
	for (i = 0; i < n && !r.g.lost; i++)
		replay_step(p, s, &r, i);
	if (!explained && !r.g.lost && s->keys[n - 1].key.act != GUESS_ENTER &&
	    judge_match(&r.g, f) == JUDGE_NO)
		mask_forget(&s->mask, s->frame);
	if (n == 1 && s->keys[0].key.act == GUESS_ENTER && r.env.alternate)
		recall_learn(&s->recalls, replay_effect_key(&s->keys[0].key),
		    s->frame, f);
	replay_fini(&r);
	for (i = 0; i < n; i++) {
		if (!s->keys[i].shown)
			continue;
		if (explained)
			p->stats.confirmed++;
		else
			judge_wrong(p, now, &s->keys[i]);
	}
}

/* Learns from F, which contains the first N keys. */
static void
judge_learn(struct predict *p, struct surface *s, mono_ms now,
    const struct vt_frame *f, size_t n, bool explained)
{
	struct replay r;
	size_t i, to, from = 0;
	bool known = true, text, blamed = false;

	if (s->keys[0].masked) {
		judge_masked(p, s, now, f, n, explained);
		return;
	}
	judge_signs(s, f, n);
	judge_breaks(p, s, f, n);
	text = judge_margin(p, s, f, n, true);

	replay_init(p, s, &r);
	judge_pair(&r, s, f, n);
	judge_rise(&r, s, f, n);
	judge_arrow(&r, s, f, n);
	judge_effect(&r, s, f, n);
	if (judge_width(p, s, 0, n) > 0)
		judge_keep(p, s, r.context, f, n);
	for (to = 0; to < n; to++) {
		if (s->keys[to].key.act == GUESS_ENTER)
			break;
		replay_step(p, s, &r, to);
		s->keys[to].vi = r.vi;
		if (r.g.lost)
			break;
	}
	/* Look for the finished line at its new place. */
	if (to < n && !explained)
		known = judge_find_row(&r.g, f) >= 0;
	for (i = from; i < to && known; i++) {
		judge_key(p, s, &r, now, f, i, explained || text || to < n);
		if (!blamed && to == n)
			blamed = judge_sign(s, &r, f, i, explained || text);
	}
	if (to < n && s->keys[to].key.act == GUESS_ENTER && !r.g.lost)
		judge_enter(p, s, &r, f, to + 1, n);
	for (i = to; i < n; i++) {
		if (s->keys[i].key.act == GUESS_ENTER) {
			s->fresh = true;
			s->asked = s->keys[i].cooked && r.env.canonical;
			s->strange = false;
			s->line = true;
		} else if (s->keys[i].key.act == GUESS_UNKNOWN) {
			if (s->keys[i].key.cp != GUESS_NO_KEY || !s->fresh)
				s->strange = true;
			s->line = false;
			if (s->keys[i].key.cp == 033)
				s->doubt = r.context->key;
		} else if (s->keys[i].key.act == GUESS_TEXT) {
			s->fresh = false;
		} else if (replay_empties(&r, &s->keys[i].key)) {
			s->line = true;
		}
		/* In a full row text is not predicted, but it is still text. */
		if (!text && guess_arrow_of(&s->keys[i].key) < 0 &&
		    (s->keys[i].key.act != GUESS_TEXT || s->keys[i].vi ||
			!r.g.lost || r.g.vi != GUESS_VI_INSERT))
			s->run = s->moves = 0;
		if (!s->keys[i].shown)
			continue;
		if (explained) {
			p->stats.confirmed++;
		} else {
			judge_wrong(p, now, &s->keys[i]);
		}
	}
	replay_fini(&r);
}

/* Follows vi's mode; the first N keys are in F, the newest frame. */
static void
surface_vi(struct surface *s, mono_ms now, const struct vt_frame *f, size_t n)
{
	bool says = guess_vi_inserts(f);
	size_t i;

	if ((f->state.modes & VT_FRAME_ALTERNATE) == 0) {
		s->vi = GUESS_VI_NONE;
		return;
	}
	for (i = 0; i < n && s->vi != GUESS_VI_NONE; i++) {
		s->vi = guess_vi_next(s->vi, &s->vi_op, &s->keys[i].key);
		s->vi_at = now;
	}
	if (n > 0)
		s->vi_late =
		    s->vi == GUESS_VI_NORMAL && s->keys[n - 1].key.cp == 033;
	s->vi_late = s->vi_late && says;
	/* vi shows its mode a little later than it changes. */
	if (s->vi <= GUESS_VI_UNSURE) {
		if (says)
			s->vi = GUESS_VI_INSERT;
	} else if (mono_until(s->vi_at, now) > PREDICT_VI_LATE_MS &&
		   says != (s->vi == GUESS_VI_INSERT)) {
		s->vi = says ? GUESS_VI_INSERT : GUESS_VI_UNSURE;
		s->vi_late = false;
	}
}

/*
 * Takes the prompt that F shows before the text of the next line: in the place
 * of the last prompt, or, if NEW, in another one.
 */
static void
judge_prompt(struct surface *s, const struct vt_frame *f, bool new)
{
	const uint32_t no =
	    VT_FRAME_ALTERNATE | VT_FRAME_CANONICAL | VT_FRAME_WRAP_PENDING;
	const struct guess_env env = { .prompt = s->prompt,
		.prompt_cols = s->prompt_cols };
	const struct vt_line *l = f->lines[f->state.y];
	bool same = s->prompt_cols == f->state.x && guess_at_prompt(&env, l);

	if (s->prompt != NULL && s->prompt_cols > 0 && f->state.x > 0 &&
	    (f->state.modes & no) == 0 && (same || new))
		surface_prompt(s, l, f->state.x);
}

/*
 * Returns whether the first N keys are text, and F has changed as a list does
 * that follows it: in several rows besides the cursor's.
 */
static bool
judge_texts(const struct surface *s, const struct vt_frame *f, size_t n)
{
	unsigned y, rows = 0;

	while (n > 0 && s->keys[n - 1].key.act == GUESS_TEXT)
		n--;
	for (y = 0; y < f->rows && n == 0 && rows < PREDICT_LIST_ROWS; y++)
		rows += y != f->state.y && f->lines[y] != s->frame->lines[y] &&
			!guess_same_text(
			    f->lines[y], s->frame->lines[y], 0, f->cols);
	return rows == PREDICT_LIST_ROWS;
}

/*
 * F shows a list that follows typed text. Returns whether the last row belongs
 * to it.
 */
static bool
judge_lists(const struct surface *s, const struct vt_frame *f)
{
	const struct vt_frame *b = s->frame;
	unsigned last = f->rows - 1u;

	return f->state.y == b->state.y && f->state.x > b->state.x &&
	       f->state.y < last && !guess_vi_inserts(f) &&
	       !guess_same_text(f->lines[last], b->lines[last], 0, f->cols);
}

void
judge_frame(struct predict *p, struct surface *s, mono_ms now,
    const struct vt_frame *f, uint64_t ack)
{
	struct vt_frame *last = s->frame;
	size_t lo = 0, hi, n, i;
	bool explained = false, vague, same;

	while (lo < s->nkeys && s->keys[lo].index <= ack)
		lo++;
	/* Where nothing has changed keys that undo each other prove nothing. */
	same = vt_frame_equal(last, f);
	hi = same ? lo : s->nkeys;
	/* A letter may have its effect late. */
	if (!same && (s->nkeys > lo || s->nkeys == 0))
		s->effects.deaf = 0;
	judge_echo(p, s, f);
	/* The effect of a key is seen before its acknowledgement. */
	if (s->base != NULL) {
		s->frame = s->base;
		n = judge_align(p, s, f, lo, hi, &explained);
		if (!explained) {
			s->frame = last;
			n = judge_align(p, s, f, lo, hi, &explained);
			if (!explained)
				s->frame = s->base;
		}
	} else {
		n = judge_align(p, s, f, lo, hi, &explained);
	}
	if (!explained)
		n = judge_tail(p, s, f, judge_broken(p, s, f, n));
	if (n > 0) {
		s->texts = explained && judge_texts(s, f, n);
		s->lists = s->lists || (s->texts && judge_lists(s, f));
		judge_learn(p, s, now, f, n, explained);
		judge_prompt(s, f, s->keys[n - 1].key.act == GUESS_ENTER);
	}
	s->frame = last;
	/*
	 * No prediction explains F. Keys that F may contain without
	 * acknowledgement would be drawn twice; their acknowledgement comes
	 * soon.
	 */
	s->hold = 0;
	if (!explained && n < s->nkeys &&
	    mono_until(s->keys[n].sent, now) >= p->policy.rtt / 2)
		s->hold =
		    mono_add(now, n > 0 && s->keys[n].key.act == GUESS_ENTER &&
					  s->keys[n - 1].key.act == GUESS_ENTER
				      ? PREDICT_HOLD_LONG_MS
				      : PREDICT_HOLD_MS);
	vague = !explained || s->vague > s->ack;
	for (i = n; i < s->nkeys && vague; i++)
		if (mono_until(s->keys[i].sent, now) >= p->policy.rtt / 2)
			s->vague = s->keys[i].index;
	if (n > 0)
		s->blank = s->keys[n - 1].key.act == GUESS_TEXT &&
			   s->keys[n - 1].key.cp == ' ';
	surface_vi(s, now, f, n);
	surface_drop(s, n);
	if (n > 0 || s->nkeys == 0)
		surface_rebase(s);
	else if (!explained && s->base == NULL)
		s->base = vt_frame_ref(s->frame);
}
