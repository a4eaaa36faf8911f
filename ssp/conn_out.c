/*
 * Writes datagrams: asks a list of functions, the most urgent first, for one.
 */
#include <string.h>

#include "base/err.h"
#include "ssp/conn_int.h"

#define OUT_INIT_SIZE SSP_DGRAM_BASE /* first INITs: credit for the answer */
#define OUT_SHORT_MAX 448            /* maximum plaintext of the short form */
#define OUT_SHORT_AHEAD 16384        /* numbers; half the window of 16 bits */

/* Starts a plaintext: timestamp and reply. */
static void
out_stamps(struct ssp_conn *c, mono_ms now, int path, struct wr *w)
{
	struct ssp_stamp none = { 0, 0, false };
	struct ssp_stamp *s = path < 0 ? &none : &c->paths.p[path].stamp;

	wr_u16(w, ssp_stamp_now(now));
	wr_u16(w, ssp_stamp_reply(s, now));
}

static void
out_hello(const struct ssp_conn *c, struct wr *w)
{
	uint8_t body[16];
	struct wr b;

	wr_init(&b, body, sizeof(body));
	wr_u8(&b, c->client ? 0 : c->version);
	wr_u8(&b, c->cfg.version_lo);
	wr_u8(&b, c->cfg.version_hi);
	wr_varint(&b, c->cfg.caps & WIRE_VARINT_MAX);
	ssp_frame_put(w, SSP_FRAME_HELLO, body, wr_len(&b));
}

/* Pads W with zeros; returns the padded length. */
static size_t
out_pad(struct ssp_conn *c, struct wr *w, size_t max)
{
	size_t len = wr_len(w), n = ssp_dgram_padded(len, c->cfg.pad, max);

	memset(w->start + len, 0, n - len);
	c->st.padding += n - len;
	return n;
}

static void
out_booked(struct ssp_conn *c, mono_ms now, int path, uint64_t pn, size_t n)
{
	if (path >= 0)
		ssp_path_sent(&c->paths.p[path], n);
	c->epoch_out++;
	conn_trace(c, now, SSP_TRACE_DGRAM_OUT, (int64_t)n, (int64_t)pn, path);
}

/*
 * Builds INIT or RESP; the first handshake also carries the first payload, as
 * datagram number 0.
 */
static int
out_handshake(struct ssp_conn *c, mono_ms now, int path)
{
	struct wr w;
	size_t n;

	wr_init(&w, ssp_hs_plain(&c->hs), SSP_HS_PLAIN_MAX);
	out_stamps(c, now, path, &w);
	out_hello(c, &w);
	if (c->hs.epoch == 0 && c->state == SSP_CONN_OPENING) {
		n = conn_kem_holds(c, now)
			? 0
			: c->cfg.payload.ops->send(
			      c->cfg.payload.arg, now, 0, w.p, wr_left(&w));
		w.p += n;
		c->pn_data = 1;
	}
	n = out_pad(c, &w, SSP_HS_PLAIN_MAX);
	conn_random(c, c->sec->e, sizeof(c->sec->e));
	return ssp_hs_write(&c->hs, n);
}

/* Writes RESP, new or repeated. */
static size_t
out_resp(struct ssp_conn *c, mono_ms now, struct ssp_path_addr *to,
    uint8_t *out, size_t cap)
{
	uint64_t epoch = c->hs.epoch;
	int path;

	if (!c->resp_due)
		return 0;
	path = ssp_paths_find(&c->paths, &c->resp_to);
	if (!c->resp_again) {
		if (out_handshake(c, now, path) != 0) {
			c->resp_due = false;
			return 0;
		}
		conn_epoch_made(c, epoch);
		if (epoch == 0 && c->version != 0)
			conn_epoch_use(c, now, 0);
		c->resp_first = c->resp_to;
		c->resp_single = true;
	} else if (!ssp_addr_equal(&c->resp_to.remote, &c->resp_first.remote)) {
		c->resp_single = false;
	}
	c->resp_due = false;
	c->resp_sent_at = now;
	/* security: send at most three bytes for each byte received. */
	if (c->hs.len == 0 || c->hs.len > c->resp_limit || c->hs.len > cap)
		return 0;
	memcpy(out, c->hs.msg, c->hs.len);
	*to = c->resp_to;
	conn_trace(c, now, SSP_TRACE_HANDSHAKE, (int64_t)c->hs.epoch - 1,
	    SSP_HS_RESP_SENT, c->resp_again);
	out_booked(c, now, path, 0, c->hs.len);
	return c->hs.len;
}

/* Returns the paths of this round of INIT, as a bit mask. */
static unsigned
out_init_paths(const struct ssp_conn *c)
{
	unsigned mask = 0;
	int i;

	if (c->paths.active >= 0 && c->init_tries == 0)
		return 1u << c->paths.active;
	for (i = 0; i < SSP_PATHS_MAX; i++)
		if (c->paths.p[i].used)
			mask |= 1u << i;
	return mask;
}

static void
out_init_round(struct ssp_conn *c, mono_ms now)
{
	mono_ms wait = CONN_INIT_FIRST;

	if (c->can_send)
		wait = CLAMP(
		    2 * conn_rto(c), (mono_ms)CONN_INIT_FIRST, (mono_ms)2000);
	c->init_mask = out_init_paths(c);
	/* Loss is random: no back-off for the first rounds. */
	if (c->can_send || c->init_tries >= CONN_INIT_EVEN)
		wait <<= MIN_OF(
		    c->init_tries - (c->can_send ? 0 : CONN_INIT_EVEN), 5u);
	c->init_tries++;
	c->init_sent_at = now;
	c->init_at = now + MIN_OF(wait, (mono_ms)CONN_INIT_MAX);
	conn_trace(c, now, SSP_TRACE_HANDSHAKE, (int64_t)c->hs.epoch,
	    SSP_HS_INIT_SENT, c->init_tries);
}

/* Writes INIT, the same bytes until it is answered. */
static size_t
out_init(struct ssp_conn *c, mono_ms now, struct ssp_path_addr *to,
    uint8_t *out, size_t cap)
{
	size_t n, size;
	int i;

	if (!c->client || c->paths.count == 0)
		return 0;
	if (now >= c->init_at) {
		if (!c->hs.running && out_handshake(c, now, -1) != 0)
			return 0;
		if (c->can_send && c->init_tries == 0)
			conn_rekey_spend(c, now);
		out_init_round(c, now);
	}
	for (i = 0; i < SSP_PATHS_MAX; i++)
		if (c->init_mask >> i & 1)
			break;
	if (i == SSP_PATHS_MAX)
		return 0;
	c->init_mask &= ~(1u << i);
	if (!c->paths.p[i].used || c->hs.len > cap)
		return 0;
	n = c->hs.len;
	memcpy(out, c->hs.msg, n);
	/*
	 * The first INITs are padded so that the server may answer with a whole
	 * screen; later ones fit every path and still allow any RESP.
	 */
	size =
	    c->init_tries <= CONN_INIT_PADDED ? OUT_INIT_SIZE : SSP_DGRAM_FLOOR;
	size = MIN_OF(cap, size);
	if (!c->can_send && n < size &&
	    c->paths.p[i].addr.remote.kind == SSP_ADDR_UDP) {
		memset(out + n, 0, size - n);
		n = size;
	}
	*to = c->paths.p[i].addr;
	out_booked(c, now, i, 0, n);
	return n;
}

/*
 * Seals a PROBE with the frames in W; a SIZE other than 0 pads it to that
 * datagram length.
 */
static size_t
out_probe(struct ssp_conn *c, mono_ms now, int path, struct wr *w,
    struct ssp_path_addr *to, uint8_t *out, size_t size)
{
	unsigned phase = (unsigned)c->send_epoch % SSP_EPOCH_SLOTS;
	size_t len = wr_len(w), n;
	uint64_t pn = c->pn_probe++;

	if (size > len + SSP_DGRAM_HEAD + SSP_TAG_LEN) {
		n = size - SSP_DGRAM_HEAD - SSP_TAG_LEN;
		memset(w->start + len, 0, n - len);
	} else {
		n = out_pad(c, w, (size_t)(w->end - w->start));
	}
	c->confirm_due = false;
	n = ssp_dgram_seal(out, SSP_DGRAM_PROBE, phase, c->cfg.cid, pn,
	    c->sec->epoch[phase].send, n);
	*to = c->paths.p[path].addr;
	out_booked(c, now, path, pn, n);
	return n;
}

/* Prepares the plaintext of a PROBE of at most LIMIT bytes. */
static bool
out_probe_start(struct ssp_conn *c, mono_ms now, int path, struct wr *w,
    uint8_t *out, size_t limit)
{
	if (limit < SSP_DGRAM_OVERHEAD + 16)
		return false;
	wr_init(w, out + SSP_DGRAM_HEAD, limit - SSP_DGRAM_HEAD - SSP_TAG_LEN);
	out_stamps(c, now, path, w);
	return true;
}

/* Returns the maximum interval of challenges; it grows with the silence. */
static mono_ms
out_ask_cap(const struct ssp_conn *c, mono_ms now, int i)
{
	if (!c->silent && i != c->paths.active)
		return c->roles && now - c->data_at < SSP_PATH_PROBE_IDLE
			   ? CONN_ASK_FAST
			   : SSP_PATH_PROBE_IDLE;
	return CLAMP((now - c->heard_at) / 20, (mono_ms)CONN_ASK_FAST,
	    (mono_ms)CONN_ASK_SLOW);
}

/* Writes the challenge, responses and rekey request due on path I, if any. */
static size_t
out_path_probe(struct ssp_conn *c, mono_ms now, int i, struct ssp_path_addr *to,
    uint8_t *out, size_t cap)
{
	struct ssp_path *p = &c->paths.p[i];
	bool ask = p->asking && now >= p->ask_at, rekey;
	size_t limit = MIN_OF(cap, (size_t)SSP_DGRAM_FLOOR);
	struct wr w;
	unsigned k;
	uint8_t role;

	rekey = !c->client && c->rekey_wanted && i == c->paths.active &&
		now - c->rekey_at >= CONN_REKEY_GAP;
	if (!ask && p->owed_count == 0 && !rekey &&
	    (!c->confirm_due || i != c->paths.active))
		return 0;
	limit = MIN_OF(limit, ssp_path_allowed(p));
	if (!out_probe_start(c, now, i, &w, out, limit)) {
		/* No credit: a later response would be useless. */
		p->owed_count = 0;
		if (ask)
			ssp_path_asked(p, now, CONN_ASK_FAST);
		return 0;
	}
	for (k = 0; k < p->owed_count; k++)
		if (wr_left(&w) >= 10)
			ssp_frame_put(&w, SSP_FRAME_RESPONSE, p->owed[k], 8);
	p->owed_count = 0;
	if (ask && wr_left(&w) >= 10) {
		conn_random(c, p->token, sizeof(p->token));
		ssp_frame_put(&w, SSP_FRAME_CHALLENGE, p->token, 8);
		ssp_path_asked(p, now, out_ask_cap(c, now, i));
	}
	if (ask && c->roles && (c->peer_caps & SSP_CAP_PATHS) != 0 &&
	    wr_left(&w) >= 3) {
		role = conn_copy_role(c, i);
		ssp_frame_put(&w, SSP_FRAME_ROLE, &role, 1);
	}
	if (rekey && wr_left(&w) >= 2) {
		ssp_frame_put(&w, SSP_FRAME_REKEY, NULL, 0);
		c->rekey_at = now;
	}
	return out_probe(c, now, i, &w, to, out, 0);
}

/* Writes a frame of the second key exchange. */
static size_t
out_kem(struct ssp_conn *c, mono_ms now, struct ssp_path_addr *to, uint8_t *out,
    size_t cap)
{
	int path = c->paths.active;
	size_t limit = MIN_OF(conn_path_limit(c, path), cap);
	struct wr w;

	limit = MIN_OF(limit, (size_t)SSP_DGRAM_FLOOR);
	if (limit < SSP_DGRAM_FLOOR || !conn_kem_due(c, now) ||
	    !out_probe_start(c, now, path, &w, out, limit) ||
	    !conn_kem_put(c, now, &w))
		return 0;
	return out_probe(c, now, path, &w, to, out, 0);
}

static size_t
out_paths(struct ssp_conn *c, mono_ms now, struct ssp_path_addr *to,
    uint8_t *out, size_t cap)
{
	size_t n;
	int i;

	if (!c->can_send || c->ended)
		return 0;
	for (i = 0; i < SSP_PATHS_MAX; i++) {
		if (!c->paths.p[i].used)
			continue;
		if ((n = out_path_probe(c, now, i, to, out, cap)) > 0)
			return n;
	}
	return 0;
}

/* Records a datagram sent; tracks the fate of a large one. */
static void
out_sent(struct ssp_conn *c, mono_ms now, int path, uint64_t pn, size_t n)
{
	struct ssp_path *p = &c->paths.p[path];
	struct conn_large *l;

	c->data_at = now;
	if (c->unanswered == 0 &&
	    (c->cfg.payload.ops->waiting == NULL ||
		c->cfg.payload.ops->waiting(c->cfg.payload.arg, now)))
		c->unanswered = MAX_OF(now, (mono_ms)1);
	if (n <= SSP_DGRAM_FLOOR || p->addr.remote.kind != SSP_ADDR_UDP)
		return;
	if (c->use == SSP_PATHS_AGGREGATE)
		conn_lane_bulk(c, now);
	ssp_pmtu_sent(&p->pmtu, now, n);
	l = &c->large[c->large_next++ % CONN_LARGE];
	l->pn = pn;
	l->size = (uint16_t)n;
	l->path = (int8_t)path;
	l->known = true;
}

/* Stops payloads until a datagram arrives. */
static void
out_blocked(struct ssp_conn *c, mono_ms now, int path, size_t limit)
{
	if (!c->blocked)
		conn_trace(
		    c, now, SSP_TRACE_PATH_BLOCKED, path, (int64_t)limit, 0);
	c->blocked = true;
}

/*
 * Returns the header form.  Small datagrams get a short header if 16 bits of
 * the number are unambiguous: the peer has acknowledged a number not far below.
 */
static enum ssp_dgram_form
out_form(const struct ssp_conn *c, size_t len)
{
	if (len > OUT_SHORT_MAX || c->pn_data - c->pn_acked > OUT_SHORT_AHEAD)
		return SSP_DGRAM_LONG;
	return c->client ? SSP_DGRAM_SHORT : SSP_DGRAM_BARE;
}

/* Writes a datagram of at most LIMIT bytes for PATH with what SEND writes. */
static size_t
out_data(struct ssp_conn *c, mono_ms now, int path, struct ssp_path_addr *to,
    uint8_t *out, size_t limit,
    size_t (*send)(void *, mono_ms, uint64_t, uint8_t *, size_t))
{
	unsigned phase = (unsigned)c->send_epoch % SSP_EPOCH_SLOTS;
	struct wr w;
	size_t n;

	wr_init(&w, out + SSP_DGRAM_HEAD, limit - SSP_DGRAM_HEAD - SSP_TAG_LEN);
	w.p += SSP_DGRAM_STAMPS;
	n = send(c->cfg.payload.arg, now, c->pn_data, w.p, wr_left(&w));
	if (n == 0)
		return 0;
	bug_assert(n <= wr_left(&w));
	w.p = w.start;
	out_stamps(c, now, path, &w);
	w.p += n;
	n = out_pad(c, &w, (size_t)(w.end - w.start));
	c->confirm_due = false;
	n = ssp_dgram_seal_data(out, out_form(c, n), phase, c->cfg.cid,
	    c->pn_data, c->sec->epoch[phase].send, n);
	*to = c->paths.p[path].addr;
	out_booked(c, now, path, c->pn_data, n);
	if (path == c->paths.active)
		conn_copy_sent(c, now, c->pn_data, out, n);
	out_sent(c, now, path, c->pn_data++, n);
	return n;
}

static size_t
out_payload(struct ssp_conn *c, mono_ms now, struct ssp_path_addr *to,
    uint8_t *out, size_t cap)
{
	int path = c->paths.active;
	size_t limit, n;

	if (!c->can_send || c->ended || path < 0 || conn_kem_holds(c, now))
		return 0;
	limit = MIN_OF(conn_path_limit(c, path), cap);
	if (limit < SSP_DGRAM_OVERHEAD + 16) {
		out_blocked(c, now, path, limit);
		return 0;
	}
	n = out_data(c, now, path, to, out, limit, c->cfg.payload.ops->send);
	/* The payload does not fit the remaining credit. */
	if (n == 0 && limit < c->paths.p[path].pmtu.size &&
	    c->cfg.payload.ops->deadline(c->cfg.payload.arg, now) <= now)
		out_blocked(c, now, path, limit);
	return n;
}

/* Writes a datagram of bulk for the second path. */
static size_t
out_lane(struct ssp_conn *c, mono_ms now, struct ssp_path_addr *to,
    uint8_t *out, size_t cap)
{
	size_t n;

	if (c->lane < 0 || !c->can_send || c->ended || conn_kem_holds(c, now))
		return 0;
	cap = MIN_OF(cap, conn_path_limit(c, c->lane));
	if (cap < SSP_DGRAM_FLOOR)
		return 0;
	n = out_data(
	    c, now, c->lane, to, out, cap, c->cfg.payload.ops->send_lane);
	if (n > 0)
		conn_lane_bulk(c, now);
	return n;
}

/* Writes one of a pair of probes, large and small, for the MTU of path I. */
static size_t
out_path_mtu(struct ssp_conn *c, mono_ms now, int i, struct ssp_path_addr *to,
    uint8_t *out, size_t cap)
{
	struct ssp_path *p;
	size_t size, limit;
	struct wr w;

	if (!conn_path_probing(c, i))
		return 0;
	p = &c->paths.p[i];
	size = p->mtu_small ? 0 : ssp_pmtu_poll(&p->pmtu, now, ssp_path_rto(p));
	conn_path_room(c, now);
	if ((size == 0 && !p->mtu_small) || size > cap)
		return 0;
	limit = MIN_OF(cap, size > 0 ? size : (size_t)SSP_DGRAM_FLOOR);
	if (!out_probe_start(c, now, i, &w, out, limit))
		return 0;
	if (size == 0) {
		p->mtu_small = false;
		conn_random(c, p->small_token, sizeof(p->small_token));
		ssp_frame_put(&w, SSP_FRAME_CHALLENGE, p->small_token, 8);
		return out_probe(c, now, i, &w, to, out, 0);
	}
	p->mtu_asked = p->mtu_small = true;
	p->mtu_size = size;
	c->st.mtu_probes++;
	conn_random(c, p->mtu_token, sizeof(p->mtu_token));
	ssp_frame_put(&w, SSP_FRAME_CHALLENGE, p->mtu_token, 8);
	return out_probe(c, now, i, &w, to, out, limit);
}

static size_t
out_mtu(struct ssp_conn *c, mono_ms now, struct ssp_path_addr *to, uint8_t *out,
    size_t cap)
{
	size_t n = out_path_mtu(c, now, c->paths.active, to, out, cap);

	return n > 0 || c->lane < 0
		   ? n
		   : out_path_mtu(c, now, c->lane, to, out, cap);
}

static size_t
out_abort(struct ssp_conn *c, mono_ms now, struct ssp_path_addr *to,
    uint8_t *out, size_t cap)
{
	uint8_t body[8];
	struct wr w, b;
	int i = c->paths.active;
	size_t limit;

	if (c->aborts_left == 0 || now < c->abort_at || i < 0)
		return 0;
	c->aborts_left--;
	c->abort_at = now + conn_rto(c);
	wr_init(&b, body, sizeof(body));
	wr_varint(&b, c->abort_code & WIRE_VARINT_MAX);
	if (c->sec == NULL) {
		c->aborts_left = 0;
		wr_init(&w, out, cap);
		wr_u8(&w, 0);
		out_stamps(c, now, i, &w);
		ssp_frame_put(&w, SSP_FRAME_ABORT, body, wr_len(&b));
		*to = c->paths.p[i].addr;
		return w.err == 0 ? wr_len(&w) : 0;
	}
	limit = MIN_OF(conn_path_limit(c, i), MIN_OF(cap, (size_t)512));
	if (!out_probe_start(c, now, i, &w, out, limit))
		return 0;
	ssp_frame_put(&w, SSP_FRAME_ABORT, body, wr_len(&b));
	return out_probe(c, now, i, &w, to, out, 0);
}

/* Writes one record of a trusted stream; the first contains HELLO. */
static size_t
out_trusted(struct ssp_conn *c, mono_ms now, struct ssp_path_addr *to,
    uint8_t *out, size_t cap)
{
	int path = c->paths.active;
	bool hello = !c->hello_sent;
	struct wr w;
	size_t n;

	if (path < 0)
		return 0;
	/* A server answers after it has chosen a version. */
	if (hello && !c->client && c->version == 0)
		return 0;
	wr_init(&w, out, MIN_OF(cap, conn_path_limit(c, path)));
	wr_u8(&w, 0);
	w.p += SSP_DGRAM_STAMPS;
	if (hello)
		out_hello(c, &w);
	if (w.err != 0)
		return 0;
	n = c->cfg.payload.ops->send(
	    c->cfg.payload.arg, now, c->pn_data, w.p, wr_left(&w));
	if (n == 0 && !hello)
		return 0;
	n += wr_len(&w);
	w.p = w.start + 1;
	out_stamps(c, now, path, &w);
	c->hello_sent = true;
	*to = c->paths.p[path].addr;
	out_booked(c, now, path, c->pn_data++, n);
	return n;
}

typedef size_t (*out_fn)(struct ssp_conn *c, mono_ms now,
    struct ssp_path_addr *to, uint8_t *out, size_t cap);

/* Order of urgency while the connection is open. */
static const out_fn out_open[] = { out_resp, out_init, out_kem, out_paths,
	conn_copy_output, out_payload, out_lane, out_mtu };
static const out_fn out_closed[] = { out_resp, out_abort };

size_t
conn_output(struct ssp_conn *c, mono_ms now, struct ssp_path_addr *to,
    uint8_t *out, size_t cap)
{
	bool open = c->state == SSP_CONN_OPENING || c->state == SSP_CONN_UP;
	const out_fn *fn = open ? out_open : out_closed;
	size_t i, n, count;

	if (c->sec == NULL)
		return open ? out_trusted(c, now, to, out, cap)
			    : out_abort(c, now, to, out, cap);
	count = open ? ARRAY_LEN(out_open) : ARRAY_LEN(out_closed);
	for (i = 0; i < count; i++)
		if ((n = fn[i](c, now, to, out, cap)) > 0)
			return n;
	return 0;
}
