/*
 * A listener is ours, or the peer's (then STREAM is the one that asked for it).
 * A join is a stream on its way to a tube: it waits for SOCKS, or for a connect;
 * the stream holds back the bytes that come meanwhile.
 */
#include "ssp/io/forward.h"

#include <sys/socket.h>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/io/stream.h"
#include "base/list.h"
#include "base/map.h"
#include "base/mem.h"
#include "ssp/io/tube.h"
#include "ssp/socks.h"

#define FORWARD_NONE "the rmux there has no forwarding: update it"
#define FORWARD_ACCEPTS 16 /* connections taken in one turn */

struct forward {
	struct list_node node;
	struct forwards *f;
	struct forward_spec spec;
	bool theirs;     /* the peer asked for it, or announces it */
	uint64_t stream; /* that asked to listen, or announces */
	unsigned entry;  /* unless it is theirs: number at the helper */
	uint32_t number; /* request of the door that waits; 0: none */
	/* Of its connections: the open ones when asked, all that have ended. */
	struct reach_counts counts, past;
	int fds[REACH_LISTENS];
	struct loop_io *io[REACH_LISTENS];
	unsigned n;
};

/* A connection. */
struct flow {
	struct tube *tube;
	struct forward *w; /* NULL: cancelled, or not announced */
};

struct join {
	struct list_node node;
	struct forwards *f;
	struct forward *w; /* as of a flow */
	uint64_t stream;   /* NONE: SOCKS has not named the place */
	int fd;            /* -1: being connected */
	struct loop_io *io;
	struct socks socks;
	struct buf in; /* what SOCKS has not used */
};

struct forwards {
	struct loop *loop;
	struct ssp_streams *ss;
	struct reach *reach; /* NULL: not needed yet */
	const struct forwards_ops *ops;
	void *arg;
	bool serve;
	bool up;
	bool turning;
	struct list all;
	struct list joins;
	struct map flows; /* by stream */
};

static void
forwards_say(struct forwards *f, const struct forward *w, const char *text)
{
	char spec[FORWARD_SPEC_TEXT], line[FORWARD_SPEC_TEXT + REACH_TEXT];

	snprintf(line, sizeof(line), "forward %s: %s",
	    forward_spec_text(&w->spec, spec), text);
	f->ops->say(f->arg, line);
}

static struct reach *
forwards_reach(struct forwards *f)
{
	if (f->reach == NULL)
		f->reach = f->ops->reach(f->arg);
	return f->reach;
}

/* Whether W is the desk, of which nothing is told. */
static bool
forward_is_desk(const struct forward *w)
{
	return w->spec.kind == FORWARD_SOCKET &&
	       strcmp(w->spec.listen.host, FORWARD_DESK) == 0;
}

/* Whether the end that made it listens: -L and -D. */
static bool
listens_itself(const struct forward *w)
{
	return w->spec.kind == FORWARD_LOCAL || w->spec.kind == FORWARD_DYNAMIC;
}

/* Returns the stream that announces W to the peer; 0: W has no such stream. */
static uint64_t
forward_listener(const struct forward *w)
{
	return w != NULL && listens_itself(w) && w->stream != SSP_STREAM_NONE
		   ? w->stream
		   : 0;
}

/* --- tubes --------------------------------------------------------------------- */

static void
tube_changed(void *arg)
{
	struct forwards *f = arg;

	f->ops->changed(f->arg);
}

/* Adds the bytes of a tube to those of its forward, and frees its flow. */
static void
flow_free(struct flow *fl)
{
	uint64_t in, out;

	if (fl->w != NULL) {
		tube_bytes(fl->tube, &in, &out);
		fl->w->past.in += in;
		fl->w->past.out += out;
	}
	mem_free(fl);
}

static void
tube_ended(void *arg, struct tube *t)
{
	struct forwards *f = arg;

	flow_free(map_remove_id(&f->flows, tube_id(t)));
}

/* Joins FD to a stream, a connection of W, which may be NULL. */
static void
forwards_tube(struct forwards *f, uint64_t stream, int fd, struct forward *w)
{
	static const struct tube_ops ops = { tube_changed, tube_ended, NULL };
	const struct tube_fds fds = { .in = fd, .out = fd };
	struct flow *fl = mem_zalloc(sizeof(*fl));

	fl->w = w;
	fl->tube = tube_new(f->loop, f->ss, stream, &fds, &ops, f);
	(void)map_set_id(&f->flows, stream, fl);
	/* Bytes may wait. */
	tube_news(fl->tube);
}

/* Opens a stream; SSP_STREAM_NONE: refused here. */
static uint64_t
forwards_open(struct forwards *f, const struct ssp_purpose *p)
{
	uint8_t what[SSP_PURPOSE_SIZE];
	struct wr w;

	if (f->ss == NULL || !f->up)
		return SSP_STREAM_NONE;
	wr_init(&w, what, sizeof(what));
	ssp_purpose_put(&w, p);
	return ssp_streams_open(f->ss, SSP_PRIO_FLOW, what, wr_len(&w));
}

/* --- joins ---------------------------------------------------------------------- */

static struct join *
join_new(struct forwards *f, uint64_t stream, int fd, struct forward *w)
{
	struct join *j = mem_zalloc(sizeof(*j));

	j->f = f;
	j->w = w;
	j->stream = stream;
	j->fd = fd;
	buf_init(&j->in, 2 * SOCKS_REQUEST_MAX);
	list_push_back(&f->joins, &j->node);
	return j;
}

/* Frees it; the stream and FD, if any, are somebody else's. */
static void
join_free(struct join *j)
{
	if (j->f->reach != NULL)
		reach_cancel(j->f->reach, j);
	loop_io_del(j->io);
	list_remove(&j->f->joins, &j->node);
	buf_fini(&j->in);
	mem_free(j);
}

static void
join_connected(void *arg, int fd, const char *text)
{
	struct join *j = arg;
	struct forwards *f = j->f;
	struct forward *w = j->w;
	uint64_t stream = j->stream;

	join_free(j);
	if (fd < 0)
		ssp_streams_reset(f->ss, stream, SSP_REASON_FAILED, text);
	else
		forwards_tube(f, stream, fd, w);
	f->ops->changed(f->arg);
}

static void
join_drop(struct join *j)
{
	int fd = j->fd;

	if (j->stream != SSP_STREAM_NONE)
		ssp_streams_release(j->f->ss, j->stream);
	join_free(j);
	if (fd >= 0)
		(void)close(fd);
}

/* SOCKS: reads the request, and opens the stream that it asks for. */
static void
join_socks(void *arg, int fd, UNUSED unsigned events)
{
	struct join *j = arg;
	struct forwards *f = j->f;
	struct ssp_purpose p = { .kind = SSP_PURPOSE_CONNECT };
	struct buf out;
	size_t n, used;
	uint8_t *at;
	int e;

	if (buf_reserve(&j->in, SOCKS_REQUEST_MAX, &at) != 0 ||
	    stream_read(fd, at, SOCKS_REQUEST_MAX, &n) != 0) {
		join_drop(j);
		return;
	}
	buf_commit(&j->in, n);
	buf_init(&out, 64);
	e = socks_read(&j->socks, j->in.data, j->in.len, &used, &p.place, &out);
	buf_consume(&j->in, used);
	if (e == 1) {
		p.listener = forward_listener(j->w);
		j->stream = forwards_open(f, &p);
		socks_answer(&j->socks, j->stream != SSP_STREAM_NONE, &out);
	}
	if (out.len > 0 && stream_write(fd, out.data, out.len, &n) != 0)
		e = -ERR_CLOSED;
	buf_fini(&out);
	if (e < 0 || (e == 1 && j->stream == SSP_STREAM_NONE)) {
		join_drop(j);
	} else if (e == 1) {
		/* Bytes may follow the request at once. */
		(void)ssp_streams_put(f->ss, j->stream, j->in.data, j->in.len);
		forwards_tube(f, j->stream, fd, j->w);
		join_free(j);
	}
	f->ops->changed(f->arg);
}

/* --- listeners ------------------------------------------------------------------- */

/* Writes the address that connected. */
static void
peer_place(int fd, struct ssp_place *p)
{
	struct sockaddr_storage ss;
	socklen_t len = sizeof(ss);

	memset(p, 0, sizeof(*p));
	if (getpeername(fd, (struct sockaddr *)&ss, &len) != 0)
		return;
	if (ss.ss_family == AF_INET) {
		const struct sockaddr_in *in = (const void *)&ss;

		p->port = ntohs(in->sin_port);
		(void)inet_ntop(
		    AF_INET, &in->sin_addr, p->host, sizeof(p->host));
	} else if (ss.ss_family == AF_INET6) {
		const struct sockaddr_in6 *in6 = (const void *)&ss;

		p->port = ntohs(in6->sin6_port);
		(void)inet_ntop(
		    AF_INET6, &in6->sin6_addr, p->host, sizeof(p->host));
	} else {
		p->kind = SSP_PLACE_UNIX;
	}
}

static void
forward_accepted(struct forward *w, int fd)
{
	struct ssp_purpose p = { .kind = SSP_PURPOSE_CONNECT,
		.place = w->spec.connect };
	struct forwards *f = w->f;
	uint64_t stream;
	struct join *j;
	int one = 1;

	if (stream_prepare(fd) != 0) {
		(void)close(fd);
		return;
	}
	(void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
	if (w->spec.kind == FORWARD_DYNAMIC) {
		j = join_new(f, SSP_STREAM_NONE, fd, w);
		j->io = loop_io_add(f->loop, fd, LOOP_READ, join_socks, j);
		return;
	}
	p.listener = forward_listener(w);
	if (w->theirs) {
		p.kind = SSP_PURPOSE_ACCEPTED;
		p.listener = w->stream;
		peer_place(fd, &p.place);
	}
	stream = forwards_open(f, &p);
	if (stream == SSP_STREAM_NONE)
		(void)close(fd);
	else
		forwards_tube(f, stream, fd, w);
}

static void
forward_readable(void *arg, int listen_fd, UNUSED unsigned events)
{
	struct forward *w = arg;
	struct forwards *f = w->f;
	int fd, i;

	for (i = 0; i < FORWARD_ACCEPTS; i++) {
#ifdef __linux__
		fd = accept4(
		    listen_fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
#else
		fd = accept(listen_fd, NULL, NULL);
#endif
		if (fd < 0)
			break;
		forward_accepted(w, fd);
	}
	f->ops->changed(f->arg);
}

/* Watches the sockets of W, once the peer can be asked. */
static void
forward_watch(struct forward *w)
{
	unsigned i;

	for (i = 0; i < w->n; i++)
		if (w->io[i] == NULL)
			w->io[i] = loop_io_add(w->f->loop, w->fds[i], LOOP_READ,
			    forward_readable, w);
}

static struct forward *
forward_new(struct forwards *f, const struct forward_spec *spec)
{
	struct forward *w = mem_zalloc(sizeof(*w));

	w->f = f;
	w->spec = *spec;
	w->stream = SSP_STREAM_NONE;
	list_push_back(&f->all, &w->node);
	return w;
}

/* Its connections go on, and are nobody's. */
static void
forward_leave(struct forward *w)
{
	struct list_node *n;
	struct map_entry *e;
	struct flow *fl;
	struct join *j;

	MAP_FOREACH(e, &w->f->flows) {
		fl = e->value;
		if (fl->w == w)
			fl->w = NULL;
	}
	for (n = list_first(&w->f->joins); n != NULL;
	     n = list_next(&w->f->joins, n)) {
		j = container_of(n, struct join, node);
		if (j->w == w)
			j->w = NULL;
	}
}

static void
forward_free(struct forward *w)
{
	unsigned i;

	forward_leave(w);
	for (i = 0; i < w->n; i++) {
		loop_io_del(w->io[i]);
		(void)close(w->fds[i]);
	}
	/* The helper keeps those of its entries itself. */
	if (w->theirs && w->n > 0 && w->spec.listen.kind == SSP_PLACE_UNIX)
		reach_unlisten(w->f->reach, &w->spec.listen);
	if (w->f->ss != NULL)
		ssp_streams_release(w->f->ss, w->stream);
	list_remove(&w->f->all, &w->node);
	mem_free(w);
}

int
forwards_add(
    struct forwards *f, const struct forward_spec *spec, struct cause *c)
{
	struct forward *w = forward_new(f, spec);
	char text[FORWARD_SPEC_TEXT];
	int e;

	if (forwards_reach(f) == NULL) {
		forward_free(w);
		return cause_set(c, -ERR_SYS, "forwarding: no helper process");
	}
	e = reach_own(f->reach, spec, w->fds, &w->n, &w->entry, c);
	if (e != 0) {
		cause_prefix(c, "forward %s: ", forward_spec_text(spec, text));
		forward_free(w);
	}
	return e;
}

/* Answers the request that has added W. */
static void
forward_told(struct forward *w, bool failed, const char *text)
{
	if (w->number != 0)
		reach_tell(w->f->reach, w->number, failed, text);
	w->number = 0;
}

/* W is about to go; the caller of the door reads TEXT, or else the user. */
static void
forward_refused(struct forward *w, const char *text)
{
	/* An older rmux knows no desk. */
	if (forward_is_desk(w))
		return;
	if (w->number == 0)
		forwards_say(w->f, w, text);
	reach_forget(w->f->reach, w->entry);
	forward_told(w, true, text);
}

/*
 * Tells the peer of what listens here, for its lists. An older peer resets the
 * stream, and nothing is lost.
 */
static void
forward_announce(struct forward *w)
{
	const struct ssp_purpose p = { .kind = SSP_PURPOSE_ANNOUNCE,
		.place = w->spec.listen,
		.to = w->spec.connect,
		.dynamic = w->spec.kind == FORWARD_DYNAMIC };

	w->stream = forwards_open(w->f, &p);
}

/* Lets W listen here, or asks the peer to; false: the peer cannot. */
static bool
forward_up(struct forward *w)
{
	struct ssp_purpose p = { .kind = SSP_PURPOSE_LISTEN };
	struct forwards *f = w->f;

	if (listens_itself(w)) {
		forward_watch(w);
		forward_told(w, false, "");
		forward_announce(w);
		return true;
	}
	if (w->spec.kind == FORWARD_AGENT)
		p.kind = SSP_PURPOSE_AGENT;
	else if (w->spec.kind == FORWARD_SOCKET)
		p.kind = SSP_PURPOSE_SOCKET;
	p.place = w->spec.listen;
	w->stream = forwards_open(f, &p);
	return w->stream != SSP_STREAM_NONE;
}

void
forwards_up(struct forwards *f)
{
	struct list_node *n;
	struct forward *w;

	if (f->up)
		return;
	f->up = true;
	for (n = list_first(&f->all); n != NULL; n = list_next(&f->all, n)) {
		w = container_of(n, struct forward, node);
		if (!forward_up(w) && !forward_is_desk(w))
			forwards_say(f, w, FORWARD_NONE);
	}
	f->ops->changed(f->arg);
}

/* --- the door -------------------------------------------------------------------- */

void
forwards_added(struct forwards *f, uint32_t number, unsigned entry,
    const struct forward_spec *spec, const int *fds, unsigned n)
{
	struct forward *w = forward_new(f, spec);

	(void)forwards_reach(f);
	w->entry = entry;
	w->number = number;
	w->n = n;
	memcpy(w->fds, fds, n * sizeof(*fds));
	if (!f->up) {
		forward_told(w, false, "not connected now: it waits for that");
	} else if (!forward_up(w)) {
		forward_refused(w, FORWARD_NONE);
		forward_free(w);
	} else if (spec->kind == FORWARD_AGENT) {
		/* It has no answer. */
		forward_told(w, false, "");
	}
	f->ops->changed(f->arg);
}

void
forwards_desk(struct forwards *f)
{
	static const struct forward_spec spec = { .kind = FORWARD_SOCKET,
		.listen = { .kind = SSP_PLACE_UNIX, .host = FORWARD_DESK } };

	forward_new(f, &spec)->entry = REACH_DESK;
}

void
forwards_cancelled(struct forwards *f, unsigned entry)
{
	struct list_node *n;
	struct forward *w;

	for (n = list_first(&f->all); n != NULL; n = list_next(&f->all, n)) {
		w = container_of(n, struct forward, node);
		if (!w->theirs && w->entry == entry) {
			forward_free(w);
			f->ops->changed(f->arg);
			return;
		}
	}
}

/* --- what there is ----------------------------------------------------------------- */

/* A place to which the peer has connections. */
struct place_info {
	struct forward_spec spec;
	struct reach_counts counts;
};

static struct place_info *
place_info(struct forwards *f, uint64_t stream, struct map *places)
{
	char text[SSP_PLACE_TEXT];
	struct place_info *i;
	struct ssp_purpose p;
	const uint8_t *what;
	size_t n;

	what = ssp_streams_what(f->ss, stream, &n);
	if (!f->serve || what == NULL || ssp_purpose_get(&p, what, n) != 0 ||
	    p.kind != SSP_PURPOSE_CONNECT)
		return NULL;
	(void)ssp_place_text(&p.place, text);
	if ((i = map_get(places, text)) == NULL) {
		i = mem_zalloc(sizeof(*i));
		i->spec.kind = FORWARD_LOCAL;
		i->spec.connect = p.place;
		(void)map_set(places, text, i);
	}
	return i;
}

static void
count_flows(struct forwards *f, struct map *places)
{
	struct reach_counts *counts;
	struct place_info *place;
	const struct flow *fl;
	struct map_entry *e;
	uint64_t in, out;

	MAP_FOREACH(e, &f->flows) {
		fl = e->value;
		place = fl->w == NULL ? place_info(f, e->id, places) : NULL;
		if (fl->w == NULL && place == NULL)
			continue;
		counts = fl->w != NULL ? &fl->w->counts : &place->counts;
		tube_bytes(fl->tube, &in, &out);
		counts->connections++;
		counts->in += in;
		counts->out += out;
	}
}

void
forwards_each(struct forwards *f,
    void (*fn)(void *arg, const struct forward_info *i), void *arg)
{
	const struct place_info *place;
	struct forward_info info;
	struct list_node *n;
	struct map_entry *e;
	struct map places;
	struct forward *w;

	if (f == NULL)
		return;
	for (n = list_first(&f->all); n != NULL; n = list_next(&f->all, n)) {
		w = container_of(n, struct forward, node);
		w->counts = w->past;
	}
	map_init_names(&places);
	count_flows(f, &places);
	for (n = list_first(&f->all); n != NULL; n = list_next(&f->all, n)) {
		w = container_of(n, struct forward, node);
		if (forward_is_desk(w))
			continue;
		w->counts.port = w->spec.listen.port;
		info = (struct forward_info){ &w->spec, w->theirs, w->entry,
			w->counts };
		fn(arg, &info);
	}
	MAP_FOREACH(e, &places) {
		place = e->value;
		info = (struct forward_info){ &place->spec, true, 0,
			place->counts };
		fn(arg, &info);
		mem_free(e->value);
	}
	map_fini(&places);
}

char *
forward_info_place(const struct forward_info *i, char out[SSP_PLACE_TEXT])
{
	out[0] = '\0';
	if (i->spec->kind == FORWARD_LOCAL)
		(void)ssp_place_text(&i->spec->connect, out);
	else if (i->spec->kind != FORWARD_AGENT)
		(void)ssp_place_text(&i->spec->listen, out);
	return out;
}

static bool
place_is(const struct ssp_place *p, const char *place)
{
	char text[SSP_PLACE_TEXT];

	return strcmp(ssp_place_text(p, text), place) == 0;
}

/* Whether the connection of STREAM, FL or one to come, has to do with PLACE. */
static bool
flow_is(struct forwards *f, uint64_t stream, const struct forward *w,
    const char *place)
{
	struct ssp_purpose p;
	const uint8_t *what;
	size_t n;

	if (w != NULL && !w->theirs)
		return false;
	if (w != NULL && w->spec.kind != FORWARD_LOCAL &&
	    place_is(&w->spec.listen, place))
		return w->spec.kind == FORWARD_REMOTE ||
		       w->spec.kind == FORWARD_DYNAMIC;
	what = ssp_streams_what(f->ss, stream, &n);
	return what != NULL && ssp_purpose_get(&p, what, n) == 0 &&
	       p.kind == SSP_PURPOSE_CONNECT && place_is(&p.place, place);
}

/* Ends the connections of PLACE that stand. */
static unsigned
flows_kill(struct forwards *f, const char *place)
{
	struct flow *fl;
	struct tube *t;
	unsigned killed = 0;
	size_t i;

	for (i = f->flows.count; i > 0; i--) {
		fl = f->flows.entries[i - 1].value;
		t = fl->tube;
		if (!flow_is(f, tube_id(t), fl->w, place))
			continue;
		(void)map_remove_id(&f->flows, tube_id(t));
		flow_free(fl);
		tube_free(t);
		killed++;
	}
	return killed;
}

unsigned
forwards_kill(struct forwards *f, const char *place)
{
	struct list_node *n, *next;
	struct forward *w;
	unsigned killed;

	if (f->ss == NULL)
		return 0;
	killed = flows_kill(f, place);
	for (n = list_first(&f->all); n != NULL; n = next) {
		next = list_next(&f->all, n);
		w = container_of(n, struct forward, node);
		if (!w->theirs || w->spec.kind != FORWARD_REMOTE ||
		    !place_is(&w->spec.listen, place))
			continue;
		ssp_streams_reset(f->ss, w->stream, SSP_REASON_DENIED,
		    "ended by the user there");
		forward_free(w);
		killed++;
	}
	f->ops->changed(f->arg);
	return killed;
}

/* --- the peer's streams ------------------------------------------------------------ */

static struct forward *
forward_find(struct forwards *f, uint64_t stream)
{
	struct list_node *n;
	struct forward *w;

	for (n = list_first(&f->all); n != NULL; n = list_next(&f->all, n)) {
		w = container_of(n, struct forward, node);
		if (w->stream == stream)
			return w;
	}
	return NULL;
}

static struct join *
join_find(struct forwards *f, uint64_t stream)
{
	struct list_node *n;
	struct join *j;

	for (n = list_first(&f->joins); n != NULL;
	     n = list_next(&f->joins, n)) {
		j = container_of(n, struct join, node);
		if (j->stream == stream)
			return j;
	}
	return NULL;
}

/* Listens for the peer; the answer is the port. */
static void
forwards_listen(struct forwards *f, uint64_t stream, const struct ssp_place *at)
{
	struct forward_spec spec = { .kind = FORWARD_REMOTE, .listen = *at };
	struct forward *w = forward_new(f, &spec);
	struct cause c = { NULL };
	uint8_t answer[8];
	uint16_t port = 0;
	struct wr wr;

	w->theirs = true;
	if (reach_listen(f->reach, at, w->fds, &w->n, &port, &c) != 0) {
		ssp_streams_reset(
		    f->ss, stream, SSP_REASON_FAILED, cause_text(&c));
		forward_free(w);
	} else {
		w->stream = stream;
		w->spec.listen.port = port;
		wr_init(&wr, answer, sizeof(answer));
		wr_varint(&wr, port);
		(void)ssp_streams_put(f->ss, stream, answer, wr_len(&wr));
		forward_watch(w);
	}
	cause_fini(&c);
}

/* The peer offers its agent, or a socket, until the stream ends. */
static void
forwards_offered(
    struct forwards *f, uint64_t stream, const struct ssp_purpose *p)
{
	struct forward_spec spec = { .kind = FORWARD_AGENT };
	struct forward *w;
	uint8_t answer = 0;

	if (p->kind == SSP_PURPOSE_AGENT && f->ops->agent == NULL) {
		ssp_streams_reset(f->ss, stream, SSP_REASON_DENIED,
		    "no agents are wanted here");
		return;
	}
	if (p->kind == SSP_PURPOSE_SOCKET &&
	    (f->ops->socket == NULL || p->place.kind != SSP_PLACE_UNIX ||
		!f->ops->socket(f->arg, p->place.host))) {
		ssp_streams_reset(f->ss, stream, SSP_REASON_DENIED,
		    "no socket of that name is wanted there");
		return;
	}
	if (p->kind == SSP_PURPOSE_SOCKET) {
		spec.kind = FORWARD_SOCKET;
		spec.listen = p->place;
		(void)ssp_streams_put(f->ss, stream, &answer, 1);
	}
	w = forward_new(f, &spec);
	w->theirs = true;
	w->stream = stream;
	if (p->kind == SSP_PURPOSE_AGENT)
		f->ops->agent(f->arg);
}

/* The peer listens itself: it is listed until the stream ends. */
static void
forwards_announced(
    struct forwards *f, uint64_t stream, const struct ssp_purpose *p)
{
	struct forward_spec spec = { .kind = FORWARD_LOCAL };
	struct forward *w;
	struct list_node *n;
	const uint8_t answer = 0;
	unsigned known = 0;

	for (n = list_first(&f->all); n != NULL; n = list_next(&f->all, n)) {
		w = container_of(n, struct forward, node);
		known += w->theirs && listens_itself(w);
	}
	if (known >= REACH_ENTRIES) {
		ssp_streams_reset(f->ss, stream, SSP_REASON_DENIED,
		    "more forwards than one client has");
		return;
	}
	if (p->dynamic)
		spec.kind = FORWARD_DYNAMIC;
	spec.listen = p->place;
	spec.connect = p->to;
	w = forward_new(f, &spec);
	w->theirs = true;
	w->stream = stream;
	(void)ssp_streams_put(f->ss, stream, &answer, 1);
}

/*
 * Returns what the peer has announced for a connection that it asks for, or
 * NULL.
 */
static struct forward *
forwards_of(struct forwards *f, const struct ssp_purpose *p)
{
	struct forward *w =
	    p->listener == 0 ? NULL : forward_find(f, p->listener);
	const struct ssp_place *to;

	if (w == NULL || !w->theirs || !listens_itself(w))
		return NULL;
	to = &w->spec.connect;
	return w->spec.kind == FORWARD_DYNAMIC ||
		       (to->kind == p->place.kind &&
			   to->port == p->place.port &&
			   strcmp(to->host, p->place.host) == 0)
		   ? w
		   : NULL;
}

/* Returns the agent, or the socket NAME, that the peer offers, or NULL. */
static struct forward *
forwards_offer(struct forwards *f, const char *name)
{
	struct forward *w;
	struct list_node *n;

	for (n = f == NULL ? NULL : list_first(&f->all); n != NULL;
	     n = list_next(&f->all, n)) {
		w = container_of(n, struct forward, node);
		if (!w->theirs)
			continue;
		if (name == NULL ? w->spec.kind == FORWARD_AGENT
				 : w->spec.kind == FORWARD_SOCKET &&
				       strcmp(w->spec.listen.host, name) == 0)
			return w;
	}
	return NULL;
}

bool
forwards_has_agent(struct forwards *f, const char *name)
{
	return forwards_offer(f, name) != NULL;
}

bool
forwards_agent(struct forwards *f, const char *name, int fd)
{
	struct ssp_purpose p = { .kind = SSP_PURPOSE_ACCEPTED,
		.place = { .kind = SSP_PLACE_UNIX } };
	struct forward *w = forwards_offer(f, name);
	uint64_t stream;

	if (w == NULL)
		return false;
	p.listener = w->stream;
	if ((stream = forwards_open(f, &p)) == SSP_STREAM_NONE)
		return false;
	forwards_tube(f, stream, fd, w);
	f->ops->changed(f->arg);
	return true;
}

/* A stream that the peer has opened. */
static void
forwards_opened(struct forwards *f, uint64_t stream)
{
	struct ssp_purpose p;
	struct forward *w;
	const uint8_t *what;
	size_t n;
	int e;

	what = ssp_streams_what(f->ss, stream, &n);
	e = ssp_purpose_get(&p, what, n);
	if (e != 0) {
		ssp_streams_reset(f->ss, stream, SSP_REASON_UNKNOWN,
		    "a newer kind of stream: update the rmux there");
		return;
	}
	if (p.kind == SSP_PURPOSE_EXEC || p.kind == SSP_PURPOSE_PART) {
		if (f->ops->opened == NULL ||
		    !f->ops->opened(f->arg, stream, &p))
			ssp_streams_reset(f->ss, stream, SSP_REASON_DENIED,
			    "not allowed here");
	} else if (p.kind == SSP_PURPOSE_ANNOUNCE && f->serve) {
		forwards_announced(f, stream, &p);
	} else if (forwards_reach(f) == NULL) {
		ssp_streams_reset(f->ss, stream, SSP_REASON_FAILED,
		    "no process that connects can start");
	} else if (p.kind == SSP_PURPOSE_ACCEPTED) {
		/* security: only what this end has asked for. */
		w = forward_find(f, p.listener);
		if (w == NULL || w->theirs || listens_itself(w))
			ssp_streams_reset(
			    f->ss, stream, SSP_REASON_DENIED, "not asked for");
		else
			reach_connect_entry(f->reach, w->entry, join_connected,
			    join_new(f, stream, -1, w));
	} else if (!f->serve) {
		ssp_streams_reset(
		    f->ss, stream, SSP_REASON_DENIED, "not allowed here");
	} else if (p.kind == SSP_PURPOSE_AGENT ||
		   p.kind == SSP_PURPOSE_SOCKET) {
		forwards_offered(f, stream, &p);
	} else if (p.kind == SSP_PURPOSE_LISTEN) {
		forwards_listen(f, stream, &p.place);
	} else {
		reach_connect(f->reach, &p.place, join_connected,
		    join_new(f, stream, -1, forwards_of(f, &p)));
	}
}

/* News of the stream that asks to listen. */
static void
forward_news(struct forwards *f, struct forward *w)
{
	char chosen[16] = "";
	const char *text;
	const uint8_t *p;
	uint64_t port;
	struct rd r;
	size_t n = 0;

	if (ssp_streams_state(f->ss, w->stream) != SSP_STREAM_OPEN) {
		if (!w->theirs && listens_itself(w)) {
			ssp_streams_release(f->ss, w->stream);
			w->stream = SSP_STREAM_NONE;
			return;
		}
		if (!w->theirs) {
			(void)ssp_streams_reason(f->ss, w->stream, &text);
			forward_refused(
			    w, *text != '\0' ? text : "the other end refuses");
		}
		forward_free(w);
		return;
	}
	p = w->theirs ? NULL : ssp_streams_peek(f->ss, w->stream, &n);
	if (p == NULL)
		return;
	rd_init(&r, p, n);
	port = rd_varint(&r);
	if (r.err != 0)
		return;
	ssp_streams_taken(f->ss, loop_now(f->loop), w->stream, n);
	if (listens_itself(w))
		return;
	if (w->spec.listen.kind == SSP_PLACE_TCP && w->spec.listen.port == 0 &&
	    port > 0 && port <= 65535) {
		w->spec.listen.port = (uint16_t)port;
		snprintf(chosen, sizeof(chosen), "port %u", (unsigned)port);
		if (w->number == 0)
			forwards_say(f, w, "the port is chosen");
	}
	forward_told(w, false, chosen);
}

static void
forwards_news(struct forwards *f, uint64_t stream)
{
	struct flow *fl = map_get_id(&f->flows, stream);
	struct forward *w;
	struct join *j;

	if (fl != NULL)
		tube_news(fl->tube);
	else if ((w = forward_find(f, stream)) != NULL)
		forward_news(f, w);
	else if ((j = join_find(f, stream)) == NULL &&
		 (f->ops->news == NULL || !f->ops->news(f->arg, stream)))
		forwards_opened(f, stream);
	else if (j != NULL &&
		 ssp_streams_state(f->ss, stream) == SSP_STREAM_RESET)
		join_drop(j);
}

void
forwards_turn(struct forwards *f)
{
	uint64_t id;

	if (f == NULL || f->turning || f->ss == NULL)
		return;
	f->turning = true;
	while ((id = ssp_streams_news(f->ss)) != SSP_STREAM_NONE)
		if (id != SSP_STREAM_CONTROL)
			forwards_news(f, id);
	f->turning = false;
}

/* --- life ------------------------------------------------------------------------- */

struct forwards *
forwards_new(struct loop *loop, struct ssp_streams *ss, bool serve,
    const struct forwards_ops *ops, void *arg)
{
	struct forwards *f = mem_zalloc(sizeof(*f));

	f->loop = loop;
	f->ss = ss;
	f->serve = serve;
	f->up = serve;
	f->ops = ops;
	f->arg = arg;
	list_init(&f->all);
	list_init(&f->joins);
	map_init_ids(&f->flows);
	ssp_streams_accept(ss, true);
	return f;
}

/* Closes all connections. */
static void
forwards_clear(struct forwards *f)
{
	struct list_node *n;
	struct tube *t;
	struct flow *fl;

	while ((n = list_first(&f->joins)) != NULL)
		join_drop(container_of(n, struct join, node));
	while (f->flows.count > 0) {
		fl = map_remove_id(&f->flows, f->flows.entries[0].id);
		t = fl->tube;
		flow_free(fl);
		tube_free(t);
	}
}

void
forwards_move(struct forwards *f, struct ssp_streams *ss)
{
	struct list_node *n;
	struct forward *w;

	if (f == NULL)
		return;
	if (f->ss != NULL)
		forwards_clear(f);
	for (n = list_first(&f->all); n != NULL; n = list_next(&f->all, n)) {
		w = container_of(n, struct forward, node);
		w->stream = SSP_STREAM_NONE;
	}
	f->up = false;
	f->ss = ss;
	if (ss != NULL)
		ssp_streams_accept(ss, true);
}

void
forwards_free(struct forwards *f)
{
	struct list_node *n;

	if (f == NULL)
		return;
	forwards_clear(f);
	while ((n = list_first(&f->all)) != NULL)
		forward_free(container_of(n, struct forward, node));
	if (f->ss != NULL)
		ssp_streams_accept(f->ss, false);
	map_fini(&f->flows);
	mem_free(f);
}
