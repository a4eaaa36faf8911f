/*
 * server/face/asks.h - the prompts that keys of copy mode open, for remote
 * clients.
 *
 * Purpose:   describes each prompt so that a client can open it itself
 *            (mux/view/ask_replay.h), and finds the one that is open.
 * Ownership: struct asks owns its rows.
 * Source:    doc/PROTOCOL.md, C.5.
 * Tests:     regress/e2e/replay.sh
 */
#ifndef SERVER_FACE_ASKS_H
#define SERVER_FACE_ASKS_H

#include "base/key.h"
#include "mux/view/ask_replay.h"

struct prompt_state;
struct viewer;

/*
 * Adds KEY to the prompt that the commands LIST open; false: they do something
 * else, or a client could not know what.
 */
bool asks_add(const struct viewer *vw, struct asks *as, key_code key,
    const struct cmdlist *list);

/* Whether the look of a prompt's line depends on nothing that keys change. */
bool asks_steady(const struct viewer *vw);

/* Returns the number of the open prompt P in AS, from 1; 0: it is not there. */
unsigned asks_find(const struct viewer *vw, const struct asks *as,
    const struct prompt_state *p);

#endif
