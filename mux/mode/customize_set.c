/* Changes that customize-mode makes, as commands. */
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "conf/args.h"
#include "conf/cmdlist.h"
#include "conf/key_name.h"
#include "conf/keytable.h"
#include "mux/mode/customize_int.h"
#include "mux/window.h"

void
customize_run(
    struct mode_list *l, const char *text, const char *name, const char *value)
{
	const char *values[2] = { name, value };
	char *commands = args_template_new(text, values, 2);

	mode_request_run(l->host->requests, commands);
	mem_free(commands);
}

/* The flags of set-option for PLACE. */
static void
put_flags(struct mode_list *l, unsigned section, enum customize_place place,
    char *text, size_t size)
{
	const struct pane *p = l->mode.pane;

	switch (place) {
	case PLACE_SESSION:
		(void)snprintf(
		    text, size, "-t '$%u:'", customize_of(l)->session);
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

/* The first free index of a whole array. */
static uint32_t
free_index(struct mode_list *l, unsigned section, enum customize_place place,
    const struct option_name *name)
{
	const struct options *o = customize_options(l, section, place);
	const struct option_entry *e = o == NULL ? NULL : options_own(o, name);
	uint32_t n = 0;

	while (e != NULL && n < e->count && e->items[n].index == n)
		n++;
	return n;
}

/* "name", "name[3]" or "name[word]". */
static char *
full_name(const struct option_name *name)
{
	char key[16];

	if (name->index == OPTION_NO_INDEX)
		return mem_strdup(name->text);
	return mem_printf("%s[%s]", name->text,
	    option_key_text(name->index, name->word, key, sizeof(key)));
}

void
customize_move(struct mode_list *l, const struct mode_item *it, const char *key)
{
	const unsigned section = it->part[PART_SECTION];
	const struct options *o;
	const struct option_entry *e;
	struct option_name name, other;
	enum customize_place place;
	char flags[64], *value, *text, *from, *to;
	bool valid;

	if (!customize_option(l, it, &name))
		return;
	to = mem_printf("%s[%s]", name.text, key);
	valid = option_exact(to, &other);
	mem_free(to);
	if (!valid)
		return;
	place = customize_place(l, it, &name);
	o = customize_options(l, section, place);
	e = o == NULL ? NULL : options_own(o, &name);
	if (e == NULL || option_entry_named(e, &other) != NULL ||
	    (value = customize_value(l, it, place)) == NULL)
		return;
	put_flags(l, section, place, flags, sizeof(flags));
	from = full_name(&name);
	to = full_name(&other);
	text = mem_printf("set-option %s -- \"%%1%%\" \"%%2%%\"", flags);
	customize_run(l, text, to, value);
	mem_free(text);
	text = mem_printf("set-option %s -u -- \"%%1%%\"", flags);
	customize_run(l, text, from, "");
	mem_free(text);
	mem_free(to);
	mem_free(from);
	mem_free(value);
}

void
customize_set_option(struct mode_list *l, const struct mode_item *it,
    enum customize_place place, const char *value)
{
	const char *values[2] = { NULL, value };
	char flags[64], *command, *full, *text;
	struct option_name name;

	if (!customize_option(l, it, &name))
		return;
	put_flags(l, it->part[PART_SECTION], place, flags, sizeof(flags));
	if (value != NULL && name.row != NULL &&
	    name.index == OPTION_NO_INDEX && (name.row->flags & OPT_ARRAY) != 0)
		name.index =
		    free_index(l, it->part[PART_SECTION], place, &name);
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

void
customize_change_key(
    struct mode_list *l, const struct mode_item *it, const char *value)
{
	const struct keytable *kt = customize_table(l, it);
	const struct keybinding *kb = customize_binding(l, it);
	const char *note;
	char *command;

	if (kt == NULL || kb == NULL)
		return;
	note = kb->note == NULL ? "" : kb->note;
	command = customize_command(kb);
	if (it->part[PART_KIND] == KIND_KEY_COMMAND)
		rebind(l, kt, kb, value, note, kb->repeat);
	else if (it->part[PART_KIND] == KIND_KEY_NOTE)
		rebind(l, kt, kb, command, value, kb->repeat);
	else
		rebind(l, kt, kb, command, note, !kb->repeat);
	mem_free(command);
}

void
customize_new_key(struct mode_list *l, const struct keytable *kt,
    const char *name, const char *command)
{
	const char *values[2] = { kt->name, name };
	char *head = args_template_new("-T \"%1%\" -- \"%2%\"", values, 2);
	char *all = mem_printf("bind-key %s { %s }", head, command);

	mode_request_run(l->host->requests, all);
	mem_free(all);
	mem_free(head);
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
		command = customize_command(kb);
		rebind(l, kt, kb, command, kb->note == NULL ? "" : kb->note,
		    kb->repeat);
		mem_free(command);
		return;
	}
	customize_run(l, "unbind-key -T \"%1%\" -- \"%2%\"", kt->name, name);
}

void
customize_set_environ(
    struct mode_list *l, const struct mode_item *it, const char *value)
{
	const bool global = it->part[PART_SECTION] == SECTION_GLOBAL_ENVIRON;

	if (value == NULL)
		customize_run(l,
		    global ? "set-environment -gu \"%1%\""
			   : "set-environment -u \"%1%\"",
		    customize_variable(it), "");
	else
		customize_run(l,
		    global ? "set-environment -g \"%1%\" \"%2%\""
			   : "set-environment \"%1%\" \"%2%\"",
		    customize_variable(it), value);
}

void
customize_unset(struct mode_list *l, const struct mode_item *it, bool reset)
{
	const struct keytable *kt;
	struct option_name name;

	switch (it->part[PART_KIND]) {
	case KIND_OPTION:
		if (customize_option(l, it, &name))
			customize_set_option(
			    l, it, customize_place(l, it, &name), NULL);
		break;
	case KIND_ENVIRON:
		customize_set_environ(l, it, NULL);
		break;
	case KIND_KEY:
	case KIND_KEY_COMMAND:
	case KIND_KEY_NOTE:
	case KIND_KEY_REPEAT:
		if ((kt = customize_table(l, it)) == NULL)
			break;
		if (it->part[PART_KIND] != KIND_KEY)
			it = &l->items[it->parent];
		if (reset)
			reset_key(l, kt, it->name);
		else
			customize_run(l, "unbind-key -T \"%1%\" -- \"%2%\"",
			    kt->name, it->name);
		break;
	default:
		break;
	}
}
