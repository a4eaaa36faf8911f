#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "regress/predict/strange_int.h"

static const struct strange_kind *const strange_kinds[] = { &strange_shell,
	&strange_repl, &strange_cooked, &strange_prose, &strange_chat,
	&strange_menu, &strange_pager, &strange_form, &strange_finder,
	&strange_asker, &strange_dialog };

/* --- random ---------------------------------------------------------------- */

unsigned
strange_pick(struct strange *s, unsigned n)
{
	return chance_below(&s->trait, n);
}

bool
strange_often(struct strange *s, unsigned percent)
{
	return chance_below(&s->trait, 100) < percent;
}

/* --- output ---------------------------------------------------------------- */

void
strange_put(struct strange *s, const char *text)
{
	buf_add(&s->out, text, strlen(text));
	s->piece[s->npieces - 1].to = s->out.len;
}

void
strange_putf(struct strange *s, const char *format, ...)
{
	char text[512];
	va_list ap;

	va_start(ap, format);
	vsnprintf(text, sizeof(text), format, ap);
	va_end(ap);
	strange_put(s, text);
}

static void
strange_piece(struct strange *s, unsigned wait)
{
	struct strange_piece *p;

	if (s->npieces < ARRAY_LEN(s->piece))
		s->npieces++;
	else
		wait += s->piece[s->npieces - 1].wait;
	p = &s->piece[s->npieces - 1];
	*p = (struct strange_piece){ wait, s->tty, s->out.len, s->out.len };
}

void
strange_wait(struct strange *s, unsigned ms)
{
	strange_piece(s, ms);
}

void
strange_set_tty(struct strange *s, uint32_t tty)
{
	if (s->tty == tty)
		return;
	s->tty = tty;
	strange_piece(s, 0);
}

void
strange_cause(struct strange *s, unsigned cause)
{
	s->causes |= cause;
}

void
strange_add_cp(struct strange_row *r, enum strange_pen pen, uint32_t cp)
{
	if (r->n < STRANGE_CELLS)
		r->cell[r->n++] = (struct strange_cell){ cp, (uint8_t)pen };
}

void
strange_add(struct strange_row *r, enum strange_pen pen, const char *text)
{
	uint32_t cp;
	size_t n = strlen(text), i, used;

	for (i = 0; i < n; i += used) {
		used = utf8_decode_final((const uint8_t *)text + i, n - i, &cp);
		strange_add_cp(r, pen, cp);
	}
}

static const char *const strange_pens[STRANGE_PENS] = { "\033[m", "\033[0;1m",
	"\033[0;2m", "\033[0;90m", "\033[0;38;5;240m", "\033[0;31m",
	"\033[0;32m", "\033[0;34m", "\033[0;36m", "\033[0;7m",
	"\033[0;37;44m" };

void
strange_write(struct strange *s, const struct strange_cell *c, unsigned n)
{
	uint8_t out[UTF8_MAX + 1];
	unsigned i, pen = STRANGE_PLAIN;

	for (i = 0; i < n; i++) {
		if (c[i].pen != pen)
			strange_put(s, strange_pens[pen = c[i].pen]);
		out[utf8_encode(c[i].ch == 0 ? ' ' : c[i].ch, out)] = '\0';
		strange_put(s, (const char *)out);
	}
	if (pen != STRANGE_PLAIN)
		strange_put(s, strange_pens[STRANGE_PLAIN]);
}

/* --- the screen ------------------------------------------------------------ */

void
strange_cell_at(struct strange *s, unsigned x, unsigned y, enum strange_pen pen,
    uint32_t cp)
{
	if (x < s->cols && y < s->rows)
		s->want[y * s->cols + x] =
		    (struct strange_cell){ cp, (uint8_t)pen };
}

void
strange_clear(struct strange *s, unsigned x, unsigned y, unsigned w, unsigned h)
{
	unsigned i, j;

	for (j = y; j < y + h; j++)
		for (i = x; i < x + w; i++)
			strange_cell_at(s, i, j, STRANGE_PLAIN, ' ');
}

void
strange_draw(struct strange *s, unsigned x, unsigned y, unsigned w,
    enum strange_pen pen, const char *text)
{
	struct strange_row r = { .n = 0 };
	unsigned i;

	strange_add(&r, pen, text);
	for (i = 0; i < w; i++)
		strange_cell_at(
		    s, x + i, y, pen, i < r.n ? r.cell[i].ch : (uint32_t)' ');
}

static bool
strange_differs(const struct strange *s, size_t i)
{
	return s->want[i].ch != s->have[i].ch ||
	       s->want[i].pen != s->have[i].pen;
}

static void
strange_flush_row(struct strange *s, unsigned y)
{
	const struct strange_cell *row = &s->want[y * s->cols];
	unsigned a, b, end = s->cols;

	for (a = 0; a < s->cols && !strange_differs(s, y * s->cols + a); a++)
		;
	if (a == s->cols)
		return;
	if (s->whole_rows) {
		while (end > 0 && row[end - 1].ch == ' ' &&
		       row[end - 1].pen == STRANGE_PLAIN)
			end--;
		strange_putf(s, "\033[%u;1H", y + 1);
		strange_write(s, row, end);
		if (end < s->cols)
			strange_put(s, "\033[K");
		return;
	}
	for (b = s->cols; !strange_differs(s, y * s->cols + b - 1); b--)
		;
	strange_putf(s, "\033[%u;%uH", y + 1, a + 1);
	strange_write(s, row + a, b - a);
}

void
strange_flush(struct strange *s)
{
	unsigned y;

	if (s->sync)
		strange_put(s, "\033[?2026h");
	if (s->hides)
		strange_put(s, "\033[?25l");
	for (y = 0; y < s->rows; y++)
		strange_flush_row(s, y);
	memcpy(s->have, s->want, sizeof(s->have));
	strange_putf(s, "\033[%u;%uH", s->y + 1, s->x + 1);
	if (s->hides)
		strange_put(s, "\033[?25h");
	if (s->sync)
		strange_put(s, "\033[?2026l");
}

void
strange_screen(struct strange *s)
{
	s->whole_rows = strange_often(s, 40);
	s->hides = strange_often(s, 50);
	s->sync = strange_often(s, 25);
	strange_set_tty(s, 0);
	strange_clear(s, 0, 0, s->cols, s->rows);
	memcpy(s->have, s->want, sizeof(s->have));
	strange_put(s, "\033[?1049h\033[H\033[2J");
}

/* --- life ------------------------------------------------------------------ */

static const struct strange_kind *
strange_choose(struct strange *s)
{
	unsigned all = 0, n;
	size_t i;

	for (i = 0; i < ARRAY_LEN(strange_kinds); i++)
		all += strange_kinds[i]->weight;
	n = strange_pick(s, all);
	for (i = 0; n >= strange_kinds[i]->weight; i++)
		n -= strange_kinds[i]->weight;
	return strange_kinds[i];
}

struct strange *
strange_new(uint64_t seed, unsigned cols, unsigned rows)
{
	struct strange *s = mem_zalloc(sizeof(*s));
	unsigned i;

	s->trait = seed * UINT64_C(0x9e3779b97f4a7c15) + 1;
	for (i = 0; i < 8; i++)
		(void)strange_pick(s, 2);
	s->chance = s->trait ^ 0x51;
	s->mind = s->trait ^ 0x7177;
	s->cols = cols;
	s->rows = rows;
	buf_init(&s->out, 1 << 20);
	s->tty = VT_FRAME_ECHO | VT_FRAME_CANONICAL;
	strange_piece(s, 0);
	s->speed = 70 + strange_pick(s, 170);
	s->typos = strange_pick(s, 60);
	s->kind = strange_choose(s);
	strange_put(s, "\033[H\033[2J");
	s->kind->begin(s);
	s->causes = 0;
	return s;
}

void
strange_free(struct strange *s)
{
	buf_fini(&s->out);
	mem_free(s->own);
	mem_free(s);
}

enum strange_group
strange_group(const struct strange *s)
{
	return s->kind->group;
}

const char *
strange_name(const struct strange *s)
{
	return s->kind->name;
}

const char *
strange_group_name(enum strange_group g)
{
	static const char *const names[STRANGE_GROUPS] = { "prose", "shells",
		"talk", "screens", "secrets" };

	return names[g];
}

static void
strange_answer(struct strange *s, bool kernel, key_code key)
{
	s->kernel = kernel;
	buf_clear(&s->out);
	s->npieces = 0;
	s->causes = 0;
	strange_piece(s, 0);
	s->kind->key(s, key);
}

void
strange_key(struct strange *s, key_code key)
{
	strange_answer(s, false, key);
}

void
strange_line(struct strange *s, const char *text)
{
	for (; *text != '\0' && *text != '\n'; text++)
		strange_answer(s, true, (unsigned char)*text);
	strange_answer(s, true, KEY_ENTER);
}

size_t
strange_pieces(const struct strange *s, const struct strange_piece **pieces)
{
	*pieces = s->piece;
	return s->npieces;
}

const char *
strange_output(const struct strange *s)
{
	return (const char *)s->out.data;
}

uint32_t
strange_tty(const struct strange *s)
{
	return s->tty;
}

unsigned
strange_causes(const struct strange *s)
{
	return s->causes;
}

/* --- keys ------------------------------------------------------------------ */

static const struct {
	key_code key;
	const char *bytes;
} strange_keys[] = { { KEY_ENTER, "\r" }, { KEY_BSPACE, "\177" },
	{ KEY_TAB, "\t" }, { KEY_UP, "\033[A" }, { KEY_DOWN, "\033[B" },
	{ KEY_RIGHT, "\033[C" }, { KEY_LEFT, "\033[D" }, { KEY_HOME, "\033[H" },
	{ KEY_END, "\033[F" }, { KEY_DC, "\033[3~" },
	{ KEY_CTRL | 'a', "\001" }, { KEY_CTRL | 'e', "\005" },
	{ KEY_CTRL | 'k', "\013" }, { KEY_CTRL | 'u', "\025" },
	{ KEY_CTRL | 'w', "\027" }, { KEY_META | 'b', "\033b" },
	/* Other terminals' forms. */
	{ KEY_HOME, "\033[1~" }, { KEY_END, "\033[4~" }, { KEY_HOME, "\033OH" },
	{ KEY_END, "\033OF" }, { KEY_UP, "\033OA" }, { KEY_DOWN, "\033OB" },
	{ KEY_RIGHT, "\033OC" }, { KEY_LEFT, "\033OD" }, { KEY_BSPACE, "\b" },
	{ KEY_ESCAPE, "\033" } };

size_t
strange_bytes(key_code key, char *out)
{
	size_t i;

	for (i = 0; i < ARRAY_LEN(strange_keys); i++)
		if (strange_keys[i].key == key) {
			memcpy(out, strange_keys[i].bytes,
			    strlen(strange_keys[i].bytes));
			return strlen(strange_keys[i].bytes);
		}
	return utf8_encode((uint32_t)key, (uint8_t *)out);
}

size_t
strange_decode(const char *p, size_t n, key_code *key)
{
	size_t i, m;
	uint32_t cp;

	for (i = 0; i < ARRAY_LEN(strange_keys); i++) {
		m = strlen(strange_keys[i].bytes);
		if (n >= m && memcmp(p, strange_keys[i].bytes, m) == 0) {
			*key = strange_keys[i].key;
			return m;
		}
	}
	if (n == 0)
		return 0;
	m = utf8_decode_final((const uint8_t *)p, n, &cp);
	*key = cp;
	return m;
}
