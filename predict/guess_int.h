/*
 * predict/guess_int.h - parts of a guess that its files share.
 *
 * Purpose:   editing of the row under the cursor, for guess.c and guess_vi.c.
 * Ownership: as guess.h.
 * Units:     cells, 0-based.
 * Errors:    as guess.h: the guess is lost.
 * Source:    our own.
 * Tests:     regress/unit/check_predict_guess.c
 */
#ifndef PREDICT_GUESS_INT_H
#define PREDICT_GUESS_INT_H

#include "predict/guess.h"

/* CP is typed as key KEY. */
void guess_text(struct guess *g, uint32_t cp, size_t key);

/* The character before the cursor goes. */
void guess_backspace(struct guess *g);

/* A row is opened under the cursor's; the last FIXED rows stay. */
void guess_open(struct guess *g, unsigned fixed);

/* Columns from..end-1 of the row move by BY; those that are left die. */
void guess_marks_shift(struct guess *g, unsigned from, unsigned end, int by);

#endif
