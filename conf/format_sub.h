/*
 * conf/format_sub.h - regular expressions in formats, with bounded cost.
 *
 * Purpose:   runs s/pattern/replacement/ with groups, and the search of m/r.
 *            Rejects patterns whose cost is not bounded.
 * Errors:    -ERR_SYNTAX for a bad pattern, -ERR_LIMIT for one that is too
 *            long, repeats too much or has back references, or for a text over
 *            FORMAT_SUB_TEXT_MAX; the text is then copied unchanged.
 * Source:    POSIX extended regular expressions; replacements as sed(1).
 * Tests:     regress/unit/check_format.c
 */
#ifndef CONF_FORMAT_SUB_H
#define CONF_FORMAT_SUB_H

#include <stdbool.h>

#include "base/buf.h"

#define FORMAT_SUB_PATTERN_MAX 1024u /* bytes of a pattern */
#define FORMAT_SUB_TEXT_MAX 4096u    /* bytes; time grows by the square */
#define FORMAT_SUB_COUNT_MAX 2048u   /* replacements in one text */

/*
 * Replaces every match of PATTERN in TEXT; \0 to \9 in WITH are the groups.
 * In:      flags  enum match_flag
 * Out:     appended to OUT
 */
int format_sub(const char *pattern, const char *with, const char *text,
    unsigned flags, struct buf *out);

/* Cost of a search in N bytes, in the format engine's units of work. */
static inline size_t
format_sub_work(size_t n)
{
	return n > FORMAT_SUB_TEXT_MAX ? n : n + n * n / 8;
}

/* Tells whether PATTERN occurs in TEXT. */
int format_sub_match(
    const char *pattern, const char *text, unsigned flags, bool *found);

#endif
