/* An attacker that reads, stores, changes and forges datagrams. */
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "regress/unit/ssp_world.h"
#include "regress/unit/unit.h"

/* All datagrams sent, for the attacker. */
#define KEEP_MAX 4096
struct tape {
	size_t count;
	struct {
		int from;
		struct ssp_path_addr path;
		size_t len;
		uint8_t data[1500];
	} row[KEEP_MAX];
};

static bool
record(struct world *w, int from, const struct ssp_path_addr *path, uint8_t *p,
    size_t len)
{
	struct tape *t = w->arg;

	ck_assert_uint_lt(t->count, KEEP_MAX);
	ck_assert_uint_le(len, sizeof(t->row[0].data));
	t->row[t->count].from = from;
	t->row[t->count].path = *path;
	t->row[t->count].len = len;
	memcpy(t->row[t->count++].data, p, len);
	return true;
}

/* Records a session with some traffic. */
static void
taped_session(struct world *w, struct tape *t, uint64_t seed)
{
	unsigned i;

	t->count = 0;
	world_init(w, seed);
	w->filter = record;
	w->arg = t;
	w->cfg[CLIENT].rekey_packets = 60;
	w->toy[CLIENT].value = w->toy[SERVER].value = 1;
	world_open(w);
	for (i = 0; i < 60; i++) {
		world_bump(w, (int)i % 2);
		ck_assert(world_settle(w, 5000));
	}
	world_run(w, w->now + 500);
	ck_assert_uint_ge(world_stats(w, CLIENT).epoch, 2);
}

static struct ssp_path_addr
attacker(void)
{
	return world_path(2 << 16 | 60000, 66 << 16 | 666);
}

/* Checks that nothing is sent in response. */
static void
expect_silence(struct world *w, uint64_t sent_server, uint64_t sent_client)
{
	world_run(w, w->now + 3000);
	ck_assert_uint_eq(w->sent[SERVER], sent_server);
	ck_assert_uint_eq(w->sent[CLIENT], sent_client);
}

START_TEST(replayed_and_reflected_datagrams_do_nothing)
{
	static struct tape t;
	struct ssp_path_addr bad = attacker();
	struct ssp_conn_stats before[2], after;
	struct world w;
	size_t i, n;
	int s, mode;

	taped_session(&w, &t, 21);
	n = t.count;
	for (s = 0; s < SIDES; s++)
		before[s] = world_stats(&w, s);
	for (mode = 0; mode < 2; mode++)
		for (i = 0; i < n; i++) {
			/* To its receiver, then back to its sender. */
			s = mode == 0 ? !t.row[i].from : t.row[i].from;
			ck_assert_int_ne(world_inject(&w, s, &bad,
					     t.row[i].data, t.row[i].len),
			    0);
		}
	expect_silence(&w, w.sent[SERVER], w.sent[CLIENT]);
	for (s = 0; s < SIDES; s++) {
		after = world_stats(&w, s);
		ck_assert_mem_eq(
		    &after.active, &before[s].active, sizeof(after.active));
		ck_assert_int_eq(after.paths, before[s].paths);
		ck_assert_uint_eq(after.epoch, before[s].epoch);
		ck_assert_uint_eq(after.in, before[s].in);
		ck_assert_uint_eq(after.heard_at, before[s].heard_at);
	}
	world_bump(&w, CLIENT);
	ck_assert(world_settle(&w, 1000));
	world_fini(&w);
}
END_TEST

START_TEST(changed_datagrams_are_dropped_counted_and_not_answered)
{
	static struct tape t;
	struct ssp_path_addr bad = attacker();
	struct ssp_conn_stats st;
	uint8_t out[1600];
	struct ssp_path_addr to;
	struct world w;
	uint8_t msg[1600];
	uint64_t drops = 0;
	size_t i, k, n;

	taped_session(&w, &t, 22);
	w.toy[CLIENT].bulk = 30;
	n = ssp_conn_output(w.conn[CLIENT], w.now, &to, out, sizeof(out));
	ck_assert_uint_gt(n, 60);
	/* Every bit flipped. */
	for (i = 0; i < n * 8; i++) {
		memcpy(msg, out, n);
		msg[i / 8] ^= (uint8_t)(1u << (i % 8));
		ck_assert_int_ne(world_inject(&w, SERVER, &bad, msg, n), 0);
	}
	/* Every shorter length, and longer ones. */
	for (i = 0; i < n; i++)
		ck_assert_int_ne(world_inject(&w, SERVER, &bad, out, i), 0);
	memset(msg, 0, sizeof(msg));
	memcpy(msg, out, n);
	for (i = n + 1; i < n + 600; i += 37)
		ck_assert_int_ne(world_inject(&w, SERVER, &bad, msg, i), 0);
	st = world_stats(&w, SERVER);
	for (k = 0; k < SSP_DROP_COUNT; k++)
		drops += st.drops[k];
	ck_assert_uint_eq(drops, n * 8 + n + (599 + 36) / 37);
	ck_assert_uint_eq(
	    ssp_conn_output(w.conn[SERVER], w.now, &to, msg, sizeof(msg)), 0);
	ck_assert_int_eq(world_stats(&w, SERVER).paths, 1);
	/* The genuine datagram is still accepted. */
	bad.remote = world_addr(1, 5000);
	ck_assert_int_eq(world_inject(&w, SERVER, &bad, out, n), 0);
	world_fini(&w);
}
END_TEST

START_TEST(datagrams_of_another_connection_are_refused)
{
	static struct tape t;
	struct ssp_path_addr path = world_path(2 << 16 | 60000, 1 << 16 | 5000);
	struct world a, b;
	uint8_t msg[1500];
	size_t i;

	taped_session(&a, &t, 23);
	world_init(&b, 24);
	b.toy[CLIENT].value = 1;
	world_open(&b);
	ck_assert(world_settle(&b, 1000));
	for (i = 0; i < t.count; i++) {
		memcpy(msg, t.row[i].data, t.row[i].len);
		ck_assert_int_ne(
		    world_inject(&b, !t.row[i].from, &path, msg, t.row[i].len),
		    0);
		/* Even with the right connection id. */
		msg[1] = (uint8_t)(b.cfg[0].cid >> 56);
		msg[2] = (uint8_t)(b.cfg[0].cid >> 48);
		msg[3] = (uint8_t)(b.cfg[0].cid >> 40);
		msg[4] = (uint8_t)(b.cfg[0].cid >> 32);
		msg[5] = (uint8_t)(b.cfg[0].cid >> 24);
		msg[6] = (uint8_t)(b.cfg[0].cid >> 16);
		msg[7] = (uint8_t)(b.cfg[0].cid >> 8);
		msg[8] = (uint8_t)b.cfg[0].cid;
		ck_assert_int_ne(
		    world_inject(&b, !t.row[i].from, &path, msg, t.row[i].len),
		    0);
	}
	ck_assert_uint_gt(world_stats(&b, SERVER).drops[SSP_DROP_CID], 10);
	world_bump(&b, SERVER);
	ck_assert(world_settle(&b, 1000));
	world_fini(&a);
	world_fini(&b);
}
END_TEST

/* A sender without the key never gets an answer. */
START_TEST(forged_handshakes_are_not_answered)
{
	struct ssp_path_addr bad = attacker();
	struct world w, evil;
	struct ssp_path_addr to;
	uint8_t out[1600], junk[1600];
	size_t n, i, len;

	world_init(&w, 25);
	world_open(&w);
	/* A client with the right id and a wrong key. */
	world_init(&evil, 26);
	evil.cfg[CLIENT].cid = w.cfg[CLIENT].cid;
	world_open(&evil);
	n = ssp_conn_output(evil.conn[CLIENT], evil.now, &to, out, sizeof(out));
	ck_assert_uint_eq(n, 1200);
	ck_assert_int_eq(world_inject(&w, SERVER, &bad, out, n), -ERR_AUTH);
	for (i = 0; i < 20000; i++) {
		len = world_random(&w) % sizeof(junk);
		for (n = 0; n < len; n++)
			junk[n] = (uint8_t)world_random(&w);
		if (i % 2 == 0 && len > 13) {
			/* The best forgery without the key. */
			junk[0] = (uint8_t)(0x10 | (junk[0] & 15));
			memcpy(junk + 1, out + 1, 8);
			if (i % 4 == 0)
				memcpy(junk + 9, out + 9, 4);
		}
		ck_assert_int_ne(
		    world_inject(&w, (int)i % 4 / 2, &bad, junk, len), 0);
	}
	ck_assert_uint_eq(
	    ssp_conn_output(w.conn[SERVER], w.now, &to, out, sizeof(out)), 0);
	ck_assert_uint_eq(ssp_conn_deadline(w.conn[SERVER], w.now), MONO_NEVER);
	ck_assert_int_eq(world_stats(&w, SERVER).paths, 0);
	ck_assert_int_eq(world_stats(&w, CLIENT).paths, 1);
	/* The genuine client still gets in. */
	world_bump(&w, CLIENT);
	ck_assert(world_settle(&w, 2000));
	world_fini(&w);
	world_fini(&evil);
}
END_TEST

/* A recorded INIT, replayed from elsewhere. */
START_TEST(replayed_init_moves_nothing_and_stays_small)
{
	static struct tape t;
	struct ssp_path_addr bad = attacker(), to;
	struct world w;
	uint8_t out[1600];
	uint64_t in = 0, got = 0, recvs;
	size_t n, i;

	t.count = 0;
	world_init(&w, 27);
	w.filter = record;
	w.arg = &t;
	w.toy[CLIENT].value = w.toy[SERVER].value = 1;
	world_open(&w);
	world_run(&w, 1050); /* the server has it, the answer is in flight */
	recvs = w.toy[SERVER].recvs;
	ck_assert_uint_eq(recvs, 1);
	for (i = 0; i < 50; i++) {
		w.now += 1;
		world_inject(&w, SERVER, &bad, t.row[0].data, 400);
		in += 400;
		while ((n = ssp_conn_output(
			    w.conn[SERVER], w.now, &to, out, sizeof(out))) > 0)
			if (ssp_addr_equal(&to.remote, &bad.remote))
				got += n;
	}
	ck_assert_uint_le(got, 3 * in);
	ck_assert_uint_eq(w.toy[SERVER].recvs, recvs);
	ck_assert_int_eq(world_stats(&w, SERVER).paths, 1);
	ck_assert(!world_sends_to(&w, SERVER, &bad.remote));
	world_run(&w, 1300);
	/* Confirmed: the answer is not repeated any more. */
	ck_assert_int_eq(world_stats(&w, SERVER).state, SSP_CONN_UP);
	ck_assert(world_settle(&w, 1000));
	world_run(&w, w.now + 1000);
	i = w.sent[SERVER];
	ck_assert_int_eq(
	    world_inject(&w, SERVER, &bad, t.row[0].data, t.row[0].len),
	    -ERR_REPLAY);
	expect_silence(&w, i, w.sent[CLIENT]);
	world_fini(&w);
}
END_TEST

/* An idle session whose server then has much to send. */
static void
world_talks(struct world *w, unsigned long seed)
{
	world_init(w, seed);
	world_open(w);
	world_bump(w, CLIENT);
	ck_assert(world_settle(w, 1000));
	world_run(w, w->now + 1000);
	w->toy[SERVER].bulk = 1000000;
}

/* Puts BYTES into one datagram OUT. */
static size_t
client_says(struct world *w, size_t bytes, uint8_t *out, size_t size)
{
	struct ssp_path_addr to;
	size_t n;

	w->toy[CLIENT].bulk = bytes;
	n = ssp_conn_output(w->conn[CLIENT], w->now, &to, out, size);
	ck_assert_uint_gt(n, 0);
	return n;
}

/*
 * The newest datagram, captured and forwarded from another address: that
 * address gets at most three bytes for each byte, and nothing after the genuine
 * client sends.
 */
START_TEST(at_most_three_bytes_for_one_before_validation)
{
	struct ssp_path_addr bad = attacker(), to;
	struct world w;
	uint8_t out[1600];
	uint64_t in = 0, got = 0;
	size_t n, i;

	world_talks(&w, 28);
	for (i = 0; i < 200; i++) {
		if (i % 20 == 0) {
			n = client_says(&w, 1 + i, out, sizeof(out));
			in += n;
			ck_assert_int_eq(
			    world_inject(&w, SERVER, &bad, out, n), 0);
		}
		while ((n = ssp_conn_output(
			    w.conn[SERVER], w.now, &to, out, sizeof(out))) > 0)
			if (ssp_addr_equal(&to.remote, &bad.remote))
				got += n;
			else
				ck_abort_msg("old address served");
		w.now += 100;
		ck_assert_uint_le(got, 3 * in);
	}
	ck_assert_uint_gt(got, in);
	/* The genuine client's next datagram restores the path. */
	w.toy[SERVER].bulk = 0;
	world_bump(&w, CLIENT);
	world_bump(&w, SERVER);
	ck_assert(world_settle(&w, 1000));
	ck_assert(!world_sends_to(&w, SERVER, &bad.remote));
	world_fini(&w);
}
END_TEST

/*
 * A NAT assigns another port: one key is answered before validation, and little
 * more than three bytes for each byte are sent, however often the port changes.
 */
START_TEST(another_port_of_a_known_host_is_answered_at_once)
{
	struct ssp_path_addr at = world_path(2 << 16 | 60000, 1 << 16 | 777);
	struct ssp_path_addr to;
	struct world w;
	uint8_t out[1600];
	uint64_t in = 0, got = 0;
	size_t n, i;

	world_talks(&w, 29);
	for (i = 0; i < 20; i++) {
		n = client_says(&w, 1 + i, out, sizeof(out));
		in += n;
		at.remote = world_addr(1, (unsigned)(777 + i));
		ck_assert_int_eq(world_inject(&w, SERVER, &at, out, n), 0);
		while ((n = ssp_conn_output(
			    w.conn[SERVER], w.now, &to, out, sizeof(out))) > 0)
			if (ssp_addr_equal(&to.remote, &at.remote))
				got += n;
		if (i == 0)
			ck_assert_uint_ge(got, 3 * in + 400);
		ck_assert_uint_le(got, 3 * in + SSP_PATH_PORT_CREDIT);
		w.now += 100;
	}
	world_fini(&w);
}
END_TEST

/* Forwards the server's newest datagram to the client from elsewhere. */
static bool
nobody_at_the_attacker(struct world *w, int from,
    const struct ssp_path_addr *path, uint8_t *p, size_t len)
{
	(void)w;
	(void)p;
	(void)len;
	return from != CLIENT || path->remote.bytes[3] != 66;
}

START_TEST(redirected_frames_do_not_lead_the_client_away)
{
	struct ssp_path_addr bad = world_path(1 << 16 | 5000, 66 << 16 | 666);
	struct ssp_path_addr to;
	struct world w;
	uint8_t out[1600];
	size_t n;
	unsigned i;

	world_init(&w, 31);
	w.filter = nobody_at_the_attacker;
	world_open(&w);
	ck_assert(world_settle(&w, 1000));
	world_run(&w, w.now + 1000);
	for (i = 0; i < 20; i++) {
		world_bump(&w, SERVER);
		n = ssp_conn_output(
		    w.conn[SERVER], w.now, &to, out, sizeof(out));
		ck_assert_uint_gt(n, 0);
		ck_assert_int_eq(world_inject(&w, CLIENT, &bad, out, n), 0);
		ck_assert(!world_sends_to(&w, CLIENT, &bad.remote));
		world_bump(&w, CLIENT);
		ck_assert(world_settle(&w, 250));
		world_run(&w, w.now + 1000);
		ck_assert(!world_sends_to(&w, CLIENT, &bad.remote));
	}
	world_fini(&w);
}
END_TEST

START_TEST(flood_changes_nothing_and_takes_no_memory)
{
	struct ssp_path_addr bad = attacker();
	struct world w;
	uint8_t junk[128];
	size_t i, k;
	uint64_t drops = 0;
	struct ssp_conn_stats st;

	world_init(&w, 29);
	world_open(&w);
	world_bump(&w, CLIENT);
	ck_assert(world_settle(&w, 1000));
	world_run(&w, w.now + 1000);
	memset(junk, 0, sizeof(junk));
	for (i = 0; i < 100000; i++) {
		for (k = 0; k < sizeof(junk); k += 8) {
			uint64_t r = world_random(&w);

			memcpy(junk + k, &r, 8);
		}
		junk[0] = (uint8_t)(0x18 | (junk[0] & 7)); /* DATA, PROBE */
		for (k = 0; k < 8; k++)
			junk[1 + k] = (uint8_t)(w.cfg[0].cid >> (56 - 8 * k));
		if (i % 3 == 0)
			memset(junk + 9, 0, 3); /* a plausible number */
		bad.remote.bytes[4] = (uint8_t)(i >> 8);
		bad.remote.bytes[5] = (uint8_t)i;
		/* security: passed directly, not copied, as from a socket. */
		ck_assert_int_ne(ssp_conn_input(w.conn[SERVER], w.now, &bad, 0,
				     junk, sizeof(junk)),
		    0);
	}
	st = world_stats(&w, SERVER);
	for (k = 0; k < SSP_DROP_COUNT; k++)
		drops += st.drops[k];
	ck_assert_uint_eq(drops, 100000);
	ck_assert_int_eq(st.paths, 1);
	expect_silence(&w, w.sent[SERVER], w.sent[CLIENT]);
	world_bump(&w, CLIENT);
	ck_assert(world_settle(&w, 200));
	world_fini(&w);
}
END_TEST

/* A peer with the key that sends nonsense: counted, never fatal. */
START_TEST(authentic_nonsense_is_survived)
{
	struct ssp_path_addr path = world_path(2 << 16 | 60000, 1 << 16 | 5000);
	struct ssp_secrets sec;
	struct ssp_hs hs;
	struct ssp_dgram d;
	struct ssp_path_addr to;
	uint8_t out[1600], *plain;
	struct world w;
	size_t n, len, i, k;
	uint64_t pn = 1;

	world_init(&w, 30);
	world_open(&w);
	memset(&sec, 0, sizeof(sec));
	ssp_hs_init(&hs, true, w.cfg[0].cid, 1, 1, &sec, w.psk);
	/* An INIT without HELLO: no version, so no session. */
	plain = ssp_hs_plain(&hs);
	memset(plain, 0, 32);
	memset(sec.e, 5, 32);
	ck_assert_int_eq(ssp_hs_write(&hs, 32), 0);
	world_inject(&w, SERVER, &path, hs.msg, hs.len);
	n = ssp_conn_output(w.conn[SERVER], w.now, &to, out, sizeof(out));
	ck_assert_uint_gt(n, 0);
	ck_assert_int_eq(ssp_dgram_parse(out, n, &d), 0);
	ck_assert_int_eq(ssp_hs_read(&hs, &d, out, n, &plain, &len), 0);
	for (i = 0; i < 20000; i++) {
		len = 4 + world_random(&w) % 80;
		for (k = 0; k < len; k++)
			out[SSP_DGRAM_HEAD + k] = (uint8_t)world_random(&w);
		if (i % 2 == 0)
			out[SSP_DGRAM_HEAD + 4] =
			    (uint8_t)(0x20 + world_random(&w) % 6);
		if (i % 4 == 0)
			out[SSP_DGRAM_HEAD + 5] =
			    (uint8_t)(world_random(&w) % 12);
		n = ssp_dgram_seal(out,
		    i % 3 == 0 ? SSP_DGRAM_PROBE : SSP_DGRAM_DATA, 0,
		    w.cfg[0].cid, pn++, sec.epoch[0].send, len);
		path.remote = world_addr(1, (unsigned)(i % 50));
		ssp_conn_input(w.conn[SERVER], w.now, &path, 0, out, n);
		w.now += i % 10;
		while (ssp_conn_output(
			   w.conn[SERVER], w.now, &to, out, sizeof(out)) > 0)
			;
		ck_assert_int_le(world_stats(&w, SERVER).paths, SSP_PATHS_MAX);
		if (world_stats(&w, SERVER).state == SSP_CONN_CLOSED)
			break;
	}
	world_fini(&w);
}
END_TEST

UNIT_SUITE(ssp_security)
{
	Suite *s = suite_create("ssp/security");
	TCase *tc = tcase_create("attacks");

	tcase_set_timeout(tc, 60);
	tcase_add_test(tc, replayed_and_reflected_datagrams_do_nothing);
	tcase_add_test(
	    tc, changed_datagrams_are_dropped_counted_and_not_answered);
	tcase_add_test(tc, datagrams_of_another_connection_are_refused);
	tcase_add_test(tc, forged_handshakes_are_not_answered);
	tcase_add_test(tc, replayed_init_moves_nothing_and_stays_small);
	tcase_add_test(tc, at_most_three_bytes_for_one_before_validation);
	tcase_add_test(tc, another_port_of_a_known_host_is_answered_at_once);
	tcase_add_test(tc, redirected_frames_do_not_lead_the_client_away);
	tcase_add_test(tc, flood_changes_nothing_and_takes_no_memory);
	tcase_add_test(tc, authentic_nonsense_is_survived);
	suite_add_tcase(s, tc);
	return s;
}
