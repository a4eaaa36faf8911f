/*
 * The launcher's process. security: requests come from a process that a hostile
 * server may have taken over; they choose nothing but a kind of request, a
 * connection id to continue or to end.
 */
#include <sys/socket.h>
#include <sys/wait.h>

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/io/fdpass.h"
#include "base/io/sys.h"
#include "base/mem.h"
#include "base/str.h"
#include "client/desk/desk.h"
#include "client/launch_int.h"
#include "mux/sync/control.h"
#include "ssp/io/reach.h"

#ifdef __linux__
# include <sys/prctl.h>
#endif

#define LAUNCH_FINISH_MS 1000 /* for programs, once the client has ended */
#define LAUNCH_END_MS 1000    /* for a program that got SIGTERM */
#define LAUNCH_END_STEP_MS 10
#define LAUNCH_TELL_MS 30000 /* for an ssh that tells the client's end */

struct launched {
	uint32_t number;           /* 0: no program */
	volatile sig_atomic_t pid; /* 0: it has ended */
	int status;
	bool killed; /* SIGTERM was sent */
};

struct launcher {
	const struct launch_cfg *cfg;
	int fd;
	int reach; /* the end of a helper that has not started; -1: none */
	int ask;   /* for its desk, as REACH */
	int door;  /* the door, until the helper has it; -1: none */
	const char *tty;
	uint32_t number; /* of the last program */
	uint64_t minds;  /* the connection whose end is to be told, or 0 */
	struct launched runs[LAUNCH_RUNS_MAX];
};

/* A signal handler reads it. */
static struct launcher launcher;

/* Hangs up all programs and ends; async-signal-safe. */
static void
hang_up(UNUSED int signo)
{
	size_t i;

	for (i = 0; i < LAUNCH_RUNS_MAX; i++)
		if (launcher.runs[i].pid > 0)
			(void)kill(launcher.runs[i].pid, SIGHUP);
	if (launcher.cfg->door != NULL)
		(void)unlink(launcher.cfg->door);
	_exit(0);
}

static void
on_child(UNUSED int signo)
{
}

/* Takes the status of programs that have ended. */
static void
reap(struct launcher *l)
{
	size_t i;

	for (i = 0; i < LAUNCH_RUNS_MAX; i++)
		if (l->runs[i].pid > 0 &&
		    waitpid(l->runs[i].pid, &l->runs[i].status, WNOHANG) != 0)
			l->runs[i].pid = 0;
}

static struct launched *
launched_find(struct launcher *l, uint32_t number)
{
	size_t i;

	for (i = 0; i < LAUNCH_RUNS_MAX; i++)
		if (number != 0 && l->runs[i].number == number)
			return &l->runs[i];
	return NULL;
}

/* Returns a place for a program: a free one, else that of the oldest. */
static struct launched *
launched_place(struct launcher *l)
{
	struct launched *best = &l->runs[0];
	size_t i;

	for (i = 1; i < LAUNCH_RUNS_MAX; i++) {
		struct launched *r = &l->runs[i];

		if ((r->pid == 0) != (best->pid == 0)
			? r->pid == 0
			: r->number < best->number)
			best = r;
	}
	if (best->pid > 0) {
		(void)kill(best->pid, SIGKILL);
		(void)waitpid(best->pid, NULL, 0);
	}
	memset(best, 0, sizeof(*best));
	return best;
}

/* Sends a reply, with the descriptors of S unless it is NULL. */
static void
answer(struct launcher *l, const struct launch_reply *a,
    const struct bootstrap_ssh *s)
{
	const uint8_t *bytes = (const uint8_t *)a;
	int fds[3];
	ssize_t n;

	if (s != NULL) {
		fds[0] = s->in;
		fds[1] = s->out;
		fds[2] = s->err;
	}
	n = fdpass_send(
	    l->fd, a, sizeof(*a), fds, s == NULL ? 0 : ARRAY_LEN(fds), 0);
	if (n >= 0 &&
	    sys_write_all(l->fd, bytes + n, sizeof(*a) - (size_t)n) == 0)
		return;
	/* The client has ended; the next read says so, too. */
	if (l->minds == 0)
		hang_up(0);
}

static void
do_ssh(
    struct launcher *l, const struct launch_request *q, struct launch_reply *a)
{
	struct launched *r = launched_place(l);
	struct cause c = { NULL };
	struct bootstrap_ssh s;
	enum bootstrap_how how =
	    q->how == BOOTSTRAP_ASK ? BOOTSTRAP_ASK : BOOTSTRAP_BATCH;

	if (l->cfg->ssh == NULL ||
	    bootstrap_ssh_start(l->cfg->ssh, how, &s, &c) != 0) {
		(void)str_copy(a->text,
		    l->cfg->ssh == NULL ? "no ssh" : cause_text(&c),
		    sizeof(a->text));
		cause_fini(&c);
		a->error = -ERR_SYS;
		answer(l, a, NULL);
		return;
	}
	r->number = a->run = ++l->number;
	r->pid = s.pid;
	answer(l, a, &s);
	close(s.out);
	close(s.err);
	/* The client reads ssh's errors meanwhile; ssh may not read yet. */
	bootstrap_ssh_ask(l->cfg->ssh, q->cid, l->tty, s.in);
	close(s.in);
}

static void
do_kill(struct launcher *l, const struct launch_request *q)
{
	struct launched *r = launched_find(l, q->run);

	if (r == NULL || r->pid <= 0)
		return;
	(void)kill(r->pid, SIGTERM);
	r->killed = true;
}

/* Waits LAUNCH_END_MS for a program that got SIGTERM, and then kills it. */
static void
launched_end(struct launched *r)
{
	int ms;

	for (ms = 0; ms < LAUNCH_END_MS; ms += LAUNCH_END_STEP_MS) {
		if (waitpid(r->pid, &r->status, WNOHANG) == r->pid) {
			r->pid = 0;
			return;
		}
		(void)poll(NULL, 0, LAUNCH_END_STEP_MS);
	}
	(void)kill(r->pid, SIGKILL);
}

static void
do_status(
    struct launcher *l, const struct launch_request *q, struct launch_reply *a)
{
	struct launched *r = launched_find(l, q->run);

	a->status = 255 << 8;
	if (r == NULL)
		return;
	if (r->killed && r->pid > 0)
		launched_end(r);
	while (
	    r->pid > 0 && waitpid(r->pid, &r->status, 0) < 0 && errno == EINTR)
		;
	r->pid = 0;
	a->status = r->status;
}

/* Adds the addresses of a host name. */
static void
lookup(
    struct launcher *l, const char *host, uint16_t port, struct launch_reply *a)
{
	struct addrinfo hints = { .ai_socktype = SOCK_DGRAM }, *all, *i;
	char text[NI_MAXHOST];

	hints.ai_family = l->cfg->family;
	if (getaddrinfo(host, NULL, &hints, &all) != 0)
		return;
	for (i = all; i != NULL && a->naddrs < LAUNCH_ADDRS_MAX; i = i->ai_next)
		if (getnameinfo(i->ai_addr, i->ai_addrlen, text, sizeof(text),
			NULL, 0, NI_NUMERICHOST) == 0 &&
		    udp_addr_parse(text, port, &a->addrs[a->naddrs]) == 0)
			a->naddrs++;
	freeaddrinfo(all);
}

static void
do_lookup(struct launcher *l, struct launch_reply *a)
{
	const struct launch_name *name;
	char host[BOOTSTRAP_HOST_MAX];
	size_t i;

	for (i = 0; i < l->cfg->nnames; i++) {
		name = &l->cfg->names[i];
		(void)str_copy(host, name->host, sizeof(host));
		if (*host == '\0' && l->cfg->ssh != NULL)
			bootstrap_hostname(l->cfg->ssh, host, sizeof(host));
		lookup(l, host, name->port, a);
	}
}

static bool
some_run(const struct launcher *l)
{
	size_t i;

	for (i = 0; i < LAUNCH_RUNS_MAX; i++)
		if (l->runs[i].pid > 0)
			return true;
	return false;
}

/*
 * The client has ended and with it the input of each ssh, which passes on what
 * it has read, and ends: the last datagram tells the server to forget the key.
 */
static void
let_finish(struct launcher *l)
{
	const mono_ms end = sys_now() + LAUNCH_FINISH_MS;

	for (reap(l); some_run(l) && sys_now() < end; reap(l))
		/* SIGCHLD interrupts it, or comes just before it. */
		(void)poll(NULL, 0, 20);
}

/*
 * Minds the client's connection, or none.  The launcher leaves the process group:
 * it may be killed with the client.
 */
static void
do_mind(struct launcher *l, const struct launch_request *q)
{
#ifdef __linux__
	/* The end of the client's socket tells as well, and more gently. */
	(void)prctl(PR_SET_PDEATHSIG, 0);
#endif
	(void)setpgid(0, 0);
	l->minds = q->cid;
}

/* The client has ended without a word: tells the server so through ssh. */
static void
tell_gone(const struct launcher *l)
{
	const mono_ms end = sys_now() + LAUNCH_TELL_MS;
	struct bootstrap_cfg cfg = *l->cfg->ssh;
	struct cause c = { NULL };
	struct bootstrap_ssh s;
	char said[256];

	cfg.flags |= CONTROL_FLAG_GONE;
	if (bootstrap_ssh_start(&cfg, BOOTSTRAP_BATCH, &s, &c) == 0) {
		bootstrap_ssh_ask(&cfg, l->minds, l->tty, s.in);
		close(s.in);
		/* It ends with the server's answer. */
		(void)sys_read_until(s.out, end, said, sizeof(said));
		(void)kill(s.pid, SIGHUP);
	}
	cause_fini(&c);
}

static void
desk_run(const void *arg, int fd, int ask)
{
	desk_serve(arg, fd, ask);
}

/*
 * Starts the helper. security: later than the client's first forwards, it is
 * sealed from the beginning.
 */
static void
start_helper(struct launcher *l, bool sealed)
{
	const struct reach_desk desk = { desk_run, l->cfg->desk, l->ask };
	const pid_t pid = fork();

	if (pid == 0)
		_exit(reach_main(
		    l->reach, sealed, l->door, l->ask < 0 ? NULL : &desk));
	close(l->reach);
	l->reach = -1;
	if (l->ask >= 0)
		close(l->ask);
	l->ask = -1;
	if (l->door >= 0)
		close(l->door);
	l->door = -1;
}

/*
 * Waits for a request, for somebody at the door, and for the first request to
 * the helper, which is to its desk.
 */
static bool
wait_request(struct launcher *l)
{
	struct pollfd p[] = {
		{ .fd = l->fd, .events = POLLIN },
		{ .fd = l->door, .events = POLLIN },
		{ .fd = l->ask >= 0 ? l->reach : -1, .events = POLLIN },
	};

	/* SIGCHLD interrupts this call only. */
	if (poll(p, ARRAY_LEN(p), -1) < 1)
		return false;
	if (p[1].revents != 0 || (p[2].revents & (POLLIN | POLLHUP)) == POLLIN)
		start_helper(l, true);
	else if (p[2].revents != 0) {
		/* The client is about to end. */
		close(l->ask);
		l->ask = -1;
	}
	return p[0].revents != 0;
}

/* Reads a request. Returns false at the end of the client. */
static bool
read_request(struct launcher *l, struct launch_request *q)
{
	uint8_t *p = (uint8_t *)q;
	size_t got = 0;
	ssize_t n;

	while (got < sizeof(*q)) {
		reap(l);
		if (!wait_request(l))
			continue;
		/* security: read, not recvmsg: it takes no descriptors. */
		n = read(l->fd, p + got, sizeof(*q) - got);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		got += (size_t)n;
	}
	return true;
}

static void
signals(void)
{
	struct sigaction sa;

	memset(&sa, 0, sizeof(sa));
	sigemptyset(&sa.sa_mask);
	sa.sa_flags = SA_RESTART;
	sa.sa_handler = hang_up;
	(void)sigaction(SIGTERM, &sa, NULL);
	(void)sigaction(SIGHUP, &sa, NULL);
	sa.sa_handler = on_child;
	(void)sigaction(SIGCHLD, &sa, NULL);
	/* Keys of the user, who means the client or ssh. */
	sa.sa_handler = SIG_IGN;
	(void)sigaction(SIGINT, &sa, NULL);
	(void)sigaction(SIGQUIT, &sa, NULL);
	(void)sigaction(SIGTSTP, &sa, NULL);
	(void)sigaction(SIGPIPE, &sa, NULL);
}

void
launch_run(
    const struct launch_cfg *cfg, int fd, int reach, int ask, const char *tty)
{
	struct confine_result res;
	struct launch_request q;
	struct launch_reply a;
	struct cause c = { NULL };
	int null = open("/dev/null", O_RDWR);

	launcher = (struct launcher){ .cfg = cfg,
		.fd = fd,
		.reach = reach,
		.ask = ask,
		.door = -1,
		.tty = tty };
	signals();
	/* A terminal must not wait for the end of this process. */
	(void)dup2(null, STDIN_FILENO);
	(void)dup2(null, STDOUT_FILENO);
	(void)dup2(null, STDERR_FILENO);
	if (null > STDERR_FILENO)
		close(null);
	if (cfg->ssh == NULL &&
	    confine(CONFINE_LOOKUP, CONFINE_ALL, cfg->sandbox, &res, &c) != 0)
		return;
	if (cfg->door != NULL)
		launcher.door = reach_door_open(cfg->door);
	if (cfg->reach)
		start_helper(&launcher, false);
	while (read_request(&launcher, &q)) {
		memset(&a, 0, sizeof(a));
		a.number = q.number;
		switch (q.what) {
		case LAUNCH_SSH:
			do_ssh(&launcher, &q, &a);
			continue;
		case LAUNCH_KILL:
			do_kill(&launcher, &q);
			break;
		case LAUNCH_STATUS:
			do_status(&launcher, &q, &a);
			break;
		case LAUNCH_MIND:
			do_mind(&launcher, &q);
			break;
		case LAUNCH_LOOKUP:
			do_lookup(&launcher, &a);
			break;
		default:
			a.error = -ERR_PEER;
			break;
		}
		answer(&launcher, &a, NULL);
	}
	if (cfg->door != NULL)
		(void)unlink(cfg->door);
	let_finish(&launcher);
	if (launcher.minds != 0 && cfg->ssh != NULL)
		tell_gone(&launcher);
	hang_up(0);
}
