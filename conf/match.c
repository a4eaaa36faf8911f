#include "config.h"

#include <ctype.h>
#include <regex.h>
#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "conf/match.h"

static int
match_fold(int c, unsigned flags)
{
	if ((flags & MATCH_NOCASE) && c >= 'A' && c <= 'Z')
		return c - 'A' + 'a';
	return c;
}

/* Reads one character of a pattern or text that is not at its end. */
static int
match_next(const char **p)
{
	uint32_t cp = (unsigned char)**p;
	size_t n = 1;

	if (cp >= 0x80)
		n = utf8_decode_final(
		    (const uint8_t *)*p, strnlen(*p, UTF8_MAX), &cp);
	*p += n;
	return (int)cp;
}

/* Character classes by name, as in [[:alpha:]]; ASCII only. */
static const struct match_class {
	const char *name;
	int (*is)(int);
} match_classes[] = {
	{ "alnum", isalnum },
	{ "alpha", isalpha },
	{ "blank", isblank },
	{ "cntrl", iscntrl },
	{ "digit", isdigit },
	{ "graph", isgraph },
	{ "lower", islower },
	{ "print", isprint },
	{ "punct", ispunct },
	{ "space", isspace },
	{ "upper", isupper },
	{ "xdigit", isxdigit },
};

/*
 * Returns the bytes of "[:name:]" at P, or 0; *IN tells whether C belongs to
 * it.
 */
static size_t
match_class(const char *p, int c, bool *in)
{
	const char *end;
	size_t i, n;

	if (p[0] != '[' || p[1] != ':' || (end = strstr(p + 2, ":]")) == NULL)
		return 0;
	n = (size_t)(end - (p + 2));
	for (i = 0; i < ARRAY_LEN(match_classes); i++) {
		if (strlen(match_classes[i].name) == n &&
		    strncmp(match_classes[i].name, p + 2, n) == 0) {
			if (c < 128 && match_classes[i].is(c))
				*in = true;
			return n + 4;
		}
	}
	return 0;
}

/*
 * Matches C against the bracket expression after "[" at P.
 * Returns its end (after "]"), or NULL when the bracket is not closed, which
 * makes "[" an ordinary character.
 */
static const char *
match_bracket(const char *p, int c, unsigned flags, bool *matched)
{
	bool negate = false, in = false;
	const char *start;
	size_t n;
	int lo, hi;

	if (*p == '!' || *p == '^') {
		negate = true;
		p++;
	}
	for (start = p; *p != '\0' && (*p != ']' || p == start);) {
		if ((n = match_class(p, c, &in)) != 0) {
			p += n;
			continue;
		}
		if (*p == '\\' && p[1] != '\0')
			p++;
		lo = hi = match_next(&p);
		if (*p == '-' && p[1] != ']' && p[1] != '\0') {
			p++;
			if (*p == '\\' && p[1] != '\0')
				p++;
			hi = match_next(&p);
		}
		lo = match_fold(lo, flags);
		hi = match_fold(hi, flags);
		if (lo <= c && c <= hi)
			in = true;
	}
	if (*p != ']')
		return NULL;
	*matched = in != negate;
	return p + 1;
}

/*
 * Matches one element of the pattern (not *) against C.
 * Returns the rest of the pattern, or NULL if C does not match.
 */
static const char *
match_one(const char *p, int c, unsigned flags)
{
	const char *end;
	bool matched = false;

	switch (*p) {
	case '\0':
		return NULL;
	case '?':
		return p + 1;
	case '[':
		end = match_bracket(p + 1, c, flags, &matched);
		if (end != NULL)
			return matched ? end : NULL;
		break;
	case '\\':
		if (p[1] != '\0')
			p++;
		break;
	default:
		break;
	}
	return match_fold(match_next(&p), flags) == c ? p : NULL;
}

bool
match_glob(const char *pattern, const char *text, unsigned flags)
{
	const char *star = NULL, *mark = NULL, *next, *after;
	int c;

	if (strnlen(pattern, MATCH_PATTERN_MAX + 1) > MATCH_PATTERN_MAX)
		return false;
	/* Only the last star needs another try. */
	while (*text != '\0') {
		if (*pattern == '*') {
			star = ++pattern;
			mark = text;
			continue;
		}
		after = text;
		c = match_fold(match_next(&after), flags);
		next = match_one(pattern, c, flags);
		if (next != NULL) {
			pattern = next;
			text = after;
		} else if (star != NULL) {
			pattern = star;
			(void)match_next(&mark);
			text = mark;
		} else
			return false;
	}
	while (*pattern == '*')
		pattern++;
	return *pattern == '\0';
}

bool
match_is_glob(const char *pattern)
{
	return strpbrk(pattern, "*?[") != NULL;
}

/* Skips a bracket expression whose [ is at P; returns its last byte. */
static const char *
match_regex_bracket(const char *p)
{
	const char *q = p + 1;

	if (*q == '^')
		q++;
	if (*q == ']')
		q++;
	for (; *q != '\0' && *q != ']'; q++)
		if (*q == '[' && (q[1] == ':' || q[1] == '.' || q[1] == '=') &&
		    strchr(q + 2, ']') != NULL)
			q = strchr(q + 2, ']');
	return *q == '\0' ? q - 1 : q;
}

/* Returns the largest number of the {n,m} at P, at least 1. */
static unsigned
match_regex_count(const char *p)
{
	unsigned n = 0, most = 1;

	for (p++; *p != '\0' && *p != '}'; p++) {
		if (*p >= '0' && *p <= '9')
			n = MIN_OF(n * 10 + (unsigned)(*p - '0'), 100000u);
		else
			n = 0;
		most = MAX_OF(most, n);
	}
	return most;
}

/*
 * Estimates the cost of PATTERN. The C library copies repeated parts, so nested
 * counts multiply, and back references take exponential time. COST[d] is the
 * cost at depth d so far; ATOM[d] is the cost of its last piece, which a count
 * would repeat.
 */
bool
match_regex_cheap(const char *pattern)
{
	size_t cost[MATCH_NEST_MAX + 1] = { 0 };
	size_t atom[MATCH_NEST_MAX + 1] = { 0 };
	unsigned depth = 0;
	const char *p;
	size_t piece;

	for (p = pattern; *p != '\0'; p++) {
		piece = 1;
		if (*p == '\\') {
			if (p[1] >= '1' && p[1] <= '9')
				return false;
			p += p[1] != '\0';
		} else if (*p == '[') {
			p = match_regex_bracket(p);
		} else if (*p == '(') {
			if (++depth > MATCH_NEST_MAX)
				return false;
			cost[depth] = atom[depth] = 0;
			continue;
		} else if (*p == ')' && depth > 0) {
			piece = cost[depth--] + 1;
		} else if (*p == '*' || *p == '+' || *p == '?') {
			piece = atom[depth] + 1;
			cost[depth] += 1;
			atom[depth] = piece;
			continue;
		} else if (*p == '{') {
			piece = (atom[depth] + 1) * match_regex_count(p);
		}
		atom[depth] = piece;
		cost[depth] += piece;
		if (cost[depth] > MATCH_COST_MAX)
			return false;
	}
	return true;
}

int
match_regex(const char *pattern, const char *text, unsigned flags, bool *found,
    struct cause *cause)
{
	char message[256];
	regex_t re;
	int r;

	*found = false;
	if (strnlen(pattern, MATCH_PATTERN_MAX + 1) > MATCH_PATTERN_MAX)
		return cause_set(cause, -ERR_LIMIT,
		    "regular expression over %d bytes", MATCH_PATTERN_MAX);
	if (!match_regex_cheap(pattern))
		return cause_set(cause, -ERR_LIMIT,
		    "too many repeats, or a back reference, in a regular "
		    "expression");
	r = regcomp(&re, pattern,
	    REG_EXTENDED | REG_NOSUB |
		((flags & MATCH_NOCASE) ? REG_ICASE : 0));
	if (r != 0) {
		regerror(r, &re, message, sizeof message);
		return cause_set(
		    cause, -ERR_SYNTAX, "bad regular expression: %s", message);
	}
	*found = regexec(&re, text, 0, NULL, 0) == 0;
	regfree(&re);
	return 0;
}
