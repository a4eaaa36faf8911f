/*
 * server/face/pager.h - what a command says to a client, when it is more than one
 * line: over the window, until a key ends it.
 *
 * Purpose:   tmux's view mode: lines of a key's or prompt's command, to be
 *            scrolled.
 * Ownership: a viewer owns its pager; texts are copied.
 * Units:     rows of the client.
 * Errors:    none; lines beyond PAGER_ROWS_MAX go from the top.
 * Source:    tmux(1), list-keys and its like from a key.
 * Tests:     regress/e2e/output.sh
 */
#ifndef SERVER_FACE_PAGER_H
#define SERVER_FACE_PAGER_H

#include "base/key.h"
#include "mux/sync/view.h"

#define PAGER_ROWS_MAX 100000

struct viewer;

/* One line, or several; they are shown when the command is through. */
void pager_say(struct viewer *vw, const char *text);

/* Shows what was said since: one line as a message, more over the window. */
void pager_flush(struct viewer *vw);

/* Whether there is one. */
bool pager_is_open(const struct viewer *vw);

/* A key; true if it was for it. */
bool pager_key(struct viewer *vw, const struct key_event *key);

/* A turn of the wheel; true if there is a pager. */
bool pager_wheel(struct viewer *vw, const struct mouse_event *ev);

/* Adds the pager to a view, if one is open. */
void pager_draw(struct viewer *vw, struct sync_view *v);

/* Frees it with all that was said. */
void pager_free(struct viewer *vw);

#endif
