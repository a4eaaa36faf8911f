/*
 * ssp/ranges.h - a set of numbers as ordered ranges that do not touch.
 *
 * Purpose:   which bytes of a stream have come, have arrived, or are lost.
 * Ownership: the caller embeds struct ssp_ranges; ssp_ranges_fini frees it.
 * Units:     half-open ranges.
 * Errors:    none; the caller bounds the number of ranges.
 * Tests:     regress/unit/check_ssp_stream.c
 */
#ifndef SSP_RANGES_H
#define SSP_RANGES_H

#include <stdbool.h>

#include "base/compiler.h"

/* Numbers FROM..TO-1. */
struct ssp_range {
	uint64_t from;
	uint64_t to;
};

/* Zero-initialised: empty. */
struct ssp_ranges {
	struct ssp_range *r; /* ascending */
	unsigned n;
	unsigned cap;
};

void ssp_ranges_fini(struct ssp_ranges *rs);

/* Adds, or removes, FROM..TO-1. */
void ssp_ranges_add(struct ssp_ranges *rs, uint64_t from, uint64_t to);
void ssp_ranges_cut(struct ssp_ranges *rs, uint64_t from, uint64_t to);

/* Returns whether FROM..TO-1 overlaps or touches one of the set. */
bool ssp_ranges_near(const struct ssp_ranges *rs, uint64_t from, uint64_t to);

#endif
