#include "ssp/datagram.h"

#include "base/err.h"
#include "base/wire.h"

/* PROBE datagrams have their own numbers, so their own half of the nonces. */
#define DGRAM_PROBE_BIT (UINT64_C(1) << 63)

static uint64_t
dgram_nonce(enum ssp_dgram_type type, uint64_t n)
{
	return type == SSP_DGRAM_PROBE ? n | DGRAM_PROBE_BIT : n;
}

int
ssp_dgram_parse(const uint8_t *p, size_t len, struct ssp_dgram *d)
{
	struct rd r;
	uint8_t first;

	rd_init(&r, p, len);
	first = rd_u8(&r);
	d->type = (enum ssp_dgram_type)(first >> 2 & 3);
	d->phase = first & 3;
	d->cid = rd_u64(&r);
	if (r.err == 0 && first >> 4 != SSP_WIRE_VERSION)
		return -ERR_VERSION;
	if (d->type == SSP_DGRAM_DATA || d->type == SSP_DGRAM_PROBE) {
		d->low = rd_u32(&r);
		d->lo = d->hi = 0;
		d->noise_len = 0;
		if (r.err != 0 || rd_left(&r) < SSP_DGRAM_STAMPS + SSP_TAG_LEN)
			return -ERR_TRUNCATED;
		return 0;
	}
	d->low = 0;
	d->lo = rd_u8(&r);
	d->hi = rd_u8(&r);
	d->noise_len = rd_u16(&r);
	if (r.err != 0 || len < SSP_DGRAM_HANDSHAKE_OVERHEAD ||
	    d->noise_len < SSP_KEY_LEN + SSP_DGRAM_STAMPS + SSP_TAG_LEN ||
	    rd_left(&r) < (size_t)d->noise_len + SSP_MAC_LEN)
		return -ERR_TRUNCATED;
	return 0;
}

void
ssp_dgram_head(uint8_t *p, const struct ssp_dgram *d)
{
	struct wr w;

	wr_init(&w, p, SSP_DGRAM_HEAD);
	wr_u8(&w, (uint8_t)(SSP_WIRE_VERSION << 4 | (unsigned)d->type << 2 |
			    (d->phase & 3)));
	wr_u64(&w, d->cid);
	if (d->type == SSP_DGRAM_DATA || d->type == SSP_DGRAM_PROBE) {
		wr_u32(&w, d->low);
	} else {
		wr_u8(&w, d->lo);
		wr_u8(&w, d->hi);
		wr_u16(&w, d->noise_len);
	}
	bug_assert(w.err == 0 && wr_left(&w) == 0);
}

uint64_t
ssp_dgram_number(uint64_t next, uint32_t low)
{
	uint64_t n;

	n = (next & ~UINT64_C(0xffffffff)) | low;
	if (n + UINT64_C(0x80000000) <= next && n < UINT64_C(1) << 62)
		return n + (UINT64_C(1) << 32);
	if (n > next + UINT64_C(0x80000000) && n >= UINT64_C(1) << 32)
		return n - (UINT64_C(1) << 32);
	return n;
}

size_t
ssp_dgram_seal(uint8_t *p, enum ssp_dgram_type type, unsigned phase,
    uint64_t cid, uint64_t n, const uint8_t key[static SSP_KEY_LEN], size_t len)
{
	struct ssp_dgram d = {
		.type = type, .phase = phase, .cid = cid, .low = (uint32_t)n
	};

	ssp_dgram_head(p, &d);
	ssp_seal(key, dgram_nonce(type, n), p, SSP_DGRAM_HEAD,
	    p + SSP_DGRAM_HEAD, len);
	return SSP_DGRAM_HEAD + len + SSP_TAG_LEN;
}

int
ssp_dgram_open(uint8_t *p, size_t len, const struct ssp_dgram *d, uint64_t n,
    const uint8_t key[static SSP_KEY_LEN], size_t *plain_len)
{
	int r;

	bug_assert(len >= SSP_DGRAM_OVERHEAD);
	r = ssp_open(key, dgram_nonce(d->type, n), p, SSP_DGRAM_HEAD,
	    p + SSP_DGRAM_HEAD, len - SSP_DGRAM_HEAD);
	*plain_len = r == 0 ? len - SSP_DGRAM_HEAD - SSP_TAG_LEN : 0;
	return r;
}

size_t
ssp_dgram_padded(size_t len, size_t step, size_t max)
{
	size_t n = len;

	if (step > 1)
		n = (len + step - 1) / step * step;
	return n > max && len <= max ? max : n;
}
