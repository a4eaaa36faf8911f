/*
 * mux/control/control_in.h - cuts the input of a control client into lines.
 *
 * Purpose:   collects bytes and gives one line at a time.
 * Ownership: a line points into the buffer and is valid until the next call.
 * Units:     bytes.
 * Errors:    a line of more than CONTROL_IN_LINE bytes is reported once and
 *            dropped up to its newline.
 * Tests:     regress/unit/check_control_out.c, regress/fuzz/fuzz_control_mode.c
 */
#ifndef MUX_CONTROL_CONTROL_IN_H
#define MUX_CONTROL_CONTROL_IN_H

#include "base/buf.h"

#define CONTROL_IN_LINE ((size_t)1 << 20)

/*
 * With so many waiting bytes the owner should stop reading. They have a line, or
 * one that is too long.
 */
#define CONTROL_IN_FULL (CONTROL_IN_LINE + 1)

enum control_in_got {
	CONTROL_IN_NONE, /* no whole line waits */
	CONTROL_IN_LINE_GOT,
	CONTROL_IN_EMPTY, /* an empty line: the client wants to leave */
	CONTROL_IN_TOO_LONG,
	CONTROL_IN_BAD /* the line has a NUL byte */
};

struct control_in {
	struct buf bytes;
	size_t used;    /* of the line that was given */
	size_t scanned; /* bytes without a newline */
	bool skipping;  /* the rest of a line that is too long */
};

void control_in_init(struct control_in *in);
void control_in_fini(struct control_in *in);

/* Adds input; -ERR_LIMIT: the owner went on reading although it is full. */
int control_in_add(struct control_in *in, const void *p, size_t n);

/* Takes the next line; *LINE is NUL-terminated and has no newline. */
enum control_in_got control_in_next(struct control_in *in, const char **line);

/* Whether the owner should stop reading. */
bool control_in_full(const struct control_in *in);

#endif
