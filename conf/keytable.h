/*
 * conf/keytable.h - key tables and their bindings.
 *
 * Purpose:   root, prefix, copy-mode, copy-mode-vi and the user's own tables:
 *            which command list a key runs, its note, whether it repeats; and
 *            which bindings are the built-in ones.
 * Ownership: a struct keytables owns its tables and bindings; command lists
 *            are counted by the callbacks given to keytables_new.  Pointers to
 *            tables and bindings hold until the next change of the set.
 * Units:     key_code of base/key.h.
 * Errors:    -ERR_LIMIT past KEYTABLE_MAX tables or KEYTABLE_BINDINGS_MAX
 *            bindings in one; -ERR_NOTFOUND.
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

/* What a binding runs: opaque here. */
struct keytable_ops {
	void *(*ref)(void *commands); /* one more user; returns COMMANDS */
	void (*unref)(void *commands);
	void (*print)(const void *commands, struct buf *out);
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
	struct keybinding *defaults; /* as keytables_set_defaults found them */
	size_t default_count;
};

struct keytables;

struct keytables *keytables_new(const struct keytable_ops *ops);
void keytables_free(struct keytables *set);

/* The table of that name or NULL. */
struct keytable *keytables_find(const struct keytables *set, const char *name);

/* Tables in the order of their names: I below keytables_count. */
size_t keytables_count(const struct keytables *set);
const struct keytable *keytables_at(const struct keytables *set, size_t i);

/* The binding of KEY in TABLE (lock states do not count), or NULL. */
const struct keybinding *keytable_get(
    const struct keytable *table, key_code key);

/*
 * The binding for a KEY that was typed: its own, or that of the name under
 * which a terminal says the same: C-m for Enter, C-i, C-[, C-? and C-@ for
 * Tab, Escape, BSpace and C-Space.
 */
const struct keybinding *keytable_typed(
    const struct keytable *table, key_code key);

/*
 * Binds KEY in the table NAME, which is made if need be.
 * In:      note      NULL or text, copied
 *          commands  taken over (no ref); NULL changes only note and repeat of
 *                    a binding that exists (-ERR_NOTFOUND if none does)
 */
int keytables_bind(struct keytables *set, const char *name, key_code key,
    bool repeat, const char *note, void *commands);

/* Removes one binding; a table that is empty and has no defaults goes too. */
int keytables_unbind(struct keytables *set, const char *name, key_code key);

/* Removes a table with all its bindings. */
int keytables_unbind_all(struct keytables *set, const char *name);

/* Remembers the bindings of this moment as the built-in ones. */
void keytables_set_defaults(struct keytables *set);

/* Brings back the built-in binding of a key, or removes what has none. */
int keytables_reset(struct keytables *set, const char *name, key_code key);

/* Order in which tmux lists keys: < 0, 0, > 0. */
int keytable_compare(key_code a, key_code b);

/*
 * One line as list-keys prints it, without its newline; key and table are
 * padded to the widths given (0: the bare width of this line).
 */
struct keytable_widths {
	size_t table;
	size_t key;
	bool repeat; /* some line has -r */
};
void keytables_print(const struct keytables *set, const struct keytable *table,
    const struct keybinding *kb, const struct keytable_widths *w,
    struct buf *out);

/* The name of a key quoted for a configuration: \; "M-{" and their like. */
void keytable_quote_key(key_code key, struct buf *out);

#endif
