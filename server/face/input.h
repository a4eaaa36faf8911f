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

struct pane;
struct server;
struct viewer;

void input_event(struct viewer *vw, const struct sync_event *ev);

/* A key as if it had been typed at this client (send-keys -K). */
void input_key(struct viewer *vw, const struct key_event *key);

/*
 * The keys that would not reach a program now: into KEYS of MAX; returns how
 * many.  KEY_ANY stands for all.
 */
size_t input_taken(const struct viewer *vw, key_code *keys, size_t max);

/* Bytes of a key, text or paste for the program in a pane. */
int input_pane_key(
    struct server *sv, struct pane *p, const struct key_event *key);
int input_pane_bytes(
    struct server *sv, struct pane *p, const void *bytes, size_t n);
int input_pane_paste(struct server *sv, struct pane *p, const void *bytes,
    size_t n, bool bracketed);

/* A mouse event, in cells of the pane. */
void input_pane_mouse(
    struct server *sv, struct pane *p, const struct mouse_event *ev);

/* The same to P, and to the others of its window if they are synchronised. */
void input_panes_key(
    struct server *sv, struct pane *p, const struct key_event *key);

/*
 * Another key table for the next key, NULL for the session's own; times that
 * hang on that begin to run.
 */
void input_set_table(struct viewer *vw, const char *name);

#endif
