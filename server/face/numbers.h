/*
 * server/face/numbers.h - the numbers of panes over a client's window.
 *
 * Purpose:   display-panes: big digits over each pane until a key or a time; a
 *            digit or letter chooses a pane.
 * Ownership: an overlay; DONE is called once, when it is closed.
 * Units:     milliseconds.
 * Source:    tmux(1), display-panes.
 * Tests:     regress/e2e/client.sh
 */
#ifndef SERVER_FACE_NUMBERS_H
#define SERVER_FACE_NUMBERS_H

#include <stdbool.h>

#include "base/types.h"

struct viewer;

/* PANE: the one chosen, or MUX_NONE. */
typedef void (*numbers_done_fn)(void *arg, uint32_t pane);

/* Shows them for MS (0: until a key); KEYS: a digit or letter chooses. */
void numbers_open(
    struct viewer *vw, mono_ms ms, bool keys, numbers_done_fn done, void *arg);

bool numbers_shown(const struct viewer *vw);

#endif
