#include "ssp/path.h"

#include <string.h>

#include "base/compiler.h"
#include "ssp/datagram.h"

void
ssp_paths_init(struct ssp_paths *ps)
{
	memset(ps, 0, sizeof(*ps));
	ps->active = -1;
}

struct ssp_addr
ssp_addr_make(
    enum ssp_addr_kind kind, const void *bytes, uint8_t len, uint8_t host)
{
	struct ssp_addr a;

	memset(&a, 0, sizeof(a));
	a.kind = (uint8_t)kind;
	a.len = (uint8_t)MIN_OF(len, (uint8_t)SSP_ADDR_MAX);
	a.host = host;
	memcpy(a.bytes, bytes, a.len);
	return a;
}

bool
ssp_addr_equal(const struct ssp_addr *a, const struct ssp_addr *b)
{
	return a->kind == b->kind && a->len == b->len &&
	       memcmp(a->bytes, b->bytes, MIN_OF(a->len, SSP_ADDR_MAX)) == 0;
}

static bool
addr_same_host(const struct ssp_addr *a, const struct ssp_addr *b)
{
	return a->kind == b->kind && a->host == b->host &&
	       memcmp(a->bytes, b->bytes, MIN_OF(a->host, SSP_ADDR_MAX)) == 0;
}

bool
ssp_path_same_host(const struct ssp_path *a, const struct ssp_path *b)
{
	return addr_same_host(&a->addr.local, &b->addr.local) &&
	       addr_same_host(&a->addr.remote, &b->addr.remote);
}

bool
ssp_path_near(const struct ssp_path *p)
{
	return p->addr.remote.kind == SSP_ADDR_UDP && p->addr.remote.host > 0 &&
	       addr_same_host(&p->addr.local, &p->addr.remote);
}

int
ssp_paths_find(const struct ssp_paths *ps, const struct ssp_path_addr *addr)
{
	int i;

	for (i = 0; i < SSP_PATHS_MAX; i++)
		if (ps->p[i].used &&
		    ssp_addr_equal(&ps->p[i].addr.remote, &addr->remote) &&
		    ssp_addr_equal(&ps->p[i].addr.local, &addr->local))
			return i;
	return -1;
}

/* Returns a free entry, or the path that has been silent longest. */
static int
paths_place(const struct ssp_paths *ps)
{
	const struct ssp_path *p;
	mono_ms oldest = MONO_NEVER, t;
	int i, found = -1;

	for (i = 0; i < SSP_PATHS_MAX; i++) {
		p = &ps->p[i];
		if (!p->used)
			return i;
		t = MAX_OF(p->heard_at, p->added_at);
		if (i != ps->active && !p->ours && t < oldest) {
			oldest = t;
			found = i;
		}
	}
	return found;
}

int
ssp_paths_add(struct ssp_paths *ps, mono_ms now,
    const struct ssp_path_addr *addr, bool ours, size_t mtu_max)
{
	struct ssp_path *p;
	bool stream = addr->remote.kind == SSP_ADDR_STREAM;
	int i = paths_place(ps);

	if (i < 0)
		return -1;
	if (ps->p[i].used)
		ssp_paths_remove(ps, i);
	p = &ps->p[i];
	memset(p, 0, sizeof(*p));
	p->used = true;
	p->ours = ours;
	p->valid = stream;
	p->addr = *addr;
	p->added_at = now;
	if (stream)
		ssp_pmtu_init(&p->pmtu, mtu_max, mtu_max);
	else
		ssp_pmtu_init(
		    &p->pmtu, MIN_OF((size_t)SSP_DGRAM_BASE, mtu_max), mtu_max);
	ps->count++;
	return i;
}

void
ssp_paths_remove(struct ssp_paths *ps, int i)
{
	bug_assert(i >= 0 && i < SSP_PATHS_MAX && ps->p[i].used);
	memset(&ps->p[i], 0, sizeof(ps->p[i]));
	ps->count--;
	if (ps->active == i)
		ps->active = -1;
}

size_t
ssp_path_allowed(const struct ssp_path *p)
{
	uint64_t limit;

	/* An address that we chose needs no validation by the peer. */
	if (p->valid || p->ours)
		return SIZE_MAX;
	limit = p->in * SSP_PATH_CREDIT + p->known;
	return limit > p->out ? (size_t)(limit - p->out) : 0;
}

void
ssp_path_sent(struct ssp_path *p, size_t n)
{
	p->out += n;
}

void
ssp_path_received(struct ssp_path *p, mono_ms now, size_t n)
{
	p->in += n;
	p->heard_at = now;
}

void
ssp_path_rtt(struct ssp_path *p, mono_ms sample)
{
	mono_ms diff;

	if (!p->rtt_known) {
		p->rtt_known = true;
		p->srtt = sample;
		p->rttvar = sample / 2;
		return;
	}
	diff = sample > p->srtt ? sample - p->srtt : p->srtt - sample;
	p->rttvar = (3 * p->rttvar + diff + 2) / 4;
	p->srtt = (7 * p->srtt + sample + 4) / 8;
}

mono_ms
ssp_path_rto(const struct ssp_path *p)
{
	mono_ms rto;

	if (!p->rtt_known)
		return SSP_PATH_RTO_FIRST;
	rto = p->srtt + 4 * p->rttvar + 10;
	return CLAMP(rto, SSP_PATH_RTO_MIN, SSP_PATH_RTO_MAX);
}

void
ssp_path_ask(struct ssp_path *p, mono_ms now)
{
	if (p->asking && p->ask_at <= now)
		return;
	p->asking = true;
	p->ask_at = now;
	p->asks = 0;
}

void
ssp_path_asked(struct ssp_path *p, mono_ms now, mono_ms cap)
{
	mono_ms wait = ssp_path_rto(p);

	p->asked = true;
	p->asked_at = now;
	p->asks++;
	wait = MIN_OF(wait, (mono_ms)300) << MIN_OF(p->asks - 1, 6u);
	p->ask_at = now + CLAMP(wait, (mono_ms)100, cap);
}

int
ssp_path_answer(struct ssp_path *p, mono_ms now, const uint8_t token[8])
{
	if (p->mtu_asked && memcmp(p->mtu_token, token, 8) == 0) {
		p->mtu_asked = false;
		ssp_pmtu_passed(&p->pmtu, now, p->mtu_size);
		return 2;
	}
	if (p->pmtu.probe != 0 && memcmp(p->small_token, token, 8) == 0) {
		ssp_pmtu_small_passed(&p->pmtu);
		return 3;
	}
	if (!p->asked || memcmp(p->token, token, 8) != 0)
		return 0;
	if (p->asked_at != MONO_NEVER)
		ssp_path_rtt(p, now - p->asked_at);
	p->valid = true;
	p->asking = p->asked = false;
	p->asks = 0;
	p->ask_at = now + SSP_PATH_PROBE_IDLE;
	return 1;
}

void
ssp_path_owe(struct ssp_path *p, const uint8_t token[8])
{
	if (p->owed_count == SSP_PATH_TOKENS) {
		memmove(p->owed[0], p->owed[1],
		    sizeof(p->owed[0]) * (SSP_PATH_TOKENS - 1));
		p->owed_count--;
	}
	memcpy(p->owed[p->owed_count++], token, 8);
}

int
ssp_paths_spare(const struct ssp_paths *ps)
{
	const struct ssp_path *p, *best = NULL;
	int i, found = -1;

	for (i = 0; i < SSP_PATHS_MAX; i++) {
		p = &ps->p[i];
		if (!p->used || !p->valid || i == ps->active)
			continue;
		if (best == NULL || p->heard_at > best->heard_at ||
		    (p->heard_at == best->heard_at && p->srtt < best->srtt)) {
			best = p;
			found = i;
		}
	}
	return found;
}

int
ssp_paths_better(const struct ssp_paths *ps, mono_ms now)
{
	const struct ssp_path *p, *a;
	mono_ms best;
	int i, found = -1;

	if (ps->active < 0)
		return ssp_paths_spare(ps);
	a = &ps->p[ps->active];
	if (!a->rtt_known)
		return -1;
	/* Prefer UDP to a stream, which is the last resort. */
	best = a->addr.remote.kind == SSP_ADDR_STREAM
		   ? MONO_NEVER
		   : MIN_OF(a->srtt * 3 / 4, a->srtt > 5 ? a->srtt - 5 : 0);
	for (i = 0; i < SSP_PATHS_MAX; i++) {
		p = &ps->p[i];
		if (p->used && p->valid && p->rtt_known && i != ps->active &&
		    p->addr.remote.kind == SSP_ADDR_UDP && !p->asked &&
		    now - p->heard_at <= SSP_PATH_PROBE_IDLE + 1000 &&
		    p->srtt < best) {
			best = p->srtt;
			found = i;
		}
	}
	return found;
}
