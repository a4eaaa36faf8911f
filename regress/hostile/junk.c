/*
 * An outsider who floods a UDP port of this machine.
 *
 * usage: junk KIND PORT RATE SECONDS [FILE or TICKET]
 *
 * It sends RATE datagrams a second (0: as many as it can) for SECONDS, or until
 * it has sent COUNT if SECONDS is "=COUNT", and prints "sent N in T s".  Kinds:
 *
 *   random    random bytes of all lengths
 *   tags      the headers of FILE's datagrams with random bytes behind them
 *   replay    FILE's datagrams as they are (udp_relay -w writes FILE)
 *   mixed     the three in turn
 *   half      first datagrams of TICKET, each with a connection id and a socket
 *             of its own, 10,000 or COUNT, again and again; answers are not read
 */
#include <sys/resource.h>
#include <sys/socket.h>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/io/sys.h"
#include "base/mem.h"
#include "regress/chance.h"
#include "regress/hostile/evil_end.h"
#include "ssp/ticket.h"

#define SOURCES 64   /* sockets of a flood */
#define BATCH 64     /* datagrams of a system call */
#define READY 4096   /* datagrams that are made before the flood */
#define HALVES 10000 /* sockets of half */
#define LEN_MAX 1500
#define LATE_MAX 0.005 /* seconds of datagrams that may be sent at once */

struct packet {
	uint8_t data[LEN_MAX];
	size_t len;
};

struct junk {
	struct packet *packets;
	size_t count;
	struct udp **sources;
	size_t source_count;
	struct sockaddr_in to;
	uint64_t chance;
};

static double
now_s(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void
fail(const char *what)
{
	fprintf(stderr, "junk: %s\n", what);
	exit(1);
}

static void
noise(struct junk *j, uint8_t *p, size_t n)
{
	while (n-- > 0)
		*p++ = (uint8_t)chance_below(&j->chance, 256);
}

/* --- datagrams ------------------------------------------------------------------- */

/* Reads the datagrams of a file of udp_relay -w. */
static size_t
read_file(const char *path, struct packet *out, size_t max)
{
	FILE *f = path == NULL ? NULL : fopen(path, "rb");
	char digits[5] = "";
	size_t n = 0;

	if (f == NULL)
		fail("this kind needs a file of udp_relay -w");
	while (n < max && fread(digits, 1, 4, f) == 4) {
		out[n].len = strtoul(digits, NULL, 10);
		if (out[n].len > LEN_MAX ||
		    fread(out[n].data, 1, out[n].len, f) != out[n].len)
			break;
		n++;
	}
	(void)fclose(f);
	if (n == 0)
		fail("no datagrams in the file");
	return n;
}

static void
make_one(struct junk *j, int kind, const struct packet *from, struct packet *p)
{
	size_t head;

	if (kind == 0) {
		p->len = chance_below(&j->chance, 8) == 0
			     ? chance_below(&j->chance, LEN_MAX) + 1
			     : chance_below(&j->chance, 180) + 1;
		noise(j, p->data, p->len);
		return;
	}
	*p = *from;
	if (kind == 2)
		return;
	/* The long form has four bytes of number, the short one two. */
	head = p->data[0] >> 4 == 1 ? 13 : 11;
	if (p->len <= head)
		return;
	p->data[head - 2] = (uint8_t)(p->data[head - 2] + 1);
	noise(j, p->data + head, p->len - head);
}

static void
make(struct junk *j, const char *kind, const char *path)
{
	static const char *const names[] = { "random", "tags", "replay",
		"mixed" };
	struct packet *kept = mem_zalloc(READY * sizeof(*kept));
	size_t nkept = 0, i;
	int k = 0;

	while (k < 4 && strcmp(kind, names[k]) != 0)
		k++;
	if (k == 4)
		fail("no such kind");
	if (k > 0)
		nkept = read_file(path, kept, READY);
	j->packets = mem_zalloc(READY * sizeof(*j->packets));
	for (i = 0; i < READY; i++)
		make_one(j, k < 3 ? k : (int)(i % 3),
		    nkept > 0 ? &kept[i % nkept] : NULL, &j->packets[i]);
	j->count = READY;
	mem_free(kept);
}

/* Makes the first datagram of a guest; its socket is *OUT. */
static bool
make_half(const struct ssp_ticket *t, struct ssp_keyring *keys,
    const struct udp_addr *to, struct packet *p, struct udp **out)
{
	struct evil_end e = { .burst = 0 };
	struct cause why = { NULL };
	struct ssp_path_addr addr;
	uint8_t psk[SSP_KEY_LEN];
	uint32_t number;
	uint64_t cid;

	if (udp_open(AF_INET, 1, out, &why) != 0) {
		cause_fini(&why);
		return false;
	}
	sys_random(&number, sizeof(number));
	cid = ssp_ticket_cid(t->tag, number);
	ssp_ticket_psk(psk, t->key, cid);
	if (evil_end_open(&e, *out, keys, cid, psk, to, NULL) != 0)
		fail("no connection");
	p->len = ssp_conn_output(
	    e.at.conn, sys_now(), &addr, p->data, sizeof(p->data));
	ssp_conn_free(e.at.conn);
	return p->len > 0;
}

static void
make_halves(struct junk *j, const char *text, size_t max)
{
	struct rlimit r;
	struct udp_addr to;
	struct ssp_ticket t;
	struct ssp_keyring *keys;

	if (text == NULL || ssp_crypto_init() != 0 ||
	    ssp_ticket_parse(text, strlen(text), &t) != 0 ||
	    udp_addr_parse("127.0.0.1", ntohs(j->to.sin_port), &to) != 0)
		fail("half needs a ticket");
	if (getrlimit(RLIMIT_NOFILE, &r) == 0) {
		r.rlim_cur = r.rlim_max;
		(void)setrlimit(RLIMIT_NOFILE, &r);
	}
	keys = ssp_keyring_new(SSP_SECRETS_LEN, 8, 8);
	j->packets = mem_zalloc(HALVES * sizeof(*j->packets));
	j->sources = mem_zalloc(HALVES * sizeof(struct udp *));
	max = MIN_OF(max, (size_t)HALVES);
	while (j->count < max && make_half(&t, keys, &to, &j->packets[j->count],
				     &j->sources[j->count]))
		j->count++;
	j->source_count = j->count;
	ssp_keyring_free(keys);
	if (j->count == 0)
		fail("no sockets");
}

static void
open_sources(struct junk *j)
{
	struct cause why = { NULL };

	j->sources = mem_zalloc(SOURCES * sizeof(struct udp *));
	for (; j->source_count < SOURCES; j->source_count++)
		if (udp_open(AF_INET, 1, &j->sources[j->source_count], &why) !=
		    0)
			fail("no sockets");
}

/* --- sending --------------------------------------------------------------------- */

/* Sends N datagrams from the one at AT on, from one source; returns how many. */
static size_t
send_some(struct junk *j, size_t at, size_t n)
{
	struct mmsghdr m[BATCH];
	struct iovec v[BATCH];
	struct packet *p;
	int fd, sent;
	size_t i;

	/* Each half has its own socket. */
	n = j->source_count == j->count ? 1 : MIN_OF(n, (size_t)BATCH);
	fd = udp_fd(j->sources[j->source_count == j->count
				   ? at % j->count
				   : at / BATCH % j->source_count]);
	memset(m, 0, sizeof(m));
	for (i = 0; i < n; i++) {
		p = &j->packets[(at + i) % j->count];
		v[i] = (struct iovec){ p->data, p->len };
		m[i].msg_hdr.msg_iov = &v[i];
		m[i].msg_hdr.msg_iovlen = 1;
		m[i].msg_hdr.msg_name = &j->to;
		m[i].msg_hdr.msg_namelen = sizeof(j->to);
	}
	sent = sendmmsg(fd, m, (unsigned)n, 0);
	/* What the queue does not take is left out. */
	return sent < 0 ? n : (size_t)sent;
}

int
main(int argc, char **argv)
{
	struct timespec nap = { 0, 100000 };
	struct junk j = { .chance = 1 };
	double rate, start, t, late = 0, seconds = 1e9;
	size_t sent = 0, due, max = SIZE_MAX;

	if (argc < 5)
		fail("usage: junk KIND PORT RATE SECONDS [FILE or TICKET]");
	j.to.sin_family = AF_INET;
	j.to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	j.to.sin_port = htons((uint16_t)atoi(argv[2]));
	rate = atof(argv[3]);
	if (argv[4][0] == '=')
		max = strtoul(argv[4] + 1, NULL, 10);
	else
		seconds = atof(argv[4]);
	if (strcmp(argv[1], "half") == 0)
		make_halves(&j, argv[5], max);
	else {
		make(&j, argv[1], argv[5]);
		open_sources(&j);
	}
	printf("ready\n");
	fflush(stdout);
	start = now_s();
	while (sent < max && (t = now_s() - start) < seconds) {
		due = rate > 0 ? (size_t)(rate * (t - late)) : SIZE_MAX;
		/* A sender that had to wait does not catch up in a burst. */
		if (rate > 0 && due > sent + (size_t)(rate * LATE_MAX)) {
			late = t - (double)sent / rate;
			continue;
		}
		if (due > sent)
			sent += send_some(&j, sent, MIN_OF(due, max) - sent);
		else
			nanosleep(&nap, NULL);
	}
	printf("sent %zu in %.2f s\n", sent, now_s() - start);
	while (j.source_count > 0)
		udp_free(j.sources[--j.source_count]);
	mem_free(j.sources);
	mem_free(j.packets);
	return 0;
}
