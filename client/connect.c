#include "client/connect.h"
#include "config.h"

#include <sys/socket.h>
#include <sys/un.h>

#include <errno.h>
#include <ifaddrs.h>
#include <langinfo.h>
#include <locale.h>
#include <net/if.h>
#include <netdb.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/io/confine.h"
#include "base/io/loop.h"
#include "base/io/stream.h"
#include "base/io/sys.h"
#include "base/mem.h"
#include "client/bootstrap.h"
#include "mux/sync/control.h"
#include "ssp/crypto.h"
#include "ssp/io/stream_fd.h"

#define CONNECT_OUT_MAX (16u << 20)

struct connect {
	struct loop *loop;
	int fd; /* control socket */
	struct loop_io *io;
	struct loop_io *io_in;
	struct loop_io *io_out;
	struct buf in;
	struct buf out;
	struct ssp_stream_link ssh;
	struct buf addrs; /* of this machine, for the answer */
	bool answered;
	int code;
};

static void
connect_end(struct connect *k, int code)
{
	if (loop_stop(k->loop))
		k->code = code;
}

/* --- the request ---------------------------------------------------------- */

/* Reads the request. Blocks, because the client sends it at once. */
static int
read_request(struct buf *b, struct control_msg *m)
{
	size_t used;
	uint8_t *p;
	ssize_t n;
	int r;

	while ((r = control_decode(b->data, b->len, m, &used)) == -ERR_AGAIN) {
		if (buf_reserve(b, 65536, &p) != 0)
			return -ERR_LIMIT;
		n = read(STDIN_FILENO, p, 65536);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return -ERR_CLOSED;
		buf_commit(b, (size_t)n);
	}
	if (r == 0 && m->type != CONTROL_ROAM)
		return -ERR_PEER;
	return r;
}

/*
 * Chooses a UTF-8 locale: this side's, else the client's if this machine has
 * it, else C.UTF-8.
 */
static void
take_locale(struct control_list env)
{
	struct control_str s;
	char *text, *eq;

	if (sys_utf8())
		return;
	while (control_list_next(&env, &s)) {
		text = control_str_new(s);
		eq = strchr(text, '=');
		if (eq != NULL && (strncmp(text, "LANG=", 5) == 0 ||
				      strncmp(text, "LC_", 3) == 0)) {
			*eq = '\0';
			(void)setenv(text, eq + 1, 1);
		}
		mem_free(text);
	}
	if (setlocale(LC_CTYPE, "") == NULL ||
	    strcmp(nl_langinfo(CODESET), "UTF-8") != 0) {
		(void)unsetenv("LC_ALL");
		(void)setenv("LC_CTYPE", "C.UTF-8", 1);
	}
}

static void
take_colorterm(struct control_list env)
{
	struct control_str s;
	char *text;

	while (control_list_next(&env, &s)) {
		if (s.len < 10 || memcmp(s.p, "COLORTERM=", 10) != 0)
			continue;
		text = control_str_new(s);
		(void)setenv("COLORTERM", text + 10, 1);
		mem_free(text);
	}
}

/*
 * Returns whether any session will do (attach-session without a target): a
 * fresh server then runs new-session.
 */
static bool
any_session(const char *const *argv)
{
	size_t n = argv[0] == NULL ? 0 : strlen(argv[0]);

	if (n == 0)
		return true;
	if (strncmp("attach-session", argv[0], n) != 0)
		return false;
	for (argv++; *argv != NULL; argv++)
		if (strncmp(*argv, "-t", 2) == 0)
			return false;
	return true;
}

/* Names the server's socket for agents (server/io/agent.h). */
static void
offer_agent(int fd)
{
	struct sockaddr_un sun;
	socklen_t len = sizeof(sun);
	char *path;

	memset(&sun, 0, sizeof(sun));
	if (getpeername(fd, (struct sockaddr *)&sun, &len) != 0 ||
	    sun.sun_path[0] != '/')
		return;
	path =
	    mem_printf("%.*s.agent", (int)sizeof(sun.sun_path), sun.sun_path);
	(void)setenv("SSH_AUTH_SOCK", path, 1);
	mem_free(path);
}

/* Builds HELLO with this machine's data and the client's request. */
static void
put_hello(struct connect *k, const struct control_msg *req, bool fresh)
{
	static const char *const anew[] = { "new-session", NULL };
	char *cwd = getcwd(NULL, 0), **argv;
	struct control_list l = req->list;
	struct control_str s;
	size_t n = 0;
	union {
		char **in;
		const char *const *out;
	} env = { .in = environ }, words;
	struct control_msg m = {
		.type = CONTROL_HELLO,
		.has = CONTROL_HAS_VERSION | CONTROL_HAS_ENV | CONTROL_HAS_CWD |
		       CONTROL_HAS_TERM | CONTROL_HAS_TTY | CONTROL_HAS_FLAGS |
		       CONTROL_HAS_RELEASE | CONTROL_HAS_ID,
		.version_min = CONTROL_VERSION_MIN,
		.version_max = CONTROL_VERSION_MAX,
		.flags = req->flags,
		.id = (uint64_t)getpid(),
		.term = req->term,
		.tty = req->tty,
		.release = { PACKAGE_VERSION, sizeof(PACKAGE_VERSION) - 1 },
	};

	m.env = env.out;
	m.has |= req->has & CONTROL_HAS_SIZE;
	memcpy(m.size, req->size, sizeof(m.size));
	if (cwd == NULL)
		cwd = strdup("/");
	m.cwd = (struct control_str){ cwd, cwd == NULL ? 0 : strlen(cwd) };
	(void)control_encode(&m, &k->out);
	free(cwd);
	memset(&m, 0, sizeof(m));
	argv = mem_calloc((size_t)l.count + 1, sizeof(*argv));
	while (control_list_next(&l, &s))
		argv[n++] = control_str_new(s);
	words.in = argv;
	m.type = CONTROL_ROAM;
	m.has = CONTROL_HAS_LIST | (req->has & CONTROL_HAS_ID);
	m.id = req->id;
	m.argv = fresh && any_session(words.out) ? anew : words.out;
	(void)control_encode(&m, &k->out);
	while (n > 0)
		mem_free(argv[--n]);
	mem_free(argv);
}

/* --- the answer ----------------------------------------------------------- */

/*
 * Appends this machine's addresses that others may use, the one that ssh used
 * first.
 */
static void
put_addresses(struct buf *line)
{
	const char *ssh = getenv("SSH_CONNECTION");
	char used[128] = "", host[NI_MAXHOST];
	struct ifaddrs *all, *i;
	socklen_t len;
	size_t n = 0;
	int family;

	/* "client port server port" */
	if (ssh != NULL && sscanf(ssh, "%*s %*s %127s", used) == 1) {
		(void)buf_addf(line, " %s", used);
		n++;
	}
	if (getifaddrs(&all) != 0)
		return;
	for (i = all; i != NULL && n < BOOTSTRAP_ADDRS_MAX; i = i->ifa_next) {
		if (i->ifa_addr == NULL || (i->ifa_flags & IFF_UP) == 0 ||
		    (i->ifa_flags & IFF_LOOPBACK) != 0)
			continue;
		family = i->ifa_addr->sa_family;
		if (family == AF_INET)
			len = sizeof(struct sockaddr_in);
		else if (family == AF_INET6)
			len = sizeof(struct sockaddr_in6);
		else
			continue;
		if (getnameinfo(i->ifa_addr, len, host, sizeof(host), NULL, 0,
			NI_NUMERICHOST) != 0 ||
		    strchr(host, '%') != NULL || strcmp(host, used) == 0)
			continue;
		(void)buf_addf(line, " %s", host);
		n++;
	}
	freeifaddrs(all);
}

static void
on_roamed(struct connect *k, const struct control_msg *m)
{
	char key[SSP_KEY_TEXT_LEN + 1] = "-";
	struct buf line;

	/* Without a key: the requested connection continues. */
	if ((m->data_len != SSP_KEY_LEN && m->data_len != 0) || k->answered) {
		connect_end(k, 1);
		return;
	}
	if (m->data_len != 0)
		ssp_key_format(m->data, key);
	buf_init(&line, 8192);
	buf_secret(&line, true);
	(void)buf_addf(&line, "RMUX CONNECT 1 %lld %016llx %s%s",
	    (long long)m->code, (unsigned long long)m->id, key,
	    buf_cstr(&k->addrs));
	(void)buf_add(&line, "\n", 1);
	if (sys_write_all(STDOUT_FILENO, line.data, line.len) != 0)
		connect_end(k, 1);
	mem_wipe(key, sizeof(key));
	buf_fini(&line);
	k->answered = true;
	loop_io_set(k->io_in, LOOP_READ);
}

/* --- the tunnel ----------------------------------------------------------- */

static void
flush_ssh(struct connect *k)
{
	int r = stream_fd_write(&k->ssh, STDOUT_FILENO);

	loop_io_set(k->io_out, r == -ERR_AGAIN ? LOOP_WRITE : 0);
}

static void
flush_server(struct connect *k)
{
	size_t put;

	while (k->out.len > 0 &&
	       stream_write(k->fd, k->out.data, k->out.len, &put) == 0)
		buf_consume(&k->out, put);
	loop_io_set(
	    k->io, LOOP_READ | (k->out.len > 0 ? (unsigned)LOOP_WRITE : 0));
}

static void
on_tunnel(struct connect *k, const struct control_msg *m)
{
	/* Datagrams that a full pipe cannot take are lost, as on a network. */
	if (k->answered &&
	    ssp_stream_link_put(&k->ssh, m->data, m->data_len) == 0)
		flush_ssh(k);
}

static void
on_ssh_writable(void *arg, UNUSED int fd, UNUSED unsigned events)
{
	flush_ssh(arg);
}

static void
on_ssh_readable(void *arg, int fd, UNUSED unsigned events)
{
	struct connect *k = arg;
	uint8_t *p;
	size_t n;
	int r;

	if ((r = stream_fd_read(&k->ssh, fd)) == -ERR_AGAIN)
		return;
	if (r != 0) {
		/* The client uses UDP now, or has ended. */
		connect_end(k, 0);
		return;
	}
	while ((r = ssp_stream_link_next(&k->ssh, &p, &n)) == 1)
		(void)control_put_data(&k->out, CONTROL_TUNNEL, 0, p, n);
	if (r < 0)
		connect_end(k, 1);
	flush_server(k);
}

/* --- messages of the server ----------------------------------------------- */

/* Until the answer, standard output carries nothing else. */
static void
on_text(UNUSED struct connect *k, const struct control_msg *m)
{
	(void)sys_write_all(STDERR_FILENO, m->data, m->data_len);
}

static void
on_exit_msg(struct connect *k, const struct control_msg *m)
{
	flush_ssh(k);
	connect_end(k, m->code != 0 || k->answered ? (int)m->code : 1);
}

static void
on_refused(struct connect *k, const struct control_msg *m)
{
	char *text = control_plain_new(m->text);

	fprintf(stderr, "%s\n", text);
	mem_free(text);
	connect_end(k, 1);
}

static const struct connect_row {
	enum control_code code;
	void (*fn)(struct connect *k, const struct control_msg *m);
} connect_rows[] = {
	{ CONTROL_ROAMED, on_roamed },
	{ CONTROL_TUNNEL, on_tunnel },
	{ CONTROL_OUT, on_text },
	{ CONTROL_ERR, on_text },
	{ CONTROL_EXIT, on_exit_msg },
	{ CONTROL_DETACH, on_exit_msg },
	{ CONTROL_REFUSED, on_refused },
};

static void
on_server(void *arg, int fd, unsigned events)
{
	struct connect *k = arg;
	struct control_msg m;
	uint8_t *p;
	size_t used, got = 0, i;
	int r;

	if (events & LOOP_WRITE)
		flush_server(k);
	if ((events & LOOP_READ) == 0)
		return;
	r = buf_reserve(&k->in, 65536, &p);
	if (r == 0)
		r = stream_read(fd, p, 65536, &got);
	if (r == -ERR_AGAIN)
		return;
	if (r != 0) {
		if (!k->answered)
			fprintf(stderr, "server exited unexpectedly\n");
		connect_end(k, 1);
		return;
	}
	buf_commit(&k->in, got);
	while (!loop_stopped(k->loop) &&
	       control_decode(k->in.data, k->in.len, &m, &used) == 0) {
		for (i = 0; i < ARRAY_LEN(connect_rows); i++)
			if (connect_rows[i].code == m.type)
				connect_rows[i].fn(k, &m);
		buf_consume(&k->in, used);
	}
	if (k->answered)
		buf_secret(&k->in, false);
}

int
connect_run(connect_open_fn open, void *arg)
{
	struct connect k = { .fd = -1 };
	struct confine_result confined;
	struct cause c = { NULL };
	struct control_msg req;
	struct buf in;
	bool fresh = false;
	int r;

	(void)signal(SIGPIPE, SIG_IGN);
	sys_secrets_hide();
	buf_init(&in, CONTROL_MESSAGE_MAX + 131072);
	if (ssp_crypto_init() != 0 || (r = read_request(&in, &req)) != 0) {
		fprintf(stderr, "rmux: __connect is for rmux attach HOST\n");
		buf_fini(&in);
		return 1;
	}
	take_locale(req.envlist);
	take_colorterm(req.envlist);
	if ((k.fd = open(arg, (req.flags & CONTROL_FLAG_GONE) == 0, &fresh)) <
	    0) {
		buf_fini(&in);
		return 1;
	}
	if ((req.flags & CONTROL_FLAG_AGENT) != 0)
		offer_agent(k.fd);
	k.loop = loop_new();
	buf_init(&k.in, CONTROL_MESSAGE_MAX + 131072);
	buf_secret(&k.in, true); /* until the key has come */
	buf_init(&k.out, CONNECT_OUT_MAX);
	ssp_stream_link_init(&k.ssh);
	put_hello(&k, &req, fresh);
	buf_fini(&in);
	if (stream_prepare(STDIN_FILENO) != 0 ||
	    stream_prepare(STDOUT_FILENO) != 0)
		connect_end(&k, 1);
	k.io = loop_io_add(k.loop, k.fd, LOOP_READ, on_server, &k);
	k.io_in = loop_io_add(k.loop, STDIN_FILENO, 0, on_ssh_readable, &k);
	k.io_out = loop_io_add(k.loop, STDOUT_FILENO, 0, on_ssh_writable, &k);
	buf_init(&k.addrs, 8192);
	put_addresses(&k.addrs);
	/* The server starts on the request meanwhile. */
	flush_server(&k);
	/* security: ssh's end and the server are all that it needs now. */
	(void)confine(0, CONFINE_ALL, CONFINE_AUTO, &confined, &c);
	cause_fini(&c);
	loop_run(k.loop);
	loop_io_del(k.io);
	loop_io_del(k.io_in);
	loop_io_del(k.io_out);
	close(k.fd);
	ssp_stream_link_fini(&k.ssh);
	buf_fini(&k.in);
	buf_fini(&k.out);
	buf_fini(&k.addrs);
	loop_free(k.loop);
	return k.code;
}
