#include "mux/view/fuzzy.h"

#include <string.h>

#include "base/compiler.h"
#include "base/utf8.h"

static uint32_t
lower(uint32_t cp)
{
	return cp >= 'A' && cp <= 'Z' ? cp - 'A' + 'a' : cp;
}

static bool
is_small(uint32_t cp)
{
	return cp >= 'a' && cp <= 'z';
}

static bool
is_capital(uint32_t cp)
{
	return cp >= 'A' && cp <= 'Z';
}

/* Whether a character is part of a word. */
static bool
in_word(uint32_t cp)
{
	return is_small(cp) || is_capital(cp) || (cp >= '0' && cp <= '9') ||
	       cp >= 0x80;
}

void
view_fuzzy_init(struct view_fuzzy *q, const char *s, size_t n)
{
	uint32_t cp;
	size_t used;

	*q = (struct view_fuzzy){ .count = 0 };
	while (n > 0 && q->count < VIEW_FUZZY_WORD_MAX) {
		used = utf8_decode_final((const uint8_t *)s, n, &cp);
		q->exact = q->exact || is_capital(cp);
		q->chars[q->count++] = cp;
		s += used;
		n -= used;
	}
}

/* A text as characters with the score of a match at each of them. */
struct fuzzy_text {
	uint32_t chars[VIEW_FUZZY_TEXT_MAX];
	uint16_t at[VIEW_FUZZY_TEXT_MAX];
	int8_t bonus[VIEW_FUZZY_TEXT_MAX];
	unsigned count;
};

/* Reads TEXT; false if Q is no subsequence of it. */
static bool
read_text(struct fuzzy_text *t, const struct view_fuzzy *q, const char *text)
{
	size_t n = strlen(text), off = 0;
	uint32_t cp, before = 0;
	unsigned found = 0;
	bool start;

	t->count = 0;
	while (off < n && t->count < VIEW_FUZZY_TEXT_MAX && off <= UINT16_MAX) {
		t->at[t->count] = (uint16_t)off;
		off += utf8_decode_final(
		    (const uint8_t *)text + off, n - off, &cp);
		start =
		    in_word(cp) &&
		    (!in_word(before) || (is_small(before) && is_capital(cp)));
		t->bonus[t->count] = t->count == 0 ? VIEW_FUZZY_AT_START
				     : start       ? VIEW_FUZZY_AT_WORD
						   : 0;
		before = cp;
		cp = q->exact ? cp : lower(cp);
		t->chars[t->count++] = cp;
		if (found < q->count && q->chars[found] == cp)
			found++;
	}
	return found == q->count;
}

/*
 * Row I of the table holds for each place J of the text the best score with
 * character I of the query matched at J.  Only two rows are kept; FROM keeps
 * where the match before it was.
 */
int32_t
view_fuzzy_match(const struct view_fuzzy *q, const char *text,
    uint16_t at[VIEW_FUZZY_WORD_MAX])
{
	struct fuzzy_text t;
	int32_t rows[2][VIEW_FUZZY_TEXT_MAX] = { { 0 } }, best, score;
	uint8_t from[VIEW_FUZZY_WORD_MAX][VIEW_FUZZY_TEXT_MAX];
	int32_t *row, *above;
	unsigned i, j, best_at;

	if (!read_text(&t, q, text))
		return VIEW_FUZZY_NONE;
	if (q->count == 0)
		return 0;
	for (i = 0; i < q->count; i++) {
		row = rows[i % 2];
		above = rows[(i + 1) % 2];
		best = VIEW_FUZZY_NONE;
		best_at = 0;
		for (j = 0; j < t.count; j++) {
			/* Matches that end before the place before J. */
			if (i > 0 && j >= 2 && above[j - 2] > best) {
				best = above[j - 2];
				best_at = j - 2;
			}
			row[j] = VIEW_FUZZY_NONE;
			if (t.chars[j] != q->chars[i])
				continue;
			score = i == 0 ? 0 : VIEW_FUZZY_NONE;
			if (best != VIEW_FUZZY_NONE)
				score = best + VIEW_FUZZY_GAP;
			from[i][j] = (uint8_t)best_at;
			if (i > 0 && j > 0 && above[j - 1] != VIEW_FUZZY_NONE &&
			    above[j - 1] + VIEW_FUZZY_NEXT > score) {
				score = above[j - 1] + VIEW_FUZZY_NEXT;
				from[i][j] = (uint8_t)(j - 1);
			}
			if (score != VIEW_FUZZY_NONE)
				row[j] = score + t.bonus[j];
		}
	}
	row = rows[(q->count - 1) % 2];
	for (j = 0, best_at = 0, best = VIEW_FUZZY_NONE; j < t.count; j++)
		if (row[j] > best) {
			best = row[j];
			best_at = j;
		}
	for (i = q->count; at != NULL && i-- > 0; best_at = from[i][best_at])
		at[i] = t.at[best_at];
	return best;
}
