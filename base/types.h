/*
 * base/types.h - scalar units and small geometric values used everywhere.
 *
 * Purpose:   the time type, cell sizes, positions and rectangles.
 * Units:     mono_ms is milliseconds of a monotonic clock with an arbitrary
 *            zero; it is always an argument, the core never reads a clock.
 *            Columns (x) and rows (y) are cells, 0-based, right and down.
 * Tests:     regress/unit/check_types.c
 */
#ifndef BASE_TYPES_H
#define BASE_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint64_t mono_ms;

/* A deadline that never arrives. */
#define MONO_NEVER UINT64_MAX

/* Size in cells; the size of a screen is at least 1x1. */
struct cell_size {
	uint16_t cols;
	uint16_t rows;
};

struct cell_pos {
	int x; /* column */
	int y; /* row */
};

/* Half-open: covers x .. x+w-1 and y .. y+h-1; empty if w or h is 0. */
struct cell_rect {
	int x;
	int y;
	int w;
	int h;
};

static inline mono_ms
mono_min(mono_ms a, mono_ms b)
{
	return a < b ? a : b;
}

/* Adds A and B; saturates at MONO_NEVER. */
static inline mono_ms
mono_add(mono_ms a, mono_ms b)
{
	return a > MONO_NEVER - b ? MONO_NEVER : a + b;
}

/* Returns the milliseconds from NOW until T; 0 if T has passed. */
static inline mono_ms
mono_until(mono_ms now, mono_ms t)
{
	return t > now ? t - now : 0;
}

static inline bool
cell_rect_has(const struct cell_rect *r, int x, int y)
{
	return x >= r->x && x < r->x + r->w && y >= r->y && y < r->y + r->h;
}

#endif
