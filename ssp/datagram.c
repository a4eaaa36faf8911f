#include "ssp/datagram.h"

#include <string.h>

#include "base/err.h"
#include "base/wire.h"

/* PROBE datagrams have their own numbers and their own half of the nonces. */
#define DGRAM_PROBE_BIT (UINT64_C(1) << 63)

static uint64_t
dgram_nonce(enum ssp_dgram_type type, uint64_t n)
{
	return type == SSP_DGRAM_PROBE ? n | DGRAM_PROBE_BIT : n;
}

static bool
dgram_form_ok(const struct ssp_dgram *d)
{
	return d->form == SSP_DGRAM_LONG ||
	       (d->type == SSP_DGRAM_DATA &&
		   (d->form == SSP_DGRAM_SHORT || d->form == SSP_DGRAM_BARE));
}

static int
dgram_parse_short(struct rd *r, struct ssp_dgram *d)
{
	bool bare = d->form == SSP_DGRAM_BARE;

	d->head = bare ? SSP_DGRAM_HEAD_BARE : SSP_DGRAM_HEAD_SHORT;
	d->bits = 16;
	d->cid = bare ? 0 : rd_u64(r);
	d->low = rd_u16(r);
	d->lo = d->hi = 0;
	d->noise_len = 0;
	if (r->err != 0 || rd_left(r) < SSP_DGRAM_STAMPS + SSP_TAG_LEN)
		return -ERR_TRUNCATED;
	return 0;
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
	d->form = (enum ssp_dgram_form)(first >> 4);
	if (r.err == 0 && !dgram_form_ok(d))
		return -ERR_VERSION;
	if (d->form != SSP_DGRAM_LONG)
		return dgram_parse_short(&r, d);
	d->head = SSP_DGRAM_HEAD;
	d->bits = 32;
	d->cid = rd_u64(&r);
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
ssp_dgram_number(uint64_t next, uint32_t low, unsigned bits)
{
	uint64_t span = UINT64_C(1) << bits, half = span / 2, n;

	n = (next & ~(span - 1)) | low;
	if (n + half <= next && n < UINT64_C(1) << 62)
		return n + span;
	if (n > next + half && n >= span)
		return n - span;
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

size_t
ssp_dgram_seal_data(uint8_t *p, enum ssp_dgram_form form, unsigned phase,
    uint64_t cid, uint64_t n, const uint8_t key[static SSP_KEY_LEN], size_t len)
{
	struct wr w;
	size_t head;

	if (form == SSP_DGRAM_LONG)
		return ssp_dgram_seal(
		    p, SSP_DGRAM_DATA, phase, cid, n, key, len);
	wr_init(&w, p, SSP_DGRAM_HEAD);
	wr_u8(&w,
	    (uint8_t)((unsigned)form << 4 | SSP_DGRAM_DATA << 2 | (phase & 3)));
	if (form == SSP_DGRAM_SHORT)
		wr_u64(&w, cid);
	wr_u16(&w, (uint16_t)n);
	head = wr_len(&w);
	memmove(p + head, p + SSP_DGRAM_HEAD, len);
	ssp_seal(key, dgram_nonce(SSP_DGRAM_DATA, n), p, head, p + head, len);
	return head + len + SSP_TAG_LEN;
}

int
ssp_dgram_open(uint8_t *p, size_t len, const struct ssp_dgram *d, uint64_t n,
    const uint8_t key[static SSP_KEY_LEN], size_t *plain_len)
{
	int r;

	bug_assert(len >= d->head + SSP_DGRAM_STAMPS + SSP_TAG_LEN);
	r = ssp_open(key, dgram_nonce(d->type, n), p, d->head, p + d->head,
	    len - d->head);
	*plain_len = r == 0 ? len - d->head - SSP_TAG_LEN : 0;
	return r;
}

size_t
ssp_dgram_padded(size_t len, size_t step, size_t max)
{
	size_t n = len;

	if (step > 1 && len > 0)
		n = len <= step ? step
				: (len + step / 2 - 1) / step * step + step / 2;
	return n > max && len <= max ? max : n;
}
