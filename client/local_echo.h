/*
 * client/local_echo.h - connects predict/ to views and input events.
 *
 * Purpose:   gives the predictor every pane's frame and every input of the
 *            focused surface; lends a view whose surfaces show the predictions.
 * Ownership: a local_echo owns its predictor; views are borrowed.
 * Units:     mono_ms; input indices as in mux/sync/input.h.
 * Errors:    none; an unpredictable input draws nothing.
 * Source:    doc/PREDICTION.md.
 * Tests:     regress/unit/check_client_local_echo.c, regress/e2e/predict.sh
 */
#ifndef CLIENT_LOCAL_ECHO_H
#define CLIENT_LOCAL_ECHO_H

#include "client/copy_echo.h"
#include "mux/sync/view.h"
#include "predict/predict.h"

struct local_echo;
struct window_copy;

/* The server's `predict` option decides. */
#define LOCAL_ECHO_SERVER (-1)

/* GT is borrowed; MODE is an enum predict_mode or LOCAL_ECHO_SERVER. */
struct local_echo *local_echo_new(const struct grapheme_table *gt, int mode);
void local_echo_free(struct local_echo *e); /* NULL is fine */

/* Sets the copy of the panes' histories (borrowed), for copy mode. */
void local_echo_history(struct local_echo *e, const struct history_copy *h);

/* Sets the pictures of other windows (borrowed). */
void local_echo_windows(struct local_echo *e, struct window_copy *w);

/* Parses "adaptive", "always", "never" or "experimental"; -1: none of them. */
int local_echo_mode(const char *name);

/* Sets the link's SRTT; MONO_NEVER: unknown. */
void local_echo_link(struct local_echo *e, mono_ms rtt);

/* Takes the newest view; LAST is the index of the last input so far. */
void local_echo_view(struct local_echo *e, mono_ms now,
    const struct sync_view *v, uint64_t last);

/*
 * Take an input as it enters the log; INDEX is its index (a paste's: its last).
 */
void local_echo_text(
    struct local_echo *e, mono_ms now, uint32_t cp, uint64_t index);
void local_echo_key(struct local_echo *e, mono_ms now,
    const struct key_event *ev, uint64_t index);
void local_echo_mouse(struct local_echo *e, mono_ms now,
    const struct mouse_event *ev, uint64_t index);
void local_echo_paste(
    struct local_echo *e, mono_ms now, const void *p, size_t n, uint64_t index);
void local_echo_resize(struct local_echo *e, mono_ms now, uint64_t index);

/* Returns whether an input has come since the last local_echo_lend. */
bool local_echo_stale(const struct local_echo *e);

/* Returns whether history or pictures have come that the screen waits for. */
bool local_echo_waits(const struct local_echo *e);

/* Whether the last input is on the lent screen. */
enum local_echo_shown {
	LOCAL_ECHO_OTHER, /* the input is not text */
	/* Text that is not drawn, or is underlined as tentative. */
	LOCAL_ECHO_HIDDEN,
	LOCAL_ECHO_SHOWN,
};

enum local_echo_shown local_echo_shown(const struct local_echo *e, mono_ms now);

/*
 * Returns a copy of V, the last view given to local_echo_view, with predictions
 * drawn; free it with sync_view_free. V does not change.
 */
struct sync_view *local_echo_lend(
    struct local_echo *e, mono_ms now, const struct sync_view *v);

/* Returns the view whose window is shown: V, or a picture of another one. */
const struct sync_view *local_echo_window(
    const struct local_echo *e, const struct sync_view *v);

/* Returns when the copy changes although no event comes. */
mono_ms local_echo_deadline(const struct local_echo *e, mono_ms now);

void local_echo_stats(const struct local_echo *e, struct predict_stats *out);

/*
 * Returns the number of inputs that the newest view does not contain yet.
 * The count begins again at 0 when more than 256 inputs wait.
 */
size_t local_echo_unanswered(const struct local_echo *e);

#endif
