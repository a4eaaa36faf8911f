/*
 * mux/vt/pool.h - what the terminals of one process share to save time.
 *
 * Purpose:   free lines that keep their cells (a scrolling log allocates
 *            nothing), generation numbers, one zstd context each way.
 * Ownership: the caller makes one and frees it after the last grid that was
 *            given it; it holds no content of any terminal.  Lines do not
 *            point at the pool, so frames may outlive it.
 * Units:     bytes, lines.
 * Errors:    none.
 * Source:    our own.
 * Tests:     regress/unit/check_vt_line.c, check_vt_history.c
 */
#ifndef MUX_VT_POOL_H
#define MUX_VT_POOL_H

#include <stdbool.h>

#include "base/compiler.h"

struct vt_line;
struct vt_pool;

#define VT_POOL_LINES 128 /* free lines kept at most */

struct vt_pool *vt_pool_new(void);
void vt_pool_free(struct vt_pool *pool);

/* Gives back the free lines and codec contexts; they return when needed. */
void vt_pool_trim(struct vt_pool *pool);

/* Bytes held by free lines, contexts and scratch buffers. */
size_t vt_pool_bytes(const struct vt_pool *pool);

/* The next line generation: never 0, and not given twice within 2^32. */
uint32_t vt_pool_generation(struct vt_pool *pool);

/* A blank line of the free list, or NULL (for line.c). */
struct vt_line *vt_pool_take(struct vt_pool *pool);

/* Keeps a line nobody refers to; false if the pool is full (for line.c). */
bool vt_pool_give(struct vt_pool *pool, struct vt_line *line);

/*
 * Compresses N bytes into the pool's scratch buffer, *OUT until the next call.
 * Returns the compressed size, 0 if it would not be smaller than N.
 */
size_t vt_pool_pack(
    struct vt_pool *pool, const void *p, size_t n, const uint8_t **out);

/* Decompresses into exactly N bytes; false for damaged data. */
bool vt_pool_unpack(
    struct vt_pool *pool, const void *p, size_t n, void *out, size_t outlen);

#endif
