/*
 * mux/fmt/badge.h - a few words on a client's link, for the status line.
 *
 * Purpose:   is empty while there is nothing to say: on the usual link with a
 *            short round trip and no loss.
 * Units:     milliseconds, loss per 10,000, percent, columns.
 * Tests:     regress/unit/check_badge.c
 */
#ifndef MUX_FMT_BADGE_H
#define MUX_FMT_BADGE_H

#include "base/buf.h"

#define BADGE_UNKNOWN 0xffffffffu /* a round trip that is not known */
#define BADGE_RTT 80              /* ms: from here it is told */
#define BADGE_LOSS 100            /* per 10,000: the same */
#define BADGE_NARROW 80 /* columns: below, link and prediction are left out */

struct badge {
	const char *link; /* client_link */
	unsigned rtt;     /* ms, or BADGE_UNKNOWN */
	unsigned loss;    /* per 10,000 */
	int predicted;    /* percent of the newest keys, -1 not known */
	unsigned width;   /* columns of the client */
};

/*
 * Appends "udp 180ms 3% lost 91% predicted", or nothing. The round trip is
 * rounded (5 ms, from 100 ms on 10, from 1 s on 100), so that the line seldom
 * changes.
 * Returns: 0, or the error of the buffer.
 */
int badge_put(const struct badge *b, struct buf *out);

#endif
