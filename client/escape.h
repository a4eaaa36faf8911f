/*
 * client/escape.h - the escape key, for commands to the client itself.
 *
 * Purpose:   finds Ctrl-^ and the key after it in the input, so that the user
 *            can quit, suspend and ask about the link while the server does not
 *            answer.
 * Ownership: plain values.
 * Units:     keys as key_code, text as code points.
 * Errors:    none; unknown keys are passed on.
 * Source:    mosh's escape sequences, for the keys.
 * Tests:     regress/unit/check_client_escape.c
 */
#ifndef CLIENT_ESCAPE_H
#define CLIENT_ESCAPE_H

#include <stdbool.h>

#include "base/key.h"

#define ESCAPE_DEFAULT (KEY_CTRL | '^')

enum escape_what {
	ESCAPE_PASS,      /* not for the client: pass the key on */
	ESCAPE_HOLD,      /* the escape key: keep it, pass nothing */
	ESCAPE_QUIT,      /* . */
	ESCAPE_SUSPEND,   /* Ctrl-Z */
	ESCAPE_LITERAL,   /* ^ or the escape key again: pass one escape key */
	ESCAPE_REPORT,    /* ? */
	ESCAPE_AGAIN,     /* r */
	ESCAPE_HISTORY,   /* h */
	ESCAPE_ANSWER,    /* y, a or n: pass both unless a question is shown */
	ESCAPE_PASS_BOTH, /* another key: pass the escape key, then the key */
};

struct escape {
	key_code key; /* KEY_NONE: there is no escape key */
	bool held;
};

/* KEY as in ESCAPE_DEFAULT. */
void escape_init(struct escape *e, key_code key);

/*
 * Handles one key press; typed text comes as its code point without modifiers.
 */
enum escape_what escape_key(struct escape *e, key_code key);

/*
 * Handles input that is no key (a paste, the mouse). Returns whether an escape
 * key was kept; the caller passes it on first.
 */
bool escape_flush(struct escape *e);

#endif
