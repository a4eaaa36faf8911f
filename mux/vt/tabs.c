#include "mux/vt/tabs.h"

#include <string.h>

#include "base/mem.h"

/* Columns 0, 8, 16 and 24 of a word of 32. */
#define TABS_EIGHTHS UINT32_C(0x01010101)

static size_t
tabs_words(unsigned cols)
{
	return ((size_t)cols + 31) / 32;
}

void
vt_tabs_init(struct vt_tabs *t, unsigned cols)
{
	t->bits = NULL;
	t->cols = cols;
}

void
vt_tabs_fini(struct vt_tabs *t)
{
	mem_free(t->bits);
	t->bits = NULL;
}

void
vt_tabs_reset(struct vt_tabs *t)
{
	vt_tabs_fini(t);
}

void
vt_tabs_resize(struct vt_tabs *t, unsigned cols)
{
	size_t old = tabs_words(t->cols), now = tabs_words(cols), i;

	if (t->bits != NULL && now > old) {
		t->bits = mem_resize(t->bits, now, sizeof *t->bits);
		for (i = old; i < now; i++)
			t->bits[i] = TABS_EIGHTHS;
	}
	t->cols = cols;
}

/* Allocates the set before its first change. */
static void
tabs_own(struct vt_tabs *t)
{
	size_t i, n = tabs_words(t->cols);

	if (t->bits != NULL)
		return;
	t->bits = mem_calloc(n, sizeof *t->bits);
	for (i = 0; i < n; i++)
		t->bits[i] = TABS_EIGHTHS;
}

void
vt_tabs_set(struct vt_tabs *t, unsigned x, bool on)
{
	if (x >= t->cols)
		return;
	tabs_own(t);
	if (on)
		t->bits[x / 32] |= UINT32_C(1) << x % 32;
	else
		t->bits[x / 32] &= ~(UINT32_C(1) << x % 32);
}

void
vt_tabs_clear_all(struct vt_tabs *t)
{
	tabs_own(t);
	memset(t->bits, 0, tabs_words(t->cols) * sizeof *t->bits);
}

bool
vt_tabs_has(const struct vt_tabs *t, unsigned x)
{
	if (x >= t->cols)
		return false;
	if (t->bits == NULL)
		return x % 8 == 0;
	return (t->bits[x / 32] >> x % 32 & 1) != 0;
}

unsigned
vt_tabs_next(const struct vt_tabs *t, unsigned x)
{
	if (t->bits == NULL)
		x = (x | 7) + 1;
	else
		while (++x < t->cols && !vt_tabs_has(t, x))
			;
	return x < t->cols ? x : t->cols - 1;
}

unsigned
vt_tabs_prev(const struct vt_tabs *t, unsigned x)
{
	if (x == 0)
		return 0;
	if (t->bits == NULL)
		return (x - 1) & ~7u;
	while (--x > 0 && !vt_tabs_has(t, x))
		;
	return x;
}
