/*
 * predict/policy.h - when guesses are shown at all, and underlined.
 *
 * Purpose:   the link's delay and late echoes decide, with hysteresis.
 * Ownership: a plain value.
 * Units:     milliseconds.
 * Errors:    none.
 * Source:    mosh's triggers (send interval there is half a round trip).
 * Tests:     regress/unit/check_predict_policy.c
 */
#ifndef PREDICT_POLICY_H
#define PREDICT_POLICY_H

#include <stdbool.h>

#include "base/types.h"

enum predict_mode {
	PREDICT_ADAPTIVE, /* when it saves enough time */
	PREDICT_ALWAYS,
	PREDICT_NEVER,
	PREDICT_EXPERIMENTAL, /* also what is not likely to be right */
};

struct policy {
	enum predict_mode mode;
	mono_ms rtt;
	bool rtt_shows;
	bool rtt_flags;
	unsigned glitch; /* late echoes to make good for */
	mono_ms repaired;
};

void policy_init(struct policy *po, enum predict_mode mode);

/* The round trip changed; PENDING: guesses are waiting for their frame. */
void policy_link(struct policy *po, mono_ms rtt, bool pending);

/* The oldest key without an answer is AGE old. */
void policy_waiting(struct policy *po, mono_ms age);

/* A guess was right after AGE. */
void policy_right(struct policy *po, mono_ms now, mono_ms age);

bool policy_shows(const struct policy *po);
bool policy_flags(const struct policy *po);

/* The chance of being right that a key must have. */
double policy_chance(const struct policy *po);

/* The next age of a waiting key at which policy_waiting changes something. */
mono_ms policy_next_age(const struct policy *po, mono_ms age);

#endif
