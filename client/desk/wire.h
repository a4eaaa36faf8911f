/*
 * client/desk/wire.h - words between a pane and the desk of its user.
 *
 * Purpose:   encodes and decodes requests; checks names and URLs;
 *            makes the question for the user.
 * Ownership: a decoded request owns its names: desk_request_fini.
 * Units:     bytes.
 * Errors:    -ERR_PEER: malformed, or a name that the desk refuses;
 *            -ERR_UNSUPPORTED: of another version.
 * Source:    our own; doc/PROTOCOL.md C.11.
 * Tests:     regress/unit/check_desk.c, regress/fuzz/fuzz_desk.c
 */
#ifndef CLIENT_DESK_WIRE_H
#define CLIENT_DESK_WIRE_H

#include "base/buf.h"
#include "base/desk_answer.h"
#include "base/err.h"

#define DESK_NAMES_MAX 64
#define DESK_URL_MAX 2048
#define DESK_ASK_TEXT 400 /* bytes of a question, with the NUL */

enum desk_what {
	DESK_SAVE = 1, /* files of the pane go to the folder */
	DESK_READ,     /* files of the folder go to the pane */
	DESK_OPEN,     /* a URL */
	DESK_SHOW,     /* one file goes to the folder and is opened */
	DESK_PASTE,    /* files or the image of the clipboard go to the pane */
};

/* Names are of files; of OPEN the URL, of PASTE any one. */
struct desk_request {
	enum desk_what what;
	bool recurse;
	uint64_t files; /* SAVE, SHOW: files and their bytes */
	uint64_t bytes;
	char *names[DESK_NAMES_MAX + 1]; /* NULL-terminated; see below */
	size_t n;
};

/* Appends; the names of Q are borrowed.  Answers: base/desk_answer.h. */
void desk_request_put(struct buf *b, const struct desk_request *q);

/* Decodes P[0..n). */
int desk_request_get(
    struct desk_request *q, const uint8_t *p, size_t n) WARN_UNUSED;
void desk_request_fini(struct desk_request *q);

/* Whether a path has no control characters and leads nowhere else. */
bool desk_path_ok(const char *path);

/* Whether a URL may be opened: http, https or mailto, printable ASCII. */
bool desk_url_ok(const char *url);

/*
 * Returns the path of a line of text/uri-list (mem_free), or NULL: a comment, or no
 * file of this machine.
 */
char *desk_file_new(const char *line);

/*
 * Returns NAME as the Nth of that name, "name (2).ext" for 2 (mem_free); it is
 * shortened if need be.
 */
char *desk_name_new(const char *name, unsigned n);

/*
 * Writes the question about Q, with a folder as people write it.  FILES and
 * BYTES are those of the question.
 */
void desk_question(const struct desk_request *q, const char *folder,
    uint64_t files, uint64_t bytes, char out[DESK_ASK_TEXT]);

#endif
