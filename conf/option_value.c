#include "config.h"

#include <string.h>

#include "base/bidi.h"
#include "base/mem.h"
#include "base/str.h"
#include "conf/args.h"
#include "conf/key_name.h"
#include "conf/match.h"
#include "conf/option_value.h"
#include "conf/style.h"

/* The operations of one type. */
struct option_type_ops {
	int (*parse)(const struct option_row *row, const char *text,
	    const struct option_value *old, const struct option_hooks *hooks,
	    struct option_value *out, struct cause *cause);
	void (*print)(const struct option_row *row,
	    const struct option_value *v, bool quote, struct buf *out);
};

/* Checks the text of a STRING or STYLE. */
static int
option_value_check(const struct option_row *row, const char *text,
    const struct option_hooks *hooks, struct cause *cause)
{
	struct style style;

	if (row == NULL)
		return 0;
	if ((row->flags & OPT_SHELL) && hooks != NULL &&
	    hooks->shell_ok != NULL && !hooks->shell_ok(hooks->arg, text))
		return cause_set(
		    cause, -ERR_SYNTAX, "not a suitable shell: %.256s", text);
	if (row->type == OPTION_STRING && row->choices != NULL &&
	    !match_glob(row->choices, text, 0))
		return cause_set(
		    cause, -ERR_SYNTAX, "value is invalid: %.256s", text);
	if (row->type != OPTION_STYLE || strstr(text, "#{") != NULL)
		return 0;
	style_init(&style);
	if (style_parse(&style, NULL, text, strlen(text)) != 0)
		return cause_set(
		    cause, -ERR_SYNTAX, "invalid style: %.256s", text);
	return 0;
}

static int
option_parse_string(const struct option_row *row, const char *text,
    const struct option_value *old, const struct option_hooks *hooks,
    struct option_value *out, struct cause *cause)
{
	int e;

	(void)old;
	if (strnlen(text, OPTION_VALUE_MAX + 1) > OPTION_VALUE_MAX)
		return cause_set(cause, -ERR_LIMIT, "value is too long");
	if ((e = option_value_check(row, text, hooks, cause)) != 0)
		return e;
	out->string = mem_strdup(text);
	return 0;
}

static void
option_print_string(const struct option_row *row, const struct option_value *v,
    bool quote, struct buf *out)
{
	(void)row;
	if (quote)
		cmd_quote(out, v->string);
	else
		(void)buf_add_str(out, v->string);
}

static int
option_parse_number(const struct option_row *row, const char *text,
    const struct option_value *old, const struct option_hooks *hooks,
    struct option_value *out, struct cause *cause)
{
	(void)old;
	(void)hooks;
	return args_text_number(text, row->min, row->max, &out->number, cause);
}

static void
option_print_number(const struct option_row *row, const struct option_value *v,
    bool quote, struct buf *out)
{
	(void)row;
	(void)quote;
	(void)buf_addf(out, "%lld", (long long)v->number);
}

static int
option_parse_flag(const struct option_row *row, const char *text,
    const struct option_value *old, const struct option_hooks *hooks,
    struct option_value *out, struct cause *cause)
{
	(void)hooks;
	if (text == NULL || *text == '\0')
		out->number = old == NULL || old->number == 0;
	else if (strcmp(text, "1") == 0 || str_eq_nocase(text, "on") ||
		 str_eq_nocase(text, "yes"))
		out->number = 1;
	else if (strcmp(text, "0") == 0 || str_eq_nocase(text, "off") ||
		 str_eq_nocase(text, "no"))
		out->number = 0;
	else
		return cause_set(cause, -ERR_SYNTAX, "bad value: %.256s", text);
	if (row != NULL && row->id == OPTION_BIDI && out->number != 0 &&
	    !bidi_have())
		return cause_set(cause, -ERR_UNSUPPORTED,
		    "bidi: this rmux was built without fribidi");
	return 0;
}

static void
option_print_flag(const struct option_row *row, const struct option_value *v,
    bool quote, struct buf *out)
{
	(void)row;
	(void)quote;
	(void)buf_add_str(out, v->number != 0 ? "on" : "off");
}

static int
option_parse_choice(const struct option_row *row, const char *text,
    const struct option_value *old, const struct option_hooks *hooks,
    struct option_value *out, struct cause *cause)
{
	int n;

	(void)hooks;
	if (text == NULL) {
		n = old == NULL ? 0 : (int)old->number;
		/* Only the first two choices toggle. */
		out->number = n < 2 ? !n : n;
		return 0;
	}
	if ((n = option_choice_find(row, text)) < 0)
		return cause_set(
		    cause, -ERR_SYNTAX, "unknown value: %.256s", text);
	out->number = n;
	return 0;
}

static void
option_print_choice(const struct option_row *row, const struct option_value *v,
    bool quote, struct buf *out)
{
	char text[64];

	(void)quote;
	(void)buf_add_str(
	    out, option_choice_text(row, v->number, text, sizeof text));
}

static int
option_parse_key(const struct option_row *row, const char *text,
    const struct option_value *old, const struct option_hooks *hooks,
    struct option_value *out, struct cause *cause)
{
	(void)row;
	(void)old;
	(void)hooks;
	/* As in tmux, the character DEL is shown as C-?, but has no Ctrl. */
	if (strcmp(text, "\177") == 0)
		out->key = 0x7f;
	else if (key_name_parse(text, &out->key) != 0)
		return cause_set(cause, -ERR_SYNTAX, "bad key: %.256s", text);
	return 0;
}

static void
option_print_key(const struct option_row *row, const struct option_value *v,
    bool quote, struct buf *out)
{
	char name[KEY_NAME_MAX];

	(void)row;
	key_name_format(v->key, name, sizeof name);
	if (quote)
		cmd_quote(out, name);
	else
		(void)buf_add_str(out, name);
}

static int
option_parse_colour(const struct option_row *row, const char *text,
    const struct option_value *old, const struct option_hooks *hooks,
    struct option_value *out, struct cause *cause)
{
	const bool needed = (row->flags & OPT_COLOUR) != 0;

	(void)old;
	(void)hooks;
	if (!needed && (*text == '\0' || strstr(text, "#{") != NULL))
		out->colour = COLOUR_NONE;
	else if (style_colour_parse(text, &out->colour) != 0 ||
		 out->colour == COLOUR_NONE)
		return cause_set(cause, -ERR_SYNTAX, "%s colour: %.256s",
		    needed ? "bad" : "invalid", text);
	/* Most are shown as they were written; colour1 is not shown as red. */
	if (!needed)
		out->string = mem_strdup(text);
	else if (str_starts(text, "colo") &&
		 colour_kind(out->colour) == COLOUR_KIND_INDEX &&
		 (out->colour & 0xff) < 16)
		out->string = mem_printf("colour%u", out->colour & 0xff);
	return 0;
}

static void
option_print_colour(const struct option_row *row, const struct option_value *v,
    bool quote, struct buf *out)
{
	char name[64];

	if (v->string != NULL) {
		option_print_string(row, v, quote, out);
		return;
	}
	name[0] = '\0';
	if (v->colour != COLOUR_NONE)
		style_colour_format(v->colour, name, sizeof name);
	if (quote && name[0] != '#')
		cmd_quote(out, name);
	else
		(void)buf_add_str(out, name);
}

/* Commands in values are parsed with the caller's hooks; errors go to the cause. */
struct option_command {
	const struct parser_hooks *outer; /* or NULL */
	struct cause first;
};

static void
option_command_error(
    void *arg, const char *file, unsigned line, const char *text)
{
	struct option_command *c = arg;

	(void)file;
	(void)line;
	cause_set(&c->first, -ERR_SYNTAX, "%s", text);
}

static const char *
option_command_variable(void *arg, const char *name)
{
	const struct option_command *c = arg;

	return c->outer->variable(c->outer->arg, name);
}

static const char *
option_command_home(void *arg, const char *user)
{
	const struct option_command *c = arg;

	return c->outer->home(c->outer->arg, user);
}

static char *
option_command_expand(void *arg, const char *format)
{
	const struct option_command *c = arg;

	return c->outer->expand(c->outer->arg, format);
}

static void
option_command_assign(
    void *arg, const char *name, const char *value, bool hidden)
{
	const struct option_command *c = arg;

	c->outer->assign(c->outer->arg, name, value, hidden);
}

static const char *
option_command_alias(void *arg, const char *name)
{
	const struct option_command *c = arg;

	return c->outer->alias(c->outer->arg, name);
}

static int
option_parse_command(const struct option_row *row, const char *text,
    const struct option_value *old, const struct option_hooks *hooks,
    struct option_value *out, struct cause *cause)
{
	struct option_command c = { .outer = NULL };
	struct parser_hooks parser = {
		.arg = &c, .error = option_command_error, .one_group = true
	};
	struct cmdlist *list;
	int e;

	(void)row;
	(void)old;
	if (hooks != NULL && (c.outer = hooks->parser) != NULL) {
		if (c.outer->variable != NULL)
			parser.variable = option_command_variable;
		if (c.outer->home != NULL)
			parser.home = option_command_home;
		if (c.outer->expand != NULL)
			parser.expand = option_command_expand;
		if (c.outer->assign != NULL)
			parser.assign = option_command_assign;
		if (c.outer->alias != NULL)
			parser.alias = option_command_alias;
	}
	e = parser_parse(text, strlen(text), NULL, 1, &parser, &list);
	if (e != 0) {
		cause_set(cause, e, "%s", cause_text(&c.first));
		cmdlist_unref(list);
	} else
		out->commands = list;
	cause_fini(&c.first);
	return e;
}

static void
option_print_command(const struct option_row *row, const struct option_value *v,
    bool quote, struct buf *out)
{
	(void)row;
	(void)quote;
	cmdlist_print(v->commands, 0, out);
}

static const struct option_type_ops option_ops[] = {
	[OPTION_STRING] = { option_parse_string, option_print_string },
	[OPTION_STYLE] = { option_parse_string, option_print_string },
	[OPTION_NUMBER] = { option_parse_number, option_print_number },
	[OPTION_FLAG] = { option_parse_flag, option_print_flag },
	[OPTION_CHOICE] = { option_parse_choice, option_print_choice },
	[OPTION_KEY] = { option_parse_key, option_print_key },
	[OPTION_COLOUR] = { option_parse_colour, option_print_colour },
	[OPTION_COMMAND] = { option_parse_command, option_print_command },
};

_Static_assert(ARRAY_LEN(option_ops) == OPTION_TYPE_COUNT, "all types");

static const struct option_type_ops *
option_type_ops(const struct option_row *row)
{
	return &option_ops[row == NULL ? OPTION_STRING : row->type];
}

int
option_value_parse(const struct option_row *row, const char *text,
    const struct option_value *old, const struct option_hooks *hooks,
    struct option_value *out, struct cause *cause)
{
	memset(out, 0, sizeof *out);
	if (text == NULL && (row == NULL || (row->type != OPTION_FLAG &&
						row->type != OPTION_CHOICE)))
		return cause_set(cause, -ERR_SYNTAX, "empty value");
	return option_type_ops(row)->parse(row, text, old, hooks, out, cause);
}

void
option_value_fini(struct option_value *v)
{
	mem_free(v->string);
	cmdlist_unref(v->commands);
	v->string = NULL;
	v->commands = NULL;
}

void
option_value_print(const struct option_row *row, const struct option_value *v,
    bool quote, struct buf *out)
{
	option_type_ops(row)->print(row, v, quote, out);
}
