/*
 * format_tmux.c - the half of format-tmux.sh that knows formats.
 *
 *   format_tmux batch LIST          commands for tmux that print every format
 *   format_tmux compare LIST OUT    TAP: compares tmux's output with ours
 *
 * LIST: "set NAME VALUE", "= FORMAT" (same as tmux) and, for a difference,
 * three lines "~ FORMAT", "  ours: RESULT" and "  why: REASON".
 */
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/mem.h"
#include "conf/format.h"

#define MAX_SETS 128
#define MAX_LINE 4096

struct setting {
	char *name;
	char *value;
};

static struct setting sets[MAX_SETS];
static size_t set_count;

/* The model that format-tmux.sh builds: names and whether it is current. */
static const struct {
	const char *name;
	const char *value;
} model[] = {
	{ "session_name", "ses" },
	{ "window_name", "win" },
	{ "window_index", "0" },
	{ "window_flags", "*" },
	{ "pane_index", "0" },
	{ "pane_width", "80" },
	{ "window_panes", "1" },
	{ "session_windows", "3" },
};

static const char *const window_names[] = { "win", "alpha", "beta" };

static bool
get_option(void *ctx, const char *name, struct buf *out)
{
	size_t i;

	(void)ctx;
	for (i = 0; i < set_count; i++)
		if (strcmp(sets[i].name, name) == 0)
			return buf_add_str(out, sets[i].value) == 0;
	return false;
}

static bool
get_variable(void *ctx, const char *name, struct buf *out)
{
	const int *window = ctx;
	size_t i;

	if (strcmp(name, "window_index") == 0)
		return buf_addf(out, "%d", *window) == 0;
	if (strcmp(name, "window_name") == 0)
		return buf_add_str(out, window_names[*window]) == 0;
	if (strcmp(name, "window_flags") == 0)
		return buf_add_str(out, *window == 0 ? "*" : "") == 0;
	if (strcmp(name, "window_active") == 0)
		return buf_add_str(out, *window == 0 ? "1" : "0") == 0;
	if (strcmp(name, "window_end_flag") == 0)
		return buf_add_str(out, *window == 2 ? "1" : "0") == 0;
	for (i = 0; i < sizeof(model) / sizeof(model[0]); i++)
		if (strcmp(model[i].name, name) == 0)
			return buf_add_str(out, model[i].value) == 0;
	return false;
}

static const struct format_ops ops;

static void
loop(void *ctx, const struct format_loop *l, format_item_fn each, void *arg)
{
	struct format_item item = { .scope = { &ops, ctx }, .last = true };
	int i, n = l->kind == FORMAT_LOOP_WINDOWS ? 3 : 1;

	if (l->kind > FORMAT_LOOP_PANES)
		return;
	for (i = 0; i < n; i++) {
		if (l->kind == FORMAT_LOOP_WINDOWS)
			item.scope.ctx = &i;
		item.current = i == 0;
		item.last = i == n - 1;
		if (!each(arg, &item))
			break;
	}
}

static bool
exists(void *ctx, enum format_loop_kind kind, const char *name)
{
	size_t i;

	(void)ctx;
	if (kind == FORMAT_LOOP_SESSIONS)
		return strcmp(name, "ses") == 0;
	for (i = 0; i < 3; i++)
		if (strcmp(name, window_names[i]) == 0)
			return true;
	return false;
}

static void
local_time(void *ctx, int64_t t, struct tm *tm)
{
	time_t tt = (time_t)t;

	(void)ctx;
	localtime_r(&tt, tm);
}

static const struct format_ops ops = {
	.option = get_option,
	.variable = get_variable,
	.loop = loop,
	.exists = exists,
	.local_time = local_time,
};

/* In single quotes for a tmux command. */
static void
print_quoted(const char *s)
{
	putchar('\'');
	for (; *s != '\0'; s++) {
		if (*s == '\'')
			fputs("'\\''", stdout);
		else
			putchar(*s);
	}
	putchar('\'');
}

static char *
read_line(FILE *fp, char *line)
{
	if (fgets(line, MAX_LINE, fp) == NULL)
		return NULL;
	line[strcspn(line, "\n")] = '\0';
	return line;
}

static void
add_set(char *s)
{
	char *value = strchr(s, ' ');

	if (value == NULL || set_count == MAX_SETS)
		exit(99);
	*value++ = '\0';
	sets[set_count].name = mem_strdup(s);
	sets[set_count++].value = mem_strdup(value);
}

static int
batch(FILE *list)
{
	char line[MAX_LINE];

	while (read_line(list, line) != NULL) {
		if (strncmp(line, "set ", 4) == 0) {
			add_set(line + 4);
			printf("set-option -g %s ", sets[set_count - 1].name);
			print_quoted(sets[set_count - 1].value);
			putchar('\n');
		} else if (strncmp(line, "= ", 2) == 0 ||
			   strncmp(line, "~ ", 2) == 0) {
			printf("display-message -p -- ");
			print_quoted(line + 2);
			putchar('\n');
		}
	}
	return 0;
}

static int
compare(FILE *list, FILE *tmux)
{
	char line[MAX_LINE], theirs[MAX_LINE], want[MAX_LINE], why[MAX_LINE];
	struct grapheme_table *widths = grapheme_table_new(NULL);
	int n = 0, failed = 0, window = 0, differ = 0;
	struct format_args a = { .scope = { &ops, &window },
		.widths = widths,
		.now_ms = (int64_t)time(NULL) * 1000,
		.flags = FORMAT_STRFTIME };
	char *ours;
	bool ok;

	while (read_line(list, line) != NULL) {
		if (strncmp(line, "set ", 4) == 0)
			add_set(line + 4);
		if (strncmp(line, "= ", 2) != 0 && strncmp(line, "~ ", 2) != 0)
			continue;
		if (read_line(tmux, theirs) == NULL) {
			printf("Bail out! tmux printed too little\n");
			return 1;
		}
		ours = format_expand_new(&a, line + 2);
		if (line[0] == '=') {
			ok = strcmp(ours, theirs) == 0;
		} else {
			differ++;
			ok = read_line(list, want) != NULL &&
			     strncmp(want, "  ours: ", 8) == 0 &&
			     read_line(list, why) != NULL &&
			     strncmp(why, "  why: ", 7) == 0 &&
			     strcmp(ours, want + 8) == 0;
			/* A difference that is none any more is an error. */
			if (strcmp(ours, theirs) == 0)
				ok = false;
		}
		printf("%sok %d - %s\n", ok ? "" : "not ", ++n, line + 2);
		if (!ok) {
			failed++;
			printf("# tmux [%s]\n# ours [%s]\n", theirs, ours);
		}
		mem_free(ours);
	}
	printf("# %d formats, %d explained differences, %d failed\n", n, differ,
	    failed);
	printf("1..%d\n", n);
	grapheme_table_free(widths);
	return failed > 0;
}

int
main(int argc, char **argv)
{
	FILE *list, *tmux;
	int r;

	setlocale(LC_CTYPE, "");
	tzset();
	if (argc < 3 || (list = fopen(argv[2], "r")) == NULL)
		return 99;
	if (strcmp(argv[1], "batch") == 0)
		return batch(list);
	if (argc < 4 || (tmux = fopen(argv[3], "r")) == NULL)
		return 99;
	r = compare(list, tmux);
	fclose(tmux);
	fclose(list);
	while (set_count > 0) {
		mem_free(sets[--set_count].name);
		mem_free(sets[set_count].value);
	}
	return r;
}
