#include "mux/mode/customize.h"

#include <stdio.h>
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

enum {
	ASK_VALUE = MODE_LIST_ASKS, /* + enum customize_place */
	ASK_RESET = ASK_VALUE + 4,
	ASK_UNSET,
	ASK_RESET_TAGGED,
	ASK_UNSET_TAGGED
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

static bool
pass(struct mode_list *l, const char *name)
{
	const struct format_var vars[] = { { "option_name", name } };

	return mode_list_pass(l, NULL, vars, ARRAY_LEN(vars));
}

/* Headings without items are then left out. */
static bool
narrowed(struct mode_list *l)
{
	return l->filtering || customize_of(l)->changed;
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
	char index[16];
	size_t i;

	if (!option_exact(text, &name) || !pass(l, text))
		return;
	it = add(l, 1, section, KIND_OPTION, text, "");
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
	const struct options *o = customize_global(l->mode.pane->mux, section);
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
	if (narrowed(l) && l->count == head + 1)
		mode_list_drop(l, head);
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
			if (pass(l, e->name))
				(void)add(
				    l, 1, section, KIND_ENVIRON, e->name, "");
	if (narrowed(l) && l->count == head + 1)
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
		if (!pass(l, name) ||
		    (customize_of(l)->changed &&
			!customize_key_changed(kt, &kt->bindings[i])))
			continue;
		(void)add(l, 1, section, KIND_KEY, name, "");
		(void)add(l, 2, section, KIND_KEY_COMMAND, "Command", name);
		(void)add(l, 2, section, KIND_KEY_NOTE, "Note", name);
		(void)add(l, 2, section, KIND_KEY_REPEAT, "Repeat", name);
	}
	if (narrowed(l) && l->count == head + 1)
		mode_list_drop(l, head);
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

/* "(session s) ", where it is not the global value. */
static void
put_place(struct mode_list *l, enum customize_place place, struct buf *b)
{
	const struct session *s = customize_session(l);
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
	char *value = customize_item_value(l, it), *text;
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
	if (it->part[PART_KIND] == KIND_OPTION &&
	    customize_option(l, it, &name)) {
		put_place(l, customize_place(l, it, &name), &b);
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

/* Asks for a value, or changes what has only a few. */
static void
ask_value(
    struct mode_list *l, const struct mode_item *it, enum customize_place place)
{
	struct option_name name;
	char *value = NULL, *prompt = NULL, *full;

	customize_of(l)->asked = it->id;
	switch (it->part[PART_KIND]) {
	case KIND_OPTION:
		if (!customize_option(l, it, &name))
			return;
		if (name.row != NULL && (name.row->flags & OPT_ARRAY) != 0 &&
		    name.index == OPTION_NO_INDEX)
			return;
		value = customize_value(l, it, customize_place(l, it, &name));
		if (name.row != NULL && name.row->type == OPTION_FLAG) {
			customize_set_option(l, it, place,
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
			customize_set_option(l, it, place, next);
			break;
		}
		full = customize_full_name(&name);
		prompt = mem_printf("(%s) ", full);
		mem_free(full);
		break;
	case KIND_ENVIRON:
		value = customize_item_value(l, it);
		prompt = mem_printf("(%s) ", it->name);
		break;
	case KIND_KEY_COMMAND:
	case KIND_KEY_NOTE:
		value = customize_item_value(l, it);
		prompt = mem_printf("(%s) ", l->items[it->parent].name);
		break;
	case KIND_KEY_REPEAT:
		customize_change_key(l, it, "");
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

static enum mode_did
ask_unset(struct mode_list *l, bool reset, bool tagged)
{
	const struct mode_item *it = mode_list_current(l);
	const uint32_t n = mode_list_tagged(l);
	enum mode_did did;
	char *text;

	if (it == NULL || (tagged ? n == 0 : it->no_tag))
		return MODE_TAKEN;
	customize_of(l)->asked = it->id;
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
		if (tagged ? !it->tagged : it->id != customize_of(l)->asked)
			continue;
		if (what >= ASK_RESET)
			customize_unset(l, it,
			    what == ASK_RESET || what == ASK_RESET_TAGGED);
		else if (it->part[PART_KIND] == KIND_OPTION)
			customize_set_option(l, it,
			    (enum customize_place)(what - ASK_VALUE), text);
		else if (it->part[PART_KIND] == KIND_ENVIRON)
			customize_set_environ(l, it, text);
		else
			customize_change_key(l, it, text);
	}
	return MODE_TAKEN;
}

/* Opens the value in an editor. */
static enum mode_did
edit(struct mode_list *l)
{
	const struct mode_item *it = mode_list_current(l);
	struct option_name name;
	enum customize_place place = PLACE_GLOBAL;
	char *value;

	if (it == NULL || it->part[PART_KIND] == KIND_KEY_REPEAT ||
	    (value = customize_item_value(l, it)) == NULL)
		return MODE_TAKEN;
	if (it->part[PART_KIND] == KIND_OPTION &&
	    customize_option(l, it, &name))
		place = customize_place(l, it, &name);
	customize_of(l)->asked = it->id;
	mode_request_edit(
	    l->host->requests, &l->mode, ASK_VALUE + (unsigned)place, value);
	mem_free(value);
	return MODE_TAKEN;
}

static enum mode_did
key_set(struct mode_list *l, key_code key)
{
	const struct mode_item *it = mode_list_current(l);
	struct option_name name;
	enum customize_place place = PLACE_GLOBAL;

	if (it == NULL || it->no_tag)
		return MODE_TAKEN;
	if (it->part[PART_KIND] == KIND_OPTION) {
		if (!customize_option(l, it, &name))
			return MODE_TAKEN;
		place = customize_inner(it, &name);
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
	case 'e':
		return edit(l);
	case 'C':
		customize_of(l)->changed = !customize_of(l)->changed;
		mode_list_stale(l);
		return MODE_TAKEN;
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

static const struct mode_list_help customize_help[] = {
	{ "Enter, s", "Set %s value" },
	{ "S", "Set global %s value" },
	{ "w", "Set window %s value" },
	{ "d", "Set to default value" },
	{ "D", "Set tagged %ss to default value" },
	{ "u", "Unset an %s" },
	{ "U", "Unset tagged %ss" },
	{ "e", "Open %s value in editor" },
	{ "C", "Toggle only changed %ss" },
	{ NULL, NULL },
};

static const struct mode_menu_row customize_menu[] = {
	{ "Select", KEY_ENTER },
	{ "Expand", KEY_RIGHT },
	{ "", KEY_NONE },
	{ "Tag", 't' },
	{ "Tag All", 't' | KEY_CTRL },
	{ "Tag None", 'T' },
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
