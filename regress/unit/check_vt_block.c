/* Blocks in lines: cells, text, what is whole, what becomes plain text. */
#include <string.h>

#include "mux/vt/block.h"
#include "mux/vt/dump.h"
#include "mux/vt/history.h"
#include "mux/vt/pool.h"
#include "regress/unit/unit.h"

#define COLS 12
#define ROWS 4

static const struct vt_block twice = { .scale = 2, .width = 1 };
static struct vt_line *rows[ROWS];

static void
rows_new(void)
{
	unsigned y;

	for (y = 0; y < ROWS; y++)
		rows[y] = vt_line_new(NULL);
}

static void
rows_free(void)
{
	unsigned y;

	for (y = 0; y < ROWS; y++)
		vt_line_unref(NULL, rows[y]);
}

/* Puts row ROW of a block with TEXT at (X, Y). */
static void
put_row(unsigned x, unsigned y, const struct vt_block *b, unsigned row,
    const char *text, struct vt_link *over)
{
	struct vt_line *line = vt_line_own(NULL, &rows[y]);
	struct vt_block block = *b;
	struct pen pen = { .bg = colour_index(1) };
	struct vt_link *k;
	unsigned style;

	block.row = (uint8_t)row;
	k = vt_block_new(&block, text, strlen(text), over);
	style = vt_line_style(NULL, line, &pen, k);
	vt_line_fill(line, x, x + vt_block_cols(k), 0, style);
	if (row == 0)
		vt_line_put_ascii(line, x, (const uint8_t *)text, 1, style);
	vt_block_mark(line, x, vt_block_cols(k), k, 0);
	vt_link_unref(k);
	ck_assert_ptr_null(vt_line_check(line));
}

static void
put(unsigned x, unsigned y, const struct vt_block *b, const char *text)
{
	unsigned i;

	for (i = 0; i < b->scale; i++)
		put_row(x, y + i, b, i, text, NULL);
}

static void
assert_text(const struct vt_line *line, const char *want)
{
	struct buf b;

	buf_init(&b, 4096);
	ck_assert_int_eq(vt_dump_line(&b, line, 0, COLS, 0), 0);
	(void)buf_add_u8(&b, '\0');
	ck_assert_str_eq((char *)b.data, want);
	buf_fini(&b);
}

START_TEST(cells_name_their_block)
{
	struct vt_line *copy;
	uint64_t hash;

	rows_new();
	put(2, 1, &twice, "ab");
	ck_assert_str_eq(vt_link_uri(vt_line_block(rows[1], 3)), "ab");
	ck_assert_ptr_null(vt_line_block(rows[1], 1));
	ck_assert_ptr_null(vt_line_block(rows[1], 4));
	ck_assert_ptr_null(vt_line_link(rows[1], 2));
	ck_assert_uint_eq(vt_line_block(rows[2], 2)->block.row, 1);
	/* The text once, whatever the cells show. */
	assert_text(rows[1], "  ab");
	/* A copy keeps the block, and equals it; another column does not. */
	copy = vt_line_new(NULL);
	vt_line_copy(NULL, copy, 0, rows[1], 0, 4);
	ck_assert_uint_ne(copy->flags & VT_LINE_BLOCKS, 0);
	ck_assert(vt_line_equal(copy, rows[1]));
	hash = vt_line_hash(copy);
	ck_assert(hash == vt_line_hash(rows[1]));
	copy->cells[3].flags = 1;
	copy->hash = 0;
	ck_assert(!vt_line_equal(copy, rows[1]));
	ck_assert(vt_line_hash(copy) != hash);
	vt_line_unref(NULL, copy);
	rows_free();
}
END_TEST

START_TEST(equal_blocks)
{
	struct vt_link *uri = vt_link_new("u", 1, "", 0);
	struct vt_block other = twice;
	struct vt_link *a = vt_block_new(&twice, "a", 1, NULL), *b;
	char text[300];

	other.row = 1;
	b = vt_block_new(&other, "a", 1, NULL);
	ck_assert(vt_block_same(a, b));
	ck_assert(!vt_link_equal(a, b));
	vt_link_unref(b);
	b = vt_block_new(&twice, "a", 1, uri);
	ck_assert(!vt_block_same(a, b));
	ck_assert(!vt_link_equal(a, b));
	vt_link_unref(b);
	b = vt_block_new(&twice, "b", 1, NULL);
	ck_assert(!vt_block_same(a, b));
	vt_link_unref(b);
	vt_link_unref(a);
	/* The text is cut between characters. */
	memset(text, 'x', sizeof(text));
	memcpy(text + VT_BLOCK_TEXT_MAX - 1, "\303\244", 2);
	a = vt_block_new(&twice, text, sizeof(text), uri);
	ck_assert_uint_eq(a->uri_len, VT_BLOCK_TEXT_MAX - 1);
	vt_link_unref(a);
	vt_link_unref(uri);
}
END_TEST

START_TEST(valid_sizes)
{
	struct vt_block b = twice;

	ck_assert(vt_block_valid(&b));
	b.row = 2;
	ck_assert(!vt_block_valid(&b));
	b = (struct vt_block){ .scale = 8, .width = 1 };
	ck_assert(!vt_block_valid(&b));
	b = (struct vt_block){ .scale = 0, .width = 1 };
	ck_assert(!vt_block_valid(&b));
	b = (struct vt_block){ .scale = 7, .width = 8 };
	ck_assert(!vt_block_valid(&b));
	b = (struct vt_block){ .scale = 7, .width = 7, .den = 16 };
	ck_assert(!vt_block_valid(&b));
	b = (struct vt_block){ .scale = 7, .width = 7, .halign = 3 };
	ck_assert(!vt_block_valid(&b));
}
END_TEST

START_TEST(whole_or_plain)
{
	rows_new();
	put(0, 0, &twice, "a");
	put(2, 0, &twice, "a");
	put(5, 1, &twice, "b");
	ck_assert(vt_block_whole(rows, ROWS, 1, 1, false));
	ck_assert(vt_block_settle(NULL, rows, ROWS, true, false));
	ck_assert(vt_block_whole(rows, ROWS, 3, 1, false));
	/* Who writes without care leaves no whole block. */
	vt_line_put(vt_line_own(NULL, &rows[1]), 2, 'x', VT_NARROW, 0);
	vt_line_insert(vt_line_own(NULL, &rows[2]), 0, 1, COLS, 0);
	ck_assert(!vt_block_whole(rows, ROWS, 2, 0, false));
	ck_assert(!vt_block_whole(rows, ROWS, 5, 1, false));
	ck_assert(vt_block_settle(NULL, rows, ROWS, true, false));
	ck_assert_ptr_nonnull(vt_line_block(rows[1], 1));
	ck_assert_ptr_null(vt_line_block(rows[0], 2));
	ck_assert_ptr_null(vt_line_block(rows[1], 3));
	ck_assert_ptr_null(vt_line_block(rows[1], 5));
	ck_assert_ptr_null(vt_line_block(rows[2], 6));
	assert_text(rows[0], "aa");
	ck_assert_uint_eq(vt_line_pen(rows[0], 2)->bg, colour_index(1));
	ck_assert(!vt_block_settle(NULL, rows, ROWS, false, false));
	ck_assert_ptr_null(vt_line_block(rows[0], 0));
	assert_text(rows[0], "a a");
	rows_free();
}
END_TEST

START_TEST(cut_by_the_first_row)
{
	rows_new();
	put_row(0, 0, &twice, 1, "a", NULL);
	ck_assert(vt_block_whole(rows, ROWS, 0, 0, true));
	ck_assert(!vt_block_whole(rows, ROWS, 0, 0, false));
	put_row(0, ROWS - 1, &twice, 0, "a", NULL);
	ck_assert(!vt_block_whole(rows, ROWS, 0, ROWS - 1, true));
	ck_assert(vt_block_settle(NULL, rows, ROWS, true, true));
	ck_assert_ptr_null(vt_line_block(rows[ROWS - 1], 0));
	rows_free();
}
END_TEST

START_TEST(plain_text_keeps_links)
{
	struct vt_link *uri = vt_link_new("u", 1, "", 0);
	struct vt_line *line;

	rows_new();
	put_row(0, 0, &twice, 0, "ab", uri);
	ck_assert_str_eq(vt_link_uri(vt_line_link(rows[0], 1)), "u");
	line = vt_block_tidy(NULL, rows[0]);
	ck_assert(line == rows[0]);
	vt_line_unref(NULL, line);
	vt_block_strip(NULL, rows[0], 0, rows[0]->len);
	ck_assert_ptr_null(vt_line_block(rows[0], 0));
	ck_assert_str_eq(vt_link_uri(vt_line_link(rows[0], 1)), "u");
	assert_text(rows[0], "a");
	vt_link_unref(uri);
	rows_free();
}
END_TEST

START_TEST(packed_history_keeps_blocks)
{
	struct vt_pool *pool = vt_pool_new();
	struct vt_history *h = vt_history_new(pool, COLS, 5000, 0);
	struct vt_link *uri = vt_link_new("u", 1, "i", 1);
	const struct vt_line *line;
	struct vt_block part = { .scale = 1,
		.width = 3,
		.num = 1,
		.den = 2,
		.valign = 2,
		.halign = 1 };
	unsigned i;

	rows_new();
	/* Three blocks side by side, the last one cut; their other row. */
	put_row(0, 0, &twice, 0, "ab", uri);
	put_row(2, 0, &twice, 0, "ab", uri);
	put_row(4, 0, &part, 0, "text", NULL);
	put_row(8, 0, &twice, 0, "cd", NULL);
	vt_line_put(rows[0], 9, 'x', VT_NARROW, 0);
	rows[0]->flags |= VT_LINE_WRAPPED;
	vt_history_push(h, vt_line_ref(rows[0]));
	put_row(0, 1, &twice, 1, "ab", NULL);
	vt_history_push(h, vt_line_ref(rows[1]));
	for (i = 0; i < 20 * VT_HISTORY_HOT; i++)
		vt_history_push(h, vt_line_ref(rows[2]));
	ck_assert_ptr_null(vt_history_check(h));
	line = vt_history_row(h, 0);
	assert_text(line, "ababtext cx");
	ck_assert(
	    vt_link_equal(vt_line_block(line, 3), vt_line_block(rows[0], 3)));
	ck_assert_uint_eq(line->cells[2].flags, 1);
	ck_assert(
	    vt_link_equal(vt_line_block(line, 6), vt_line_block(rows[0], 6)));
	ck_assert_ptr_null(vt_line_block(line, 8));
	ck_assert_ptr_null(vt_line_check(line));
	line = vt_history_row(h, 1);
	ck_assert_uint_eq(vt_line_block(line, 1)->block.row, 1);
	vt_link_unref(uri);
	vt_history_free(h);
	vt_pool_free(pool);
	rows_free();
}
END_TEST

UNIT_SUITE(vt_block)
{
	Suite *s = suite_create("vt_block");
	TCase *tc = tcase_create("vt_block");

	tcase_add_test(tc, cells_name_their_block);
	tcase_add_test(tc, equal_blocks);
	tcase_add_test(tc, valid_sizes);
	tcase_add_test(tc, whole_or_plain);
	tcase_add_test(tc, cut_by_the_first_row);
	tcase_add_test(tc, plain_text_keeps_links);
	tcase_add_test(tc, packed_history_keeps_blocks);
	suite_add_tcase(s, tc);
	return s;
}
