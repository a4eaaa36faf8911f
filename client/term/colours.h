/*
 * client/term/colours.h - asks the user's terminal for its colours.
 *
 * Purpose:   asks for colours 0 to 15, foreground, background and cursor, and
 *            collects the answers for the server in one event. The other colours
 *            are taken for xterm's.
 * Ownership: plain data in the caller's memory.
 * Sizes:     five bytes a colour, as in mux/outer.h.
 * Errors:    none; an answer that does not parse is dropped.
 * Source:    xterm's control sequences: OSC 4, 10, 11, 12.
 * Tests:     regress/unit/check_term_colours.c
 */
#ifndef CLIENT_TERM_COLOURS_H
#define CLIENT_TERM_COLOURS_H

#include "base/buf.h"
#include "client/term/in.h"

#define TERM_COLOURS_ANSI 16
#define TERM_COLOURS_MAX (TERM_COLOURS_ANSI + 3)
#define TERM_COLOURS_BYTES 5

struct term_colours {
	bool asked; /* the answer to the last question is to come */
	size_t n;   /* bytes of DATA */
	uint8_t data[TERM_COLOURS_MAX * TERM_COLOURS_BYTES];
};

/* Appends the questions to B: colours, then a status report (DSR). */
void term_colours_ask(struct term_colours *c, struct buf *b);

/*
 * Takes an event.  Returns whether DATA holds N bytes that the server should
 * get: once the status report has come, or for an answer that comes later.  The
 * caller sets N to 0 behind that.
 */
bool term_colours_take(struct term_colours *c, const struct term_event *ev);

#endif
