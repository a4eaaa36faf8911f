/*
 * mux/view/key_panel.h - the keys of a table above the status lines.
 *
 * Purpose:   shows the keys that can follow a prefix by topic, the most used
 *            ones first, on as many pages as they need.
 * Ownership: a panel owns its texts.
 * Units:     cells; at most half of the client's rows.
 * Errors:    a long text goes on in the next row, behind a word or a hyphen;
 *            what is longer than a column of the panel ends with an ellipsis.
 * Source:    the idea is from Emacs's which-key.
 * Tests:     regress/unit/check_view_key_panel.c, regress/e2e/panel.sh
 */
#ifndef MUX_VIEW_KEY_PANEL_H
#define MUX_VIEW_KEY_PANEL_H

#include "base/key.h"
#include "mux/view/build.h"

struct keybinding;
struct keytable;

struct view_key_item {
	char *key; /* NULL: a heading */
	char *text;
	unsigned topic;
	unsigned rank; /* within all topics */
};

struct view_key_panel {
	struct view_key_item *items; /* [count], by rank */
	size_t count;
	key_code next; /* the key that shows the next page, or KEY_NONE */
	char *hint;    /* keys of list-keys and command-palette, may be "" */
};

/*
 * The bindings of TABLE that ALLOWED (NULL: all) accepts, without mouse keys and
 * commands that are not implemented.
 */
struct view_key_panel *view_key_panel_new(const struct keytable *table,
    bool (*allowed)(const void *arg, const struct keybinding *kb),
    const void *arg);
void view_key_panel_free(struct view_key_panel *p); /* NULL is fine */

/* The name of a key, with "PageUp" for tmux's "PPage" and the like (mem_free). */
char *view_key_panel_name_new(key_code key);

/*
 * Returns the place of a key in the panel: by topic, by command within the
 * topic, and keys without modifiers first.
 */
unsigned view_key_panel_rank(const struct keybinding *kb);

/*
 * Whether KEY turns pages: NPage and C-v, or back PPage and M-v, where TABLE
 * does not bind them.
 */
bool view_key_panel_turns(
    const struct keytable *table, key_code key, bool *back);

/*
 * Adds VIEW_SURFACE_PANEL with page *PAGE, which is taken modulo the number of
 * pages, unless the panel is empty or has no room.
 */
void view_key_panel_add(struct view_builder *b, struct sync_view *v,
    const struct view_key_panel *p, int *page);

#endif
