/*
 * Fuzzy matching: terms between blanks, which all must match, in alternatives
 * between bars.  Characters count, not bytes.
 */
#include <limits.h>
#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "conf/match.h"

/* Points of a match; a character between two matched ones costs one. */
#define AT_START 12 /* the first character of the text */
#define AT_WORD 8   /* the first one of a word */
#define NEXT 6      /* the one behind the character matched before */

/* Points of signs, which count more than any letters. */
#define EXACT 1000
#define LAST 1100
#define FIRST 1200

#define NONE INT_MIN

struct chars {
	uint32_t *cp; /* [count], folded */
	size_t *at;   /* [count] bytes before it */
	size_t count;
};

/* A term without its signs. */
struct term {
	struct chars chars;
	bool inverse; /* ! */
	bool exact;   /* ' */
	bool first;   /* ^ */
	bool last;    /* $ */
};

/* Where a term has matched, NULL for none: [count] characters. */
struct found {
	size_t *pos;
	size_t count;
	int score;
};

static void
read_chars(struct chars *c, const char *text, size_t n, unsigned flags)
{
	size_t off = 0;
	uint32_t cp;

	c->cp = mem_calloc(n + 1, sizeof(*c->cp));
	c->at = mem_calloc(n + 1, sizeof(*c->at));
	c->count = 0;
	while (off < n) {
		c->at[c->count] = off;
		off += utf8_decode_final(
		    (const uint8_t *)text + off, n - off, &cp);
		if ((flags & MATCH_NOCASE) && cp >= 'A' && cp <= 'Z')
			cp = cp - 'A' + 'a';
		c->cp[c->count++] = cp;
	}
}

static void
free_chars(struct chars *c)
{
	mem_free(c->cp);
	mem_free(c->at);
}

bool
match_has_upper(const char *s)
{
	for (; *s != '\0'; s++)
		if (*s >= 'A' && *s <= 'Z')
			return true;
	return false;
}

static bool
is_gap(uint32_t cp)
{
	return cp < 0x80 && cp != 0 && strchr(" -./:_", (int)cp) != NULL;
}

/* The points of COUNT characters of TEXT at POS. */
static int
points(const struct chars *text, const size_t *pos, size_t count)
{
	int n = 0;
	size_t i;

	for (i = 0; i < count; i++) {
		if (i > 0 && pos[i] == pos[i - 1] + 1) {
			n += NEXT;
			continue;
		}
		n -= (int)(i == 0 ? pos[i] : pos[i] - pos[i - 1] - 1);
		if (pos[i] == 0)
			n += AT_START;
		else if (is_gap(text->cp[pos[i] - 1]))
			n += AT_WORD;
	}
	return n;
}

static bool
equals(const struct chars *text, size_t at, const struct chars *word)
{
	return at + word->count <= text->count &&
	       memcmp(text->cp + at, word->cp,
		   word->count * sizeof(*word->cp)) == 0;
}

static void
keep_run(const struct chars *text, size_t at, struct found *f, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		f->pos[i] = at + i;
	f->count = n;
	f->score = points(text, f->pos, n) + (int)at;
}

/* The run with the most points, within the places that ^ and $ allow. */
static bool
match_run(const struct chars *text, const struct term *t, struct found *f)
{
	const size_t n = t->chars.count;
	size_t from = 0, to, i, best = 0;
	int score = NONE;

	if (n > text->count)
		return false;
	to = text->count - n;
	if (t->last)
		from = to;
	if (t->first)
		to = 0;
	for (i = from; i <= to; i++) {
		if (!equals(text, i, &t->chars))
			continue;
		keep_run(text, i, f, n);
		if (f->score > score) {
			score = f->score;
			best = i;
		}
	}
	if (score == NONE)
		return false;
	keep_run(text, best, f, n);
	f->score += t->first ? FIRST : t->last ? LAST : EXACT;
	return true;
}

/* The first end that is possible, and from there the last beginning. */
static bool
match_spread(const struct chars *text, const struct term *t, struct found *f)
{
	const struct chars *w = &t->chars;
	size_t at = 0, i = 0;

	for (; at < text->count && i < w->count; at++)
		if (text->cp[at] == w->cp[i])
			i++;
	if (i < w->count)
		return false;
	while (i > 0)
		if (text->cp[--at] == w->cp[i - 1])
			f->pos[--i] = at;
	f->count = w->count;
	f->score = points(text, f->pos, f->count);
	return true;
}

/* Takes the signs off the N bytes of a term. */
static void
read_term(struct term *t, const char *s, size_t n, unsigned flags)
{
	*t = (struct term){ .inverse = n > 0 && *s == '!' };
	if (t->inverse) {
		s++;
		n--;
	}
	if (n > 0 && *s == '\'') {
		t->exact = true;
		s++;
		n--;
	} else if (n > 0 && *s == '^') {
		t->first = true;
		s++;
		n--;
	}
	if (n > 0 && s[n - 1] == '$') {
		t->last = true;
		n--;
	}
	read_chars(&t->chars, s, n, flags);
}

/* Matches the N bytes of one term at S and adds its places to ALL. */
static bool
match_term(const struct chars *text, const char *s, size_t n, unsigned flags,
    bool *all, int *score)
{
	struct term t;
	struct found f = { .count = 0 };
	bool yes;
	size_t i;

	read_term(&t, s, n, flags);
	f.pos = mem_calloc(t.chars.count + 1, sizeof(*f.pos));
	if (t.chars.count == 0) {
		yes = false;
	} else if (t.inverse || t.exact || t.first || t.last) {
		yes = match_run(text, &t, &f) != t.inverse;
	} else {
		yes = match_spread(text, &t, &f);
	}
	if (yes && !t.inverse) {
		*score += f.score;
		for (i = 0; i < f.count; i++)
			all[f.pos[i]] = true;
	}
	mem_free(f.pos);
	free_chars(&t.chars);
	return yes;
}

/* Matches all terms of the N bytes at S; ALL gets the places. */
static bool
match_terms(const struct chars *text, const char *s, size_t n, unsigned flags,
    bool *all, int *score)
{
	size_t i = 0, start;

	*score = 0;
	while (i < n) {
		for (; i < n && s[i] == ' '; i++)
			;
		for (start = i; i < n && s[i] != ' '; i++)
			;
		if (i > start &&
		    !match_term(text, s + start, i - start, flags, all, score))
			return false;
	}
	return true;
}

static void
keep(const struct chars *text, const bool *all, int score,
    struct match_fuzzy *out)
{
	size_t i;

	out->score = score;
	out->count = 0;
	for (i = 0; i < text->count && out->count < MATCH_FUZZY_MAX; i++)
		if (all[i])
			out->pos[out->count++] = text->at[i];
}

bool
match_fuzzy(const char *pattern, const char *text, struct match_fuzzy *out)
{
	const unsigned flags = match_has_upper(pattern) ? 0 : MATCH_NOCASE;

	struct match_fuzzy best = { .score = NONE };
	struct chars chars;
	size_t n, blank;
	bool *all, empty = true;
	int score;

	if (strnlen(pattern, MATCH_PATTERN_MAX + 1) > MATCH_PATTERN_MAX)
		return false;
	read_chars(&chars, text, strnlen(text, MATCH_TEXT_MAX), flags);
	all = mem_calloc(chars.count + 1, sizeof(*all));
	for (;; pattern += n + 1) {
		n = strcspn(pattern, "|");
		blank = strspn(pattern, " ");
		if (blank < n) {
			empty = false;
			memset(all, 0, chars.count * sizeof(*all));
			if (match_terms(
				&chars, pattern, n, flags, all, &score) &&
			    score > best.score)
				keep(&chars, all, score, &best);
		}
		if (pattern[n] == '\0')
			break;
	}
	if (empty)
		best.score = 0;
	mem_free(all);
	free_chars(&chars);
	if (best.score == NONE)
		return false;
	best.score = MAX_OF(best.score, 0);
	if (out != NULL)
		*out = best;
	return true;
}
