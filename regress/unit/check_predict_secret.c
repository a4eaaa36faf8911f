/* Cases in which the predictor must draw nothing, and its limits. */
#include <string.h>

#include "predict/params.h"
#include "predict/predict.h"
#include "regress/unit/unit.h"

#define S 1

static struct vt_frame *
frame_of(const struct grapheme_table *gt, const char *row, uint32_t modes)
{
	struct vt_frame *f = vt_frame_new(40, 4);
	struct pen pen = { 0 };

	f->state.x =
	    (uint16_t)vt_frame_text(f, gt, 0, 1, 40, row, strlen(row), &pen);
	f->state.y = 1;
	f->state.modes |= modes;
	return f;
}

static bool
draws(struct predict *p, mono_ms now, struct vt_frame *f)
{
	struct vt_frame *g = predict_overlay(p, now, S, f);
	bool drawn = g != f;

	vt_frame_unref(g);
	return drawn;
}

START_TEST(nothing_is_kept_where_nothing_echoes)
{
	static const struct {
		const char *row;
		uint32_t modes;
		size_t kept;
	} rows[] = {
		{ "Password: ", VT_FRAME_CANONICAL, 0 },
		{ "anything ", VT_FRAME_CANONICAL, 0 },
		{ "user@host's password: ", 0, 0 },
		{ "Enter passphrase for key 'x': ", 0, 0 },
		{ "Verification code: ", 0, 0 },
		{ "$ ", 0, 4 },
		{ "$ ", VT_FRAME_ECHO | VT_FRAME_CANONICAL, 4 },
		{ "password reset> ", 0, 4 },
	};
	struct grapheme_table *gt = grapheme_table_new(NULL);
	struct predict_stats st;
	struct predict *p;
	struct vt_frame *f;
	size_t i, j;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		p = predict_new(gt, PREDICT_EXPERIMENTAL);
		f = frame_of(gt, rows[i].row, rows[i].modes);
		predict_frame(p, 0, S, f, 0);
		for (j = 0; j < 4; j++)
			predict_text(p, 10, S, 'a', j + 1);
		ck_assert_msg(
		    predict_pending(p, S) == rows[i].kept, "row %zu", i);
		ck_assert(draws(p, 11, f) == (rows[i].kept > 0));
		predict_get_stats(p, &st);
		ck_assert_uint_eq(st.secret + st.predicted, 4);
		vt_frame_unref(f);
		predict_free(p);
	}
	grapheme_table_free(gt);
}
END_TEST

static bool
shows(struct predict *p, mono_ms now, const struct vt_frame *f, uint32_t ch)
{
	struct vt_frame *o = predict_overlay(p, now, S, f);
	bool found = false;
	unsigned x, y;

	for (y = 0; y < o->rows; y++)
		for (x = 0; x < o->cols; x++)
			found |= vt_line_cell(o->lines[y], x).ch == ch;
	vt_frame_unref(o);
	return found;
}

START_TEST(keys_typed_ahead_of_a_password_prompt_are_not_shown)
{
	static const char *const lines[] = { "sudo ls", "ssh host", "cd /x; su",
		"/usr/bin/passwd" };
	struct grapheme_table *gt = grapheme_table_new(NULL);
	struct key_event enter = { .key = KEY_ENTER };
	struct predict *p;
	struct vt_frame *f, *g;
	uint64_t n;
	size_t i, j;

	for (i = 0; i < 4; i++) {
		p = predict_new(gt, PREDICT_EXPERIMENTAL);
		f = frame_of(gt, "$ ", 0);
		predict_frame(p, 0, S, f, 0);
		for (n = 1, j = 0; lines[i][j] != '\0'; j++)
			predict_text(p, 10, S, (uint32_t)lines[i][j], n++);
		predict_key(p, 10, S, &enter, n++);
		ck_assert_uint_eq(predict_pending(p, S), j + 1);
		predict_text(p, 10, S, 'x', n++);
		predict_text(p, 10, S, 'y', n++);
		/* The predictor counts the keys without storing them. */
		ck_assert_uint_eq(predict_pending(p, S), j + 3);
		ck_assert(!shows(p, 11, f, 'y'));
		/*
		 * The password prompt comes while an ordinary line is pending.
		 */
		g = frame_of(gt, "Password: ", VT_FRAME_CANONICAL);
		predict_frame(p, 20, S, g, 2);
		ck_assert_uint_eq(predict_pending(p, S), 0);
		ck_assert(!draws(p, 21, g));
		vt_frame_unref(f);
		vt_frame_unref(g);
		predict_free(p);
	}
	grapheme_table_free(gt);
}
END_TEST

START_TEST(the_key_tables_keys_are_not_text)
{
	struct grapheme_table *gt = grapheme_table_new(NULL);
	struct predict *p = predict_new(gt, PREDICT_EXPERIMENTAL);
	struct vt_frame *f = frame_of(gt, "$ ", 0);
	key_code prefix = KEY_CTRL | 'b';
	struct key_event ev = { .key = prefix };

	predict_set_keys(p, &prefix, 1);
	predict_frame(p, 0, S, f, 0);
	predict_text(p, 1, S, 'a', 1);
	predict_key(p, 2, S, &ev, 2);
	predict_text(p, 3, S, 'o', 3);
	predict_text(p, 4, S, 'x', 4);
	ck_assert_uint_eq(predict_pending(p, S), 2);
	predict_frame(p, 5, S, f, 3);
	ck_assert_uint_eq(predict_pending(p, S), 1);
	predict_text(p, 6, S, 'y', 5);
	/* Its place is known once the keys before it were seen. */
	ck_assert(!draws(p, 6, f));
	predict_frame(p, 7, S, f, 5);
	predict_text(p, 8, S, 'z', 6);
	ck_assert_uint_eq(predict_pending(p, S), 1);
	prefix = KEY_ANY;
	predict_set_keys(p, &prefix, 1);
	predict_text(p, 9, S, 'z', 7);
	ck_assert_uint_eq(predict_pending(p, S), 1);
	vt_frame_unref(f);
	predict_free(p);
	grapheme_table_free(gt);
}
END_TEST

START_TEST(pastes_resizes_and_floods)
{
	struct grapheme_table *gt = grapheme_table_new(NULL);
	struct predict *p = predict_new(gt, PREDICT_EXPERIMENTAL);
	struct vt_frame *f = frame_of(gt, "$ ", 0);
	struct predict_stats st;
	char big[PREDICT_PASTE_MAX + 1];
	uint64_t n = 0;
	size_t i;

	memset(big, 'x', sizeof(big));
	predict_frame(p, 0, S, f, 0);
	predict_other(p, 1, S, PREDICT_PASTE, "short", 5, ++n);
	ck_assert_uint_eq(predict_pending(p, S), 5);
	/* Later keys are kept, and drawn when the paste is answered. */
	predict_other(p, 1, S, PREDICT_PASTE, big, sizeof(big), ++n);
	ck_assert_uint_eq(predict_pending(p, S), 1);
	predict_text(p, 2, S, 'a', ++n);
	ck_assert_uint_eq(predict_pending(p, S), 2);
	ck_assert(!draws(p, 2, f));
	predict_frame(p, 3, S, f, n - 1);
	ck_assert_uint_eq(predict_pending(p, S), 1);
	ck_assert(draws(p, 200, f));
	predict_frame(p, 300, S, f, n);
	predict_other(p, 300, S, PREDICT_PASTE, "a\nb", 3, ++n);
	ck_assert_uint_eq(predict_pending(p, S), 1);
	predict_frame(p, 300, S, f, n);
	ck_assert_uint_eq(predict_pending(p, S), 0);
	predict_frame(p, 3, S, f, n);
	predict_text(p, 4, S, 'a', ++n);
	ck_assert(draws(p, 4, f));
	predict_other(p, 5, S, PREDICT_RESIZE, NULL, 0, ++n);
	ck_assert(!draws(p, 5, f));
	predict_frame(p, 6, S, f, n);
	for (i = 0; i < 3 * PREDICT_PENDING_MAX; i++) {
		predict_text(p, 7, S, 'a', ++n);
		ck_assert_uint_le(predict_pending(p, S), PREDICT_PENDING_MAX);
	}
	predict_get_stats(p, &st);
	ck_assert_uint_eq(st.dropped, PREDICT_PENDING_MAX + 1);
	predict_frame(p, 8, S, f, n);
	predict_text(p, 9, S, 'a', ++n);
	ck_assert_uint_eq(predict_pending(p, S), 1);
	/* Any number of surfaces. */
	for (i = 0; i < 4 * PREDICT_SURFACES_MAX; i++)
		predict_frame(p, 10, 100 + i, f, 0);
	ck_assert_uint_eq(predict_pending(p, S), 0);
	predict_forget(p, 100 + i - 1);
	vt_frame_unref(f);
	predict_free(p);
	grapheme_table_free(gt);
}
END_TEST

/* A command that leaves text where it is tells nothing about typing. */
START_TEST(motions_do_not_write_over)
{
	static const unsigned at[] = { 1, 2, 6, 7 };
	struct grapheme_table *gt = grapheme_table_new(NULL);
	struct predict *p = predict_new(gt, PREDICT_EXPERIMENTAL);
	struct vt_frame *f = frame_of(gt, "third one", VT_FRAME_ALTERNATE);
	struct vt_frame *o, *g;
	char row[16];
	uint64_t n = 0;
	unsigned i;

	f->state.x = 0;
	predict_frame(p, 0, S, f, 0);
	for (i = 0; i < 4; i++) {
		predict_text(p, 1000 * (i + 1), S, i == 2 ? 'w' : 'l', ++n);
		g = vt_frame_clone(f);
		vt_frame_unref(f);
		f = g;
		f->state.x = (uint16_t)at[i];
		predict_frame(p, 1000 * (i + 1) + 100, S, f, n);
	}
	predict_text(p, 9000, S, 'X', ++n);
	o = predict_overlay(p, 9000, S, f);
	for (i = 0; i < 10; i++)
		row[i] = (char)vt_line_cell(o->lines[1], i).ch;
	row[10] = '\0';
	ck_assert_str_eq(row, "third oXne");
	vt_frame_unref(o);
	vt_frame_unref(f);
	predict_free(p);
	grapheme_table_free(gt);
}
END_TEST

UNIT_SUITE(predict_secret)
{
	Suite *s = suite_create("predict");
	TCase *t = tcase_create("silence");

	suite_add_tcase(s, t);
	tcase_add_test(t, nothing_is_kept_where_nothing_echoes);
	tcase_add_test(t, keys_typed_ahead_of_a_password_prompt_are_not_shown);
	tcase_add_test(t, the_key_tables_keys_are_not_text);
	tcase_add_test(t, pastes_resizes_and_floods);
	tcase_add_test(t, motions_do_not_write_over);
	return s;
}
