/*
 * server/echo.h - which inputs a client may count as answered.
 *
 * Purpose:   an input counts VIEWER_ECHO_MS after it was handed to a program;
 *            at most one acknowledgement is under way and one waits, so that
 *            neither a fast typist nor a slow one is kept waiting for long.
 * Ownership: a plain value.
 * Units:     mono_ms; input indices as in mux/sync/input.h.
 * Errors:    none.
 * Source:    mosh's echo timeout, for the time.
 * Tests:     regress/unit/check_echo.c
 */
#ifndef SERVER_ECHO_H
#define SERVER_ECHO_H

#include <stdbool.h>

#include "base/types.h"

/* How long after an input its effect counts as shown. */
#define ECHO_MS 50

struct echo {
	uint64_t ack; /* inputs up to this index count as answered */
	uint64_t due; /* the next ack, at due_at (MONO_NEVER: none) */
	mono_ms due_at;
	uint64_t later; /* the one after it: newer inputs go here */
	mono_ms later_at;
};

void echo_init(struct echo *e);

/* Input INDEX was handed over. */
void echo_input(struct echo *e, mono_ms now, uint64_t index);

/* Moves on to NOW; whether ack has changed. */
bool echo_expire(struct echo *e, mono_ms now);

/* When ack changes next, or MONO_NEVER. */
mono_ms echo_deadline(const struct echo *e);

#endif
