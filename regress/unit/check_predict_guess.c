#include <string.h>

#include "mux/vt/dump.h"
#include "mux/vt/term.h"
#include "predict/guess.h"
#include "regress/unit/unit.h"

#define K(x) KEY_##x

struct row {
	const char *screen; /* bytes to a terminal of 12 x 3 */
	int prompt;         /* columns of the cursor's row, -1: unknown */
	const char *how;    /* c canonical, a alternate, k keep, v vi */
	key_code keys[6];
	const char *text; /* NULL: lost */
	unsigned x, y;
};

#define C(k) (KEY_CTRL | (k))
#define M(k) (KEY_META | (k))

/* clang-format off */
static const struct row rows[] = {
	/* text */
	{ "$ ", 2, "", { 'a', 'b' }, "$ ab\n\n\n", 4, 0 },
	{ "$ ab\b", 2, "", { 'x' }, "$ axb\n\n\n", 4, 0 },
	{ "$ ab\b", 2, "k", { 'x' }, "$ ax\n\n\n", 4, 0 },
	{ "$ ab   >\033[4G", 2, "", { 'x' }, "$ axb  >\n\n\n", 4, 0 },
	/* a suggestion stays while it is typed, and goes with another key */
	{ "$ a\033[90mbc\033[m\033[4G", 2, "", { 'x' }, "$ ax\n\n\n", 4, 0 },
	{ "$ a\033[2mbc\033[m\033[4G", 2, "", { 'b' }, "$ abc\n\n\n", 4, 0 },
	{ "$ a\033[2mbc d\033[m\033[4G", 2, "", { 'b', 'c', 'x' }, "$ abcx\n\n\n", 6, 0 },
	{ "$ a\033[2m bc\033[m\033[4G", 2, "", { ' ' }, "$ a bc\n\n\n", 4, 0 },
	{ "$ a\033[2m bc\033[m\033[4G", 2, "", { 'x' }, "$ ax\n\n\n", 4, 0 },
	{ "$ a\033[2mbc\033[m\033[4G", 2, "", { K(BSPACE) }, "$\n\n\n", 2, 0 },
	{ "$ a\033[2mbc\033[m\033[4G", 2, "", { K(ENTER), 'x' }, "$ a\n$ x\n\n", 3, 1 },
	/* a right prompt stays until it is reached */
	{ "$ \033[9Grp\033[3G", 2, "", { 'a', 'b', 'c' }, "$ abc   rp\n\n\n", 5, 0 },
	{ "$ abcdefgh\033[3G", 2, "", { '1', '2', '3' }, NULL, 0, 0 },
	/* the last column and wrapping */
	{ "$ abcdefghi", 2, "", { 'j' }, "$ abcdefghij\n\n\n", 0, 1 },
	{ "$ abcdefghi", 2, "", { 'j', 'k' }, "$ abcdefghij\nk\n\n", 1, 1 },
	{ "\033[3H$ abcdefghi", 2, "", { 'j', 'k' }, "\n$ abcdefghij\nk\n", 1, 2 },
	{ "\033[3H$ abcdefghi", 2, "a", { 'j', 'k' }, NULL, 0, 0 },
	/* windows of a full-screen program side by side */
	{ "\033[8G|\033[2;8H|\033[3;8H|\033[Ha c\b", -1, "a", { 'b', 'x' }, "a bxc  |\n       |\n       |\n", 4, 0 },
	{ "\033[8G|\033[2;8H|\033[3;8H|\033[Habcd\033[3G", -1, "a", { '1', '2', '3' }, "ab123cd|\n       |\n       |\n", 5, 0 },
	{ "\033[8G|\033[2;8H|\033[3;8H|\033[Habcd\033[3G", -1, "a", { '1', '2', '3', '4' }, NULL, 0, 0 },
	{ "\033[8G|\033[2;8H|\033[3;8H|\033[Habcde", -1, "a", { 'f', 'g' }, NULL, 0, 0 },
	{ "\033[8G|\033[2;8H|\033[3;8H|\033[Habc", -1, "a", { K(ENTER) }, NULL, 0, 0 },
	{ "\033[8G|\033[Habcd\033[3G", -1, "a", { '1', '2' }, "ab12cd  |\n\n\n", 4, 0 },
	{ "x\033[2Hfull\033[1;12H", -1, "", { 'j', 'k' }, NULL, 0, 0 },
	/* vi's row is full: its end continues in the next row */
	{ "\033[8G|\033[2;8H|\033[3;8H|\033[Habcd\033[3G", -1, "av", { '1', '2', '3', '4' }, "ab1234c|\n       |\n       |\n", 6, 0 },
	{ "\033[8G|x\033[2;8H|y\033[3;8H|\033[Habcdefg\033[2;1Hhi\033[1;3H", -1, "av", { '1', '2' }, "ab12cde|x\nhi     |y\n       |\n", 4, 0 },
	{ "\033[8G|\033[2;8H|\033[3;8H|\033[Habcdefg\033[3G", -1, "a", { '1' }, NULL, 0, 0 },
	{ "abcdefghijkl\033[3G", -1, "av", { '1', '2' }, "ab12cdefghij\n\n\n", 4, 0 },
	{ "abcdefghijkl\033[3G", -1, "a", { '1' }, NULL, 0, 0 },
	{ "abcdefghijkl\033[11G", -1, "av", { K(LEFT), '1', '2' }, "abcdefghi12j\n\n\n", 11, 0 },
	{ "\033[8G|\033[2;8H|\033[3;8H|\033[Habcde\xe4\xb8\xad\033[3G", -1, "av", { '1' }, NULL, 0, 0 },
	{ "\033[8G|\033[2;8H|\033[3;8H|\033[Habcde\xe4\xb8\xad\033[3G", -1, "av", { 0x4e2d }, "ab\xe4\xb8\xad" "cde|\n       |\n       |\n", 4, 0 },
	{ "\033[8G|\033[2;8H|\033[3;8H|\033[Habcde\033[2;1Hfg\033[2;1H", -1, "av", { '1' }, "abcde  |\n1fg    |\n       |\n", 1, 1 },
	/* ... and the cursor moves there first */
	{ "\033[8G|\033[2;8H|\033[3;8H|\033[Habcdefg\033[2;1Hfg\033[2;1H", -1, "av", { '1' }, NULL, 0, 0 },
	{ "\033[8G|\033[2;8H|\033[3;8H|\033[Habcdefg\033[2;1H", -1, "av", { '1' }, "abcdefg|\n1      |\n       |\n", 1, 1 },
	/* wide characters and marks */
	{ "$ ", 2, "", { 0x4e2d, 'a' }, "$ \xe4\xb8\xad" "a\n\n\n", 5, 0 },
	{ "$ \xe4\xb8\xad", 2, "", { K(BSPACE) }, "$\n\n\n", 2, 0 },
	{ "$ \xe4\xb8\xad" "b\b", 2, "", { K(LEFT), 'a' }, "$ a\xe4\xb8\xad" "b\n\n\n", 3, 0 },
	{ "$ e", 2, "", { 0x301, 'x' }, "$ e\xcc\x81x\n\n\n", 4, 0 },
	{ "$ \xe4\xb8\xad", 2, "", { 0xfe0f }, NULL, 0, 0 },
	{ "$ ", 2, "", { 0x1f468, 0x200d }, NULL, 0, 0 },
	{ "$ abcdefghi", 2, "", { 0x4e2d }, "$ abcdefghi\n\xe4\xb8\xad\n\n", 2, 1 },
	/* deleting */
	{ "$ abc", 2, "", { K(BSPACE), K(BSPACE) }, "$ a\n\n\n", 3, 0 },
	{ "$ a", 2, "", { K(BSPACE), K(BSPACE), K(BSPACE) }, "$\n\n\n", 2, 0 },
	{ "$ abc\b", 2, "", { K(BSPACE) }, "$ ac\n\n\n", 3, 0 },
	{ "x abc", -1, "", { K(BSPACE) }, NULL, 0, 0 },
	{ "x abc", -1, "", { 'd', K(BSPACE) }, "x abc\n\n\n", 5, 0 },
	{ "x abc", -1, "a", { K(BSPACE) }, "x ab\n\n\n", 4, 0 },
	{ "$ abc\033[3G", 2, "", { K(DC) }, "$ bc\n\n\n", 2, 0 },
	{ "$ abc", 2, "", { K(DC) }, NULL, 0, 0 },
	{ "$ a b c", 2, "", { C('w') }, "$ a b\n\n\n", 6, 0 },
	{ "$ a/b", 2, "", { C('w') }, "$\n\n\n", 2, 0 },
	{ "$ a/b", 2, "", { M(K(BSPACE)) }, "$ a/\n\n\n", 4, 0 },
	{ "$ a bcd\b", 2, "", { C('u') }, NULL, 0, 0 },
	{ "$ a bcd", 2, "", { C('u') }, "$\n\n\n", 2, 0 },
	{ "$ abcd\033[4G", 2, "", { C('k') }, "$ a\n\n\n", 3, 0 },
	{ "x abc", -1, "", { C('u') }, NULL, 0, 0 },
	/* moving */
	{ "$ abc", 2, "", { K(LEFT), 'x' }, "$ abxc\n\n\n", 5, 0 },
	{ "$ abc", 2, "", { K(HOME), 'x' }, "$ xabc\n\n\n", 3, 0 },
	{ "$ abc", 2, "", { C('a'), C('e'), 'x' }, "$ abcx\n\n\n", 6, 0 },
	{ "$ abc", 2, "", { C('a'), K(LEFT), K(RIGHT) }, "$ abc\n\n\n", 3, 0 },
	{ "$ ab cd", 2, "", { M('b'), M('b'), M('f') }, "$ ab cd\n\n\n", 4, 0 },
	{ "$ abc", 2, "", { K(RIGHT) }, "$ abc\n\n\n", 5, 0 },
	{ "$ abc", 2, "a", { K(RIGHT) }, NULL, 0, 0 },
	{ "$ a\033[90mbc\033[m\033[4G", 2, "", { K(RIGHT) }, NULL, 0, 0 },
	{ "$ a\033[90mbc\033[m\033[4G", 2, "", { K(END) }, NULL, 0, 0 },
	{ "x abc", -1, "", { K(HOME) }, NULL, 0, 0 },
	/* the kernel */
	{ "abc", 0, "c", { K(BSPACE), 'x' }, "abx\n\n\n", 3, 0 },
	{ "ab c", 0, "c", { C('w') }, "ab\n\n\n", 3, 0 },
	{ "ab c", 0, "c", { C('u') }, "\n\n\n", 0, 0 },
	{ "ab", 0, "c", { K(LEFT) }, NULL, 0, 0 },
	/* keys with an unknown effect */
	{ "$ ab", 2, "", { K(TAB) }, NULL, 0, 0 },
	{ "$ ab", 2, "", { K(UP) }, NULL, 0, 0 },
	{ "$ ab", 2, "", { K(ESCAPE) }, NULL, 0, 0 },
	{ "$ ab", 2, "", { C('r') }, NULL, 0, 0 },
	{ "$ ab", 2, "", { M('x') }, NULL, 0, 0 },
	/* clearing the screen except for the line */
	{ "one\n\r$ abc\b", 2, "", { C('l'), 'x' }, "$ abxc\n\n\n", 5, 0 },
	{ "one\n\r$ abc", -1, "", { C('l') }, NULL, 0, 0 },
	/* a right prompt disappears when text reaches it */
	{ "$ abcde\033[11Grp\033[8G", 2, "", { 'f', 'g' }, "$ abcdefg\n\n\n", 9, 0 },
	/* Enter: here one row down, to a prompt */
	{ "$ ab", 2, "", { K(ENTER), 'x' }, "$ ab\n$ x\n\n", 3, 1 },
	{ "\033[3H$ ab", 2, "", { K(ENTER), 'x' }, "\n$ ab\n$ x\n", 3, 2 },
	{ "\033[3H$ ab", 2, "a", { K(ENTER) }, NULL, 0, 0 },
	{ "\033[2Hbelow\033[H$ ab", 2, "", { K(ENTER) }, NULL, 0, 0 },
	/* a row of double width shows other columns */
	{ "\033#6$ ", 2, "", { 'a' }, NULL, 0, 0 },
	/* a row with blocks of cells */
	{ "\033]66;s=2;A\a$ ", 4, "", { 'a' }, NULL, 0, 0 },
};
/* clang-format on */

START_TEST(keys_do_what_line_editors_do)
{
	const struct guess_enter enter = { 1, CONTEXT_PROMPT, 0 };
	struct grapheme_table *gt = grapheme_table_new(NULL);
	struct vt_term_options opt = { .graphemes = gt, .cols = 12, .rows = 3 };
	struct guess_env env;
	struct guess_key k;
	struct key_event ev;
	struct guess g;
	struct vt_term *t;
	struct vt_frame *f, *was;
	struct buf b;
	size_t i, j;

	opt.pool = vt_pool_new();
	for (i = 0; i < ARRAY_LEN(rows); i++) {
		t = vt_term_new(&opt);
		vt_term_write(t, rows[i].screen, strlen(rows[i].screen));
		f = vt_term_frame(t, 0);
		was = vt_frame_clone(f);
		env = (struct guess_env){ .gt = gt };
		env.canonical = strchr(rows[i].how, 'c') != NULL;
		env.alternate = strchr(rows[i].how, 'a') != NULL;
		env.keep = strchr(rows[i].how, 'k') != NULL;
		if (strchr(rows[i].how, 'v') != NULL)
			env.vi = GUESS_VI_INSERT;
		if (rows[i].prompt >= 0) {
			env.prompt = f->lines[f->state.y];
			env.prompt_cols = (unsigned)rows[i].prompt;
		}
		guess_init(&g, &env, f);
		for (j = 0; j < 6 && rows[i].keys[j] != 0; j++) {
			ev = (struct key_event){ .key = rows[i].keys[j] };
			k = guess_key_of(&ev);
			guess_step(&g, &k, j, &enter);
		}
		ck_assert_ptr_null(vt_frame_check(g.f));
		buf_init(&b, 4096);
		vt_dump_frame(&b, g.f, VT_DUMP_TRIM);
		if (rows[i].text == NULL)
			ck_assert_msg(g.lost, "row %zu not lost", i);
		else
			ck_assert_msg(
			    !g.lost &&
				strcmp(buf_cstr(&b), rows[i].text) == 0 &&
				g.x == rows[i].x && g.y == rows[i].y,
			    "row %zu: %u,%u lost %d\n%s", i, g.x, g.y, g.lost,
			    buf_cstr(&b));
		/* The true frame does not change. */
		ck_assert(vt_frame_equal(f, was));
		buf_fini(&b);
		guess_fini(&g);
		vt_frame_unref(was);
		vt_frame_unref(f);
		vt_term_free(t);
	}
	vt_pool_free(opt.pool);
	grapheme_table_free(gt);
}
END_TEST

UNIT_SUITE(predict_guess)
{
	Suite *s = suite_create("predict/guess");
	TCase *t = tcase_create("guess");

	suite_add_tcase(s, t);
	tcase_add_test(t, keys_do_what_line_editors_do);
	return s;
}
