#include <string.h>

#include "base/buf.h"
#include "base/str.h"
#include "client/banner.h"
#include "mux/vt/dump.h"
#include "regress/unit/unit.h"
#include "ssp/idle.h"

#define Q " [To quit: Ctrl-^ .]"
#define COLS 1000

/* The banner's text as it is drawn, or NULL. */
static const char *
shown(const struct banner *b, mono_ms now, char *out, size_t size)
{
	struct vt_frame *screen = vt_frame_new(COLS, 1);
	struct vt_frame *f = banner_overlay(b, now, screen);
	char row[COLS + VT_CLUSTER_MAX + 1];
	size_t len = 0;
	unsigned x;

	for (x = 0; f != screen && x < COLS; x++)
		len += vt_line_text(f->lines[0], x, row + len);
	while (len > 0 && row[len - 1] == ' ')
		len--;
	ck_assert_uint_lt(len, size);
	memcpy(out, row, len);
	out[len] = '\0';
	vt_frame_unref(f);
	vt_frame_unref(screen);
	return f == screen ? NULL : out;
}

/* The server has announced a long silence; a request is answered at once. */
START_TEST(a_long_silence_may_be_normal)
{
	struct grapheme_table *gt = grapheme_table_new(NULL);
	struct banner *b = banner_new(gt, 0);
	struct banner_link link = { .idle = 60000 };
	char out[256];

	banner_link(b, &link);
	ck_assert_ptr_null(shown(b, 61500, out, sizeof(out)));
	ck_assert_ptr_nonnull(shown(b, 61501, out, sizeof(out)));
	link.waiting = true;
	link.asked = 50000;
	banner_link(b, &link);
	ck_assert_ptr_null(shown(b, 52000, out, sizeof(out)));
	ck_assert_str_eq(shown(b, 52001, out, sizeof(out)),
	    "rmux: last contact 52 seconds ago." Q);
	banner_free(b);
	grapheme_table_free(gt);
}
END_TEST

START_TEST(what_is_said_when)
{
	static const struct {
		mono_ms now, heard, acked, asked;
		bool waiting;
		const char *message;
		const char *text;
	} rows[] = {
		{ 6500, 0, 0, 0, true, NULL, NULL },
		{ 6501, 0, 0, 0, true, NULL,
		    "rmux: last contact 6 seconds ago." Q },
		/* An idle link sends a heartbeat every seven seconds. */
		{ 8500, 0, 0, 0, false, NULL, NULL },
		{ 8501, 0, 0, 0, false, NULL,
		    "rmux: last contact 8 seconds ago." Q },
		/* A request shortly before allows time for the answer. */
		{ 7900, 0, 0, 6000, true, NULL, NULL },
		{ 8001, 0, 0, 6000, true, NULL,
		    "rmux: last contact 8 seconds ago." Q },
		{ 8501, 0, 0, 8500, true, NULL,
		    "rmux: last contact 8 seconds ago." Q },
		{ 62000, 0, 0, 0, true, NULL,
		    "rmux: last contact 1:02 ago." Q },
		{ 7205000, 0, 0, 0, true, NULL,
		    "rmux: last contact 2:00:05 ago." Q },
		{ 10000, 9000, 0, 0, true, NULL, NULL },
		{ 10001, 9000, 0, 0, true, NULL,
		    "rmux: last reply 10 seconds ago." Q },
		/* Long silence, then a key: the wait counts from the key. */
		{ 99999, 99000, 60000, 95000, true, NULL, NULL },
		{ 105001, 99000, 60000, 95000, true, NULL,
		    "rmux: last reply 10 seconds ago." Q },
		/* Without a request an old acknowledgement is fine. */
		{ 99999, 99000, 0, 0, false, NULL, NULL },
		{ 1000, 1000, 1000, 1000, false, "hello", "rmux: hello" Q },
		{ 12000, 0, 0, 0, false, "hello",
		    "rmux: hello (12 seconds without contact.)" Q },
		{ 12000, 11000, 0, 0, true, "hello",
		    "rmux: hello (12 seconds without reply.)" Q },
		/* A clock that seems to go back is no silence. */
		{ 10, 5000, 5000, 5000, true, NULL, NULL },
	};
	struct grapheme_table *gt = grapheme_table_new(NULL);
	struct banner_link link;
	struct banner *b;
	char out[256];
	const char *got;
	size_t i;

	for (i = 0; i < ARRAY_LEN(rows); i++) {
		b = banner_new(gt, 0);
		link = (struct banner_link){ rows[i].heard, rows[i].acked,
			rows[i].asked, rows[i].waiting, SSP_IDLE_FIRST };
		banner_link(b, &link);
		if (rows[i].message != NULL)
			banner_message(
			    b, rows[i].now, MONO_NEVER, rows[i].message);
		got = shown(b, rows[i].now, out, sizeof(out));
		if (rows[i].text == NULL)
			ck_assert_msg(got == NULL, "row %zu: %s", i, got);
		else
			ck_assert_str_eq(got, rows[i].text);
		banner_free(b);
	}
	grapheme_table_free(gt);
}
END_TEST

START_TEST(messages_pass)
{
	struct grapheme_table *gt = grapheme_table_new(NULL);
	struct banner *b = banner_new(gt, 0);
	char out[512], big[600];

	banner_set_quit(b, "");
	banner_message(b, 100, BANNER_MESSAGE_MS, "a\033b");
	ck_assert_str_eq(shown(b, 1099, out, sizeof(out)), "rmux: a\\033b");
	ck_assert_uint_eq(banner_deadline(b, 100), 1100);
	ck_assert_ptr_null(shown(b, 1100, out, sizeof(out)));
	banner_message(b, 2600, BANNER_MESSAGE_MS, "gone");
	banner_clear(b);
	ck_assert_ptr_null(shown(b, 2600, out, sizeof(out)));
	memset(big, 'x', sizeof(big) - 1);
	big[sizeof(big) - 1] = '\0';
	banner_message(b, 3000, 1000, big);
	ck_assert_uint_le(strlen(shown(b, 3000, out, sizeof(out))),
	    strlen("rmux: ") + BANNER_TEXT_MAX);
	banner_free(b);
	grapheme_table_free(gt);
}
END_TEST

/* Joins the banner's rows, which have no words of the screen below. */
static unsigned
drawn(const struct banner *b, mono_ms now, unsigned cols, char *out, size_t n)
{
	struct vt_frame *f = vt_frame_new(cols, 5);
	struct vt_frame *g = banner_overlay(b, now, f);
	struct buf text;
	unsigned y = 0;

	buf_init(&text, 4096);
	for (; y < 5 && g->lines[y] != f->lines[y]; y++) {
		if (y > 0)
			buf_addf(&text, "|");
		vt_dump_line(&text, g->lines[y], 0, cols, VT_DUMP_TRIM);
	}
	str_copy(out, buf_cstr(&text), n);
	buf_fini(&text);
	ck_assert_ptr_null(vt_frame_check(g));
	vt_frame_unref(g);
	vt_frame_unref(f);
	return y;
}

START_TEST(a_narrow_terminal_gets_a_shorter_form)
{
	static const struct {
		unsigned cols;
		mono_ms now;
		const char *text;
	} rows[] = {
		{ 90, 7000,
		    "rmux: last contact 7 seconds ago. "
		    "[To quit: Ctrl-^ .; to sign in again: Ctrl-^ r]" },
		{ 80, 7000,
		    "rmux: last contact 7 s ago. "
		    "[To quit: Ctrl-^ .; to sign in again: Ctrl-^ r]" },
		{ 60, 7000, "rmux: last contact 7 s ago. [To quit: Ctrl-^ .]" },
		{ 40, 7000, "last contact 7 s ago. [quit: Ctrl-^ .]" },
		{ 40, 70000, "last contact 1:10 ago. [quit: Ctrl-^ .]" },
		{ 40, 4000000, "last contact 1:06:40 [quit: Ctrl-^ .]" },
		{ 26, 4000000, "no contact 1:06:40 [Ctrl-^|.]" },
		{ 12, 7000, "no contact 7|s [Ctrl-^ .]" },
	};
	struct grapheme_table *gt = grapheme_table_new(NULL);
	struct banner *b = banner_new(gt, 0);
	const struct banner_link link = { .waiting = true,
		.idle = SSP_IDLE_FIRST };
	char got[512];
	size_t i;

	banner_link(b, &link);
	banner_set_quit(b, "Ctrl-^ .; to sign in again: Ctrl-^ r");
	for (i = 0; i < ARRAY_LEN(rows); i++) {
		drawn(b, rows[i].now, rows[i].cols, got, sizeof(got));
		ck_assert_str_eq(got, rows[i].text);
	}
	banner_free(b);
	grapheme_table_free(gt);
}
END_TEST

/* However long the message and narrow the terminal, the keys are there. */
START_TEST(the_keys_that_quit_are_always_shown)
{
	static const char *const messages[] = {
		NULL, "short",
		"a message of many words that does not fit into three rows of "
		"a narrow terminal, and goes on for a while, and does not end "
		"before it has filled a second and a third row of eighty cells "
		"each, which takes some more words than one would think",
		"abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghij"
		"abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghij"
		"abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghij"
	};
	struct grapheme_table *gt = grapheme_table_new(NULL);
	struct banner *b = banner_new(gt, 0);
	char got[2048];
	unsigned cols;
	size_t i;

	for (i = 0; i < ARRAY_LEN(messages); i++) {
		if (messages[i] != NULL)
			banner_message(b, 9000, 5000, messages[i]);
		for (cols = 10; cols < 200; cols++) {
			ck_assert_uint_le(
			    drawn(b, 9000, cols, got, sizeof(got)), 3);
			ck_assert_msg(strstr(got, "Ctrl-^ .]") != NULL ||
					  strstr(got, "Ctrl-^|.]") != NULL,
			    "%u columns: %s", cols, got);
		}
	}
	banner_free(b);
	grapheme_table_free(gt);
}
END_TEST

START_TEST(it_is_redrawn_when_its_text_changes)
{
	struct grapheme_table *gt = grapheme_table_new(NULL);
	struct banner *b = banner_new(gt, 0);
	struct banner_link link = { .idle = SSP_IDLE_FIRST };
	mono_ms t = 0;
	unsigned n = 0;
	char was[256] = "", is[256];

	banner_link(b, &link);
	ck_assert_uint_eq(
	    banner_deadline(b, 0), SSP_IDLE_FIRST + BANNER_LATE_MS + 1);
	while ((t = banner_deadline(b, t)) <= BANNER_SLOW_FROM_MS) {
		ck_assert_ptr_nonnull(shown(b, t, is, sizeof(is)));
		ck_assert_str_ne(was, is);
		memcpy(was, is, sizeof(was));
		n++;
	}
	ck_assert_uint_eq(n, 53);
	ck_assert_uint_eq(banner_deadline(b, 60000), 63000);
	ck_assert_uint_eq(banner_deadline(b, 63001), 66000);
	banner_free(b);
	grapheme_table_free(gt);
}
END_TEST

START_TEST(it_covers_the_top_row_only)
{
	struct grapheme_table *gt = grapheme_table_new(NULL);
	struct banner *b = banner_new(gt, 0);
	struct vt_frame *f = vt_frame_new(60, 3), *g;
	struct pen pen = { 0 };
	struct buf out;
	unsigned y;

	for (y = 0; y < 3; y++)
		vt_frame_text(
		    f, gt, 0, y, 20, "0123456789abcdefghij", 20, &pen);
	f->lines[0]->flags |= VT_LINE_WRAPPED;
	g = banner_overlay(b, 0, f);
	ck_assert_ptr_eq(f, g);
	vt_frame_unref(g);
	g = banner_overlay(b, 9000, f);
	ck_assert_ptr_eq(f->lines[1], g->lines[1]);
	ck_assert_ptr_eq(f->lines[2], g->lines[2]);
	buf_init(&out, 4096);
	vt_dump_line(&out, g->lines[0], 0, 20, 0);
	ck_assert_str_eq(buf_cstr(&out), "rmux: last contact 9");
	ck_assert_uint_eq(vt_line_pen(g->lines[0], 19)->bg, colour_index(4));
	ck_assert_ptr_null(vt_frame_check(g));
	ck_assert(!(g->state.modes & VT_FRAME_CURSOR_VISIBLE));
	ck_assert(f->state.modes & VT_FRAME_CURSOR_VISIBLE);
	vt_frame_unref(g);
	vt_frame_own(f, 0);
	f->state.y = 1;
	g = banner_overlay(b, 9000, f);
	ck_assert(g->state.modes & VT_FRAME_CURSOR_VISIBLE);
	vt_frame_unref(g);
	buf_fini(&out);
	vt_frame_unref(f);
	banner_free(b);
	grapheme_table_free(gt);
}
END_TEST

/* The user reads the whole message; the rows below it do not change. */
START_TEST(a_long_message_takes_more_rows)
{
	struct grapheme_table *gt = grapheme_table_new(NULL);
	struct banner *b = banner_new(gt, 0);
	struct vt_frame *f = vt_frame_new(20, 5), *g;
	struct buf out;
	unsigned y;
	static const char *const want[] = { "rmux: one two three ",
		"four [To quit:      ", "Ctrl-^ .]           " };

	banner_message(b, 0, 5000, "one two three four");
	g = banner_overlay(b, 100, f);
	for (y = 0; y < 3; y++) {
		buf_init(&out, 4096);
		vt_dump_line(&out, g->lines[y], 0, 20, 0);
		ck_assert_msg(strncmp(buf_cstr(&out), want[y],
				  strcspn(want[y], ":") + 1) == 0,
		    "%s", buf_cstr(&out));
		ck_assert_uint_eq(
		    vt_line_pen(g->lines[y], 19)->bg, colour_index(4));
		buf_fini(&out);
	}
	ck_assert_ptr_eq(f->lines[3], g->lines[3]);
	ck_assert_ptr_null(vt_frame_check(g));
	vt_frame_unref(g);
	/*
	 * A word longer than a row is cut, and a message has at most three
	 * rows.
	 */
	banner_message(b, 0, 5000,
	    "abcdefghijklmnopqrstuvwxyz abcdefghijklmnopqrstuvwxyz "
	    "abcdefghijklmnopqrstuvwxyz abcdefghijklmnopqrstuvwxyz");
	g = banner_overlay(b, 100, f);
	ck_assert_ptr_eq(f->lines[3], g->lines[3]);
	ck_assert_ptr_null(vt_frame_check(g));
	vt_frame_unref(g);
	vt_frame_unref(f);
	banner_free(b);
	grapheme_table_free(gt);
}
END_TEST

/*
 * Each line of a report begins a row, and all of a report is shown where half of
 * the screen holds it.
 */
START_TEST(a_report_is_whole)
{
	struct grapheme_table *gt = grapheme_table_new(NULL);
	struct banner *b = banner_new(gt, 0);
	struct vt_frame *f = vt_frame_new(32, 16), *f2, *g;
	static const char wide[] =
	    "rmux: host via 192.0.2.1:60000, keys x25519, RTT 1 ms, a line";
	struct buf out;
	unsigned y;
	static const char *const want[] = { "rmux: host via 192.0.2.1:60000,",
		"keys x25519", "RTT 1 ms", "a line that is\\033 longer than a",
		"row       ", "5 of 7 keys predicted, 0 wrong", "[To quit:" };

	banner_set_quit(b, "Ctrl-^ .");
	banner_report(b, 0, 5000,
	    "host via 192.0.2.1:60000, keys x25519\nRTT 1 ms\n"
	    "a line that is\033 longer than a row\n"
	    "5 of 7 keys predicted, 0 wrong");
	g = banner_overlay(b, 100, f);
	for (y = 0; y < ARRAY_LEN(want); y++) {
		buf_init(&out, 4096);
		vt_dump_line(&out, g->lines[y], 0, 32, 0);
		ck_assert_msg(strncmp(buf_cstr(&out), want[y], 8) == 0,
		    "row %u: %s", y, buf_cstr(&out));
		buf_fini(&out);
	}
	ck_assert_ptr_null(vt_frame_check(g));
	vt_frame_unref(g);
	/* A wide screen shows it in one row. */
	f2 = vt_frame_new(160, 16);
	g = banner_overlay(b, 100, f2);
	buf_init(&out, 4096);
	vt_dump_line(&out, g->lines[0], 0, 160, 0);
	ck_assert_msg(strncmp(buf_cstr(&out), wide, strlen(wide)) == 0, "%s",
	    buf_cstr(&out));
	buf_fini(&out);
	ck_assert_ptr_eq(f2->lines[1], g->lines[1]);
	vt_frame_unref(g);
	vt_frame_unref(f2);
	/* A report of many lines loses its end, the screen's lower half stays. */
	banner_report(b, 0, 5000, "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11");
	g = banner_overlay(b, 100, f);
	ck_assert_ptr_ne(f->lines[7], g->lines[7]);
	ck_assert_ptr_eq(f->lines[8], g->lines[8]);
	vt_frame_unref(g);
	vt_frame_unref(f);
	banner_free(b);
	grapheme_table_free(gt);
}
END_TEST

UNIT_SUITE(client_banner)
{
	Suite *s = suite_create("client/banner");
	TCase *t = tcase_create("banner");

	suite_add_tcase(s, t);
	tcase_add_test(t, a_long_silence_may_be_normal);
	tcase_add_test(t, what_is_said_when);
	tcase_add_test(t, messages_pass);
	tcase_add_test(t, it_is_redrawn_when_its_text_changes);
	tcase_add_test(t, it_covers_the_top_row_only);
	tcase_add_test(t, a_long_message_takes_more_rows);
	tcase_add_test(t, a_report_is_whole);
	tcase_add_test(t, a_narrow_terminal_gets_a_shorter_form);
	tcase_add_test(t, the_keys_that_quit_are_always_shown);
	return s;
}
