#include "mux/mode/hints_label.h"

#include <string.h>

static void
take_letters(struct hint_labels *ls, const char *alphabet)
{
	const char *p;

	ls->base = 0;
	ls->letters[0] = '\0';
	for (p = alphabet; *p != '\0'; p++) {
		if (!(*p >= 'a' && *p <= 'z') && !(*p >= '0' && *p <= '9'))
			continue;
		if (strchr(ls->letters, *p) != NULL)
			continue;
		ls->letters[ls->base++] = *p;
		ls->letters[ls->base] = '\0';
	}
}

void
hint_labels_init(struct hint_labels *ls, const char *alphabet, size_t count)
{
	size_t all = 1, longer;

	take_letters(ls, alphabet);
	if (ls->base < 2)
		take_letters(ls, HINT_LETTERS_DEFAULT);
	/* ALL labels of DEPTH - 1 letters; the last ones become prefixes. */
	ls->depth = 1;
	while (all * ls->base < count) {
		all *= ls->base;
		ls->depth++;
	}
	longer =
	    count <= all ? 0 : (count - all + ls->base - 2) / (ls->base - 1);
	ls->brief = ls->depth == 1 ? 0 : all - longer;
}

/* Writes number I in the alphabet, N letters. */
static void
write_label(const struct hint_labels *ls, size_t i, unsigned n, char *out)
{
	out[n] = '\0';
	while (n-- > 0) {
		out[n] = ls->letters[i % ls->base];
		i /= ls->base;
	}
}

void
hint_labels_get(const struct hint_labels *ls, size_t i, char *out)
{
	if (i < ls->brief)
		write_label(ls, i, ls->depth - 1, out);
	else
		write_label(
		    ls, ls->brief * ls->base + (i - ls->brief), ls->depth, out);
}
