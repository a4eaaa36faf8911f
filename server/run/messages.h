/*
 * server/run/messages.h - the log of show-messages and the histories of prompts.
 *
 * Purpose:   a bounded log of messages and commands; the lines typed at each
 *            type of prompt, in a file if history-file names one.
 * Ownership: struct messages and struct prompt_log own their text.
 * Units:     seconds of wall clock.
 * Errors:    the oldest entries are dropped.
 * Source:    tmux(1), show-messages, show-prompt-history, history-file.
 * Tests:     regress/unit/check_run.c, regress/fuzz/fuzz_history.c,
 *            regress/e2e/message.sh, prompt.sh
 */
#ifndef SERVER_RUN_MESSAGES_H
#define SERVER_RUN_MESSAGES_H

#include <stddef.h>
#include <stdint.h>

#include "base/compiler.h"

#define MESSAGES_MAX 100000    /* entries, whatever message-limit says */
#define MESSAGES_TEXT_MAX 4096 /* bytes of one; more is cut */

struct message {
	uint64_t number;
	int64_t time;
	char *text;
};

struct messages {
	struct message *all; /* oldest first */
	size_t count;
	uint64_t next;
};

void messages_fini(struct messages *ms);

/* Adds a message; drops the oldest ones beyond LIMIT. */
void messages_add(struct messages *ms, size_t limit, int64_t time,
    const char *fmt, ...) PRINTF_LIKE(4, 5);

enum prompt_type {
	PROMPT_TYPE_COMMAND,
	PROMPT_TYPE_SEARCH,
	PROMPT_TYPE_TARGET,
	PROMPT_TYPE_WINDOW_TARGET,
	PROMPT_TYPES
};

struct prompt_log {
	char **lines[PROMPT_TYPES]; /* oldest first */
	size_t count[PROMPT_TYPES];
};

/* Name of a type, "command"; the type of NAME, or PROMPT_TYPES. */
const char *prompt_type_name(enum prompt_type type);
enum prompt_type prompt_type_find(const char *name);

/* Adds a line, unless it is empty or the same as the last. */
void prompt_log_add(struct prompt_log *pl, enum prompt_type type, size_t limit,
    const char *text);
void prompt_log_clear(struct prompt_log *pl, enum prompt_type type);
void prompt_log_fini(struct prompt_log *pl);

/* Reads and writes the file of history-file; ignores errors. */
void prompt_log_load(struct prompt_log *pl, size_t limit, const char *path);
void prompt_log_save(const struct prompt_log *pl, const char *path);

#endif
