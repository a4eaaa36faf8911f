/*
 * regress/vt/vt_script.h - runs the statements of a .vt file.
 *
 * Purpose:   runs a test's statements against one terminal, with its input
 *            whole or cut in pieces.
 * Ownership: vt_run_init/fini own the terminal and what was taken from it.
 * Units:     rows and columns from 0, as in the scripts.
 * Errors:    failed expectations go to tap_fail; mistakes in the script end the
 *            program.
 * Source:    the format of README in this folder.
 */
#ifndef REGRESS_VT_SCRIPT_H
#define REGRESS_VT_SCRIPT_H

#include "mux/vt/parser.h"
#include "mux/vt/term.h"
#include "regress/script.h"

/* How the bytes of an `in` are split. */
struct vt_cut {
	size_t at;     /* cut after so many bytes; 0: not cut */
	bool each;     /* byte by byte */
	uint64_t seed; /* random pieces; 0: none */
	bool padded;   /* whole, with padding: all of it takes the fast path */
};

#define VT_RUN_FRAMES 16

struct vt_run {
	const struct script *s;
	const struct script_line *l; /* current statement */
	struct vt_cut cut;
	char how[64]; /* the cut, for messages */
	unsigned rows;
	unsigned cols;
	size_t history;
	bool clusters_off;
	uint64_t rng;
	struct vt_pool *pool;
	struct grapheme_table *graphemes;
	struct vt_term *t;
	struct vt_parser shadow; /* tells whether padding would be content */
	struct buf reply;
	struct vt_effect *effects;
	size_t neffects;
	size_t next_effect; /* the first one not yet compared */
	struct {
		struct vt_frame *frame;
		char *dump; /* its content when taken */
		size_t len;
	} frames[VT_RUN_FRAMES];
	size_t nframes;
	size_t longest; /* of all `in` so far, in bytes */
};

/* The tables that all runs share. */
void vt_run_init(struct vt_run *r);
void vt_run_fini(struct vt_run *r);

/* Runs statements from..to-1 of S from a fresh terminal of the size in R. */
void vt_run_test(struct vt_run *r, const struct script *s, size_t from,
    size_t to, const struct vt_cut *cut);

/* A size or history statement outside of a test; false: it is neither. */
bool vt_run_setting(
    struct vt_run *r, const struct script *s, const struct script_line *l);

#endif
