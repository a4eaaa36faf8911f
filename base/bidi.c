#include "config.h"

#include "base/bidi.h"
#include "base/err.h"
#include "base/mem.h"

#ifdef WITH_FRIBIDI
# include <fribidi.h>
#endif

#define BIDI_MAX (1u << 20)

bool
bidi_is_rtl(uint32_t cp)
{
	/* The blocks of scripts that are written from right to left. */
	if (cp < 0x590)
		return false;
	return cp <= 0x8ff || (cp >= 0xfb1d && cp <= 0xfdff) ||
	       (cp >= 0xfe70 && cp <= 0xfeff) ||
	       (cp >= 0x10800 && cp <= 0x10fff) ||
	       (cp >= 0x1e800 && cp <= 0x1efff);
}

#ifdef WITH_FRIBIDI

_Static_assert(sizeof(FriBidiChar) == sizeof(uint32_t), "code points");
_Static_assert(sizeof(FriBidiStrIndex) == sizeof(int), "places");

struct bidi {
	size_t n;
	FriBidiParType base;
	FriBidiCharType *types;
	FriBidiLevel *levels;
};

bool
bidi_have(void)
{
	return true;
}

uint32_t
bidi_mirror(uint32_t cp)
{
	FriBidiChar other;

	return fribidi_get_mirror_char(cp, &other) ? other : cp;
}

int
bidi_new(const uint32_t *cp, size_t n, struct bidi **out)
{
	FriBidiBracketType *brackets;
	struct bidi *b;
	int ok;

	if (n == 0 || n > BIDI_MAX)
		return -ERR_LIMIT;
	b = mem_zalloc(sizeof(*b));
	b->n = n;
	b->types = mem_calloc(n, sizeof(*b->types));
	b->levels = mem_calloc(n, sizeof(*b->levels));
	brackets = mem_calloc(n, sizeof(*brackets));
	fribidi_get_bidi_types(cp, (FriBidiStrIndex)n, b->types);
	fribidi_get_bracket_types(cp, (FriBidiStrIndex)n, b->types, brackets);
	b->base = FRIBIDI_PAR_LTR;
	ok = fribidi_get_par_embedding_levels_ex(
	    b->types, brackets, (FriBidiStrIndex)n, &b->base, b->levels);
	mem_free(brackets);
	if (ok == 0) {
		bidi_free(b);
		return -ERR_LIMIT;
	}
	*out = b;
	return 0;
}

void
bidi_free(struct bidi *b)
{
	if (b == NULL)
		return;
	mem_free(b->types);
	mem_free(b->levels);
	mem_free(b);
}

bool
bidi_level_odd(const struct bidi *b, size_t i)
{
	return i < b->n && (b->levels[i] & 1) != 0;
}

int
bidi_order(struct bidi *b, size_t from, size_t n, int *order)
{
	size_t i;

	if (from > b->n || n > b->n - from)
		return -ERR_LIMIT;
	for (i = 0; i < n; i++)
		order[i] = (int)i;
	if (n == 0)
		return 0;
	/* This resets the levels of blanks at the row's end, too (L1). */
	return fribidi_reorder_line(FRIBIDI_FLAGS_DEFAULT, b->types + from,
		   (FriBidiStrIndex)n, 0, b->base, b->levels + from, NULL,
		   order) != 0
		   ? 0
		   : -ERR_LIMIT;
}

#else

bool
bidi_have(void)
{
	return false;
}

uint32_t
bidi_mirror(uint32_t cp)
{
	return cp;
}

int
bidi_new(const uint32_t *cp, size_t n, struct bidi **out)
{
	(void)cp;
	(void)n;
	(void)out;
	return -ERR_UNSUPPORTED;
}

void
bidi_free(struct bidi *b)
{
	(void)b;
}

bool
bidi_level_odd(const struct bidi *b, size_t i)
{
	(void)b;
	(void)i;
	return false;
}

int
bidi_order(struct bidi *b, size_t from, size_t n, int *order)
{
	(void)b;
	(void)from;
	(void)n;
	(void)order;
	return -ERR_UNSUPPORTED;
}

#endif
