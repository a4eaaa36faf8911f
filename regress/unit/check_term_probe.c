/*
 * The width probe and the painter against a terminal that counts columns
 * differently.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/grapheme.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "client/term/out.h"
#include "mux/vt/frame.h"
#include "regress/unit/unit.h"

#define COLS 40
#define ROWS 4

/* The class whose width the terminal gets wrong. */
enum wrong {
	WRONG_NONE,
	WRONG_AMBIGUOUS, /* two columns */
	WRONG_WIDE,      /* one */
	WRONG_EMOJI,     /* one */
	WRONG_REGIONAL,  /* the other one */
	WRONG_FLAG,      /* each half by itself */
	WRONG_VARIATION, /* U+FE0F changes nothing */
	WRONG_KEYCAP,    /* as above */
	WRONG_SKIN,      /* two columns more */
	WRONG_FAMILY,    /* nothing is joined */
	WRONG_JAMO,      /* each by itself */
	WRONG_ACCENT,    /* one column more */
	WRONG_ALL,
	WRONG_SILENT,  /* right, but without answers */
	WRONG_PARTIAL, /* answers only some questions */
	WRONG_COUNT
};

/* One cluster of each class except TERM_CLASS_PLAIN, in its order. */
static const char *const clusters[TERM_CLASS_COUNT] = {
	"x",
	"\xe2\x94\x80",
	"\xe8\xaa\x9e",
	"\xf0\x9f\x98\x80",
	"\xf0\x9f\x87\xab",
	"\xf0\x9f\x87\xab\xf0\x9f\x87\xb7",
	"\xe2\x98\x80\xef\xb8\x8f",
	"7\xef\xb8\x8f\xe2\x83\xa3",
	"\xf0\x9f\x91\x8b\xf0\x9f\x8f\xbf",
	"\xf0\x9f\x91\xa8\xe2\x80\x8d\xf0\x9f\x92\xbb",
	"\xe1\x84\x80\xe1\x85\xa1",
	"u\xcc\x88",
	"\xe0\xa4\xa8\xe0\xa4\xbf",
};

struct sim {
	enum wrong wrong;
	struct grapheme_table *gt;
	unsigned x;
	unsigned y;
	char at[ROWS][COLS][32]; /* the cluster that begins there */
	unsigned moves;          /* absolute moves */
	unsigned asked;
	struct term_probe *probe;
};

/*
 * Finds the class of a cluster: the one whose width decides whether it is
 * trusted.
 */
static enum term_class
class_of(const char *text, size_t n, unsigned cells)
{
	struct term_widths w;
	enum term_class k;

	for (k = TERM_CLASS_PLAIN + 1; k < TERM_CLASS_COUNT; k++) {
		memset(w.of, (int)cells, sizeof(w.of));
		w.of[k] = (uint8_t)(cells + 1);
		if (!term_widths_trust(&w, text, n, cells))
			return k;
	}
	return TERM_CLASS_PLAIN;
}

/* Returns the terminal's width of a cluster of W columns. */
static unsigned
sim_width(const struct sim *s, const char *text, size_t n, unsigned w)
{
	enum term_class k = class_of(text, n, w);
	bool all = s->wrong == WRONG_ALL;

	if (k == TERM_CLASS_OTHER)
		return w + all;
	if (k == TERM_CLASS_PLAIN ||
	    !(all || (unsigned)s->wrong == (unsigned)k))
		return w;
	switch (k) {
	case TERM_CLASS_AMBIGUOUS:
		return 2;
	case TERM_CLASS_WIDE:
	case TERM_CLASS_EMOJI:
	case TERM_CLASS_VARIATION:
	case TERM_CLASS_KEYCAP:
		return 1;
	case TERM_CLASS_REGIONAL:
		return 3 - w;
	default:
		return w + (k == TERM_CLASS_ACCENT ? 1 : 2);
	}
}

static void
sim_put(struct sim *s, const char *text, size_t n, unsigned w)
{
	unsigned k;

	w = sim_width(s, text, n, w);
	ck_assert_uint_lt(n, sizeof(s->at[0][0]));
	if (s->x + w > COLS)
		s->x = COLS - w;
	for (k = 0; k < w; k++)
		strcpy(s->at[s->y][s->x + k], "");
	memcpy(s->at[s->y][s->x], text, n);
	s->at[s->y][s->x][n] = '\0';
	s->x += w;
}

static void
sim_erase(struct sim *s, unsigned y, unsigned from, unsigned to)
{
	for (; from < to && from < COLS; from++)
		strcpy(s->at[y][from], " ");
}

static void
sim_csi(struct sim *s, const char *p, char final)
{
	unsigned a = (unsigned)strtoul(p, NULL, 10), b = 0, y;
	const char *semi = strchr(p, ';');

	if (semi != NULL)
		b = (unsigned)strtoul(semi + 1, NULL, 10);
	switch (final) {
	case 'H':
		s->y = a > 0 ? a - 1 : 0;
		s->x = b > 0 ? b - 1 : 0;
		s->moves++;
		break;
	case 'C':
		s->x += a > 0 ? a : 1;
		break;
	case 'D':
		s->x -= a > 0 ? a : 1;
		break;
	case 'K':
		sim_erase(s, s->y, s->x, COLS);
		break;
	case 'X':
		sim_erase(s, s->y, s->x, s->x + a);
		break;
	case 'J':
		for (y = 0; y < ROWS; y++)
			sim_erase(s, y, 0, COLS);
		break;
	case 'n':
		ck_assert_uint_eq(a, 6);
		s->asked++;
		if (s->wrong != WRONG_SILENT &&
		    (s->wrong != WRONG_PARTIAL || s->asked % 3 != 0))
			ck_assert(
			    term_probe_cursor(s->probe, s->y + 1, s->x + 1));
		break;
	case 'm':
	case 'h':
	case 'l':
		break;
	default:
		ck_abort_msg("CSI %s %c", p, final);
	}
}

static void
sim_write(struct sim *s, const struct buf *b)
{
	const char *p = (const char *)b->data, *end = p + b->len;
	char params[32];
	size_t n;
	int w;

	while (p < end) {
		if (*p == '\033') {
			ck_assert_int_eq(p[1], '[');
			for (p += 2, n = 0; *p < '@'; p++)
				params[n++] = *p;
			params[n] = '\0';
			sim_csi(s, params, *p++);
		} else if (*p == '\r' || *p == '\n' || *p == '\b') {
			s->x = *p == '\r' ? 0 : s->x - (*p == '\b');
			s->y += *p == '\n';
			p++;
		} else {
			n = grapheme_next(
			    s->gt, (const uint8_t *)p, (size_t)(end - p), &w);
			sim_put(s, p, n, (unsigned)w);
			p += n;
		}
	}
}

/* Rows whose text after a cluster must stay in place. */
static struct vt_frame *
frame_new(struct grapheme_table *gt, unsigned from, unsigned to)
{
	struct vt_frame *f = vt_frame_new(COLS, ROWS);
	struct pen pen = { 0 };
	unsigned k, x = 0;

	for (k = from; k <= to; k++) {
		x = vt_frame_text(
		    f, gt, x, 1, COLS, clusters[k], strlen(clusters[k]), &pen);
		x = vt_frame_text(f, gt, x, 1, COLS, "|", 1, &pen);
	}
	vt_frame_text(f, gt, 0, 2, COLS, "below", 5, &pen);
	f->state.y = 3;
	return f;
}

/* Checks that all text of a frame is in its columns. */
static void
assert_placed(const struct sim *s, const struct vt_frame *f)
{
	char text[VT_CLUSTER_MAX + 1];
	unsigned x, y;
	struct vt_cell c;

	for (y = 0; y < ROWS; y++)
		for (x = 0; x < COLS; x++) {
			c = vt_line_cell(f->lines[y], x);
			if (c.width != VT_NARROW || c.ch >= 0x7f)
				continue;
			vt_line_text(f->lines[y], x, text);
			if (*text != '\0' && *text != ' ')
				ck_assert_msg(strcmp(s->at[y][x], text) == 0,
				    "wrong %u: row %u col %u: [%s], not [%s]",
				    s->wrong, y, x, s->at[y][x], text);
		}
}

static void
paint(struct sim *s, struct term_out *o, const struct vt_frame *f)
{
	struct buf *b = term_out_pending(o);

	term_out_forget(o);
	buf_clear(b);
	s->moves = 0;
	term_out_paint(o, f);
	sim_write(s, b);
	assert_placed(s, f);
}

START_TEST(each_way_to_be_wrong_is_found_and_painted_right)
{
	struct sim s = { .gt = grapheme_table_new(NULL) };
	struct term_probe probe;
	struct term_out *o;
	struct vt_frame *f, *each;
	unsigned w, k, before;
	struct buf b;
	bool wrong, trusted;

	f = frame_new(s.gt, 1, TERM_CLASS_COUNT - 1);
	s.probe = &probe;
	for (w = WRONG_NONE; w < WRONG_COUNT; w++) {
		s.wrong = (enum wrong)w;
		s.x = s.y = s.asked = s.moves = 0;
		o = term_out_new(
		    TERM_CAP(UTF8) | TERM_CAP(BCE) | TERM_CAP(SCROLL), COLS,
		    ROWS);
		buf_init(&b, 4096);
		term_probe_begin(&probe, &b);
		sim_write(&s, &b);
		buf_fini(&b);
		/* The probe leaves blanks. */
		for (k = 0; k < COLS; k++)
			ck_assert_str_eq(s.at[TERM_PROBE_ROW - 1][k], " ");
		ck_assert_uint_eq(s.moves, TERM_CLASS_COUNT - 1);
		wrong = term_probe_end(&probe);
		ck_assert_int_eq(wrong,
		    w == WRONG_AMBIGUOUS || w == WRONG_WIDE || w == WRONG_ALL);
		ck_assert(!term_probe_end(&probe));
		ck_assert(!term_probe_cursor(&probe, TERM_PROBE_ROW, 3));
		term_out_set_widths(o, &probe.got);
		paint(&s, o, f);
		each = frame_new(s.gt, TERM_CLASS_PLAIN, TERM_CLASS_PLAIN);
		paint(&s, o, each);
		vt_frame_unref(each);
		before = s.moves;
		for (k = 1; k < TERM_CLASS_COUNT; k++) {
			each = frame_new(s.gt, k, k);
			paint(&s, o, each);
			vt_frame_unref(each);
			if (w >= WRONG_ALL)
				continue;
			/*
			 * The painter addresses the cursor only after a class
			 * that is wrong.
			 */
			trusted = k != w && k != TERM_CLASS_OTHER;
			ck_assert_msg(s.moves == before + (trusted ? 0 : 1),
			    "wrong %u, class %u: %u moves", w, k, s.moves);
		}
		term_out_free(o);
	}
	vt_frame_unref(f);
	grapheme_table_free(s.gt);
}
END_TEST

START_TEST(clusters_have_their_classes)
{
	static const struct {
		const char *text;
		unsigned cells;
		enum term_class k;
	} rows[] = {
		{ "", 1, TERM_CLASS_PLAIN },
		{ "~", 1, TERM_CLASS_PLAIN },
		{ "\xc2\xa1", 1, TERM_CLASS_AMBIGUOUS },
		{ "\xee\x82\xb0", 1, TERM_CLASS_AMBIGUOUS },
		{ "\xf0\xa0\x80\x80", 2, TERM_CLASS_WIDE },
		{ "\xe2\x98\xba\xef\xb8\x8e", 1, TERM_CLASS_OTHER },
		{ "\xe0\xa4\x95\xe0\xa5\x8d\xe2\x80\x8d", 1, TERM_CLASS_OTHER },
		{ "e\xcc\x81\xcc\x81\xcc\x81", 1, TERM_CLASS_OTHER },
		{ "\xe1\x84\x80\xcc\x81", 2, TERM_CLASS_OTHER },
		{ "\xff", 1, TERM_CLASS_AMBIGUOUS },
	};
	size_t i;

	for (i = 0; i < ARRAY_LEN(rows); i++)
		ck_assert_msg(class_of(rows[i].text, strlen(rows[i].text),
				  rows[i].cells) == rows[i].k,
		    "row %zu", i);
	for (i = 0; i < TERM_CLASS_COUNT; i++)
		ck_assert_uint_eq(
		    class_of(clusters[i], strlen(clusters[i]),
			i == TERM_CLASS_WIDE || i == TERM_CLASS_EMOJI ? 2 : 1),
		    i);
}
END_TEST

START_TEST(other_answers_are_left_alone)
{
	struct term_probe p = { 0 };
	struct buf b;

	ck_assert(!term_probe_cursor(&p, TERM_PROBE_ROW, 2));
	ck_assert(!term_probe_end(&p));
	buf_init(&b, 4096);
	term_probe_begin(&p, &b);
	buf_fini(&b);
	/* F3 with Shift is CSI 1;2R. */
	ck_assert(!term_probe_cursor(&p, 1, 2));
	ck_assert(term_probe_cursor(&p, TERM_PROBE_ROW, 1));
	ck_assert(term_probe_cursor(&p, TERM_PROBE_ROW, UINT32_MAX));
	ck_assert(!term_probe_end(&p));
	ck_assert_uint_eq(p.got.of[TERM_CLASS_AMBIGUOUS], 0);
}
END_TEST

UNIT_SUITE(term_probe)
{
	Suite *s = suite_create("term_probe");
	TCase *tc = tcase_create("probe");

	tcase_add_test(tc, each_way_to_be_wrong_is_found_and_painted_right);
	tcase_add_test(tc, clusters_have_their_classes);
	tcase_add_test(tc, other_answers_are_left_alone);
	suite_add_tcase(s, tc);
	return s;
}
