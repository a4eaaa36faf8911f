#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "conf/option_table.h"
#include "server/completion_rows.h"

static void
fish_flag(const struct command_row *row, char flag, bool value)
{
	const char *kind = value ? completion_rows_value(row, flag) : NULL;

	printf("complete -c rmux -n '__fish_seen_subcommand_from %s%s%s' "
	       "-s %c%s",
	    row->name, row->alias == NULL ? "" : " ",
	    row->alias == NULL ? "" : row->alias, flag, value ? " -x" : "");
	if (kind != NULL)
		printf(" -a '(__rmux_%s)'", kind);
	putchar('\n');
}

/* Prints the beginning of a line about options of W. */
static void
fish_seen(const struct client_word *w)
{
	printf("complete -c rmux -n '__fish_seen_subcommand_from %s%s'",
	    w->head == NULL ? "attach " : "", w->name);
}

static void
fish_client_flags(const struct client_word *w)
{
	const struct client_flag *flags;
	const struct client_long *longs;
	const char *kind, *p;
	size_t i, n;

	flags = client_word_flags(w, &n);
	for (i = 0; i < n; i++) {
		fish_seen(w);
		printf(" -s %c -d '%s'", flags[i].flag, flags[i].text);
		kind = completion_rows_client_value(flags[i].value);
		if (flags[i].value == CLIENT_VALUE_FILE)
			printf(" -r -F");
		else if (kind != NULL)
			printf(" -x -a '(__rmux_%s)'", kind);
		else if (flags[i].value != CLIENT_VALUE_NONE)
			printf(" -x");
		putchar('\n');
	}
	longs = client_word_longs(&n);
	for (i = 0; w->long_options && i < n; i++) {
		fish_seen(w);
		printf(" -l %s -d '%s'", longs[i].name, longs[i].text);
		p = longs[i].argument;
		if (p != NULL && strchr(p, '|') == NULL)
			printf(" -r -F");
		else if (p != NULL)
			printf(" -x -a '");
		if (p != NULL && strchr(p, '|') != NULL) {
			for (; *p != '\0'; p++)
				putchar(*p == '|' ? ' ' : *p);
			putchar('\'');
		}
		putchar('\n');
	}
}

/* Prints all about the client's own commands. */
static void
fish_client_words(void)
{
	const struct client_word *w;
	const char *kind;
	size_t i;

	for (i = 0; i < CLIENT_WORD_COUNT; i++) {
		w = client_word_row(i);
		if (w->head != NULL)
			printf("complete -c rmux -n __fish_use_subcommand "
			       "-a %s -d '%s'\n",
			    w->name, w->head);
		kind = completion_rows_client_value(w->arguments);
		if (w->arguments == CLIENT_VALUE_FILE ||
		    w->arguments == CLIENT_VALUE_FILE_OR_HOST) {
			fish_seen(w);
			printf(" -F\n");
		}
		if (kind != NULL && w->arguments != CLIENT_VALUE_FILE) {
			fish_seen(w);
			printf(" -a '(__rmux_%s)'\n", kind);
		}
		fish_client_flags(w);
	}
	puts("complete -c rmux -n '__fish_seen_subcommand_from completion' "
	     "-a 'bash zsh fish'");
}

void
completion_fish(void)
{
	const struct command_row *row;
	char *text;
	size_t i;

	fputs("# Made by `rmux completion` from the table of commands.\n\n"
	      "function __rmux_targets\n"
	      "\trmux list-sessions -F '#{session_name}' 2>/dev/null\n"
	      "\trmux list-windows -a -F '#{session_name}:#{window_index}' "
	      "2>/dev/null\n"
	      "end\n\n"
	      "function __rmux_panes\n"
	      "\t__rmux_targets\n"
	      "\trmux list-panes -a -F "
	      "'#{session_name}:#{window_index}.#{pane_index}' "
	      "2>/dev/null\n"
	      "end\n\n"
	      "function __rmux_hosts\n",
	    stdout);
	fputs(completion_rows_host_lines, stdout);
	fputs("end\n\n"
	      "function __rmux_files_or_hosts\n"
	      "\t__rmux_hosts | string replace -r '$' ':'\n"
	      "end\n\n"
	      "function __rmux_values\n"
	      "\tswitch (commandline -opc)[-1]\n",
	    stdout);
	completion_rows_put_choice_cases(
	    "\tcase ", "\n\t\tprintf '%s\\n'", "\n");
	fputs("\tend\n"
	      "end\n\n"
	      "complete -c rmux -n __fish_use_subcommand -s H -x -a "
	      "'(__rmux_hosts)'\n"
	      "complete -c rmux -n '__fish_seen_subcommand_from set set-option "
	      "setw set-window-option' -a '(__rmux_values)'\n"
	      "complete -c rmux -n '__fish_seen_subcommand_from selectl "
	      "select-layout' -a '",
	    stdout);
	completion_rows_put_layouts();
	fputs("'\n\n"
	      "function __rmux_clients\n"
	      "\trmux list-clients -F '#{client_name}' 2>/dev/null\n"
	      "end\n\n"
	      "complete -c rmux -f\n"
	      "complete -c rmux -n '__fish_seen_subcommand_from set set-option "
	      "setw set-window-option show show-options set-hook; and not "
	      "count (__rmux_values) >/dev/null' -a '",
	    stdout);
	completion_rows_put_options();
	puts("'");
	for (i = 0; i < COMMAND_COUNT; i++) {
		row = command_row((enum command_id)i);
		text = str_shell_quote_new(row->help);
		printf("complete -c rmux -n __fish_use_subcommand -a '%s%s%s' "
		       "-d %s\n",
		    row->name, row->alias == NULL ? "" : " ",
		    row->alias == NULL ? "" : row->alias, text);
		mem_free(text);
		completion_rows_each_flag(row, fish_flag);
	}
	fish_client_words();
}
