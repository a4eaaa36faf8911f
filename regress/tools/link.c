/*
 * link [options] FAR NEAR - a bad network between two programs.
 *
 * Makes two networks of their own (network namespaces), joined by one link that
 * this program simulates: any program sees it, with the kernel's own TCP.  Runs
 * the shell commands FAR and NEAR, one in each; ends, with NEAR's status, when
 * NEAR does.  Needs root, or a system that lets users make namespaces.
 * (regress/tools/udp_relay simulates the same links for one port, without
 * namespaces.)
 *
 *	-u LINK   from NEAR (10.99.0.1) to FAR (10.99.0.2)
 *	-d LINK   from FAR to NEAR
 *	-b LINK   both
 *	-s SEED   of all random numbers
 *	-k S      seconds until the measurement of -m (0)
 *	-m S      seconds measured; then prints a line for each direction
 *
 * LINK is that of udp_relay: delay, jitter, reorder, hold, loss, duplicate,
 * burst, burst_len, rate, queue, packets, codel, interval, trace, hole, cut, off.
 *
 * The line of -m: direction, kbit/s that came through, 95th percentile in ms of
 * the age of the newest packet that has come (Sprout's metric), packets lost,
 * packets that found no room, packets that CoDel dropped.
 */
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <sys/wait.h>

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/if.h>
#include <linux/if_tun.h>
#include <math.h>
#include <netinet/in.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/compiler.h"
#include "base/mem.h"
#include "regress/sim/ages.h"
#include "regress/tools/link_heap.h"
#include "regress/tools/udp_link.h"

#define LINK_MTU 1500
#define LINK_WAITING 200000 /* packets on the way, at most */
#define LINK_BATCH 64

enum {
	UP,
	DOWN
};

/* One end: a process that holds a network, and its side of the link. */
struct end {
	pid_t pid;
	int tun;
	int go; /* writing a byte starts the command; -1: it runs */
};

struct world {
	struct end end[2]; /* 0: near, 1: far */
	struct link link[2];
	struct link_heap heap;
	size_t waiting;
	uint64_t rng;
	double start;
	int ep, timer, sig;
	/* the measurement */
	double from, to;
	bool measures, measured;
	struct ages ages[2];
	uint64_t bytes[2];
	uint8_t buf[LINK_MTU + 64];
};

static void
fail(const char *what)
{
	fprintf(stderr, "link: %s: %s\n", what, strerror(errno));
	exit(125);
}

static double
world_now(const struct world *w)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec - w->start;
}

/* --- networks ------------------------------------------------------------- */

static void
write_file(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);

	if (fd >= 0) {
		(void)!write(fd, text, strlen(text));
		close(fd);
	}
}

/* Enters a network of its own; a user without rights becomes its root. */
static void
net_enter(void)
{
	char map[64];
	uid_t uid = getuid();
	gid_t gid = getgid();

	if (unshare(CLONE_NEWNET) == 0)
		return;
	if (unshare(CLONE_NEWUSER | CLONE_NEWNET) != 0)
		fail("no network of its own");
	write_file("/proc/self/setgroups", "deny");
	snprintf(map, sizeof(map), "0 %u 1", (unsigned)uid);
	write_file("/proc/self/uid_map", map);
	snprintf(map, sizeof(map), "0 %u 1", (unsigned)gid);
	write_file("/proc/self/gid_map", map);
}

static void
net_address(int s, const char *name, unsigned long what, const char *text)
{
	struct sockaddr_in a = { .sin_family = AF_INET };
	struct ifreq r;

	memset(&r, 0, sizeof(r));
	snprintf(r.ifr_name, sizeof(r.ifr_name), "%s", name);
	inet_pton(AF_INET, text, &a.sin_addr);
	memcpy(&r.ifr_addr, &a, sizeof(a));
	if (ioctl(s, what, &r) != 0)
		fail("address");
}

static void
net_up(int s, const char *name)
{
	struct ifreq r;

	memset(&r, 0, sizeof(r));
	snprintf(r.ifr_name, sizeof(r.ifr_name), "%s", name);
	r.ifr_flags = IFF_UP | IFF_RUNNING;
	if (ioctl(s, SIOCSIFFLAGS, &r) != 0)
		fail("interface up");
}

/* Makes the interface of end I; returns its descriptor. */
static int
net_tun(unsigned i)
{
	static const char *const addr[] = { "10.99.0.1", "10.99.0.2" };
	struct ifreq r;
	int fd = open("/dev/net/tun", O_RDWR | O_CLOEXEC | O_NONBLOCK);
	int s = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	if (fd < 0 || s < 0)
		fail("/dev/net/tun");
	memset(&r, 0, sizeof(r));
	snprintf(r.ifr_name, sizeof(r.ifr_name), "link0");
	r.ifr_flags = IFF_TUN | IFF_NO_PI;
	if (ioctl(fd, TUNSETIFF, &r) != 0)
		fail("TUNSETIFF");
	net_up(s, "lo");
	net_address(s, "link0", SIOCSIFADDR, addr[i]);
	net_address(s, "link0", SIOCSIFNETMASK, "255.255.255.0");
	net_up(s, "link0");
	close(s);
	return fd;
}

static void
fd_send(int s, int fd)
{
	char byte = 0, control[CMSG_SPACE(sizeof(int))] = { 0 };
	struct iovec iov = { &byte, 1 };
	struct msghdr m = { .msg_iov = &iov,
		.msg_iovlen = 1,
		.msg_control = control,
		.msg_controllen = sizeof(control) };
	struct cmsghdr *c = CMSG_FIRSTHDR(&m);

	c->cmsg_level = SOL_SOCKET;
	c->cmsg_type = SCM_RIGHTS;
	c->cmsg_len = CMSG_LEN(sizeof(int));
	memcpy(CMSG_DATA(c), &fd, sizeof(fd));
	if (sendmsg(s, &m, 0) != 1)
		fail("sendmsg");
}

static int
fd_receive(int s)
{
	char byte, control[CMSG_SPACE(sizeof(int))];
	struct iovec iov = { &byte, 1 };
	struct msghdr m = { .msg_iov = &iov,
		.msg_iovlen = 1,
		.msg_control = control,
		.msg_controllen = sizeof(control) };
	struct cmsghdr *c;
	int fd;

	if (recvmsg(s, &m, MSG_CMSG_CLOEXEC) != 1 ||
	    (c = CMSG_FIRSTHDR(&m)) == NULL)
		exit(125); /* the child has said why */
	memcpy(&fd, CMSG_DATA(c), sizeof(fd));
	return fd;
}

static void
end_start(struct end *e, unsigned i, const char *command)
{
	int s[2];
	char byte;
	sigset_t none;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, s) != 0 ||
	    (e->pid = fork()) < 0)
		fail("fork");
	if (e->pid > 0) {
		close(s[1]);
		e->tun = fd_receive(s[0]);
		e->go = s[0];
		return;
	}
	(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
	(void)setpgid(0, 0);
	close(s[0]);
	net_enter();
	fd_send(s[1], net_tun(i));
	if (read(s[1], &byte, 1) != 1)
		_exit(125);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	execl("/bin/sh", "sh", "-c", command, (char *)NULL);
	_exit(127);
}

/* --- packets -------------------------------------------------------------- */

static void
world_put(struct world *w, unsigned dir, double now, size_t len)
{
	struct link *l = &w->link[dir];
	struct packet *p;

	l->in++;
	l->in_bytes += len;
	if (l->hole > 0 && (double)len > l->hole) {
		l->swallowed++;
		return;
	}
	if (link_loses(&w->rng, l, now))
		return;
	p = mem_zalloc(sizeof(*p));
	p->in = now;
	p->dir = dir;
	p->len = len;
	p->data = mem_dup(w->buf, len);
	(void)link_queues(l);
	if (w->heap.n + w->waiting < LINK_WAITING &&
	    link_queue_put(&l->q, now, len, p)) {
		w->waiting++;
		return;
	}
	l->overflow++;
	mem_free(p->data);
	mem_free(p);
}

static void
world_read(struct world *w, unsigned dir)
{
	ssize_t n;
	int k;

	for (k = 0; k < LINK_BATCH; k++) {
		n = read(w->end[dir == UP ? 0 : 1].tun, w->buf, sizeof(w->buf));
		if (n <= 0)
			return;
		/* The kernel's own chatter (IPv6) is not carried. */
		if (w->buf[0] >> 4 == 4)
			world_put(w, dir, world_now(w), (size_t)n);
	}
}

static void
world_arrive(struct world *w, const struct packet *p)
{
	struct link *l = &w->link[p->dir];

	l->out++;
	l->out_bytes += p->len;
	(void)!write(w->end[p->dir == UP ? 1 : 0].tun, p->data, p->len);
	if (!w->measures || w->measured || p->time < w->from)
		return;
	if (p->time <= w->to)
		w->bytes[p->dir] += p->len;
	ages_see(&w->ages[p->dir], (uint64_t)(p->in / 1000),
	    (uint64_t)(p->time / 1000));
}

static void
world_queues(struct world *w, double now)
{
	struct link_entry e;
	enum link_fate fate;
	struct packet *p;
	double t;
	unsigned d;

	for (d = 0; d < 2; d++)
		while ((fate = link_queue_take(&w->link[d].q, now, &e, &t)) !=
		       LINK_NONE) {
			p = e.data;
			w->waiting--;
			if (fate == LINK_OUT) {
				p->time = link_later(&w->rng, &w->link[d], t);
				link_heap_push(&w->heap, p);
			} else {
				w->link[d].dropped++;
				mem_free(p->data);
			}
			mem_free(p);
		}
}

/* Delivers what is due; sets the timer. */
static void
world_turn(struct world *w)
{
	struct itimerspec it = { { 0, 0 }, { 0, 0 } };
	struct packet p;
	double when;

	world_queues(w, world_now(w));
	while (w->heap.n > 0 && w->heap.heap[0].time <= world_now(w)) {
		p = link_heap_pop(&w->heap);
		world_arrive(w, &p);
		mem_free(p.data);
	}
	when = w->heap.n > 0 ? w->heap.heap[0].time : LINK_NEVER;
	when = MIN_OF(when, link_queue_due(&w->link[UP].q));
	when = MIN_OF(when, link_queue_due(&w->link[DOWN].q));
	if (w->measures && !w->measured)
		when = MIN_OF(when, w->to + 1e6);
	if (when < LINK_NEVER) {
		when = MAX_OF(when + w->start, 1.0);
		it.it_value.tv_sec = (time_t)(when / 1e9);
		it.it_value.tv_nsec =
		    (long)(when - (double)it.it_value.tv_sec * 1e9);
	}
	timerfd_settime(w->timer, TFD_TIMER_ABSTIME, &it, NULL);
}

/* --- results -------------------------------------------------------------- */

static void
world_report(struct world *w)
{
	static const char *const name[] = { "up", "down" };
	const struct link *l;
	unsigned d;

	w->measured = true;
	for (d = 0; d < 2; d++) {
		l = &w->link[d];
		printf("%s kbits=%.0f age95=%.0f lost=%lu overflow=%lu "
		       "dropped=%lu\n",
		    name[d], (double)w->bytes[d] * 8e6 / (w->to - w->from),
		    ages_fini(&w->ages[d], .95), l->lost, l->overflow,
		    l->dropped);
	}
	fflush(stdout);
}

/* --- the start ------------------------------------------------------------ */

static void
world_watch(struct world *w, int fd, uint64_t what)
{
	struct epoll_event ev = { .events = EPOLLIN };

	ev.data.u64 = what;
	if (epoll_ctl(w->ep, EPOLL_CTL_ADD, fd, &ev) != 0)
		fail("epoll_ctl");
}

static void
world_open(struct world *w)
{
	sigset_t set;

	w->ep = epoll_create1(EPOLL_CLOEXEC);
	w->timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigprocmask(SIG_BLOCK, &set, NULL);
	w->sig = signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
	if (w->ep < 0 || w->timer < 0 || w->sig < 0)
		fail("epoll");
	world_watch(w, w->end[0].tun, UP);
	world_watch(w, w->end[1].tun, DOWN);
	world_watch(w, w->timer, 2);
	world_watch(w, w->sig, 3);
}

/* Returns NEAR's status, or -1: it runs. */
static int
world_signal(struct world *w)
{
	struct signalfd_siginfo si;
	int status, code = -1;
	pid_t pid;

	while (read(w->sig, &si, sizeof(si)) == sizeof(si))
		if (si.ssi_signo != SIGCHLD)
			code = 128 + (int)si.ssi_signo;
	while ((pid = waitpid(-1, &status, WNOHANG)) > 0)
		if (pid == w->end[0].pid) {
			w->end[0].pid = 0;
			code = WIFEXITED(status) ? WEXITSTATUS(status)
						 : 128 + WTERMSIG(status);
		} else if (pid == w->end[1].pid) {
			w->end[1].pid = 0;
		}
	return code;
}

static int
world_run(struct world *w)
{
	struct epoll_event ev[8];
	uint64_t ticks;
	int i, n, code = -1;

	while (code < 0) {
		n = epoll_wait(w->ep, ev, ARRAY_LEN(ev), -1);
		for (i = 0; i < n; i++)
			if (ev[i].data.u64 <= DOWN)
				world_read(w, (unsigned)ev[i].data.u64);
			else if (ev[i].data.u64 == 2)
				(void)!read(w->timer, &ticks, sizeof(ticks));
			else
				code = world_signal(w);
		world_turn(w);
		if (w->measures && !w->measured && world_now(w) > w->to)
			world_report(w);
	}
	return code;
}

static void
end_stop(const struct end *e)
{
	if (e->pid <= 0)
		return;
	(void)kill(-e->pid, SIGKILL);
	(void)waitpid(e->pid, NULL, 0);
}

static void
usage(void)
{
	fprintf(stderr, "usage: link [-u LINK] [-d LINK] [-b LINK] [-s seed] "
			"[-k skip] [-m seconds] far near\n");
	exit(2);
}

static void
world_links(struct world *w, int which, const char *text)
{
	bool ok = true;

	if (which != 'd')
		ok = link_set(&w->link[UP], text);
	if (which != 'u')
		ok = link_set(&w->link[DOWN], text) && ok;
	if (ok)
		return;
	fprintf(stderr, "link: bad link: %s\n", text);
	exit(2);
}

int
main(int argc, char **argv)
{
	struct world *w = mem_zalloc(sizeof(*w));
	double skip = 0, seconds = 0;
	int c, code;
	unsigned i;

	w->rng = 1;
	while ((c = getopt(argc, argv, "+u:d:b:s:k:m:")) != -1)
		switch (c) {
		case 'u':
		case 'd':
		case 'b':
			world_links(w, c, optarg);
			break;
		case 's':
			w->rng = strtoull(optarg, NULL, 10);
			break;
		case 'k':
			skip = strtod(optarg, NULL);
			break;
		case 'm':
			seconds = strtod(optarg, NULL);
			break;
		default:
			usage();
		}
	if (argc - optind != 2 || seconds < 0 || skip < 0)
		usage();
	end_start(&w->end[0], 0, argv[optind + 1]);
	end_start(&w->end[1], 1, argv[optind]);
	(void)prctl(PR_SET_TIMERSLACK, 1UL);
	w->start = world_now(w);
	w->measures = seconds > 0;
	w->from = skip * 1e9;
	w->to = (skip + seconds) * 1e9;
	for (i = 0; w->measures && i < 2; i++)
		ages_init(&w->ages[i], (uint64_t)(w->from / 1000),
		    (uint64_t)(w->to / 1000));
	world_open(w);
	/* FAR first: NEAR may connect to it. */
	for (i = 2; i-- > 0;)
		(void)!write(w->end[i].go, "", 1);
	code = world_run(w);
	if (w->measures && !w->measured)
		world_report(w);
	end_stop(&w->end[0]);
	end_stop(&w->end[1]);
	world_queues(w, LINK_NEVER / 2);
	for (i = 0; i < 2; i++)
		link_queue_fini(&w->link[i].q);
	link_heap_fini(&w->heap);
	mem_free(w);
	return code;
}
