/*
 * ssp/pacing.h - by which congestion personality bulk is paced.
 *
 * Purpose:   the user's choices, their names and their numbers on the wire.
 * Ownership: plain values.
 * Source:    our own; doc/PROTOCOL.md B.10.
 * Tests:     regress/sim/check_pace.c, regress/e2e/pace.sh
 */
#ifndef SSP_PACING_H
#define SSP_PACING_H

enum ssp_pacing {
	SSP_PACING_NONE, /* no choice; never on the wire */
	SSP_PACING_AUTO,
	SSP_PACING_WINDOW,
	SSP_PACING_FOLLOW,
	SSP_PACING_SPROUT,
	SSP_PACING_REMY,
	SSP_PACING_MOSH,
	SSP_PACINGS
};

/* Returns the choice of that name; SSP_PACING_NONE: there is none. */
enum ssp_pacing ssp_pacing_find(const char *name);
#endif
