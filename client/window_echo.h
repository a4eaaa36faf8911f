/*
 * client/window_echo.h - shows another window before the server answers.
 *
 * Purpose:   replays keys in flight (mux/sync/switch.h), and lends a view of the
 *            window that they show from the client's pictures, or one with the
 *            prompt or the copy mode that they open.
 * Ownership: owns the lent view; views, inputs and pictures are borrowed.
 * Units:     mono_ms; input indices as in mux/sync/input.h.
 * Errors:    none; what cannot be known is shown as the server has sent it.
 * Source:    doc/PREDICTION.md.
 * Tests:     regress/unit/check_client_windows.c, regress/e2e/held.sh
 */
#ifndef CLIENT_WINDOW_ECHO_H
#define CLIENT_WINDOW_ECHO_H

#include "base/key.h"
#include "base/types.h"

struct echo_typed;
struct history_copy;
struct sync_view;
struct window_copy;
struct window_echo;

/* Age from which the name of a picture's window is underlined. */
#define WINDOW_ECHO_OLD_MS 5000

struct window_echo *window_echo_new(void);
void window_echo_free(struct window_echo *e); /* NULL is fine */

/* Sets the source of pictures; NULL: none. */
void window_echo_copies(struct window_echo *e, struct window_copy *w);

/* Sets the source of openings (mux/sync/opening.h); NULL: none. */
void window_echo_history(struct window_echo *e, const struct history_copy *h);

/*
 * Takes the server's newest view V and the N inputs TYPED after it; ON: keys are
 * replayed.  Returns the view to show: V, or one of another window, which is
 * valid until the next call.
 */
const struct sync_view *window_echo_view(struct window_echo *e, mono_ms now,
    const struct sync_view *v, const struct echo_typed *typed, size_t n,
    bool on);

/* Replays one more input.  Returns the view to show, NULL: the same one. */
const struct sync_view *window_echo_typed(struct window_echo *e, mono_ms now,
    const struct echo_typed *typed, size_t n);

/* Returns the view to show in place of V, the last one given. */
const struct sync_view *window_echo_shown(
    const struct window_echo *e, const struct sync_view *v);

/* Whether pictures have come since, that may change the view to show. */
bool window_echo_waits(const struct window_echo *e);

struct window_echo_stats {
	uint64_t shown; /* windows shown before the server's answer */
	uint64_t wrong; /* of those: the server showed another one */
};

void window_echo_stats(
    const struct window_echo *e, struct window_echo_stats *out);

#endif
