/* The pool of lines and codec contexts that a process's terminals share. */
#include "mux/vt/pool.h"

#include <zstd.h>

#include "base/mem.h"
#include "mux/vt/line.h"

/* A free line keeps tables up to these sizes; the pool refuses larger ones. */
#define POOL_CELLS 512
#define POOL_STYLES 256
#define POOL_TEXT 1024
#define POOL_LINKS 16

#define POOL_COUNTERS 511 /* of a block */

struct counters {
	struct counters *next;
	union vt_counter counter[POOL_COUNTERS];
};

struct vt_pool {
	struct vt_line *lines[VT_POOL_LINES];
	unsigned nlines;
	uint32_t gen;
	ZSTD_CCtx *cctx;
	ZSTD_DCtx *dctx;
	uint8_t *scratch;
	size_t capscratch;
	struct counters *counters; /* blocks, which stay */
	union vt_counter *free_counter;
};

struct vt_pool *
vt_pool_new(void)
{
	return mem_zalloc(sizeof(struct vt_pool));
}

void
vt_pool_free(struct vt_pool *pool)
{
	struct counters *block;

	if (pool == NULL)
		return;
	vt_pool_trim(pool);
	while ((block = pool->counters) != NULL) {
		pool->counters = block->next;
		mem_free(block);
	}
	mem_free(pool);
}

void
vt_pool_trim(struct vt_pool *pool)
{
	struct vt_line *line;

	while (pool->nlines > 0) {
		line = pool->lines[--pool->nlines];
		line->refs = 1;
		vt_line_unref(NULL, line);
	}
	ZSTD_freeCCtx(pool->cctx);
	ZSTD_freeDCtx(pool->dctx);
	pool->cctx = NULL;
	pool->dctx = NULL;
	mem_free(pool->scratch);
	pool->scratch = NULL;
	pool->capscratch = 0;
}

size_t
vt_pool_bytes(const struct vt_pool *pool)
{
	size_t n = sizeof(*pool) + pool->capscratch;
	const struct counters *block;
	unsigned i;

	for (block = pool->counters; block != NULL; block = block->next)
		n += sizeof(*block);
	for (i = 0; i < pool->nlines; i++)
		n += vt_line_bytes(pool->lines[i]);
	if (pool->cctx != NULL)
		n += ZSTD_sizeof_CCtx(pool->cctx);
	if (pool->dctx != NULL)
		n += ZSTD_sizeof_DCtx(pool->dctx);
	return n;
}

union vt_counter *
vt_pool_counter(struct vt_pool *pool)
{
	union vt_counter *c;
	struct counters *block;
	unsigned i;

	if (pool->free_counter == NULL) {
		block = mem_alloc(sizeof(*block));
		block->next = pool->counters;
		pool->counters = block;
		for (i = POOL_COUNTERS; i-- > 0;)
			vt_pool_uncount(pool, &block->counter[i]);
	}
	c = pool->free_counter;
	pool->free_counter = c->next;
	c->refs = 1;
	return c;
}

void
vt_pool_uncount(struct vt_pool *pool, union vt_counter *c)
{
	c->next = pool->free_counter;
	pool->free_counter = c;
}

uint32_t
vt_pool_generation(struct vt_pool *pool)
{
	if (++pool->gen == 0)
		pool->gen = 1;
	return pool->gen;
}

struct vt_line *
vt_pool_take(struct vt_pool *pool)
{
	return pool->nlines > 0 ? pool->lines[--pool->nlines] : NULL;
}

bool
vt_pool_give(struct vt_pool *pool, struct vt_line *line)
{
	if (pool->nlines == VT_POOL_LINES || line->cap > POOL_CELLS ||
	    line->capstyles > POOL_STYLES || line->captext > POOL_TEXT ||
	    line->caplinks > POOL_LINKS)
		return false;
	pool->lines[pool->nlines++] = line;
	return true;
}

size_t
vt_pool_pack(struct vt_pool *pool, const void *p, size_t n, const uint8_t **out)
{
	size_t bound = ZSTD_compressBound(n), r;

	if (pool->capscratch < bound) {
		mem_free(pool->scratch);
		pool->scratch = mem_alloc(bound);
		pool->capscratch = bound;
	}
	if (pool->cctx == NULL && (pool->cctx = ZSTD_createCCtx()) == NULL)
		return 0;
	r = ZSTD_compressCCtx(pool->cctx, pool->scratch, bound, p, n, 1);
	if (ZSTD_isError(r) || r >= n)
		return 0;
	*out = pool->scratch;
	return r;
}

bool
vt_pool_unpack(
    struct vt_pool *pool, const void *p, size_t n, void *out, size_t outlen)
{
	size_t r;

	if (pool->dctx == NULL && (pool->dctx = ZSTD_createDCtx()) == NULL)
		return false;
	r = ZSTD_decompressDCtx(pool->dctx, out, outlen, p, n);
	return !ZSTD_isError(r) && r == outlen;
}
