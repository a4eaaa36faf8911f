#include "conf/me.h"

#include <stdarg.h>
#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "conf/bind.h"
#include "conf/key_name.h"
#include "conf/option_set.h"
#include "conf/parser.h"

#define ME_NAME "me.conf"

struct me {
	const struct me_target *to;
	struct buf *out;
	unsigned errors;
	/* Rows of the commands: their -C has no value. */
	struct command_row set;
	struct command_row bind;
	struct command_row unbind;
};

static void PRINTF_LIKE(3, 4)
    me_error(struct me *me, unsigned line, const char *fmt, ...)
{
	va_list ap;
	char *text, *p;

	if (++me->errors > ME_ERRORS_MAX)
		return;
	va_start(ap, fmt);
	text = mem_vprintf(fmt, ap);
	va_end(ap);
	/* A word may have control characters by its escapes. */
	for (p = text; *p != '\0'; p++)
		if ((unsigned char)*p < 0x20 || *p == 0x7f)
			*p = '?';
	(void)buf_addf(me->out, "%s:%u: %s\n", ME_NAME, line, text);
	mem_free(text);
}

/* --- parsing ------------------------------------------------------------------- */

static void
me_parse_error(
    void *arg, UNUSED const char *file, unsigned line, const char *text)
{
	me_error(arg, line, "%s", text);
}

static int
me_row(void *arg, const struct command_row **row, struct cause *why)
{
	struct me *me = arg;

	switch ((*row)->id) {
	case COMMAND_set_option:
		*row = &me->set;
		return 0;
	case COMMAND_bind_key:
		*row = &me->bind;
		return 0;
	case COMMAND_unbind_key:
		*row = &me->unbind;
		return 0;
	default:
		return cause_set(why, -ERR_DENIED,
		    "%s is not possible here: only set-option, bind-key and "
		    "unbind-key are",
		    (*row)->name);
	}
}

static const char *
me_alias(void *arg, const char *name)
{
	const struct me *me = arg;

	return me->to->alias(me->to->arg, name);
}

/* --- what a value may be --------------------------------------------------------- */

/*
 * security: the name of a key table gets into formats, and into lists that others
 * read.
 */
static bool
me_is_table(const char *name)
{
	const char *p;

	for (p = name; *p != '\0'; p++)
		if (!(*p >= 'a' && *p <= 'z') && !(*p >= 'A' && *p <= 'Z') &&
		    !(*p >= '0' && *p <= '9') && *p != '-' && *p != '_')
			return false;
	return p > name && (size_t)(p - name) <= ME_TABLE_MAX;
}

/* Whether TEXT has no control characters but tabs. */
static bool
me_is_plain(const char *text, size_t n)
{
	const unsigned char *p = (const unsigned char *)text;
	size_t i;

	for (i = 0; i < n; i++)
		if ((p[i] < 0x20 && p[i] != '\t') || p[i] == 0x7f ||
		    (p[i] == 0xc2 && i + 1 < n && p[i + 1] < 0xa0))
			return false;
	return utf8_valid(text, n);
}

/* Returns the first flag of ARGS that is not in ALLOWED, or 0. */
static int
me_other_flag(const struct args *args, const char *allowed)
{
	size_t i;

	for (i = 0; i < args->flag_count; i++)
		if (strchr(allowed, args->flags[i].flag) == NULL)
			return args->flags[i].flag;
	return 0;
}

/* --- commands ------------------------------------------------------------------ */

static void
me_set(struct me *me, const struct cmd *cmd)
{
	static const struct option_hooks none = { .parser = NULL };
	const struct option_trees trees = { .session = me->to->options };
	const char *name = args_string(cmd->args, 0);
	const char *value = args_string(cmd->args, 1);
	const struct option_row *changed;
	struct cause why = { NULL };
	struct option_name found;
	int flag = me_other_flag(cmd->args, "Cq");

	if (flag != 0)
		me_error(me, cmd->line,
		    "set-option -%c is not possible here: write set-option "
		    "name value",
		    flag);
	else if (name == NULL || (cmd->args->count > 1 && value == NULL))
		me_error(me, cmd->line, "set-option takes no { } here");
	else if (option_match(name, &found, &why) != 0)
		me_error(me, cmd->line, "%.512s", cause_text(&why));
	else if (found.row == NULL || (found.row->flags & OPT_PERSON) == 0)
		me_error(me, cmd->line,
		    "%.256s cannot be a client's own: set it in the "
		    "configuration of the server",
		    name);
	else if (found.row->id == OPTION_KEY_TABLE && value != NULL &&
		 !me_is_table(value))
		me_error(me, cmd->line,
		    "a key table's name has letters, digits, - and _, at most "
		    "%u",
		    ME_TABLE_MAX);
	else if (option_request_set(
		     &trees, 0, name, value, NULL, &none, &changed, &why) != 0)
		me_error(me, cmd->line, "%.512s", cause_text(&why));
	cause_fini(&why);
}

/* Checks what bind-key and unbind-key have in common. */
static bool
me_keys_ok(struct me *me, const struct cmd *cmd)
{
	const char *note = args_get(cmd->args, 'N');

	if (!me_is_table(bind_table(cmd->args))) {
		me_error(me, cmd->line,
		    "a key table's name has letters, digits, - and _, at most "
		    "%u",
		    ME_TABLE_MAX);
		return false;
	}
	if (note != NULL &&
	    (strlen(note) > ME_NOTE_MAX || !me_is_plain(note, strlen(note)))) {
		me_error(me, cmd->line,
		    "a note is one line of at most %u bytes", ME_NOTE_MAX);
		return false;
	}
	return true;
}

/* The parse of a binding's commands: its first error. */
struct me_nested {
	struct cause why;
	const struct me *me;
};

static void
me_nested_error(
    void *arg, UNUSED const char *file, UNUSED unsigned line, const char *text)
{
	struct me_nested *nested = arg;

	if (*cause_text(&nested->why) == '\0')
		(void)cause_set(&nested->why, -ERR_SYNTAX, "%s", text);
}

static const char *
me_nested_alias(void *arg, const char *name)
{
	const struct me_nested *nested = arg;

	return nested->me->to->alias(nested->me->to->arg, name);
}

static bool
me_words_ok(const struct args_value *values, size_t count)
{
	size_t i;
	const char *p;

	for (i = 0; i < count; i++) {
		if (values[i].text == NULL)
			return false;
		for (p = values[i].text; *p != '\0'; p++)
			if (!(*p >= 'a' && *p <= 'z') &&
			    !(*p >= 'A' && *p <= 'Z') &&
			    !(*p >= '0' && *p <= '9') &&
			    strchr("-_.:%@+=!{}~^", *p) == NULL)
				return false;
	}
	return true;
}

/*
 * security: words of commands get into formats of hooks and into messages, and
 * from there into shell commands of the server's owner.
 */
static bool
me_list_ok(const struct cmdlist *list)
{
	const struct args *a;
	size_t i, k;

	for (i = 0; i < list->count; i++) {
		a = list->cmds[i]->args;
		if (!me_words_ok(a->values, a->count))
			return false;
		for (k = 0; k < a->flag_count; k++)
			if (!me_words_ok(a->flags[k].values, a->flags[k].count))
				return false;
	}
	return true;
}

/* Removes the binding that CMD has made, if it is not for a guest. */
static void
me_check_guest(struct me *me, const struct cmd *cmd)
{
	const char *name = bind_table(cmd->args);
	const struct keytable *t = keytables_find(me->to->keys, name);
	const struct keybinding *kb;
	key_code key;

	if (t == NULL || key_name_parse(args_string(cmd->args, 0), &key) != 0 ||
	    (kb = keytable_get(t, key)) == NULL || me_list_ok(kb->commands))
		return;
	(void)keytables_unbind(me->to->keys, name, key);
	me_error(me, cmd->line,
	    "a guest's commands have words of letters, digits and "
	    "-_.:%%@+=!{}~^ only");
}

static void
me_bind(struct me *me, const struct cmd *cmd)
{
	struct me_nested nested = { .me = me };
	const struct parser_hooks hooks = {
		.arg = &nested,
		.error = me_nested_error,
		.alias = me->to->alias == NULL ? NULL : me_nested_alias,
		.plain = true,
		.errors_max = 1,
	};
	struct cause why = { NULL };

	if (!me_keys_ok(me, cmd))
		return;
	if (bind_run(me->to->keys, cmd->args, &hooks, &why) == 0) {
		if (me->to->guest)
			me_check_guest(me, cmd);
	} else
		me_error(me, cmd->line, "%.512s",
		    *cause_text(&nested.why) != '\0' ? cause_text(&nested.why)
						     : cause_text(&why));
	cause_fini(&why);
	cause_fini(&nested.why);
}

static void
me_unbind(struct me *me, const struct cmd *cmd)
{
	struct cause why = { NULL };

	if (!me_keys_ok(me, cmd))
		return;
	if (keytables_find(me->to->keys, bind_table(cmd->args)) == NULL) {
		if (!args_has(cmd->args, 'q'))
			me_error(me, cmd->line,
			    "table %s has no keys of your own: unbind-key "
			    "removes only these",
			    bind_table(cmd->args));
	} else if (bind_unbind(me->to->keys, cmd->args, &why) != 0)
		me_error(me, cmd->line, "%.512s", cause_text(&why));
	cause_fini(&why);
}

/* --- the file ------------------------------------------------------------------- */

/* Whether TEXT is lines of UTF-8; else the error is told. */
static bool
me_text_ok(struct me *me, const char *text, size_t n)
{
	const char *p = text, *end = text + n, *nl;
	unsigned line;

	if (n > ME_BYTES_MAX) {
		me_error(me, 1, "longer than %u bytes: the file is not read",
		    ME_BYTES_MAX);
		return false;
	}
	for (line = 1; p < end; line++, p = nl + 1) {
		if (line > ME_LINES_MAX) {
			me_error(me, line,
			    "more than %u lines: the file is not read",
			    ME_LINES_MAX);
			return false;
		}
		nl = memchr(p, '\n', (size_t)(end - p));
		if (nl == NULL)
			nl = end;
		if (!me_is_plain(p, (size_t)(nl - p))) {
			me_error(me, line,
			    "not a line of UTF-8 text, or with control "
			    "characters: the file is not read");
			return false;
		}
	}
	return true;
}

/* Makes a row of the command ID whose -C has no value. */
static void
me_row_init(struct command_row *row, enum command_id id, const char *spec)
{
	*row = *command_row(id);
	row->spec = spec;
}

unsigned
me_load(const char *text, size_t n, const struct me_target *to, struct buf *out)
{
	struct me me = { .to = to, .out = out };
	const struct parser_hooks hooks = {
		.arg = &me,
		.error = me_parse_error,
		.alias = to->alias == NULL ? NULL : me_alias,
		.row = me_row,
		.plain = true,
		.errors_max = ME_ERRORS_MAX,
	};
	struct cmdlist *list;
	size_t i;

	if (!me_text_ok(&me, text, n))
		return me.errors;
	me_row_init(&me.set, COMMAND_set_option, "aCFgopqsuUwt:");
	me_row_init(&me.bind, COMMAND_bind_key, "nrCN:T:");
	me_row_init(&me.unbind, COMMAND_unbind_key, "anqCT:");
	(void)parser_parse(text, n, ME_NAME, 1, &hooks, &list);
	for (i = 0; i < list->count && me.errors < ME_ERRORS_MAX; i++) {
		if (list->cmds[i]->row == &me.set)
			me_set(&me, list->cmds[i]);
		else if (list->cmds[i]->row == &me.bind)
			me_bind(&me, list->cmds[i]);
		else
			me_unbind(&me, list->cmds[i]);
	}
	cmdlist_unref(list);
	return me.errors;
}
