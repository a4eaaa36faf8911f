/*
 * server/face/pictures.h - keeps a remote client's pictures of the windows that
 * it does not show.
 *
 * Purpose:   sends views of the windows that keys may show next, by side
 *            messages, after the lines of history (server/io/mirror.h).
 * Ownership: a viewer owns its pictures.
 * Units:     bytes; milliseconds.
 * Errors:    messages that do not decode are dropped.
 * Source:    the messages are those of mux/sync/window.h.
 * Tests:     regress/unit/check_pictures.c, regress/e2e/held.sh
 *
 * Nothing is sent before the client has asked for it (WANT), and nothing to a
 * client that may not run commands: it cannot change its window.
 */
#ifndef SERVER_FACE_PICTURES_H
#define SERVER_FACE_PICTURES_H

#include "base/types.h"

struct pictures;
struct viewer;

/* A window that goes on changing is sent again after this time, which doubles. */
#define PICTURES_PAUSE_MS 3000
#define PICTURES_PAUSE_MAX_MS 60000
/* After this time without a key, the pause is the longest one. */
#define PICTURES_AWAY_MS 120000
/* Bytes for changes: at most RATE a second, and BURST at once. */
#define PICTURES_RATE 100
#define PICTURES_BURST 16384

struct pictures *pictures_new(struct viewer *vw);
void pictures_free(struct pictures *ps); /* NULL is fine */

/*
 * Takes a message of the client; returns whether it is one for pictures: then
 * the view may have to tell more.
 */
bool pictures_message(struct pictures *ps, const uint8_t *p, size_t n);

/* Gives the transport a message if the link is idle.  Returns the next call. */
mono_ms pictures_pump(struct pictures *ps, mono_ms now);

/* Whether the client has asked for pictures and may change its window. */
bool pictures_wanted(const struct pictures *ps);

#endif
