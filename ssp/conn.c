#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "ssp/conn_int.h"

void
ssp_conn_cfg_init(struct ssp_conn_cfg *cfg)
{
	memset(cfg, 0, sizeof(*cfg));
	cfg->version_lo = 1;
	cfg->version_hi = SSP_CONN_VERSION;
	cfg->pad = 16;
	cfg->mtu_max = SSP_DGRAM_ETHERNET;
	cfg->rekey_packets = UINT64_C(1) << 24;
	cfg->rekey_ms = 120000;
	cfg->rekey_idle_ms = 3600000;
	cfg->rekey_gap_ms = 2000;
	cfg->rekey_burst = 8;
	cfg->end_packets = UINT64_C(1) << 26;
	cfg->end_ms = 86400000;
	cfg->silent_ms = 10000;
	cfg->hop_ms = 5000;
}

static struct ssp_conn *
conn_new(const struct ssp_conn_cfg *cfg, bool client)
{
	struct ssp_conn *c;

	c = mem_zalloc(sizeof(*c));
	c->cfg = *cfg;
	c->cfg.psk = NULL;
	if (c->cfg.version_lo == 0)
		c->cfg.version_lo = 1;
	if (c->cfg.version_hi == 0)
		c->cfg.version_hi = SSP_CONN_VERSION;
	c->client = client;
	c->state = SSP_CONN_OPENING;
	ssp_paths_init(&c->paths);
	c->second = c->lane = -1;
	ssp_replay_init(&c->seen_data);
	ssp_replay_init(&c->seen_probe);
	c->init_at = MONO_NEVER;
	c->abort_at = MONO_NEVER;
	return c;
}

static int
conn_make(const struct ssp_conn_cfg *cfg, bool client, struct ssp_conn **out)
{
	struct ssp_conn *c = conn_new(cfg, client);

	*out = NULL;
	if (!cfg->plain) {
		c->sec = ssp_keyring_take(cfg->keyring);
		if (c->sec == NULL) {
			mem_free(c);
			return -ERR_LIMIT;
		}
		ssp_hs_init(&c->hs, client, cfg->cid, c->cfg.version_lo,
		    c->cfg.version_hi, c->sec, cfg->psk);
		conn_kem_init(c);
		if (client)
			c->init_at = 0;
	}
	*out = c;
	return 0;
}

int
ssp_conn_client_new(
    const struct ssp_conn_cfg *cfg, mono_ms now, struct ssp_conn **out)
{
	(void)now;
	return conn_make(cfg, true, out);
}

int
ssp_conn_server_accept(
    const struct ssp_conn_cfg *cfg, mono_ms now, struct ssp_conn **out)
{
	(void)now;
	return conn_make(cfg, false, out);
}

const uint8_t *
ssp_conn_psk(const struct ssp_conn *c)
{
	return c->sec == NULL || c->hs.epoch > 0 ? NULL : c->sec->psk;
}

void
ssp_conn_free(struct ssp_conn *c)
{
	if (c == NULL)
		return;
	conn_kem_end(c);
	conn_copy_end(c);
	if (c->sec != NULL)
		ssp_keyring_give(c->cfg.keyring, c->sec);
	mem_free_wiped(c, sizeof(*c));
}

bool
ssp_conn_event(struct ssp_conn *c, struct ssp_conn_event *ev)
{
	if (c->ev_count == 0)
		return false;
	*ev = c->events[c->ev_first];
	c->ev_first = (c->ev_first + 1) % CONN_EVENTS;
	c->ev_count--;
	return true;
}

/* Wipes expired keys. */
static void
conn_expire_keys(struct ssp_conn *c, mono_ms now)
{
	struct conn_epoch *e;
	int i;

	for (i = 0; i < SSP_EPOCH_SLOTS; i++) {
		e = &c->epochs[i];
		if (!e->held || now < e->expires)
			continue;
		e->held = false;
		ssp_wipe(&c->sec->epoch[i], sizeof(c->sec->epoch[i]));
	}
}

/* Returns when the keys in use must be replaced. */
static mono_ms
conn_rekey_due(const struct ssp_conn *c)
{
	mono_ms t = c->epoch_at;

	/* The next keys need the second key exchange. */
	if (!c->can_send || c->state != SSP_CONN_UP ||
	    (conn_kem_pending(c) && !c->hybrid))
		return MONO_NEVER;
	if (!c->rekey_wanted && !c->ended &&
	    c->epoch_out < c->cfg.rekey_packets)
		t = mono_add(t, c->epoch_out >= CONN_BUSY
				    ? c->cfg.rekey_ms
				    : c->cfg.rekey_idle_ms);
	return MAX_OF(t, conn_rekey_free_at(c));
}

/*
 * Detects a suspend of the machine: the clock advanced without calls.  Round
 * trips that span it measure nothing.
 */
static void
conn_turn(struct ssp_conn *c, mono_ms now)
{
	int i;

	if (now - c->turn_at > CONN_SLEPT) {
		c->woke_at = now;
		for (i = 0; i < SSP_PATHS_MAX; i++)
			c->paths.p[i].asked_at = MONO_NEVER;
		/* We did not listen; a client sends challenges anyway. */
		if (!c->client && c->unanswered != 0)
			c->unanswered = now;
		/* The network may be another one: try at once. */
		if (c->hs.running && c->init_at != MONO_NEVER) {
			c->init_at = now;
			c->init_tries = MIN_OF(c->init_tries, 1u);
		}
	}
	c->turn_at = now;
	conn_epoch_end(c, now);
}

static void
conn_tick(struct ssp_conn *c, mono_ms now)
{
	conn_turn(c, now);
	if (c->sec == NULL)
		return;
	conn_expire_keys(c, now);
	if (c->client && !c->hs.running && c->init_at == MONO_NEVER &&
	    now >= conn_rekey_due(c)) {
		c->init_at = now;
		c->init_tries = 0;
	}
	if (!c->client && c->can_send &&
	    c->epoch_out / 2 >= c->cfg.rekey_packets)
		c->rekey_wanted = true;
	conn_path_tick(c, now);
	conn_lane_tick(c, now);
}

int
ssp_conn_input(struct ssp_conn *c, mono_ms now,
    const struct ssp_path_addr *from, unsigned ecn, uint8_t *p, size_t len)
{
	conn_turn(c, now);
	if (c->sec != NULL)
		conn_expire_keys(c, now);
	return conn_input(c, now, from, ecn, p, len);
}

size_t
ssp_conn_output(struct ssp_conn *c, mono_ms now, struct ssp_path_addr *to,
    uint8_t *out, size_t cap)
{
	size_t n;

	conn_tick(c, now);
	n = conn_output(c, now, to, out, cap);
	if (n > 0) {
		c->st.out++;
		c->st.out_bytes += n;
	}
	return n;
}

mono_ms
ssp_conn_deadline(struct ssp_conn *c, mono_ms now)
{
	mono_ms t = MONO_NEVER;
	int i;

	if (c->state == SSP_CONN_CLOSED || c->state == SSP_CONN_FAILED) {
		if (c->resp_due)
			return now;
		return c->aborts_left > 0 ? c->abort_at : MONO_NEVER;
	}
	if (((c->can_send && !c->ended) || c->sec == NULL) && !c->blocked &&
	    !conn_kem_holds(c, now) && conn_path_limit(c, c->paths.active) > 0)
		t = c->cfg.payload.ops->deadline(c->cfg.payload.arg, now);
	if (c->sec == NULL)
		return !c->hello_sent && c->paths.active >= 0 &&
			       (c->client || c->version != 0)
			   ? now
			   : t;
	if (c->resp_due)
		return now;
	if (c->paths.count > 0)
		t = mono_min(t, c->init_mask != 0 ? now : c->init_at);
	if (c->client && !c->hs.running && c->init_at == MONO_NEVER)
		t = mono_min(t, conn_rekey_due(c));
	for (i = 0; i < SSP_EPOCH_SLOTS; i++)
		if (c->epochs[i].held)
			t = mono_min(t, c->epochs[i].expires);
	if (conn_path_limit(c, c->paths.active) >= SSP_DGRAM_FLOOR)
		t = mono_min(t, conn_kem_deadline(c));
	t = mono_min(t, conn_path_deadline(c, now));
	if (c->can_send && !c->ended)
		t = mono_min(t, conn_copy_deadline(c));
	return MAX_OF(t, now);
}

void
ssp_conn_rekey(struct ssp_conn *c)
{
	c->rekey_wanted = true;
}

void
ssp_conn_abort(struct ssp_conn *c, mono_ms now, uint64_t code)
{
	if (c->state == SSP_CONN_CLOSED || c->state == SSP_CONN_FAILED)
		return;
	c->state = SSP_CONN_CLOSED;
	c->abort_code = code;
	c->aborts_left = 0;
	if ((c->can_send && !c->ended) || c->sec == NULL)
		c->aborts_left = CONN_ABORTS;
	c->abort_at = now;
	conn_trace(c, now, SSP_TRACE_ABORT, (int64_t)code, 0, 0);
}

void
ssp_conn_stats(const struct ssp_conn *c, struct ssp_conn_stats *st)
{
	const struct ssp_path *p;
	int i;

	*st = c->st;
	st->state = c->state;
	st->version = c->version;
	st->peer_caps = c->peer_caps;
	st->epoch = c->send_epoch;
	st->hybrid = c->hybrid && c->send_epoch > 0;
	st->paths = c->paths.count;
	st->silent = c->silent;
	st->heard_at = c->heard_at;
	memcpy(st->words, c->hs.words, sizeof(st->words));
	memset(&st->active, 0, sizeof(st->active));
	if (c->paths.active < 0)
		return;
	p = &c->paths.p[c->paths.active];
	st->active = p->addr;
	st->srtt = p->rtt_known ? p->srtt : 0;
	st->mtu = p->pmtu.size;
	st->group = p->group;
	st->active_in = p->in;
	st->active_out = p->out;
	st->has_second = (i = conn_copy_second(c)) >= 0;
	if (!st->has_second)
		return;
	p = &c->paths.p[i];
	st->second = p->group;
	st->second_in = p->in;
	st->second_out = p->out;
	st->second_srtt = p->rtt_known ? p->srtt : 0;
}
