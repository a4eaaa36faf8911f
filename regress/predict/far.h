/*
 * regress/predict/far.h - small models of programs in a pane.
 *
 * Purpose:   the far end for tests of predict/: a line editor, a shell with
 *            suggestions and a right prompt, the kernel's line discipline, a
 *            full-screen editor. They read keys and draw on a real terminal.
 * Ownership: frames are new references.
 * Units:     cells.
 * Source:    readline, zsh-autosuggestions, n_tty and vi, for behaviour.
 * Tests:     regress/unit/check_predict_world.c
 */
#ifndef REGRESS_PREDICT_FAR_H
#define REGRESS_PREDICT_FAR_H

#include "base/grapheme.h"
#include "base/key.h"
#include "mux/vt/frame.h"

enum far_kind {
	/* A line editor; some commands print, sudo asks for a password. */
	FAR_BASH,
	FAR_ZSH, /* the same with dim suggestions and a right prompt */
	FAR_CAT, /* a canonical tty; each line is printed again */
	FAR_VI,  /* alternate screen, insert and normal mode */
	FAR_KINDS,
};

struct far;

struct far *far_new(const struct grapheme_table *gt, enum far_kind kind,
    unsigned cols, unsigned rows);
void far_free(struct far *f);

/* Sends one key to the program, which answers at once. */
void far_key(struct far *f, key_code key);

/* Returns the pane's frame with the tty's bits. */
struct vt_frame *far_frame(struct far *f);

/* Returns whether the program asks for a password. */
bool far_secret(const struct far *f);

const char *far_name(enum far_kind kind);

#endif
