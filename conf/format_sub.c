#include "conf/format_sub.h"

#include <regex.h>
#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "conf/match.h"

#define FORMAT_SUB_GROUPS 10u
#define FORMAT_SUB_NEST_MAX 32u /* depth of parentheses */

/* Steps over a bracket expression whose [ is at P; returns its last byte. */
static const char *
format_sub_bracket(const char *p)
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

/* How often the {n,m} at P repeats: its largest number, at least 1. */
static unsigned
format_sub_count(const char *p)
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
 * Whether compiling PATTERN is cheap: the C library copies what is repeated,
 * so nested counts multiply, and matching with back references takes
 * exponential time.  COST[d] is the cost of what was read at depth d, ATOM[d]
 * that of its last piece, which a count would repeat.
 */
static bool
format_sub_cheap(const char *pattern)
{
	size_t cost[FORMAT_SUB_NEST_MAX + 1] = { 0 };
	size_t atom[FORMAT_SUB_NEST_MAX + 1] = { 0 };
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
			p = format_sub_bracket(p);
		} else if (*p == '(') {
			if (++depth > FORMAT_SUB_NEST_MAX)
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
			piece = (atom[depth] + 1) * format_sub_count(p);
		}
		atom[depth] = piece;
		cost[depth] += piece;
		if (cost[depth] >
		    FORMAT_SUB_PATTERN_MAX + FORMAT_SUB_REPEAT_MAX)
			return false;
	}
	return true;
}

static int
format_sub_compile(regex_t *re, const char *pattern, unsigned flags)
{
	int how = REG_EXTENDED;

	if (strlen(pattern) > FORMAT_SUB_PATTERN_MAX ||
	    !format_sub_cheap(pattern))
		return -ERR_LIMIT;
	if (flags & MATCH_NOCASE)
		how |= REG_ICASE;
	return regcomp(re, pattern, how) != 0 ? -ERR_SYNTAX : 0;
}

int
format_sub_match(
    const char *pattern, const char *text, unsigned flags, bool *found)
{
	regex_t re;
	int r;

	*found = false;
	if (strlen(text) > FORMAT_SUB_TEXT_MAX)
		return -ERR_LIMIT;
	if ((r = format_sub_compile(&re, pattern, flags)) != 0)
		return r;
	*found = regexec(&re, text, 0, NULL, 0) == 0;
	regfree(&re);
	return 0;
}

/* Appends the replacement for one match. */
static void
format_sub_with(const regex_t *re, const char *with, const char *text,
    const regmatch_t *m, struct buf *out)
{
	unsigned g;

	for (; *with != '\0'; with++) {
		if (*with != '\\') {
			(void)buf_add_u8(out, (uint8_t)*with);
			continue;
		}
		if (*++with == '\0')
			return;
		if (*with < '0' || *with > '9') {
			(void)buf_add_u8(out, (uint8_t)*with);
			continue;
		}
		g = (unsigned)(*with - '0');
		if (g > re->re_nsub)
			(void)buf_add_u8(out, (uint8_t)*with);
		else if (m[g].rm_so >= 0)
			(void)buf_add(out, text + m[g].rm_so,
			    (size_t)(m[g].rm_eo - m[g].rm_so));
	}
}

/* The loop over all matches; an empty one behind a match does not count. */
static void
format_sub_all(
    const regex_t *re, const char *with, const char *text, struct buf *out)
{
	regmatch_t m[FORMAT_SUB_GROUPS];
	size_t n = strlen(text), at = 0;
	unsigned count;
	bool after = false;

	for (count = 0; at <= n && count < FORMAT_SUB_COUNT_MAX; count++) {
		/* Offsets of M count from AT. */
		if (regexec(re, text + at, FORMAT_SUB_GROUPS, m,
			at == 0 ? 0 : REG_NOTBOL) != 0)
			break;
		(void)buf_add(out, text + at, (size_t)m[0].rm_so);
		if (m[0].rm_eo > m[0].rm_so || m[0].rm_so > 0 || !after)
			format_sub_with(re, with, text + at, m, out);
		after = m[0].rm_eo > m[0].rm_so;
		at += (size_t)m[0].rm_eo;
		if (!after) {
			/* Step over one character, all its bytes. */
			do {
				if (at < n)
					(void)buf_add(out, text + at, 1);
				at++;
			} while (at < n && ((uint8_t)text[at] & 0xc0) == 0x80);
		}
		if (out->overflow)
			break;
	}
	if (at < n)
		(void)buf_add_str(out, text + at);
}

int
format_sub(const char *pattern, const char *with, const char *text,
    unsigned flags, struct buf *out)
{
	regex_t re;
	int r = -ERR_LIMIT;

	if (*text == '\0')
		return 0;
	if (*pattern == '\0' || strlen(text) > FORMAT_SUB_TEXT_MAX ||
	    (r = format_sub_compile(&re, pattern, flags)) != 0) {
		(void)buf_add_str(out, text);
		return *pattern == '\0' ? -ERR_SYNTAX : r;
	}
	format_sub_all(&re, with, text, out);
	regfree(&re);
	return 0;
}
