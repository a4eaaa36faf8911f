/*
 * server/face/keys.h - keys of a client: overlays, key tables, panes.
 *
 * Purpose:   gives a key to the first taker of: an overlay, a binding of the
 *            client's key table, the mode or the program of a pane.
 * Ownership: struct viewer_keys is a member of the viewer, for keys.c alone;
 *            the model (mux/client.h) keeps the name of the key table.
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
	uint64_t looked;      /* newest input that was not for a pane */
	bool fast;            /* it came within assume-paste-time */
	mono_ms repeat_until; /* 0: no repeat is active */
};

/* Handles a key of this client, also one of send-keys -K. */
void keys_typed(struct viewer *vw, const struct key_event *key);

/*
 * Looks KEY up in the client's key table and runs its binding.  STATE is the
 * target of the binding's commands; NULL: the client's current pane.  Returns
 * whether the table took the key.
 */
bool keys_lookup(
    struct viewer *vw, key_code key, const struct cmd_state *state);

/* The current input was not for a pane. */
void keys_noted(struct viewer *vw);

/* Sets ST to the current target of this client's commands. */
void keys_state(const struct viewer *vw, struct cmd_state *st);

/*
 * Stores at most MAX keys that would not reach a program in the current state;
 * KEY_ANY means all keys.  Returns their number.
 */
size_t keys_taken(const struct viewer *vw, key_code *keys, size_t max);

/*
 * Sets the key table of the next key (NULL: the session's key-table) and starts
 * prefix-timeout and the delay of the panel of keys.
 */
void keys_set_table(struct viewer *vw, const char *name);

/*
 * Finds out whether a binding needs an extended encoding of keys, for the
 * view's request to the terminal.
 */
void keys_ask(struct viewer *vw);

/* Functions for VIEWER_DUE_TABLE and VIEWER_DUE_KEYS. */
void keys_table_due(struct viewer *vw, mono_ms now);
void keys_panel_due(struct viewer *vw, mono_ms now);

#endif
