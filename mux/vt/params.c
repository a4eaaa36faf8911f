#include "mux/vt/params.h"

#include <string.h>

#if defined(__SSE2__)
# include <emmintrin.h>
#endif

_Static_assert(VT_PARAM_SLOTS <= 32, "`sub` has one bit a slot");

/* Opens the next slot; SUB: after a colon, not a semicolon. */
static void
params_next(struct vt_params *p, bool sub)
{
	if (p->count == 0) {
		/* The parameter before a leading separator is empty. */
		p->v[p->count++] = VT_PARAM_EMPTY;
	}
	if (p->count >= VT_PARAM_SLOTS) {
		p->dropped = true;
		return;
	}
	if (sub)
		p->sub |= UINT32_C(1) << p->count;
	p->v[p->count++] = VT_PARAM_EMPTY;
}

/* Appends a digit to the open slot. */
static inline void
params_digit(struct vt_params *p, unsigned d)
{
	int32_t *v;

	if (unlikely(p->dropped))
		return;
	if (p->count == 0)
		p->v[p->count++] = VT_PARAM_EMPTY;
	v = &p->v[p->count - 1];
	if (*v < 0)
		*v = (int32_t)d;
	else if ((*v = *v * 10 + (int32_t)d) > VT_PARAM_VALUE_MAX)
		*v = VT_PARAM_VALUE_MAX;
}

/* Reads byte by byte, in any state. */
static size_t
params_slow(struct vt_params *p, const uint8_t *s, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++) {
		unsigned d = (unsigned)s[i] - '0';

		if (d <= 9)
			params_digit(p, d);
		else if (d <= 11)
			params_next(p, s[i] == ':');
		else
			break;
	}
	return i;
}

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
/*
 * Returns the high bits of the bytes of W that are no digits; correct up to the
 * first such byte.
 */
static inline uint32_t
params_other(uint32_t w)
{
	return ((w + 0x46464646) | (w - 0x30303030) | w) & 0x80808080;
}

/* Returns the number in the first LEN (0..4) bytes of W. */
static inline int32_t
params_number(uint32_t w, unsigned len)
{
	uint32_t x = (uint32_t)((uint64_t)w << (32 - 8 * len)) & 0x0f0f0f0f;

	x = (x * 10 + (x >> 8)) & 0x00ff00ff;
	/* 100 times the lower pair plus the upper one, in the upper half. */
	return len == 0 ? VT_PARAM_EMPTY
			: (int32_t)((x * (100u << 16 | 1)) >> 16);
}

/* The destination of the parameters being read. */
struct params_out {
	struct vt_params *p;
	unsigned count;
	uint32_t sub;
};

/*
 * Ends the number in the open slot at its separator C and opens the next slot.
 * Returns false, and opens nothing, if C is no separator or no slot is left.
 */
static inline bool
params_separate(struct params_out *o, uint8_t c)
{
	if (unlikely(o->count >= VT_PARAM_SLOTS))
		return false;
	if (c != ';') {
		if (c != ':')
			return false;
		o->sub |= UINT32_C(1) << o->count;
	}
	o->p->v[o->count++] = VT_PARAM_EMPTY;
	return true;
}

# if defined(__SSE2__)
/*
 * Reads sixteen bytes at a time.  A mask of the bytes that are no digits shows
 * where all numbers begin and end, so that no number waits for the previous
 * one.
 *
 * Returns: bytes used; *GO is false if something other than a number follows.
 */
static size_t
params_wide(
    struct params_out *o, const uint8_t *s, const uint8_t *end, bool *go)
{
	const uint8_t *q = s;
	unsigned mask, start, pos, len;
	__m128i x, t;
	uint32_t w;

	while (end - q >= 20) {
		x = _mm_loadu_si128((const __m128i *)(const void *)q);
		t = _mm_sub_epi8(x, _mm_set1_epi8('0'));
		t = _mm_cmpeq_epi8(_mm_min_epu8(t, _mm_set1_epi8(9)), t);
		mask = ~(unsigned)_mm_movemask_epi8(t) & 0xffff;
		for (start = 0; mask != 0; mask &= mask - 1) {
			pos = (unsigned)__builtin_ctz(mask);
			len = pos - start;
			if (len > 4)
				return (size_t)(q - s) + start;
			memcpy(&w, q + start, sizeof w);
			o->p->v[o->count - 1] = params_number(w, len);
			if (!params_separate(o, q[pos])) {
				*go = false;
				return (size_t)(q - s) + pos;
			}
			start = pos + 1;
		}
		if (start == 0)
			break;
		q += start;
	}
	return (size_t)(q - s);
}
# else
static size_t
params_wide(struct params_out *o UNUSED, const uint8_t *s UNUSED,
    const uint8_t *end UNUSED, bool *go UNUSED)
{
	return 0;
}
# endif

/*
 * Reads numbers of up to three digits, four bytes at a time: a loop over single
 * bytes mispredicts the end of each number.  Stops at anything else.
 */
static size_t
params_fast(struct vt_params *p, const uint8_t *s, size_t n)
{
	struct params_out o = { p, p->count, p->sub };
	const uint8_t *q = s, *end = s + n;
	uint32_t w, other;
	bool go = true;
	unsigned len;

	if (o.count == 0)
		p->v[o.count++] = VT_PARAM_EMPTY;
	q += params_wide(&o, q, end, &go);
	while (go && end - q >= 5) {
		memcpy(&w, q, sizeof w);
		other = params_other(w);
		if (other == 0)
			break;
		len = (unsigned)__builtin_ctz(other) >> 3;
		p->v[o.count - 1] = params_number(w, len);
		q += len;
		go = params_separate(&o, *q);
		q += go;
	}
	if (q > s) {
		p->count = (uint8_t)o.count;
		p->sub = o.sub;
	}
	return (size_t)(q - s);
}
#else
static size_t
params_fast(
    struct vt_params *p UNUSED, const uint8_t *s UNUSED, size_t n UNUSED)
{
	return 0;
}
#endif

size_t
vt_params_run(struct vt_params *p, const uint8_t *s, size_t n)
{
	size_t k = 0;

	/* The fast path cannot start within a number. */
	if (p->count == 0 || (p->v[p->count - 1] < 0 && !p->dropped))
		k = params_fast(p, s, n);
	if (k < n && s[k] >= '0' && s[k] <= ';')
		k += params_slow(p, s + k, n - k);
	return k;
}

void
vt_params_byte(struct vt_params *p, uint8_t b)
{
	(void)params_slow(p, &b, 1);
}

int
vt_params_slot(const struct vt_params *p, int i)
{
	int s;

	for (s = 0; s < p->count; s++) {
		if ((p->sub >> s & 1) != 0)
			continue;
		if (i-- == 0)
			return s;
	}
	return -1;
}

int
vt_params_width(const struct vt_params *p, int slot)
{
	int s = slot + 1;

	while (s < p->count && (p->sub >> s & 1) != 0)
		s++;
	return s - slot;
}

int
vt_param_sub(const struct vt_params *p, int slot, int j, int def)
{
	int s = slot + j;

	if (slot < 0 || j >= vt_params_width(p, slot) || p->v[s] < 0)
		return def;
	return p->v[s];
}
