/* What customize-mode asks, and what follows from the answers. */
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "conf/key_name.h"
#include "conf/keytable.h"
#include "mux/mode/customize_int.h"

enum {
	ASK_VALUE = MODE_LIST_ASKS, /* + enum customize_place */
	ASK_RESET = ASK_VALUE + 4,
	ASK_UNSET,
	ASK_RESET_TAGGED,
	ASK_UNSET_TAGGED,
	ASK_INDEX,
	ASK_NEW
};

static bool
is_array(const struct option_name *name)
{
	return name->row != NULL && (name->row->flags & OPT_ARRAY) != 0;
}

static bool
is_whole_array(const struct option_name *name)
{
	return is_array(name) && name->index == OPTION_NO_INDEX;
}

/* --- values ------------------------------------------------------------------------- */

static void
ask_text(struct mode_list *l, unsigned what, char *prompt, const char *value)
{
	mode_request_prompt(l->host->requests, &l->mode, what, prompt, value);
	mem_free(prompt);
}

/* The heading's section gets a new option, variable or key. */
static void
ask_new(struct mode_list *l, const struct mode_item *it)
{
	const struct keytable *kt;

	switch (it->part[PART_SECTION]) {
	case SECTION_SERVER:
	case SECTION_SESSION:
	case SECTION_WINDOW:
		ask_text(l, ASK_NEW, mem_strdup("New user option: "), "@");
		break;
	case SECTION_SESSION_HOOKS:
	case SECTION_WINDOW_HOOKS:
		ask_text(l, ASK_NEW, mem_strdup("New user hook: "), "@");
		break;
	case SECTION_GLOBAL_ENVIRON:
	case SECTION_SESSION_ENVIRON:
		ask_text(l, ASK_NEW, mem_strdup("New environment: "), NULL);
		break;
	default:
		if ((kt = customize_table(l, it)) != NULL)
			ask_text(l, ASK_NEW,
			    mem_printf("New key in %s: ", kt->name), NULL);
		break;
	}
}

static void
next_choice(struct mode_list *l, const struct mode_item *it,
    const struct option_name *name, enum customize_place place,
    const char *value)
{
	char next[64];
	int64_t n = value == NULL ? -1 : option_choice_find(name->row, value);

	if (*option_choice_text(name->row, n + 1, next, sizeof(next)) == '\0')
		(void)option_choice_text(name->row, 0, next, sizeof(next));
	customize_set_option(l, it, place, next);
}

/* "(name, for pane 0) " */
static char *
option_prompt(struct mode_list *l, const struct mode_item *it,
    const struct option_name *name, enum customize_place place)
{
	char *scope = customize_scope(l, place), *text;

	text = mem_printf("(%s%s%s%s) ", it->name,
	    is_whole_array(name) ? "[+]" : "",
	    *scope != '\0'                             ? ", for "
	    : it->part[PART_SECTION] == SECTION_SERVER ? ""
						       : ", global",
	    scope);
	mem_free(scope);
	return text;
}

static void
ask_option(
    struct mode_list *l, const struct mode_item *it, enum customize_place place)
{
	struct option_name name;
	char *value;

	if (!customize_option(l, it, &name))
		return;
	if (is_whole_array(&name))
		value = options_text_new(
		    customize_options(l, it->part[PART_SECTION],
			customize_place(l, it, &name)),
		    &name);
	else
		value = customize_value(l, it, customize_place(l, it, &name));
	if (name.row != NULL && name.row->type == OPTION_FLAG)
		customize_set_option(l, it, place,
		    value != NULL && strcmp(value, "on") == 0 ? "off" : "on");
	else if (name.row != NULL && name.row->type == OPTION_CHOICE)
		next_choice(l, it, &name, place, value);
	else
		ask_text(l, ASK_VALUE + (unsigned)place,
		    option_prompt(l, it, &name, place), value);
	mem_free(value);
}

/*
 * Opens the prompt for the new value of a row.  A row with few values changes to
 * its next one at once.
 */
static void
ask_value(
    struct mode_list *l, const struct mode_item *it, enum customize_place place)
{
	char *value, *scope;

	customize_of(l)->asked = it->id;
	switch (it->part[PART_KIND]) {
	case KIND_HEADING:
		ask_new(l, it);
		break;
	case KIND_OPTION:
		ask_option(l, it, place);
		break;
	case KIND_ENVIRON:
		value = customize_item_value(l, it);
		scope = customize_scope(
		    l, it->part[PART_SECTION] == SECTION_GLOBAL_ENVIRON
			   ? PLACE_GLOBAL
			   : PLACE_SESSION);
		ask_text(l, ASK_VALUE,
		    mem_printf("(%s%s%s) ", customize_variable(it),
			*scope == '\0' ? ", global" : ", for ", scope),
		    value);
		mem_free(scope);
		mem_free(value);
		break;
	case KIND_KEY_COMMAND:
	case KIND_KEY_NOTE:
		value = customize_item_value(l, it);
		ask_text(l, ASK_VALUE,
		    mem_printf("(%s) ", l->items[it->parent].name), value);
		mem_free(value);
		break;
	case KIND_KEY_REPEAT:
		customize_change_key(l, it, "");
		break;
	default:
		break;
	}
}

enum mode_did
customize_ask(struct mode_list *l, key_code key)
{
	const struct mode_item *it = mode_list_current(l);
	struct option_name name;
	enum customize_place place = PLACE_GLOBAL;

	if (it == NULL || (it->no_tag && key != KEY_ENTER && key != 's'))
		return MODE_TAKEN;
	if (it->part[PART_KIND] == KIND_OPTION) {
		if (!customize_option(l, it, &name))
			return MODE_TAKEN;
		/* An array is changed where it is set. */
		place = is_array(&name) ? customize_place(l, it, &name)
					: customize_inner(it, &name);
		if (key == 'S')
			place = PLACE_GLOBAL;
		else if (key == 'w' && place == PLACE_PANE)
			place = PLACE_WINDOW;
	}
	ask_value(l, it, place);
	return MODE_TAKEN;
}

enum mode_did
customize_ask_index(struct mode_list *l)
{
	const struct mode_item *it = mode_list_current(l);
	struct option_name name;
	char index[16];

	if (it == NULL || it->part[PART_KIND] != KIND_OPTION ||
	    it->part[PART_INDEX] == OPTION_NO_INDEX ||
	    !customize_option(l, it, &name))
		return MODE_TAKEN;
	customize_of(l)->asked = it->id;
	ask_text(l, ASK_INDEX, mem_printf("(%s) ", it->name),
	    option_key_text(name.index, name.word, index, sizeof(index)));
	return MODE_TAKEN;
}

enum mode_did
customize_edit(struct mode_list *l)
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

/* --- unset --------------------------------------------------------------------------- */

/* Items of arrays and variables have no default. */
static bool
has_default(const struct mode_item *it)
{
	return it->part[PART_KIND] != KIND_ENVIRON &&
	       (it->part[PART_KIND] != KIND_OPTION ||
		   it->part[PART_INDEX] == OPTION_NO_INDEX);
}

enum mode_did
customize_ask_unset(struct mode_list *l, bool reset, bool tagged)
{
	const struct mode_item *it = mode_list_current(l);
	const uint32_t n = mode_list_tagged(l);
	enum mode_did did;
	char *text;

	if (it == NULL ||
	    (tagged ? n == 0 : it->no_tag || (reset && !has_default(it))))
		return MODE_TAKEN;
	customize_of(l)->asked = it->id;
	if (tagged)
		text = mem_printf(reset ? "Reset %u tagged to default? "
					: "Unset %u tagged? ",
		    n);
	else
		text = mem_printf(
		    reset ? "Reset %s to default? " : "Unset %s? ",
		    it->part[PART_KIND] == KIND_ENVIRON ? customize_variable(it)
							: it->name);
	did = mode_list_confirm(l,
	    tagged  ? reset ? ASK_RESET_TAGGED : ASK_UNSET_TAGGED
	    : reset ? ASK_RESET
		    : ASK_UNSET,
	    text);
	mem_free(text);
	return did;
}

/* --- answers ------------------------------------------------------------------------- */

static void
complain(struct mode_list *l, const char *text)
{
	customize_run(l, "display-message -l -- \"%1%\"", text, "");
}

/* Cuts TEXT at the first SEPARATOR: what stands behind it, or NULL. */
static char *
cut(char *text, char separator)
{
	char *p = strchr(text, separator);

	if (p == NULL || p == text)
		return NULL;
	*p = '\0';
	return p + 1;
}

static void
new_option(struct mode_list *l, unsigned section, char *text)
{
	static const char *const commands[] = {
		[SECTION_SERVER] = "set-option -s -- \"%1%\" \"%2%\"",
		[SECTION_SESSION] = "set-option -g -- \"%1%\" \"%2%\"",
		[SECTION_WINDOW] = "set-option -gw -- \"%1%\" \"%2%\"",
		[SECTION_SESSION_HOOKS] = "set-hook -g -- \"%1%\" \"%2%\"",
		[SECTION_WINDOW_HOOKS] = "set-hook -gw -- \"%1%\" \"%2%\"",
	};
	const bool hook =
	    section == SECTION_SESSION_HOOKS || section == SECTION_WINDOW_HOOKS;
	const char *value = cut(text, ' ');

	if (value == NULL)
		complain(l, "User option must be @name value");
	else if (*text != '@')
		complain(l, hook ? "User hook name must start with @"
				 : "User option name must start with @");
	else
		customize_run(l, commands[section], text, value);
}

static void
answer_new(struct mode_list *l, const struct mode_item *it, char *text)
{
	const unsigned section = it->part[PART_SECTION];
	const struct keytable *kt;
	const char *value;
	key_code key;

	if (section <= SECTION_WINDOW_HOOKS)
		new_option(l, section, text);
	else if (section < SECTION_KEYS) {
		if ((value = cut(text, '=')) == NULL)
			complain(l, "Environment variable must be NAME=value");
		else
			customize_run(l,
			    section == SECTION_GLOBAL_ENVIRON
				? "set-environment -g -- \"%1%\" \"%2%\""
				: "set-environment -- \"%1%\" \"%2%\"",
			    text, value);
	} else if ((kt = customize_table(l, it)) != NULL) {
		if ((value = cut(text, ' ')) == NULL)
			complain(l, "Key binding must be key command");
		else if (key_name_parse(text, &key) != 0) {
			text = mem_printf("Unknown key: %s", text);
			complain(l, text);
			mem_free(text);
		} else
			customize_new_key(l, kt, text, value);
	}
}

static void
answer_item(struct mode_list *l, const struct mode_item *it, unsigned what,
    const char *text)
{
	char *copy;

	switch (what) {
	case ASK_RESET:
	case ASK_RESET_TAGGED:
		if (has_default(it))
			customize_unset(l, it, true);
		break;
	case ASK_UNSET:
	case ASK_UNSET_TAGGED:
		customize_unset(l, it, false);
		break;
	case ASK_INDEX:
		customize_move(l, it, text);
		break;
	case ASK_NEW:
		if (*text == '\0')
			break;
		copy = mem_strdup(text);
		answer_new(l, it, copy);
		mem_free(copy);
		break;
	default:
		if (it->part[PART_KIND] == KIND_OPTION)
			customize_set_option(l, it,
			    (enum customize_place)(what - ASK_VALUE), text);
		else if (it->part[PART_KIND] == KIND_ENVIRON)
			customize_set_environ(l, it, text);
		else
			customize_change_key(l, it, text);
		break;
	}
}

enum mode_did
customize_answer(struct mode_list *l, unsigned what, const char *text)
{
	const bool tagged =
	    what == ASK_RESET_TAGGED || what == ASK_UNSET_TAGGED;
	const bool unsets = what >= ASK_RESET && what <= ASK_UNSET_TAGGED;
	const struct mode_item *it;
	uint32_t i;

	if (unsets && !mode_list_confirmed(l, what, text))
		return MODE_TAKEN;
	for (i = 0; i < l->count; i++) {
		it = &l->items[i];
		if (!(tagged ? it->tagged : it->id == customize_of(l)->asked))
			continue;
		answer_item(l, it, what, text);
		if (unsets)
			mode_list_ended(l, i);
	}
	return MODE_TAKEN;
}
