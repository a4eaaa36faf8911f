#include "config.h"

#include <sys/socket.h>
#include <sys/wait.h>

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/io/confine.h"
#include "base/io/sys.h"
#include "base/io/udp.h"
#include "base/str.h"
#include "client/doctor.h"
#include "client/doctor_probe.h"

#define DOCTOR_MARK "RMUX DOCTOR 1 "
#define DOCTOR_SSH_MS 60000 /* people type passwords */
#define DOCTOR_FAR_MS 60000 /* how long the far end answers probes */
#define DOCTOR_GAP_MS 20    /* interval of probes */
#define DOCTOR_WAIT_MS 1000 /* wait for the last answers */
#define DOCTOR_SKEW_MS 5000 /* clock skew that is reported */
#define DOCTOR_ADDRS 8

static uint64_t
wall_ms(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_REALTIME, &t);
	return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

static uint64_t
mono_us(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000 + (uint64_t)t.tv_nsec / 1000;
}

/* --- the far end ---------------------------------------------------------- */

static void
far_line(UNUSED void *arg, const char *name, const struct doctor_finding *f)
{
	struct buf line;

	buf_init(&line, 4096);
	doctor_line_format(&line, name, f);
	(void)sys_write_all(STDOUT_FILENO, line.data, line.len);
	buf_fini(&line);
}

static void
far_answer_all(struct udp *u, const struct doctor_key *k)
{
	struct udp_msg m;

	while (u != NULL && udp_recv(u, &m) == 0) {
		if (doctor_probe_answer(k, wall_ms(), m.data, m.len) != 0)
			continue;
		/* An answer that cannot be sent counts as lost. */
		if (udp_send(u, &m.local, &m.from, m.data, m.len) != 0)
			continue;
	}
}

/* Answers authentic probes until standard input ends. */
static void
far_answer(struct udp *const u[2], const struct doctor_key *k)
{
	mono_ms end = sys_now() + DOCTOR_FAR_MS, now;
	struct pollfd p[3] = { { .fd = STDIN_FILENO, .events = POLLIN } };
	char byte;
	int i;

	for (i = 0; i < 2; i++)
		p[i + 1] =
		    (struct pollfd){ .fd = u[i] == NULL ? -1 : udp_fd(u[i]),
			    .events = POLLIN };
	while ((now = sys_now()) < end) {
		if (poll(p, 3, (int)(end - now)) <= 0)
			continue;
		if (p[0].revents != 0 && read(STDIN_FILENO, &byte, 1) <= 0)
			return;
		for (i = 0; i < 2; i++)
			far_answer_all(u[i], k);
	}
}

int
doctor_far_run(const struct doctor_cfg *cfg)
{
	struct cause c = { NULL };
	struct udp *u[2] = { NULL, NULL };
	char key[SSP_KEY_TEXT_LEN + 1];
	struct confine_result confined;
	struct doctor_key k;
	uint16_t port = 0;

	(void)signal(SIGPIPE, SIG_IGN);
	if (ssp_crypto_init() != 0)
		return 1;
	doctor_here(cfg, true, far_line, NULL);
	/* Both families use one port, as the server does. */
	if (udp_bind(AF_INET, 60000, 61000, &u[0], &c) == 0)
		port = udp_port(u[0]);
	cause_fini(&c);
	if (udp_bind(AF_INET6, port == 0 ? 60000 : port,
		port == 0 ? 61000 : port, &u[1], &c) == 0)
		port = udp_port(u[1]);
	cause_fini(&c);
	sys_random(&k.id, sizeof(k.id));
	sys_random(k.key, sizeof(k.key));
	ssp_key_format(k.key, key);
	printf(DOCTOR_MARK "%u %016llx %s\n", (unsigned)port,
	    (unsigned long long)k.id, key);
	(void)fflush(stdout);
	/* security: only its pipes and these two sockets are left. */
	(void)confine(
	    CONFINE_DATAGRAMS, CONFINE_ALL, CONFINE_AUTO, &confined, &c);
	cause_fini(&c);
	far_answer(u, &k);
	udp_free(u[0]);
	udp_free(u[1]);
	ssp_wipe(&k, sizeof(k));
	return 0;
}

/* --- ssh ------------------------------------------------------------------ */

struct there {
	const struct doctor_cfg *cfg;
	doctor_fn fn;
	void *arg;
	pid_t pid;
	int in;
	int out;
	unsigned port;
	struct doctor_key key;
	bool answered;
	struct udp_addr addrs[DOCTOR_ADDRS];
	size_t naddrs;
};

static void
tell(struct there *t, const char *name, const struct doctor_finding *f)
{
	t->fn(t->arg, name, f);
}

static bool
ssh_start(struct there *t)
{
	static const char *const words[] = { "__doctor", NULL };
	struct bootstrap_cfg b = t->cfg->ssh;
	struct cause c = { NULL };
	int in[2], out[2];

	b.argv = words;
	if (pipe(in) != 0 || pipe(out) != 0)
		return false;
	(void)sys_set_cloexec(in[1]);
	(void)sys_set_cloexec(out[0]);
	if ((t->pid = fork()) < 0)
		return false;
	if (t->pid == 0) {
		(void)dup2(in[0], STDIN_FILENO);
		(void)dup2(out[1], STDOUT_FILENO);
		close(in[0]);
		close(out[1]);
		(void)signal(SIGPIPE, SIG_DFL);
		(void)bootstrap_exec(&b, false, &c);
		sys_complain(cause_text(&c));
		_exit(126);
	}
	close(in[0]);
	close(out[1]);
	t->in = in[1];
	t->out = out[0];
	return true;
}

static int
ssh_end(struct there *t)
{
	int status = 0;

	close(t->in);
	close(t->out);
	while (waitpid(t->pid, &status, 0) < 0 && errno == EINTR)
		;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 255;
}

static void
compare_version(const char *name, struct doctor_finding *f)
{
	char theirs[128];

	if (strcmp(name, "version") != 0 ||
	    strcmp(f->text, "rmux " PACKAGE_VERSION) == 0 ||
	    str_starts(f->text, "rmux " PACKAGE_VERSION ","))
		return;
	(void)str_copy(theirs, f->text, sizeof(theirs));
	doctor_find(f, DOCTOR_NOTE,
	    "the ends use their newest common protocol version; new "
	    "features need both to be new",
	    "%s there, %s here", theirs, PACKAGE_VERSION);
}

/* Parses "PORT ID KEY". */
static bool
take_answer(struct there *t, char *words)
{
	const char *port = strsep(&words, " ");
	const char *id = words == NULL ? NULL : strsep(&words, " ");

	if (words == NULL || ssp_key_parse(words, t->key.key) != 0)
		return false;
	t->port = (unsigned)strtoul(port, NULL, 10);
	t->key.id = strtoull(id, NULL, 16);
	return t->port <= 65535;
}

/* Handles a line of the far end; returns true for the last one. */
static bool
ssh_line(struct there *t, char *line)
{
	struct doctor_finding f;
	char name[64];
	char *mark = strstr(line, DOCTOR_MARK),
	     *check = strstr(line, "CHECK\t");

	line[strcspn(line, "\r")] = '\0';
	if (mark != NULL && take_answer(t, mark + sizeof(DOCTOR_MARK) - 1))
		return t->answered = true;
	/* Login files may have printed text before it on the same line. */
	if (check != NULL && doctor_line_parse(check, name, sizeof(name), &f)) {
		compare_version(name, &f);
		tell(t, name, &f);
	}
	return false;
}

static void
ssh_read(struct there *t)
{
	mono_ms end = sys_now() + DOCTOR_SSH_MS, now;
	struct pollfd p = { .fd = t->out, .events = POLLIN };
	char line[2048];
	size_t len = 0;
	ssize_t n;

	while ((now = sys_now()) < end) {
		if (poll(&p, 1, (int)(end - now)) <= 0)
			continue;
		n = read(t->out, line + len, 1);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return;
		if (line[len] != '\n') {
			len += len + 2 < sizeof(line);
			continue;
		}
		line[len] = '\0';
		len = 0;
		if (ssh_line(t, line))
			return;
	}
}

/* Explains why ssh ended without the result. */
static void
explain(struct there *t, int code)
{
	const char *host = t->cfg->ssh.target.login;
	struct doctor_finding f = { 0 };

	if (code == 126 || code == 127)
		doctor_find(&f, DOCTOR_FAIL,
		    "install rmux there (./quickstart, or a package), name its "
		    "path: --server=PATH, or copy a static one there: rmux "
		    "attach --deploy HOST",
		    "no %s on %s (or not in the PATH that ssh gives commands)",
		    t->cfg->ssh.server == NULL ? "rmux" : t->cfg->ssh.server,
		    host);
	else if (code == 255)
		doctor_find(&f, DOCTOR_FAIL,
		    "the lines above are ssh's; make `ssh HOST true` work "
		    "first",
		    "ssh could not reach %s", host);
	else
		doctor_find(&f, DOCTOR_FAIL,
		    "update rmux there; or a forced command or a login file "
		    "is in the way (ssh HOST rmux -V should print a "
		    "version)",
		    "the answer of %s is not from an rmux with doctor (exit "
		    "code %d)",
		    host, code);
	tell(t, "ssh", &f);
}

/* --- UDP ------------------------------------------------------------------ */

struct probe {
	struct there *t;
	struct udp *udp;
	struct udp_addr to;
	struct doctor_trips trips;
	uint64_t sent_us[DOCTOR_PROBES];
	uint64_t sent_wall;
	int64_t skew;
	uint64_t seen; /* bit N: probe N was answered */
};

/* Sends a probe; returns false if the system refuses it. */
static bool
probe_send(struct probe *p, unsigned number, size_t size)
{
	uint8_t bytes[DOCTOR_PROBE_MAX];

	doctor_probe_make(&p->t->key, number, bytes, size);
	if (number < DOCTOR_PROBES)
		p->sent_us[number] = mono_us();
	p->sent_wall = wall_ms();
	return udp_send(p->udp, NULL, &p->to, bytes, size) == 0;
}

static void
probe_take(struct probe *p, const struct udp_msg *m)
{
	uint32_t number, us;
	uint64_t wall;

	if (doctor_probe_read(&p->t->key, m->data, m->len, &number, &wall) !=
		0 ||
	    number >= 64 || (p->seen & UINT64_C(1) << number) != 0)
		return;
	p->seen |= UINT64_C(1) << number;
	if (number >= DOCTOR_PROBES)
		return;
	us = (uint32_t)(mono_us() - p->sent_us[number]);
	p->trips.us[p->trips.got++] = us;
	if (number == p->trips.sent - 1)
		p->skew = doctor_skew(p->sent_wall, us, wall);
}

/*
 * Reads answers for MS milliseconds, or until NUMBER is answered (64: no
 * number).
 */
static void
probe_wait(struct probe *p, mono_ms ms, unsigned number)
{
	mono_ms end = sys_now() + ms, now;
	struct pollfd fd = { .fd = udp_fd(p->udp), .events = POLLIN };
	struct udp_msg m;

	while ((now = sys_now()) < end &&
	       (number >= 64 || (p->seen & UINT64_C(1) << number) == 0)) {
		if (poll(&fd, 1, (int)(end - now)) <= 0)
			continue;
		while (udp_recv(p->udp, &m) == 0)
			probe_take(p, &m);
	}
}

/* Returns whether this address answers. */
static bool
probe_address(struct probe *p)
{
	unsigned i;

	for (i = 0; i < DOCTOR_PROBES; i++) {
		p->trips.sent = i + 1;
		(void)probe_send(p, i, 200);
		probe_wait(p, DOCTOR_GAP_MS, i + 1 < DOCTOR_PROBES ? 64 : i);
	}
	if (p->trips.got < p->trips.sent)
		probe_wait(p, DOCTOR_WAIT_MS, DOCTOR_PROBES - 1);
	return p->trips.got > 0;
}

/* Finds the largest payload that comes back, of those that rmux uses. */
static unsigned
probe_size(struct probe *p)
{
	static const unsigned sizes[] = { 1472, 1452, 1412, 1352, 1280, 1200,
		1000, 512 };
	mono_ms wait = 100 + doctor_trips_median(&p->trips) * 3 / 1000;
	unsigned i, try, number;

	for (i = 0; i < ARRAY_LEN(sizes); i++)
		for (try = 0; try < 3; try++) {
			number = DOCTOR_PROBES + i * 3 + try;
			if (!probe_send(p, number, sizes[i]))
				break;
			probe_wait(p, wait, number);
			if ((p->seen & UINT64_C(1) << number) != 0)
				return sizes[i];
		}
	return 0;
}

static void
probe_report(struct probe *p)
{
	struct doctor_trips *tr = &p->trips;
	struct doctor_finding f = { 0 };
	uint32_t us = doctor_trips_median(tr);
	unsigned size, lost = tr->sent - tr->got;
	char where[80];

	udp_addr_format(&p->to, where, sizeof(where));
	doctor_find(&f, lost * 4 > tr->sent ? DOCTOR_NOTE : DOCTOR_OK,
	    "rmux works with that; another network would be quicker",
	    "%s answers, round trip %u.%u ms, %u of %u lost", where, us / 1000,
	    us / 100 % 10, lost, tr->sent);
	tell(p->t, "UDP", &f);
	size = probe_size(p);
	if (size >= 1200)
		doctor_find(&f, DOCTOR_OK, "", "%u bytes%s", size,
		    size == 1472 ? " (or more)" : "");
	else
		doctor_find(&f, DOCTOR_NOTE,
		    "rmux finds the size by itself; a tunnel on the way is "
		    "the usual reason",
		    "only %u bytes get through", size);
	tell(p->t, "datagram size", &f);
	if (p->skew >= -DOCTOR_SKEW_MS && p->skew <= DOCTOR_SKEW_MS)
		doctor_find(
		    &f, DOCTOR_OK, "", "%+lld ms there", (long long)p->skew);
	else
		doctor_find(&f, DOCTOR_NOTE,
		    "rmux works; programs that compare times of both machines "
		    "may not (timedatectl set-ntp true)",
		    "%+lld s there", (long long)(p->skew / 1000));
	tell(p->t, "clock", &f);
}

/* Collects the addresses to try; those without a port get the far end's. */
static void
find_addresses(struct there *t)
{
	struct addrinfo hints = { .ai_socktype = SOCK_DGRAM }, *all, *i;
	const char *colon =
	    t->cfg->udp == NULL ? NULL : strrchr(t->cfg->udp, ':');
	unsigned port = 0;
	char host[512], text[NI_MAXHOST];

	hints.ai_family = t->cfg->family;
	bootstrap_hostname(&t->cfg->ssh, host, sizeof(host));
	if (colon != NULL) {
		snprintf(host, sizeof(host), "%.*s",
		    (int)MIN_OF(colon - t->cfg->udp, 500), t->cfg->udp);
		port = (unsigned)strtoul(colon + 1, NULL, 10);
	}
	if (getaddrinfo(host, NULL, &hints, &all) != 0)
		return;
	for (i = all; i != NULL && t->naddrs < DOCTOR_ADDRS; i = i->ai_next)
		if (getnameinfo(i->ai_addr, i->ai_addrlen, text, sizeof(text),
			NULL, 0, NI_NUMERICHOST) == 0 &&
		    udp_addr_parse(
			text, (uint16_t)port, &t->addrs[t->naddrs]) == 0)
			t->naddrs++;
	freeaddrinfo(all);
}

static void
check_udp(struct there *t)
{
	struct doctor_finding f = { 0 };
	struct cause c = { NULL };
	size_t i;
	bool heard = false;
	char where[80] = "its name has no address";

	for (i = 0; i < t->naddrs && !heard; i++) {
		struct probe p = { .t = t, .to = t->addrs[i] };

		if (udp_addr_port(&p.to) == 0)
			udp_addr_set_port(&p.to, (uint16_t)t->port);
		udp_addr_format(&p.to, where, sizeof(where));
		if (udp_open(udp_addr_family(&p.to), 1, &p.udp, &c) != 0)
			continue;
		if ((heard = probe_address(&p)))
			probe_report(&p);
		udp_free(p.udp);
	}
	cause_fini(&c);
	if (heard)
		return;
	doctor_find(&f, DOCTOR_FAIL,
	    "let UDP ports 60000 to 61000 in there: ufw allow "
	    "60000:61000/udp, firewall-cmd --add-port=60000-61000/udp, or the "
	    "provider's security group; until then attach goes through ssh "
	    "and does not outlive it",
	    "no answer from %s", where);
	tell(t, "UDP", &f);
}

void
doctor_there(const struct doctor_cfg *cfg, doctor_fn fn, void *arg)
{
	struct there t = {
		.cfg = cfg, .fn = fn, .arg = arg, .in = -1, .out = -1
	};
	struct doctor_finding f = { 0 };
	struct confine_result confined;
	struct cause c = { NULL };
	mono_ms began = sys_now();

	(void)signal(SIGPIPE, SIG_IGN);
	if (ssp_crypto_init() != 0 || !ssh_start(&t)) {
		doctor_find(&f, DOCTOR_FAIL, "", "%s", strerror(errno));
		tell(&t, "ssh", &f);
		return;
	}
	find_addresses(&t);
	/* security: from here on it reads what the other machine sends. */
	if (confine(CONFINE_DATAGRAMS | CONFINE_SOCKETS | CONFINE_CHILDREN,
		CONFINE_ALL, cfg->sandbox, &confined, &c) != 0) {
		doctor_find(&f, DOCTOR_FAIL, "", "%s", cause_text(&c));
		tell(&t, "sandbox", &f);
		cause_fini(&c);
		(void)ssh_end(&t);
		return;
	}
	ssh_read(&t);
	if (t.answered) {
		doctor_find(&f, DOCTOR_OK, "", "%s answers after %.1f s",
		    cfg->ssh.target.login,
		    (double)(sys_now() - began) / 1000.0);
		tell(&t, "ssh", &f);
		check_udp(&t);
		(void)ssh_end(&t);
	} else {
		explain(&t, ssh_end(&t));
	}
	ssp_wipe(&t.key, sizeof(t.key));
}
