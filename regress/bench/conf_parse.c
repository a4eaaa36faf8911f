/*
 * conf_parse.c - print the time to parse, check and print a configuration of
 * 10,000 lines; never fails.  With the name of a file it writes the
 * configuration there, to measure tmux with the same.
 */
#include "config.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/mem.h"
#include "conf/check.h"

#define LINES 10000
#define ROUNDS 20

static const char *const bench_lines[] = {
	"set -g @option_%d \"value %d with #{pane_current_path} in it\"\n",
	"bind -T table%d x split-window -h -c '#{pane_current_path}' # %d\n",
	"setw -g window-status-format ' #I:#W %d %d '\n",
	"bind -n M-F%d if-shell -F '#{mouse_any_flag}' { send -M ; display %d "
	"}\n",
	"set -ag @list_%d \",item-%d\"\n",
	"bind -T other%d y display-message \"$HOME/%d\" \\; refresh-client "
	"-S\n",
	"# a comment on line %d of %d\n",
	"set-hook -g after-new-window[%d] 'display \"hook %d\"'\n",
};

static double
bench_now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec * 1e3 + (double)ts.tv_nsec / 1e6;
}

static void
bench_text(struct buf *text)
{
	const char *line;
	char one[256];
	int i;

	for (i = 0; i < LINES; i++) {
		line = bench_lines[(size_t)i % ARRAY_LEN(bench_lines)];
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
		snprintf(one, sizeof one, line, i % 12 + 1, i);
#pragma GCC diagnostic pop
		(void)buf_add_str(text, one);
	}
}

static int
bench_read(
    void *arg, const char *path, char **text, size_t *len, struct cause *cause)
{
	const struct buf *b = arg;

	(void)path;
	(void)cause;
	*text = mem_strndup((const char *)b->data, b->len);
	*len = b->len;
	return 0;
}

static const char *
bench_variable(void *arg, const char *name)
{
	(void)arg;
	return strcmp(name, "HOME") == 0 ? "/home/me" : NULL;
}

static const char *
bench_alias(void *arg, const char *name)
{
	return options_alias(arg, name);
}

static double
bench_parse(const struct buf *text, size_t *commands)
{
	struct options server;
	struct parser_hooks hooks = {
		.arg = &server, .variable = bench_variable, .alias = bench_alias
	};
	struct cmdlist *list;
	double start, best = 1e9, took;
	int i;

	options_init(&server, NULL);
	options_set_defaults(&server, OPT_SERVER);
	for (i = 0; i < ROUNDS; i++) {
		start = bench_now();
		(void)parser_parse((const char *)text->data, text->len, "bench",
		    1, &hooks, &list);
		took = bench_now() - start;
		best = took < best ? took : best;
		*commands = list->count;
		cmdlist_unref(list);
	}
	options_fini(&server);
	return best;
}

static double
bench_check(struct buf *text, size_t *errors)
{
	struct check_hooks hooks = { .arg = text, .read = bench_read };
	struct check c;
	double start = bench_now();

	check_init(&c, &hooks);
	(void)environ_set(&c.environ, "HOME", "/home/me", false, NULL);
	(void)check_file(&c, "bench");
	*errors = check_errors(&c);
	check_fini(&c);
	return bench_now() - start;
}

int
main(int argc, char **argv)
{
	size_t commands, errors;
	struct buf text;
	double ms;
	FILE *f;

	buf_init(&text, (size_t)1 << 24);
	bench_text(&text);
	if (argc > 1 && (f = fopen(argv[1], "w")) != NULL) {
		fputs(buf_cstr(&text), f);
		fclose(f);
	}
	ms = bench_parse(&text, &commands);
	printf("parse %d lines, %zu bytes, %zu commands: %.2f ms (wanted: "
	       "under 50)\n",
	    LINES, text.len, commands, ms);
	ms = bench_check(&text, &errors);
	printf("check the same, setting its options: %.2f ms, %zu errors\n", ms,
	    errors);
	buf_fini(&text);
	return 0;
}
