#include "regress/predict/far.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "mux/vt/term.h"

#define FAR_LINE 78
#define FAR_ROWS 32 /* vi's lines, at most */

struct far {
	enum far_kind kind;
	const struct grapheme_table *gt;
	struct vt_pool *pool;
	struct vt_term *t;
	unsigned cols;
	unsigned rows;
	uint32_t line[FAR_LINE];
	size_t n;
	size_t at; /* cursor in it */
	bool secret;
	bool insert;                       /* vi: insert mode */
	uint32_t text[FAR_ROWS][FAR_LINE]; /* vi's lines on the screen */
	size_t len[FAR_ROWS];
	size_t nlines;
	size_t row;
	size_t want;    /* the column that j and k keep */
	key_code part;  /* the first key of a command */
	unsigned lines; /* commands so far */
};

const char *
far_name(enum far_kind kind)
{
	static const char *const names[FAR_KINDS] = { "bash", "zsh", "cat",
		"vi" };

	return names[kind];
}

static void
far_put(struct far *f, const char *s)
{
	vt_term_write(f->t, s, strlen(s));
}

static void
far_cps(struct far *f, const uint32_t *cp, size_t n)
{
	uint8_t out[UTF8_MAX];

	for (; n > 0; n--, cp++)
		vt_term_write(f->t, out, utf8_encode(*cp, out));
}

static unsigned
far_width(const struct far *f, size_t n)
{
	unsigned w = 0;
	size_t i;

	for (i = 0; i < n; i++)
		w += (unsigned)grapheme_cp_width(f->gt, f->line[i]);
	return w;
}

static const char *
far_prompt(const struct far *f)
{
	return f->kind == FAR_ZSH ? "host% " : "user@host:~$ ";
}

/* Redraws the whole line, as simple line editors do. */
static void
far_redraw(struct far *f)
{
	char move[32];
	unsigned x = (unsigned)strlen(far_prompt(f));

	far_put(f, "\r");
	far_put(f, far_prompt(f));
	far_cps(f, f->line, f->n);
	far_put(f, "\033[K");
	if (f->kind == FAR_ZSH) {
		if (f->n > 1 && f->at == f->n)
			far_put(f, "\033[90m --suggested\033[m");
		snprintf(move, sizeof(move), "\033[%uG\033[36m<14:02>\033[m",
		    f->cols - 7);
		far_put(f, move);
	}
	snprintf(move, sizeof(move), "\033[%uG", x + far_width(f, f->at) + 1);
	far_put(f, move);
}

static bool
far_is(const struct far *f, const char *word)
{
	size_t i;

	for (i = 0; word[i] != '\0'; i++)
		if (i >= f->n || f->line[i] != (uint32_t)word[i])
			return false;
	return i == f->n || f->line[i] == ' ';
}

static void
far_enter(struct far *f)
{
	unsigned i;

	/* The suggestion disappears, the right prompt stays. */
	f->at = f->n;
	if (f->kind == FAR_ZSH)
		far_put(f, "\033[K");
	far_put(f, "\r\n");
	f->lines++;
	if (far_is(f, "sudo")) {
		f->secret = true;
		far_put(f, "[sudo] password for user: ");
		f->n = f->at = 0;
		return;
	}
	if (far_is(f, "ls"))
		for (i = 0; i < 1 + f->lines % 4; i++)
			far_put(f, "file-a  file-b\r\n");
	if (far_is(f, "echo")) {
		far_cps(f, f->line + MIN_OF(f->n, 5u), f->n - MIN_OF(f->n, 5u));
		far_put(f, "\r\n");
	}
	f->n = f->at = 0;
	far_redraw(f);
}

static void
far_cut(struct far *f, size_t a, size_t b)
{
	memmove(f->line + a, f->line + b, (f->n - b) * sizeof(f->line[0]));
	f->n -= b - a;
	f->at = a;
}

static void
far_insert(struct far *f, uint32_t cp)
{
	if (f->n == FAR_LINE - 38)
		return;
	memmove(f->line + f->at + 1, f->line + f->at,
	    (f->n - f->at) * sizeof(f->line[0]));
	f->line[f->at++] = cp;
	f->n++;
}

static bool
far_alnum(uint32_t c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
	       (c >= 'A' && c <= 'Z') || c >= 0x80;
}

static size_t
far_word(const struct far *f, bool black)
{
	size_t i = f->at;

	while (i > 0 &&
	       !(black ? f->line[i - 1] != ' ' : far_alnum(f->line[i - 1])))
		i--;
	while (i > 0 &&
	       (black ? f->line[i - 1] != ' ' : far_alnum(f->line[i - 1])))
		i--;
	return i;
}

static void
far_editor(struct far *f, key_code key)
{
	switch (key) {
	case KEY_ENTER:
		far_enter(f);
		return;
	case KEY_BSPACE:
		if (f->at > 0)
			far_cut(f, f->at - 1, f->at);
		break;
	case KEY_LEFT:
		f->at -= f->at > 0;
		break;
	case KEY_RIGHT:
		f->at += f->at < f->n;
		break;
	case KEY_HOME:
	case KEY_CTRL | 'a':
		f->at = 0;
		break;
	case KEY_END:
	case KEY_CTRL | 'e':
		f->at = f->n;
		break;
	case KEY_META | 'b':
		f->at = far_word(f, false);
		break;
	case KEY_CTRL | 'w':
		far_cut(f, far_word(f, true), f->at);
		break;
	case KEY_CTRL | 'u':
		far_cut(f, 0, f->at);
		break;
	case KEY_CTRL | 'k':
		f->n = f->at;
		break;
	case KEY_TAB: /* completion */
		far_insert(f, '_');
		far_insert(f, '/');
		break;
	default:
		if (key >= 0x20 && key < KEY_SPECIAL)
			far_insert(f, (uint32_t)key);
		break;
	}
	far_redraw(f);
}

/* Reads a password without echo, then prints a new prompt. */
static void
far_password(struct far *f, key_code key)
{
	if (key != KEY_ENTER)
		return;
	f->secret = false;
	f->n = f->at = 0;
	far_put(f, "\r\n");
	far_redraw(f);
}

static void
far_tty(struct far *f, key_code key)
{
	uint32_t cp;
	size_t i;

	switch (key) {
	case KEY_ENTER:
		far_put(f, "\r\n");
		far_cps(f, f->line, f->n);
		far_put(f, "\r\n");
		f->n = 0;
		break;
	case KEY_BSPACE:
	case KEY_CTRL | 'u':
	case KEY_CTRL | 'w':
		i = f->n;
		f->at = f->n;
		if (key == (KEY_CTRL | 'u'))
			i = 0;
		else if (key == (KEY_CTRL | 'w'))
			i = far_word(f, true);
		else if (i > 0)
			i--;
		for (; f->n > i; f->n--)
			far_put(
			    f, grapheme_cp_width(f->gt, f->line[f->n - 1]) == 2
				   ? "\b\b  \b\b"
				   : "\b \b");
		break;
	default:
		if (key < 0x20 || key >= KEY_SPECIAL || f->n == FAR_LINE)
			break;
		cp = (uint32_t)key;
		f->line[f->n++] = cp;
		far_cps(f, &cp, 1);
		break;
	}
}

static void
far_vi_draw(struct far *f)
{
	char move[32];
	size_t i;

	for (i = 0; i + 1 < f->rows; i++) {
		snprintf(move, sizeof(move), "\033[%zu;1H\033[K%s", i + 1,
		    i < f->nlines ? "" : "~");
		far_put(f, move);
		if (i < f->nlines)
			far_cps(f, f->text[i], f->len[i]);
	}
	snprintf(move, sizeof(move), "\033[%u;1H\033[K%s", f->rows,
	    f->insert ? "-- INSERT --" : "");
	far_put(f, move);
	for (i = 0; i < f->at; i++)
		f->line[i] = f->text[f->row][i];
	snprintf(move, sizeof(move), "\033[%zu;%uH", f->row + 1,
	    far_width(f, f->at) + 1);
	far_put(f, move);
}

static void
far_vi_move_rows(struct far *f, size_t from, size_t to, size_t n)
{
	memmove(f->text[to], f->text[from], n * sizeof(f->text[0]));
	memmove(&f->len[to], &f->len[from], n * sizeof(f->len[0]));
}

/* Splits the line; rows without room leave the screen. */
static void
far_vi_enter(struct far *f)
{
	size_t max = MIN_OF(f->rows - 1u, (unsigned)FAR_ROWS);
	size_t rest = f->len[f->row] - f->at;

	if (f->row + 1 == max) {
		far_vi_move_rows(f, 1, 0, max - 1);
		f->row--;
	} else {
		if (f->nlines == max)
			f->nlines--;
		far_vi_move_rows(
		    f, f->row + 1, f->row + 2, f->nlines - f->row - 1);
		f->nlines++;
	}
	memcpy(f->text[f->row + 1], f->text[f->row] + f->at,
	    rest * sizeof(f->text[0][0]));
	f->len[f->row] = f->at;
	f->len[++f->row] = rest;
	f->at = 0;
}

static void
far_vi_insert(struct far *f, key_code key)
{
	size_t *n = &f->len[f->row];
	uint32_t *t = f->text[f->row];

	if (key == KEY_ESCAPE) {
		f->insert = false;
		f->at -= f->at > 0;
	} else if (key == KEY_ENTER) {
		far_vi_enter(f);
	} else if (key == KEY_BSPACE && f->at > 0) {
		memmove(t + f->at - 1, t + f->at, (*n - f->at) * sizeof(*t));
		(*n)--;
		f->at--;
	} else if (key >= 0x20 && key < KEY_SPECIAL && *n < FAR_LINE) {
		memmove(t + f->at + 1, t + f->at, (*n - f->at) * sizeof(*t));
		t[f->at++] = (uint32_t)key;
		(*n)++;
	}
}

/* dd */
static void
far_vi_delete(struct far *f)
{
	if (f->nlines == 1) {
		f->len[0] = 0;
	} else {
		far_vi_move_rows(f, f->row + 1, f->row, f->nlines - f->row - 1);
		f->nlines--;
		f->row = MIN_OF(f->row, f->nlines - 1);
	}
	f->at = 0;
}

static void
far_vi(struct far *f, key_code key)
{
	size_t n = f->len[f->row];
	bool second = f->part != 0;

	f->part = 0;
	if (f->insert) {
		far_vi_insert(f, key);
	} else if (second) {
		if (key == 'd')
			far_vi_delete(f);
	} else if (key == 'i') {
		f->insert = true;
	} else if (key == 'a') {
		f->insert = true;
		f->at += f->at < n;
	} else if (key == 'h') {
		f->at -= f->at > 0;
	} else if (key == 'l') {
		f->at += f->at + 1 < n;
	} else if (key == 'k' || key == 'j') {
		if (key == 'k')
			f->row -= f->row > 0;
		else
			f->row += f->row + 1 < f->nlines;
		n = f->len[f->row];
		f->at = MIN_OF(f->want, n > 0 ? n - 1 : 0);
	} else if (key == 'd') {
		f->part = key;
	}
	if (key != 'j' && key != 'k')
		f->want = f->at;
	far_vi_draw(f);
}

struct far *
far_new(const struct grapheme_table *gt, enum far_kind kind, unsigned cols,
    unsigned rows)
{
	struct far *f = mem_zalloc(sizeof(*f));
	struct vt_term_options opt = { 0 };

	f->pool = vt_pool_new();
	opt.pool = f->pool;
	opt.graphemes = gt;
	opt.cols = cols;
	opt.rows = rows;
	f->t = vt_term_new(&opt);
	f->kind = kind;
	f->gt = gt;
	f->cols = cols;
	f->rows = rows;
	f->nlines = 1;
	if (kind == FAR_VI)
		far_put(f, "\033[?1049h\033[H");
	else if (kind != FAR_CAT)
		far_redraw(f);
	return f;
}

void
far_free(struct far *f)
{
	vt_term_free(f->t);
	vt_pool_free(f->pool);
	mem_free(f);
}

void
far_key(struct far *f, key_code key)
{
	static void (*const fns[FAR_KINDS])(struct far *, key_code) = {
		[FAR_BASH] = far_editor,
		[FAR_ZSH] = far_editor,
		[FAR_CAT] = far_tty,
		[FAR_VI] = far_vi,
	};

	if (f->secret)
		far_password(f, key);
	else
		fns[f->kind](f, key);
}

bool
far_secret(const struct far *f)
{
	return f->secret;
}

struct vt_frame *
far_frame(struct far *f)
{
	struct vt_frame *fr = vt_term_frame(f->t, 0);

	fr->state.modes &= ~(uint32_t)(VT_FRAME_CANONICAL | VT_FRAME_ECHO);
	if (f->secret)
		fr->state.modes |= VT_FRAME_CANONICAL;
	else if (f->kind == FAR_CAT)
		fr->state.modes |= VT_FRAME_CANONICAL | VT_FRAME_ECHO;
	return fr;
}
