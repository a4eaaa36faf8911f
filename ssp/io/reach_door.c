/*
 * The door of a helper. security: what the user's other processes ask for comes
 * here and not through the client, which a hostile server may have taken over:
 * the client learns of a forward once it is an entry, and its word about one is
 * numbers and a text.
 */
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/io/sock.h"
#include "base/io/sys.h"
#include "base/mem.h"
#include "ssp/door.h"
#include "ssp/io/reach_int.h"

#define DOOR_ASK_MS 5000   /* for a request, once a caller has connected */
#define DOOR_TELL_MS 10000 /* for the client's answer */

struct caller {
	int fd; /* -1: no caller */
	mono_ms until;
	uint32_t number;     /* of the client's request; 0: none yet */
	enum door_what what; /* that the client was asked for */
	unsigned rows;       /* that LIST may still bring */
};

struct door {
	struct helper *h;
	int fd;
	uint32_t number;
	struct caller callers[DOOR_CALLERS];
};

int
reach_door_open(const char *path)
{
	struct sockaddr_un sun;
	mode_t mask;
	int fd, e;

	memset(&sun, 0, sizeof(sun));
	sun.sun_family = AF_UNIX;
	if (strlen(path) >= sizeof(sun.sun_path))
		return -1;
	memcpy(sun.sun_path, path, strlen(path));
	fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return -1;
	/* A process of that number had the name and died. */
	(void)unlink(path);
	/* security: for this user alone. */
	mask = umask(0177);
	e = bind(fd, (struct sockaddr *)&sun, sizeof(sun));
	(void)umask(mask);
	if (e == 0 && listen(fd, DOOR_CALLERS) == 0 &&
	    sys_set_nonblock(fd) == 0) {
		(void)sys_set_cloexec(fd);
		return fd;
	}
	(void)close(fd);
	return -1;
}

struct door *
door_new(struct helper *h, int listen_fd)
{
	struct door *d = mem_zalloc(sizeof(*d));
	size_t i;

	d->h = h;
	d->fd = listen_fd;
	for (i = 0; i < DOOR_CALLERS; i++)
		d->callers[i].fd = -1;
	return d;
}

/* --- answers --------------------------------------------------------------------- */

static void
caller_close(struct caller *k)
{
	(void)close(k->fd);
	memset(k, 0, sizeof(*k));
	k->fd = -1;
}

/* A caller that does not read is hung up. */
static void
caller_send(struct caller *k, const struct door_answer *a)
{
	uint8_t out[DOOR_MESSAGE];
	struct wr w;
	ssize_t n;

	wr_init(&w, out, sizeof(out));
	door_answer_put(&w, a);
	do
		n = send(k->fd, out, wr_len(&w), MSG_NOSIGNAL | MSG_DONTWAIT);
	while (n < 0 && errno == EINTR);
	if (w.err != 0 || n < 0)
		caller_close(k);
}

/* Ends the request. TEXT is anybody's. */
static void
caller_end(struct caller *k, bool failed, const char *text)
{
	struct door_answer a = { .what = DOOR_END, .failed = failed };
	size_t i, n;

	if (k->fd < 0)
		return;
	/* security: a terminal shows it. */
	for (n = 0, i = 0; text[i] != '\0' && n < DOOR_TEXT - 1; i++)
		a.text[n++] = text[i] >= ' ' && text[i] < 127 ? text[i] : '?';
	caller_send(k, &a);
	if (k->fd >= 0)
		caller_close(k);
}

void
door_free(struct door *d)
{
	size_t i;

	if (d == NULL)
		return;
	for (i = 0; i < DOOR_CALLERS; i++)
		if (d->callers[i].fd >= 0)
			caller_close(&d->callers[i]);
	(void)close(d->fd);
	mem_free(d);
}

/* --- requests -------------------------------------------------------------------- */

static void
client_ask(struct door *d, struct caller *k, enum reach_reply_what what,
    unsigned entry)
{
	const struct helper_entry *e = &d->h->entries[entry];
	struct reach_reply a;

	if (++d->number == 0)
		d->number++;
	k->number = d->number;
	k->until = sys_now() + DOOR_TELL_MS;
	memset(&a, 0, sizeof(a));
	a.what = what;
	a.number = k->number;
	a.entry = entry;
	a.spec = e->spec;
	helper_send(d->h, &a, e->fds, what == REACH_ADDED ? e->n : 0);
}

/* The other end has one place for all agents, and takes the first. */
static bool
agent_offered(const struct helper *h)
{
	unsigned i;

	for (i = 0; i < REACH_ENTRIES; i++)
		if (h->entries[i].used &&
		    h->entries[i].spec.kind == FORWARD_AGENT)
			return true;
	return false;
}

static void
caller_add(struct door *d, struct caller *k, const struct forward_spec *spec)
{
	struct cause c = { NULL };
	int i;

	if (spec->kind == FORWARD_AGENT && agent_offered(d->h)) {
		caller_end(k, true,
		    "an agent is offered already: forward-cancel -A ends that");
		return;
	}
	i = helper_add(d->h, spec, &c);
	if (i < 0)
		caller_end(k, true, cause_text(&c));
	else
		client_ask(d, k, REACH_ADDED, (unsigned)i);
	cause_fini(&c);
}

static bool
same_place(const struct ssp_place *a, const struct ssp_place *b)
{
	return a->kind == b->kind && a->port == b->port &&
	       strcmp(a->host, b->host) == 0;
}

/* The part where it listens is enough to name a forward. */
static bool
same_spec(const struct forward_spec *mine, const struct forward_spec *want)
{
	return mine->kind == want->kind &&
	       same_place(&mine->listen, &want->listen) &&
	       (*want->connect.host == '\0' || want->kind == FORWARD_SOCKET ||
		   same_place(&mine->connect, &want->connect));
}

/* Ends entry I, and tells the client. */
static void
entry_cancel(struct door *d, struct caller *k, unsigned i)
{
	helper_remove(d->h, i);
	client_ask(d, k, REACH_CANCELLED, i);
}

static void
caller_cancel(struct door *d, struct caller *k, const struct forward_spec *spec)
{
	char text[FORWARD_SPEC_TEXT], line[FORWARD_SPEC_TEXT + 32];
	unsigned i;

	for (i = 0; i < REACH_ENTRIES; i++)
		if (d->h->entries[i].used &&
		    same_spec(&d->h->entries[i].spec, spec)) {
			entry_cancel(d, k, i);
			return;
		}
	snprintf(line, sizeof(line), "no such forward: %s",
	    forward_spec_text(spec, text));
	caller_end(k, true, line);
}

/* All but the agent and followed sockets, which are no forwards for ssh. */
static void
caller_cancel_all(struct door *d, struct caller *k)
{
	bool some = false;
	unsigned i;

	for (i = 0; i < REACH_ENTRIES; i++) {
		if (!d->h->entries[i].used ||
		    d->h->entries[i].spec.kind >= FORWARD_AGENT)
			continue;
		/* The answer to the last one is the caller's. */
		entry_cancel(d, k, i);
		some = true;
	}
	if (!some)
		caller_end(k, false, "");
}

static void
caller_asks(struct door *d, struct caller *k)
{
	uint8_t in[DOOR_MESSAGE];
	struct door_request q;
	ssize_t n = recv(k->fd, in, sizeof(in), MSG_DONTWAIT);
	int e;

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	/* One request a connection. */
	if (n <= 0 || k->number != 0) {
		caller_close(k);
		return;
	}
	if ((e = door_request_get(&q, in, (size_t)n)) != 0) {
		caller_end(k, true,
		    e == -ERR_UNSUPPORTED
			? "the client is another version of rmux: attach again"
			: "no request");
		return;
	}
	k->what = q.what;
	switch (q.what) {
	case DOOR_ADD:
		caller_add(d, k, &q.spec);
		break;
	case DOOR_CANCEL:
		caller_cancel(d, k, &q.spec);
		break;
	case DOOR_CANCEL_ALL:
		caller_cancel_all(d, k);
		break;
	case DOOR_LIST:
		k->rows = REACH_ENTRIES;
		client_ask(d, k, REACH_COUNT, 0);
		break;
	}
}

static void
door_accept(struct door *d)
{
	struct caller *k = NULL;
	uid_t uid;
	pid_t pid;
	size_t i;
	int fd;

	for (i = 0; i < DOOR_CALLERS && k == NULL; i++)
		if (d->callers[i].fd < 0)
			k = &d->callers[i];
	if (k == NULL || sock_accept(d->fd, &fd) != 0)
		return;
	/* security: the folder is the user's alone; root may be anybody. */
	if (sock_peer(fd, &uid, &pid) != 0 || (uid != geteuid() && uid != 0)) {
		(void)close(fd);
		return;
	}
	k->fd = fd;
	k->until = sys_now() + DOOR_ASK_MS;
}

/* --- the client's word ------------------------------------------------------------- */

static struct caller *
caller_find(struct door *d, uint32_t number)
{
	size_t i;

	for (i = 0; i < DOOR_CALLERS; i++)
		if (number != 0 && d->callers[i].fd >= 0 &&
		    d->callers[i].number == number)
			return &d->callers[i];
	return NULL;
}

/* The other end has chosen the port of -R 0:... */
static void
entry_port(struct helper_entry *e, uint16_t port)
{
	if (e->used && e->spec.kind == FORWARD_REMOTE &&
	    e->spec.listen.kind == SSP_PLACE_TCP && e->spec.listen.port == 0)
		e->spec.listen.port = port;
}

static void
door_row(struct door *d, struct caller *k, const struct reach_request *q)
{
	struct door_answer a = { .what = DOOR_ROW };
	struct helper_entry *e;

	if (k->what != DOOR_LIST || k->rows == 0 || q->entry >= REACH_ENTRIES)
		return;
	e = &d->h->entries[q->entry];
	if (!e->used)
		return;
	entry_port(e, q->counts.port);
	k->rows--;
	a.spec = e->spec;
	a.connections = q->counts.connections;
	a.in = q->counts.in;
	a.out = q->counts.out;
	caller_send(k, &a);
}

void
door_told(struct door *d, const struct reach_request *q)
{
	struct caller *k = caller_find(d, q->number);

	if (k == NULL)
		return;
	if (q->what == REACH_COUNTS) {
		door_row(d, k, q);
		return;
	}
	caller_end(k, q->failed, q->text);
}

/* --- the loop ----------------------------------------------------------------------- */

unsigned
door_poll(const struct door *d, struct pollfd *p)
{
	unsigned n = 0;
	size_t i;

	p[n++] = (struct pollfd){ .fd = d->fd, .events = POLLIN };
	for (i = 0; i < DOOR_CALLERS; i++)
		if (d->callers[i].fd >= 0)
			p[n++] = (struct pollfd){ .fd = d->callers[i].fd,
				.events = POLLIN };
	/* No room for another: they wait in the socket. */
	if (n == DOOR_FDS)
		p[0].fd = -1;
	return n;
}

static void
caller_late(struct caller *k)
{
	if (k->number == 0)
		caller_close(k);
	else if (k->what == DOOR_ADD)
		caller_end(k, false,
		    "the other end has not answered yet: the forward is kept");
	else
		caller_end(k, true, "the client does not answer");
}

void
door_turn(struct door *d, const struct pollfd *p, unsigned n)
{
	const mono_ms now = sys_now();
	struct caller *k;
	size_t i;
	unsigned j;

	for (i = 0; i < DOOR_CALLERS; i++) {
		k = &d->callers[i];
		for (j = 1; j < n; j++)
			if (k->fd >= 0 && p[j].fd == k->fd && p[j].revents != 0)
				caller_asks(d, k);
		if (k->fd >= 0 && now >= k->until)
			caller_late(k);
	}
	if (p[0].fd >= 0 && p[0].revents != 0)
		door_accept(d);
}

int
door_wait(const struct door *d)
{
	mono_ms due = MONO_NEVER;
	size_t i;

	for (i = 0; i < DOOR_CALLERS; i++)
		if (d->callers[i].fd >= 0)
			due = MIN_OF(due, d->callers[i].until);
	return due == MONO_NEVER ? -1 : (int)mono_until(sys_now(), due);
}
