/*
 * server/io/mirror.h - keeps a remote client's copy of history up to date.
 *
 * Purpose:   sends the newest lines above each pane that the client sees, while
 *            the link is idle (ssp_transport_side_put).
 * Ownership: a viewer owns its mirror.
 * Units:     lines; milliseconds.
 * Errors:    messages that do not decode are dropped.
 * Source:    the messages are those of mux/sync/tail.h.
 * Tests:     regress/unit/check_mirror.c, regress/e2e/mirror.sh
 *
 * Nothing is sent before the client has asked for it (WANT).  A guest gets
 * none: lines that scrolled away before it joined are not for it.
 */
#ifndef SERVER_IO_MIRROR_H
#define SERVER_IO_MIRROR_H

#include "base/types.h"

struct mirror;
struct run;
struct ssp_transport;
struct sync_view;

struct mirror *mirror_new(struct run *run, struct ssp_transport *tp);
void mirror_free(struct mirror *m); /* NULL is fine */

/* Takes a message of the client. */
void mirror_message(struct mirror *m, const uint8_t *p, size_t n);

#define MIRROR_NONE UINT64_MAX

/*
 * The client shows ROW of a pane's history (in copy mode): it shall have the
 * lines from some way above it, beyond the usual number.  MIRROR_NONE: it shows
 * none.
 */
void mirror_shows(struct mirror *m, uint32_t pane, uint64_t row);

/* Whether the user waits for lines, which other messages must not delay. */
bool mirror_waited(const struct mirror *m);

/*
 * Gives the transport lines of the panes of V (or NULL) if the link is idle.
 * Returns the time of the next call.
 */
mono_ms mirror_pump(struct mirror *m, const struct sync_view *v, mono_ms now);

/* Returns the number of lines that the client has or is being sent. */
size_t mirror_lines(const struct mirror *m);

#endif
