/*
 * Two connections over real UDP sockets on this machine, one of them under a
 * flood of 100,000 invalid datagrams a second.  Prints TAP and its
 * measurements.
 */
#include <sys/socket.h>
#include <sys/wait.h>

#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/io/sys.h"
#include "base/wire.h"
#include "regress/ssp/udp_end.h"
#include "ssp/conn.h"
#include "ssp/frame.h"

#define FLOOD_RATE 100000 /* datagrams a second */
#define FLOOD_TIME 1500   /* ms */
#define KEYS 40
#define KEY_GAP 25 /* ms between keys */
#define REPEAT 30  /* ms until a key is repeated */

/* The client sends the number of a key; the server echoes it. */
struct echo {
	bool server;
	uint64_t mine; /* client: last key; server: last one seen */
	uint64_t back; /* client: newest echo */
	mono_ms send_at;
	bool due;
};

struct end {
	struct udp_end at;
	struct echo echo;
	struct udp_addr peer;
};

static double
now_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static int
echo_recv(void *arg, mono_ms now, uint64_t pn, const uint8_t *p, size_t len)
{
	struct echo *e = arg;
	struct ssp_frame f;
	struct rd r, b;
	uint64_t v;

	(void)pn;
	rd_init(&r, p, len);
	while (ssp_frame_next(&r, &f) == 1) {
		if (f.type != SSP_FRAME_STATE)
			continue;
		rd_init(&b, f.body, f.len);
		v = rd_u64(&b);
		if (e->server) {
			e->mine = v > e->mine ? v : e->mine;
			e->due = true;
			e->send_at = now;
		} else if (v > e->back) {
			e->back = v;
		}
	}
	return 0;
}

static size_t
echo_send(void *arg, mono_ms now, uint64_t pn, uint8_t *out, size_t cap)
{
	struct echo *e = arg;
	uint8_t body[8];
	struct wr w, b;

	(void)pn;
	if (!e->due || now < e->send_at)
		return 0;
	wr_init(&b, body, 8);
	wr_u64(&b, e->mine);
	wr_init(&w, out, cap);
	ssp_frame_put(&w, SSP_FRAME_STATE, body, 8);
	e->due = !e->server && e->back != e->mine;
	e->send_at = now + REPEAT;
	return wr_len(&w);
}

static mono_ms
echo_deadline(void *arg, mono_ms now)
{
	struct echo *e = arg;

	(void)now;
	return e->due ? e->send_at : MONO_NEVER;
}

static void
echo_set_mtu(void *arg, size_t cap)
{
	(void)arg;
	(void)cap;
}

static void
echo_rtt(void *arg, mono_ms now, mono_ms sample)
{
	(void)arg;
	(void)now;
	(void)sample;
}

static void
echo_ecn(void *arg, mono_ms now)
{
	(void)arg;
	(void)now;
}

static const struct ssp_payload_ops echo_ops = { .recv = echo_recv,
	.send = echo_send,
	.deadline = echo_deadline,
	.set_mtu = echo_set_mtu,
	.rtt = echo_rtt,
	.ecn = echo_ecn };

/* Runs one turn of both ends; waits at most MS. */
static void
turn(struct end e[2], int ms)
{
	struct pollfd p[2];
	mono_ms now = sys_now(), t;
	int i;

	for (i = 0; i < 2; i++) {
		udp_end_send(&e[i].at);
		t = mono_until(now, ssp_conn_deadline(e[i].at.conn, now));
		ms = t < (mono_ms)ms ? (int)t : ms;
		p[i].fd = udp_fd(e[i].at.udp);
		p[i].events = POLLIN;
	}
	poll(p, 2, ms);
	for (i = 0; i < 2; i++)
		udp_end_recv(&e[i].at);
}

static int
ends_open(struct end e[2], struct ssp_keyring *k, int family, const char *host)
{
	static const uint8_t psk[SSP_KEY_LEN] = { 42 };
	struct cause why = { NULL };
	struct ssp_path_addr path;
	struct ssp_conn_cfg cfg;
	struct ssp_addr peer;
	struct udp_addr to = { 0 };
	int r;

	memset(e, 0, 2 * sizeof(*e));
	ssp_conn_cfg_init(&cfg);
	cfg.cid = UINT64_C(0xfeedface12345678);
	cfg.psk = psk;
	cfg.keyring = k;
	cfg.random = udp_end_random;
	cfg.payload.ops = &echo_ops;
	r = udp_bind(family, 0, 0, &e[1].at.udp, &why);
	if (r == 0)
		r = udp_open(family, 1, &e[0].at.udp, &why);
	cause_fini(&why);
	if (r != 0)
		return r;
	e[1].echo.server = true;
	cfg.payload.arg = &e[0].echo;
	r = ssp_conn_client_new(&cfg, sys_now(), &e[0].at.conn);
	cfg.payload.arg = &e[1].echo;
	if (r == 0)
		r = ssp_conn_server_accept(&cfg, sys_now(), &e[1].at.conn);
	if (r == 0)
		r = udp_addr_parse(host, udp_port(e[1].at.udp), &to);
	if (r != 0)
		return r;
	peer = udp_link_addr(&to);
	path = udp_link_path(e[0].at.udp, &peer);
	e[1].peer = to;
	return ssp_conn_path_add(e[0].at.conn, sys_now(), &path);
}

static void
ends_close(struct end e[2])
{
	int i;

	for (i = 0; i < 2; i++) {
		ssp_conn_free(e[i].at.conn);
		udp_free(e[i].at.udp);
	}
}

static int
by_value(const void *a, const void *b)
{
	double x, y;

	memcpy(&x, a, sizeof(x));
	memcpy(&y, b, sizeof(y));
	return (x > y) - (x < y);
}

/* Types KEYS keys; sets median and maximum echo in us; returns the echoed. */
static int
type_keys(struct end e[2], double *median, double *worst)
{
	double took[KEYS], start;
	mono_ms next;
	int i, n = 0;

	for (i = 0; i < KEYS; i++) {
		e[0].echo.mine++;
		e[0].echo.due = true;
		e[0].echo.send_at = sys_now();
		start = now_us();
		next = sys_now() + 1000;
		while (e[0].echo.back != e[0].echo.mine && sys_now() < next)
			turn(e, 10);
		if (e[0].echo.back == e[0].echo.mine)
			took[n++] = now_us() - start;
		next = sys_now() + KEY_GAP;
		while (sys_now() < next)
			turn(e, (int)mono_until(sys_now(), next));
	}
	qsort(took, (size_t)n, sizeof(took[0]), by_value);
	*median = n > 0 ? took[n / 2] : 0;
	*worst = n > 0 ? took[n - 1] : 0;
	return n;
}

/* The attacker: the right connection id or a random one, never the key. */
static void
flood(const struct udp_addr *to, unsigned long *count)
{
	static const uint8_t head[] = { 0x18, 0xfe, 0xed, 0xfa, 0xce, 0x12,
		0x34, 0x56, 0x78 };
	struct cause why = { NULL };
	uint8_t junk[100];
	struct udp *u;
	double start = now_us(), t;
	unsigned long n = 0;

	if (udp_open(AF_INET, 9, &u, &why) != 0)
		_exit(1);
	sys_random(junk, sizeof(junk));
	while ((t = now_us() - start) < FLOOD_TIME * 1e3) {
		if ((double)n > t * FLOOD_RATE / 1e6) {
			struct timespec nap = { 0, 50000 };

			nanosleep(&nap, NULL);
			continue;
		}
		memcpy(junk, head, sizeof(head));
		junk[8] = (uint8_t)(n % 2 == 0 ? 0x78 : n);
		junk[0] = (uint8_t)(0x18 | (n & 7));
		memcpy(junk + 9, &n, 4);
		if (udp_send(u, NULL, to, junk, sizeof(junk)) == 0)
			n++;
	}
	*count = n;
	udp_free(u);
}

static void
test_family(struct ssp_keyring *k, int n, int family, const char *host)
{
	double median, worst;
	struct end e[2];
	int got;

	if (ends_open(e, k, family, host) != 0) {
		ends_close(e);
		printf("ok %d - session on %s # SKIP not here\n", n, host);
		return;
	}
	got = type_keys(e, &median, &worst);
	printf("%sok %d - session on %s\n", got == KEYS ? "" : "not ", n, host);
	printf("# %d of %d keys, median %.0f us, worst %.0f us\n", got, KEYS,
	    median, worst);
	ends_close(e);
}

static void
test_flood(struct ssp_keyring *k, int n)
{
	struct ssp_conn_stats st;
	unsigned long sent = 0;
	uint64_t dropped = 0;
	double median, worst;
	struct end e[2];
	int got, fd[2], i, status;
	pid_t pid;

	if (ends_open(e, k, AF_INET, "127.0.0.1") != 0 || pipe(fd) != 0) {
		printf("not ok %d - flood: no sockets\n", n);
		return;
	}
	(void)type_keys(e, &median, &worst);
	pid = fork();
	if (pid == 0) {
		flood(&e[1].peer, &sent);
		status = write(fd[1], &sent, sizeof(sent)) == sizeof(sent);
		_exit(status ? 0 : 1);
	}
	got = type_keys(e, &median, &worst);
	while (waitpid(pid, &status, WNOHANG) == 0)
		turn(e, 5);
	if (read(fd[0], &sent, sizeof(sent)) != sizeof(sent))
		sent = 0;
	for (i = 0; i < 50; i++)
		turn(e, 1);
	ssp_conn_stats(e[1].at.conn, &st);
	for (i = 0; i < SSP_DROP_COUNT; i++)
		dropped += st.drops[i];
	/* Tolerate a busy machine. */
	printf("%sok %d - session under a flood\n",
	    got >= KEYS * 9 / 10 && median < 30000 && st.paths == 1 ? ""
								    : "not ",
	    n);
	printf("# %d of %d keys, median %.0f us, worst %.0f us; %lu bad "
	       "datagrams in %d ms, %llu of them read and refused\n",
	    got, KEYS, median, worst, sent, FLOOD_TIME,
	    (unsigned long long)dropped);
	close(fd[0]);
	close(fd[1]);
	ends_close(e);
}

int
main(void)
{
	struct ssp_keyring *k = ssp_keyring_new(SSP_SECRETS_LEN, 4, 8);

	if (k == NULL)
		return 1;
	setvbuf(stdout, NULL, _IOLBF, 0);
	printf("1..3\n");
	test_family(k, 1, AF_INET, "127.0.0.1");
	test_family(k, 2, AF_INET6, "::1");
	test_flood(k, 3);
	ssp_keyring_free(k);
	return 0;
}
