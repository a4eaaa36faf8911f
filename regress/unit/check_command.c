#include "config.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "conf/args.h"
#include "conf/command_flag.h"
#include "regress/chance.h"
#include "regress/unit/conf_equal.h"
#include "regress/unit/conf_util.h"
#include "regress/unit/unit.h"

/* Flags and counts of tmux 3.3a; rmux must accept all of them. */
static const struct {
	const char *name, *spec;
	int min, max;
} tmux_commands[] = {
	{ "attach-session", "c:df:rt:xE", 0, 0 },
	{ "bind-key", "nrN:T:", 1, -1 },
	{ "break-pane", "abdn:s:t:F:P", 0, 0 },
	{ "capture-pane", "ab:epqt:CE:JNPS:", 0, 0 },
	{ "choose-buffer", "f:rt:F:K:NO:Z", 0, 1 },
	{ "choose-client", "f:rt:F:K:NO:Z", 0, 1 },
	{ "choose-tree", "f:rst:wF:GK:NO:Z", 0, 1 },
	{ "clear-history", "t:", 0, 0 },
	{ "clear-prompt-history", "T:", 0, 0 },
	{ "clock-mode", "t:", 0, 0 },
	{ "command-prompt", "bikp:t:FI:NT:1", 0, 1 },
	{ "confirm-before", "bp:t:", 1, 1 },
	{ "copy-mode", "eqs:t:uHM", 0, 0 },
	{ "customize-mode", "f:t:F:NZ", 0, 0 },
	{ "delete-buffer", "b:", 0, 0 },
	{ "detach-client", "as:t:E:P", 0, 0 },
	{ "display-menu", "c:t:x:y:OT:", 1, -1 },
	{ "display-message", "ac:d:pt:vF:IN", 0, 1 },
	{ "display-popup", "b:c:d:e:h:s:t:w:x:y:BCES:T:", 0, -1 },
	{ "display-panes", "bd:t:N", 0, 1 },
	{ "find-window", "irt:CNTZ", 1, 1 },
	{ "has-session", "t:", 0, 0 },
	{ "if-shell", "bt:F", 2, 3 },
	{ "join-pane", "bdfhl:p:s:t:v", 0, 0 },
	{ "kill-pane", "at:", 0, 0 },
	{ "kill-server", "", 0, 0 },
	{ "kill-session", "at:C", 0, 0 },
	{ "kill-window", "at:", 0, 0 },
	{ "last-pane", "det:Z", 0, 0 },
	{ "last-window", "t:", 0, 0 },
	{ "link-window", "abdks:t:", 0, 0 },
	{ "list-buffers", "f:F:", 0, 0 },
	{ "list-clients", "t:F:", 0, 0 },
	{ "list-commands", "F:", 0, 1 },
	{ "list-keys", "aNP:T:1", 0, 1 },
	{ "list-panes", "af:st:F:", 0, 0 },
	{ "list-sessions", "f:F:", 0, 0 },
	{ "list-windows", "af:t:F:", 0, 0 },
	{ "load-buffer", "b:t:w", 1, 1 },
	{ "lock-client", "t:", 0, 0 },
	{ "lock-server", "", 0, 0 },
	{ "lock-session", "t:", 0, 0 },
	{ "move-pane", "bdfhl:p:s:t:v", 0, 0 },
	{ "move-window", "abdkrs:t:", 0, 0 },
	{ "new-session", "c:de:f:n:s:t:x:y:ADEF:PX", 0, -1 },
	{ "new-window", "abc:de:kn:t:F:PS", 0, -1 },
	{ "next-layout", "t:", 0, 0 },
	{ "next-window", "at:", 0, 0 },
	{ "paste-buffer", "b:dprs:t:", 0, 0 },
	{ "pipe-pane", "ot:IO", 0, 1 },
	{ "previous-layout", "t:", 0, 0 },
	{ "previous-window", "at:", 0, 0 },
	{ "refresh-client", "cf:lt:A:B:C:DF:LRSU", 0, 1 },
	{ "rename-session", "t:", 1, 1 },
	{ "rename-window", "t:", 1, 1 },
	{ "resize-pane", "t:x:y:MTZ", 0, 1 },
	{ "resize-window", "at:x:y:ADLRU", 0, 1 },
	{ "respawn-pane", "c:e:kt:", 0, -1 },
	{ "respawn-window", "c:e:kt:", 0, -1 },
	{ "rotate-window", "t:DUZ", 0, 0 },
	{ "run-shell", "bd:t:C", 0, 1 },
	{ "save-buffer", "ab:", 1, 1 },
	{ "select-layout", "nopt:E", 0, 1 },
	{ "select-pane", "deglmt:DLMP:RT:UZ", 0, 0 },
	{ "select-window", "lnpt:T", 0, 0 },
	{ "send-keys", "lt:FHMN:RX", 0, -1 },
	{ "send-prefix", "t:2", 0, 0 },
	{ "server-access", "adlrw", 0, 1 },
	{ "set-buffer", "ab:n:t:w", 0, 1 },
	{ "set-environment", "ghrt:uF", 1, 2 },
	{ "set-hook", "agpt:uwR", 1, 2 },
	{ "set-option", "agopqst:uwFU", 1, 2 },
	{ "set-window-option", "agoqt:uF", 1, 2 },
	{ "show-buffer", "b:", 0, 0 },
	{ "show-environment", "ghst:", 0, 1 },
	{ "show-hooks", "gpt:w", 0, 1 },
	{ "show-messages", "t:JT", 0, 0 },
	{ "show-options", "gpqst:vwAH", 0, 1 },
	{ "show-prompt-history", "T:", 0, 0 },
	{ "show-window-options", "gt:v", 0, 1 },
	{ "source-file", "nqvF", 1, -1 },
	{ "split-window", "bc:de:fhl:p:t:vF:IPZ", 0, -1 },
	{ "start-server", "", 0, 0 },
	{ "suspend-client", "t:", 0, 0 },
	{ "swap-pane", "ds:t:DUZ", 0, 0 },
	{ "swap-window", "ds:t:", 0, 0 },
	{ "switch-client", "c:lnprt:EFT:Z", 0, 0 },
	{ "unbind-key", "anqT:", 0, 1 },
	{ "unlink-window", "kt:", 0, 0 },
	{ "wait-for", "LSU", 1, 1 },
};

START_TEST(all_that_tmux_takes_is_taken)
{
	const struct command_row *row;
	const char *p;
	int value;
	size_t i;

	for (i = 0; i < ARRAY_LEN(tmux_commands); i++) {
		ck_assert_int_eq(
		    command_find(tmux_commands[i].name, &row, NULL), 0);
		ck_assert_str_eq(row->name, tmux_commands[i].name);
		for (p = tmux_commands[i].spec; *p != '\0'; p++) {
			if (*p == ':')
				continue;
			ck_assert_msg(command_flag_value(row, *p, &value) &&
					  value == (p[1] == ':'),
			    "%s -%c", row->name, *p);
		}
		ck_assert_int_le(row->min, tmux_commands[i].min);
		ck_assert(
		    row->max == -1 || (tmux_commands[i].max != -1 &&
					  row->max >= tmux_commands[i].max));
	}
}
END_TEST

START_TEST(rows_are_in_order_and_complete)
{
	const struct command_row *row, *found;
	const char *p;
	int i;

	for (i = 0; i < COMMAND_COUNT; i++) {
		row = command_row((enum command_id)i);
		ck_assert_int_eq((int)row->id, i);
		if (i > 0)
			ck_assert_str_lt(
			    command_row((enum command_id)(i - 1))->name,
			    row->name);
		ck_assert(row->help[0] >= 'A' && row->help[0] <= 'Z');
		ck_assert(strlen(row->help) < 72);
		ck_assert(strlen(row->kinds) > 0);
		ck_assert(row->max == -1 || row->min <= row->max);
		ck_assert_int_eq(command_find(row->name, &found, NULL), 0);
		ck_assert_ptr_eq(found, row);
		if (row->alias != NULL) {
			ck_assert_int_eq(
			    command_find(row->alias, &found, NULL), 0);
			ck_assert_ptr_eq(found, row);
		}
		/*
		 * No flag appears twice; -s and -t appear where the row has
		 * targets.
		 */
		for (p = row->spec; *p != '\0'; p++)
			ck_assert(*p == ':' || strchr(p + 1, *p) == NULL);
		ck_assert((row->target & TGT_KIND) == TGT_NONE ||
			  strstr(row->spec, "t:") != NULL);
		ck_assert((row->source & TGT_KIND) == TGT_NONE ||
			  strstr(row->spec, "s:") != NULL);
		ck_assert((row->what & CMD_CFLAG) == 0 ||
			  strstr(row->spec, "c:") != NULL);
		ck_assert((row->what & CMD_TFLAG) == 0 ||
			  strstr(row->spec, "t:") != NULL);
	}
}
END_TEST

/* Each flag in the usage of a row is in its spec, of the same kind. */
START_TEST(usage_and_spec_agree)
{
	const struct command_row *row;
	const char *p, *q;
	int i, value;

	for (i = 0; i < COMMAND_COUNT; i++) {
		row = command_row((enum command_id)i);
		for (p = row->usage; (p = strstr(p, "[-")) != NULL;) {
			q = p + 2;
			if (q[1] == ' ') {
				ck_assert_msg(
				    command_flag_value(row, *q, &value) &&
					value != 0,
				    "%s %c", row->name, *q);
				p = q;
				continue;
			}
			for (; *q != ']'; q++)
				ck_assert_msg(
				    command_flag_value(row, *q, &value) &&
					value == 0,
				    "%s %c", row->name, *q);
			p = q;
		}
	}
}
END_TEST

/* A phrase: no capital, no full stop, not too long. */
static void
is_phrase(const struct command_flag_row *f, const char *name)
{
	size_t n = strlen(f->text), i;

	ck_assert_msg(n > 0 && n <= COMMAND_FLAG_TEXT_MAX, "%s -%c: %zu bytes",
	    name, f->flag, n);
	ck_assert_msg((f->text[0] < 'A' || f->text[0] > 'Z') &&
			  f->text[0] != ' ' && f->text[n - 1] != '.' &&
			  f->text[n - 1] != ' ' &&
			  strstr(f->text, "  ") == NULL,
	    "%s -%c: %s", name, f->flag, f->text);
	for (i = 0; i < n; i++)
		ck_assert_msg(f->text[i] >= ' ' && f->text[i] <= '~',
		    "%s -%c: %s", name, f->flag, f->text);
}

/* Row AT of the N is for FLAG and names its value as the usage does. */
static void
is_row(const struct command_row *row, const struct command_flag_row *rows,
    size_t n, size_t at, char flag, const char *value, size_t len)
{
	ck_assert_msg(at < n && rows[at].flag == flag,
	    "%s -%c: no row, or not in its place", row->name, flag);
	ck_assert_msg(strlen(rows[at].argument) == len &&
			  memcmp(rows[at].argument, value, len) == 0,
	    "%s -%c: %s", row->name, flag, rows[at].argument);
}

/* Rows for all flags of the usage, in its order; then arguments. */
static void
flags_are_told(const struct command_row *row,
    const struct command_flag_row *rows, size_t n)
{
	const char *p, *q;
	size_t at = 0, len;

	for (p = row->usage; (p = strstr(p, "[-")) != NULL; p = q) {
		q = p + 2;
		if (q[1] == ' ') {
			len = strcspn(q + 2, "]");
			is_row(row, rows, n, at++, *q, q + 2, len);
			continue;
		}
		for (; *q != ']'; q++)
			is_row(row, rows, n, at++, *q, "", 0);
	}
	for (; at < n; at++) {
		ck_assert_msg(rows[at].flag == '\0',
		    "%s -%c: not in the usage, or twice", row->name,
		    rows[at].flag);
		ck_assert_msg(*rows[at].argument != '\0' &&
				  strstr(row->usage, rows[at].argument) != NULL,
		    "%s %s", row->name, rows[at].argument);
	}
}

START_TEST(every_flag_has_its_meaning)
{
#define F(id, flag, argument, text) +1
	static const size_t total = 0
#include "conf/command_flag.def"
	    ;
#undef F
	const struct command_flag_row *rows;
	const struct command_row *row;
	size_t i, n, sum = 0;
	int id;

	for (id = 0; id < COMMAND_COUNT; id++) {
		row = command_row((enum command_id)id);
		rows = command_flag_rows((enum command_id)id, &n);
		if (row->when == COMMAND_LATER)
			ck_assert_uint_eq(n, 0);
		else
			flags_are_told(row, rows, n);
		for (i = 0; i < n; i++)
			is_phrase(&rows[i], row->name);
		sum += n;
	}
	/* A command's rows in another place would not be found. */
	ck_assert_uint_eq(sum, total);
}
END_TEST

/* Makes a command line with each flag of a row and its maximum of arguments. */
static void
full_line(const struct command_row *row, bool most, struct buf *line)
{
	int n = most && row->max >= 0 ? row->max
		: most                ? row->min + 3
				      : row->min;
	const char *p;

	(void)buf_add_str(line, row->name);
	for (p = row->spec; *p != '\0'; p++) {
		if (*p == ':' || (*p == 'C' && row->kinds[0] == 'r'))
			continue;
		(void)buf_addf(line, " -%c%s", *p, p[1] == ':' ? " 'v a'" : "");
	}
	while (n-- > 0)
		(void)buf_add_str(line, " arg");
}

START_TEST(every_command_parses_and_prints_with_all_its_flags)
{
	struct cmdlist *a, *b;
	const struct command_row *row;
	struct conf_test t;
	struct buf line, out;
	int i, value;
	const char *p;

	for (i = 0; i < 2 * COMMAND_COUNT; i++) {
		row = command_row((enum command_id)(i / 2));
		conf_test_init(&t);
		t.hooks.alias = NULL;
		buf_init(&line, 4096);
		buf_init(&out, 4096);
		full_line(row, i % 2, &line);
		a = conf_test_parse(&t, buf_cstr(&line));
		ck_assert_msg(t.error_count == 0 && a->count == 1, "%s: %s",
		    buf_cstr(&line), buf_cstr(&t.errors));
		ck_assert_ptr_eq(a->cmds[0]->row, row);
		for (p = row->spec; *p != '\0'; p++) {
			if (*p == ':' || (*p == 'C' && row->kinds[0] == 'r'))
				continue;
			ck_assert_uint_eq(args_has(a->cmds[0]->args, *p), 1);
			(void)command_flag_value(row, *p, &value);
			if (value != 0)
				ck_assert_str_eq(
				    args_get(a->cmds[0]->args, *p), "v a");
		}
		cmdlist_print(a, 0, &out);
		b = conf_test_parse(&t, buf_cstr(&out));
		ck_assert_msg(t.error_count == 0 && cmdlist_equal(a, b), "%s",
		    buf_cstr(&out));
		cmdlist_unref(a);
		cmdlist_unref(b);
		buf_fini(&line);
		buf_fini(&out);
		conf_test_fini(&t);
	}
}
END_TEST

/* Unknown flags, missing values, too few and too many arguments of each row. */
START_TEST(every_command_refuses_what_it_does_not_take)
{
	const struct command_row *row;
	char text[256], want[256], *got;
	int i, c, value;

	for (i = 0; i < COMMAND_COUNT; i++) {
		row = command_row((enum command_id)i);
		for (c = '0'; c <= 'z'; c++) {
			if ((c > '9' && c < 'A') || (c > 'Z' && c < 'a'))
				continue;
			snprintf(text, sizeof text, "%s -%c", row->name, c);
			if (!command_flag_value(row, c, &value))
				snprintf(want, sizeof want,
				    "f:1: command %s: unknown flag -%c\n",
				    row->name, c);
			else if (value == 1)
				snprintf(want, sizeof want,
				    "f:1: command %s: -%c expects an "
				    "argument\n",
				    row->name, c);
			else
				continue;
			got = conf_test_print_new(text);
			ck_assert_str_eq(got, want);
			mem_free(got);
		}
		if (row->max < 0)
			continue;
		c = snprintf(text, sizeof text, "%s", row->name);
		for (value = 0; value <= row->max; value++)
			c += snprintf(text + c, sizeof text - (size_t)c, " x");
		snprintf(want, sizeof want,
		    "f:1: command %s: too many arguments (need at most %d)\n",
		    row->name, row->max);
		got = conf_test_print_new(text);
		ck_assert_str_eq(got, want);
		mem_free(got);
	}
}
END_TEST

START_TEST(numbers_and_percentages_of_flags)
{
	static const struct {
		const char *text;
		int r;
		int64_t want;
		const char *message;
	} cases[] = {
		{ "5", 0, 5, "" },
		{ "50%", 0, 40, "" },
		{ "102%", -ERR_LARGE, 0, "value is too large: 102%" },
		{ "%", -ERR_SYNTAX, 0, "value is invalid: %" },
		{ "100%", 0, 80, "" },
		{ "0%", -ERR_SMALL, 0, "value is too small: 0%" },
		{ "0", -ERR_SMALL, 0, "value is too small: 0" },
		{ "81", -ERR_LARGE, 0, "value is too large: 81" },
		{ "x", -ERR_SYNTAX, 0, "value is invalid: x" },
		{ "99999999999999999999", -ERR_LARGE, 0,
		    "value is too large: 99999999999999999999" },
		{ "-99999999999999999999", -ERR_SMALL, 0,
		    "value is too small: -99999999999999999999" },
	};
	struct cause cause;
	struct conf_test t;
	struct cmdlist *list;
	const struct args *args;
	char *text;
	int64_t n;
	size_t i;

	for (i = 0; i < ARRAY_LEN(cases); i++) {
		cause.text = NULL;
		text = mem_printf("split-window -l '%s'", cases[i].text);
		conf_test_init(&t);
		list = conf_test_parse(&t, text);
		args = list->cmds[0]->args;
		n = 0;
		ck_assert_int_eq(
		    args_percentage(args, 'l', 1, 80, 80, &n, &cause),
		    cases[i].r);
		ck_assert_int_eq(n, cases[i].want);
		ck_assert_str_eq(cause_text(&cause), cases[i].message);
		ck_assert_int_eq(
		    args_number(args, 'x', 1, 80, &n, NULL), -ERR_NOTFOUND);
		cause_fini(&cause);
		cmdlist_unref(list);
		conf_test_fini(&t);
		mem_free(text);
	}
}
END_TEST

START_TEST(templates_take_values)
{
	static const struct {
		const char *template, *want;
	} cases[] = {
		{ "rename-window '%%'", "rename-window 'a\"b'" },
		{ "x %% y %%", "x a\"b y %%" },
		{ "x \"%%%\"", "x \"a\\\"b\"" },
		{ "%1-%2-%3-%", "a\"b-two-%3-%" },
		{ "%2-%1", "two-a\"b" },
		/* %2% is the quoted form, as in tmux */
		{ "%2%1", "two1" },
		{ "%1% x", "a\\\"b x" },
		{ "", "" },
	};
	static const char *const values[] = { "a\"b", "two" };
	char *got;
	size_t i;

	for (i = 0; i < ARRAY_LEN(cases); i++) {
		got = args_template_new(cases[i].template, values, 2);
		ck_assert_str_eq(got, cases[i].want);
		mem_free(got);
	}
}
END_TEST

/* A value out of pieces that mean something to the parser. */
static void
nasty(uint64_t *chance, char *out, size_t size)
{
	static const char *const pieces[] = { "'", "\"", ";", " ; ", "{", "}",
		"$HOME", "$", "#(touch x)", "#", "\n", "\\", "~", "%if 1", "%%",
		"%1", "kill-server", " ", "\t", "a", "\xc3\xa9", "\\;", "-x",
		"=s:1.%2", "\\\n", "\r", "`id`", "\033" };
	unsigned i, n = chance_below(chance, 9);

	*out = '\0';
	for (i = 0; i < n; i++)
		(void)str_append(
		    out, pieces[chance_below(chance, ARRAY_LEN(pieces))], size);
}

/*
 * What choosers, hints and customize-mode put into a template is a part of one
 * word, whatever characters it has.
 */
START_TEST(names_run_no_commands)
{
	static const struct {
		const char *template;
		bool words;
		const char *before, *after; /* in the word */
	} cases[] = {
		{ "display -l -- \"%1%\"", false, "", "" },
		{ "display -l -- \"%%%\"", false, "", "" },
		{ "display -l -- \"%1%\"", true, "", "" },
		{ "display -l -- \"%%%\"", true, "", "" },
		{ "display -l -- '%%'", true, "", "" },
		{ "display -l -- \"%%\"", true, "", "" },
		{ "display -l -- %%", true, "", "" },
		{ "display -l -- %1", true, "", "" },
		{ "display -l -- 'it'\\''s %1.'", true, "it's ", "." },
		{ "display -l -- \"say \\\"%1\\\"\"", true, "say \"", "\"" },
		{ "display -l -- a%%b", true, "a", "b" },
		{ "display -l -- '%1%'", true, "", "" },
	};
	const unsigned n = unit_rounds(2000);
	uint64_t chance = unit_seed(20261123);
	char value[256], want[300], *text;
	const char *values[] = { value };
	struct cmdlist *list;
	struct conf_test t;
	unsigned i, k;

	for (i = 0; i < n; i++) {
		k = chance_below(&chance, ARRAY_LEN(cases));
		nasty(&chance, value, sizeof(value));
		text =
		    cases[k].words
			? args_template_words_new(cases[k].template, values, 1)
			: args_template_new(cases[k].template, values, 1);
		conf_test_init(&t);
		list = conf_test_parse(&t, text);
		(void)snprintf(want, sizeof(want), "%s%s%s", cases[k].before,
		    value, cases[k].after);
		ck_assert_msg(list != NULL && list->count == 1 &&
				  list->cmds[0]->args->count == 1,
		    "round %u: %s: \"%s\"", i, text, value);
		ck_assert_str_eq(args_string(list->cmds[0]->args, 0), want);
		cmdlist_unref(list);
		conf_test_fini(&t);
		mem_free(text);
	}
}
END_TEST

START_TEST(values_stay_one_argument)
{
	static const char *const values[] = { "a\" ; kill-server ; \"b" };
	struct cmdlist *list, *filled, *inner;
	struct conf_test t;

	conf_test_init(&t);
	list = conf_test_parse(
	    &t, "neww -n '<%%>' -e A '%% %%' ; if -F 1 { display '%1' }");
	filled = args_template_fill(list, values, 1);
	ck_assert_uint_eq(filled->count, 2);
	ck_assert_str_eq(
	    args_get(filled->cmds[0]->args, 'n'), "<a\" ; kill-server ; \"b>");
	ck_assert_str_eq(args_get(filled->cmds[0]->args, 'e'), "A");
	ck_assert_str_eq(args_string(filled->cmds[0]->args, 0),
	    "a\" ; kill-server ; \"b %%");
	inner = args_block(filled->cmds[1]->args, 1);
	ck_assert_uint_eq(inner->count, 1);
	ck_assert_str_eq(args_string(inner->cmds[0]->args, 0), values[0]);
	ck_assert_uint_eq(filled->cmds[0]->group, filled->cmds[1]->group);
	/* The template is as before. */
	ck_assert_str_eq(args_get(list->cmds[0]->args, 'n'), "<%%>");
	cmdlist_unref(filled);
	cmdlist_unref(list);
	conf_test_fini(&t);
}
END_TEST

START_TEST(lists_compare)
{
	static const char text[] =
	    "if -bF -t x a { display b ; ls } 'c d' ; neww -e A -e B";
	struct cmdlist *list, *same, *other;
	struct conf_test t;

	conf_test_init(&t);
	list = conf_test_parse(&t, text);
	same = conf_test_parse(&t, text);
	other = cmdlist_new();
	ck_assert(cmdlist_equal(list, same));
	ck_assert(!cmdlist_equal(list, other));
	cmdlist_unref(list);
	cmdlist_unref(same);
	cmdlist_unref(other);
	conf_test_fini(&t);
}
END_TEST

/* Builds functions by row as a server does; a missing one would not link. */
#define X(id, ...)         \
 static int run_##id(void) \
 {                         \
  return COMMAND_##id;     \
 }
#include "conf/command.def"
#undef X

#define RUN_NOW(id) run_##id
#define RUN_LATER(id) run_##id

START_TEST(a_dispatch_is_made_of_the_rows)
{
	int (*const table[COMMAND_COUNT])(void) = {
#define X(i, n, a, sp, mn, mx, k, s, t, w, when, u, h) \
 [COMMAND_##i] = RUN_##when(i),
#include "conf/command.def"
#undef X
	};
	int i;

	for (i = 0; i < COMMAND_COUNT; i++)
		ck_assert_int_eq(table[i](), i);
}
END_TEST

UNIT_SUITE(command)
{
	Suite *s = suite_create("command");
	TCase *tc = tcase_create("command");

	tcase_add_test(tc, all_that_tmux_takes_is_taken);
	tcase_add_test(tc, rows_are_in_order_and_complete);
	tcase_add_test(tc, usage_and_spec_agree);
	tcase_add_test(tc, every_flag_has_its_meaning);
	tcase_add_test(tc, a_dispatch_is_made_of_the_rows);
	tcase_add_test(tc, every_command_parses_and_prints_with_all_its_flags);
	tcase_add_test(tc, every_command_refuses_what_it_does_not_take);
	tcase_add_test(tc, numbers_and_percentages_of_flags);
	tcase_add_test(tc, templates_take_values);
	tcase_add_test(tc, names_run_no_commands);
	tcase_add_test(tc, lists_compare);
	tcase_add_test(tc, values_stay_one_argument);
	suite_add_tcase(s, tc);
	return s;
}
