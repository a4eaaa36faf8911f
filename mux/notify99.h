/*
 * mux/notify99.h - kitty's desktop notifications, OSC 99.
 *
 * Purpose:   reads "metadata ; payload", joins the parts of a notification,
 *            writes the answers.
 * Ownership: the caller owns struct notify99 and the notes it gets
 *            (notify99_note_fini).
 * Units:     bytes.
 * Errors:    what cannot be read is dropped. At most NOTIFY99_OPEN unfinished
 *            notifications are kept; the oldest makes room.
 * Source:    sw.kovidgoyal.net/kitty/desktop-notifications
 * Tests:     regress/unit/check_notify.c, regress/fuzz/fuzz_notify.c
 */
#ifndef MUX_NOTIFY99_H
#define MUX_NOTIFY99_H

#include <stdbool.h>

#include "base/buf.h"

#define NOTIFY_TITLE_MAX 256 /* bytes */
#define NOTIFY_BODY_MAX 1024
#define NOTIFY99_ID_MAX 64       /* longer ones are none */
#define NOTIFY99_BUTTONS_MAX 256 /* of all buttons */
#define NOTIFY99_OPEN 4

enum notify99_occasion {
	NOTIFY99_ALWAYS,
	NOTIFY99_UNFOCUSED,
	NOTIFY99_INVISIBLE
};

/* What a program has asked for. */
struct notify99_note {
	char id[NOTIFY99_ID_MAX + 1]; /* "": none */
	uint8_t urgency;              /* 0 low, 1 normal, 2 critical */
	uint8_t occasion;             /* enum notify99_occasion */
	bool focus;                   /* activation focuses its window, */
	bool report;                  /* and is reported */
	bool closes;                  /* its end is reported */
	int64_t expires; /* ms; 0 never, -1 as the terminal likes */
	char *title;     /* NULL until notify99_take gives it */
	char *body;
	char *buttons; /* labels, separated by U+2028 */
};

void notify99_note_init(struct notify99_note *note);
void notify99_note_fini(struct notify99_note *note);

/* An unfinished notification. */
struct notify99_open {
	struct notify99_note note;
	struct buf text[3]; /* title, body, buttons as they came */
	uint64_t used;
};

struct notify99 {
	struct notify99_open *open[NOTIFY99_OPEN]; /* NULL: free */
	uint64_t used;
};

/*
 * Returns at most MAX bytes of a text without control characters; spaces stand
 * for its line ends and tabs (mem_free).
 */
char *notify99_plain_new(const void *p, size_t n, size_t max);

void notify99_init(struct notify99 *n);
void notify99_fini(struct notify99 *n);

enum notify99_did {
	NOTIFY99_NOTHING,
	NOTIFY99_SHOW,  /* the note is complete; the caller frees it */
	NOTIFY99_CLOSE, /* the note has the id (and its other fields) */
	NOTIFY99_QUERY, /* p=?: what is supported */
	NOTIFY99_ALIVE, /* p=alive: which notifications there are */
};

/* Takes one OSC 99; *OUT is set unless the result is NOTIFY99_NOTHING. */
enum notify99_did notify99_take(struct notify99 *n, const char *meta,
    const char *payload, size_t len, struct notify99_note *out);

/* An answer of a user's terminal about a notification. */
enum notify99_said {
	NOTIFY99_SAID_NOTHING,
	NOTIFY99_SAID_ACTIVE,    /* activated; BUTTON: 0, or which one */
	NOTIFY99_SAID_CLOSED,    /* closed */
	NOTIFY99_SAID_SUPPORTED, /* the answer to p=? */
};

/*
 * Reads "metadata;payload" of an answer; ID gets its id (NOTIFY99_ID_MAX + 1
 * bytes).
 */
enum notify99_said notify99_answer(
    const char *p, size_t n, char *id, unsigned *button);

/* Appends answers to a program; ID "" is left out. */
void notify99_put_support(struct buf *out, const char *id);
void notify99_put_active(struct buf *out, const char *id, unsigned button);
void notify99_put_closed(struct buf *out, const char *id);
void notify99_put_alive(struct buf *out, const char *id, const char *ids);

#endif
