/*
 * udp_relay - a bad network on this machine.
 *
 *	udp_relay [options] LISTEN TARGET
 *
 * Carries datagrams from port LISTEN (0: any free port, which it prints) to
 * port TARGET, and the answers back, through a simulated link in each
 * direction. Every source address gets its own socket towards the target, as
 * behind a NAT.
 *
 *	-u LINK, -d LINK, -b LINK   to the target, from it, both
 *	-a HOST                     numeric address, default 127.0.0.1
 *	-s SEED                     seed of all random numbers
 *	-t                          carry TCP: delay, jitter, rate and cuts only
 *	-c                          commands on stdin; the relay ends with it
 *	-l FILE                     logs each datagram: ms, direction, bytes
 *	-w FILE                     keeps the first 1000 datagrams to the target,
 *	                            each behind its length in 4 digits
 *	-R MS[,MS...]               new source ports at these times (ms)
 *
 * LINK is a list of key=value with commas: delay, jitter (ms); reorder (share
 * of delayed datagrams) and hold (their delay, ms, default 10); loss, duplicate
 * (shares); burst (share of time in bad periods, which lose all) and burst_len
 * (their mean length, ms); rate (bytes/s), or trace (a file
 * of mahimahi's: each line is the millisecond of one chance to send 1500 bytes);
 * queue (its size in bytes), packets (the same in datagrams); codel (its target,
 * ms, usually 5) and interval (ms, default 100); bulk=1 (a
 * greedy download shares the queue: it fills it, loses one datagram at the
 * top, falls back to 0.7 of it as Cubic does, and fills it again in about
 * twenty seconds); hole (loses datagrams of more bytes; at first 1472; 0: none); cut=FROM-TO (ms from
 * the start, up to 8); off=1 (loses all).
 *
 * Commands: "up LINK", "down LINK", "both LINK", "rebind", "stats", "quit".
 * Signals: USR1 prints statistics, USR2 rebinds, HUP cuts or heals, TERM ends.
 * Statistics go to stdout, one line a direction.
 */
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/timerfd.h>

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/compiler.h"
#include "base/mem.h"
#include "regress/tools/link_heap.h"
#include "regress/tools/udp_link.h"

#define RELAY_FLOWS 256
#define RELAY_REBINDS 32
#define RELAY_DATA 65536
#define RELAY_WAITING 100000 /* datagrams in the relay, at most */
#define RELAY_BATCH 64       /* datagrams of one socket before others */
#define RELAY_KEPT 1000      /* datagrams that -w keeps */

enum {
	UP,
	DOWN
};

/* A client and its socket towards the target. */
struct flow {
	int fd[2]; /* UP: towards the target; DOWN: towards the client */
	struct sockaddr_storage client;
	bool used;
	bool dead; /* TCP: an end is gone */
};

struct relay {
	struct link link[2];
	struct flow flow[RELAY_FLOWS];
	struct link_heap heap;
	size_t waiting; /* packets in queues */
	uint64_t rng;
	double start;
	int ep, timer, sig, listen;
	bool tcp, commands, quit;
	FILE *log;  /* NULL: none */
	FILE *kept; /* of -w; NULL: none */
	unsigned nkept;
	struct sockaddr_storage target, self;
	socklen_t addr_len;
	double rebind[RELAY_REBINDS];
	size_t nrebind;
	uint8_t buf[RELAY_DATA];
};

/* The subject of an epoll event. */
enum {
	EV_TIMER = RELAY_FLOWS * 2,
	EV_SIGNAL,
	EV_LISTEN,
	EV_STDIN
};

static double
relay_now(const struct relay *r)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec - r->start;
}

static void
relay_fail(const char *what)
{
	fprintf(stderr, "udp_relay: %s: %s\n", what, strerror(errno));
	exit(1);
}

/* Returns a packet with the bytes just read. */
static struct packet
relay_packet(struct relay *r, double now, unsigned dir, size_t flow, size_t len)
{
	struct packet p = { .in = now, .dir = dir, .flow = flow, .len = len };

	p.data = mem_alloc(len + 1);
	memcpy(p.data, r->buf, len);
	return p;
}

/* Lets the packet through the link; takes over its bytes. */
static void
relay_push(struct relay *r, double now, const struct packet *p)
{
	struct link *l = &r->link[p->dir];
	struct packet q = *p, *kept;

	if (r->heap.n + r->waiting >= RELAY_WAITING) {
		l->overflow++;
		mem_free(q.data);
		return;
	}
	if (!r->tcp && link_queues(l)) {
		kept = mem_dup(p, sizeof(*p));
		if (link_queue_put(&l->q, now, p->len, kept)) {
			r->waiting++;
			return;
		}
		l->overflow++;
		mem_free(kept);
		mem_free(q.data);
		return;
	}
	q.time = link_out_time(&r->rng, l, now, p->len);
	if (q.time >= 0)
		link_heap_push(&r->heap, &q);
	else
		mem_free(q.data);
}

/* Takes what has left the queues. */
static void
relay_queues(struct relay *r, double now)
{
	struct link_entry e;
	enum link_fate fate;
	struct packet *p;
	double t;
	unsigned d;

	for (d = 0; d < 2; d++)
		while ((fate = link_queue_take(&r->link[d].q, now, &e, &t)) !=
		       LINK_NONE) {
			p = e.data;
			r->waiting--;
			if (fate == LINK_OUT) {
				p->time = link_later(&r->rng, &r->link[d], t);
				link_heap_push(&r->heap, p);
			} else {
				r->link[d].dropped++;
				mem_free(p->data);
			}
			mem_free(p);
		}
}

/* Flows. */

static void
relay_watch(struct relay *r, int fd, uint64_t what)
{
	struct epoll_event ev = { .events = EPOLLIN };

	ev.data.u64 = what;
	if (epoll_ctl(r->ep, EPOLL_CTL_ADD, fd, &ev) != 0)
		relay_fail("epoll_ctl");
}

static int
relay_socket(const struct relay *r)
{
	int size = 4 << 20, one = 1;
	int fd = socket(r->self.ss_family,
	    (r->tcp ? SOCK_STREAM : SOCK_DGRAM) | SOCK_CLOEXEC, 0);

	if (fd < 0)
		relay_fail("socket");
	if (r->tcp) {
		setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
		setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
		return fd;
	}
	setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &size, sizeof size);
	setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &size, sizeof size);
	return fd;
}

static void
flow_connect(struct relay *r, size_t i)
{
	int fd = relay_socket(r);

	if (connect(fd, (struct sockaddr *)&r->target, r->addr_len) != 0)
		relay_fail("connect");
	if (fcntl(fd, F_SETFL, O_NONBLOCK) != 0)
		relay_fail("fcntl");
	r->flow[i].fd[UP] = fd;
	relay_watch(r, fd, i * 2 + DOWN);
}

static void
relay_rebind(struct relay *r)
{
	size_t i;

	for (i = 0; !r->tcp && i < RELAY_FLOWS; i++)
		if (r->flow[i].used) {
			close(r->flow[i].fd[UP]);
			flow_connect(r, i);
		}
}

/* Returns the flow of a client, a new one if needed; RELAY_FLOWS: no room. */
static size_t
flow_of(struct relay *r, const struct sockaddr_storage *client)
{
	size_t i;

	for (i = 0; i < RELAY_FLOWS && r->flow[i].used; i++)
		if (memcmp(&r->flow[i].client, client, r->addr_len) == 0)
			return i;
	if (i == RELAY_FLOWS)
		return i;
	r->flow[i].used = true;
	r->flow[i].client = *client;
	r->flow[i].fd[DOWN] = r->listen;
	flow_connect(r, i);
	return i;
}

static void
relay_accept(struct relay *r)
{
	int fd = accept4(r->listen, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
	int one = 1;
	size_t i;

	for (i = 0; i < RELAY_FLOWS && r->flow[i].used; i++)
		;
	if (fd < 0 || i == RELAY_FLOWS) {
		if (fd >= 0)
			close(fd);
		return;
	}
	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
	r->flow[i].used = true;
	r->flow[i].fd[DOWN] = fd;
	flow_connect(r, i);
	relay_watch(r, fd, i * 2 + UP);
}

static void
relay_take(struct relay *r, unsigned dir, size_t flow, size_t len)
{
	struct link *l = &r->link[dir];
	double now = relay_now(r);
	struct packet p;
	int copies = 1;

	l->in++;
	l->in_bytes += len;
	if (r->log != NULL)
		fprintf(r->log, "%.2f %s %zu\n", now / LINK_MS,
		    dir == UP ? "up" : "down", len);
	if (r->kept != NULL && dir == UP && len < 10000 &&
	    r->nkept < RELAY_KEPT) {
		r->nkept++;
		fprintf(r->kept, "%04zu", len);
		(void)!fwrite(r->buf, 1, len, r->kept);
		fflush(r->kept);
	}
	if (!r->tcp && l->hole > 0 && (double)len > l->hole) {
		l->swallowed++;
		return;
	}
	if (!r->tcp && link_loses(&r->rng, l, now))
		return;
	if (!r->tcp && l->duplicate > 0 && link_real(&r->rng) < l->duplicate) {
		l->duplicated++;
		copies = 2;
	}
	for (; copies > 0; copies--) {
		p = relay_packet(r, now, dir, flow, len);
		relay_push(r, now, &p);
	}
}

/* Reads all datagrams of flow I in direction DIR. */
static void
relay_read(struct relay *r, unsigned dir, size_t i)
{
	struct sockaddr_storage from;
	socklen_t n;
	ssize_t len;
	int k, fd;

	for (k = 0; k < RELAY_BATCH; k++) {
		memset(&from, 0, sizeof from);
		n = sizeof from;
		fd = !r->tcp && dir == UP ? r->listen : r->flow[i].fd[1 - dir];
		len = recvfrom(fd, r->buf, r->tcp ? 16384 : sizeof r->buf,
		    MSG_DONTWAIT, (struct sockaddr *)&from, &n);
		if (len < 0 && (errno == ECONNREFUSED || errno == EINTR))
			continue;
		if (r->tcp && (len == 0 || (len < 0 && errno != EAGAIN))) {
			epoll_ctl(r->ep, EPOLL_CTL_DEL, fd, NULL);
			r->buf[0] = 0; /* no bytes: the end of the stream */
			relay_take(r, dir, i, 0);
			return;
		}
		if (len < 0)
			return;
		if (!r->tcp && dir == UP &&
		    (i = flow_of(r, &from)) == RELAY_FLOWS)
			return;
		relay_take(r, dir, i, (size_t)len);
	}
}

/* Sends all due packets and sets the timer for the next one. */
static void
relay_deliver(struct relay *r)
{
	struct itimerspec it = { { 0, 0 }, { 0, 0 } };
	struct packet p;
	struct flow *f;
	struct link *l;
	double when;

	relay_queues(r, relay_now(r));
	while (r->heap.n > 0 && r->heap.heap[0].time <= relay_now(r)) {
		p = link_heap_pop(&r->heap);
		f = &r->flow[p.flow];
		l = &r->link[p.dir];
		l->out++;
		l->out_bytes += p.len;
		if (r->tcp && p.len == 0)
			shutdown(f->fd[p.dir], SHUT_WR);
		else if (r->tcp || p.dir == UP)
			(void)!send(f->fd[p.dir], p.data, p.len, MSG_NOSIGNAL);
		else
			(void)!sendto(r->listen, p.data, p.len, 0,
			    (struct sockaddr *)&f->client, r->addr_len);
		mem_free(p.data);
	}
	while (r->nrebind > 0 && r->rebind[r->nrebind - 1] <= relay_now(r)) {
		r->nrebind--;
		relay_rebind(r);
	}
	when = r->heap.n > 0 ? r->heap.heap[0].time : (double)INFINITY;
	when = MIN_OF(when, link_queue_due(&r->link[UP].q));
	when = MIN_OF(when, link_queue_due(&r->link[DOWN].q));
	if (when >= LINK_NEVER)
		when = (double)INFINITY;
	if (r->nrebind > 0)
		when = MIN_OF(when, r->rebind[r->nrebind - 1]);
	if (!isinf(when)) {
		when += r->start;
		it.it_value.tv_sec = (time_t)(when / 1e9);
		it.it_value.tv_nsec =
		    (long)(when - (double)it.it_value.tv_sec * 1e9);
	}
	timerfd_settime(r->timer, TFD_TIMER_ABSTIME, &it, NULL);
}

/* Commands and signals. */

static void
relay_stats(const struct relay *r)
{
	static const char *const name[] = { "up", "down" };
	const struct link *l;
	int i;

	for (i = 0; i < 2; i++) {
		l = &r->link[i];
		printf("%s in=%lu in_bytes=%lu out=%lu out_bytes=%lu lost=%lu "
		       "overflow=%lu dropped=%lu swallowed=%lu cut=%lu "
		       "duplicated=%lu\n",
		    name[i], l->in, l->in_bytes, l->out, l->out_bytes, l->lost,
		    l->overflow, l->dropped, l->swallowed, l->cut_off,
		    l->duplicated);
	}
	fflush(stdout);
}

static bool
relay_links(struct relay *r, const char *which, const char *text)
{
	bool ok = true;

	if (*which == 'u' || *which == 'b')
		ok = link_set(&r->link[UP], text);
	if (*which == 'd' || *which == 'b')
		ok = link_set(&r->link[DOWN], text) && ok;
	return ok;
}

static void
relay_command(struct relay *r, char *line)
{
	char *arg = strchr(line, ' ');

	if (arg != NULL)
		*arg++ = '\0';
	if (strcmp(line, "stats") == 0)
		relay_stats(r);
	else if (strcmp(line, "rebind") == 0)
		relay_rebind(r);
	else if (strcmp(line, "quit") == 0)
		r->quit = true;
	else if (arg == NULL || strchr("udb", line[0]) == NULL ||
		 !relay_links(r, line, arg))
		fprintf(stderr, "udp_relay: bad command: %s\n", line);
}

static void
relay_stdin(struct relay *r)
{
	char buf[4096], *p = buf, *line;
	ssize_t n = read(STDIN_FILENO, buf, sizeof buf - 1);

	if (n <= 0) {
		r->quit = true;
		return;
	}
	buf[n] = '\0';
	while ((line = strsep(&p, "\n")) != NULL)
		if (*line != '\0')
			relay_command(r, line);
}

static void
relay_signal(struct relay *r)
{
	struct signalfd_siginfo si;

	if (read(r->sig, &si, sizeof si) != sizeof si)
		return;
	switch (si.ssi_signo) {
	case SIGUSR1:
		relay_stats(r);
		break;
	case SIGUSR2:
		relay_rebind(r);
		break;
	case SIGHUP:
		r->link[UP].off = r->link[DOWN].off =
		    r->link[UP].off > 0 ? 0 : 1;
		break;
	default:
		r->quit = true;
	}
}

static void
relay_event(struct relay *r, uint64_t what)
{
	uint64_t ticks;

	if (what == EV_TIMER)
		(void)!read(r->timer, &ticks, sizeof ticks);
	else if (what == EV_SIGNAL)
		relay_signal(r);
	else if (what == EV_STDIN)
		relay_stdin(r);
	else if (what == EV_LISTEN && r->tcp)
		relay_accept(r);
	else if (what == EV_LISTEN)
		relay_read(r, UP, 0);
	else
		relay_read(r, what % 2, what / 2);
}

/* The start. */

static socklen_t
relay_addr(const char *host, const char *port, struct sockaddr_storage *out)
{
	struct sockaddr_in *v4 = (void *)out;
	struct sockaddr_in6 *v6 = (void *)out;
	uint16_t n = htons((uint16_t)strtoul(port, NULL, 10));

	memset(out, 0, sizeof *out);
	if (inet_pton(AF_INET, host, &v4->sin_addr) == 1) {
		v4->sin_family = AF_INET;
		v4->sin_port = n;
		return sizeof *v4;
	}
	if (inet_pton(AF_INET6, host, &v6->sin6_addr) != 1) {
		fprintf(stderr, "udp_relay: bad address: %s\n", host);
		exit(1);
	}
	v6->sin6_family = AF_INET6;
	v6->sin6_port = n;
	return sizeof *v6;
}

static void
relay_open(struct relay *r, const char *host, char **port)
{
	struct sockaddr_in *v4 = (void *)&r->self;
	struct sockaddr_in6 *v6 = (void *)&r->self;
	socklen_t n = sizeof r->self;
	sigset_t set;

	r->addr_len = relay_addr(host, port[1], &r->target);
	relay_addr(host, port[0], &r->self);
	r->ep = epoll_create1(EPOLL_CLOEXEC);
	r->timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigaddset(&set, SIGUSR2);
	sigaddset(&set, SIGHUP);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigprocmask(SIG_BLOCK, &set, NULL);
	r->sig = signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
	r->listen = relay_socket(r);
	if (r->ep < 0 || r->timer < 0 || r->sig < 0)
		relay_fail("epoll");
	if (bind(r->listen, (struct sockaddr *)&r->self, r->addr_len) != 0 ||
	    getsockname(r->listen, (struct sockaddr *)&r->self, &n) != 0 ||
	    (r->tcp && listen(r->listen, 16) != 0))
		relay_fail("bind");
	relay_watch(r, r->timer, EV_TIMER);
	relay_watch(r, r->sig, EV_SIGNAL);
	relay_watch(r, r->listen, EV_LISTEN);
	if (r->commands)
		relay_watch(r, STDIN_FILENO, EV_STDIN);
	printf("listening %u\n",
	    ntohs(r->self.ss_family == AF_INET ? v4->sin_port : v6->sin6_port));
	fflush(stdout);
}

/* Parses a list of times and sorts it, the earliest time last. */
static void
relay_rebinds(struct relay *r, char *list)
{
	char *word;
	double t;
	size_t i;

	while ((word = strsep(&list, ",")) != NULL) {
		if (r->nrebind == RELAY_REBINDS)
			return;
		t = strtod(word, NULL) * LINK_MS;
		for (i = r->nrebind++; i > 0 && r->rebind[i - 1] < t; i--)
			r->rebind[i] = r->rebind[i - 1];
		r->rebind[i] = t;
	}
}

static void
relay_usage(void)
{
	fprintf(stderr,
	    "usage: udp_relay [-ct] [-a host] [-b link] [-d link] [-R ms,...] "
	    "[-s seed] [-u link] [-w file] listen target\n");
	exit(1);
}

int
main(int argc, char **argv)
{
	struct relay *r = mem_zalloc(sizeof *r);
	struct epoll_event ev[32];
	const char *host = "127.0.0.1";
	int c, i, n;

	r->rng = 1;
	r->link[UP].hole = r->link[DOWN].hole = 1472;
	while ((c = getopt(argc, argv, "a:b:cd:l:R:s:tu:w:")) != -1) {
		switch (c) {
		case 'a':
			host = optarg;
			break;
		case 'b':
		case 'd':
		case 'u':
			if (!relay_links(r, (char[]){ (char)c, 0 }, optarg))
				relay_usage();
			break;
		case 'c':
			r->commands = true;
			break;
		case 'l':
			if ((r->log = fopen(optarg, "we")) == NULL)
				relay_usage();
			break;
		case 'R':
			relay_rebinds(r, optarg);
			break;
		case 's':
			r->rng = strtoull(optarg, NULL, 10);
			break;
		case 't':
			r->tcp = true;
			break;
		case 'w':
			if ((r->kept = fopen(optarg, "we")) == NULL)
				relay_usage();
			break;
		default:
			relay_usage();
		}
	}
	if (argc - optind != 2)
		relay_usage();
	prctl(PR_SET_TIMERSLACK, 1UL);
	r->start = relay_now(r);
	relay_open(r, host, argv + optind);
	while (!r->quit) {
		n = epoll_wait(r->ep, ev, ARRAY_LEN(ev), -1);
		for (i = 0; i < n; i++)
			relay_event(r, ev[i].data.u64);
		relay_deliver(r);
	}
	relay_stats(r);
	if (r->log != NULL)
		(void)fclose(r->log);
	if (r->kept != NULL)
		(void)fclose(r->kept);
	relay_queues(r, LINK_NEVER / 2);
	link_queue_fini(&r->link[UP].q);
	link_queue_fini(&r->link[DOWN].q);
	link_heap_fini(&r->heap);
	mem_free(r);
	return 0;
}
