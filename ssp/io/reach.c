#include "ssp/io/reach.h"

#include <sys/socket.h>

#include <errno.h>
#include <poll.h>
#include <spawn.h>
#include <string.h>
#include <unistd.h>

#include "base/io/fdpass.h"
#include "base/io/sys.h"
#include "base/list.h"
#include "base/mem.h"
#include "base/str.h"
#include "ssp/io/reach_int.h"

#define REACH_LISTEN_MS 5000 /* for the helper's answer */

#ifndef __linux__
extern char **environ;
#endif

struct reach_call {
	struct list_node node;
	uint32_t number;
	reach_fn fn;
	void *arg;
};

struct reach {
	struct loop *loop;
	struct loop_io *io;
	int fd;
	uint32_t number;
	struct list calls;
	const struct reach_news *news; /* NULL: there is no door */
	void *news_arg;
	/* The answer of a listen, while it is waited for. */
	bool waiting;
	uint32_t wait_for;
	struct reach_reply waited;
	int waited_fds[REACH_LISTENS];
};

static void
fds_close(const int *fds, unsigned n)
{
	while (n > 0)
		(void)close(fds[--n]);
}

/* Receives one reply and its descriptors; false: none, or the helper is gone. */
static bool
reach_receive(struct reach *r, struct reach_reply *a, int fds[REACH_LISTENS])
{
	size_t i, got;
	ssize_t n;

	n = fdpass_recv(
	    r->fd, a, sizeof(*a), fds, REACH_LISTENS, &got, MSG_DONTWAIT);
	if (n != (ssize_t)sizeof(*a)) {
		fds_close(fds, (unsigned)got);
		/* Its end is no error that the caller may wait for. */
		if (n >= 0)
			errno = 0;
		return false;
	}
	for (i = 0; i < got; i++)
		(void)sys_set_nonblock(fds[i]);
	a->nfds = (uint32_t)got;
	a->text[sizeof(a->text) - 1] = '\0';
	return true;
}

/* A request of the door. */
static void
reach_news(struct reach *r, const struct reach_reply *a, const int *fds)
{
	if (r->news == NULL) {
		fds_close(fds, a->nfds);
		return;
	}
	switch (a->what) {
	case REACH_ADDED:
		r->news->added(
		    r->news_arg, a->number, a->entry, &a->spec, fds, a->nfds);
		return;
	case REACH_CANCELLED:
		r->news->cancelled(r->news_arg, a->number, a->entry);
		break;
	case REACH_COUNT:
		r->news->count(r->news_arg, a->number);
		break;
	default:
		break;
	}
	fds_close(fds, a->nfds);
}

static void
reach_reply(struct reach *r, const struct reach_reply *a, int *fds)
{
	struct list_node *n;
	struct reach_call *call;

	if (a->what != REACH_ANSWER) {
		reach_news(r, a, fds);
		return;
	}
	if (r->waiting && a->number == r->wait_for) {
		r->waiting = false;
		r->waited = *a;
		memcpy(r->waited_fds, fds, sizeof(r->waited_fds));
		return;
	}
	for (n = list_first(&r->calls); n != NULL;
	     n = list_next(&r->calls, n)) {
		call = container_of(n, struct reach_call, node);
		if (call->number != a->number)
			continue;
		list_remove(&r->calls, n);
		call->fn(call->arg, a->nfds > 0 ? fds[0] : -1, a->text);
		mem_free(call);
		return;
	}
	/* Cancelled. */
	fds_close(fds, a->nfds);
}

/* The helper has ended: all calls fail. */
static void
reach_gone(struct reach *r)
{
	struct reach_call *call;
	struct list_node *n;

	loop_io_del(r->io);
	r->io = NULL;
	r->waiting = false;
	while ((n = list_first(&r->calls)) != NULL) {
		call = container_of(n, struct reach_call, node);
		list_remove(&r->calls, n);
		call->fn(call->arg, -1, "the process that connects has ended");
		mem_free(call);
	}
}

static void
reach_readable(void *arg, UNUSED int fd, UNUSED unsigned events)
{
	int fds[REACH_LISTENS];
	struct reach *r = arg;
	struct reach_reply a;

	memset(&a, 0, sizeof(a));
	if (reach_receive(r, &a, fds))
		reach_reply(r, &a, fds);
	else if (errno != EAGAIN)
		reach_gone(r);
}

struct reach *
reach_at(struct loop *loop, int fd)
{
	struct reach *r = mem_zalloc(sizeof(*r));

	r->loop = loop;
	r->fd = fd;
	list_init(&r->calls);
	r->io = loop_io_add(loop, r->fd, LOOP_READ, reach_readable, r);
	return r;
}

int
reach_new(struct loop *loop, struct reach **out, struct cause *c)
{
	char *self = sys_program_new(), *argv[3];
	posix_spawn_file_actions_t acts;
	int fds[2], e;
	pid_t pid;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fds) != 0) {
		mem_free(self);
		return cause_set(
		    c, -ERR_SYS, "socketpair: %s", strerror(errno));
	}
	argv[0] = self;
	argv[1] = mem_strdup("__reach");
	argv[2] = NULL;
	(void)posix_spawn_file_actions_init(&acts);
	(void)posix_spawn_file_actions_adddup2(&acts, fds[1], STDIN_FILENO);
	e = self == NULL ? ENOENT
			 : posix_spawn(&pid, self, &acts, NULL, argv, environ);
	(void)posix_spawn_file_actions_destroy(&acts);
	(void)close(fds[1]);
	mem_free(argv[1]);
	mem_free(self);
	if (e != 0) {
		(void)close(fds[0]);
		return cause_set(
		    c, -ERR_SYS, "cannot start rmux again: %s", strerror(e));
	}
	(void)sys_set_cloexec(fds[0]);
	*out = reach_at(loop, fds[0]);
	return 0;
}

void
reach_free(struct reach *r)
{
	struct list_node *n;

	if (r == NULL)
		return;
	loop_io_del(r->io);
	(void)close(r->fd);
	while ((n = list_first(&r->calls)) != NULL) {
		list_remove(&r->calls, n);
		mem_free(container_of(n, struct reach_call, node));
	}
	mem_free(r);
}

/* Sends a request; false: the helper has ended. */
static bool
reach_send(struct reach *r, const struct reach_request *q)
{
	ssize_t n;

	do
		n = send(r->fd, q, sizeof(*q), MSG_NOSIGNAL);
	while (n < 0 && errno == EINTR);
	return n == (ssize_t)sizeof(*q);
}

static bool
reach_ask(struct reach *r, struct reach_request *q, enum reach_what what)
{
	q->number = ++r->number;
	q->what = what;
	return reach_send(r, q);
}

void
reach_seal(struct reach *r)
{
	struct reach_request q;

	memset(&q, 0, sizeof(q));
	(void)reach_ask(r, &q, REACH_SEAL);
}

static void
reach_call(struct reach *r, struct reach_request *q, enum reach_what what,
    reach_fn fn, void *arg)
{
	struct reach_call *call;

	if (r->io == NULL || !reach_ask(r, q, what)) {
		fn(arg, -1, "the process that connects has ended");
		return;
	}
	call = mem_zalloc(sizeof(*call));
	call->number = r->number;
	call->fn = fn;
	call->arg = arg;
	list_push_back(&r->calls, &call->node);
}

void
reach_connect(
    struct reach *r, const struct ssp_place *place, reach_fn fn, void *arg)
{
	struct reach_request q;

	memset(&q, 0, sizeof(q));
	q.spec.connect = *place;
	reach_call(r, &q, REACH_CONNECT, fn, arg);
}

void
reach_connect_entry(struct reach *r, unsigned entry, reach_fn fn, void *arg)
{
	struct reach_request q;

	memset(&q, 0, sizeof(q));
	q.entry = entry;
	reach_call(r, &q, REACH_CONNECT_TARGET, fn, arg);
}

void
reach_set_news(struct reach *r, const struct reach_news *news, void *arg)
{
	r->news = news;
	r->news_arg = arg;
}

void
reach_tell(struct reach *r, uint32_t number, bool failed, const char *text)
{
	struct reach_request q;

	memset(&q, 0, sizeof(q));
	q.what = REACH_TOLD;
	q.number = number;
	q.failed = failed;
	(void)str_copy(q.text, text, sizeof(q.text));
	(void)reach_send(r, &q);
}

void
reach_count(struct reach *r, uint32_t number, unsigned entry,
    const struct reach_counts *counts)
{
	struct reach_request q;

	memset(&q, 0, sizeof(q));
	q.what = REACH_COUNTS;
	q.number = number;
	q.entry = entry;
	q.counts = *counts;
	(void)reach_send(r, &q);
}

void
reach_cancel(struct reach *r, const void *arg)
{
	struct list_node *n, *next;
	struct reach_call *call;

	for (n = list_first(&r->calls); n != NULL; n = next) {
		next = list_next(&r->calls, n);
		call = container_of(n, struct reach_call, node);
		if (call->arg != arg)
			continue;
		list_remove(&r->calls, n);
		mem_free(call);
	}
}

/* Asks, and waits for the answer, which is in r->waited; -ERR_*: none. */
static int
reach_wait(struct reach *r, struct reach_request *q, enum reach_what what,
    struct cause *c)
{
	const mono_ms end = sys_now() + REACH_LISTEN_MS;
	struct pollfd p = { .fd = r->fd, .events = POLLIN };

	if (r->io == NULL || !reach_ask(r, q, what))
		return cause_set(
		    c, -ERR_SYS, "the process that listens has ended");
	r->waiting = true;
	r->wait_for = r->number;
	while (r->waiting && r->io != NULL && sys_now() < end)
		if (poll(&p, 1, (int)(end - sys_now())) > 0)
			reach_readable(r, r->fd, LOOP_READ);
	if (r->waiting || r->io == NULL) {
		r->waiting = false;
		return cause_set(
		    c, -ERR_TIMEOUT, "the process that listens is silent");
	}
	if (*r->waited.text != '\0')
		return cause_set(c, -ERR_SYS, "%s", r->waited.text);
	return 0;
}

int
reach_listen(struct reach *r, const struct ssp_place *place,
    int fds[REACH_LISTENS], unsigned *n, uint16_t *port, struct cause *c)
{
	struct reach_request q;
	int e;

	memset(&q, 0, sizeof(q));
	q.spec.listen = *place;
	if ((e = reach_wait(r, &q, REACH_LISTEN, c)) != 0)
		return e;
	*n = r->waited.nfds;
	*port = r->waited.port;
	memcpy(fds, r->waited_fds, sizeof(r->waited_fds));
	return 0;
}

int
reach_own(struct reach *r, const struct forward_spec *spec,
    int fds[REACH_LISTENS], unsigned *n, unsigned *entry, struct cause *c)
{
	struct reach_request q;
	int e;

	memset(&q, 0, sizeof(q));
	q.spec = *spec;
	if ((e = reach_wait(r, &q, REACH_OWN, c)) != 0)
		return e;
	*n = r->waited.nfds;
	*entry = r->waited.entry;
	memcpy(fds, r->waited_fds, sizeof(r->waited_fds));
	return 0;
}

void
reach_unlisten(struct reach *r, const struct ssp_place *place)
{
	struct reach_request q;

	memset(&q, 0, sizeof(q));
	q.spec.listen = *place;
	(void)reach_ask(r, &q, REACH_UNLISTEN);
}

void
reach_forget(struct reach *r, unsigned entry)
{
	struct reach_request q;

	memset(&q, 0, sizeof(q));
	q.entry = entry;
	(void)reach_ask(r, &q, REACH_FORGET);
}
