/*
 * mux/view/panel.h - a grid of short texts above the line of the prompt.
 *
 * Purpose:   shows completions of a prompt.  A panel takes no input.
 * Ownership: a panel owns its texts.
 * Errors:    the last row shows how many items do not fit ("and 12 more").
 * Tests:     regress/unit/check_view_panel.c, regress/e2e/prompt.sh
 */
#ifndef MUX_VIEW_PANEL_H
#define MUX_VIEW_PANEL_H

#include "mux/view/build.h"

#define VIEW_PANEL_ITEMS_MAX 1000

struct view_panel_item {
	char *key;  /* in bold, or NULL */
	char *text; /* may be "" */
};

struct view_panel {
	struct view_panel_item items[VIEW_PANEL_ITEMS_MAX];
	size_t count;
};

struct view_panel *view_panel_new(void);
void view_panel_free(struct view_panel *p); /* NULL is fine */

/* Copies an item; ignores items beyond VIEW_PANEL_ITEMS_MAX. */
void view_panel_add_item(
    struct view_panel *p, const char *key, const char *text);

/*
 * Adds VIEW_SURFACE_PANEL above the line of the prompt unless the panel is empty
 * or there is no room.
 */
void view_panel_add(
    struct view_builder *b, struct sync_view *v, const struct view_panel *p);

#endif
