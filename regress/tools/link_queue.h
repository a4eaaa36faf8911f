/*
 * regress/tools/link_queue.h - the queue before one direction of a bad network.
 *
 * Purpose:   holds packets until the link takes them: at a rate, or at the
 *            chances of a recorded trace; drops those that do not fit, and those
 *            that CoDel picks.
 * Ownership: the caller owns the packets; the queue keeps pointers, and a copy
 *            of the trace (link_queue_fini).
 * Units:     bytes; settings in ms, times in ns from the start.
 * Errors:    link_queue_trace returns false for a file without chances.
 * Source:    RFC 8289 for CoDel; traces as mahimahi's: each line is the
 *            millisecond of one chance to deliver 1500 bytes.
 * Tests:     regress/unit/check_link_queue.c, regress/tools/link.sh
 */
#ifndef REGRESS_LINK_QUEUE_H
#define REGRESS_LINK_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LINK_NEVER 1e300

struct link_entry {
	double in; /* when it came */
	size_t len;
	void *data;
};

struct link_queue {
	/* settings */
	double rate;     /* bytes a second; 0: no limit, or a trace */
	double bytes;    /* room; 0: no limit */
	double packets;  /* the same */
	double target;   /* of CoDel, ms; 0: no CoDel */
	double interval; /* the same; 0: 100 */
	uint32_t *trace; /* chances, ms; NULL: none */
	size_t ntrace;
	/* state */
	struct link_entry *entry; /* ring */
	size_t at, n, cap;
	size_t held;  /* bytes in it */
	double busy;  /* the link is, until then */
	double start; /* of the trace's present repetition */
	size_t chance;
	size_t left;   /* bytes left in the chance taken last */
	double took;   /* time of that */
	size_t served; /* bytes of the first packet that have left */
	bool dropping;
	double above, drop_next; /* CoDel */
	unsigned long drops, last_drops;
};

/* What became of a packet. */
enum link_fate {
	LINK_NONE, /* nothing happens before link_queue_due */
	LINK_OUT,  /* it left the queue */
	LINK_DROPPED
};

/* Reads a trace. */
bool link_queue_trace(struct link_queue *q, const char *path);
void link_queue_fini(struct link_queue *q);

/* Adds a packet; false: there is no room for it. */
bool link_queue_put(struct link_queue *q, double now, size_t len, void *data);

/* Returns when to call link_queue_take; LINK_NEVER: the queue is empty. */
double link_queue_due(const struct link_queue *q);

/*
 * Takes the next packet that has left, or was dropped, by NOW; *TIME is when.
 * Call until LINK_NONE.
 */
enum link_fate link_queue_take(
    struct link_queue *q, double now, struct link_entry *out, double *time);

#endif
