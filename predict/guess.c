#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "predict/guess_int.h"

/* --- looking at lines ------------------------------------------------------- */

static bool
guess_blank(const struct vt_line *l, unsigned col)
{
	struct vt_cell c = vt_line_cell(l, col);

	return c.width == VT_NARROW && (c.ch == 0 || c.ch == ' ');
}

static bool
guess_blank_from(const struct vt_line *l, unsigned from, unsigned cols)
{
	while (from < cols && guess_blank(l, from))
		from++;
	return from >= cols;
}

bool
guess_same_text(const struct vt_line *a, const struct vt_line *b, unsigned from,
    unsigned to)
{
	char s[VT_CLUSTER_MAX + 1], t[VT_CLUSTER_MAX + 1];
	struct vt_cell c, d;

	for (; from < to; from++) {
		c = vt_line_cell(a, from);
		d = vt_line_cell(b, from);
		if (guess_blank(a, from) && guess_blank(b, from))
			continue;
		if (c.width != d.width)
			return false;
		if (((c.ch | d.ch) & VT_CELL_CLUSTER) == 0) {
			if (c.ch != d.ch)
				return false;
			continue;
		}
		(void)vt_line_text(a, from, s);
		(void)vt_line_text(b, from, t);
		if (strcmp(s, t) != 0)
			return false;
	}
	return true;
}

unsigned
guess_indent(const struct vt_line *l, unsigned cols)
{
	unsigned x = 0;

	while (x < cols && guess_blank(l, x))
		x++;
	return x;
}

bool
guess_at_prompt(const struct guess_env *env, const struct vt_line *l)
{
	/* An empty prompt is one only where the kernel edits the line. */
	return env->prompt != NULL &&
	       (env->prompt_cols > 0 || env->canonical) &&
	       guess_same_text(env->prompt, l, 0, env->prompt_cols);
}

bool
guess_at_edge(const struct guess_env *env, const struct vt_line *l)
{
	return env->edge != NULL && env->edge_cols > 0 &&
	       guess_same_text(env->edge, l, 0, env->edge_cols);
}

bool
guess_cursor_is(const struct guess *g, const struct vt_frame *f)
{
	bool pending = (f->state.modes & VT_FRAME_WRAP_PENDING) != 0;

	if (g->x == f->state.x && g->y == f->state.y)
		return true;
	/* Line editors wrap at once, terminals with the next character. */
	if (g->pending)
		return f->state.x == 0 &&
		       (f->state.y == g->y + 1 || g->y + 1u == f->rows);
	return pending && g->x == 0 && g->y == f->state.y + 1u;
}

bool
guess_mark_is(
    const struct guess *g, const struct guess_mark *m, const struct vt_frame *f)
{
	const struct vt_line *l;
	unsigned to;

	if (m->row < 0 || m->row >= (int)f->rows || m->row >= (int)g->f->rows)
		return true;
	l = g->f->lines[m->row];
	to = m->col + (vt_line_cell(l, m->col).width == VT_WIDE ? 2 : 1);
	return guess_same_text(l, f->lines[m->row], m->col, to);
}

bool
guess_dim(const struct vt_line *l, unsigned col)
{
	const struct pen *p = vt_line_pen(l, col);
	unsigned n, r, gr, b;

	if (guess_blank(l, col))
		return false;
	if (p->attrs & PEN_DIM)
		return true;
	n = p->fg & 0xff;
	if (colour_kind(p->fg) == COLOUR_KIND_INDEX)
		return n == 8 || (n >= 234 && n <= 246);
	if (colour_kind(p->fg) != COLOUR_KIND_RGB)
		return false;
	r = p->fg >> 16 & 0xff;
	gr = p->fg >> 8 & 0xff;
	b = n;
	return r < 0xa0 &&
	       MAX_OF(r, MAX_OF(gr, b)) - MIN_OF(r, MIN_OF(gr, b)) < 0x18;
}

bool
guess_suggested(const struct vt_line *l, unsigned col, unsigned cols)
{
	unsigned end = MIN_OF(col + PREDICT_GAP, cols);

	while (col < end && guess_blank(l, col))
		col++;
	return col < end && guess_dim(l, col);
}

static struct vt_line *
guess_line(const struct guess *g)
{
	return g->f->lines[g->y];
}

/* Where the text being edited ends: a gap, or nothing more in the row. */
static unsigned
guess_text_end(const struct guess *g, unsigned x)
{
	const struct vt_line *l = guess_line(g);
	unsigned end = x, blank = 0;

	for (; x < g->f->cols && blank < PREDICT_GAP; x++) {
		if (guess_blank(l, x)) {
			blank++;
		} else {
			blank = 0;
			end = x + 1;
		}
	}
	return end;
}

/*
 * A suggestion behind column X: what follows of it is right if it is what is
 * typed, and goes at once if it is not.
 */
static void
guess_unsuggest(struct guess *g, unsigned x)
{
	const struct vt_line *l = guess_line(g);
	unsigned end;

	if (x >= g->f->cols || g->env->canonical ||
	    !guess_suggested(l, x, g->f->cols))
		return;
	end = guess_text_end(g, x);
	while (end > x && !guess_blank(l, end - 1) && !guess_dim(l, end - 1))
		end--;
	vt_line_erase(vt_frame_own(g->f, g->y), x, end, 0);
}

/* --- marks -------------------------------------------------------------------- */

static void
guess_mark_add(struct guess *g, size_t key, unsigned col, bool fresh)
{
	if (g->nmarks == g->cap) {
		g->cap = g->cap == 0 ? 16 : g->cap * 2;
		g->marks = mem_resize(g->marks, g->cap, sizeof(*g->marks));
	}
	g->marks[g->nmarks++] =
	    (struct guess_mark){ key, (int)g->y, col, true, fresh };
}

void
guess_marks_shift(struct guess *g, unsigned from, unsigned end, int by)
{
	struct guess_mark *m;
	size_t i;

	for (i = 0; i < g->nmarks; i++) {
		m = &g->marks[i];
		if (m->row != (int)g->y || m->col < from || m->col >= end)
			continue;
		if (by == 0)
			m->alive = false;
		else
			m->col = (unsigned)((int)m->col + by);
	}
}

static bool
guess_marked(const struct guess *g, unsigned col)
{
	size_t i;

	for (i = 0; i < g->nmarks; i++)
		if (g->marks[i].alive && g->marks[i].row == (int)g->y &&
		    g->marks[i].col == col)
			return true;
	return false;
}

/* --- life ---------------------------------------------------------------------- */

void
guess_init(
    struct guess *g, const struct guess_env *env, const struct vt_frame *f)
{
	memset(g, 0, sizeof(*g));
	g->env = env;
	g->f = vt_frame_clone(f);
	g->x = MIN_OF(f->state.x, (unsigned)f->cols - 1);
	g->y = MIN_OF(f->state.y, (unsigned)f->rows - 1);
	g->pending = (f->state.modes & VT_FRAME_WRAP_PENDING) != 0;
	g->vi = env->vi;
	g->vi_op = env->vi_op;
	guess_vi_init(g);
}

void
guess_fini(struct guess *g)
{
	vt_frame_unref(g->f);
	mem_free(g->marks);
	memset(g, 0, sizeof(*g));
}

/* --- rows ------------------------------------------------------------------------ */

/* All rows one up. */
static void
guess_scroll(struct guess *g)
{
	struct vt_frame *f = g->f;
	size_t i;

	vt_line_unref(NULL, f->lines[0]);
	memmove(
	    &f->lines[0], &f->lines[1], (f->rows - 1u) * sizeof(f->lines[0]));
	f->lines[f->rows - 1] = vt_line_new(NULL);
	for (i = 0; i < g->nmarks; i++)
		g->marks[i].row--;
}

/* Down by one row; a full-screen program's screen does not scroll. */
static void
guess_down(struct guess *g)
{
	if (g->y + 1u < g->f->rows)
		g->y++;
	else if (g->env->alternate)
		g->lost = true;
	else
		guess_scroll(g);
}

/* Text went past the last column. */
static void
guess_wrap(struct guess *g)
{
	vt_frame_own(g->f, g->y)->flags |= VT_LINE_WRAPPED;
	guess_down(g);
	g->x = 0;
	g->pending = false;
	if (!guess_blank_from(guess_line(g), 0, g->f->cols))
		g->lost = true;
}

/* --- text --------------------------------------------------------------------- */

/* The style of what is typed: that of the character before it. */
static unsigned
guess_style(struct guess *g, struct vt_line *l, unsigned x)
{
	struct pen pen;

	if (x == 0 || guess_blank(l, x - 1) ||
	    (x == g->env->prompt_cols && guess_at_prompt(g->env, l)))
		return 0;
	pen = *vt_line_pen(l, x - 1);
	return vt_line_style(NULL, l, &pen, NULL);
}

/* The column of the character before the cursor; false if there is none. */
static bool
guess_before(const struct guess *g, unsigned *col)
{
	unsigned x = g->pending ? g->f->cols : g->x;

	if (x == 0)
		return false;
	x--;
	if (vt_line_cell(guess_line(g), x).width == VT_TAIL && x > 0)
		x--;
	*col = x;
	return true;
}

/* Does CP join the character before the cursor? */
static bool
guess_joins(const struct guess *g, uint32_t cp)
{
	char s[VT_CLUSTER_MAX + 1];
	struct grapheme_state st = { 0, 0 };
	unsigned col;
	uint32_t c;
	size_t n, i, used;

	if (!guess_before(g, &col))
		return false;
	n = vt_line_text(guess_line(g), col, s);
	for (i = 0; i < n; i += used) {
		used = utf8_decode_final((uint8_t *)s + i, n - i, &c);
		(void)grapheme_break(g->env->gt, &st, c);
	}
	return !grapheme_break(g->env->gt, &st, cp);
}

static void
guess_join(struct guess *g, uint32_t cp, size_t key)
{
	unsigned col = 0;

	/* Joiners, selectors and flags change widths: not for us. */
	if (grapheme_cp_width(g->env->gt, cp) != 0 || cp == 0x200d ||
	    cp == 0xfe0f || cp == 0xfe0e || !guess_before(g, &col) ||
	    !vt_line_append(NULL, vt_frame_own(g->f, g->y), col, cp)) {
		g->lost = true;
		return;
	}
	guess_mark_add(g, key, col, true);
}

/* Makes W columns at the cursor free; how depends on what is right of it. */
static void
guess_make_room(struct guess *g, unsigned w)
{
	const struct guess_env *env = g->env;
	const struct vt_line *l = guess_line(g);
	unsigned end = guess_text_end(g, g->x);

	if (end == g->x || env->canonical || env->keep ||
	    guess_suggested(l, g->x, g->f->cols))
		return; /* written over */
	/* A right prompt goes when it is reached. */
	if (!env->alternate && guess_blank(l, g->x) && end + 2 > g->f->cols) {
		vt_line_erase(vt_frame_own(g->f, g->y), g->x, end, 0);
		return;
	}
	if ((env->wrap > 0 && end + w > env->wrap) || end + w > g->f->cols ||
	    !guess_blank_from(l, end, end + w)) {
		g->lost = true;
		return;
	}
	vt_line_insert(vt_frame_own(g->f, g->y), g->x, w, end + w, 0);
	guess_marks_shift(g, g->x, end, (int)w);
}

void
guess_text(struct guess *g, uint32_t cp, size_t key)
{
	int width = grapheme_cp_width(g->env->gt, cp);
	struct vt_line *l;
	unsigned w;
	bool fresh;

	if (cp >= 0x80 && guess_joins(g, cp)) {
		guess_join(g, cp, key);
		return;
	}
	if (width != 1 && width != 2) {
		g->lost = true;
		return;
	}
	w = (unsigned)width;
	if (g->env->wrap > 0 && g->x + w > g->env->wrap) {
		g->lost = true;
		return;
	}
	if (g->pending || g->x + w > g->f->cols)
		guess_wrap(g);
	if (g->lost || w > g->f->cols)
		return;
	l = guess_line(g);
	fresh = vt_line_cell(l, g->x).ch != cp &&
		!(cp == ' ' && guess_blank(l, g->x));
	if (fresh)
		guess_unsuggest(g, g->x);
	guess_make_room(g, w);
	if (g->lost)
		return;
	l = vt_frame_own(g->f, g->y);
	guess_marks_shift(g, g->x, g->x + w, 0);
	vt_line_put(
	    l, g->x, cp, w == 2 ? VT_WIDE : VT_NARROW, guess_style(g, l, g->x));
	guess_mark_add(g, key, g->x, fresh);
	g->x += w;
	if (g->x < g->f->cols)
		return;
	g->x = g->f->cols - 1u;
	g->pending = true;
	/* A shell's line editor goes on at once, the terminal later. */
	if (!g->env->canonical && !g->env->alternate)
		guess_wrap(g);
}

/* --- editing ------------------------------------------------------------------ */

/* The first column that editing may reach; false: not known. */
static bool
guess_start(const struct guess *g, unsigned *start)
{
	if (!guess_at_prompt(g->env, guess_line(g)))
		return false;
	*start = g->env->prompt_cols;
	return true;
}

/* Takes columns a..b-1 away; what follows in the text moves left. */
static void
guess_remove(struct guess *g, unsigned a, unsigned b)
{
	struct vt_line *l;
	unsigned end;

	if (a >= b)
		return;
	guess_unsuggest(g, b);
	end = b < g->f->cols ? guess_text_end(g, b) : b;
	l = vt_frame_own(g->f, g->y);
	guess_marks_shift(g, a, b, 0);
	if (end > b && !g->env->canonical && !g->env->keep &&
	    !guess_dim(l, b)) {
		vt_line_delete(l, a, b - a, end, 0);
		guess_marks_shift(g, b, end, -(int)(b - a));
	} else {
		vt_line_erase(l, a, b, 0);
	}
	g->x = a;
	g->pending = false;
}

void
guess_backspace(struct guess *g)
{
	unsigned start = 0, col = 0;
	unsigned x = g->pending ? g->f->cols : g->x;
	bool known = guess_start(g, &start);

	if (known && x <= start && x > 0)
		return;
	if (!guess_before(g, &col)) {
		/* Perhaps up to the row before, perhaps nothing. */
		g->lost = !known;
		return;
	}
	if (!known && !g->env->alternate && !guess_marked(g, col)) {
		g->lost = true;
		return;
	}
	guess_remove(g, col, x);
}

static void
guess_delete(struct guess *g)
{
	const struct vt_line *l = guess_line(g);
	unsigned end = guess_text_end(g, g->x);

	if (g->env->canonical || g->pending || end == g->x ||
	    guess_dim(l, g->x)) {
		g->lost = true;
		return;
	}
	guess_remove(
	    g, g->x, g->x + (vt_line_cell(l, g->x).width == VT_WIDE ? 2 : 1));
}

static void
guess_left(struct guess *g)
{
	unsigned start = 0, col = 0;

	if (g->pending) {
		g->lost = true;
		return;
	}
	if (guess_start(g, &start) && g->x <= start)
		return;
	if (!guess_before(g, &col)) {
		g->lost = true;
		return;
	}
	g->x = col;
}

static void
guess_right(struct guess *g)
{
	const struct vt_line *l = guess_line(g);

	if (g->pending || guess_suggested(l, g->x, g->f->cols)) {
		g->lost = true; /* takes a suggestion */
		return;
	}
	if (guess_text_end(g, g->x) == g->x) {
		/*
		 * An editor knows where its line ends, a shell's is here; one
		 * that suggests may have an idea by then.
		 */
		g->lost = g->env->alternate || g->env->suggests;
		return;
	}
	g->x += vt_line_cell(l, g->x).width == VT_WIDE ? 2 : 1;
	if (g->x >= g->f->cols)
		g->lost = true;
}

static void
guess_home(struct guess *g)
{
	unsigned start;

	if (guess_start(g, &start) && !g->pending)
		g->x = start;
	else
		g->lost = true;
}

static void
guess_end(struct guess *g)
{
	unsigned end = guess_text_end(g, g->x);

	if (end >= g->f->cols || g->pending || (g->tail && g->x < end) ||
	    (g->env->alternate && !guess_at_edge(g->env, guess_line(g))) ||
	    (g->env->suggests && end == g->x) ||
	    guess_suggested(guess_line(g), g->x, g->f->cols) ||
	    (end > 0 && end > g->x && guess_dim(guess_line(g), end - 1)))
		g->lost = true;
	else
		g->x = end;
}

/* --- words ------------------------------------------------------------------- */

static bool
guess_is_alpha(const struct vt_line *l, unsigned x)
{
	struct vt_cell c = vt_line_cell(l, x);

	if (c.ch >= 0x80 || c.width == VT_TAIL)
		return true;
	return (c.ch >= '0' && c.ch <= '9') || (c.ch >= 'a' && c.ch <= 'z') ||
	       (c.ch >= 'A' && c.ch <= 'Z');
}

static bool
guess_is_black(const struct vt_line *l, unsigned x)
{
	return !guess_blank(l, x);
}

typedef bool (*guess_class_fn)(const struct vt_line *, unsigned);

static unsigned
guess_word_start(const struct guess *g, unsigned start, guess_class_fn in)
{
	const struct vt_line *l = guess_line(g);
	unsigned x = g->x;

	while (x > start && !in(l, x - 1))
		x--;
	while (x > start && in(l, x - 1))
		x--;
	return x;
}

static void
guess_word(struct guess *g, enum guess_act act)
{
	const struct vt_line *l = guess_line(g);
	unsigned start = 0, x = g->x, end;

	if (!guess_start(g, &start) || g->pending || x < start) {
		g->lost = true;
		return;
	}
	switch (act) {
	case GUESS_WORD_LEFT:
		g->x = guess_word_start(g, start, guess_is_alpha);
		break;
	case GUESS_KILL_ALPHA:
		guess_remove(g, guess_word_start(g, start, guess_is_alpha), x);
		break;
	case GUESS_KILL_WORD:
		guess_remove(g, guess_word_start(g, start, guess_is_black), x);
		break;
	case GUESS_KILL_LINE:
		/* With text behind the cursor bash and zsh do not agree. */
		if (!g->env->canonical && !guess_dim(l, x) &&
		    guess_text_end(g, x) > x)
			g->lost = true;
		else
			guess_remove(g, start, x);
		break;
	default:
		end = guess_text_end(g, x);
		if (guess_dim(l, x)) {
			g->lost = true;
			break;
		}
		while (x < end && !guess_is_alpha(l, x))
			x++;
		while (x < end && guess_is_alpha(l, x))
			x++;
		g->x = MIN_OF(x, g->f->cols - 1u);
		break;
	}
}

static void
guess_kill_end(struct guess *g)
{
	unsigned end = guess_text_end(g, g->x);

	if (g->pending || g->env->alternate || guess_dim(guess_line(g), g->x)) {
		g->lost = true;
		return;
	}
	vt_line_erase(vt_frame_own(g->f, g->y), g->x, end, 0);
	guess_marks_shift(g, g->x, end, 0);
	g->tail = true;
}

/* --- Enter ------------------------------------------------------------------- */

void
guess_open(struct guess *g, unsigned fixed)
{
	struct vt_frame *f = g->f;
	unsigned end = f->rows - MIN_OF(fixed, (unsigned)f->rows - 1);
	unsigned y = g->y + 1, first = y, last = end - 1;
	int by = 1;
	struct vt_line *l;
	size_t i;

	if (g->y >= end) {
		g->lost = true;
		return;
	}
	if (y == end) { /* no room: the rows above go up */
		l = f->lines[0];
		memmove(&f->lines[0], &f->lines[1],
		    (end - 1) * sizeof(f->lines[0]));
		y = end - 1;
		first = 0;
		last = end - 1;
		by = -1;
	} else {
		l = f->lines[end - 1];
		memmove(&f->lines[y + 1], &f->lines[y],
		    (end - 1 - y) * sizeof(f->lines[0]));
	}
	vt_line_unref(NULL, l);
	f->lines[y] = vt_line_new(NULL);
	for (i = 0; i < g->nmarks; i++)
		if (g->marks[i].row >= (int)first &&
		    g->marks[i].row <= (int)last)
			g->marks[i].row += by;
	g->y = y;
}

/* The row is as it was when the line began. */
static void
guess_same_row(struct guess *g)
{
	const struct guess_env *env = g->env;
	struct vt_line *l;

	if (!guess_at_edge(env, guess_line(g))) {
		g->lost = true;
		return;
	}
	l = vt_frame_own(g->f, g->y);
	vt_line_erase(l, env->edge_cols, g->f->cols, 0);
	guess_marks_shift(g, 0, g->f->cols, 0);
	g->x = env->edge_cols;
}

static void
guess_enter_down(struct guess *g, const struct guess_enter *e)
{
	bool rest = !guess_blank_from(guess_line(g), g->x, g->f->cols);
	unsigned i;

	if (e->open > 0) {
		if (rest)
			g->lost = true; /* goes along to the new row */
		else
			guess_open(g, e->open - 1);
		return;
	}
	for (i = 0; i < e->rows && !g->lost; i++)
		guess_down(g);
}

static void
guess_enter(struct guess *g, const struct guess_enter *e)
{
	const struct guess_env *env = g->env;
	unsigned indent = guess_indent(guess_line(g), g->f->cols);
	unsigned y = g->y;

	g->pending = false;
	g->broken = true;
	guess_unsuggest(g, g->x);
	if (e->rows == 0) {
		g->lost = true;
		return;
	}
	/* The prompt may have changed since it was last looked at. */
	while (y > 0 && (g->f->lines[y - 1]->flags & VT_LINE_WRAPPED) != 0)
		y--;
	if (e->place == CONTEXT_PROMPT &&
	    !guess_at_prompt(env, g->f->lines[y])) {
		g->lost = true;
		return;
	}
	if (e->place == CONTEXT_SAME) {
		guess_same_row(g);
		return;
	}
	guess_enter_down(g, e);
	g->x = 0;
	if (g->lost)
		return;
	/* What stands there would be moved away, nobody knows how. */
	if (!guess_blank_from(guess_line(g), 0, g->f->cols)) {
		g->lost = true;
		return;
	}
	if (e->place == CONTEXT_INDENT && indent < g->f->cols)
		g->x = indent;
	if (e->place != CONTEXT_PROMPT)
		return;
	if (env->prompt == NULL || env->prompt_cols >= g->f->cols) {
		g->lost = true;
		return;
	}
	vt_line_copy(NULL, vt_frame_own(g->f, g->y), 0, env->prompt, 0,
	    env->prompt_cols);
	g->x = env->prompt_cols;
}

/* A shell's line goes to the top, all else goes. */
static void
guess_clear(struct guess *g)
{
	struct vt_frame *f = g->f;
	struct vt_line *l;
	unsigned y, start;
	size_t i;

	if (g->env->alternate || g->pending || !guess_start(g, &start) ||
	    (g->y > 0 && (f->lines[g->y - 1]->flags & VT_LINE_WRAPPED) != 0)) {
		g->lost = true;
		return;
	}
	l = f->lines[g->y];
	f->lines[g->y] = f->lines[0];
	f->lines[0] = l;
	for (y = 1; y < f->rows; y++) {
		vt_line_unref(NULL, f->lines[y]);
		f->lines[y] = vt_line_new(NULL);
	}
	for (i = 0; i < g->nmarks; i++)
		if (g->marks[i].row == (int)g->y)
			g->marks[i].row = 0;
		else
			g->marks[i].alive = false;
	g->y = 0;
}

void
guess_step(struct guess *g, const struct guess_key *k, size_t key,
    const struct guess_enter *enter)
{
	if (g->lost)
		return;
	/* The kernel knows four keys; it echoes the others as ^X. */
	if (g->env->canonical && k->act != GUESS_TEXT &&
	    k->act != GUESS_BACKSPACE && k->act != GUESS_KILL_WORD &&
	    k->act != GUESS_KILL_LINE && k->act != GUESS_ENTER) {
		g->lost = true;
		return;
	}
	g->broken = false;
	if (g->vi != GUESS_VI_NONE && guess_vi_step(g, k, key))
		return;
	switch (k->act) {
	case GUESS_TEXT:
		guess_text(g, k->cp, key);
		break;
	case GUESS_BACKSPACE:
		guess_backspace(g);
		break;
	case GUESS_DELETE:
		guess_delete(g);
		break;
	case GUESS_LEFT:
		guess_left(g);
		break;
	case GUESS_RIGHT:
		guess_right(g);
		break;
	case GUESS_HOME:
		guess_home(g);
		break;
	case GUESS_END:
		guess_end(g);
		break;
	case GUESS_WORD_LEFT:
	case GUESS_WORD_RIGHT:
	case GUESS_KILL_WORD:
	case GUESS_KILL_ALPHA:
	case GUESS_KILL_LINE:
		guess_word(g, k->act);
		break;
	case GUESS_KILL_END:
		guess_kill_end(g);
		break;
	case GUESS_ENTER:
		guess_enter(g, enter);
		break;
	case GUESS_CLEAR:
		guess_clear(g);
		break;
	case GUESS_UNKNOWN:
	case GUESS_ACTS:
		g->lost = true;
		break;
	}
}
