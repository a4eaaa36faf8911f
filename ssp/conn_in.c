/*
 * Reads datagrams: the header, then the one cheap check, then the rest.
 * Nothing is stored or answered before the datagram proves that its sender has
 * the keys.
 */
#include <string.h>

#include "base/err.h"
#include "ssp/conn_int.h"

#define IN_CE 3 /* ECN codepoint "congestion experienced" */

static int
in_drop(struct ssp_conn *c, mono_ms now, enum ssp_drop why, size_t len, int r)
{
	c->st.drops[why]++;
	conn_trace(c, now, SSP_TRACE_DGRAM_BAD, why, (int64_t)len, 0);
	return r;
}

/*
 * Processes HELLO.  In a RESP the version is the agreed one; in an INIT it is 0
 * and we choose.
 */
static int
in_hello(struct ssp_conn *c, mono_ms now, const struct ssp_frame *f)
{
	struct rd r;
	uint8_t chosen, lo, hi;
	uint64_t caps;

	rd_init(&r, f->body, f->len);
	chosen = rd_u8(&r);
	lo = rd_u8(&r);
	hi = rd_u8(&r);
	caps = rd_varint(&r);
	/* Later versions may append fields. */
	if (r.err != 0 || lo > hi || lo == 0)
		return -ERR_PEER;
	c->peer_caps = caps;
	c->peer_hi = hi;
	if (c->cfg.payload.ops->peer != NULL)
		c->cfg.payload.ops->peer(c->cfg.payload.arg, now, caps);
	if (c->sec != NULL && !conn_kem_agree(c)) {
		c->version = 0;
		if (c->state != SSP_CONN_FAILED)
			conn_event(c, SSP_CONN_EV_FAILED, 0, NULL);
		c->state = SSP_CONN_FAILED;
		return 0;
	}
	if (c->client || chosen != 0)
		c->version = chosen;
	else
		c->version = MIN_OF(hi, c->cfg.version_hi);
	if (c->version < MAX_OF(lo, c->cfg.version_lo) ||
	    c->version > MIN_OF(hi, c->cfg.version_hi))
		c->version = 0;
	conn_trace(c, now, SSP_TRACE_VERSION, c->version, lo, hi);
	if (c->version != 0 || c->state == SSP_CONN_FAILED)
		return 0;
	c->state = SSP_CONN_FAILED;
	conn_event(c, SSP_CONN_EV_FAILED, hi, NULL);
	return 0;
}

static int
in_challenge(
    struct ssp_conn *c, mono_ms now, const struct ssp_frame *f, int path)
{
	(void)now;
	if (f->len != 8)
		return -ERR_PEER;
	if (path >= 0)
		ssp_path_owe(&c->paths.p[path], f->body);
	return 0;
}

/* The client says what it uses the path for. */
static int
in_role(struct ssp_conn *c, mono_ms now, const struct ssp_frame *f, int path)
{
	struct ssp_path *p;

	if (f->len < 1)
		return -ERR_PEER;
	if (c->client || path < 0)
		return 0;
	p = &c->paths.p[path];
	p->role = f->body[0] <= SSP_PATHS_DUPLICATE ||
			  f->body[0] == SSP_PATHS_AGGREGATE
		      ? f->body[0]
		      : SSP_PATHS_SINGLE;
	if (p->role != SSP_PATHS_SINGLE)
		c->named |= 1u << path;
	p->follow = f->body[0] == CONN_ROLE_FIRST && path != c->paths.active;
	if (p->follow && p->valid) {
		p->follow = false;
		conn_path_use(c, now, path, c->seen_data.next);
		c->st.moves++;
	}
	/* security: nothing goes to an address that is not proven. */
	if (!p->valid && c->can_send &&
	    (p->follow || p->role != SSP_PATHS_SINGLE))
		ssp_path_ask(p, now);
	return 0;
}

/* The peer answered on path I. */
static void
in_answered(struct ssp_conn *c, mono_ms now, int i)
{
	struct ssp_path *p = &c->paths.p[i];

	p->heard_at = now;
	if (!p->follow)
		return;
	p->follow = false;
	conn_path_use(c, now, i, c->pn_data);
	c->st.moves++;
}

static int
in_response(struct ssp_conn *c, mono_ms now, const struct ssp_frame *f)
{
	struct ssp_path *p;
	bool was;
	int i, r;

	if (f->len != 8)
		return -ERR_PEER;
	for (i = 0; i < SSP_PATHS_MAX; i++) {
		p = &c->paths.p[i];
		if (!p->used)
			continue;
		was = p->valid;
		r = ssp_path_answer(p, now, f->body);
		if (r == 0)
			continue;
		if (r == 1 && !was)
			conn_trace(c, now, SSP_TRACE_PATH_VALID, i,
			    (int64_t)p->srtt, 0);
		if (r == 1)
			in_answered(c, now, i);
		if (r == 1 && c->roles)
			p->ask_at = now + CLAMP(now - c->data_at,
					      (mono_ms)SSP_PATH_PROBE_IDLE,
					      (mono_ms)CONN_SPARE_IDLE);
		c->blocked = false;
		break;
	}
	return 0;
}

static int
in_abort(struct ssp_conn *c, mono_ms now, const struct ssp_frame *f)
{
	struct rd r;
	uint64_t code;

	rd_init(&r, f->body, f->len);
	code = rd_varint(&r);
	if (r.err != 0)
		return -ERR_PEER;
	c->state = SSP_CONN_CLOSED;
	c->aborts_left = 0;
	conn_trace(c, now, SSP_TRACE_ABORT, (int64_t)code, 1, 0);
	conn_event(c, SSP_CONN_EV_CLOSED, code, NULL);
	return 0;
}

/* Processes the frames of the connection; skips those of the payload. */
static int
in_frames(struct ssp_conn *c, mono_ms now, const uint8_t *p, size_t len,
    int path, bool newest, size_t *used)
{
	struct ssp_frame f;
	struct rd r;
	int n = 0, e = 0;

	rd_init(&r, p, len);
	*used = 0;
	while (e == 0 && (n = ssp_frame_next(&r, &f)) == 1) {
		*used = (size_t)(f.body + f.len - p);
		if (f.type == SSP_FRAME_HELLO)
			e = in_hello(c, now, &f);
		else if (f.type == SSP_FRAME_CHALLENGE)
			e = in_challenge(c, now, &f, path);
		else if (f.type == SSP_FRAME_RESPONSE)
			e = in_response(c, now, &f);
		else if (f.type == SSP_FRAME_ABORT)
			e = in_abort(c, now, &f);
		else if (f.type == SSP_FRAME_ROLE && newest)
			e = in_role(c, now, &f, path);
		else if (f.type == SSP_FRAME_KEM && c->sec != NULL)
			e = conn_kem_frame(c, now, &f);
		else if (f.type == SSP_FRAME_REKEY)
			c->rekey_wanted = c->client;
	}
	return e != 0 ? e : n;
}

/* Processes the timestamps at the beginning of the newest plaintext. */
static void
in_stamps(struct ssp_conn *c, mono_ms now, int path, struct rd *r, bool newest)
{
	uint16_t stamp = rd_u16(r), reply = rd_u16(r);
	mono_ms sample;

	if (r->err != 0 || path < 0 || !newest)
		return;
	ssp_stamp_got(&c->paths.p[path].stamp, now, stamp);
	if (!ssp_stamp_sample(now, reply, &sample) || sample > now - c->woke_at)
		return;
	/* A copy returns the timestamp of the other path. */
	if (path == c->paths.active || conn_copy_second(c) < 0)
		ssp_path_rtt(&c->paths.p[path], sample);
	if (path == c->paths.active)
		c->cfg.payload.ops->rtt(c->cfg.payload.arg, now, sample);
}

/* Returns whether PN is the highest DATA number by a path; notes it. */
static bool
in_newest(struct ssp_conn *c, int path, uint64_t pn)
{
	struct ssp_path *p = &c->paths.p[path];

	if (pn < p->next)
		return false;
	p->next = pn + 1;
	return true;
}

/* Processes timestamps, own frames and payload of a plaintext. */
static int
in_plain(struct ssp_conn *c, mono_ms now, int path, uint64_t pn, bool payload,
    bool newest, const uint8_t *p, size_t len)
{
	struct rd r;
	size_t used;
	int e;

	rd_init(&r, p, len);
	/* Of two that carry bulk, one may always be behind the other. */
	in_stamps(c, now, path, &r,
	    c->lane >= 0 && path >= 0 && payload ? in_newest(c, path, pn)
						 : newest);
	if (r.err != 0)
		return -ERR_PEER;
	e = in_frames(c, now, r.p, rd_left(&r), path, newest, &used);
	/* Before it knows the agreed version, a client uses its newest. */
	if (!c->client && c->state != SSP_CONN_UP && c->version != c->peer_hi)
		payload = false;
	if (e == 0 && payload && c->version != 0 && used > 0 &&
	    c->state != SSP_CONN_CLOSED)
		e = c->cfg.payload.ops->recv(
		    c->cfg.payload.arg, now, pn, r.p, used);
	return e;
}

/* Processes INIT: a new one, or a repetition, which gets the same answer. */
static int
in_init(struct ssp_conn *c, mono_ms now, const struct ssp_path_addr *from,
    const struct ssp_dgram *d, uint8_t *p, size_t len)
{
	uint8_t *plain;
	size_t plain_len;
	uint64_t epoch = c->hs.epoch;
	int r, path;

	/* security: a peer with the key must not make handshakes its flood. */
	if (epoch > 0 && now < conn_rekey_free_at(c) &&
	    !ssp_hs_repeated(&c->hs, d, p))
		return in_drop(c, now, SSP_DROP_LIMIT, len, -ERR_LIMIT);
	r = ssp_hs_read(&c->hs, d, p, len, &plain, &plain_len);
	if (r == 1) {
		/* security: a repetition neither makes nor moves a path. */
		if (c->epochs[(epoch - 1) % SSP_EPOCH_SLOTS].held &&
		    c->can_send && c->send_epoch == epoch - 1 &&
		    c->state == SSP_CONN_UP)
			return in_drop(
			    c, now, SSP_DROP_REPLAY, len, -ERR_REPLAY);
		if (now - c->resp_sent_at < CONN_RESP_GAP)
			return 0;
		c->resp_due = c->resp_again = true;
		c->resp_to = *from;
		c->resp_limit = len * SSP_PATH_CREDIT;
		conn_trace(c, now, SSP_TRACE_HANDSHAKE, (int64_t)epoch - 1,
		    SSP_HS_INIT_REPEATED, 0);
		return 0;
	}
	if (r != 0)
		return in_drop(c, now,
		    r == -ERR_AUTH ? SSP_DROP_AUTH : SSP_DROP_STATE, len, r);
	/*
	 * Only a peer with the chain key of the previous epoch can send this.
	 */
	if (epoch > 0) {
		conn_rekey_spend(c, now);
		conn_epoch_seen(c, now, epoch - 1);
	}
	conn_trace(
	    c, now, SSP_TRACE_HANDSHAKE, (int64_t)epoch, SSP_HS_INIT_READ, 0);
	path = conn_path_get(c, now, from);
	conn_path_heard(c, now, path, len);
	if (epoch == 0 && path >= 0 && c->paths.active < 0)
		conn_path_use(c, now, path, 0);
	c->resp_due = true;
	c->resp_again = false;
	c->resp_to = *from;
	c->resp_limit = len * SSP_PATH_CREDIT;
	r = in_plain(c, now, path, 0, epoch == 0, true, plain, plain_len);
	if (r != 0)
		return in_drop(c, now, SSP_DROP_MALFORMED, len, r);
	return 0;
}

/* Processes RESP, which completes the keys. */
static int
in_resp(struct ssp_conn *c, mono_ms now, const struct ssp_path_addr *from,
    const struct ssp_dgram *d, uint8_t *p, size_t len)
{
	uint8_t *plain;
	size_t plain_len;
	uint64_t epoch = c->hs.epoch;
	int r, path;

	r = ssp_hs_read(&c->hs, d, p, len, &plain, &plain_len);
	if (r != 0)
		return in_drop(c, now,
		    r == -ERR_AUTH ? SSP_DROP_AUTH : SSP_DROP_STATE, len, r);
	conn_trace(c, now, SSP_TRACE_HANDSHAKE, (int64_t)epoch,
	    SSP_HS_RESP_READ, c->init_tries);
	c->init_at = MONO_NEVER;
	c->init_mask = 0;
	conn_epoch_made(c, epoch);
	conn_epoch_use(c, now, epoch);
	path = conn_path_get(c, now, from);
	if (path >= 0) {
		c->paths.p[path].valid = true;
		if (epoch == 0 &&
		    (c->paths.active < 0 ||
			c->paths.p[c->paths.active].heard_at == 0))
			conn_path_use(c, now, path, 0);
	}
	conn_path_heard(c, now, path, len);
	/* A repeated INIT has old timestamps: its answer is no sample. */
	r = in_plain(
	    c, now, path, 0, epoch == 0, c->init_tries == 1, plain, plain_len);
	if (r != 0)
		return in_drop(c, now, SSP_DROP_MALFORMED, len, r);
	if (c->state != SSP_CONN_FAILED && c->version != 0)
		conn_up(c);
	/* The server learns from our next datagram that we have the keys. */
	c->confirm_due = true;
	return 0;
}

/* Follows the address of the newest payload. */
static void
in_follow(struct ssp_conn *c, mono_ms now, int path, bool fresh, uint64_t pn)
{
	if (path < 0 || path == c->paths.active)
		return;
	/*
	 * A client chooses among its own paths.  It follows to a path that it
	 * never used only after the server answers a challenge there.
	 */
	if (c->client && c->paths.active >= 0) {
		if (fresh && !c->paths.p[path].ours) {
			c->paths.p[path].follow = true;
			ssp_path_ask(&c->paths.p[path], now);
		}
		return;
	}
	/* A copy moves nothing while the path of the payloads works. */
	if (c->paths.active >= 0 && c->paths.p[path].role != SSP_PATHS_SINGLE &&
	    now - c->paths.p[c->paths.active].heard_at <
		MAX_OF(3 * conn_rto(c), (mono_ms)CONN_LOST_MIN))
		return;
	conn_path_use(c, now, path, pn);
	c->st.moves++;
}

/*
 * A number seen before: one of a pair, if it is authentic and its path is one of
 * both.
 */
static int
in_again(struct ssp_conn *c, mono_ms now, const struct ssp_path_addr *from,
    const struct ssp_dgram *d, uint64_t pn, uint8_t *p, size_t len)
{
	int path = ssp_paths_find(&c->paths, from);
	size_t plain_len;
	struct rd r;

	if (d->type != SSP_DGRAM_DATA || !conn_copy_expected(c, path, pn) ||
	    ssp_dgram_open(
		p, len, d, pn, c->sec->epoch[d->phase].recv, &plain_len) != 0)
		return in_drop(c, now, SSP_DROP_REPLAY, len, -ERR_REPLAY);
	ssp_path_received(&c->paths.p[path], now, len);
	conn_copy_heard(c, now, path, len, false);
	/* The one by the second path was first, but tells of the first path. */
	rd_init(&r, p + d->head, plain_len);
	if (c->lane >= 0 && path == c->paths.active)
		in_stamps(c, now, path, &r, in_newest(c, path, pn));
	return 0;
}

/* Processes what a verified datagram of epoch E proves. */
static void
in_proved(struct ssp_conn *c, mono_ms now, const struct conn_epoch *e,
    const struct ssp_path_addr *from, int path)
{
	bool first;

	first = !c->client && c->state == SSP_CONN_OPENING;
	conn_epoch_seen(c, now, e->number);
	c->epoch_out++;
	if (!first)
		return;
	c->epoch_at = now;
	/*
	 * Only a peer that read our RESP has these keys.  If RESP was sent to a
	 * single address and this datagram comes from there, the address is
	 * validated.
	 */
	if (path >= 0 && c->resp_single &&
	    ssp_addr_equal(&from->remote, &c->resp_first.remote) &&
	    ssp_addr_equal(&from->local, &c->resp_first.local) &&
	    !c->paths.p[path].valid) {
		c->paths.p[path].valid = true;
		c->paths.p[path].asking = false;
		conn_trace(c, now, SSP_TRACE_PATH_VALID, path, 0, 0);
	}
	if (c->version != 0)
		conn_up(c);
}

static int
in_sealed(struct ssp_conn *c, mono_ms now, const struct ssp_path_addr *from,
    unsigned ecn, const struct ssp_dgram *d, uint8_t *p, size_t len)
{
	bool data = d->type == SSP_DGRAM_DATA, newest, fresh;
	struct ssp_replay *w = data ? &c->seen_data : &c->seen_probe;
	const struct conn_epoch *e = &c->epochs[d->phase];
	uint64_t pn;
	size_t plain_len;
	int path, r;

	if (!e->held)
		return in_drop(c, now, SSP_DROP_KEYS, len, -ERR_STATE);
	/* security: keys past their end prove nothing. */
	if (c->ended && e->number <= c->send_epoch)
		return in_drop(c, now, SSP_DROP_ENDED, len, -ERR_STATE);
	pn = ssp_dgram_number(w->next, d->low, d->bits);
	if (pn >= UINT64_C(1) << 62 || ssp_replay_check(w, pn) != 0)
		return in_again(c, now, from, d, pn, p, len);
	if (ssp_dgram_open(
		p, len, d, pn, c->sec->epoch[d->phase].recv, &plain_len) != 0)
		return in_drop(c, now, SSP_DROP_AUTH, len, -ERR_AUTH);
	newest = pn >= w->next;
	if (ssp_replay_accept(w, pn) != 0)
		return in_drop(c, now, SSP_DROP_REPLAY, len, -ERR_REPLAY);

	fresh = ssp_paths_find(&c->paths, from) < 0;
	path = conn_path_get(c, now, from);
	c->st.in++;
	c->st.in_bytes += len;
	conn_trace(c, now, SSP_TRACE_DGRAM_IN, (int64_t)len, (int64_t)pn, path);
	in_proved(c, now, e, from, path);
	conn_path_heard(c, now, path, len);
	if (data)
		conn_copy_heard(c, now, path, len, true);
	if (data && newest)
		in_follow(c, now, path, fresh, pn);
	if (ecn == IN_CE && data)
		c->cfg.payload.ops->ecn(c->cfg.payload.arg, now);
	r = in_plain(c, now, path, pn, data, newest, p + d->head, plain_len);
	if (r != 0)
		return in_drop(c, now, SSP_DROP_MALFORMED, len, r);
	return 0;
}

/* Processes one record of a trusted stream; its number is its position. */
static int
in_trusted(struct ssp_conn *c, mono_ms now, const struct ssp_path_addr *from,
    const uint8_t *p, size_t len)
{
	int path, r;

	if (len < 1 + SSP_DGRAM_STAMPS || p[0] != 0)
		return in_drop(c, now, SSP_DROP_HEADER, len, -ERR_TRUNCATED);
	path = conn_path_get(c, now, from);
	c->st.in++;
	c->st.in_bytes += len;
	conn_path_heard(c, now, path, len);
	if (path >= 0 && c->paths.active < 0)
		conn_path_use(c, now, path, 0);
	r = in_plain(
	    c, now, path, c->seen_data.next, true, true, p + 1, len - 1);
	c->seen_data.next++;
	if (r != 0)
		return in_drop(c, now, SSP_DROP_MALFORMED, len, r);
	if (c->version != 0)
		conn_up(c);
	return 0;
}

int
conn_input(struct ssp_conn *c, mono_ms now, const struct ssp_path_addr *from,
    unsigned ecn, uint8_t *p, size_t len)
{
	struct ssp_dgram d;
	int r;

	if (c->state == SSP_CONN_CLOSED)
		return in_drop(c, now, SSP_DROP_STATE, len, -ERR_CLOSED);
	if (c->sec == NULL)
		return in_trusted(c, now, from, p, len);
	if ((r = ssp_dgram_parse(p, len, &d)) != 0)
		return in_drop(c, now, SSP_DROP_HEADER, len, r);
	if (d.form == SSP_DGRAM_BARE ? !c->client : d.cid != c->cfg.cid)
		return in_drop(c, now, SSP_DROP_CID, len, -ERR_NOTFOUND);
	if (d.type == SSP_DGRAM_INIT && !c->client)
		return in_init(c, now, from, &d, p, len);
	if (d.type == SSP_DGRAM_RESP && c->client)
		return in_resp(c, now, from, &d, p, len);
	if (d.type == SSP_DGRAM_DATA || d.type == SSP_DGRAM_PROBE)
		return in_sealed(c, now, from, ecn, &d, p, len);
	return in_drop(c, now, SSP_DROP_STATE, len, -ERR_STATE);
}
