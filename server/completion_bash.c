#include <stdio.h>
#include <string.h>

#include "server/completion_rows.h"

static void
put_flag(UNUSED const struct command_row *row, char flag, UNUSED bool value)
{
	printf(" -%c", flag);
}

static void
put_commands(const char *before)
{
	const struct command_row *row;
	size_t i;

	for (i = 0; i < COMMAND_COUNT; i++) {
		row = command_row((enum command_id)i);
		printf("%s%s", before, row->name);
		if (row->alias != NULL)
			printf("%s%s", before, row->alias);
	}
}

/* Prints the names of the client's own commands. */
static void
put_client_words(const char *before)
{
	size_t i;

	for (i = 0; i < CLIENT_WORD_COUNT; i++)
		if (client_word_row(i)->head != NULL)
			printf("%s%s", before, client_word_row(i)->name);
}

/* Prints the flags of a command of the client's, and what NAME has beside. */
static void
put_client_flags(const char *name)
{
	const struct client_word *w = client_word_find(name);
	const struct client_flag *flags;
	const struct client_long *longs;
	size_t i, n;

	if (w == NULL)
		return;
	flags = client_word_flags(w, &n);
	for (i = 0; i < n; i++)
		printf(" -%c", flags[i].flag);
	longs = client_word_longs(&n);
	for (i = 0; w->long_options && i < n; i++)
		printf(" --%s%s", longs[i].name,
		    longs[i].argument == NULL ? "" : "=");
}

static void
put_value_case(const struct command_row *row, char flag, bool value)
{
	const char *kind = value ? completion_rows_value(row, flag) : NULL;

	if (kind != NULL)
		printf("\t\t%s:-%c", row->name, flag);
	if (kind != NULL && row->alias != NULL)
		printf("|%s:-%c", row->alias, flag);
	if (kind != NULL)
		printf(") _rmux_%s; return ;;\n", kind);
}

static const char shell_common[] =
    "# Made by `rmux completion` from the table of commands.\n\n"
    "_rmux_call() {\n"
    "\tcommand rmux \"${_rmux_global[@]}\" \"$@\" 2>/dev/null\n"
    "}\n\n";

/* Prints the case arms that the bash and the zsh script share. */
static void
put_flag_cases(void)
{
	const struct command_row *row;
	size_t i;

	for (i = 0; i < COMMAND_COUNT; i++) {
		row = command_row((enum command_id)i);
		printf("\t%s", row->name);
		if (row->alias != NULL)
			printf("|%s", row->alias);
		printf(") _rmux_flags='");
		completion_rows_each_flag(row, put_flag);
		put_client_flags(row->name);
		printf("' ;;\n");
	}
	for (i = 0; i < CLIENT_WORD_COUNT; i++) {
		if (client_word_row(i)->head == NULL)
			continue;
		printf("\t%s) _rmux_flags='", client_word_row(i)->name);
		put_client_flags(client_word_row(i)->name);
		printf("' ;;\n");
	}
}

/* Prints the arms that set _rmux_values for an option with two dashes. */
static void
put_long_cases(void)
{
	const struct client_long *longs;
	const char *p;
	size_t i, n;

	longs = client_word_longs(&n);
	for (i = 0; i < n; i++) {
		if (longs[i].argument == NULL ||
		    strchr(longs[i].argument, '|') == NULL)
			continue;
		printf("\t--%s) _rmux_values='", longs[i].name);
		for (p = longs[i].argument; *p != '\0'; p++)
			putchar(*p == '|' ? ' ' : *p);
		printf("' ;;\n");
	}
}

/* Prints the arms that complete arguments of the client's commands. */
static void
put_argument_cases(const char *indent)
{
	const struct client_word *w;
	const char *kind;
	size_t i;

	for (i = 0; i < CLIENT_WORD_COUNT; i++) {
		w = client_word_row(i);
		kind = completion_rows_client_value(w->arguments);
		if (kind != NULL && w->head != NULL)
			printf("%s%s) _rmux_%s ;;\n", indent, w->name, kind);
	}
}

static void
put_value_cases(void)
{
	const struct client_flag *flags;
	const struct client_word *w;
	const char *kind;
	size_t i, k, n;

	for (i = 0; i < COMMAND_COUNT; i++)
		completion_rows_each_flag(
		    command_row((enum command_id)i), put_value_case);
	for (i = 0; i < CLIENT_WORD_COUNT; i++) {
		w = client_word_row(i);
		flags = client_word_flags(w, &n);
		for (k = 0; k < n; k++) {
			kind = completion_rows_client_value(flags[k].value);
			if (kind != NULL)
				printf("\t\t%s:-%c) _rmux_%s; return ;;\n",
				    w->name, flags[k].flag, kind);
			else if (flags[k].value == CLIENT_VALUE_TEXT)
				printf("\t\t%s:-%c) return ;;\n", w->name,
				    flags[k].flag);
		}
	}
}

/* Prints the functions that bash's completion calls. */
static void
bash_helpers(void)
{
	fputs(shell_common, stdout);
	printf("_rmux_commands='");
	put_client_words(" ");
	put_commands(" ");
	printf("'\n_rmux_options='");
	completion_rows_put_options();
	/*
	 * Others choose names of clients, sessions, hosts and files: compgen -W
	 * would run $( ) in them, and the shell would on Enter unless they are
	 * quoted, which readline does for names of files.
	 */
	fputs("'\n\n"
	      "_rmux_words() {\n"
	      "\tlocal word quoted\n"
	      "\tlocal -a all=()\n"
	      "\tIFS=$' \\t\\n' read -r -d '' -a all <<<\"$1\"\n"
	      "\tCOMPREPLY=()\n"
	      "\tfor word in \"${all[@]}\"; do\n"
	      "\t\tprintf -v quoted %q \"$word\"\n"
	      "\t\t[[ $word != \"$cur\"* && $quoted != \"$cur\"* ]] ||\n"
	      "\t\t\tCOMPREPLY+=(\"$quoted\")\n"
	      "\tdone\n"
	      /* A function that ends with 127 completes nothing. */
	      "\t! declare -F __ltrim_colon_completions >/dev/null ||\n"
	      "\t\t__ltrim_colon_completions \"$cur\"\n"
	      "}\n\n"
	      "_rmux_files() {\n"
	      "\tmapfile -t COMPREPLY < <(compgen -f -- \"$cur\")\n"
	      "\tcompopt -o filenames 2>/dev/null\n"
	      "}\n\n"
	      "_rmux_files_or_hosts() {\n"
	      "\tlocal -a hosts\n"
	      "\t_rmux_hosts\n"
	      "\thosts=(\"${COMPREPLY[@]/%/:}\")\n"
	      "\t_rmux_files\n"
	      "\tCOMPREPLY+=(\"${hosts[@]}\")\n"
	      "}\n\n"
	      "_rmux_targets() {\n"
	      "\t_rmux_words \"$(_rmux_call list-sessions -F "
	      "'#{session_name}'; _rmux_call list-windows -a -F "
	      "'#{session_name}:#{window_index}')\"\n"
	      "}\n\n"
	      "_rmux_panes() {\n"
	      "\t_rmux_words \"$(_rmux_call list-sessions -F "
	      "'#{session_name}'; _rmux_call list-windows -a -F "
	      "'#{session_name}:#{window_index}'; _rmux_call list-panes -a -F "
	      "'#{session_name}:#{window_index}.#{pane_index}')\"\n"
	      "}\n\n"
	      "_rmux_clients() {\n"
	      "\t_rmux_words \"$(_rmux_call list-clients -F "
	      "'#{client_name}')\"\n"
	      "}\n\n"
	      "_rmux_host_lines() {\n",
	    stdout);
	fputs(completion_rows_host_lines, stdout);
	fputs("}\n\n"
	      "_rmux_hosts() {\n"
	      "\t_rmux_words \"$(_rmux_host_lines)\"\n"
	      "}\n\n"
	      "_rmux_values_of() {\n"
	      "\t_rmux_values=\n"
	      "\tcase $1 in\n",
	    stdout);
	completion_rows_put_choice_cases("\t", ") _rmux_values='", "' ;;\n");
	put_long_cases();
	fputs("\tesac\n"
	      "}\n\n"
	      "_rmux_flags_of() {\n"
	      "\t_rmux_flags=\n"
	      "\tcase $1 in\n",
	    stdout);
	put_flag_cases();
	fputs("\tesac\n"
	      "}\n\n",
	    stdout);
}

void
completion_bash(void)
{
	bash_helpers();
	fputs("_rmux() {\n"
	      "\tlocal cur prev words cword i name= _rmux_flags _rmux_values\n"
	      "\tlocal option=\n"
	      "\tlocal -a _rmux_global=()\n"
	      "\tif declare -F _get_comp_words_by_ref >/dev/null; then\n"
	      "\t\t_get_comp_words_by_ref -n : cur prev words cword\n"
	      "\telse\n"
	      "\t\twords=(\"${COMP_WORDS[@]}\") cword=$COMP_CWORD\n"
	      "\t\tcur=${words[cword]} prev=${words[cword - 1]}\n"
	      "\tfi\n"
	      "\tCOMPREPLY=()\n"
	      "\tfor ((i = 1; i < cword; i++)); do\n"
	      "\t\tcase ${words[i]} in\n"
	      "\t\t-[LS]) _rmux_global+=(\"${words[i]}\" "
	      "\"${words[i + 1]}\"); ((i++)) ;;\n"
	      "\t\t-[cfHT]) ((i++)) ;;\n"
	      "\t\t-*) ;;\n"
	      "\t\t*) name=${words[i]}; break ;;\n"
	      "\t\tesac\n"
	      "\tdone\n"
	      "\tif [[ -z $name ]]; then\n"
	      "\t\tcase $prev in\n"
	      "\t\t-[fS]) _rmux_files; return ;;\n"
	      "\t\t-H) _rmux_hosts; return ;;\n"
	      "\t\t-[cLT]) return ;;\n"
	      "\t\tesac\n"
	      "\t\tif [[ $cur == -* ]]; then\n"
	      "\t\t\t_rmux_words '-2 -C -D -H -L -N -S -T -V -c -f -h -l -n "
	      "-u -v --help'\n"
	      "\t\telse\n"
	      "\t\t\t_rmux_words \"$_rmux_commands\"\n"
	      "\t\tfi\n"
	      "\t\treturn\n"
	      "\tfi\n"
	      "\tcase $name in\n"
	      "\thelp) _rmux_words \"$_rmux_commands $_rmux_options\"; "
	      "return ;;\n"
	      "\tcompletion) _rmux_words 'bash zsh fish'; return ;;\n"
	      "\tesac\n"
	      /* bash splits --name=value in three words. */
	      "\tif [[ $cur == = ]]; then\n"
	      "\t\toption=$prev cur=\n"
	      "\telif [[ $prev == = ]]; then\n"
	      "\t\toption=${words[cword - 2]}\n"
	      "\tfi\n"
	      "\tif [[ $option == --* ]]; then\n"
	      "\t\t_rmux_values_of \"$option\"\n"
	      "\t\tif [[ -n $_rmux_values ]]; then\n"
	      "\t\t\t_rmux_words \"$_rmux_values\"\n"
	      "\t\telse\n"
	      "\t\t\t_rmux_files\n"
	      "\t\tfi\n"
	      "\t\treturn\n"
	      "\tfi\n"
	      "\tcase $name:$prev in\n",
	    stdout);
	put_value_cases();
	fputs("\tesac\n"
	      "\tif [[ $cur == -* ]]; then\n"
	      "\t\t_rmux_flags_of \"$name\"\n"
	      "\t\t_rmux_words \"$_rmux_flags\"\n"
	      "\t\t[[ ${COMPREPLY[0]-} != *= ]] ||\n"
	      "\t\t\tcompopt -o nospace 2>/dev/null\n"
	      "\t\treturn\n"
	      "\tfi\n"
	      "\tcase $name in\n"
	      "\tset|set-option|setw|set-window-option|show|show-options|showw"
	      "|show-window-options|set-hook|show-hooks)\n"
	      "\t\t[[ $name != set* ]] || _rmux_values_of \"$prev\"\n"
	      "\t\t_rmux_words \"${_rmux_values:-$_rmux_options}\" ;;\n"
	      "\tattach|attach-session) _rmux_hosts ;;\n"
	      "\tselectl|select-layout) _rmux_words '",
	    stdout);
	completion_rows_put_layouts();
	fputs("' ;;\n"
	      "\tsource|source-file|load-buffer|loadb|save-buffer|saveb)\n"
	      "\t\t_rmux_files ;;\n"
	      "\tlscm|list-commands) _rmux_words \"$_rmux_commands\" ;;\n",
	    stdout);
	put_argument_cases("\t");
	fputs("\tesac\n"
	      "}\n\n"
	      "complete -F _rmux rmux\n",
	    stdout);
}
