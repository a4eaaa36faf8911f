/*
 * Searching line by line.
 *
 * Pages of packed history are filtered before any line of them is unpacked: by
 * the pattern's needle for the whole page, then by the pattern itself on the
 * packed text of each line.
 */
#include "config.h"

#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "mux/vt/logical.h"
#include "mux/vt/pack.h"
#include "mux/vt/search_int.h"

/*
 * An expression has matched so many bytes when a page is left for the next
 * step, and so many count as a line.
 */
#define PAGE_BYTES 16384
#define LINE_BYTES 64

/* What page_skip has found. */
enum page_way {
	PAGE_LINE, /* a line that may match, or no page */
	PAGE_NONE, /* no line of the page matches */
	PAGE_LATER /* it has done enough for one step */
};

struct vt_search {
	struct search_pattern pattern;
	struct vt_logical lg;
	char *scratch; /* text of a line */
	size_t capscratch;
	uint8_t *folded; /* the bytes of `page` in lower case, if ICASE */
	size_t capfolded;
	/* The page being searched; valid while `paged`, within one call. */
	struct vt_page page;
	bool paged;
	/* Progress. */
	vt_row row;         /* of the line to look at next */
	struct vt_pos from; /* bound for matches of that line */
	bool bounded;       /* `from` is in use */
	bool wrapped;       /* continued at the other end */
	vt_row stop;        /* row at which the search started */
	size_t looked;      /* lines of the last step */
	size_t bytes;       /* that an expression has matched in this step */
	bool ended;
};

int
vt_search_new(struct vt_search **out, const char *pattern, size_t n,
    unsigned flags, struct cause *cause)
{
	struct vt_search *s = mem_zalloc(sizeof(*s));
	struct cause none = { NULL };
	int r;

	r = search_pattern_init(
	    &s->pattern, pattern, n, flags, cause == NULL ? &none : cause);
	cause_fini(&none);
	s->ended = true;
	if (r != 0) {
		mem_free(s);
		s = NULL;
	}
	*out = s;
	return r;
}

void
vt_search_free(struct vt_search *s)
{
	if (s == NULL)
		return;
	search_pattern_fini(&s->pattern);
	mem_free(s->scratch);
	mem_free(s->folded);
	mem_free(s);
}

static bool
search_has(const struct vt_search *s, unsigned flag)
{
	return (s->pattern.flags & flag) != 0;
}

/* True if literal text must be folded before it is matched. */
static bool
search_folds(const struct vt_search *s)
{
	return search_has(s, VT_SEARCH_ICASE) &&
	       !search_has(s, VT_SEARCH_REGEX);
}

static char *
scratch_room(struct vt_search *s, size_t n)
{
	if (s->capscratch < n) {
		mem_free(s->scratch);
		s->capscratch = n + n / 2 + 256;
		s->scratch = mem_alloc(s->capscratch);
	}
	return s->scratch;
}

/* --- filtering pages ------------------------------------------------------- */

static void
page_fold(struct vt_search *s)
{
	size_t n = s->page.off[s->page.lines];

	if (s->capfolded < n) {
		mem_free(s->folded);
		s->capfolded = n + n / 4;
		s->folded = mem_alloc(s->capfolded);
	}
	search_fold_ascii(s->folded, s->page.bytes, n);
}

/* Loads the page of row s->row; false if that row is not in a page. */
static bool
page_load(struct vt_search *s, struct text *t)
{
	if (t->ops->page == NULL)
		return false;
	if (s->paged && s->row >= s->page.start[0] &&
	    s->row < s->page.start[s->page.lines])
		return true;
	s->paged = t->ops->page(t, s->row, &s->page);
	if (s->paged && search_has(s, VT_SEARCH_ICASE) &&
	    s->pattern.nneedle > 0)
		page_fold(s);
	return s->paged;
}

/* Returns the line of the page that holds row s->row. */
static unsigned
page_line(const struct vt_search *s)
{
	unsigned lo = 0, hi = s->page.lines, mid;

	while (hi - lo > 1) {
		mid = lo + (hi - lo) / 2;
		if (s->page.start[mid] <= s->row)
			lo = mid;
		else
			hi = mid;
	}
	return lo;
}

/* Returns the first place of the needle in bytes from..to-1, or TO. */
static size_t
page_needle(struct vt_search *s, size_t from, size_t to)
{
	const uint8_t *p, *found;

	if (s->pattern.nneedle == 0)
		return from;
	p = search_has(s, VT_SEARCH_ICASE) ? s->folded : s->page.bytes;
	p += from;
	found = memmem(p, to - from, s->pattern.needle, s->pattern.nneedle);
	return found == NULL ? to : from + (size_t)(found - p);
}

/* Matches the pattern against the packed text of line I. */
static bool
page_line_matches(struct vt_search *s, unsigned i)
{
	size_t len, start, end, k, size = s->page.off[i + 1] - s->page.off[i];
	const uint8_t *packed;
	char *text;

	if (!vt_pack_framed_text(
		s->page.bytes + s->page.off[i], size, &packed, &len))
		return true; /* let the unpacked line decide */
	while (len > 0 && packed[len - 1] == 0)
		len--;
	text = scratch_room(s, len + 1);
	for (k = 0; k < len; k++)
		text[k] = (char)(packed[k] == 0 ? ' ' : packed[k]);
	text[len] = '\0';
	if (search_folds(s))
		search_fold(text, len);
	if (search_has(s, VT_SEARCH_REGEX))
		s->bytes += len;
	return search_pattern_match(&s->pattern, text, len, 0, &start, &end);
}

/* Moves *I to the first line from there on that may match. */
static enum page_way
page_forward(struct vt_search *s, unsigned *i)
{
	const struct vt_page *p = &s->page;
	size_t at;

	while (*i < p->lines) {
		at = page_needle(s, p->off[*i], p->off[p->lines]);
		while (*i < p->lines && p->off[*i + 1] <= at)
			(*i)++;
		if (*i == p->lines)
			break;
		if (page_line_matches(s, *i))
			return PAGE_LINE;
		if (++*i < p->lines && s->bytes > PAGE_BYTES)
			return PAGE_LATER;
	}
	return PAGE_NONE;
}

/* Moves *I to the last line up to there that may match. */
static enum page_way
page_backward(struct vt_search *s, unsigned *i)
{
	const struct vt_page *p = &s->page;

	if (page_needle(s, 0, p->off[*i + 1]) == p->off[*i + 1])
		return PAGE_NONE;
	for (;; (*i)--) {
		if (page_needle(s, p->off[*i], p->off[*i + 1]) <
			p->off[*i + 1] &&
		    page_line_matches(s, *i))
			return PAGE_LINE;
		if (*i == 0)
			return PAGE_NONE;
		if (s->bytes > PAGE_BYTES) {
			(*i)--;
			return PAGE_LATER;
		}
	}
}

/*
 * Moves s->row over lines of its page that do not match: to one that may, to
 * the last row of the page or, backwards, to its first row, if none does, or to
 * the place to continue at.  Adds to *LINES the lines that it looked at.
 */
static enum page_way
page_skip(struct vt_search *s, struct text *t, bool back, size_t *lines)
{
	unsigned i, to;
	enum page_way way;

	if (!page_load(s, t))
		return PAGE_LINE;
	s->bytes = 0;
	to = i = page_line(s);
	way = back ? page_backward(s, &to) : page_forward(s, &to);
	*lines += s->bytes / LINE_BYTES;
	if (way == PAGE_NONE) {
		*lines += back ? i + 1 : s->page.lines - i;
		s->row = back ? MAX_OF(s->page.start[0], text_first(t))
			      : s->page.start[s->page.lines] - 1;
		return way;
	}
	*lines += to > i ? to - i : i - to;
	if (to != i) {
		s->row = back ? s->page.start[to + 1] - 1
			      : MAX_OF(s->page.start[to], text_first(t));
		s->bounded = false;
	}
	return way;
}

/* --- one line --------------------------------------------------------------- */

/* Walks the matches of one line in order. */
struct line_matches {
	char *text;
	size_t len;
	size_t at;     /* continue here */
	unsigned cell; /* the cell walked to, and the byte at which it begins */
	size_t byte;
};

static void
line_begin(struct vt_search *s, struct line_matches *lm)
{
	const char *text;

	memset(lm, 0, sizeof(*lm));
	text = vt_logical_text(&s->lg, &lm->len);
	lm->text = scratch_room(s, lm->len + 1);
	memcpy(lm->text, text, lm->len + 1);
	if (search_folds(s))
		search_fold(lm->text, lm->len);
}

/* Finds the next match that consists of whole clusters. */
static bool
line_next(struct vt_search *s, struct line_matches *lm, struct vt_match *m)
{
	size_t start, end;
	unsigned cell;

	while (search_pattern_match(
	    &s->pattern, lm->text, lm->len, lm->at, &start, &end)) {
		vt_logical_walk(&s->lg, start, &lm->cell, &lm->byte);
		lm->at = start + 1;
		if (lm->byte != start || lm->cell < s->lg.start[0])
			continue; /* inside a cluster, or in a dropped row */
		cell = lm->cell;
		vt_logical_walk(&s->lg, end, &lm->cell, &lm->byte);
		lm->at = end;
		if (lm->byte != end && end != lm->len) {
			/* Ends inside a cluster. */
			lm->cell = cell;
			lm->byte = start;
			lm->at = start + 1;
			continue;
		}
		m->start = vt_logical_pos(&s->lg, cell);
		m->end = vt_logical_pos(&s->lg, lm->cell - 1);
		m->end.col++;
		return true;
	}
	return false;
}

/* --- stepping --------------------------------------------------------------- */

void
vt_search_start(struct vt_search *s, struct text *t, struct vt_pos from)
{
	s->row = CLAMP(from.row, text_first(t), text_end(t) - 1);
	s->from = from;
	s->bounded = true;
	s->wrapped = false;
	s->stop = s->row;
	s->ended = false;
}

void
vt_search_whole(struct vt_search *s)
{
	s->bounded = false;
}

void
vt_search_direct(struct vt_search *s, bool backward, bool wrap)
{
	const unsigned both = VT_SEARCH_BACKWARD | VT_SEARCH_WRAP;

	s->pattern.flags = (s->pattern.flags & ~both) |
			   (backward ? VT_SEARCH_BACKWARD : 0U) |
			   (wrap ? VT_SEARCH_WRAP : 0U);
	s->ended = true;
}

/* Finds the next match of the line in s->lg within the bound. */
static bool
line_pick(struct vt_search *s, struct vt_match *match)
{
	struct line_matches lm;
	struct vt_match m;
	bool found = false;

	line_begin(s, &lm);
	while (line_next(s, &lm, &m)) {
		if (!search_has(s, VT_SEARCH_BACKWARD)) {
			if (s->bounded && vt_pos_compare(m.start, s->from) <= 0)
				continue;
			*match = m;
			return true;
		}
		if (s->bounded && vt_pos_compare(m.start, s->from) >= 0)
			break;
		*match = m;
		found = true;
	}
	return found;
}

/*
 * Goes to the line after (backwards: before) rows first..last; false at the end
 * of the search.
 */
static bool
search_advance(struct vt_search *s, struct text *t, vt_row first, vt_row last)
{
	bool back = search_has(s, VT_SEARCH_BACKWARD);

	s->bounded = false;
	if (back && first > text_first(t)) {
		s->row = first - 1;
	} else if (!back && last + 1 < text_end(t)) {
		s->row = last + 1;
	} else {
		if (!search_has(s, VT_SEARCH_WRAP) || s->wrapped)
			return false;
		s->wrapped = true;
		s->row = back ? text_end(t) - 1 : text_first(t);
	}
	if (!s->wrapped)
		return true;
	return back ? s->row + 1 > s->stop : s->row <= s->stop;
}

/* Does one step of the search; adds to *LINES the lines it looked at. */
static enum vt_search_result
search_line(
    struct vt_search *s, struct text *t, size_t *lines, struct vt_match *match)
{
	bool back = search_has(s, VT_SEARCH_BACKWARD);
	vt_row first = 0, last = 0;

	s->row = CLAMP(s->row, text_first(t), text_end(t) - 1);
	(*lines)++;
	switch (page_skip(s, t, back, lines)) {
	case PAGE_LATER:
		return VT_SEARCH_MORE;
	case PAGE_NONE:
		first = last = s->row;
		break;
	case PAGE_LINE:
		if (s->wrapped &&
		    (back ? s->row + 1 <= s->stop : s->row > s->stop)) {
			s->ended = true;
			return VT_SEARCH_END;
		}
		vt_logical_get(t, s->row, &s->lg);
		*lines += s->lg.line->len / 256;
		if (line_pick(s, match)) {
			s->from = match->start;
			s->bounded = true;
			return VT_SEARCH_FOUND;
		}
		first = s->lg.first;
		last = first + s->lg.rows - 1;
		break;
	}
	if (search_advance(s, t, first, last))
		return VT_SEARCH_MORE;
	s->ended = true;
	return VT_SEARCH_END;
}

enum vt_search_result
vt_search_step(
    struct vt_search *s, struct text *t, size_t lines, struct vt_match *match)
{
	enum vt_search_result r = VT_SEARCH_MORE;
	size_t done = 0;

	s->looked = 0;
	if (s->ended)
		return VT_SEARCH_END;
	s->paged = false;
	do
		r = search_line(s, t, &done, match);
	while (done < lines && r == VT_SEARCH_MORE);
	s->looked = done;
	vt_logical_fini(t, &s->lg);
	return r;
}

size_t
vt_search_looked(const struct vt_search *s)
{
	return s->looked;
}

size_t
vt_search_rows(struct vt_search *s, struct text *t, vt_row first, vt_row last,
    struct vt_match *out, size_t max)
{
	vt_row row = MAX_OF(first, text_first(t));
	struct line_matches lm;
	struct vt_match m;
	size_t n = 0;

	last = MIN_OF(last, text_end(t));
	while (row < last && n < max) {
		vt_logical_get(t, row, &s->lg);
		line_begin(s, &lm);
		while (n < max && line_next(s, &lm, &m))
			if (m.end.row >= first && m.start.row < last)
				out[n++] = m;
		row = s->lg.first + s->lg.rows;
	}
	vt_logical_fini(t, &s->lg);
	return n;
}

/* Counts the matches of the line in s->lg; false at the limit. */
static bool
count_line(struct vt_search *s, struct vt_search_count *c)
{
	struct line_matches lm;
	struct vt_match m;

	line_begin(s, &lm);
	while (line_next(s, &lm, &m)) {
		if (c->max > 0 && c->all == c->max) {
			c->limited = true;
			return false;
		}
		c->all++;
		c->before += vt_pos_compare(m.start, c->at) < 0;
	}
	return true;
}

bool
vt_search_count(struct vt_search *s, struct text *t, struct vt_search_count *c,
    size_t lines)
{
	struct vt_pos from = s->from;
	bool bounded = s->bounded, more = true;
	vt_row row = s->row;
	size_t done = 0;

	if (!c->started)
		c->row = text_first(t);
	c->started = true;
	s->paged = false;
	while (done < lines && more) {
		s->row = MAX_OF(c->row, text_first(t));
		if (s->row >= text_end(t) || c->limited) {
			more = false;
			break;
		}
		done++;
		c->row = s->row + 1;
		switch (page_skip(s, t, false, &done)) {
		case PAGE_LATER:
			c->row = s->row;
			break;
		case PAGE_NONE:
			c->row = s->row + 1;
			break;
		case PAGE_LINE:
			vt_logical_get(t, s->row, &s->lg);
			done += s->lg.line->len / 256;
			more = count_line(s, c);
			c->row = s->lg.first + s->lg.rows;
			break;
		}
	}
	vt_logical_fini(t, &s->lg);
	s->row = row;
	s->from = from;
	s->bounded = bounded;
	return more && c->row < text_end(t);
}
