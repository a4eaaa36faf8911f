/*
 * server/face/window_keys.h - tells a remote client which keys show which window.
 *
 * Purpose:   adds to a view the keys that only select another window, the
 *            windows and their order, and their names in the status lines.
 * Ownership: struct window_keys is a member of the viewer, for window_keys.c
 *            alone.
 * Source:    doc/PROTOCOL.md, C.6.
 * Tests:     regress/unit/check_pictures.c, regress/e2e/held.sh
 *
 * A view without a state tells the client to wait: an overlay, a hook or a
 * command decides what keys do.
 */
#ifndef SERVER_FACE_WINDOW_KEYS_H
#define SERVER_FACE_WINDOW_KEYS_H

#include "mux/sync/switch.h"
#include "server/face/prompt_keys.h"

struct sync_view;
struct view_builder;
struct viewer;

struct window_keys {
	struct sync_switch_setup keys; /* without windows */
	uint64_t stamp;                /* of the keys; 0: none */
	bool known;                    /* they are all known */
	struct prompt_keys prompts;    /* that the keys open */
};

/* Updates the switch of V, the new view of VW, which has that of the last. */
void window_keys_add(struct viewer *vw, struct sync_view *v);

/* Returns the bytes of sync_switch_bar for the last view of B, or NULL. */
struct vt_str *window_keys_bar(const struct view_builder *b);

#endif
