#include "ssp/handshake.h"

#include <string.h>

#include "base/err.h"
#include "base/wire.h"

static const char hs_label[] = "rmux ssp";
static const char hs_mac_label[] = "rmux mac";

/* Sets the psk of the next handshake over the previous one. */
static void
hs_set_psk(struct ssp_hs *hs, const uint8_t *psk)
{
	memmove(hs->sec->psk, psk, SSP_KEY_LEN);
	ssp_derive(hs->sec->mac, hs->sec->psk, SSP_KEY_LEN, hs_mac_label);
	ssp_wipe_stack();
}

void
ssp_hs_init(struct ssp_hs *hs, bool initiator, uint64_t cid, uint8_t lo,
    uint8_t hi, struct ssp_secrets *sec, const uint8_t psk[static SSP_KEY_LEN])
{
	memset(hs, 0, sizeof(*hs));
	hs->sec = sec;
	hs->initiator = initiator;
	hs->cid = cid;
	hs->lo = lo;
	hs->hi = hi;
	hs_set_psk(hs, psk);
}

void
ssp_hs_mix(struct ssp_hs *hs, const uint8_t shared[static SSP_KEM_SHARED],
    const uint8_t *said, size_t len)
{
	static const char label[] = "rmux hybrid";
	uint8_t key[SSP_KEY_LEN + SSP_KEM_SHARED], psk[SSP_KEY_LEN];
	uint8_t text[sizeof(label) - 1 + 128];

	bug_assert(!hs->running && len <= 128);
	memcpy(key, hs->sec->psk, SSP_KEY_LEN);
	memcpy(key + SSP_KEY_LEN, shared, SSP_KEM_SHARED);
	memcpy(text, label, sizeof(label) - 1);
	memcpy(text + sizeof(label) - 1, said, len);
	ssp_keyed_hash(psk, key, sizeof(key), text, sizeof(label) - 1 + len);
	hs_set_psk(hs, psk);
	ssp_wipe(key, sizeof(key));
	ssp_wipe(psk, sizeof(psk));
}

/*
 * Starts Noise.  LO and HI are the initiator's versions: the prologue contains
 * them, so a handshake with altered versions fails.
 */
static void
hs_start_noise(struct ssp_hs *hs, struct ssp_noise *ns, uint8_t lo, uint8_t hi)
{
	uint8_t prologue[8 + 1 + 8 + 8 + 2];
	struct wr w;

	wr_init(&w, prologue, sizeof(prologue));
	wr_bytes(&w, hs_label, 8);
	wr_u8(&w, SSP_WIRE_VERSION);
	wr_u64(&w, hs->cid);
	wr_u64(&w, hs->epoch);
	wr_u8(&w, lo);
	wr_u8(&w, hi);
	bug_assert(w.err == 0);
	ssp_noise_init(ns, prologue, wr_len(&w), hs->sec->psk);
}

/*
 * Ends Noise: stores the keys of the epoch and the psk of the next handshake,
 * wipes the rest.
 */
static void
hs_complete(struct ssp_hs *hs, struct ssp_noise *ns)
{
	struct ssp_secrets *sec = hs->sec;
	unsigned slot = (unsigned)hs->epoch % SSP_EPOCH_SLOTS;
	uint8_t *to_r = sec->epoch[slot].recv, *to_i = sec->epoch[slot].send;

	if (hs->initiator) {
		to_r = sec->epoch[slot].send;
		to_i = sec->epoch[slot].recv;
	}
	if (hs->epoch == 0)
		ssp_words_derive(hs->words, ns->h);
	ssp_noise_split(ns, to_r, to_i, sec->e);
	hs_set_psk(hs, sec->e);
	ssp_wipe(sec->e, sizeof(sec->e));
	ssp_noise_fini(&sec->noise);
	ssp_noise_fini(&sec->work);
	hs->epoch++;
	hs->running = false;
}

uint8_t *
ssp_hs_plain(struct ssp_hs *hs)
{
	return hs->msg + SSP_DGRAM_HEAD + SSP_KEY_LEN;
}

int
ssp_hs_write(struct ssp_hs *hs, size_t len)
{
	struct ssp_secrets *sec = hs->sec;
	struct ssp_dgram d = { .cid = hs->cid, .lo = hs->lo, .hi = hs->hi };
	uint8_t *noise = hs->msg + SSP_DGRAM_HEAD;
	int r = 0;

	bug_assert(len <= SSP_HS_PLAIN_MAX);
	if (hs->running == hs->initiator)
		return -ERR_STATE;
	d.type = hs->initiator ? SSP_DGRAM_INIT : SSP_DGRAM_RESP;
	d.phase = (unsigned)hs->epoch % SSP_EPOCH_SLOTS;
	d.noise_len = (uint16_t)(SSP_KEY_LEN + len + SSP_TAG_LEN);
	ssp_dgram_head(hs->msg, &d);
	if (hs->initiator) {
		hs_start_noise(hs, &sec->noise, hs->lo, hs->hi);
		ssp_noise_write1(&sec->noise, sec->e, noise, len);
		hs->running = true;
	} else {
		r = ssp_noise_write2(&sec->noise, sec->e, noise, len);
	}
	ssp_wipe(sec->e, sizeof(sec->e));
	if (r != 0) {
		/* The peer has the psk but sent a point of low order. */
		hs->running = false;
		hs->len = 0;
		return r;
	}
	hs->len = SSP_DGRAM_HEAD + d.noise_len;
	ssp_mac(hs->msg + hs->len, sec->mac, hs->msg, hs->len);
	hs->len += SSP_MAC_LEN;
	if (!hs->initiator)
		hs_complete(hs, &sec->noise);
	return 0;
}

static int
hs_read_init(struct ssp_hs *hs, const struct ssp_dgram *d, uint8_t *noise)
{
	struct ssp_secrets *sec = hs->sec;
	uint8_t seen[SSP_HS_SEEN];
	int r;

	if (hs->running || d->phase != hs->epoch % SSP_EPOCH_SLOTS)
		return -ERR_STATE;
	memcpy(seen, noise, SSP_KEY_LEN);
	memcpy(seen + SSP_KEY_LEN, noise + d->noise_len, SSP_MAC_LEN);
	hs_start_noise(hs, &sec->work, d->lo, d->hi);
	r = ssp_noise_read1(&sec->work, noise, d->noise_len);
	if (r == 0) {
		memcpy(&sec->noise, &sec->work, sizeof(sec->noise));
		memcpy(hs->seen, seen, sizeof(hs->seen));
		hs->have_seen = true;
		hs->running = true;
		hs->len = 0;
	}
	ssp_noise_fini(&sec->work);
	return r;
}

static int
hs_read_resp(struct ssp_hs *hs, const struct ssp_dgram *d, uint8_t *noise)
{
	struct ssp_secrets *sec = hs->sec;
	int r;

	if (!hs->running || d->phase != hs->epoch % SSP_EPOCH_SLOTS)
		return -ERR_STATE;
	memcpy(&sec->work, &sec->noise, sizeof(sec->work));
	r = ssp_noise_read2(&sec->work, noise, d->noise_len);
	if (r == 0)
		hs_complete(hs, &sec->work);
	ssp_noise_fini(&sec->work);
	return r;
}

bool
ssp_hs_repeated(
    const struct ssp_hs *hs, const struct ssp_dgram *d, const uint8_t *p)
{
	const uint8_t *noise = p + SSP_DGRAM_HEAD;

	return hs->have_seen && hs->len != 0 &&
	       ssp_equal(hs->seen, noise, SSP_KEY_LEN) &&
	       ssp_equal(
		   hs->seen + SSP_KEY_LEN, noise + d->noise_len, SSP_MAC_LEN);
}

bool
ssp_hs_opens(const uint8_t psk[static SSP_KEY_LEN], const struct ssp_dgram *d,
    const uint8_t *p, size_t len)
{
	size_t covered = SSP_DGRAM_HEAD + (size_t)d->noise_len;
	uint8_t key[SSP_KEY_LEN], mac[SSP_MAC_LEN];

	if (d->type != SSP_DGRAM_INIT || covered + SSP_MAC_LEN > len ||
	    covered + SSP_MAC_LEN > SSP_DGRAM_FLOOR)
		return false;
	ssp_derive(key, psk, SSP_KEY_LEN, hs_mac_label);
	ssp_mac(mac, key, p, covered);
	ssp_wipe(key, sizeof(key));
	return ssp_equal(mac, p + covered, SSP_MAC_LEN);
}

int
ssp_hs_read(struct ssp_hs *hs, const struct ssp_dgram *d, uint8_t *p,
    size_t len, uint8_t **plain, size_t *plain_len)
{
	uint8_t *noise = p + SSP_DGRAM_HEAD, mac[SSP_MAC_LEN];
	size_t covered = SSP_DGRAM_HEAD + (size_t)d->noise_len;
	bool init = d->type == SSP_DGRAM_INIT;
	int r;

	bug_assert(len >= covered + SSP_MAC_LEN);
	if (init == hs->initiator ||
	    (d->type != SSP_DGRAM_INIT && d->type != SSP_DGRAM_RESP))
		return -ERR_STATE;
	if (covered + SSP_MAC_LEN > SSP_DGRAM_FLOOR)
		return -ERR_TRUNCATED;
	if (init && ssp_hs_repeated(hs, d, p))
		return 1;
	/* security: the one cheap check, before any other cryptography. */
	ssp_mac(mac, hs->sec->mac, p, covered);
	if (!ssp_equal(mac, p + covered, SSP_MAC_LEN))
		return -ERR_AUTH;
	r = init ? hs_read_init(hs, d, noise) : hs_read_resp(hs, d, noise);
	if (r != 0)
		return r;
	hs->peer_lo = d->lo;
	hs->peer_hi = d->hi;
	*plain = noise + SSP_KEY_LEN;
	*plain_len = d->noise_len - SSP_NOISE_OVERHEAD;
	return 0;
}
