/* The second key exchange, with a stand-in for the library's. */
#include <string.h>

#include "base/err.h"
#include "regress/unit/kem_stub.h"
#include "regress/unit/ssp_world.h"
#include "regress/unit/unit.h"
#include "ssp/conn_int.h"

static void
hex(const uint8_t *p, size_t n, char *out)
{
	static const char digit[] = "0123456789abcdef";
	size_t i;

	for (i = 0; i < n; i++) {
		out[2 * i] = digit[p[i] >> 4];
		out[2 * i + 1] = digit[p[i] & 15];
	}
	out[2 * n] = '\0';
}

static void
count_up(uint8_t *p, size_t n, uint8_t from)
{
	size_t i;

	for (i = 0; i < n; i++)
		p[i] = (uint8_t)(from + i);
}

static void
both(struct world *w, uint64_t seed, const struct ssp_kem *client,
    const struct ssp_kem *server)
{
	world_init(w, seed);
	w->cfg[CLIENT].kem = client;
	w->cfg[SERVER].kem = server;
	w->toy[CLIENT].value = 1;
	w->toy[SERVER].value = 1;
}

static bool
hybrid(struct world *w)
{
	return world_stats(w, CLIENT).hybrid && world_stats(w, SERVER).hybrid;
}

/* The combiner; the value comes from Python's hashlib. */
START_TEST(the_combined_psk_has_its_value)
{
	uint8_t psk[SSP_KEY_LEN], shared[SSP_KEM_SHARED], said[80];
	struct ssp_secrets sec;
	struct ssp_hs hs;
	char text[65];

	memset(&sec, 0, sizeof(sec));
	count_up(psk, sizeof(psk), 0);
	count_up(shared, sizeof(shared), 32);
	count_up(said, sizeof(said), 0);
	ssp_hs_init(&hs, true, 1, 1, 1, &sec, psk);
	ssp_hs_mix(&hs, shared, said, sizeof(said));
	hex(sec.psk, 32, text);
	ck_assert_str_eq(text, "c4a0de6736acd11cd0c4201296b3186a"
			       "7d5d4f89c4ebd0307ecece7e7eb5245e");
}
END_TEST

/*
 * The library behind ssp_kem_system, where there is one; the values come from
 * another implementation (kyber-py 1.2).
 */
START_TEST(the_library_computes_ml_kem_768)
{
	const struct ssp_kem *kem = ssp_kem_system();
	uint8_t seed[SSP_KEM_SEED], random[SSP_KEM_RANDOM];
	uint8_t key[SSP_KEM_KEY], ct[SSP_KEM_TEXT];
	uint8_t shared[SSP_KEM_SHARED], hash[SSP_HASH_LEN];
	char text[65];

	if (kem == NULL)
		return;
	count_up(seed, sizeof(seed), 0);
	count_up(random, sizeof(random), 100);
	ck_assert_int_eq(kem->make(seed, key), 0);
	ssp_hash(hash, key, sizeof(key), NULL, 0);
	hex(hash, 16, text);
	ck_assert_str_eq(text, "620bc65e375dbea35b663d6bba673318");
	ck_assert_int_eq(kem->wrap(key, random, ct, shared), 0);
	ssp_hash(hash, ct, sizeof(ct), NULL, 0);
	hex(hash, 16, text);
	ck_assert_str_eq(text, "982ab6c410efec1c200ae2486258cdc0");
	hex(shared, 32, text);
	ck_assert_str_eq(text, "c5a74110c158acbaf9c01deb86fa6cc1"
			       "0c14533feda54bec1fdd000d61f07e4e");
	memset(shared, 0, sizeof(shared));
	ck_assert_int_eq(kem->open(seed, ct, shared), 0);
	hex(shared, 32, text);
	ck_assert_str_eq(text, "c5a74110c158acbaf9c01deb86fa6cc1"
			       "0c14533feda54bec1fdd000d61f07e4e");
	/* A changed ciphertext gives another secret. */
	ct[0] ^= 1;
	ck_assert_int_eq(kem->open(seed, ct, shared), 0);
	hex(shared, 32, text);
	ck_assert_str_eq(text, "bb28c25ed3222c13ce49d65f663f1c9f"
			       "148565a664747e142f1abe06f33f4826");
	/* A coefficient of 3329 or more is invalid. */
	memset(key, 0xff, 3);
	ck_assert_int_eq(kem->wrap(key, random, ct, shared), SSP_KEM_INVALID);
}
END_TEST

START_TEST(both_ends_have_it_and_all_later_keys_need_it)
{
	const struct ssp_kem *system = ssp_kem_system();
	struct world w;
	unsigned i;

	for (i = 0; i < 2; i++) {
		if (i == 1 && system == NULL)
			break;
		both(
		    &w, 20 + i, i ? system : &kem_stub, i ? system : &kem_stub);
		world_open(&w);
		/* The first payloads wait for nothing. */
		ck_assert(world_settle(&w, 210));
		ck_assert(!hybrid(&w));
		/* Key, ciphertext, INIT, RESP, and a datagram that proves it. */
		world_run(&w, w.now + 500);
		ck_assert(hybrid(&w));
		ck_assert_uint_eq(world_stats(&w, SERVER).epoch, 1);
		ck_assert_ptr_null(w.conn[CLIENT]->kem);
		ck_assert_ptr_null(w.conn[SERVER]->kem);
		world_bump(&w, CLIENT);
		world_bump(&w, SERVER);
		ck_assert(world_settle(&w, 1000));
		ssp_conn_rekey(w.conn[CLIENT]);
		world_run(&w, w.now + 1000);
		ck_assert_uint_eq(world_stats(&w, SERVER).epoch, 2);
		ck_assert(hybrid(&w));
		world_fini(&w);
	}
}
END_TEST

START_TEST(an_end_without_it_is_served_as_before)
{
	struct world w;
	int side;

	for (side = 0; side < SIDES; side++) {
		both(&w, 22, side == CLIENT ? &kem_stub : NULL,
		    side == CLIENT ? NULL : &kem_stub);
		world_open(&w);
		ck_assert(world_settle(&w, 210));
		world_run(&w, w.now + 30000);
		ck_assert(!hybrid(&w));
		world_bump(&w, CLIENT);
		world_bump(&w, SERVER);
		ck_assert(world_settle(&w, 1000));
		ssp_conn_rekey(w.conn[CLIENT]);
		world_run(&w, w.now + 1000);
		ck_assert_uint_eq(world_stats(&w, CLIENT).epoch, 1);
		ck_assert(!hybrid(&w));
		world_fini(&w);
	}
}
END_TEST

START_TEST(an_end_that_insists_refuses_one_without_it)
{
	struct world w;
	int side;

	for (side = 0; side < SIDES; side++) {
		both(&w, 24, side == CLIENT ? &kem_stub : NULL,
		    side == CLIENT ? NULL : &kem_stub);
		w.cfg[side].caps = SSP_CAP_MLKEM_ONLY;
		world_open(&w);
		world_run(&w, w.now + 5000);
		ck_assert_int_eq(
		    world_stats(&w, CLIENT).state, SSP_CONN_FAILED);
		ck_assert_int_eq(
		    world_stats(&w, SERVER).state, SSP_CONN_FAILED);
		ck_assert_uint_eq(w.events[CLIENT][SSP_CONN_EV_FAILED], 1);
		ck_assert_uint_eq(w.toy[CLIENT].remote, 0);
		ck_assert_uint_eq(w.toy[SERVER].remote, 0);
		world_fini(&w);
	}
}
END_TEST

START_TEST(an_end_that_insists_sends_nothing_before)
{
	struct world w;
	int side;

	for (side = 0; side < SIDES; side++) {
		both(&w, 26, &kem_stub, &kem_stub);
		w.cfg[side].caps = SSP_CAP_MLKEM_ONLY;
		world_open(&w);
		while (world_stats(&w, side).epoch == 0 && w.now < 5000) {
			/* The client's INIT was made before it knew. */
			ck_assert_uint_eq(w.toy[CLIENT].remote, 0);
			if (side == CLIENT)
				ck_assert_uint_eq(w.toy[SERVER].remote, 0);
			world_run(&w, w.now + 1);
		}
		ck_assert(world_settle(&w, 1000));
		ck_assert(hybrid(&w));
		world_fini(&w);
	}
}
END_TEST

/* Loses the datagrams that carry pieces: their size and type show. */
static bool
no_kem(struct world *w, UNUSED int from,
    UNUSED const struct ssp_path_addr *path, uint8_t *p, size_t len)
{
	bool *on = w->arg;

	return !*on || (p[0] >> 2 & 3) != SSP_DGRAM_PROBE || len < 400;
}

/* Loses every handshake after the first. */
static bool
no_init(struct world *w, UNUSED int from,
    UNUSED const struct ssp_path_addr *path, uint8_t *p, UNUSED size_t len)
{
	bool *on = w->arg;

	return !*on || (p[0] >> 2 & 3) >= SSP_DGRAM_DATA || (p[0] & 3) == 0;
}

START_TEST(an_attacker_on_the_path_cannot_lower_it)
{
	static const world_filter_fn filters[] = { no_kem, no_init };
	uint64_t had[SIDES];
	struct world w;
	bool on = true;
	size_t i;
	int n;

	for (i = 0; i < ARRAY_LEN(filters); i++) {
		both(&w, 28 + i, &kem_stub, &kem_stub);
		w.filter = filters[i];
		w.arg = &on;
		on = true;
		world_open(&w);
		world_run(&w, w.now + CONN_KEM_WAIT + 1000);
		had[CLIENT] = w.toy[CLIENT].remote;
		had[SERVER] = w.toy[SERVER].remote;
		/* Whatever the attacker does, no payload goes without it. */
		for (n = 0; n < 300; n++) {
			world_bump(&w, CLIENT);
			world_bump(&w, SERVER);
			world_run(&w, w.now + 1000);
		}
		ck_assert_uint_eq(w.toy[CLIENT].remote, had[CLIENT]);
		ck_assert_uint_eq(w.toy[SERVER].remote, had[SERVER]);
		ck_assert(!hybrid(&w));
		ck_assert_uint_eq(world_stats(&w, CLIENT).epoch, 0);
		/* Weeks later it is gone. */
		w.now += UINT64_C(30) * 86400 * 1000;
		on = false;
		ck_assert(world_settle(&w, 20000));
		ck_assert(hybrid(&w));
		world_fini(&w);
	}
}
END_TEST

/* An end that understood other offers gets other keys. */
START_TEST(offers_that_differ_give_no_session)
{
	struct world w;

	both(&w, 30, &kem_stub, &kem_stub);
	world_open(&w);
	ck_assert(world_settle(&w, 210));
	w.conn[CLIENT]->peer_caps |= 64;
	world_run(&w, w.now + 20000);
	ck_assert(!hybrid(&w));
	ck_assert_uint_ge(world_stats(&w, SERVER).drops[SSP_DROP_AUTH], 1);
	ck_assert_uint_eq(world_stats(&w, SERVER).epoch, 0);
	world_fini(&w);
}
END_TEST

START_TEST(loss_and_order_do_not_matter)
{
	struct world w;
	unsigned i;

	for (i = 0; i < 20 + unit_rounds(180); i++) {
		both(&w, 1000 + i, &kem_stub, &kem_stub);
		w.loss = i % 6 * 100;
		w.jitter = i % 3 * 100;
		w.mtu = i % 2 ? 512 : 0;
		world_open(&w);
		ck_assert(world_settle(&w, 120000));
		while (!hybrid(&w)) {
			ck_assert_msg(w.now < 300000, "seed %u", 1000 + i);
			world_run(&w, w.now + 100);
		}
		world_bump(&w, CLIENT);
		world_bump(&w, SERVER);
		ck_assert_msg(world_settle(&w, 120000), "seed %u", 1000 + i);
		world_fini(&w);
	}
}
END_TEST

static int
frame(struct ssp_conn *c, mono_ms now, uint8_t kind, uint8_t held,
    uint8_t piece, size_t len)
{
	uint8_t body[SSP_DGRAM_BASE] = { kind, held, piece };
	struct ssp_frame f = { SSP_FRAME_KEM, body, len };

	return conn_kem_frame(c, now, &f);
}

START_TEST(broken_frames_are_refused)
{
	struct ssp_conn *c;
	struct world w;
	int side;

	both(&w, 32, &kem_stub, &kem_stub);
	world_open(&w);
	while (!world_stats(&w, SERVER).handshakes ||
	       !world_stats(&w, CLIENT).handshakes)
		world_run(&w, w.now + 1);
	for (side = 0; side < SIDES; side++) {
		c = w.conn[side];
		ck_assert_int_lt(frame(c, w.now, 0, 0, 0, 0), 0);
		ck_assert_int_lt(frame(c, w.now, 0, 0, 0, 2), 0);
		ck_assert_int_lt(frame(c, w.now, 2, 0, 0, 435), 0);
		/* Our own kind. */
		ck_assert_int_lt(frame(c, w.now, side == SERVER, 0, 0, 435), 0);
		ck_assert_int_lt(frame(c, w.now, side == CLIENT, 8, 0, 435), 0);
		ck_assert_int_lt(frame(c, w.now, side == CLIENT, 0, 4, 435), 0);
	}
	ck_assert_int_lt(frame(w.conn[SERVER], w.now, 0, 0, 0, 436), 0);
	ck_assert_int_lt(frame(w.conn[SERVER], w.now, 0, 0, 2, 435), 0);
	ck_assert_int_lt(frame(w.conn[SERVER], w.now, 0, 0, 2, 3), 0);
	/* A key that the library refuses. */
	ck_assert_int_eq(frame(w.conn[SERVER], w.now, 0, 0, 0, 435), 0);
	ck_assert_int_eq(frame(w.conn[SERVER], w.now, 0, 0, 1, 435), 0);
	ck_assert_int_eq(frame(w.conn[SERVER], w.now, 0, 0, 2, 323), -ERR_PEER);
	ck_assert(!w.conn[SERVER]->hybrid);
	world_fini(&w);
}
END_TEST

/* What the exchange adds to a connection's first second. */
START_TEST(it_costs_few_bytes)
{
	uint64_t bytes[2], count[2];
	struct world w;
	unsigned i;

	for (i = 0; i < 2; i++) {
		both(&w, 33, i ? &kem_stub : NULL, i ? &kem_stub : NULL);
		world_open(&w);
		ck_assert(world_settle(&w, 210));
		if (i == 0)
			ssp_conn_rekey(w.conn[CLIENT]);
		world_run(&w, w.now + 2000);
		bytes[i] = w.sent_bytes[CLIENT] + w.sent_bytes[SERVER];
		count[i] = w.sent[CLIENT] + w.sent[SERVER];
		world_fini(&w);
	}
	ck_assert_uint_le(bytes[1] - bytes[0], 3000);
	ck_assert_uint_le(count[1] - count[0], 8);
}
END_TEST

UNIT_SUITE(kem)
{
	Suite *s = suite_create("ssp/kem");
	TCase *tc = tcase_create("kem");

	tcase_set_timeout(tc, 60);
	tcase_add_test(tc, the_combined_psk_has_its_value);
	tcase_add_test(tc, the_library_computes_ml_kem_768);
	tcase_add_test(tc, both_ends_have_it_and_all_later_keys_need_it);
	tcase_add_test(tc, an_end_without_it_is_served_as_before);
	tcase_add_test(tc, an_end_that_insists_refuses_one_without_it);
	tcase_add_test(tc, an_end_that_insists_sends_nothing_before);
	tcase_add_test(tc, an_attacker_on_the_path_cannot_lower_it);
	tcase_add_test(tc, offers_that_differ_give_no_session);
	tcase_add_test(tc, loss_and_order_do_not_matter);
	tcase_add_test(tc, broken_frames_are_refused);
	tcase_add_test(tc, it_costs_few_bytes);
	suite_add_tcase(s, tc);
	return s;
}
