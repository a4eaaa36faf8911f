/*
 * regress/script.h - the line format of the golden test scripts, and TAP.
 *
 * Purpose:   reads .vt, .keys and the like: one statement a line, words and
 *            "quoted bytes"; prints the results of named tests as TAP.
 * Ownership: a script owns its lines until script_free.
 * Units:     bytes; line numbers from 1.
 * Errors:    a malformed script ends the program: a typing error must not skip
 *            a test.
 * Source:    the test language of libvterm, for the idea.
 *
 * In quotes: \e ESC, \a \b \t \n \v \f \r, \xHH a byte, \u{H..} a code point as
 * UTF-8, \\ and \".  After the quote *N repeats.  Outside, # begins a
 * comment.  key="..." is a word whose quoted part is decoded.
 */
#ifndef REGRESS_SCRIPT_H
#define REGRESS_SCRIPT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

#define SCRIPT_ARGS 64

struct script_arg {
	char *p; /* NUL-terminated, may hold NULs when quoted */
	size_t n;
	bool quoted; /* began with a quote */
};

struct script_line {
	int no;
	int argc;
	struct script_arg argv[SCRIPT_ARGS];
};

struct script {
	const char *path;
	size_t count;
	struct script_line *lines;
};

/* Reads a whole script. */
void script_load(struct script *s, const char *path);
void script_free(struct script *s);

/* Returns the value of argument "KEY=value" of L, or NULL. */
const struct script_arg *script_opt(
    const struct script_line *l, const char *key);

/* Returns whether WORD is an unquoted argument after the first. */
bool script_has(const struct script_line *l, const char *word);

/* Returns argument I as a number; ends the program if it is not a number. */
long script_num(const struct script *s, const struct script_line *l, int i);

/* Ends the program with an error of the script. */
NORETURN void script_die(const struct script *s, const struct script_line *l,
    const char *fmt, ...) PRINTF_LIKE(3, 4);

/* Returns the bytes at P in script notation (static buffer). */
const char *script_quote(const void *p, size_t n);

/* Lists the scripts of DIR that end in SUFFIX, sorted; NULL ends the list. */
char **script_list(const char *dir, const char *suffix);
void script_list_free(char **list);

/* Returns $top_srcdir/REST in a static buffer. */
const char *script_srcdir(const char *rest);

/* Begins a named test and ends the one before. */
void tap_test(const char *path, const char *name);

/* Marks the current test as a known failure (TAP's TODO): WHY is the reason. */
void tap_todo(const char *why);

/* Fails the current test with a reason; TAP prints the first reasons. */
void tap_fail(const char *path, int line, const char *fmt, ...)
    PRINTF_LIKE(3, 4);

/* Returns the number of failures since tap_test. */
int tap_failures(void);

/* Ends the last test and prints the plan; returns the exit status. */
int tap_end(void);

#endif
