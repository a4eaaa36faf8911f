/*
 * client/far.h - what the shell of another machine is asked to run.
 *
 * Purpose:   makes the command lines that ssh carries: one that finds rmux there
 *            and runs it, one that takes a file in. Reads what they print.
 * Ownership: commands are appended to the caller's buffer.
 * Errors:    the parsers return false for other text. What they return comes
 *            from another machine: letters, digits, '_', '-' and '.' only.
 * Source:    POSIX, sh; the commands hold no newline, '!' and quote, so that
 *            every login shell passes them on to sh unchanged.
 * Tests:     regress/unit/check_deploy.c, regress/e2e/deploy.sh,
 *            regress/fuzz/fuzz_far.c
 */
#ifndef CLIENT_FAR_H
#define CLIENT_FAR_H

#include "base/buf.h"

#define FAR_WORD_MAX 32
/* Where a deployed rmux is, below the home folder. */
#define FAR_FOLDER ".local/libexec/rmux"

/* The machine, if there is no rmux. */
struct far_machine {
	bool other;                 /* one with another checksum is there */
	char system[FAR_WORD_MAX];  /* "Linux"; "": unknown */
	char machine[FAR_WORD_MAX]; /* "x86_64" */
};

enum far_missing {
	FAR_SAY,  /* tell the user on standard error */
	FAR_MARK, /* print a line for far_missing_parse */
};

/*
 * security: appends a word, quoted for any shell, and a space before it. Within
 * single quotes a backslash is one more character to sh, and quotes the next one
 * to fish: it stands outside of them. To zsh =ls is a path.
 */
void far_quote(struct buf *b, const char *word);

/*
 * Appends a command that runs the rmux of the far side's PATH, else the deployed
 * one. SUMS: SHA-256 sums in hexadecimal digits, separated by spaces, one of
 * which the deployed file must have; NULL: any. The words for rmux follow.
 */
void far_find(
    struct buf *b, const char *sums, enum far_missing how, const char *host);

/*
 * Finds the line of FAR_MARK in N bytes of output. Returns false if it is not
 * there or damaged.
 */
bool far_missing_parse(const void *p, size_t n, struct far_machine *m);

/*
 * Appends a command that reads SIZE bytes with the checksum SUM from its
 * standard input, tries them as a program, and puts them into the place of
 * this version of rmux.
 */
void far_take(struct buf *b, size_t size, const char *sum);

/* Why far_take failed: a step of the table in far.c. */
struct far_step {
	const char *name;
	const char *text;   /* what could not be done */
	const char *advice; /* what to do */
};

/*
 * Reads the output of far_take. Returns true if the file is there; *summed:
 * its checksum was compared, not only its size. Else *step is the failed step,
 * or NULL if the output does not name one.
 */
bool far_take_parse(
    const void *p, size_t n, bool *summed, const struct far_step **step);

#endif
