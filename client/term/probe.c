#include "client/term/probe.h"

#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"

/* A sample cluster of each class, and its assumed width while unmeasured. */
static const struct class_row {
	const char *sample; /* NULL: not measured */
	uint8_t granted;    /* 0: not trusted unless measured */
} class_rows[] = {
	/* clang-format off */
	[TERM_CLASS_PLAIN] = { NULL, 0 },
	[TERM_CLASS_AMBIGUOUS] = { "\xc2\xa7", 1 },
	[TERM_CLASS_WIDE] = { "\xe6\x97\xa5", 2 },
	[TERM_CLASS_EMOJI] = { "\xf0\x9f\xab\xa8", 0 },
	[TERM_CLASS_REGIONAL] = { "\xf0\x9f\x87\xa9", 0 },
	[TERM_CLASS_FLAG] = { "\xf0\x9f\x87\xa9\xf0\x9f\x87\xaa", 0 },
	[TERM_CLASS_VARIATION] = { "\xe2\x9d\xa4\xef\xb8\x8f", 0 },
	[TERM_CLASS_KEYCAP] = { "1\xef\xb8\x8f\xe2\x83\xa3", 0 },
	[TERM_CLASS_SKIN] = { "\xf0\x9f\x91\x8d\xf0\x9f\x8f\xbd", 0 },
	[TERM_CLASS_FAMILY] = { "\xf0\x9f\x91\xa9\xe2\x80\x8d"
				"\xf0\x9f\x91\xa9\xe2\x80\x8d"
				"\xf0\x9f\x91\xa7", 0 },
	[TERM_CLASS_JAMO] = { "\xe1\x84\x92\xe1\x85\xa1\xe1\x86\xab", 0 },
	[TERM_CLASS_ACCENT] = { "e\xcc\x81", 0 },
	[TERM_CLASS_OTHER] = { NULL, 0 },
	/* clang-format on */
};

_Static_assert(ARRAY_LEN(class_rows) == TERM_CLASS_COUNT, "one row each");

static bool
in(uint32_t cp, uint32_t from, uint32_t to)
{
	return cp >= from && cp <= to;
}

/* Properties of the code points after the first one of a cluster. */
struct marks {
	unsigned n;
	unsigned accents;
	unsigned jamo;
	bool joiner;
	bool keycap;
	bool skin;
	bool regional;
	bool variation;
};

static void
marks_of(struct marks *m, const char *text, size_t n)
{
	size_t used;
	uint32_t cp;

	for (; n > 0; text += used, n -= used) {
		used = utf8_decode_final((const uint8_t *)text, n, &cp);
		m->n++;
		m->accents += in(cp, 0x300, 0x36f);
		m->jamo += in(cp, 0x1100, 0x11ff);
		m->joiner |= cp == 0x200d;
		m->keycap |= cp == 0x20e3;
		m->skin |= in(cp, 0x1f3fb, 0x1f3ff);
		m->regional |= in(cp, 0x1f1e6, 0x1f1ff);
		m->variation |= cp == 0xfe0f;
	}
}

static enum term_class
class_of_single(uint32_t cp, unsigned cells)
{
	if (cp < 0xa1)
		return TERM_CLASS_PLAIN;
	if (in(cp, 0x1f1e6, 0x1f1ff))
		return TERM_CLASS_REGIONAL;
	if (cells < 2)
		return TERM_CLASS_AMBIGUOUS;
	return cp >= 0x1f000 && cp < 0x20000 ? TERM_CLASS_EMOJI
					     : TERM_CLASS_WIDE;
}

static enum term_class
class_of(const char *text, size_t n, unsigned cells)
{
	struct marks m = { 0 };
	uint32_t cp;
	size_t used;

	if (n == 0)
		return TERM_CLASS_PLAIN;
	used = utf8_decode_final((const uint8_t *)text, n, &cp);
	marks_of(&m, text + used, n - used);
	if (m.n == 0)
		return class_of_single(cp, cells);
	if (m.joiner)
		return cp >= 0x2190 ? TERM_CLASS_FAMILY : TERM_CLASS_OTHER;
	if (m.keycap)
		return TERM_CLASS_KEYCAP;
	if (m.regional)
		return m.n == 1 ? TERM_CLASS_FLAG : TERM_CLASS_OTHER;
	if (m.skin)
		return TERM_CLASS_SKIN;
	if (m.variation)
		return m.n == 1 ? TERM_CLASS_VARIATION : TERM_CLASS_OTHER;
	if (m.jamo == m.n && in(cp, 0x1100, 0x11ff))
		return TERM_CLASS_JAMO;
	/* Longer sequences of marks are not measured. */
	if (m.accents == m.n && m.n <= 2 && cp < 0x500)
		return TERM_CLASS_ACCENT;
	return TERM_CLASS_OTHER;
}

bool
term_widths_trust(
    const struct term_widths *w, const char *text, size_t n, unsigned cells)
{
	enum term_class k = class_of(text, n, cells);

	if (k == TERM_CLASS_PLAIN)
		return true;
	if (w->of[k] == 0)
		return class_rows[k].granted == cells;
	return w->of[k] == cells;
}

/* Returns the first class from K on that is measured. */
static enum term_class
class_asked(enum term_class k)
{
	while (k < TERM_CLASS_COUNT && class_rows[k].sample == NULL)
		k++;
	return k;
}

void
term_probe_begin(struct term_probe *p, struct buf *out)
{
	enum term_class k;

	*p = (struct term_probe){
		.next = class_asked(TERM_CLASS_PLAIN),
		.asked = true,
	};
	(void)buf_addf(out, "\033[?25l\033[8m");
	for (k = p->next; k < TERM_CLASS_COUNT; k = class_asked(k + 1))
		(void)buf_addf(out, "\033[%dH%s\033[6n", TERM_PROBE_ROW,
		    class_rows[k].sample);
	(void)buf_addf(out, "\033[%dH\033[m\033[K\033[?25h", TERM_PROBE_ROW);
}

bool
term_probe_cursor(struct term_probe *p, uint32_t row, uint32_t col)
{
	if (!p->asked || p->next >= TERM_CLASS_COUNT || row != TERM_PROBE_ROW)
		return false;
	if (col > 1 && col <= TERM_PROBE_COLS)
		p->got.of[p->next] = (uint8_t)(col - 1);
	p->next = class_asked(p->next + 1);
	return true;
}

bool
term_probe_end(struct term_probe *p)
{
	enum term_class k;
	bool wrong = false;

	if (!p->asked)
		return false;
	p->asked = false;
	if (p->next < TERM_CLASS_COUNT)
		/*
		 * The answers carry no class: with one missing, all are
		 * useless.
		 */
		p->got = (struct term_widths){ .of = { 0 } };
	for (k = 0; k < TERM_CLASS_COUNT; k++)
		wrong |= class_rows[k].granted != 0 && p->got.of[k] != 0 &&
			 p->got.of[k] != class_rows[k].granted;
	return wrong;
}
