/*
 * regress/predict/far.h - small models of what runs in a pane.
 *
 * Purpose:   the other end for tests of predict/: a line editor, a shell with
 *            suggestions and a right prompt, the kernel's line discipline, a
 *            full-screen editor; keys in, a real terminal's frames out.
 * Ownership: frames are new references.
 * Units:     cells.
 * Errors:    none.
 * Source:    our own; readline, zsh-autosuggestions, n_tty, vi for behaviour.
 * Tests:     regress/unit/check_predict_world.c
 */
#ifndef REGRESS_PREDICT_FAR_H
#define REGRESS_PREDICT_FAR_H

#include "base/grapheme.h"
#include "base/key.h"
#include "mux/vt/frame.h"

enum far_kind {
	FAR_BASH, /* line editor; some commands print, sudo asks */
	FAR_ZSH,  /* and dim suggestions, a right prompt */
	FAR_CAT,  /* canonical tty, each line comes back */
	FAR_VI,   /* alternate screen, insert and normal mode */
	FAR_KINDS,
};

struct far;

struct far *far_new(const struct grapheme_table *gt, enum far_kind kind,
    unsigned cols, unsigned rows);
void far_free(struct far *f);

/* One key reaches the program, which answers at once. */
void far_key(struct far *f, key_code key);

/* What the pane shows, with the tty's bits. */
struct vt_frame *far_frame(struct far *f);

/* Is a password being asked for? */
bool far_secret(const struct far *f);

const char *far_name(enum far_kind kind);

#endif
