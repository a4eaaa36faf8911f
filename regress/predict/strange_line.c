/*
 * Line editors: shells, interpreters, and programs whose lines the kernel
 * edits.
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "regress/predict/strange_int.h"

enum line_part {
	LINE_USER = 1 << 0,
	LINE_PATH = 1 << 1,
	LINE_BRANCH = 1 << 2,
	LINE_COUNT = 1 << 3,
	LINE_CLOCK = 1 << 4,
	LINE_STATUS = 1 << 5,
};

enum line_state {
	LINE_EDITS,
	LINE_MORE,   /* the rest of a command */
	LINE_ASKED,  /* a command has asked for a line */
	LINE_SECRET, /* ... for a password */
};

struct line {
	/* traits */
	bool repl, cooked;
	unsigned above, parts, parts_above, indent;
	const char *end, *more;
	bool blank_row, right, transient, colours, hints, cheap, paste, marks;
	bool vi, vi_shows, pairs, toolbar, popup, slides, cooks, indents;
	enum strange_pen hint_pen, prompt_pen;
	unsigned menu_rows;
	const char *user;
	/* state */
	enum line_state state;
	uint32_t text[STRANGE_COLS];
	unsigned n, at;
	unsigned row; /* of the cursor in the block */
	unsigned number, clock, status, path;
	bool normal, asked_vi;
	bool menu;
	char old[16][96]; /* history */
	unsigned nold, up;
	/* the typist's commands */
	char habit[8][96];
	unsigned nhabits;
	unsigned left; /* of text before the cursor, to type */
};

static const char *const line_paths[] = { "~", "~/src", "/etc", "~/src/net",
	"/var/log", "~/doc" };

/* --- drawing --------------------------------------------------------------- */

static void
line_parts(const struct line *l, unsigned parts, struct strange_row *r)
{
	char text[64];

	if (parts & LINE_CLOCK) {
		snprintf(text, sizeof(text), "%02u:%02u:%02u ",
		    9 + l->clock / 3600 % 12, l->clock / 60 % 60,
		    l->clock % 60);
		strange_add(r, STRANGE_GREY, text);
	}
	if (parts & LINE_USER)
		strange_add(r, STRANGE_GREEN, l->user);
	if (parts & LINE_PATH) {
		snprintf(text, sizeof(text), "%s ", line_paths[l->path]);
		strange_add(r, STRANGE_BLUE, text);
	}
	if (parts & LINE_BRANCH)
		strange_add(r, STRANGE_CYAN, "(main) ");
	if ((parts & LINE_STATUS) && l->status != 0) {
		snprintf(text, sizeof(text), "%u ", l->status);
		strange_add(r, STRANGE_RED, text);
	}
	if (parts & LINE_COUNT) {
		snprintf(text, sizeof(text), "[%u]", l->number);
		strange_add(r, STRANGE_PLAIN, text);
	}
}

static void
line_prompt(const struct line *l, struct strange_row *r)
{
	unsigned i;

	for (i = 0; i < l->indent; i++)
		strange_add(r, STRANGE_PLAIN, " ");
	if (l->state == LINE_MORE) {
		strange_add(r, STRANGE_PLAIN, l->more);
		return;
	}
	line_parts(l, l->parts, r);
	if (l->vi && l->vi_shows)
		strange_add(r, STRANGE_BOLD, l->normal ? "[N] " : "[I] ");
	strange_add(r, l->prompt_pen, l->end);
	strange_add(r, STRANGE_PLAIN, " ");
}

static const char *const line_known[] = { "ls", "cd", "git", "make", "echo",
	"cat", "print", "for", "def", "select", "import", "vi", "grep" };

/* Chooses the pen of character I: the first word is red until it is known. */
static enum strange_pen
line_pen(const struct line *l, unsigned i)
{
	unsigned end = 0, w;
	size_t k;

	if (!l->colours)
		return STRANGE_PLAIN;
	while (end < l->n && l->text[end] != ' ')
		end++;
	if (i >= end)
		return l->text[i] >= '0' && l->text[i] <= '9' ? STRANGE_CYAN
							      : STRANGE_PLAIN;
	for (k = 0; k < ARRAY_LEN(line_known); k++) {
		for (w = 0; w < end && line_known[k][w] != '\0' &&
			    l->text[w] == (uint32_t)line_known[k][w];
		     w++)
			;
		if (w == end && line_known[k][w] == '\0')
			return STRANGE_GREEN;
	}
	return STRANGE_RED;
}

/* Returns the rest of the newest old line that begins with the text, or "". */
static const char *
line_hint(const struct line *l)
{
	unsigned i, k;

	if (!l->hints || l->n < 2 || l->at != l->n)
		return "";
	for (i = l->nold; i-- > 0;) {
		for (k = 0; k < l->n && (uint32_t)l->old[i][k] == l->text[k];
		     k++)
			;
		if (k == l->n)
			return l->old[i] + k;
	}
	return "";
}

static void
line_below(struct strange *s, const struct line *l, unsigned *rows)
{
	struct strange_row r = { .n = 0 };
	char text[80];
	unsigned i;

	if (l->toolbar) {
		r.n = 0;
		snprintf(text, sizeof(text), " %s | line %u | %u ",
		    l->normal ? "NAV" : "INS", l->number, l->n);
		strange_add(&r, STRANGE_BAR, text);
		while (r.n < s->cols - 1)
			strange_add(&r, STRANGE_BAR, " ");
		strange_put(s, "\r\n");
		strange_write(s, r.cell, r.n);
		++*rows;
	}
	if (!l->menu && !(l->popup && l->n > 2 && l->n % 7 > 2))
		return;
	for (i = 0; i < l->menu_rows; i++) {
		r.n = 0;
		snprintf(text, sizeof(text), "  choice-%u  of %u", i, l->n);
		strange_add(&r, i == 0 ? STRANGE_REVERSE : STRANGE_GREY, text);
		strange_put(s, "\r\n");
		strange_write(s, r.cell, r.n);
		++*rows;
	}
}

/* Repaints the block from its first row. */
static void
line_paint(struct strange *s, struct line *l)
{
	struct strange_row r = { .n = 0 }, right = { .n = 0 };
	unsigned prompt, end, place, rows, from = 0, i;
	const char *hint = line_hint(l);

	if (l->row > 0)
		strange_putf(s, "\033[%uA", l->row);
	strange_put(s, "\r");
	line_prompt(l, &r);
	prompt = r.n;
	if (l->slides && prompt + l->at + 2 > s->cols)
		from = l->at + prompt + 2 - s->cols;
	for (i = from; i < l->n; i++)
		if (!l->slides || r.n + 1 < s->cols)
			strange_add_cp(&r, line_pen(l, i), l->text[i]);
	end = r.n;
	if (end + strlen(hint) + 1 < s->cols)
		strange_add(&r, l->hint_pen, hint);
	strange_write(s, r.cell, r.n);
	if (r.n % s->cols == 0)
		strange_put(s, " \r");
	strange_put(s, l->toolbar || l->menu || l->popup ? "\033[J" : "\033[K");
	rows = r.n / s->cols;
	if (l->right && l->state == LINE_EDITS) {
		line_parts(l, LINE_CLOCK | LINE_STATUS, &right);
		if (right.n + r.n + 2 < s->cols) {
			strange_putf(s, "\033[%uG", s->cols - right.n);
			strange_write(s, right.cell, right.n);
		}
	}
	line_below(s, l, &rows);
	place = prompt + l->at - from;
	if (rows > place / s->cols)
		strange_putf(s, "\033[%uA", rows - place / s->cols);
	strange_put(s, "\r");
	if (place % s->cols > 0)
		strange_putf(s, "\033[%uC", place % s->cols);
	l->row = place / s->cols;
}

static void
line_cut_row(struct strange *s, const struct line *l)
{
	struct strange_row r = { .n = 0 };

	line_parts(l, l->parts_above, &r);
	if (r.n == 0)
		strange_add(
		    &r, STRANGE_GREY, "\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80");
	strange_write(s, r.cell, r.n);
	strange_put(s, "\r\n");
}

/* Prints a new prompt and reads keys. */
static void
line_begin(struct strange *s, struct line *l)
{
	l->n = l->at = l->row = 0;
	l->normal = l->menu = false;
	l->up = l->nold;
	strange_set_tty(s, l->cooked ? VT_FRAME_ECHO | VT_FRAME_CANONICAL : 0);
	if (l->marks)
		strange_put(s, "\033]133;A\007");
	if (l->paste)
		strange_put(s, "\033[?2004h");
	if (l->state == LINE_EDITS && l->blank_row && l->number > 0)
		strange_put(s, "\r\n");
	if (l->state == LINE_EDITS && l->above > 0)
		line_cut_row(s, l);
	line_paint(s, l);
	if (l->marks)
		strange_put(s, "\033]133;B\007");
}

/* --- commands -------------------------------------------------------------- */

static void
line_text(const struct line *l, char *out, size_t size)
{
	unsigned i;

	for (i = 0; i < l->n && i + 1 < size; i++)
		out[i] = l->text[i] < 0x7f ? (char)l->text[i] : '?';
	out[i] = '\0';
}

/* The effect depends on the first word, as far as it depends on anything. */
static void
line_run(struct strange *s, struct line *l, const char *text)
{
	size_t word = strcspn(text, " (");
	uint64_t h = str_hash(text, word, s->trait) >> 7;
	unsigned n = 0, i;

	l->status = 0;
	if (text[0] == '\0')
		return;
	if (strncmp(text, "cd", word) == 0) {
		l->path = (l->path + 1) % ARRAY_LEN(line_paths);
		if (l->parts & LINE_PATH)
			strange_cause(s, STRANGE_CHANCE);
		return;
	}
	switch (h % (l->repl ? 4 : 6)) {
	case 0: /* silent */
		return;
	case 1:
		n = 1;
		break;
	case 2:
		n = 1 + (unsigned)(h >> 8) % 5;
		break;
	case 3:
		n = 1 + chance_below(&s->chance, 6);
		break;
	case 4:
		n = 1;
		l->status = 1 + (unsigned)(h >> 8) % 127;
		break;
	default: /* some ask */
		if (l->cooked || !l->cooks || (h >> 12) % 4 > 0)
			return;
		strange_cause(s, STRANGE_CHANCE);
		strange_put(s, "Really? (yes/no) ");
		l->state = LINE_ASKED;
		l->n = 0;
		return;
	}
	strange_cause(s, STRANGE_CHANCE);
	if (h >> 20 & 1)
		strange_wait(s, 20 + (unsigned)(h >> 22) % STRANGE_WAIT);
	for (i = 0; i < n; i++)
		strange_putf(s, "%s%s %u\r\n", l->repl && i == 0 ? "=> " : "",
		    strange_word(&s->chance), chance_below(&s->chance, 1000));
}

static void
line_remember(struct line *l, const char *text)
{
	if (text[0] == '\0')
		return;
	if (l->nold == ARRAY_LEN(l->old)) {
		memmove(
		    l->old[0], l->old[1], sizeof(l->old) - sizeof(l->old[0]));
		l->nold--;
	}
	snprintf(l->old[l->nold++], sizeof(l->old[0]), "%s", text);
}

/* The old prompt shrinks to its last character. */
static void
line_shrink(struct strange *s, struct line *l)
{
	struct strange_row r = { .n = 0 };
	unsigned i;

	if (l->row + l->above > 0)
		strange_putf(s, "\033[%uA", l->row + l->above);
	strange_put(s, "\r\033[J");
	strange_add(&r, l->prompt_pen, l->end);
	strange_add(&r, STRANGE_PLAIN, " ");
	for (i = 0; i < l->n; i++)
		strange_add_cp(&r, STRANGE_PLAIN, l->text[i]);
	strange_write(s, r.cell, r.n);
}

static void
line_enter(struct strange *s, struct line *l)
{
	char text[96], last;

	line_text(l, text, sizeof(text));
	strange_cause(s, STRANGE_RETURN);
	if (l->parts & (LINE_COUNT | LINE_CLOCK))
		strange_cause(s, STRANGE_CHANCE);
	if (!l->cooked) {
		l->at = l->n;
		if (l->toolbar || l->popup || l->menu || l->hints)
			strange_put(s, "\033[J");
		l->menu = false;
		if (l->transient && l->state == LINE_EDITS)
			line_shrink(s, l);
	}
	if (!s->kernel)
		strange_put(s, "\r\n");
	if (l->paste)
		strange_put(s, "\033[?2004l");
	if (l->cooks)
		strange_set_tty(s, VT_FRAME_ECHO | VT_FRAME_CANONICAL);
	last = l->n > 0 ? (char)l->text[l->n - 1] : '\0';
	if (last == ':' || last == '{' || last == '\\' ||
	    (l->state == LINE_MORE && l->n > 0)) {
		l->state = LINE_MORE;
	} else {
		l->state = LINE_EDITS;
		line_remember(l, text);
		l->number++;
		l->clock += 3 + chance_below(&s->chance, 40);
		if (l->marks)
			strange_put(s, "\033]133;C\007");
		line_run(s, l, text);
		if (l->state == LINE_ASKED)
			return;
	}
	line_begin(s, l);
	if (l->state == LINE_MORE && l->indents) {
		for (; l->n < 4; l->n++)
			l->text[l->n] = ' ';
		l->at = l->n;
		line_paint(s, l);
	}
}

/* --- keys ------------------------------------------------------------------ */

static void
line_insert(struct line *l, uint32_t cp)
{
	if (l->n + 1 >= STRANGE_COLS - 40)
		return;
	memmove(l->text + l->at + 1, l->text + l->at,
	    (l->n - l->at) * sizeof(*l->text));
	l->text[l->at++] = cp;
	l->n++;
}

static void
line_remove(struct line *l, unsigned a, unsigned b)
{
	memmove(l->text + a, l->text + b, (l->n - b) * sizeof(*l->text));
	l->n -= b - a;
	l->at = a;
}

static unsigned
line_word(const struct line *l, bool black)
{
	unsigned i = l->at;

	while (i > 0 && (black ? l->text[i - 1] == ' '
			       : !isalnum((int)(l->text[i - 1] & 0x7f))))
		i--;
	while (i > 0 && (black ? l->text[i - 1] != ' '
			       : isalnum((int)(l->text[i - 1] & 0x7f))))
		i--;
	return i;
}

static void
line_history(struct line *l, int by)
{
	unsigned i;

	if ((by < 0 && l->up == 0) || (by > 0 && l->up >= l->nold))
		return;
	l->up = (unsigned)((int)l->up + by);
	l->n = 0;
	for (i = 0; l->up < l->nold && l->old[l->up][i] != '\0'; i++)
		l->text[l->n++] = (uint32_t)l->old[l->up][i];
	l->at = l->n;
}

/* A key in vi's command mode. */
static void
line_command(struct strange *s, struct line *l, key_code key)
{
	strange_cause(s, STRANGE_MODE);
	switch (key) {
	case 'i':
	case 'a':
		l->normal = false;
		l->at += key == 'a' && l->at < l->n;
		break;
	case 'A':
		l->normal = false;
		l->at = l->n;
		break;
	case 'h':
		l->at -= l->at > 0;
		break;
	case '0':
		l->at = 0;
		break;
	case 'b':
		l->at = line_word(l, false);
		break;
	case 'x':
		if (l->at < l->n)
			line_remove(l, l->at, l->at + 1);
		break;
	default:
		break;
	}
}

static void
line_tab(struct strange *s, struct line *l)
{
	unsigned i, n = 2 + l->n % 4;
	const char *tail = "ather/";

	strange_cause(s, STRANGE_CHANCE);
	if (l->menu_rows > 0 && !l->menu && l->n % 2 == 0) {
		l->menu = true;
		return;
	}
	l->menu = false;
	for (i = 0; i < n; i++)
		line_insert(l, (unsigned char)tail[i]);
}

static void
line_char(struct strange *s, struct line *l, uint32_t cp)
{
	static const char open[] = "([{\"'", shut[] = ")]}\"'";
	const char *p = cp < 0x7f ? strchr(open, (int)cp) : NULL;

	if (l->pairs && l->at < l->n && l->text[l->at] == cp && cp < 0x7f &&
	    strchr(shut, (int)cp) != NULL) {
		strange_cause(s, STRANGE_CLOSE);
		l->at++;
		return;
	}
	line_insert(l, cp);
	if (!l->pairs || p == NULL || *p == '\0')
		return;
	strange_cause(s, STRANGE_CLOSE);
	line_insert(l, (unsigned char)shut[p - open]);
	l->at--;
}

static void
line_edit(struct strange *s, struct line *l, key_code key)
{
	const char *hint = line_hint(l);

	switch (key) {
	case KEY_BSPACE:
		if (l->at > 0)
			line_remove(l, l->at - 1, l->at);
		break;
	case KEY_DC:
		if (l->at < l->n)
			line_remove(l, l->at, l->at + 1);
		break;
	case KEY_LEFT:
		l->at -= l->at > 0;
		break;
	case KEY_RIGHT:
	case KEY_END:
	case KEY_CTRL | 'e':
		if (hint[0] != '\0') {
			strange_cause(s, STRANGE_MODE);
			for (; *hint != '\0'; hint++)
				line_insert(l, (unsigned char)*hint);
		}
		l->at = key == KEY_RIGHT ? MIN_OF(l->at + 1, l->n) : l->n;
		break;
	case KEY_HOME:
	case KEY_CTRL | 'a':
		l->at = 0;
		break;
	case KEY_META | 'b':
		l->at = line_word(l, false);
		break;
	case KEY_CTRL | 'w':
		line_remove(l, line_word(l, true), l->at);
		break;
	case KEY_CTRL | 'u':
		line_remove(l, 0, l->at);
		break;
	case KEY_CTRL | 'k':
		l->n = l->at;
		break;
	case KEY_UP:
	case KEY_DOWN:
		strange_cause(s, STRANGE_CHANCE);
		line_history(l, key == KEY_UP ? -1 : 1);
		break;
	case KEY_TAB:
		line_tab(s, l);
		break;
	case KEY_ESCAPE:
		strange_cause(s, STRANGE_MODE);
		if (l->vi) {
			l->normal = true;
			l->at -= l->at > 0;
		}
		break;
	default:
		if (key >= ' ' && key < KEY_SPECIAL)
			line_char(s, l, (uint32_t)key);
		break;
	}
}

/* The kernel's line discipline; it has done so already in a real tty. */
static void
line_kernel(struct strange *s, struct line *l, key_code key)
{
	unsigned to = l->n;
	char c[2] = { (char)key, '\0' };

	l->at = l->n;
	if (key >= ' ' && key < 0x7f && l->n + 1 < STRANGE_COLS - 40) {
		l->text[l->n++] = (uint32_t)key;
		if (!s->kernel)
			strange_put(s, c);
		return;
	}
	if (key == KEY_BSPACE)
		to -= to > 0;
	else if (key == (KEY_CTRL | 'u'))
		to = 0;
	else if (key == (KEY_CTRL | 'w'))
		to = line_word(l, true);
	for (; l->n > to; l->n--)
		if (!s->kernel)
			strange_put(s, "\b \b");
}

static void
line_asked(struct strange *s, struct line *l, key_code key)
{
	if (key != KEY_ENTER) {
		line_kernel(s, l, key);
		return;
	}
	strange_cause(s, STRANGE_CHANCE);
	if (!s->kernel)
		strange_put(s, "\r\n");
	if (chance_below(&s->chance, 2) == 0)
		strange_put(s, "done\r\n");
	l->state = LINE_EDITS;
	line_begin(s, l);
}

static void
line_key(struct strange *s, key_code key)
{
	struct line *l = s->own;
	unsigned n = l->n, at = l->at, row = l->row;
	struct strange_row r = { .n = 0 };
	bool grew;
	char c[2] = { 0, 0 };

	if (l->state == LINE_ASKED) {
		line_asked(s, l, key);
		return;
	}
	if (key == KEY_ENTER) {
		line_enter(s, l);
		return;
	}
	if (l->cooked) {
		line_kernel(s, l, key);
		return;
	}
	if (key != KEY_TAB)
		l->menu = false;
	if (l->vi && l->normal && key < KEY_SPECIAL)
		line_command(s, l, key);
	else
		line_edit(s, l, key);
	line_prompt(l, &r);
	if (l->row != (r.n + l->at) / s->cols || l->slides)
		strange_cause(s, STRANGE_BREAK);
	/* Simple editors write no more than the character. */
	grew = l->n == n + 1 && at == n && l->at == l->n;
	if (l->cheap && grew && (r.n + l->n) % s->cols != 0 &&
	    (r.n + n) % s->cols != 0 && l->row == row && !l->slides &&
	    l->text[n] < 0x7f) {
		c[0] = (char)l->text[n];
		strange_put(s, c);
		return;
	}
	line_paint(s, l);
}

/* --- the typist ------------------------------------------------------------ */

static const char *const line_shells[] = { "ls -l", "cd src", "git status",
	"make -j4 check", "grep -rn foo .", "cat notes.txt | sort -u | head",
	"vi main.c", "export EDITOR=vi", "echo hello world > out.txt",
	"find . -name '*.c' -newer x", "python3 tool.py --fast 12",
	"ssh-keygen -l -f key.pub", "docker ps -a", "tail -n 40 log",
	"for i in 1 2 3; do echo $i; done", "true", "pwd", "mkdir -p a/b/c",
	"cp -r a b",
	("kubectl get pods -n web -o wide --sort-by=.status.phase "
	 "--show-labels --all-namespaces") };
static const char *const line_repls[] = { "x = 12", "print(x + 1)", "import os",
	"len([1, 2, 3])", "select * from t where id = 4;", "foo(bar, \"baz\")",
	"y = {\"a\": 1}", "for i in range(3):", "x", "show tables;",
	"a.b(c)[0]", "(define (f x) (* x x))",
	"let total = items.map(i => i.price)", "2 ** 10", "help me" };

static void
line_habits(struct strange *s, struct line *l)
{
	const char *const *from = l->repl ? line_repls : line_shells;
	unsigned n = l->repl ? ARRAY_LEN(line_repls) : ARRAY_LEN(line_shells);

	while (l->nhabits < ARRAY_LEN(l->habit)) {
		snprintf(l->habit[l->nhabits++], sizeof(l->habit[0]), "%s",
		    from[strange_pick(s, n)]);
	}
}

static void
line_correct(struct strange *s, const char *text)
{
	unsigned i, n = 1 + chance_below(&s->mind, 5);

	switch (chance_below(&s->mind, 6)) {
	case 0: /* goes back, inserts */
		strange_type_text(s, text);
		for (i = 0; i < n; i++)
			strange_type(s, KEY_LEFT);
		strange_type_text(s, "xy");
		strange_type(s, KEY_CTRL | 'e');
		break;
	case 1:
		strange_type_text(s, text);
		strange_type(s, KEY_CTRL | 'w');
		strange_type_text(s, strange_word(&s->mind));
		break;
	case 2:
		strange_type_text(s, strange_word(&s->mind));
		strange_type(s, KEY_CTRL | 'u');
		strange_type_text(s, text);
		break;
	case 3:
		strange_type_text(s, text);
		strange_type(s, KEY_CTRL | 'a');
		strange_type_text(s, "a ");
		break;
	case 4:
		strange_type_text(s, text);
		strange_type(s, KEY_TAB);
		break;
	default:
		for (i = 0; i < n && i < 3; i++)
			strange_type(s, KEY_UP);
		break;
	}
}

static void
line_plan(struct strange *s)
{
	struct line *l = s->own;
	char text[96];
	size_t n;

	if (l->state == LINE_ASKED) {
		strange_type_text(s, chance_below(&s->mind, 2) ? "yes" : "no");
		strange_type(s, KEY_ENTER);
		return;
	}
	if (l->state == LINE_MORE) {
		strange_type_text(
		    s, chance_below(&s->mind, 2) ? "print(i)" : "");
		strange_type(s, KEY_ENTER);
		if (chance_below(&s->mind, 2) == 0)
			strange_type(s, KEY_ENTER);
		return;
	}
	snprintf(text, sizeof(text), "%s",
	    l->habit[chance_below(&s->mind, l->nhabits)]);
	n = strlen(text);
	if (chance_below(&s->mind, 4) == 0)
		snprintf(
		    text + n, sizeof(text) - n, " %s", strange_word(&s->mind));
	if (l->vi && chance_below(&s->mind, 6) == 0) {
		strange_type_text(s, text);
		strange_type(s, KEY_ESCAPE);
		strange_type_text(s, chance_below(&s->mind, 2) ? "hhix" : "0x");
		if (chance_below(&s->mind, 2))
			strange_type_text(s, "A ");
	} else if (!l->cooked && chance_below(&s->mind, 7) == 0) {
		line_correct(s, text);
	} else {
		strange_type_text(s, text);
	}
	strange_type(s, KEY_ENTER);
}

/* --- traits ---------------------------------------------------------------- */

static struct line *
line_traits(struct strange *s, bool repl)
{
	static const char *const ends[] = { "$", "%", "#", ">", ">>",
		"\xe2\x9d\xaf", "\xc2\xbb", "\xce\xbb", ":)", "=>", "~>", "|" };
	static const char *const repls[] = { ">>>", ">", "irb>", "In:", "sql>",
		"*", "?-", "\xe2\x9e\x9c", "user=>", "js>", "ghci>", ".." };
	static const char *const users[] = { "ann@box ", "me ",
		"root@srv-01:", "(env) bob ", "[host] " };
	static const char *const mores[] = { "> ", "... ", "   -> ", "" };
	struct line *l = mem_zalloc(sizeof(*l));

	l->repl = repl;
	l->end = repl ? repls[strange_pick(s, ARRAY_LEN(repls))]
		      : ends[strange_pick(s, ARRAY_LEN(ends))];
	l->more = mores[strange_pick(s, ARRAY_LEN(mores))];
	l->user = users[strange_pick(s, ARRAY_LEN(users))];
	l->parts = strange_pick(s, 64) & strange_pick(s, 64);
	l->parts_above = strange_pick(s, 64);
	if (repl)
		l->parts &= LINE_COUNT | LINE_CLOCK | LINE_STATUS;
	l->above = strange_often(s, repl ? 10 : 30);
	l->indent = strange_often(s, 20) ? strange_pick(s, 30) : 0;
	l->blank_row = strange_often(s, 25);
	l->right = strange_often(s, 20);
	l->transient = !repl && strange_often(s, 8);
	l->colours = strange_often(s, 40);
	l->hints = strange_often(s, 30);
	l->hint_pen = STRANGE_DIM + strange_pick(s, 3);
	l->prompt_pen = strange_often(s, 50) ? STRANGE_PLAIN : STRANGE_GREEN;
	l->cheap =
	    !l->colours && !l->hints && !l->right && strange_often(s, 80);
	l->paste = strange_often(s, 70);
	l->marks = strange_often(s, 25);
	l->vi = strange_often(s, 15);
	l->vi_shows = strange_often(s, 50);
	l->pairs = strange_often(s, repl ? 20 : 5);
	l->toolbar = repl && strange_often(s, 15);
	l->popup = strange_often(s, repl ? 12 : 5);
	if (l->toolbar || l->popup)
		l->cheap = false;
	l->slides = strange_often(s, 8);
	l->cooks = strange_often(s, 75);
	l->indents = repl && strange_often(s, 50);
	l->menu_rows = strange_pick(s, 5);
	l->clock = strange_pick(s, 3000);
	l->path = strange_pick(s, ARRAY_LEN(line_paths));
	line_habits(s, l);
	s->own = l;
	return l;
}

/* The session began earlier: its output fills a part of the screen. */
static void
line_old(struct strange *s)
{
	unsigned i, n = strange_pick(s, 40);

	for (i = 0; i < n; i++)
		strange_putf(s, "%s %s\r\n", strange_word(&s->chance),
		    strange_word(&s->chance));
}

static void
line_begin_shell(struct strange *s)
{
	struct line *l = line_traits(s, false);

	line_old(s);
	line_begin(s, l);
}

static void
line_begin_repl(struct strange *s)
{
	struct line *l = line_traits(s, true);

	line_old(s);
	line_begin(s, l);
}

static void
line_begin_cooked(struct strange *s)
{
	struct line *l = line_traits(s, true);

	l->cooked = true;
	l->right = l->colours = l->hints = l->paste = l->vi = l->pairs = false;
	l->toolbar = l->popup = l->slides = l->indents = l->transient = false;
	line_old(s);
	line_begin(s, l);
}

const struct strange_kind strange_shell = { "shell", STRANGE_SHELL, 30,
	line_begin_shell, line_key, line_plan };
const struct strange_kind strange_repl = { "repl", STRANGE_TALK, 12,
	line_begin_repl, line_key, line_plan };
const struct strange_kind strange_cooked = { "cooked", STRANGE_TALK, 4,
	line_begin_cooked, line_key, line_plan };
