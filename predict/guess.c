#include <string.h>

#include "base/bidi.h"
#include "base/mem.h"
#include "predict/guess_int.h"

/* --- life ----------------------------------------------------------------- */

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
	g->sure = 1;
	g->blank = env->blank;
	g->end = env->end;
	guess_vi_init(g);
}

void
guess_fini(struct guess *g)
{
	vt_frame_unref(g->f);
	mem_free(g->marks);
	memset(g, 0, sizeof(*g));
}

/* --- Enter ---------------------------------------------------------------- */

/*
 * Text right of the cursor (a right prompt, the rest of the line) goes at
 * Enter, or stays. Before that is known it is not shown.
 */
static void
guess_enter_right(struct guess *g)
{
	unsigned end = g->x;

	if (g->env->canonical || g->env->alternate || g->env->habit == NULL ||
	    g->env->habit->right > 0)
		return;
	if (!guess_blank_from(guess_line(g), end, g->f->cols))
		vt_line_erase(vt_frame_own(g->f, g->y), end, g->f->cols, 0);
}

/* The new row looks as the old one did before the line was typed. */
static void
guess_same_row(struct guess *g)
{
	const struct guess_env *env = g->env;
	struct vt_line *l;

	/* The edge may be that of a wider screen, before a resize. */
	if (env->edge_cols >= g->f->cols ||
	    !guess_at_edge(env, guess_line(g))) {
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
	unsigned i, scrolled = g->scrolled, sure;
	bool bottom = g->y + 1u == g->f->rows;

	if (e->open > 0) {
		if (rest)
			g->lost = true; /* the rest moves to the new row */
		else
			guess_open(g, e->open - 1);
		return;
	}
	for (i = 0; i < e->rows && !g->lost; i++)
		guess_down(g);
	/* Enter on the last row scrolls by a row at least, if that is seen. */
	sure = bottom && e->rows > 0 &&
	       (g->env->habit == NULL ||
		   g->env->habit->echo.hit >= g->env->habit->echo.miss);
	g->unsure += g->scrolled - scrolled - sure;
}

static void
guess_enter(struct guess *g, const struct guess_enter *e)
{
	const struct guess_env *env = g->env;
	unsigned indent = guess_indent(guess_line(g), g->f->cols);
	unsigned y = g->y, i;

	g->pending = false;
	g->broken = true;
	g->end.row = 0;
	guess_unsuggest(g, g->x);
	guess_enter_right(g);
	if (e->rows == 0 ||
	    (e->place != CONTEXT_SAME && guess_border(g, 0) < g->f->cols)) {
		g->lost = true;
		return;
	}
	/* The prompt may have changed since it was last seen. */
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
	/* The text there would move to an unknown place. */
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
	for (i = 0; i < MIN_OF(env->prompt_cols, 64u); i++)
		if (env->varies >> i & 1)
			vt_line_erase(vt_frame_own(g->f, g->y), i, i + 1, 0);
	g->x = env->prompt_cols;
}

/* A shell moves its line to the top and clears the rest. */
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

/* Draws what is known of the selection behind the key. */
static void
guess_pick(struct guess *g, const struct effect *e)
{
	const struct effect_table *t = g->env->effects;
	int from, to;

	if (e->picks.hit <= 0 && e->ncounts == 0)
		return;
	from = effect_row(t, g->f);
	to = from < 0 ? -1 : effect_target(e, g->f, (unsigned)from);
	if (to < 0 || g->unpicked || g->effects > PREDICT_EFFECT_AHEAD ||
	    effect_picks(e) < (e->ncounts > 0 ? PREDICT_EFFECT_NUMBER
					      : PREDICT_EFFECT_DRAWN) ||
	    (to != from && to - from != e->by && e->ncounts > 0)) {
		g->unpicked = true;
		return;
	}
	if (to == from)
		return;
	if (!effect_count(e, g->f) ||
	    !effect_draw(t, g->f, (unsigned)from, (unsigned)to))
		g->unpicked = true;
}

/* The key empties the row from a column on. */
static void
guess_empty(struct guess *g, const struct effect *e)
{
	unsigned end = guess_text_end(g, e->col), x;
	struct vt_line *l;

	if (g->x < e->col || e->col >= g->f->cols || g->pending) {
		g->lost = true;
		return;
	}
	l = vt_frame_own(g->f, g->y);
	end = MIN_OF(MAX_OF(end, g->x), g->f->cols);
	guess_marks_shift(g, e->col, end, 0);
	vt_line_erase(l, e->col, end, 0);
	for (x = e->col; e->fill != 0 && x < end; x++)
		vt_line_put(l, x, e->fill, VT_NARROW, 0);
	g->x = e->col;
	g->end.row = 0;
}

static void
guess_effect(struct guess *g, const struct guess_key *k)
{
	const struct effect *e = g->effect;

	if (effect_idle(
		g->env->effects, e, g->f, g->x, g->y, PREDICT_EFFECT_IDLE))
		return;
	if (e->clears.hit > e->clears.miss)
		guess_empty(g, e);
	else if (e->follows && guess_arrow_of(k) >= 0)
		guess_arrow(g, (enum habit_arrow)guess_arrow_of(k));
	if (!g->lost && e->clears.hit <= 0)
		guess_pick(g, e);
}

/* A screen comes that was seen before. */
static void
guess_recall(struct guess *g)
{
	const struct vt_frame *to = g->recall;
	struct vt_line *l;
	unsigned y;
	size_t i;

	g->recalled = 1;
	for (y = 0; y < g->f->rows; y++) {
		g->recalled += !guess_same_text(
		    to->lines[y], g->f->lines[y], 0, g->f->cols);
		l = vt_line_ref(to->lines[y]);
		vt_line_unref(NULL, g->f->lines[y]);
		g->f->lines[y] = l;
	}
	for (i = 0; i < g->nmarks; i++)
		g->marks[i].alive = false;
	g->x = MIN_OF(to->state.x, g->f->cols - 1u);
	g->y = MIN_OF(to->state.y, g->f->rows - 1u);
	g->pending = false;
	g->border.y = 0;
	g->end.row = 0;
}

static void
guess_act(struct guess *g, const struct guess_key *k, size_t key,
    const struct guess_enter *enter)
{
	if (g->recall != NULL) {
		guess_recall(g);
		return;
	}
	/* security: the screen may ask for a secret. */
	if (g->recalled > 0 && k->act == GUESS_TEXT) {
		g->lost = true;
		return;
	}
	if (g->effect != NULL) {
		g->effects++;
		guess_effect(g, k);
		return;
	}
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
		if (guess_arrow_of(k) < 0)
			g->lost = true;
		else
			guess_arrow(g, (enum habit_arrow)guess_arrow_of(k));
		break;
	case GUESS_ACTS:
		g->lost = true;
		break;
	}
}

/* A sign is shown for each letter of a secret. */
static void
guess_masked(struct guess *g, const struct guess_key *k, size_t key)
{
	uint32_t sign = g->env->sign;
	struct vt_line *l = guess_line(g);

	if (k->act == GUESS_BACKSPACE && !g->pending && g->x > 0 &&
	    vt_line_cell(l, g->x - 1).ch == sign) {
		g->x--;
		guess_marks_shift(g, g->x, g->x + 1, 0);
		vt_line_erase(vt_frame_own(g->f, g->y), g->x, g->x + 1, 0);
	} else if (k->act == GUESS_TEXT && !g->pending &&
		   g->x + 2u < g->f->cols && guess_blank(l, g->x)) {
		l = vt_frame_own(g->f, g->y);
		vt_line_put(l, g->x, sign, VT_NARROW, 0);
		guess_mark_add(g, key, g->x, true);
		g->x++;
	} else {
		g->lost = true;
	}
}

void
guess_step(struct guess *g, const struct guess_key *k, size_t key,
    const struct guess_enter *enter)
{
	bool blank;

	if (g->lost)
		return;
	/* Text typed there appears in other columns. */
	if ((guess_line(g)->flags & VT_LINE_SHOWN) != 0 ||
	    ((g->f->state.modes & VT_FRAME_BIDI) != 0 && k->act == GUESS_TEXT &&
		bidi_is_rtl(k->cp))) {
		g->lost = true;
		return;
	}
	if (g->env->sign != 0 && g->recall == NULL) {
		guess_masked(g, k, key);
		return;
	}
	/* The kernel knows four editing keys; it echoes others as ^X. */
	if (g->env->canonical && k->act != GUESS_TEXT &&
	    k->act != GUESS_BACKSPACE && k->act != GUESS_KILL_WORD &&
	    k->act != GUESS_KILL_LINE && k->act != GUESS_ENTER) {
		g->lost = true;
		return;
	}
	g->broken = false;
	blank = k->act == GUESS_TEXT && k->cp == ' ';
	guess_act(g, k, key, enter);
	g->blank = blank;
}
