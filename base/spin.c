#include "base/spin.h"

#include "base/compiler.h"
#include "base/types.h"

#define SPIN_SCORE 256
#define SPIN_PAYS (SPIN_SCORE / 4)
#define SPIN_WEIGHT 8 /* one answer counts so much of the score */

void
spin_init(struct spin *s, bool able)
{
	*s = (struct spin){
		.able = able, .saved = SPIN_SAVED_US, .score = SPIN_SCORE / 2
	};
}

uint64_t
spin_begin(struct spin *s, uint64_t now)
{
	s->saved = MIN_OF(s->saved + (now - s->saved_at) * SPIN_SHARE / 100,
	    (uint64_t)SPIN_SAVED_US);
	s->saved_at = now;
	s->begun = now;
	if (!s->able || s->saved < SPIN_US || now < s->rest_until)
		return 0;
	if (s->score < SPIN_PAYS && ++s->skipped < SPIN_TRY)
		return 0;
	s->skipped = 0;
	return SPIN_US;
}

void
spin_end(struct spin *s, uint64_t now, bool answered, bool late)
{
	uint64_t spent = now - s->begun;

	s->saved -= MIN_OF(s->saved, spent);
	if (late) {
		s->rest = CLAMP(s->rest * 2, (uint64_t)SPIN_REST_MIN_US,
		    (uint64_t)SPIN_REST_MAX_US);
		s->rest_until = now + s->rest;
	} else if (answered) {
		s->rest = 0;
		s->score += (SPIN_SCORE - s->score) / SPIN_WEIGHT;
	} else
		s->score -= s->score / SPIN_WEIGHT;
}
