/*
 * server/face/echo.h - echo acknowledgements: inputs that programs answered.
 *
 * Purpose:   an input counts as answered ECHO_MS after a program got it, or
 *            earlier with a frame that plainly shows its effect; such a frame
 *            carries the acknowledgement.  At most two acknowledgements by
 *            time are scheduled: one due, and a later one for newer inputs.
 *            This bounds the wait at any typing speed.
 * Ownership: keeps references to the last frame and to the frame before the
 *            pending inputs; echo_fini drops them.
 * Units:     mono_ms; input indices as in mux/sync/input.h.
 * Source:    ECHO_MS is mosh's echo timeout.
 * Tests:     regress/unit/check_echo.c
 */
#ifndef SERVER_FACE_ECHO_H
#define SERVER_FACE_ECHO_H

#include <stdbool.h>

#include "base/types.h"
#include "mux/vt/frame.h"

/* ms after which an input counts as answered. */
#define ECHO_MS 50

/* ms that a lazy acknowledgement may wait for a frame (echo_expire). */
#define ECHO_LAZY 250

#define ECHO_PAGE 8u     /* least changed rows of a page; or rows / 4 */
#define ECHO_TEXT 16     /* most pending characters */
#define ECHO_QUIET 15    /* ms without change before a key that is not text */
#define ECHO_PIECES 15   /* ms during which its answer may arrive in pieces */
#define ECHO_LATE 300    /* ms after the last input: later changes are noise */
#define ECHO_NOISE 3000  /* ms after noise during which the pane is not still */
#define ECHO_SETTLE 1000 /* ms in which a program redraws at a new size */
#define ECHO_SLOW 1000   /* ms after a late answer without recognition */

struct echo {
	uint64_t ack; /* inputs up to this index count as answered */
	uint64_t due; /* the next ack, at due_at (MONO_NEVER: none) */
	mono_ms due_at;
	uint64_t later; /* the ack after that; newer inputs replace it */
	mono_ms later_at;

	/* The focused pane. */
	uint64_t pane;         /* its surface; 0: none */
	struct vt_frame *last; /* its frame at the last echo_look */
	mono_ms changed_at;
	mono_ms settled_at;  /* changes before then are redraws, not noise */
	mono_ms noise_until; /* it changes without input */
	mono_ms slow_until;  /* its answers come later than ECHO_MS */

	/* Pending inputs: not yet acknowledged. */
	uint64_t newest; /* the last input; equals ack if none is pending */
	mono_ms newest_at;
	struct vt_frame *base; /* the frame before them; NULL: unknown */
	bool plain;            /* all are text, in cp[] */
	bool still;            /* one input, while the pane was quiet */
	bool stirred;          /* the pane has changed since */
	mono_ms stirred_at;    /* time of the first such change */
	bool lazy;             /* the last ack of echo_expire may wait */
	bool exact;            /* the last change was exactly the typed text */
	unsigned n;
	uint32_t cp[ECHO_TEXT];
	uint64_t at[ECHO_TEXT]; /* input indices of cp[] */
};

void echo_init(struct echo *e);
void echo_fini(struct echo *e);

/*
 * Records that input INDEX was given to the program.
 * In:      cp     the character typed; 0 for any other input
 *          fresh  the frame of the last echo_look is up to date
 */
void echo_input(
    struct echo *e, mono_ms now, uint64_t index, uint32_t cp, bool fresh);

/*
 * Looks at frame F (may be NULL) of surface PANE before it is sent.  F answers
 * pending input if
 *  - all pending inputs are text, the cells from the old cursor to the new
 *    one show it, and no text follows, or, on the alternate screen, only the
 *    text that was there before (echo_kept), or
 *  - on the alternate screen, exactly one input is pending, and the first
 *    change after a quiet time (possibly in pieces) changed several rows
 *    besides the cursor's; a page of rows, if the cursor has changed its row.
 * Returns: whether ack has changed.
 */
bool echo_look(struct echo *e, mono_ms now, uint64_t pane, struct vt_frame *f);

/*
 * Acknowledges the pending input because a flood of output followed it.  This
 * applies if one key that is not text is pending and the pane was still before.
 * Returns: whether ack has changed.
 */
bool echo_flooded(struct echo *e);

/*
 * Whether the cells from column X on in NEW are those from X - N on in OLD,
 * shifted right by N.  From some column on the cells may be unshifted instead:
 * a full-screen program keeps other windows in place.
 */
bool echo_kept(const struct vt_line *old, const struct vt_line *new, unsigned x,
    unsigned n, unsigned cols);

/*
 * Acknowledges the inputs whose time has passed; returns whether ack has
 * changed.  Sets LAZY if a full-screen program did not show the key as text,
 * and the key does not begin text: a prediction of it is unlikely, so the
 * acknowledgement may wait for the next frame.
 */
bool echo_expire(struct echo *e, mono_ms now);

/* When ack changes next, or MONO_NEVER. */
static inline mono_ms
echo_deadline(const struct echo *e)
{
	return e->due_at;
}

#endif
