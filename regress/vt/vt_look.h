/*
 * regress/vt/vt_look.h - the statements of a .vt file that look.
 *
 * Purpose:   what the screen, its cells, its history and the terminal's state
 *            are, compared with what the script says; and how all statements
 *            read their arguments and say what is wrong.
 * Ownership: none.
 * Units:     rows and columns from 0.
 * Errors:    failed expectations go to tap_fail; the script's own mistakes
 *            end the program.
 * Source:    the format of README in this folder.
 * Tests:     itself
 */
#ifndef REGRESS_VT_LOOK_H
#define REGRESS_VT_LOOK_H

#include "regress/vt/vt_script.h"

typedef void (*vt_look_fn)(struct vt_run *r);

/* The statement WORD, or NULL: it is none of these. */
vt_look_fn vt_look_find(const char *word);

/* The statement being run failed: GOT stands where WANT should. */
void vt_run_fail(struct vt_run *r, const char *got, const char *want);

/* The statement's argument I; as ROW,COL. */
const struct script_arg *vt_run_arg(struct vt_run *r, int i);
void vt_run_pos(struct vt_run *r, int i, unsigned *row, unsigned *col);

/* Fails unless both are equal. */
void vt_run_number(struct vt_run *r, long got, long want);
void vt_run_text(
    struct vt_run *r, const char *got, size_t n, const struct script_arg *want);

#endif
