/*
 * server/face/panel.h - a box of short lines above the status line.
 *
 * Purpose:   what can follow: keys after the prefix, words that complete a
 *            prompt.  It is looked at, never typed into.
 * Ownership: a panel owns its lines.
 * Units:     cells.
 * Errors:    what does not fit is counted in the last line ("and 12 more").
 * Source:    our own; the idea is Emacs's which-key.
 * Tests:     regress/e2e/panel.sh
 */
#ifndef SERVER_FACE_PANEL_H
#define SERVER_FACE_PANEL_H

#include <stddef.h>
#include <stdint.h>

#define PANEL_ITEMS_MAX 1000

struct pen;
struct sync_view;
struct viewer;

struct panel_item {
	char *key;  /* in bold, or NULL */
	char *text; /* may be "" */
};

struct panel {
	struct panel_item items[PANEL_ITEMS_MAX];
	size_t count;
	const char *rest; /* behind "and 7 more": where to see them, or "" */
};

struct panel *panel_new(void);
void panel_free(struct panel *p); /* NULL is fine */

/* Adds an item (copies); more than PANEL_ITEMS_MAX are left out. */
void panel_add(struct panel *p, const char *key, const char *text);

/* Adds the panel to a view as surface ID, its last row above row BELOW. */
void panel_draw(const struct panel *p, struct viewer *vw, struct sync_view *v,
    uint64_t id, int below);

#endif
