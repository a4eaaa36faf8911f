/*
 * regress/bench/bench_term.h - our terminal and libvterm behind one interface.
 *
 * Purpose:   feeds the same bytes to both in the same way.
 * Ownership: new/free.
 * Units:     bytes, cells.
 */
#ifndef REGRESS_BENCH_TERM_H
#define REGRESS_BENCH_TERM_H

#include <stddef.h>
#include <stdint.h>

struct bench_term {
	const char *name;
	void *(*new)(unsigned cols, unsigned rows, size_t history);
	void (*write)(void *t, const uint8_t *p, size_t n);
	void (*free)(void *t);
};

extern const struct bench_term bench_rmux;
#ifdef HAVE_VTERM
extern const struct bench_term bench_vterm;
#endif

/* Feeds N bytes in pieces of 64 KiB to a fresh terminal; seconds it took. */
double bench_feed(
    const struct bench_term *bt, size_t history, const uint8_t *p, size_t n);

#endif
