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

#define PALETTE_QUERY_X 3 /* column of the query in its surface */

/* All that the drawing of rows needs. */
struct palette_look {
	struct vt_frame *f;
	const struct grapheme_table *gt;
	struct pen plain;
	struct pen selected;
	struct pen match;
	const struct view_fuzzy *words; /* [count] of the query */
	size_t count;
	unsigned detail; /* the column of details, unless a label is longer */
};

/* Finds the pens of a client's palette. */
void palette_pens(const struct view_context *cx, struct palette_look *k);

/* Draws the rows in sight over the inside of the box. */
void palette_draw_rows(struct palette_look *k, const struct view_palette *p);

/* Draws the numbers of rows into the upper border, in its pen. */
void palette_draw_number(const struct palette_look *k,
    const struct view_palette *p, const struct pen *pen);

/* The picture of the query. */
struct vt_frame *palette_query_frame(const struct grapheme_table *gt,
    const struct view_palette *p, const struct pen *pen);

/* Splits a query into words [VIEW_PALETTE_WORDS_MAX]; returns their number. */
size_t palette_words(const char *query, struct view_fuzzy *words);

/* What a key does to the rows. */
enum palette_does {
	PALETTE_EDITS, /* it edits the query, or does nothing */
	PALETTE_MOVES,
	PALETTE_ACTS
};

/* Stores by how many rows a key moves the choice. */
enum palette_does palette_key_moves(
    const struct view_palette *p, key_code key, int *by);

/* Edits the query by a key that is not of the rows. */
enum prompt_edit_did palette_edit(struct view_palette *p, key_code key);

/* Moves the choice by BY rows; at an end by one row to the other end. */
void palette_move(struct view_palette *p, int64_t by);

/* Rows of the list in the box. */
int palette_list_rows(const struct view_palette *p);

#endif
