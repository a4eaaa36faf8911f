#include "regress/unit/lib_world.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

uint64_t
lw_random(struct lib_world *w)
{
	uint64_t z = (w->seed += UINT64_C(0x9e3779b97f4a7c15));

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

static void
lw_bytes(void *arg, void *out, size_t n)
{
	uint8_t *p = out;

	while (n-- > 0)
		*p++ = (uint8_t)lw_random(arg);
}

/* --- the value ---------------------------------------------------------------- */

struct board *
board_new(void)
{
	struct board *b = calloc(1, sizeof *b);

	ck_assert_ptr_nonnull(b);
	return b;
}

static void *
board_clone(const void *value)
{
	struct board *b = board_new();

	memcpy(b, value, sizeof *b);
	return b;
}

static bool
board_equal(const void *a, const void *b)
{
	return memcmp(a, b, sizeof(struct board)) == 0;
}

static int
board_diff(const void *from, const void *to, struct ssp_out *out)
{
	const struct board *x = from, *y = to;
	uint8_t b[5];
	int i, e = 0;

	for (i = 0; i < LW_CELLS && e == 0; i++) {
		if (x->cell[i] == y->cell[i])
			continue;
		b[0] = (uint8_t)i;
		memcpy(b + 1, &y->cell[i], 4);
		e = ssp_put(out, b, 5);
	}
	return e;
}

static int
board_apply(void *value, const uint8_t *diff, size_t n)
{
	struct board *b = value;
	size_t i;

	if (n % 5 != 0)
		return SSP_E_PEER;
	for (i = 0; i < n; i += 5)
		if (diff[i] >= LW_CELLS)
			return SSP_E_PEER;
	for (i = 0; i < n; i += 5)
		memcpy(&b->cell[diff[i]], diff + i + 1, 4);
	return 0;
}

static int
board_save(const void *value, struct ssp_out *out)
{
	return ssp_put(out, value, sizeof(struct board));
}

static int
board_load(void *value, const uint8_t *bytes, size_t n)
{
	if (n != sizeof(struct board))
		return SSP_E_PEER;
	memcpy(value, bytes, n);
	return 0;
}

const struct ssp_object board_object = {
	.size = sizeof(struct ssp_object),
	.clone = board_clone,
	.free = free,
	.equal = board_equal,
	.diff = board_diff,
	.apply = board_apply,
	.save = board_save,
	.load = board_load,
	.save_max = sizeof(struct board),
};

/* --- the network --------------------------------------------------------------- */

void
lib_world_init(struct lib_world *w, uint64_t seed)
{
	static const struct ssp_address here = { 6, 4, { 10, 0, 0, 1, 1, 1 } };
	static const struct ssp_address there = { 6, 4, { 10, 0, 0, 2, 2, 2 } };
	int s;

	memset(w, 0, sizeof *w);
	w->seed = seed;
	w->now = 1000;
	w->delay = 40;
	w->queue = calloc(LW_PACKETS, sizeof *w->queue);
	ck_assert_ptr_nonnull(w->queue);
	lw_bytes(w, w->secret, sizeof w->secret);
	w->way.local = here;
	w->way.remote = there;
	for (s = 0; s < LW_SIDES; s++) {
		ssp_config_init(&w->cfg[s], sizeof w->cfg[s]);
		w->cfg[s].server = s == LW_SERVER;
		w->cfg[s].secret = w->secret;
		w->cfg[s].random = lw_bytes;
		w->cfg[s].random_arg = w;
		w->cfg[s].local_object = &board_object;
		w->cfg[s].remote_object = &board_object;
	}
}

void
lib_world_open(struct lib_world *w)
{
	int s;

	for (s = 0; s < LW_SIDES; s++) {
		if (w->cfg[s].local == NULL)
			w->cfg[s].local = board_new();
		if (w->cfg[s].remote == NULL)
			w->cfg[s].remote = board_new();
		ck_assert_int_eq(ssp_new(&w->end[s], &w->cfg[s], w->now), 0);
	}
	ck_assert_int_eq(ssp_route_add(w->end[LW_CLIENT], w->now, &w->way), 0);
}

void
lib_world_fini(struct lib_world *w)
{
	ssp_free(w->end[LW_CLIENT]);
	ssp_free(w->end[LW_SERVER]);
	free(w->queue);
}

static void
lw_post(struct lib_world *w, int side, const struct ssp_route *to,
    const uint8_t *bytes, size_t n)
{
	struct lw_packet *p;

	w->sent++;
	if (lw_random(w) % 1000 < w->loss)
		return;
	/* What goes to an old address of the client is lost. */
	if (side == LW_SERVER &&
	    memcmp(&to->remote, &w->way.local, sizeof to->remote) != 0)
		return;
	ck_assert_uint_lt(w->queued, LW_PACKETS);
	p = &w->queue[w->queued++];
	p->at = w->now + w->delay;
	if (w->jitter > 0)
		p->at += lw_random(w) % w->jitter;
	p->to = !side;
	memset(&p->from, 0, sizeof p->from);
	p->from.remote = side == LW_CLIENT ? w->way.local : w->way.remote;
	p->from.local = side == LW_CLIENT ? w->way.remote : w->way.local;
	p->n = n;
	memcpy(p->bytes, bytes, n);
}

static void
lw_events(struct lib_world *w, int side)
{
	struct ssp_event ev;

	while (ssp_event(w->end[side], &ev)) {
		w->events[side][ev.type]++;
		if (ev.type >= SSP_EVENT_CLOSED)
			w->code[side] = ev.number;
		if (ev.type == SSP_EVENT_STREAM && w->stream != NULL)
			w->stream(w, side, ev.number);
	}
}

static void
lw_flush(struct lib_world *w)
{
	uint8_t out[SSP_DATAGRAM_MAX];
	struct ssp_route to;
	int s, i;
	size_t n;

	for (s = 0; s < LW_SIDES; s++) {
		lw_events(w, s);
		for (i = 0; i < 1000; i++) {
			n = ssp_send(w->end[s], w->now, &to, out, sizeof out);
			if (n == 0)
				break;
			lw_post(w, s, &to, out, n);
		}
		ck_assert_int_lt(i, 1000);
		lw_events(w, s);
	}
}

/* Returns the time of the next thing that happens. */
static uint64_t
lw_next(struct lib_world *w)
{
	uint64_t t = SSP_NEVER, d;
	size_t i;
	int s;

	for (i = 0; i < w->queued; i++)
		t = w->queue[i].at < t ? w->queue[i].at : t;
	for (s = 0; s < LW_SIDES; s++) {
		d = ssp_deadline(w->end[s], w->now);
		t = d < t ? d : t;
	}
	return t;
}

static void
lw_deliver(struct lib_world *w)
{
	struct lw_packet p;
	size_t i = 0;
	int e;

	while (i < w->queued) {
		if (w->queue[i].at > w->now) {
			i++;
			continue;
		}
		p = w->queue[i];
		w->queue[i] = w->queue[--w->queued];
		e = ssp_receive(w->end[p.to], w->now, &p.from, 0, p.bytes, p.n);
		w->last_error = e != 0 ? e : w->last_error;
		lw_events(w, p.to);
	}
}

void
lib_world_run(struct lib_world *w, uint64_t ms)
{
	uint64_t end = w->now + ms, t, last = 0;
	unsigned stuck = 0;

	for (;;) {
		lw_flush(w);
		t = lw_next(w);
		if (t > end)
			break;
		stuck = t <= last ? stuck + 1 : 0;
		ck_assert_msg(stuck < 1000, "time stands still");
		last = t;
		w->now = t > w->now ? t : w->now;
		lw_deliver(w);
	}
	w->now = end;
}

bool
lib_world_settle(struct lib_world *w, uint64_t ms)
{
	uint64_t end = w->now + ms;

	while (w->now < end) {
		lib_world_run(w, 5);
		if (ssp_synced(w->end[0], w->now) &&
		    ssp_synced(w->end[1], w->now))
			return true;
	}
	return false;
}

struct board *
lw_local(struct lib_world *w, int side)
{
	return ssp_local(w->end[side]);
}

const struct board *
lw_remote(struct lib_world *w, int side)
{
	return ssp_remote(w->end[side], NULL);
}

void
lw_set(struct lib_world *w, int side, unsigned cell, uint32_t v)
{
	lw_local(w, side)->cell[cell % LW_CELLS] = v;
	ssp_changed(w->end[side], w->now);
}
