/*
 * server/io/mirror.h - keeps a remote client's copy of history up to date.
 *
 * Purpose:   the newest lines above each pane that the client sees, sent while
 *            the link has nothing else to do (ssp_transport_side_put); what
 *            the client does with them is its own affair.
 * Ownership: a viewer owns its mirror.
 * Units:     lines; milliseconds.
 * Errors:    messages that do not decode are dropped.
 * Source:    our own; the messages are those of mux/sync/tail.h.
 * Tests:     regress/e2e/mirror.sh
 *
 * Nothing is sent before the client has said that it wants it.  A guest gets
 * none: what scrolled away before it came is not for it.
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

/* A message of the client. */
void mirror_message(struct mirror *m, const uint8_t *p, size_t n);

/*
 * Gives the transport lines of the panes of V (or NULL) for which it has time;
 * the time of the next call.
 */
mono_ms mirror_pump(struct mirror *m, const struct sync_view *v, mono_ms now);

/* Lines that the client has, or will have when all sent has come. */
size_t mirror_lines(const struct mirror *m);

#endif
