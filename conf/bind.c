#include "conf/bind.h"

#include <string.h>

#include "base/mem.h"
#include "conf/key_name.h"

static void *
bind_ref(void *commands)
{
	return cmdlist_ref(commands);
}

static void
bind_unref(void *commands)
{
	cmdlist_unref(commands);
}

static void
bind_print(const void *commands, struct buf *out)
{
	cmdlist_print(commands, CMDLIST_ESCAPED, out);
}

static size_t
bind_size(const void *commands)
{
	return cmdlist_size(commands);
}

const struct keytable_ops bind_ops = { bind_ref, bind_unref, bind_print,
	bind_size };

/* Parses argument I as the name of a key. */
static int
bind_key(const struct args *args, size_t i, key_code *key, struct cause *cause)
{
	const char *name = args_string(args, i);

	if (name == NULL)
		return cause_set(cause, -ERR_SYNTAX, "missing key");
	if (key_name_parse(name, key) != 0 || *key == KEY_NONE)
		return cause_set(cause, -ERR_SYNTAX, "unknown key: %s", name);
	return 0;
}

const char *
bind_table(const struct args *args)
{
	const char *name = args_get(args, 'T');

	if (name != NULL)
		return name;
	return args_has(args, 'n') ? "root" : "prefix";
}

/* Keeps the first error of a parse. */
static void
bind_error(void *arg, const char *file, unsigned line, const char *text)
{
	(void)file;
	(void)line;
	(void)cause_set(arg, -ERR_SYNTAX, "%s", text);
}

/* Returns the commands after the key: a block, a text to parse, or words. */
static int
bind_commands(const struct args *args, const struct parser_hooks *hooks,
    struct cmdlist **out, struct cause *cause)
{
	struct parser_hooks own = { .arg = NULL };
	int r;

	if (args->count == 2 && args_block(args, 1) != NULL) {
		*out = cmdlist_ref(args_block(args, 1));
		return 0;
	}
	if (hooks != NULL)
		own = *hooks;
	/* Without the caller's error hook, the first error goes to CAUSE. */
	if (own.error == NULL) {
		own.arg = cause;
		own.error = bind_error;
		own.variable = NULL;
		own.home = NULL;
		own.expand = NULL;
		own.assign = NULL;
		own.alias = NULL;
	}
	own.one_group = true;
	if (args->count == 2)
		r = parser_parse(args->values[1].text,
		    strlen(args->values[1].text), NULL, 1, &own, out);
	else
		r = parser_words(
		    args->values + 1, args->count - 1, NULL, 0, &own, out);
	if (r != 0) {
		cmdlist_unref(*out);
		*out = NULL;
		(void)cause_set(cause, r, "bad commands for a key");
	}
	return r;
}

int
bind_run(struct keytables *set, const struct args *args,
    const struct parser_hooks *hooks, struct cause *cause)
{
	struct cmdlist *commands = NULL;
	key_code key;
	int r;

	if ((r = bind_key(args, 0, &key, cause)) != 0)
		return r;
	if (args->count > 1 &&
	    (r = bind_commands(args, hooks, &commands, cause)) != 0)
		return r;
	r = keytables_bind(set, bind_table(args), key, args_has(args, 'r') > 0,
	    args_get(args, 'N'), commands);
	if (r == -ERR_NOTFOUND)
		/* A note alone for an unbound key is no error, as in tmux. */
		return 0;
	if (r != 0) {
		cmdlist_unref(commands);
		return cause_set(cause, r, "too many key bindings");
	}
	return 0;
}

int
bind_unbind(struct keytables *set, const struct args *args, struct cause *cause)
{
	const char *name = bind_table(args);
	bool quiet = args_has(args, 'q') > 0;
	int r = -ERR_NOTFOUND;
	key_code key;

	if (args_has(args, 'a')) {
		if (args->count > 0)
			return quiet ? 0
				     : cause_set(cause, -ERR_SYNTAX,
					   "key given with -a");
		if (keytable_exists(keytables_find(set, name)))
			r = keytables_unbind_all(set, name);
	} else {
		if ((r = bind_key(args, 0, &key, quiet ? NULL : cause)) != 0)
			return quiet ? 0 : r;
		r = -ERR_NOTFOUND;
		if (!args_has(args, 'T') ||
		    keytable_exists(keytables_find(set, name))) {
			(void)keytables_unbind(set, name, key);
			return 0;
		}
	}
	if (r != 0 && !quiet)
		return cause_set(cause, r, "table %s doesn't exist", name);
	return 0;
}

int
bind_load_defaults(struct keytables *set, struct cause *cause)
{
	struct parser_hooks hooks = { .arg = cause, .error = bind_error };
	struct cmdlist *list;
	size_t i;
	int r;

	/* Errors in built-in text name no file: users cannot edit it. */
	r = parser_parse(
	    bind_default_text, bind_default_len, NULL, 1, &hooks, &list);
	for (i = 0; r == 0 && i < list->count; i++) {
		if (strcmp(list->cmds[i]->row->name, "bind-key") != 0)
			r = cause_set(cause, -ERR_TYPE, "only bind-key here");
		else
			r = bind_run(set, list->cmds[i]->args, NULL, cause);
		if (r != 0)
			cause_prefix(
			    cause, "default.conf:%u", list->cmds[i]->line);
	}
	cmdlist_unref(list);
	if (r == 0)
		keytables_set_defaults(set);
	return r;
}
