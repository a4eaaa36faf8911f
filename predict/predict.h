/*
 * predict/predict.h - local echo: predicts the effect of typed keys.
 *
 * Purpose:   keeps the inputs that no frame contains yet, replays them over
 *            every new true frame, and draws the predictions that are likely to
 *            be right.
 * Ownership: a predictor owns copies of keys and references of frames; returned
 *            frames are new references. Text typed at a password prompt is
 *            never stored; stored text is wiped.
 * Units:     mono_ms; input indices as in mux/sync/input.h.
 * Errors:    none; with too many pending inputs nothing is predicted.
 * Source:    mosh's TerminalOverlay for the task; the method is ours
 *            (doc/PREDICTION.md).
 * Tests:     regress/unit/check_predict_world.c, regress/predict/,
 *            regress/fuzz/fuzz_predict.c
 *
 * Order of calls: predict_frame for every new frame of a surface before it is
 * shown; one of predict_key, predict_text, predict_other for every input, with
 * the surface that has the focus; predict_overlay to draw.
 */
#ifndef PREDICT_PREDICT_H
#define PREDICT_PREDICT_H

#include "base/grapheme.h"
#include "base/key.h"
#include "mux/vt/frame.h"
#include "predict/policy.h"

struct predict;

struct predict_stats {
	uint64_t typed;     /* keys seen */
	uint64_t predicted; /* of these: keys with a prediction */
	uint64_t shown;     /* predictions drawn before the frame came */
	uint64_t confirmed; /* predictions that a frame confirmed */
	uint64_t wrong;     /* drawn predictions that were wrong */
	uint64_t wrong_ms;  /* how long those were on the screen, in all */
	uint64_t unknown;   /* keys with an unknown effect */
	uint64_t secret;    /* keys ignored at a password prompt */
	uint64_t dropped;   /* keys beyond PREDICT_PENDING_MAX */
	double chance;      /* of the newest key, as last computed, 0..1 */
};

/* GT is borrowed for the life of the predictor. */
struct predict *predict_new(
    const struct grapheme_table *gt, enum predict_mode mode);
void predict_free(struct predict *p); /* NULL is fine */

void predict_set_mode(struct predict *p, enum predict_mode mode);

/* Sets the SRTT of the link in use. */
void predict_set_link(struct predict *p, mono_ms rtt);

/* Sets the keys of the key table (at most SYNC_KEYS_MAX are kept). */
void predict_set_keys(struct predict *p, const key_code *keys, size_t n);

/* Take a key press or repeat, or a typed code point, as input INDEX. */
void predict_key(struct predict *p, mono_ms now, uint64_t surface,
    const struct key_event *ev, uint64_t index);
void predict_text(struct predict *p, mono_ms now, uint64_t surface, uint32_t cp,
    uint64_t index);

enum predict_input {
	PREDICT_PASTE,  /* P, N: the text */
	PREDICT_RESIZE, /* drops all predictions of all surfaces */
	/* May move the cursor: no predictions until a frame contains it. */
	PREDICT_MOUSE,
};

void predict_other(struct predict *p, mono_ms now, uint64_t surface,
    enum predict_input what, const void *text, size_t n, uint64_t index);

/*
 * Takes the newest true frame of a surface, which contains inputs up to
 * ECHO_ACK.
 */
void predict_frame(struct predict *p, mono_ms now, uint64_t surface,
    const struct vt_frame *f, uint64_t echo_ack);

/*
 * Returns FRAME, the last one given to predict_frame, with predictions drawn,
 * or FRAME itself if there are none to draw.
 */
struct vt_frame *predict_overlay(struct predict *p, mono_ms now,
    uint64_t surface, const struct vt_frame *frame);

/*
 * Returns whether the surface's newest key is text that is drawn without
 * underline: the user does not wait for its echo.
 */
bool predict_shown(const struct predict *p, mono_ms now, uint64_t surface);

/*
 * Declares that the creator of the surface's frames alone edits its text: typed
 * text is certain until a key with an unknown effect.
 */
void predict_set_exact(struct predict *p, uint64_t surface);

/* Returns when predict_overlay may change although no event comes. */
mono_ms predict_deadline(const struct predict *p, mono_ms now);

/* Forgets a surface that no longer exists. */
void predict_forget(struct predict *p, uint64_t surface);

/* Returns the number of pending keys of a surface, for tests. */
size_t predict_pending(const struct predict *p, uint64_t surface);

void predict_get_stats(const struct predict *p, struct predict_stats *out);

#endif
