/*
 * server/face/numbers.h - the numbers of panes over a client's window.
 *
 * Purpose:   display-panes: big digits over each pane until a key or a time;
 *            a digit chooses a pane.
 * Ownership: the viewer owns its numbers; DONE is called once.
 * Units:     milliseconds, cells.
 * Errors:    none.
 * Source:    tmux(1), display-panes.
 * Tests:     regress/e2e/client.sh
 */
#ifndef SERVER_FACE_NUMBERS_H
#define SERVER_FACE_NUMBERS_H

#include "base/key.h"
#include "base/types.h"

struct numbers;
struct viewer;

/* PANE: the one chosen, or MUX_NONE. */
typedef void (*numbers_done_fn)(void *arg, uint32_t pane);

/* Shows them for MS (0: until a key); KEYS: a digit chooses. */
void numbers_open(
    struct viewer *vw, mono_ms ms, bool keys, numbers_done_fn done, void *arg);

/* Ends them without a choice, if there are any. */
void numbers_close(struct viewer *vw);

/* A key; true if it was for them. */
bool numbers_key(struct viewer *vw, const struct key_event *key);

/* When they end, MONO_NEVER if there are none. */
mono_ms numbers_due(const struct viewer *vw);

#endif
