/*
 * Layout strings: an accepted layout is valid, prints as the same text, and
 * survives resizing, splitting and closing.  The target corrects the checksum,
 * so that the fuzzer reaches the rest.
 */
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "mux/layout_size.h"
#include "mux/layout_text.h"

#define INPUT_MAX 8192

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Prints and parses an accepted layout, then changes it. */
static void
try_layout(struct layout *l)
{
	struct layout again;
	struct layout_split how = { LAYOUT_ROW, -1, false, true };
	uint32_t first;
	char *text = layout_text_new(l), *back;

	bug_assert(layout_check(l) == NULL);
	if (*text != '\0') {
		bug_assert(layout_parse(text, &again, NULL) == 0);
		back = layout_text_new(&again);
		bug_assert(strcmp(text, back) == 0);
		mem_free(back);
		layout_fini(&again);
	}
	mem_free(text);
	if (l->root->w > 300 || l->root->h > 300)
		return; /* valid, but slow */
	layout_resize(l, 40, 10);
	bug_assert(layout_check(l) == NULL);
	layout_resize(l, 150, 60);
	bug_assert(layout_check(l) == NULL);
	first = layout_next_leaf(l, NULL)->pane;
	(void)layout_split(l, first, 70000, &how);
	bug_assert(layout_check(l) == NULL);
	(void)layout_spread(l, first);
	bug_assert(layout_check(l) == NULL);
	(void)layout_close(l, first);
	bug_assert(layout_check(l) == NULL);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct cause cause = { NULL };
	struct layout l;
	char *raw, *text;

	if (size > INPUT_MAX)
		return 0;
	raw = mem_strndup((const char *)data, size);
	text = mem_printf("%04x,%s", layout_checksum(raw), raw);
	if (layout_parse(raw, &l, &cause) == 0) {
		try_layout(&l);
		layout_fini(&l);
	}
	cause_fini(&cause);
	if (layout_parse(text, &l, NULL) == 0) {
		try_layout(&l);
		layout_fini(&l);
	}
	mem_free(text);
	mem_free(raw);
	return 0;
}
