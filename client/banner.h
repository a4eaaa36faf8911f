/*
 * client/banner.h - the line that tells the user that the screen is stale.
 *
 * Purpose:   shows "rmux: last contact 7 seconds ago. [To quit: Ctrl-^ .]" over
 *            the top row, and messages of the client itself. Narrow terminals
 *            get shorter forms; the first key that quits is always in them.
 * Ownership: a banner owns its message; returned frames are new references.
 * Units:     mono_ms; cells.
 * Source:    mosh's notification bar, for the times and texts.
 * Tests:     regress/unit/check_client_banner.c
 */
#ifndef CLIENT_BANNER_H
#define CLIENT_BANNER_H

#include "base/grapheme.h"
#include "base/types.h"
#include "mux/vt/frame.h"

#define BANNER_LATE_MS 1500   /* silence beyond the normal one */
#define BANNER_ASKED_MS 6500  /* silence of a link with an open request ... */
#define BANNER_ANSWER_MS 2000 /* ... that is at least this old */
#define BANNER_REPLY_MS 10000 /* contact, but no acknowledgement */
#define BANNER_TICK_MS 1000   /* the text counts seconds ... */
#define BANNER_SLOW_MS 3000   /* ... by threes after BANNER_SLOW_FROM_MS */
#define BANNER_SLOW_FROM_MS 60000
#define BANNER_MESSAGE_MS 1000 /* duration of a short message */
#define BANNER_TEXT_MAX 1024   /* bytes of a message; longer ones are cut */

struct banner;

/* State of the link, from the transport. */
struct banner_link {
	mono_ms heard; /* when the peer's newest datagram arrived */
	mono_ms acked; /* when the newest acknowledged state was sent */
	mono_ms asked; /* when the oldest unacknowledged state was sent */
	bool waiting;  /* a sent state is not acknowledged */
	mono_ms idle;  /* the silence that is normal on an idle link */
};

/* GT is borrowed for the life of the banner. */
struct banner *banner_new(const struct grapheme_table *gt, mono_ms now);
void banner_free(struct banner *b);

/*
 * Sets the keys, shown in brackets ("Ctrl-^ .; to sign in again: Ctrl-^ r");
 * a narrow terminal shows those before the first ";". "" shows none.
 */
void banner_set_quit(struct banner *b, const char *keys);

/* Sets the state of the link. Cheap: call it before each overlay. */
void banner_link(struct banner *b, const struct banner_link *link);

/* Shows a message for MS milliseconds (MONO_NEVER: until banner_clear). */
void banner_message(
    struct banner *b, mono_ms now, mono_ms ms, const char *text);

/*
 * Shows a report instead: LINES are separated by '\n'. Each has rows of its own,
 * up to half of the screen, unless all fit in one row.
 */
void banner_report(
    struct banner *b, mono_ms now, mono_ms ms, const char *lines);

void banner_clear(struct banner *b);

/*
 * Returns SCREEN with the banner over its top row, or SCREEN itself (another
 * reference) when there is no banner. Hides the cursor if the banner covers it.
 */
struct vt_frame *banner_overlay(
    const struct banner *b, mono_ms now, const struct vt_frame *screen);

/* Returns when the overlay changes if nothing else happens. */
mono_ms banner_deadline(const struct banner *b, mono_ms now);

#endif
