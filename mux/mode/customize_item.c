/* What the items of customize-mode stand for. */
#include <string.h>

#include "base/mem.h"
#include "conf/cmdlist.h"
#include "conf/environ.h"
#include "conf/key_name.h"
#include "conf/keytable.h"
#include "mux/mode/customize_int.h"
#include "mux/session.h"
#include "mux/window.h"

struct customize *
customize_of(struct mode_list *l)
{
	return container_of(l, struct customize, list);
}

static const struct session *
customize_session(struct mode_list *l)
{
	return mux_session(l->mode.pane->mux, customize_of(l)->session);
}

static const struct options *
customize_global(const struct mux *m, unsigned section)
{
	switch (section) {
	case SECTION_SERVER:
		return &m->server_options;
	case SECTION_SESSION:
	case SECTION_SESSION_HOOKS:
		return &m->session_options;
	default:
		return &m->window_options;
	}
}

const struct options *
customize_options(
    struct mode_list *l, unsigned section, enum customize_place place)
{
	const struct session *s = customize_session(l);

	switch (place) {
	case PLACE_SESSION:
		return s == NULL ? NULL : &s->options;
	case PLACE_WINDOW:
		return &l->mode.pane->window->options;
	case PLACE_PANE:
		return &l->mode.pane->options;
	default:
		return customize_global(l->mode.pane->mux, section);
	}
}

enum customize_place
customize_inner(const struct mode_item *it, const struct option_name *name)
{
	switch (it->part[PART_SECTION]) {
	case SECTION_SERVER:
		return PLACE_GLOBAL;
	case SECTION_SESSION:
	case SECTION_SESSION_HOOKS:
		return PLACE_SESSION;
	default:
		return name->row != NULL && (name->row->scope & OPT_PANE) == 0
			   ? PLACE_WINDOW
			   : PLACE_PANE;
	}
}

bool
customize_option(
    struct mode_list *l, const struct mode_item *it, struct option_name *name)
{
	(void)l;
	return option_exact(it->name, name);
}

enum customize_place
customize_place(struct mode_list *l, const struct mode_item *it,
    const struct option_name *name)
{
	const enum customize_place inner = customize_inner(it, name);
	const struct options *o;
	enum customize_place at;

	for (at = inner; at != PLACE_GLOBAL; at--) {
		if (at == PLACE_SESSION && inner != PLACE_SESSION)
			break;
		o = customize_options(l, it->part[PART_SECTION], at);
		if (o != NULL && options_own(o, name) != NULL)
			return at;
	}
	return PLACE_GLOBAL;
}

char *
customize_value(
    struct mode_list *l, const struct mode_item *it, enum customize_place place)
{
	const struct options *o =
	    customize_options(l, it->part[PART_SECTION], place);
	const struct option_entry *e;
	struct option_name name;
	struct buf b;
	char *text;

	if (o == NULL || !customize_option(l, it, &name) ||
	    (e = options_find(o, &name)) == NULL)
		return NULL;
	if (name.index == OPTION_NO_INDEX && name.row != NULL &&
	    (name.row->flags & OPT_ARRAY) != 0)
		return NULL;
	if (name.index != OPTION_NO_INDEX &&
	    option_entry_named(e, &name) == NULL)
		return NULL;
	buf_init(&b, FORMAT_OUTPUT_MAX);
	option_value_print(e->row,
	    name.index == OPTION_NO_INDEX ? &e->value
					  : option_entry_named(e, &name),
	    false, &b);
	text = mem_strdup(buf_cstr(&b));
	buf_fini(&b);
	return text;
}

/* --- keys and environment ------------------------------------------------------------- */

const struct keytable *
customize_table(struct mode_list *l, const struct mode_item *it)
{
	const size_t i = it->part[PART_SECTION] - SECTION_KEYS;

	if (l->host->keys == NULL || i >= keytables_count(l->host->keys))
		return NULL;
	return keytables_at(l->host->keys, i);
}

const struct keybinding *
customize_binding(struct mode_list *l, const struct mode_item *it)
{
	const struct keytable *kt = customize_table(l, it);
	key_code key;

	if (it->part[PART_KIND] != KIND_KEY && it->parent != MODE_LIST_NONE)
		it = &l->items[it->parent];
	if (kt == NULL || key_name_parse(it->name, &key) != 0)
		return NULL;
	return keytable_get(kt, key);
}

char *
customize_command(const struct keybinding *kb)
{
	return cmdlist_print_new(kb->commands, 0);
}

const struct environ *
customize_environ(struct mode_list *l, unsigned section)
{
	const struct session *s = customize_session(l);

	if (section == SECTION_GLOBAL_ENVIRON)
		return &l->mode.pane->mux->environ;
	return s == NULL ? NULL : &s->environ;
}

char *
customize_item_value(struct mode_list *l, const struct mode_item *it)
{
	const struct keybinding *kb;
	const struct environ *env;
	struct option_name name;
	const char *text;

	switch (it->part[PART_KIND]) {
	case KIND_OPTION:
		return customize_option(l, it, &name)
			   ? customize_value(
				 l, it, customize_place(l, it, &name))
			   : NULL;
	case KIND_ENVIRON:
		env = customize_environ(l, it->part[PART_SECTION]);
		text = env == NULL ? NULL
				   : environ_get(env, customize_variable(it));
		return text == NULL ? NULL : mem_strdup(text);
	case KIND_KEY_COMMAND:
		kb = customize_binding(l, it);
		return kb == NULL ? NULL : customize_command(kb);
	case KIND_KEY_NOTE:
		kb = customize_binding(l, it);
		return mem_strdup(
		    kb == NULL || kb->note == NULL ? "" : kb->note);
	case KIND_KEY_REPEAT:
		kb = customize_binding(l, it);
		return mem_strdup(kb != NULL && kb->repeat ? "on" : "off");
	default:
		return NULL;
	}
}

const char *
customize_variable(const struct mode_item *it)
{
	return it->name + (it->part[PART_INDEX] == CUSTOMIZE_REMOVED ? 1 : 0);
}

/* --- formats ---------------------------------------------------------------------------- */

char *
customize_scope(struct mode_list *l, enum customize_place place)
{
	const struct session *s = customize_session(l);
	const struct pane *p = l->mode.pane;
	const struct winlink *wl =
	    s == NULL ? NULL : session_link_to(s, p->window);

	if (place == PLACE_SESSION && s != NULL)
		return mem_printf("session %s", s->name);
	if (place == PLACE_WINDOW)
		return mem_printf("window %d", wl == NULL ? 0 : wl->index);
	if (place == PLACE_PANE)
		return mem_printf("pane %d", pane_index(p));
	return mem_strdup("");
}

static void
var(struct customize_vars *cv, const char *name, const char *value)
{
	cv->vars[cv->count++] = (struct format_var){ name, value };
}

static void
vars_option(
    struct mode_list *l, const struct mode_item *it, struct customize_vars *cv)
{
	struct option_name name;
	enum customize_place place = PLACE_GLOBAL;

	if (customize_option(l, it, &name)) {
		place = customize_place(l, it, &name);
		var(cv, "option_unit", name.row == NULL ? "" : name.row->unit);
	}
	cv->scope = customize_scope(l, place);
	var(cv, "option_name", it->name);
	var(cv, "option_value", cv->value == NULL ? "" : cv->value);
	var(cv, "option_scope", cv->scope);
	var(cv, "option_is_global", place == PLACE_GLOBAL ? "1" : "0");
}

static void
vars_environ(
    struct mode_list *l, const struct mode_item *it, struct customize_vars *cv)
{
	const unsigned section = it->part[PART_SECTION];
	const bool global = section == SECTION_GLOBAL_ENVIRON;
	const struct environ *env = customize_environ(l, section);
	const struct environ_var *ev =
	    env == NULL ? NULL : environ_find(env, customize_variable(it));

	cv->scope = customize_scope(l, global ? PLACE_GLOBAL : PLACE_SESSION);
	var(cv, "environment_name", customize_variable(it));
	var(cv, "environment_value", cv->value == NULL ? "" : cv->value);
	var(cv, "environment_scope", cv->scope);
	var(cv, "environment_is_global", global ? "1" : "0");
	var(cv, "environment_hidden", ev != NULL && ev->hidden ? "1" : "0");
	var(cv, "environment_removed", cv->value == NULL ? "1" : "0");
}

void
customize_vars(
    struct mode_list *l, const struct mode_item *it, struct customize_vars *cv)
{
	const unsigned kind = it->part[PART_KIND];
	const struct keybinding *kb;

	*cv = (struct customize_vars){ .value = customize_item_value(l, it) };
	var(cv, "is_option", kind == KIND_OPTION ? "1" : "0");
	var(cv, "is_key", kind >= KIND_KEY ? "1" : "0");
	var(cv, "is_environment", kind == KIND_ENVIRON ? "1" : "0");
	if (kind == KIND_OPTION)
		vars_option(l, it, cv);
	else if (kind == KIND_ENVIRON)
		vars_environ(l, it, cv);
	else if (kind == KIND_KEY) {
		kb = customize_binding(l, it);
		var(cv, "key", it->name);
		var(cv, "note", kb == NULL || kb->note == NULL ? "" : kb->note);
	} else
		var(cv, "option_value", cv->value == NULL ? "" : cv->value);
}

void
customize_vars_free(struct customize_vars *cv)
{
	mem_free(cv->value);
	mem_free(cv->scope);
}

/* --- changes ---------------------------------------------------------------------------- */

bool
customize_option_changed(struct mode_list *l, unsigned section,
    const struct option_name *name, enum customize_place place)
{
	const struct options *defaults = customize_of(l)->defaults;
	char *value, *text;
	bool same;

	if (place != PLACE_GLOBAL || name->row == NULL)
		return true;
	value = options_text_new(
	    customize_global(l->mode.pane->mux, section), name);
	text = options_text_new(defaults, name);
	same = value == NULL || text == NULL ? value == text
					     : strcmp(value, text) == 0;
	mem_free(value);
	mem_free(text);
	return !same;
}

static bool
same_binding(const struct keybinding *a, const struct keybinding *b)
{
	char *x, *y;
	bool same;

	if (a->repeat != b->repeat || (a->note == NULL) != (b->note == NULL) ||
	    (a->note != NULL && strcmp(a->note, b->note) != 0))
		return false;
	x = customize_command(a);
	y = customize_command(b);
	same = strcmp(x, y) == 0;
	mem_free(x);
	mem_free(y);
	return same;
}

bool
customize_key_changed(const struct keytable *kt, const struct keybinding *kb)
{
	size_t i;

	for (i = 0; i < kt->default_count; i++)
		if (kt->defaults[i].key == kb->key)
			return !same_binding(&kt->defaults[i], kb);
	return true;
}
