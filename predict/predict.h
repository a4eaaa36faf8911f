/*
 * predict/predict.h - local echo: what the user will see, before the server
 * has said so.
 *
 * Purpose:   holds the input that no frame contains yet, replays it over every
 *            new true frame, and draws what is likely enough to be right.
 * Ownership: a predictor owns copies of keys and references of frames; frames
 *            handed out are new references.  What is typed at a password
 *            prompt is never stored; what was stored is wiped.
 * Units:     mono_ms; input indices as in mux/sync/input.h.
 * Errors:    none; when too much is pending nothing is guessed.
 * Source:    mosh's TerminalOverlay for the task; the way is ours
 *            (doc/PREDICTION.md).
 * Tests:     regress/unit/check_predict_world.c, regress/predict/,
 *            regress/fuzz/fuzz_predict.c
 *
 * Order of calls: predict_frame for every new frame of a surface before it is
 * shown; one of predict_key, predict_text, predict_other for every input, with
 * the surface that has the focus; predict_overlay for what is to be shown.
 */
#ifndef PREDICT_PREDICT_H
#define PREDICT_PREDICT_H

#include "base/grapheme.h"
#include "base/key.h"
#include "mux/vt/frame.h"
#include "predict/policy.h"

struct predict;

struct predict_stats {
	uint64_t typed;     /* keys given */
	uint64_t predicted; /* of these: their effect was guessed */
	uint64_t shown;     /* and drawn before the frame came */
	uint64_t confirmed; /* guesses that a frame bore out */
	uint64_t wrong;     /* drawn ones that were wrong */
	uint64_t wrong_ms;  /* how long those stood, together */
	uint64_t unknown;   /* keys that could do anything */
	uint64_t secret;    /* keys not looked at: a password prompt */
	uint64_t dropped;   /* keys beyond PREDICT_PENDING_MAX */
};

/* GT is borrowed for the life of the predictor. */
struct predict *predict_new(
    const struct grapheme_table *gt, enum predict_mode mode);
void predict_free(struct predict *p); /* NULL is fine */

void predict_set_mode(struct predict *p, enum predict_mode mode);

/* The smoothed round trip of the link in force. */
void predict_set_link(struct predict *p, mono_ms rtt);

/* The keys that the key table takes (at most SYNC_KEYS_MAX are kept). */
void predict_set_keys(struct predict *p, const key_code *keys, size_t n);

/* A key press or repeat, or a code point typed, as input INDEX. */
void predict_key(struct predict *p, mono_ms now, uint64_t surface,
    const struct key_event *ev, uint64_t index);
void predict_text(struct predict *p, mono_ms now, uint64_t surface, uint32_t cp,
    uint64_t index);

enum predict_input {
	PREDICT_PASTE,  /* P, N: the text */
	PREDICT_RESIZE, /* all guesses of all surfaces go */
	PREDICT_MOUSE,  /* may move the cursor: nothing is guessed until seen */
};

void predict_other(struct predict *p, mono_ms now, uint64_t surface,
    enum predict_input what, const void *text, size_t n, uint64_t index);

/* The newest true frame of a surface; inputs up to ECHO_ACK are in it. */
void predict_frame(struct predict *p, mono_ms now, uint64_t surface,
    const struct vt_frame *f, uint64_t echo_ack);

/*
 * FRAME, the last one given to predict_frame, with the guesses drawn, or FRAME
 * itself when there are none to draw.
 */
struct vt_frame *predict_overlay(struct predict *p, mono_ms now,
    uint64_t surface, const struct vt_frame *frame);

/*
 * The newest key of a surface is text that is drawn, as if it were said: who
 * typed it waits for nothing.
 */
bool predict_shown(const struct predict *p, mono_ms now, uint64_t surface);

/*
 * The surface's text is edited by who made its frame, and nothing else: what
 * is typed there is certain, until a key comes that is not known.
 */
void predict_set_exact(struct predict *p, uint64_t surface);

/* When predict_overlay may differ although nothing came. */
mono_ms predict_deadline(const struct predict *p, mono_ms now);

/* Forgets a surface that is gone. */
void predict_forget(struct predict *p, uint64_t surface);

/* Keys held for a surface (for tests and the link report). */
size_t predict_pending(const struct predict *p, uint64_t surface);

void predict_get_stats(const struct predict *p, struct predict_stats *out);

#endif
