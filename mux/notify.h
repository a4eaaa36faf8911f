/*
 * mux/notify.h - notifications of programs: the list, and its limits.
 *
 * Purpose:   keeps the last notifications of all panes, counts those that no
 *            person has seen, and limits how many a pane may send.
 * Ownership: the mux owns the list; each pane its own state. Entries name
 *            their pane by id: it may be gone. A pointer to an entry is valid
 *            until the next change of the list.
 * Units:     mono_ms for limits, wall clock in milliseconds for times that
 *            users see; bytes of UTF-8 without control characters for texts.
 * Errors:    a notification over the limits is dropped and counted; longer
 *            texts are cut.
 * Source:    OSC 9 of iTerm2, OSC 777 of urxvt, OSC 99 of kitty.
 * Tests:     regress/unit/check_notify.c, regress/e2e/notify.sh
 */
#ifndef MUX_NOTIFY_H
#define MUX_NOTIFY_H

#include "mux/mux.h"
#include "mux/notify99.h"

#define NOTIFY_MAX 200      /* entries; the oldest one makes room */
#define NOTIFY_NAME_MAX 128 /* bytes of a window's name */

/* Notifications in a row, and the time until one more may come. */
#define NOTIFY_PANE_BURST 5
#define NOTIFY_PANE_MS 1000
#define NOTIFY_ALL_BURST 20
#define NOTIFY_ALL_MS 250

/* A progress that lasted longer is worth an entry at its end. */
#define NOTIFY_PROGRESS_MS 5000

enum notify_kind {
	NOTIFY_OSC9,
	NOTIFY_OSC777,
	NOTIFY_OSC99,
	NOTIFY_BELL,
	NOTIFY_PROGRESS,
};

/* What a program says; no string is NULL. */
struct notify_text {
	enum notify_kind kind;
	const char *title;
	const char *body;
	const struct notify99_note *note; /* of OSC 99, else NULL */
};

struct notify_entry {
	uint64_t number; /* 1, 2, ... */
	uint32_t pane;
	enum notify_kind kind;
	bool seen;
	bool closed;  /* its program knows that it has ended */
	bool sent;    /* a terminal that can close it got it */
	int64_t time; /* wall clock */
	char *window; /* name of its window at that time */
	char *title;
	char *body;
	/* Of OSC 99; else the defaults of notify99_note_init. */
	struct notify99_note note;
};

/* A token bucket. */
struct notify_bucket {
	mono_ms full_at; /* when it is full again */
};

/* What a pane has, made at its first notification. */
struct notify_pane {
	struct notify_bucket bucket;
	uint64_t dropped;
	char *last; /* text of the newest one, or NULL */
	struct notify99 parts;
	bool progress; /* OSC 9;4 shows a progress since ... */
	mono_ms progress_at;
};

struct notify {
	struct notify_entry *all[NOTIFY_MAX]; /* oldest first */
	size_t count;
	size_t unseen; /* with bells */
	uint64_t next; /* number of the next entry */
	int64_t born;  /* wall clock of the first one: part of outer ids */
	uint64_t dropped;
	struct notify_bucket bucket;
};

struct notify *notify_new(void);
void notify_free(struct notify *n);

/* Returns the state of P; makes it. */
struct notify_pane *notify_pane(struct pane *p);
void notify_pane_free(struct notify_pane *np);

/*
 * Takes one of BURST tokens, of which one comes back every EACH ms; false:
 * there is none.
 */
bool notify_bucket_take(
    struct notify_bucket *b, mono_ms now, unsigned burst, mono_ms each);

/* Whether P may notify now; takes a token, or counts what is dropped. */
bool notify_admit(struct pane *p);

/*
 * Adds a notification of P, or writes over the one with the id of TEXT's note;
 * a bell writes over the unseen bell of P. Appends PANE_NOTIFICATION. SEEN: a
 * person looks at the pane.
 */
struct notify_entry *notify_add(
    struct pane *p, const struct notify_text *text, bool seen);

/* Returns the entry that notify_add would drop to make room, or NULL. */
struct notify_entry *notify_oldest(
    const struct pane *p, const struct notify_text *text);

/*
 * Notes OSC 9;4 of P; true: a progress that lasted long has ended, and should
 * be told.
 */
bool notify_progressed(struct pane *p, int state);

/* By number; by P's own id (kitty's i=), not closed. NULL: there is none. */
struct notify_entry *notify_find(const struct notify *n, uint64_t number);
struct notify_entry *notify_find_id(const struct pane *p, const char *id);

/* The newest unseen entry whose pane lives, else NULL. */
struct notify_entry *notify_newest(const struct mux *m);

/* Marks an entry as seen. */
void notify_see(struct notify *n, struct notify_entry *e);

/* Marks the entries of P, or of panes that are gone; whether one was unseen. */
bool notify_see_pane(struct pane *p);
bool notify_see_gone(struct mux *m);

/* Marks entries whose pane a focused person sees; whether one was unseen. */
bool notify_look(struct mux *m);

/*
 * Returns whether a person whose terminal has the focus sees P and, if ACTIVE,
 * types there. Guests do not count.
 */
bool notify_looked_at(const struct pane *p, bool active);

/* Returns the link of S to the window of P, else the window's first; or NULL. */
struct winlink *notify_link(const struct session *s, const struct pane *p);

/* Whether C shows P: its window, and not below a zoomed pane. */
bool notify_shows(const struct client *c, const struct pane *p);

/* Removes an entry, or all of them and the counts of dropped ones. */
void notify_remove(struct notify *n, struct notify_entry *e);
void notify_clear(struct mux *m);

/*
 * Counts unseen entries of a session, a window, a pane (NULL: any), without
 * bells: a window's flags show these.
 */
size_t notify_unseen(const struct mux *m, const struct session *s,
    const struct window *w, const struct pane *p);

/* "title: body", or the one that there is (mem_free). */
char *notify_text_new(const struct notify_entry *e);

/* "osc9" ... "progress". */
const char *notify_kind_name(enum notify_kind kind);

/*
 * The id of an entry for a user's terminal, "rmux-TIME-NUMBER" (mem_free), and
 * back: the entry, or NULL.
 */
char *notify_outer_id_new(const struct notify *n, const struct notify_entry *e);
struct notify_entry *notify_outer_find(const struct notify *n, const char *id);

#endif
