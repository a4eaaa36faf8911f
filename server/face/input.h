/*
 * server/face/input.h - what a user did, to key tables, modes, panes.
 *
 * Purpose:   one event of a client's input log to its effect: a binding's
 *            commands, the prompt, or bytes for the program in a pane.
 * Ownership: nothing is kept but the client's key table and repeat state.
 * Units:     milliseconds, cells of the client's terminal.
 * Errors:    none.
 * Source:    tmux's key handling.
 * Tests:     regress/e2e
 */
#ifndef SERVER_FACE_INPUT_H
#define SERVER_FACE_INPUT_H

#include "mux/sync/input.h"

struct viewer;

void input_event(struct viewer *vw, const struct sync_event *ev);

/* A key as if it had been typed at this client (send-keys -K). */
void input_key(struct viewer *vw, const struct key_event *key);

/*
 * The keys that would not reach a program now: into KEYS of MAX; returns how
 * many.  KEY_ANY stands for all.
 */
size_t input_taken(const struct viewer *vw, key_code *keys, size_t max);

/*
 * Another key table for the next key, NULL for the session's own; times that
 * hang on that begin to run.
 */
void input_set_table(struct viewer *vw, const char *name);

#endif
