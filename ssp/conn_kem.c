/*
 * The second key exchange of a connection: ML-KEM-768, in PROBEs of epoch 0.
 * Its secret enters the psk of epoch 1, so all later keys need it as well.
 *
 * The client's message is its encapsulation key, the server's the ciphertext.
 * Each is sent in pieces that fit every path; each frame says which pieces of
 * the other message its sender has.  The client repeats; the server answers.
 */
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "ssp/conn_int.h"

#define KEM_ALL ((1u << CONN_KEM_PIECES) - 1)
#define KEM_ASK (1u << CONN_KEM_PIECES) /* a frame without a piece */
#define KEM_HEAD 3 /* kind, pieces held, number of the piece */

enum kem_kind {
	KEM_KIND_KEY,
	KEM_KIND_TEXT
};

_Static_assert(SSP_KEM_KEY <= CONN_KEM_PIECES * CONN_KEM_PIECE, "pieces");

void
conn_kem_init(struct ssp_conn *c)
{
	if (c->sec == NULL || c->cfg.kem == NULL)
		return;
	c->cfg.caps |= SSP_CAP_MLKEM;
	c->kem = mem_zalloc(sizeof(*c->kem));
}

void
conn_kem_end(struct ssp_conn *c)
{
	mem_free(c->kem);
	c->kem = NULL;
	if (c->sec != NULL)
		ssp_wipe(c->sec->kem_seed, sizeof(c->sec->kem_seed));
}

bool
conn_kem_agree(struct ssp_conn *c)
{
	bool both = c->kem != NULL && (c->peer_caps & SSP_CAP_MLKEM) != 0;

	/* The first handshake decides. */
	if (c->kem_settled)
		return true;
	c->kem_settled = true;
	if (!both && c->kem != NULL)
		conn_kem_end(c);
	c->kem_agreed = both;
	return both || ((c->cfg.caps | c->peer_caps) & SSP_CAP_MLKEM_ONLY) == 0;
}

bool
conn_kem_pending(const struct ssp_conn *c)
{
	return c->kem_agreed && (!c->can_send || c->send_epoch == 0);
}

bool
conn_kem_holds(const struct ssp_conn *c, mono_ms now)
{
	if (c->sec == NULL || (c->can_send && c->send_epoch > 0))
		return false;
	if (((c->cfg.caps | c->peer_caps) & SSP_CAP_MLKEM_ONLY) != 0)
		return true;
	/* security: an attacker that drops the exchange gains 10 s at most. */
	return c->kem_agreed && c->can_send &&
	       now - c->epoch_at >= CONN_KEM_WAIT;
}

/* Our message and the peer's, with their lengths. */
static uint8_t *
kem_message(struct ssp_conn *c, enum kem_kind kind, size_t *len)
{
	*len = kind == KEM_KIND_KEY ? SSP_KEM_KEY : SSP_KEM_TEXT;
	return kind == KEM_KIND_KEY ? c->kem->key : c->kem->text;
}

static size_t
kem_piece_len(size_t len, unsigned i)
{
	return MIN_OF(len - i * CONN_KEM_PIECE, (size_t)CONN_KEM_PIECE);
}

/*
 * Mixes the shared secret into the psk of epoch 1.  All that both ends have
 * agreed on enters: an end that saw other bytes or offers gets another psk.
 */
static void
kem_mix(struct ssp_conn *c)
{
	uint8_t hash[SSP_HASH_LEN], said[SSP_HASH_LEN + 16];
	uint64_t mine = c->cfg.caps & WIRE_VARINT_MAX;
	struct wr w;

	ssp_hash(hash, c->kem->key, SSP_KEM_KEY, c->kem->text, SSP_KEM_TEXT);
	wr_init(&w, said, sizeof(said));
	wr_bytes(&w, hash, sizeof(hash));
	wr_u64(&w, c->client ? mine : c->peer_caps);
	wr_u64(&w, c->client ? c->peer_caps : mine);
	ssp_hs_mix(&c->hs, c->sec->kem_shared, said, sizeof(said));
	ssp_wipe(c->sec->kem_shared, sizeof(c->sec->kem_shared));
	ssp_wipe_stack();
	c->hybrid = true;
}

/* The client: makes the key pair at the first call. */
static int
kem_start(struct ssp_conn *c)
{
	int r;

	if (c->kem->started)
		return 0;
	conn_random(c, c->sec->kem_seed, sizeof(c->sec->kem_seed));
	r = c->cfg.kem->make(c->sec->kem_seed, c->kem->key);
	ssp_wipe_stack();
	c->kem->started = r == 0;
	return r;
}

/* The peer's message is complete. */
static int
kem_complete(struct ssp_conn *c)
{
	uint8_t *shared = c->sec->kem_shared;
	int r;

	if (c->client) {
		r = c->cfg.kem->open(c->sec->kem_seed, c->kem->text, shared);
	} else {
		conn_random(c, c->sec->kem_seed, SSP_KEM_RANDOM);
		r = c->cfg.kem->wrap(
		    c->kem->key, c->sec->kem_seed, c->kem->text, shared);
		c->kem->started = r == 0;
	}
	ssp_wipe(c->sec->kem_seed, sizeof(c->sec->kem_seed));
	ssp_wipe_stack();
	if (r != 0)
		return -ERR_PEER;
	kem_mix(c);
	if (c->client) {
		conn_kem_end(c);
		c->rekey_wanted = true;
	}
	return 0;
}

/* The server: what to answer, and when. */
static void
kem_answer(struct ssp_conn *c, mono_ms now)
{
	struct conn_kem *k = c->kem;

	if (k->have != KEM_ALL) {
		/* More pieces are on their way: report once. */
		if (k->due == 0)
			k->next = now + CONN_RESP_GAP;
		k->due = KEM_ASK;
		return;
	}
	/* security: a peer that repeats itself gets one answer in 20 ms. */
	if (k->due != 0 && k->due != KEM_ASK)
		return;
	k->next = MAX_OF(now, k->sent_at + CONN_RESP_GAP);
	k->due = ~k->told & KEM_ALL;
}

int
conn_kem_frame(struct ssp_conn *c, mono_ms now, const struct ssp_frame *f)
{
	enum kem_kind theirs = c->client ? KEM_KIND_TEXT : KEM_KIND_KEY;
	struct conn_kem *k = c->kem;
	size_t len, n;
	uint8_t *p;
	unsigned i;

	if (f->len < KEM_HEAD || f->body[0] != theirs ||
	    (f->body[1] & ~KEM_ALL) != 0 || f->body[2] > CONN_KEM_PIECES)
		return -ERR_PEER;
	/* Not offered, or complete. */
	if (k == NULL || !c->can_send || (c->client && !k->started))
		return 0;
	k->told |= f->body[1];
	i = f->body[2];
	if (i < CONN_KEM_PIECES && (k->have >> i & 1) == 0) {
		p = kem_message(c, theirs, &len);
		n = kem_piece_len(len, i);
		if (f->len != KEM_HEAD + n)
			return -ERR_PEER;
		memcpy(p + i * CONN_KEM_PIECE, f->body + KEM_HEAD, n);
		k->have |= 1u << i;
		if (k->have == KEM_ALL && kem_complete(c) != 0)
			return -ERR_PEER;
	}
	if (!c->client)
		kem_answer(c, now);
	return 0;
}

mono_ms
conn_kem_deadline(const struct ssp_conn *c)
{
	const struct conn_kem *k = c->kem;

	if (k == NULL || !c->can_send || c->version == 0)
		return MONO_NEVER;
	if (c->client)
		return k->due != 0 ? 0 : k->next;
	return k->due != 0 ? k->next : MONO_NEVER;
}

/* The client: starts a round. */
static void
kem_round(struct ssp_conn *c, mono_ms now)
{
	mono_ms wait =
	    CLAMP(2 * conn_rto(c), (mono_ms)CONN_INIT_FIRST, (mono_ms)2000);
	struct conn_kem *k = c->kem;

	k->due = ~k->told & KEM_ALL;
	if (k->due == 0)
		k->due = KEM_ASK;
	k->next =
	    now + MIN_OF(wait << MIN_OF(k->tries, 5u), (mono_ms)CONN_INIT_MAX);
	k->tries++;
}

bool
conn_kem_put(struct ssp_conn *c, mono_ms now, struct wr *w)
{
	enum kem_kind ours = c->client ? KEM_KIND_KEY : KEM_KIND_TEXT;
	uint8_t body[KEM_HEAD + CONN_KEM_PIECE];
	struct conn_kem *k = c->kem;
	unsigned i = 0;
	size_t len, n = 0;
	uint8_t *p;

	while ((k->due >> i & 1) == 0)
		i++;
	body[0] = (uint8_t)ours;
	body[1] = (uint8_t)k->have;
	body[2] = (uint8_t)i;
	if (i < CONN_KEM_PIECES) {
		p = kem_message(c, ours, &len);
		n = kem_piece_len(len, i);
		memcpy(body + KEM_HEAD, p + i * CONN_KEM_PIECE, n);
	}
	if (wr_left(w) < ssp_frame_size(SSP_FRAME_KEM, KEM_HEAD + n))
		return false;
	ssp_frame_put(w, SSP_FRAME_KEM, body, KEM_HEAD + n);
	k->due &= ~(1u << i);
	k->sent_at = now;
	return true;
}

bool
conn_kem_due(struct ssp_conn *c, mono_ms now)
{
	if (c->kem == NULL || !c->can_send || c->version == 0)
		return false;
	if (c->client) {
		if (now < c->kem->next && c->kem->due == 0)
			return false;
		if (kem_start(c) != 0) {
			c->kem->next = now + CONN_INIT_MAX;
			return false;
		}
		if (c->kem->due == 0 && now >= c->kem->next)
			kem_round(c, now);
		return c->kem->due != 0;
	}
	return c->kem->due != 0 && now >= c->kem->next;
}
