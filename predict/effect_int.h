/*
 * predict/effect_int.h - what effect.c, which learns, and effect_draw.c share.
 *
 * Purpose:   numbers and text of a row, and the pens of a selected one.
 * Ownership: everything is borrowed.
 * Units:     cells, 0-based.
 * Tests:     regress/predict/60_effect.predict
 */
#ifndef PREDICT_EFFECT_INT_H
#define PREDICT_EFFECT_INT_H

#include "predict/effect.h"

/* Returns whether column X of L is a digit. */
bool effect_digit(const struct vt_line *l, unsigned x);

/* Returns the number at column X of L, and where it ends. */
int effect_number(
    const struct vt_line *l, unsigned x, unsigned cols, unsigned *end);

/* Returns the columns of the row's text. */
void effect_extent(
    const struct vt_line *l, unsigned cols, unsigned *from, unsigned *to);

/*
 * Returns the pen that replaces PEN when a row becomes selected (ON) or not;
 * NULL: unknown.
 */
const struct pen *effect_pen(
    const struct effect_look *k, const struct pen *pen, bool text, bool on);

#endif
