/*
 * ssp/pacing.h - by which congestion personality bulk is paced.
 *
 * Purpose:   the user's choices, their names and their numbers on the wire.
 * Ownership: plain values.
 * Source:    our own; doc/PROTOCOL.md B.10.
 * Tests:     regress/unit/check_ssp_pace.c
 */
#ifndef SSP_PACING_H
#define SSP_PACING_H

enum ssp_pacing {
	SSP_PACING_AUTO,
	SSP_PACING_WINDOW,
	SSP_PACING_FOLLOW,
	SSP_PACING_SPROUT,
	SSP_PACING_REMY,
	SSP_PACING_MOSH,
	SSP_PACINGS,
	SSP_PACING_NONE = SSP_PACINGS /* no choice */
};

/* Returns the choice of that name; SSP_PACING_NONE: there is none. */
enum ssp_pacing ssp_pacing_find(const char *name);

/* Returns its name; "" of SSP_PACING_NONE. */
const char *ssp_pacing_name(enum ssp_pacing p);

#endif
