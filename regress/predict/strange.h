/*
 * regress/predict/strange.h - generated programs that nobody recorded.
 *
 * Purpose:   makes a program and a typist from a seed: a line editor, a
 *            full-screen editor, a chat, a menu, a pager, a form, a question
 *            for a secret, each with traits of its own. Tests of predict/ play
 *            them in virtual time; regress/predict/strange_run runs one on a
 *            tty. Equal seeds and keys give equal output.
 * Ownership: strange_new gives an object to the caller; pieces are valid until
 *            the next key.
 * Units:     cells, milliseconds.
 * Errors:    a key without meaning to the program does nothing.
 * Source:    the habits of shells, prompts and editors; no program's code.
 * Tests:     regress/unit/check_predict_strange.c
 */
#ifndef REGRESS_PREDICT_STRANGE_H
#define REGRESS_PREDICT_STRANGE_H

#include "base/buf.h"
#include "base/key.h"

/*
 * Seeds from here on are for tests alone: no rule or constant of predict/ may
 * be chosen by looking at their programs.
 */
#define STRANGE_TEST_SEED 200000

enum strange_group {
	STRANGE_PROSE,  /* text in editors */
	STRANGE_SHELL,  /* line editors with commands */
	STRANGE_TALK,   /* interpreters and chats */
	STRANGE_SCREEN, /* menus, pagers, forms */
	STRANGE_SECRET, /* programs that ask for passwords */
	STRANGE_GROUPS,
};

/*
 * Reasons for a key's effect beyond plain echo and editing, as bits. An ideal
 * predictor knows the effect if it has seen each reason before, never that of
 * STRANGE_CHANCE.
 */
enum strange_cause {
	STRANGE_BREAK = 1 << 0,  /* a line was broken */
	STRANGE_RETURN = 1 << 1, /* Enter, with the usual effect */
	STRANGE_SCROLL = 1 << 2, /* the text moved in its window */
	STRANGE_CLOSE = 1 << 3,  /* a closing bracket came with the opening */
	STRANGE_GROW = 1 << 4,   /* a box became taller */
	STRANGE_MODE = 1 << 5,   /* a command of a mode */
	STRANGE_JOIN = 1 << 6,   /* backspace at the start of a line */
	STRANGE_FIELD = 1 << 7,  /* another field, row or page */
	STRANGE_MASK = 1 << 8,   /* a star for a letter */
	STRANGE_STAY = 1 << 9,   /* the cursor or text stays in place */
	STRANGE_CHANCE = 1 << 30,
};

struct strange;

struct strange *strange_new(uint64_t seed, unsigned cols, unsigned rows);
void strange_free(struct strange *s);

enum strange_group strange_group(const struct strange *s);
const char *strange_group_name(enum strange_group g);
const char *strange_name(const struct strange *s);

/*
 * A piece of output: comes WAIT after the piece before. The tty has the modes
 * TTY (VT_FRAME_ECHO, VT_FRAME_CANONICAL) from then on.
 */
struct strange_piece {
	unsigned wait;
	uint32_t tty;
	size_t from, to; /* of strange_output */
};

/* Gives one key, or a line that the kernel has read and echoed. */
void strange_key(struct strange *s, key_code key);
void strange_line(struct strange *s, const char *text);

/* Return the answer to the last key; after strange_new, the first screen. */
size_t strange_pieces(
    const struct strange *s, const struct strange_piece **pieces);
const char *strange_output(const struct strange *s);
uint32_t strange_tty(const struct strange *s);
unsigned strange_causes(const struct strange *s);

/* What the typist does next. */
struct strange_press {
	key_code key;
	unsigned gap; /* since the key before */
	bool secret;
	bool waits; /* for the answer to the key before */
};

void strange_press(struct strange *s, struct strange_press *p);

/* Writes the bytes of KEY to OUT (at least 8); returns their number. */
size_t strange_bytes(key_code key, char *out);

/* Finds the key that P begins with; returns its length, 0: none. */
size_t strange_decode(const char *p, size_t n, key_code *key);

#endif
