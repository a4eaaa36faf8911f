#include "base/utf8.h"
#include "predict/guess_int.h"

/*
 * Handles a suggestion after column X. Typed text that equals it confirms it;
 * other text removes it at once.
 */
void
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

/* --- text ----------------------------------------------------------------- */

/* Returns the style of typed text: that of the character before it. */
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

/*
 * Finds the column of the character before the cursor; returns false if there
 * is none.
 */
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

/* Returns whether CP combines with the character before the cursor. */
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

	/* Joiners, selectors and flags change widths: not predicted. */
	if (grapheme_cp_width(g->env->gt, cp) != 0 || cp == 0x200d ||
	    cp == 0xfe0f || cp == 0xfe0e || !guess_before(g, &col) ||
	    !vt_line_append(NULL, vt_frame_own(g->f, g->y), col, cp)) {
		g->lost = true;
		return;
	}
	guess_mark_add(g, key, col, true);
}

/*
 * Moves the text from the cursor to END right by W columns in a row that ends
 * at LAST. The overflow goes to the next row, or out of sight.
 */
static void
guess_push(struct guess *g, unsigned w, unsigned end, unsigned last)
{
	if (end + w > last) {
		/* A wide character never straddles the end of a row. */
		if (g->x + w > last ||
		    vt_line_cell(guess_line(g), last - w).width == VT_TAIL) {
			g->lost = true;
			return;
		}
		guess_marks_shift(g, last - w, end, 0);
		end = last - w;
	}
	vt_line_insert(vt_frame_own(g->f, g->y), g->x, w, end + w, 0);
	guess_marks_shift(g, g->x, end, (int)w);
}

/*
 * Returns whether a row of several lines of text would be longer than those
 * around it if it ended at END: its last word may go to the next row.
 */
static bool
guess_overflows(const struct guess *g, unsigned end)
{
	const struct guess_env *env = g->env;
	unsigned from, to, y,
	    last = MIN_OF(g->y + PREDICT_PARAGRAPH, g->f->rows - 1u);

	/* vi fills its rows. */
	if (!env->alternate || g->vi != GUESS_VI_NONE || env->margin == NULL ||
	    end <= env->margin->stays[MARGIN_TEXT] || g->y >= last ||
	    env->vi_says)
		return false;
	guess_window(g, &from, &to);
	if (guess_blank_to(g->f->lines[g->y + 1], from, to))
		return false;
	for (y = g->y - MIN_OF(g->y, PREDICT_PARAGRAPH); y <= last; y++)
		if (y != g->y && !guess_blank_to(g->f->lines[y], end - 1, to))
			return false;
	return true;
}

/*
 * Makes W columns at the cursor free. The method depends on the text right of
 * it.
 */
static void
guess_make_room(struct guess *g, unsigned w)
{
	const struct guess_env *env = g->env;
	const struct vt_line *l = guess_line(g);
	unsigned end = guess_text_end(g, g->x), last;

	if (end == g->x || env->canonical || env->keep ||
	    guess_suggested(l, g->x, g->f->cols))
		return; /* overwritten */
	/* A right prompt disappears when text reaches it. */
	if (!env->alternate && guess_blank(l, g->x) && end + 2 > g->f->cols) {
		vt_line_erase(vt_frame_own(g->f, g->y), g->x, end, 0);
		return;
	}
	/* Few programs overwrite; vi is none of them. */
	if (guess_overflows(g, end + w)) {
		g->lost = true;
		return;
	}
	if (env->alternate && !env->moves && g->vi == GUESS_VI_NONE &&
	    !env->vi_says)
		g->sure *= PREDICT_CHANCE_INSERT;
	last = guess_border(g, g->x);
	/* vi fills rows; other editors may mark a full row. */
	if ((env->margin != NULL && g->vi != GUESS_VI_INSERT &&
		margin_breaks(env->margin, MARGIN_TEXT, end + w + 1)) ||
	    (end + w > last && g->vi != GUESS_VI_INSERT) ||
	    !guess_blank_from(l, end, MIN_OF(end + w, last)))
		g->lost = true;
	else
		guess_push(g, w, end, last);
}

/*
 * Returns whether the cursor is at the start of a row below a full one. vi
 * moves there when a row gets full; the text there may belong to the next line,
 * and be about to move down.
 */
static bool
guess_astray(const struct guess *g)
{
	const struct vt_line *l = guess_line(g);
	unsigned last;

	if (g->vi != GUESS_VI_INSERT || g->x > 0 || g->y == 0 ||
	    guess_blank(l, 0))
		return false;
	last = guess_border(g, 0);
	return last > 0 && !guess_blank(g->f->lines[g->y - 1], last - 1);
}

/*
 * Keeps the end of the row's text, which blanks may hide: W columns are put at
 * the cursor.
 */
static void
guess_end_put(struct guess *g, unsigned w)
{
	if (g->end.row == g->y + 1 && g->end.col >= g->x) {
		if (!g->env->keep || g->end.col == g->x)
			g->end.col += w;
	} else if (guess_text_end(g, g->x) == g->x) {
		g->end.row = g->y + 1;
		g->end.col = g->x + w;
	}
}

/* Writes CP at the cursor. */
static void
guess_put(struct guess *g, uint32_t cp, unsigned w, size_t key)
{
	struct vt_line *l;
	bool fresh;

	/* ... unless that is to be found out. */
	if (g->x + w + !g->env->learns > guess_border(g, g->x) &&
	    g->x + w < g->f->cols) {
		g->lost = true; /* the program wraps or scrolls */
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
	guess_end_put(g, w);
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
	/*
	 * A shell's line editor wraps at once, the terminal at the next
	 * character.
	 */
	if (!g->env->canonical && !g->env->alternate)
		guess_wrap(g);
}

/* Returns whether the program breaks the line at CP; counts its doubt. */
static bool
guess_breaks(struct guess *g, enum margin_class class, unsigned w)
{
	const struct margin *m = g->env->margin;
	unsigned x = g->x + g->pending;
	unsigned end = guess_text_end(g, x) + w;

	if (m == NULL || g->env->canonical)
		return false;
	if (end == x + w && margin_breaks(m, class, end))
		return true;
	g->sure *= margin_stays(m, class, end, guess_border(g, g->x),
	    g->env->alternate && g->vi == GUESS_VI_NONE);
	return false;
}

/*
 * Returns whether the row is broken behind the character of W columns that
 * breaks it: it goes to no new row, nor does a blank whose word fits.
 */
static bool
guess_breaks_after(const struct guess *g, enum margin_class class, unsigned w)
{
	const struct margin *m = g->env->margin;

	return m->carry[class] == MARGIN_AFTER ||
	       (class == MARGIN_BLANK && m->carry[class] == MARGIN_WORD &&
		   g->x + g->pending + w == m->fits);
}

/*
 * Handles a sign that closes what a program may have closed before; returns
 * whether the cursor steps over that.
 */
static bool
guess_closes(struct guess *g, uint32_t cp)
{
	int pair = habit_closes(cp);

	if (pair < 0 || g->env->habit == NULL || g->env->canonical ||
	    g->pending || vt_line_cell(guess_line(g), g->x).ch != cp)
		return false;
	switch (habit_pairs(g->env->habit, pair)) {
	case HABIT_YES:
		g->x++;
		return true;
	case HABIT_UNKNOWN:
		g->sure *= PREDICT_PAIR_UNSURE;
		break;
	case HABIT_NO:
		break;
	}
	return false;
}

/* Closes what CP has opened, as the program does. */
static void
guess_opened(struct guess *g, uint32_t cp, size_t key)
{
	int pair = habit_opens(cp);

	if (pair < 0 || g->env->habit == NULL || g->env->canonical ||
	    g->env->keep || g->pending || g->lost ||
	    habit_pairs(g->env->habit, pair) != HABIT_YES)
		return;
	/* Some do so before a blank alone. */
	if (!guess_blank(guess_line(g), g->x))
		g->sure *= PREDICT_PAIR_UNSURE;
	if (g->x + 2 >= g->f->cols)
		g->lost = true;
	else
		guess_put(g, habit_closer(pair), 1, key);
	if (!g->lost)
		g->x--;
}

void
guess_text(struct guess *g, uint32_t cp, size_t key)
{
	int width = grapheme_cp_width(g->env->gt, cp);
	enum margin_class class;
	bool breaks, after;
	unsigned w;

	if (cp >= 0x80 && guess_joins(g, cp)) {
		guess_join(g, cp, key);
		return;
	}
	if (width != 1 && width != 2) {
		g->lost = true;
		return;
	}
	w = (unsigned)width;
	if (guess_astray(g)) {
		g->lost = true;
		return;
	}
	if (guess_closes(g, cp))
		return;
	/* The line may move up, to make room for a list. */
	if (g->env->habit != NULL && !g->env->alternate && !g->env->canonical)
		g->sure *= habit_below(g->env->habit, g->f->rows - 1u - g->y);
	class = cp == ' ' ? MARGIN_BLANK : MARGIN_TEXT;
	if (class == MARGIN_BLANK && guess_splits(g)) {
		g->lost = true;
		return;
	}
	breaks = guess_breaks(g, class, w);
	after = breaks && guess_breaks_after(g, class, w);
	if (breaks && !after)
		guess_break(g, class);
	if (g->lost || (breaks && g->env->margin->carry[class] == MARGIN_HANG))
		return;
	guess_put(g, cp, w, key);
	if (!breaks)
		guess_opened(g, cp, key);
	if (after && !g->lost)
		guess_break(g, class);
}

/* --- editing -------------------------------------------------------------- */

/* Finds the first column that editing can reach; returns false if unknown. */
bool
guess_start(const struct guess *g, unsigned *start)
{
	if (!guess_at_prompt(g->env, guess_line(g)))
		return false;
	*start = g->env->prompt_cols;
	return true;
}

/* Removes columns A..B-1; the text after them moves left. */
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
	if (g->end.row == g->y + 1 && g->end.col >= b)
		g->end.col -= b - a;
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

/*
 * Returns whether COL, before the cursor, is left of all text of its row: the
 * program may join lines there, or remove an indent.
 */
static bool
guess_joins_row(const struct guess *g, unsigned col)
{
	const struct vt_line *l = guess_line(g);
	unsigned from, to;

	guess_window(g, &from, &to);
	while (from <= col && guess_blank(l, from))
		from++;
	return from > col;
}

void
guess_backspace(struct guess *g)
{
	unsigned start = 0, col = 0, end;
	unsigned x = g->pending ? g->f->cols : g->x;
	bool known = guess_start(g, &start), reflows;
	const struct margin *m = g->env->margin;

	if (known && x <= start && x > 0)
		return;
	if (!guess_before(g, &col)) {
		/* It may move to the row above, or do nothing. */
		g->lost = !known;
		return;
	}
	if (!known && !guess_marked(g, col) &&
	    (!g->env->alternate || guess_joins_row(g, col))) {
		g->lost = true;
		return;
	}
	/* Text that went sideways comes back. */
	if (m != NULL && m->carry[MARGIN_TEXT] == MARGIN_SLIDE &&
	    m->breaks[MARGIN_TEXT] > 0 && x + 1 >= m->breaks[MARGIN_TEXT]) {
		g->lost = true;
		return;
	}
	reflows = guess_reflows(g, x, &start, &end);
	guess_remove(g, col, x);
	if (reflows)
		guess_reflow(g, start, end);
}

void
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

void
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

void
guess_right(struct guess *g)
{
	const struct vt_line *l = guess_line(g);
	unsigned x;

	if (g->pending || guess_suggested(l, g->x, g->f->cols)) {
		g->lost = true; /* the key accepts a suggestion */
		return;
	}
	if (guess_text_end(g, g->x) == g->x) {
		/*
		 * An editor knows where its line ends. A shell's line ends
		 * here, but a shell that suggests may do so now.
		 */
		g->lost = g->env->alternate || g->env->suggests;
		return;
	}
	x = g->x + (vt_line_cell(l, g->x).width == VT_WIDE ? 2 : 1);
	if (x >= g->f->cols)
		g->lost = true;
	else
		g->x = x;
}

void
guess_home(struct guess *g)
{
	unsigned start;

	if (guess_start(g, &start) && !g->pending)
		g->x = start;
	else
		g->lost = true;
}

/* Returns whether the row's text, which seems to end at END, does so. */
static bool
guess_end_known(const struct guess *g, unsigned end)
{
	return !g->pending && g->end.row == g->y + 1 && g->end.col >= end &&
	       g->end.col >= g->x && g->end.col < g->f->cols &&
	       guess_blank_to(guess_line(g), end, g->end.col) &&
	       !guess_suggested(guess_line(g), g->end.col, g->f->cols);
}

void
guess_end(struct guess *g)
{
	unsigned end = guess_text_end(g, g->x);

	if (guess_end_known(g, end)) {
		g->x = g->end.col;
		return;
	}
	if (end >= g->f->cols || g->pending || (g->tail && g->x < end) ||
	    (g->env->alternate && !guess_at_edge(g->env, guess_line(g))) ||
	    (g->env->suggests && end == g->x) ||
	    guess_suggested(guess_line(g), g->x, g->f->cols) ||
	    (end > 0 && end > g->x && guess_dim(guess_line(g), end - 1)))
		g->lost = true;
	else
		g->x = end;
}

void
guess_arrow(struct guess *g, enum habit_arrow arrow)
{
	const struct habit *h = g->env->habit;
	unsigned from, to, end;
	bool clip;
	int y;

	y = g->env->alternate && h != NULL && !g->pending &&
		    g->vi == GUESS_VI_NONE
		? habit_row(h, arrow, g->y)
		: -1;
	if (y < 0 || y >= (int)g->f->rows || y == (int)g->y) {
		g->lost = true;
		return;
	}
	(void)habit_arrow_chance(h, arrow, &clip);
	guess_window(g, &from, &to);
	/* Behind the last row or field it may go to the first. */
	if (!habit_knows_row(h, arrow, g->y) &&
	    guess_blank_to(g->f->lines[y], from, to)) {
		g->lost = true;
		return;
	}
	g->y = (unsigned)y;
	g->end.row = 0;
	if (!clip) {
		g->x = MIN_OF((unsigned)habit_col(h, g->y), g->f->cols - 1u);
		return;
	}
	for (end = to; end > from && guess_blank(guess_line(g), end - 1); end--)
		;
	g->x = MIN_OF(g->x, end);
}

/* --- words ---------------------------------------------------------------- */

static bool
guess_is_alpha(const struct vt_line *l, unsigned x)
{
	struct vt_cell c = vt_line_cell(l, x);

	return c.width == VT_TAIL || guess_is_letter(c.ch);
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

void
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
		/* bash and zsh differ if there is text after the cursor. */
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

void
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
	g->end.row = g->y + 1;
	g->end.col = g->x;
}
