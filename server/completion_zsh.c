#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "server/completion_rows.h"

static void
zsh_flag(UNUSED const struct command_row *row, char flag, bool value)
{
	const char *kind = value ? completion_rows_value(row, flag) : NULL;

	if (kind != NULL)
		printf(" '-%c[%s]:%s:_rmux_%s'", flag, kind, kind, kind);
	else
		printf(" '-%c%s'", flag, value ? "+:value: " : "");
}

/* Prints the specifications of the options of a command of the client's. */
static void
zsh_client_flags(const char *name)
{
	const struct client_word *w = client_word_find(name);
	const struct client_flag *flags;
	const struct client_long *longs;
	const char *kind, *p;
	size_t i, n;

	if (w == NULL)
		return;
	flags = client_word_flags(w, &n);
	for (i = 0; i < n; i++) {
		kind = completion_rows_client_value(flags[i].value);
		printf(" '%s-%c%s[%s]",
		    flags[i].value == CLIENT_VALUE_NONE ? "" : "*",
		    flags[i].flag,
		    flags[i].value == CLIENT_VALUE_NONE ? "" : "+",
		    flags[i].text);
		if (kind != NULL)
			printf(":%s:_rmux_%s", kind, kind);
		else if (flags[i].value != CLIENT_VALUE_NONE)
			printf(":value: ");
		putchar('\'');
	}
	longs = client_word_longs(&n);
	for (i = 0; w->long_options && i < n; i++) {
		p = longs[i].argument;
		printf(" '--%s%s[%s]", longs[i].name, p == NULL ? "" : "=",
		    longs[i].text);
		if (p != NULL && strchr(p, '|') == NULL)
			printf(":value:_files");
		else if (p != NULL)
			printf(":value:(");
		for (; p != NULL && strchr(p, '|') != NULL; p += *p == '|') {
			printf("%.*s ", (int)strcspn(p, "|"), p);
			p += strcspn(p, "|");
		}
		if (longs[i].argument != NULL &&
		    strchr(longs[i].argument, '|') != NULL)
			printf("%s)", p);
		putchar('\'');
	}
}

/* Returns what completes the arguments of a command. */
static const char *
zsh_argument(const struct command_row *row)
{
	if (strncmp(row->name, "set-", 4) == 0)
		return "_rmux_set";
	if (strncmp(row->name, "show-", 5) == 0)
		return "compadd -a _rmux_options";
	if (strcmp(row->name, "attach-session") == 0)
		return "_rmux_hosts";
	if (strcmp(row->name, "select-layout") == 0)
		return "_rmux_layouts";
	return "_files";
}

/* Prints the functions that zsh's completion calls. */
static void
zsh_helpers(void)
{
	fputs("#compdef rmux\n"
	      "# Made by `rmux completion` from the table of commands.\n\n"
	      "_rmux_targets() {\n"
	      "\tlocal -a all\n"
	      "\tall=(${(f)\"$(rmux list-sessions -F '#{session_name}' "
	      "2>/dev/null)\"} ${(f)\"$(rmux list-windows -a -F "
	      "'#{session_name}:#{window_index}' 2>/dev/null)\"})\n"
	      "\tcompadd -a all\n"
	      "}\n\n"
	      "_rmux_panes() {\n"
	      "\tlocal -a all\n"
	      "\t_rmux_targets\n"
	      "\tall=(${(f)\"$(rmux list-panes -a -F "
	      "'#{session_name}:#{window_index}.#{pane_index}' "
	      "2>/dev/null)\"})\n"
	      "\tcompadd -a all\n"
	      "}\n\n"
	      "_rmux_host_lines() {\n",
	    stdout);
	fputs(completion_rows_host_lines, stdout);
	fputs("}\n\n"
	      "_rmux_hosts() {\n"
	      "\tlocal -a all\n"
	      "\tall=(${(f)\"$(_rmux_host_lines)\"})\n"
	      "\tcompadd -a all\n"
	      "}\n\n"
	      "_rmux_files() {\n"
	      "\t_files\n"
	      "}\n\n"
	      "_rmux_files_or_hosts() {\n"
	      "\tlocal -a all\n"
	      "\tall=(${(f)\"$(_rmux_host_lines)\"})\n"
	      "\t_files\n"
	      "\tcompadd -S : -a all\n"
	      "}\n\n"
	      "_rmux_clients() {\n"
	      "\tlocal -a all\n"
	      "\tall=(${(f)\"$(rmux list-clients -F '#{client_name}' "
	      "2>/dev/null)\"})\n"
	      "\tcompadd -a all\n"
	      "}\n\n"
	      "_rmux_options=(",
	    stdout);
	completion_rows_put_options();
	fputs(" )\n\n_rmux_layouts() {\n\tcompadd --", stdout);
	completion_rows_put_layouts();
	fputs("\n}\n\n_rmux_set() {\n"
	      "\tlocal _rmux_values=\n"
	      "\tcase $words[CURRENT-1] in\n",
	    stdout);
	completion_rows_put_choice_cases("\t", ") _rmux_values='", "' ;;\n");
	fputs("\tesac\n"
	      "\tif [[ -n $_rmux_values ]]; then\n"
	      "\t\tcompadd -- ${=_rmux_values}\n"
	      "\telse\n"
	      "\t\tcompadd -a _rmux_options\n"
	      "\tfi\n"
	      "}\n\n",
	    stdout);
}

void
completion_zsh(void)
{
	const struct command_row *row;
	const struct client_word *w;
	const char *kind;
	char *text, *quoted;
	size_t i;

	zsh_helpers();
	fputs("_rmux_commands=(\n", stdout);
	for (i = 0; i < CLIENT_WORD_COUNT; i++)
		if (client_word_row(i)->head != NULL)
			printf("\t'%s:%s'\n", client_word_row(i)->name,
			    client_word_row(i)->head);
	for (i = 0; i < COMMAND_COUNT; i++) {
		row = command_row((enum command_id)i);
		text = mem_printf("%s:%s", row->name, row->help);
		quoted = str_shell_quote_new(text);
		printf("\t%s\n", quoted);
		mem_free(quoted);
		mem_free(text);
	}
	fputs(")\n\n_rmux() {\n"
	      "\tlocal curcontext=$curcontext state line\n"
	      "\t_arguments -C '-L+:socket name: ' '-S+:socket:_files' "
	      "'-f+:file:_files' '-c+:command: ' '-H+:host:_rmux_hosts' "
	      "'-T+:features: ' -2 -C -D -N -V -h -l -n -u -v "
	      "'1:command:->command' '*::argument:->argument'\n"
	      "\tcase $state in\n"
	      "\tcommand) _describe command _rmux_commands; return ;;\n"
	      "\tesac\n"
	      "\tcase $words[1] in\n"
	      "\thelp) compadd -a _rmux_options; "
	      "_describe command _rmux_commands ;;\n"
	      "\tcompletion) compadd bash zsh fish ;;\n",
	    stdout);
	for (i = 0; i < CLIENT_WORD_COUNT; i++) {
		w = client_word_row(i);
		if (w->head == NULL || w->id == CLIENT_WORD_HELP ||
		    w->id == CLIENT_WORD_COMPLETION)
			continue;
		printf("\t%s) _arguments", w->name);
		zsh_client_flags(w->name);
		kind = completion_rows_client_value(w->arguments);
		printf(" '*:argument:%s%s' ;;\n", kind == NULL ? " " : "_rmux_",
		    kind == NULL ? "" : kind);
	}
	for (i = 0; i < COMMAND_COUNT; i++) {
		row = command_row((enum command_id)i);
		printf("\t%s", row->name);
		if (row->alias != NULL)
			printf("|%s", row->alias);
		printf(") _arguments");
		completion_rows_each_flag(row, zsh_flag);
		zsh_client_flags(row->name);
		printf(" '*:argument:%s' ;;\n", zsh_argument(row));
	}
	fputs("\tesac\n}\n\n_rmux \"$@\"\n", stdout);
}
