/*
 * server/face/prompt_complete.h - completion of words in the prompt.
 *
 * Purpose:   finds the commands, aliases, targets of flags, options and layouts
 *            that begin with the word before the cursor.
 * Ownership: struct completion owns its words.
 * Units:     bytes.
 * Source:    tmux's prompt completes commands, options, layouts and sessions;
 *            rmux adds windows, panes and clients as targets of any flag.
 * Tests:     regress/e2e/prompt.sh
 */
#ifndef SERVER_FACE_PROMPT_COMPLETE_H
#define SERVER_FACE_PROMPT_COMPLETE_H

#include <stddef.h>

#include "server/run/messages.h"

#define COMPLETION_MAX 1000

struct viewer;

struct completion {
	size_t from;  /* start of the completed word */
	char **words; /* sorted, without duplicates */
	size_t count;
	char *common; /* their common beginning; NULL: none */
};

/* Completes TEXT at byte AT for a prompt of TYPE. */
void completion_init(struct completion *c, const struct viewer *vw,
    enum prompt_type type, const char *text, size_t at);
void completion_fini(struct completion *c);

#endif
