/*
 * mux/mode/hints_find.h - finds URLs, paths, hashes, addresses, numbers in text.
 *
 * Purpose:   splits a line into the texts that people copy from a screen.
 * Ownership: none; the caller keeps the line.
 * Units:     bytes of UTF-8.
 * Errors:    none; bytes that are not UTF-8 end a match.
 * Source:    RFC 3986, RFC 4291, RFC 5321, RFC 9562; the output of common tools.
 * Tests:     regress/unit/check_hints_find.c (hints.lines), fuzz_hints.c
 *
 * Takes time linear in the line: each kind looks at most twice at a byte.
 */
#ifndef MUX_MODE_HINTS_FIND_H
#define MUX_MODE_HINTS_FIND_H

#include <stdbool.h>

#include "base/compiler.h"

enum hint_kind {
#define X(id, ...) HINT_##id,
#include "mux/mode/hints.def"
#undef X
	HINT_USER, /* a pattern of hints-patterns */
	HINT_KINDS
};

/* A byte that belongs to no match; put it over text that is taken. */
#define HINT_TAKEN 0x01

struct hint_span {
	size_t start;
	size_t end;
	enum hint_kind kind;
};

/*
 * Finds the next match at or after byte AT of N bytes, of the kinds in the set
 * KINDS (1 << kind); false if there are none.
 */
struct hint_line;
bool hints_find(struct hint_line *l, struct hint_span *out);

/* A line being looked through. */
struct hint_line {
	const char *s; /* not terminated */
	size_t n;
	size_t at;
	unsigned kinds;
	/* Before this byte no match of a kind begins. */
	size_t skip[HINT_KINDS];
};

void hints_find_start(
    struct hint_line *l, const char *s, size_t n, unsigned kinds);

/* The name of a kind; "user" for HINT_USER. */
const char *hint_kind_name(enum hint_kind kind);

/*
 * Parses names joined by commas into a set of kinds; -ERR_NOTFOUND with the
 * name in CAUSE.
 */
struct cause;
int hint_kinds_parse(const char *text, unsigned *kinds, struct cause *cause);

/* --- for the finders (hints_class.c) --------------------- */

/*
 * The finders: the end of a match that begins at AT, or 0.  They may set *SKIP
 * to a byte after AT before which no match of their kind begins.
 */
#define X(id, name, find, help) \
 size_t hints_find_##find(const struct hint_line *l, size_t at, size_t *skip);
#include "mux/mode/hints.def"
#undef X

enum hint_class {
	HINT_ALPHA = 1 << 0,
	HINT_DIGIT = 1 << 1,
	HINT_HEX = 1 << 2,
	HINT_WORD = 1 << 3,   /* letters, digits, _ */
	HINT_MAIL = 1 << 4,   /* in the local part of an address */
	HINT_HOST = 1 << 5,   /* in the name of a host */
	HINT_PATHS = 1 << 6,  /* in a path */
	HINT_URLS = 1 << 7,   /* in a URL */
	HINT_SCHEME = 1 << 8, /* in the scheme of a URL */
};

/* Whether byte AT exists and is of one of those classes. */
bool hint_is(const struct hint_line *l, size_t at, unsigned classes);

/* The byte at AT, or 0 outside the line. */
static inline unsigned char
hint_at(const struct hint_line *l, size_t at)
{
	return at < l->n ? (unsigned char)l->s[at] : 0;
}

/* The byte before AT, or 0. */
static inline unsigned char
hint_before(const struct hint_line *l, size_t at)
{
	return at > 0 ? (unsigned char)l->s[at - 1] : 0;
}

/* The end of the run of bytes of CLASSES that begins at AT. */
size_t hint_run(const struct hint_line *l, size_t at, unsigned classes);

/*
 * The bytes of the letter beyond ASCII at AT, or 0: drawing characters, symbols
 * and punctuation are no letters.
 */
size_t hint_letter(const struct hint_line *l, size_t at);

#endif
