/*
 * server/face/palette.h - the palette on an attached client.
 *
 * Purpose:   the overlay around mux/view/palette.h, and what each session used
 *            lately.
 * Ownership: an overlay; palette_open takes the view over.
 * Units:     PALETTE_RECENT_MAX names over all sessions; the oldest one goes.
 * Tests:     regress/unit/check_viewer.c, regress/e2e/palette.sh
 */
#ifndef SERVER_FACE_PALETTE_H
#define SERVER_FACE_PALETTE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mux/view/palette.h"

#define PALETTE_RECENT_MAX 64
#define PALETTE_NOTHING SIZE_MAX

struct viewer;

/* Called once: the index of the chosen item, or PALETTE_NOTHING. */
typedef void (*palette_done_fn)(void *arg, size_t item, bool edit);

void palette_open(struct viewer *vw, struct view_palette *view,
    palette_done_fn done, void *arg);

bool palette_shown(const struct viewer *vw);

/* The names of items (view_palette_item.id) used lately, the newest first. */
struct palette_recent {
	struct {
		uint32_t session;
		char *id;
	} used[PALETTE_RECENT_MAX];
	size_t count;
};

void palette_recent_fini(struct palette_recent *r);
void palette_recent_add(
    struct palette_recent *r, uint32_t session, const char *id);

/* Sets "recent" of the items that SESSION used. */
void palette_recent_mark(const struct palette_recent *r, uint32_t session,
    struct view_palette *view);

#endif
