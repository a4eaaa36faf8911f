/*
 * ssp_real [-n keys] [-j sessions] [-l link] [-o file] - keys over bad links in
 * real time, compared with mosh and ssh.
 *
 * For each row of `links' and each system, two processes communicate through
 * their own udp_relay with the same link: a client that is typed at and a
 * server with a program on a pty that echoes its input.  The time of a key is
 * from the write of the key until the client shows it.  mosh (predictions off)
 * and ssh are driven through a pty; "rmux" is the whole stack of ssp/
 * (connection, transport) with toy objects.  All sessions run at once; JxN keys
 * a row and system.
 *
 * Prints a table (datagrams and bytes are those at the relay, both ways, with
 * 28 bytes of IP and UDP headers), a table of p99 by the place of a key in its
 * session (a session begins without knowing its link), then TAP lines for the
 * required limits.
 */
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/compiler.h"
#include "base/io/pty.h"
#include "base/io/sys.h"
#include "base/mem.h"
#include "regress/sim/keys.h"
#include "regress/sim/toy.h"
#include "regress/ssp/udp_end.h"
#include "ssp/bind.h"
#include "ssp/compress.h"

#define KEYS_MAX 20000
#define SESSIONS_MAX 16
#define PATIENCE 60e6 /* us until a key counts as never echoed */
#define IP_UDP 28
#define PROGRAM "stty raw -echo; printf %%; exec cat"

enum system {
	RMUX,
	MOSH,
	SSH,
	SYSTEMS
};

static const char *const system_name[] = { "rmux", "mosh", "ssh" };

/* Limits in ms or as a ratio to mosh; 0: none. */
static const struct link_row {
	const char *name, *link;
	bool typing, ssh;
	double median, mean, p99, bytes, dgrams;
} links[] = {
	{ "clean", "delay=50", false, false, 104, 104, 0, .6, .6 },
	{ "5 %", "delay=50,loss=.05", false, false, 104, 106, 171, .95, 0 },
	{ "29 %", "delay=50,loss=.29", false, false, 103, 112, 220, 1, 0 },
	{ "29 % in bursts", "delay=50,burst=.29,burst_len=60", false, false, 0,
	    160, 700, 1.2, 0 },
	{ "29 %, typing", "delay=50,loss=.29", true, false, 104, 112, 280, 1.9,
	    0 },
	{ "29 % in bursts, typing", "delay=50,burst=.29,burst_len=60", true,
	    false, 0, 170, 0, 0, 0 },
	{ "clean, typing", "delay=50", true, false, 0, 0, 0, 0, 0 },
	{ "LAN", "delay=.1", false, true, 0, 0, 0, 0, 0 },
};

/* Results of a session, in memory shared with its process. */
struct outcome {
	double ms[KEYS_MAX];
	unsigned n;
	unsigned long dgrams, bytes;
	char why[80];
};

struct relay {
	pid_t pid;
	int in, out;
	unsigned port;
};

/* The stack of one end. */
struct end {
	struct ssp_bind bind;
	struct udp_end at;
	struct ssp_keyring *keyring;
	struct ssp_zip *zip;
};

struct session {
	const struct link_row *row;
	enum system system;
	struct outcome *out;
	struct relay relay;
	struct end end; /* rmux */
	int fd;         /* the others: the pty of the client */
	pid_t client, server;
	char dir[64]; /* ssh: keys */
	int escape;   /* state of the parser of the client's output */
	double *sent;
	unsigned typed, done;
	bool ready;
};

static unsigned keys = 100, sessions = 1;
static char *relay_path;

static double
now_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static _Noreturn void
give_up(struct session *s, const char *why)
{
	snprintf(s->out->why, sizeof s->out->why, "%s", why);
	if (s->server > 0)
		kill(s->server, SIGTERM);
	if (s->client > 0)
		kill(s->client, SIGTERM);
	if (s->relay.pid > 0)
		kill(s->relay.pid, SIGTERM);
	_exit(1);
}

/* Programs. */

/* Runs ARGV with pipes; *in may be NULL. */
static pid_t
run(const char *const *argv, int *in, int *out)
{
	int a[2], b[2];
	pid_t pid;

	if (pipe2(a, O_CLOEXEC) != 0 || pipe2(b, O_CLOEXEC) != 0)
		return -1;
	pid = fork();
	if (pid == 0) {
		dup2(a[0], 0);
		dup2(b[1], 1);
		dup2(b[1], 2);
		execvp(argv[0], (char *const *)(uintptr_t)argv);
		_exit(127);
	}
	close(a[0]);
	close(b[1]);
	if (in != NULL)
		*in = a[1];
	else
		close(a[1]);
	*out = b[0];
	return pid;
}

/* Reads and appends to the string BUF; false at the end of input. */
static bool
read_more(int fd, char *buf, size_t size)
{
	size_t n = strlen(buf);
	ssize_t k = n + 1 < size ? read(fd, buf + n, size - 1 - n) : 0;

	if (k <= 0)
		return false;
	buf[n + (size_t)k] = '\0';
	return true;
}

/* Reads until WORD or the end of input; returns the position of WORD. */
static char *
read_until(int fd, char *buf, size_t size, const char *word)
{
	while (strstr(buf, word) == NULL && read_more(fd, buf, size))
		;
	return strstr(buf, word);
}

static void
relay_start(struct session *s, unsigned target, unsigned seed)
{
	char port[16], num[16], buf[256] = "", *p;
	const char *const argv[] = { relay_path, "-c", "-s", num, "-b",
		s->row->link, s->system == SSH ? "-t" : "-c", "0", port, NULL };

	snprintf(port, sizeof port, "%u", target);
	snprintf(num, sizeof num, "%u", seed);
	s->relay.pid = run(argv, &s->relay.in, &s->relay.out);
	p = read_until(s->relay.out, buf, sizeof buf, "\n");
	if (p == NULL || sscanf(buf, "listening %u", &s->relay.port) != 1)
		give_up(s, "no relay");
}

/* Returns the datagrams and bytes that entered the relay so far. */
static void
relay_count(struct session *s, unsigned long *dgrams, unsigned long *bytes)
{
	unsigned long in[2] = { 0, 0 }, n[2] = { 0, 0 };
	char buf[1024] = "", *down;

	if (write(s->relay.in, "stats\n", 6) != 6)
		give_up(s, "relay is gone");
	do {
		read_until(s->relay.out, buf, sizeof buf, "\ndown in=");
		down = strstr(buf, "down in=");
		/* the rest of that line, if it was read in parts */
	} while (down != NULL && strchr(down, '\n') == NULL &&
		 read_more(s->relay.out, buf, sizeof buf));
	if (down == NULL ||
	    sscanf(buf, "up in=%lu in_bytes=%lu", &in[0], &n[0]) != 2 ||
	    sscanf(down, "down in=%lu in_bytes=%lu", &in[1], &n[1]) != 2)
		give_up(s, "relay does not count");
	*dgrams = in[0] + in[1];
	*bytes = n[0] + n[1] + IP_UDP * *dgrams;
}

/* One end of the stack. */

static void
end_init(struct end *e, bool server)
{
	static const uint8_t psk[SSP_KEY_LEN] = { 42 };
	struct ssp_transport_cfg tc;
	struct ssp_conn_cfg cc;
	mono_ms now = sys_now();
	int r;

	e->keyring = ssp_keyring_new(SSP_SECRETS_LEN, 2, 4);
	e->zip = ssp_zip_new();
	ssp_transport_cfg_init(&tc, SSP_LINK_DATAGRAM);
	tc.local_ops = server ? &toy_screen_ops : &toy_log_ops;
	tc.remote_ops = server ? &toy_log_ops : &toy_screen_ops;
	tc.local =
	    server ? (void *)toy_screen_new(80, 24) : (void *)toy_log_new();
	tc.remote =
	    server ? (void *)toy_log_new() : (void *)toy_screen_new(80, 24);
	tc.zip = e->zip;
	/* As in client/roam_session.c and server/io/remote.c. */
	tc.asks = !server;
	if (server)
		tc.flow_tx = SSP_FLOW_SCREEN;
	else
		tc.flow_rx = SSP_FLOW_SCREEN;
	ssp_bind_transport(&e->bind, &tc, now);
	ssp_conn_cfg_init(&cc);
	cc.cid = UINT64_C(0x1234567812345678);
	cc.psk = psk;
	cc.keyring = e->keyring;
	cc.random = udp_end_random;
	cc.payload = ssp_bind_payload(&e->bind);
	r = server ? ssp_conn_server_accept(&cc, now, &e->at.conn)
		   : ssp_conn_client_new(&cc, now, &e->at.conn);
	bug_assert(r == 0);
	ssp_bind_conn(&e->bind, e->at.conn);
}

/* Waits for FD, the socket, a deadline or UNTIL; reads all input. */
static void
end_turn(struct end *e, int fd, double until)
{
	struct pollfd p[2] = { { udp_fd(e->at.udp), POLLIN, 0 },
		{ fd, POLLIN, 0 } };
	struct timespec t, clock;
	mono_ms now, next;
	double wait;

	udp_end_send(&e->at);
	now = sys_now();
	next = ssp_conn_deadline(e->at.conn, now);
	wait = until - now_us();
	/* sys_now counts whole milliseconds of this clock */
	clock_gettime(CLOCK_BOOTTIME, &clock);
	if (next != MONO_NEVER)
		wait =
		    MIN_OF(wait, (double)mono_until(now, next) * 1000 -
				     (double)(clock.tv_nsec % 1000000) / 1000);
	wait = MAX_OF(wait, 0);
	t.tv_sec = (time_t)(wait / 1e6);
	t.tv_nsec = (long)((wait - (double)t.tv_sec * 1e6) * 1e3);
	ppoll(p, fd < 0 ? 1 : 2, &t, NULL);
	udp_end_recv(&e->at);
}

/* The server's process. */

static void
server_keys(struct end *e, int pty, uint64_t *fed)
{
	const struct toy_log *l = ssp_transport_remote(e->bind.tp, NULL);
	ssize_t n;

	while (*fed < l->end) {
		n = write(pty, l->bytes.data + (*fed - l->start),
		    (size_t)(l->end - *fed));
		if (n <= 0)
			break;
		*fed += (uint64_t)n;
	}
	ssp_transport_remote_seen(e->bind.tp);
}

static _Noreturn void
server_main(struct end *e)
{
	static const char *const argv[] = { "sh", "-c", PROGRAM, NULL };
	struct pty_spec spec = { .argv = argv,
		.envp = (const char *const *)(uintptr_t)environ,
		.size = { 80, 24 } };
	struct cause why = { NULL };
	struct toy_screen *scr;
	uint64_t fed = 0;
	char buf[4096];
	ssize_t n, i;
	pid_t pid;
	int pty;

	if (pty_spawn(&spec, &pty, &pid, &why) != 0)
		_exit(1);
	do
		n = read(pty, buf, 1);
	while (n != 1 || buf[0] != '%');
	for (;;) {
		end_turn(e, pty, now_us() + 1e6);
		server_keys(e, pty, &fed);
		n = read(pty, buf, sizeof buf);
		scr = ssp_transport_current(e->bind.tp);
		for (i = 0; i < n; i++, scr->echo++)
			scr->cell[scr->echo % (scr->cols * scr->rows)] =
			    (uint8_t)buf[i];
		if (n > 0)
			ssp_transport_changed(e->bind.tp, sys_now());
	}
}

/* The systems. */

static void
start_rmux(struct session *s, unsigned seed)
{
	struct cause why = { NULL };
	struct udp_addr to;
	struct ssp_addr peer;
	struct ssp_path_addr path;
	struct end e;

	memset(&e, 0, sizeof e);
	if (udp_bind(AF_INET, 0, 0, &e.at.udp, &why) != 0)
		give_up(s, "no socket");
	s->server = fork();
	if (s->server == 0) {
		end_init(&e, true);
		server_main(&e);
	}
	relay_start(s, udp_port(e.at.udp), seed);
	udp_free(e.at.udp);
	end_init(&s->end, false);
	if (udp_open(AF_INET, 1, &s->end.at.udp, &why) != 0 ||
	    udp_addr_parse("127.0.0.1", (uint16_t)s->relay.port, &to) != 0)
		give_up(s, "no socket");
	peer = udp_link_addr(&to);
	path = udp_link_path(s->end.at.udp, &peer);
	ssp_conn_path_add(s->end.at.conn, sys_now(), &path);
	s->ready = true;
}

static void
start_client(struct session *s, const char *const *argv)
{
	/* large, so it never scrolls and each letter appears once */
	struct pty_spec spec = { .argv = argv,
		.envp = (const char *const *)(uintptr_t)environ,
		.size = { 200, 120 } };
	struct cause why = { NULL };

	if (pty_spawn(&spec, &s->fd, &s->client, &why) != 0)
		give_up(s, "no pty");
}

static void
start_mosh(struct session *s, unsigned seed)
{
	static const char *const server[] = { "mosh-server", "new", "-i",
		"127.0.0.1", "--", "sh", "-c", PROGRAM, NULL };
	char buf[4096] = "", port[16], key[64], *p;
	const char *const client[] = { "mosh-client", "127.0.0.1", port, NULL };
	unsigned num;
	int out, pid;

	setenv("MOSH_PREDICTION_DISPLAY", "never", 1);
	setenv("MOSH_SERVER_NETWORK_TMOUT", "600", 1);
	run(server, NULL, &out);
	p = read_until(out, buf, sizeof buf, "pid = ");
	if (p == NULL || sscanf(p, "pid = %d", &pid) != 1 ||
	    (p = strstr(buf, "MOSH CONNECT ")) == NULL ||
	    sscanf(p, "MOSH CONNECT %u %60s", &num, key) != 2)
		give_up(s, "mosh-server does not start");
	s->server = pid;
	relay_start(s, num, seed);
	setenv("MOSH_KEY", key, 1);
	snprintf(port, sizeof port, "%u", s->relay.port);
	start_client(s, client);
}

static unsigned
free_port(void)
{
	struct cause why = { NULL };
	unsigned port = 0;
	struct udp *u;

	if (udp_bind(AF_INET, 0, 0, &u, &why) == 0) {
		port = udp_port(u);
		udp_free(u);
	}
	return port;
}

static void
start_ssh(struct session *s, unsigned seed)
{
	char port[16], listen[16], cmd[2048];
	const char *const server[] = { "/usr/sbin/sshd", "-D", "-q", "-f", cmd,
		"-p", listen, NULL };
	const char *const client[] = { "ssh", "-F", "none", "-tt", "-p", port,
		"-i", cmd, "-o", "StrictHostKeyChecking=no", "-o",
		"UserKnownHostsFile=/dev/null", "-o", "LogLevel=ERROR",
		"127.0.0.1", PROGRAM, NULL };
	unsigned num = free_port();
	int out;

	snprintf(s->dir, sizeof s->dir, "/tmp/ssp_real.XXXXXX");
	if (mkdtemp(s->dir) == NULL)
		give_up(s, "no directory");
	mkdir("/run/sshd", 0755);
	snprintf(cmd, sizeof cmd,
	    "cd %s && ssh-keygen -q -t ed25519 -N '' -f key && "
	    "cp key.pub auth && printf '%%s\\n' 'ListenAddress 127.0.0.1' "
	    "'HostKey %s/key' 'AuthorizedKeysFile %s/auth' 'StrictModes no' "
	    "'PermitRootLogin yes' 'UsePAM no' 'PidFile none' >conf",
	    s->dir, s->dir, s->dir);
	if (system(cmd) != 0)
		give_up(s, "no ssh keys");
	snprintf(cmd, sizeof cmd, "%s/conf", s->dir);
	snprintf(listen, sizeof listen, "%u", num);
	s->server = run(server, NULL, &out);
	usleep(500000);
	relay_start(s, num, seed);
	snprintf(port, sizeof port, "%u", s->relay.port);
	snprintf(cmd, sizeof cmd, "%s/key", s->dir);
	start_client(s, client);
}

/* Typing. */

static char
letter(unsigned i)
{
	return (char)('a' + i % 26);
}

/* Parses one byte of a client's output to its terminal. */
static void
show(struct session *s, unsigned char c, double now)
{
	enum {
		TEXT,
		ESC,
		CSI,
		OSC,
		OSC_ESC,
		SKIP
	};

	switch (s->escape) {
	case TEXT:
		if (c == '\033')
			s->escape = ESC;
		else if (!s->ready)
			s->ready = c == '%';
		else if (s->done < s->typed && c == letter(s->done)) {
			s->out->ms[s->done] = (now - s->sent[s->done]) / 1000;
			s->done++;
		}
		return;
	case ESC:
		s->escape = c == '['                ? CSI
			    : c == ']'              ? OSC
			    : c >= 0x20 && c < 0x30 ? SKIP
						    : TEXT;
		return;
	case CSI:
		s->escape = c >= 0x40 && c < 0x7f ? TEXT : CSI;
		return;
	case OSC:
		s->escape = c == '\a' ? TEXT : c == '\033' ? OSC_ESC : OSC;
		return;
	default:
		s->escape = TEXT;
	}
}

/* Runs the session until UNTIL; returns early after input. */
static void
session_turn(struct session *s, double until)
{
	const struct toy_screen *scr;
	struct pollfd p = { s->fd, POLLIN, 0 };
	double wait = MAX_OF(until - now_us(), 0), now;
	struct timespec t;
	char buf[4096];
	ssize_t n, i;

	if (s->system == RMUX) {
		end_turn(&s->end, -1, until);
		scr = ssp_transport_remote(s->end.bind.tp, NULL);
		now = now_us();
		for (; s->done < s->typed && s->done < scr->echo; s->done++)
			s->out->ms[s->done] = (now - s->sent[s->done]) / 1000;
		ssp_transport_remote_seen(s->end.bind.tp);
		return;
	}
	t.tv_sec = (time_t)(wait / 1e6);
	t.tv_nsec = (long)((wait - (double)t.tv_sec * 1e6) * 1e3);
	if (ppoll(&p, 1, &t, NULL) <= 0)
		return;
	n = read(s->fd, buf, sizeof buf);
	now = now_us();
	for (i = 0; i < n; i++)
		show(s, (unsigned char)buf[i], now);
	if (n == 0 || (p.revents & POLLHUP))
		give_up(s, "client ended");
}

static void
session_key(struct session *s)
{
	char c = letter(s->typed);

	s->sent[s->typed++] = now_us();
	if (s->system == RMUX) {
		toy_log_add(ssp_transport_current(s->end.bind.tp), &c, 1);
		ssp_transport_changed(s->end.bind.tp, sys_now());
		udp_end_send(&s->end.at);
	} else if (write(s->fd, &c, 1) != 1) {
		give_up(s, "client does not read");
	}
}

static void
session_type(struct session *s, uint64_t rng)
{
	double until = now_us() + PATIENCE;
	unsigned i;

	while (!s->ready && now_us() < until)
		session_turn(s, until);
	for (until = now_us() + 3e6; now_us() < until;)
		session_turn(s, until);
	relay_count(s, &s->out->dgrams, &s->out->bytes);
	for (i = 0; i < keys; i++) {
		session_key(s);
		until = s->sent[i] + PATIENCE;
		while (
		    !s->row->typing && s->done < s->typed && now_us() < until)
			session_turn(s, until);
		until = s->sent[i] +
			(double)keys_gap(
			    s->row->typing ? KEYS_TYPING : KEYS_ISOLATED, &rng);
		while (now_us() < until)
			session_turn(s, until);
	}
	until = now_us() + PATIENCE;
	while (s->done < s->typed && now_us() < until)
		session_turn(s, until);
}

static void
session_run(struct session *s, unsigned seed)
{
	static void (*const start[])(
	    struct session *, unsigned) = { start_rmux, start_mosh, start_ssh };
	unsigned long dgrams, bytes;
	char cmd[128];

	signal(SIGPIPE, SIG_IGN);
	setenv("LC_ALL", "C.UTF-8", 1);
	setenv("TERM", "xterm-256color", 1);
	s->sent = mem_calloc(keys, sizeof *s->sent);
	start[s->system](s, seed);
	session_type(s, seed);
	relay_count(s, &dgrams, &bytes);
	s->out->n = s->done;
	s->out->dgrams = dgrams - s->out->dgrams;
	s->out->bytes = bytes - s->out->bytes;
	if (s->dir[0] != '\0') {
		snprintf(cmd, sizeof cmd, "rm -r %s", s->dir);
		(void)!system(cmd);
	}
	give_up(s, s->done < keys ? "keys without echo" : "");
}

/* The results of a row and system. */
static struct outcome *
outcome_of(struct outcome *o, size_t row, int system)
{
	return o + (row * SYSTEMS + (size_t)system) * SESSIONS_MAX;
}

/* The tables. */

struct total {
	struct keys_result r;
	double dgrams, bytes;
	unsigned n;
	const char *why;
};

static void
add_up(struct outcome *o, struct total *t)
{
	double *ms = mem_calloc((size_t)keys * sessions + 1, sizeof *ms);
	unsigned j;

	memset(t, 0, sizeof *t);
	for (j = 0; j < sessions; j++) {
		memcpy(ms + t->n, o[j].ms, o[j].n * sizeof *ms);
		t->n += o[j].n;
		t->dgrams += (double)o[j].dgrams;
		t->bytes += (double)o[j].bytes;
		if (o[j].why[0] != '\0')
			t->why = o[j].why;
	}
	if (t->n > 0) {
		keys_stats(ms, t->n, &t->r);
		t->dgrams /= t->n;
		t->bytes /= t->n;
	}
	mem_free(ms);
}

/* Keys by their place in a session, counted from 0. */
static const struct place {
	const char *name;
	unsigned from, to;
} places[] = {
	{ "1-10", 0, 10 },
	{ "11-20", 10, 20 },
	{ "21-50", 20, 50 },
	{ "later", 50, KEYS_MAX },
};

/* Returns the p99 of keys at PLACE in all sessions; 0: there are none. */
static double
place_p99(const struct outcome *o, const struct place *p)
{
	double *ms = mem_calloc((size_t)keys * sessions + 1, sizeof(*ms));
	struct keys_result r = { 0 };
	unsigned i, j, n = 0;

	for (j = 0; j < sessions; j++)
		for (i = p->from; i < MIN_OF(p->to, o[j].n); i++)
			ms[n++] = o[j].ms[i];
	if (n > 0)
		keys_stats(ms, n, &r);
	mem_free(ms);
	return r.p99;
}

static void
print_places(const char *only, struct outcome *o)
{
	size_t i, k;
	int s;

	printf("\np99 by place%-16s", "");
	for (k = 0; k < ARRAY_LEN(places); k++)
		printf(" %8s", places[k].name);
	printf("\n");
	for (i = 0; i < ARRAY_LEN(links); i++)
		for (s = 0; s < SSH; s++) {
			if (only != NULL && strcmp(only, links[i].name) != 0)
				continue;
			printf("%-22s %-5s", links[i].name, system_name[s]);
			for (k = 0; k < ARRAY_LEN(places); k++)
				printf(" %8.1f",
				    place_p99(outcome_of(o, i, s), &places[k]));
			printf("\n");
		}
	printf("\n");
}

static unsigned failed, tests;

static void
demand(const char *row, const char *what, double is, double limit)
{
	bool ok = is <= limit;

	failed += !ok;
	printf("%sok %u - %s: %s %.2f <= %.2f\n", ok ? "" : "not ", ++tests,
	    row, what, is, limit);
}

static void
print_row(const struct link_row *row, struct total t[SYSTEMS])
{
	int i;

	for (i = 0; i < SYSTEMS; i++) {
		if (i == SSH && !row->ssh)
			continue;
		printf("%-22s %-5s %6u %8.1f %8.1f %8.1f %8.1f %8.1f",
		    row->name, system_name[i], t[i].n, t[i].r.median,
		    t[i].r.mean, t[i].r.p95, t[i].r.p99, t[i].r.max);
		if (i != SSH)
			printf(" %7.2f %7.0f", t[i].dgrams, t[i].bytes);
		if (i == RMUX && t[MOSH].n > 0)
			printf("   %.2f %.2f", t[RMUX].dgrams / t[MOSH].dgrams,
			    t[RMUX].bytes / t[MOSH].bytes);
		printf("%s%s\n", t[i].why != NULL ? "   " : "",
		    t[i].why != NULL ? t[i].why : "");
	}
}

static void
check_row(const struct link_row *row, const struct total t[SYSTEMS])
{
	const struct total *r = &t[RMUX], *m = &t[MOSH];

	demand(row->name, "keys without echo", keys * sessions - r->n, 0);
	if (row->median > 0)
		demand(row->name, "median", r->r.median, row->median);
	if (row->mean > 0)
		demand(row->name, "mean", r->r.mean, row->mean);
	if (row->p99 > 0)
		demand(row->name, "p99", r->r.p99, row->p99);
	if (m->n > 0) {
		demand(row->name, "median beside mosh's", r->r.median,
		    m->r.median);
		demand(row->name, "mean beside mosh's", r->r.mean, m->r.mean);
		if (row->p99 > 0)
			demand(
			    row->name, "p99 beside mosh's", r->r.p99, m->r.p99);
	}
	if (m->n > 0 && row->bytes > 0)
		demand(row->name, "bytes beside mosh's", r->bytes / m->bytes,
		    row->bytes);
	if (m->n > 0 && row->dgrams > 0)
		demand(row->name, "datagrams beside mosh's",
		    r->dgrams / m->dgrams, row->dgrams);
	if (row->ssh && t[SSH].n > 0)
		demand(row->name, "median beside ssh's", r->r.median,
		    t[SSH].r.median + 1);
}

static void
run_all(struct outcome *o, const char *only)
{
	struct session s;
	unsigned j, seed = 1;
	size_t i;
	int k;

	for (i = 0; i < ARRAY_LEN(links); i++)
		for (k = 0; k < SYSTEMS; k++)
			for (j = 0; j < sessions; j++) {
				if ((k == SSH && !links[i].ssh) ||
				    (only != NULL &&
					strcmp(only, links[i].name) != 0))
					continue;
				memset(&s, 0, sizeof s);
				s.row = &links[i];
				s.system = (enum system)k;
				s.out = outcome_of(o, i, k) + j;
				seed = (unsigned)i * 1000 + j + 1;
				fflush(stdout);
				if (fork() == 0)
					session_run(&s, seed);
				usleep(40000); /* not all at once */
			}
	while (wait(NULL) > 0)
		;
}

int
main(int argc, char **argv)
{
	size_t size = sizeof(struct outcome) * ARRAY_LEN(links) * SYSTEMS *
		      SESSIONS_MAX,
	       i;
	struct total t[SYSTEMS];
	struct outcome *o;
	const char *only = NULL;
	char *slash;
	int c, k;

	while ((c = getopt(argc, argv, "j:l:n:")) != -1)
		switch (c) {
		case 'j':
			sessions = (unsigned)atoi(optarg);
			break;
		case 'l':
			only = optarg;
			break;
		case 'n':
			keys = (unsigned)atoi(optarg);
			break;
		default:
			return 2;
		}
	if (keys == 0 || keys > KEYS_MAX || sessions == 0 ||
	    sessions > SESSIONS_MAX)
		return 2;
	slash = strrchr(argv[0], '/');
	relay_path = mem_printf("%.*s/../tools/udp_relay",
	    slash != NULL ? (int)(slash - argv[0]) : 1,
	    slash != NULL ? argv[0] : ".");
	o = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
	    -1, 0);
	if (o == MAP_FAILED)
		return 1;
	run_all(o, only);
	printf("%-22s %-5s %6s %8s %8s %8s %8s %8s %7s %7s   %s\n", "link", "",
	    "keys", "median", "mean", "p95", "p99", "max", "dgrams", "bytes",
	    "to mosh's");
	for (c = 0; c < 2; c++) {
		if (c == 1)
			print_places(only, o);
		for (i = 0; i < ARRAY_LEN(links); i++) {
			if (only != NULL && strcmp(only, links[i].name) != 0)
				continue;
			for (k = 0; k < SYSTEMS; k++)
				add_up(outcome_of(o, i, k), &t[k]);
			if (c == 0)
				print_row(&links[i], t);
			else
				check_row(&links[i], t);
		}
	}
	printf("1..%u\n", tests);
	mem_free(relay_path);
	return failed > 0;
}
