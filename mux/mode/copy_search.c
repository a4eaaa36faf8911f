/*
 * Searching in copy mode.
 */
#include <string.h>

#include "base/mem.h"
#include "mux/mode/copy_int.h"
#include "mux/pane.h"
#include "mux/vt/search.h"

/*
 * Lines of a slice: it takes less than a millisecond, unless the expression is
 * a slow one.  A command does some slices itself, so that in a short text it
 * has found its match when it ends.
 */
#define SLICE_LINES 512
#define FIRST_SLICES 4

static void
clear_marks(struct copy *c)
{
	c->search_marks = false;
	c->search_uncounted = true;
}

void
copy_search_clear(struct copy *c)
{
	clear_marks(c);
	c->search_from_set = false;
}

void
copy_search_fini(struct copy *c)
{
	vt_search_free(c->pattern);
	c->pattern = NULL;
	c->find = 0;
	copy_uncount(c);
}

/* Returns the pattern, made on first use; NULL: none, or WHY it is wrong. */
static struct vt_search *
pattern(struct copy *c, struct cause *why)
{
	unsigned flags = VT_SEARCH_SMART;

	if (c->pattern != NULL)
		return c->pattern;
	if (c->search_text == NULL || *c->search_text == '\0')
		return NULL;
	if (c->search_regex)
		flags |= VT_SEARCH_REGEX;
	(void)vt_search_new(
	    &c->pattern, c->search_text, strlen(c->search_text), flags, why);
	return c->pattern;
}

size_t
copy_search_rows(
    struct copy *c, vt_row from, vt_row to, struct vt_match *out, size_t max)
{
	struct vt_search *s = pattern(c, NULL);

	return s == NULL ? 0
			 : vt_search_rows(s, &c->text.text,
			       MAX_OF(from, copy_first(c)),
			       MIN_OF(to, copy_last(c) + 1), out, max);
}

/* --- counting ------------------------------------------------------------------ */

static void
count_begin(struct copy *c)
{
	if (c->counted)
		return;
	c->count = (struct vt_search_count){ .max = COPY_MATCHES_MAX };
	c->counted = c->counting = true;
}

/* Counts the matches of some more lines. */
static void
count_slice(struct copy *c)
{
	count_begin(c);
	c->counting =
	    c->pattern != NULL &&
	    vt_search_count(c->pattern, &c->text.text, &c->count, SLICE_LINES);
	if (!c->counting)
		mode_dirty(&c->mode);
}

/* --- finding -------------------------------------------------------------------- */

/* Starts to look for the next match. */
static void
find_next(struct copy *c)
{
	struct vt_pos here = copy_search_start(c, c->find_down);
	bool whole = false;

	/* The first place counts, too. */
	if (c->find_down) {
		if (here.col > 0)
			here.col--;
		else if (here.row > copy_first(c))
			here = (struct vt_pos){ here.row - 1, c->cols };
		else
			whole = true;
	}
	vt_search_start(c->pattern, &c->text.text, here);
	if (whole)
		vt_search_whole(c->pattern);
}

static void
find_end(struct copy *c)
{
	c->find = 0;
	mode_dirty(&c->mode);
}

/* Goes to a match, and on to the next one if more are wanted. */
static void
find_go(struct copy *c, const struct vt_match *m)
{
	c->search_marks = true;
	copy_search_went(c, m, c->find_down);
	if (c->find_fresh) {
		c->search_uncounted = false;
		count_begin(c);
	}
	if (--c->find > 0) {
		find_next(c);
		return;
	}
	find_end(c);
}

/* Looks at some more lines. */
static void
find_slice(struct copy *c)
{
	enum vt_search_result r = VT_SEARCH_MORE;
	struct vt_match m;
	size_t done = 0;

	while (c->find > 0 && done < SLICE_LINES) {
		r = vt_search_step(
		    c->pattern, &c->text.text, SLICE_LINES - done, &m);
		done += vt_search_looked(c->pattern);
		if (r == VT_SEARCH_FOUND) {
			find_go(c, &m);
		} else if (r == VT_SEARCH_END) {
			if (c->find_typed)
				clear_marks(c);
			find_end(c);
		}
	}
}

void
copy_search_work(struct mode *m)
{
	struct copy *c = copy_of(m);

	copy_sync(c);
	if (c->find > 0)
		find_slice(c);
	else if (c->counting && c->search_marks)
		count_slice(c);
	if (c->find > 0)
		m->work = MODE_BUSY;
	else
		m->work =
		    c->counting && c->search_marks ? MODE_BEHIND : MODE_IDLE;
}

void
copy_search_stop(struct mode *m, bool late)
{
	struct copy *c = copy_of(m);

	if (c->find == 0)
		return;
	copy_search_clear(c);
	c->search_late = late;
	find_end(c);
	m->work = MODE_IDLE;
}

/* Counts the matches of a short text at once. */
static void
count_some(struct copy *c)
{
	unsigned i;

	for (i = 0; i < FIRST_SLICES && c->mode.work == MODE_BEHIND; i++)
		copy_search_work(&c->mode);
}

/* Other text or another size: counts the matches again, if they are shown. */
void
copy_search_renew(struct copy *c)
{
	const bool shown = c->search_marks;

	clear_marks(c);
	copy_uncount(c);
	if (!shown)
		return;
	c->search_marks = true;
	c->search_uncounted = false;
	(void)pattern(c, NULL);
	count_begin(c);
	c->mode.work = MODE_BEHIND;
	count_some(c);
}

static void
search_run(struct copy *c, bool down, unsigned repeat, struct cause *why)
{
	struct pane *p = c->mode.pane;
	struct vt_search *s = pattern(c, why);
	unsigned i;

	c->search_late = false;
	if (c->search_text == NULL)
		return;
	c->find_fresh = copy_search_is_new(c);
	c->searched = true;
	if (c->find_fresh && c->search_marks)
		clear_marks(c);
	if (c->find_fresh) {
		copy_uncount(c);
		c->search_other = false;
	}
	if (c->find_fresh && p != NULL) {
		mem_free(p->search);
		p->search = mem_strdup(c->search_text);
		p->search_regex = c->search_regex;
	}
	if (s == NULL) {
		if (c->find_typed)
			clear_marks(c);
		return;
	}
	c->find = repeat;
	c->find_down = down;
	vt_search_direct(s, !down, c->env.wrap_search);
	find_next(c);
	c->mode.work = MODE_BUSY;
	for (i = 0; i < FIRST_SLICES && c->mode.work == MODE_BUSY; i++)
		copy_search_work(&c->mode);
	count_some(c);
}

static void
remember(struct copy *c, const char *text, bool regex, enum copy_search dir)
{
	c->search = dir;
	if (text == NULL)
		text = c->search_text;
	if (text == NULL)
		return;
	/* Without any special character it is plain text. */
	regex = regex && strpbrk(text, "^$*+()?[].\\") != NULL;
	if (c->search_text == NULL || c->search_regex != regex ||
	    strcmp(c->search_text, text) != 0) {
		copy_search_fini(c);
		/* Without a pane, its last search is known if it was ours. */
		c->missed |=
		    c->mode.pane == NULL && c->searched && c->search_other;
		c->search_other = true;
	}
	c->search_regex = regex;
	if (text == c->search_text)
		return;
	mem_free(c->search_text);
	c->search_text = mem_strdup(text);
}

static enum copy_did
search_new_text(
    struct copy *c, const struct copy_args *a, bool regex, enum copy_search dir)
{
	const char *text = a->word[0];

	if (text != NULL && *text == '\0')
		return COPY_NOTHING;
	remember(c, text, regex, dir);
	c->find_typed = false;
	search_run(c, dir == COPY_SEARCH_DOWN, a->repeat, a->why);
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
	c->find_typed = false;
	search_run(
	    c, (c->search == COPY_SEARCH_DOWN) != reverse, a->repeat, a->why);
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
	if (!c->search_from_set) {
		c->search_from = copy_here(c);
		c->search_top = c->top;
		c->search_from_set = true;
	} else if (c->search_text != NULL &&
		   strcmp(c->search_text, text) != 0) {
		c->top = CLAMP(c->search_top, copy_first(c), copy_base(c));
		c->cx = c->search_from.col;
		c->cy = (unsigned)(c->search_from.row - c->top);
		copy_clamp(c);
	}
	if (*text == '\0') {
		clear_marks(c);
		return COPY_REDRAW;
	}
	if (prefix == '+')
		down = true;
	else if (prefix == '-')
		down = false;
	remember(c, text, false, down ? COPY_SEARCH_DOWN : COPY_SEARCH_UP);
	c->find_typed = true;
	search_run(c, down, 1, a->why);
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
