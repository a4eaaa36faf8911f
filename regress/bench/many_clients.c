/*
 * Simulate many clients of one server in one process: the server's cost, and
 * the age of a frame when a client has it.
 *
 *	many_clients draw HZ              the program in the pane
 *	many_clients local SOCKET N SECONDS PID
 *	many_clients udp SOCKET N SECONDS PID
 *	many_clients tty N SECONDS PID COMMAND...
 *
 * local and udp speak the control socket and SSP; tty runs COMMAND (an attach)
 * N times, each on a pty of its own, and reads what it paints.  PID is the
 * server's.  The result is one line: clients that had frames, frames a second
 * and client, latency of frames in ms (median, 99th percentile), CPU of the
 * server in percent of a core, whole and for each client; then the CPU of this
 * process, and the time that either was ready to run without a core: a rate of
 * frames below the program's is the server's fault only if the server is busy
 * all the time.  Last the number of frames that any client got more than
 * LATE_MS late: all clients get a frame at one time, so two late frames of 150
 * make the 99th percentile, whatever delayed them.
 */
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/io/loop.h"
#include "base/io/sock.h"
#include "base/io/sys.h"
#include "base/io/udp.h"
#include "base/mem.h"
#include "mux/sync/control.h"
#include "mux/sync/input.h"
#include "mux/sync/view.h"
#include "ssp/bind.h"
#include "ssp/compress.h"
#include "ssp/io/udp_link.h"

#define COLS 80
#define ROWS 24
#define SETTLE_MS 2000
#define SAMPLES_MAX 2000000
#define MARK_DIGITS 16
#define LATE_MS 5

struct bench;

struct bclient {
	struct bench *b;
	int fd; /* control socket or pty */
	struct loop_io *io;
	struct loop_timer *timer;
	struct buf in;
	struct buf out;
	struct ssp_transport *tp; /* local */
	uint64_t sent_pn, recv_pn, shown;
	struct ssp_bind bind; /* udp */
	struct ssp_conn *conn;
	struct udp *udp;
	struct loop_io *udp_io;
	pid_t pid; /* tty */
	char tail[64];
	size_t tail_len;
	int64_t last;
	unsigned long frames;
};

/* When one client had one frame. */
struct sample {
	double ms;
	int64_t stamp;
};

struct bench {
	struct loop *loop;
	struct bclient *clients;
	size_t n;
	bool is_udp;
	bool counting;
	struct sample *samples;
	size_t count;
	struct ssp_keyring *keyring;
	struct ssp_zip *zip;
};

static int64_t
now_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

/* --- the program in the pane --------------------------------------------------- */

/* Draws a screen like a monitor's: the time, and numbers in all rows. */
static int
draw(int hz)
{
	struct timespec t;
	char out[8192];
	unsigned long tick = 0;
	size_t n, i;
	int y;

	clock_gettime(CLOCK_MONOTONIC, &t);
	(void)!write(1, "\033[?25l\033[2J", 10);
	for (;;) {
		t.tv_nsec += 1000000000 / hz;
		if (t.tv_nsec >= 1000000000) {
			t.tv_nsec -= 1000000000;
			t.tv_sec++;
		}
		clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL);
		n = (size_t)snprintf(
		    out, sizeof(out), "\033[H@%016lld@", (long long)now_us());
		/* A painter must write each of its characters every time. */
		for (i = 3; tick % 2 == 1 && i < n; i++)
			out[i] =
			    (char)(out[i] == '@' ? '$' : out[i] + 'a' - '0');
		for (y = 1; y < ROWS - 2; y++)
			n += (size_t)snprintf(out + n, sizeof(out) - n,
			    "\033[%d;1H\033[3%dm%6lu\033[m some process with a "
			    "name %2d  %5lu.%02lu",
			    y + 1, 1 + y % 7, tick * 7 + (unsigned)y, y,
			    tick * (unsigned)y % 100000, tick % 100);
		if (write(1, out, n) < 0)
			return 0;
		tick++;
	}
}

/* --- frames that a client has got ------------------------------------------- */

static void
seen(struct bclient *c, int64_t stamp)
{
	struct bench *b = c->b;

	if (stamp == c->last)
		return;
	c->last = stamp;
	if (!b->counting || b->count >= SAMPLES_MAX)
		return;
	c->frames++;
	b->samples[b->count++] = (struct sample){
		.ms = (double)(now_us() - stamp) / 1000,
		.stamp = stamp,
	};
}

static int64_t
stamp_of(const char *p)
{
	char zero = p[0] == '@' ? '0' : 'a';
	int64_t v = 0;
	int i;

	if ((p[0] != '@' && p[0] != '$') || p[MARK_DIGITS + 1] != p[0])
		return 0;
	for (i = 1; i <= MARK_DIGITS; i++) {
		if (p[i] < zero || p[i] > zero + 9)
			return 0;
		v = v * 10 + (p[i] - zero);
	}
	return v;
}

static void
view_seen(struct bclient *c, const struct sync_view *v)
{
	char text[MARK_DIGITS + 2], cell[64];
	size_t i;
	unsigned x;

	for (i = 0; i < v->nsurfaces; i++) {
		if (v->surfaces[i].kind != SYNC_SURFACE_PANE)
			continue;
		for (x = 0; x < sizeof(text); x++) {
			if (vt_line_text(
				v->surfaces[i].frame->lines[0], x, cell) != 1)
				return;
			text[x] = cell[0];
		}
		if (stamp_of(text) != 0)
			seen(c, stamp_of(text));
		return;
	}
}

/* --- SSP ---------------------------------------------------------------------------- */

static void
flush(struct bclient *c)
{
	ssize_t n;

	while (
	    c->out.len > 0 && (n = write(c->fd, c->out.data, c->out.len)) > 0)
		buf_consume(&c->out, (size_t)n);
	loop_io_set(
	    c->io, LOOP_READ | (c->out.len > 0 ? (unsigned)LOOP_WRITE : 0));
}

static int
udp_put(void *arg, const struct ssp_path_addr *to, const uint8_t *p, size_t n,
    size_t part)
{
	struct bclient *c = arg;

	return udp_link_send(c->udp, to, p, n, part);
}

static void
pump(struct bclient *c)
{
	static uint8_t payload[CONTROL_DATA_MAX];
	mono_ms now = loop_now(c->b->loop);
	const struct sync_view *v;
	struct ssp_transport *tp = c->b->is_udp ? c->bind.tp : c->tp;
	struct ssp_conn_event ev;
	uint64_t num;
	size_t n;

	v = ssp_transport_remote(tp, &num);
	if (num != c->shown) {
		c->shown = num;
		view_seen(c, v);
		(void)ssp_transport_remote_seen(tp);
	}
	if (c->b->is_udp) {
		(void)udp_link_output(c->conn, now, udp_put, c);
		while (ssp_conn_event(c->conn, &ev))
			;
		loop_timer_set(c->timer, ssp_conn_deadline(c->conn, now));
		return;
	}
	while ((n = ssp_transport_send(
		    tp, now, c->sent_pn + 1, payload, sizeof(payload))) > 0) {
		c->sent_pn++;
		(void)control_put_data(&c->out, CONTROL_SSP, 0, payload, n);
	}
	flush(c);
	loop_timer_set(c->timer, ssp_transport_deadline(tp, now));
}

static void
pump_cb(void *arg)
{
	pump(arg);
}

static void
datagram(void *arg, struct udp_msg *m)
{
	struct bclient *c = arg;

	(void)udp_link_input(c->conn, loop_now(c->b->loop), m);
}

static void
udp_readable(void *arg, UNUSED int fd, UNUSED unsigned events)
{
	struct bclient *c = arg;

	(void)udp_recv_batch(c->udp, UDP_BATCH, datagram, c);
	pump(c);
}

static void
bench_random(UNUSED void *arg, void *out, size_t n)
{
	sys_random(out, n);
}

static void
transport_cfg(struct bclient *c, struct ssp_transport_cfg *tc, bool local)
{
	static const uint16_t size[4] = { COLS, ROWS, 0, 0 };

	ssp_transport_cfg_init(tc, local ? SSP_LINK_LOCAL : SSP_LINK_DATAGRAM);
	tc->local_ops = &sync_input_ops;
	tc->local = sync_input_new();
	(void)sync_input_resize(tc->local, size);
	tc->remote_ops = &sync_view_ops;
	tc->remote = sync_view_new(0, 0);
	if (local)
		tc->mtu = CONTROL_DATA_MAX;
	else
		tc->zip = c->b->zip;
}

static void
roamed(struct bclient *c, const struct control_msg *m)
{
	mono_ms now = loop_now(c->b->loop);
	struct ssp_path_addr path;
	struct ssp_transport_cfg tc;
	struct ssp_conn_cfg cc;
	struct udp_addr to;
	struct ssp_addr a;

	transport_cfg(c, &tc, false);
	ssp_bind_transport(&c->bind, &tc, now);
	ssp_conn_cfg_init(&cc);
	cc.cid = m->id;
	cc.psk = m->data;
	cc.keyring = c->b->keyring;
	cc.random = bench_random;
	cc.payload = ssp_bind_payload(&c->bind);
	if (m->data_len != SSP_KEY_LEN ||
	    ssp_conn_client_new(&cc, now, &c->conn) != 0 ||
	    udp_open(AF_INET, (uint32_t)(c - c->b->clients) + 1, &c->udp,
		NULL) != 0 ||
	    udp_addr_parse("127.0.0.1", (uint16_t)m->code, &to) != 0)
		abort();
	ssp_bind_conn(&c->bind, c->conn);
	a = udp_link_addr(&to);
	path = udp_link_path(c->udp, &a);
	(void)ssp_conn_path_add(c->conn, now, &path);
	c->udp_io =
	    loop_io_add(c->b->loop, udp_fd(c->udp), LOOP_READ, udp_readable, c);
	/* ssh would have ended here: close its socket. */
	loop_io_del(c->io);
	c->io = NULL;
	close(c->fd);
	c->fd = -1;
	pump(c);
}

static void
control_readable(void *arg, int fd, unsigned events)
{
	struct bclient *c = arg;
	struct control_msg m;
	uint8_t *p;
	size_t used;
	ssize_t n;

	if (events & LOOP_WRITE)
		flush(c);
	if ((events & LOOP_READ) == 0 || buf_reserve(&c->in, 65536, &p) != 0 ||
	    (n = read(fd, p, 65536)) <= 0)
		return;
	buf_commit(&c->in, (size_t)n);
	while (control_decode(c->in.data, c->in.len, &m, &used) == 0) {
		if (m.type == CONTROL_SSP)
			(void)ssp_transport_recv(c->tp, loop_now(c->b->loop),
			    ++c->recv_pn, m.data, m.data_len);
		else if (m.type == CONTROL_ROAMED) {
			roamed(c, &m);
			return;
		} else if (m.type == CONTROL_EXIT || m.type == CONTROL_ERR) {
			fprintf(stderr, "the server refuses\n");
			exit(1);
		}
		buf_consume(&c->in, used);
	}
	if (!c->b->is_udp)
		pump(c);
}

static void
ssp_start(struct bclient *c, const char *socket)
{
	static const char *const argv[] = { "attach-session", NULL };
	static const char *const env[] = { "LANG=C.UTF-8", NULL };
	struct cause why = { NULL };
	struct ssp_transport_cfg tc;
	char tty[32];
	struct control_msg m = {
		.type = CONTROL_HELLO,
		.has = CONTROL_HAS_VERSION | CONTROL_HAS_ENV |
		       CONTROL_HAS_TERM | CONTROL_HAS_TTY | CONTROL_HAS_FLAGS,
		.version_min = CONTROL_VERSION_MIN,
		.version_max = CONTROL_VERSION_MAX,
		.flags = CONTROL_FLAG_TTY | CONTROL_FLAG_UTF8,
		.term = { "xterm-256color", 14 },
		.env = env,
	};

	if (sock_connect(socket, &c->fd, &why) != 0) {
		fprintf(stderr, "%s\n", cause_text(&why));
		exit(1);
	}
	(void)sys_set_nonblock(c->fd);
	snprintf(tty, sizeof(tty), "bench-%zu", (size_t)(c - c->b->clients));
	m.tty = (struct control_str){ tty, strlen(tty) };
	buf_init(&c->in, CONTROL_MESSAGE_MAX + 131072);
	buf_init(&c->out, CONTROL_MESSAGE_MAX);
	c->timer = loop_timer_new(c->b->loop, pump_cb, c);
	if (!c->b->is_udp) {
		transport_cfg(c, &tc, true);
		c->tp = ssp_transport_new(&tc, loop_now(c->b->loop));
	}
	(void)control_encode(&m, &c->out);
	m = (struct control_msg){
		.type = c->b->is_udp ? CONTROL_ROAM : CONTROL_COMMAND,
		.has = CONTROL_HAS_LIST,
		.argv = argv,
	};
	(void)control_encode(&m, &c->out);
	c->io = loop_io_add(c->b->loop, c->fd, LOOP_READ, control_readable, c);
	flush(c);
}

/* --- terminals ------------------------------------------------------------------------ */

static void
tty_readable(void *arg, int fd, UNUSED unsigned events)
{
	struct bclient *c = arg;
	char bytes[65536 + 64];
	int64_t stamp = 0, s;
	ssize_t n;
	size_t len, i;

	memcpy(bytes, c->tail, c->tail_len);
	n = read(fd, bytes + c->tail_len, 65536);
	if (n <= 0) {
		if (n == 0 || errno != EAGAIN)
			loop_io_set(c->io, 0);
		return;
	}
	len = c->tail_len + (size_t)n;
	for (i = 0; i + MARK_DIGITS + 2 <= len; i++)
		if ((s = stamp_of(bytes + i)) != 0)
			stamp = s;
	if (stamp != 0)
		seen(c, stamp);
	c->tail_len = MIN_OF(len, (size_t)MARK_DIGITS + 1);
	memcpy(c->tail, bytes + len - c->tail_len, c->tail_len);
}

static void
tty_start(struct bclient *c, char **argv)
{
	struct winsize ws = { .ws_row = ROWS, .ws_col = COLS };

	c->pid = forkpty(&c->fd, NULL, NULL, &ws);
	if (c->pid < 0) {
		perror("forkpty");
		exit(1);
	}
	if (c->pid == 0) {
		(void)setenv("TERM", "xterm-256color", 1);
		(void)unsetenv("TMUX");
		execvp(argv[0], argv);
		_exit(127);
	}
	(void)sys_set_nonblock(c->fd);
	(void)sys_set_cloexec(c->fd);
	c->io = loop_io_add(c->b->loop, c->fd, LOOP_READ, tty_readable, c);
}

/* --- the run ----------------------------------------------------------------------------- */

/* Seconds that a process of one thread has run, and waited for a core. */
struct cpu {
	double run;
	double wait;
};

static struct cpu
cpu_of(long pid)
{
	unsigned long long run = 0, wait = 0;
	char path[64];
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%ld/schedstat", pid);
	if ((f = fopen(path, "r")) == NULL)
		return (struct cpu){ 0 };
	if (fscanf(f, "%llu %llu", &run, &wait) != 2)
		run = wait = 0;
	fclose(f);
	return (struct cpu){ (double)run / 1e9, (double)wait / 1e9 };
}

/* All processes of tty clients. */
static struct cpu
cpu_of_clients(const struct bench *b)
{
	struct cpu sum = { 0 };
	size_t i;

	for (i = 0; i < b->n; i++)
		if (b->clients[i].pid > 0)
			sum.run += cpu_of((long)b->clients[i].pid).run;
	return sum;
}

static struct cpu
cpu_since(long pid, struct cpu then)
{
	struct cpu c = cpu_of(pid);

	return (struct cpu){ c.run - then.run, c.wait - then.wait };
}

static int
by_value(const void *a, const void *b)
{
	const struct sample *x = a, *y = b;

	return (x->ms > y->ms) - (x->ms < y->ms);
}

static int
by_frame(const void *a, const void *b)
{
	const struct sample *x = a, *y = b;

	return (x->stamp > y->stamp) - (x->stamp < y->stamp);
}

/* Counts the program's frames that any client got, and got late. */
static void
count_frames(struct bench *b, size_t *all, size_t *late)
{
	size_t i = 0, j;
	bool is_late;

	*all = *late = 0;
	qsort(b->samples, b->count, sizeof(*b->samples), by_frame);
	for (; i < b->count; i = j) {
		is_late = false;
		for (j = i;
		     j < b->count && b->samples[j].stamp == b->samples[i].stamp;
		     j++)
			is_late = is_late || b->samples[j].ms > LATE_MS;
		++*all;
		*late += is_late;
	}
}

static void
turn_until(struct bench *b, int64_t end)
{
	struct loop_timer *t = loop_timer_new(b->loop, pump_cb, NULL);

	loop_timer_free(t);
	while (now_us() < end)
		loop_turn(b->loop, true);
}

static void
tick(void *arg)
{
	(void)arg;
}

static void
report(struct bench *b, const char *kind, struct cpu server, struct cpu own,
    struct cpu theirs, double seconds)
{
	double mid = 0, high = 0;
	size_t i, live = 0, shown, late;
	unsigned long frames = 0;

	for (i = 0; i < b->n; i++) {
		live += b->clients[i].frames > 0;
		frames += b->clients[i].frames;
	}
	qsort(b->samples, b->count, sizeof(*b->samples), by_value);
	if (b->count > 0) {
		mid = b->samples[b->count / 2].ms;
		high = b->samples[b->count * 99 / 100].ms;
	}
	count_frames(b, &shown, &late);
	printf("%-6s %5zu clients, %5zu live, %5.1f frames/s each, "
	       "latency %6.2f ms median %7.2f p99, server %6.2f %% of a core, "
	       "%.4f %% each; clients %.0f %%; no core free: server %.0f %%, "
	       "clients %.0f %%; %zu of %zu frames late; "
	       "a client's process %.4f %%\n",
	    kind, b->n, live,
	    b->n == 0 ? 0 : (double)frames / seconds / (double)b->n, mid, high,
	    server.run / seconds * 100,
	    server.run / seconds * 100 / (double)MAX_OF(b->n, (size_t)1),
	    own.run / seconds * 100, server.wait / seconds * 100,
	    own.wait / seconds * 100, late, shown,
	    theirs.run / seconds * 100 / (double)MAX_OF(b->n, (size_t)1));
}

int
main(int argc, char **argv)
{
	struct bench b = { .n = 0 };
	bool is_tty = argc > 5 && strcmp(argv[1], "tty") == 0;
	struct loop_timer *wake;
	struct cpu server, own, theirs;
	double seconds;
	int64_t start;
	size_t i;
	long pid;

	if (argc == 3 && strcmp(argv[1], "draw") == 0)
		return draw(atoi(argv[2]));
	if (!is_tty && (argc != 6 || (strcmp(argv[1], "local") != 0 &&
					 strcmp(argv[1], "udp") != 0))) {
		fprintf(stderr, "usage: see the file\n");
		return 2;
	}
	(void)signal(SIGPIPE, SIG_IGN);
	if (ssp_crypto_init() != 0)
		return 1;
	b.is_udp = strcmp(argv[1], "udp") == 0;
	b.n = (size_t)atol(argv[is_tty ? 2 : 3]);
	seconds = atof(argv[is_tty ? 3 : 4]);
	pid = atol(argv[is_tty ? 4 : 5]);
	b.loop = loop_new();
	b.zip = ssp_zip_new();
	b.keyring = ssp_keyring_new(SSP_SECRETS_LEN, 8, b.n + 1);
	b.clients = mem_calloc(b.n + 1, sizeof(*b.clients));
	b.samples = mem_calloc(SAMPLES_MAX, sizeof(*b.samples));
	wake = loop_timer_new(b.loop, tick, NULL);
	for (i = 0; i < b.n; i++) {
		b.clients[i].b = &b;
		if (is_tty)
			tty_start(&b.clients[i], argv + 5);
		else
			ssp_start(&b.clients[i], argv[2]);
		/*
		 * Attach one after the other, as people do; each turn of this
		 * loop serves all clients so far, so a thousand turns are long.
		 */
		if (i > 200 && i % 16 != 0)
			continue;
		loop_timer_set(wake, loop_now(b.loop) + 2);
		turn_until(&b, now_us() + 2000);
	}
	loop_timer_set(wake, loop_now(b.loop) + SETTLE_MS);
	turn_until(&b, now_us() + SETTLE_MS * 1000);
	b.counting = true;
	start = now_us();
	server = cpu_of(pid);
	own = cpu_of((long)getpid());
	theirs = cpu_of_clients(&b);
	loop_timer_set(wake, loop_now(b.loop) + (mono_ms)(seconds * 1000));
	turn_until(&b, start + (int64_t)(seconds * 1e6));
	server = cpu_since(pid, server);
	own = cpu_since((long)getpid(), own);
	theirs.run = cpu_of_clients(&b).run - theirs.run;
	report(
	    &b, argv[1], server, own, theirs, (double)(now_us() - start) / 1e6);
	fflush(stdout);
	/* The measurement excludes the clean-up by the system. */
	for (i = 0; i < b.n; i++)
		if (b.clients[i].pid > 0)
			(void)kill(b.clients[i].pid, SIGHUP);
	_exit(0);
}
