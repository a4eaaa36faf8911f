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

const struct options *customize_global(const struct mux *m, unsigned section);

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

const struct session *customize_session(struct mode_list *l);
const struct keytable *customize_table(
    struct mode_list *l, const struct mode_item *it);
const struct keybinding *customize_binding(
    struct mode_list *l, const struct mode_item *it);

/* The commands of a binding as text. */
char *customize_command(const struct keybinding *kb);

const struct environ *customize_environ(struct mode_list *l, unsigned section);

/* What an item stands for, as text, or NULL. */
char *customize_item_value(struct mode_list *l, const struct mode_item *it);

/* Whether an option or binding differs from its default. */
bool customize_option_changed(struct mode_list *l, unsigned section,
    const struct option_name *name, enum customize_place place);
bool customize_key_changed(
    const struct keytable *kt, const struct keybinding *kb);

/* --- the text about an item (customize_show.c) ----------------------------------- */

void customize_preview(struct mode_list *l, const struct mode_item *it,
    struct vt_frame *f, const struct vt_rect *r,
    const struct mode_paint *paint);

/* --- changes (customize_set.c) ----------------------------------------------------- */

/* "name" or "name[3]". */
char *customize_full_name(const struct option_name *name);

/* VALUE NULL: unset. */
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
