#include "mux/mode/customize.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "conf/environ.h"
#include "conf/key_name.h"
#include "conf/keytable.h"
#include "mux/mode/customize_int.h"
#include "mux/session.h"
#include "mux/window.h"

static const char *const section_names[] = {
	[SECTION_SERVER] = "Server Options",
	[SECTION_SESSION] = "Session Options",
	[SECTION_WINDOW] = "Window & Pane Options",
	[SECTION_SESSION_HOOKS] = "Session Hooks",
	[SECTION_WINDOW_HOOKS] = "Window & Pane Hooks",
	[SECTION_GLOBAL_ENVIRON] = "Global Environment",
	[SECTION_SESSION_ENVIRON] = "Session Environment",
};

/* --- items -------------------------------------------------------------------------- */

static struct mode_item *
add(struct mode_list *l, unsigned depth, unsigned section,
    enum customize_kind kind, const char *name, const char *within)
{
	const uint64_t seed = (uint64_t)section << 8 | (uint64_t)kind;
	const uint64_t id = str_hash(
	    name, strlen(name), str_hash(within, strlen(within), seed));
	struct mode_item *it = mode_list_add(l, depth, id, name, false);

	it->part[PART_SECTION] = section;
	it->part[PART_KIND] = (uint32_t)kind;
	it->part[PART_INDEX] = OPTION_NO_INDEX;
	it->no_tag = kind == KIND_HEADING;
	return it;
}

/* Drops the item that was added last if the filter leaves it out. */
static bool
pass(struct mode_list *l)
{
	struct customize_vars cv;
	bool pass;

	if (!l->filtering)
		return true;
	customize_vars(l, &l->items[l->count - 1], &cv);
	pass = mode_list_pass(l, NULL, cv.vars, cv.count);
	customize_vars_free(&cv);
	if (!pass)
		mode_list_drop(l, l->count - 1);
	return pass;
}

/* Headings without items are left out where only changes are shown. */
static void
drop_empty(struct mode_list *l, uint32_t head)
{
	if (customize_of(l)->changed && l->count == head + 1)
		mode_list_drop(l, head);
}

static void
add_option(struct mode_list *l, unsigned section, const char *text)
{
	const uint32_t at = l->count;
	const struct option_entry *e;
	struct option_name name;
	struct mode_item *it;
	const struct options *o;
	enum customize_place place;
	char item[OPTION_NAME_MAX], key[16];
	size_t i;

	if (!option_exact(text, &name))
		return;
	it = add(l, 1, section, KIND_OPTION, text, "");
	if (!pass(l))
		return;
	place = customize_place(l, it, &name);
	if (customize_of(l)->changed &&
	    !customize_option_changed(l, section, &name, place)) {
		mode_list_drop(l, at);
		return;
	}
	o = customize_options(l, section, place);
	e = o == NULL ? NULL : options_find(o, &name);
	if (e == NULL || name.row == NULL || (name.row->flags & OPT_ARRAY) == 0)
		return;
	for (i = 0; i < e->count; i++) {
		(void)snprintf(item, sizeof(item), "%s[%s]", text,
		    option_key_text(
			e->items[i].index, e->items[i].word, key, sizeof(key)));
		it = add(l, 2, section, KIND_OPTION, item, text);
		it->part[PART_INDEX] = e->items[i].index;
		it->parent = at;
	}
}

static bool
in_section(const struct option_row *row, unsigned section)
{
	const bool hook = (row->flags & OPT_HOOK) != 0;

	switch (section) {
	case SECTION_SERVER:
		return (row->scope & OPT_SERVER) != 0;
	case SECTION_SESSION:
		return (row->scope & OPT_SESSION) != 0 && !hook;
	case SECTION_WINDOW:
		return (row->scope & OPT_WINDOW) != 0 && !hook;
	case SECTION_SESSION_HOOKS:
		return (row->scope & OPT_SESSION) != 0 && hook;
	default:
		return (row->scope & OPT_WINDOW) != 0 && hook;
	}
}

static int
by_name(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The names of the @options of a place, sorted. */
struct user_names {
	const char **names;
	size_t count;
};

static struct user_names
user_names(const struct options *o)
{
	struct user_names u = { mem_calloc(o->user.count + 1, sizeof(*u.names)),
		0 };
	struct map_entry *e;

	MAP_FOREACH(e, &o->user)
		u.names[u.count++] =
		    ((const struct option_entry *)e->value)->name;
	if (u.count > 0)
		qsort(u.names, u.count, sizeof(*u.names), by_name);
	return u;
}

static bool
has_name(const struct user_names *u, const char *name)
{
	return u->count > 0 && bsearch(&name, u->names, u->count,
				   sizeof(*u->names), by_name) != NULL;
}

/*
 * Adds the @options of a section: those set in the server, then those only set
 * in a session or window, then those only set in a pane, if the section shows
 * that place.
 */
static void
add_user_options(struct mode_list *l, unsigned section)
{
	static const enum customize_place places[][3] = {
		[SECTION_SERVER] = { PLACE_GLOBAL, PLACE_GLOBAL, PLACE_GLOBAL },
		[SECTION_SESSION] = { PLACE_GLOBAL, PLACE_SESSION,
		    PLACE_SESSION },
		[SECTION_WINDOW] = { PLACE_GLOBAL, PLACE_WINDOW, PLACE_PANE },
	};
	struct user_names at[ARRAY_LEN(places[0])] = { { NULL, 0 } };
	const struct options *o;
	size_t i, j, k;

	for (i = 0; i < ARRAY_LEN(at); i++) {
		o = customize_options(l, section, places[section][i]);
		if (o == NULL ||
		    (i > 0 && places[section][i] == places[section][i - 1]))
			continue;
		at[i] = user_names(o);
		for (j = 0; j < at[i].count; j++) {
			for (k = 0; k < i; k++)
				if (has_name(&at[k], at[i].names[j]))
					break;
			if (k == i)
				add_option(l, section, at[i].names[j]);
		}
	}
	for (i = 0; i < ARRAY_LEN(at); i++)
		mem_free(at[i].names);
}

static void
add_options(struct mode_list *l, unsigned section)
{
	const uint32_t head = l->count;
	unsigned i;

	(void)add(l, 0, section, KIND_HEADING, section_names[section], "");
	if (section <= SECTION_WINDOW)
		add_user_options(l, section);
	/* Option rows are sorted by name, as tmux's list is. */
	for (i = 0; i < OPTION_COUNT; i++)
		if (in_section(option_row((enum option_id)i), section))
			add_option(
			    l, section, option_row((enum option_id)i)->name);
	drop_empty(l, head);
}

/* "NAME", or "-NAME" for one that programs do not get. */
static void
add_variable(struct mode_list *l, unsigned section, const char *name,
    const struct environ_var *var)
{
	char *text = var->value == NULL ? mem_printf("-%s", name) : NULL;
	struct mode_item *it =
	    add(l, 1, section, KIND_ENVIRON, text == NULL ? name : text, "");

	mem_free(text);
	if (var->value == NULL)
		it->part[PART_INDEX] = CUSTOMIZE_REMOVED;
	(void)pass(l);
}

static void
add_environ(struct mode_list *l, unsigned section)
{
	const struct environ *env = customize_environ(l, section);
	const uint32_t head = l->count;
	struct map_entry *e;

	(void)add(l, 0, section, KIND_HEADING, section_names[section], "");
	if (env != NULL)
		MAP_FOREACH(e, &env->vars)
			add_variable(l, section, e->name, e->value);
	drop_empty(l, head);
}

static void
add_table(struct mode_list *l, size_t n)
{
	const struct keytable *kt = keytables_at(l->host->keys, n);
	const unsigned section = SECTION_KEYS + (unsigned)n;
	const uint32_t head = l->count;
	char name[KEY_NAME_MAX], *text;
	size_t i;

	if (kt->count == 0)
		return;
	text = mem_printf("Key Table - %s", kt->name);
	(void)add(l, 0, section, KIND_HEADING, text, "");
	mem_free(text);
	for (i = 0; i < kt->count; i++) {
		(void)key_name_format(kt->bindings[i].key, name, sizeof(name));
		if (customize_of(l)->changed &&
		    !customize_key_changed(kt, &kt->bindings[i]))
			continue;
		(void)add(l, 1, section, KIND_KEY, name, "");
		if (!pass(l))
			continue;
		(void)add(l, 2, section, KIND_KEY_COMMAND, "Command", name);
		(void)add(l, 2, section, KIND_KEY_NOTE, "Note", name);
		(void)add(l, 2, section, KIND_KEY_REPEAT, "Repeat", name);
	}
	drop_empty(l, head);
}

static void
add_all(struct mode_list *l)
{
	unsigned section;
	size_t i;

	for (section = 0; section <= SECTION_WINDOW_HOOKS; section++)
		add_options(l, section);
	if (!customize_of(l)->changed) {
		add_environ(l, SECTION_GLOBAL_ENVIRON);
		add_environ(l, SECTION_SESSION_ENVIRON);
	}
	for (i = 0; l->host->keys != NULL && i < keytables_count(l->host->keys);
	     i++)
		add_table(l, i);
}

static void
customize_build(struct mode_list *l)
{
	struct customize *cu = customize_of(l);
	struct options defaults;

	if (!cu->changed) {
		add_all(l);
		return;
	}
	options_init(&defaults, NULL);
	options_set_defaults(&defaults, OPT_SERVER | OPT_SESSION | OPT_WINDOW);
	cu->defaults = &defaults;
	add_all(l);
	cu->defaults = NULL;
	options_fini(&defaults);
}

static char *
customize_text(struct mode_list *l, const struct mode_item *it)
{
	static const char value[] =
	    "#{?is_option,#{?option_is_global,,#[reverse](#{option_scope})"
	    "#[default] },}#[fg=themelightgrey]#[ignore]"
	    "#{?is_environment,#{environment_value},#{option_value}}"
	    "#{?option_unit, #{option_unit},}";
	const unsigned kind = it->part[PART_KIND];
	struct customize_vars cv;
	char *text;

	if (kind == KIND_HEADING || kind == KIND_KEY)
		return NULL;
	customize_vars(l, it, &cv);
	text = cv.value == NULL
		   ? NULL
		   : mode_list_expand(l, NULL, cv.vars, cv.count,
			 l->format != NULL &&
				 (kind == KIND_OPTION || kind == KIND_ENVIRON)
			     ? l->format
			     : value);
	customize_vars_free(&cv);
	return text;
}

static enum mode_did
customize_key(struct mode_list *l, key_code key)
{
	switch (key) {
	case KEY_ENTER:
	case 's':
	case 'S':
	case 'w':
		return customize_ask(l, key);
	case 'a':
		return customize_ask_index(l);
	case 'e':
		return customize_edit(l);
	case 'C':
		customize_of(l)->changed = !customize_of(l)->changed;
		mode_list_stale(l);
		mode_list_fresh_own(l);
		return MODE_TAKEN;
	case 'd':
	case 'D':
		return customize_ask_unset(l, true, key == 'D');
	case 'u':
	case 'U':
		return customize_ask_unset(l, false, key == 'U');
	default:
		return MODE_PASSED;
	}
}

static const struct mode_list_help customize_help[] = {
	{ "Enter, s", "Set %s value" },
	{ "S", "Set global %s value" },
	{ "w", "Set window %s value" },
	{ "d", "Set to default value" },
	{ "D", "Set tagged %ss to default value" },
	{ "u", "Unset an %s" },
	{ "U", "Unset tagged %ss" },
	{ "a", "Change array key" },
	{ "e", "Open %s value in editor" },
	{ "C", "Toggle only changed %ss" },
	{ NULL, NULL },
};

static const struct mode_menu_row customize_menu[] = {
	{ "Select", KEY_ENTER },
	{ "Edit", 'e' },
	{ "Expand", KEY_RIGHT },
	{ "", KEY_NONE },
	{ "Tag", 't' },
	{ "Tag All", 't' | KEY_CTRL },
	{ "Tag None", 'T' },
	{ "", KEY_NONE },
	{ "Changed Only", 'C' },
	{ "", KEY_NONE },
	{ "Cancel", 'q' },
};

static const struct mode_list_ops customize_ops = {
	.mode = { .name = "options-mode",

	    MODE_LIST_MODE },
	.noun = "item",
	.box = 12,
	.help = customize_help,
	.menu = customize_menu,
	.menu_rows = ARRAY_LEN(customize_menu),
	.ends = "dDuU",
	.build = customize_build,
	.text = customize_text,
	.preview = customize_preview,
	.key = customize_key,
	.answer = customize_answer,
};

int
mode_customize_open(
    struct pane *p, struct session *s, const struct mode_list_start *start)
{
	struct customize *cu = mem_zalloc(sizeof(*cu));

	cu->session = s->id;
	return mode_list_open(p, &cu->list, &customize_ops, start);
}
