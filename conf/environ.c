#include "config.h"

#include <string.h>

#include "base/mem.h"
#include "conf/environ.h"
#include "conf/match.h"

void
environ_init(struct environ *env)
{
	map_init_names(&env->vars);
}

static void
environ_var_free(struct environ_var *v)
{
	if (v == NULL)
		return;
	mem_free(v->value);
	mem_free(v);
}

void
environ_fini(struct environ *env)
{
	struct map_entry *e;

	MAP_FOREACH(e, &env->vars)
		environ_var_free(e->value);
	map_fini(&env->vars);
}

int
environ_set(struct environ *env, const char *name, const char *value,
    bool hidden, struct cause *cause)
{
	struct environ_var *v;

	if (value != NULL &&
	    strnlen(value, ENVIRON_VALUE_MAX + 1) > ENVIRON_VALUE_MAX)
		return cause_set(cause, -ERR_LIMIT, "value is too long");
	v = map_get(&env->vars, name);
	if (v == NULL) {
		if (env->vars.count >= ENVIRON_MAX)
			return cause_set(cause, -ERR_LIMIT, "over %d variables",
			    ENVIRON_MAX);
		v = mem_zalloc(sizeof *v);
		(void)map_set(&env->vars, name, v);
	}
	mem_free(v->value);
	v->value = value == NULL ? NULL : mem_strdup(value);
	v->hidden = hidden;
	return 0;
}

void
environ_put(struct environ *env, const char *text)
{
	const char *eq = strchr(text, '=');
	char *name;

	if (eq == NULL || eq == text)
		return;
	name = mem_strndup(text, (size_t)(eq - text));
	(void)environ_set(env, name, eq + 1, false, NULL);
	mem_free(name);
}

void
environ_unset(struct environ *env, const char *name)
{
	environ_var_free(map_remove(&env->vars, name));
}

const struct environ_var *
environ_find(const struct environ *env, const char *name)
{
	return map_get(&env->vars, name);
}

const char *
environ_get(const struct environ *env, const char *name)
{
	const struct environ_var *v = environ_find(env, name);

	return v == NULL ? NULL : v->value;
}

void
environ_copy(struct environ *env, const struct environ *from)
{
	const struct environ_var *v;
	const struct map_entry *e;

	MAP_FOREACH(e, &from->vars) {
		v = e->value;
		(void)environ_set(env, e->name, v->value, v->hidden, NULL);
	}
}

void
environ_update(struct environ *env, const struct environ *client,
    const struct option_entry *patterns)
{
	const struct environ_var *v;
	const struct map_entry *e;
	const char *pattern;
	bool found;
	size_t i;

	for (i = 0; patterns != NULL && i < patterns->count; i++) {
		pattern = patterns->items[i].value.string;
		found = false;
		MAP_FOREACH(e, &client->vars) {
			v = e->value;
			if (!match_glob(pattern, e->name, 0))
				continue;
			(void)environ_set(env, e->name, v->value, false, NULL);
			found = true;
		}
		if (!found && *pattern != '\0')
			(void)environ_set(env, pattern, NULL, false, NULL);
	}
}

void
environ_spawn(struct environ *out, const struct environ *global,
    const struct environ *session)
{
	const struct environ_var *v;
	const struct map_entry *e;
	size_t i;

	environ_copy(out, global);
	if (session != NULL)
		environ_copy(out, session);
	for (i = out->vars.count; i > 0; i--) {
		e = &out->vars.entries[i - 1];
		v = e->value;
		if (v->hidden || v->value == NULL)
			environ_var_free(map_remove(&out->vars, e->name));
	}
}

int
environ_request_set(struct environ *env, const char *name, const char *value,
    unsigned flags, struct cause *cause)
{
	const struct environ_var *old;

	if (*name == '\0')
		return cause_set(cause, -ERR_SYNTAX, "empty variable name");
	if (strchr(name, '=') != NULL)
		return cause_set(
		    cause, -ERR_SYNTAX, "variable name contains =");
	if (value != NULL && (flags & (ENVIRON_UNSET | ENVIRON_REMOVE)))
		return cause_set(cause, -ERR_SYNTAX,
		    "can't specify a value with -%c",
		    (flags & ENVIRON_UNSET) ? 'u' : 'r');
	if (flags & ENVIRON_UNSET) {
		environ_unset(env, name);
		return 0;
	}
	if (flags & ENVIRON_REMOVE) {
		old = environ_find(env, name);
		return environ_set(
		    env, name, NULL, old != NULL && old->hidden, cause);
	}
	if (value == NULL)
		return cause_set(cause, -ERR_SYNTAX, "no value specified");
	return environ_set(
	    env, name, value, (flags & ENVIRON_HIDDEN) != 0, cause);
}

/* Prints VALUE for use inside double quotes of a shell. */
static void
environ_print_quoted(struct buf *out, const char *value)
{
	for (; *value != '\0'; value++) {
		if (strchr("$`\"\\", *value) != NULL)
			(void)buf_add_u8(out, '\\');
		(void)buf_add_u8(out, (uint8_t)*value);
	}
}

static void
environ_print(const char *name, const struct environ_var *v, unsigned flags,
    struct buf *out)
{
	if (v->hidden != ((flags & ENVIRON_HIDDEN) != 0))
		return;
	if ((flags & ENVIRON_SHELL) == 0) {
		if (v->value == NULL)
			(void)buf_addf(out, "-%s\n", name);
		else
			(void)buf_addf(out, "%s=%s\n", name, v->value);
	} else if (v->value == NULL)
		(void)buf_addf(out, "unset %s;\n", name);
	else {
		(void)buf_addf(out, "%s=\"", name);
		environ_print_quoted(out, v->value);
		(void)buf_addf(out, "\"; export %s;\n", name);
	}
}

int
environ_request_show(const struct environ *env, const char *name,
    unsigned flags, struct buf *out, struct cause *cause)
{
	const struct environ_var *v;
	const struct map_entry *e;

	if (name == NULL) {
		MAP_FOREACH(e, &env->vars)
			environ_print(e->name, e->value, flags, out);
		return 0;
	}
	if ((v = environ_find(env, name)) == NULL)
		return cause_set(
		    cause, -ERR_NOTFOUND, "unknown variable: %.256s", name);
	environ_print(name, v, flags, out);
	return 0;
}
