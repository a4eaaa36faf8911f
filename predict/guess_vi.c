#include "predict/guess_vi.h"

#include <string.h>

#include "predict/guess_int.h"

#define VI_ESCAPE 033

/* --- modes ---------------------------------------------------------------- */

static bool
vi_in(const char *set, uint32_t cp)
{
	return cp > 0 && cp < 0x80 && strchr(set, (int)cp) != NULL;
}

/* Returns the mode after the second key of a command that began with OP. */
static enum guess_vi
vi_second(uint32_t op, uint32_t cp)
{
	if (op == 'c' && vi_in("cwWeEbB$0^hljk", cp))
		return GUESS_VI_INSERT;
	if (vi_in("dy<>=", op) &&
	    (cp == op || vi_in("wWeEbB$0^hljkG{}()%nN", cp)))
		return GUESS_VI_NORMAL;
	if (op == 'g' && vi_in("geE_0$", cp))
		return GUESS_VI_NORMAL;
	if (vi_in("zrfFtTm@'`\"q", op))
		return GUESS_VI_NORMAL;
	return GUESS_VI_UNSURE;
}

static enum guess_vi
vi_first(uint32_t cp, uint32_t *op)
{
	*op = cp;
	if (vi_in("iaIAoOsSC", cp))
		return GUESS_VI_INSERT;
	if (vi_in("dcy<>=gzrfFtTm@'`\"q", cp))
		return GUESS_VI_PREFIX;
	if (vi_in("RvV123456789!Z[]&Q/?", cp))
		return GUESS_VI_UNSURE;
	return cp == ':' ? GUESS_VI_COMMAND : GUESS_VI_NORMAL;
}

enum guess_vi
guess_vi_next(enum guess_vi mode, uint32_t *op, const struct guess_key *k)
{
	bool text = k->act == GUESS_TEXT;

	if (mode == GUESS_VI_NONE)
		return mode;
	if (k->act == GUESS_UNKNOWN && k->cp == VI_ESCAPE) {
		*op = 0;
		return GUESS_VI_NORMAL;
	}
	switch (mode) {
	case GUESS_VI_INSERT:
		return k->act == GUESS_UNKNOWN && k->cp != GUESS_NO_KEY
			   ? GUESS_VI_UNSURE
			   : mode;
	case GUESS_VI_NORMAL:
		if (text)
			return vi_first(k->cp, op);
		return k->act == GUESS_UNKNOWN ? GUESS_VI_UNSURE : mode;
	case GUESS_VI_PREFIX:
		return text ? vi_second(*op, k->cp) : GUESS_VI_UNSURE;
	case GUESS_VI_COMMAND:
		if (k->act == GUESS_ENTER)
			return GUESS_VI_NORMAL;
		return text || k->act == GUESS_BACKSPACE ? mode
							 : GUESS_VI_UNSURE;
	case GUESS_VI_NONE:
	case GUESS_VI_UNSURE:
		break;
	}
	return GUESS_VI_UNSURE;
}

/* --- the screen ----------------------------------------------------------- */

bool
guess_vi_inserts(const struct vt_frame *f)
{
	static const char said[] = "-- INSERT --";
	const struct vt_line *l = f->lines[f->rows - 1];
	unsigned i;

	if (f->cols < sizeof(said) || f->state.y + 1u == f->rows ||
	    (f->state.modes & VT_FRAME_ALTERNATE) == 0)
		return false;
	for (i = 0; said[i] != '\0'; i++)
		if (vt_line_cell(l, i).ch != (uint32_t)said[i] &&
		    (said[i] != ' ' || vt_line_cell(l, i).ch != 0))
			return false;
	return true;
}

unsigned
guess_vi_fixed(const struct vt_frame *f)
{
	const struct pen *pen;

	if (f->rows < 3)
		return 1;
	pen = vt_line_pen(f->lines[f->rows - 2], 0);
	return (pen->attrs & PEN_REVERSE) != 0 ||
		       colour_kind(pen->bg) != COLOUR_KIND_DEFAULT
		   ? 2
		   : 1;
}

static bool
vi_blank(const struct vt_line *l, unsigned x)
{
	uint32_t ch = vt_line_cell(l, x).ch;

	return ch == 0 || ch == ' ';
}

static bool
vi_digit(const struct vt_line *l, unsigned x)
{
	uint32_t ch = vt_line_cell(l, x).ch;

	return ch >= '0' && ch <= '9';
}

/* Returns the length of a row's text; -1: not a single simple line. */
static int
vi_length(const struct guess *g, unsigned y)
{
	const struct vt_line *l = g->f->lines[y];
	unsigned x, n = 0, at = 0;

	for (x = 0; x < g->f->cols; x++) {
		if (vt_line_cell(l, x).width != VT_NARROW &&
		    vt_line_cell(l, x).width < VT_TAB)
			return -1;
		if (!vi_blank(l, x))
			n = x + 1;
	}
	/*
	 * Unknown if the text may continue in the next row, or line numbers
	 * precede it.
	 */
	while (at < n && vi_blank(l, at))
		at++;
	if (n == g->f->cols || (at < n && vi_digit(l, at)) ||
	    (n == 1 && vi_in("~@", vt_line_cell(l, 0).ch)))
		return -1;
	return (int)n;
}

/* A blank there may be part of a tab. */
static bool
vi_tab(const struct vt_line *l, unsigned x)
{
	return vi_blank(l, x) && (x == 0 || vi_blank(l, x - 1));
}

static int
vi_kind(const struct vt_line *l, unsigned x)
{
	uint32_t ch = vt_line_cell(l, x).ch;

	if (vi_blank(l, x))
		return 0;
	if (ch >= 0x80 || ch == '_' || vi_digit(l, x) ||
	    (ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z'))
		return 2;
	return 1;
}

/* --- moving --------------------------------------------------------------- */

static void
vi_up_down(struct guess *g, int by)
{
	unsigned last = g->f->rows - guess_vi_fixed(g->f);
	int y = (int)g->y + by, n;

	if (y < 0 || y >= (int)last || (n = vi_length(g, (unsigned)y)) < 0) {
		g->lost = true;
		return;
	}
	if (g->vi_want < 0) {
		g->lost = true;
		return;
	}
	g->y = (unsigned)y;
	g->x = (unsigned)MIN_OF(g->vi_want, MAX_OF(n - 1, 0));
	if (n > 0 && vi_tab(g->f->lines[y], g->x))
		g->lost = true;
}

static unsigned
vi_word_end(const struct vt_line *l, unsigned x, unsigned n)
{
	int kind = vi_kind(l, x);

	while (x < n && vi_kind(l, x) == kind)
		x++;
	return x;
}

/* Returns the start of the line's next word; N: none. */
static unsigned
vi_word(const struct vt_line *l, unsigned x, unsigned n)
{
	if (vi_kind(l, x) != 0)
		x = vi_word_end(l, x, n);
	while (x < n && vi_blank(l, x))
		x++;
	return x;
}

static unsigned
vi_word_back(const struct vt_line *l, unsigned x)
{
	int kind;

	while (x > 0 && vi_blank(l, x - 1))
		x--;
	if (x == 0)
		return 0;
	kind = vi_kind(l, x - 1);
	while (x > 0 && vi_kind(l, x - 1) == kind)
		x--;
	return x;
}

static void
vi_move(struct guess *g, uint32_t cp, unsigned n)
{
	const struct vt_line *l = g->f->lines[g->y];
	unsigned x = g->x;

	switch (cp) {
	case 'h':
		x -= x > 0;
		break;
	case 'l':
		x += x + 1 < n;
		break;
	case '0':
		x = 0;
		break;
	case '^':
		for (x = 0; x < n && vi_blank(l, x); x++)
			;
		break;
	case '$':
		x = n > 0 ? n - 1 : 0;
		g->lost = n == 0; /* trailing blanks are invisible */
		break;
	case 'w':
		x = vi_word(l, x, n);
		g->lost = x >= n;
		break;
	case 'e':
		for (x++; x < n && vi_blank(l, x); x++)
			;
		g->lost = x >= n;
		if (!g->lost)
			x = vi_word_end(l, x, n) - 1;
		break;
	default: /* b */
		g->lost = x == 0;
		x = vi_word_back(l, x);
		break;
	}
	if (n > 0 && !g->lost && vi_tab(l, x) && (cp != '0' || vi_blank(l, 0)))
		g->lost = true;
	g->x = x;
}

/* --- changing ------------------------------------------------------------- */

static void
vi_delete(struct guess *g, unsigned from, unsigned to)
{
	struct vt_line *l = vt_frame_own(g->f, g->y);

	if (from >= to)
		return;
	vt_line_delete(l, from, to - from, g->f->cols, 0);
	guess_marks_shift(g, from, to, 0);
	guess_marks_shift(g, to, g->f->cols, -(int)(to - from));
}

/* After a command the cursor is on a character. */
static void
vi_on(struct guess *g, unsigned n)
{
	if (g->x >= n)
		g->x = n > 0 ? n - 1 : 0;
}

static void
vi_open(struct guess *g, unsigned n)
{
	const struct vt_line *l = g->f->lines[g->y];

	/* Text to the left, or in the next row of the line, is unknown. */
	if (n > 0 && vi_kind(l, 0) != 2) {
		g->lost = true;
		return;
	}
	guess_open(g, guess_vi_fixed(g->f));
	g->x = 0;
}

/* Moves the cursor to X; behind the last column the editor knows better. */
static void
vi_behind(struct guess *g, unsigned x)
{
	g->lost = x >= g->f->cols;
	if (!g->lost)
		g->x = x;
}

static void
vi_first_key(struct guess *g, uint32_t cp, size_t key, unsigned n)
{
	const struct vt_line *l = g->f->lines[g->y];

	switch (cp) {
	case 'i':
		break;
	case 'a':
		if (n > 0)
			vi_behind(g, g->x + 1);
		break;
	case 'I':
		vi_move(g, '^', n);
		break;
	case 'A':
		vi_behind(g, n);
		g->lost |= n == 0;
		break;
	case 'o':
		vi_open(g, n);
		break;
	case 'x':
	case 's':
		g->lost = n == 0 || vi_tab(l, g->x);
		vi_delete(g, g->x, g->x + 1);
		if (cp == 'x')
			vi_on(g, n - 1);
		break;
	case 'C':
	case 'D':
		vi_delete(g, g->x, n);
		if (cp == 'D')
			vi_on(g, g->x);
		break;
	case ':':
		g->y = g->f->rows - 1u;
		g->x = 0;
		vt_line_erase(vt_frame_own(g->f, g->y), 0, g->f->cols, 0);
		guess_marks_shift(g, 0, g->f->cols, 0);
		guess_text(g, cp, key);
		break;
	default:
		g->lost = true;
	}
}

static void
vi_second_key(struct guess *g, uint32_t op, uint32_t cp, unsigned n)
{
	const struct vt_line *l = g->f->lines[g->y];
	unsigned to;

	if (n == 0 || vi_blank(l, g->x) || cp != 'w') {
		g->lost = true;
	} else if (op == 'c') {
		vi_delete(g, g->x, vi_word_end(l, g->x, n));
	} else if (op == 'd') {
		to = vi_word(l, g->x, n);
		vi_delete(g, g->x, to);
		vi_on(g, n - (to - g->x));
	} else {
		g->lost = true;
	}
}

/* --- keys ----------------------------------------------------------------- */

/* Returns the columns of the line number and a blank. */
static unsigned
vi_gutter(const struct guess *g)
{
	const struct vt_line *l = g->f->lines[g->y];
	unsigned x = 0, n;

	while (x + 1 < g->f->cols && vi_blank(l, x))
		x++;
	for (n = 0; x + 1 < g->f->cols && vi_digit(l, x); n++)
		x++;
	return n > 0 && vi_blank(l, x) ? x + 1 : 0;
}

static void
vi_escape(struct guess *g)
{
	/* At the start of the text, after the line number, it stays. */
	if (g->pending || (g->x > 0 && g->x == vi_gutter(g)))
		g->lost = true;
	else
		g->x -= g->x > 0;
}

void
guess_vi_init(struct guess *g)
{
	if (g->env->vi_late)
		vi_escape(g);
	/* After a move to the end of a line, j and k may aim further right. */
	g->vi_want = (int)g->x;
	if (g->vi != GUESS_VI_NONE && vi_in("jk$", g->vi_op) &&
	    (int)g->x + 1 >= vi_length(g, g->y))
		g->vi_want = -1;
}

static void
vi_normal(struct guess *g, const struct guess_key *k, size_t key)
{
	enum guess_vi mode = g->vi;
	uint32_t op = g->vi_op;
	int n = vi_length(g, g->y);

	g->vi = guess_vi_next(mode, &g->vi_op, k);
	if (k->act == GUESS_UNKNOWN && k->cp == VI_ESCAPE)
		return;
	/* In a window beside another, the row's ends are not the line's. */
	if (k->act != GUESS_TEXT || n < 0 || g->pending ||
	    (k->cp != ':' && k->cp != 'i' && guess_border(g, 0) < g->f->cols) ||
	    g->y >= g->f->rows - guess_vi_fixed(g->f)) {
		g->lost = true;
	} else if (mode == GUESS_VI_PREFIX) {
		vi_second_key(g, op, k->cp, (unsigned)n);
	} else if (k->cp == 'j' || k->cp == 'k') {
		vi_up_down(g, k->cp == 'j' ? 1 : -1);
	} else if (vi_in("hl0^$web", k->cp)) {
		vi_move(g, k->cp, (unsigned)n);
	} else if (g->vi != GUESS_VI_PREFIX) {
		vi_first_key(g, k->cp, key, (unsigned)n);
	}
	if (k->cp == '$')
		g->vi_want = g->f->cols;
	else if (k->cp != 'j' && k->cp != 'k')
		g->vi_want = (int)g->x;
}

bool
guess_vi_step(struct guess *g, const struct guess_key *k, size_t key)
{
	switch (g->vi) {
	case GUESS_VI_INSERT:
		g->vi = guess_vi_next(g->vi, &g->vi_op, k);
		/* vi may indent it as the line of its bracket. */
		if (k->act == GUESS_TEXT && k->cp == '}' && g->x > 0 &&
		    vi_tab(g->f->lines[g->y], g->x - 1)) {
			g->lost = true;
			return true;
		}
		if (g->vi != GUESS_VI_NORMAL)
			return false;
		vi_escape(g);
		g->vi_want = (int)g->x;
		return true;
	case GUESS_VI_NORMAL:
	case GUESS_VI_PREFIX:
		vi_normal(g, k, key);
		return true;
	case GUESS_VI_COMMAND:
		g->vi = guess_vi_next(g->vi, &g->vi_op, k);
		if (k->act == GUESS_TEXT)
			guess_text(g, k->cp, key);
		else if (k->act == GUESS_BACKSPACE && g->x > 1)
			guess_backspace(g);
		else
			g->lost = true;
		return true;
	case GUESS_VI_NONE:
	case GUESS_VI_UNSURE:
		break;
	}
	return false;
}
