/*
 * server/face/prompt_complete.h - what the word before a prompt's cursor may become.
 *
 * Purpose:   commands, aliases, flags' targets, options and layouts that begin
 *            with what was typed.
 * Ownership: struct completion owns its words.
 * Units:     bytes.
 * Errors:    nothing fits: no words.
 * Source:    tmux's prompt completes commands, options, layouts and sessions;
 *            windows, panes and clients as targets of any flag are our own.
 * Tests:     regress/e2e/prompt.sh
 */
#ifndef SERVER_FACE_PROMPT_COMPLETE_H
#define SERVER_FACE_PROMPT_COMPLETE_H

#include <stddef.h>

#include "server/run/messages.h"

#define COMPLETION_MAX 1000

struct viewer;

struct completion {
	size_t from;  /* where the word that is replaced begins */
	char **words; /* sorted, no two alike */
	size_t count;
	char *common; /* their common beginning; NULL: none */
};

/* Completes TEXT at byte AT for a prompt of TYPE. */
void completion_init(struct completion *c, const struct viewer *vw,
    enum prompt_type type, const char *text, size_t at);
void completion_fini(struct completion *c);

#endif
