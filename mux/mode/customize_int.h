/*
 * mux/mode/customize_int.h - between the files of customize-mode.
 *
 * Purpose:   what its items stand for (customize_item.c), the text about one
 *            (customize_show.c), and how one is changed (customize_set.c).
 * Ownership: texts that are returned are new strings (mem_free).
 */
#ifndef MUX_MODE_CUSTOMIZE_INT_H
#define MUX_MODE_CUSTOMIZE_INT_H

#include "conf/option_table.h"
#include "mux/mode/list.h"

struct environ;
struct keybinding;
struct keytable;
struct options;

/* The parts of the list; tables of keys follow. */
enum customize_section {
	SECTION_SERVER,
	SECTION_SESSION,
	SECTION_WINDOW,
	SECTION_SESSION_HOOKS,
	SECTION_WINDOW_HOOKS,
	SECTION_GLOBAL_ENVIRON,
	SECTION_SESSION_ENVIRON,
	SECTION_KEYS
};

/* Parts of an item. */
enum {
	PART_SECTION,
	PART_KIND,
	PART_INDEX /* of an item of an array, or OPTION_NO_INDEX */
};

/* PART_INDEX of a variable that is removed; its name begins with "-". */
#define CUSTOMIZE_REMOVED 0

enum customize_kind {
	KIND_HEADING,
	KIND_OPTION,
	KIND_ENVIRON,
	KIND_KEY, /* and what it does: its children */
	KIND_KEY_COMMAND,
	KIND_KEY_NOTE,
	KIND_KEY_REPEAT
};

/* Where an option is set. */
enum customize_place {
	PLACE_GLOBAL,
	PLACE_SESSION,
	PLACE_WINDOW,
	PLACE_PANE
};

struct customize {
	struct mode_list list;
	uint32_t session;
	uint64_t asked; /* the item of the question */
	bool changed;   /* C: items with their defaults are left out */
	/* While the list is built with changed: all defaults. */
	const struct options *defaults;
};

/* --- items (customize_item.c) -------------------------------------------------- */

struct customize *customize_of(struct mode_list *l);

/* The options of one place; NULL: it is gone. */
const struct options *customize_options(
    struct mode_list *l, unsigned section, enum customize_place place);

/* The innermost place where an option of that section can be set. */
enum customize_place customize_inner(
    const struct mode_item *it, const struct option_name *name);

/* The item's option: its parent's, for an item of an array. */
bool customize_option(
    struct mode_list *l, const struct mode_item *it, struct option_name *name);

/* Where it is set, from the pane outwards. */
enum customize_place customize_place(struct mode_list *l,
    const struct mode_item *it, const struct option_name *name);

/* The value as text, or NULL: not set, or a whole array. */
char *customize_value(struct mode_list *l, const struct mode_item *it,
    enum customize_place place);

const struct keytable *customize_table(
    struct mode_list *l, const struct mode_item *it);
const struct keybinding *customize_binding(
    struct mode_list *l, const struct mode_item *it);

/* The commands of a binding as text. */
char *customize_command(const struct keybinding *kb);

const struct environ *customize_environ(struct mode_list *l, unsigned section);

/* What an item stands for, as text, or NULL. */
char *customize_item_value(struct mode_list *l, const struct mode_item *it);

/* The variable's name. */
const char *customize_variable(const struct mode_item *it);

/* "session s", "window 0", "pane 0", or "" for the global place. */
char *customize_scope(struct mode_list *l, enum customize_place place);

/* Variables for the formats of one item. */
struct customize_vars {
	struct format_var vars[10];
	size_t count;
	char *value; /* NULL: it has none */
	char *scope;
};

void customize_vars(
    struct mode_list *l, const struct mode_item *it, struct customize_vars *cv);
void customize_vars_free(struct customize_vars *cv);

/* Whether an option or binding differs from its default. */
bool customize_option_changed(struct mode_list *l, unsigned section,
    const struct option_name *name, enum customize_place place);
bool customize_key_changed(
    const struct keytable *kt, const struct keybinding *kb);

/* --- the text about an item (customize_show.c) ----------------------------------- */

void customize_preview(struct mode_list *l, const struct mode_item *it,
    struct vt_frame *f, const struct vt_rect *r,
    const struct mode_paint *paint);

/* --- questions (customize_ask.c) --------------------------------------------------- */

/* Asks for a value, or changes what has only a few; KEY: Enter, s, S or w. */
enum mode_did customize_ask(struct mode_list *l, key_code key);

/* Asks for the index of an item of an array. */
enum mode_did customize_ask_index(struct mode_list *l);

/* Opens the value in an editor. */
enum mode_did customize_edit(struct mode_list *l);

/* RESET: to the default. */
enum mode_did customize_ask_unset(struct mode_list *l, bool reset, bool tagged);

enum mode_did customize_answer(
    struct mode_list *l, unsigned what, const char *text);

/* --- changes (customize_set.c) ----------------------------------------------------- */

/* Runs TEXT, in which %1 stands for NAME and %2 for VALUE, quoted. */
void customize_run(
    struct mode_list *l, const char *text, const char *name, const char *value);

/* Gives an item of an array another index or word, unless that is taken. */
void customize_move(
    struct mode_list *l, const struct mode_item *it, const char *key);

/* Binds the key NAME, which may be none, to a command. */
void customize_new_key(struct mode_list *l, const struct keytable *kt,
    const char *name, const char *command);

/* VALUE NULL: unset; of a whole array: added to it. */
void customize_set_option(struct mode_list *l, const struct mode_item *it,
    enum customize_place place, const char *value);
void customize_set_environ(
    struct mode_list *l, const struct mode_item *it, const char *value);
void customize_change_key(
    struct mode_list *l, const struct mode_item *it, const char *value);

/* Back to the default (RESET), or without a value of its own. */
void customize_unset(
    struct mode_list *l, const struct mode_item *it, bool reset);

#endif
