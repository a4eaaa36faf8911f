#include "config.h"

#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "conf/cmdlist.h"

/* Longest text that cmdlist_print_new makes, in bytes. */
#define CMDLIST_PRINT_MAX ((size_t)1 << 20)

struct cmd_file *
cmd_file_new(const char *name)
{
	struct cmd_file *file;
	size_t n = strlen(name) + 1;

	file = mem_alloc(sizeof *file + n);
	file->refs = 1;
	memcpy(file->name, name, n);
	return file;
}

static struct cmd_file *
cmd_file_ref(struct cmd_file *file)
{
	if (file != NULL)
		file->refs++;
	return file;
}

void
cmd_file_unref(struct cmd_file *file)
{
	if (file != NULL && --file->refs == 0)
		mem_free(file);
}

const char *
cmd_file_name(const struct cmd *cmd)
{
	return cmd->file == NULL ? NULL : cmd->file->name;
}

void
args_value_fini(struct args_value *v)
{
	mem_free(v->text);
	cmdlist_unref(v->block);
	v->text = NULL;
	v->block = NULL;
}

void
args_value_copy(struct args_value *out, const struct args_value *v)
{
	out->text = v->text == NULL ? NULL : mem_strdup(v->text);
	out->block = v->block == NULL ? NULL : cmdlist_ref(v->block);
}

struct args *
args_new(void)
{
	return mem_zalloc(sizeof(struct args));
}

static void
args_values_free(struct args_value *values, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++)
		args_value_fini(&values[i]);
	mem_free(values);
}

void
args_free(struct args *args)
{
	size_t i;

	if (args == NULL)
		return;
	for (i = 0; i < args->flag_count; i++)
		args_values_free(args->flags[i].values, args->flags[i].count);
	mem_free(args->flags);
	args_values_free(args->values, args->count);
	mem_free(args);
}

struct cmd *
cmd_new(const struct command_row *row, struct args *args, struct cmd_file *file,
    unsigned line, unsigned group)
{
	struct cmd *cmd = mem_alloc(sizeof *cmd);

	cmd->row = row;
	cmd->args = args;
	cmd->file = cmd_file_ref(file);
	cmd->line = line;
	cmd->group = group;
	return cmd;
}

static void
cmd_free(struct cmd *cmd)
{
	if (cmd == NULL)
		return;
	args_free(cmd->args);
	cmd_file_unref(cmd->file);
	mem_free(cmd);
}

struct cmdlist *
cmdlist_new(void)
{
	struct cmdlist *list = mem_zalloc(sizeof *list);

	list->refs = 1;
	return list;
}

struct cmdlist *
cmdlist_ref(struct cmdlist *list)
{
	list->refs++;
	return list;
}

void
cmdlist_unref(struct cmdlist *list)
{
	size_t i;

	if (list == NULL || --list->refs > 0)
		return;
	for (i = 0; i < list->count; i++)
		cmd_free(list->cmds[i]);
	mem_free(list->cmds);
	mem_free(list);
}

static size_t
args_values_size(const struct args_value *values, size_t count)
{
	size_t i, n = count * sizeof(*values);

	for (i = 0; i < count; i++)
		n += values[i].text != NULL ? strlen(values[i].text) + 1
					    : cmdlist_size(values[i].block);
	return n;
}

size_t
cmdlist_size(const struct cmdlist *list)
{
	const struct args *a;
	size_t i, k, n = sizeof(*list) + list->cap * sizeof(*list->cmds);

	for (i = 0; i < list->count; i++) {
		a = list->cmds[i]->args;
		n += sizeof(*list->cmds[i]) + sizeof(*a) +
		     a->flag_count * sizeof(*a->flags) +
		     args_values_size(a->values, a->count);
		for (k = 0; k < a->flag_count; k++)
			n += args_values_size(
			    a->flags[k].values, a->flags[k].count);
	}
	return n;
}

void
cmdlist_append(struct cmdlist *list, struct cmd *cmd)
{
	if (list->count == list->cap) {
		list->cap = list->cap == 0 ? 2 : list->cap * 2;
		list->cmds = mem_resize(list->cmds, list->cap, sizeof(void *));
	}
	list->cmds[list->count++] = cmd;
	if (cmd->group > list->groups)
		list->groups = cmd->group;
}

/* Returns the letter of a one-letter escape, or 0. */
static int
cmd_quote_letter(unsigned char c)
{
	switch (c) {
	case '\n':
		return 'n';
	case '\r':
		return 'r';
	case '\t':
		return 't';
	default:
		return 0;
	}
}

/* Tells whether the "$" at P would begin a variable. */
static bool
cmd_quote_dollar(const char *p)
{
	return (p[1] >= 'a' && p[1] <= 'z') || (p[1] >= 'A' && p[1] <= 'Z') ||
	       p[1] == '_' || p[1] == '{';
}

/* Returns the bytes of the printable non-ASCII character at P, or 0. */
static size_t
cmd_quote_utf8(const char *p)
{
	uint32_t cp;
	size_t n;

	n = utf8_decode_final((const uint8_t *)p, strnlen(p, UTF8_MAX), &cp);
	if (n < 2 || cp < 0xa0 || cp == UTF8_REPLACEMENT)
		return 0;
	return n;
}

/* Tells whether C needs no escape in any kind of word. */
static bool
cmd_quote_plain(unsigned char c)
{
	return c >= 0x20 && c < 0x7f && c != '\\' && c != '$' && c != '"' &&
	       c != '~';
}

/* Writes the special byte or character at P; returns its number of bytes. */
static size_t
cmd_quote_one(struct buf *out, const char *p, bool first, char quote)
{
	int letter = cmd_quote_letter((unsigned char)*p);
	size_t n;

	if (letter != 0) {
		(void)buf_addf(out, "\\%c", letter);
		return 1;
	}
	if (*p == '\\' || (*p == '"' && quote == '"') || (*p == '~' && first) ||
	    (*p == '$' && cmd_quote_dollar(p))) {
		(void)buf_addf(out, "\\%c", *p);
		return 1;
	}
	if (*p == '$' || *p == '"' || *p == '~') {
		(void)buf_add_u8(out, (uint8_t)*p);
		return 1;
	}
	if ((n = cmd_quote_utf8(p)) != 0) {
		(void)buf_add(out, p, n);
		return n;
	}
	(void)buf_addf(out, "\\%03o", (unsigned char)*p);
	return 1;
}

/* Writes the inside of a word that stands in QUOTE (0 for none). */
static void
cmd_quote_body(struct buf *out, const char *s, char quote)
{
	const char *p = s, *run;

	while (*p != '\0') {
		for (run = p; cmd_quote_plain((unsigned char)*p); p++)
			;
		if (p > run)
			(void)buf_add(out, run, (size_t)(p - run));
		if (*p != '\0')
			p += cmd_quote_one(out, p, p == s, quote);
	}
}

/* Returns the quote that suits S best, or 0. */
static char
cmd_quote_choose(const char *s)
{
	const char *p;

	if (strpbrk(s, " #';${}%") != NULL)
		return '"';
	if (strchr(s, '"') == NULL)
		return 0;
	/* Single quotes allow no escapes. */
	for (p = s; *p != '\0'; p++) {
		if (*p != '"' && *p != '~' &&
		    !cmd_quote_plain((unsigned char)*p))
			return '"';
	}
	return '\'';
}

void
cmd_quote(struct buf *out, const char *s)
{
	char quote;

	if (*s == '\0') {
		(void)buf_add_str(out, "''");
		return;
	}
	quote = cmd_quote_choose(s);
	if (s[1] == '\0' && s[0] != ' ' && (quote != 0 || s[0] == '~'))
		(void)buf_addf(out, "\\%c", s[0]);
	else if (quote == '\'')
		(void)buf_addf(out, "'%s'", s);
	else if (quote != 0) {
		(void)buf_add_u8(out, (uint8_t)quote);
		cmd_quote_body(out, s, quote);
		(void)buf_add_u8(out, (uint8_t)quote);
	} else
		cmd_quote_body(out, s, 0);
}

/* Prints a value so that it parses back to the same value. */
static void
args_value_print(const struct args_value *v, struct buf *out)
{
	if (v->text != NULL) {
		cmd_quote(out, v->text);
		return;
	}
	(void)buf_add_str(out, "{ ");
	cmdlist_print(v->block, 0, out);
	(void)buf_add_str(out, " }");
}

/* Puts a blank between the text printed since START and the next word. */
static void
args_print_blank(struct buf *out, size_t start)
{
	if (out->len > start)
		(void)buf_add_u8(out, ' ');
}

/* Prints all flags without a value, as one word. */
static void
args_print_flags(const struct args *args, const struct command_row *row,
    struct buf *out, size_t start)
{
	bool first = true;
	unsigned times;
	size_t i;
	int value;

	for (i = 0; i < args->flag_count; i++) {
		if (!command_flag_value(row, args->flags[i].flag, &value) ||
		    value != 0)
			continue;
		if (first) {
			args_print_blank(out, start);
			(void)buf_add_u8(out, '-');
			first = false;
		}
		for (times = 0; times < args->flags[i].times; times++)
			(void)buf_add_u8(out, args->flags[i].flag);
	}
}

/* Tells whether the parser would take V for a flag. */
static bool
args_looks_like_flag(const struct args_value *v)
{
	return v->text != NULL && v->text[0] == '-' && v->text[1] != '\0';
}

/* Prints all flags with a value: -f value. */
static void
args_print_values(const struct args *args, const struct command_row *row,
    struct buf *out, size_t start)
{
	const struct args_flag *f;
	size_t i, j;
	int value;

	for (i = 0; i < args->flag_count; i++) {
		f = &args->flags[i];
		value = 0;
		(void)command_flag_value(row, f->flag, &value);
		for (j = 0; j < f->count; j++) {
			args_print_blank(out, start);
			(void)buf_addf(out, "-%c", f->flag);
			/* Such a value must follow its flag directly. */
			if (value != 2 ||
			    !args_looks_like_flag(&f->values[j]) ||
			    (f->values[j].text[1] >= '0' &&
				f->values[j].text[1] <= '9'))
				(void)buf_add_u8(out, ' ');
			args_value_print(&f->values[j], out);
		}
	}
}

/*
 * Prints flags that lack their optional value; returns false if there are none.
 */
static bool
args_print_bare(const struct args *args, const struct command_row *row,
    struct buf *out, size_t start)
{
	const struct args_flag *f;
	bool any = false;
	size_t i, times;
	int value;

	for (i = 0; i < args->flag_count; i++) {
		f = &args->flags[i];
		if (!command_flag_value(row, f->flag, &value) || value != 2)
			continue;
		for (times = f->count; times < f->times; times++) {
			args_print_blank(out, start);
			(void)buf_addf(out, "-%c", f->flag);
			any = true;
		}
	}
	return any;
}

/* Prints flags and arguments without a leading blank. */
static void
args_print(
    const struct args *args, const struct command_row *row, struct buf *out)
{
	size_t i, start = out->len, end;
	bool bare;

	args_print_flags(args, row, out, start);
	bare = args_print_bare(args, row, out, start);
	end = out->len;
	args_print_values(args, row, out, start);
	/* As tmux: "--" ends a flag that lacks its optional value. */
	if ((bare && out->len == end) ||
	    (args->count > 0 && args_looks_like_flag(&args->values[0]))) {
		args_print_blank(out, start);
		(void)buf_add_str(out, "--");
	}
	for (i = 0; i < args->count; i++) {
		args_print_blank(out, start);
		args_value_print(&args->values[i], out);
	}
}

void
cmd_print(const struct cmd *cmd, struct buf *out)
{
	size_t before;

	(void)buf_add_str(out, cmd->row->name);
	(void)buf_add_u8(out, ' ');
	before = out->len;
	args_print(cmd->args, cmd->row, out);
	if (out->len == before && !out->overflow)
		buf_truncate(out, before - 1);
}

void
cmdlist_print(const struct cmdlist *list, unsigned flags, struct buf *out)
{
	const char *sep;
	bool same;
	size_t i;

	for (i = 0; i < list->count && !out->overflow; i++) {
		if (i > 0) {
			same = list->cmds[i]->group == list->cmds[i - 1]->group;
			/* As in tmux 3.8, words of a shell show no groups. */
			if (flags & CMDLIST_ESCAPED)
				sep = " \\; ";
			else if (same)
				sep = " ; ";
			else
				sep = (flags & CMDLIST_LINES) ? "\n" : " ;; ";
			(void)buf_add_str(out, sep);
		}
		cmd_print(list->cmds[i], out);
	}
	if (list->count > 0 && (flags & CMDLIST_LINES))
		(void)buf_add_u8(out, '\n');
}

char *
cmdlist_print_new(const struct cmdlist *list, unsigned flags)
{
	struct buf out;
	char *text;

	buf_init(&out, CMDLIST_PRINT_MAX);
	cmdlist_print(list, flags, &out);
	text = buf_steal(&out, NULL);
	buf_fini(&out);
	return text;
}
