#include "predict/policy.h"

#include "base/compiler.h"
#include "predict/params.h"

void
policy_init(struct policy *po, enum predict_mode mode)
{
	*po = (struct policy){ .mode = mode };
	/* An unmeasured link counts as slow, as in mosh. */
	policy_link(po, 500, false);
}

void
policy_link(struct policy *po, mono_ms rtt, bool pending)
{
	po->rtt = rtt;
	if (rtt > PREDICT_SHOW_ON_RTT)
		po->rtt_shows = true;
	else if (rtt <= PREDICT_SHOW_OFF_RTT && !pending)
		po->rtt_shows = false;
	if (rtt > PREDICT_FLAG_ON_RTT)
		po->rtt_flags = true;
	else if (rtt <= PREDICT_FLAG_OFF_RTT)
		po->rtt_flags = false;
}

void
policy_waiting(struct policy *po, mono_ms age)
{
	if (age >= PREDICT_GLITCH_LONG_MS)
		po->glitch = PREDICT_GLITCH_LONG_COUNT;
	else if (age >= PREDICT_GLITCH_MS)
		po->glitch = MAX_OF(po->glitch, PREDICT_GLITCH_COUNT);
}

void
policy_right(struct policy *po, mono_ms now, mono_ms age)
{
	if (po->glitch == 0 || age >= PREDICT_GLITCH_MS ||
	    mono_until(po->repaired, now) < PREDICT_GLITCH_REPAIR_MS)
		return;
	po->glitch--;
	po->repaired = now;
}

bool
policy_shows(const struct policy *po)
{
	switch (po->mode) {
	case PREDICT_NEVER:
		return false;
	case PREDICT_ALWAYS:
	case PREDICT_EXPERIMENTAL:
		return true;
	case PREDICT_ADAPTIVE:
		break;
	}
	return po->rtt_shows || po->glitch > 0;
}

bool
policy_flags(const struct policy *po)
{
	return po->rtt_flags || po->glitch > PREDICT_GLITCH_COUNT;
}

double
policy_chance(const struct policy *po)
{
	const mono_ms low = PREDICT_CHANCE_SHORT_RTT;
	const mono_ms high = PREDICT_CHANCE_LONG_RTT;
	double far = 0;

	if (po->mode == PREDICT_EXPERIMENTAL)
		return 0;
	if (po->rtt >= high || po->glitch > PREDICT_GLITCH_COUNT)
		far = 1;
	else if (po->rtt > low)
		far = (double)(po->rtt - low) / (double)(high - low);
	return PREDICT_CHANCE_SHORT +
	       (PREDICT_CHANCE_LONG - PREDICT_CHANCE_SHORT) * far;
}

mono_ms
policy_next_age(const struct policy *po, mono_ms age)
{
	if (po->mode == PREDICT_NEVER)
		return MONO_NEVER;
	if (age < PREDICT_GLITCH_MS)
		return PREDICT_GLITCH_MS;
	if (age < PREDICT_GLITCH_LONG_MS)
		return PREDICT_GLITCH_LONG_MS;
	return MONO_NEVER;
}
