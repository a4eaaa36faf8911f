/*
 * predict/surface.h - the predictor's state of one pane.
 *
 * Purpose:   the true frame, the pending keys and the prompt; shared by
 *            predict.c and judge.c.
 * Ownership: a surface owns its keys and references to frame and prompt.
 * Units:     see predict.h.
 * Tests:     regress/unit/check_predict_world.c
 */
#ifndef PREDICT_SURFACE_H
#define PREDICT_SURFACE_H

#include "predict/guess.h"
#include "predict/mask.h"
#include "predict/predict.h"

struct surface_key {
	struct guess_key key;
	uint64_t index;
	mono_ms sent;
	mono_ms shown_at;
	bool shown;
	bool cooked; /* the kernel edited the line when the key was typed */
	bool vi;     /* a command to vi */
	/* Typed at a question that is answered by signs: CP is the sign. */
	bool masked;
};

struct surface {
	uint64_t id;
	uint64_t used;
	struct vt_frame *frame;
	/* The last frame before an unexplained one; NULL: none. */
	struct vt_frame *base;
	uint64_t ack;
	uint64_t blind; /* inputs up to here have unknown effects */
	bool taken;     /* the key before went to the key table */
	bool fresh;     /* no text was typed since the line began */
	bool strange;   /* a key with an unknown effect came since then */
	struct vt_line *prompt;
	unsigned prompt_cols;
	/* Its columns that change from prompt to prompt, and that may. */
	uint64_t varies, unsteady;
	struct vt_line *edge; /* the row when a line began, on any screen */
	unsigned edge_cols;
	bool exact;  /* predict_set_exact */
	bool edited; /* the pane has had a line editor */
	/* ... and the running program has read a line of text */
	bool asked;
	enum guess_vi vi; /* the mode after all keys in the frame */
	uint32_t vi_op;
	mono_ms vi_at; /* when it last changed */
	/* Escape was its last key, and has no visible effect yet */
	bool vi_late;
	bool blank; /* the last key in the frame was a blank */
	struct guess_end end;
	struct context_score vi_score;
	struct margin margin[PREDICT_MARGINS_MAX];
	size_t nmargins;
	/* of the main screen's programs, and of the full-screen one */
	struct habit habit[2];
	uint64_t context; /* context of the confirmed predictions in RUN */
	unsigned run;
	unsigned moves; /* confirmed moves of the cursor while RUN is 0 */
	bool line;      /* ... a run that Enter began */
	bool echoed;    /* Enter's line was seen above the last row */
	bool texts;     /* the last frame showed typed text, and a list */
	/* ... on the last row, too, which shows no mode of the program */
	bool lists;
	struct mask_table mask;
	/* of the full-screen program */
	struct effect_table effects;
	struct recall_table recalls;
	/* The context at which Escape was typed; 0: it has changed since. */
	uint64_t doubt;
	mono_ms hold; /* predictions are hidden until then */
	/*
	 * Inputs up to here may be in an unexplained frame: until they are
	 * acknowledged the place of a selection is not known.
	 */
	uint64_t vague;
	size_t nkeys;
	size_t cap;
	struct surface_key *keys;
};

struct predict {
	const struct grapheme_table *gt;
	struct policy policy;
	struct context_table contexts;
	struct predict_stats stats;
	key_code taken[64];
	size_t ntaken;
	uint64_t clock;
	size_t nsurfaces;
	struct surface *surfaces[PREDICT_SURFACES_MAX];
};

/* One replay: the guess, and its chances. */
struct replay {
	struct guess_env env;
	struct guess g;
	struct context *context;
	struct habit *habit;
	struct margin *margin; /* of the cursor's window; NULL: none */
	uint64_t prompt_key;   /* of the shell's prompt; 0: unknown */
	unsigned run;
	unsigned moves;
	bool line;   /* the run began with Enter */
	bool await;  /* the shell is about to print its prompt */
	bool search; /* typed text is drawn elsewhere */
	bool doubt;  /* the context may have changed */
	double chance;
	bool vi;    /* the last key was a command to vi */
	bool quiet; /* ... selected or emptied something: no text is drawn */
	/* Chance that all Enters and line breaks so far were as predicted. */
	double enter;
};

/* Starts a replay at the surface's true frame. */
void replay_init(struct predict *p, struct surface *s, struct replay *r);
void replay_fini(struct replay *r);

/*
 * Replays key I of the surface; sets r->chance to the chance that its
 * prediction is right.
 */
void replay_step(
    struct predict *p, const struct surface *s, struct replay *r, size_t i);

/*
 * Returns the key under which the effect of Enter at this place is remembered.
 */
uint64_t replay_enter_key(
    const struct replay *r, enum context_enter_kind kind, bool bottom);

/* Returns the hash of a key whose effect is remembered; 0: it is not. */
uint64_t replay_effect_key(const struct guess_key *k);

/* Returns whether K empties a field of a full-screen program. */
bool replay_empties(const struct replay *r, const struct guess_key *k);

/* Returns whether a shell's line is on the last row of the screen. */
bool replay_at_bottom(const struct replay *r);

/* Copies the cursor's row as text to OUT (terminated, cut). */
size_t replay_row_text(const struct vt_line *l, unsigned from, unsigned to,
    char *out, size_t size);

/* Takes F, which contains all inputs up to ACK, and learns from it. */
void judge_frame(struct predict *p, struct surface *s, mono_ms now,
    const struct vt_frame *f, uint64_t ack);

/*
 * Frame F begins or ends a question for a secret: records that the effect of the
 * first pending Enter cannot be predicted, or in a dialog, what it was.
 */
void judge_left(struct predict *p, struct surface *s, const struct vt_frame *f);

/* Returns the surface with an id, or NULL. */
struct surface *surface_find(const struct predict *p, uint64_t id);

/* Returns the surface with an id; a new one may replace the oldest. */
struct surface *surface_make(struct predict *p, uint64_t id);
void surface_free(struct surface *s);

/* Returns whether any surface has pending keys. */
bool surface_pending(const struct predict *p);

/* Ignores inputs up to INDEX, and all until their answer. */
void surface_blind(struct surface *s, uint64_t index);

/* Forgets the first N keys. */
void surface_drop(struct surface *s, size_t n);

/* Drops the frame from before an unexplained one. */
void surface_rebase(struct surface *s);

/* Takes the first COLS columns of L as the newest prompt. */
void surface_prompt(struct surface *s, const struct vt_line *l, unsigned cols);

/* Returns whether the frame asks for a secret. */
bool surface_secret(const struct surface *s);

/* Returns whether the pending keys may be kept with the newest frame. */
bool surface_fits(const struct surface *s);

#endif
