/*
 * Menus, pagers, forms, lists that a typed filter narrows.
 */
#include <stdio.h>
#include <string.h>

#include "regress/predict/strange_int.h"

struct screen {
	/* traits */
	unsigned rows, x0, y0, width, fields;
	bool wraps, letters, bottom, stars, lined, jumps;
	const char *sign;
	/* state */
	unsigned at, top;
	char field[8][64];
	unsigned n[8], pos[8];
	bool asks; /* a pager's search */
	unsigned seen;
};

static struct screen *
screen_new(struct strange *s)
{
	struct screen *m = mem_zalloc(sizeof(*m));

	s->own = m;
	strange_screen(s);
	m->rows = 5 + strange_pick(s, 40);
	m->x0 = strange_pick(s, 20);
	m->y0 = strange_pick(s, 4);
	m->width = 12 + strange_pick(s, 30);
	m->fields = 2 + strange_pick(s, 6);
	m->wraps = strange_often(s, 50);
	m->letters = strange_often(s, 50);
	m->bottom = strange_often(s, 50);
	m->lined = strange_often(s, 50);
	m->jumps = strange_often(s, 30);
	m->sign = strange_often(s, 50) ? "> " : "Search: ";
	return m;
}

/* Returns the text of row I: the same at all times. */
static const char *
screen_item(const struct strange *s, unsigned i, char *out, size_t size)
{
	uint64_t r = s->cols * UINT64_C(977) + i * UINT64_C(7919) + i;
	const char *a = strange_word(&r), *b = strange_word(&r);

	snprintf(out, size, "%s %s %u", a, b, i);
	return out;
}

/* --- menu ------------------------------------------------------------------ */

static void
menu_paint(struct strange *s, struct screen *m)
{
	unsigned h = MIN_OF(m->rows, s->rows - m->y0 - 1), i, k;
	char text[80];

	if (m->at < m->top)
		m->top = m->at;
	if (m->at >= m->top + h)
		m->top = m->at + 1 - h;
	for (i = 0; i < h; i++) {
		k = m->top + i;
		strange_draw(s, m->x0, m->y0 + i, 40,
		    k == m->at ? STRANGE_REVERSE : STRANGE_PLAIN,
		    screen_item(s, k, text, sizeof(text)));
	}
	snprintf(text, sizeof(text), "%u of %u", m->at + 1, m->rows);
	strange_draw(s, 0, s->rows - 1, 30, STRANGE_GREY, text);
	s->x = m->lined ? m->x0 : s->cols - 1;
	s->y = m->lined ? m->y0 + m->at - m->top : s->rows - 1;
	strange_flush(s);
}

static void
menu_key(struct strange *s, key_code key)
{
	struct screen *m = s->own;

	strange_cause(s, STRANGE_FIELD);
	if (key == KEY_DOWN || key == 'j')
		m->at = m->at + 1 < m->rows ? m->at + 1 : m->wraps ? 0 : m->at;
	else if (key == KEY_UP || key == 'k')
		m->at = m->at > 0 ? m->at - 1 : m->wraps ? m->rows - 1 : 0;
	else if (key == 'g' || key == KEY_HOME)
		m->at = 0;
	else if (key == 'G' || key == KEY_END)
		m->at = m->rows - 1;
	else if (m->letters && key >= 'a' && key <= 'z') {
		strange_cause(s, STRANGE_CHANCE);
		m->at = chance_below(&s->chance, m->rows);
	} else if (key == KEY_ENTER) {
		strange_cause(s, STRANGE_CHANCE);
		m->rows = 5 + chance_below(&s->chance, 40);
		m->at = m->top = 0;
		strange_clear(s, 0, 0, s->cols, s->rows);
	}
	menu_paint(s, m);
}

static void
menu_plan(struct strange *s)
{
	unsigned n = 1 + chance_below(&s->mind, 6), i;
	key_code key = chance_below(&s->mind, 3) > 0 ? KEY_DOWN : KEY_UP;

	for (i = 0; i < n; i++)
		strange_type(s, key);
	if (chance_below(&s->mind, 3) == 0)
		strange_type(s, KEY_ENTER);
	if (chance_below(&s->mind, 3) == 0)
		strange_type(s, 'a' + chance_below(&s->mind, 26));
}

static void
menu_begin(struct strange *s)
{
	menu_paint(s, screen_new(s));
}

/* --- pager ----------------------------------------------------------------- */

static void
pager_paint(struct strange *s, struct screen *m)
{
	unsigned i;
	char text[80];

	for (i = 0; i + 1 < s->rows; i++)
		strange_draw(s, 0, i, s->cols, STRANGE_PLAIN,
		    screen_item(s, m->top + i, text, sizeof(text)));
	if (m->asks)
		snprintf(text, sizeof(text), "/%s", m->field[0]);
	else if (m->lined)
		snprintf(text, sizeof(text), "lines %u-%u", m->top + 1,
		    m->top + s->rows - 1);
	else
		snprintf(text, sizeof(text), ":");
	strange_draw(s, 0, s->rows - 1, s->cols,
	    m->asks || !m->lined ? STRANGE_PLAIN : STRANGE_REVERSE, text);
	s->x = (unsigned)strlen(text);
	s->y = s->rows - 1;
	strange_flush(s);
}

static void
pager_search(struct strange *s, struct screen *m, key_code key)
{
	if (key == KEY_ENTER || key == KEY_ESCAPE) {
		strange_cause(s, STRANGE_CHANCE);
		m->asks = false;
		m->top = chance_below(&s->chance, 400);
	} else if (key == KEY_BSPACE) {
		if (m->n[0] == 0)
			m->asks = false;
		else
			m->field[0][--m->n[0]] = '\0';
	} else if (key >= ' ' && key < 0x7f && m->n[0] < 40) {
		m->field[0][m->n[0]++] = (char)key;
		m->field[0][m->n[0]] = '\0';
	}
}

static void
pager_key(struct strange *s, key_code key)
{
	struct screen *m = s->own;
	unsigned page = s->rows - 1;

	if (m->asks) {
		pager_search(s, m, key);
		pager_paint(s, m);
		return;
	}
	strange_cause(s, STRANGE_CHANCE);
	if (key == ' ')
		m->top += page;
	else if (key == 'b')
		m->top -= MIN_OF(m->top, page);
	else if (key == KEY_DOWN || key == 'j' || key == KEY_ENTER)
		m->top++;
	else if (key == KEY_UP || key == 'k')
		m->top -= m->top > 0;
	else if (key == 'n')
		m->top = chance_below(&s->chance, 400);
	else if (key == '/') {
		m->asks = true;
		m->n[0] = 0;
		m->field[0][0] = '\0';
	}
	pager_paint(s, m);
}

static void
pager_plan(struct strange *s)
{
	unsigned n = 1 + chance_below(&s->mind, 5), i, what;

	what = chance_below(&s->mind, 5);
	if (what == 0) {
		strange_type(s, '/');
		strange_type_text(s, strange_word(&s->mind));
		strange_type(s, KEY_ENTER);
		strange_type(s, 'n');
		return;
	}
	for (i = 0; i < n; i++)
		strange_type(s, what == 1   ? 'b'
				: what == 2 ? ' '
				: what == 3 ? 'j'
					    : KEY_DOWN);
}

static void
pager_begin(struct strange *s)
{
	pager_paint(s, screen_new(s));
}

/* --- form ------------------------------------------------------------------ */

static const char *const form_names[] = { "Name", "Street", "Town", "E-mail",
	"Telephone", "Remark", "Code", "Country" };

static void
form_paint(struct strange *s, struct screen *m)
{
	unsigned i, k, y, from, x = m->x0 + 12;

	for (i = 0; i < m->fields; i++) {
		y = m->y0 + (m->lined ? 2 : 1) * i + 1;
		strange_draw(s, m->x0, y, 11, STRANGE_BOLD, form_names[i]);
		from = m->pos[i] >= m->width ? m->pos[i] - m->width + 1 : 0;
		for (k = 0; k < m->width; k++)
			strange_cell_at(s, x + k, y, STRANGE_PLAIN,
			    from + k < m->n[i]
				? (unsigned char)m->field[i][from + k]
			    : m->bottom ? (uint32_t)'_'
					: (uint32_t)' ');
		if (i != m->at)
			continue;
		s->x = x + m->pos[i] - from;
		s->y = y;
	}
	strange_flush(s);
}

static void
form_key(struct strange *s, key_code key)
{
	struct screen *m = s->own;
	char *f = m->field[m->at];
	unsigned *n = &m->n[m->at], *pos = &m->pos[m->at];

	if (key == KEY_TAB || key == KEY_DOWN || key == KEY_ENTER ||
	    key == KEY_UP) {
		strange_cause(s, STRANGE_FIELD);
		m->at =
		    (m->at + (key == KEY_UP ? m->fields - 1 : 1)) % m->fields;
	} else if (key == KEY_BSPACE && *pos > 0) {
		memmove(f + *pos - 1, f + *pos, *n - *pos);
		--*pos;
		--*n;
	} else if (key == KEY_LEFT) {
		*pos -= *pos > 0;
	} else if (key == KEY_RIGHT) {
		*pos += *pos < *n;
	} else if (key == (KEY_CTRL | 'u')) {
		*pos = *n = 0;
	} else if (key >= ' ' && key < 0x7f && *n < 60) {
		memmove(f + *pos + 1, f + *pos, *n - *pos);
		f[*pos] = (char)key;
		++*pos;
		++*n;
		if (m->jumps && *n == m->width) {
			strange_cause(s, STRANGE_FIELD);
			m->at = (m->at + 1) % m->fields;
		} else if (*pos >= m->width) {
			strange_cause(s, STRANGE_SCROLL);
		}
	}
	form_paint(s, m);
}

static void
form_plan(struct strange *s)
{
	struct screen *m = s->own;
	char text[64];

	if (m->n[m->at] > 20)
		strange_type(s, KEY_CTRL | 'u');
	strange_sentence(s, text, sizeof(text), 1 + chance_below(&s->mind, 4));
	strange_type_text(s, text);
	strange_type(s, chance_below(&s->mind, 5) ? KEY_TAB : KEY_UP);
}

static void
form_begin(struct strange *s)
{
	form_paint(s, screen_new(s));
}

/* --- finder ---------------------------------------------------------------- */

static void
finder_paint(struct strange *s, struct screen *m)
{
	unsigned y, i = 0, shown = 0, place = m->bottom ? s->rows - 1 : 0;
	char text[80];

	for (; shown + 2 < s->rows; i++) {
		text[0] = '\0';
		if (i < 400)
			screen_item(s, i, text, sizeof(text));
		if (i < 400 && strstr(text, m->field[0]) == NULL)
			continue;
		y = m->bottom ? s->rows - 3 - shown : shown + 2;
		strange_draw(s, 0, y, s->cols,
		    shown == m->at ? STRANGE_REVERSE : STRANGE_PLAIN, text);
		shown++;
	}
	snprintf(text, sizeof(text), "  %u/400", i < 400 ? 400 - i : 0);
	strange_draw(
	    s, 0, m->bottom ? s->rows - 2 : 1, s->cols, STRANGE_GREY, text);
	snprintf(text, sizeof(text), "%s%s", m->sign, m->field[0]);
	strange_draw(s, 0, place, s->cols, STRANGE_PLAIN, text);
	s->x = (unsigned)strlen(text);
	s->y = place;
	strange_flush(s);
}

static void
finder_key(struct strange *s, key_code key)
{
	struct screen *m = s->own;

	if (key == KEY_UP || key == KEY_DOWN) {
		strange_cause(s, STRANGE_FIELD);
		m->at = (key == KEY_UP) == m->bottom
			    ? MIN_OF(m->at + 1, s->rows - 3)
			    : m->at - (m->at > 0);
	} else if (key == KEY_BSPACE) {
		m->n[0] -= m->n[0] > 0;
	} else if (key == KEY_ENTER || key == (KEY_CTRL | 'u')) {
		strange_cause(s, STRANGE_RETURN);
		m->n[0] = m->at = 0;
	} else if (key >= ' ' && key < 0x7f && m->n[0] < 40) {
		m->field[0][m->n[0]++] = (char)key;
		m->at = 0;
	}
	m->field[0][m->n[0]] = '\0';
	finder_paint(s, m);
}

static void
finder_plan(struct strange *s)
{
	unsigned n = chance_below(&s->mind, 4);

	strange_type_text(s, strange_word(&s->mind));
	for (; n > 0; n--)
		strange_type(s, chance_below(&s->mind, 2) ? KEY_UP : KEY_DOWN);
	strange_type(s, chance_below(&s->mind, 3) ? KEY_ENTER : KEY_CTRL | 'u');
}

static void
finder_begin(struct strange *s)
{
	finder_paint(s, screen_new(s));
}

const struct strange_kind strange_menu = { "menu", STRANGE_SCREEN, 4,
	menu_begin, menu_key, menu_plan };
const struct strange_kind strange_pager = { "pager", STRANGE_SCREEN, 4,
	pager_begin, pager_key, pager_plan };
const struct strange_kind strange_form = { "form", STRANGE_SCREEN, 6,
	form_begin, form_key, form_plan };
const struct strange_kind strange_finder = { "finder", STRANGE_SCREEN, 6,
	finder_begin, finder_key, finder_plan };
