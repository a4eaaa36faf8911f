/*
 * regress/predict/world.h - typing over a slow link, in virtual time.
 *
 * Purpose:   a typist, a link with delay, jitter and loss, a far program and a
 *            predictor; counts keys shown at once and wrong ones.
 * Ownership: world_run owns everything it makes.
 * Units:     milliseconds.
 * Errors:    none; world_result.bad names a broken property.
 * Tests:     itself
 */
#ifndef REGRESS_PREDICT_WORLD_H
#define REGRESS_PREDICT_WORLD_H

#include "predict/predict.h"
#include "regress/predict/far.h"

struct world_cfg {
	enum far_kind kind;
	enum predict_mode mode;
	unsigned seed;
	unsigned keys;   /* number of typed keys */
	unsigned rtt;    /* of the link */
	unsigned jitter; /* added to each way, at most */
	unsigned loss;   /* percent, each way */
	bool wild;       /* random keys instead of sensible typing */
	bool wide;       /* some text is wide or has marks */
	bool secrets;    /* sudo from time to time */
};

struct world_result {
	unsigned keys;          /* characters, Enters and editing keys */
	unsigned at_once;       /* right on the screen within 50 ms */
	unsigned drawn;         /* drawn at once */
	unsigned wrong;         /* of these: wrong ones */
	unsigned long shown_ms; /* length of the run */
	unsigned long odd_ms;   /* time in which a picture was shown that never
	                           came */
	struct predict_stats stats;
	const char *bad; /* NULL, or the broken property */
};

void world_run(const struct grapheme_table *gt, const struct world_cfg *cfg,
    struct world_result *out);

#endif
