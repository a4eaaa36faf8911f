/*
 * conf/option.h - option trees: values with inheritance.
 *
 * Purpose:   holds server, session, window and pane options and hooks. A tree
 *            inherits from its parent: pane, window, global window; session,
 *            global session.
 * Ownership: the tree owns its values; a parent must outlive its children.
 *            Pointers from getters are valid until the next change of their
 *            tree.
 * Errors:    as option_value.h; -ERR_LIMIT over OPTION_ITEMS_MAX items of an
 *            array or OPTION_USER_MAX @options of one tree.
 * Source:    tmux(1), OPTIONS.
 * Tests:     regress/unit/check_option.c, regress/ref/conf-options.sh
 */
#ifndef CONF_OPTION_H
#define CONF_OPTION_H

#include "base/map.h"
#include "conf/option_value.h"

#define OPTION_ITEMS_MAX 10000
#define OPTION_USER_MAX 10000

/* One item of an array. */
struct option_item {
	uint32_t index; /* OPTION_WORD: its key is a word */
	char *word;     /* or NULL */
	struct option_value value;
};

/* One option that is set in a tree. */
struct option_entry {
	const struct option_row *row; /* NULL for an @option */
	char *name;                   /* of an @option, else NULL */
	struct option_value value;    /* unless it is an array */
	struct option_item *items;    /* of an array: numbers, then words */
	size_t count;
	bool hook; /* an @option that set-hook has set */
};

struct options {
	const struct options *parent;  /* or NULL */
	struct option_entry **entries; /* in order of the row */
	uint16_t
	    *ids; /* their rows, kept apart because lookups read only these */
	size_t count;
	struct map user;  /* @options: struct option_entry * */
	uint64_t changes; /* grows with every change */
};

/* Makes an empty tree. */
void options_init(struct options *o, const struct options *parent);
void options_fini(struct options *o);

/*
 * Sets each option of SCOPE (enum option_scope) to its default, for the three
 * global trees.
 */
void options_set_defaults(struct options *o, unsigned scope);

/* Returns the entry set in O itself, or NULL. */
struct option_entry *options_own(
    const struct options *o, const struct option_name *name);

/* Returns the entry in O or the nearest parent that has it, or NULL. */
const struct option_entry *options_find(
    const struct options *o, const struct option_name *name);

/* The same for a row; never NULL below the global trees. */
const struct option_entry *options_get(
    const struct options *o, enum option_id id);

/* Makes an @option of O a hook, which show-options does not list. */
void options_mark_hook(struct options *o, const struct option_name *name);

/* Returns the value of a row; "", 0, NULL if the option is not set. */
const char *options_string(const struct options *o, enum option_id id);
int64_t options_number(const struct options *o, enum option_id id);
bool options_flag(const struct options *o, enum option_id id);
key_code options_key(const struct options *o, enum option_id id);
colour options_colour(const struct options *o, enum option_id id);

/* Returns the format of a colour that is one, or NULL. */
const char *options_colour_format(const struct options *o, enum option_id id);
struct cmdlist *options_commands(const struct options *o, enum option_id id);

/* Returns the item of an array at INDEX, or NULL. */
const struct option_value *option_entry_item(
    const struct option_entry *e, uint32_t index);

/* Returns the item of an array with the index or word of NAME, or NULL. */
const struct option_value *option_entry_named(
    const struct option_entry *e, const struct option_name *name);

/*
 * Sets the whole option, or the item in NAME.
 * In:      text NULL toggles a flag or choice; append adds to a string, style
 *          or array
 */
int options_set(struct options *o, const struct option_name *name,
    const char *text, bool append, const struct option_hooks *hooks,
    struct cause *cause);

/*
 * Removes an option or one of its items. In a global tree a whole option
 * returns to its default.
 */
void options_unset(struct options *o, const struct option_name *name);

/* Sets an option by its name: option_match and options_set. */
int options_set_text(
    struct options *o, const char *name, const char *text, struct cause *cause);

/*
 * Returns the text of an option or item for formats as a new string (mem_free),
 * or NULL if it is not set. Items of a whole array are joined with blanks.
 */
char *options_text_new(const struct options *o, const struct option_name *name);

/*
 * Appends the text of an option for formats, if it is set in O or above.
 * Returns: whether it was found.
 */
bool options_print(
    const struct options *o, const struct option_name *name, struct buf *out);

/*
 * Returns the text of the command alias NAME, or NULL; for parser_hooks.alias.
 */
const char *options_alias(const struct options *server, const char *name);

#endif
