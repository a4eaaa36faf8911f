/*
 * mux/vt/search_int.h - patterns: shared by search.c and search_pattern.c.
 *
 * Purpose:   compiles a pattern and matches it against the text of one line.
 * Ownership: struct search_pattern owns its strings and the expression.
 * Units:     bytes.
 * Errors:    as vt_search_new.
 * Tests:     regress/unit/check_vt_search.c
 */
#ifndef MUX_VT_SEARCH_INT_H
#define MUX_VT_SEARCH_INT_H

#include <regex.h>

#include "mux/vt/search.h"

struct search_pattern {
	unsigned flags;
	char *text; /* literal: folded if VT_SEARCH_ICASE */
	size_t n;
	/*
	 * glibc matches several times faster in the C locale, which gives the
	 * same matches in ASCII: [1] is for bytes that are all ASCII.
	 */
	regex_t regex[2];
	bool compiled[2];
	/*
	 * The same expression behind "^.*": glibc tells in linear time that a
	 * text has no match of it, and in quadratic time that it has none of
	 * the expression alone, since each byte may begin one.
	 */
	regex_t filter[2];
	bool filters;      /* it means the same behind "^.*" */
	size_t window;     /* bytes of a line to match at once */
	size_t scanned[2]; /* bytes matched since the expression was compiled */
	/*
	 * Bytes that the packed form of each matching line contains; without
	 * VT_SEARCH_ICASE as they are, else in lower case.  May be empty.
	 */
	char *needle;
	size_t nneedle;
};

int search_pattern_init(struct search_pattern *p, const char *pattern, size_t n,
    unsigned flags, struct cause *cause);
void search_pattern_fini(struct search_pattern *p);

/* Folds the case of N bytes of UTF-8 without changing any length. */
void search_fold(char *s, size_t n);

/* Folds the case of ASCII letters in N bytes. */
void search_fold_ascii(uint8_t *dst, const uint8_t *src, size_t n);

/*
 * Finds the first match of at least one byte at or after byte AT.  TEXT is
 * NUL-terminated, and folded if the pattern is literal and VT_SEARCH_ICASE.
 * Changes TEXT while it runs.
 */
bool search_pattern_match(struct search_pattern *p, char *text, size_t len,
    size_t at, size_t *start, size_t *end);

#endif
