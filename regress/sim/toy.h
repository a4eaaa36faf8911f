/*
 * regress/sim/toy.h - two objects to synchronise in tests.
 *
 * Purpose:   a log of bytes (like typed input: appended to, the confirmed
 *            prefix is subtracted) and a screen of bytes (like output: any
 *            cell changes, it has a serialisation).
 * Ownership: new, or clone through the ops; ops->free.
 * Units:     bytes, cells.
 * Errors:    apply and load: -ERR_PEER.
 * Tests:     regress/unit/check_ssp_object.c
 */
#ifndef REGRESS_TOY_H
#define REGRESS_TOY_H

#include "ssp/object.h"

struct toy_log {
	uint64_t start; /* position of the first byte kept */
	uint64_t end;
	uint64_t hash; /* of all bytes ever appended */
	struct buf bytes;
};

struct toy_screen {
	uint32_t cols, rows;
	uint64_t echo; /* input bytes that it reflects */
	uint8_t *cell;
};

extern const struct ssp_object_ops toy_log_ops;
extern const struct ssp_object_ops toy_screen_ops;
/* The same screen without a serialisation. */
extern const struct ssp_object_ops toy_bare_ops;

struct toy_log *toy_log_new(void);
void toy_log_add(struct toy_log *l, const void *data, size_t n);

struct toy_screen *toy_screen_new(uint32_t cols, uint32_t rows);

/* Fills every cell with a pseudo-random printable byte. */
void toy_screen_fill(struct toy_screen *s, uint64_t *rng);

/* Scrolls up one line and writes random text in the last. */
void toy_screen_scroll(struct toy_screen *s, uint64_t *rng);

#endif
