/*
 * client/local_echo.h - predict/ joined to views and input events.
 *
 * Purpose:   gives the predictor every pane's frame and every input of the
 *            surface that has the focus; lends a view whose surfaces show what
 *            is likely to come.
 * Ownership: a local_echo owns its predictor; views are borrowed.
 * Units:     mono_ms; input indices as in mux/sync/input.h.
 * Errors:    none; what cannot be guessed is not shown.
 * Source:    our own; doc/PREDICTION.md.
 * Tests:     regress/unit/check_client_local_echo.c, regress/e2e/predict.sh
 */
#ifndef CLIENT_LOCAL_ECHO_H
#define CLIENT_LOCAL_ECHO_H

#include "mux/sync/view.h"
#include "predict/predict.h"

struct local_echo;

/* The server's `predict` option decides. */
#define LOCAL_ECHO_SERVER (-1)

/* GT is borrowed; MODE is an enum predict_mode or LOCAL_ECHO_SERVER. */
struct local_echo *local_echo_new(const struct grapheme_table *gt, int mode);
void local_echo_free(struct local_echo *e); /* NULL is fine */

/* "adaptive", "always", "never", "experimental"; -1: none of them. */
int local_echo_mode(const char *name);

/* The smoothed round trip of the link in force, MONO_NEVER: unknown. */
void local_echo_link(struct local_echo *e, mono_ms rtt);

/* The newest view; LAST is the index of the last input so far. */
void local_echo_view(struct local_echo *e, mono_ms now,
    const struct sync_view *v, uint64_t last);

/* Inputs, as they enter the log; INDEX is theirs (a paste's: its last). */
void local_echo_text(
    struct local_echo *e, mono_ms now, uint32_t cp, uint64_t index);
void local_echo_key(struct local_echo *e, mono_ms now,
    const struct key_event *ev, uint64_t index);
void local_echo_mouse(struct local_echo *e, mono_ms now,
    const struct mouse_event *ev, uint64_t index);
void local_echo_paste(
    struct local_echo *e, mono_ms now, const void *p, size_t n, uint64_t index);
void local_echo_resize(struct local_echo *e, mono_ms now, uint64_t index);

/* Whether an input has come since the last local_echo_lend. */
bool local_echo_stale(const struct local_echo *e);

/* Whether the last input is on the screen that was lent. */
enum local_echo_shown {
	LOCAL_ECHO_OTHER,  /* it is no text */
	LOCAL_ECHO_HIDDEN, /* it is text, and is not, or is marked as a guess */
	LOCAL_ECHO_SHOWN,
};

enum local_echo_shown local_echo_shown(const struct local_echo *e, mono_ms now);

/*
 * A copy of V, the last one given to local_echo_view, with the guesses drawn;
 * sync_view_free it.  V itself is not changed.
 */
struct sync_view *local_echo_lend(
    struct local_echo *e, mono_ms now, const struct sync_view *v);

/* When the copy would look different though nothing came. */
mono_ms local_echo_deadline(const struct local_echo *e, mono_ms now);

void local_echo_stats(const struct local_echo *e, struct predict_stats *out);

#endif
