#include "regress/tools/udp_link.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/compiler.h"

/* Splitmix64: 0 <= x < 1. */
double
link_real(uint64_t *rng)
{
	uint64_t z = (*rng += UINT64_C(0x9e3779b97f4a7c15));

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	z ^= z >> 31;
	return (double)(z >> 11) / 9007199254740992.0;
}

static double
link_exp(uint64_t *rng, double mean)
{
	return -mean * log(1 - link_real(rng));
}

/* Settings of links. */

static const struct {
	const char *name;
	size_t at;
} link_keys[] = {
	{ "delay", offsetof(struct link, delay) },
	{ "jitter", offsetof(struct link, jitter) },
	{ "reorder", offsetof(struct link, reorder) },
	{ "hold", offsetof(struct link, hold) },
	{ "loss", offsetof(struct link, loss) },
	{ "duplicate", offsetof(struct link, duplicate) },
	{ "burst", offsetof(struct link, burst) },
	{ "burst_len", offsetof(struct link, burst_len) },
	{ "rate", offsetof(struct link, rate) },
	{ "queue", offsetof(struct link, queue) },
	{ "bulk", offsetof(struct link, bulk) },
	{ "hole", offsetof(struct link, hole) },
	{ "off", offsetof(struct link, off) },
	{ "packets", offsetof(struct link, q.packets) },
	{ "codel", offsetof(struct link, q.target) },
	{ "interval", offsetof(struct link, q.interval) },
};

static bool
link_set_one(struct link *l, const char *key, const char *value)
{
	char *end;
	double v = strtod(value, &end);
	size_t i;

	if (strcmp(key, "trace") == 0)
		return link_queue_trace(&l->q, value);
	if (strcmp(key, "cut") == 0) {
		if (end == value || *end != '-' || l->ncut == LINK_CUTS)
			return false;
		l->cut[l->ncut][0] = v * LINK_MS;
		l->cut[l->ncut++][1] = strtod(end + 1, &end) * LINK_MS;
		return *end == '\0';
	}
	if (end == value || *end != '\0' || v < 0)
		return false;
	for (i = 0; i < ARRAY_LEN(link_keys); i++)
		if (strcmp(key, link_keys[i].name) == 0) {
			memcpy((char *)l + link_keys[i].at, &v, sizeof v);
			return true;
		}
	return false;
}

bool
link_set(struct link *l, const char *text)
{
	char buf[512], *p = buf, *word, *eq;

	if (strlen(text) >= sizeof buf)
		return false;
	memcpy(buf, text, strlen(text) + 1);
	while ((word = strsep(&p, ",")) != NULL) {
		eq = strchr(word, '=');
		if (eq == NULL)
			return false;
		*eq = '\0';
		if (!link_set_one(l, word, eq + 1))
			return false;
	}
	return true;
}

/* State of links. */

static bool
counted(unsigned long *n)
{
	(*n)++;
	return true;
}

/* Returns whether the link loses the datagram. */
bool
link_loses(uint64_t *rng, struct link *l, double now)
{
	size_t i;

	for (i = 0; i < l->ncut; i++)
		if (now >= l->cut[i][0] && now < l->cut[i][1])
			return counted(&l->cut_off);
	if (l->off > 0)
		return counted(&l->cut_off);
	if (l->burst > 0 && l->burst_len > 0) {
		if (now - l->bad_until > 100 * l->burst_len * LINK_MS)
			l->bad_until = now; /* the periods skipped */
		while (l->bad_until <= now) {
			l->bad = !l->bad;
			l->bad_until += link_exp(rng,
			    LINK_MS * (l->bad ? l->burst_len
					      : l->burst_len * (1 - l->burst) /
						    l->burst));
		}
		if (l->bad)
			return counted(&l->lost);
	}
	if (l->loss > 0 && link_real(rng) < l->loss)
		return counted(&l->lost);
	return false;
}

/*
 * Returns the bytes of a greedy download in the queue: a cubic curve from 0.7
 * of the queue to its top in 20 seconds, repeated.
 */
static double
link_bulk(const struct link *l, double now)
{
	double x = fmod(now / 1e9, 20) / 20 - 1;

	return l->queue * (1 + .3 * x * x * x);
}

/* Returns the time when a datagram of LEN bytes comes out; below 0: never. */
double
link_out_time(uint64_t *rng, struct link *l, double now, size_t len)
{
	double t = now;

	if (l->rate > 0) {
		double left = MAX_OF(l->busy - now, 0);

		if (l->bulk > 0)
			left =
			    MAX_OF(left, (link_bulk(l, now) - 2 * (double)len) /
					     l->rate * 1e9);
		if (l->queue > 0 &&
		    left / 1e9 * l->rate + (double)len > l->queue) {
			l->overflow++;
			return -1;
		}
		l->busy = now + left + (double)len / l->rate * 1e9;
		t = l->busy;
	}
	return link_later(rng, l, t);
}

bool
link_queues(struct link *l)
{
	l->q.rate = l->rate;
	l->q.bytes = l->queue;
	return l->q.trace != NULL || l->q.target > 0 || l->q.packets > 0;
}

double
link_later(uint64_t *rng, struct link *l, double t)
{
	t += l->delay * LINK_MS + l->jitter * LINK_MS * link_real(rng);
	if (l->reorder > 0 && link_real(rng) < l->reorder)
		return t + (l->hold > 0 ? l->hold : 10) * LINK_MS;
	t = MAX_OF(t, l->last_out);
	l->last_out = t;
	return t;
}
