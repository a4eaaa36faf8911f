/*
 * mux/view/palette_int.h - what the files of the palette share.
 *
 * Purpose:   sizes of the box, and the words of a query.
 * Units:     cells.
 * Tests:     regress/unit/check_view_palette.c
 */
#ifndef MUX_VIEW_PALETTE_INT_H
#define MUX_VIEW_PALETTE_INT_H

#include "mux/view/fuzzy.h"
#include "mux/view/palette.h"

#define PALETTE_W_MAX 100
#define PALETTE_H_MAX 24
#define PALETTE_W_MIN 12
#define PALETTE_LIST_Y 2  /* the first row of the list in the box */
#define PALETTE_FRAME_H 3 /* border and query */

/* Splits a query into words [VIEW_PALETTE_WORDS_MAX]; returns their number. */
size_t palette_words(const char *query, struct view_fuzzy *words);

/* Rows of the list in the box. */
int palette_list_rows(const struct view_palette *p);

#endif
