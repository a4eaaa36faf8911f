#include "ssp/ranges.h"

#include <string.h>

#include "base/mem.h"

void
ssp_ranges_fini(struct ssp_ranges *rs)
{
	mem_free(rs->r);
	memset(rs, 0, sizeof(*rs));
}

/* Returns the index of the first range that ends at AT or behind it. */
static unsigned
ranges_index(const struct ssp_ranges *rs, uint64_t at)
{
	unsigned lo = 0, hi = rs->n, mid;

	/* Most calls are about the last one. */
	if (rs->n > 0 && rs->r[rs->n - 1].to < at)
		return rs->n;
	while (lo < hi) {
		mid = (lo + hi) / 2;
		if (rs->r[mid].to < at)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/* Replaces the ranges I..K-1 by N others, to be filled in. */
static void
ranges_splice(struct ssp_ranges *rs, unsigned i, unsigned k, unsigned n)
{
	if (rs->n - (k - i) + n > rs->cap) {
		rs->cap = MAX_OF(rs->cap * 2, 8u);
		rs->r = mem_resize(rs->r, rs->cap, sizeof(*rs->r));
	}
	memmove(rs->r + i + n, rs->r + k, (rs->n - k) * sizeof(*rs->r));
	rs->n = rs->n - (k - i) + n;
}

void
ssp_ranges_add(struct ssp_ranges *rs, uint64_t from, uint64_t to)
{
	unsigned i, k;

	if (from >= to)
		return;
	i = k = ranges_index(rs, from);
	for (; k < rs->n && rs->r[k].from <= to; k++) {
		from = MIN_OF(from, rs->r[k].from);
		to = MAX_OF(to, rs->r[k].to);
	}
	ranges_splice(rs, i, k, 1);
	rs->r[i] = (struct ssp_range){ from, to };
}

void
ssp_ranges_cut(struct ssp_ranges *rs, uint64_t from, uint64_t to)
{
	struct ssp_range left, right;
	unsigned i, k, n = 0;

	if (from >= to)
		return;
	i = ranges_index(rs, from);
	if (i < rs->n && rs->r[i].to == from)
		i++;
	for (k = i; k < rs->n && rs->r[k].from < to; k++)
		;
	if (k == i)
		return;
	left = (struct ssp_range){ rs->r[i].from, from };
	right = (struct ssp_range){ to, rs->r[k - 1].to };
	n = (unsigned)(left.from < left.to) + (right.from < right.to);
	ranges_splice(rs, i, k, n);
	if (left.from < left.to)
		rs->r[i++] = left;
	if (right.from < right.to)
		rs->r[i] = right;
}

bool
ssp_ranges_near(const struct ssp_ranges *rs, uint64_t from, uint64_t to)
{
	unsigned i = ranges_index(rs, from);

	return i < rs->n && rs->r[i].from <= to;
}
