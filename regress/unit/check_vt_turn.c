/* Rows with text from right to left in the order of display. */
#include <string.h>

#include "base/bidi.h"
#include "base/mem.h"
#include "mux/vt/frame.h"
#include "mux/vt/pool.h"
#include "mux/vt/term.h"
#include "mux/vt/turn.h"
#include "regress/chance.h"
#include "regress/unit/unit.h"

#define COLS 12
#define ROWS 4

/* alef, bet, gimel, dalet */
#define A "\327\220"
#define B "\327\221"
#define G "\327\222"
#define D "\327\223"

static void
assert_row(const struct vt_line *line, const char *want, size_t row)
{
	char got[8 * COLS] = "", one[VT_CLUSTER_MAX + 1];
	unsigned i, used = vt_line_used(line);

	for (i = 0; i < used; i++) {
		(void)vt_line_text(line, i, one);
		strncat(got, one, sizeof(got) - strlen(got) - 1);
	}
	while (*got != '\0' && got[strlen(got) - 1] == ' ')
		got[strlen(got) - 1] = '\0';
	ck_assert_msg(
	    strcmp(got, want) == 0, "row %zu: [%s], not [%s]", row, got, want);
}

/* Writes TEXT to a terminal and turns its first N rows, one paragraph. */
static void
turn_text(const char *text, size_t n, size_t skip, struct vt_line **rows,
    uint16_t **maps)
{
	struct grapheme_table *gt = grapheme_table_new(NULL);
	struct vt_term_options opt = {
		.graphemes = gt,
		.pool = vt_pool_new(),
		.cols = COLS,
		.rows = ROWS,
	};
	struct vt_term *t = vt_term_new(&opt);
	struct vt_frame *f;
	size_t i;

	vt_term_write(t, text, strlen(text));
	f = vt_term_frame(t, 0);
	/* The pool goes before the rows. */
	for (i = 0; i < n; i++)
		rows[i] = vt_line_clone(NULL, f->lines[i]);
	vt_frame_unref(f);
	vt_term_free(t);
	vt_pool_free(opt.pool);
	grapheme_table_free(gt);
	vt_turn(rows, n, skip, COLS, maps);
}

static const struct {
	const char *text;
	size_t rows;
	const char *want[2];
	bool turned;
} cases[] = {
	{ "abc", 1, { "abc" }, false },
	{ "$ " A B G, 1, { "$ " G B A }, true },
	{ "$ " A B " 12 " G, 1, { "$ " G " 12 " B A }, true },
	/* all begin at the left */
	{ A B G, 1, { G B A }, true },
	{ A " x", 1, { A " x" }, false },
	{ A B " x", 1, { B A " x" }, true },
	/* brackets are mirrored */
	{ "$ " A "(" B ")", 1, { "$ (" B ")" A }, true },
	{ "$ " A "(" B ")" G, 1, { "$ " G "(" B ")" A }, true },
	/* wide cells, clusters and tabs */
	{ "$ " A "\344\270\200" B, 1, { "$ " A "\344\270\200" B }, false },
	{ "$ " A "\326\264" B, 1, { "$ " B A "\326\264" }, true },
	{ "$ " A B "\t" A B, 1, { "$ " B A "    " B A }, true },
	/* wrapped rows are one paragraph: each row has its own order */
	{ A B G D A B G D A B G D A B, 2, { D G B A D G B A D G B A, B A },
	    true },
	{ "abcdefghijk" A B G, 2, { "abcdefghijk" A, G B }, true },
};

START_TEST(rows_are_shown_in_order)
{
	struct vt_line *rows[2];
	uint16_t *maps[2];
	bool turned;
	size_t i, k;

	for (i = 0; i < ARRAY_LEN(cases) && bidi_have(); i++) {
		turn_text(cases[i].text, cases[i].rows, 0, rows, maps);
		turned = false;
		for (k = 0; k < cases[i].rows; k++) {
			assert_row(rows[k], cases[i].want[k], i);
			ck_assert((maps[k] != NULL) ==
				  ((rows[k]->flags & VT_LINE_TURNED) != 0));
			turned = turned || maps[k] != NULL;
			ck_assert_ptr_null(vt_line_check(rows[k]));
			vt_line_unref(NULL, rows[k]);
			mem_free(maps[k]);
		}
		ck_assert_msg(turned == cases[i].turned, "case %zu", i);
	}
}
END_TEST

START_TEST(columns_are_mapped)
{
	static const uint16_t want[COLS] = { 0, 1, 4, 3, 2, 5, 6, 7, 8, 9, 10,
		11 };
	struct vt_line *rows[2];
	uint16_t *maps[2];

	if (!bidi_have())
		return;
	turn_text("$ " A B G, 1, 0, rows, maps);
	ck_assert_ptr_nonnull(maps[0]);
	ck_assert_mem_eq(maps[0], want, sizeof(want));
	mem_free(maps[0]);
	vt_line_unref(NULL, rows[0]);
	/* Rows that are only read decide how blanks go on. */
	turn_text(A B G D A B G D A B G D "!" A, 2, 1, rows, maps);
	ck_assert_ptr_null(maps[0]);
	assert_row(rows[0], A B G D A B G D A B G D, 0);
	assert_row(rows[1], A "!", 1);
	mem_free(maps[1]);
	vt_line_unref(NULL, rows[0]);
	vt_line_unref(NULL, rows[1]);
}
END_TEST

/* Each column is shown once, whatever the text. */
START_TEST(maps_are_permutations)
{
	static const char *const words[] = { A, B "\326\264", "x", " ", "(",
		")", "1", "\344\270\200", "\t", "\330\247\331\204" };
	uint64_t rng = unit_seed(1);
	struct vt_line *rows[ROWS];
	uint16_t *maps[ROWS];
	char text[512];
	unsigned i, n, seen;
	size_t k;

	for (i = 0; i < unit_rounds(400) && bidi_have(); i++) {
		text[0] = '\0';
		for (n = 0; n < 30; n++)
			strcat(
			    text, words[chance_below(&rng, ARRAY_LEN(words))]);
		turn_text(text, ROWS, 0, rows, maps);
		for (k = 0; k < ROWS; k++) {
			ck_assert_ptr_null(vt_line_check(rows[k]));
			seen = 0;
			for (n = 0; maps[k] != NULL && n < COLS; n++)
				seen |= 1u << maps[k][n];
			ck_assert(maps[k] == NULL || seen == (1u << COLS) - 1);
			mem_free(maps[k]);
			vt_line_unref(NULL, rows[k]);
		}
	}
}
END_TEST

UNIT_SUITE(vt_turn)
{
	Suite *s = suite_create("vt_turn");
	TCase *tc = tcase_create("turn");

	tcase_add_test(tc, rows_are_shown_in_order);
	tcase_add_test(tc, columns_are_mapped);
	tcase_add_test(tc, maps_are_permutations);
	suite_add_tcase(s, tc);
	return s;
}
