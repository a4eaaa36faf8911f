/*
 * predict/guess_int.h - parts of a guess that its files share.
 *
 * Purpose:   guess.c keeps its life, marks and rows and takes the keys,
 *            guess_line.c looks at lines, guess_edit.c edits the row under the
 *            cursor, guess_vi.c does what vi's commands do.
 * Ownership: as guess.h.
 * Units:     cells, 0-based.
 * Errors:    as guess.h: the guess is lost.
 * Source:    our own.
 * Tests:     regress/unit/check_predict_guess.c
 */
#ifndef PREDICT_GUESS_INT_H
#define PREDICT_GUESS_INT_H

#include "predict/guess.h"

/* --- guess_line.c --------------------------------------------------------- */

/* Is there nothing to see at COL, or from FROM to the end of the row? */
bool guess_blank(const struct vt_line *l, unsigned col);
bool guess_blank_from(const struct vt_line *l, unsigned from, unsigned cols);

/* The row under the cursor. */
struct vt_line *guess_line(const struct guess *g);

/*
 * The first column from X where a full-screen program has drawn a border of
 * its own windows, or the number of columns.
 */
unsigned guess_border(const struct guess *g, unsigned x);

/* Where the text being edited ends: a gap, a border, or nothing more. */
unsigned guess_text_end(const struct guess *g, unsigned x);

/* --- guess.c -------------------------------------------------------------- */

/* KEY has written COL of the row; FRESH: something else was there. */
void guess_mark_add(struct guess *g, size_t key, unsigned col, bool fresh);

/* Columns from..end-1 of the row move by BY; those that are left die. */
void guess_marks_shift(struct guess *g, unsigned from, unsigned end, int by);

/* Has a key written what is at COL of the row? */
bool guess_marked(const struct guess *g, unsigned col);

/* Text went past the last column. */
void guess_wrap(struct guess *g);

/* A row is opened under the cursor's; the last FIXED rows stay. */
void guess_open(struct guess *g, unsigned fixed);

/* --- guess_edit.c --------------------------------------------------------- */

/* A suggestion behind column X goes. */
void guess_unsuggest(struct guess *g, unsigned x);

/* The first column that editing may reach; false: not known. */
bool guess_start(const struct guess *g, unsigned *start);

/* CP is typed as key KEY. */
void guess_text(struct guess *g, uint32_t cp, size_t key);

/* The character before the cursor goes. */
void guess_backspace(struct guess *g);

/* What these keys do at the cursor. */
void guess_delete(struct guess *g);
void guess_left(struct guess *g);
void guess_right(struct guess *g);
void guess_home(struct guess *g);
void guess_end(struct guess *g);
void guess_kill_end(struct guess *g);

/* GUESS_WORD_* and what kills words or the line before the cursor. */
void guess_word(struct guess *g, enum guess_act act);

#endif
