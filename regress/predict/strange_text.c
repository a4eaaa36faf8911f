/*
 * Full-screen editors.
 */
#include <stdio.h>
#include <string.h>

#include "regress/predict/strange_int.h"

enum text_wrap {
	TEXT_HARD,  /* breaks lines in the text, between words */
	TEXT_SOFT,  /* shows long lines in several rows, between words */
	TEXT_CHARS, /* the same at any character */
	TEXT_SLIDE, /* moves the row sideways */
	TEXT_WRAPS,
};

#define TEXT_COLS 1024 /* of a line, at most */

struct text_line {
	uint32_t ch[TEXT_COLS];
	unsigned n;
	bool hard; /* a break began it */
};

struct text {
	/* traits */
	enum text_wrap wrap;
	unsigned width;        /* columns of text in a row */
	bool late;             /* breaks at a blank behind the margin */
	bool hangs;            /* a blank at the margin stays in its row */
	unsigned hang;         /* indent of the rows that follow */
	unsigned x0, y0, w, h; /* its window */
	unsigned gutter;       /* columns of line numbers */
	bool relative, indents, bullets, pairs, over, gap_row;
	unsigned tab;
	bool modal, counts, current, spells, dash;
	unsigned status; /* 0: none, 1: last row, 2: first row */
	unsigned scroll; /* 0: a row, 1: half a page, 2: always centred */
	bool bars, below;
	const char *comment;
	/* state */
	struct text_line line[STRANGE_ROWS];
	unsigned n, row, at, top, left;
	bool insert, changed;
};

/* --- layout ---------------------------------------------------------------- */

/* Returns where the row of line L that begins at FROM ends. */
static unsigned
text_row_end(const struct text *t, const struct text_line *l, unsigned from)
{
	unsigned w = t->width - (from > 0 ? t->hang : 0), end = from + w, i;

	if (t->wrap == TEXT_HARD || t->wrap == TEXT_SLIDE || l->n <= end)
		return l->n;
	if (t->wrap == TEXT_CHARS)
		return end;
	/* A blank at the margin belongs to the row that it ends. */
	if (t->hangs && l->ch[end] == ' ')
		return end + 1;
	for (i = end; i > from && l->ch[i - 1] != ' '; i--)
		;
	return i > from ? i : end;
}

/* Returns the rows of line L; with AT, also its row and column there. */
static unsigned
text_rows(const struct text *t, const struct text_line *l, unsigned at,
    unsigned *y, unsigned *x)
{
	unsigned from = 0, end, rows = 0;

	for (;; from = end, rows++) {
		end = text_row_end(t, l, from);
		if (at >= from && (at < end || end >= l->n)) {
			*y = rows;
			*x = at - from + (from > 0 ? t->hang : 0);
		}
		if (end >= l->n)
			break;
	}
	/* Without room for the cursor it waits in the next row. */
	if (t->wrap == TEXT_CHARS && at == l->n && *x >= t->width) {
		*x = t->hang;
		++*y;
		rows++;
	}
	if (t->wrap != TEXT_SLIDE && t->wrap != TEXT_HARD && *x > t->width)
		*x = t->width;
	return rows + 1;
}

/* Returns whether the cursor's line ends with a row for the cursor alone. */
static bool
text_waits(const struct text *t, unsigned line)
{
	const struct text_line *l = &t->line[line];
	unsigned from = 0, end, x;

	if (t->wrap != TEXT_CHARS || line != t->row || t->at < l->n)
		return false;
	while ((end = text_row_end(t, l, from)) < l->n)
		from = end;
	x = l->n - from + (from > 0 ? t->hang : 0);
	return x >= t->width;
}

/* Returns the cursor's row below the first line shown. */
static unsigned
text_below(const struct text *t, unsigned *x)
{
	unsigned i, y = 0, row = 0, skip;

	for (i = t->top; i < t->row; i++)
		row += text_rows(t, &t->line[i], 0, &skip, x);
	(void)text_rows(t, &t->line[t->row], t->at, &y, x);
	return row + y;
}

static void
text_scroll(struct text *t)
{
	unsigned x, y, old = t->top;

	if (t->row < t->top)
		t->top = t->row;
	if (t->scroll == 2)
		for (t->top = t->row;
		     t->top > 0 && text_below(t, &x) < t->h / 2;)
			t->top--;
	y = text_below(t, &x);
	while (y >= t->h && t->top < t->row) {
		t->top += 1;
		y = text_below(t, &x);
		if (y < t->h && t->scroll == 1 && old != t->top) {
			old = t->top;
			t->top = MIN_OF(t->top + t->h / 2, t->row);
			y = text_below(t, &x);
		}
	}
}

/* --- drawing --------------------------------------------------------------- */

static enum strange_pen
text_pen(const struct text *t, const struct text_line *l, unsigned i)
{
	unsigned a = i, b = i;

	if (!t->spells || l->ch[i] <= ' ')
		return STRANGE_PLAIN;
	while (a > 0 && l->ch[a - 1] > ' ')
		a--;
	while (b < l->n && l->ch[b] > ' ')
		b++;
	return (b - a) % 5 == 3 && b < l->n ? STRANGE_RED : STRANGE_PLAIN;
}

static void
text_number(struct strange *s, const struct text *t, unsigned line, unsigned y)
{
	char number[16];
	unsigned n = line + 1;

	if (t->gutter == 0)
		return;
	if (t->relative && line != t->row)
		n = line > t->row ? line - t->row : t->row - line;
	snprintf(number, sizeof(number), "%*u ", (int)t->gutter - 1, n);
	strange_draw(s, t->x0, t->y0 + y, t->gutter,
	    line == t->row ? STRANGE_BOLD : STRANGE_GREY, number);
}

static void
text_status(struct strange *s, const struct text *t, unsigned x)
{
	char text[160];
	unsigned words = 0, i, k;

	for (i = 0; i < t->n; i++)
		for (k = 0; k < t->line[i].n; k++)
			words += t->line[i].ch[k] > ' ' &&
				 (k == 0 || t->line[i].ch[k - 1] == ' ');
	if (t->status == 0)
		return;
	if (t->counts)
		snprintf(text, sizeof(text),
		    " %s%s  notes.txt   line %u col %u  %u words",
		    !t->modal   ? ""
		    : t->insert ? "EDIT"
				: "MOVE",
		    t->changed ? " *" : "", t->row + 1, x + 1, words);
	else
		snprintf(text, sizeof(text), "%s notes.txt%s",
		    !t->modal   ? ""
		    : t->insert ? "EDIT"
				: "MOVE",
		    t->changed ? " [+]" : "");
	strange_draw(s, 0, t->status == 1 ? s->rows - 1 : 0, s->cols,
	    STRANGE_REVERSE, text);
}

static void
text_row_draw(struct strange *s, const struct text *t, unsigned line,
    unsigned from, unsigned end, unsigned y)
{
	const struct text_line *l = &t->line[line];
	unsigned x = t->x0 + t->gutter + (from > 0 ? t->hang : 0), i;

	if (from == 0)
		text_number(s, t, line, y);
	if (t->wrap == TEXT_SLIDE && line == t->row)
		from = t->left;
	for (i = from; i < end && x < t->x0 + t->w; i++, x++)
		strange_cell_at(s, x, t->y0 + y, text_pen(t, l, i), l->ch[i]);
}

static void
text_paint(struct strange *s, struct text *t)
{
	unsigned line, from, end, x = 0, y = 0, row;

	text_scroll(t);
	row = text_below(t, &x);
	if (t->wrap == TEXT_SLIDE) {
		while (x - t->left >= t->width && x >= t->left)
			t->left += t->width / 3 + 1;
		while (x < t->left)
			t->left = t->left > t->width / 3 + 1
				      ? t->left - t->width / 3 - 1
				      : 0;
		x -= t->left;
	}
	strange_clear(s, t->x0, t->y0, t->w, t->h);
	for (line = t->top; line < t->n && y < t->h; line++)
		for (from = 0;; from = end) {
			end = text_row_end(t, &t->line[line], from);
			if (y < t->h)
				text_row_draw(s, t, line, from, end, y);
			y++;
			if (end < t->line[line].n)
				continue;
			/* The cursor may wait in a row of its own. */
			y += text_waits(t, line);
			break;
		}
	text_status(s, t, x);
	s->x = MIN_OF(t->x0 + t->gutter + x, s->cols - 1);
	s->y = t->y0 + MIN_OF(row, t->h - 1);
	strange_flush(s);
}

/* --- editing --------------------------------------------------------------- */

static void
text_insert(struct text *t, uint32_t cp)
{
	struct text_line *l = &t->line[t->row];

	if (l->n + 8 >= TEXT_COLS)
		return;
	if (t->over && t->at < l->n) {
		l->ch[t->at++] = cp;
		return;
	}
	memmove(
	    l->ch + t->at + 1, l->ch + t->at, (l->n - t->at) * sizeof(*l->ch));
	l->ch[t->at++] = cp;
	l->n++;
}

static void
text_split(struct text *t, unsigned at)
{
	struct text_line *l;

	if (t->n == STRANGE_ROWS) { /* forgets the oldest */
		memmove(
		    &t->line[0], &t->line[1], (t->n - 1) * sizeof(t->line[0]));
		t->n--;
		t->row--;
		t->top -= t->top > 0;
	}
	l = &t->line[t->row];
	memmove(l + 1, l, (t->n - t->row) * sizeof(*l));
	t->n++;
	l[1].n = l->n - at;
	memcpy(l[1].ch, l[0].ch + at, l[1].n * sizeof(*l->ch));
	l[0].n = at;
	l[1].hard = false;
	t->row++;
	t->at = 0;
}

/* Puts TEXT before the cursor. */
static void
text_put(struct text *t, const char *text)
{
	for (; *text != '\0'; text++)
		text_insert(t, (unsigned char)*text);
}

static unsigned
text_indent(const struct text_line *l)
{
	unsigned i = 0;

	while (i < l->n && l->ch[i] == ' ')
		i++;
	return i;
}

/* Begins the line that follows the split as its style wants. */
static void
text_lead(struct text *t, const struct text_line *above, bool broken)
{
	unsigned indent = t->indents ? text_indent(above) : 0, i;
	bool bullet =
	    t->bullets && above->n > indent + 1 && above->ch[indent] == '-';

	for (i = 0; i < indent; i++)
		text_insert(t, ' ');
	if (bullet)
		text_put(t, broken ? "  " : "- ");
	else if (broken && !above->hard)
		for (i = 0; i < t->hang; i++)
			text_insert(t, ' ');
	t->line[t->row].hard = broken;
	if (t->comment[0] != '\0' && above->n > indent &&
	    above->ch[indent] == (uint32_t)t->comment[0])
		text_put(t, t->comment);
}

/* Breaks the line between words if it is too long. */
static void
text_break(struct strange *s, struct text *t)
{
	struct text_line *l = &t->line[t->row];
	unsigned i = t->width, at = t->at, lead;
	bool over = t->over;

	if (t->wrap != TEXT_HARD || l->n <= t->width || t->at != l->n)
		return;
	if (l->ch[l->n - 1] == ' ' ? !t->late : t->late)
		return;
	while (i > 0 && l->ch[i] != ' ')
		i--;
	if (i <= text_indent(l) + 2)
		return;
	strange_cause(s, STRANGE_BREAK);
	lead = i;
	while (lead < l->n && l->ch[lead] == ' ')
		lead++;
	at = at > lead ? at - lead : 0;
	text_split(t, lead);
	l = &t->line[t->row - 1];
	while (l->n > 0 && l->ch[l->n - 1] == ' ' && !t->hangs)
		l->n--;
	t->at = 0;
	t->over = false;
	text_lead(t, l, true);
	t->over = over;
	t->at += at;
}

static void
text_enter(struct strange *s, struct text *t)
{
	bool over = t->over;

	strange_cause(s, STRANGE_RETURN);
	text_split(t, t->at);
	t->over = false;
	text_lead(t, &t->line[t->row - 1], false);
	if (t->gap_row) {
		text_split(t, t->at);
		t->at = 0;
	}
	t->over = over;
}

static void
text_backspace(struct strange *s, struct text *t)
{
	struct text_line *l = &t->line[t->row];
	unsigned n = 1, indent = text_indent(l);

	if (t->at > 0) {
		if (t->tab > 0 && t->at == indent && t->at % t->tab == 0 &&
		    t->at >= t->tab) {
			n = t->tab;
			strange_cause(s, STRANGE_FIELD);
		}
		memmove(l->ch + t->at - n, l->ch + t->at,
		    (l->n - t->at) * sizeof(*l->ch));
		l->n -= n;
		t->at -= n;
		return;
	}
	if (t->row == 0 || l[-1].n + l->n + 8 >= TEXT_COLS)
		return;
	strange_cause(s, STRANGE_JOIN);
	t->at = l[-1].n;
	memcpy(l[-1].ch + t->at, l->ch, l->n * sizeof(*l->ch));
	l[-1].n += l->n;
	memmove(l, l + 1, (t->n - t->row - 1) * sizeof(*l));
	t->n--;
	t->row--;
}

static void
text_char(struct strange *s, struct text *t, uint32_t cp)
{
	static const char open[] = "([{\"", shut[] = ")]}\"";
	struct text_line *l = &t->line[t->row];
	const char *p = cp < 0x7f ? strchr(open, (int)cp) : NULL;

	t->changed = true;
	if (t->pairs && t->at < l->n && l->ch[t->at] == cp && cp < 0x7f &&
	    strchr(shut, (int)cp) != NULL) {
		strange_cause(s, STRANGE_CLOSE);
		t->at++;
		return;
	}
	if (t->dash && cp == '-' && t->at > 0 && l->ch[t->at - 1] == '-') {
		strange_cause(s, STRANGE_CLOSE);
		l->ch[t->at - 1] = 0x2014;
		return;
	}
	text_insert(t, cp);
	if (t->pairs && p != NULL && *p != '\0' && !t->over) {
		strange_cause(s, STRANGE_CLOSE);
		text_insert(t, (unsigned char)shut[p - open]);
		t->at--;
	}
	text_break(s, t);
}

static void
text_move(struct strange *s, struct text *t, key_code key)
{
	struct text_line *l = &t->line[t->row];

	switch (key) {
	case KEY_LEFT:
	case 'h':
		t->at -= t->at > 0;
		return;
	case KEY_RIGHT:
	case 'l':
		t->at += t->at < l->n;
		return;
	case KEY_HOME:
	case KEY_CTRL | 'a':
	case '0':
		t->at = 0;
		return;
	case KEY_END:
	case KEY_CTRL | 'e':
	case '$':
		t->at = l->n;
		return;
	case KEY_UP:
	case 'k':
		t->row -= t->row > 0;
		break;
	default:
		t->row += t->row + 1 < t->n;
		break;
	}
	strange_cause(s, STRANGE_FIELD);
	t->at = MIN_OF(t->at, t->line[t->row].n);
}

static void
text_command(struct strange *s, struct text *t, key_code key)
{
	struct text_line *l = &t->line[t->row];

	strange_cause(s, STRANGE_MODE);
	switch (key) {
	case 'i':
	case 'a':
	case 'A':
		t->insert = true;
		if (key == 'A')
			t->at = l->n;
		else
			t->at += key == 'a' && t->at < l->n;
		break;
	case 'o':
		t->insert = true;
		t->at = l->n;
		text_enter(s, t);
		break;
	case 'x':
		if (t->at < l->n) {
			t->at++;
			text_backspace(s, t);
		}
		break;
	case 'h':
	case 'j':
	case 'k':
	case 'l':
	case '0':
	case '$':
	case KEY_LEFT:
	case KEY_RIGHT:
	case KEY_UP:
	case KEY_DOWN:
		text_move(s, t, key);
		break;
	default:
		break;
	}
}

static void
text_edit(struct strange *s, struct text *t, key_code key)
{
	unsigned i;

	switch (key) {
	case KEY_ENTER:
		text_enter(s, t);
		break;
	case KEY_BSPACE:
		text_backspace(s, t);
		break;
	case KEY_TAB:
		strange_cause(s, STRANGE_FIELD);
		for (i = 0; i < MAX_OF(t->tab, 2u); i++)
			text_insert(t, ' ');
		break;
	case KEY_ESCAPE:
		strange_cause(s, STRANGE_MODE);
		if (t->modal)
			t->insert = false;
		break;
	case KEY_LEFT:
	case KEY_RIGHT:
	case KEY_UP:
	case KEY_DOWN:
	case KEY_HOME:
	case KEY_END:
	case KEY_CTRL | 'a':
	case KEY_CTRL | 'e':
		text_move(s, t, key);
		break;
	default:
		if (key >= ' ' && key < KEY_SPECIAL)
			text_char(s, t, (uint32_t)key);
		break;
	}
}

static void
text_key(struct strange *s, key_code key)
{
	struct text *t = s->own;
	unsigned x, y = text_below(t, &x), top = t->top, left = t->left;
	bool enter = key == KEY_ENTER;

	if (t->insert)
		text_edit(s, t, key);
	else
		text_command(s, t, key);
	text_paint(s, t);
	if (t->top != top || t->left != left)
		strange_cause(s, STRANGE_SCROLL);
	if (text_below(t, &x) != y && !enter)
		strange_cause(s, STRANGE_BREAK);
}

/* --- the typist ------------------------------------------------------------ */

static void
text_plan(struct strange *s)
{
	struct text *t = s->own;
	char text[256];
	unsigned i, n = 1 + chance_below(&s->mind, 6);

	if (!t->insert) {
		for (i = 0; i + 2 < n; i++)
			strange_type_one(s, "hjkl0$");
		strange_type_one(s, "iaAo");
	}
	switch (chance_below(&s->mind, 12)) {
	case 0:
		strange_type(s, KEY_ENTER);
		if (t->bullets && chance_below(&s->mind, 2))
			strange_type_text(s, "- ");
		else if (t->comment[0] != '\0')
			strange_type_text(s, t->comment);
		break;
	case 1:
		strange_type(s, KEY_ENTER);
		strange_type(s, KEY_ENTER);
		break;
	case 2:
		for (i = 0; i < n; i++)
			strange_type(s, KEY_LEFT);
		strange_type_text(s, strange_word(&s->mind));
		strange_type_text(s, " ");
		strange_type(s, KEY_END);
		break;
	case 3:
		strange_type(s, chance_below(&s->mind, 2) ? KEY_UP : KEY_DOWN);
		strange_type(s, KEY_END);
		break;
	case 4:
		if (t->modal)
			strange_type(s, KEY_ESCAPE);
		return;
	case 5:
		strange_type_text(s, "see (the note) and \"this\" -- ");
		break;
	default:
		break;
	}
	strange_sentence(s, text, sizeof(text), 4 + 2 * n);
	strange_type_text(s, text);
}

/* --- traits ---------------------------------------------------------------- */

static void
text_window(struct strange *s, struct text *t)
{
	unsigned y;

	t->status = strange_pick(s, 3);
	t->w = s->cols;
	t->h = s->rows - (t->status > 0);
	t->y0 = t->status == 2;
	t->bars = strange_often(s, 20);
	t->below = strange_often(s, 12);
	if (t->below) {
		t->h = t->h / 2 + strange_pick(s, 5);
		for (y = t->y0 + t->h; y + (t->status == 1) < s->rows; y++)
			strange_draw(s, 0, y, s->cols,
			    y == t->y0 + t->h ? STRANGE_BAR : STRANGE_PLAIN,
			    strange_word(&s->chance));
	}
	if (t->bars) {
		t->w = s->cols / 2 + strange_pick(s, 12) - 6;
		if (strange_often(s, 50))
			t->x0 = s->cols - t->w;
		for (y = 0; y < t->h; y++) {
			strange_cell_at(s, t->x0 > 0 ? t->x0 - 1 : t->w,
			    t->y0 + y, STRANGE_PLAIN, 0x2502);
			strange_draw(s, t->x0 > 0 ? 0 : t->w + 1, t->y0 + y, 10,
			    STRANGE_PLAIN, strange_word(&s->chance));
		}
		t->w -= t->x0 == 0 ? 0 : 1;
		t->x0 += t->x0 > 0;
		if (t->x0 + t->w > s->cols)
			t->w = s->cols - t->x0;
	} else if (strange_often(s, 25)) {
		t->x0 = strange_pick(s, 16);
		t->w -= t->x0;
	}
}

static void
text_begin(struct strange *s)
{
	static const char *const comments[] = { "", "", "", "// ", "# ", "> " };
	struct text *t = mem_zalloc(sizeof(*t));
	unsigned words, i, n;
	char text[256];

	s->own = t;
	strange_screen(s);
	text_window(s, t);
	t->gutter = strange_often(s, 25) ? 3 + strange_pick(s, 4) : 0;
	t->relative = strange_often(s, 15);
	t->wrap = strange_pick(s, 10) < 4   ? TEXT_HARD
		  : strange_pick(s, 10) < 6 ? TEXT_SOFT
					    : 2 + strange_pick(s, 2);
	t->width = t->w - t->gutter - 1;
	if (t->width > 34 && strange_often(s, 60))
		t->width = 30 + strange_pick(s, t->width - 30);
	t->late = strange_often(s, 30);
	t->hangs = strange_often(s, 50);
	t->hang = strange_often(s, 15) ? 2 + strange_pick(s, 3) : 0;
	t->indents = strange_often(s, 60);
	t->bullets = strange_often(s, 40);
	t->pairs = strange_often(s, 20);
	t->over = strange_often(s, 6);
	t->gap_row = strange_often(s, 8);
	t->tab = strange_often(s, 30) ? 2 + 2 * strange_pick(s, 2) : 0;
	t->modal = strange_often(s, 30);
	t->insert = !t->modal;
	t->counts = strange_often(s, 60);
	t->spells = strange_often(s, 25);
	t->dash = strange_often(s, 8);
	t->scroll = strange_pick(s, 3);
	t->comment = comments[strange_pick(s, ARRAY_LEN(comments))];
	/* Earlier text, broken as this program does. */
	t->n = 1;
	n = strange_often(s, 50) ? strange_pick(s, 8) : 0;
	for (i = 0; i < n; i++) {
		words = 3 + chance_below(&s->chance, 30);
		strange_sentence(s, text, sizeof(text), words);
		for (words = 0; text[words] != '\0'; words++)
			text_char(s, t, (unsigned char)text[words]);
		text_enter(s, t);
	}
	if (n > 0 && strange_often(s, 25))
		t->row = strange_pick(s, t->n);
	t->at = t->line[t->row].n;
	t->changed = false;
	text_paint(s, t);
}

const struct strange_kind strange_prose = { "editor", STRANGE_PROSE, 30,
	text_begin, text_key, text_plan };
