/*
 * One byte describes a code point: its break class, its width and whether VS16
 * widens it.  table_build paints these bytes into a flat array, then folds the
 * array into two stages; equal blocks of 256 (frequent in CJK) are stored once.
 * The result is about 40 KB and stays in the cache.
 *
 * Breaking takes one bit set for each class (the classes that join after it)
 * and a few flags for the three rules that look further back: regional
 * indicators (GB12, GB13), emoji with ZWJ (GB11), conjuncts (GB9c).
 */
#include "config.h"

#include <string.h>
#include <utf8proc.h>

#include "base/grapheme.h"
#include "base/mem.h"
#include "base/utf8.h"

#define CP_COUNT 0x110000u
#define BLOCK GRAPHEME_BLOCK
#define BLOCK_COUNT GRAPHEME_BLOCKS

enum gc {
	GC_START, /* start of text */
	GC_OTHER,
	GC_CR,
	GC_LF,
	GC_CONTROL,
	GC_EXTEND,
	GC_L,
	GC_V,
	GC_T,
	GC_LV,
	GC_LVT,
	GC_RI,
	GC_SPACING,
	GC_PREPEND,
	GC_ZWJ,
	GC_PICT,        /* Extended_Pictographic */
	GC_CONSONANT,   /* Other with InCB=Consonant */
	GC_LINKER,      /* Extend with InCB=Linker */
	GC_INCB_EXTEND, /* Extend with InCB=Extend */
	GC_COUNT
};

/* A table byte: class in bits 0..4, width in 5..6, VS16 base in bit 7. */
#define GC_MASK 0x1fu
#define WIDTH_SHIFT 5
#define WIDTH_MASK 0x60u
#define VS16_BASE 0x80u

_Static_assert(GC_COUNT <= GC_MASK, "a class has five bits");

struct cp_range {
	uint32_t first;
	uint32_t last;
};

#define X(first, last) { first, last },
static const struct cp_range vs16_bases[] = {
#include "base/emoji_vs16.def"
};
static const struct cp_range ambiguous[] = {
#include "base/ambiguous.def"
};
#undef X

/* Code points that the library does not know, or knows otherwise. */
static const struct newer {
	uint32_t first;
	uint32_t last;
	uint8_t gc;
	int8_t width; /* -1: the library's */
} newer[] = {
#define X(first, last, gc, width) { first, last, gc, width },
#include "base/unicode_new.def"
#undef X
};

/*
 * Widths of unassigned code points where utf8proc returns 1: blocks reserved
 * for ideographs have East Asian Width W (head of EastAsianWidth.txt), others
 * are Default_Ignorable_Code_Point (DerivedCoreProperties.txt).
 */
static const struct grapheme_override unassigned[] = {
	{ 0x2065, 0x2065, 0 },
	{ 0x3400, 0x4dbf, 2 },
	{ 0x4e00, 0x9fff, 2 },
	{ 0xf900, 0xfaff, 2 },
	{ 0xfff0, 0xfff8, 0 },
	{ 0x20000, 0x2fffd, 2 },
	{ 0x30000, 0x3fffd, 2 },
	{ 0xe0000, 0xe0fff, 0 },
};

/* clang-format off */
static const uint8_t boundclass_gc[] = {
	[UTF8PROC_BOUNDCLASS_START] = GC_OTHER,
	[UTF8PROC_BOUNDCLASS_OTHER] = GC_OTHER,
	[UTF8PROC_BOUNDCLASS_CR] = GC_CR,
	[UTF8PROC_BOUNDCLASS_LF] = GC_LF,
	[UTF8PROC_BOUNDCLASS_CONTROL] = GC_CONTROL,
	[UTF8PROC_BOUNDCLASS_EXTEND] = GC_EXTEND,
	[UTF8PROC_BOUNDCLASS_L] = GC_L,
	[UTF8PROC_BOUNDCLASS_V] = GC_V,
	[UTF8PROC_BOUNDCLASS_T] = GC_T,
	[UTF8PROC_BOUNDCLASS_LV] = GC_LV,
	[UTF8PROC_BOUNDCLASS_LVT] = GC_LVT,
	[UTF8PROC_BOUNDCLASS_REGIONAL_INDICATOR] = GC_RI,
	[UTF8PROC_BOUNDCLASS_SPACINGMARK] = GC_SPACING,
	[UTF8PROC_BOUNDCLASS_PREPEND] = GC_PREPEND,
	[UTF8PROC_BOUNDCLASS_ZWJ] = GC_ZWJ,
	[UTF8PROC_BOUNDCLASS_EXTENDED_PICTOGRAPHIC] = GC_PICT,
};

#define BIT(c) (1u << (c))
#define MARKS (BIT(GC_EXTEND) | BIT(GC_ZWJ) | BIT(GC_SPACING) | \
	BIT(GC_LINKER) | BIT(GC_INCB_EXTEND))
#define CONTROLS (BIT(GC_CR) | BIT(GC_LF) | BIT(GC_CONTROL))

/* For each class: the classes that always join after it. */
static const uint32_t joins_after[GC_COUNT] = {
	[GC_START] = 0,
	[GC_OTHER] = MARKS,                                  /* GB9, GB9a */
	[GC_CR] = BIT(GC_LF),                                /* GB3 */
	[GC_LF] = 0,                                         /* GB4 */
	[GC_CONTROL] = 0,
	[GC_EXTEND] = MARKS,
	[GC_L] = MARKS | BIT(GC_L) | BIT(GC_V) | BIT(GC_LV) |
	    BIT(GC_LVT),                                     /* GB6 */
	[GC_V] = MARKS | BIT(GC_V) | BIT(GC_T),              /* GB7 */
	[GC_T] = MARKS | BIT(GC_T),                          /* GB8 */
	[GC_LV] = MARKS | BIT(GC_V) | BIT(GC_T),
	[GC_LVT] = MARKS | BIT(GC_T),
	[GC_RI] = MARKS,
	[GC_SPACING] = MARKS,
	[GC_PREPEND] = ~CONTROLS,                            /* GB9b */
	[GC_ZWJ] = MARKS,
	[GC_PICT] = MARKS,
	[GC_CONSONANT] = MARKS,
	[GC_LINKER] = MARKS,
	[GC_INCB_EXTEND] = MARKS,
};

/* Classes that read or set flags; every other class clears them. */
#define FLAGGED (BIT(GC_RI) | BIT(GC_PICT) | BIT(GC_CONSONANT) | \
	(MARKS & ~BIT(GC_SPACING)))
/* clang-format on */

enum {
	FLAG_RI = 1 << 0,       /* an unpaired RI came last */
	FLAG_PICT = 1 << 1,     /* Extended_Pictographic Extend* */
	FLAG_PICT_ZWJ = 1 << 2, /* ... and a ZWJ */
	FLAG_CONJUNCT = 1 << 3, /* Consonant [Extend Linker]* */
	FLAG_LINKED = 1 << 4,   /* ... with a Linker in it */
};

/* Break class of a code point with property P. */
static uint8_t
table_class(const utf8proc_property_t *p)
{
	unsigned c = p->boundclass;
	uint8_t gc = c < ARRAY_LEN(boundclass_gc) ? boundclass_gc[c] : 0;

#if UTF8PROC_VERSION_MAJOR > 2 || UTF8PROC_VERSION_MINOR >= 9
	unsigned incb = p->indic_conjunct_break;

	if (gc == GC_OTHER && incb == UTF8PROC_INDIC_CONJUNCT_BREAK_CONSONANT)
		gc = GC_CONSONANT;
	if (gc == GC_EXTEND && incb == UTF8PROC_INDIC_CONJUNCT_BREAK_LINKER)
		gc = GC_LINKER;
	if (gc == GC_EXTEND && incb == UTF8PROC_INDIC_CONJUNCT_BREAK_EXTEND)
		gc = GC_INCB_EXTEND;
#endif
	return gc == 0 ? GC_OTHER : gc;
}

/*
 * Width of CP according to utf8proc, with the deviations that grapheme.h lists.
 */
static unsigned
table_width(uint32_t cp, const utf8proc_property_t *p)
{
	if (cp < 0x20 || (cp >= 0x7f && cp < 0xa0))
		return 0;
	if (cp == 0xad ||
	    p->boundclass == UTF8PROC_BOUNDCLASS_REGIONAL_INDICATOR)
		return 1;
	if (p->boundclass == UTF8PROC_BOUNDCLASS_PREPEND && p->charwidth == 0)
		return 1;
	return MIN_OF(p->charwidth, 2u);
}

static void
paint_width(uint8_t *flat, uint32_t first, uint32_t last, unsigned width)
{
	uint32_t cp;

	for (cp = first; cp <= last && cp < CP_COUNT; cp++)
		flat[cp] =
		    (uint8_t)((flat[cp] & ~WIDTH_MASK) | width << WIDTH_SHIFT);
}

/* Paints class and width of every code point of a plane. */
static void
paint_plane(uint8_t *flat, uint32_t plane)
{
	const utf8proc_property_t *p, *last = NULL;
	uint32_t cp, end = (plane + 1) * 0x10000;

	for (cp = plane * 0x10000; cp < end; cp++) {
		p = utf8proc_get_property((utf8proc_int32_t)cp);
		/* Neighbours often share a property. */
		if (p == last && cp > 0xae) {
			flat[cp] = flat[cp - 1];
			continue;
		}
		flat[cp] = (uint8_t)(table_class(p) | table_width(cp, p)
							  << WIDTH_SHIFT);
		last = p;
	}
}

/*
 * Planes with one property throughout: unassigned (4 to 13) or private (15,
 * 16).
 */
static bool
plane_is_even(uint32_t plane)
{
	return plane >= 4 && plane != 14;
}

static void
paint_newer(uint8_t *flat)
{
	const struct newer *n;
	uint32_t cp;

	for (n = newer; n < newer + ARRAY_LEN(newer); n++) {
		for (cp = n->first; cp <= n->last; cp++)
			flat[cp] = (uint8_t)((flat[cp] & ~GC_MASK) | n->gc);
		if (n->width >= 0)
			paint_width(
			    flat, n->first, n->last, (unsigned)n->width);
	}
}

/* Paints every code point, without options. */
static void
paint_all(uint8_t *flat)
{
	const struct grapheme_override *o;
	const utf8proc_property_t *p;
	uint32_t cp, plane;
	size_t i;

	for (plane = 0; plane < CP_COUNT / 0x10000; plane++) {
		if (!plane_is_even(plane)) {
			paint_plane(flat, plane);
			continue;
		}
		cp = plane * 0x10000;
		p = utf8proc_get_property((utf8proc_int32_t)cp);
		memset(flat + cp,
		    (int)(table_class(p) | table_width(cp, p) << WIDTH_SHIFT),
		    0x10000);
	}
	for (i = 0; i < ARRAY_LEN(unassigned); i++) {
		o = &unassigned[i];
		for (cp = o->first; cp <= o->last; cp++) {
			p = utf8proc_get_property((utf8proc_int32_t)cp);
			if (p->category == UTF8PROC_CATEGORY_CN)
				paint_width(flat, cp, cp, o->width);
		}
	}
	paint_newer(flat);
	for (i = 0; i < ARRAY_LEN(vs16_bases); i++)
		for (cp = vs16_bases[i].first; cp <= vs16_bases[i].last; cp++)
			flat[cp] |= VS16_BASE;
}

static void
paint_options(uint8_t *flat, const struct grapheme_options *opt)
{
	const struct grapheme_override *o;
	uint32_t cp;
	size_t i;

	for (i = 0; opt->ambiguous_wide && i < ARRAY_LEN(ambiguous); i++)
		for (cp = ambiguous[i].first; cp <= ambiguous[i].last; cp++)
			if ((flat[cp] & WIDTH_MASK) >> WIDTH_SHIFT == 1)
				paint_width(flat, cp, cp, 2);
	for (i = 0; i < MIN_OF(opt->override_count, GRAPHEME_OVERRIDE_MAX);
	     i++) {
		o = &opt->overrides[i];
		paint_width(flat, MAX_OF(o->first, 0xa0u), o->last,
		    MIN_OF(o->width, 2));
	}
	for (i = 0; opt->vs16_narrow && i < ARRAY_LEN(vs16_bases); i++)
		for (cp = vs16_bases[i].first; cp <= vs16_bases[i].last; cp++)
			flat[cp] &= (uint8_t)~VS16_BASE;
}

/* Folds the flat bytes into two stages. */
static void
table_fold(struct grapheme_table *t, const uint8_t *flat)
{
	uint32_t b, count = 0, found = 0;

	t->blocks = mem_alloc(BLOCK_COUNT * BLOCK);
	for (b = 0; b < BLOCK_COUNT; b++, flat += BLOCK) {
		/* Most blocks equal the previous one. */
		if (b == 0 || memcmp(t->blocks[found], flat, BLOCK) != 0) {
			found = 0;
			while (found < count &&
			       memcmp(t->blocks[found], flat, BLOCK) != 0)
				found++;
			if (found == count)
				memcpy(t->blocks[count++], flat, BLOCK);
		}
		t->stage1[b] = (uint16_t)found;
	}
	t->blocks = mem_resize(t->blocks, count, BLOCK);
}

/*
 * Classes that never join each other: one joins what precedes it only after a
 * mark, a jamo, a prepended mark or a regional indicator.
 */
#define SIMPLE \
 (BIT(GC_OTHER) | BIT(GC_LV) | BIT(GC_LVT) | BIT(GC_PICT) | BIT(GC_CONSONANT))

/* Fills in the result of grapheme_simple for each table byte. */
static void
table_simple(struct grapheme_table *t, const uint8_t *flat)
{
	unsigned b, width;
	uint32_t cp;

	for (b = 0; b < 256; b++) {
		width = (b & WIDTH_MASK) >> WIDTH_SHIFT;
		if ((SIMPLE >> (b & GC_MASK) & 1) == 0)
			width = 0;
		t->simple[b] = (uint8_t)width;
	}
	for (cp = 0; cp < sizeof(t->plane0); cp++)
		t->plane0[cp] = t->simple[flat[cp]];
}

static void
table_build(struct grapheme_table *t, const struct grapheme_options *opt)
{
	uint8_t *flat = mem_alloc(CP_COUNT);

	paint_all(flat);
	if (opt != NULL)
		paint_options(flat, opt);
	table_fold(t, flat);
	table_simple(t, flat);
	mem_free(flat);
}

struct grapheme_table *
grapheme_table_new(const struct grapheme_options *opt)
{
	struct grapheme_table *t = mem_alloc(sizeof(*t));

	table_build(t, opt);
	return t;
}

void
grapheme_table_set(struct grapheme_table *t, const struct grapheme_options *opt)
{
	mem_free(t->blocks);
	table_build(t, opt);
}

void
grapheme_table_free(struct grapheme_table *t)
{
	if (t == NULL)
		return;
	mem_free(t->blocks);
	mem_free(t);
}

static inline unsigned
table_get(const struct grapheme_table *t, uint32_t cp)
{
	if (unlikely(cp >= CP_COUNT))
		cp = UTF8_REPLACEMENT;
	return t->blocks[t->stage1[cp / BLOCK]][cp % BLOCK];
}

int
grapheme_cp_width(const struct grapheme_table *t, uint32_t cp)
{
	return (int)((table_get(t, cp) & WIDTH_MASK) >> WIDTH_SHIFT);
}

/*
 * Applies the rules that look further back than one code point.  Returns
 * whether GC joins; updates the flags.
 */
static bool
break_flagged(struct grapheme_state *st, unsigned gc)
{
	unsigned f = st->flags, next = 0;
	bool join = false;

	switch (gc) {
	case GC_RI: /* GB12, GB13 */
		join = (f & FLAG_RI) != 0;
		next = join ? 0 : FLAG_RI;
		break;
	case GC_PICT: /* GB11 */
		join = (f & FLAG_PICT_ZWJ) != 0;
		next = FLAG_PICT;
		break;
	case GC_CONSONANT: /* GB9c */
		join = (f & FLAG_LINKED) != 0;
		next = FLAG_CONJUNCT;
		break;
	case GC_EXTEND:
		next = f & FLAG_PICT;
		break;
	case GC_INCB_EXTEND:
		next = f & (FLAG_PICT | FLAG_CONJUNCT | FLAG_LINKED);
		break;
	case GC_LINKER:
		next = f & (FLAG_PICT | FLAG_CONJUNCT);
		if (f & FLAG_CONJUNCT)
			next |= FLAG_LINKED;
		break;
	case GC_ZWJ: /* InCB=Extend too */
		next = f & (FLAG_CONJUNCT | FLAG_LINKED);
		if (f & FLAG_PICT)
			next |= FLAG_PICT_ZWJ;
		break;
	default:
		break;
	}
	st->flags = (uint8_t)next;
	return join;
}

/* Steps over a code point of class GC; false if it joins. */
static inline bool
break_before(struct grapheme_state *st, unsigned gc)
{
	bool join;

	join = (joins_after[st->prev & GC_MASK] & BIT(gc)) != 0;
	if (FLAGGED & BIT(gc))
		join |= break_flagged(st, gc);
	else
		st->flags = 0;
	st->prev = (uint8_t)gc;
	return !join;
}

bool
grapheme_break(
    const struct grapheme_table *t, struct grapheme_state *st, uint32_t cp)
{
	return break_before(st, table_get(t, cp) & GC_MASK);
}

bool
grapheme_step(const struct grapheme_table *t, struct grapheme_state *st,
    uint32_t cp, int *width)
{
	unsigned b = table_get(t, cp);

	*width = (int)((b & WIDTH_MASK) >> WIDTH_SHIFT);
	return break_before(st, b & GC_MASK);
}

bool
grapheme_closed(const struct grapheme_state *st)
{
	return (joins_after[st->prev & GC_MASK] & SIMPLE) == 0 &&
	       (st->flags & (FLAG_PICT_ZWJ | FLAG_LINKED)) == 0;
}

/* Code points that add one cell to the cluster that they end. */
static inline bool
adds_a_cell(uint32_t cp)
{
	return cp == 0x0e33 || cp == 0x0eb3 || cp == 0xff9e || cp == 0xff9f;
}

static inline bool
is_regional(uint32_t cp)
{
	return cp >= 0x1f1e6 && cp <= 0x1f1ff;
}

int
grapheme_width_add(const struct grapheme_table *t, int width, uint32_t first,
    uint32_t prev, size_t count, uint32_t cp)
{
	int w = grapheme_cp_width(t, cp);

	(void)first;
	if (count == 0)
		return w;
	if (cp == 0xfe0f)
		return (table_get(t, prev) & VS16_BASE) != 0 ? 2 : width;
	if (is_regional(cp) && is_regional(prev))
		return 2;
	if (adds_a_cell(cp))
		return MIN_OF(width + w, 2);
	return MAX_OF(width, w);
}

size_t
grapheme_next(
    const struct grapheme_table *t, const uint8_t *p, size_t n, int *width)
{
	struct grapheme_state st = { 0, 0 };
	uint32_t cp, first = 0, prev = 0;
	size_t at, used, count = 0;
	int w = 0;

	for (at = 0; at < n; at += used) {
		used = utf8_decode_final(p + at, n - at, &cp);
		if (grapheme_break(t, &st, cp) && count > 0)
			break;
		if (count == 0)
			first = cp;
		w = grapheme_width_add(t, w, first, prev, count, cp);
		prev = cp;
		count++;
	}
	*width = w;
	return at;
}

size_t
grapheme_text_width(const struct grapheme_table *t, const char *s, size_t n)
{
	const uint8_t *p = (const void *)s;
	size_t at = 0, run, sum = 0;
	int w;

	while (at < n) {
		/* Only the last byte of the run can start a longer cluster. */
		run = utf8_ascii_run(p + at, n - at);
		if (run > 1) {
			sum += run - 1;
			at += run - 1;
		}
		at += grapheme_next(t, p + at, n - at, &w);
		sum += (size_t)w;
	}
	return sum;
}
