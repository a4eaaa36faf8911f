#include <string.h>

#include "base/err.h"
#include "regress/unit/ssp_world.h"
#include "regress/unit/unit.h"

static struct ssp_conn_stats
stats(struct world *w, int side)
{
	struct ssp_conn_stats st;

	ssp_conn_stats(w->conn[side], &st);
	return st;
}

/* The first input is in INIT, the first frame in RESP: one round trip. */
START_TEST(first_datagrams_carry_input_and_frame)
{
	struct world w;

	world_init(&w, 1);
	w.cfg[CLIENT].caps = 5;
	w.cfg[SERVER].caps = 9;
	w.toy[CLIENT].value = 11;
	w.toy[SERVER].value = 22;
	world_open(&w);
	world_run(&w, 1050);
	ck_assert_uint_eq(w.toy[SERVER].remote, 11);
	ck_assert_uint_eq(w.toy[SERVER].last_pn, 0);
	ck_assert_uint_eq(w.sent[CLIENT], 1);
	world_run(&w, 1100);
	ck_assert_uint_eq(w.toy[CLIENT].remote, 22);
	ck_assert_uint_eq(w.toy[CLIENT].remote_at, 1100);
	ck_assert_int_eq(stats(&w, CLIENT).state, SSP_CONN_UP);
	ck_assert_uint_eq(w.toy[CLIENT].rtt, 100);
	world_run(&w, 1150);
	ck_assert_int_eq(stats(&w, SERVER).state, SSP_CONN_UP);
	ck_assert_uint_eq(stats(&w, SERVER).peer_caps, 5);
	ck_assert_uint_eq(stats(&w, CLIENT).peer_caps, 9);
	ck_assert_uint_eq(stats(&w, CLIENT).version, 1);
	ck_assert(world_settle(&w, 1000));
	world_run(&w, w.now + 500);
	/* An idle connection sends nothing. */
	ck_assert_uint_eq(
	    ssp_conn_deadline(w.conn[SERVER], w.now) > w.now + 900, 1);
	world_fini(&w);
}
END_TEST

START_TEST(keys_and_frames_flow_under_loss)
{
	struct world w;
	unsigned i, seed;

	for (seed = 1; seed <= unit_rounds(40); seed++) {
		world_init(&w, seed);
		w.loss = 290;
		world_open(&w);
		for (i = 0; i < 20; i++) {
			world_bump(&w, CLIENT);
			world_bump(&w, SERVER);
			ck_assert_msg(world_settle(&w, 60000), "seed %u", seed);
		}
		ck_assert_uint_eq(stats(&w, SERVER).drops[SSP_DROP_AUTH], 0);
		ck_assert_uint_eq(stats(&w, CLIENT).drops[SSP_DROP_AUTH], 0);
		world_fini(&w);
	}
}
END_TEST

static bool
drop_resp(struct world *w, int from, const struct ssp_path_addr *path,
    uint8_t *p, size_t len)
{
	unsigned *left = w->arg;

	(void)path;
	(void)len;
	if (from == SERVER && (p[0] >> 2 & 3) == SSP_DGRAM_RESP && *left > 0) {
		(*left)--;
		return false;
	}
	return true;
}

START_TEST(lost_answer_is_sent_again_the_same)
{
	struct world w;
	unsigned left = 5;

	world_init(&w, 3);
	w.filter = drop_resp;
	w.arg = &left;
	w.toy[CLIENT].value = 1;
	world_open(&w);
	ck_assert(world_settle(&w, 60000));
	world_run(&w, w.now + 200);
	ck_assert_uint_eq(left, 0);
	ck_assert_uint_eq(stats(&w, SERVER).handshakes, 1);
	ck_assert_uint_eq(w.toy[SERVER].remote, 1);
	ck_assert_int_eq(stats(&w, SERVER).state, SSP_CONN_UP);
	world_fini(&w);
}
END_TEST

/* A path of 512 bytes carries the handshake after the padded tries. */
START_TEST(handshake_fits_a_narrow_path)
{
	struct world w;

	world_init(&w, 4);
	w.mtu = 512;
	w.toy[CLIENT].value = 1;
	w.toy[SERVER].value = 1;
	world_open(&w);
	ck_assert(world_settle(&w, 10000));
	world_fini(&w);
}
END_TEST

START_TEST(version_is_the_highest_common_one)
{
	/* clang-format off */
	static const struct {
		uint8_t clo, chi, slo, shi, want;
	} rows[] = {
		{ 1, 1, 1, 1, 1 }, { 1, 3, 1, 2, 2 }, { 2, 5, 1, 9, 5 },
		{ 3, 4, 4, 6, 4 }, { 1, 2, 3, 4, 0 }, { 5, 6, 1, 4, 0 },
	};
	/* clang-format on */
	struct world w;
	size_t i;

	for (i = 0; i < ARRAY_LEN(rows); i++) {
		world_init(&w, 5 + i);
		w.cfg[CLIENT].version_lo = rows[i].clo;
		w.cfg[CLIENT].version_hi = rows[i].chi;
		w.cfg[SERVER].version_lo = rows[i].slo;
		w.cfg[SERVER].version_hi = rows[i].shi;
		w.toy[CLIENT].value = w.toy[SERVER].value = 1;
		world_open(&w);
		ck_assert_int_eq(world_settle(&w, 3000), rows[i].want != 0);
		ck_assert_uint_eq(stats(&w, CLIENT).version, rows[i].want);
		ck_assert_uint_eq(stats(&w, SERVER).version, rows[i].want);
		if (rows[i].want == 0) {
			ck_assert_uint_eq(
			    w.events[CLIENT][SSP_CONN_EV_FAILED], 1);
			ck_assert_int_eq(
			    stats(&w, CLIENT).state, SSP_CONN_FAILED);
			ck_assert_uint_eq(w.toy[SERVER].recvs, 0);
		}
		world_fini(&w);
	}
}
END_TEST

/* An attacker that changes the versions in the clear breaks the handshake. */
static bool
spoil_version(struct world *w, int from, const struct ssp_path_addr *path,
    uint8_t *p, size_t len)
{
	(void)w;
	(void)path;
	(void)len;
	if (from == CLIENT && (p[0] >> 2 & 3) == SSP_DGRAM_INIT)
		p[10] = 1;
	return true;
}

START_TEST(version_range_cannot_be_changed_on_the_way)
{
	struct world w;

	world_init(&w, 6);
	w.cfg[CLIENT].version_hi = 3;
	w.cfg[SERVER].version_hi = 3;
	w.filter = spoil_version;
	world_open(&w);
	world_run(&w, 5000);
	ck_assert_int_eq(stats(&w, CLIENT).state, SSP_CONN_OPENING);
	ck_assert_uint_eq(w.sent[SERVER], 0);
	ck_assert_uint_ge(stats(&w, SERVER).drops[SSP_DROP_AUTH], 3);
	world_fini(&w);
}
END_TEST

START_TEST(rekeys_by_time_and_count_without_a_pause)
{
	struct world w;
	mono_ms before;
	unsigned i, n;

	for (n = 0; n < 2; n++) {
		world_init(&w, 7 + n);
		w.cfg[CLIENT].rekey_ms = n == 0 ? 20000 : 1000000000;
		w.cfg[CLIENT].rekey_packets = n == 0 ? 1u << 30 : 300;
		world_open(&w);
		for (i = 0; i < 200 + unit_rounds(1800); i++) {
			world_bump(&w, CLIENT);
			world_bump(&w, SERVER);
			before = w.now;
			ck_assert(world_settle(&w, 5000));
			ck_assert_uint_le(w.now - before, i == 0 ? 210 : 101);
		}
		ck_assert_uint_ge(stats(&w, CLIENT).epoch, unit_rounds(8));
		ck_assert_uint_eq(
		    stats(&w, CLIENT).epoch, stats(&w, SERVER).epoch);
		ck_assert_uint_eq(stats(&w, SERVER).drops[SSP_DROP_KEYS], 0);
		ck_assert_uint_eq(stats(&w, CLIENT).drops[SSP_DROP_KEYS], 0);
		world_fini(&w);
	}
}
END_TEST

START_TEST(rekeys_under_loss_and_on_request)
{
	struct world w;
	unsigned i;

	world_init(&w, 9);
	w.loss = 290;
	w.cfg[CLIENT].rekey_packets = 200;
	world_open(&w);
	for (i = 0; i < 600; i++) {
		world_bump(&w, i % 2);
		ck_assert(world_settle(&w, 60000));
	}
	ck_assert_uint_ge(stats(&w, CLIENT).epoch, 4);
	w.loss = 0;
	ck_assert(world_settle(&w, 60000));
	i = (unsigned)stats(&w, SERVER).epoch;
	ssp_conn_rekey(w.conn[SERVER]);
	world_run(&w, w.now + 20000);
	ck_assert_uint_eq(stats(&w, SERVER).epoch, i + 1);
	ssp_conn_rekey(w.conn[CLIENT]);
	world_run(&w, w.now + 2000);
	ck_assert_uint_eq(stats(&w, SERVER).epoch, i + 2);
	world_fini(&w);
}
END_TEST

/* A hostile client asks for new keys all the time. */
START_TEST(a_server_bounds_handshakes)
{
	struct world w;
	unsigned i;

	world_init(&w, 11);
	w.cfg[CLIENT].rekey_gap_ms = 1;
	world_open(&w);
	for (i = 0; i < 2000; i++) {
		ssp_conn_rekey(w.conn[CLIENT]);
		world_run(&w, w.now + 10);
	}
	/* Eight at once, then one in two seconds. */
	ck_assert_uint_le(stats(&w, SERVER).epoch, 8 + 20000 / 2000 + 1);
	ck_assert_uint_ge(stats(&w, SERVER).epoch, 8 + 20000 / 2000 - 2);
	ck_assert_uint_ge(stats(&w, SERVER).drops[SSP_DROP_LIMIT], 10);
	world_bump(&w, CLIENT);
	world_bump(&w, SERVER);
	ck_assert(world_settle(&w, 5000));
	world_fini(&w);
}
END_TEST

START_TEST(sleep_of_two_days_ends_with_fresh_keys)
{
	struct world w;
	uint64_t epoch;
	mono_ms before;

	world_init(&w, 10);
	world_open(&w);
	world_bump(&w, CLIENT);
	ck_assert(world_settle(&w, 5000));
	epoch = stats(&w, CLIENT).epoch;
	w.now += UINT64_C(48) * 3600 * 1000;
	world_bump(&w, CLIENT);
	before = w.now;
	ck_assert(world_settle(&w, 5000));
	/* The old keys have ended: new ones come first. */
	ck_assert_uint_le(w.now - before, 201);
	world_run(&w, w.now + 1000);
	ck_assert_uint_eq(stats(&w, CLIENT).epoch, epoch + 1);
	ck_assert_uint_eq(stats(&w, SERVER).epoch, epoch + 1);
	world_fini(&w);
}
END_TEST

/* A hostile server asks for new keys all the time. */
START_TEST(a_client_bounds_handshakes)
{
	struct world w;
	unsigned i;

	world_init(&w, 12);
	world_open(&w);
	for (i = 0; i < 2000; i++) {
		ssp_conn_rekey(w.conn[CLIENT]); /* as a REKEY frame does */
		world_run(&w, w.now + 10);
	}
	ck_assert_uint_le(stats(&w, CLIENT).handshakes, 8 + 20000 / 2000 + 2);
	ck_assert_uint_eq(stats(&w, SERVER).drops[SSP_DROP_LIMIT], 0);
	ck_assert_uint_eq(stats(&w, CLIENT).out > 2000, false);
	world_fini(&w);
}
END_TEST

/* Months without a datagram; the network lost every try before. */
START_TEST(a_sleep_of_months_in_the_middle_of_a_handshake)
{
	struct world w;
	mono_ms before;
	unsigned i;

	for (i = 0; i < 2; i++) {
		world_init(&w, 13 + i);
		world_open(&w);
		world_bump(&w, CLIENT);
		ck_assert(world_settle(&w, 5000));
		/* Either nobody gets the INIT, or the server does. */
		w.loss = 1000;
		ssp_conn_rekey(w.conn[i == 0 ? CLIENT : SERVER]);
		ssp_conn_rekey(w.conn[CLIENT]);
		world_run(&w, w.now + UINT64_C(3) * 3600 * 1000);
		w.now += UINT64_C(90) * 86400 * 1000;
		w.loss = 0;
		world_bump(&w, CLIENT);
		world_bump(&w, SERVER);
		before = w.now;
		ck_assert(world_settle(&w, 20000));
		ck_assert_uint_le(w.now - before, 1500);
		ck_assert_uint_eq(
		    stats(&w, CLIENT).epoch, stats(&w, SERVER).epoch);
		world_fini(&w);
	}
}
END_TEST

/* Both ends sleep after the server's first answer, which was lost. */
START_TEST(a_sleep_of_months_in_the_first_handshake)
{
	struct world w;

	world_init(&w, 15);
	world_open(&w);
	world_run(&w, w.now + 20);
	w.loss = 1000; /* INIT is on its way, RESP will be lost */
	world_run(&w, w.now + 200);
	ck_assert_uint_eq(stats(&w, SERVER).handshakes, 1);
	ck_assert_uint_eq(stats(&w, CLIENT).handshakes, 0);
	w.now += UINT64_C(90) * 86400 * 1000;
	w.loss = 0;
	world_bump(&w, CLIENT);
	ck_assert(world_settle(&w, 20000));
	ck_assert_uint_eq(stats(&w, SERVER).drops[SSP_DROP_ENDED], 0);
	world_fini(&w);
}
END_TEST

/* An end that goes on with dead keys is not heard; new keys revive it. */
START_TEST(keys_end_by_time_and_count)
{
	struct world w;
	uint64_t epoch, got;
	unsigned n, i;
	int late, other;

	for (n = 0; n < 4; n++) {
		/* the end that ignores the limit */
		late = n % 2 == 0 ? CLIENT : SERVER;
		other = SIDES - 1 - late;
		world_init(&w, 15 + n);
		for (i = 0; i < SIDES; i++) {
			w.cfg[i].rekey_ms = w.cfg[i].rekey_idle_ms = MONO_NEVER;
			w.cfg[i].rekey_packets = UINT64_MAX / 4;
			if (n < 2)
				w.cfg[i].end_ms =
				    (int)i == late ? MONO_NEVER : 60000;
			else
				w.cfg[i].end_packets =
				    (int)i == late ? UINT64_MAX : 200;
		}
		/* A client that ends asks for keys: only a server waits. */
		if (late == SERVER)
			w.cfg[CLIENT].rekey_gap_ms = 1000000;
		w.cfg[CLIENT].rekey_burst = 1;
		world_open(&w);
		world_bump(&w, CLIENT);
		ck_assert(world_settle(&w, 5000));
		if (late == SERVER) {
			ssp_conn_rekey(w.conn[CLIENT]);
			world_run(&w, w.now + 2000);
		}
		epoch = stats(&w, CLIENT).epoch;
		for (i = 0; i < 300; i++) {
			world_bump(&w, late);
			world_run(&w, w.now + 300);
		}
		got = stats(&w, other).drops[SSP_DROP_ENDED];
		ck_assert_uint_gt(got, 20);
		ck_assert_uint_ne(w.toy[late].value, w.toy[other].remote);
		ck_assert_uint_eq(stats(&w, CLIENT).epoch, epoch);
		got = stats(&w, other).out;
		world_bump(&w, other);
		world_run(&w, w.now + 10000);
		ck_assert_uint_le(stats(&w, other).out - got, 5);
		if (late == CLIENT) {
			ssp_conn_rekey(w.conn[CLIENT]);
		} else {
			/* The budget has a handshake again. */
			world_run(&w, w.now + 1000000);
		}
		ck_assert(world_settle(&w, 20000));
		ck_assert_uint_eq(stats(&w, CLIENT).epoch, epoch + 1);
		world_fini(&w);
	}
}
END_TEST

/* A datagram in flight across a suspend is no round-trip sample. */
START_TEST(sleep_is_no_round_trip)
{
	struct world w;
	int s, what;

	for (what = 0; what < 2; what++) {
		world_init(&w, 10);
		world_open(&w);
		world_bump(&w, CLIENT);
		ck_assert(world_settle(&w, 5000));
		world_run(&w, w.now + 3000);
		/* A key, or a path challenge. */
		if (what == 0)
			world_bump(&w, CLIENT);
		else
			ssp_conn_network_changed(w.conn[CLIENT], w.now);
		world_run(&w, w.now + 1);
		w.now += UINT64_C(8) * 3600 * 1000;
		world_bump(&w, CLIENT);
		ck_assert(world_settle(&w, 5000));
		for (s = 0; s < SIDES; s++)
			ck_assert_uint_le(stats(&w, s).srtt, 200);
		world_fini(&w);
	}
}
END_TEST

START_TEST(trusted_stream_carries_the_same_payloads)
{
	struct world w;
	struct ssp_path_addr path;
	int s;

	world_init(&w, 11);
	for (s = 0; s < SIDES; s++) {
		w.cfg[s].plain = true;
		w.cfg[s].keyring = NULL; /* no secrets */
	}
	w.delay = 0;
	w.toy[CLIENT].value = 3;
	w.toy[SERVER].value = 4;
	ck_assert_int_eq(
	    ssp_conn_server_accept(&w.cfg[SERVER], w.now, &w.conn[SERVER]), 0);
	ck_assert_int_eq(
	    ssp_conn_client_new(&w.cfg[CLIENT], w.now, &w.conn[CLIENT]), 0);
	memset(&path, 0, sizeof(path));
	path.local.kind = path.remote.kind = SSP_ADDR_STREAM;
	ck_assert_int_eq(ssp_conn_path_add(w.conn[CLIENT], w.now, &path), 0);
	ck_assert(world_settle(&w, 10));
	ck_assert(!w.toy[SERVER].stream); /* its owner knows the link kind */
	ck_assert_int_eq(stats(&w, SERVER).state, SSP_CONN_UP);
	ck_assert_int_eq(stats(&w, CLIENT).state, SSP_CONN_UP);
	w.toy[SERVER].bulk = 500000;
	world_bump(&w, SERVER);
	ck_assert(world_settle(&w, 10));
	ck_assert_uint_lt(w.sent[SERVER], 20);
	ssp_conn_abort(w.conn[SERVER], w.now, 7);
	world_run(&w, w.now + 10);
	ck_assert_uint_eq(w.events[CLIENT][SSP_CONN_EV_CLOSED], 1);
	world_fini(&w);
}
END_TEST

START_TEST(padding_hides_lengths)
{
	static const size_t pads[] = { 0, 16, 64 };
	struct ssp_path_addr to;
	uint8_t out[2000];
	struct world w;
	size_t i, k, n, first, len;

	for (i = 0; i < ARRAY_LEN(pads); i++) {
		world_init(&w, 12);
		w.cfg[CLIENT].pad = pads[i];
		world_open(&w);
		ck_assert(world_settle(&w, 1000));
		world_run(&w, w.now + 3000);
		first = 0;
		for (k = 0; k < 8; k++) {
			w.toy[CLIENT].bulk = 1 + k;
			n = ssp_conn_output(
			    w.conn[CLIENT], w.now, &to, out, sizeof(out));
			ck_assert_uint_gt(n, 0);
			len = n - SSP_DGRAM_HEAD_SHORT - SSP_TAG_LEN;
			if (pads[i] > 1 && len != pads[i])
				ck_assert_uint_eq(len % pads[i], pads[i] / 2);
			if (k == 0)
				first = n;
			ck_assert_int_eq(n == first, pads[i] != 0 || k == 0);
		}
		world_fini(&w);
	}
}
END_TEST

START_TEST(abort_reaches_the_peer_and_ends_all)
{
	struct world w;

	world_init(&w, 13);
	world_open(&w);
	ck_assert(world_settle(&w, 1000));
	world_run(&w, w.now + 1000);
	ssp_conn_abort(w.conn[CLIENT], w.now, 42);
	world_run(&w, w.now + 5000);
	ck_assert_int_eq(stats(&w, SERVER).state, SSP_CONN_CLOSED);
	ck_assert_uint_eq(w.events[SERVER][SSP_CONN_EV_CLOSED], 1);
	ck_assert_uint_eq(ssp_conn_deadline(w.conn[CLIENT], w.now), MONO_NEVER);
	ck_assert_uint_eq(ssp_conn_deadline(w.conn[SERVER], w.now), MONO_NEVER);
	world_bump(&w, SERVER);
	world_run(&w, w.now + 5000);
	ck_assert_uint_eq(w.toy[CLIENT].remote, 0);
	world_fini(&w);
}
END_TEST

START_TEST(congestion_marks_reach_the_payload)
{
	struct world w;

	world_init(&w, 14);
	world_open(&w);
	ck_assert(world_settle(&w, 1000));
	world_run(&w, w.now + 1000);
	world_bump(&w, CLIENT);
	w.ecn = 1;
	ck_assert(world_settle(&w, 1000));
	ck_assert_uint_eq(w.toy[SERVER].ces, 0);
	w.ecn = 3;
	world_bump(&w, CLIENT);
	ck_assert(world_settle(&w, 1000));
	ck_assert_uint_ge(w.toy[SERVER].ces, 1);
	world_fini(&w);
}
END_TEST

UNIT_SUITE(ssp_conn)
{
	Suite *s = suite_create("ssp/conn");
	TCase *tc = tcase_create("conn");

	tcase_set_timeout(tc, 30);
	tcase_add_test(tc, first_datagrams_carry_input_and_frame);
	tcase_add_test(tc, keys_and_frames_flow_under_loss);
	tcase_add_test(tc, lost_answer_is_sent_again_the_same);
	tcase_add_test(tc, handshake_fits_a_narrow_path);
	tcase_add_test(tc, version_is_the_highest_common_one);
	tcase_add_test(tc, version_range_cannot_be_changed_on_the_way);
	tcase_add_test(tc, rekeys_by_time_and_count_without_a_pause);
	tcase_add_test(tc, rekeys_under_loss_and_on_request);
	tcase_add_test(tc, a_server_bounds_handshakes);
	tcase_add_test(tc, a_client_bounds_handshakes);
	tcase_add_test(tc, a_sleep_of_months_in_the_middle_of_a_handshake);
	tcase_add_test(tc, a_sleep_of_months_in_the_first_handshake);
	tcase_add_test(tc, keys_end_by_time_and_count);
	tcase_add_test(tc, sleep_of_two_days_ends_with_fresh_keys);
	tcase_add_test(tc, sleep_is_no_round_trip);
	tcase_add_test(tc, trusted_stream_carries_the_same_payloads);
	tcase_add_test(tc, padding_hides_lengths);
	tcase_add_test(tc, abort_reaches_the_peer_and_ends_all);
	tcase_add_test(tc, congestion_marks_reach_the_payload);
	suite_add_tcase(s, tc);
	return s;
}
