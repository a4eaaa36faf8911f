/*
 * server/face/prompt_keys.h - the prompts that keys of the prefix open, for remote
 * clients.
 *
 * Purpose:   describes the prompt of a binding so that a client can open it before
 *            the server answers (mux/sync/switch.h).
 * Ownership: struct prompt_keys is a member of window_keys; it owns nothing.
 * Source:    doc/PROTOCOL.md, C.6.
 * Tests:     regress/unit/check_pictures.c, regress/e2e/held.sh
 */
#ifndef SERVER_FACE_PROMPT_KEYS_H
#define SERVER_FACE_PROMPT_KEYS_H

#include "mux/sync/switch.h"

struct cmd;
struct viewer;

#define PROMPT_KEYS_TEXT 128 /* bytes of a format with its NUL */

struct prompt_keys {
	unsigned count;
	struct {
		char message[PROMPT_KEYS_TEXT]; /* format */
		char input[PROMPT_KEYS_TEXT];   /* the same */
		bool single;                    /* one key ends it */
	} rows[SYNC_SWITCH_ASKS_MAX];
	uint64_t stamp;                 /* of what was drawn; 0: nothing */
	struct sync_switch_setup drawn; /* only its prompts */
};

/*
 * Adds the prompt of a command; stores its number.  False: the command is none,
 * or a client could not know its prompt.
 */
bool prompt_keys_add(const struct viewer *vw, struct prompt_keys *pk,
    const struct cmd *cmd, uint32_t *number);

/* Adds the prompts as they would open now to OUT, which has none. */
void prompt_keys_put(
    struct viewer *vw, struct prompt_keys *pk, struct sync_switch_setup *out);

#endif
