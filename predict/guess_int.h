/*
 * predict/guess_int.h - internals of a guess, shared by its files.
 *
 * Purpose:   guess.c has its life and takes the keys, guess_row.c has its rows
 *            and marks, guess_line.c inspects lines, guess_edit.c edits the
 *            cursor's row, guess_vi.c executes vi's commands.
 * Ownership: see guess.h.
 * Units:     cells, 0-based.
 * Errors:    as in guess.h: the guess is lost.
 * Tests:     regress/unit/check_predict_guess.c
 */
#ifndef PREDICT_GUESS_INT_H
#define PREDICT_GUESS_INT_H

#include "predict/guess.h"

/* --- guess_line.c --------------------------------------------------------- */

/* Return whether COL, columns FROM..TO-1, or the row from FROM on, is blank. */
bool guess_blank(const struct vt_line *l, unsigned col);
bool guess_blank_to(const struct vt_line *l, unsigned from, unsigned to);
bool guess_blank_from(const struct vt_line *l, unsigned from, unsigned cols);

/* Returns the cursor's row. */
struct vt_line *guess_line(const struct guess *g);

/*
 * Returns the first column from X where a full-screen program has drawn a
 * border between its windows, or the number of columns.
 */
unsigned guess_border(const struct guess *g, unsigned x);

/*
 * Returns where the edited text ends: at a gap, a border, or the end of the
 * row's text.
 */
unsigned guess_text_end(const struct guess *g, unsigned x);

/* Returns whether CH is a letter, a digit or beyond ASCII. */
bool guess_is_letter(uint32_t ch);

/* Returns whether CH is a vertical line of a box. */
bool guess_is_box(uint32_t ch);

/* --- guess_break.c -------------------------------------------------------- */

/* Finds the window of the cursor: columns FROM..TO-1. */
void guess_window(const struct guess *g, unsigned *from, unsigned *to);

/*
 * Moves rows FIRST..LAST of the window by BY (1 or -1); the row at the end that
 * becomes free is blank, the other end's row is lost.
 */
void guess_move_rows(struct guess *g, unsigned first, unsigned last, int by);

/* Returns the first column at which text can stand in the cursor's row. */
unsigned guess_area(const struct guess *g, const struct margin *m);

/*
 * Returns where the text of a row begins, from column AREA on; MARK: its first
 * character, if that is no letter or digit.
 */
unsigned guess_row_start(
    const struct vt_line *l, unsigned area, unsigned x, unsigned *mark);

/*
 * Returns whether the row's first word, columns START..X-1, fits into the row
 * above, whose text ends at END, without its last character but not with it:
 * programs that show long lines in several rows move it back.
 */
bool guess_reflows(
    const struct guess *g, unsigned x, unsigned *start, unsigned *end);

/*
 * Returns whether a blank at the cursor splits the row's first word so that its
 * first part may go to the row above.
 */
bool guess_splits(const struct guess *g);

/* Moves the word back, or leaves it, as the program did before. */
void guess_reflow(struct guess *g, unsigned start, unsigned end);

/* Breaks the cursor's row as the margin says; the cursor ends the carried text.
 */
void guess_break(struct guess *g, enum margin_class class);

/* --- guess_row.c ---------------------------------------------------------- */

/*
 * Records that KEY has written column COL of the row. FRESH: the column had
 * other text.
 */
void guess_mark_add(struct guess *g, size_t key, unsigned col, bool fresh);

/* Moves the marks of columns FROM..END-1 of the row by BY; 0: removes them. */
void guess_marks_shift(struct guess *g, unsigned from, unsigned end, int by);

/* Returns whether a key has written column COL of the row. */
bool guess_marked(const struct guess *g, unsigned col);

/* Moves down by one row. A full-screen program's screen does not scroll. */
void guess_down(struct guess *g);

/* Handles text past the last column. */
void guess_wrap(struct guess *g);

/* Opens a row below the cursor's; the last FIXED rows do not move. */
void guess_open(struct guess *g, unsigned fixed);

/* --- guess_edit.c --------------------------------------------------------- */

/* Removes a suggestion after column X. */
void guess_unsuggest(struct guess *g, unsigned x);

/* Finds the first column that editing can reach; returns false if unknown. */
bool guess_start(const struct guess *g, unsigned *start);

/* Applies the typed text CP as key KEY. */
void guess_text(struct guess *g, uint32_t cp, size_t key);

/* Deletes the character before the cursor. */
void guess_backspace(struct guess *g);

/* Goes to another row or field as before. */
void guess_arrow(struct guess *g, enum habit_arrow arrow);

/* Apply editing keys at the cursor. */
void guess_delete(struct guess *g);
void guess_left(struct guess *g);
void guess_right(struct guess *g);
void guess_home(struct guess *g);
void guess_end(struct guess *g);
void guess_kill_end(struct guess *g);

/*
 * Applies GUESS_WORD_*, and the keys that delete words or the line before the
 * cursor.
 */
void guess_word(struct guess *g, enum guess_act act);

#endif
