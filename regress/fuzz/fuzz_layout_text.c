/*
 * Layout strings of both versions: an accepted layout is valid, prints as the
 * same text, and survives resizing, splitting, floating and closing.  The target
 * corrects the checksum, so that the fuzzer reaches the rest.
 */
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "mux/layout_float.h"
#include "mux/layout_json.h"
#include "mux/layout_size.h"
#include "mux/layout_text.h"

#define INPUT_MAX 131072

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Prints and parses an accepted text of version 1. */
static void
try_text(struct layout *l)
{
	struct layout again;
	char *text = layout_text_new(l), *back;

	if (*text != '\0') {
		bug_assert(layout_parse(text, &again, NULL) == 0);
		back = layout_text_new(&again);
		bug_assert(strcmp(text, back) == 0);
		mem_free(back);
		layout_fini(&again);
	}
	mem_free(text);
}

static void
describe(void *arg, const struct layout_cell *c, struct layout_leaf *out)
{
	(void)arg;
	out->index = c->pane;
	out->z = (int)c->pane;
}

/* Prints and parses an accepted text of version 2. */
static void
try_json(struct layout *l, const struct layout_leaf *leaves, size_t n)
{
	struct layout_leaf *more;
	struct layout again;
	char *text, *back;
	size_t i;

	for (i = 0; i < n; i++)
		leaves[i].cell->pane = (uint32_t)i;
	text = layout_json_new(l, describe, NULL);
	if (*text != '\0') {
		bug_assert(
		    layout_json_parse(text, &again, &more, &i, NULL) == 0);
		bug_assert(i == n);
		for (i = 0; i < n; i++)
			more[i].cell->pane = (uint32_t)i;
		back = layout_json_new(&again, describe, NULL);
		bug_assert(strcmp(text, back) == 0);
		mem_free(back);
		mem_free(more);
		layout_fini(&again);
	}
	mem_free(text);
}

/* Changes an accepted layout. */
static void
try_layout(struct layout *l)
{
	const struct cell_rect place = { 1, 1, 10, 5 };
	struct layout_split how = { LAYOUT_ROW, -1, false, true };
	uint32_t first;

	bug_assert(layout_check(l) == NULL);
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
	if (layout_float(l, first, &place) != 0)
		(void)layout_tile(l, first);
	bug_assert(layout_check(l) == NULL);
	(void)layout_tile(l, first);
	bug_assert(layout_check(l) == NULL);
	(void)layout_close(l, first);
	bug_assert(layout_check(l) == NULL);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct cause cause = { NULL };
	struct layout_leaf *leaves;
	struct layout l;
	size_t n;
	char *raw, *text;

	if (size > INPUT_MAX)
		return 0;
	raw = mem_strndup((const char *)data, size);
	text = mem_printf("%04x,%s", layout_checksum(raw), raw);
	if (layout_parse(raw, &l, &cause) == 0) {
		try_text(&l);
		try_layout(&l);
		layout_fini(&l);
	}
	cause_fini(&cause);
	if (layout_json_is(raw) &&
	    layout_json_parse(raw, &l, &leaves, &n, &cause) == 0) {
		try_json(&l, leaves, n);
		mem_free(leaves);
		try_layout(&l);
		layout_fini(&l);
	}
	cause_fini(&cause);
	if (layout_parse(text, &l, NULL) == 0) {
		try_text(&l);
		try_layout(&l);
		layout_fini(&l);
	}
	mem_free(text);
	mem_free(raw);
	return 0;
}
