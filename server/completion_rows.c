#include "server/completion_rows.h"

#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "conf/option_table.h"
#include "mux/layout_preset.h"

void
completion_rows_each_flag(
    const struct command_row *row, completion_rows_flag_fn fn)
{
	const char *p;

	for (p = row->spec; *p != '\0'; p++)
		if (*p != ':')
			fn(row, *p, p[1] == ':' && p[2] != ':');
}

const char *
completion_rows_client_value(enum client_value value)
{
	static const char *const kinds[] = { [CLIENT_VALUE_FILE] = "files",
		[CLIENT_VALUE_HOST] = "hosts",
		[CLIENT_VALUE_FILE_OR_HOST] = "files_or_hosts",
		[CLIENT_VALUE_PANE] = "panes" };

	return (size_t)value < ARRAY_LEN(kinds) ? kinds[value] : NULL;
}

void
completion_rows_put_options(void)
{
	size_t i;

	for (i = 0; i < OPTION_COUNT; i++)
		printf(" %s", option_row((enum option_id)i)->name);
}

/*
 * Prints the values of an option that has a choice, each behind BETWEEN, or
 * nothing.
 */
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

void
completion_rows_put_choice_cases(
    const char *head, const char *middle, const char *tail)
{
	const struct option_row *row;
	size_t i;

	for (i = 0; i < OPTION_COUNT; i++) {
		row = option_row((enum option_id)i);
		if (row->type != OPTION_FLAG && row->type != OPTION_CHOICE)
			continue;
		printf("%s%s%s", head, row->name, middle);
		put_choices(row, " ");
		fputs(tail, stdout);
	}
}

void
completion_rows_put_layouts(void)
{
	int i;

	for (i = 0; i < LAYOUT_PRESET_COUNT; i++)
		printf(" %s", layout_preset_name(i));
}

const char completion_rows_host_lines[] =
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

const char *
completion_rows_value(const struct command_row *row, char flag)
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
