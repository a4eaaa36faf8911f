#include "conf/format_sub.h"

#include <regex.h>
#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "conf/match.h"

#define FORMAT_SUB_GROUPS 10u

static int
format_sub_compile(regex_t *re, const char *pattern, unsigned flags)
{
	int how = REG_EXTENDED;

	if (strlen(pattern) > FORMAT_SUB_PATTERN_MAX ||
	    !match_regex_cheap(pattern))
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

/*
 * Replaces all matches.  As in tmux, an empty match does not count right after a
 * match or at the start, unless the pattern is anchored there.
 */
static void
format_sub_all(const regex_t *re, bool anchored, const char *with,
    const char *text, struct buf *out)
{
	regmatch_t m[FORMAT_SUB_GROUPS];
	size_t n = strlen(text), at = 0;
	unsigned count;
	bool after = !anchored;

	for (count = 0; at <= n && count < FORMAT_SUB_COUNT_MAX; count++) {
		/* Offsets in M count from AT. */
		if (regexec(re, text + at, FORMAT_SUB_GROUPS, m,
			at == 0 ? 0 : REG_NOTBOL) != 0)
			break;
		(void)buf_add(out, text + at, (size_t)m[0].rm_so);
		if (m[0].rm_eo > m[0].rm_so || m[0].rm_so > 0 || !after)
			format_sub_with(re, with, text + at, m, out);
		after = m[0].rm_eo > m[0].rm_so;
		at += (size_t)m[0].rm_eo;
		if (!after) {
			/* Step over all bytes of one character. */
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
	format_sub_all(&re, *pattern == '^', with, text, out);
	regfree(&re);
	return 0;
}
