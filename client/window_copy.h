/*
 * client/window_copy.h - the client's pictures of windows that it does not show.
 *
 * Purpose:   applies the server's messages (mux/sync/window.h) and keeps the
 *            views that this client has shown; gives the newer of both.
 * Ownership: owns its pictures; the compression contexts belong to the caller.
 * Units:     milliseconds, bytes.
 * Errors:    -ERR_PEER for messages that do not fit; the caller then asks for
 *            all pictures again (window_copy_asked).
 * Tests:     regress/unit/check_client_windows.c, regress/e2e/held.sh
 */
#ifndef CLIENT_WINDOW_COPY_H
#define CLIENT_WINDOW_COPY_H

#include "base/buf.h"
#include "base/types.h"

struct ssp_zip;
struct sync_view;
struct window_copy;

struct window_copy *window_copy_new(struct ssp_zip *zip);
void window_copy_free(struct window_copy *w); /* NULL is fine */

/* Whether bytes P are a message for window_copy_message. */
bool window_copy_wants(const uint8_t *p, size_t n);

/* Applies a message that came at NOW. */
int window_copy_message(
    struct window_copy *w, mono_ms now, const uint8_t *p, size_t n) WARN_UNUSED;

/*
 * The server was asked for BYTES of pictures (sync_window_put_want): it begins
 * anew.
 */
void window_copy_asked(struct window_copy *w, uint32_t bytes);

/* Forgets all windows: the client has another server. */
void window_copy_clear(struct window_copy *w);

/* Keeps V, which showed a window until NOW. */
void window_copy_keep(struct window_copy *w, mono_ms now, uint32_t session,
    uint32_t window, const struct sync_view *v);

/*
 * Returns the picture of a window (sync_view_free) and in *AT its time, or NULL.
 */
struct sync_view *window_copy_view(const struct window_copy *w,
    uint32_t session, uint32_t window, mono_ms *at);

/* Returns a count that grows with each change. */
uint64_t window_copy_changes(const struct window_copy *w);

/* Returns how many windows have a picture. */
unsigned window_copy_count(const struct window_copy *w);

#endif
