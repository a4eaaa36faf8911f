/* Outputs of commands, found by the shell's marks. */
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "mux/vt/output.h"
#include "mux/vt/term.h"
#include "regress/chance.h"
#include "regress/unit/mux_util.h"
#include "regress/unit/unit.h"

#define COMMANDS 200

static struct mux *m;
static struct vt_term *term;

static void
begin(unsigned cols, unsigned rows)
{
	struct vt_term_options opt = { .cols = cols,
		.rows = rows,
		.history_rows = 100000,
		.history_bytes = SIZE_MAX };

	m = mux_util_new();
	opt.pool = m->setup.pool;
	opt.graphemes = m->setup.graphemes;
	term = vt_term_new(&opt);
}

static void
end(void)
{
	vt_term_free(term);
	mux_util_free(m);
}

static void
feed(const char *s)
{
	vt_term_write(term, (const uint8_t *)s, strlen(s));
}

static char *
text_of(struct text *t, const struct vt_output *o)
{
	struct buf b;

	buf_init(&b, BUF_MAX);
	ck_assert_int_eq(vt_output_text(&b, t, o->start, o->end), 0);
	return buf_steal(&b, NULL);
}

/* The outputs from the last one back, joined by "|". */
static char *
outputs(void)
{
	struct text_grid t;
	struct vt_output o;
	struct buf b;
	char *s;
	int r;

	text_grid_init(&t, vt_term_main_grid(term));
	buf_init(&b, BUF_MAX);
	for (r = vt_output_last(&t.text, &o); r == 0;
	     r = vt_output_previous(&t.text, &o, &o)) {
		s = text_of(&t.text, &o);
		(void)buf_addf(&b, "%s|", s);
		mem_free(s);
	}
	ck_assert_int_eq(r, -ERR_NOTFOUND);
	return buf_steal(&b, NULL);
}

static void
are(const char *want)
{
	char *got = outputs();

	ck_assert_str_eq(got, want);
	mem_free(got);
}

#define A "\033]133;A\007$ "
#define C "\r\n\033]133;C\007"
#define D "\033]133;D;0\007"

START_TEST(kinds_of_output)
{
	begin(20, 10);
	are("");
	feed("no marks\r\n");
	are("");
	feed(A "ls" C "one\r\ntwo\r\n" D A);
	are("one\ntwo|");
	/* Empty lines at the end belong to it; a command may print nothing. */
	feed("x" C "a\r\n\r\n" D A "true" C D A);
	are("|a\n|one\ntwo|");
	/* One without a newline ends where the prompt begins. */
	feed("printf" C "no newline" D A "echo" C "next\r\n" D A);
	are("next|no newline||a\n|one\ntwo|");
	/* A running command has not ended; an empty command has no output. */
	feed("\r\n" D A "sleep" C "tick\r\n");
	are("next|no newline||a\n|one\ntwo|");
	feed("tock\r\n" D);
	are("tick\ntock|next|no newline||a\n|one\ntwo|");
	end();
}
END_TEST

START_TEST(shells_without_an_end)
{
	begin(20, 10);
	feed(A "ls" C "one\r\n" A "x" C "two" A "y" C);
	are("two|one|");
	end();
}
END_TEST

START_TEST(where_it_is)
{
	struct text_grid t;
	struct vt_output o;

	begin(20, 10);
	feed("old\r\n" A "ls" C "one\r\n" D A "cat" C "two\r\nthree");
	text_grid_init(&t, vt_term_main_grid(term));
	ck_assert_int_eq(vt_output_at(&t.text, 0, &o), -ERR_NOTFOUND);
	ck_assert_int_eq(vt_output_at(&t.text, 2, &o), 0);
	ck_assert_uint_eq(o.prompt, 1);
	ck_assert_uint_eq(o.start.row, 2);
	ck_assert_uint_eq(o.end.row, 3);
	ck_assert(!o.running);
	ck_assert_int_eq(vt_output_at(&t.text, 99, &o), 0);
	ck_assert(o.running);
	ck_assert_uint_eq(o.prompt, 3);
	ck_assert_uint_eq(o.start.row, 4);
	ck_assert_uint_eq(o.end.row, 6);
	end();
}
END_TEST

/*
 * A shell of random commands.  Their outputs are found word for word, also in
 * packed history and after a change of the width.
 */
START_TEST(random_shell)
{
	const unsigned long seed = unit_seed(133);
	uint64_t ch = seed;
	unsigned round, i, k, n, w;
	struct buf want, one, s;
	char *got, *all[COMMANDS];

	for (round = 0; round < unit_rounds(40); round++) {
		begin(10 + chance_below(&ch, 60), 3 + chance_below(&ch, 20));
		for (i = 0; i < COMMANDS; i++) {
			feed(A "command");
			buf_init(&one, BUF_MAX);
			n = chance_below(&ch, 6) == 0
				? 0
				: chance_below(&ch, 12) + 1;
			for (k = 0; k < n; k++) {
				if (k > 0)
					(void)buf_add_u8(&one, '\n');
				for (w = chance_below(&ch, 9); w > 0; w--)
					(void)buf_addf(&one, "%s%u",
					    w % 2 ? "word" : "\xe6\x96\x87",
					    chance_below(&ch, 1000));
				/* The last row of an output is not empty. */
				if (k + 1 == n)
					(void)buf_add_str(&one, "end");
			}
			feed(C);
			buf_init(&s, BUF_MAX);
			for (k = 0; k < one.len; k++) {
				if (one.data[k] == '\n')
					(void)buf_add_u8(&s, '\r');
				(void)buf_add_u8(&s, one.data[k]);
			}
			feed(buf_cstr(&s));
			buf_fini(&s);
			/* Without a newline: only while the row is as written. */
			if (n > 0 &&
			    (i + 3 < COMMANDS || chance_below(&ch, 2) == 0))
				feed("\r\n");
			feed(D);
			all[i] = buf_steal(&one, NULL);
		}
		feed(A);
		buf_init(&want, BUF_MAX);
		for (i = COMMANDS; i-- > 0;) {
			(void)buf_addf(&want, "%s|", all[i]);
			mem_free(all[i]);
		}
		got = outputs();
		ck_assert_msg(strcmp(got, buf_cstr(&want)) == 0,
		    "seed %lu, round %u", seed, round);
		mem_free(got);
		buf_fini(&want);
		end();
	}
}
END_TEST

UNIT_SUITE(vt_output)
{
	Suite *s = suite_create("vt_output");
	TCase *tc = tcase_create("vt_output");

	tcase_set_timeout(tc, 60);
	tcase_add_test(tc, kinds_of_output);
	tcase_add_test(tc, shells_without_an_end);
	tcase_add_test(tc, where_it_is);
	tcase_add_test(tc, random_shell);
	suite_add_tcase(s, tc);
	return s;
}
