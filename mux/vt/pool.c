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

struct vt_pool {
	struct vt_line *lines[VT_POOL_LINES];
	unsigned nlines;
	uint32_t gen;
	ZSTD_CCtx *cctx;
	ZSTD_DCtx *dctx;
	uint8_t *scratch;
	size_t capscratch;
};

struct vt_pool *
vt_pool_new(void)
{
	return mem_zalloc(sizeof(struct vt_pool));
}

void
vt_pool_free(struct vt_pool *pool)
{
	if (pool == NULL)
		return;
	vt_pool_trim(pool);
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
	unsigned i;

	for (i = 0; i < pool->nlines; i++)
		n += vt_line_bytes(pool->lines[i]);
	if (pool->cctx != NULL)
		n += ZSTD_sizeof_CCtx(pool->cctx);
	if (pool->dctx != NULL)
		n += ZSTD_sizeof_DCtx(pool->dctx);
	return n;
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
