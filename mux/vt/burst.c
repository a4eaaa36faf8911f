/*
 * The fast path.  A terminal spends most time on mispredicted branches, so
 * nothing here branches on the length of a number or a text.  An event has the
 * same effect as through parser.c and dispatch.c: their table rows handle
 * everything but cursor movement (motion.def).
 */
#include "mux/vt/burst.h"

#include <string.h>

#include "mux/vt/dispatch.h"
#include "mux/vt/print.h"
#include "mux/vt/run.h"
#include "mux/vt/spread.h"

/* Bytes that the fast paths may read, however few they use. */
#define BURST_ROOM 80

_Static_assert(BURST_ROOM >= 64 + VT_LINE_FEW, "texts begin in a window");

/* "8;2;" as a number in memory order. */
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
# define BURST_RGB_HEAD UINT32_C(0x3b323b38)
#else
# define BURST_RGB_HEAD UINT32_C(0x383b323b)
#endif

/* Returns a bit for each of the 16 bytes at S that is no digit. */
static inline unsigned
burst_no_digits(const uint8_t *s)
{
#ifdef __SSE2__
	__m128i x = _mm_loadu_si128((const __m128i *)(const void *)s);

	/* x - '0' - 9, saturated, is zero for digits only */
	x = _mm_sub_epi8(x, _mm_set1_epi8('0'));
	x = _mm_subs_epu8(x, _mm_set1_epi8(9));
	x = _mm_cmpeq_epi8(x, _mm_setzero_si128());
	return (unsigned)_mm_movemask_epi8(x) ^ 0xffff;
#else
	unsigned mask = 0, i;

	for (i = 0; i < 16; i++)
		mask |= (unsigned)((unsigned)s[i] - '0' > 9) << i;
	return mask;
#endif
}

/*
 * Returns the number of LEN (0..4) digits at S, without a branch on LEN: the
 * length of a colour or a column is unpredictable.
 */
static inline uint32_t
burst_number(const uint8_t *s, unsigned len)
{
	uint32_t w = vt_run_load(s);

	/*
	 * Shift the last digit to the top; this drops the bytes after the
	 * number.
	 */
	w = (uint32_t)((uint64_t)w << (32 - 8 * len)) & 0x0f0f0f0f;
	w = (w * 10 + (w >> 8)) & 0x00ff00ff;
	return (w * (100u << 16 | 1)) >> 16;
}

/*
 * Returns two numbers at once: that of the A (0..4) digits at S in the lower
 * half, that of the B digits at S2 in the upper one.
 */
static inline uint64_t
burst_numbers(const uint8_t *s, unsigned a, const uint8_t *s2, unsigned b)
{
	uint64_t w = vt_run_load(s), w2 = vt_run_load(s2);

	w = w << (32 - 8 * a) & UINT32_MAX;
	w |= w2 << 32 << (32 - 8 * b);
	w &= UINT64_C(0x0f0f0f0f0f0f0f0f);
	w = (w * 10 + (w >> 8)) & UINT64_C(0x00ff00ff00ff00ff);
	return (w * 100 + (w >> 16)) & UINT64_C(0x0000ffff0000ffff);
}

/* Returns the position of the lowest bit of a mask; 16 if there is none. */
static inline unsigned
burst_first(unsigned mask)
{
	return (unsigned)__builtin_ctz(mask | 1u << 16);
}

/*
 * Handles "ESC [ 38;2;r;g;b m" or 48: the longest frequent sequence.
 * BURST_ROOM bytes must be readable.
 *
 * Returns: its length, 0 if S begins with anything else.
 */
static inline size_t
burst_rgb(struct vt_term *t, const uint8_t *s)
{
	unsigned mask, a, b, c;
	uint32_t r, g, bl;

	mask = burst_no_digits(s + 7);
	a = burst_first(mask);
	mask &= mask - 1;
	b = burst_first(mask);
	mask &= mask - 1;
	c = burst_first(mask);
	/* One to four digits each, and the expected bytes after them. */
	if (((a - 1) | (b - a - 2) | (c - b - 2)) > 3 || s[7 + a] != ';' ||
	    s[7 + b] != ';' || s[7 + c] != 'm')
		return 0;
	r = burst_number(s + 7, a);
	g = burst_number(s + 8 + a, b - a - 1);
	bl = burst_number(s + 8 + b, c - b - 1);
	if (unlikely((r | g | bl) > 255))
		return 0;
	vt_sgr_rgb(t, s[2] == '4', r << 16 | g << 8 | bl);
	t->last.repeatable = false;
	return 8 + c;
}

#define BURST_EVENT 10 /* longest short control sequence */

/* Classes of 64 bytes, a bit for each byte. */
struct burst_window {
	uint64_t text;  /* 0x20..0x7e */
	uint64_t param; /* digits and semicolons */
	uint64_t semi;
};

#ifdef __SSE2__
/* Returns the classes of the 16 bytes at S in the low bits. */
static inline struct burst_window
burst_look(const uint8_t *s)
{
	__m128i x = _mm_loadu_si128((const __m128i *)(const void *)s), t;
	struct burst_window w;

	/* As signed bytes: from 0x7f on, adding one gives a negative number. */
	t = _mm_add_epi8(x, _mm_set1_epi8(1));
	w.text =
	    (unsigned)_mm_movemask_epi8(_mm_cmpgt_epi8(t, _mm_set1_epi8(0x20)));
	/* x - '0' - 9, saturated, is zero for digits only. */
	t = _mm_sub_epi8(x, _mm_set1_epi8('0'));
	t = _mm_subs_epu8(t, _mm_set1_epi8(9));
	t = _mm_cmpeq_epi8(t, _mm_setzero_si128());
	x = _mm_cmpeq_epi8(x, _mm_set1_epi8(';'));
	w.param = (unsigned)_mm_movemask_epi8(_mm_or_si128(t, x));
	w.semi = (unsigned)_mm_movemask_epi8(x);
	return w;
}

static inline struct burst_window
burst_window(const uint8_t *s)
{
	struct burst_window a = burst_look(s), b = burst_look(s + 16),
			    c = burst_look(s + 32), d = burst_look(s + 48);

	return (struct burst_window){
		a.text | b.text << 16 | c.text << 32 | d.text << 48,
		a.param | b.param << 16 | c.param << 32 | d.param << 48,
		a.semi | b.semi << 16 | c.semi << 32 | d.semi << 48,
	};
}
#else
static inline struct burst_window
burst_window(const uint8_t *s)
{
	struct burst_window w = { 0, 0, 0 };
	unsigned i;

	for (i = 0; i < 64; i++) {
		uint64_t digit = s[i] - (unsigned)'0' < 10u, semi = s[i] == ';';

		w.text |= (uint64_t)(s[i] - 0x20u < 0x5f) << i;
		w.param |= (digit | semi) << i;
		w.semi |= semi << i;
	}
	return w;
}
#endif

/* --- movement as data: see motion.def ------------------------------------- */

struct motion {
	int moves;  /* 1; 2: margins do not matter; 0: no such row */
	int keep_x; /* -1: relative to the cursor's column, 0: absolute */
	int keep_y;
	int by_x[2]; /* factors of the first and the second parameter */
	int by_y;    /* factor of the first one */
	int dx;
	int dy;
};

static const struct motion motions[256] = {
#define M(mn, final, keepx, keepy, x0, x1, y0, dx, dy) \
 [final] = { 1 + (dx + dy < 0), keepx, keepy, { x0, x1 }, y0, dx, dy },
#include "mux/vt/motion.def"
#undef M
};

/*
 * In these modes, and on a screen with odd rows, movement does more than
 * motion.def states.  So do relative
 * movements while there are margins.
 */
#define MOTION_MODES                                              \
 (UINT64_C(1) << VT_MODE_DECOM | UINT64_C(1) << VT_MODE_REVWRAP | \
     UINT64_C(1) << VT_MODE_REVWRAP2 | VT_MODES_ODD)

_Static_assert(
    VT_MODE_DECOM < 64 && VT_MODE_REVWRAP < 64 && VT_MODE_REVWRAP2 < 64,
    "in the first word of the modes");

static inline bool
burst_may_move(const struct vt_term *t, const struct motion *mo)
{
	return mo->moves + t->whole >= 2 && (t->modes[0] & MOTION_MODES) == 0;
}

/*
 * Moves the cursor for FINAL; false if FINAL is no movement or a mode or margin
 * forbids the fast path.
 */
static inline bool
burst_move(struct vt_term *t, uint8_t final, int n, int m)
{
	const struct motion *mo = &motions[final];
	int x, y;

	if (mo->moves == 0 || unlikely(!burst_may_move(t, mo)))
		return false;
	n += n == 0;
	m += m == 0;
	x = (t->x & mo->keep_x) + n * mo->by_x[0] + m * mo->by_x[1] + mo->dx;
	y = (t->y & mo->keep_y) + n * mo->by_y + mo->dy;
	vt_move_plain(t, x, y);
	t->last.repeatable = false;
	return true;
}

/*
 * Applies one or two SGR codes that are data: N, and M if TWO.
 *
 * Returns: whether it did; if not, nothing has changed.
 */
static inline bool
burst_sgr(struct vt_term *t, unsigned n, unsigned m, bool two)
{
	if (n >= VT_SGR_CODES || m >= VT_SGR_CODES ||
	    vt_sgr_changes[n].keep.attrs == 0 ||
	    vt_sgr_changes[m].keep.attrs == 0)
		return false;
	vt_sgr_change(&t->pen, n);
	if (two)
		vt_sgr_change(&t->pen, m);
	vt_pen_changed(t);
	t->last.repeatable = false;
	return true;
}

static NOINLINE void
burst_plain(struct vt_term *t, uint8_t final, int n, int m, unsigned count)
{
	struct vt_params *out = &t->parser.params;

	out->v[0] = n;
	out->v[1] = m;
	out->count = (uint8_t)count;
	out->dropped = false;
	out->sub = 0;
	vt_dispatch_plain(t, final, out);
}

/*
 * Handles "ESC [ final", "ESC [ n final" and "ESC [ n ; m final" with up to
 * three digits each, without a branch on their contents.  S are the bytes after
 * "ESC [", and W has their classes from bit SKIP on.
 *
 * Returns: bytes used of S, 0 if there is anything else.
 */
static inline unsigned
burst_csi_short(struct vt_term *t, const uint8_t *s,
    const struct burst_window *w, unsigned skip)
{
	uint64_t param = w->param >> skip, below = param & ~(param + 1);
	uint64_t semi = w->semi >> skip & below, both;
	unsigned at, first, second, two = semi != 0;
	uint8_t final;
	int n, m;

	at = (unsigned)__builtin_ctzll(below + 1);
	first = (unsigned)__builtin_ctzll(semi | (below + 1));
	second = at - first - two;
	if (unlikely((first | second) > 3 || (semi & (semi - 1)) != 0))
		return 0;
	final = s[at];
	both = burst_numbers(s, first, s + first + 1, second);
	n = (int)(uint32_t)both;
	m = (int)(both >> 32);
	if (burst_move(t, final, n, m))
		return at + 1;
	if (final < 0x40 || final > 0x7e)
		return 0;
	if (final == 'm' && burst_sgr(t, (unsigned)n, (unsigned)m, two != 0))
		return at + 1;
	/* Without digits the number is 0; minus one gives VT_PARAM_EMPTY. */
	burst_plain(
	    t, final, n - (first == 0), m - (second == 0), (at > 0) + two);
	return at + 1;
}

/*
 * Handles short sequences and texts among the 64 bytes at S.  It classifies all
 * bytes first.  The end of an event then is a matter of a few bits, so that the
 * processor can start on the next event while it executes the current one.
 *
 * Returns: where something else begins, or an event that may be too long.
 */
static inline const uint8_t *
burst_window_run(struct vt_term *t, const uint8_t *s, const uint8_t *end)
{
	struct burst_window w;
	unsigned at, k;

next:
	w = burst_window(s);
	at = 0;
	while (at <= 64 - BURST_EVENT) {
		uint64_t text = w.text >> at;
		const uint8_t *q = s + at;

		if ((text & 1) != 0) {
			/* 63 may be more; ctz of 0 is undefined. */
			k = (unsigned)__builtin_ctzll(
			    ~text | UINT64_C(1) << 63);
			if (unlikely(at + k >= 63))
				return q;
			if (!vt_print_few(t, q, k))
				vt_print_ascii(t, q, k, (size_t)(end - q));
			at += k;
		} else if (q[0] != 0x1b) {
			if (q[0] >= 0x20)
				return q;
			vt_dispatch_control(t, q[0]);
			at++;
		} else if (q[1] == '[') {
			k = burst_csi_short(t, q + 2, &w, at + 2);
			if (k == 0)
				return q;
			at += k + 2;
		} else if (vt_dispatch_esc_short(t, q[1])) {
			at += 2;
		} else {
			return q;
		}
	}
	s += at;
	if (end - s >= BURST_ROOM)
		goto next;
	return s;
}

/*
 * Handles the ground state without the parser's table while BURST_ROOM bytes
 * remain (for text beyond ASCII, VT_SPREAD_LOOK): text, controls, escape
 * sequences of two bytes, short control sequences and RGB colours.  Each has
 * the same effect as through the table.
 *
 * Returns: where something else begins.
 */
const uint8_t *
vt_burst(void *arg, const uint8_t *s, const uint8_t *end)
{
	struct vt_term *t = arg;
	const uint8_t *from;
	uint32_t head;
	size_t k;

	while (end - s >= VT_SPREAD_LOOK) {
		if (*s >= 0x80) {
			from = s;
			s = vt_print_utf8(t, s, end);
			if (s == from)
				break;
			continue;
		}
		if (unlikely(end - s < BURST_ROOM))
			break;
		if (*s >= 0x20) {
			k = vt_run_ascii(s, (size_t)(end - s));
			if (k == 0)
				break;
			if (!vt_print_few(t, s, (unsigned)k))
				vt_print_ascii(t, s, k, (size_t)(end - s));
			s += k;
			continue;
		}
		if (*s != 0x1b) {
			vt_dispatch_control(t, *s++);
			continue;
		}
		memcpy(&head, s + 3, sizeof head);
		if (head == BURST_RGB_HEAD && s[1] == '[' &&
		    (s[2] == '3' || s[2] == '4') && (k = burst_rgb(t, s)) > 0) {
			s += k;
			continue;
		}
		from = s;
		s = burst_window_run(t, s, end);
		if (s == from)
			break;
	}
	return s;
}
