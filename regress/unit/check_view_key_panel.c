/* The panel of keys: topics, pages, texts in several rows. */
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "conf/bind.h"
#include "conf/keytable.h"
#include "conf/parser.h"
#include "mux/view/key_panel.h"
#include "regress/unit/unit.h"
#include "regress/unit/view_util.h"

static struct view_key_panel *panel;
static int page;

static void
add_panel(struct view_util *u, struct sync_view *v)
{
	view_key_panel_add(&u->b, v, panel, &page);
}

static void
init(struct view_util *u, struct keytables **set)
{
	view_util_init(u, 80, 24);
	u->overlay = add_panel;
	u->layer = VIEW_LAYER_TOP;
	*set = keytables_new(&bind_ops);
	page = 0;
}

/* Binds KEY of table "mine" to the command TEXT. */
static void
bind(struct keytables *set, key_code key, const char *text, const char *note)
{
	const struct parser_hooks none = { .arg = NULL };
	struct cmdlist *list;

	ck_assert_int_eq(
	    parser_parse(text, strlen(text), NULL, 1, &none, &list), 0);
	ck_assert_int_eq(
	    keytables_bind(set, "mine", key, false, note, list), 0);
}

static struct vt_frame *
frame(struct view_util *u, int cols, int rows)
{
	client_set_size(u->c, cols, rows, 0, 0);
	(void)view_util_build(u);
	return view_util_frame(u, VIEW_SURFACE_PANEL);
}

/* Whether a row of any page of the client's panel has TEXT. */
static bool
shows(struct view_util *u, int cols, int rows, const char *text)
{
	const struct vt_frame *f;
	int first = -1;
	unsigned y;

	for (page = 0; first != page; page++) {
		f = frame(u, cols, rows);
		ck_assert_ptr_nonnull(f);
		ck_assert_int_le(f->rows, rows / 2);
		if (page == 0 && first == 0)
			return false;
		first = 0;
		for (y = 0; y < f->rows; y++)
			if (strstr(view_util_row(f, y), text) != NULL)
				return true;
	}
	return false;
}

START_TEST(keys_stand_under_their_topics)
{
	struct keytables *set;
	struct view_util u;

	init(&u, &set);
	bind(set, 'c', "new-window", "Create a new window");
	bind(set, 'n', "next-window", NULL);
	bind(set, 'w', "confirm-before kill-window", "Kill it");
	bind(set, 'l', "last-window", NULL);
	bind(set, 'u', "set-option -g @x yes", NULL);
	panel = view_key_panel_new(keytables_find(set, "mine"), NULL, NULL);
	VIEW_UTIL_SAME(frame(&u, 30, 24), " Most used",
	    " c Create a new window", " n next-window", " Windows",
	    " l last-window", " w Kill it", " Help and other",
	    " u set-option -g @x yes");
	VIEW_UTIL_SAME(frame(&u, 80, 12),
	    " Most used               Windows                 Help and other",
	    " c Create a new window   l last-window           "
	    "u set-option -g @x yes",
	    " n next-window           w Kill it");
	view_key_panel_free(panel);
	/* A key that switches does not belong to its pane. */
	keytables_free(set);
	set = keytables_new(&bind_ops);
	bind(set, 'a', "new-pane -E ; move-pane ; switch-mode -kw", "Window");
	bind(set, 'b', "new-pane -E ; switch-mode -ks", "Session");
	bind(set, 'c', "new-pane -E ; move-pane", "Pane");
	panel = view_key_panel_new(keytables_find(set, "mine"), NULL, NULL);
	VIEW_UTIL_SAME(frame(&u, 30, 24), " Windows", " a Window", " Panes",
	    " c Pane", " Sessions and clients", " b Session");
	view_key_panel_free(panel);
	view_util_fini(&u);
	keytables_free(set);
}
END_TEST

START_TEST(one_topic_needs_no_name)
{
	struct keytables *set;
	struct view_util u;

	init(&u, &set);
	bind(set, 'x', "set-option -g @x yes", NULL);
	bind(set, 'y', "display-message hello",
	    "Say hello to a number of friends");
	panel = view_key_panel_new(keytables_find(set, "mine"), NULL, NULL);
	/* A row ends behind a word. */
	VIEW_UTIL_SAME(frame(&u, 19, 24), " y Say hello to a", "   number of",
	    "   friends", " x set-option -g", "   @x yes");
	VIEW_UTIL_SAME(frame(&u, 24, 24), " y Say hello to a",
	    "   number of friends", " x set-option -g @x", "   yes");
	/* It is cut only if the panel has no more rows. */
	VIEW_UTIL_SAME(frame(&u, 19, 4), " y Say hello to…", " page 1 of 2");
	/* No items, or no room. */
	ck_assert_ptr_null(frame(&u, 11, 24));
	ck_assert_ptr_null(frame(&u, 80, 1));
	view_key_panel_free(panel);
	view_util_fini(&u);
	keytables_free(set);
}
END_TEST

START_TEST(successive_digits_are_one_item)
{
	struct keytables *set;
	struct view_util u;

	init(&u, &set);
	bind(set, '0', "select-window -t :=0", "Select window 0");
	bind(set, '1', "select-window -t :=1", "Select window 1");
	bind(set, '2', "select-window -t :=2", "Select window 2");
	bind(set, '3', "select-window -t :=7", "Another one");
	bind(set, '4', "select-window -t :=4", "Another one");
	panel = view_key_panel_new(keytables_find(set, "mine"), NULL, NULL);
	VIEW_UTIL_SAME(frame(&u, 40, 24), " 0..2 Select window 0..2",
	    " 3    Another one", " 4    Another one");
	view_key_panel_free(panel);
	view_util_fini(&u);
	keytables_free(set);
}
END_TEST

/* Whether KEY is an item of TOPIC. */
static bool
is_under(const char *key, const char *topic)
{
	const char *head = "";
	size_t i;

	for (i = 0; i < panel->count; i++) {
		if (panel->items[i].key == NULL)
			head = panel->items[i].text;
		else if (strcmp(panel->items[i].key, key) == 0)
			return strcmp(head, topic) == 0;
	}
	return false;
}

START_TEST(all_keys_are_on_some_page)
{
	static const int sizes[][2] = { { 80, 24 }, { 40, 12 }, { 200, 60 },
		{ 25, 8 }, { 12, 4 } };
	const struct keytable *table;
	struct view_key_panel *again;
	struct keytables *set;
	struct view_util u;
	char start[16];
	size_t i, k;

	init(&u, &set);
	ck_assert_int_eq(bind_load_defaults(set, NULL), 0);
	table = keytables_find(set, "prefix");
	panel = view_key_panel_new(table, NULL, NULL);
	ck_assert_str_eq(panel->items[0].text, "Most used");
	ck_assert_str_eq(panel->items[1].key, "c");
	ck_assert_uint_eq(panel->next, KEY_NPAGE);
	ck_assert(is_under("g", "Panes"));
	ck_assert(is_under("Y", "Sessions and clients"));
	ck_assert_ptr_nonnull(strstr(panel->hint, "?: all keys"));
	ck_assert_ptr_nonnull(strstr(panel->hint, "e: find"));
	again = panel;
	for (i = 0; i < ARRAY_LEN(sizes); i++)
		for (k = 0; k < again->count; k++) {
			if (again->items[k].key == NULL)
				continue;
			(void)snprintf(
			    start, sizeof(start), " %s ", again->items[k].key);
			ck_assert_msg(
			    shows(&u, sizes[i][0], sizes[i][1], start),
			    "%s is on no page of %dx%d", start, sizes[i][0],
			    sizes[i][1]);
		}
	view_key_panel_free(panel);
	/* Mouse bindings are not shown. */
	panel = view_key_panel_new(keytables_find(set, "root"), NULL, NULL);
	for (i = 0; i < panel->count; i++)
		ck_assert_ptr_null(strstr(panel->items[i].text, "Mouse"));
	view_key_panel_free(panel);
	view_util_fini(&u);
	keytables_free(set);
}
END_TEST

/* Whether WORD [N] is a word of the panel, or the part of one up to a hyphen. */
static bool
is_word(const char *word, size_t n)
{
	const char *text;
	size_t i;

	for (i = 0; i < panel->count; i++)
		for (text = panel->items[i].text;
		     (text = strstr(text, word)) != NULL; text += n)
			if (word[n - 1] == '-' || text[n] == ' ' ||
			    text[n] == '\0' || text[n] == '-')
				return true;
	return false;
}

/* All words of all texts are shown whole, at any width. */
START_TEST(words_stay_whole)
{
	struct keytables *set;
	struct view_util u;
	const struct vt_frame *f;
	char row[256], word[64], *at;
	unsigned y, shown;
	size_t i, n, words;
	int cols;

	init(&u, &set);
	ck_assert_int_eq(bind_load_defaults(set, NULL), 0);
	panel = view_key_panel_new(keytables_find(set, "prefix"), NULL, NULL);
	for (words = i = 0; i < panel->count; i++) {
		words += panel->items[i].key != NULL;
		for (at = panel->items[i].text; *at != '\0'; at++)
			words += *at != ' ' && (at[1] == ' ' || at[1] == '\0');
	}
	for (cols = 24; cols <= 120; cols++) {
		page = 0;
		f = frame(&u, cols, 600);
		for (shown = y = 0; y < f->rows; y++) {
			(void)snprintf(
			    row, sizeof(row), "%s", view_util_row(f, y));
			for (at = row; *(at += strspn(at, " ")) != '\0';
			     at += n) {
				n = strcspn(at, " ");
				(void)snprintf(
				    word, sizeof(word), "%.*s", (int)n, at);
				/* A word is in two rows if it has a hyphen. */
				shown += at[n - 1] != '-' || n == 1;
				ck_assert_msg(n < 9 || is_word(word, n),
				    "%d columns: %s is cut", cols, word);
			}
		}
		ck_assert_msg(shown == words, "%d columns: %u of %zu words",
		    cols, shown, words);
	}
	view_key_panel_free(panel);
	view_util_fini(&u);
	keytables_free(set);
}
END_TEST

START_TEST(pages_turn_by_free_keys)
{
	struct keytables *set;
	const struct keytable *t;
	struct view_util u;
	bool back;
	int i;

	init(&u, &set);
	for (i = 0; i < 26; i++)
		bind(set, (key_code)('a' + i), "display-message x", NULL);
	t = keytables_find(set, "mine");
	ck_assert(view_key_panel_turns(t, KEY_NPAGE, &back) && !back);
	ck_assert(view_key_panel_turns(t, KEY_PPAGE, &back) && back);
	ck_assert(!view_key_panel_turns(t, 'a', &back));
	ck_assert(!view_key_panel_turns(t, KEY_UP, &back));
	bind(set, KEY_NPAGE, "display-message x", NULL);
	t = keytables_find(set, "mine");
	ck_assert(!view_key_panel_turns(t, KEY_NPAGE, &back));
	panel = view_key_panel_new(t, NULL, NULL);
	ck_assert_uint_eq(panel->next, 'v' | KEY_CTRL);
	page = -1;
	VIEW_UTIL_SAME(frame(&u, 40, 8), " y        display-message x",
	    " z        display-message x", " PageDown display-message x",
	    " page 9 of 9   C-v: next page");
	ck_assert_int_eq(page, 8);
	page = 9;
	VIEW_UTIL_SAME(frame(&u, 40, 8), " a display-message x",
	    " b display-message x", " c display-message x",
	    " page 1 of 9   C-v: next page");
	view_key_panel_free(panel);
	view_util_fini(&u);
	keytables_free(set);
}
END_TEST

UNIT_SUITE(view_key_panel)
{
	Suite *s = suite_create("view_key_panel");
	TCase *tc = tcase_create("view_key_panel");

	tcase_add_test(tc, keys_stand_under_their_topics);
	tcase_add_test(tc, one_topic_needs_no_name);
	tcase_add_test(tc, successive_digits_are_one_item);
	tcase_add_test(tc, all_keys_are_on_some_page);
	tcase_add_test(tc, words_stay_whole);
	tcase_add_test(tc, pages_turn_by_free_keys);
	suite_add_tcase(s, tc);
	return s;
}
