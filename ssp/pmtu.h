/*
 * ssp/pmtu.h - how large a datagram a path carries.
 *
 * Purpose:   raises the size where bulk asks for it and lowers it where large
 *            datagrams vanish, so that no path ever stalls a session.
 * Ownership: struct ssp_pmtu is a plain value, one a path.
 * Units:     bytes of UDP payload; milliseconds.
 * Source:    RFC 8899 (DPLPMTUD): BASE 1200, three tries a size, raise again
 *            after 600 s.  Ours: a search starts only when datagrams of the
 *            present size are in demand; and black holes are found by a pair
 *            of probes, large and small, because loss alone proves nothing: a
 *            round counts only when the small one came back and the large one
 *            did not, and three such rounds in a row lower the size.
 * Tests:     regress/unit/check_ssp_path.c
 */
#ifndef SSP_PMTU_H
#define SSP_PMTU_H

#include "base/types.h"

struct ssp_pmtu {
	size_t size;   /* used now */
	size_t max;    /* never above */
	size_t probe;  /* size of the probe in flight, 0: none */
	size_t failed; /* smallest size found not to pass, 0: none */
	mono_ms sent_at;
	mono_ms proved_at; /* a datagram of proved_size came through */
	size_t proved_size;
	mono_ms suspect_at;  /* first large one sent since without proof; 0 */
	size_t suspect_size; /* the largest of these */
	mono_ms search_at;   /* no search before; 0 until first demand */
	unsigned tries;      /* rounds lost to the large one only, in a row */
	unsigned rounds;     /* all rounds at this size */
	unsigned demand;     /* datagrams of full size sent since a search */
	bool small_back;     /* the small probe of the round was answered */
};

void ssp_pmtu_init(struct ssp_pmtu *p, size_t size, size_t max);

/* A datagram of SIZE bytes was sent. */
void ssp_pmtu_sent(struct ssp_pmtu *p, mono_ms now, size_t size);

/* A datagram of SIZE bytes is known to have arrived. */
void ssp_pmtu_passed(struct ssp_pmtu *p, mono_ms now, size_t size);

/* A datagram of SIZE bytes has not arrived, as far as the peer says. */
void ssp_pmtu_lost(struct ssp_pmtu *p, mono_ms now, size_t size);

/* The small probe of the round was answered. */
void ssp_pmtu_small_passed(struct ssp_pmtu *p);

/* The system refused SIZE as too long for the interface. */
void ssp_pmtu_refused(struct ssp_pmtu *p, mono_ms now, size_t size);

/*
 * Size of a probe to send now (with a small one beside it), or 0.  Ends a
 * round whose time is over.  RTO is the path's.
 */
size_t ssp_pmtu_poll(struct ssp_pmtu *p, mono_ms now, mono_ms rto);

/* When to poll next, at the latest. */
mono_ms ssp_pmtu_deadline(const struct ssp_pmtu *p, mono_ms rto);

#endif
