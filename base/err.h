/*
 * base/err.h - error codes, and causes for people.
 *
 * Purpose:   one list of error codes for every function that can fail, and
 *            `struct cause`, a message that tells the user what failed, where,
 *            and what to do.
 * Ownership: struct cause is the caller's (zero-initialise it); cause_fini
 *            frees its text.
 * Units:     functions return 0 or a negative code (-ERR_PEER ...).
 * Source:    OpenSSH's ssherr.h and libuv's negative codes.
 * Tests:     regress/unit/check_mem.c
 */
#ifndef BASE_ERR_H
#define BASE_ERR_H

#include "base/compiler.h"

enum err_code {
	ERR_NONE = 0,
#define X(name, text) ERR_##name,
#include "base/err.def"
#undef X
	ERR_COUNT
};

/* Text of a code, negative or positive; never NULL. */
const char *err_text(int code);

/* A message for the user, set where the error is detected. */
struct cause {
	char *text; /* NULL if no message is set */
};

/* Sets the message unless one is set already, and returns CODE. */
int cause_set(struct cause *c, int code, const char *fmt, ...)
    PRINTF_LIKE(3, 4);

/* Puts "PREFIX: " before the message, if one is set. */
void cause_prefix(struct cause *c, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* The message, or "" if none was set; valid until the next change of C. */
const char *cause_text(const struct cause *c);

void cause_fini(struct cause *c);

#endif
