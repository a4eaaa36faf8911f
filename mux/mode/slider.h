/*
 * mux/mode/slider.h - the slider of a scrollbar.
 *
 * Purpose:   computes the place of a slider from the text that is shown, and
 *            the text to show from the place to which the slider is dragged.
 * Units:     rows of the bar, from 0; rows of text.
 * Source:    tmux(1), pane-scrollbars; places as tmux 3.8 computes them.
 * Tests:     regress/unit/check_slider.c
 *
 * Different from tmux: a slider that is dragged to the end of the bar shows the
 * end of the text, also of a history longer than the square of the rows.
 */
#ifndef MUX_MODE_SLIDER_H
#define MUX_MODE_SLIDER_H

#include "base/types.h"

struct slider {
	unsigned at; /* first row */
	unsigned size;
};

/* The slider of a pane of ROWS rows that shows its end, below HISTORY rows. */
struct slider slider_end(unsigned rows, uint64_t history);

/* The slider while ABOVE of HISTORY rows are above the first one shown. */
struct slider slider_within(unsigned rows, uint64_t history, uint64_t above);

/* The rows above the first one shown when the slider begins at row AT. */
uint64_t slider_above(unsigned rows, uint64_t history, int at);

#endif
