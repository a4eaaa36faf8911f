/*
 * server/face/budget.h - how much work a guest may cause.
 *
 * Purpose:   limits the number of guests, the rate of their joins, the size of
 *            a guest's terminal, and the rate of its events and of its changes
 *            of size.
 * Ownership: plain value; a member of the guest's viewer.
 * Units:     mono_ms; a token pays for one key.
 * Tests:     regress/unit/check_budget.c
 */
#ifndef SERVER_FACE_BUDGET_H
#define SERVER_FACE_BUDGET_H

#include "base/types.h"
#include "mux/sync/input.h"

#define BUDGET_COLS_MAX 1000u
#define BUDGET_ROWS_MAX 500u
#define BUDGET_BURST 4000u        /* tokens that collect */
#define BUDGET_SIZE 250u          /* tokens of a change of size */
#define BUDGET_BYTES 256u         /* bytes of data for one token */
#define BUDGET_EVENTS 32u         /* handled before what follows from them */
#define BUDGET_PASTE (256u << 10) /* bytes of a paste */
#define BUDGET_GUESTS 128u        /* guests of all invitations at a time */
#define BUDGET_JOIN 250u          /* tokens of a join; see budget_join */
#define BUDGET_SILENT_MS 30000    /* then a newcomer may get the place */

struct budget {
	mono_ms at;       /* tokens are counted until then; one a ms */
	uint64_t tokens;  /* at that time */
	uint64_t refused; /* events */
	uint64_t told;    /* of them, in messages */
	mono_ms told_at;
	uint16_t size[4]; /* that waits for tokens */
	bool resize;      /* it is set */
};

void budget_init(struct budget *b, mono_ms now);

/* The tokens that an event costs. */
unsigned budget_cost(const struct sync_event *ev);

/* Takes COST tokens; false if there are fewer. */
bool budget_take(struct budget *b, mono_ms now, unsigned cost);

/*
 * Takes the tokens of a join from the budget of an invitation, which gains one
 * in ten milliseconds: 16 joins at once, then one in 2.5 seconds.
 */
bool budget_join(struct budget *b, mono_ms now);

/*
 * Returns which of N guests, heard HEARD ms ago (MONO_NEVER: not yet), gives its
 * place to a newcomer: the one that is silent longest, for BUDGET_SILENT_MS at
 * least.  N: none.
 */
size_t budget_yields(const mono_ms *heard, size_t n);

/* The time at which COST tokens will be there, at most BUDGET_BURST. */
mono_ms budget_when(const struct budget *b, unsigned cost);

/*
 * Counts a refused event. Once a minute at most, returns the number of refused
 * events that were not reported yet; otherwise 0.
 */
uint64_t budget_refuse(struct budget *b, mono_ms now);

/* Reduces a terminal's size to the largest that a guest may have. */
void budget_limit_size(uint16_t size[4]);

#endif
