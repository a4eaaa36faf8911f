/*
 * Any bytes on a screen: hints over it.  The first bytes choose the size and
 * the alphabet.
 */
#include "base/utf8.h"
#include "mux/mode/hints_collect.h"
#include "regress/fuzz/fuzz_vt.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
check(const struct hints *hs, const struct text_grid *t)
{
	char label[HINT_LABEL_MAX + 1];
	const struct hint *h;
	const char *s;
	size_t i;

	bug_assert(hs->count <= HINTS_MAX && hs->texts <= hs->count);
	for (i = 0; i < hs->count; i++) {
		h = &hs->all[i];
		bug_assert(h->text[0] != '\0' && h->label < hs->texts);
		bug_assert(utf8_valid(h->text, strlen(h->text)));
		/* security: nothing but printable text leaves the mode. */
		for (s = h->text; *s != '\0'; s++)
			bug_assert((unsigned char)*s >= ' ' && *s != 0x7f);
		bug_assert(vt_pos_compare(h->at.start, h->at.end) < 0);
		bug_assert(h->at.end.row < vt_grid_end(t->grid) &&
			   h->at.end.col <= t->grid->cols);
		bug_assert(i == 0 || vt_pos_compare(hs->all[i - 1].at.end,
					 h->at.start) <= 0);
		hint_labels_get(&hs->labels, h->label, label);
		bug_assert(label[0] != '\0');
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct vt_search *pattern = NULL;
	struct hints hs;
	struct text_grid t;
	struct vt_term *term;

	if (size < 3)
		return 0;
	term = fuzz_term(1 + data[0] % 100, 1 + data[1] % 30, 100);
	vt_term_write(term, data + 3, size - 3);
	fuzz_effects(term, NULL);
	if (vt_search_new(
		&pattern, "[A-Z]+-[0-9]+", 13, VT_SEARCH_REGEX, NULL) != 0)
		return 0;
	text_grid_init(&t, vt_term_grid(term));
	hints_collect(&hs, &t.text,
	    &(struct hints_ask){ .first = vt_grid_screen(t.grid),
		.last = vt_grid_end(t.grid),
		.kinds = (1U << HINT_KINDS) - 1,
		.pattern = &pattern,
		.patterns = 1,
		.alphabet = data[2] % 2 == 0 ? "ab" : "asdf" });
	check(&hs, &t);
	hints_fini(&hs);
	vt_search_free(pattern);
	vt_term_free(term);
	return 0;
}
