#include "config.h"

#include <string.h>

#include "conf/args.h"
#include "conf/option_set.h"

static const struct {
	char flag;
	unsigned bit;
} option_set_flags[] = {
	{ 'a', OPTION_REQ_APPEND },
	{ 'g', OPTION_REQ_GLOBAL },
	{ 'o', OPTION_REQ_ONCE },
	{ 'p', OPTION_REQ_PANE },
	{ 'q', OPTION_REQ_QUIET },
	{ 's', OPTION_REQ_SERVER },
	{ 'u', OPTION_REQ_UNSET },
	{ 'U', OPTION_REQ_UNSET_PANES },
	{ 'v', OPTION_REQ_VALUE },
	{ 'w', OPTION_REQ_WINDOW },
	{ 'A', OPTION_REQ_INHERIT },
	{ 'H', OPTION_REQ_HOOKS },
};

unsigned
option_request_flags(const struct cmd *cmd)
{
	unsigned flags = 0;
	size_t i;

	for (i = 0; i < ARRAY_LEN(option_set_flags); i++) {
		if (args_has(cmd->args, option_set_flags[i].flag))
			flags |= option_set_flags[i].bit;
	}
	if (cmd->row->id == COMMAND_set_window_option ||
	    cmd->row->id == COMMAND_show_window_options)
		flags |= OPTION_REQ_WINDOW;
	if (cmd->row->id == COMMAND_set_hook)
		flags |= OPTION_REQ_ONLY_HOOKS;
	if (cmd->row->id == COMMAND_show_hooks)
		flags |= OPTION_REQ_HOOKS | OPTION_REQ_ONLY_HOOKS;
	return flags;
}

/* Returns TREE, or the message that WHAT does not exist or is not current. */
static int
option_scope_have(const struct option_trees *trees, struct options *tree,
    const char *what, struct options **out, struct cause *cause)
{
	*out = tree;
	if (tree != NULL)
		return 0;
	if (trees->target != NULL)
		return cause_set(cause, -ERR_NOTFOUND, "no such %s: %.256s",
		    what, trees->target);
	return cause_set(cause, -ERR_NOTFOUND, "no current %s", what);
}

int
option_scope_find(const struct option_trees *trees,
    const struct option_row *row, unsigned flags, struct options **out,
    struct cause *cause)
{
	unsigned scope;

	if (row != NULL)
		scope = row->scope;
	else if (flags & OPTION_REQ_SERVER)
		scope = OPT_SERVER;
	else if (flags & OPTION_REQ_PANE)
		scope = OPT_PANE;
	else if (flags & OPTION_REQ_WINDOW)
		scope = OPT_WINDOW;
	else
		scope = OPT_SESSION;
	if (scope & OPT_SERVER) {
		*out = trees->server;
		return 0;
	}
	if ((scope & OPT_PANE) && (flags & OPTION_REQ_PANE))
		return option_scope_have(
		    trees, trees->pane, "pane", out, cause);
	if (scope & OPT_SESSION) {
		if (flags & OPTION_REQ_GLOBAL) {
			*out = trees->global_session;
			return 0;
		}
		return option_scope_have(
		    trees, trees->session, "session", out, cause);
	}
	if (flags & OPTION_REQ_GLOBAL) {
		*out = trees->global_window;
		return 0;
	}
	return option_scope_have(trees, trees->window, "window", out, cause);
}

/* Tells whether -o finds the option or item set in TREE. */
static bool
option_already_set(const struct options *tree, const struct option_name *name)
{
	const struct option_entry *e = options_own(tree, name);

	if (e == NULL || name->index == OPTION_NO_INDEX)
		return e != NULL;
	return option_entry_named(e, name) != NULL;
}

static void
option_unset_panes(
    const struct option_trees *trees, const struct option_name *name)
{
	size_t i;

	for (i = 0; i < trees->pane_count; i++)
		options_unset(trees->panes[i], name);
}

/* Sets the text of a block as the value; its commands become one group. */
static int
option_set_block(struct options *tree, const struct option_name *name,
    struct cmdlist *commands, bool append, const struct option_hooks *hooks,
    struct cause *cause)
{
	struct buf text;
	int r;

	buf_init(&text, OPTION_VALUE_MAX);
	cmdlist_print(commands, 0, &text);
	if (text.overflow)
		r = cause_set(cause, -ERR_LIMIT, "value is too long");
	else
		r = options_set(
		    tree, name, buf_cstr(&text), append, hooks, cause);
	buf_fini(&text);
	return r;
}

int
option_request_set(const struct option_trees *trees, unsigned flags,
    const char *name, const char *text, struct cmdlist *commands,
    const struct option_hooks *hooks, const struct option_row **changed,
    struct cause *cause)
{
	bool append = (flags & OPTION_REQ_APPEND) != 0;
	bool quiet = (flags & OPTION_REQ_QUIET) != 0;
	bool unset = (flags & (OPTION_REQ_UNSET | OPTION_REQ_UNSET_PANES)) != 0;
	struct option_name n;
	struct options *tree;
	int r;

	*changed = NULL;
	/* set-hook accepts no name. */
	if (name == NULL)
		return cause_set(cause, -ERR_SYNTAX, "missing option name");
	if ((r = option_match(name, &n, quiet ? NULL : cause)) != 0)
		return quiet ? 0 : r;
	r = option_scope_find(trees, n.row, flags, &tree, quiet ? NULL : cause);
	if (r != 0)
		return quiet ? 0 : r;
	if (n.index != OPTION_NO_INDEX &&
	    (n.row == NULL || (n.row->flags & OPT_ARRAY) == 0))
		return cause_set(
		    cause, -ERR_TYPE, "not an array: %.256s", name);
	if (!unset && (flags & OPTION_REQ_ONCE) &&
	    option_already_set(tree, &n)) {
		if (quiet)
			return 0;
		return cause_set(
		    cause, -ERR_EXISTS, "already set: %.256s", name);
	}
	if ((flags & OPTION_REQ_UNSET_PANES) &&
	    (n.row == NULL ? (flags & OPTION_REQ_WINDOW) != 0
			   : (n.row->scope & OPT_WINDOW) != 0))
		option_unset_panes(trees, &n);
	if (unset)
		options_unset(tree, &n);
	else if (commands != NULL)
		r = option_set_block(tree, &n, commands, append, hooks, cause);
	else
		r = options_set(tree, &n, text, append, hooks, cause);
	if (r == 0 && (flags & OPTION_REQ_ONLY_HOOKS) != 0)
		options_mark_hook(tree, &n);
	if (r == 0)
		*changed = n.row;
	return r;
}

void
option_line_print(
    const struct option_line *line, unsigned flags, struct buf *out)
{
	const struct option_row *row = line->e->row;
	bool bare = (flags & OPTION_REQ_VALUE) != 0;
	bool text = row != NULL &&
		    (row->type == OPTION_STRING || row->type == OPTION_STYLE);
	char key[16];

	/* An empty array prints its name alone. */
	if (line->value == NULL && !line->has_index && bare)
		return;
	if (!bare) {
		(void)buf_add_str(out, row == NULL ? line->e->name : row->name);
		if (line->has_index)
			(void)buf_addf(out, "[%s]",
			    option_key_text(
				line->index, line->word, key, sizeof key));
		if (line->inherited && (line->value != NULL || line->has_index))
			(void)buf_add_u8(out, '*');
		if (line->value != NULL || line->has_index)
			(void)buf_add_u8(out, ' ');
	}
	if (line->value != NULL)
		option_value_print(row, line->value, !bare, out);
	else if (line->has_index && text && !bare)
		(void)buf_add_str(out, "''"); /* asked for, but missing */
	(void)buf_add_u8(out, '\n');
}

/* Calls FN for the lines of one entry: one, or one for each item. */
static void
option_entry_each(const struct option_entry *e, const struct option_name *name,
    bool inherited, option_line_fn fn, void *arg)
{
	bool all = name->index == OPTION_NO_INDEX, any = false;
	struct option_line line = { .e = e, .inherited = inherited };
	const struct option_value *only;
	size_t i;

	if (e->row == NULL || (e->row->flags & OPT_ARRAY) == 0) {
		line.value = &e->value;
		fn(arg, &line);
		return;
	}
	only = option_entry_named(e, name);
	for (i = 0; i < e->count; i++) {
		if (!all && &e->items[i].value != only)
			continue;
		line.value = &e->items[i].value;
		line.has_index = true;
		line.index = e->items[i].index;
		line.word = e->items[i].word;
		fn(arg, &line);
		any = true;
	}
	if (any)
		return;
	line.has_index = !all;
	line.index = name->index;
	line.word = name->word;
	fn(arg, &line);
}

static int
option_show_one(const struct option_trees *trees, unsigned flags,
    const char *name, option_line_fn fn, void *arg, struct cause *cause)
{
	bool quiet = (flags & OPTION_REQ_QUIET) != 0, inherited = false;
	const struct option_entry *e;
	struct option_name n;
	struct options *tree;
	int r;

	r = option_match(name, &n, cause);
	if (r == -ERR_NOTFOUND && cause != NULL) {
		/* tmux says this of a bad index, too. */
		cause_fini(cause);
		(void)cause_set(cause, r, "invalid option: %.256s", name);
	}
	if (r == 0)
		r = option_scope_find(trees, n.row, flags, &tree, cause);
	if (r != 0)
		return quiet ? 0 : r;
	e = options_own(tree, &n);
	if (e == NULL && (flags & OPTION_REQ_INHERIT)) {
		e = options_find(tree, &n);
		inherited = true;
	}
	if (e != NULL) {
		option_entry_each(e, &n, inherited, fn, arg);
		return 0;
	}
	if (n.row != NULL || quiet)
		return 0;
	return cause_set(cause, -ERR_NOTFOUND, "invalid option: %.256s", name);
}

/* Finds the tree and scope that show-options without a name prints. */
static int
option_show_tree(const struct option_trees *trees, unsigned flags,
    struct options **tree, unsigned *scope, struct cause *cause)
{
	if (flags & OPTION_REQ_SERVER)
		*scope = OPT_SERVER;
	else if (flags & (OPTION_REQ_WINDOW | OPTION_REQ_PANE))
		*scope = (flags & OPTION_REQ_PANE) ? OPT_PANE : OPT_WINDOW;
	else
		*scope = OPT_SESSION;
	return option_scope_find(trees, NULL, flags, tree, cause);
}

/* Calls FN for all @options of TREE. */
static void
option_show_user(const struct options *tree, option_line_fn fn, void *arg)
{
	struct option_name n = { .index = OPTION_NO_INDEX };
	const struct map_entry *m;

	MAP_FOREACH(m, &tree->user)
		option_entry_each(m->value, &n, false, fn, arg);
}

int
option_request_each(const struct option_trees *trees, unsigned flags,
    const char *name, option_line_fn fn, void *arg, struct cause *cause)
{
	struct option_name n = { .index = OPTION_NO_INDEX };
	const struct option_entry *e;
	enum option_id order[OPTION_COUNT];
	struct options *tree;
	unsigned scope, i;
	bool own;
	int r;

	if (name != NULL)
		return option_show_one(trees, flags, name, fn, arg, cause);
	r = option_show_tree(trees, flags, &tree, &scope, cause);
	if (r != 0)
		return (flags & OPTION_REQ_QUIET) ? 0 : r;
	option_show_user(tree, fn, arg);
	option_order(order);
	for (i = 0; i < OPTION_COUNT; i++) {
		n.row = option_row(order[i]);
		if ((n.row->scope & scope) == 0)
			continue;
		if (n.row->flags & OPT_HOOK) {
			if ((flags & OPTION_REQ_HOOKS) == 0)
				continue;
		} else if (flags & OPTION_REQ_ONLY_HOOKS)
			continue;
		e = options_own(tree, &n);
		own = e != NULL;
		if (!own && (flags & OPTION_REQ_INHERIT))
			e = options_find(tree, &n);
		if (e != NULL)
			option_entry_each(e, &n, !own, fn, arg);
	}
	return 0;
}
