/*
 * Searching in copy mode.
 */
#include <string.h>

#include "base/mem.h"
#include "mux/mode/copy_int.h"
#include "mux/pane.h"
#include "mux/vt/search.h"

#define COUNT_STEPS 4 /* of 4096 lines */

void
copy_search_clear(struct copy *c)
{
	c->search_marks = false;
	c->search_count = 0;
	c->search_from_set = false;
}

static struct vt_search *
search_new(const struct copy *c, unsigned flags)
{
	struct vt_search *s;

	if (c->search_text == NULL || *c->search_text == '\0')
		return NULL;
	if (c->search_regex && strpbrk(c->search_text, "^$*+()?[].\\") != NULL)
		flags |= VT_SEARCH_REGEX;
	if (vt_search_new(&s, c->search_text, strlen(c->search_text),
		flags | VT_SEARCH_SMART, NULL) != 0)
		return NULL;
	return s;
}

size_t
copy_search_rows(
    struct copy *c, vt_row from, vt_row to, struct vt_match *out, size_t max)
{
	struct vt_search *s = search_new(c, 0);
	size_t n;

	if (s == NULL)
		return 0;
	n = vt_search_rows(s, &c->text.text, MAX_OF(from, copy_first(c)),
	    MIN_OF(to, copy_last(c) + 1), out, max);
	vt_search_free(s);
	return n;
}

bool
copy_search_here(struct copy *c, struct vt_match *out)
{
	const struct vt_pos here = copy_here(c);
	struct vt_match found[256];
	size_t i, n;

	bool after = false;

	n = copy_search_rows(
	    c, here.row, here.row + 1, found, ARRAY_LEN(found));
	for (i = 0; i < n; i++) {
		if (vt_pos_compare(found[i].start, here) > 0)
			break;
		if (vt_pos_compare(here, found[i].end) < 0) {
			*out = found[i];
			return true;
		}
		/* With emacs keys a search ends after the match. */
		if (!copy_is_vi(c) && here.row == found[i].end.row &&
		    here.col == found[i].end.col) {
			*out = found[i];
			after = true;
		}
	}
	return after;
}

static void
count_matches(struct copy *c)
{
	struct vt_search_count count = { .max = COPY_MATCHES_MAX,
		.at = copy_here(c) };
	struct vt_search *s = search_new(c, 0);
	unsigned steps = 0;
	bool more;

	c->search_count = 0;
	c->search_partial = false;
	if (s == NULL)
		return;
	/* A long history is counted in part: that takes a millisecond or so. */
	do
		more = vt_search_count(s, &c->text.text, &count, 4096);
	while (more && ++steps < COUNT_STEPS);
	c->search_count = count.all;
	c->search_partial = count.limited || more;
	vt_search_free(s);
}

/* Finds the next match from P. */
static bool
find(struct copy *c, struct vt_pos p, bool down, struct vt_match *out)
{
	const bool wrap = options_flag(copy_options(c), OPTION_WRAP_SEARCH);
	struct vt_search *s = search_new(
	    c, (down ? 0U : VT_SEARCH_BACKWARD) | (wrap ? VT_SEARCH_WRAP : 0U));
	enum vt_search_result r;

	if (s == NULL)
		return false;
	vt_search_start(s, &c->text.text, p);
	do
		r = vt_search_step(s, &c->text.text, 4096, out);
	while (r == VT_SEARCH_MORE);
	vt_search_free(s);
	return r == VT_SEARCH_FOUND;
}

static bool
search_once(struct copy *c, bool down)
{
	struct vt_pos here = copy_here(c);
	struct vt_match m;

	/* With emacs keys a match that starts at the cursor counts. */
	if (down && !copy_is_vi(c)) {
		if (here.col > 0)
			here.col--;
		else if (here.row > copy_first(c))
			here = (struct vt_pos){ here.row - 1, c->cols };
	}
	if (!find(c, here, down, &m)) {
		copy_search_clear(c);
		return false;
	}
	c->search_marks = true;
	copy_scroll_to(c, down && !copy_is_vi(c) ? m.end : m.start);
	return true;
}

static bool
search_run(struct copy *c, bool down, unsigned repeat)
{
	bool found = true;

	for (; found && repeat > 0; repeat--)
		found = search_once(c, down);
	if (found)
		count_matches(c);
	return found;
}

static void
remember(struct copy *c, const char *text, bool regex, enum copy_search dir)
{
	struct pane *p = c->mode.pane;

	c->search = dir;
	c->search_regex = regex;
	if (text == NULL)
		return;
	mem_free(c->search_text);
	c->search_text = mem_strdup(text);
	mem_free(p->search);
	p->search = mem_strdup(text);
}

static enum copy_did
search_new_text(
    struct copy *c, const struct copy_args *a, bool regex, enum copy_search dir)
{
	const char *text = a->word[0];

	if (text != NULL && *text == '\0')
		return COPY_NOTHING;
	remember(c, text, regex, dir);
	(void)search_run(c, dir == COPY_SEARCH_DOWN, a->repeat);
	return COPY_NOTHING;
}

DO(search_forward)
{
	return search_new_text(c, a, true, COPY_SEARCH_DOWN);
}

DO(search_forward_text)
{
	return search_new_text(c, a, false, COPY_SEARCH_DOWN);
}

DO(search_backward)
{
	return search_new_text(c, a, true, COPY_SEARCH_UP);
}

DO(search_backward_text)
{
	return search_new_text(c, a, false, COPY_SEARCH_UP);
}

static enum copy_did
search_more(struct copy *c, const struct copy_args *a, bool reverse)
{
	if (c->search == COPY_SEARCH_NONE)
		return COPY_NOTHING;
	(void)search_run(
	    c, (c->search == COPY_SEARCH_DOWN) != reverse, a->repeat);
	return COPY_NOTHING;
}

DO(search_again)
{
	return search_more(c, a, false);
}

DO(search_reverse)
{
	return search_more(c, a, true);
}

/*
 * The text begins with "=", "+" or "-": typed, next or previous (see
 * command-prompt -i).  DOWN is the direction of the command.
 */
static enum copy_did
search_typed(struct copy *c, const struct copy_args *a, bool down)
{
	const char *text = a->word[0];
	char prefix = *text;

	if (prefix == '\0')
		return COPY_NOTHING;
	text++;
	if (!c->search_from_set || c->search_text == NULL) {
		c->search_from = copy_here(c);
		c->search_top = c->top;
		c->search_from_set = true;
	} else if (strcmp(c->search_text, text) != 0) {
		c->top = CLAMP(c->search_top, copy_first(c), copy_base(c));
		c->cx = c->search_from.col;
		c->cy = (unsigned)(c->search_from.row - c->top);
		copy_clamp(c);
	}
	if (*text == '\0') {
		c->search_marks = false;
		c->search_count = 0;
		return COPY_REDRAW;
	}
	if (prefix == '+')
		down = true;
	else if (prefix == '-')
		down = false;
	remember(c, text, false, down ? COPY_SEARCH_DOWN : COPY_SEARCH_UP);
	if (search_run(c, down, 1))
		c->search_from_set = true;
	return COPY_NOTHING;
}

DO(search_forward_incremental)
{
	return search_typed(c, a, true);
}

DO(search_backward_incremental)
{
	return search_typed(c, a, false);
}
