/*
 * base/desk_answer.h - an answer to rmux get, put, open or paste-file.
 *
 * Purpose:   encodes and decodes it: the user's machine answers, or the server,
 *            whose option desk refuses.
 * Units:     bytes.
 * Errors:    -ERR_PEER: malformed; -ERR_UNSUPPORTED: of another version.
 * Source:    our own; doc/PROTOCOL.md C.11.
 * Tests:     regress/unit/check_desk.c, regress/fuzz/fuzz_desk.c
 */
#ifndef BASE_DESK_ANSWER_H
#define BASE_DESK_ANSWER_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/err.h"

#define DESK_VERSION 1
#define DESK_FRAME_MAX 65536 /* bytes of a request or answer */

struct desk_answer {
	bool ok;
	const char *text; /* why not; or lines: where each file went */
	size_t ntext;
};

/* Appends. */
void desk_answer_put(struct buf *b, const struct desk_answer *a);

/* Appends the length of an answer as well, and so a whole frame. */
void desk_answer_frame(struct buf *b, const struct desk_answer *a);

/* Decodes P[0..n).  The answer's text points into P. */
int desk_answer_get(
    struct desk_answer *a, const uint8_t *p, size_t n) WARN_UNUSED;

#endif
