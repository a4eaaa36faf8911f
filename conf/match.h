/*
 * conf/match.h - globs, regular expressions and fuzzy matching.
 *
 * Purpose:   compares text with a user's pattern in rmux's three ways.
 * Units:     positions of the fuzzy matcher are byte offsets.
 * Errors:    match_regex gives -ERR_SYNTAX with a cause for a bad expression,
 *            -ERR_LIMIT for one over MATCH_PATTERN_MAX or too costly; the
 *            others cannot fail.
 * Source:    globs as fnmatch(3) without flags: * ? [a-z] [!a] [^a] [[:alpha:]]
 *            and \c; regular expressions are POSIX extended (regcomp).
 * Tests:     regress/unit/check_match.c
 */
#ifndef CONF_MATCH_H
#define CONF_MATCH_H

#include <stdbool.h>

#include "base/err.h"

/* Longest pattern in bytes; a longer one matches nothing. */
#define MATCH_PATTERN_MAX 4096

/* Bytes of a text that match_fuzzy looks at. */
#define MATCH_TEXT_MAX 4096

#define MATCH_NEST_MAX 32u   /* depth of parentheses in an expression */
#define MATCH_COST_MAX 4096u /* pieces, with repeats expanded */

/* Limit of the positions that match_fuzzy reports. */
#define MATCH_FUZZY_MAX 64

enum match_flag {
	MATCH_NOCASE = 1 << 0, /* ASCII letters compare without case */
};

/*
 * Tells whether the whole of TEXT matches the glob PATTERN. Time is at most the
 * length of PATTERN times the length of TEXT.
 */
bool match_glob(const char *pattern, const char *text, unsigned flags);

/* Tells whether PATTERN has a character special to match_glob. */
bool match_is_glob(const char *pattern);

/*
 * Tells whether a regular expression is cheap to compile and run: the C library
 * copies repeated parts and takes exponential time for back references.
 */
bool match_regex_cheap(const char *pattern);

/*
 * Searches TEXT for the extended regular expression PATTERN.
 * Out:     *found  whether it occurs
 * Returns: 0, or -ERR_SYNTAX or -ERR_LIMIT with the reason in CAUSE.
 */
int match_regex(const char *pattern, const char *text, unsigned flags,
    bool *found, struct cause *cause);

/* Whether S has an upper-case ASCII letter. */
bool match_has_upper(const char *s);

/* The score and the positions of a fuzzy match. */
struct match_fuzzy {
	int score;                   /* higher is better */
	size_t count;                /* positions that follow */
	size_t pos[MATCH_FUZZY_MAX]; /* byte offset of each matched character */
};

/*
 * Tells whether TEXT matches PATTERN as tmux's switch-mode and m/z do: all terms
 * between blanks, of one alternative between bars.  The characters of a term
 * occur in order; 'TERM occurs as it is, ^TERM at the start, TERM$ at the end,
 * !TERM not.  ASCII letters compare without case unless PATTERN has an upper-case
 * one.  Beginnings of the text and of words and runs score higher, gaps
 * lower.  Of several alternatives the best one counts.
 * Out:     *out score and positions (may be NULL)
 */
bool match_fuzzy(
    const char *pattern, const char *text, struct match_fuzzy *out);

#endif
