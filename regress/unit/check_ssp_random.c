/*
 * Random lives of a connection, each from a seed: loss, delay, reordering,
 * cuts, address changes, narrow paths, clock skew, and an attacker that replays
 * datagrams.  When idle, both ends agree; the bounds always hold.
 */
#include <stdio.h>
#include <string.h>

#include "regress/unit/ssp_world.h"
#include "regress/unit/unit.h"

#define STEPS 40
#define SCENARIOS 400
#define OLD 64

struct life {
	struct world w;
	unsigned long seed;
	struct {
		int to;
		size_t len;
		uint8_t data[1500];
	} old[OLD];
	unsigned old_count;
};

static unsigned
pick(struct life *x, unsigned n)
{
	return (unsigned)(world_random(&x->w) % n);
}

static bool
watch(struct world *w, int from, const struct ssp_path_addr *path, uint8_t *p,
    size_t len)
{
	struct life *x = w->arg;
	unsigned k = x->old_count++ % OLD;

	(void)path;
	ck_assert_msg(len <= 1472, "seed %lu: %zu bytes", x->seed, len);
	x->old[k].to = !from;
	x->old[k].len = len;
	memcpy(x->old[k].data, p, len);
	return true;
}

/* Replays an old datagram from a random address. */
static void
replay(struct life *x)
{
	struct ssp_path_addr bad =
	    world_path(2 << 16 | 60000, 66 << 16 | pick(x, 3));
	struct ssp_conn_stats before, after;
	uint64_t out = x->w.sent_bytes[SERVER];
	unsigned k;
	int to;

	if (x->old_count < OLD)
		return;
	k = pick(x, OLD);
	to = x->old[k].to;
	ssp_conn_stats(x->w.conn[to], &before);
	/* If the original was lost, this is a genuine datagram. */
	if (world_inject(&x->w, to, &bad, x->old[k].data, x->old[k].len) != 0) {
		ssp_conn_stats(x->w.conn[to], &after);
		ck_assert_int_eq(before.paths, after.paths);
		ck_assert_mem_eq(
		    &before.active, &after.active, sizeof(after.active));
	}
	ck_assert_uint_eq(out, x->w.sent_bytes[SERVER]);
}

static void
step(struct life *x)
{
	static const size_t mtus[] = { 0, 1472, 1400, 1250, 1200, 1100, 800,
		512 };
	static const unsigned losses[] = { 0, 0, 0, 10, 50, 290, 600, 1000 };
	struct world *w = &x->w;
	struct ssp_path_addr second =
	    world_path(9 << 16 | 5000, 2 << 16 | 60000);

	switch (pick(x, 12)) {
	case 0:
		w->loss = losses[pick(x, ARRAY_LEN(losses))];
		break;
	case 1:
		w->delay = 1 + pick(x, 400);
		w->jitter = pick(x, 2) * pick(x, 200);
		break;
	case 2:
		w->nat = true;
		w->nat_addr = world_addr(70 + pick(x, 3), 1000 + pick(x, 500));
		break;
	case 3:
		w->mtu = mtus[pick(x, ARRAY_LEN(mtus))];
		break;
	case 4:
		ssp_conn_network_changed(
		    w->conn[CLIENT], world_clock(w, CLIENT));
		break;
	case 5:
		ssp_conn_rekey(w->conn[pick(x, 2)]);
		break;
	case 6:
		w->toy[pick(x, 2)].bulk = pick(x, 30000);
		break;
	case 7:
		if (!w->nat)
			ssp_conn_path_add(
			    w->conn[CLIENT], world_clock(w, CLIENT), &second);
		break;
	case 8:
		/* Suspend: both clocks advance, nothing arrives. */
		w->now += pick(x, 2) == 0 ? pick(x, 5000) : 40000000;
		break;
	case 9:
		replay(x);
		break;
	default:
		world_bump(w, CLIENT);
		world_bump(w, SERVER);
		break;
	}
	world_run(w, w->now + pick(x, 1500));
}

/* Prints the state for a failure. */
static void
life_show(struct life *x)
{
	struct ssp_conn_stats st;
	int s;

	for (s = 0; s < SIDES; s++) {
		ssp_conn_stats(x->w.conn[s], &st);
		fprintf(stderr,
		    "seed %lu side %d: state %d epoch %llu paths %d silent %d "
		    "mtu %zu local %u remote %u:%u heard %llu of %llu out %llu "
		    "value %llu told %llu remote %llu\n",
		    x->seed, s, (int)st.state, (unsigned long long)st.epoch,
		    st.paths, st.silent, st.mtu, st.active.local.bytes[3],
		    st.active.remote.bytes[3],
		    (unsigned)st.active.remote.bytes[4] << 8 |
			st.active.remote.bytes[5],
		    (unsigned long long)st.heard_at,
		    (unsigned long long)world_clock(&x->w, s),
		    (unsigned long long)st.out,
		    (unsigned long long)x->w.toy[s].value,
		    (unsigned long long)x->w.toy[s].told,
		    (unsigned long long)x->w.toy[s].remote);
	}
}

static void
life_run(struct life *x, unsigned long seed)
{
	struct ssp_conn_stats st;
	unsigned i;
	int s;

	memset(x, 0, sizeof(*x));
	x->seed = seed;
	world_init(&x->w, seed);
	x->w.filter = watch;
	x->w.arg = x;
	x->w.auto_hop = pick(x, 2) == 0;
	x->w.skew[CLIENT] = world_random(&x->w) % 1000000;
	x->w.skew[SERVER] = world_random(&x->w) % 1000000000;
	x->w.cfg[CLIENT].rekey_packets = 50 + pick(x, 500);
	x->w.toy[CLIENT].value = 1;
	x->w.loss = pick(x, 400);
	world_open(&x->w);
	for (i = 0; i < STEPS; i++) {
		step(x);
		for (s = 0; s < SIDES; s++) {
			ssp_conn_stats(x->w.conn[s], &st);
			ck_assert_int_le(st.paths, SSP_PATHS_MAX);
			ck_assert_uint_ge(st.active.remote.kind == SSP_ADDR_NONE
					      ? 512
					      : st.mtu,
			    SSP_DGRAM_FLOOR);
			ck_assert_msg(st.state <= SSP_CONN_UP,
			    "seed %lu: state %d", seed, (int)st.state);
			ck_assert_uint_eq(st.drops[SSP_DROP_MALFORMED], 0);
		}
	}
	x->w.loss = 0;
	x->w.jitter = 0;
	x->w.delay = 50;
	world_bump(&x->w, CLIENT);
	world_bump(&x->w, SERVER);
	if (!world_settle(&x->w, 60000)) {
		life_show(x);
		ck_abort_msg("seed %lu never settles", seed);
	}
	world_run(&x->w, x->w.now + 20000);
	for (i = 0; i < 3; i++) {
		world_bump(&x->w, CLIENT);
		world_bump(&x->w, SERVER);
		ck_assert_msg(world_settle(&x->w, 1000),
		    "seed %lu is not quick again", seed);
		world_run(&x->w, x->w.now + 300);
	}
	world_fini(&x->w);
}

START_TEST(random_lives_end_well)
{
	static struct life x;
	unsigned long seed = unit_seed(0), i;

	if (seed != 0) {
		life_run(&x, seed);
		return;
	}
	for (i = 1; i <= unit_rounds(SCENARIOS); i++)
		life_run(&x, i);
}
END_TEST

UNIT_SUITE(ssp_random)
{
	Suite *s = suite_create("ssp/random");
	TCase *tc = tcase_create("random");

	tcase_set_timeout(tc, 120);
	tcase_add_test(tc, random_lives_end_well);
	suite_add_tcase(s, tc);
	return s;
}
