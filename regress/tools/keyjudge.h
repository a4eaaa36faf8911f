/*
 * regress/tools/keyjudge.h - response times of keys, and wrong characters.
 *
 * Purpose:   compares the changing screen of a client with the screens that
 *            the same keys produce in a terminal without delay.
 * Ownership: truth and judge own their arrays; truth outlives its judges.
 * Units:     microseconds; cells.  Characters only: colours, underlines and
 *            the shape of the cursor do not count.
 * Errors:    truth_read returns false.
 * Source:    the mosh paper's response time ("from the keystroke until its
 *            effect is on the screen"), made exact below.
 * Tests:     regress/tools/keyplay.sh
 *
 * The truth T[0..n]: the screen before any key and after each one, taken when
 * the program is silent; and every character that a cell had at any moment on
 * the way (T[k].seen).
 *
 * The effect of key k is the difference between T[k-1] and T[k]:
 *  - The cursor has moved: it is at its new position, and the changed cells of
 *    its row, up to the cursor, are those of T[k].  (So a typed "a" is an "a"
 *    in the right cell with the cursor after it, Enter is the next prompt in
 *    the right place; a ruler, a suggestion or a right prompt may follow
 *    later.) The cell under the cursor counts if it is empty in T[k] (a
 *    deletion).
 *  - The cursor has not moved: every changed cell (a page of a pager, x in vi).
 * A key without an effect does not count (a letter of a password).
 *
 * Key k is answered at the first moment at which the client's screen shows its
 * effect, or the effect of a later key already typed, which includes it.  A
 * later effect that the screen already showed before, because the key undoes
 * an earlier one (a letter, then backspace), proves nothing; if a still later
 * key is the next proof, the undone keys were never distinguishable: "unseen",
 * counted apart, not in the response times.
 *
 * A character is wrong if its cell never had it in the truth from the last
 * wholly matched screen to the last key typed.  Two matches do not prove that
 * the client has got so far: one earlier after the key than the round trip, and
 * one of a screen that a key led back to.  Blanks are never wrong.  An episode
 * is the time from a wrong character in a cell until the cell is right.
 */
#ifndef REGRESS_KEYJUDGE_H
#define REGRESS_KEYJUDGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct vt_frame;
struct vt_term;

/* The characters of a screen; a grapheme cluster is a hash of its text. */
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

/* Prints the screen as text, rows with a newline each. */
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

/* Records screen P on the way of key K; BEFORE is the screen before P. */
void truth_see(struct truth *t, unsigned k, const struct picture *before,
    const struct picture *p);

/* Records P as the final screen of key K. */
void truth_set(struct truth *t, unsigned k, const struct picture *p);

bool truth_write(const struct truth *t, const char *path);
bool truth_read(struct truth *t, const char *path);

/* Returns whether key K has an effect. */
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
	unsigned shown;        /* the last key answered */
	unsigned full;         /* the last key whose screen matched wholly */
	double rtt;            /* us; no answer is faster */
	struct judge_wrong *wrong;
	size_t nwrong;
	int32_t *open; /* [cells] index of the current episode, or -1 */
};

void judge_init(struct judge *j, const struct truth *t);
void judge_fini(struct judge *j);

/* Records that the next key is typed NOW. */
void judge_press(struct judge *j, double now);

/* Judges the client's screen P at the time NOW. */
void judge_look(struct judge *j, const struct picture *p, double now);

#endif
