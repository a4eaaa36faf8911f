/* The output queue of a control client. */
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "mux/control/control_out.h"
#include "regress/unit/unit.h"

static void
line(struct control_out *o, const char *text)
{
	control_out_lines(o, text, strlen(text));
}

static void
output(struct control_out *o, uint32_t pane, mono_ms now, const char *text)
{
	struct control_chunk *c = control_chunk_new(text, strlen(text));

	control_out_pane(o, pane, now, c);
	control_chunk_unref(c);
}

/* Takes all that waits; mem_free. */
static char *
take(struct control_out *o, mono_ms now)
{
	struct buf b;

	buf_init(&b, BUF_MAX);
	while (control_out_take(o, now, &b, 65536) > 0)
		;
	return buf_steal(&b, NULL);
}

static void
expect(struct control_out *o, mono_ms now, const char *text)
{
	char *got = take(o, now);

	ck_assert_str_eq(got, text);
	mem_free(got);
}

START_TEST(lines_keep_their_place_between_output)
{
	struct control_out *o = control_out_new();

	expect(o, 0, "");
	ck_assert(control_out_empty(o));
	line(o, "%first\n");
	output(o, 1, 0, "a");
	output(o, 2, 0, "b");
	output(o, 1, 0, "c\r\n");
	line(o, "%begin\n");
	line(o, "%end\n");
	output(o, 2, 0, "d");
	output(o, 1, 0, "e");
	ck_assert(!control_out_empty(o));
	expect(o, 0,
	    "%first\n"
	    "%output %1 ac\\015\\012\n"
	    "%output %2 b\n"
	    "%begin\n%end\n"
	    "%output %2 d\n"
	    "%output %1 e\n");
	ck_assert(control_out_empty(o));
	ck_assert_uint_eq(control_out_waiting(o), 0);
	control_out_free(o);
}
END_TEST

START_TEST(bytes_are_escaped_as_in_tmux)
{
	struct control_out *o = control_out_new();
	struct control_chunk *c;
	uint8_t all[256];
	struct buf want;
	char *got;
	unsigned i;

	buf_init(&want, 4096);
	(void)buf_add_str(&want, "%output %0 ");
	for (i = 0; i < 256; i++) {
		all[i] = (uint8_t)i;
		if (i == 0)
			all[i] = 1; /* a string below */
		if (i < 32 || i == '\\')
			(void)buf_addf(&want, "\\%03o", all[i]);
		else
			(void)buf_add_u8(&want, (uint8_t)i);
	}
	(void)buf_add_u8(&want, '\n');
	c = control_chunk_new(all, sizeof(all));
	control_out_pane(o, 0, 0, c);
	control_chunk_unref(c);
	got = take(o, 0);
	ck_assert_str_eq(got, buf_cstr(&want));
	mem_free(got);
	buf_fini(&want);
	c = control_chunk_new("\0", 1);
	control_out_pane(o, 0, 0, c);
	control_chunk_unref(c);
	expect(o, 0, "%output %0 \\000\n");
	control_out_free(o);
}
END_TEST

/* Whatever the budget, each line has whole escapes. */
START_TEST(no_escape_is_cut)
{
	struct control_out *o;
	struct control_chunk *c;
	uint8_t bytes[1000];
	struct buf got;
	size_t i, budget, raw;

	for (i = 0; i < sizeof(bytes); i++)
		bytes[i] = i % 3 == 0 ? 'x' : (uint8_t)(i % 32);
	for (budget = 1; budget < 600; budget++) {
		o = control_out_new();
		/* One byte moves the cuts. */
		c = control_chunk_new(bytes, 1 + budget % 7);
		control_out_pane(o, 0, 0, c);
		control_chunk_unref(c);
		c = control_chunk_new(bytes, sizeof(bytes));
		control_out_pane(o, 0, 0, c);
		control_chunk_unref(c);
		buf_init(&got, 1 << 20);
		while (control_out_take(o, 0, &got, budget) > 0)
			;
		for (i = raw = 0; i < got.len; i++, raw++) {
			if (got.data[i] == '%' || got.data[i] == '\n') {
				ck_assert_uint_eq(got.data[i], '%');
				i += strlen("%output %0 ");
			}
			if (got.data[i] == '\\') {
				ck_assert_uint_le(i + 4, got.len);
				ck_assert_uint_ge(got.data[i + 3], '0');
				ck_assert_uint_le(got.data[i + 3], '7');
				i += 3;
			}
			if (got.data[i + 1] == '\n')
				i++;
		}
		ck_assert_uint_eq(raw, sizeof(bytes) + 1 + budget % 7);
		buf_fini(&got);
		control_out_free(o);
	}
}
END_TEST

START_TEST(panes_are_off_and_on_paused_and_continued)
{
	struct control_out *o = control_out_new();

	(void)control_out_state(o, 3, CONTROL_PANE_OFF);
	ck_assert(control_out_is_off(o, 3));
	output(o, 3, 0, "lost");
	output(o, 4, 0, "kept");
	(void)control_out_state(o, 3, CONTROL_PANE_ON);
	output(o, 3, 0, "seen");
	expect(o, 0, "%output %4 kept\n%output %3 seen\n");
	output(o, 3, 0, "dropped");
	ck_assert(control_out_state(o, 3, CONTROL_PANE_PAUSE));
	ck_assert(!control_out_state(o, 3, CONTROL_PANE_PAUSE));
	ck_assert(control_out_drops(o, 3));
	output(o, 3, 0, "dropped");
	ck_assert(control_out_state(o, 3, CONTROL_PANE_CONTINUE));
	ck_assert(!control_out_state(o, 3, CONTROL_PANE_CONTINUE));
	output(o, 3, 0, "more");
	expect(o, 0, "%output %3 more\n");
	control_out_set_quiet(o, true);
	output(o, 3, 0, "nothing");
	line(o, "%line\n");
	expect(o, 0, "%line\n");
	/* A new pane never has the number of an old one, but be safe. */
	control_out_set_quiet(o, false);
	(void)control_out_state(o, 3, CONTROL_PANE_OFF);
	control_out_forget(o, 3);
	output(o, 3, 0, "x");
	expect(o, 0, "%output %3 x\n");
	control_out_free(o);
}
END_TEST

START_TEST(old_output_pauses_its_pane)
{
	struct control_out *o = control_out_new();

	control_out_set_pause(o, true, 2000);
	ck_assert_uint_eq(control_out_deadline(o), MONO_NEVER);
	output(o, 1, 1000, "old");
	output(o, 2, 2500, "young");
	ck_assert_uint_eq(control_out_deadline(o), 3000);
	control_out_tick(o, 2999);
	control_out_tick(o, 3000);
	ck_assert_uint_eq(control_out_deadline(o), 4500);
	output(o, 1, 3100, "dropped");
	expect(o, 3200, "%extended-output %2 700 : young\n%pause %1\n");
	(void)control_out_state(o, 1, CONTROL_PANE_CONTINUE);
	output(o, 1, 3300, "again");
	expect(o, 3300, "%extended-output %1 0 : again\n");
	ck_assert(!control_out_failed(o));
	control_out_free(o);
}
END_TEST

START_TEST(a_client_too_far_behind_fails)
{
	struct control_out *o = control_out_new();

	output(o, 1, 1000, "old");
	ck_assert_uint_eq(control_out_deadline(o), 1000 + CONTROL_OUT_AGE_MS);
	line(o, "%line\n");
	control_out_tick(o, 999 + CONTROL_OUT_AGE_MS);
	ck_assert(!control_out_failed(o));
	control_out_tick(o, 1000 + CONTROL_OUT_AGE_MS);
	ck_assert(control_out_failed(o));
	ck_assert_uint_eq(control_out_deadline(o), MONO_NEVER);
	/* Nothing is left or added any more. */
	line(o, "%line\n");
	output(o, 1, 0, "x");
	(void)control_out_state(o, 1, CONTROL_PANE_PAUSE);
	expect(o, 0, "");
	control_out_free(o);
}
END_TEST

/* Adds N bytes for a pane in chunks that O shares with the caller. */
static void
flood(struct control_out *o, uint32_t pane, size_t n)
{
	char piece[16384];
	struct control_chunk *c;

	memset(piece, 'x', sizeof(piece));
	c = control_chunk_new(piece, sizeof(piece));
	for (; n >= sizeof(piece); n -= sizeof(piece)) {
		control_out_pane(o, pane, 0, c);
		ck_assert_uint_le(control_out_waiting(o), CONTROL_OUT_MAX);
	}
	control_chunk_unref(c);
}

START_TEST(waiting_output_is_bounded)
{
	struct control_out *o = control_out_new();
	char *got;

	control_out_set_pause(o, true, 0);
	output(o, 1, 0, "little");
	flood(o, 2, 3 * CONTROL_OUT_MAX);
	ck_assert(!control_out_failed(o));
	ck_assert(control_out_drops(o, 2));
	ck_assert(!control_out_drops(o, 1));
	expect(o, 0, "%extended-output %1 0 : little\n%pause %2\n");
	control_out_set_pause(o, false, 0);
	flood(o, 3, CONTROL_OUT_MAX / 2);
	ck_assert(!control_out_failed(o));
	flood(o, 4, CONTROL_OUT_MAX);
	ck_assert(control_out_failed(o));
	ck_assert_uint_eq(control_out_waiting(o), 0);
	control_out_free(o);
	/* Without output before them, too, lines are bounded. */
	o = control_out_new();
	got = mem_alloc(1 << 20);
	memset(got, 'y', 1 << 20);
	while (!control_out_failed(o))
		control_out_lines(o, got, 1 << 20);
	mem_free(got);
	expect(o, 0, "");
	control_out_free(o);
}
END_TEST

START_TEST(panes_share_a_budget)
{
	struct control_out *o = control_out_new();
	size_t i, len, by_pane[4] = { 0 };
	char *text, *p, *end;
	struct buf b;
	unsigned pane;

	for (i = 0; i < 4; i++)
		flood(o, (uint32_t)i, 1 << 20);
	buf_init(&b, BUF_MAX);
	for (i = 0; i < 100; i++) {
		len = control_out_take(o, 0, &b, 8192);
		ck_assert_uint_ge(len, 8192);
		ck_assert_uint_le(len, 8192 + 256);
	}
	text = buf_steal(&b, NULL);
	for (p = text; *p != '\0'; p = end + 1) {
		end = strchr(p, '\n');
		ck_assert_int_eq(sscanf(p, "%%output %%%u ", &pane), 1);
		by_pane[pane] += (size_t)(end - p);
	}
	for (i = 1; i < 4; i++) {
		ck_assert_uint_ge(by_pane[i] * 10, by_pane[0] * 9);
		ck_assert_uint_le(by_pane[i] * 9, by_pane[0] * 10);
	}
	mem_free(text);
	control_out_free(o);
}
END_TEST

/* --- against a model ---------------------------------------------------------- */

#define MODEL_PANES 4

/*
 * Output is a sequence of numbers of each pane, "<7>"; a line tells the last
 * number of each pane at its time.
 */
struct model {
	struct control_out *o;
	unsigned next[MODEL_PANES];
	unsigned seen[MODEL_PANES];
	bool dropping[MODEL_PANES];
	bool gap[MODEL_PANES]; /* numbers may be missing here */
	char rest[MODEL_PANES][16];
	unsigned lines;
	unsigned lines_seen;
};

static uint64_t rng;

static unsigned
rnd(unsigned n)
{
	rng = rng * UINT64_C(6364136223846793005) + 1442695040888963407u;
	return (unsigned)(rng >> 33) % n;
}

/* Takes the bytes of a pane's output, unescaped. */
static void
model_bytes(struct model *m, unsigned pane, const char *p, const char *end)
{
	char *rest = m->rest[pane];
	size_t n = strlen(rest);
	unsigned number;

	for (; p < end; p++) {
		if (*p == '\\') {
			/* Each number ends with a tab. */
			ck_assert(strncmp(p, "\\011", 4) == 0);
			p += 3;
			rest[n] = '\0';
			ck_assert_int_eq(sscanf(rest, "%u", &number), 1);
			if (!m->gap[pane])
				ck_assert_uint_eq(number, m->seen[pane]);
			ck_assert_uint_ge(number, m->seen[pane]);
			m->gap[pane] = false;
			m->seen[pane] = number + 1;
			n = 0;
			continue;
		}
		ck_assert_uint_lt(n + 1, sizeof(m->rest[pane]));
		rest[n++] = *p;
	}
	rest[n] = '\0';
}

/* Checks that all output before line I came, and none of later output. */
static void
model_line(struct model *m, const char *p)
{
	unsigned i, number, at[MODEL_PANES];

	ck_assert_int_eq(sscanf(p, "%%line %u %u %u %u %u", &number, &at[0],
			     &at[1], &at[2], &at[3]),
	    5);
	ck_assert_uint_eq(number, m->lines_seen);
	m->lines_seen++;
	for (i = 0; i < MODEL_PANES; i++)
		ck_assert_uint_le(m->seen[i], at[i]);
}

static void
model_take(struct model *m, size_t budget)
{
	static char left[200000];
	static size_t have;
	char *p, *end;
	unsigned pane;
	size_t i;
	struct buf b;
	int skip;

	if (budget == 0)
		have = 0;
	buf_init(&b, BUF_MAX);
	(void)control_out_take(m->o, 0, &b, budget);
	ck_assert_uint_le(b.len, budget + 256);
	ck_assert_uint_lt(have + b.len, sizeof(left));
	if (b.len > 0)
		memcpy(left + have, b.data, b.len);
	have += b.len;
	buf_fini(&b);
	for (p = left; (end = memchr(p, '\n', have)) != NULL; p = end + 1) {
		*end = '\0';
		have -= (size_t)(end + 1 - p);
		skip = 0;
		if (sscanf(p, "%%output %%%u %n", &pane, &skip) == 1 &&
		    skip > 0)
			model_bytes(m, pane, p + skip, end);
		else if (strncmp(p, "%line", 5) == 0)
			model_line(m, p);
		else if (sscanf(p, "%%pause %%%u", &pane) == 1) {
			/* The rest of a number may be dropped, too. */
			m->gap[pane] = true;
			m->rest[pane][0] = '\0';
		} else
			ck_assert_int_eq(strncmp(p, "%continue", 9), 0);
	}
	/* valgrind takes gcc's memmove for a memcpy of what overlaps. */
	for (i = 0; i < have; i++)
		left[i] = p[i];
}

static void
line_of(struct model *m, const char *word, unsigned pane)
{
	char text[64];

	snprintf(text, sizeof(text), "%%%s %%%u\n", word, pane);
	line(m->o, text);
}

static void
model_step(struct model *m)
{
	unsigned pane = rnd(MODEL_PANES), i, n;
	char text[2000];
	size_t len = 0;

	switch (rnd(12)) {
	default:
		n = 1 + rnd(rnd(20) == 0 ? 150 : 8);
		for (i = 0; i < n; i++)
			len += (size_t)snprintf(text + len, sizeof(text) - len,
			    "%u\t", m->next[pane]++);
		output(m->o, pane, 0, text);
		break;
	case 0:
	case 1:
		snprintf(text, sizeof(text), "%%line %u %u %u %u %u\n",
		    m->lines++, m->next[0], m->next[1], m->next[2], m->next[3]);
		line(m->o, text);
		break;
	case 2:
		if (rnd(8) == 0) {
			if (control_out_state(m->o, pane, CONTROL_PANE_PAUSE))
				line_of(m, "pause", pane);
			m->dropping[pane] = true;
		}
		break;
	case 3:
		if (control_out_state(m->o, pane, CONTROL_PANE_CONTINUE))
			line_of(m, "continue", pane);
		m->dropping[pane] = false;
		break;
	case 4:
	case 5:
	case 6:
	case 7:
		model_take(m, 1 + rnd(3000));
		break;
	}
}

START_TEST(a_random_mix_comes_once_and_in_order)
{
	const unsigned long seed = unit_seed(1723);
	unsigned i, k, rounds = unit_rounds(40);
	struct model m;

	rng = seed;
	for (k = 0; k < rounds; k++) {
		memset(&m, 0, sizeof(m));
		m.o = control_out_new();
		model_take(&m, 0);
		for (i = 0; i < 2000; i++)
			model_step(&m);
		while (!control_out_empty(m.o))
			model_take(&m, 5000);
		ck_assert_msg(m.lines_seen == m.lines, "seed %lu", seed);
		for (i = 0; i < MODEL_PANES; i++)
			ck_assert_msg(
			    m.dropping[i] || m.gap[i] || m.seen[i] == m.next[i],
			    "seed %lu", seed);
		control_out_free(m.o);
	}
}
END_TEST

UNIT_SUITE(control_out)
{
	Suite *s = suite_create("control_out");
	TCase *tc = tcase_create("control_out");

	tcase_add_test(tc, lines_keep_their_place_between_output);
	tcase_add_test(tc, bytes_are_escaped_as_in_tmux);
	tcase_add_test(tc, no_escape_is_cut);
	tcase_add_test(tc, panes_are_off_and_on_paused_and_continued);
	tcase_add_test(tc, old_output_pauses_its_pane);
	tcase_add_test(tc, a_client_too_far_behind_fails);
	tcase_add_test(tc, waiting_output_is_bounded);
	tcase_add_test(tc, panes_share_a_budget);
	tcase_add_test(tc, a_random_mix_comes_once_and_in_order);
	suite_add_tcase(s, tc);
	return s;
}
