/*
 * Copies of small datagrams on a second path: the same sealed bytes, so that the
 * peer takes the first that comes and knows the other by its number.
 */
#include <string.h>

#include "base/mem.h"
#include "ssp/conn_int.h"

#define COPY_RING 16        /* datagrams kept until their fate is known */
#define COPY_LATE 16        /* ms beyond a round trip: late */
#define COPY_FIRST 300      /* ms, before any round trip is known */
#define COPY_HOLD 5000      /* ms of copies after one that was needed */
#define COPY_PAST 64        /* numbers below the newest: may be a copy */
#define COPY_PAST_BULK 1024 /* the same while bulk goes by both */

struct conn_copy {
	uint64_t pn;
	mono_ms sent;
	mono_ms due;
	size_t len;
	bool open; /* no copy has gone, and its fate is not known */
	uint8_t bytes[CONN_COPY_MAX];
};

struct conn_copies {
	struct conn_copy ring[COPY_RING];
	unsigned next;
	mono_ms until;    /* until then, a copy of each goes at once */
	mono_ms heard_at; /* last payload that came by the second path first */
	mono_ms
	    asked_for; /* the lack of an answer for which paths were asked */
};

/* Returns whether the client may use path I as its second one. */
static bool
copy_candidate(const struct ssp_conn *c, int i)
{
	const struct ssp_path *p = &c->paths.p[i];
	const struct ssp_path *a = &c->paths.p[c->paths.active];

	if (!p->used || !p->valid || i == c->paths.active ||
	    p->addr.remote.kind != SSP_ADDR_UDP || p->group == a->group)
		return false;
	/* Two challenges without an answer: it is dead for now. */
	return !p->asked || p->asks < 2;
}

/* Returns the client's choice: the nearest; it stays with one that is as near. */
static int
copy_choose(const struct ssp_conn *c)
{
	mono_ms best = MONO_NEVER, far;
	int i, found = -1, left = c->paths.count;

	for (i = 0; left > 0; i++) {
		left -= c->paths.p[i].used;
		if (!copy_candidate(c, i))
			continue;
		far = c->paths.p[i].rtt_known ? c->paths.p[i].srtt
					      : (mono_ms)SSP_PATH_RTO_FIRST;
		if (i == c->second)
			far = far * 3 / 4;
		if (far < best) {
			best = far;
			found = i;
		}
	}
	return found;
}

/* Returns the path that the client has named, for a server. */
static int
copy_named(const struct ssp_conn *c)
{
	const struct ssp_path *p;
	unsigned left = c->named & ~(1u << c->paths.active);
	int i;

	for (i = 0; left != 0; i++, left >>= 1) {
		p = &c->paths.p[i];
		if ((left & 1) != 0 && p->used && p->role != 0 && p->valid)
			return i;
	}
	return -1;
}

int
conn_copy_second(const struct ssp_conn *c)
{
	const struct ssp_paths *ps = &c->paths;

	if (ps->count < 2 || ps->active < 0 ||
	    ps->p[ps->active].addr.remote.kind != SSP_ADDR_UDP)
		return -1;
	if (!c->client)
		return copy_named(c);
	return c->second >= 0 && ps->p[c->second].used &&
		       c->second != ps->active
		   ? c->second
		   : -1;
}

enum ssp_paths_use
conn_copy_use(const struct ssp_conn *c, int i)
{
	if (!c->client)
		return (enum ssp_paths_use)c->paths.p[i].role;
	return c->use == SSP_PATHS_AGGREGATE &&
		       (c->peer_caps & SSP_CAP_AGGREGATE) == 0
		   ? SSP_PATHS_STANDBY
		   : c->use;
}

uint8_t
conn_copy_role(const struct ssp_conn *c, int i)
{
	if (i == c->paths.active)
		return CONN_ROLE_FIRST;
	return i == conn_copy_second(c) ? (uint8_t)conn_copy_use(c, i)
					: SSP_PATHS_SINGLE;
}

static struct conn_copies *
copy_state(struct ssp_conn *c)
{
	if (c->copies == NULL)
		c->copies = mem_zalloc(sizeof(*c->copies));
	return c->copies;
}

static bool
copy_waiting(const struct ssp_conn *c, mono_ms now)
{
	const struct ssp_payload *pl = &c->cfg.payload;

	return pl->ops->waiting == NULL || pl->ops->waiting(pl->arg, now);
}

/* Returns the ms after which an answer is late on the active path. */
static mono_ms
copy_patience(const struct ssp_conn *c)
{
	const struct ssp_payload *pl = &c->cfg.payload;
	const struct ssp_path *a = &c->paths.p[c->paths.active];
	mono_ms t = COPY_FIRST;

	if (a->rtt_known)
		t = a->srtt + MAX_OF(2 * a->rttvar, (mono_ms)COPY_LATE);
	/* A key's answer tells the client; a server waits for the bare ack. */
	if (!c->client && pl->ops->held != NULL)
		t += pl->ops->held(pl->arg);
	return t;
}

void
conn_copy_sent(struct ssp_conn *c, mono_ms now, uint64_t pn,
    const uint8_t *bytes, size_t len)
{
	int i = conn_copy_second(c);
	enum ssp_paths_use use = SSP_PATHS_STANDBY;
	struct conn_copies *s;
	struct conn_copy *k;

	/* Where there was a second path there may soon be one again. */
	if ((i < 0 && c->copies == NULL) || len > CONN_COPY_MAX)
		return;
	s = copy_state(c);
	if (i >= 0)
		use = conn_copy_use(c, i);
	/* While both carry bulk, an ack or a key waits for neither. */
	if (use == SSP_PATHS_AGGREGATE && now < c->bulk_until)
		use = SSP_PATHS_DUPLICATE;
	k = &s->ring[s->next++ % COPY_RING];
	k->open = true;
	k->pn = pn;
	k->sent = k->due = now;
	if (use != SSP_PATHS_DUPLICATE && now >= s->until) {
		k->open = copy_waiting(c, now);
		k->due = now + copy_patience(c);
	}
	k->len = len;
	memcpy(k->bytes, bytes, len);
}

size_t
conn_copy_output(struct ssp_conn *c, mono_ms now, struct ssp_path_addr *to,
    uint8_t *out, size_t cap)
{
	struct conn_copies *s = c->copies;
	struct conn_copy *k;
	unsigned n;
	int i;

	if (s == NULL || !c->can_send || c->ended ||
	    (i = conn_copy_second(c)) < 0)
		return 0;
	cap = MIN_OF(cap, conn_path_limit(c, i));
	for (n = 0; n < COPY_RING; n++) {
		k = &s->ring[(s->next + n) % COPY_RING];
		if (!k->open || k->due > now)
			continue;
		k->open = false;
		if (k->len > cap || (k->due > k->sent && !copy_waiting(c, now)))
			continue;
		memcpy(out, k->bytes, k->len);
		*to = c->paths.p[i].addr;
		ssp_path_sent(&c->paths.p[i], k->len);
		c->st.copies++;
		conn_trace(c, now, SSP_TRACE_DGRAM_OUT, (int64_t)k->len,
		    (int64_t)k->pn, i);
		return k->len;
	}
	return 0;
}

void
conn_copy_fate(struct ssp_conn *c, mono_ms now, uint64_t pn, bool acked)
{
	struct conn_copies *s = c->copies;
	unsigned n;

	if (s == NULL)
		return;
	for (n = 0; n < COPY_RING; n++)
		if (s->ring[n].pn == pn)
			s->ring[n].open = false;
	if (!acked)
		s->until = now + COPY_HOLD;
}

bool
conn_copy_expected(const struct ssp_conn *c, int i, uint64_t pn)
{
	int second = conn_copy_second(c);

	return i >= 0 && second >= 0 && (i == second || i == c->paths.active) &&
	       pn < c->seen_data.next &&
	       pn + (c->lane < 0 ? COPY_PAST : COPY_PAST_BULK) >=
		   c->seen_data.next;
}

void
conn_copy_heard(struct ssp_conn *c, mono_ms now, int i, size_t len, bool first)
{
	struct conn_copies *s;
	unsigned n;

	if (c->use == SSP_PATHS_AGGREGATE && len > CONN_COPY_MAX)
		conn_lane_bulk(c, now);
	if (i < 0 || i != conn_copy_second(c) || (c->client && !first))
		return;
	s = copy_state(c);
	if (first)
		s->heard_at = now;
	/* Bulk comes by both: that is no sign of a loss. */
	if (c->lane == i && len > CONN_COPY_MAX) {
		conn_lane_bulk(c, now);
		return;
	}
	s->until = now + COPY_HOLD;
	if (c->client)
		return;
	/* The client misses something: perhaps an answer of ours. */
	for (n = 0; n < COPY_RING; n++)
		if (s->ring[n].open)
			s->ring[n].due = MIN_OF(s->ring[n].due, now);
}

/* Payloads come by the second path, and nothing by the first. */
static bool
copy_wins(const struct ssp_conn *c)
{
	const struct ssp_path *a = &c->paths.p[c->paths.active];
	mono_ms patience = MAX_OF(3 * ssp_path_rto(a), (mono_ms)CONN_LOST_MIN);

	return c->copies != NULL && conn_copy_second(c) >= 0 &&
	       c->copies->heard_at > a->heard_at + patience;
}

/* Returns when an answer is so late that a lost second path would help. */
static mono_ms
copy_ask_at(const struct ssp_conn *c)
{
	/* All paths were asked when the silence began. */
	if (!c->client || c->silent || c->copies == NULL ||
	    c->use == SSP_PATHS_SINGLE || c->paths.count < 2 ||
	    c->paths.active < 0 || c->second >= 0 || c->unanswered == 0 ||
	    c->copies->asked_for == c->unanswered)
		return MONO_NEVER;
	return c->unanswered + copy_patience(c);
}

mono_ms
conn_copy_deadline(const struct ssp_conn *c)
{
	const struct conn_copies *s = c->copies;
	mono_ms t;
	unsigned n;

	if (s == NULL)
		return MONO_NEVER;
	t = copy_ask_at(c);
	if (conn_copy_second(c) < 0)
		return t;
	for (n = 0; n < COPY_RING; n++)
		if (s->ring[n].open)
			t = mono_min(t, s->ring[n].due);
	return t;
}

/* Asks the paths of other interfaces, which may work again. */
static void
copy_ask(struct ssp_conn *c, mono_ms now)
{
	unsigned group = c->paths.p[c->paths.active].group;
	int i;

	c->copies->asked_for = c->unanswered;
	for (i = 0; i < SSP_PATHS_MAX; i++)
		if (c->paths.p[i].used && c->paths.p[i].group != group)
			ssp_path_ask(&c->paths.p[i], now);
}

void
conn_copy_tick(struct ssp_conn *c, mono_ms now)
{
	int was, i;

	if (c->use == SSP_PATHS_SINGLE && c->second < 0)
		return;
	if (c->silent || c->paths.active < 0)
		return;
	if (c->paths.count < 2) {
		c->second = -1;
		return;
	}
	if (copy_ask_at(c) <= now)
		copy_ask(c, now);
	if (copy_wins(c)) {
		i = c->paths.active;
		conn_path_use(c, now, c->second, c->pn_data);
		ssp_path_ask(&c->paths.p[i], now);
	}
	was = c->second;
	c->second =
	    c->use != SSP_PATHS_SINGLE && (c->peer_caps & SSP_CAP_PATHS) != 0
		? copy_choose(c)
		: -1;
	if (c->second == was)
		return;
	/*
	 * The challenge tells the peer what each is for; one that is repeated
	 * until it is answered does so anyway.
	 */
	if (was >= 0 && c->paths.p[was].used && !c->paths.p[was].asking)
		ssp_path_ask(&c->paths.p[was], now);
	if (c->second >= 0)
		ssp_path_ask(&c->paths.p[c->second], now);
}

void
conn_copy_end(struct ssp_conn *c)
{
	mem_free(c->copies);
	c->copies = NULL;
}

void
ssp_conn_paths(struct ssp_conn *c, mono_ms now, enum ssp_paths_use use)
{
	int i;

	if (!c->client || c->use == use)
		return;
	c->use = use;
	c->roles = true;
	if (c->can_send && (i = conn_copy_second(c)) >= 0)
		ssp_path_ask(&c->paths.p[i], now);
}

void
ssp_conn_path_group(
    struct ssp_conn *c, const struct ssp_path_addr *addr, unsigned group)
{
	int i = ssp_paths_find(&c->paths, addr);

	if (i >= 0)
		c->paths.p[i].group = group;
}
