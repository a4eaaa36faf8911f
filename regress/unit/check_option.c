#include "config.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "regress/unit/conf_util.h"
#include "regress/unit/conf_world.h"
#include "regress/unit/unit.h"

/* Reads a file of regress/conf into a new string. */
static char *
golden_new(const char *name)
{
	const char *top = getenv("top_srcdir");
	struct buf b;
	uint8_t *p;
	char *path, *s;
	FILE *f;
	size_t n;

	path = mem_printf("%s/regress/conf/%s", top == NULL ? ".." : top, name);
	f = fopen(path, "r");
	ck_assert_msg(f != NULL, "%s", path);
	buf_init(&b, 1 << 24);
	while (buf_reserve(&b, 4096, &p) == 0 && (n = fread(p, 1, 4096, f)) > 0)
		buf_commit(&b, n);
	fclose(f);
	mem_free(path);
	s = buf_steal(&b, NULL);
	buf_fini(&b);
	return s;
}

START_TEST(transcripts_print_what_tmux_prints)
{
	static const char *const files[] = { "options.opt", "defaults.opt" };
	struct conf_world w;
	char *want, *got;
	size_t i;

	for (i = 0; i < ARRAY_LEN(files); i++) {
		conf_world_init(&w);
		want = golden_new(files[i]);
		got = conf_world_transcript_new(&w, want);
		conf_test_same(got, want);
		mem_free(got);
		mem_free(want);
		conf_world_fini(&w);
	}
}
END_TEST

/* For each type a valid and an invalid value, with the message. */
static const struct {
	const char *good, *printed, *bad, *message;
} types[OPTION_TYPE_COUNT] = {
	[OPTION_STRING] = { "80x24", "80x24", NULL, NULL },
	[OPTION_STYLE] = { "fg=red", "fg=red", "fg=nope",
	    "invalid style: fg=nope" },
	[OPTION_NUMBER] = { NULL, NULL, "1x", "value is invalid: 1x" },
	[OPTION_FLAG] = { "yes", "on", "maybe", "bad value: maybe" },
	[OPTION_CHOICE] = { NULL, NULL, "nope", "unknown value: nope" },
	[OPTION_KEY] = { "^a", "C-a", "nope", "bad key: nope" },
	[OPTION_COLOUR] = { "colour200", "colour200", "nope",
	    "invalid colour: nope" },
	[OPTION_COMMAND] = { "display x;ls",
	    "display-message x ; list-sessions", "nope",
	    "unknown command: nope" },
};

/* Returns the global tree of a row. */
static struct options *
global_tree(struct conf_world *w, const struct option_row *row)
{
	if (row->scope & OPT_SERVER)
		return &w->server;
	return (row->scope & OPT_SESSION) ? &w->global_session
					  : &w->global_window;
}

static void
set_and_compare(struct conf_world *w, const struct option_row *row,
    const char *text, const char *want)
{
	struct cause cause = { NULL };
	struct option_name n;
	char *got;
	int r;

	ck_assert_int_eq(option_match(row->name, &n, NULL), 0);
	ck_assert_ptr_eq(n.row, row);
	r = options_set(
	    global_tree(w, row), &n, text, false, &w->hooks, &cause);
	ck_assert_msg(r == 0, "%s %s: %s", row->name, text, cause_text(&cause));
	got = options_text_new(global_tree(w, row), &n);
	ck_assert_msg(got != NULL && strcmp(got, want) == 0,
	    "%s: set <%s> got <%s>", row->name, text, got);
	mem_free(got);
}

static void
set_and_fail(struct conf_world *w, const struct option_row *row,
    const char *text, const char *want)
{
	struct cause cause = { NULL };
	char *before, *after;
	struct option_name n;
	int r;

	ck_assert_int_eq(option_match(row->name, &n, NULL), 0);
	before = options_text_new(global_tree(w, row), &n);
	r = options_set(
	    global_tree(w, row), &n, text, false, &w->hooks, &cause);
	ck_assert_msg(r < 0 && strcmp(cause_text(&cause), want) == 0,
	    "%s <%s>: %s", row->name, text, cause_text(&cause));
	after = options_text_new(global_tree(w, row), &n);
	ck_assert_str_eq(before, after);
	mem_free(before);
	mem_free(after);
	cause_fini(&cause);
}

static void
check_number(struct conf_world *w, const struct option_row *row)
{
	char text[32], want[64];

	snprintf(text, sizeof text, "%lld", (long long)row->min);
	set_and_compare(w, row, text, text);
	snprintf(text, sizeof text, "%lld", (long long)row->max);
	set_and_compare(w, row, text, text);
	snprintf(text, sizeof text, "%lld", (long long)row->max + 1);
	snprintf(want, sizeof want, "value is too large: %s", text);
	set_and_fail(w, row, text, want);
	snprintf(text, sizeof text, "%lld", (long long)row->min - 1);
	snprintf(want, sizeof want, "value is too small: %s", text);
	set_and_fail(w, row, text, want);
}

static void
check_choices(struct conf_world *w, const struct option_row *row)
{
	char text[64];
	int n;

	for (n = 0; *option_choice_text(row, n, text, sizeof text) != '\0';
	     n++) {
		ck_assert_int_eq(option_choice_find(row, text), n);
		set_and_compare(w, row, text, text);
	}
	ck_assert_int_ge(n, 2);
	ck_assert_int_eq(option_choice_find(row, ""), -1);
}

START_TEST(every_row_takes_good_values_and_refuses_bad_ones)
{
	const struct option_row *row;
	struct conf_world w;
	int id;

	conf_world_init(&w);
	for (id = 0; id < OPTION_COUNT; id++) {
		row = option_row((enum option_id)id);
		ck_assert_int_eq((int)row->id, id);
		ck_assert(*row->help != '\0');
		ck_assert(
		    (row->flags & OPT_ARRAY) == 0 || row->separator != NULL);
		if (row->type == OPTION_NUMBER)
			check_number(&w, row);
		if (row->type == OPTION_CHOICE)
			check_choices(&w, row);
		if (types[row->type].good != NULL)
			set_and_compare(&w, row, types[row->type].good,
			    types[row->type].printed);
		/* tmux has another word where a colour is needed. */
		if (types[row->type].bad != NULL)
			set_and_fail(&w, row, types[row->type].bad,
			    row->type == OPTION_COLOUR &&
				    (row->flags & OPT_COLOUR) != 0
				? "bad colour: nope"
				: types[row->type].message);
	}
	conf_world_fini(&w);
}
END_TEST

#define C(constant, text) { #constant, text, constant },
#define OPTION_ENUM_CHOICE(i, ...) { i, { __VA_ARGS__{ NULL, NULL, 0 } } },
#define OPTION_ENUM_STRING(i, ...)
#define OPTION_ENUM_STYLE(i, ...)
#define OPTION_ENUM_NUMBER(i, ...)
#define OPTION_ENUM_FLAG(i, ...)
#define OPTION_ENUM_KEY(i, ...)
#define OPTION_ENUM_COLOUR(i, ...)
#define OPTION_ENUM_COMMAND(i, ...)

#define CHOICES_MAX 10
static const struct {
	enum option_id id;
	struct {
		const char *constant;
		const char *text;
		int value;
	} choices[CHOICES_MAX + 1];
} choice_rows[] = {
#define X(i, n, t, sc, mn, mx, txt, ch, ...) OPTION_ENUM_##t(OPTION_##i, ch)
#include "conf/option.def"
#undef X
};

/* Makes "PANE_SCROLLBARS_AUTO_HIDE" of "pane-scrollbars" and "auto-hide". */
static void
choice_constant(char *buf, size_t size, const char *name, const char *text)
{
	size_t i;

	snprintf(buf, size, "%s_%s", name, text);
	for (i = 0; buf[i] != '\0'; i++)
		buf[i] = buf[i] == '-' ? '_' : (char)toupper((uint8_t)buf[i]);
}

START_TEST(constants_of_choices_match_their_names)
{
	const struct option_row *row;
	size_t i, n, rows = 0;
	char want[96];

	for (i = 0; i < ARRAY_LEN(choice_rows); i++) {
		row = option_row(choice_rows[i].id);
		for (n = 0; choice_rows[i].choices[n].text != NULL; n++) {
			choice_constant(want, sizeof want, row->name,
			    choice_rows[i].choices[n].text);
			ck_assert_str_eq(
			    choice_rows[i].choices[n].constant, want);
			ck_assert_int_eq(
			    choice_rows[i].choices[n].value, (int)n);
			ck_assert_int_eq(option_choice_find(row,
					     choice_rows[i].choices[n].text),
			    (int)n);
		}
		ck_assert_str_eq(
		    option_choice_text(row, (int64_t)n, want, sizeof want), "");
	}
	for (i = 0; i < OPTION_COUNT; i++)
		rows += option_row((enum option_id)i)->type == OPTION_CHOICE;
	ck_assert_uint_eq(rows, ARRAY_LEN(choice_rows));
	/* The model and the server use the constants of one for all three. */
	ck_assert_str_eq(option_row(OPTION_VISUAL_BELL)->choices,
	    option_row(OPTION_VISUAL_ACTIVITY)->choices);
	ck_assert_str_eq(option_row(OPTION_VISUAL_BELL)->choices,
	    option_row(OPTION_VISUAL_SILENCE)->choices);
	ck_assert_str_eq(option_row(OPTION_CURSOR_STYLE)->choices,
	    option_row(OPTION_PROMPT_CURSOR_STYLE)->choices);
	ck_assert_str_eq(option_row(OPTION_CURSOR_STYLE)->choices,
	    option_row(OPTION_PROMPT_COMMAND_CURSOR_STYLE)->choices);
	ck_assert_str_eq(option_row(OPTION_BELL_ACTION)->choices,
	    option_row(OPTION_ACTIVITY_ACTION)->choices);
	ck_assert_str_eq(option_row(OPTION_BELL_ACTION)->choices,
	    option_row(OPTION_SILENCE_ACTION)->choices);
}
END_TEST

START_TEST(rows_say_what_follows_from_a_change)
{
	const struct option_row *row;
	unsigned i, effects;

	ck_assert_uint_eq(option_effects(NULL), OPT_ON_USER);
	for (i = 0; i < OPTION_COUNT; i++) {
		row = option_row((enum option_id)i);
		effects = option_effects(row);
		/* Hooks draw nothing; formats can show all other options. */
		if (row->flags & OPT_HOOK)
			ck_assert_uint_eq(effects, OPT_ON_NOTHING);
		else
			ck_assert_uint_eq(
			    effects, row->effects | OPT_ON_FORMATS);
		/* Styles and colours are only for drawing. */
		if (row->type == OPTION_STYLE || row->type == OPTION_COLOUR)
			ck_assert_uint_ne(row->effects & OPT_ON_REDRAW, 0);
		/* Server options belong to no window, so they fit no sizes. */
		if (row->scope & OPT_SERVER)
			ck_assert_uint_eq(row->effects & OPT_ON_LAYOUT, 0);
		if (row->scope & OPT_PANE)
			ck_assert_uint_eq(
			    row->effects & (OPT_ON_TTY | OPT_ON_WIDTHS), 0);
	}
	row = option_row(OPTION_STATUS);
	ck_assert_uint_eq(option_effects(row) & (OPT_ON_LAYOUT | OPT_ON_STATUS),
	    OPT_ON_LAYOUT | OPT_ON_STATUS);
	row = option_row(OPTION_BUFFER_LIMIT);
	ck_assert_uint_eq(option_effects(row), OPT_ON_FORMATS);
}
END_TEST

START_TEST(names_are_unique_and_found_by_their_beginning)
{
	struct option_name n;
	struct cause cause = { NULL };
	int i, j;

	ck_assert_ptr_null(option_row_find("nope"));
	ck_assert_ptr_null(option_row_find(""));
	for (i = 0; i < OPTION_COUNT; i++) {
		ck_assert_ptr_eq(
		    option_row_find(option_row((enum option_id)i)->name),
		    option_row((enum option_id)i));
		for (j = 0; j < i; j++)
			ck_assert_str_ne(option_row((enum option_id)i)->name,
			    option_row((enum option_id)j)->name);
	}
	ck_assert_int_eq(option_match("base-i", &n, NULL), 0);
	ck_assert_str_eq(n.text, "base-index");
	ck_assert_int_eq(option_match("user-k[12]", &n, NULL), 0);
	ck_assert_uint_eq(n.index, 12);
	ck_assert_int_eq(option_match("@x y", &n, NULL), 0);
	ck_assert_ptr_null(n.row);
	ck_assert_int_eq(option_match("status-s", &n, &cause), 0);
	ck_assert_int_lt(option_match("", &n, &cause), 0);
	ck_assert_int_eq(option_match("@", &n, NULL), 0);
	ck_assert_int_lt(option_match("x[", &n, NULL), 0);
	ck_assert_int_lt(option_match("[1]", &n, NULL), 0);
	ck_assert_int_lt(option_match("user-keys[]", &n, NULL), 0);
	ck_assert_int_lt(option_match("user-keys[]", &n, NULL), 0);
	ck_assert_int_lt(option_match("user-keys[99999999999]", &n, NULL), 0);
	ck_assert_int_eq(option_match("user-keys[-1]", &n, NULL), 0);
	ck_assert_uint_eq(n.index, OPTION_WORD);
	ck_assert_str_eq(n.word, "-1");
	ck_assert_int_lt(option_match("user-keys[4294967296]", &n, NULL), 0);
	cause_fini(&cause);
}
END_TEST

START_TEST(values_are_inherited_and_typed)
{
	struct conf_world w;

	conf_world_init(&w);
	ck_assert_str_eq(options_string(&w.session, OPTION_STATUS_LEFT),
	    "[#{session_name}] ");
	ck_assert_int_eq(
	    options_number(&w.session, OPTION_HISTORY_LIMIT), 2000);
	ck_assert(options_flag(&w.session, OPTION_MOUSE));
	ck_assert_uint_eq(options_key(&w.session, OPTION_PREFIX),
	    (unsigned long long)('b' | KEY_CTRL));
	ck_assert_uint_eq(
	    options_colour(&w.session, OPTION_STATUS_BG), COLOUR_DEFAULT);
	ck_assert_uint_eq(
	    options_commands(&w.server, OPTION_DEFAULT_CLIENT_COMMAND)->count,
	    1);
	ck_assert_int_eq(
	    options_set_text(&w.window, "remain-on-exit", "on", NULL), 0);
	ck_assert_int_eq(options_number(&w.panes[1], OPTION_REMAIN_ON_EXIT), 1);
	ck_assert_int_eq(
	    options_number(&w.global_window, OPTION_REMAIN_ON_EXIT), 0);
	ck_assert_str_eq(options_alias(&w.server, "splitp"), "split-window");
	ck_assert_ptr_null(options_alias(&w.server, "split"));
	/* The wrong tree gives nothing, and no crash. */
	ck_assert_str_eq(options_string(&w.server, OPTION_STATUS_LEFT), "");
	ck_assert_ptr_null(options_commands(&w.server, OPTION_AFTER_BIND_KEY));
	conf_world_fini(&w);
}
END_TEST

START_TEST(targets_that_are_missing_are_told)
{
	static const struct {
		unsigned flags;
		const char *name, *target, *want;
	} cases[] = {
		{ 0, "mouse", NULL, "no current session" },
		{ 0, "mouse", "x:", "no such session: x:" },
		{ OPTION_REQ_WINDOW, "@w", NULL, "no current window" },
		{ 0, "mode-keys", "x", "no such window: x" },
		{ OPTION_REQ_PANE, "@p", NULL, "no current pane" },
		{ OPTION_REQ_PANE, "window-style", "%9", "no such pane: %9" },
		{ OPTION_REQ_QUIET, "mouse", NULL, "" },
	};
	const struct option_row *changed;
	struct option_trees trees;
	struct conf_world w;
	struct cause cause;
	size_t i;

	conf_world_init(&w);
	for (i = 0; i < ARRAY_LEN(cases); i++) {
		cause.text = NULL;
		trees = w.trees;
		trees.session = trees.window = trees.pane = NULL;
		trees.target = cases[i].target;
		(void)option_request_set(&trees, cases[i].flags, cases[i].name,
		    "on", NULL, &w.hooks, &changed, &cause);
		ck_assert_str_eq(cause_text(&cause), cases[i].want);
		cause_fini(&cause);
	}
	conf_world_fini(&w);
}
END_TEST

START_TEST(a_wrong_item_leaves_the_array_as_it_was)
{
	struct conf_world w;

	conf_world_init(&w);
	conf_world_run(&w, "set-hook -g after-new-window 'ls'");
	conf_world_run(&w, "set-hook -g after-new-window 'foo bar'");
	conf_world_run(&w, "set-hook");
	conf_world_run(&w, "show -g after-new-window");
	conf_world_run(&w, "set -g pane-colours 'red,green'");
	conf_world_run(&w, "set -g pane-colours 'blue,nope'");
	conf_world_run(&w, "show -g pane-colours");
	ck_assert_str_eq(buf_cstr(&w.out),
	    "unknown command: foo\nmissing option name\nafter-new-window[0] "
	    "list-sessions\n"
	    "bad colour: nope\npane-colours[0] red\npane-colours[1] green\n");
	conf_world_fini(&w);
}
END_TEST

START_TEST(sizes_are_bounded)
{
	struct conf_world w;
	struct cause cause = { NULL };
	struct option_name n;
	char *big, name[32];
	int i, r = 0;

	conf_world_init(&w);
	big = mem_alloc(OPTION_VALUE_MAX + 2);
	memset(big, 'x', OPTION_VALUE_MAX + 1);
	big[OPTION_VALUE_MAX + 1] = '\0';
	ck_assert_int_eq(
	    options_set_text(&w.session, "@big", big, &cause), -ERR_LIMIT);
	cause_fini(&cause);
	for (i = 0; i < OPTION_USER_MAX + 1 && r == 0; i++) {
		snprintf(name, sizeof name, "@%d", i);
		r = options_set_text(&w.session, name, "x", &cause);
	}
	ck_assert_int_eq(r, -ERR_LIMIT);
	ck_assert_int_eq(i, OPTION_USER_MAX + 1);
	cause_fini(&cause);
	for (i = 0; i < (int)OPTION_VALUE_MAX; i += 2)
		memcpy(big + i, "x,", 2);
	big[OPTION_VALUE_MAX] = '\0';
	ck_assert_int_eq(option_match("user-keys", &n, NULL), 0);
	ck_assert_int_eq(
	    options_set(&w.server, &n, big, false, NULL, &cause), -ERR_LIMIT);
	ck_assert_str_eq(cause_text(&cause), "over 10000 items in user-keys");
	cause_fini(&cause);
	mem_free(big);
	conf_world_fini(&w);
}
END_TEST

START_TEST(lists_have_every_option_once)
{
	enum option_id order[OPTION_COUNT];
	bool seen[OPTION_COUNT] = { false };
	size_t i, at[OPTION_COUNT];

	option_order(order);
	for (i = 0; i < OPTION_COUNT; i++) {
		ck_assert((unsigned)order[i] < OPTION_COUNT && !seen[order[i]]);
		seen[order[i]] = true;
		at[order[i]] = i;
	}
	ck_assert(at[OPTION_COMMAND_ALIAS] < at[OPTION_CODEPOINT_WIDTHS]);
	ck_assert(at[OPTION_CURSOR_COLOUR] < at[OPTION_AGGRESSIVE_RESIZE]);
	ck_assert(at[OPTION_WINDOW_CREATED] < at[OPTION_WINDOW_CLOSED]);
}
END_TEST

/* A beginning means tmux's option, not one of ours beside it; else ours. */
START_TEST(beginnings_mean_options_of_tmux)
{
	struct option_name n;

	ck_assert_int_eq(option_match("silen", &n, NULL), 0);
	ck_assert_str_eq(n.row->name, "silence-action");
	ck_assert_int_eq(option_match("silence-t", &n, NULL), 0);
	ck_assert_str_eq(n.row->name, "silence-timeout");
	ck_assert_int_eq(option_match("palette-s", &n, NULL), -ERR_AMBIGUOUS);
	ck_assert_int_eq(option_match("status-lef", &n, NULL), -ERR_AMBIGUOUS);
}
END_TEST

UNIT_SUITE(option)
{
	Suite *s = suite_create("option");
	TCase *tc = tcase_create("option");

	tcase_set_timeout(tc, 60);
	tcase_add_test(tc, transcripts_print_what_tmux_prints);
	tcase_add_test(tc, every_row_takes_good_values_and_refuses_bad_ones);
	tcase_add_test(tc, names_are_unique_and_found_by_their_beginning);
	tcase_add_test(tc, constants_of_choices_match_their_names);
	tcase_add_test(tc, rows_say_what_follows_from_a_change);
	tcase_add_test(tc, lists_have_every_option_once);
	tcase_add_test(tc, values_are_inherited_and_typed);
	tcase_add_test(tc, targets_that_are_missing_are_told);
	tcase_add_test(tc, a_wrong_item_leaves_the_array_as_it_was);
	tcase_add_test(tc, sizes_are_bounded);
	tcase_add_test(tc, beginnings_mean_options_of_tmux);
	suite_add_tcase(s, tc);
	return s;
}
