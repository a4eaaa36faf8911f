#include "ssp/ticket.h"

#include <sodium.h>
#include <string.h>

#include "base/err.h"
#include "base/wire.h"
#include "ssp/datagram.h"

#define TICKET_SUM 4
#define TICKET_BYTES_MAX    \
 (1 + 4 + SSP_KEY_LEN + 1 + \
     SSP_TICKET_ADDRS_MAX * (2 + 1 + SSP_TICKET_ADDR_MAX) + TICKET_SUM)
#define TICKET_VARIANT sodium_base64_VARIANT_URLSAFE_NO_PADDING

_Static_assert(SSP_TICKET_TEXT_MAX >= (TICKET_BYTES_MAX + 2) / 3 * 4 + 1,
    "the longest ticket fits");

void
ssp_ticket_wipe(struct ssp_ticket *t)
{
	ssp_wipe(t, sizeof(*t));
}

static bool
host_bytes(const uint8_t *p, size_t n)
{
	size_t i;

	/* A leading dash could be taken for an option. */
	if (n == 0 || n > SSP_TICKET_ADDR_MAX || p[0] == '-')
		return false;
	for (i = 0; i < n; i++)
		if (!((p[i] >= 'a' && p[i] <= 'z') ||
			(p[i] >= 'A' && p[i] <= 'Z') ||
			(p[i] >= '0' && p[i] <= '9') ||
			(p[i] != '\0' && strchr("-.:_%", p[i]) != NULL)))
			return false;
	return true;
}

bool
ssp_ticket_host(const char *text)
{
	return host_bytes((const uint8_t *)text, strlen(text));
}

/* Computes the checksum that detects lost or changed characters. */
static void
ticket_sum(uint8_t out[static TICKET_SUM], const uint8_t *p, size_t n)
{
	uint8_t hash[SSP_HASH_LEN];

	ssp_hash(hash, (const uint8_t *)"rmux ticket", 11, p, n);
	memcpy(out, hash, TICKET_SUM);
}

int
ssp_ticket_format(const struct ssp_ticket *t, struct buf *out)
{
	uint8_t raw[TICKET_BYTES_MAX];
	char text[SSP_TICKET_TEXT_MAX];
	size_t i, n;
	struct wr w;
	int r;

	if (t->naddrs == 0 || t->naddrs > SSP_TICKET_ADDRS_MAX)
		return -ERR_LIMIT;
	wr_init(&w, raw, sizeof(raw) - TICKET_SUM);
	wr_u8(&w, SSP_TICKET_VERSION);
	wr_u32(&w, t->tag);
	wr_bytes(&w, t->key, SSP_KEY_LEN);
	wr_u8(&w, (uint8_t)t->naddrs);
	for (i = 0; i < t->naddrs; i++) {
		n = strlen(t->addrs[i].host);
		if (!host_bytes((const uint8_t *)t->addrs[i].host, n) ||
		    t->addrs[i].port == 0) {
			ssp_wipe(raw, sizeof(raw));
			return -ERR_SYNTAX;
		}
		wr_u16(&w, t->addrs[i].port);
		wr_u8(&w, (uint8_t)n);
		wr_bytes(&w, t->addrs[i].host, n);
	}
	bug_assert(w.err == 0);
	n = wr_len(&w);
	ticket_sum(raw + n, raw, n);
	sodium_bin2base64(
	    text, sizeof(text), raw, n + TICKET_SUM, TICKET_VARIANT);
	r = buf_add(out, text, strlen(text));
	ssp_wipe(raw, sizeof(raw));
	ssp_wipe(text, sizeof(text));
	ssp_wipe_stack();
	return r;
}

static int
ticket_read(struct rd *r, struct ssp_ticket *t)
{
	const uint8_t *p;
	size_t i, n;

	if (rd_u8(r) != SSP_TICKET_VERSION)
		return -ERR_SYNTAX;
	t->tag = rd_u32(r);
	if ((p = rd_bytes(r, SSP_KEY_LEN)) == NULL)
		return -ERR_SYNTAX;
	memcpy(t->key, p, SSP_KEY_LEN);
	t->naddrs = rd_u8(r);
	if (r->err != 0 || t->naddrs == 0 || t->naddrs > SSP_TICKET_ADDRS_MAX)
		return -ERR_SYNTAX;
	for (i = 0; i < t->naddrs; i++) {
		t->addrs[i].port = rd_u16(r);
		n = rd_u8(r);
		p = rd_bytes(r, n);
		if (r->err != 0 || p == NULL || t->addrs[i].port == 0 ||
		    !host_bytes(p, n))
			return -ERR_SYNTAX;
		memcpy(t->addrs[i].host, p, n);
		t->addrs[i].host[n] = '\0';
	}
	return rd_done(r) == 0 ? 0 : -ERR_SYNTAX;
}

int
ssp_ticket_parse(const char *text, size_t len, struct ssp_ticket *t)
{
	uint8_t raw[TICKET_BYTES_MAX], sum[TICKET_SUM];
	size_t n = 0;
	struct rd r;
	int e = -ERR_SYNTAX;

	memset(t, 0, sizeof(*t));
	if (len < SSP_TICKET_TEXT_MAX &&
	    ssp_text_parse(text, len, raw, sizeof(raw), &n) == 0 &&
	    n > TICKET_SUM) {
		n -= TICKET_SUM;
		ticket_sum(sum, raw, n);
		rd_init(&r, raw, n);
		if (ssp_equal(sum, raw + n, TICKET_SUM))
			e = ticket_read(&r, t);
	}
	ssp_wipe(raw, sizeof(raw));
	ssp_wipe_stack();
	if (e != 0)
		ssp_ticket_wipe(t);
	return e;
}

uint64_t
ssp_ticket_cid(uint32_t tag, uint32_t random)
{
	return (uint64_t)tag << 32 | random;
}

uint32_t
ssp_ticket_tag(uint64_t cid)
{
	return (uint32_t)(cid >> 32);
}

void
ssp_ticket_psk(uint8_t out[static SSP_KEY_LEN],
    const uint8_t key[static SSP_KEY_LEN], uint64_t cid)
{
	uint8_t in[SSP_KEY_LEN + 8];
	struct wr w;

	wr_init(&w, in, sizeof(in));
	wr_bytes(&w, key, SSP_KEY_LEN);
	wr_u64(&w, cid);
	ssp_derive(out, in, sizeof(in), "rmux join");
	ssp_wipe(in, sizeof(in));
	ssp_wipe_stack();
}

bool
ssp_ticket_opens(const uint8_t psk[static SSP_KEY_LEN], uint64_t cid,
    const uint8_t *p, size_t len)
{
	uint8_t key[SSP_KEY_LEN], mac[SSP_MAC_LEN];
	struct ssp_dgram d;
	bool opens;
	size_t n;

	if (ssp_dgram_parse(p, len, &d) != 0 || d.type != SSP_DGRAM_INIT ||
	    d.phase != 0 || d.cid != cid)
		return false;
	n = SSP_DGRAM_HEAD + (size_t)d.noise_len;
	if (len < n + SSP_MAC_LEN)
		return false;
	ssp_derive(key, psk, SSP_KEY_LEN, "rmux mac");
	ssp_mac(mac, key, p, n);
	opens = ssp_equal(mac, p + n, SSP_MAC_LEN);
	ssp_wipe(key, sizeof(key));
	ssp_wipe_stack();
	return opens;
}
