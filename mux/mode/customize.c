#include "mux/mode/customize.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "conf/args.h"
#include "conf/cmdlist.h"
#include "conf/environ.h"
#include "conf/key_name.h"
#include "conf/keytable.h"
#include "mux/session.h"
#include "mux/window.h"

/* The parts of the list; tables of keys follow. */
enum section {
	SECTION_SERVER,
	SECTION_SESSION,
	SECTION_WINDOW,
	SECTION_SESSION_HOOKS,
	SECTION_WINDOW_HOOKS,
	SECTION_GLOBAL_ENVIRON,
	SECTION_SESSION_ENVIRON,
	SECTION_KEYS
};

static const char *const section_names[] = {
	[SECTION_SERVER] = "Server Options",
	[SECTION_SESSION] = "Session Options",
	[SECTION_WINDOW] = "Window & Pane Options",
	[SECTION_SESSION_HOOKS] = "Session Hooks",
	[SECTION_WINDOW_HOOKS] = "Window & Pane Hooks",
	[SECTION_GLOBAL_ENVIRON] = "Global Environment",
	[SECTION_SESSION_ENVIRON] = "Session Environment",
};

/* Parts of an item. */
enum {
	PART_SECTION,
	PART_KIND,
	PART_INDEX /* of an item of an array, or OPTION_NO_INDEX */
};

enum kind {
	KIND_HEADING,
	KIND_OPTION,
	KIND_ENVIRON,
	KIND_KEY, /* and what it does: its children */
	KIND_KEY_COMMAND,
	KIND_KEY_NOTE,
	KIND_KEY_REPEAT
};

/* Where an option is set. */
enum place {
	PLACE_GLOBAL,
	PLACE_SESSION,
	PLACE_WINDOW,
	PLACE_PANE
};

enum {
	ASK_VALUE = MODE_LIST_ASKS, /* + enum place */
	ASK_RESET = ASK_VALUE + 4,
	ASK_UNSET,
	ASK_RESET_TAGGED,
	ASK_UNSET_TAGGED
};

struct customize {
	struct mode_list list;
	uint32_t session;
	uint64_t asked; /* the item of the question */
};

static struct customize *
of(struct mode_list *l)
{
	return container_of(l, struct customize, list);
}

static const struct session *
session_of(struct mode_list *l)
{
	return mux_session(l->mode.pane->mux, of(l)->session);
}

/* --- options ------------------------------------------------------------------------ */

static const struct options *
global_options(const struct mux *m, unsigned section)
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

static const struct options *
options_at(struct mode_list *l, unsigned section, enum place place)
{
	const struct session *s = session_of(l);

	switch (place) {
	case PLACE_SESSION:
		return s == NULL ? NULL : &s->options;
	case PLACE_WINDOW:
		return &l->mode.pane->window->options;
	case PLACE_PANE:
		return &l->mode.pane->options;
	default:
		return global_options(l->mode.pane->mux, section);
	}
}

/* The innermost place where an option of that section can be set. */
static enum place
inner_place(const struct mode_item *it, const struct option_name *name)
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

/* The item's option: its parent's, for an item of an array. */
static bool
option_of(
    struct mode_list *l, const struct mode_item *it, struct option_name *name)
{
	const char *text = it->name;

	if (it->part[PART_INDEX] != OPTION_NO_INDEX)
		text = l->items[it->parent].name;
	if (!option_exact(text, name))
		return false;
	name->index = it->part[PART_INDEX];
	return true;
}

/* Where it is set, from the pane outwards. */
static enum place
set_place(struct mode_list *l, const struct mode_item *it,
    const struct option_name *name)
{
	const enum place inner = inner_place(it, name);
	const struct options *o;
	enum place at;

	for (at = inner; at != PLACE_GLOBAL; at--) {
		if (at == PLACE_SESSION && inner != PLACE_SESSION)
			break;
		o = options_at(l, it->part[PART_SECTION], at);
		if (o != NULL && options_own(o, name) != NULL)
			return at;
	}
	return PLACE_GLOBAL;
}

/* The value as text (mem_free), or NULL: not set, or a whole array. */
static char *
value_at(struct mode_list *l, const struct mode_item *it, enum place place)
{
	const struct options *o = options_at(l, it->part[PART_SECTION], place);
	const struct option_entry *e;
	struct option_name name;
	struct buf b;
	char *text;

	if (o == NULL || !option_of(l, it, &name) ||
	    (e = options_find(o, &name)) == NULL)
		return NULL;
	if (name.index == OPTION_NO_INDEX && name.row != NULL &&
	    (name.row->flags & OPT_ARRAY) != 0)
		return NULL;
	if (name.index != OPTION_NO_INDEX &&
	    option_entry_item(e, name.index) == NULL)
		return NULL;
	buf_init(&b, FORMAT_OUTPUT_MAX);
	option_value_print(e->row,
	    name.index == OPTION_NO_INDEX ? &e->value
					  : option_entry_item(e, name.index),
	    false, &b);
	text = mem_strdup(buf_cstr(&b));
	buf_fini(&b);
	return text;
}

/* --- keys and environment ------------------------------------------------------------- */

static const struct keytable *
table_of(struct mode_list *l, const struct mode_item *it)
{
	const size_t i = it->part[PART_SECTION] - SECTION_KEYS;

	if (l->host->keys == NULL || i >= keytables_count(l->host->keys))
		return NULL;
	return keytables_at(l->host->keys, i);
}

static const struct keybinding *
binding_of(struct mode_list *l, const struct mode_item *it)
{
	const struct keytable *kt = table_of(l, it);
	key_code key;

	if (it->part[PART_KIND] != KIND_KEY && it->parent != MODE_LIST_NONE)
		it = &l->items[it->parent];
	if (kt == NULL || key_name_parse(it->name, &key) != 0)
		return NULL;
	return keytable_get(kt, key);
}

/* The commands of a binding as text (mem_free). */
static char *
command_text(const struct keybinding *kb)
{
	return cmdlist_print_new(kb->commands, 0);
}

static const struct environ *
environ_of(struct mode_list *l, unsigned section)
{
	const struct session *s = session_of(l);

	if (section == SECTION_GLOBAL_ENVIRON)
		return &l->mode.pane->mux->environ;
	return s == NULL ? NULL : &s->environ;
}

/* What an item stands for, as text (mem_free), or NULL. */
static char *
item_value(struct mode_list *l, const struct mode_item *it)
{
	const struct keybinding *kb;
	const struct environ *env;
	struct option_name name;
	const char *text;

	switch (it->part[PART_KIND]) {
	case KIND_OPTION:
		return option_of(l, it, &name)
			   ? value_at(l, it, set_place(l, it, &name))
			   : NULL;
	case KIND_ENVIRON:
		env = environ_of(l, it->part[PART_SECTION]);
		text = env == NULL ? NULL : environ_get(env, it->name);
		return mem_strdup(text == NULL ? "" : text);
	case KIND_KEY_COMMAND:
		kb = binding_of(l, it);
		return kb == NULL ? NULL : command_text(kb);
	case KIND_KEY_NOTE:
		kb = binding_of(l, it);
		return mem_strdup(
		    kb == NULL || kb->note == NULL ? "" : kb->note);
	case KIND_KEY_REPEAT:
		kb = binding_of(l, it);
		return mem_strdup(kb != NULL && kb->repeat ? "on" : "off");
	default:
		return NULL;
	}
}

/* --- items -------------------------------------------------------------------------- */

static struct mode_item *
add(struct mode_list *l, unsigned depth, unsigned section, enum kind kind,
    const char *name, const char *within)
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

static bool
pass(struct mode_list *l, const char *name)
{
	const struct format_var vars[] = { { "option_name", name } };

	return mode_list_pass(l, NULL, vars, ARRAY_LEN(vars));
}

static void
add_option(struct mode_list *l, unsigned section, const char *text)
{
	const uint32_t at = l->count;
	const struct option_entry *e;
	struct option_name name;
	struct mode_item *it;
	const struct options *o;
	char index[16];
	size_t i;

	if (!option_exact(text, &name) || !pass(l, text))
		return;
	it = add(l, 1, section, KIND_OPTION, text, "");
	o = options_at(l, section, set_place(l, it, &name));
	e = o == NULL ? NULL : options_find(o, &name);
	if (e == NULL || name.row == NULL || (name.row->flags & OPT_ARRAY) == 0)
		return;
	for (i = 0; i < e->count; i++) {
		(void)snprintf(index, sizeof(index), "%u", e->items[i].index);
		it = add(l, 2, section, KIND_OPTION, index, text);
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

static void
add_options(struct mode_list *l, unsigned section)
{
	const struct options *o = global_options(l->mode.pane->mux, section);
	const uint32_t head = l->count;
	struct map_entry *e;
	unsigned i;

	(void)add(l, 0, section, KIND_HEADING, section_names[section], "");
	if (section <= SECTION_WINDOW)
		MAP_FOREACH(e, &o->user)
			add_option(l, section,
			    ((const struct option_entry *)e->value)->name);
	for (i = 0; i < OPTION_COUNT; i++)
		if (in_section(option_row((enum option_id)i), section))
			add_option(
			    l, section, option_row((enum option_id)i)->name);
	if (l->filtering && l->count == head + 1)
		mode_list_drop(l, head);
}

static void
add_environ(struct mode_list *l, unsigned section)
{
	const struct environ *env = environ_of(l, section);
	const uint32_t head = l->count;
	struct map_entry *e;

	(void)add(l, 0, section, KIND_HEADING, section_names[section], "");
	if (env != NULL)
		MAP_FOREACH(e, &env->vars)
			if (pass(l, e->name))
				(void)add(
				    l, 1, section, KIND_ENVIRON, e->name, "");
	if (l->filtering && l->count == head + 1)
		mode_list_drop(l, head);
}

static void
add_table(struct mode_list *l, size_t n)
{
	const struct keytable *kt = keytables_at(l->host->keys, n);
	const unsigned section = SECTION_KEYS + (unsigned)n;
	const uint32_t head = l->count;
	char name[KEY_NAME_MAX], *text;
	size_t i;

	text = mem_printf("Key Table - %s", kt->name);
	(void)add(l, 0, section, KIND_HEADING, text, "");
	mem_free(text);
	for (i = 0; i < kt->count; i++) {
		(void)key_name_format(kt->bindings[i].key, name, sizeof(name));
		if (!pass(l, name))
			continue;
		(void)add(l, 1, section, KIND_KEY, name, "");
		(void)add(l, 2, section, KIND_KEY_COMMAND, "Command", name);
		(void)add(l, 2, section, KIND_KEY_NOTE, "Note", name);
		(void)add(l, 2, section, KIND_KEY_REPEAT, "Repeat", name);
	}
	if (l->filtering && l->count == head + 1)
		mode_list_drop(l, head);
}

static void
customize_build(struct mode_list *l)
{
	unsigned section;
	size_t i;

	for (section = 0; section <= SECTION_WINDOW_HOOKS; section++)
		add_options(l, section);
	add_environ(l, SECTION_GLOBAL_ENVIRON);
	add_environ(l, SECTION_SESSION_ENVIRON);
	for (i = 0; l->host->keys != NULL && i < keytables_count(l->host->keys);
	     i++)
		add_table(l, i);
}

/* "(session s) ", where it is not the global value. */
static void
put_place(struct mode_list *l, enum place place, struct buf *b)
{
	const struct session *s = session_of(l);
	const struct pane *p = l->mode.pane;
	const struct winlink *wl =
	    s == NULL ? NULL : session_link_to(s, p->window);

	if (place == PLACE_SESSION && s != NULL)
		(void)buf_addf(b, "(session %s) ", s->name);
	else if (place == PLACE_WINDOW)
		(void)buf_addf(b, "(window %d) ", wl == NULL ? 0 : wl->index);
	else if (place == PLACE_PANE)
		(void)buf_addf(b, "(pane %d) ", pane_index(p));
}

/* TEXT as a format that shows it. */
static void
put_quoted(struct buf *b, const char *text)
{
	for (; *text != '\0'; text++) {
		if (*text == '#')
			(void)buf_add_u8(b, '#');
		(void)buf_add_u8(b, (uint8_t)*text);
	}
}

static char *
customize_text(struct mode_list *l, const struct mode_item *it)
{
	char *value = item_value(l, it), *text;
	struct option_name name;
	struct format_var vars[2];
	struct buf b;

	if (value == NULL)
		return NULL;
	if (l->format != NULL) {
		vars[0] = (struct format_var){ "option_name", it->name };
		vars[1] = (struct format_var){ "option_value", value };
		text = mode_list_expand(l, NULL, vars, 2, l->format);
		mem_free(value);
		return text;
	}
	buf_init(&b, FORMAT_OUTPUT_MAX * 2);
	if (it->part[PART_KIND] == KIND_OPTION && option_of(l, it, &name)) {
		put_place(l, set_place(l, it, &name), &b);
		put_quoted(&b, value);
		if (name.row != NULL && *name.row->unit != '\0')
			(void)buf_addf(&b, " %s", name.row->unit);
	} else
		put_quoted(&b, value);
	text = mem_strdup(buf_cstr(&b));
	buf_fini(&b);
	mem_free(value);
	return text;
}

/* --- preview ------------------------------------------------------------------------ */

/* Where the next line of a text goes. */
struct page {
	struct vt_frame *frame;
	const struct vt_rect *rect;
	const struct mode_paint *paint;
	unsigned y;
};

/* One paragraph, broken into rows. */
static void
say(struct page *pg, const char *text)
{
	static const struct pen plain;
	const unsigned w = pg->rect->right - pg->rect->left;
	const char *p, *nl;
	struct buf b;

	buf_init(&b, FORMAT_OUTPUT_MAX * 2);
	str_wrap(&b, text, 0, 0, w);
	for (p = buf_cstr(&b); pg->y < pg->rect->bottom; p = nl + 1) {
		nl = strchr(p, '\n');
		(void)vt_frame_text(pg->frame, pg->paint->graphemes,
		    pg->rect->left, pg->y++, pg->rect->right, p,
		    nl == NULL ? strlen(p) : (size_t)(nl - p), &plain);
		if (nl == NULL)
			break;
	}
	buf_fini(&b);
}

static void
say_with(
    struct page *pg, const char *label, const char *value, const char *unit)
{
	char *text = mem_printf(
	    "%s%s%s%s", label, value, *unit == '\0' ? "" : " ", unit);

	say(pg, text);
	mem_free(text);
}

static const char *
scope_name(const struct option_name *name, unsigned section)
{
	const bool hook =
	    section == SECTION_SESSION_HOOKS || section == SECTION_WINDOW_HOOKS;

	switch (section) {
	case SECTION_SERVER:
		return "This is a server option.";
	case SECTION_SESSION:
	case SECTION_SESSION_HOOKS:
		return hook ? "This is a session hook."
			    : "This is a session option.";
	default:
		if (name->row != NULL && (name->row->scope & OPT_PANE) == 0)
			return hook ? "This is a window hook."
				    : "This is a window option.";
		return hook ? "This is a window and pane hook."
			    : "This is a window and pane option.";
	}
}

static void
say_choices(struct page *pg, const struct option_row *row)
{
	const char *s = row->choices;
	struct buf b;

	if (row->type != OPTION_CHOICE || s == NULL)
		return;
	buf_init(&b, 8192);
	(void)buf_add_str(&b, "Available values are: ");
	for (; *s != '\0'; s++) {
		(void)buf_add_u8(&b, (uint8_t)*s);
		if (*s == ',')
			(void)buf_add_u8(&b, ' ');
	}
	say(pg, buf_cstr(&b));
	buf_fini(&b);
}

static void
say_option(struct mode_list *l, const struct mode_item *it, struct page *pg)
{
	const unsigned section = it->part[PART_SECTION];
	struct option_name name;
	const char *unit = "";
	char *value, *global;
	enum place place;

	if (!option_of(l, it, &name))
		return;
	place = set_place(l, it, &name);
	if (name.row == NULL)
		say(pg, "This is a user option.");
	else {
		unit = name.row->unit;
		say_with(pg, name.row->help, ".", "");
	}
	say(pg, "");
	say(pg, scope_name(&name, section));
	say(pg, "");
	value = value_at(l, it, place);
	if (value != NULL)
		say_with(pg, "Option value: ", value, unit);
	if (name.row != NULL) {
		say_choices(pg, name.row);
		if (value != NULL && (name.row->flags & OPT_ARRAY) == 0 &&
		    name.row->text != NULL &&
		    strcmp(name.row->text, value) != 0)
			say_with(pg, "The default is: ", name.row->text, unit);
	}
	if (place != PLACE_GLOBAL &&
	    (global = value_at(l, it, PLACE_GLOBAL)) != NULL) {
		say(pg, "");
		say_with(pg, "Global value: ", global, unit);
		mem_free(global);
	}
	mem_free(value);
}

static void
say_key(struct mode_list *l, const struct mode_item *it, struct page *pg)
{
	const struct keybinding *kb = binding_of(l, it);
	const struct keytable *kt = table_of(l, it);
	char *text;

	if (kb == NULL || kt == NULL)
		return;
	say_with(pg,
	    kb->note == NULL ? "There is no note for this key" : kb->note, ".",
	    "");
	say(pg, "");
	text = mem_printf("This key is in the %s table.", kt->name);
	say(pg, text);
	mem_free(text);
	say(pg, kb->repeat ? "Repeat: on" : "Repeat: off");
	say(pg, "");
	text = command_text(kb);
	say_with(pg, "Command: ", text, "");
	mem_free(text);
}

static void
customize_preview(struct mode_list *l, const struct mode_item *it,
    struct vt_frame *f, const struct vt_rect *r, const struct mode_paint *paint)
{
	struct page pg = { f, r, paint, r->top };
	char *value;

	switch (it->part[PART_KIND]) {
	case KIND_HEADING:
		break;
	case KIND_OPTION:
		say_option(l, it, &pg);
		break;
	case KIND_ENVIRON:
		value = item_value(l, it);
		say_with(&pg, "Value: ", value == NULL ? "" : value, "");
		mem_free(value);
		break;
	default:
		say_key(l, it, &pg);
		break;
	}
}

/* --- changes ------------------------------------------------------------------------- */

/* Runs TEXT, in which %1 stands for NAME and %2 for VALUE, quoted. */
static void
run2(struct mode_list *l, const char *text, const char *name, const char *value)
{
	const char *values[2] = { name, value };
	char *commands = args_template_new(text, values, 2);

	mode_request_run(l->host->requests, commands);
	mem_free(commands);
}

/* The flags of set-option for PLACE. */
static void
put_flags(struct mode_list *l, unsigned section, enum place place, char *text,
    size_t size)
{
	const struct pane *p = l->mode.pane;

	switch (place) {
	case PLACE_SESSION:
		(void)snprintf(text, size, "-t '$%u:'", of(l)->session);
		break;
	case PLACE_WINDOW:
		(void)snprintf(text, size, "-w -t @%u", p->window->id);
		break;
	case PLACE_PANE:
		(void)snprintf(text, size, "-p -t %%%u", p->id);
		break;
	default:
		(void)snprintf(text, size, "%s",
		    section == SECTION_SERVER ? "-s"
		    : section == SECTION_SESSION ||
			    section == SECTION_SESSION_HOOKS
			? "-g"
			: "-gw");
		break;
	}
}

/* "name" or "name[3]", mem_free. */
static char *
full_name(const struct option_name *name)
{
	if (name->index == OPTION_NO_INDEX)
		return mem_strdup(name->text);
	return mem_printf("%s[%u]", name->text, name->index);
}

/* VALUE NULL: unset. */
static void
set_option(struct mode_list *l, const struct mode_item *it, enum place place,
    const char *value)
{
	const char *values[2] = { NULL, value };
	char flags[64], *command, *full, *text;
	struct option_name name;

	if (!option_of(l, it, &name))
		return;
	put_flags(l, it->part[PART_SECTION], place, flags, sizeof(flags));
	values[0] = full = full_name(&name);
	text = args_template_new(
	    value == NULL ? "\"%1%\"" : "\"%1%\" \"%2%\"", values, 2);
	command = mem_printf(
	    "set-option %s%s -- %s", flags, value == NULL ? " -u" : "", text);
	mode_request_run(l->host->requests, command);
	mem_free(command);
	mem_free(text);
	mem_free(full);
}

/* Binds the key of KB again. */
static void
rebind(struct mode_list *l, const struct keytable *kt,
    const struct keybinding *kb, const char *command, const char *note,
    bool repeat)
{
	char name[KEY_NAME_MAX], *text, *all;
	const char *values[3];

	values[0] = kt->name;
	values[1] = key_name_format(kb->key, name, sizeof(name));
	values[2] = note;
	text = args_template_new(*note == '\0'
				     ? "-T \"%1%\" -- \"%2%\""
				     : "-N \"%3%\" -T \"%1%\" -- \"%2%\"",
	    values, 3);
	all = mem_printf(
	    "bind-key %s%s { %s }", repeat ? "-r " : "", text, command);
	mode_request_run(l->host->requests, all);
	mem_free(all);
	mem_free(text);
}

static void
change_key(struct mode_list *l, const struct mode_item *it, const char *value)
{
	const struct keytable *kt = table_of(l, it);
	const struct keybinding *kb = binding_of(l, it);
	const char *note;
	char *command;

	if (kt == NULL || kb == NULL)
		return;
	note = kb->note == NULL ? "" : kb->note;
	command = command_text(kb);
	if (it->part[PART_KIND] == KIND_KEY_COMMAND)
		rebind(l, kt, kb, value, note, kb->repeat);
	else if (it->part[PART_KIND] == KIND_KEY_NOTE)
		rebind(l, kt, kb, command, value, kb->repeat);
	else
		rebind(l, kt, kb, command, note, !kb->repeat);
	mem_free(command);
}

/* Binds a key as it was before any configuration. */
static void
reset_key(struct mode_list *l, const struct keytable *kt, const char *name)
{
	const struct keybinding *kb;
	key_code key;
	char *command;
	size_t i;

	if (key_name_parse(name, &key) != 0)
		return;
	for (i = 0; i < kt->default_count; i++) {
		kb = &kt->defaults[i];
		if (kb->key != key)
			continue;
		command = command_text(kb);
		rebind(l, kt, kb, command, kb->note == NULL ? "" : kb->note,
		    kb->repeat);
		mem_free(command);
		return;
	}
	run2(l, "unbind-key -T \"%1%\" -- \"%2%\"", kt->name, name);
}

static void
set_environ(struct mode_list *l, const struct mode_item *it, const char *value)
{
	const bool global = it->part[PART_SECTION] == SECTION_GLOBAL_ENVIRON;

	if (value == NULL)
		run2(l,
		    global ? "set-environment -gu \"%1%\""
			   : "set-environment -u \"%1%\"",
		    it->name, "");
	else
		run2(l,
		    global ? "set-environment -g \"%1%\" \"%2%\""
			   : "set-environment \"%1%\" \"%2%\"",
		    it->name, value);
}

/* Asks for a value, or changes what has only a few. */
static void
ask_value(struct mode_list *l, const struct mode_item *it, enum place place)
{
	struct option_name name;
	char *value = NULL, *prompt = NULL, *full;

	of(l)->asked = it->id;
	switch (it->part[PART_KIND]) {
	case KIND_OPTION:
		if (!option_of(l, it, &name))
			return;
		if (name.row != NULL && (name.row->flags & OPT_ARRAY) != 0 &&
		    name.index == OPTION_NO_INDEX)
			return;
		value = value_at(l, it, set_place(l, it, &name));
		if (name.row != NULL && name.row->type == OPTION_FLAG) {
			set_option(l, it, place,
			    value != NULL && strcmp(value, "on") == 0 ? "off"
								      : "on");
			break;
		}
		if (name.row != NULL && name.row->type == OPTION_CHOICE) {
			char next[64];
			int64_t n = value == NULL
					? -1
					: option_choice_find(name.row, value);

			if (*option_choice_text(
				name.row, n + 1, next, sizeof(next)) == '\0')
				(void)option_choice_text(
				    name.row, 0, next, sizeof(next));
			set_option(l, it, place, next);
			break;
		}
		full = full_name(&name);
		prompt = mem_printf("(%s) ", full);
		mem_free(full);
		break;
	case KIND_ENVIRON:
		value = item_value(l, it);
		prompt = mem_printf("(%s) ", it->name);
		break;
	case KIND_KEY_COMMAND:
	case KIND_KEY_NOTE:
		value = item_value(l, it);
		prompt = mem_printf("(%s) ", l->items[it->parent].name);
		break;
	case KIND_KEY_REPEAT:
		change_key(l, it, "");
		break;
	default:
		break;
	}
	if (prompt != NULL)
		mode_request_prompt(l->host->requests, &l->mode,
		    ASK_VALUE + (unsigned)place, prompt, value);
	mem_free(prompt);
	mem_free(value);
}

/* Back to the default, or without a value of its own. */
static void
unset(struct mode_list *l, const struct mode_item *it, bool reset)
{
	const struct keytable *kt;
	struct option_name name;

	switch (it->part[PART_KIND]) {
	case KIND_OPTION:
		if (option_of(l, it, &name))
			set_option(l, it, set_place(l, it, &name), NULL);
		break;
	case KIND_ENVIRON:
		set_environ(l, it, NULL);
		break;
	case KIND_KEY:
	case KIND_KEY_COMMAND:
	case KIND_KEY_NOTE:
	case KIND_KEY_REPEAT:
		if ((kt = table_of(l, it)) == NULL)
			break;
		if (it->part[PART_KIND] != KIND_KEY)
			it = &l->items[it->parent];
		if (reset)
			reset_key(l, kt, it->name);
		else
			run2(l, "unbind-key -T \"%1%\" -- \"%2%\"", kt->name,
			    it->name);
		break;
	default:
		break;
	}
}

static enum mode_did
ask_unset(struct mode_list *l, bool reset, bool tagged)
{
	const struct mode_item *it = mode_list_current(l);
	const uint32_t n = mode_list_tagged(l);
	enum mode_did did;
	char *text;

	if (it == NULL || (tagged ? n == 0 : it->no_tag))
		return MODE_TAKEN;
	of(l)->asked = it->id;
	if (tagged)
		text = mem_printf(reset ? "Reset %u tagged to default? "
					: "Unset %u tagged? ",
		    n);
	else
		text = mem_printf(
		    reset ? "Reset %s to default? " : "Unset %s? ", it->name);
	did = mode_list_confirm(l,
	    tagged  ? reset ? ASK_RESET_TAGGED : ASK_UNSET_TAGGED
	    : reset ? ASK_RESET
		    : ASK_UNSET,
	    text);
	mem_free(text);
	return did;
}

static enum mode_did
customize_answer(struct mode_list *l, unsigned what, const char *text)
{
	const bool tagged =
	    what == ASK_RESET_TAGGED || what == ASK_UNSET_TAGGED;
	const struct mode_item *it;
	uint32_t i;

	if (what >= ASK_RESET && *text != 'y' && *text != 'Y' && *text != '\r')
		return MODE_TAKEN;
	for (i = 0; i < l->count; i++) {
		it = &l->items[i];
		if (tagged ? !it->tagged : it->id != of(l)->asked)
			continue;
		if (what >= ASK_RESET)
			unset(l, it,
			    what == ASK_RESET || what == ASK_RESET_TAGGED);
		else if (it->part[PART_KIND] == KIND_OPTION)
			set_option(l, it, (enum place)(what - ASK_VALUE), text);
		else if (it->part[PART_KIND] == KIND_ENVIRON)
			set_environ(l, it, text);
		else
			change_key(l, it, text);
	}
	return MODE_TAKEN;
}

static enum mode_did
key_set(struct mode_list *l, key_code key)
{
	const struct mode_item *it = mode_list_current(l);
	struct option_name name;
	enum place place = PLACE_GLOBAL;

	if (it == NULL || it->no_tag)
		return MODE_TAKEN;
	if (it->part[PART_KIND] == KIND_OPTION) {
		if (!option_of(l, it, &name))
			return MODE_TAKEN;
		place = inner_place(it, &name);
		if (key == 'S')
			place = PLACE_GLOBAL;
		else if (key == 'w' && place != PLACE_PANE)
			return MODE_TAKEN;
		else if (key == 'w')
			place = PLACE_WINDOW;
	}
	ask_value(l, it, place);
	return MODE_TAKEN;
}

static enum mode_did
customize_key(struct mode_list *l, key_code key)
{
	switch (key) {
	case KEY_ENTER:
	case 's':
	case 'S':
	case 'w':
		return key_set(l, key);
	case 'd':
	case 'D':
		return ask_unset(l, true, key == 'D');
	case 'u':
	case 'U':
		return ask_unset(l, false, key == 'U');
	default:
		return MODE_PASSED;
	}
}

static void
customize_free(struct mode *m)
{
	struct mode_list *l = container_of(m, struct mode_list, mode);

	mode_list_fini(l);
	mem_free(of(l));
}

static const struct mode_list_help customize_help[] = {
	{ "Enter, s", "Set %s value" },
	{ "S", "Set global %s value" },
	{ "w", "Set window %s value" },
	{ "d", "Set to default value" },
	{ "D", "Set tagged %ss to default value" },
	{ "u", "Unset %s" },
	{ "U", "Unset tagged %ss" },
	{ NULL, NULL },
};

static const struct mode_list_ops customize_ops = {
	.mode = { .name = "options-mode",
	    .free = customize_free,
	    MODE_LIST_MODE },
	.noun = "option",
	.box = 12,
	.help = customize_help,
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
