/*
 * Chooses the path.  A server follows the newest authentic payload; a client
 * keeps its path until silence makes it try others.
 */
#include <string.h>

#include "base/err.h"
#include "ssp/conn_int.h"
#include "ssp/idle.h"

static size_t
path_mtu_max(const struct ssp_conn *c, const struct ssp_path_addr *addr)
{
	if (addr->remote.kind == SSP_ADDR_STREAM)
		return c->sec == NULL ? 4 * SSP_DGRAM_STREAM_MAX
				      : SSP_DGRAM_STREAM_MAX;
	return MAX_OF(c->cfg.mtu_max, (size_t)SSP_DGRAM_FLOOR);
}

/*
 * Forgets a path.  The driver hears of it when no other path has its local
 * address, and so its socket.
 */
static void
path_drop(struct ssp_conn *c, mono_ms now, int i)
{
	const struct ssp_path *p = &c->paths.p[i], *q;
	mono_ms seen = MAX_OF(p->heard_at, p->added_at);

	if (i == c->lane)
		conn_lane_shut(c, now);
	for (q = c->paths.p; q < c->paths.p + SSP_PATHS_MAX; q++)
		if (q->used && q != p &&
		    ssp_addr_equal(&q->addr.local, &p->addr.local))
			break;
	if (q == c->paths.p + SSP_PATHS_MAX)
		conn_event(c, SSP_CONN_EV_DROPPED, 0, &p->addr);
	conn_trace(c, now, SSP_TRACE_PATH_DROPPED, i, (int64_t)(now - seen),
	    c->paths.count - 1);
	ssp_paths_remove(&c->paths, i);
}

/* How well the connection can do without a path: 0 badly, 2 best. */
static int
path_spare_rank(const struct ssp_paths *ps, const struct ssp_path *p)
{
	const struct ssp_path *q;

	if (!p->ours)
		return 2;
	/* Another one leads to the same address by the same interface. */
	for (q = ps->p; q < ps->p + SSP_PATHS_MAX; q++)
		if (q->used && q != p && q->group == p->group &&
		    ssp_addr_equal(&q->addr.remote, &p->addr.remote))
			return 1;
	return 0;
}

/*
 * Makes room in a full table: drops the path that the connection can best do
 * without, of several the one silent longest.  One of rank 0 only if NEED.
 */
static void
path_make_room(struct ssp_conn *c, mono_ms now, bool need)
{
	const struct ssp_path *p;
	mono_ms seen, oldest = MONO_NEVER;
	int i, rank, best = need ? 0 : 1, found = -1;

	if (c->paths.count < SSP_PATHS_MAX)
		return;
	for (i = 0; i < SSP_PATHS_MAX; i++) {
		p = &c->paths.p[i];
		if (i == c->paths.active || p->addr.remote.kind != SSP_ADDR_UDP)
			continue;
		rank = path_spare_rank(&c->paths, p);
		seen = MAX_OF(p->heard_at, p->added_at);
		if (rank < best || (rank == best && seen >= oldest))
			continue;
		best = rank;
		oldest = seen;
		found = i;
	}
	if (found >= 0)
		path_drop(c, now, found);
}

int
conn_path_get(struct ssp_conn *c, mono_ms now, const struct ssp_path_addr *from)
{
	int i;

	i = ssp_paths_find(&c->paths, from);
	if (i >= 0)
		return i;
	path_make_room(c, now, false);
	i = ssp_paths_add(&c->paths, now, from, false, path_mtu_max(c, from));
	if (i >= 0)
		conn_trace(c, now, SSP_TRACE_PATH_NEW, i, c->paths.count, 0);
	return i;
}

size_t
conn_path_limit(const struct ssp_conn *c, int i)
{
	const struct ssp_path *p;
	size_t allowed;

	if (i < 0)
		return 0;
	p = &c->paths.p[i];
	allowed = ssp_path_allowed(p);
	return MIN_OF(allowed, p->pmtu.size);
}

bool
conn_path_probing(const struct ssp_conn *c, int i)
{
	const struct ssp_path *p;

	if (!c->can_send || c->ended || c->silent || i < 0 ||
	    (i != c->paths.active && i != c->lane))
		return false;
	p = &c->paths.p[i];
	return p->valid && p->addr.remote.kind == SSP_ADDR_UDP;
}

void
conn_path_room(struct ssp_conn *c, mono_ms now)
{
	const struct ssp_path *p;
	size_t over = c->sec == NULL ? 1 + SSP_DGRAM_STAMPS + 24
				     : (size_t)SSP_DGRAM_OVERHEAD;

	if (c->paths.active < 0)
		return;
	p = &c->paths.p[c->paths.active];
	if (p->pmtu.size == c->told_mtu)
		return;
	conn_trace(c, now, SSP_TRACE_PATH_MTU, c->paths.active,
	    (int64_t)p->pmtu.size, (int64_t)c->told_mtu);
	c->told_mtu = p->pmtu.size;
	c->cfg.payload.ops->set_mtu(c->cfg.payload.arg, p->pmtu.size - over);
}

void
conn_path_use(struct ssp_conn *c, mono_ms now, int i, uint64_t pn)
{
	const struct ssp_payload *pl = &c->cfg.payload;
	struct ssp_path *p = &c->paths.p[i], *old = NULL;
	bool stream = p->addr.remote.kind == SSP_ADDR_STREAM, other;

	if (c->paths.active == i)
		return;
	if (c->paths.active >= 0)
		old = &c->paths.p[c->paths.active];
	other = old != NULL && !ssp_path_same_host(old, p);
	/* The payload knows that path. */
	if (conn_lane_swap(c, now, i))
		other = false;
	if (!c->client && old != NULL && !other && old->valid && !p->valid)
		p->known = SSP_PATH_PORT_CREDIT;
	conn_trace(
	    c, now, SSP_TRACE_PATH_ACTIVE, i, c->paths.active, (int64_t)pn);
	conn_event(c, SSP_CONN_EV_ACTIVE, 0, &p->addr);
	c->paths.active = i;
	c->switched_at = now;
	c->blocked = false;
	conn_path_room(c, now);
	if (c->sec != NULL && stream != c->told_stream &&
	    pl->ops->set_stream != NULL)
		pl->ops->set_stream(pl->arg, now, stream);
	c->told_stream = stream;
	if (!p->valid && !p->ours && c->can_send)
		ssp_path_ask(p, now);
	if (pl->ops->near != NULL)
		pl->ops->near(pl->arg, ssp_path_near(p));
	if (old == NULL || !c->can_send)
		return;
	if (pl->ops->poke != NULL)
		pl->ops->poke(pl->arg, now, other);
	if (other && p->rtt_known)
		pl->ops->rtt(pl->arg, now, p->srtt);
}

void
conn_path_heard(struct ssp_conn *c, mono_ms now, int i, size_t len)
{
	if (i >= 0)
		ssp_path_received(&c->paths.p[i], now, len);
	if (c->client && len > SSP_DGRAM_FLOOR) {
		if (now - c->flood_at > CONN_FLOOD_GAP)
			c->flood = 0;
		c->flood++;
		c->flood_at = now;
	}
	c->heard_at = now;
	c->unanswered = 0;
	c->blocked = false;
	if (!c->silent)
		return;
	c->silent = false;
	conn_event(c, SSP_CONN_EV_HEARD, 0, NULL);
	/*
	 * A client whose path is dead and that hears the peer on another
	 * switches to it; conn_path_use then pokes the payload.
	 */
	if (c->client && i >= 0 && i != c->paths.active &&
	    c->paths.p[i].valid && c->can_send) {
		conn_path_use(c, now, i, c->pn_data);
		return;
	}
	if (c->can_send && c->cfg.payload.ops->poke != NULL)
		c->cfg.payload.ops->poke(c->cfg.payload.arg, now, false);
}

/* Returns the ms of silence that mean that the active path is dead. */
static mono_ms
path_patience(const struct ssp_conn *c)
{
	const struct ssp_payload *pl = &c->cfg.payload;
	mono_ms held = pl->ops->held == NULL ? 0 : pl->ops->held(pl->arg);

	return MAX_OF(MAX_OF(3 * conn_rto(c), (mono_ms)CONN_LOST_MIN),
	    conn_rto(c) + held);
}

/* Returns how much longer than usual a silence is that the peer announced. */
static mono_ms
path_idle(const struct ssp_conn *c)
{
	const struct ssp_payload *pl = &c->cfg.payload;
	mono_ms idle = pl->ops->idle == NULL ? 0 : pl->ops->idle(pl->arg);

	return idle - MIN_OF(idle, (mono_ms)SSP_IDLE_FIRST);
}

/* Returns when the lack of answers counts as silence; MONO_NEVER: not now. */
static mono_ms
path_silent_at(const struct ssp_conn *c)
{
	mono_ms t = MONO_NEVER;

	if (!c->can_send || c->silent || c->paths.active < 0)
		return MONO_NEVER;
	if (c->unanswered != 0)
		t = c->unanswered + path_patience(c);
	if (c->client && c->heard_at != 0)
		t = mono_min(t, c->heard_at + c->cfg.silent_ms + path_idle(c));
	return t;
}

/*
 * Returns when a client asks whether a flood that stopped has ended: who only
 * receives has sent nothing that an answer could be missed for.
 */
static mono_ms
path_flood_end(const struct ssp_conn *c)
{
	if (c->flood < CONN_FLOOD || !c->can_send || c->silent ||
	    c->unanswered != 0 || c->paths.active < 0)
		return MONO_NEVER;
	return c->heard_at + MAX_OF(path_patience(c), (mono_ms)CONN_FLOOD_WAIT);
}

static void
path_go_silent(struct ssp_conn *c, mono_ms now)
{
	int i;

	c->silent = true;
	c->hop_at = MAX_OF(c->hop_at, c->heard_at);
	conn_event(c, SSP_CONN_EV_SILENT, now - c->heard_at, NULL);
	if (!c->client)
		return;
	for (i = 0; i < SSP_PATHS_MAX; i++)
		if (c->paths.p[i].used)
			ssp_path_ask(&c->paths.p[i], now);
}

/* While silent, a client tries its spare paths. */
static void
path_try_spare(struct ssp_conn *c, mono_ms now)
{
	int i;

	if (now - c->switched_at < path_patience(c))
		return;
	i = ssp_paths_spare(&c->paths);
	if (i >= 0)
		conn_path_use(c, now, i, c->pn_data);
	c->switched_at = now;
}

static mono_ms
path_hop_at(const struct ssp_conn *c)
{
	mono_ms t;

	if (!c->silent || !c->client || c->paths.active < 0)
		return MONO_NEVER;
	t = c->hop_at + c->cfg.hop_ms;
	if (c->paths.p[c->paths.active].addr.remote.kind != SSP_ADDR_UDP)
		return MONO_NEVER;
	return t;
}

static void
path_hop(struct ssp_conn *c, mono_ms now)
{
	path_make_room(c, now, false);
	c->hop_at = now;
	c->st.hops++;
	conn_trace(c, now, SSP_TRACE_PORT_HOP, (int64_t)(now - c->heard_at),
	    (int64_t)c->st.hops, 0);
	conn_event(
	    c, SSP_CONN_EV_NEW_SOCKET, 0, &c->paths.p[c->paths.active].addr);
}

/* Drops spare paths that have been silent for long. */
static void
path_drop_dead(struct ssp_conn *c, mono_ms now)
{
	const struct ssp_path *p, *a;
	mono_ms seen;
	int i;

	if (c->paths.active < 0)
		return;
	a = &c->paths.p[c->paths.active];
	/* Nothing works, or only the stream: keep trying all paths. */
	if (c->silent || (a->addr.remote.kind == SSP_ADDR_STREAM && c->client))
		return;
	for (i = 0; i < SSP_PATHS_MAX; i++) {
		p = &c->paths.p[i];
		if (!p->used || i == c->paths.active ||
		    p->addr.remote.kind != SSP_ADDR_UDP)
			continue;
		seen = MAX_OF(p->heard_at, p->added_at);
		if (now - seen < SSP_PATH_DROP || a->heard_at < seen)
			continue;
		path_drop(c, now, i);
	}
}

/* Sends challenges on the spare paths of a client now and then. */
static void
path_ask_spares(struct ssp_conn *c, mono_ms now)
{
	struct ssp_path *p;
	int i;

	for (i = 0; i < SSP_PATHS_MAX; i++) {
		p = &c->paths.p[i];
		if (p->used && !p->asking && i != c->paths.active &&
		    now >= p->ask_at)
			ssp_path_ask(p, now);
	}
}

void
conn_path_tick(struct ssp_conn *c, mono_ms now)
{
	const bool one = c->paths.count == 1 && c->paths.active >= 0;
	int i;

	if (now >= path_silent_at(c))
		path_go_silent(c, now);
	if (now >= path_flood_end(c)) {
		c->flood = 0;
		c->unanswered = MAX_OF(now, (mono_ms)1);
		ssp_path_ask(&c->paths.p[c->paths.active], now);
	}
	/* Most connections have one path: nothing is looked for then. */
	if (!one)
		path_drop_dead(c, now);
	if (!c->client || !c->can_send)
		return;
	if (!one)
		path_ask_spares(c, now);
	conn_copy_tick(c, now);
	if (c->silent) {
		path_try_spare(c, now);
		if (now >= path_hop_at(c))
			path_hop(c, now);
		return;
	}
	/* Bulk makes the round trip of each what it is. */
	if (one || (c->use == SSP_PATHS_AGGREGATE && now < c->bulk_until))
		return;
	i = ssp_paths_better(&c->paths, now);
	if (i >= 0 && now - c->switched_at >= 1000)
		conn_path_use(c, now, i, c->pn_data);
}

mono_ms
conn_path_deadline(const struct ssp_conn *c, mono_ms now)
{
	const struct ssp_path *p;
	mono_ms t;
	int i;

	t = mono_min(path_silent_at(c), path_hop_at(c));
	t = mono_min(t, path_flood_end(c));
	if (!c->can_send || c->ended)
		return t;
	if (c->confirm_due &&
	    conn_path_limit(c, c->paths.active) >= SSP_DGRAM_OVERHEAD + 16)
		return now;
	for (i = 0; i < SSP_PATHS_MAX; i++) {
		p = &c->paths.p[i];
		if (!p->used)
			continue;
		if (p->owed_count > 0)
			t = now;
		/* Without credit, wait for a datagram from there. */
		if (ssp_path_allowed(p) < SSP_DGRAM_OVERHEAD + 16)
			continue;
		if (p->asking || (c->client && i != c->paths.active))
			t = mono_min(t, p->ask_at);
		if (conn_path_probing(c, i))
			t = mono_min(t,
			    p->mtu_small
				? now
				: ssp_pmtu_deadline(&p->pmtu, ssp_path_rto(p)));
	}
	if (c->client && c->silent && ssp_paths_spare(&c->paths) >= 0)
		t = mono_min(t, c->switched_at + path_patience(c));
	if (!c->client && c->rekey_wanted &&
	    conn_path_limit(c, c->paths.active) >= SSP_DGRAM_OVERHEAD + 16)
		t = mono_min(t, c->rekey_at + CONN_REKEY_GAP);
	return t;
}

int
ssp_conn_path_add(
    struct ssp_conn *c, mono_ms now, const struct ssp_path_addr *addr)
{
	int i;

	i = ssp_paths_find(&c->paths, addr);
	if (i < 0) {
		path_make_room(c, now, addr->remote.kind == SSP_ADDR_STREAM);
		i = ssp_paths_add(
		    &c->paths, now, addr, true, path_mtu_max(c, addr));
	}
	if (i < 0)
		return -ERR_LIMIT;
	c->paths.p[i].ours = true;
	conn_trace(c, now, SSP_TRACE_PATH_NEW, i, c->paths.count, 0);
	if (c->paths.active < 0) {
		conn_path_use(c, now, i, c->pn_data);
		return 0;
	}
	if (c->can_send && c->client) {
		ssp_path_ask(&c->paths.p[i], now);
		/* The active path is dead: a new one cannot be worse. */
		if (c->silent)
			conn_path_use(c, now, i, c->pn_data);
	} else if (c->client && c->init_tries > 0) {
		/* Still opening: send INIT there as well, now. */
		c->init_mask |= 1u << i;
	}
	return 0;
}

/* Returns the newest path other than BUT, validated or not; < 0: none. */
static int
path_any_but(const struct ssp_paths *ps, int but)
{
	int i, found = -1;

	for (i = 0; i < SSP_PATHS_MAX; i++)
		if (ps->p[i].used && i != but &&
		    (found < 0 || ps->p[i].added_at > ps->p[found].added_at))
			found = i;
	return found;
}

void
ssp_conn_path_remove(
    struct ssp_conn *c, mono_ms now, const struct ssp_path_addr *addr)
{
	bool last = false;
	int i, other;

	i = ssp_paths_find(&c->paths, addr);
	if (i < 0)
		return;
	if (i == c->paths.active) {
		other = ssp_paths_spare(&c->paths);
		last = other < 0;
		if (other < 0 && c->client)
			other = path_any_but(&c->paths, i);
		if (other >= 0)
			conn_path_use(c, now, other, c->pn_data);
	}
	/* What flies there goes by another path at once. */
	if (i == c->lane)
		conn_lane_shut(c, now);
	ssp_paths_remove(&c->paths, i);
	conn_trace(c, now, SSP_TRACE_PATH_DROPPED, i, 0, c->paths.count);
	/* No validated path is left: that is silence, from now on. */
	if (last && c->client && c->can_send && !c->silent)
		path_go_silent(c, now);
}

void
ssp_conn_network_changed(struct ssp_conn *c, mono_ms now)
{
	int i;

	if (c->sec == NULL)
		return;
	if (!c->can_send) {
		if (c->client && c->init_at != MONO_NEVER) {
			c->init_at = now;
			c->init_tries = MIN_OF(c->init_tries, 1u);
		}
		return;
	}
	for (i = 0; i < SSP_PATHS_MAX; i++)
		if (c->paths.p[i].used && (c->client || i == c->paths.active))
			ssp_path_ask(&c->paths.p[i], now);
	if (c->cfg.payload.ops->poke != NULL)
		c->cfg.payload.ops->poke(c->cfg.payload.arg, now, false);
}

void
ssp_conn_refused(struct ssp_conn *c, mono_ms now,
    const struct ssp_path_addr *addr, size_t size)
{
	int i;

	i = ssp_paths_find(&c->paths, addr);
	if (i < 0 || addr->remote.kind != SSP_ADDR_UDP)
		return;
	ssp_pmtu_refused(&c->paths.p[i].pmtu, now, size);
	conn_path_room(c, now);
}

void
ssp_conn_packet_fate(void *conn, mono_ms now, uint64_t pn, bool acked)
{
	struct ssp_conn *c = conn;
	struct ssp_path *p;
	unsigned i;

	if (acked)
		c->pn_acked = MAX_OF(c->pn_acked, pn);
	conn_copy_fate(c, now, pn, acked);
	for (i = 0; i < CONN_LARGE; i++)
		if (c->large[i].known && c->large[i].pn == pn)
			break;
	if (i == CONN_LARGE)
		return;
	c->large[i].known = false;
	p = &c->paths.p[c->large[i].path];
	if (!p->used)
		return;
	if (acked)
		ssp_pmtu_passed(&p->pmtu, now, c->large[i].size);
	else
		ssp_pmtu_lost(&p->pmtu, now, c->large[i].size);
}
