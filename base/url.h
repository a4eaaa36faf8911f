/*
 * base/url.h - URLs of files, as shells report directories.
 *
 * Purpose:   splits "file://host/path" and decodes its path.
 * Ownership: url_file borrows from its argument; url_decode_new returns a
 *            string that the caller frees (mem_free).
 * Errors:    false, or NULL: it is no such URL, or decodes to what is no path.
 * Source:    RFC 8089; kitty-shell-cwd is kitty's, whose path is not encoded.
 * Tests:     regress/unit/check_url.c
 */
#ifndef BASE_URL_H
#define BASE_URL_H

#include <stdbool.h>
#include <stddef.h>

struct url_file {
	const char *host; /* may be empty */
	size_t hostlen;
	const char *path; /* from its slash on, not decoded */
	size_t pathlen;
	bool encoded; /* the path has %XX */
};

/* Splits the URL of a file. */
bool url_file(const char *s, size_t n, struct url_file *out);

/*
 * Decodes %XX; NULL if a % lacks its digits, or if the result has control
 * characters or is no UTF-8.
 */
char *url_decode_new(const char *s, size_t n);

#endif
