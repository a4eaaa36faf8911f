#include "config.h"

#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "base/utf8.h"

static int
ascii_lower(int c)
{
	return c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c;
}

int
str_to_int(const char *s, int64_t min, int64_t max, int64_t *out)
{
	return str_to_intn(s, strlen(s), min, max, out);
}

int
str_to_intn(const char *s, size_t n, int64_t min, int64_t max, int64_t *out)
{
	bool negative = n > 0 && *s == '-', over = false;
	size_t i = n > 0 && (*s == '-' || *s == '+') ? 1 : 0;
	int64_t v = 0, digit;

	if (i == n)
		return -ERR_SYNTAX;
	/* Count downwards: the negative range is the larger one. */
	for (; i < n; i++) {
		if (s[i] < '0' || s[i] > '9')
			return -ERR_SYNTAX;
		digit = s[i] - '0';
		if (__builtin_mul_overflow(v, 10, &v) ||
		    __builtin_sub_overflow(v, digit, &v)) {
			over = true;
			v = 0;
		}
	}
	if (over || (!negative && v == INT64_MIN))
		return -ERR_RANGE;
	if (!negative)
		v = -v;
	if (v < min || v > max)
		return -ERR_RANGE;
	*out = v;
	return 0;
}

int
str_to_span(const char *s, uint64_t max, uint64_t *out)
{
	static const struct {
		char unit;
		uint64_t ms;
	} rows[] = { { 's', 1000 }, { 'm', 60000 }, { 'h', 3600000 },
		{ 'd', 86400000 } };
	uint64_t sum = 0;
	int64_t n;
	size_t i, digits;

	do {
		digits = strspn(s, "0123456789");
		if (digits == 0 ||
		    str_to_intn(s, digits, 0, INT32_MAX, &n) == -ERR_SYNTAX)
			return -ERR_SYNTAX;
		if (str_to_intn(s, digits, 0, INT32_MAX, &n) != 0)
			return -ERR_RANGE;
		s += digits;
		for (i = 0; i < ARRAY_LEN(rows) && rows[i].unit != *s; i++)
			;
		if (i == ARRAY_LEN(rows) && *s != '\0')
			return -ERR_SYNTAX;
		sum += (uint64_t)n * (*s == '\0' ? 1000 : rows[i].ms);
		s += *s != '\0';
	} while (*s != '\0');
	if (sum == 0 || sum > max)
		return -ERR_RANGE;
	*out = sum;
	return 0;
}

bool
str_starts(const char *s, const char *prefix)
{
	return strncmp(s, prefix, strlen(prefix)) == 0;
}

bool
str_begins_nocase(const char *s, size_t n, const char *prefix)
{
	size_t i;

	for (i = 0; prefix[i] != '\0'; i++) {
		if (i == n || ascii_lower(s[i]) != prefix[i])
			return false;
	}
	return true;
}

bool
str_ends(const char *s, const char *suffix)
{
	size_t n = strlen(s), m = strlen(suffix);

	return m <= n && memcmp(s + n - m, suffix, m) == 0;
}

bool
str_eq_nocase(const char *a, const char *b)
{
	while (*a != '\0' && ascii_lower(*a) == ascii_lower(*b)) {
		a++;
		b++;
	}
	return ascii_lower(*a) == ascii_lower(*b);
}

size_t
str_copy(char *dst, const char *src, size_t size)
{
	size_t n = strlen(src), m;

	if (size > 0) {
		m = MIN_OF(n, size - 1);
		memcpy(dst, src, m);
		dst[m] = '\0';
	}
	return n;
}

size_t
str_append(char *dst, const char *src, size_t size)
{
	size_t n = strnlen(dst, size);

	return n + str_copy(dst + n, src, size - n);
}

/* Writes "\ooo" for each of N bytes; returns the characters written. */
static size_t
octal_bytes(char *out, const uint8_t *p, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++) {
		*out++ = '\\';
		*out++ = (char)('0' + (p[i] >> 6));
		*out++ = (char)('0' + (p[i] >> 3 & 7));
		*out++ = (char)('0' + (p[i] & 7));
	}
	return n * 4;
}

/*
 * Writes the code point or the ill-formed bytes at P to OUT (16 bytes).
 * Returns the number of characters.
 * Out: *used  bytes of input
 */
static size_t
printable_one(char *out, const uint8_t *p, size_t n, size_t *used)
{
	static const char named[] = "\n\r\t\a\b\v\f\\", names[] = "nrtabvf\\";
	const char *at;
	uint32_t cp;
	size_t len;

	len = *used = utf8_decode_final(p, n, &cp);
	if (len == 1 && *p != '\0' && (at = strchr(named, *p)) != NULL) {
		out[0] = '\\';
		out[1] = names[at - named];
		return 2;
	}
	if (cp < 0x20 || (cp >= 0x7f && cp < 0xa0) ||
	    (cp == UTF8_REPLACEMENT && (len != 3 || *p != 0xef)))
		return octal_bytes(out, p, len);
	memcpy(out, p, len);
	return len;
}

size_t
str_printable(char *dst, size_t size, const void *p, size_t n, size_t max)
{
	const uint8_t *in = p;
	char one[16];
	size_t used, len, out = 0, i;

	bug_assert(size >= 16);
	for (i = 0; i < n; i += used) {
		len = printable_one(one, in + i, n - i, &used);
		if (used > max - i || len > size - 4 - out) {
			memcpy(dst + out, "...", 3);
			out += 3;
			break;
		}
		memcpy(dst + out, one, len);
		out += len;
	}
	dst[out] = '\0';
	return out;
}

char *
str_printable_new(const void *p, size_t n, size_t max)
{
	size_t size;
	char *s;

	size = MIN_OF(n, max);
	bug_assert(size <= SIZE_MAX / 8);
	size = size * 4 + 16;
	s = mem_alloc(size);
	str_printable(s, size, p, n, max);
	return s;
}

char *
str_plain_new(const void *p, size_t n, size_t max)
{
	const uint8_t *in = p;
	size_t used, len = 0, i;
	uint32_t cp;
	char *s;

	n = MIN_OF(n, max);
	s = mem_alloc(n + 1);
	for (i = 0; i < n; i += used) {
		used = utf8_decode_final(in + i, n - i, &cp);
		if (cp < 0x20 || (cp >= 0x7f && cp < 0xa0) ||
		    cp == UTF8_REPLACEMENT)
			continue;
		memcpy(s + len, in + i, used);
		len += used;
	}
	s[len] = '\0';
	return s;
}

char *
str_shell_quote_new(const char *s)
{
	static const char safe[] = "abcdefghijklmnopqrstuvwxyz"
				   "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				   "0123456789_@%+:,./-";
	size_t n = strlen(s), quotes = 0, i;
	char *out, *q;

	if (n > 0 && strspn(s, safe) == n)
		return mem_strdup(s);
	for (i = 0; i < n; i++)
		quotes += s[i] == '\'';
	bug_assert(n <= SIZE_MAX / 8);
	q = out = mem_alloc(n + quotes * 3 + 3);
	*q++ = '\'';
	for (i = 0; i < n; i++) {
		if (s[i] == '\'') {
			memcpy(q, "'\\''", 4);
			q += 4;
		} else {
			*q++ = s[i];
		}
	}
	*q++ = '\'';
	*q = '\0';
	return out;
}

int
str_base64_encode(struct buf *out, const void *p, size_t n)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				     "abcdefghijklmnopqrstuvwxyz0123456789+/";
	const uint8_t *in = p;
	uint8_t *to;
	uint32_t v;
	size_t i, left, len = n / 3 * 4 + (n % 3 != 0 ? 4 : 0);
	int r;

	if (n > BUF_MAX) {
		out->overflow = true;
		return -ERR_LIMIT;
	}
	if ((r = buf_reserve(out, len, &to)) != 0)
		return r;
	for (i = 0; i < n; i += 3) {
		left = n - i;
		v = (uint32_t)in[i] << 16;
		if (left > 1)
			v |= (uint32_t)in[i + 1] << 8;
		if (left > 2)
			v |= in[i + 2];
		*to++ = (uint8_t)digits[v >> 18];
		*to++ = (uint8_t)digits[v >> 12 & 63];
		*to++ = (uint8_t)(left > 1 ? digits[v >> 6 & 63] : '=');
		*to++ = (uint8_t)(left > 2 ? digits[v & 63] : '=');
	}
	buf_commit(out, len);
	return 0;
}

/* Value of a base64 digit 0..63, or -1. */
static int
base64_digit(int c)
{
	if (c >= 'A' && c <= 'Z')
		return c - 'A';
	if (c >= 'a' && c <= 'z')
		return c - 'a' + 26;
	if (c >= '0' && c <= '9')
		return c - '0' + 52;
	return c == '+' ? 62 : c == '/' ? 63 : -1;
}

static bool
base64_space(int c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

/* Checks base64 text; sets *digits to its number of digits. */
static int
base64_check(const char *s, size_t n, size_t *digits)
{
	size_t i, count = 0, pads = 0;

	for (i = 0; i < n; i++) {
		if (base64_space(s[i]))
			continue;
		if (s[i] == '=')
			pads++;
		else if (pads > 0 || base64_digit(s[i]) < 0)
			return -ERR_SYNTAX;
		else
			count++;
	}
	if (count % 4 == 1 || (pads > 0 && pads != (4 - count % 4) % 4))
		return -ERR_SYNTAX;
	*digits = count;
	return 0;
}

int
str_base64_decode(struct buf *out, const char *s, size_t n)
{
	size_t digits, len, i, at = 0;
	uint32_t v = 0, bits = 0;
	uint8_t *to;
	int r;

	if ((r = base64_check(s, n, &digits)) != 0)
		return r;
	len = digits / 4 * 3 + (digits % 4 > 0 ? digits % 4 - 1 : 0);
	if ((r = buf_reserve(out, len, &to)) != 0)
		return r;
	for (i = 0; i < n; i++) {
		if (s[i] == '=' || base64_space(s[i]))
			continue;
		v = v << 6 | (uint32_t)base64_digit(s[i]);
		bits += 6;
		if (bits >= 8 && at < len) {
			bits -= 8;
			to[at++] = (uint8_t)(v >> bits);
			v &= (1u << bits) - 1;
		}
	}
	buf_commit(out, len);
	return 0;
}

int
str_hex_digit(int c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c = ascii_lower(c);
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static inline uint64_t
rotate_left(uint64_t v, unsigned n)
{
	return v << n | v >> (64 - n);
}

/*
 * Returns the length of the first word of S; a comma ends a word and belongs to
 * it.
 */
static size_t
wrap_word(const char *s)
{
	size_t n = strcspn(s, " ,");

	while (s[n] == ',')
		n++;
	return n;
}

void
str_wrap(
    struct buf *out, const char *text, size_t at, size_t indent, size_t width)
{
	size_t n, blanks;
	bool first = true;

	for (; *text != '\0'; text += n, first = false) {
		blanks = strspn(text, " ");
		n = wrap_word(text + blanks);
		if (!first && width > 0 && at + blanks + n > width) {
			(void)buf_addf(out, "\n%*s", (int)indent, "");
			at = indent;
			text += blanks;
			blanks = 0;
		}
		n += blanks;
		(void)buf_add(out, text, n);
		at += n;
	}
}

/* Loads eight bytes in little-endian order. */
static inline uint64_t
load_le(const uint8_t *p)
{
	uint64_t v;

	memcpy(&v, p, 8);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	v = __builtin_bswap64(v);
#endif
	return v;
}

static inline uint64_t
hash_mix(uint64_t h, uint64_t w)
{
	w *= UINT64_C(0x87c37b91114253d5);
	w = rotate_left(w, 31) * UINT64_C(0x4cf5ad432745937f);
	return rotate_left(h ^ w, 27) * 5 + UINT64_C(0x52dce72938495ab5);
}

uint64_t
str_hash(const void *p, size_t n, uint64_t seed)
{
	const uint8_t *in = p;
	uint8_t tail[8] = { 0 };
	uint64_t h = seed;
	size_t i;

	for (i = 0; n - i >= 8; i += 8)
		h = hash_mix(h, load_le(in + i));
	if (i < n) {
		memcpy(tail, in + i, n - i);
		h = hash_mix(h, load_le(tail));
	}
	h ^= n;
	h = (h ^ h >> 33) * UINT64_C(0xff51afd7ed558ccd);
	h = (h ^ h >> 33) * UINT64_C(0xc4ceb9fe1a85ec53);
	return h ^ h >> 33;
}
