/*
 * Cost of a datagram: seal and open of 100 bytes, a refused one, and a
 * keystroke's exchange through two connections.  Prints ns; instructions with
 * `valgrind --tool=callgrind --toggle-collect=bench_seal_once` and friends.
 *
 * Measured on 2 cores of an AMD EPYC VM, gcc 12 -O2, libsodium 1.0.18: see
 * the table in doc/PROTOCOL.md, "Cost".
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/wire.h"
#include "ssp/conn.h"
#include "ssp/frame.h"

#define BENCH_PLAIN 100
#define BENCH_KEMS 1000

struct key_toy {
	unsigned want; /* keystrokes or echoes still to be sent */
	unsigned got;
};

static double
now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void
bench_random(void *arg, void *out, size_t n)
{
	unsigned *seed = arg;

	memset(out, (int)++*seed, n);
}

static int
toy_recv(void *arg, mono_ms now, uint64_t pn, const uint8_t *p, size_t len)
{
	(void)now;
	(void)pn;
	(void)p;
	(void)len;
	((struct key_toy *)arg)->got++;
	return 0;
}

static size_t
toy_send(void *arg, mono_ms now, uint64_t pn, uint8_t *out, size_t cap)
{
	static const uint8_t body[20];
	struct key_toy *t = arg;
	struct wr w;

	(void)now;
	(void)pn;
	if (t->want == 0)
		return 0;
	t->want--;
	wr_init(&w, out, cap);
	ssp_frame_put(&w, SSP_FRAME_STATE, body, sizeof(body));
	return wr_len(&w);
}

static mono_ms
toy_deadline(void *arg, mono_ms now)
{
	return ((struct key_toy *)arg)->want > 0 ? now : MONO_NEVER;
}

static void
toy_size(void *arg, size_t cap)
{
	(void)arg;
	(void)cap;
}

static void
toy_rtt(void *arg, mono_ms now, mono_ms sample)
{
	(void)arg;
	(void)now;
	(void)sample;
}

static void
toy_ecn(void *arg, mono_ms now)
{
	(void)arg;
	(void)now;
}

static const struct ssp_payload_ops toy_ops = { .recv = toy_recv,
	.send = toy_send,
	.deadline = toy_deadline,
	.set_mtu = toy_size,
	.rtt = toy_rtt,
	.ecn = toy_ecn };

int bench_seal_once(uint8_t *p, uint64_t pn);

/* Not static: callgrind's --toggle-collect needs the symbol. */
int
bench_seal_once(uint8_t *p, uint64_t pn)
{
	static const uint8_t key[SSP_KEY_LEN] = { 7 };
	struct ssp_dgram d;
	size_t n, len;

	n = ssp_dgram_seal(p, SSP_DGRAM_DATA, 1, 99, pn, key,
	    BENCH_PLAIN - SSP_DGRAM_HEAD - SSP_TAG_LEN);
	if (ssp_dgram_parse(p, n, &d) != 0)
		return -1;
	return ssp_dgram_open(p, n, &d, pn, key, &len);
}

/* Delivers all output of A to B. */
static void
pump(struct ssp_conn *a, struct ssp_conn *b, const struct ssp_path_addr *from)
{
	struct ssp_path_addr to;
	uint8_t out[1600];
	size_t n;

	while ((n = ssp_conn_output(a, 1000, &to, out, sizeof(out))) > 0)
		ssp_conn_input(b, 1000, from, 0, out, n);
}

/* The second key exchange, once a connection. */
static void
bench_kem(void)
{
	const struct ssp_kem *kem = ssp_kem_system();
	uint8_t seed[SSP_KEM_SEED] = { 1 }, random[SSP_KEM_RANDOM] = { 2 };
	uint8_t key[SSP_KEM_KEY], text[SSP_KEM_TEXT], shared[SSP_KEM_SHARED];
	double t[4];
	unsigned i;

	if (kem == NULL)
		return;
	t[0] = now_ns();
	for (i = 0; i < BENCH_KEMS; i++)
		if (kem->make(seed, key) != 0)
			abort();
	t[1] = now_ns();
	for (i = 0; i < BENCH_KEMS; i++)
		if (kem->wrap(key, random, text, shared) != 0)
			abort();
	t[2] = now_ns();
	for (i = 0; i < BENCH_KEMS; i++)
		if (kem->open(seed, text, shared) != 0)
			abort();
	t[3] = now_ns();
	printf("%s: client %.0f + %.0f ns, server %.0f ns\n", kem->name,
	    (t[1] - t[0]) / BENCH_KEMS, (t[3] - t[2]) / BENCH_KEMS,
	    (t[2] - t[1]) / BENCH_KEMS);
}

static void
bench_conn(unsigned rounds, unsigned *seed)
{
	struct key_toy toy[2] = { { 0, 0 }, { 0, 0 } };
	struct ssp_path_addr up, down;
	struct ssp_keyring *k;
	struct ssp_conn_cfg cfg;
	struct ssp_conn *c, *s;
	uint8_t psk[SSP_KEY_LEN] = { 1 }, bad[120];
	double t;
	unsigned i;

	k = ssp_keyring_new(SSP_SECRETS_LEN, 4, 4);
	ssp_conn_cfg_init(&cfg);
	cfg.cid = 99;
	cfg.psk = psk;
	cfg.keyring = k;
	cfg.random = bench_random;
	cfg.random_arg = seed;
	cfg.rekey_packets = UINT64_C(1) << 40;
	cfg.payload.ops = &toy_ops;
	cfg.payload.arg = &toy[0];
	if (k == NULL || ssp_conn_client_new(&cfg, 1000, &c) != 0)
		abort();
	cfg.payload.arg = &toy[1];
	if (ssp_conn_server_accept(&cfg, 1000, &s) != 0)
		abort();
	memset(&up, 0, sizeof(up));
	up.local.kind = up.remote.kind = SSP_ADDR_UDP;
	up.remote.len = up.local.len = 6;
	down = up;
	ssp_conn_path_add(c, 1000, &up);
	t = now_ns();
	pump(c, s, &down);
	pump(s, c, &up);
	pump(c, s, &down);
	printf("handshake, both sides           %8.0f ns\n", now_ns() - t);
	bench_kem();
	t = now_ns();
	for (i = 0; i < rounds; i++) {
		toy[0].want = 1;
		pump(c, s, &down);
		toy[1].want = 1;
		pump(s, c, &up);
	}
	printf("key and echo, both sides        %8.0f ns\n",
	    (now_ns() - t) / rounds);
	if (toy[0].got < rounds)
		abort();
	memset(bad, 0x55, sizeof(bad));
	bad[0] = 0x18;
	memset(bad + 1, 0, 8);
	bad[8] = 99;
	t = now_ns();
	for (i = 0; i < rounds; i++)
		ssp_conn_input(s, 1000, &down, 0, bad, sizeof(bad));
	printf("refused: 120 bytes, right id    %8.0f ns\n",
	    (now_ns() - t) / rounds);
	bad[8] = 98;
	t = now_ns();
	for (i = 0; i < rounds; i++)
		ssp_conn_input(s, 1000, &down, 0, bad, sizeof(bad));
	printf("refused: 120 bytes, wrong id    %8.0f ns\n",
	    (now_ns() - t) / rounds);
	ssp_conn_free(c);
	ssp_conn_free(s);
	ssp_keyring_free(k);
}

int
main(int argc, char **argv)
{
	unsigned rounds = argc > 1 ? (unsigned)atoi(argv[1]) : 100000;
	unsigned seed = 0, i;
	uint8_t p[200] = { 0 };
	double t;

	if (ssp_crypto_init() != 0 || rounds == 0)
		return 1;
	t = now_ns();
	for (i = 0; i < rounds; i++)
		if (bench_seal_once(p, i) != 0)
			return 1;
	printf("seal and open, 100-byte datagram%8.0f ns\n",
	    (now_ns() - t) / rounds);
	bench_conn(rounds, &seed);
	return 0;
}
