/*
 * Chats: messages above an input box that grows with its text.
 */
#include <stdio.h>
#include <string.h>

#include "regress/predict/strange_int.h"

struct chat {
	/* traits */
	bool border, counter, words, answers, streams, echo_gap;
	unsigned most;  /* rows of the box */
	unsigned inner; /* columns of its text */
	unsigned left;  /* column of its text */
	const char *sign, *hint, *name;
	bool foot;
	/* state */
	char log[64][STRANGE_COLS];
	unsigned nlog;
	uint32_t text[STRANGE_COLS];
	unsigned n, at, clock;
};

static void
chat_log(struct chat *c, const char *text)
{
	if (c->nlog == ARRAY_LEN(c->log)) {
		memmove(
		    c->log[0], c->log[1], sizeof(c->log) - sizeof(c->log[0]));
		c->nlog--;
	}
	snprintf(c->log[c->nlog++], sizeof(c->log[0]), "%s", text);
}

/* Returns where the box's row that begins at FROM ends. */
static unsigned
chat_row_end(const struct chat *c, unsigned from)
{
	unsigned i;

	if (c->n < from + c->inner)
		return c->n;
	if (!c->words)
		return from + c->inner;
	for (i = from + c->inner; i > from && c->text[i - 1] != ' '; i--)
		;
	return i > from ? i : from + c->inner;
}

static unsigned
chat_rows(const struct chat *c, unsigned *x, unsigned *y)
{
	unsigned from = 0, end, rows = 0;

	for (;; from = end, rows++) {
		end = chat_row_end(c, from);
		if (c->at >= from && (c->at < end || end == c->n)) {
			*y = rows;
			*x = c->at - from;
		}
		if (end == c->n)
			return rows + 1;
	}
}

static void
chat_border(struct strange *s, unsigned y, uint32_t a, uint32_t b)
{
	unsigned i;

	strange_cell_at(s, 0, y, STRANGE_GREY, a);
	for (i = 1; i + 1 < s->cols; i++)
		strange_cell_at(s, i, y, STRANGE_GREY, 0x2500);
	strange_cell_at(s, s->cols - 1, y, STRANGE_GREY, b);
}

static void
chat_box(struct strange *s, struct chat *c, unsigned top, unsigned rows)
{
	unsigned from = 0, end, y = 0, i, first, x, at = 0, total;
	char text[32];

	total = chat_rows(c, &x, &at);
	first = total > rows ? MIN_OF(at, total - rows) : 0;
	strange_clear(s, 0, top, s->cols, rows);
	for (;; from = end, y++) {
		end = chat_row_end(c, from);
		for (i = from; y >= first && y < first + rows && i < end; i++)
			strange_cell_at(s, c->left + i - from, top + y - first,
			    STRANGE_PLAIN, c->text[i]);
		if (end == c->n)
			break;
	}
	if (c->n == 0)
		strange_draw(s, c->left, top, c->inner, STRANGE_GREY, c->hint);
	strange_draw(s, c->border ? 2 : 0, top, c->left - (c->border ? 2 : 0),
	    STRANGE_GREEN, c->sign);
	for (i = 0; c->border && i < rows; i++) {
		strange_cell_at(s, 0, top + i, STRANGE_GREY, 0x2502);
		strange_cell_at(s, s->cols - 1, top + i, STRANGE_GREY, 0x2502);
	}
	if (c->border) {
		chat_border(s, top - 1, 0x256d, 0x256e);
		chat_border(s, top + rows, 0x2570, 0x256f);
	}
	if (c->counter) {
		snprintf(text, sizeof(text), " %u/280 ", c->n);
		strange_draw(s, s->cols - 12, c->border ? top - 1 : top, 9,
		    STRANGE_GREY, text);
	}
	s->x = c->left + x;
	s->y = top + at - first;
}

static void
chat_paint(struct strange *s, struct chat *c)
{
	unsigned x, y, rows = MIN_OF(chat_rows(c, &x, &y), c->most), top, i;

	top = s->rows - rows - c->border - c->foot;
	if (c->foot)
		strange_draw(s, 0, s->rows - 1, s->cols, STRANGE_FAINT,
		    "  ^C quit  ^L clear");
	for (i = 0; i + c->border < top; i++) {
		y = top - c->border - 1 - i;
		strange_draw(s, 0, y, s->cols, STRANGE_PLAIN,
		    i < c->nlog ? c->log[c->nlog - 1 - i] : "");
	}
	chat_box(s, c, top, rows);
	strange_flush(s);
}

static void
chat_stream(struct strange *s, struct chat *c)
{
	char text[STRANGE_COLS], *last;
	unsigned i, n = 2 + chance_below(&s->chance, 8);
	size_t used;

	snprintf(text, sizeof(text), "%s: ", c->name);
	chat_log(c, text);
	for (i = 0; i < n; i++) {
		strange_wait(s, 20 + chance_below(&s->chance, 60));
		last = c->log[c->nlog - 1];
		used = strlen(last);
		if (used + 16 > s->cols)
			break;
		snprintf(last + used, sizeof(c->log[0]) - used, "%s ",
		    strange_word(&s->chance));
		chat_paint(s, c);
	}
}

static void
chat_send(struct strange *s, struct chat *c)
{
	char text[STRANGE_COLS], body[STRANGE_COLS];
	unsigned i;

	if (c->n == 0)
		return;
	strange_cause(s, STRANGE_RETURN);
	for (i = 0; i < c->n; i++)
		body[i] = c->text[i] < 0x7f ? (char)c->text[i] : '?';
	body[i] = '\0';
	c->clock += chance_below(&s->chance, 3);
	snprintf(text, sizeof(text), "%02u:%02u me: %.70s", 10 + c->clock / 60,
	    c->clock % 60, body);
	chat_log(c, text);
	if (c->echo_gap)
		chat_log(c, "");
	c->n = c->at = 0;
	chat_paint(s, c);
	if (c->streams) {
		chat_stream(s, c);
	} else if (c->answers && chance_below(&s->chance, 2) == 0) {
		strange_wait(s, 20 + chance_below(&s->chance, STRANGE_WAIT));
		strange_sentence(s, body, 60, 6);
		snprintf(text, sizeof(text), "%s: %.60s", c->name, body);
		chat_log(c, text);
		chat_paint(s, c);
	}
}

static void
chat_key(struct strange *s, key_code key)
{
	struct chat *c = s->own;
	unsigned x, y, rows = chat_rows(c, &x, &y), i;

	switch (key) {
	case KEY_ENTER:
		chat_send(s, c);
		return;
	case KEY_BSPACE:
		if (c->at == 0)
			break;
		memmove(c->text + c->at - 1, c->text + c->at,
		    (c->n - c->at) * sizeof(*c->text));
		c->at--;
		c->n--;
		break;
	case KEY_LEFT:
		c->at -= c->at > 0;
		break;
	case KEY_RIGHT:
		c->at += c->at < c->n;
		break;
	case KEY_HOME:
	case KEY_CTRL | 'a':
		c->at = 0;
		break;
	case KEY_END:
	case KEY_CTRL | 'e':
		c->at = c->n;
		break;
	case KEY_CTRL | 'u':
		c->n = c->at = 0;
		break;
	case KEY_CTRL | 'w':
		i = c->at;
		while (i > 0 && c->text[i - 1] == ' ')
			i--;
		while (i > 0 && c->text[i - 1] != ' ')
			i--;
		memmove(c->text + i, c->text + c->at,
		    (c->n - c->at) * sizeof(*c->text));
		c->n -= c->at - i;
		c->at = i;
		break;
	default:
		if (key < ' ' || key >= KEY_SPECIAL || c->n + 2 > 240)
			break;
		memmove(c->text + c->at + 1, c->text + c->at,
		    (c->n - c->at) * sizeof(*c->text));
		c->text[c->at++] = (uint32_t)key;
		c->n++;
		break;
	}
	i = y;
	if (chat_rows(c, &x, &y) != rows)
		strange_cause(s, STRANGE_GROW);
	if (y != i)
		strange_cause(s, STRANGE_BREAK);
	chat_paint(s, c);
}

static void
chat_plan(struct strange *s)
{
	char text[200];
	unsigned n = chance_below(&s->mind, 10);

	strange_sentence(
	    s, text, sizeof(text), n == 0 ? 25 : 2 + chance_below(&s->mind, 8));
	strange_type_text(s, text);
	if (n == 1)
		strange_type(s, KEY_CTRL | 'w');
	if (n == 2) {
		strange_type(s, KEY_LEFT);
		strange_type(s, KEY_LEFT);
		strange_type_text(s, "ah");
		strange_type(s, KEY_END);
	}
	strange_type(s, KEY_ENTER);
}

static void
chat_begin(struct strange *s)
{
	static const char *const signs[] = { "", "> ", "me: ", "\xe2\x9d\xaf ",
		"[#room] " };
	static const char *const hints[] = { "", "Type a message",
		"Ask anything, or /help", "" };
	static const char *const names[] = { "bob", "assistant", "@eve" };
	struct chat *c = mem_zalloc(sizeof(*c));
	struct strange_row r = { .n = 0 };
	char text[80];
	unsigned i, n = strange_pick(s, 30);

	s->own = c;
	strange_screen(s);
	c->border = strange_often(s, 55);
	c->counter = strange_often(s, 20);
	c->words = strange_often(s, 70);
	c->answers = strange_often(s, 60);
	c->streams = strange_often(s, 30);
	c->echo_gap = strange_often(s, 30);
	c->foot = strange_often(s, 40);
	c->most = 1 + strange_pick(s, 6);
	c->sign = signs[strange_pick(s, ARRAY_LEN(signs))];
	c->hint = hints[strange_pick(s, ARRAY_LEN(hints))];
	c->name = names[strange_pick(s, ARRAY_LEN(names))];
	strange_add(&r, STRANGE_PLAIN, c->sign);
	c->left = r.n + (c->border ? 2 : 0);
	c->inner =
	    s->cols - c->left - 3 - strange_pick(s, 20) * strange_pick(s, 2);
	if (strange_often(s, 50))
		strange_put(s, "\033[?2004h");
	for (i = 0; i < n; i++) {
		strange_sentence(s, text, 60, 8);
		chat_log(c, text);
	}
	chat_paint(s, c);
}

const struct strange_kind strange_chat = { "chat", STRANGE_TALK, 14, chat_begin,
	chat_key, chat_plan };
