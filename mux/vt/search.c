/*
 * Searching.  See search.h.
 *
 * Case: expressions are folded by regcomp; literal text by a fold that keeps
 * the length of UTF-8 (ASCII, Latin, Greek, Cyrillic), so that offsets in the
 * folded text are offsets in the text.
 */
#include "config.h"

#include <regex.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "mux/vt/search.h"

struct vt_search {
	unsigned flags;
	char *pattern; /* literal, folded if ICASE */
	size_t n;
	regex_t regex;
	struct vt_logical lg;
	char *folded;
	size_t capfolded;
	/* Where the search is. */
	vt_row row;         /* of the line looked at next */
	struct vt_pos from; /* bound for matches of that line */
	bool bounded;       /* `from` holds */
	bool wrapped;       /* gone on at the other end */
	vt_row stop;        /* row at which a wrapped search began */
	bool ended;
};

/* The folded form of a code point, of the same length in UTF-8. */
static uint32_t
fold(uint32_t c)
{
	if (c < 0x80)
		return c >= 'A' && c <= 'Z' ? c + 32 : c;
	if ((c >= 0xc0 && c <= 0xde && c != 0xd7) ||
	    (c >= 0x391 && c <= 0x3a9) || (c >= 0x410 && c <= 0x42f))
		return c + 32;
	if (c >= 0x400 && c <= 0x40f)
		return c + 80;
	if ((c >= 0x100 && c <= 0x12f) || (c >= 0x132 && c <= 0x137) ||
	    (c >= 0x14a && c <= 0x177) || (c >= 0x460 && c <= 0x481) ||
	    (c >= 0x48a && c <= 0x4bf) || (c >= 0x4d0 && c <= 0x52f) ||
	    (c >= 0x1e00 && c <= 0x1e95))
		return c | 1;
	if ((c >= 0x139 && c <= 0x148) || (c >= 0x179 && c <= 0x17e))
		return c + (c & 1);
	return c;
}

static void
fold_text(char *s, size_t n)
{
	uint8_t *p = (uint8_t *)s, out[UTF8_MAX];
	size_t i = 0, k;
	uint32_t cp;

	while (i < n) {
		if (p[i] < 0x80) {
			p[i] = (uint8_t)fold(p[i]);
			i++;
			continue;
		}
		k = utf8_decode_final(p + i, n - i, &cp);
		cp = fold(cp);
		if (cp != UTF8_REPLACEMENT && utf8_encode(cp, out) == k)
			memcpy(p + i, out, k);
		i += k;
	}
}

/* --- the pattern ---------------------------------------------------------------- */

/* Refuses what makes regcomp or regexec take time or memory without bound. */
static int
regex_bounds(const char *s, struct cause *cause)
{
	unsigned long n, m, all = 1, depth = 0;
	char *end;

	for (; *s != '\0'; s++) {
		if (*s == '\\' && s[1] != '\0') {
			s++;
			if (*s >= '1' && *s <= '9')
				return cause_set(cause, -ERR_UNSUPPORTED,
				    "back-references are not supported");
			continue;
		}
		if (*s == '(' && ++depth > 64)
			return cause_set(cause, -ERR_LIMIT,
			    "too many groups in the expression");
		if (*s != '{')
			continue;
		n = strtoul(s + 1, &end, 10);
		m = *end == ',' ? strtoul(end + 1, &end, 10) : n;
		n = MAX_OF(MAX_OF(n, m), 1ul);
		if (n > VT_SEARCH_STATES_MAX ||
		    (all *= n) > VT_SEARCH_STATES_MAX)
			return cause_set(cause, -ERR_LIMIT,
			    "the expression repeats too much");
	}
	return 0;
}

static int
regex_compile(struct vt_search *s, struct cause *cause)
{
	int r, flags = REG_EXTENDED;
	char text[128];

	if ((r = regex_bounds(s->pattern, cause)) != 0)
		return r;
	if ((s->flags & VT_SEARCH_ICASE) != 0)
		flags |= REG_ICASE;
	r = regcomp(&s->regex, s->pattern, flags);
	if (r == 0)
		return 0;
	regerror(r, &s->regex, text, sizeof(text));
	return cause_set(cause, -ERR_SYNTAX, "%s", text);
}

int
vt_search_new(struct vt_search **out, const char *pattern, size_t n,
    unsigned flags, struct cause *cause)
{
	struct cause none = { NULL };
	struct vt_search *s;
	int r = 0;

	*out = NULL;
	if (cause == NULL)
		cause = &none;
	if (n == 0 || memchr(pattern, '\0', n) != NULL)
		r = cause_set(cause, -ERR_SYNTAX, "nothing to search for");
	else if (n > VT_SEARCH_PATTERN_MAX)
		r = cause_set(cause, -ERR_LIMIT, "the pattern is too long");
	if (r != 0) {
		cause_fini(&none);
		return r;
	}
	s = mem_zalloc(sizeof(*s));
	s->flags = flags;
	s->pattern = mem_strndup(pattern, n);
	s->n = n;
	s->ended = true;
	if ((flags & VT_SEARCH_REGEX) != 0)
		r = regex_compile(s, cause);
	else if ((flags & VT_SEARCH_ICASE) != 0)
		fold_text(s->pattern, n);
	cause_fini(&none);
	if (r != 0) {
		mem_free(s->pattern);
		mem_free(s);
		return r;
	}
	*out = s;
	return 0;
}

void
vt_search_free(struct vt_search *s)
{
	if (s == NULL)
		return;
	if ((s->flags & VT_SEARCH_REGEX) != 0)
		regfree(&s->regex);
	mem_free(s->pattern);
	mem_free(s->folded);
	mem_free(s);
}

/* --- one line ----------------------------------------------------------------------- */

/* The next match at or after byte AT: *start..*end; false if there is none. */
static bool
text_match(const struct vt_search *s, const char *text, size_t len, size_t at,
    size_t *start, size_t *end)
{
	const char *p;
	regmatch_t m;

	while (at < len) {
		if ((s->flags & VT_SEARCH_REGEX) == 0) {
			p = memmem(text + at, len - at, s->pattern, s->n);
			if (p == NULL)
				return false;
			*start = (size_t)(p - text);
			*end = *start + s->n;
			return true;
		}
		if (regexec(&s->regex, text + at, 1, &m,
			at > 0 ? REG_NOTBOL : 0) != 0)
			return false;
		if (m.rm_eo > m.rm_so) {
			*start = at + (size_t)m.rm_so;
			*end = at + (size_t)m.rm_eo;
			return true;
		}
		at += (size_t)m.rm_so + 1;
	}
	return false;
}

/* Walks the matches of one line in order. */
struct line_matches {
	const char *text;
	size_t len;
	size_t at;     /* where to look on */
	unsigned cell; /* walked to, and the byte it begins at */
	size_t byte;
};

static void
line_begin(struct vt_search *s, struct line_matches *lm)
{
	memset(lm, 0, sizeof(*lm));
	lm->text = vt_logical_text(&s->lg, &lm->len);
	if ((s->flags & VT_SEARCH_ICASE) == 0 ||
	    (s->flags & VT_SEARCH_REGEX) != 0)
		return;
	if (s->capfolded <= lm->len) {
		mem_free(s->folded);
		s->capfolded = lm->len * 2 + 64;
		s->folded = mem_alloc(s->capfolded);
	}
	memcpy(s->folded, lm->text, lm->len + 1);
	fold_text(s->folded, lm->len);
	lm->text = s->folded;
}

/* The next match that has whole clusters. */
static bool
line_next(struct vt_search *s, struct line_matches *lm, struct vt_match *m)
{
	size_t start, end;
	unsigned cell;

	while (text_match(s, lm->text, lm->len, lm->at, &start, &end)) {
		vt_logical_walk(&s->lg, start, &lm->cell, &lm->byte);
		lm->at = start + 1;
		if (lm->byte != start)
			continue; /* begins inside a cluster */
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

/* --- stepping ------------------------------------------------------------------------ */

void
vt_search_start(struct vt_search *s, struct vt_grid *g, struct vt_pos from)
{
	vt_row first = vt_grid_first(g), last = vt_grid_end(g) - 1;

	s->row = CLAMP(from.row, first, last);
	s->from = from;
	s->bounded = true;
	s->wrapped = false;
	s->stop = s->row;
	s->ended = false;
}

/* The match of the line at hand that comes next, given the bound. */
static bool
line_pick(struct vt_search *s, struct vt_match *match)
{
	struct line_matches lm;
	struct vt_match m;
	bool found = false;

	line_begin(s, &lm);
	while (line_next(s, &lm, &m)) {
		if ((s->flags & VT_SEARCH_BACKWARD) == 0) {
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

/* Goes to the next line; false when the search is over. */
static bool
search_advance(struct vt_search *s, struct vt_grid *g)
{
	vt_row first = vt_grid_first(g), end = vt_grid_end(g);
	bool back = (s->flags & VT_SEARCH_BACKWARD) != 0;

	s->bounded = false;
	if (back && s->lg.first > first) {
		s->row = s->lg.first - 1;
	} else if (!back && s->lg.first + s->lg.rows < end) {
		s->row = s->lg.first + s->lg.rows;
	} else {
		if ((s->flags & VT_SEARCH_WRAP) == 0 || s->wrapped)
			return false;
		s->wrapped = true;
		s->row = back ? end - 1 : first;
	}
	if (!s->wrapped)
		return true;
	return back ? s->row + 1 > s->stop : s->row <= s->stop;
}

enum vt_search_result
vt_search_step(struct vt_search *s, struct vt_grid *g, size_t lines,
    struct vt_match *match)
{
	enum vt_search_result r = VT_SEARCH_MORE;

	if (s->ended)
		return VT_SEARCH_END;
	for (; lines > 0 && r == VT_SEARCH_MORE; lines--) {
		s->row = MAX_OF(s->row, vt_grid_first(g));
		s->row = MIN_OF(s->row, vt_grid_end(g) - 1);
		vt_logical_get(g, s->row, &s->lg);
		if (line_pick(s, match)) {
			s->from = match->start;
			s->bounded = true;
			r = VT_SEARCH_FOUND;
		} else if (!search_advance(s, g)) {
			s->ended = true;
			r = VT_SEARCH_END;
		}
	}
	vt_logical_fini(g, &s->lg);
	return r;
}

size_t
vt_search_rows(struct vt_search *s, struct vt_grid *g, vt_row first,
    vt_row last, struct vt_match *out, size_t max)
{
	vt_row row = MAX_OF(first, vt_grid_first(g));
	struct line_matches lm;
	struct vt_match m;
	size_t n = 0;

	last = MIN_OF(last, vt_grid_end(g));
	while (row < last && n < max) {
		vt_logical_get(g, row, &s->lg);
		line_begin(s, &lm);
		while (n < max && line_next(s, &lm, &m))
			if (m.end.row >= first && m.start.row < last)
				out[n++] = m;
		row = s->lg.first + s->lg.rows;
	}
	vt_logical_fini(g, &s->lg);
	return n;
}
