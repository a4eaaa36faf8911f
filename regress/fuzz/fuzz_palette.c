/*
 * The matcher of the palette: a text matches if the query is a subsequence of
 * it, and the reported places are where its characters stand.
 */
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "mux/view/fuzzy.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static uint32_t
small(uint32_t cp, bool exact)
{
	return !exact && cp >= 'A' && cp <= 'Z' ? cp - 'A' + 'a' : cp;
}

/* Whether Q is a subsequence of the part of TEXT that counts. */
static bool
within(const struct view_fuzzy *q, const char *text)
{
	size_t n = strlen(text), used;
	unsigned found = 0, chars = 0;
	uint32_t cp;

	while (n > 0 && found < q->count && chars++ < VIEW_FUZZY_TEXT_MAX) {
		used = utf8_decode_final((const uint8_t *)text, n, &cp);
		if (small(cp, q->exact) == q->chars[found])
			found++;
		text += used;
		n -= used;
	}
	return found == q->count;
}

/* The first line is the query, the rest the text. */
int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint8_t *line = memchr(data, '\n', size);
	uint16_t at[VIEW_FUZZY_WORD_MAX];
	size_t query, len;
	struct view_fuzzy q;
	int32_t score;
	uint32_t cp;
	unsigned i;
	char *text;

	if (line == NULL)
		return 0;
	query = (size_t)(line - data);
	view_fuzzy_init(&q, (const char *)data, query);
	len = size - query - 1;
	if ((text = malloc(len + 1)) == NULL)
		return 0;
	memcpy(text, line + 1, len);
	text[len] = '\0';
	len = strlen(text);
	score = view_fuzzy_match(&q, text, at);
	if ((score != VIEW_FUZZY_NONE) != within(&q, text))
		abort();
	for (i = 0; score != VIEW_FUZZY_NONE && i < q.count; i++) {
		if (at[i] >= len || (i > 0 && at[i] <= at[i - 1]))
			abort();
		(void)utf8_decode_final(
		    (const uint8_t *)text + at[i], len - at[i], &cp);
		if (small(cp, q.exact) != q.chars[i])
			abort();
	}
	free(text);
	return 0;
}
