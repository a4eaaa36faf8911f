/*
 * The helper.  security: once sealed its user may be in the hands of a hostile
 * server; the user then chooses among the targets and nothing else.
 */
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/compiler.h"
#include "base/io/fdpass.h"
#include "base/io/sys.h"
#include "base/mem.h"
#include "ssp/io/reach_int.h"

#define HELPER_CONNECTS 256     /* at a time, each in a process */
#define HELPER_ADDRESS_MS 15000 /* for one address, if there are others */
#define HELPER_CONNECT_S 60     /* for all */

void
helper_send(
    const struct helper *h, struct reach_reply *a, const int *fds, unsigned n)
{
	a->nfds = n;
	(void)fdpass_send(h->fd, a, sizeof(*a), fds, n, 0);
}

static void
helper_answer(const struct helper *h, const struct reach_request *q,
    const int *fds, unsigned n, uint16_t port, const char *text)
{
	struct reach_reply a;

	memset(&a, 0, sizeof(a));
	a.what = REACH_ANSWER;
	a.number = q->number;
	a.entry = q->entry;
	a.port = port;
	snprintf(a.text, sizeof(a.text), "%s", text);
	helper_send(h, &a, fds, n);
}

static void
helper_refuse(const struct helper *h, const struct reach_request *q,
    const char *what, const char *why)
{
	char place[SSP_PLACE_TEXT], text[REACH_TEXT];

	snprintf(text, sizeof(text), "%s %s: %s", what,
	    ssp_place_text(
		*what == 'c' ? &q->spec.connect : &q->spec.listen, place),
	    why);
	helper_answer(h, q, NULL, 0, 0, text);
}

static int
unix_address(const struct ssp_place *p, struct sockaddr_un *sun)
{
	memset(sun, 0, sizeof(*sun));
	sun->sun_family = AF_UNIX;
	if (strlen(p->host) >= sizeof(sun->sun_path)) {
		errno = ENAMETOOLONG;
		return -1;
	}
	memcpy(sun->sun_path, p->host, strlen(p->host));
	return 0;
}

/* --- connecting: in a process of its own ----------------------------------- */

/* Connects within MS; returns 0, or -1 with errno. */
static int
connect_within(int fd, const struct sockaddr *sa, socklen_t n, int ms)
{
	struct pollfd p = { .fd = fd, .events = POLLOUT };
	int e = 0;
	socklen_t len = sizeof(e);

	if (connect(fd, sa, n) == 0)
		return 0;
	if (errno != EINPROGRESS)
		return -1;
	if (poll(&p, 1, ms) <= 0) {
		errno = ETIMEDOUT;
		return -1;
	}
	if (getsockopt(fd, SOL_SOCKET, SO_ERROR, &e, &len) != 0)
		return -1;
	errno = e;
	return e == 0 ? 0 : -1;
}

static int
connect_tcp(const struct ssp_place *p, const char **why)
{
	struct addrinfo hints = { .ai_socktype = SOCK_STREAM }, *all, *a;
	char port[8];
	int fd = -1, e, one = 1;

	snprintf(port, sizeof(port), "%u", p->port);
	if ((e = getaddrinfo(p->host, port, &hints, &all)) != 0) {
		*why = gai_strerror(e);
		return -1;
	}
	for (a = all; a != NULL; a = a->ai_next) {
		fd = socket(a->ai_family,
		    SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
		if (fd >= 0 &&
		    connect_within(fd, a->ai_addr, a->ai_addrlen,
			a->ai_next == NULL ? -1 : HELPER_ADDRESS_MS) == 0)
			break;
		*why = strerror(errno);
		if (fd >= 0)
			(void)close(fd);
		fd = -1;
	}
	freeaddrinfo(all);
	/* What is small must not wait for an ack of what came before. */
	if (fd >= 0)
		(void)setsockopt(
		    fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
	return fd;
}

static int
connect_unix(const struct ssp_place *p, const char **why)
{
	struct sockaddr_un sun;
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fd >= 0 && unix_address(p, &sun) == 0 &&
	    connect(fd, (struct sockaddr *)&sun, sizeof(sun)) == 0)
		return fd;
	*why = strerror(errno);
	if (fd >= 0)
		(void)close(fd);
	return -1;
}

static void
helper_connect(struct helper *h, const struct reach_request *q)
{
	const struct ssp_place *to = &q->spec.connect;
	const char *why = "it has no address";
	pid_t pid = h->connects < HELPER_CONNECTS ? fork() : -1;
	int fd;

	if (pid != 0) {
		if (pid < 0)
			helper_refuse(h, q, "connect", "too many at a time");
		h->connects += pid > 0;
		return;
	}
	/* What is closed elsewhere must be closed. */
	sys_close_from(STDERR_FILENO + 1);
	(void)signal(SIGALRM, SIG_DFL);
	(void)alarm(HELPER_CONNECT_S);
	fd = to->kind == SSP_PLACE_TCP ? connect_tcp(to, &why)
				       : connect_unix(to, &why);
	if (fd < 0)
		helper_refuse(h, q, "connect", why);
	else
		helper_answer(h, q, &fd, 1, 0, "");
	_exit(0);
}

/* --- listening ---------------------------------------------------------------- */

static unsigned
listen_tcp(const struct ssp_place *p, int fds[REACH_LISTENS], uint16_t *port,
    const char **why)
{
	const bool any = *p->host == '\0' || strcmp(p->host, "*") == 0;
	struct addrinfo hints = { .ai_socktype = SOCK_STREAM,
		.ai_flags = AI_PASSIVE },
			*all, *a;
	struct sockaddr_storage ss;
	socklen_t len;
	char text[8];
	unsigned n = 0;
	int fd, e, one = 1;

	*port = p->port;
	snprintf(text, sizeof(text), "%u", p->port);
	if ((e = getaddrinfo(any ? NULL : p->host, text, &hints, &all)) != 0) {
		*why = gai_strerror(e);
		return 0;
	}
	for (a = all; a != NULL && n < REACH_LISTENS; a = a->ai_next) {
		/* All addresses of a name have the port of the first. */
		if (*port != 0 && a->ai_family == AF_INET)
			((struct sockaddr_in *)(void *)a->ai_addr)->sin_port =
			    htons(*port);
		else if (*port != 0 && a->ai_family == AF_INET6)
			((struct sockaddr_in6 *)(void *)a->ai_addr)->sin6_port =
			    htons(*port);
		fd = socket(a->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
		if (fd < 0)
			continue;
		(void)setsockopt(
		    fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
		if (a->ai_family == AF_INET6)
			(void)setsockopt(
			    fd, IPPROTO_IPV6, IPV6_V6ONLY, &one, sizeof(one));
		len = sizeof(ss);
		if (bind(fd, a->ai_addr, a->ai_addrlen) != 0 ||
		    listen(fd, 128) != 0 ||
		    getsockname(fd, (struct sockaddr *)&ss, &len) != 0) {
			e = errno;
			*why = strerror(e);
			(void)close(fd);
			/* Half of a name is a trap. */
			if (e == EADDRINUSE)
				break;
			continue;
		}
		if (*port == 0)
			*port = ntohs(ss.ss_family == AF_INET6
					  ? ((struct sockaddr_in6 *)(void *)&ss)
						->sin6_port
					  : ((struct sockaddr_in *)(void *)&ss)
						->sin_port);
		fds[n++] = fd;
	}
	freeaddrinfo(all);
	if (a == NULL || n == REACH_LISTENS)
		return n;
	while (n > 0)
		(void)close(fds[--n]);
	return 0;
}

static unsigned
listen_unix(
    struct helper *h, const struct ssp_place *p, int *fd, const char **why)
{
	struct sockaddr_un sun;
	mode_t mask;
	bool ok;

	if (h->npaths == HELPER_PATHS) {
		*why = "too many";
		return 0;
	}
	*fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	/* security: for this user alone. */
	mask = umask(0177);
	ok = *fd >= 0 && unix_address(p, &sun) == 0 &&
	     bind(*fd, (struct sockaddr *)&sun, sizeof(sun)) == 0 &&
	     listen(*fd, 128) == 0;
	(void)umask(mask);
	if (ok) {
		h->paths[h->npaths++] = mem_strdup(p->host);
		return 1;
	}
	*why = strerror(errno);
	if (*fd >= 0)
		(void)close(*fd);
	return 0;
}

/* Listens at a place; returns the number of sockets. */
static unsigned
helper_open(struct helper *h, const struct ssp_place *at,
    int fds[REACH_LISTENS], uint16_t *port, const char **why)
{
	*port = 0;
	*why = "it has no address here";
	return at->kind == SSP_PLACE_TCP ? listen_tcp(at, fds, port, why)
					 : listen_unix(h, at, fds, why);
}

static void
helper_listen(struct helper *h, const struct reach_request *q)
{
	int fds[REACH_LISTENS];
	const char *why;
	uint16_t port;
	unsigned n = helper_open(h, &q->spec.listen, fds, &port, &why);

	if (n == 0)
		helper_refuse(h, q, "listen", why);
	else
		helper_answer(h, q, fds, n, port, "");
	while (n > 0)
		(void)close(fds[--n]);
}

static void
helper_unlisten(struct helper *h, const char *path)
{
	unsigned i;

	for (i = 0; i < h->npaths; i++) {
		if (strcmp(h->paths[i], path) != 0)
			continue;
		(void)unlink(path);
		mem_free(h->paths[i]);
		h->paths[i] = h->paths[--h->npaths];
		return;
	}
}

/* --- entries -------------------------------------------------------------------- */

static bool
listens_here(enum forward_kind kind)
{
	return kind == FORWARD_LOCAL || kind == FORWARD_DYNAMIC;
}

int
helper_add(struct helper *h, const struct forward_spec *spec, struct cause *c)
{
	char place[SSP_PLACE_TEXT];
	struct helper_entry *e;
	const char *why;
	uint16_t port;
	int i;

	for (i = 0; i < REACH_ENTRIES && h->entries[i].used; i++)
		;
	if (i == REACH_ENTRIES)
		return cause_set(
		    c, -ERR_LIMIT, "more than %d forwards", REACH_ENTRIES);
	e = &h->entries[i];
	memset(e, 0, sizeof(*e));
	e->spec = *spec;
	if (listens_here(spec->kind)) {
		e->n = helper_open(h, &spec->listen, e->fds, &port, &why);
		if (e->n == 0)
			return cause_set(c, -ERR_SYS, "listen %s: %s",
			    ssp_place_text(&spec->listen, place), why);
		if (spec->listen.kind == SSP_PLACE_TCP)
			e->spec.listen.port = port;
	}
	e->used = true;
	return i;
}

void
helper_remove(struct helper *h, unsigned entry)
{
	struct helper_entry *e = &h->entries[entry];
	unsigned i;

	/* security: whatever the client does with its copies. */
	for (i = 0; i < e->n; i++) {
		(void)shutdown(e->fds[i], SHUT_RDWR);
		(void)close(e->fds[i]);
	}
	if (e->n > 0 && e->spec.listen.kind == SSP_PLACE_UNIX)
		helper_unlisten(h, e->spec.listen.host);
	memset(e, 0, sizeof(*e));
}

static void
helper_own(struct helper *h, struct reach_request *q)
{
	struct cause c = { NULL };
	const struct helper_entry *e;
	int i = helper_add(h, &q->spec, &c);

	if (i < 0) {
		helper_answer(h, q, NULL, 0, 0, cause_text(&c));
	} else {
		e = &h->entries[i];
		q->entry = (uint32_t)i;
		helper_answer(h, q, e->fds, e->n, e->spec.listen.port, "");
	}
	cause_fini(&c);
}

#define HELPER_DOOR (STDERR_FILENO + 1)
#define HELPER_ASK (STDERR_FILENO + 2)

/* Connects with the desk, in a process of its own. */
static void
helper_desk(struct helper *h, struct reach_request *q)
{
	int fd[2];
	pid_t pid;

	if (h->desk == NULL || h->ask < 0 || h->connects >= HELPER_CONNECTS ||
	    socketpair(AF_UNIX, SOCK_STREAM, 0, fd) != 0) {
		helper_answer(h, q, NULL, 0, 0, "connect: no desk");
		return;
	}
	if ((pid = fork()) == 0) {
		/* The client's end is no business of the desk. */
		(void)dup2(fd[1], HELPER_DOOR);
		(void)close(STDIN_FILENO);
		(void)open("/dev/null", O_RDWR);
		sys_close_from(HELPER_ASK + 1);
		h->desk->fn(h->desk->arg, HELPER_DOOR, HELPER_ASK);
		_exit(0);
	}
	(void)close(fd[1]);
	h->connects += pid > 0;
	if (pid < 0)
		helper_answer(h, q, NULL, 0, 0, "connect: no process");
	else
		helper_answer(h, q, fd, 1, 0, "");
	(void)close(fd[0]);
}

/* security: what a sealed helper connects to is what the user asked for. */
static void
helper_connect_entry(struct helper *h, struct reach_request *q)
{
	const struct helper_entry *e =
	    q->entry < REACH_ENTRIES ? &h->entries[q->entry] : NULL;

	if (q->entry == REACH_DESK) {
		helper_desk(h, q);
		return;
	}
	if (e == NULL || !e->used || listens_here(e->spec.kind)) {
		helper_answer(h, q, NULL, 0, 0, "connect: not asked for");
		return;
	}
	q->spec = e->spec;
	helper_connect(h, q);
}

/* --- requests ------------------------------------------------------------------ */

static void
helper_request(struct helper *h, struct door *d, struct reach_request *q)
{
	q->spec.listen.host[sizeof(q->spec.listen.host) - 1] = '\0';
	q->spec.connect.host[sizeof(q->spec.connect.host) - 1] = '\0';
	q->text[sizeof(q->text) - 1] = '\0';
	switch (q->what) {
	case REACH_CONNECT:
		if (h->sealed)
			helper_refuse(h, q, "connect", "not asked for");
		else
			helper_connect(h, q);
		break;
	case REACH_CONNECT_TARGET:
		helper_connect_entry(h, q);
		break;
	case REACH_LISTEN:
	case REACH_OWN:
		if (h->sealed)
			helper_refuse(h, q, "listen", "not asked for");
		else if (q->what == REACH_OWN)
			helper_own(h, q);
		else
			helper_listen(h, q);
		break;
	case REACH_UNLISTEN:
		helper_unlisten(h, q->spec.listen.host);
		break;
	case REACH_FORGET:
		if (q->entry < REACH_ENTRIES)
			helper_remove(h, q->entry);
		break;
	case REACH_SEAL:
		h->sealed = true;
		break;
	case REACH_COUNTS:
	case REACH_TOLD:
		if (d != NULL)
			door_told(d, q);
		break;
	default:
		break;
	}
}

/* Reads a request; false: the other end is closed. */
static bool
helper_read(struct helper *h, struct door *d)
{
	struct reach_request q;
	ssize_t n;

	memset(&q, 0, sizeof(q));
	n = recv(h->fd, &q, sizeof(q), 0);
	while (h->connects > 0 && waitpid(-1, NULL, WNOHANG) > 0)
		h->connects--;
	if (n < 0 && errno == EINTR)
		return true;
	if (n != (ssize_t)sizeof(q))
		return false;
	helper_request(h, d, &q);
	return true;
}

static void
helper_signals(void)
{
	/* The user's keys are for the user's process. */
	(void)signal(SIGINT, SIG_IGN);
	(void)signal(SIGQUIT, SIG_IGN);
	(void)signal(SIGTSTP, SIG_IGN);
	(void)signal(SIGHUP, SIG_IGN);
	(void)signal(SIGPIPE, SIG_IGN);
	/* Those of the launcher, if it has forked this process. */
	(void)signal(SIGTERM, SIG_DFL);
	(void)signal(SIGCHLD, SIG_DFL);
}

/* Gives FD the number TO, which is no other's of ours. */
static int
helper_move(int fd, int to)
{
	if (fd < 0 || fd == to)
		return fd;
	if (dup2(fd, to) < 0)
		return -1;
	(void)close(fd);
	(void)sys_set_cloexec(to);
	return to;
}

int
reach_main(int fd, bool sealed, int door, const struct reach_desk *desk)
{
	struct pollfd p[1 + DOOR_FDS];
	static struct helper h;
	struct door *d = NULL;
	unsigned n;

	helper_signals();
	/* The door may have the number that FD is to get. */
	if (door == STDIN_FILENO)
		door = dup(door);
	h.desk = desk;
	/* Above the numbers that the others get. */
	h.ask = desk == NULL ? -1 : fcntl(desk->ask, F_DUPFD, HELPER_ASK + 1);
	h.fd = helper_move(fd, STDIN_FILENO);
	h.sealed = sealed;
	door = helper_move(door, HELPER_DOOR);
	h.ask = helper_move(h.ask, HELPER_ASK);
	if (door < 0)
		(void)close(HELPER_DOOR);
	sys_close_from(h.ask < 0 ? HELPER_ASK : HELPER_ASK + 1);
	if (door >= 0)
		d = door_new(&h, door);
	do {
		p[0] = (struct pollfd){ .fd = h.fd, .events = POLLIN };
		n = d != NULL && h.sealed ? door_poll(d, p + 1) : 0;
		if (poll(p, 1 + n, n > 0 ? door_wait(d) : -1) < 0)
			continue;
		if (n > 0)
			door_turn(d, p + 1, n);
	} while (p[0].revents == 0 || helper_read(&h, d));
	door_free(d);
	while (h.npaths > 0) {
		(void)unlink(h.paths[--h.npaths]);
		mem_free(h.paths[h.npaths]);
	}
	return 0;
}
