/*
 * server/face/prompt.h - the prompt on a client's status line.
 *
 * Purpose:   command-prompt and confirm-before: a line editor with history
 *            and completion, by emacs' or vi's keys.
 * Ownership: an overlay; the callback gets the text borrowed.
 * Units:     code points; cells.
 * Errors:    text over PROMPT_MAX bytes is refused with a bell.
 * Source:    tmux(1), command-prompt, status-keys.
 * Tests:     regress/e2e/prompt.sh
 */
#ifndef SERVER_FACE_PROMPT_H
#define SERVER_FACE_PROMPT_H

#include <stdbool.h>

#include "server/run/messages.h"

struct viewer;

enum prompt_flag {
	PROMPT_SINGLE = 1 << 0,      /* one key is the answer (-1) */
	PROMPT_NUMERIC = 1 << 1,     /* digits only; another key ends it (-N) */
	PROMPT_KEY = 1 << 2,         /* the name of one key (-k) */
	PROMPT_INCREMENTAL = 1 << 3, /* told at every change (-i) */
	PROMPT_EXIT_EMPTY = 1 << 4, /* Backspace in an empty one ends it (-e) */
};

/*
 * TEXT is NULL when the prompt was left without an answer.  With
 * PROMPT_INCREMENTAL it is also called, DONE false, at every change: "=" or
 * after C-s "+", after C-r "-", and the text so far.
 */
typedef void (*prompt_done_fn)(void *arg, const char *text, bool done);

struct prompt_spec {
	const char *message; /* format, expanded when drawn */
	const char *input;   /* to begin with, or NULL */
	unsigned flags;      /* enum prompt_flag */
	enum prompt_type type;
	prompt_done_fn done; /* the last call has DONE true */
	void *arg;
};

/* Opens a prompt; one that is open is left first. */
void prompt_open(struct viewer *vw, const struct prompt_spec *spec);

bool prompt_shown(const struct viewer *vw);

#endif
