/*
 * server/face/prompt.h - the prompt on a client's status line.
 *
 * Purpose:   command-prompt and confirm-before: a line editor with history
 *            and completion, and emacs or vi keys.
 * Ownership: an overlay; the text is valid only during the callback.
 * Units:     code points; cells.
 * Errors:    text over PROMPT_MAX bytes is refused with a bell.
 * Source:    tmux(1), command-prompt, status-keys.
 * Tests:     regress/e2e/prompt.sh
 */
#ifndef SERVER_FACE_PROMPT_H
#define SERVER_FACE_PROMPT_H

#include <stdbool.h>
#include <stdint.h>

#include "server/run/messages.h"

struct prompt_edit;
struct viewer;

enum prompt_flag {
	PROMPT_SINGLE = 1 << 0,  /* one key is the answer (-1) */
	PROMPT_NUMERIC = 1 << 1, /* digits; another key ends it (-N) */
	PROMPT_KEY = 1 << 2,     /* the answer is the name of one key (-k) */
	PROMPT_INCREMENTAL = 1 << 3, /* calls back at every change (-i) */
	PROMPT_EXIT_EMPTY = 1 << 4, /* Backspace in an empty one ends it (-e) */
};

/*
 * Called with DONE when the prompt closes; TEXT is NULL if it was cancelled.
 * With PROMPT_INCREMENTAL also called without DONE at every change: TEXT is
 * then "=" (after C-s "+", after C-r "-") and the current text.
 */
typedef void (*prompt_done_fn)(void *arg, const char *text, bool done);

struct prompt_spec {
	const char *message; /* format, expanded when drawn */
	bool plain;          /* it is text: names may look like formats */
	const char *input;   /* initial text, or NULL */
	unsigned flags;      /* enum prompt_flag */
	enum prompt_type type;
	/* Opened over the last row of the pane PANE. */
	bool in_pane;
	uint32_t pane;
	/*
	 * The command that the answer goes to (args_template_new), or NULL: a
	 * remote client cannot know what it does.
	 */
	const char *template;
	uint64_t serial; /* of the mode that asks WHAT, or 0 */
	unsigned what;
	prompt_done_fn done; /* called exactly once with DONE */
	void *arg;
};

struct args;

/*
 * Returns a new message for a command-prompt without -p: the name of the
 * template's command, and GAP.
 */
char *prompt_default_new(const struct args *a, const char *gap);

/* Opens a prompt; cancels the open one first. */
void prompt_open(struct viewer *vw, const struct prompt_spec *spec);

bool prompt_shown(const struct viewer *vw);

/* What an open prompt shows; borrowed. */
struct prompt_state {
	const char *message;
	const char *template; /* or NULL */
	uint64_t serial;      /* of the mode that asks WHAT, or 0 */
	unsigned what;
	unsigned flags;
	bool in_pane;
	uint32_t pane; /* the client's when it was opened */
	const struct prompt_edit *edit;
	char sign;
	const char *last; /* or NULL */
};

/*
 * Describes the prompt that takes the next key.  False: none does, or keys do
 * more than edit its text and end it.
 */
bool prompt_state(const struct viewer *vw, struct prompt_state *out);

#endif
