#include "client/launch.h"

#include <sys/socket.h>

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/io/fdpass.h"
#include "base/io/sys.h"
#include "base/mem.h"
#include "client/launch_int.h"

#ifdef __linux__
# include <sys/prctl.h>
#endif

struct launch {
	int fd;
	int reach;       /* -1: none, or given away */
	int ask;         /* the same */
	uint32_t number; /* of the last request */
	/* A lookup whose reply nobody waits for yet, and that reply. */
	uint32_t ahead; /* 0: none */
	bool have_ahead;
	struct launch_reply found;
};

static void
close_all(int *fds, size_t n)
{
	while (n > 0)
		if (fds[--n] >= 0)
			close(fds[n]);
}

/* Makes the two ends of a helper, or of its desk; { -1, -1 }: no WANTED. */
static int
reach_pair(bool wanted, int fd[2])
{
	fd[0] = fd[1] = -1;
	if (!wanted)
		return 0;
	if (socketpair(AF_UNIX, SOCK_SEQPACKET, 0, fd) != 0)
		return -1;
	(void)sys_set_cloexec(fd[0]);
	(void)sys_set_cloexec(fd[1]);
	return 0;
}

int
launch_new(const struct launch_cfg *cfg, struct launch **out, struct cause *c)
{
	const char *tty = cfg->ssh == NULL ? NULL : ttyname(STDIN_FILENO);
	pid_t pid, parent = getpid();
	int fd[2], reach[2], ask[2];

	*out = NULL;
	if (reach_pair(cfg->reach || cfg->door != NULL || cfg->desk != NULL,
		reach) != 0)
		return cause_set(
		    c, -ERR_SYS, "rmux: socketpair: %s", strerror(errno));
	if (reach_pair(cfg->desk != NULL, ask) != 0 ||
	    socketpair(AF_UNIX, SOCK_STREAM, 0, fd) != 0) {
		close_all(reach, 2);
		close_all(ask, 2);
		return cause_set(
		    c, -ERR_SYS, "rmux: socketpair: %s", strerror(errno));
	}
	(void)sys_set_cloexec(fd[0]);
	(void)sys_set_cloexec(fd[1]);
	if ((pid = fork()) < 0) {
		close_all(fd, 2);
		close_all(reach, 2);
		close_all(ask, 2);
		return cause_set(
		    c, -ERR_SYS, "rmux: fork: %s", strerror(errno));
	}
	if (pid == 0) {
		close(fd[0]);
		close_all(reach, 1);
		close_all(ask, 1);
		/* security: the client alone needs it. */
		if (cfg->secret != NULL)
			mem_wipe(cfg->secret, cfg->nsecret);
#ifdef __linux__
		/* Looking up a name may take long; do not outlive the client. */
		(void)prctl(PR_SET_PDEATHSIG, SIGTERM);
#endif
		if (getppid() == parent)
			launch_run(cfg, fd[1], reach[1], ask[1], tty);
		_exit(0);
	}
	close(fd[1]);
	close_all(reach + 1, 1);
	close_all(ask + 1, 1);
	*out = mem_zalloc(sizeof(**out));
	(*out)->fd = fd[0];
	(*out)->reach = reach[0];
	(*out)->ask = ask[0];
	return 0;
}

int
launch_reach(struct launch *l)
{
	int fd = l->reach;

	l->reach = -1;
	return fd;
}

int
launch_desk(struct launch *l)
{
	int fd = l->ask;

	l->ask = -1;
	return fd;
}

void
launch_free(struct launch *l)
{
	if (l == NULL)
		return;
	close(l->fd);
	close_all(&l->reach, 1);
	close_all(&l->ask, 1);
	mem_free(l);
}

/*
 * Reads one reply, with three descriptors if it has some (else -1). Returns
 * false if the launcher has ended.
 */
static bool
read_reply(struct launch *l, struct launch_reply *out, int fds[3])
{
	uint8_t *p = (uint8_t *)out;
	size_t got = 0, nfds;
	int come[3];
	ssize_t n;

	fds[0] = fds[1] = fds[2] = -1;
	while (got < sizeof(*out)) {
		n = fdpass_recv(l->fd, p + got, sizeof(*out) - got, come,
		    ARRAY_LEN(come), &nfds, 0);
		/* All three or none, and once. */
		if (nfds == ARRAY_LEN(come) && fds[0] < 0)
			memcpy(fds, come, sizeof(come));
		else
			close_all(come, nfds);
		if (n <= 0) {
			close_all(fds, 3);
			return false;
		}
		got += (size_t)n;
	}
	out->text[sizeof(out->text) - 1] = '\0';
	return true;
}

static int
send_request(struct launch *l, struct launch_request *q)
{
	/* 0 is no request. */
	if (++l->number == 0)
		l->number++;
	q->number = l->number;
	return sys_write_all(l->fd, q, sizeof(*q)) == 0 ? 0 : -ERR_CLOSED;
}

/*
 * Waits for the reply to Q, MS milliseconds at most (-1: no limit). A reply
 * that comes later is dropped by the next call.
 */
static int
await(struct launch *l, const struct launch_request *q, int ms,
    struct launch_reply *a, int fds[3])
{
	struct pollfd p = { .fd = l->fd, .events = POLLIN };
	mono_ms end = ms < 0 ? MONO_NEVER : mono_add(sys_now(), (mono_ms)ms);
	int left;

	for (;;) {
		left = ms < 0 ? -1 : (int)mono_until(sys_now(), end);
		if (poll(&p, 1, left) == 0)
			return -ERR_TIMEOUT;
		if (p.revents == 0)
			continue;
		if (!read_reply(l, a, fds))
			return -ERR_CLOSED;
		if (a->number == q->number)
			return 0;
		close_all(fds, 3);
		if (a->number == l->ahead) {
			l->found = *a;
			l->have_ahead = true;
		}
	}
}

static int
ask(struct launch *l, struct launch_request *q, int ms, struct launch_reply *a,
    int fds[3])
{
	int r = send_request(l, q);

	return r != 0 ? r : await(l, q, ms, a, fds);
}

int
launch_ssh(struct launch *l, enum bootstrap_how how, uint64_t resume,
    int fds[3], uint32_t *run, struct cause *c)
{
	struct launch_request q = {
		.what = LAUNCH_SSH, .how = how, .cid = resume
	};
	struct launch_reply a;
	int i;

	*run = 0;
	if (ask(l, &q, -1, &a, fds) != 0)
		return cause_set(c, -ERR_CLOSED,
		    "rmux: the process that runs ssh has ended: attach again");
	if (a.error != 0 || fds[0] < 0) {
		close_all(fds, 3);
		return cause_set(c, -ERR_SYS, "rmux: %s", a.text);
	}
	for (i = 0; i < 3; i++)
		(void)sys_set_cloexec(fds[i]);
	*run = a.run;
	return 0;
}

void
launch_kill(struct launch *l, uint32_t run)
{
	struct launch_request q = { .what = LAUNCH_KILL, .run = run };

	/* The launcher may be busy; nobody needs the reply. */
	(void)send_request(l, &q);
}

void
launch_mind(struct launch *l, uint64_t cid)
{
	struct launch_request q = { .what = LAUNCH_MIND, .cid = cid };

	(void)send_request(l, &q);
}

int
launch_status(struct launch *l, uint32_t run)
{
	struct launch_request q = { .what = LAUNCH_STATUS, .run = run };
	struct launch_reply a;
	int fds[3];

	/* 255 is ssh's code for a connection that broke. */
	return ask(l, &q, -1, &a, fds) == 0 ? a.status : 255 << 8;
}

void
launch_lookup_ahead(struct launch *l)
{
	struct launch_request q = { .what = LAUNCH_LOOKUP };

	l->have_ahead = false;
	if (send_request(l, &q) == 0)
		l->ahead = q.number;
}

size_t
launch_lookup(struct launch *l, uint16_t port, int ms,
    struct udp_addr out[LAUNCH_ADDRS_MAX])
{
	struct launch_request q = { .what = LAUNCH_LOOKUP, .number = l->ahead };
	bool have = l->have_ahead;
	struct launch_reply a;
	int fds[3];
	size_t i;

	if (have)
		a = l->found;
	else if (l->ahead != 0)
		have = await(l, &q, ms, &a, fds) == 0;
	else
		have = ask(l, &q, ms, &a, fds) == 0;
	l->ahead = 0;
	l->have_ahead = false;
	if (!have || a.naddrs > LAUNCH_ADDRS_MAX)
		return 0;
	for (i = 0; i < a.naddrs; i++) {
		out[i] = a.addrs[i];
		if (udp_addr_port(&out[i]) == 0)
			udp_addr_set_port(&out[i], port);
	}
	return a.naddrs;
}
