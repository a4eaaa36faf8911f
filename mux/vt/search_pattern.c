/*
 * Patterns of searches.
 *
 * Case: regcomp folds expressions.  Literal text is folded by a rule that keeps
 * the length of UTF-8 (ASCII, Latin, Greek, Cyrillic), so that offsets in the
 * folded text are offsets in the text.
 */
#include "config.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "mux/vt/search_int.h"

/*
 * glibc stores each state of an expression's automaton until regfree, and a
 * state takes some KiB.  Text can reach one new state a byte, so compile the
 * expression again after so many bytes.
 */
#define SCAN_MAX 65536
#define GROUPS_MAX 64
#define WEIGHT_MAX 40  /* see regex_weigh */
#define FILTER_MIN 128 /* bytes; the expression alone is as fast with less */

/* Returns the folded form of a code point, of the same length in UTF-8. */
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

void
search_fold(char *s, size_t n)
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

void
search_fold_ascii(uint8_t *dst, const uint8_t *src, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		dst[i] =
		    (uint8_t)(src[i] + ((uint8_t)(src[i] - 'A') < 26 ? 32 : 0));
}

/* --- compiling ------------------------------------------------------------ */

/*
 * security: refuses patterns for which regcomp or regexec takes time or memory
 * without bound.
 */
static int
regex_bounds(const char *s, struct cause *cause)
{
	unsigned long n, m, all = 1, groups = 0;
	char *end;

	for (; *s != '\0'; s++) {
		if (*s == '\\' && s[1] != '\0') {
			s++;
			if (*s >= '1' && *s <= '9')
				return cause_set(cause, -ERR_UNSUPPORTED,
				    "back-references are not supported");
			continue;
		}
		if (*s == '(' && ++groups > GROUPS_MAX)
			return cause_set(cause, -ERR_LIMIT,
			    "over %d groups in the expression", GROUPS_MAX);
		if (*s != '{')
			continue;
		n = strtoul(s + 1, &end, 10);
		m = *end == ',' ? strtoul(end + 1, &end, 10) : n;
		n = MAX_OF(MAX_OF(n, m), 1ul);
		if (n > VT_SEARCH_REPEATS_MAX ||
		    (all *= n) > VT_SEARCH_REPEATS_MAX)
			return cause_set(cause, -ERR_LIMIT,
			    "the expression repeats over %d times",
			    VT_SEARCH_REPEATS_MAX);
	}
	return 0;
}

/* Returns the byte after the bracket expression or group that begins at S. */
static const char *
regex_skip(const char *s)
{
	unsigned depth = 0;

	do {
		if (*s == '\\' && s[1] != '\0') {
			s++;
		} else if (*s == '[') {
			s += s[1] == '^' ? 2 : 1;
			if (*s == ']')
				s++;
			while (*s != '\0' && *s != ']')
				if (*s == '[' && s[1] != '\0' &&
				    strchr(".:=", s[1]) != NULL) {
					char kind = s[1];

					for (s += 2; *s != '\0'; s++)
						if (*s == kind && s[1] == ']')
							break;
					s += *s == '\0' ? 0 : 2;
				} else {
					s++;
				}
		} else if (*s == '(') {
			depth++;
		} else if (*s == ')') {
			depth--;
		}
		if (*s != '\0')
			s++;
	} while (depth > 0 && *s != '\0');
	return s;
}

/*
 * security: an expression with an unbounded repetition can have 2^n states, n
 * being the number of places that match many characters: any character,
 * brackets, groups.  Refuses expressions that have too many of them; limits the
 * window for the others, since a match attempt starts at each byte.
 */
static int
regex_weigh(struct search_pattern *p, struct cause *cause)
{
	unsigned long sum[GROUPS_MAX + 1] = { 0 }, last = 0, n;
	bool unbounded = false;
	unsigned depth = 0;
	const char *s;
	char *end;

	for (s = p->text; *s != '\0'; s++) {
		if (*s == '(') {
			sum[++depth] = 0;
			continue;
		}
		if (*s == '{') {
			n = strtoul(s + 1, &end, 10);
			if (*end == ',') {
				unbounded |= end[1] == '}';
				n = MAX_OF(n, strtoul(end + 1, &end, 10));
			}
			sum[depth] += last * (n > 0 ? n - 1 : 0);
			last *= MAX_OF(n, 1ul);
			s = *end == '}' ? end : s;
			continue;
		}
		unbounded |= *s == '*' || *s == '+';
		if (*s == '*' || *s == '+' || *s == '?')
			continue;
		last = *s == '.' || *s == '[' || *s == '|' ||
		       (*s == '\\' && strchr("wWsS", s[1]) != NULL);
		if (*s == ')' && depth > 0)
			last = sum[depth--] + 1;
		if (*s == '[')
			s = regex_skip(s) - 1;
		else if (*s == '\\' && s[1] != '\0')
			s++;
		sum[depth] += last;
	}
	while (depth > 0) {
		sum[depth - 1] += sum[depth];
		depth--;
	}
	if (unbounded && sum[0] > WEIGHT_MAX)
		return cause_set(cause, -ERR_LIMIT,
		    "the expression is too complex: use fewer groups, brackets "
		    "or repetitions");
	p->window = sum[0] > 8 ? VT_SEARCH_WINDOW / 4 : VT_SEARCH_WINDOW;
	return 0;
}

/*
 * Whether an expression means the same in "^.*(...)": its groups are balanced,
 * and it does not look at the byte before it.
 */
static bool
regex_wraps(const char *s)
{
	unsigned depth = 0;

	while (*s != '\0') {
		if (*s == '\\' && s[1] != '\0') {
			if (strchr("bB<>`'", s[1]) != NULL)
				return false;
			s += 2;
		} else if (*s == '[') {
			s = regex_skip(s);
		} else {
			depth += *s == '(';
			if (*s == ')' && depth-- == 0)
				return false;
			s++;
		}
	}
	return depth == 0;
}

/* Compiles the expression and its filter. */
static int
regex_both(struct search_pattern *p, bool ascii, int flags)
{
	char *text;
	int r = regcomp(&p->regex[ascii], p->text, flags);

	if (r != 0 || !p->filters)
		return r;
	text = mem_printf("^.*(%s)", p->text);
	r = regcomp(&p->filter[ascii], text, flags | REG_NOSUB);
	mem_free(text);
	if (r != 0)
		regfree(&p->regex[ascii]);
	return r;
}

static void
regex_free(struct search_pattern *p, bool ascii)
{
	if (!p->compiled[ascii])
		return;
	regfree(&p->regex[ascii]);
	if (p->filters)
		regfree(&p->filter[ascii]);
	p->compiled[ascii] = false;
}

static int
regex_compile(struct search_pattern *p, bool ascii)
{
	int r, flags = REG_EXTENDED;
	locale_t c = (locale_t)0, old = (locale_t)0;

	if ((p->flags & VT_SEARCH_ICASE) != 0)
		flags |= REG_ICASE;
	regex_free(p, ascii);
	p->scanned[ascii] = 0;
	if (ascii) {
		c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
		if (c == (locale_t)0)
			return REG_ESPACE;
		old = uselocale(c);
	}
	r = regex_both(p, ascii, flags);
	if (ascii) {
		uselocale(old);
		freelocale(c);
	}
	p->compiled[ascii] = r == 0;
	return r;
}

static int
regex_init(struct search_pattern *p, struct cause *cause)
{
	char text[128];
	int r;

	if ((r = regex_bounds(p->text, cause)) != 0)
		return r;
	if ((r = regex_weigh(p, cause)) != 0)
		return r;
	p->filters = regex_wraps(p->text);
	if ((r = regex_compile(p, false)) != 0) {
		regerror(r, NULL, text, sizeof(text));
		return cause_set(
		    cause, -ERR_SYNTAX, "bad regular expression: %s", text);
	}
	/* Without it, ASCII is matched by the other one. */
	(void)regex_compile(p, true);
	return 0;
}

/* Keeps the longer run of literal bytes. */
static void
needle_offer(struct search_pattern *p, const char *run, size_t n)
{
	if (n <= p->nneedle)
		return;
	memcpy(p->needle, run, n);
	p->nneedle = n;
}

/*
 * True for bytes whose packed form is the byte itself: erased cells match a
 * space, and only ASCII folds bytewise.
 */
static bool
needle_byte(const struct search_pattern *p, char c)
{
	if ((p->flags & VT_SEARCH_ICASE) != 0 && (c & 0x80) != 0)
		return false;
	return c != ' ';
}

/* Finds text that every match of an expression contains. */
static void
regex_needle(struct search_pattern *p)
{
	char run[VT_SEARCH_PATTERN_MAX];
	const char *s = p->text;
	size_t n = 0;

	while (*s != '\0') {
		if (*s == '|') { /* alternatives share nothing */
			p->nneedle = 0;
			return;
		}
		if (*s == '*' || *s == '?' || *s == '{') {
			/* The last character may be missing. */
			while (n > 0 && (run[n - 1] & 0xc0) == 0x80)
				n--;
			n -= n > 0;
			needle_offer(p, run, n);
			n = 0;
			if (*s == '{')
				while (*s != '\0' && *s != '}')
					s++;
			s += *s != '\0';
		} else if (*s == '(' || *s == '[') {
			needle_offer(p, run, n);
			n = 0;
			s = regex_skip(s);
		} else if (strchr("+.^$)", *s) != NULL || !needle_byte(p, *s)) {
			needle_offer(p, run, n);
			n = 0;
			s++;
		} else if (*s == '\\') {
			if (strchr(".[]{}()*+?^$|\\/-", s[1]) != NULL &&
			    s[1] != '\0') {
				run[n++] = s[1];
			} else {
				needle_offer(p, run, n);
				n = 0;
			}
			s += s[1] == '\0' ? 1 : 2;
		} else {
			run[n++] = *s++;
		}
	}
	needle_offer(p, run, n);
}

static void
literal_needle(struct search_pattern *p)
{
	size_t i, from = 0;

	for (i = 0; i <= p->n; i++)
		if (i == p->n || !needle_byte(p, p->text[i])) {
			needle_offer(p, p->text + from, i - from);
			from = i + 1;
		}
}

static int
pattern_check(const char *pattern, size_t n, struct cause *cause)
{
	if (n == 0 || memchr(pattern, '\0', n) != NULL)
		return cause_set(
		    cause, -ERR_SYNTAX, "the pattern to search for is empty");
	if (n > VT_SEARCH_PATTERN_MAX)
		return cause_set(cause, -ERR_LIMIT,
		    "the pattern to search for is over %d bytes",
		    VT_SEARCH_PATTERN_MAX);
	return 0;
}

static bool
has_capital(const char *s, size_t n)
{
	for (; n > 0; n--, s++)
		if (*s >= 'A' && *s <= 'Z')
			return true;
	return false;
}

int
search_pattern_init(struct search_pattern *p, const char *pattern, size_t n,
    unsigned flags, struct cause *cause)
{
	int r = pattern_check(pattern, n, cause);

	memset(p, 0, sizeof(*p));
	if (r != 0)
		return r;
	if ((flags & VT_SEARCH_SMART) != 0 && !has_capital(pattern, n))
		flags |= VT_SEARCH_ICASE;
	p->flags = flags;
	p->text = mem_strndup(pattern, n);
	p->n = n;
	p->needle = mem_alloc(n + 1);
	if ((flags & VT_SEARCH_REGEX) == 0) {
		if ((flags & VT_SEARCH_ICASE) != 0)
			search_fold(p->text, n);
		literal_needle(p);
		return 0;
	}
	if ((r = regex_init(p, cause)) != 0) {
		search_pattern_fini(p);
		return r;
	}
	regex_needle(p);
	if ((flags & VT_SEARCH_ICASE) != 0)
		search_fold_ascii((uint8_t *)p->needle,
		    (const uint8_t *)p->needle, p->nneedle);
	return 0;
}

void
search_pattern_fini(struct search_pattern *p)
{
	regex_free(p, false);
	regex_free(p, true);
	mem_free(p->text);
	mem_free(p->needle);
}

/* --- matching --------------------------------------------------------------- */

static bool
is_ascii(const char *s, size_t n)
{
	unsigned any = 0;
	size_t i;

	for (i = 0; i < n; i++)
		any |= (uint8_t)s[i];
	return any < 0x80;
}

/* Matches the expression against bytes at..to-1. */
static bool
regex_window(struct search_pattern *p, char *text, size_t len, size_t at,
    size_t to, regmatch_t *m)
{
	int flags = to < len ? REG_NOTEOL : 0;
	bool found, ascii = p->compiled[1] && is_ascii(text + at, to - at);
	regex_t *re = &p->regex[ascii];
	char cut;

	p->scanned[ascii] += to - at;
	if (p->scanned[ascii] > SCAN_MAX)
		(void)regex_compile(p, ascii);
	if (!p->compiled[ascii])
		return false; /* out of memory */
	cut = text[to];
	text[to] = '\0';
	if (p->filters && to - at >= FILTER_MIN &&
	    regexec(&p->filter[ascii], text + at, 0, NULL, flags) != 0) {
		text[to] = cut;
		return false;
	}
#ifdef REG_STARTEND
	m->rm_so = (regoff_t)at;
	m->rm_eo = (regoff_t)to;
	found = regexec(re, text, 1, m, flags | REG_STARTEND) == 0;
#else
	if (at > 0)
		flags |= REG_NOTBOL;
	found = regexec(re, text + at, 1, m, flags) == 0;
	m->rm_so += (regoff_t)at;
	m->rm_eo += (regoff_t)at;
#endif
	text[to] = cut;
	return found;
}

/* Returns the first byte of the character at or before byte AT. */
static size_t
char_start(const char *text, size_t at, size_t least)
{
	while (at > least && ((uint8_t)text[at] & 0xc0) == 0x80)
		at--;
	return at;
}

static bool
regex_match(struct search_pattern *p, char *text, size_t len, size_t at,
    size_t *start, size_t *end)
{
	size_t to, half;
	regmatch_t m;

	while (at < len) {
		to = len;
		half = len;
		if (len - at > p->window) {
			to = char_start(text, at + p->window, at);
			half = char_start(text, at + p->window / 2, at + 1);
		}
		if (!regex_window(p, text, len, at, to, &m) ||
		    (size_t)m.rm_so >= half) {
			at = half;
			continue;
		}
		if (m.rm_eo > m.rm_so) {
			*start = (size_t)m.rm_so;
			*end = (size_t)m.rm_eo;
			return true;
		}
		for (at = (size_t)m.rm_so + 1;
		     at < len && ((uint8_t)text[at] & 0xc0) == 0x80;)
			at++;
	}
	return false;
}

bool
search_pattern_match(struct search_pattern *p, char *text, size_t len,
    size_t at, size_t *start, size_t *end)
{
	const char *found;

	if ((p->flags & VT_SEARCH_REGEX) != 0)
		return regex_match(p, text, len, at, start, end);
	if (at >= len)
		return false;
	found = memmem(text + at, len - at, p->text, p->n);
	if (found == NULL)
		return false;
	*start = (size_t)(found - text);
	*end = *start + p->n;
	return true;
}
