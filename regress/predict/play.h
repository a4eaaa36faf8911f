/*
 * regress/predict/play.h - a tape played over a link, in virtual time.
 *
 * Purpose:   somebody types the keys of a tape at a client far away; the
 *            answers come back over a link with delay, jitter, loss or a queue.
 *            Counts keys answered at once and wrong characters, by the rules of
 *            regress/tools/keyjudge.h.
 * Ownership: play_run owns all that it makes.
 * Units:     milliseconds.
 * Errors:    play_run returns the property that was broken, or NULL.
 * Tests:     regress/predict/tape_replay.c, regress/predict/strange_replay.c
 */
#ifndef REGRESS_PREDICT_PLAY_H
#define REGRESS_PREDICT_PLAY_H

#include "predict/policy.h"
#include "regress/predict/tape.h"

/* A link; its way down may have a constant queue. */
struct play_link {
	const char *name;
	unsigned rtt;
	unsigned loss; /* per cent each way */
	mono_ms queue_low, queue_high;
	unsigned jitter; /* each way; 0: a tenth of the round trip */
	unsigned rate;   /* bytes a second down; 0: without bound */
};

#define PLAY_BUCKETS 21 /* of chance, 0.05 wide */

struct play_counts {
	unsigned keys, at_once, wrong, hidden;
	uint64_t wrong_ms, wrong_drawn;
	/* as keyjudge.h counts them */
	unsigned answered, fast, bad_keys, bad_long;
	mono_ms bad_max;
	unsigned bad_chars; /* wrong characters, each until mended */
	unsigned ideal;     /* keys that an ideal predictor answers at once */
	/* text drawn at once, by its chance: how many, and right ones */
	unsigned drawn[PLAY_BUCKETS], right[PLAY_BUCKETS];
	double chance[PLAY_BUCKETS]; /* sum */
};

/* VERBOSE 1 prints wrong keys, 2 late ones, too. */
const char *play_run(const struct grapheme_table *gt, const struct tape *t,
    const struct play_link *link, enum predict_mode mode, unsigned seed,
    unsigned verbose, struct play_counts *c);

#endif
