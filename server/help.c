#include "server/help.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/io/sys.h"
#include "base/mem.h"
#include "base/str.h"
#include "conf/command.h"
#include "conf/command_flag.h"
#include "conf/option_table.h"

#define HELP_NAME_WIDTH 36
#define HELP_FIRST_WIDTH 24
#define HELP_FLAG_WIDTH 32

/* --- rmux help ------------------------------------------------------------------- */

/*
 * What no server knows of: words of the client alone, and what a command means
 * with a host.  HEAD NULL: more of the command of that name.
 */
static const struct help_word {
	const char *name;
	const char *head;
	const char *usage;
	const char *text;
} help_words[] = {
	{ "attach-session", NULL,
	    "attach [--ssh=command] [--server=path] [--udp=host:port] "
	    "[--family=inet|inet6] [--predict=mode] [--again=seconds] "
	    "[--mirror=lines] [-p port[:port]] [user@]host[:port] [-t target]",
	    "A session on another machine, over UDP: ssh is run once, to log "
	    "in, and rmux must be installed there." },
	{ "completion", "Print what a shell needs to complete commands",
	    "completion bash | zsh | fish",
	    "An installed rmux is completed already. Otherwise, for bash: "
	    "eval \"$(rmux completion bash)\"" },
	{ "doctor", "Say what works and what does not, and what to do",
	    "doctor [--ssh=command] [--server=path] [--udp=host:port] "
	    "[--family=inet|inet6] [[user@]host[:port]]",
	    "With a host it looks there, too, and at UDP between the two." },
	{ "help", "Describe a command or an option", "help [command | option]",
	    "Without a word: all commands." },
	{ "join", "Come into a session by an invitation",
	    "join [--name=name] [--family=inet|inet6] ticket | -",
	    "The ticket is what rmux invite has printed for somebody else; - "
	    "reads it from standard input. join-pane's other name is joinp." },
};

/* What a first look needs. */
static const char *const help_first[] = { "new-session", "attach-session",
	"list-sessions", "new-window", "split-window", "set-option",
	"list-keys", "kill-server" };

/* Printed AT columns into a line, in lines as wide as the terminal. */
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

/* As much as a terminal of 24 rows shows. */
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
	size_t i;

	help_usage();
	puts("Commands:\n");
	for (i = 0; i < COMMAND_COUNT; i++)
		put_row(command_row((enum command_id)i), HELP_NAME_WIDTH);
	puts("\nrmux help COMMAND shows its flags; rmux(1) says more.");
}

/* No line ends within brackets: their blanks are \001 meanwhile. */
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

static void
help_word(const struct help_word *w)
{
	if (w->head != NULL)
		printf("%s: %s\n", w->name, w->head);
	put_usage(w->usage);
	printf("\n");
	put_text(w->text, 0, 0);
}

static const struct help_word *
help_word_find(const char *name)
{
	size_t i;

	for (i = 0; i < ARRAY_LEN(help_words); i++)
		if (strcmp(help_words[i].name, name) == 0)
			return &help_words[i];
	return NULL;
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

/* A line for each flag, the texts below each other. */
static void
put_flags(const struct command_row *row)
{
	const struct command_flag_row *rows;
	char word[HELP_FLAG_WIDTH + 1];
	int width = 0;
	size_t i, n;

	rows = command_flag_rows(row->id, &n);
	for (i = 0; i < n; i++)
		width = MAX_OF(width, flag_word(word, sizeof(word), &rows[i]));
	width = MIN_OF(width, HELP_FLAG_WIDTH);
	for (i = 0; i < n; i++) {
		(void)flag_word(word, sizeof(word), &rows[i]);
		printf("%s  %-*s   ", i == 0 ? "\n" : "", width, word);
		put_text(rows[i].text, (size_t)width + 5, (size_t)width + 5);
	}
}

static void
help_command(const struct command_row *row)
{
	const struct help_word *more = help_word_find(row->name);
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
	const struct help_word *word;
	const struct command_row *row;
	struct option_name option;
	struct cause c = { NULL };

	if (name == NULL) {
		help_all();
		return 0;
	}
	word = help_word_find(name);
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

/* --- rmux completion ----------------------------------------------------------------- */

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

/* What the value of -t or -s of a command is, for the scripts. */
static const char *
value_kind(const struct command_row *row, char flag)
{
	if ((flag == 't' && (row->what & CMD_TFLAG) != 0) ||
	    (flag == 'c' && (row->what & CMD_CFLAG) != 0))
		return "clients";
	if (flag == 't' && (row->target & TGT_KIND) != TGT_NONE)
		return "targets";
	if (flag == 's' && (row->source & TGT_KIND) != TGT_NONE)
		return "targets";
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

/* The part that bash and zsh (in bash's manner) share: case arms. */
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

static void
completion_bash(void)
{
	fputs(shell_common, stdout);
	printf("_rmux_commands='help completion doctor join");
	put_commands(" ");
	printf("'\n_rmux_options='");
	put_options();
	fputs("'\n\n"
	      "_rmux_words() {\n"
	      "\tmapfile -t COMPREPLY < <(compgen -W \"$1\" -- \"$cur\")\n"
	      "\t__ltrim_colon_completions \"$cur\" 2>/dev/null\n"
	      "}\n\n"
	      "_rmux_targets() {\n"
	      "\t_rmux_words \"$(_rmux_call list-sessions -F "
	      "'#{session_name}'; _rmux_call list-windows -a -F "
	      "'#{session_name}:#{window_index}')\"\n"
	      "}\n\n"
	      "_rmux_clients() {\n"
	      "\t_rmux_words \"$(_rmux_call list-clients -F "
	      "'#{client_name}')\"\n"
	      "}\n\n"
	      "_rmux_flags_of() {\n"
	      "\t_rmux_flags=\n"
	      "\tcase $1 in\n",
	    stdout);
	put_flag_cases();
	fputs("\tesac\n"
	      "}\n\n"
	      "_rmux() {\n"
	      "\tlocal cur prev words cword i name= _rmux_flags\n"
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
	      "\t\t-[fS]) mapfile -t COMPREPLY < <(compgen -f -- \"$cur\")"
	      "; return ;;\n"
	      "\t\t-[cHLT]) return ;;\n"
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
	      "\t\t_rmux_words \"$_rmux_options\" ;;\n"
	      "\tsource|source-file|load-buffer|loadb|save-buffer|saveb)\n"
	      "\t\tmapfile -t COMPREPLY < <(compgen -f -- \"$cur\") ;;\n"
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

static void
completion_zsh(void)
{
	const struct command_row *row;
	char *text, *quoted;
	size_t i;

	fputs("#compdef rmux\n"
	      "# Made by `rmux completion` from the table of commands.\n\n"
	      "_rmux_targets() {\n"
	      "\tlocal -a all\n"
	      "\tall=(${(f)\"$(rmux list-sessions -F '#{session_name}' "
	      "2>/dev/null)\"} ${(f)\"$(rmux list-windows -a -F "
	      "'#{session_name}:#{window_index}' 2>/dev/null)\"})\n"
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
	fputs(" )\n\n_rmux_commands=(\n\t'help:Describe a command or option'\n"
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
	      "'-f+:file:_files' '-c+:command: ' '-H+:host:_hosts' "
	      "'-T+:features: ' -2 -C -D -N -V -h -l -n -u -v "
	      "'1:command:->command' '*::argument:->argument'\n"
	      "\tcase $state in\n"
	      "\tcommand) _describe command _rmux_commands; return ;;\n"
	      "\tesac\n"
	      "\tcase $words[1] in\n",
	    stdout);
	for (i = 0; i < COMMAND_COUNT; i++) {
		row = command_row((enum command_id)i);
		printf("\t%s", row->name);
		if (row->alias != NULL)
			printf("|%s", row->alias);
		printf(") _arguments");
		each_flag(row, zsh_flag);
		printf(" '*:argument:%s' ;;\n",
		    strncmp(row->name, "set-", 4) == 0 ||
			    strncmp(row->name, "show-", 5) == 0
			? "compadd -a _rmux_options"
			: "_files");
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
	      "setw set-window-option show show-options set-hook' -a '",
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
} help_shells[] = {
	{ "bash", completion_bash },
	{ "zsh", completion_zsh },
	{ "fish", completion_fish },
};

int
help_completion(const char *shell)
{
	size_t i;

	for (i = 0; shell != NULL && i < ARRAY_LEN(help_shells); i++)
		if (strcmp(help_shells[i].name, shell) == 0) {
			help_shells[i].fn();
			return fflush(stdout) == 0 ? 0 : 1;
		}
	fputs("usage: rmux completion bash | zsh | fish\n", stderr);
	return 1;
}
