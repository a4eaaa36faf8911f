#include "ssp/ticket.h"

#include <sodium.h>
#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "base/wire.h"
#include "ssp/datagram.h"
#include "ssp/words.h"

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
	size_t i, colons = 0;

	/* A leading dash could be taken for an option. */
	if (n == 0 || n > SSP_TICKET_ADDR_MAX || p[0] == '-')
		return false;
	for (i = 0; i < n; i++) {
		colons += p[i] == ':';
		if (!((p[i] >= 'a' && p[i] <= 'z') ||
			(p[i] >= 'A' && p[i] <= 'Z') ||
			(p[i] >= '0' && p[i] <= '9') ||
			(p[i] != '\0' && strchr("-.:_%", p[i]) != NULL)))
			return false;
	}
	/* What follows the only colon would be taken for a port. */
	return colons != 1;
}

bool
ssp_ticket_host(const char *text)
{
	return host_bytes((const uint8_t *)text, strlen(text));
}

int
ssp_ticket_add(struct ssp_ticket *t, const char *text, uint16_t port)
{
	struct ssp_ticket_addr *a = &t->addrs[t->naddrs];
	const char *end, *colon = NULL;
	int64_t n = port;

	if (t->naddrs == SSP_TICKET_ADDRS_MAX)
		return -ERR_LIMIT;
	end = text + strlen(text);
	if (*text == '[' && strchr(text, ']') != NULL) {
		end = strchr(++text, ']');
		if (end[1] != '\0' && end[1] != ':')
			return -ERR_SYNTAX;
		colon = end[1] == ':' ? end + 1 : NULL;
	} else if (strchr(text, ':') == strrchr(text, ':')) {
		colon = strchr(text, ':');
		end = colon == NULL ? end : colon;
	}
	if ((colon != NULL && str_to_int(colon + 1, 1, 65535, &n) != 0) ||
	    !host_bytes((const uint8_t *)text, (size_t)(end - text)))
		return -ERR_SYNTAX;
	memcpy(a->host, text, (size_t)(end - text));
	a->host[end - text] = '\0';
	a->port = (uint16_t)n;
	t->naddrs++;
	return 0;
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

/* --- spoken tickets --------------------------------------------------------------- */

/* Completes KEY and *TAG; returns the bits of the last word. */
static unsigned
said_complete(uint8_t key[static SSP_KEY_LEN], uint32_t *tag)
{
	uint8_t more[SSP_KEY_LEN];
	unsigned check;
	struct rd r;

	ssp_derive(more, key, SSP_TICKET_SAID, "rmux spoken");
	memcpy(key + SSP_TICKET_SAID, more, SSP_KEY_LEN - SSP_TICKET_SAID);
	rd_init(&r, more + SSP_TICKET_SAID, SSP_TICKET_SAID);
	*tag = rd_u32(&r);
	check = rd_u16(&r);
	ssp_wipe(more, sizeof(more));
	ssp_wipe_stack();
	return check;
}

void
ssp_ticket_spoken(uint8_t key[static SSP_KEY_LEN], uint32_t *tag)
{
	(void)said_complete(key, tag);
}

int
ssp_ticket_say(const struct ssp_ticket *t, size_t addr, struct buf *out)
{
	const struct ssp_ticket_addr *a = &t->addrs[addr];
	const bool v6 = strchr(a->host, ':') != NULL;
	char text[SSP_TICKET_WORDS * (SSP_WORD_LETTERS + 1)];
	uint8_t key[SSP_KEY_LEN];
	unsigned check, bits;
	uint32_t tag;
	size_t i;
	int r;

	bug_assert(addr < t->naddrs);
	memcpy(key, t->key, sizeof(key));
	check = said_complete(key, &tag);
	r = tag == t->tag && ssp_equal(key, t->key, sizeof(key)) ? 0
								 : -ERR_SYNTAX;
	for (i = 0; i < SSP_TICKET_WORDS; i++) {
		bits = i < SSP_TICKET_SAID / 2
			   ? (unsigned)key[2 * i] << 8 | key[2 * i + 1]
			   : check;
		text[i * (SSP_WORD_LETTERS + 1)] = '-';
		ssp_word_put(text + i * (SSP_WORD_LETTERS + 1) + 1, bits);
	}
	text[0] = ' ';
	if (r == 0 && a->port != SSP_TICKET_PORT)
		r = buf_addf(out, v6 ? "[%s]:%u" : "%s:%u", a->host, a->port);
	else if (r == 0)
		r = buf_add_str(out, a->host);
	if (r == 0)
		r = buf_add(out, text, sizeof(text));
	ssp_wipe(key, sizeof(key));
	ssp_wipe(text, sizeof(text));
	ssp_wipe_stack();
	return r;
}

/* Reads the words at TEXT; returns the number of the first bad one, or 0. */
static unsigned
hear_words(const char *text, struct ssp_ticket *t)
{
	unsigned i, check = 0;
	int bits;

	for (i = 0; i < SSP_TICKET_WORDS; i++) {
		text += strspn(text, " -");
		if (strcspn(text, " -") != SSP_WORD_LETTERS ||
		    (bits = ssp_word_get(text)) < 0)
			return i + 1;
		text += SSP_WORD_LETTERS;
		if (i < SSP_TICKET_SAID / 2) {
			t->key[2 * i] = (uint8_t)(bits >> 8);
			t->key[2 * i + 1] = (uint8_t)bits;
		} else
			check = (unsigned)bits;
	}
	if (text[strspn(text, " -")] != '\0' ||
	    said_complete(t->key, &t->tag) != check)
		return SSP_TICKET_WORDS + 1;
	return 0;
}

int
ssp_ticket_hear(const char *text, struct ssp_ticket *t, unsigned *wrong)
{
	char host[SSP_TICKET_ADDR_MAX + sizeof("[]:65535")];
	size_t n;

	memset(t, 0, sizeof(*t));
	*wrong = 0;
	text += strspn(text, " ");
	n = strcspn(text, " ");
	if (n < sizeof(host)) {
		memcpy(host, text, n);
		host[n] = '\0';
		if (ssp_ticket_add(t, host, SSP_TICKET_PORT) == 0 &&
		    (*wrong = hear_words(text + n, t)) == 0)
			return 0;
	}
	ssp_ticket_wipe(t);
	return -ERR_SYNTAX;
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
