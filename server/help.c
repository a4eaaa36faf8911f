#include "server/help.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/client_word.h"
#include "base/io/sys.h"
#include "base/mem.h"
#include "base/str.h"
#include "conf/command.h"
#include "conf/command_flag.h"
#include "conf/option_table.h"

#define HELP_NAME_WIDTH 36
#define HELP_FIRST_WIDTH 24
#define HELP_FLAG_WIDTH 32
#define HELP_WORD_MAX 48

/* --- rmux help ------------------------------------------------------------------- */

/* Commands for a first look. */
static const char *const help_first[] = { "new-session", "attach-session",
	"list-sessions", "new-window", "split-window", "set-option",
	"list-keys", "kill-server" };

/* Prints TEXT from column AT on, wrapped at the terminal's width. */
static void
put_text(const char *text, size_t at, size_t indent)
{
	unsigned width = sys_columns(STDOUT_FILENO);
	const char *p;
	struct buf b;

	buf_init(&b, 1 << 16);
	str_wrap(&b, text, at, width < 2 * indent ? 4 : indent, width);
	for (p = buf_cstr(&b); *p != '\0'; p++)
		putchar(*p == '\001' ? ' ' : *p);
	putchar('\n');
	buf_fini(&b);
}

static void
help_usage(void)
{
	fputs("usage: rmux [-2CDhlNuVv] [-c shell-command] [-f file] [-H host]"
	      " [-L socket-name]\n"
	      "            [-S socket-path] [-T features] [command [flags]]\n"
	      "       rmux attach [user@]host[:port]   a session on another "
	      "machine\n"
	      "       rmux join ticket                 where somebody invited "
	      "you\n"
	      "       rmux doctor [[user@]host[:port]] what works and what "
	      "does not\n"
	      "       rmux -n [-f file]                checks a "
	      "configuration\n"
	      "       rmux help [command | option]\n"
	      "       rmux completion bash | zsh | fish\n\n"
	      "Without a command: a new session.  In a session, C-b d detaches"
	      " and C-b ? lists\nthe keys.  ",
	    stdout);
}

static void
put_row(const struct command_row *row, int name_width)
{
	char name[80], text[200];

	snprintf(name, sizeof(name), row->alias == NULL ? "%s" : "%s (%s)",
	    row->name, row->alias);
	snprintf(text, sizeof(text), "%s%s", row->help,
	    row->when == COMMAND_LATER ? " (not built yet)" : "");
	printf("  %-*s ", name_width, name);
	put_text(text, (size_t)name_width + 3, (size_t)name_width + 3);
}

/* Prints no more than fits a terminal of 24 rows. */
int
help_short(void)
{
	const struct command_row *row;
	size_t i;

	help_usage();
	puts("First commands:\n");
	for (i = 0; i < ARRAY_LEN(help_first); i++)
		if (command_find(help_first[i], &row, NULL) == 0)
			put_row(row, HELP_FIRST_WIDTH);
	printf("\nrmux help lists all %d; rmux help COMMAND shows its flags.\n",
	    (int)COMMAND_COUNT);
	return 0;
}

static void
help_all(void)
{
	const struct client_word *word;
	size_t i;

	help_usage();
	puts("Commands:\n");
	for (i = 0; i < COMMAND_COUNT; i++)
		put_row(command_row((enum command_id)i), HELP_NAME_WIDTH);
	puts("\nCommands of the client:\n");
	for (i = 0; i < CLIENT_WORD_COUNT; i++) {
		word = client_word_row(i);
		if (word->head == NULL)
			continue;
		printf("  %-*s ", HELP_NAME_WIDTH, word->name);
		put_text(word->head, HELP_NAME_WIDTH + 3, HELP_NAME_WIDTH + 3);
	}
	puts("\nrmux help COMMAND shows its flags; rmux(1) says more.");
}

/* Do not break lines within brackets: replace their blanks by \001. */
static void
put_usage(const char *usage)
{
	char *text = mem_strdup(usage), *p;
	unsigned depth = 0;

	for (p = text; *p != '\0'; p++) {
		if (*p == '[')
			depth++;
		else if (*p == ']' && depth > 0)
			depth--;
		else if (*p == ' ' && depth > 0)
			*p = '\001';
	}
	printf("\n  rmux ");
	put_text(text, 7, 9);
	mem_free(text);
}

/* "-t target-pane", or the name of an argument. */
static int
flag_word(char *word, size_t size, const struct command_flag_row *row)
{
	if (row->flag == '\0')
		return snprintf(word, size, "%s", row->argument);
	return snprintf(word, size, "-%c%s%s", row->flag,
	    *row->argument == '\0' ? "" : " ", row->argument);
}

/* A line: what to write and its meaning. */
struct help_line {
	char word[HELP_WORD_MAX];
	const char *text;
};

/* Prints lines with aligned texts. */
static void
put_lines(const struct help_line *lines, size_t n)
{
	size_t i, k, width = 0;

	for (i = 0; i < n; i++)
		width = MAX_OF(width, strlen(lines[i].word));
	width = MIN_OF(width, (size_t)HELP_FLAG_WIDTH);
	for (i = 0; i < n; i++) {
		k = MAX_OF(width, strlen(lines[i].word));
		printf("%s  %-*s   ", i == 0 ? "\n" : "", (int)width,
		    lines[i].word);
		put_text(lines[i].text, k + 5, width + 5);
	}
}

static void
put_flags(const struct command_row *row)
{
	const struct command_flag_row *rows;
	struct help_line *lines;
	size_t i, n;

	rows = command_flag_rows(row->id, &n);
	lines = mem_calloc(n + 1, sizeof(*lines));
	for (i = 0; i < n; i++) {
		(void)flag_word(lines[i].word, sizeof(lines[i].word), &rows[i]);
		lines[i].text = rows[i].text;
	}
	put_lines(lines, n);
	mem_free(lines);
}

/* Prints the flags of a command of the client's. */
static void
put_client_flags(const struct client_word *w)
{
	const struct client_flag *flags;
	const struct client_long *longs;
	struct help_line *lines;
	size_t i, n, m;

	flags = client_word_flags(w, &n);
	longs = client_word_longs(&m);
	lines = mem_calloc(n + m + 1, sizeof(*lines));
	for (i = 0; i < n; i++) {
		snprintf(lines[i].word, sizeof(lines[i].word), "-%c%s%s",
		    flags[i].flag, *flags[i].argument == '\0' ? "" : " ",
		    flags[i].argument);
		lines[i].text = flags[i].text;
	}
	put_lines(lines, n);
	for (i = 0; w->long_options && i < m; i++) {
		snprintf(lines[i].word, sizeof(lines[i].word), "--%s%s%s",
		    longs[i].name, longs[i].argument == NULL ? "" : "=",
		    longs[i].argument == NULL ? "" : longs[i].argument);
		lines[i].text = longs[i].text;
	}
	put_lines(lines, w->long_options ? m : 0);
	mem_free(lines);
}

static void
help_word(const struct client_word *w)
{
	if (w->head != NULL)
		printf("%s: %s\n", w->name, w->head);
	put_usage(w->usage);
	printf("\n");
	put_text(w->text, 0, 0);
	put_client_flags(w);
}

static void
help_command(const struct command_row *row)
{
	const struct client_word *more = client_word_find(row->name);
	char *usage = mem_printf(
	    "%s%s%s", row->name, *row->usage == '\0' ? "" : " ", row->usage);

	printf("%s", row->name);
	if (row->alias != NULL)
		printf(" (alias %s)", row->alias);
	printf(": %s%s\n", row->help,
	    row->when == COMMAND_LATER ? " (not built yet)" : "");
	put_usage(usage);
	put_flags(row);
	mem_free(usage);
	if (more != NULL)
		help_word(more);
}

static void
help_option(const struct option_row *row)
{
	static const struct {
		unsigned scope;
		const char *name;
	} scopes[] = { { OPT_SERVER, "server" }, { OPT_SESSION, "session" },
		{ OPT_WINDOW, "window" }, { OPT_PANE, "pane" } };
	size_t i;

	printf("%s: %s\n\n", row->name, row->help);
	printf("  %s", row->flags & OPT_HOOK ? "hook" : "option");
	for (i = 0; i < ARRAY_LEN(scopes); i++)
		if (row->scope & scopes[i].scope)
			printf(" %s", scopes[i].name);
	printf(", %s", option_type_name(row->type));
	if (row->type == OPTION_CHOICE)
		printf(" of %s", row->choices);
	if (*row->unit != '\0')
		printf(" (%s)", row->unit);
	if ((row->flags & (OPT_HOOK | OPT_ARRAY)) == 0)
		printf(", default \"%s\"", row->text);
	putchar('\n');
}

int
help_main(const char *name)
{
	const struct client_word *word;
	const struct command_row *row;
	struct option_name option;
	struct cause c = { NULL };

	if (name == NULL) {
		help_all();
		return 0;
	}
	word = client_word_find(name);
	if (word != NULL && word->head != NULL) {
		help_word(word);
		return 0;
	}
	if (command_find(name, &row, &c) == 0) {
		help_command(row);
		return 0;
	}
	if (option_match(name, &option, NULL) == 0 && option.row != NULL) {
		cause_fini(&c);
		help_option(option.row);
		return 0;
	}
	fprintf(stderr, "%s\nrmux help lists all commands\n", cause_text(&c));
	cause_fini(&c);
	return 1;
}
