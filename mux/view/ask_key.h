/*
 * mux/view/ask_key.h - keys of a prompt elsewhere.
 *
 * Purpose:   what a key does to the line of a prompt that a client replays
 *            (ask_replay.h, pick_ask.h), as server/face/prompt.c does it.
 * Tests:     regress/unit/check_copy_link.c, check_pick.c
 */
#ifndef MUX_VIEW_ASK_KEY_H
#define MUX_VIEW_ASK_KEY_H

#include "mux/sync/prompt_edit.h"

enum ask_did {
	ASK_DID_STAYS,    /* nothing, or the cursor has moved */
	ASK_DID_CHANGED,  /* the text */
	ASK_DID_ACCEPTED, /* the text is the answer */
	ASK_DID_LEFT,     /* no answer */
	ASK_DID_BACK,     /* C-r */
	ASK_DID_ON,       /* C-s */
	ASK_DID_UNKNOWN,
};

/*
 * Gives K to a line.  VI: Escape begins vi's commands.  EXITS: Backspace in an
 * empty line ends it.
 */
enum ask_did ask_key_line(
    struct prompt_edit *e, bool vi, bool exits, key_code k);

/* Gives K to a prompt for one character, which becomes the text. */
enum ask_did ask_key_single(struct prompt_edit *e, key_code k);

#endif
