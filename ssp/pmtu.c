#include "ssp/pmtu.h"

#include <string.h>

#include "base/compiler.h"
#include "ssp/datagram.h"

#define PMTU_TRIES 3           /* failed rounds that reject a size */
#define PMTU_ROUNDS 12         /* maximum rounds without any response */
#define PMTU_DEMAND 8          /* full datagrams that start a search */
#define PMTU_SEARCH_DELAY 2000 /* ms from first demand to first probe, ... */
#define PMTU_BULK 128          /* ... unless so many full ones were sent */
#define PMTU_RAISE 600000      /* ms until a failed size is tried again */
#define PMTU_PROOF_LASTS 5000  /* ms that a proof stays valid */
#define PMTU_PROOF_NEAR 200    /* bytes above the proof that need none */
#define PMTU_PROOF_LOSS 300    /* ms that a proof outweighs a loss */
#define PMTU_SMALL SSP_DGRAM_FLOOR /* sizes up to this are not suspect */

/*
 * UDP payloads to try, descending: one machine, Ethernet of 9000 bytes, of 1500
 * over IPv4 and IPv6, PPPoE, WireGuard in IPv4 and IPv6, common tunnels, the
 * IPv6 minimum, our base, and steps down to the floor.  The system refuses at
 * once what the interface cannot carry.
 */
static const uint16_t pmtu_ladder[] = { SSP_DGRAM_JUMBO, 8972,
	SSP_DGRAM_ETHERNET, 1452, 1444, 1412, 1392, 1352, 1280, 1232,
	SSP_DGRAM_BASE, 1000, 800, 640, SSP_DGRAM_FLOOR };

void
ssp_pmtu_init(struct ssp_pmtu *p, size_t size, size_t max)
{
	memset(p, 0, sizeof(*p));
	p->size = size;
	p->max = max;
}

/* Returns the next lower size, at least the floor. */
static size_t
pmtu_below(size_t size)
{
	size_t i;

	for (i = 0; i < ARRAY_LEN(pmtu_ladder); i++)
		if (pmtu_ladder[i] < size)
			return pmtu_ladder[i];
	return SSP_DGRAM_FLOOR;
}

/* Returns the largest size above the present one that has not failed, or 0. */
static size_t
pmtu_above(const struct ssp_pmtu *p)
{
	size_t i;

	for (i = 0; i < ARRAY_LEN(pmtu_ladder); i++)
		if (pmtu_ladder[i] > p->size && pmtu_ladder[i] <= p->max &&
		    (p->failed == 0 || pmtu_ladder[i] < p->failed))
			return pmtu_ladder[i];
	return 0;
}

static void
pmtu_end_round(struct ssp_pmtu *p)
{
	p->probe = 0;
	p->tries = 0;
	p->rounds = 0;
}

static void
pmtu_lower(struct ssp_pmtu *p, mono_ms now)
{
	p->failed = p->size;
	p->size = pmtu_below(p->size);
	p->search_at = now + PMTU_RAISE;
	p->demand = 0;
	pmtu_end_round(p);
	/* Verify the new size at once. */
	p->suspect_at = p->size > PMTU_SMALL ? now : 0;
	p->suspect_size = p->size;
	p->proved_size = 0;
}

void
ssp_pmtu_sent(struct ssp_pmtu *p, mono_ms now, size_t size)
{
	if (size <= PMTU_SMALL)
		return;
	if (p->suspect_at != 0) {
		p->suspect_size = MAX_OF(p->suspect_size, size);
	} else if (p->proved_at == 0 ||
		   size > p->proved_size + PMTU_PROOF_NEAR ||
		   now - p->proved_at > PMTU_PROOF_LASTS) {
		p->suspect_at = now;
		p->suspect_size = size;
	}
	if (size + 64 <= p->size || pmtu_above(p) == 0)
		return;
	if (p->search_at == 0)
		p->search_at = now + PMTU_SEARCH_DELAY;
	p->demand++;
	if (p->demand == PMTU_BULK && p->search_at <= now + PMTU_SEARCH_DELAY)
		p->search_at = now;
}

void
ssp_pmtu_passed(struct ssp_pmtu *p, mono_ms now, size_t size)
{
	if (size + 64 > p->size) {
		p->proved_at = now;
		p->proved_size = p->size;
		p->suspect_at = 0;
		if (p->probe != 0 && p->probe <= p->size)
			pmtu_end_round(p);
	} else if (size > PMTU_SMALL &&
		   (size + PMTU_PROOF_NEAR >= p->proved_size ||
		       now - p->proved_at > PMTU_PROOF_LASTS)) {
		/* Nearly as large as every suspect datagram: proof enough. */
		p->proved_at = now;
		p->proved_size = size;
		if (size >= p->suspect_size)
			p->suspect_at = 0;
	}
	if (size > p->size && size <= p->max) {
		p->size = size;
		pmtu_end_round(p);
	}
}

void
ssp_pmtu_lost(struct ssp_pmtu *p, mono_ms now, size_t size)
{
	/* A loss soon after a proof means nothing. */
	if (size <= PMTU_SMALL || size > p->size || p->suspect_at != 0 ||
	    now - p->proved_at < PMTU_PROOF_LOSS)
		return;
	p->suspect_at = now;
	p->suspect_size = size;
}

void
ssp_pmtu_small_passed(struct ssp_pmtu *p)
{
	p->small_back = true;
}

void
ssp_pmtu_refused(struct ssp_pmtu *p, mono_ms now, size_t size)
{
	if (size <= SSP_DGRAM_FLOOR)
		return;
	if (p->probe == size && size > p->size) {
		p->failed = size;
		pmtu_end_round(p);
	} else if (size <= p->size) {
		p->size = size;
		pmtu_lower(p, now);
	}
}

static mono_ms
pmtu_round_time(mono_ms rto)
{
	return MAX_OF(rto, (mono_ms)100);
}

/* Ends a round without answer to the large probe. */
static void
pmtu_round_lost(struct ssp_pmtu *p, mono_ms now)
{
	size_t probe = p->probe;

	p->probe = 0;
	p->rounds++;
	if (p->small_back)
		p->tries++;
	if (p->tries < PMTU_TRIES && p->rounds < PMTU_ROUNDS)
		return;
	if (probe <= p->size) {
		if (p->tries >= PMTU_TRIES) {
			pmtu_lower(p, now);
			return;
		}
		/* Nothing arrives at all: that says nothing about the size. */
		p->suspect_at = 0;
		pmtu_end_round(p);
		return;
	}
	if (p->tries >= PMTU_TRIES)
		p->failed = probe;
	else
		p->search_at = now + PMTU_SEARCH_DELAY;
	pmtu_end_round(p);
}

size_t
ssp_pmtu_poll(struct ssp_pmtu *p, mono_ms now, mono_ms rto)
{
	mono_ms t = pmtu_round_time(rto);

	if (p->probe != 0) {
		if (now - p->sent_at < t)
			return 0;
		pmtu_round_lost(p, now);
	}
	if (p->suspect_at != 0 && now >= p->suspect_at + t) {
		p->probe = p->size;
	} else if (p->suspect_at == 0 && p->search_at != 0 &&
		   now >= p->search_at && p->demand >= PMTU_DEMAND) {
		p->probe = pmtu_above(p);
		if (p->probe == 0) {
			/* Search complete: search again much later. */
			p->failed = 0;
			p->demand = 0;
			p->search_at = now + PMTU_RAISE;
			return 0;
		}
	}
	if (p->probe != 0) {
		p->sent_at = now;
		p->small_back = false;
	}
	return p->probe;
}

mono_ms
ssp_pmtu_deadline(const struct ssp_pmtu *p, mono_ms rto)
{
	mono_ms t = pmtu_round_time(rto);

	if (p->probe != 0)
		return p->sent_at + t;
	if (p->suspect_at != 0)
		return p->suspect_at + t;
	if (p->search_at != 0 && p->demand >= PMTU_DEMAND)
		return p->search_at;
	return MONO_NEVER;
}
