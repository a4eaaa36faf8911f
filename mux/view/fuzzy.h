/*
 * mux/view/fuzzy.h - how well a text matches some typed characters.
 *
 * Purpose:   finds the characters of a query in a text, in order but not always
 *            side by side, at the places that score best.
 * Ownership: none.
 * Units:     characters are code points; places are offsets in bytes.
 * Errors:    only the first VIEW_FUZZY_WORD_MAX characters of a query and
 *            VIEW_FUZZY_TEXT_MAX of a text count, so a match takes bounded time.
 * Tests:     regress/unit/check_view_palette.c, against all alignments
 *
 * Letters of ASCII match in both cases unless the query has a capital.
 */
#ifndef MUX_VIEW_FUZZY_H
#define MUX_VIEW_FUZZY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define VIEW_FUZZY_WORD_MAX 48
#define VIEW_FUZZY_TEXT_MAX 200

/* The score of each matched character. */
#define VIEW_FUZZY_AT_START 12 /* the first one of the text */
#define VIEW_FUZZY_AT_WORD 8   /* the first one of a word */
#define VIEW_FUZZY_NEXT 6      /* right behind the match before it */
#define VIEW_FUZZY_GAP (-2)    /* not right behind it */

#define VIEW_FUZZY_NONE INT32_MIN /* the text does not match */

struct view_fuzzy {
	uint32_t chars[VIEW_FUZZY_WORD_MAX];
	unsigned count;
	bool exact; /* case counts */
};

/* Prepares N bytes of a query. */
void view_fuzzy_init(struct view_fuzzy *q, const char *s, size_t n);

/*
 * Returns the best score of Q in TEXT, or VIEW_FUZZY_NONE.  AT (may be NULL)
 * gets the offsets of the q->count characters that score so.
 */
int32_t view_fuzzy_match(const struct view_fuzzy *q, const char *text,
    uint16_t at[VIEW_FUZZY_WORD_MAX]);

#endif
