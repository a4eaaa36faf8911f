/*
 * server/face/keys.h - keys of a client: overlays, key tables, panes.
 *
 * Purpose:   brings a key to the first that takes it: an overlay, a binding of
 *            the client's key table, the mode or the program of a pane.
 * Ownership: struct viewer_keys is a member of the viewer, for keys.c alone;
 *            the table's name is the model's (mux/client.h).
 * Units:     mono_ms.
 * Source:    tmux's key handling.
 * Tests:     regress/e2e/keys.sh, regress/e2e/options_time.sh
 */
#ifndef SERVER_FACE_KEYS_H
#define SERVER_FACE_KEYS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/key.h"
#include "base/types.h"

struct cmd_state;
struct viewer;

struct viewer_keys {
	mono_ms key_at;       /* when the last key came */
	bool fast;            /* it came at once after another */
	mono_ms repeat_until; /* 0: no repeat is under way */
};

/* A key of this client, or as if it were (send-keys -K). */
void keys_typed(struct viewer *vw, const struct key_event *key);

/*
 * Looks KEY up in the client's key table and runs its binding.  STATE: where
 * the binding's commands run; NULL: where the client is.  Returns whether the
 * table took the key.
 */
bool keys_lookup(
    struct viewer *vw, key_code key, const struct cmd_state *state);

/* Fills in where commands of this client run. */
void keys_state(const struct viewer *vw, struct cmd_state *st);

/*
 * Stores the keys that would not reach a program now, at most MAX; KEY_ANY
 * stands for all.  Returns their number.
 */
size_t keys_taken(const struct viewer *vw, key_code *keys, size_t max);

/*
 * Sets the key table of the next key, NULL for the session's own; prefix-timeout
 * and the time until the panel of keys begin.
 */
void keys_set_table(struct viewer *vw, const char *name);

/* Functions for VIEWER_DUE_TABLE and VIEWER_DUE_KEYS. */
void keys_table_due(struct viewer *vw, mono_ms now);
void keys_panel_due(struct viewer *vw, mono_ms now);

#endif
