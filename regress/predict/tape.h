/*
 * regress/predict/tape.h - keys and a program's answers to them.
 *
 * Purpose:   a tape: recorded by tape_record, or made by a generated program
 *            (regress/predict/strange.h); and the screens after each key.
 * Ownership: tape_load and tape_strange fill the caller's struct; tape_free
 *            frees what it holds.
 * Units:     cells, milliseconds.
 * Errors:    a bad file ends the program with a message.
 * Tests:     regress/predict/tape_replay.c
 */
#ifndef REGRESS_PREDICT_TAPE_H
#define REGRESS_PREDICT_TAPE_H

#include "base/buf.h"
#include "base/grapheme.h"
#include "base/key.h"
#include "base/types.h"
#include "regress/script.h"
#include "regress/tools/keyjudge.h"

#define TAPE_KEYS 2048
#define TAPE_OUTS 16384

/* The part of a tape after a key (0: before the first). */
struct tape_out {
	mono_ms wait; /* since the entry before */
	size_t key;
	uint32_t tty;
	const char *bytes; /* NULL: only the tty changes */
	size_t n;
};

struct tape {
	const char *name;
	struct script s;
	unsigned cols, rows;
	size_t nkeys;
	key_code key[TAPE_KEYS];
	bool secret[TAPE_KEYS];
	mono_ms gap[TAPE_KEYS]; /* as recorded; 0: invented */
	size_t nouts;
	struct tape_out out[TAPE_OUTS];
	struct truth truth; /* the screens after each key */
	/* of a generated program */
	unsigned group;            /* enum strange_group */
	unsigned cause[TAPE_KEYS]; /* enum strange_cause */
	char title[32];
	struct buf bytes;
};

/* Reads a file of tape_record. */
void tape_load(struct tape *t, const char *path);

/* Lets the program SEED and its typist do KEYS keys. */
void tape_strange(struct tape *t, uint64_t seed, unsigned keys);

/* Computes the screens after each key, without any delay. */
void tape_truth(struct tape *t, const struct grapheme_table *gt);

void tape_free(struct tape *t);

#endif
