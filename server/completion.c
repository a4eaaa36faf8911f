#include "server/completion.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "conf/command.h"
#include "conf/command_flag.h"
#include "conf/option_table.h"
#include "mux/layout_preset.h"

/* Runs FN for each flag of a command; VALUE: it takes one. */
typedef void (*flag_fn)(const struct command_row *row, char flag, bool value);

static void
each_flag(const struct command_row *row, flag_fn fn)
{
	const char *p;

	for (p = row->spec; *p != '\0'; p++)
		if (*p != ':')
			fn(row, *p, p[1] == ':' && p[2] != ':');
}

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

static void
put_options(void)
{
	size_t i;

	for (i = 0; i < OPTION_COUNT; i++)
		printf(" %s", option_row((enum option_id)i)->name);
}

/* Prints the values of an option that has a choice, or nothing. */
static void
put_choices(const struct option_row *row, const char *between)
{
	const char *p = row->choices;
	size_t n;

	if (row->type == OPTION_FLAG)
		p = "on,off";
	else if (row->type != OPTION_CHOICE)
		return;
	for (; *p != '\0'; p += n + (p[n] == ',')) {
		n = strcspn(p, ",");
		printf("%s%.*s", between, (int)n, p);
	}
}

/* Prints the arms of a case that set _rmux_values for an option. */
static void
put_choice_cases(void)
{
	const struct option_row *row;
	size_t i;

	for (i = 0; i < OPTION_COUNT; i++) {
		row = option_row((enum option_id)i);
		if (row->type != OPTION_FLAG && row->type != OPTION_CHOICE)
			continue;
		printf("\t%s) _rmux_values='", row->name);
		put_choices(row, " ");
		printf("' ;;\n");
	}
}

static void
put_layouts(void)
{
	int i;

	for (i = 0; i < LAYOUT_PRESET_COUNT; i++)
		printf(" %s", layout_preset_name(i));
}

/*
 * Shell commands that print the hosts of ssh's configuration without patterns,
 * and the known ones whose names are not hashed.
 */
static const char host_lines[] =
    "\tsed -n 's/^[[:space:]]*[Hh][Oo][Ss][Tt][[:space:]=][[:space:]=]*//p' "
    "~/.ssh/config /etc/ssh/ssh_config 2>/dev/null | tr -s ' \t' '\n\n' | "
    "grep -v '[*?!]'\n"
    "\tsed -e '/^[|#@]/d' -e 's/[[:space:]].*//' ~/.ssh/known_hosts "
    "/etc/ssh/ssh_known_hosts 2>/dev/null | tr , '\n' | "
    "sed 's/^\\[\\(.*\\)\\]:/\\1:/'\n";

/* Returns what completes a target: panes are names, too, where one is meant. */
static const char *
target_kind(unsigned target)
{
	return (target & TGT_KIND) == TGT_PANE ? "panes" : "targets";
}

/* Returns what completes the value of -c, -H, -s or -t, or NULL. */
static const char *
value_kind(const struct command_row *row, char flag)
{
	if ((flag == 't' && (row->what & CMD_TFLAG) != 0) ||
	    (flag == 'c' && (row->what & CMD_CFLAG) != 0))
		return "clients";
	if (flag == 'H')
		return "hosts";
	if (flag == 't' && (row->target & TGT_KIND) != TGT_NONE)
		return target_kind(row->target);
	if (flag == 's' && (row->source & TGT_KIND) != TGT_NONE)
		return target_kind(row->source);
	return NULL;
}

static void
put_value_case(const struct command_row *row, char flag, bool value)
{
	const char *kind = value ? value_kind(row, flag) : NULL;

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
		each_flag(row, put_flag);
		printf("' ;;\n");
	}
}

static void
put_value_cases(void)
{
	size_t i;

	for (i = 0; i < COMMAND_COUNT; i++)
		each_flag(command_row((enum command_id)i), put_value_case);
}

/* Prints the functions that bash's completion calls. */
static void
bash_helpers(void)
{
	fputs(shell_common, stdout);
	printf("_rmux_commands='help completion doctor join");
	put_commands(" ");
	printf("'\n_rmux_options='");
	put_options();
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
	fputs(host_lines, stdout);
	fputs("}\n\n"
	      "_rmux_hosts() {\n"
	      "\t_rmux_words \"$(_rmux_host_lines)\"\n"
	      "}\n\n"
	      "_rmux_values_of() {\n"
	      "\t_rmux_values=\n"
	      "\tcase $1 in\n",
	    stdout);
	put_choice_cases();
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

static void
completion_bash(void)
{
	bash_helpers();
	fputs("_rmux() {\n"
	      "\tlocal cur prev words cword i name= _rmux_flags _rmux_values\n"
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
	      "\tdoctor) _rmux_hosts; return ;;\n"
	      "\tesac\n"
	      "\tcase $name:$prev in\n",
	    stdout);
	put_value_cases();
	fputs("\tesac\n"
	      "\tif [[ $cur == -* ]]; then\n"
	      "\t\t_rmux_flags_of \"$name\"\n"
	      "\t\t_rmux_words \"$_rmux_flags\"\n"
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
	put_layouts();
	fputs("' ;;\n"
	      "\tsource|source-file|load-buffer|loadb|save-buffer|saveb)\n"
	      "\t\t_rmux_files ;;\n"
	      "\tlscm|list-commands) _rmux_words \"$_rmux_commands\" ;;\n"
	      "\tesac\n"
	      "}\n\n"
	      "complete -F _rmux rmux\n",
	    stdout);
}

static void
zsh_flag(UNUSED const struct command_row *row, char flag, bool value)
{
	const char *kind = value ? value_kind(row, flag) : NULL;

	if (kind != NULL)
		printf(" '-%c[%s]:%s:_rmux_%s'", flag, kind, kind, kind);
	else
		printf(" '-%c%s'", flag, value ? "+:value: " : "");
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
	fputs(host_lines, stdout);
	fputs("}\n\n"
	      "_rmux_hosts() {\n"
	      "\tlocal -a all\n"
	      "\tall=(${(f)\"$(_rmux_host_lines)\"})\n"
	      "\tcompadd -a all\n"
	      "}\n\n"
	      "_rmux_clients() {\n"
	      "\tlocal -a all\n"
	      "\tall=(${(f)\"$(rmux list-clients -F '#{client_name}' "
	      "2>/dev/null)\"})\n"
	      "\tcompadd -a all\n"
	      "}\n\n"
	      "_rmux_options=(",
	    stdout);
	put_options();
	fputs(" )\n\n_rmux_layouts() {\n\tcompadd --", stdout);
	put_layouts();
	fputs("\n}\n\n_rmux_set() {\n"
	      "\tlocal _rmux_values=\n"
	      "\tcase $words[CURRENT-1] in\n",
	    stdout);
	put_choice_cases();
	fputs("\tesac\n"
	      "\tif [[ -n $_rmux_values ]]; then\n"
	      "\t\tcompadd -- ${=_rmux_values}\n"
	      "\telse\n"
	      "\t\tcompadd -a _rmux_options\n"
	      "\tfi\n"
	      "}\n\n",
	    stdout);
}

static void
completion_zsh(void)
{
	const struct command_row *row;
	char *text, *quoted;
	size_t i;

	zsh_helpers();
	fputs("_rmux_commands=(\n\t'help:Describe a command or option'\n"
	      "\t'doctor:Say what works and what does not'\n"
	      "\t'completion:Print a completion script'\n"
	      "\t'join:Come into a session by an invitation'\n",
	    stdout);
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
	      "\tdoctor) _rmux_hosts ;;\n",
	    stdout);
	for (i = 0; i < COMMAND_COUNT; i++) {
		row = command_row((enum command_id)i);
		printf("\t%s", row->name);
		if (row->alias != NULL)
			printf("|%s", row->alias);
		printf(") _arguments");
		each_flag(row, zsh_flag);
		printf(" '*:argument:%s' ;;\n", zsh_argument(row));
	}
	fputs("\tesac\n}\n\n_rmux \"$@\"\n", stdout);
}

static void
fish_flag(const struct command_row *row, char flag, bool value)
{
	const char *kind = value ? value_kind(row, flag) : NULL;

	printf("complete -c rmux -n '__fish_seen_subcommand_from %s%s%s' "
	       "-s %c%s",
	    row->name, row->alias == NULL ? "" : " ",
	    row->alias == NULL ? "" : row->alias, flag, value ? " -x" : "");
	if (kind != NULL)
		printf(" -a '(__rmux_%s)'", kind);
	putchar('\n');
}

/* Prints the arms of a switch that print the values of an option. */
static void
fish_choices(void)
{
	const struct option_row *row;
	size_t i;

	for (i = 0; i < OPTION_COUNT; i++) {
		row = option_row((enum option_id)i);
		if (row->type != OPTION_FLAG && row->type != OPTION_CHOICE)
			continue;
		printf("\tcase %s\n\t\tprintf '%%s\\n'", row->name);
		put_choices(row, " ");
		putchar('\n');
	}
}

static void
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
	fputs(host_lines, stdout);
	fputs("end\n\n"
	      "function __rmux_values\n"
	      "\tswitch (commandline -opc)[-1]\n",
	    stdout);
	fish_choices();
	fputs("\tend\n"
	      "end\n\n"
	      "complete -c rmux -n __fish_use_subcommand -s H -x -a "
	      "'(__rmux_hosts)'\n"
	      "complete -c rmux -n '__fish_seen_subcommand_from attach "
	      "attach-session doctor' -a '(__rmux_hosts)'\n"
	      "complete -c rmux -n '__fish_seen_subcommand_from set set-option "
	      "setw set-window-option' -a '(__rmux_values)'\n"
	      "complete -c rmux -n '__fish_seen_subcommand_from selectl "
	      "select-layout' -a '",
	    stdout);
	put_layouts();
	fputs("'\n\n"
	      "function __rmux_clients\n"
	      "\trmux list-clients -F '#{client_name}' 2>/dev/null\n"
	      "end\n\n"
	      "complete -c rmux -f\n"
	      "complete -c rmux -n __fish_use_subcommand -a help -d "
	      "'Describe a command or option'\n"
	      "complete -c rmux -n __fish_use_subcommand -a doctor -d "
	      "'Say what works and what does not'\n"
	      "complete -c rmux -n __fish_use_subcommand -a join -d "
	      "'Come into a session by an invitation'\n"
	      "complete -c rmux -n '__fish_seen_subcommand_from set set-option "
	      "setw set-window-option show show-options set-hook; and not "
	      "count (__rmux_values) >/dev/null' -a '",
	    stdout);
	put_options();
	puts("'");
	for (i = 0; i < COMMAND_COUNT; i++) {
		row = command_row((enum command_id)i);
		text = str_shell_quote_new(row->help);
		printf("complete -c rmux -n __fish_use_subcommand -a '%s%s%s' "
		       "-d %s\n",
		    row->name, row->alias == NULL ? "" : " ",
		    row->alias == NULL ? "" : row->alias, text);
		mem_free(text);
		each_flag(row, fish_flag);
	}
}

static const struct help_shell {
	const char *name;
	void (*fn)(void);
} completion_shells[] = {
	{ "bash", completion_bash },
	{ "zsh", completion_zsh },
	{ "fish", completion_fish },
};

int
completion_main(const char *shell)
{
	size_t i;

	for (i = 0; shell != NULL && i < ARRAY_LEN(completion_shells); i++)
		if (strcmp(completion_shells[i].name, shell) == 0) {
			completion_shells[i].fn();
			return fflush(stdout) == 0 ? 0 : 1;
		}
	fputs("usage: rmux completion bash | zsh | fish\n", stderr);
	return 1;
}
