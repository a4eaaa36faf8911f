/*
 * client/banner.h - the line that says when the screen has gone stale.
 *
 * Purpose:   "rmux: last contact 7 seconds ago. [To quit: Ctrl-^ .]" over the
 *            top row, and messages of the client itself.
 * Ownership: a banner owns its message; frames handed out are new references.
 * Units:     mono_ms; cells.
 * Errors:    none.
 * Source:    mosh's notification bar for what is said when.
 * Tests:     regress/unit/check_client_banner.c
 */
#ifndef CLIENT_BANNER_H
#define CLIENT_BANNER_H

#include "base/grapheme.h"
#include "base/types.h"
#include "mux/vt/frame.h"

#define BANNER_CONTACT_MS 8500 /* nothing heard: the next beat is late */
#define BANNER_ASKED_MS 6500   /* the same where something was asked ... */
#define BANNER_ANSWER_MS 2000  /* ... so long ago */
#define BANNER_REPLY_MS 10000  /* heard, but not answered */
#define BANNER_TICK_MS 1000    /* seconds are counted */
#define BANNER_SLOW_MS 3000    /* ... and after BANNER_SLOW_FROM_MS */
#define BANNER_SLOW_FROM_MS 60000
#define BANNER_MESSAGE_MS 1000 /* a passing message stays */
#define BANNER_TEXT_MAX 256    /* bytes of a message; more is cut */

struct banner;

/* What the transport knows, as of now. */
struct banner_link {
	mono_ms heard; /* when the newest datagram of the peer came */
	mono_ms acked; /* when the newest state it has acknowledged was sent */
	mono_ms asked; /* when the oldest one was that it has not */
	bool waiting;  /* something is sent that is not acknowledged */
};

/* GT is borrowed for the life of the banner. */
struct banner *banner_new(const struct grapheme_table *gt, mono_ms now);
void banner_free(struct banner *b);

/* How to quit, as told in brackets ("Ctrl-^ ."); "" tells nothing. */
void banner_set_quit(struct banner *b, const char *keys);

/* Tells the state of the link; cheap, call it before each look. */
void banner_link(struct banner *b, const struct banner_link *link);

/* A message for MS milliseconds (MONO_NEVER: until banner_clear). */
void banner_message(
    struct banner *b, mono_ms now, mono_ms ms, const char *text);

void banner_clear(struct banner *b);

/*
 * SCREEN with the banner over its top row, or SCREEN itself (another
 * reference) when there is nothing to say.  The cursor is hidden if the
 * banner covers it.
 */
struct vt_frame *banner_overlay(
    const struct banner *b, mono_ms now, const struct vt_frame *screen);

/* When the overlay will look different, if nothing happens until then. */
mono_ms banner_deadline(const struct banner *b, mono_ms now);

#endif
