/*
 * mux/vt/pool.h - memory that the terminals of one process share.
 *
 * Purpose:   a free list of lines that keep their cells (so that a scrolling
 *            log allocates nothing), generation numbers, one zstd context for
 *            each direction.
 * Ownership: the caller creates the pool and frees it after the last grid that
 *            uses it, which has given its counters back.  The pool holds no content of any terminal.  Lines do not
 *            point to the pool, so frames may outlive it.
 * Units:     bytes, lines.
 * Tests:     regress/unit/check_vt_line.c, check_vt_history.c
 */
#ifndef MUX_VT_POOL_H
#define MUX_VT_POOL_H

#include <stdbool.h>

#include "base/compiler.h"

struct vt_line;
struct vt_pool;

/*
 * A counter of references to a large object.  Counters lie side by side, not in
 * their objects: behind a fork, the first write to each page of memory is a page
 * fault, and a snapshot of a history counts thousands of objects.
 */
union vt_counter {
	uint64_t refs;
	union vt_counter *next; /* while it is free */
};

#define VT_POOL_LINES 128 /* most free lines in the pool */

struct vt_pool *vt_pool_new(void);
void vt_pool_free(struct vt_pool *pool);

/*
 * Frees the free lines and the codec contexts.  The pool allocates new ones
 * when it needs them.
 */
void vt_pool_trim(struct vt_pool *pool);

/* Returns the bytes of free lines, contexts and scratch buffers. */
size_t vt_pool_bytes(const struct vt_pool *pool);

/* Returns a new counter, set to 1. */
union vt_counter *vt_pool_counter(struct vt_pool *pool);

/* Frees the counter C of POOL. */
void vt_pool_uncount(struct vt_pool *pool, union vt_counter *c);

/* Returns the next line generation: never 0, and unique within 2^32 calls. */
uint32_t vt_pool_generation(struct vt_pool *pool);

/* Takes a blank line from the free list, or returns NULL (for line.c). */
struct vt_line *vt_pool_take(struct vt_pool *pool);

/*
 * Keeps an unreferenced line; false if the pool is full or the line too large
 * (for line.c).
 */
bool vt_pool_give(struct vt_pool *pool, struct vt_line *line);

/*
 * Compresses N bytes into the pool's scratch buffer; *OUT is valid until the
 * next call.  Returns the compressed size, 0 if it would not be smaller than N.
 */
size_t vt_pool_pack(
    struct vt_pool *pool, const void *p, size_t n, const uint8_t **out);

/* Decompresses into exactly OUTLEN bytes; false if the data are damaged. */
bool vt_pool_unpack(
    struct vt_pool *pool, const void *p, size_t n, void *out, size_t outlen);

#endif
