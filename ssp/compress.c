/*
 * A zstd frame of one compressed block is 28 b5 2f fd 00 WW, a three-byte block
 * header, then the block.  Without the content size only the length varies, and
 * the payload carries that.  Other results (raw, run-length, several blocks)
 * are sent as a complete frame or not packed.
 */
#include "ssp/compress.h"

#include <string.h>
#include <zstd.h>

#include "base/err.h"
#include "base/mem.h"

#define ZIP_HEAD 9           /* frame header (6) and block header (3) */
#define ZIP_WINDOW 0x38      /* window descriptor of 128 KB */
#define ZIP_BLOCK_MAX 131072 /* RFC 8878 section 3.1.1.2.4 */

/*
 * Results cached: those of one screen change (two old states, two forms each),
 * also for peers one state behind.
 */
#define ZIP_KEPT 8
#define ZIP_KEPT_MAX 32768 /* bytes of prefix and input together */

struct zip_kept {
	struct buf in; /* prefix, then input; empty: unused */
	size_t plen;
	struct buf out;
	bool whole;
};

struct ssp_zip {
	ZSTD_CCtx *c;
	ZSTD_DCtx *d;
	uint8_t *scratch; /* packed output, or the rebuilt frame */
	size_t scratch_len;
	struct zip_kept kept[ZIP_KEPT];
	unsigned next; /* index of the oldest */
	uint64_t again;
};

/* Tuned on screens: a tenth smaller than level 3, in its time. */
static const struct {
	ZSTD_cParameter what;
	int value;
} zip_params[] = {
	{ ZSTD_c_compressionLevel, 3 },
	{ ZSTD_c_strategy, ZSTD_lazy2 },
	{ ZSTD_c_minMatch, 4 },
	{ ZSTD_c_windowLog, 17 },
	{ ZSTD_c_contentSizeFlag, 0 },
};

/*
 * Sizes of the tables that find matches, and the matches looked at: small tables
 * forget all but the end of a long prefix.
 */
static const struct {
	ZSTD_cParameter what;
	int value[2]; /* up to ZIP_LONG bytes; longer */
} zip_tables[] = {
	{ ZSTD_c_hashLog, { 13, 15 } },
	{ ZSTD_c_chainLog, { 13, 17 } },
	{ ZSTD_c_searchLog, { 3, 6 } },
};
#define ZIP_LONG 16384 /* bytes of prefix and input */

static void
zip_set(struct ssp_zip *zip, ZSTD_cParameter what, int value)
{
	size_t r = ZSTD_CCtx_setParameter(zip->c, what, value);

	bug_assert(!ZSTD_isError(r));
}

struct ssp_zip *
ssp_zip_new(void)
{
	struct ssp_zip *zip = mem_zalloc(sizeof *zip);
	size_t i;

	zip->c = ZSTD_createCCtx();
	zip->d = ZSTD_createDCtx();
	bug_assert(zip->c != NULL && zip->d != NULL);
	for (i = 0; i < ARRAY_LEN(zip_params); i++)
		zip_set(zip, zip_params[i].what, zip_params[i].value);
	for (i = 0; i < ZIP_KEPT; i++) {
		buf_init(&zip->kept[i].in, ZIP_KEPT_MAX);
		buf_init(&zip->kept[i].out, ZIP_KEPT_MAX);
	}
	return zip;
}

void
ssp_zip_free(struct ssp_zip *zip)
{
	size_t i;

	if (zip == NULL)
		return;
	for (i = 0; i < ZIP_KEPT; i++) {
		buf_fini(&zip->kept[i].in);
		buf_fini(&zip->kept[i].out);
	}
	ZSTD_freeCCtx(zip->c);
	ZSTD_freeDCtx(zip->d);
	mem_free(zip->scratch);
	mem_free(zip);
}

static uint8_t *
zip_scratch(struct ssp_zip *zip, size_t n)
{
	if (zip->scratch_len < n) {
		zip->scratch = mem_resize(zip->scratch, n, 1);
		zip->scratch_len = n;
	}
	return zip->scratch;
}

/* Returns the cached result of the same bytes, or NULL. */
static const struct zip_kept *
zip_find(const struct ssp_zip *zip, const uint8_t *prefix, size_t plen,
    const uint8_t *src, size_t len)
{
	const struct zip_kept *k;
	size_t i;

	for (i = 0; i < ZIP_KEPT; i++) {
		k = &zip->kept[i];
		/* Compare the input first: prefixes differ late, if at all. */
		if (k->in.len == plen + len && k->plen == plen &&
		    memcmp(k->in.data + plen, src, len) == 0 &&
		    (plen == 0 || memcmp(k->in.data, prefix, plen) == 0))
			return k;
	}
	return NULL;
}

/* Replaces the oldest cached result; N 0 means "not worth packing". */
static void
zip_keep(struct ssp_zip *zip, const uint8_t *prefix, size_t plen,
    const uint8_t *src, size_t len, const uint8_t *o, size_t n, bool whole)
{
	struct zip_kept *k = &zip->kept[zip->next];

	if (plen + len > ZIP_KEPT_MAX || n > ZIP_KEPT_MAX)
		return;
	zip->next = (zip->next + 1) % ZIP_KEPT;
	buf_clear(&k->in);
	buf_clear(&k->out);
	k->plen = plen;
	k->whole = whole;
	if ((plen > 0 && buf_add(&k->in, prefix, plen) != 0) ||
	    buf_add(&k->in, src, len) != 0 ||
	    (n > 0 && buf_add(&k->out, o, n) != 0))
		buf_clear(&k->in);
}

int
ssp_zip_pack(struct ssp_zip *zip, const uint8_t *prefix, size_t plen,
    const uint8_t *src, size_t len, struct buf *out, bool *whole)
{
	size_t cap = ZSTD_compressBound(len), n;
	const bool deep = plen + len > ZIP_LONG;
	const struct zip_kept *k;
	uint8_t *o;
	uint32_t h;
	size_t i;

	if (len < SSP_ZIP_MIN)
		return -ERR_UNSUPPORTED;
	if ((k = zip_find(zip, prefix, plen, src, len)) != NULL) {
		zip->again++;
		*whole = k->whole;
		return k->out.len > 0 &&
			       buf_add(out, k->out.data, k->out.len) == 0
			   ? 0
			   : -ERR_UNSUPPORTED;
	}
	o = zip_scratch(zip, cap);
	for (i = 0; i < ARRAY_LEN(zip_tables); i++)
		zip_set(zip, zip_tables[i].what, zip_tables[i].value[deep]);
	if (plen > 0 && ZSTD_isError(ZSTD_CCtx_refPrefix(zip->c, prefix, plen)))
		return -ERR_UNSUPPORTED;
	n = ZSTD_compress2(zip->c, o, cap, src, len);
	if (ZSTD_isError(n) || n < ZIP_HEAD)
		return -ERR_UNSUPPORTED;
	h = o[6] | (uint32_t)o[7] << 8 | (uint32_t)o[8] << 16;
	*whole = (h & 7) != (1 | 2 << 1) || ZIP_HEAD + (h >> 3) != n;
	if (!*whole) {
		o += ZIP_HEAD;
		n -= ZIP_HEAD;
	}
	if (n >= len)
		n = 0;
	zip_keep(zip, prefix, plen, src, len, o, n, *whole);
	if (n == 0 || buf_add(out, o, n) != 0)
		return -ERR_UNSUPPORTED;
	return 0;
}

uint64_t
ssp_zip_again(const struct ssp_zip *zip)
{
	return zip->again;
}

int
ssp_zip_unpack(struct ssp_zip *zip, const uint8_t *prefix, size_t plen,
    const uint8_t *src, size_t len, bool whole, uint8_t *dst, size_t dstlen)
{
	static const uint8_t head[6] = { 0x28, 0xb5, 0x2f, 0xfd, 0,
		ZIP_WINDOW };
	const uint8_t *frame = src;
	uint8_t *o;
	uint32_t h;
	size_t n;

	if (!whole) {
		peer_check(len < ZIP_BLOCK_MAX);
		o = zip_scratch(zip, ZIP_HEAD + len);
		h = 1 | 2 << 1 | (uint32_t)len << 3;
		memcpy(o, head, sizeof head);
		o[6] = (uint8_t)h;
		o[7] = (uint8_t)(h >> 8);
		o[8] = (uint8_t)(h >> 16);
		if (len > 0)
			memcpy(o + ZIP_HEAD, src, len);
		frame = o;
		len += ZIP_HEAD;
	}
	/* Drop a prefix that a failed call may have left. */
	ZSTD_DCtx_reset(zip->d, ZSTD_reset_session_only);
	if (plen > 0)
		peer_check(
		    !ZSTD_isError(ZSTD_DCtx_refPrefix(zip->d, prefix, plen)));
	n = ZSTD_decompressDCtx(zip->d, dst, dstlen, frame, len);
	if (plen > 0)
		ZSTD_DCtx_refPrefix(zip->d, NULL, 0);
	peer_check(!ZSTD_isError(n) && n == dstlen);
	return 0;
}
