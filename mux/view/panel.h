/*
 * mux/view/panel.h - a grid of short texts above the status lines.
 *
 * Purpose:   shows the keys that can follow the prefix, or completions of a
 *            prompt.  A panel takes no input.
 * Ownership: a panel owns its texts; "rest" is borrowed.
 * Errors:    the last row shows how many items do not fit ("and 12 more").
 * Source:    the idea is from Emacs's which-key.
 * Tests:     regress/unit/check_view_panel.c, regress/e2e/panel.sh
 */
#ifndef MUX_VIEW_PANEL_H
#define MUX_VIEW_PANEL_H

#include "mux/view/build.h"

#define VIEW_PANEL_ITEMS_MAX 1000

struct keytable;

struct view_panel_item {
	char *key;  /* in bold, or NULL */
	char *text; /* may be "" */
};

struct view_panel {
	struct view_panel_item items[VIEW_PANEL_ITEMS_MAX];
	size_t count;
	const char *rest; /* text after "and 7 more"; may be "" */
};

/* The position of a panel: directly above ... */
enum view_panel_place {
	VIEW_PANEL_ON_STATUS, /* the status lines */
	VIEW_PANEL_ON_LINE    /* the message or prompt */
};

struct view_panel *view_panel_new(void);
void view_panel_free(struct view_panel *p); /* NULL is fine */

/* Copies an item; ignores items beyond VIEW_PANEL_ITEMS_MAX. */
void view_panel_add_item(
    struct view_panel *p, const char *key, const char *text);

/*
 * The bindings of TABLE, the most likely ones first: small letters before
 * capitals, commands that are not implemented yet last.
 */
struct view_panel *view_panel_keys_new(const struct keytable *table);

/* Adds VIEW_SURFACE_PANEL unless the panel is empty or there is no room. */
void view_panel_add(struct view_builder *b, struct sync_view *v,
    const struct view_panel *p, enum view_panel_place place);

#endif
