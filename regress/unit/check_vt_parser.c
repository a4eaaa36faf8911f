#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "mux/vt/parser.h"
#include "regress/unit/unit.h"

/* The callbacks append their arguments to one text. */
struct seen {
	struct buf b;
	size_t keep;
};

static void
see_ascii(void *arg, const uint8_t *p, size_t n, size_t room)
{
	struct seen *s = arg;

	ck_assert_uint_ge(room, n);
	(void)buf_add(&s->b, p, n);
}

static void
see_text(void *arg, const uint32_t *cp, size_t n)
{
	struct seen *s = arg;
	size_t i;

	for (i = 0; i < n; i++) {
		if (cp[i] < 0x80)
			(void)buf_add_u8(&s->b, (uint8_t)cp[i]);
		else
			(void)buf_addf(&s->b, "{%X}", cp[i]);
	}
}

static void
see_control(void *arg, uint32_t c)
{
	struct seen *s = arg;

	(void)buf_addf(&s->b, "<%02X>", c);
}

static void
see_seq(struct seen *s, const char *what, const struct vt_seq *q)
{
	(void)buf_addf(&s->b, "<%s", what);
	if (q->prefix != 0)
		(void)buf_addf(&s->b, " %c", q->prefix);
	if (q->inter != 0)
		(void)buf_addf(&s->b, " i%c", q->inter);
	if (q->inter2 != 0)
		(void)buf_addf(&s->b, "%c", q->inter2);
	(void)buf_addf(&s->b, " %c", q->final);
}

static void
see_params(struct seen *s, const struct vt_params *p)
{
	int i;

	for (i = 0; i < p->count; i++) {
		(void)buf_addf(&s->b, "%s",
		    (p->sub >> i & 1) != 0 ? ":"
		    : i > 0                ? ";"
					   : " ");
		if (p->v[i] >= 0)
			(void)buf_addf(&s->b, "%d", p->v[i]);
	}
}

static void
see_esc(void *arg, const struct vt_seq *q)
{
	see_seq(arg, "ESC", q);
	(void)buf_add_u8(&((struct seen *)arg)->b, '>');
}

static void
see_csi(void *arg, const struct vt_seq *q, const struct vt_params *p)
{
	see_seq(arg, "CSI", q);
	see_params(arg, p);
	(void)buf_add_u8(&((struct seen *)arg)->b, '>');
}

static size_t
see_begin(void *arg, enum vt_string kind UNUSED, const struct vt_seq *q UNUSED)
{
	return ((struct seen *)arg)->keep;
}

static void
see_end(void *arg, enum vt_string kind, const struct vt_seq *q,
    const struct vt_params *p, const char *str, size_t n, bool bel)
{
	struct seen *s = arg;

	ck_assert_int_eq(str[n], '\0');
	if (kind == VT_STRING_DCS) {
		see_seq(s, "DCS", q);
		see_params(s, p);
	} else
		(void)buf_addf(&s->b, "<OSC");
	(void)buf_addf(&s->b, "%s '", bel ? " bel" : "");
	(void)buf_add(&s->b, str, n);
	(void)buf_add_str(&s->b, "'>");
}

static const struct vt_parser_ops see_ops = { see_ascii, see_text, see_control,
	see_esc, see_csi, see_begin, see_end, NULL };

/* Returns the callbacks' text for the bytes of IN, fed STEP at a time. */
static char *
see(const char *in, size_t n, size_t step, size_t keep)
{
	struct vt_parser p;
	struct seen s;
	size_t i;

	buf_init(&s.b, 1 << 20);
	s.keep = keep;
	vt_parser_init(&p, &see_ops, &s);
	for (i = 0; i < n; i += step)
		vt_parser_write(
		    &p, (const uint8_t *)in + i, MIN_OF(step, n - i));
	vt_parser_fini(&p);
	(void)buf_add_u8(&s.b, '\0');
	return buf_steal(&s.b, NULL);
}

struct row {
	const char *in;
	const char *out;
};

static const struct row rows[] = {
	{ "abc", "abc" },
	{ "a\033[1;2Hb", "a<CSI H 1;2>b" },
	{ "\033[H", "<CSI H>" },
	{ "\033[;H", "<CSI H ;>" },
	{ "\033[38:2::1:2:3m", "<CSI m 38:2::1:2:3>" },
	{ "\033[?25l", "<CSI ? l 25>" },
	{ "\033[>4;1m\033[=c", "<CSI > m 4;1><CSI = c>" },
	{ "\033[0 q", "<CSI i  q 0>" },
	{ "\033[1$p", "<CSI i$ p 1>" },
	{ "\033[?1$p", "<CSI ? i$ p 1>" },
	/* a misplaced prefix, parameters after an intermediate */
	{ "\033[1?hx", "x" },
	{ "\033[ 1qx", "x" },
	{ "\033[!!!px", "x" },
	/* controls inside a sequence execute; CAN, SUB and ESC end it */
	{ "\033[1\n;2H", "<0A><CSI H 1;2>" },
	{ "\033[1\030Hx", "<18>Hx" },
	{ "\033[1\032Hx", "<1A>Hx" },
	{ "\033[1\033[2Jx", "<CSI J 2>x" },
	{ "\033\033Dx", "<ESC D>x" },
	{ "\033[1\177;2H", "<CSI H 1;2>" },
	{ "\177a", "a" },
	{ "\033(0\033#8\033 F", "<ESC i( 0><ESC i# 8><ESC i  F>" },
	{ "\033$(A", "<ESC i$( A>" },
	/* C1 as UTF-8, raw C1 as text */
	{ "\302\2331;2Hx", "<CSI H 1;2>x" },
	{ "\302\204x", "<84>x" },
	{ "\302\2350;t\302\234x", "<OSC '0;t'>x" },
	{ "\302\220$qm\302\234", "<DCS i$ q 'm'>" },
	{ "\302\237Gf=1\302\234x", "x" },
	{ "\2331;2Hx", "{FFFD}1;2Hx" },
	/* UTF-8 */
	{ "\303\251\344\270\200\360\237\230\200", "{E9}{4E00}{1F600}" },
	{ "a\303\251b", "a{E9}b" },
	{ "\300\257", "{FFFD}{FFFD}" },
	{ "\355\240\200", "{FFFD}{FFFD}{FFFD}" },
	{ "\360\220a", "{FFFD}a" },
	{ "\344\270", "" },
	{ "\344\270\n", "{FFFD}<0A>" },
	{ "\344\270\033[m", "{FFFD}<CSI m>" },
	{ "\344\303\251", "{FFFD}{E9}" },
	/* a character inside a sequence cancels it */
	{ "\033[1\303\251;2H", "{E9};2H" },
	{ "\033\303\251c", "{E9}c" },
	/* OSC */
	{ "\033]0;t\007x", "<OSC bel '0;t'>x" },
	{ "\033]0;t\033\\x", "<OSC '0;t'>x" },
	{ "\033]0;\303\251\033\\x", "<OSC '0;\303\251'>x" },
	{ "\033]0;a\302\251\033\\x", "<OSC '0;a\302\251'>x" },
	{ "\033]0;a\302\302\234x", "<OSC '0;a\302'>x" },
	{ "\033]0;a\rb\033\\", "<OSC '0;ab'>" },
	{ "\033]0;t\030x", "x" },
	{ "\033]0;t\032x", "x" },
	{ "\033]0;t\033[1mx", "<CSI m 1>x" },
	{ "\033]0;t\033\033\\x", "<ESC \\>x" },
	{ "\033]0;t\302\033\\x", "<OSC '0;t\302'>x" },
	/* DCS */
	{ "\033P1;2$tab\033\\x", "<DCS i$ t 1;2 'ab'>x" },
	{ "\033P+q544e\033\\x", "<DCS i+ q '544e'>x" },
	{ "\033Pq#0\n\007-\033\\x", "<DCS q '#0\n\007-'>x" },
	{ "\033Ptmux;\033\033]52;c;\007\033\\x",
	    "<DCS t 'mux;\033]52;c;\007'>x" },
	{ "\033Ptmux;\033\033\\\033\\x", "<DCS t 'mux;\033\\'>x" },
	{ "\033P1?xab\033\\x", "x" },
	{ "\033P 1xab\033\\x", "x" },
	{ "\033Pq\030x", "x" },
	/* SOS, PM, APC are skipped */
	{ "\033Xabc\033\\x\033^d\007e\033\\y\033_Gf\033\\z", "xyz" },
	{ "\033_abc\033[1m", "<CSI m 1>" },
};

START_TEST(rows_hold_however_the_bytes_are_cut)
{
	size_t i, step;
	char *out;

	for (i = 0; i < ARRAY_LEN(rows); i++) {
		for (step = 1; step < 8; step++) {
			out = see(rows[i].in, strlen(rows[i].in), step, 1000);
			ck_assert_msg(strcmp(out, rows[i].out) == 0,
			    "row %zu in steps of %zu: %s, not %s", i, step, out,
			    rows[i].out);
			free(out);
		}
	}
}
END_TEST

START_TEST(every_byte_of_every_state_has_a_transition)
{
	static const struct {
		unsigned state, first, last;
	} steps[] = {
#define X(state, first, last, action, next) { VT_STATE_##state, first, last },
#include "mux/vt/parser.def"
#undef X
	};
	static unsigned covered[VT_STATE_COUNT][256];
	unsigned i, b;

	for (i = 0; i < ARRAY_LEN(steps); i++)
		for (b = steps[i].first; b <= steps[i].last; b++)
			covered[steps[i].state][b]++;
	for (i = 0; i < VT_STATE_COUNT; i++)
		for (b = 0; b < 256; b++)
			ck_assert_msg(covered[i][b] == 1,
			    "state %u, byte 0x%02x: %u rows", i, b,
			    covered[i][b]);
}
END_TEST

START_TEST(a_string_too_long_is_dropped_and_counted)
{
	struct vt_parser p;
	struct seen s;
	int i;

	buf_init(&s.b, 1 << 20);
	s.keep = 100;
	vt_parser_init(&p, &see_ops, &s);
	vt_parser_write(&p, (const uint8_t *)"\033]0;", 4);
	for (i = 0; i < 1000; i++)
		vt_parser_write(&p, (const uint8_t *)"0123456789", 10);
	vt_parser_write(&p, (const uint8_t *)"\033\\x", 3);
	ck_assert_str_eq(buf_cstr(&s.b), "x");
	ck_assert_uint_eq(p.string_excess, 10002 - 100);
	ck_assert_uint_eq(p.aborted, 1);
	ck_assert_int_eq(p.state, VT_STATE_GROUND);
	vt_parser_fini(&p);
	buf_fini(&s.b);
}
END_TEST

START_TEST(long_strings_give_their_memory_back)
{
	struct vt_parser p;
	struct seen s;
	int i;

	buf_init(&s.b, 1 << 22);
	s.keep = 1 << 20;
	vt_parser_init(&p, &see_ops, &s);
	vt_parser_write(&p, (const uint8_t *)"\033]0;", 4);
	for (i = 0; i < 10000; i++)
		vt_parser_write(&p, (const uint8_t *)"0123456789", 10);
	ck_assert_uint_ge(p.string.cap, 100000);
	vt_parser_write(&p, (const uint8_t *)"\007", 1);
	ck_assert_uint_le(p.string.cap, VT_PARSER_STRING_KEEP);
	vt_parser_fini(&p);
	buf_fini(&s.b);
}
END_TEST

static const struct pending_row {
	const char *bytes;
	const char *pending;
} pending_rows[] = {
	{ "text", "" },
	{ "text\033", "\033" },
	{ "a\033[1;3", "\033[1;3" },
	{ "a\033[1;3m", "" },
	{ "\033[1mb\033[2", "\033[2" },
	{ "a\033]2;hello \303\251", "\033]2;hello \303\251" },
	{ "a\033]2;hello\007", "" },
	{ "a\033Pq12\033", "\033Pq12\033" },
	{ "a\033Pq12\033\\", "" },
	{ "a\033[1\033[2", "\033[1\033[2" },
	{ "a\033[1\r2", "\033[1\r2" },
	{ "a\033[1\032", "" },
	{ "a\033[1\303\251\033(", "\033(" },
	{ "a\033_x", "\033_x" },
	{ "a\303", "" },
	{ "a\302\2331", "\302\2331" },
	{ "\302\235x\302", "\302\235x\302" },
};

static void
check_pending(const struct pending_row *row, size_t cut, size_t step)
{
	const uint8_t *p;
	size_t n = strlen(row->bytes), at = 0, k;
	struct vt_parser parser;
	struct seen s = { .keep = 1000 };

	buf_init(&s.b, 1 << 20);
	vt_parser_init(&parser, &see_ops, &s);
	for (k = cut; at < n; at += k, k = step) {
		k = MIN_OF(k, n - at);
		vt_parser_write(&parser, (const uint8_t *)row->bytes + at, k);
	}
	p = vt_parser_pending(&parser, &n);
	ck_assert_uint_eq(n, strlen(row->pending));
	if (n > 0)
		ck_assert_mem_eq(p, row->pending, n);
	vt_parser_reset(&parser);
	(void)vt_parser_pending(&parser, &n);
	ck_assert_uint_eq(n, 0);
	vt_parser_fini(&parser);
	buf_fini(&s.b);
}

START_TEST(what_is_unfinished_is_known_however_it_is_cut)
{
	size_t i, cut;

	for (i = 0; i < ARRAY_LEN(pending_rows); i++) {
		check_pending(&pending_rows[i], 1, 1);
		for (cut = 0; cut <= strlen(pending_rows[i].bytes); cut++)
			check_pending(&pending_rows[i], cut, 1000);
	}
}
END_TEST

START_TEST(of_what_is_unfinished_the_beginning_is_kept)
{
	struct seen s = { .keep = 1000 };
	struct vt_parser p;
	size_t n;
	int i;

	buf_init(&s.b, 1 << 20);
	vt_parser_init(&p, &see_ops, &s);
	vt_parser_write(&p, (const uint8_t *)"\033P", 2);
	for (i = 0; i < 10000; i++)
		vt_parser_write(&p, (const uint8_t *)"q123456789", 10);
	(void)vt_parser_pending(&p, &n);
	ck_assert_uint_eq(n, VT_PARSER_PENDING_MAX);
	vt_parser_write(&p, (const uint8_t *)"\033\\", 2);
	(void)vt_parser_pending(&p, &n);
	ck_assert_uint_eq(n, 0);
	ck_assert_uint_le(p.pending.cap, VT_PARSER_STRING_KEEP);
	vt_parser_fini(&p);
	buf_fini(&s.b);
}
END_TEST

UNIT_SUITE(vt_parser)
{
	Suite *s = suite_create("vt_parser");
	TCase *tc = tcase_create("parser");

	tcase_add_test(tc, every_byte_of_every_state_has_a_transition);
	tcase_add_test(tc, rows_hold_however_the_bytes_are_cut);
	tcase_add_test(tc, a_string_too_long_is_dropped_and_counted);
	tcase_add_test(tc, long_strings_give_their_memory_back);
	tcase_add_test(tc, what_is_unfinished_is_known_however_it_is_cut);
	tcase_add_test(tc, of_what_is_unfinished_the_beginning_is_kept);
	suite_add_tcase(s, tc);
	return s;
}
