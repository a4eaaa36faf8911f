/*
 * regress/vt/vt_look.h - the statements of a .vt file that compare.
 *
 * Purpose:   compares the screen, its cells, its history and the terminal's
 *            state with the script; reads the arguments of all statements and
 *            reports their failures.
 * Units:     rows and columns from 0.
 * Errors:    failed expectations go to tap_fail; mistakes in the script end the
 *            program.
 * Source:    the format of README in this folder.
 */
#ifndef REGRESS_VT_LOOK_H
#define REGRESS_VT_LOOK_H

#include "regress/vt/vt_script.h"

typedef void (*vt_look_fn)(struct vt_run *r);

/* Returns the statement WORD, or NULL if it is none of these. */
vt_look_fn vt_look_find(const char *word);

/* Reports that the current statement failed: GOT instead of WANT. */
void vt_run_fail(struct vt_run *r, const char *got, const char *want);

/* Return argument I of the statement; as ROW,COL. */
const struct script_arg *vt_run_arg(struct vt_run *r, int i);
void vt_run_pos(struct vt_run *r, int i, unsigned *row, unsigned *col);

/* Fail unless both are equal. */
void vt_run_number(struct vt_run *r, long got, long want);
void vt_run_text(
    struct vt_run *r, const char *got, size_t n, const struct script_arg *want);

#endif
