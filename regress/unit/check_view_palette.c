/* The palette: the matcher against a naive one, the filter, the picture. */
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "mux/view/fuzzy.h"
#include "mux/view/palette_int.h"
#include "regress/chance.h"
#include "regress/unit/unit.h"
#include "regress/unit/view_util.h"

/* --- the matcher -------------------------------------------------------------------- */

static int32_t
match(const char *query, const char *text)
{
	struct view_fuzzy q;

	view_fuzzy_init(&q, query, strlen(query));
	return view_fuzzy_match(&q, text, NULL);
}

static bool
is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* The score of a match of one character of TEXT. */
static int32_t
naive_bonus(const char *text, size_t at)
{
	const char c = text[at], b = at == 0 ? ' ' : text[at - 1];

	if (at == 0)
		return VIEW_FUZZY_AT_START;
	if (is_letter(c) && (!is_letter(b) || (c < 'a' && b >= 'a')))
		return VIEW_FUZZY_AT_WORD;
	return 0;
}

static bool
naive_same(char q, char t, bool exact)
{
	return exact ? q == t : q == (t >= 'A' && t <= 'Z' ? t + 32 : t);
}

/* Tries all alignments of QUERY with TEXT from FROM; LAST was matched before. */
static int32_t
naive(const char *query, bool exact, const char *text, size_t from, size_t last)
{
	int32_t best = VIEW_FUZZY_NONE, rest;
	size_t i;

	if (*query == '\0')
		return 0;
	for (i = from; text[i] != '\0'; i++) {
		if (!naive_same(*query, text[i], exact))
			continue;
		rest = naive(query + 1, exact, text, i + 1, i);
		if (rest == VIEW_FUZZY_NONE)
			continue;
		rest += naive_bonus(text, i);
		if (last != SIZE_MAX)
			rest +=
			    i == last + 1 ? VIEW_FUZZY_NEXT : VIEW_FUZZY_GAP;
		best = MAX_OF(best, rest);
	}
	return best;
}

/* The score of the alignment that the matcher reports. */
static int32_t
score_of(const char *query, bool exact, const char *text, const uint16_t *at)
{
	int32_t sum = 0;
	size_t i;

	for (i = 0; query[i] != '\0'; i++) {
		ck_assert(naive_same(query[i], text[at[i]], exact));
		sum += naive_bonus(text, at[i]);
		if (i == 0)
			continue;
		ck_assert_uint_gt(at[i], at[i - 1]);
		sum +=
		    at[i] == at[i - 1] + 1 ? VIEW_FUZZY_NEXT : VIEW_FUZZY_GAP;
	}
	return sum;
}

START_TEST(the_matcher_finds_the_best_alignment)
{
	static const char letters[] = "ab-A b";
	uint64_t ch = unit_seed(1);
	char query[6], text[15];
	uint16_t at[VIEW_FUZZY_WORD_MAX];
	struct view_fuzzy q;
	unsigned round, i, n;
	int32_t want, got;

	for (round = 0; round < unit_rounds(20000); round++) {
		n = 1 + chance_below(&ch, 4);
		for (i = 0; i < n; i++)
			query[i] = letters[chance_below(&ch, 4)];
		query[n] = '\0';
		n = chance_below(&ch, 14);
		for (i = 0; i < n; i++)
			text[i] = letters[chance_below(&ch, 6)];
		text[n] = '\0';
		view_fuzzy_init(&q, query, strlen(query));
		want = naive(query, q.exact, text, 0, SIZE_MAX);
		got = view_fuzzy_match(&q, text, at);
		ck_assert_msg(got == want, "\"%s\" in \"%s\": %d, not %d",
		    query, text, got, want);
		if (want != VIEW_FUZZY_NONE)
			ck_assert_int_eq(
			    score_of(query, q.exact, text, at), want);
	}
}
END_TEST

START_TEST(the_matcher_is_bounded)
{
	char text[VIEW_FUZZY_TEXT_MAX * 4 + 1];
	struct view_fuzzy q;

	memset(text, 'a', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	ck_assert_int_eq(match("b", text), VIEW_FUZZY_NONE);
	text[VIEW_FUZZY_TEXT_MAX - 1] = 'b';
	ck_assert_int_ne(match("b", text), VIEW_FUZZY_NONE);
	text[VIEW_FUZZY_TEXT_MAX - 1] = 'a';
	text[VIEW_FUZZY_TEXT_MAX] = 'b';
	ck_assert_int_eq(match("b", text), VIEW_FUZZY_NONE);
	view_fuzzy_init(&q, text, sizeof(text) - 1);
	ck_assert_uint_eq(q.count, VIEW_FUZZY_WORD_MAX);
	ck_assert_int_ne(view_fuzzy_match(&q, text, NULL), VIEW_FUZZY_NONE);
	/* Ill-formed text is text. */
	ck_assert_int_eq(match("b", "\xff\xfe\xe2\x82"), VIEW_FUZZY_NONE);
	ck_assert_int_ne(match("é", "caf\xc3\xa9"), VIEW_FUZZY_NONE);
	ck_assert_int_eq(match("", "text"), 0);
}
END_TEST

/* --- the filter --------------------------------------------------------------------- */

static struct view_palette *palette;

static void
add(enum view_palette_kind kind, const char *label, const char *detail,
    const char *key)
{
	ck_assert_int_eq(
	    view_palette_add(palette, kind,
		&(struct view_palette_text){ label, detail, key, label }),
	    0);
}

/* The labels that QUERY leaves, best first, each with a "|". */
static const char *
found(const char *query)
{
	static char out[1024];
	size_t i;

	prompt_edit_set(&palette->edit, query);
	view_palette_filter(palette);
	out[0] = '\0';
	for (i = 0; i < palette->row_count; i++) {
		(void)str_append(out,
		    palette->items[palette->rows[i].item].label, sizeof(out));
		(void)str_append(out, "|", sizeof(out));
	}
	return out;
}

static void
fill(void)
{
	palette = view_palette_new(" ");
	add(VIEW_PALETTE_KEY, "Split window vertically", "split-window",
	    "C-b \"");
	add(VIEW_PALETTE_KEY, "Split window horizontally", "split-window -h",
	    "C-b %");
	add(VIEW_PALETTE_WINDOW, "s:1 logs", "1 pane, tail /var/log", NULL);
	add(VIEW_PALETTE_COMMAND, "split-window", "Split a pane", NULL);
	add(VIEW_PALETTE_COMMAND, "swap-window", "Swap two windows", NULL);
	add(VIEW_PALETTE_OPTION, "status", "on  (Number of status lines)",
	    NULL);
	add(VIEW_PALETTE_OPTION, "status-left", "[#S]  (Left part)", NULL);
}

START_TEST(the_best_items_come_first)
{
	fill();
	ck_assert_str_eq(found("sw"),
	    "Split window vertically|Split window horizontally|"
	    "swap-window|split-window|");
	ck_assert_str_eq(found("status"), "status|status-left|");
	ck_assert_str_eq(found("hor spl"), "Split window horizontally|");
	ck_assert_str_eq(found("LOG"), "");
	ck_assert_str_eq(found("log tail"), "s:1 logs|");
	/* A key by its name. */
	ck_assert_str_eq(found("%"), "Split window horizontally|");
	ck_assert_str_eq(found("nothing like it"), "");
	ck_assert_uint_eq(view_palette_chosen(palette), SIZE_MAX);
	/* Without a query the order of adding, but what was used lately. */
	palette->items[4].recent = 2;
	palette->items[5].recent = 1;
	ck_assert_str_eq(found(" "),
	    "status|swap-window|Split window vertically|"
	    "Split window horizontally|s:1 logs|split-window|status-left|");
	view_palette_free(palette);
}
END_TEST

/* Whether ITEM matches all of COUNT words that are no keys. */
static bool
naive_shown(const struct view_fuzzy *words, size_t count,
    const struct view_palette_item *item)
{
	int32_t detail;
	size_t i;

	for (i = 0; i < count; i++) {
		detail = view_fuzzy_match(&words[i], item->detail, NULL);
		if (view_fuzzy_match(&words[i], item->label, NULL) ==
			VIEW_FUZZY_NONE &&
		    detail < (int32_t)(words[i].count - 1) * VIEW_FUZZY_NEXT)
			return false;
	}
	return true;
}

START_TEST(random_queries_filter_as_the_matcher_says)
{
	static const char letters[] = "spltwin -hc";
	struct view_fuzzy words[VIEW_PALETTE_WORDS_MAX];
	uint64_t ch = unit_seed(1);
	char query[12];
	unsigned round, i, n;
	size_t count, k, want;

	fill();
	for (round = 0; round < unit_rounds(2000); round++) {
		n = chance_below(&ch, 11);
		for (i = 0; i < n; i++)
			query[i] =
			    letters[chance_below(&ch, sizeof(letters) - 1)];
		query[n] = '\0';
		(void)found(query);
		count = palette_words(query, words);
		for (want = k = 0; k < palette->count; k++)
			want += naive_shown(words, count, &palette->items[k]);
		ck_assert_uint_eq(palette->row_count, want);
		for (k = 1; k < want; k++)
			ck_assert_int_ge(
			    palette->rows[k - 1].score, palette->rows[k].score);
	}
	view_palette_free(palette);
}
END_TEST

/* --- keys and mouse ----------------------------------------------------------------- */

static void
type(const char *s)
{
	for (; *s != '\0'; s++)
		ck_assert_int_eq(
		    view_palette_key(palette, (key_code)(unsigned char)*s),
		    VIEW_PALETTE_CHANGED);
}

START_TEST(keys_move_and_choose)
{
	fill();
	view_palette_fit(palette, 80, 24);
	(void)found("");
	ck_assert_uint_eq(view_palette_chosen(palette), 0);
	(void)view_palette_key(palette, KEY_UP);
	ck_assert_uint_eq(view_palette_chosen(palette), 6);
	(void)view_palette_key(palette, 'n' | KEY_CTRL);
	ck_assert_uint_eq(view_palette_chosen(palette), 0);
	(void)view_palette_key(palette, KEY_NPAGE);
	ck_assert_uint_eq(view_palette_chosen(palette), 6);
	(void)view_palette_key(palette, KEY_PPAGE);
	ck_assert_uint_eq(view_palette_chosen(palette), 0);
	type("stl");
	ck_assert_uint_eq(view_palette_chosen(palette), 6);
	ck_assert_int_eq(
	    view_palette_key(palette, KEY_ENTER), VIEW_PALETTE_CHOSEN);
	ck_assert_int_eq(
	    view_palette_key(palette, 'o' | KEY_CTRL), VIEW_PALETTE_EDIT);
	(void)view_palette_key(palette, 'u' | KEY_CTRL);
	ck_assert_uint_eq(palette->row_count, 7);
	/* Kinds without items are skipped. */
	(void)view_palette_key(palette, KEY_TAB);
	ck_assert_int_eq(palette->kind, VIEW_PALETTE_KEY);
	ck_assert_uint_eq(palette->row_count, 2);
	(void)view_palette_key(palette, KEY_TAB);
	ck_assert_int_eq(palette->kind, VIEW_PALETTE_WINDOW);
	(void)view_palette_key(palette, KEY_TAB);
	ck_assert_int_eq(palette->kind, VIEW_PALETTE_COMMAND);
	(void)view_palette_key(palette, KEY_BTAB);
	(void)view_palette_key(palette, KEY_BTAB);
	(void)view_palette_key(palette, KEY_BTAB);
	ck_assert_int_eq(palette->kind, -1);
	type("zzz");
	ck_assert_int_eq(
	    view_palette_key(palette, KEY_ENTER), VIEW_PALETTE_NOTHING);
	ck_assert_int_eq(
	    view_palette_key(palette, KEY_F1), VIEW_PALETTE_NOTHING);
	ck_assert_int_eq(
	    view_palette_key(palette, KEY_ESCAPE), VIEW_PALETTE_CLOSED);
	view_palette_paste(palette, "\rst\natus\r", 9);
	ck_assert_str_eq(prompt_edit_text(&palette->edit), "zzzstatus");
	view_palette_free(palette);
}
END_TEST

START_TEST(the_mouse_moves_and_chooses)
{
	struct mouse_event ev = { .action = MOUSE_MOTION };

	fill();
	view_palette_fit(palette, 80, 24);
	(void)found("");
	ev.x = palette->x + 3;
	ev.y = palette->y + 4;
	ck_assert_int_eq(
	    view_palette_mouse(palette, &ev), VIEW_PALETTE_CHANGED);
	ck_assert_uint_eq(view_palette_chosen(palette), 2);
	ck_assert_int_eq(
	    view_palette_mouse(palette, &ev), VIEW_PALETTE_NOTHING);
	ev.action = MOUSE_PRESS;
	ev.button = MOUSE_LEFT;
	ev.y--;
	ck_assert_int_eq(view_palette_mouse(palette, &ev), VIEW_PALETTE_CHOSEN);
	ck_assert_uint_eq(view_palette_chosen(palette), 1);
	ev.y = palette->y + palette->h - 1;
	ck_assert_int_eq(
	    view_palette_mouse(palette, &ev), VIEW_PALETTE_NOTHING);
	ev.y = palette->y + palette->h;
	ck_assert_int_eq(view_palette_mouse(palette, &ev), VIEW_PALETTE_CLOSED);
	ev.button = MOUSE_WHEEL_DOWN;
	ck_assert_int_eq(
	    view_palette_mouse(palette, &ev), VIEW_PALETTE_CHANGED);
	ck_assert_uint_eq(view_palette_chosen(palette), 2);
	view_palette_free(palette);
}
END_TEST

/* --- the picture -------------------------------------------------------------------- */

static void
show(struct view_util *u, struct sync_view *v)
{
	ck_assert_uint_eq(view_palette_show(&u->b, v, palette), 3);
	ck_assert_uint_eq(v->focus, VIEW_SURFACE_PALETTE_LINE);
}

static void
show_in(struct view_util *u, int cols, int rows, const char *query)
{
	(void)found(query);
	client_set_size(u->c, cols, rows, 0, 0);
	view_palette_fit(palette, cols, rows);
	(void)view_util_build(u);
}

START_TEST(it_is_drawn)
{
	const struct vt_frame *f;
	struct view_util u;

	view_util_init(&u, 60, 20);
	view_util_set(&u, "palette-match-style", "fg=red");
	view_util_set(&u, "palette-selected-style", "bg=blue");
	u.overlay = show;
	u.layer = VIEW_LAYER_TOP;
	fill();
	show_in(&u, 60, 10, "spl wi");
	f = view_util_frame(&u, VIEW_SURFACE_PALETTE);
	VIEW_UTIL_SAME(f,
	    "╭─ everything ─────────────────────────────────── 1/3 ─╮",
	    "│                                                      │",
	    "│ Split window vertically    split-window        C-b \" │",
	    "│ Split window horizontally  split-window -h     C-b % │",
	    "│ split-window               Split a pane      command │",
	    "│                                                      │",
	    "│                                                      │",
	    "│                                                      │",
	    "╰─ Enter: do   C-o: edit   Tab: kinds ─────────────────╯");
	ck_assert_uint_eq(vt_line_pen(f->lines[2], 2)->fg, colour_index(1));
	ck_assert_uint_eq(vt_line_pen(f->lines[2], 2)->bg, colour_index(4));
	ck_assert_uint_eq(vt_line_pen(f->lines[2], 6)->fg, colour_index(7));
	ck_assert_uint_eq(vt_line_pen(f->lines[3], 2)->bg, colour_index(0));
	VIEW_UTIL_SAME(
	    view_util_frame(&u, VIEW_SURFACE_PALETTE_LINE), " > spl wi");
	/* Texts end behind a word, or a hyphen within one. */
	show_in(&u, 32, 8, "spl wi");
	VIEW_UTIL_SAME(view_util_frame(&u, VIEW_SURFACE_PALETTE),
	    "╭─ everything ─────────── 1/3 ─╮",
	    "│                              │",
	    "│ Split window…          C-b \" │",
	    "│ Split window…          C-b % │",
	    "│ split-window         command │",
	    "│                              │",
	    "╰─ Tab: kinds ─────────────────╯");
	/* The box stays on the client, or is not shown at all. */
	show_in(&u, 20, 6, "zz");
	VIEW_UTIL_SAME(view_util_frame(&u, VIEW_SURFACE_PALETTE),
	    "╭─ everything ─────╮", "│                  │",
	    "│ nothing matches  │", "│                  │",
	    "╰─ Tab: kinds ─────╯");
	view_palette_fit(palette, 11, 24);
	ck_assert_int_eq(palette->w, 0);
	view_palette_fit(palette, 80, 3);
	ck_assert_int_eq(palette->w, 0);
	view_palette_free(palette);
	view_util_fini(&u);
}
END_TEST

UNIT_SUITE(view_palette)
{
	Suite *s = suite_create("view_palette");
	TCase *tc = tcase_create("view_palette");

	tcase_add_test(tc, the_matcher_finds_the_best_alignment);
	tcase_add_test(tc, the_matcher_is_bounded);
	tcase_add_test(tc, the_best_items_come_first);
	tcase_add_test(tc, random_queries_filter_as_the_matcher_says);
	tcase_add_test(tc, keys_move_and_choose);
	tcase_add_test(tc, the_mouse_moves_and_chooses);
	tcase_add_test(tc, it_is_drawn);
	suite_add_tcase(s, tc);
	return s;
}
