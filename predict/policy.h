/*
 * predict/policy.h - when predictions are shown, and when underlined.
 *
 * Purpose:   decides by the link's delay and late echoes, with hysteresis.
 * Ownership: a plain value.
 * Units:     milliseconds.
 * Source:    mosh's triggers (its send interval is half a round trip).
 * Tests:     regress/unit/check_predict_policy.c
 */
#ifndef PREDICT_POLICY_H
#define PREDICT_POLICY_H

#include <stdbool.h>

#include "base/types.h"

enum predict_mode {
	PREDICT_ADAPTIVE, /* when they save enough time */
	PREDICT_ALWAYS,
	PREDICT_NEVER,
	PREDICT_EXPERIMENTAL, /* also unlikely ones */
};

struct policy {
	enum predict_mode mode;
	mono_ms rtt;
	bool rtt_shows;
	bool rtt_flags;
	unsigned glitch; /* late echoes; predictions on time reduce it */
	mono_ms repaired;
};

void policy_init(struct policy *po, enum predict_mode mode);

/* Sets the SRTT. PENDING: predictions are waiting for their frame. */
void policy_link(struct policy *po, mono_ms rtt, bool pending);

/* Tells the age of the oldest unanswered key. */
void policy_waiting(struct policy *po, mono_ms age);

/* Tells that a prediction was confirmed after AGE. */
void policy_right(struct policy *po, mono_ms now, mono_ms age);

bool policy_shows(const struct policy *po);
bool policy_flags(const struct policy *po);

/* Returns the chance that a prediction needs to be shown. */
double policy_chance(const struct policy *po);

/*
 * Returns the next age of a waiting key at which policy_waiting changes the
 * state.
 */
mono_ms policy_next_age(const struct policy *po, mono_ms age);

#endif
