/*
 * predict/surface.h - one pane as the predictor knows it.
 *
 * Purpose:   the true frame, the keys that are not in it, the prompt; what the
 *            facade (predict.c) and the judge (judge.c) share.
 * Ownership: a surface owns its keys and references to frame and prompt.
 * Units:     as predict.h.
 * Errors:    none.
 * Source:    our own.
 * Tests:     regress/unit/check_predict_world.c
 */
#ifndef PREDICT_SURFACE_H
#define PREDICT_SURFACE_H

#include "predict/guess.h"
#include "predict/predict.h"

struct surface_key {
	struct guess_key key;
	uint64_t index;
	mono_ms sent;
	mono_ms shown_at;
	bool shown;
	bool cooked; /* the kernel edited the line when it was typed */
	bool vi;     /* a command to vi */
};

struct surface {
	uint64_t id;
	uint64_t used;
	struct vt_frame *frame;
	/* The last one before keys did what nothing explains; NULL: none. */
	struct vt_frame *base;
	uint64_t ack;
	uint64_t blind; /* inputs up to here do what nobody knows */
	bool taken;     /* the key before went to the key table */
	bool fresh;     /* no text was typed since the line began */
	bool strange;   /* a key of unknown effect came since then */
	struct vt_line *prompt;
	unsigned prompt_cols;
	struct vt_line *edge; /* the row when a line began, on any screen */
	unsigned edge_cols;
	bool exact;       /* predict_set_exact */
	bool edited;      /* the pane has had a line editor of its own */
	bool asked;       /* ... and what runs now has taken a line of text */
	enum guess_vi vi; /* the mode after all keys that are in the frame */
	uint32_t vi_op;
	mono_ms vi_at; /* when it last changed */
	bool vi_late;  /* Escape was its last key, and is not seen yet */
	struct context_score vi_score;
	uint64_t context; /* key of the context of the hits in RUN */
	unsigned run;
	bool line;      /* ... which Enter began */
	uint64_t doubt; /* the context when Escape was typed, 0: it has gone */
	mono_ms hold;   /* guesses are hidden until then */
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

/* One replay: the guess, and what is believed of it. */
struct replay {
	struct guess_env env;
	struct guess g;
	struct context *context;
	uint64_t prompt_key; /* of the shell's prompt, 0: not known */
	unsigned run;
	bool line;   /* the run began with Enter */
	bool await;  /* the shell is about to print its prompt */
	bool search; /* what is typed shows elsewhere */
	bool doubt;  /* what is known of the context may no longer hold */
	double chance;
	bool vi;      /* the last key was a command to vi */
	double enter; /* chance that all Enters so far did as guessed */
};

/* A replay that begins at the surface's true frame. */
void replay_init(struct predict *p, struct surface *s, struct replay *r);
void replay_fini(struct replay *r);

/* Key I of the surface; sets r->chance to that of it being right. */
void replay_step(
    struct predict *p, const struct surface *s, struct replay *r, size_t i);

/* The key under which Enter at the replay's place is remembered. */
uint64_t replay_enter_key(
    const struct replay *r, enum context_enter_kind kind, bool bottom);

/* A shell's line on the last row of the screen. */
bool replay_at_bottom(const struct replay *r);

/* The row under the cursor as text, into OUT (terminated, cut). */
size_t replay_row_text(const struct vt_line *l, unsigned from, unsigned to,
    char *out, size_t size);

/* Takes F, in which everything up to ACK is, and learns from it. */
void judge_frame(struct predict *p, struct surface *s, mono_ms now,
    const struct vt_frame *f, uint64_t ack);

/* A secret is asked for: by what the first Enter of the keys has begun. */
void judge_asked(struct predict *p, struct surface *s);

/* Forgets the first N keys. */
void surface_drop(struct surface *s, size_t n);

/* Forgets what was before something unexplained. */
void surface_rebase(struct surface *s);

/* Does the frame ask for what must not be shown? */
bool surface_secret(const struct surface *s);

#endif
