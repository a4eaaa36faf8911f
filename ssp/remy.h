/*
 * ssp/remy.h - rules of a congestion control that a computer has searched.
 *
 * Purpose:   a table of boxes over what a sender remembers of its acks, each
 *            with what to do there.  ssp/cc_remy.c runs one; regress/tools/remy
 *            searches them with the same functions.
 * Ownership: plain values; a table is constant and borrowed.
 * Units:     milliseconds, datagrams.
 * Source:    Winstein, Balakrishnan: TCP ex Machina (SIGCOMM 2013).  One ack
 *            here covers several datagrams: the rule is asked once an ack.
 * Tests:     regress/unit/check_ssp_remy.c
 */
#ifndef SSP_REMY_H
#define SSP_REMY_H

#include <stdbool.h>
#include <stddef.h>

#define SSP_REMY_TOP 16384.0 /* above all values of a memory */
#define SSP_REMY_START 10.0  /* datagrams in flight at first */
#define SSP_REMY_LEAST 2.0
#define SSP_REMY_MOST 8000.0

/* What a sender remembers. */
enum ssp_remy_axis {
	SSP_REMY_ACK,   /* mean time between arrivals, ms a datagram */
	SSP_REMY_SEND,  /* mean time between the sending of those */
	SSP_REMY_RATIO, /* newest round trip / shortest round trip */
	SSP_REMY_AXES
};

struct ssp_remy_rule {
	double low[SSP_REMY_AXES], high[SSP_REMY_AXES]; /* low <= x < high */
	/* window = window * multiple + increment; a datagram each `gap' ms */
	double multiple, increment, gap;
};

struct ssp_remy_table {
	const char *name;
	const struct ssp_remy_rule *rule;
	size_t n;
};

struct ssp_remy {
	double at[SSP_REMY_AXES];
	double acked, sent; /* times of the newest ack and what it acked */
	bool any;
	double window; /* datagrams */
	double gap;    /* ms */
};

void ssp_remy_init(struct ssp_remy *m);

/*
 * An ack of N datagrams came at NOW, the newest sent at SENT, after a round
 * trip of RTT; LEAST is the shortest one.  Applies the rule of TABLE.
 * Returns: its index.
 */
size_t ssp_remy_ack(struct ssp_remy *m, const struct ssp_remy_table *table,
    double now, double sent, unsigned n, double rtt, double least);

/* Returns the table of that name, or NULL. */
const struct ssp_remy_table *ssp_remy_table(const char *name);

#endif
