/*
 * conf/match.h - globs, regular expressions and fuzzy matching.
 *
 * Purpose:   one place for the three ways in which rmux compares text with a
 *            pattern that a user wrote.
 * Ownership: nothing is kept; results are values.
 * Units:     bytes; positions of the fuzzy matcher are byte offsets.
 * Errors:    match_regex gives -ERR_SYNTAX with a cause for a bad expression,
 *            -ERR_LIMIT for one over MATCH_PATTERN_MAX or too costly; the others
 *            only answer.
 * Source:    globs as fnmatch(3) without flags: * ? [a-z] [!a] [^a] [[:alpha:]]
 *            and \c; regular expressions are POSIX extended (regcomp).
 * Tests:     regress/unit/check_match.c
 */
#ifndef CONF_MATCH_H
#define CONF_MATCH_H

#include <stdbool.h>

#include "base/err.h"

/* Longest pattern that is looked at; a longer one matches nothing. */
#define MATCH_PATTERN_MAX 4096

#define MATCH_NEST_MAX 32u   /* depth of parentheses in an expression */
#define MATCH_COST_MAX 4096u /* pieces of an expression, repeats unrolled */

/* Positions that match_fuzzy reports at most. */
#define MATCH_FUZZY_MAX 64

enum match_flag {
	MATCH_NOCASE = 1 << 0, /* ASCII letters compare without case */
};

/*
 * Whether the whole of TEXT matches the glob PATTERN.  Time is at most
 * length of PATTERN times length of TEXT.
 */
bool match_glob(const char *pattern, const char *text, unsigned flags);

/* Whether PATTERN has a character that means something to match_glob. */
bool match_is_glob(const char *pattern);

/*
 * Whether a regular expression is cheap to compile and run: the C library
 * copies what is repeated and takes exponential time for back references.
 */
bool match_regex_cheap(const char *pattern);

/*
 * Searches TEXT for the extended regular expression PATTERN.
 * Out:     *found  whether it occurs
 * Returns: 0, or -ERR_SYNTAX or -ERR_LIMIT with the reason in CAUSE.
 */
int match_regex(const char *pattern, const char *text, unsigned flags,
    bool *found, struct cause *cause);

/* How well a fuzzy pattern fits, and where. */
struct match_fuzzy {
	int score;                   /* higher is better */
	size_t count;                /* positions that follow */
	size_t pos[MATCH_FUZZY_MAX]; /* byte offset of each matched byte */
};

/*
 * Whether the bytes of PATTERN occur in TEXT in order (blanks in PATTERN are
 * skipped).  Runs, beginnings of words and early places score higher.
 * Out: *out  score and positions (may be NULL)
 */
bool match_fuzzy(const char *pattern, const char *text, unsigned flags,
    struct match_fuzzy *out);

#endif
