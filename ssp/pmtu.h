/*
 * ssp/pmtu.h - the datagram size that a path carries (path MTU).
 *
 * Purpose:   raises the size if bulk needs it and lowers it if large datagrams
 *            vanish, so that no path stalls a session.
 * Ownership: struct ssp_pmtu is a plain value, one for each path.
 * Units:     bytes of UDP payload; milliseconds.
 * Source:    RFC 8899 (DPLPMTUD): BASE 1200, three tries for each size, a new
 *            search after 600 s.  Differences: a search starts only if
 *            datagrams of the present size are in demand; a black hole is
 *            detected by pairs of probes, large and small, because loss alone
 *            proves nothing: a round counts if the small probe was answered and
 *            the large one was not, and three such rounds in a row lower the
 *            size.
 * Tests:     regress/unit/check_ssp_path.c
 */
#ifndef SSP_PMTU_H
#define SSP_PMTU_H

#include "base/types.h"

struct ssp_pmtu {
	size_t size;   /* present size */
	size_t max;    /* upper limit */
	size_t probe;  /* size of the probe in flight, or 0 */
	size_t failed; /* smallest size that failed, or 0 */
	mono_ms sent_at;
	mono_ms proved_at; /* a datagram of proved_size arrived */
	size_t proved_size;
	mono_ms suspect_at;  /* first unproved large datagram; 0 */
	size_t suspect_size; /* the largest of these datagrams */
	mono_ms search_at;   /* earliest search; 0 before any demand */
	unsigned tries;      /* rounds lost in a row (large only) */
	unsigned rounds;     /* all rounds at this size */
	unsigned demand;     /* full-size datagrams since the last search */
	bool small_back;     /* the small probe of the round was answered */
};

void ssp_pmtu_init(struct ssp_pmtu *p, size_t size, size_t max);

/* A datagram of SIZE bytes was sent. */
void ssp_pmtu_sent(struct ssp_pmtu *p, mono_ms now, size_t size);

/* The peer acknowledged a datagram of SIZE bytes. */
void ssp_pmtu_passed(struct ssp_pmtu *p, mono_ms now, size_t size);

/* A datagram of SIZE bytes counts as lost. */
void ssp_pmtu_lost(struct ssp_pmtu *p, mono_ms now, size_t size);

/* The small probe of the round was answered. */
void ssp_pmtu_small_passed(struct ssp_pmtu *p);

/* The system refused SIZE bytes as too long for the interface. */
void ssp_pmtu_refused(struct ssp_pmtu *p, mono_ms now, size_t size);

/*
 * Returns the size of a probe to send now (with a small one), or 0.  Ends a
 * round that has timed out.  RTO is that of the path.
 */
size_t ssp_pmtu_poll(struct ssp_pmtu *p, mono_ms now, mono_ms rto);

/* Returns when to poll next, at the latest. */
mono_ms ssp_pmtu_deadline(const struct ssp_pmtu *p, mono_ms rto);

#endif
