/*
 * conf/keytable.h - key tables and their bindings.
 *
 * Purpose:   holds the tables root, prefix, copy-mode, copy-mode-vi and the
 *            user's own: which command list a key runs, its note, whether it
 *            repeats, and which bindings are built in.
 * Ownership: a struct keytables owns its tables and bindings; the callbacks
 *            given to keytables_new count the references of command lists.
 *            Pointers to tables and bindings are valid until the next change of
 *            the set.
 * Units:     key_code of base/key.h.
 * Errors:    -ERR_LIMIT over KEYTABLE_MAX tables, KEYTABLE_BINDINGS_MAX
 *            bindings in one, or the limits of keytables_limit; -ERR_NOTFOUND.
 * Source:    tmux(1), KEY BINDINGS; bindings are listed in tmux's order.
 * Tests:     regress/unit/check_keytable.c
 */
#ifndef CONF_KEYTABLE_H
#define CONF_KEYTABLE_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/key.h"

#define KEYTABLE_MAX 256u
#define KEYTABLE_BINDINGS_MAX 4096u

/* The commands of a binding, as an opaque type. */
struct keytable_ops {
	void *(*ref)(void *commands); /* adds a reference; returns COMMANDS */
	void (*unref)(void *commands);
	void (*print)(const void *commands, struct buf *out);
	size_t (*size)(const void *commands); /* in bytes of memory */
};

struct keybinding {
	key_code key;
	bool repeat;
	char *note;     /* NULL: none */
	void *commands; /* never NULL */
};

struct keytable {
	char *name;
	struct keybinding *bindings; /* in the order of listing */
	size_t count;
	size_t cap;
	struct keybinding
	    *defaults; /* the bindings when keytables_set_defaults was called */
	size_t default_count;
	bool gone; /* its last binding is unbound; the defaults stay */
};

struct keytables;

struct keytables *keytables_new(const struct keytable_ops *ops);
void keytables_free(struct keytables *set);

/* Bounds all tables of SET together: bindings, and bytes of memory. */
void keytables_limit(struct keytables *set, size_t bindings, size_t bytes);

/*
 * Returns whether commands know the table T, which may be NULL.  As in tmux, the
 * last binding takes its table with it, but for the table root.
 */
bool keytable_exists(const struct keytable *t);

/* Returns the table with that name, or NULL. */
struct keytable *keytables_find(const struct keytables *set, const char *name);

/* Access to tables in order of their names; I is below keytables_count. */
size_t keytables_count(const struct keytables *set);
const struct keytable *keytables_at(const struct keytables *set, size_t i);

/* The number of bindings in all tables. */
size_t keytables_bindings(const struct keytables *set);

/* Returns a number that grows with every change. */
uint64_t keytables_changes(const struct keytables *set);

/* Returns the binding of KEY in TABLE (ignores lock states), or NULL. */
const struct keybinding *keytable_get(
    const struct keytable *table, key_code key);

/*
 * Returns the binding of a typed KEY: its own, or that of the other name of the
 * same key: C-m for Enter, and C-i, C-[, C-? and C-@ for Tab, Escape, BSpace
 * and C-Space.
 */
const struct keybinding *keytable_typed(
    const struct keytable *table, key_code key);

/*
 * Binds KEY in the table NAME, which is made if needed.
 * In:      note NULL or text, copied; commands taken over (no ref). NULL
 *          commands change only note and repeat of an existing binding
 *          (-ERR_NOTFOUND if there is none).
 */
int keytables_bind(struct keytables *set, const char *name, key_code key,
    bool repeat, const char *note, void *commands);

/* Removes one binding; an empty table without defaults is deleted too. */
int keytables_unbind(struct keytables *set, const char *name, key_code key);

/* Removes a table with all its bindings. */
int keytables_unbind_all(struct keytables *set, const char *name);

/* Stores the present bindings as the built-in ones. */
void keytables_set_defaults(struct keytables *set);

/* Restores the built-in binding of a key; removes a key that has none. */
int keytables_reset(struct keytables *set, const char *name, key_code key);

/* Compares keys in the order of tmux's list-keys: < 0, 0, > 0. */
int keytable_compare(key_code a, key_code b);

/*
 * The widths to which list-keys pads key and table in its lines (0: no
 * padding). keytables_print appends one line without its newline.
 */
struct keytable_widths {
	size_t table;
	size_t key;
	bool repeat; /* a line has -r */
};
void keytables_print(const struct keytables *set, const struct keytable *table,
    const struct keybinding *kb, const struct keytable_widths *w,
    struct buf *out);

/* Quotes the name of a key for a configuration: \; "M-{" and so on. */
void keytable_quote_key(key_code key, struct buf *out);

#endif
