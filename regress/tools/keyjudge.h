/*
 * regress/tools/keyjudge.h - when is a key answered, and what is shown wrongly?
 *
 * Purpose:   compares the screen of a client, as it changes, with the screens
 *            that the same keys leave behind in a terminal without any delay.
 * Ownership: truth and judge own their arrays; truth outlives its judges.
 * Units:     microseconds; cells.  Characters only: colours, underlines and
 *            the shape of the cursor do not count.
 * Errors:    truth_read returns false.
 * Source:    the mosh paper's response time ("from the keystroke until its
 *            effect is on the screen"), made exact below.
 * Tests:     regress/tools/keyplay.sh
 *
 * The truth T[0..n]: the screen before any key and after each one, taken when
 * the program has fallen silent; beside it every character that any cell held
 * for a moment on the way (T[k].seen).
 *
 * The effect of key k is what tells T[k] from T[k-1]:
 *  - the cursor has moved: it is in its new place, and the cells of its row
 *    that changed, up to the cursor, hold what they hold in T[k] (so "a typed"
 *    is an "a" in the right cell with the cursor behind it, Enter is the next
 *    prompt in its right place; a ruler, a suggestion or a right prompt may
 *    follow later).  The cell under the cursor counts if it is empty in T[k]
 *    (something was deleted);
 *  - it has not: every cell that changed (a page of a pager, x in vi).
 * A key without any effect is not counted (a password's letters).
 *
 * Key k is answered at the first moment at which the client's screen shows its
 * effect, or that of a later key already typed: what a key did is contained in
 * what comes after it.  A later effect that the screen showed all along, since
 * it takes back what was done (a letter, then backspace), proves nothing; if
 * the next proof is that of a key after those, the ones taken back were never
 * distinguishable: "unseen", counted apart, not in the response times.
 *
 * A character is wrong if it is none that its cell holds, however shortly, in
 * the truth from the last wholly matched screen to the last key typed; a match
 * sooner after the key than an answer can come, or of a screen that a key led
 * back to, is no sign that the client has got so far.  Blanks are
 * never wrong.  An episode is one cell from then until it is right.
 */
#ifndef REGRESS_KEYJUDGE_H
#define REGRESS_KEYJUDGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct vt_frame;
struct vt_term;

/* The characters of a screen; a cluster is a hash of its text. */
struct picture {
	unsigned cols, rows;
	uint32_t *cell;
	unsigned x, y;
	bool visible; /* the cursor */
};

void picture_init(struct picture *p, unsigned cols, unsigned rows);
void picture_fini(struct picture *p);
void picture_copy(struct picture *to, const struct picture *from);
void picture_take(struct picture *p, struct vt_term *t);
void picture_take_frame(struct picture *p, const struct vt_frame *f);
bool picture_same(const struct picture *a, const struct picture *b);

/* As text, for people: rows with a newline each. */
void picture_print(const struct picture *p, void *file);

struct truth_key {
	struct picture after;
	uint64_t *seen; /* cell << 32 | character, sorted once taken */
	size_t nseen, cap;
};

struct truth {
	unsigned cols, rows, n; /* keys; key[0] is before the first */
	struct truth_key *key;  /* [n + 1] */
};

void truth_init(struct truth *t, unsigned cols, unsigned rows, unsigned n);
void truth_fini(struct truth *t);

/* The screen is P for a moment while key K works; BEFORE is what it was. */
void truth_see(struct truth *t, unsigned k, const struct picture *before,
    const struct picture *p);

/* Key K has done what it does. */
void truth_set(struct truth *t, unsigned k, const struct picture *p);

bool truth_write(const struct truth *t, const char *path);
bool truth_read(struct truth *t, const char *path);

/* Key K has an effect. */
bool truth_visible(const struct truth *t, unsigned k);

enum judge_state {
	JUDGE_WAITING,
	JUDGE_ANSWERED,
	JUDGE_INVISIBLE, /* has no effect */
	JUDGE_UNSEEN,    /* taken back before it could be seen */
};

struct judge_key {
	double pressed, answered; /* us */
	enum judge_state state;
};

struct judge_wrong {
	double from, until; /* us; until < 0: still there */
	unsigned cell, key; /* the last key typed then */
	uint32_t ch;
};

struct judge {
	const struct truth *truth;
	struct judge_key *key; /* [n + 1] */
	unsigned pressed;      /* keys typed */
	unsigned shown;        /* the last one answered */
	unsigned full;         /* the last one wholly on the screen */
	double rtt;            /* us; no answer comes sooner */
	struct judge_wrong *wrong;
	size_t nwrong;
	int32_t *open; /* [cells] index of the episode under way, or -1 */
};

void judge_init(struct judge *j, const struct truth *t);
void judge_fini(struct judge *j);

/* The next key is typed NOW. */
void judge_press(struct judge *j, double now);

/* The client's screen is P, NOW. */
void judge_look(struct judge *j, const struct picture *p, double now);

#endif
