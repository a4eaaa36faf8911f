/*
 * server/face/echo.h - which inputs a client may count as answered.
 *
 * Purpose:   an input counts ECHO_MS after it was handed to a program, or with
 *            the frame that shows what it did, where that is plain: the
 *            acknowledgement then needs no frame of its own.  At most one
 *            acknowledgement by time is under way and one waits, so that
 *            neither a fast typist nor a slow one is kept waiting for long.
 * Ownership: holds a reference of the frame last looked at and of the one that
 *            pending input began with; echo_fini lets go of them.
 * Units:     mono_ms; input indices as in mux/sync/input.h.
 * Errors:    none.
 * Source:    mosh's echo timeout, for the time.
 * Tests:     regress/unit/check_echo.c
 */
#ifndef SERVER_FACE_ECHO_H
#define SERVER_FACE_ECHO_H

#include <stdbool.h>

#include "base/types.h"
#include "mux/vt/frame.h"

/* How long after an input its effect counts as shown. */
#define ECHO_MS 50

/* How much longer saying so may wait for a frame, where no guess is likely. */
#define ECHO_LAZY 250

#define ECHO_PAGE 8u     /* rows that make a page; a quarter of many */
#define ECHO_TEXT 16     /* characters waited for at a time */
#define ECHO_QUIET 15    /* ms of stillness before a key that moves things */
#define ECHO_PIECES 15   /* ms for which its answer may come in pieces */
#define ECHO_LATE 300    /* ms after the last input: what changes is noise */
#define ECHO_NOISE 3000  /* ms for which noise is held against a pane */
#define ECHO_SETTLE 1000 /* ms in which a new size may be drawn at */
#define ECHO_SLOW 1000   /* ms for which a late answer is */

struct echo {
	uint64_t ack; /* inputs up to this index count as answered */
	uint64_t due; /* the next ack, at due_at (MONO_NEVER: none) */
	mono_ms due_at;
	uint64_t later; /* the one after it: newer inputs go here */
	mono_ms later_at;

	/* What the pane showed. */
	uint64_t pane;         /* the surface, 0 none */
	struct vt_frame *last; /* at the last look */
	mono_ms changed_at;
	mono_ms settled_at;  /* it has been in sight, and of this size, then */
	mono_ms noise_until; /* it changes without being asked */
	mono_ms slow_until;  /* it answers later than ECHO_MS */

	/* What is pending. */
	uint64_t newest; /* input handed over; ack when none is pending */
	mono_ms newest_at;
	struct vt_frame *base; /* the screen before it; NULL: not known */
	bool plain;            /* all of it is text, in cp[] */
	bool still;            /* the pane was still before it, and is */
	bool stirred;          /* it is no more ... */
	mono_ms stirred_at;    /* ... since then */
	bool lazy;             /* what echo_expire said last may wait */
	bool exact;            /* the last change was text that was typed */
	unsigned n;
	uint32_t cp[ECHO_TEXT];
	uint64_t at[ECHO_TEXT]; /* their indices */
};

void echo_init(struct echo *e);
void echo_fini(struct echo *e);

/*
 * Input INDEX was handed over.
 * In:      cp     the character typed; 0 for anything else
 *          fresh  the frame last looked at is what the pane shows
 */
void echo_input(
    struct echo *e, mono_ms now, uint64_t index, uint32_t cp, bool fresh);

/*
 * Frame F (may be NULL) of surface PANE is about to be shown.  An input counts
 * as answered with it if
 *  - all that is pending is text, it stands from where the cursor was to
 *    where it is now, and nothing stands behind it, or, on the alternate
 *    screen, what stood there before (echo_kept), or
 *  - on the alternate screen, it alone is pending and the first change since
 *    the pane was still, which may come in pieces, was to several rows, but
 *    not to the cursor's; to a page, if the cursor is in another row now.
 * Returns: whether ack has changed.
 */
bool echo_look(struct echo *e, mono_ms now, uint64_t pane, struct vt_frame *f);

/*
 * So much has come since that it must be the answer, if one key alone is
 * pending that is no text, and the pane was still before it.
 * Returns: whether ack has changed.
 */
bool echo_flooded(struct echo *e);

/*
 * What stood from column X - N on in OLD stands from X on in NEW: N columns
 * further, as far as something that a program of full screens keeps in its
 * place, or in that place from the beginning.
 */
bool echo_kept(const struct vt_line *old, const struct vt_line *new, unsigned x,
    unsigned n, unsigned cols);

/*
 * Moves on to NOW; whether ack has changed.  LAZY is then set if the program is
 * one of full screens and the key did something else than to stand there or to
 * begin text: whoever guessed that it would did not do well.
 */
bool echo_expire(struct echo *e, mono_ms now);

/* When ack changes next, or MONO_NEVER. */
static inline mono_ms
echo_deadline(const struct echo *e)
{
	return e->due_at;
}

#endif
