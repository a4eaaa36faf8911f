/*
 * The log keeps the frames of each datagram until its fate is known.  Lists hold
 * the streams with something to send, so that a thousand idle ones cost nothing;
 * streams_touch puts a stream into the right lists after each change.
 */
#include <string.h>

#include "base/err.h"
#include "base/list.h"
#include "base/map.h"
#include "base/mem.h"
#include "ssp/frame.h"
#include "ssp/streams_int.h"

#define STREAMS_ID 8         /* maximum bytes of an id */
#define STREAMS_HEAD 4       /* maximum bytes of type and length */
#define STREAMS_FRAME 16000u /* bytes of a body: a length of two bytes */
#define STREAMS_BACKOFF 10u
#define STREAMS_PAUSE 5     /* ms; another datagram may have more room */
#define STREAMS_QUICK 4     /* ms; the shortest round trip for the credit */
#define STREAMS_TURN 16384  /* bytes of a stream before others have a turn */
#define STREAMS_WORTH 32768 /* bytes of room that are always worth a read */
#define STREAMS_EMPTY 64    /* of a stream without bytes: a part of the most */

/* A frame that must arrive. */
struct streams_sure {
	enum {
		SURE_NO,
		SURE_DUE,
		SURE_FLYING,
		SURE_DONE
	} is;
	uint64_t pn; /* of the last datagram */
};

struct streams_one {
	uint64_t id;
	struct ssp_stream s;
	enum ssp_prio prio;
	struct list_node data, control, news;
	bool fixed;
	bool busy; /* counted in ssp_streams.nbusy */

	struct streams_sure open, end, reset, credit;
	uint8_t *what;
	size_t nwhat;

	bool in_end; /* the peer's bytes end at IN_LAST */
	uint64_t in_last;
	bool in_reset;
	bool ended; /* the user puts no more */
	bool released;
	uint64_t reason;
	char *text;
	mono_ms credited; /* time of the last CREDIT */
	bool starved;     /* the peer came near it while bytes were missing */
};

/* A frame in a datagram. */
struct streams_sent {
	uint64_t pn;
	uint64_t id;
	uint8_t type; /* enum ssp_frame_type, less SSP_FRAME_STREAM */
	bool open;    /* its fate is unknown */
	bool over;    /* its bytes were sent again: a loss does not matter */
	struct ssp_range bytes;
};

/* The stream of a rank that goes first. */
struct streams_turn {
	uint64_t id;  /* SSP_STREAM_NONE: any */
	mono_ms at;   /* when its turn began */
	size_t bytes; /* written since then */
};

struct ssp_streams {
	struct ssp_core *core;
	bool client;
	enum ssp_streams_allow allow;
	bool accept; /* the peer may open streams */
	struct map all;
	struct list data[SSP_PRIOS]; /* have bytes to send */
	struct streams_turn turn[SSP_PRIOS];
	struct list control; /* have other frames to send */
	struct list news;
	size_t nbusy; /* with bytes or an end that have not arrived */
	size_t pool;  /* credit granted beyond SSP_STREAMS_FIRST */

	uint64_t next;   /* id of our next stream */
	uint64_t oldest; /* our oldest id whose OPEN may be unconfirmed */
	uint64_t top;    /* the peer's highest id, plus 2 */
	uint64_t seen[SSP_STREAMS_OPENS / 64 + 1]; /* of the ids below */

	struct streams_sent *log; /* ascending pn */
	size_t head, nlog, log_cap;
	size_t flying; /* log entries with bytes */

	/*
	 * While the peer is silent one datagram at a time goes, less and less
	 * often.
	 */
	bool silent;
	unsigned backoff;
	mono_ms next_at;
	mono_ms pause; /* nothing before this */

	/* Repetitions of the last bytes, before an ack or a loss is due. */
	mono_ms sent; /* last datagram with bytes that are no repetition */
	unsigned tails;
};

#define SEEN_BITS (ARRAY_LEN(((struct ssp_streams *)NULL)->seen) * 64)

struct ssp_streams *
ssp_streams_new(struct ssp_core *core, bool client)
{
	struct ssp_streams *ss = mem_zalloc(sizeof(*ss));
	unsigned i;

	ss->core = core;
	ss->client = client;
	/* Id 0 is SSP_STREAM_CONTROL. */
	ss->next = ss->oldest = client ? 2 : 1;
	ss->top = client ? 1 : 2;
	map_init_ids(&ss->all);
	for (i = 0; i < SSP_PRIOS; i++) {
		list_init(&ss->data[i]);
		ss->turn[i].id = SSP_STREAM_NONE;
	}
	list_init(&ss->control);
	list_init(&ss->news);
	return ss;
}

static void
one_free(struct streams_one *one)
{
	ssp_stream_fini(&one->s);
	mem_free(one->what);
	mem_free(one->text);
	mem_free(one);
}

void
ssp_streams_free(struct ssp_streams *ss)
{
	struct map_entry *e;

	if (ss == NULL)
		return;
	MAP_FOREACH(e, &ss->all)
		one_free(e->value);
	map_fini(&ss->all);
	mem_free(ss->log);
	mem_free(ss);
}

void
ssp_streams_accept(struct ssp_streams *ss, bool yes)
{
	ss->accept = yes;
}

static struct streams_one *
streams_one(const struct ssp_streams *ss, uint64_t id)
{
	return map_get_id(&ss->all, id);
}

size_t
ssp_streams_count(const struct ssp_streams *ss)
{
	return ss->all.count;
}

/* --- where a stream belongs --- */

static void
list_set(struct list *l, struct list_node *n, bool in)
{
	if (in && !list_linked(n))
		list_push_back(l, n);
	else if (!in && list_linked(n))
		list_remove(l, n);
}

/* Returns whether the peer reads the frames of the stream. */
static bool
one_live(const struct ssp_streams *ss, const struct streams_one *one)
{
	return ss->allow == SSP_STREAMS_ALL ||
	       (one->fixed && ss->allow == SSP_STREAMS_OLD);
}

static bool
one_has_data(const struct ssp_streams *ss, const struct streams_one *one)
{
	return one_live(ss, one) && one->reset.is == SURE_NO &&
	       !one->in_reset && ssp_stream_waits(&one->s);
}

/* Returns whether END should go: all bytes were sent once. */
static bool
one_end_due(const struct streams_one *one)
{
	const struct ssp_stream_out *o = &one->s.out;

	return one->end.is == SURE_DUE && o->tried == o->end;
}

static bool
one_has_control(const struct ssp_streams *ss, const struct streams_one *one)
{
	if (!one_live(ss, one) || one->in_reset)
		return false;
	if (one->reset.is != SURE_NO)
		return one->reset.is == SURE_DUE;
	return one->open.is == SURE_DUE || one_end_due(one) ||
	       (!one->in_end && ssp_stream_credit_waits(&one->s));
}

/* Returns whether bytes, an end or a reset of this end have not arrived. */
static bool
one_busy(const struct streams_one *one)
{
	if (one->in_reset || one->reset.is != SURE_NO)
		return one->reset.is == SURE_DUE ||
		       one->reset.is == SURE_FLYING;
	return one->s.out.end > one->s.out.base || one->end.is == SURE_DUE ||
	       one->end.is == SURE_FLYING;
}

static bool
one_finished(const struct streams_one *one)
{
	if (!one->released)
		return false;
	if (one->in_reset || one->reset.is == SURE_DONE)
		return true;
	return one->reset.is == SURE_NO && !one_busy(one) && one->in_end;
}

/* Returns the window beyond that of the first credit. */
static size_t
one_pool(const struct streams_one *one)
{
	return one->fixed ? 0 : one->s.in.window - SSP_STREAMS_FIRST;
}

static void
streams_drop(struct ssp_streams *ss, struct streams_one *one)
{
	list_set(&ss->data[one->prio], &one->data, false);
	list_set(&ss->control, &one->control, false);
	list_set(&ss->news, &one->news, false);
	ss->nbusy -= one->busy;
	ss->pool -= one_pool(one);
	(void)map_remove_id(&ss->all, one->id);
	one_free(one);
}

static void
streams_lists(struct ssp_streams *ss, struct streams_one *one)
{
	list_set(&ss->data[one->prio], &one->data, one_has_data(ss, one));
	list_set(&ss->control, &one->control, one_has_control(ss, one));
}

/* Puts a changed stream where it belongs; it may be gone afterwards. */
static void
streams_touch(struct ssp_streams *ss, struct streams_one *one)
{
	bool busy = one_busy(one);

	if (one_finished(one)) {
		streams_drop(ss, one);
		return;
	}
	ss->nbusy += (size_t)busy - (size_t)one->busy;
	one->busy = busy;
	streams_lists(ss, one);
}

/* The same, and its user should look at it. */
static void
streams_tell(struct ssp_streams *ss, struct streams_one *one)
{
	if (!one->released)
		list_set(&ss->news, &one->news, true);
	streams_touch(ss, one);
}

static struct streams_one *
streams_add(struct ssp_streams *ss, uint64_t id, bool fixed)
{
	struct streams_one *one = mem_zalloc(sizeof(*one));

	one->id = id;
	one->fixed = fixed;
	one->prio = SSP_PRIO_FLOW;
	ssp_stream_init(&one->s, fixed ? SSP_STREAMS_FIXED : SSP_STREAMS_FIRST,
	    fixed ? SSP_STREAMS_GAPS : SSP_STREAMS_PIECES);
	(void)map_set_id(&ss->all, id, one);
	return one;
}

/* --- for users --- */

void
ssp_streams_allow(struct ssp_streams *ss, enum ssp_streams_allow allow)
{
	struct map_entry *e;

	ss->allow = allow;
	MAP_FOREACH(e, &ss->all)
		streams_lists(ss, e->value);
}

bool
ssp_streams_fixed(struct ssp_streams *ss, uint64_t id)
{
	if (ss->all.count >= SSP_STREAMS_MAX || streams_one(ss, id) != NULL)
		return false;
	(void)streams_add(ss, id, true);
	return true;
}

static void
one_set_what(struct streams_one *one, const void *what, size_t n)
{
	one->what = mem_alloc(MAX_OF(n, (size_t)1));
	one->nwhat = n;
	if (n > 0)
		memcpy(one->what, what, n);
}

/* Skips our ids whose OPEN has arrived. */
static void
streams_confirmed(struct ssp_streams *ss)
{
	const struct streams_one *one;

	for (; ss->oldest < ss->next; ss->oldest += 2) {
		one = streams_one(ss, ss->oldest);
		if (one != NULL && one->open.is != SURE_DONE)
			break;
	}
}

uint64_t
ssp_streams_open(
    struct ssp_streams *ss, enum ssp_prio prio, const void *what, size_t n)
{
	struct streams_one *one;

	streams_confirmed(ss);
	if (ss->allow != SSP_STREAMS_ALL || ss->all.count >= SSP_STREAMS_MAX ||
	    n > SSP_STREAM_WHAT_MAX ||
	    (ss->next - ss->oldest) / 2 >= SSP_STREAMS_OPENS - 1)
		return SSP_STREAM_NONE;
	one = streams_add(ss, ss->next, false);
	ss->next += 2;
	one->prio = prio;
	one->open.is = SURE_DUE;
	one_set_what(one, what, n);
	streams_touch(ss, one);
	return one->id;
}

uint64_t
ssp_streams_news(struct ssp_streams *ss)
{
	struct list_node *n = list_first(&ss->news);
	struct streams_one *one;

	if (n == NULL)
		return SSP_STREAM_NONE;
	list_remove(&ss->news, n);
	one = container_of(n, struct streams_one, news);
	return one->id;
}

const uint8_t *
ssp_streams_what(const struct ssp_streams *ss, uint64_t id, size_t *n)
{
	const struct streams_one *one = streams_one(ss, id);

	*n = one == NULL ? 0 : one->nwhat;
	return one == NULL ? NULL : one->what;
}

static bool
one_takes(const struct streams_one *one)
{
	return one != NULL && !one->ended && !one->in_reset &&
	       one->reset.is == SURE_NO;
}

/* Returns how many bytes a stream may keep; all streams share one bound. */
static size_t
streams_most(const struct ssp_streams *ss, const struct streams_one *one)
{
	const size_t most = ssp_stream_most(&one->s),
		     all = ss->nbusy <= SSP_STREAMS_FEW ? SSP_STREAMS_KEPT_FEW
							: SSP_STREAMS_KEPT;

	if (one->fixed)
		return most;
	return MIN_OF(most, MAX_OF(all / MAX_OF(ss->nbusy, 1u),
				(size_t)SSP_STREAMS_KEPT_LEAST));
}

static size_t
one_kept(const struct streams_one *one)
{
	return (size_t)(one->s.out.end - one->s.out.base);
}

/* Returns how many bytes a stream takes now. */
static size_t
streams_room(const struct ssp_streams *ss, const struct streams_one *one)
{
	const size_t most = streams_most(ss, one), kept = one_kept(one);

	return kept < most ? most - kept : 0;
}

/*
 * Returns whether the room is worth a read: a stream that is full is filled up
 * seldom and with many bytes, not with a few for each ack, while it has bytes to
 * send.
 */
static bool
streams_worth(const struct ssp_streams *ss, const struct streams_one *one)
{
	const struct ssp_stream_out *o = &one->s.out;
	const size_t part =
	    o->end - o->tried >= STREAMS_WORTH / 2 ? 8 : STREAMS_EMPTY;
	const size_t worth = streams_most(ss, one) / part;

	return streams_room(ss, one) >= MIN_OF(worth, (size_t)STREAMS_WORTH);
}

size_t
ssp_streams_room(const struct ssp_streams *ss, uint64_t id)
{
	const struct streams_one *one = streams_one(ss, id);

	return one_takes(one) ? streams_room(ss, one) : 0;
}

bool
ssp_streams_worth(const struct ssp_streams *ss, uint64_t id)
{
	const struct streams_one *one = streams_one(ss, id);

	return one_takes(one) && streams_worth(ss, one);
}

size_t
ssp_streams_kept(const struct ssp_streams *ss, uint64_t id)
{
	const struct streams_one *one = streams_one(ss, id);

	return one == NULL ? 0 : one_kept(one);
}

size_t
ssp_streams_put(struct ssp_streams *ss, uint64_t id, const void *p, size_t n)
{
	struct streams_one *one = streams_one(ss, id);

	if (!one_takes(one))
		return 0;
	n = ssp_stream_put(&one->s, p, MIN_OF(n, streams_room(ss, one)));
	streams_touch(ss, one);
	return n;
}

const uint8_t *
ssp_streams_peek(const struct ssp_streams *ss, uint64_t id, size_t *n)
{
	const struct streams_one *one = streams_one(ss, id);

	*n = 0;
	return one == NULL || one->in_reset ? NULL
					    : ssp_stream_peek(&one->s, n);
}

/*
 * Doubles the credit of a stream whose bytes are taken as soon as they come: the
 * credit, not the reader, limits it.  That is so where a quarter is used within
 * half of a round trip, or where it ends before a lost piece has come again.
 */
static void
streams_widen(struct ssp_streams *ss, mono_ms now, struct streams_one *one)
{
	struct ssp_stream_in *in = &one->s.in;
	const mono_ms rtt =
	    MAX_OF(MAX_OF(ssp_rtt_srtt(&ss->core->rtt), ss->core->far),
		(mono_ms)STREAMS_QUICK);

	if (!one->fixed && one->credited > 0 &&
	    (now - one->credited < rtt / 2 || one->starved) &&
	    in->window <= SSP_STREAM_WINDOW_MAX / 2 &&
	    in->window <= SSP_STREAMS_POOL - ss->pool) {
		ss->pool += in->window;
		in->window *= 2;
	}
	one->credited = now;
	one->starved = false;
}

void
ssp_streams_taken(struct ssp_streams *ss, mono_ms now, uint64_t id, size_t n)
{
	struct streams_one *one = streams_one(ss, id);
	bool waited;

	bug_assert(one != NULL);
	waited = ssp_stream_credit_waits(&one->s);
	ssp_stream_taken(&one->s, n);
	if (!waited && ssp_stream_credit_waits(&one->s))
		streams_widen(ss, now, one);
	streams_touch(ss, one);
}

void
ssp_streams_end(struct ssp_streams *ss, uint64_t id)
{
	struct streams_one *one = streams_one(ss, id);

	if (one == NULL || one->ended)
		return;
	one->ended = true;
	if (!one->fixed)
		one->end.is = SURE_DUE;
	streams_touch(ss, one);
}

enum ssp_stream_state
ssp_streams_state(const struct ssp_streams *ss, uint64_t id)
{
	const struct streams_one *one = streams_one(ss, id);

	if (one == NULL)
		return SSP_STREAM_GONE;
	if (one->in_reset)
		return SSP_STREAM_RESET;
	return one->in_end && one->s.in.taken == one->in_last ? SSP_STREAM_ENDED
							      : SSP_STREAM_OPEN;
}

uint64_t
ssp_streams_reason(const struct ssp_streams *ss, uint64_t id, const char **text)
{
	const struct streams_one *one = streams_one(ss, id);

	*text = one == NULL || one->text == NULL ? "" : one->text;
	return one == NULL ? SSP_REASON_GONE : one->reason;
}

void
ssp_streams_reset(
    struct ssp_streams *ss, uint64_t id, uint64_t reason, const char *text)
{
	struct streams_one *one = streams_one(ss, id);
	size_t n = text == NULL ? 0 : strlen(text);

	if (one == NULL || one->fixed)
		return;
	if (one->reset.is == SURE_NO && !one->in_reset) {
		one->reset.is = SURE_DUE;
		one->reason = reason;
		one->text = mem_strndup(
		    text == NULL ? "" : text, MIN_OF(n, SSP_STREAM_TEXT_MAX));
	}
	ssp_streams_release(ss, id);
}

void
ssp_streams_rank(struct ssp_streams *ss, uint64_t id, enum ssp_prio prio)
{
	struct streams_one *one = streams_one(ss, id);

	if (one == NULL)
		return;
	list_set(&ss->data[one->prio], &one->data, false);
	one->prio = prio;
	streams_touch(ss, one);
}

void
ssp_streams_release(struct ssp_streams *ss, uint64_t id)
{
	struct streams_one *one = streams_one(ss, id);

	if (one == NULL || one->fixed)
		return;
	one->released = true;
	list_set(&ss->news, &one->news, false);
	if ((!one->ended || !one->in_end || one->s.in.taken < one->in_last) &&
	    one->reset.is == SURE_NO && !one->in_reset)
		one->reset.is = SURE_DUE;
	streams_touch(ss, one);
}

/* --- when --- */

bool
ssp_streams_more(const struct ssp_streams *ss)
{
	unsigned i;

	for (i = 0; i < SSP_PRIOS; i++)
		if (!list_empty(&ss->data[i]))
			return ss->allow != SSP_STREAMS_NONE;
	return false;
}

bool
ssp_streams_flying(const struct ssp_streams *ss)
{
	return ss->flying > 0;
}

bool
ssp_streams_flushed(const struct ssp_streams *ss)
{
	return ss->allow == SSP_STREAMS_NONE || ss->nbusy == 0;
}

/* Returns the bytes sent last whose fate is unknown, or NULL. */
static struct streams_sent *
streams_last(const struct ssp_streams *ss)
{
	struct streams_sent *e;
	size_t i;

	if (ss->flying == 0)
		return NULL;
	for (i = ss->nlog; i > 0; i--) {
		e = &ss->log[ss->head + i - 1];
		if (e->open && !e->over && e->type == 0)
			return e;
	}
	return NULL;
}

/*
 * Returns when to repeat the last bytes, so that their loss costs less than a
 * timeout: as copies of small states go, then once when the ack is overdue.
 */
static mono_ms
streams_tail(const struct ssp_streams *ss)
{
	const struct ssp_core *c = ss->core;
	const struct streams_sent *last;
	mono_ms srtt = ssp_rtt_srtt(&c->rtt);
	unsigned copies;

	if (ss->silent || c->link != SSP_LINK_DATAGRAM || !c->rtt.have ||
	    (last = streams_last(ss)) == NULL)
		return MONO_NEVER;
	copies = last->bytes.to - last->bytes.from > SSP_STREAMS_COPY
		     ? 0
		     : ssp_core_copies(c);
	copies = MIN_OF(copies, (unsigned)SSP_STREAMS_TAILS - 1);
	if (ss->tails < copies)
		return ss->sent + ssp_redundancy_at(
				      ssp_redundancy_spread(), ss->tails + 1);
	if (ss->tails > copies)
		return MONO_NEVER;
	return ss->sent + srtt + srtt / 8 + ssp_core_ack_delay(c) +
	       SSP_STREAMS_LATE;
}

/*
 * Returns when bytes that fly by a second path are late; MONO_NEVER: none fly
 * there.  MARK: those that are late by then go again, by the first.
 */
static mono_ms
streams_far(struct ssp_streams *ss, bool mark, mono_ms now)
{
	const struct ssp_core *c = ss->core;
	const struct ssp_pkt *p;
	struct streams_sent *e;
	struct streams_one *one;
	size_t i;

	if (c->loss.second.in_flight == 0 || ss->flying == 0)
		return MONO_NEVER;
	for (i = ss->head; i < ss->head + ss->nlog; i++) {
		e = &ss->log[i];
		if (!e->open || e->over || e->type != 0 ||
		    (p = ssp_loss_find(&c->loss, e->pn)) == NULL || !p->second)
			continue;
		if (!mark || p->time + c->far > now)
			return p->time + c->far;
		e->over = true;
		if ((one = streams_one(ss, e->id)) == NULL)
			continue;
		ssp_stream_again(&one->s, &e->bytes);
		streams_touch(ss, one);
	}
	return MONO_NEVER;
}

bool
ssp_streams_still(const struct ssp_streams *ss)
{
	return ss->flying == 0 && list_empty(&ss->control) &&
	       !ssp_streams_more(ss);
}

mono_ms
ssp_streams_time(struct ssp_streams *ss, mono_ms now, mono_ms room)
{
	mono_ms t;

	if (ss->allow == SSP_STREAMS_NONE)
		return MONO_NEVER;
	if (!list_empty(&ss->control))
		t = now;
	else if (ssp_streams_more(ss))
		t = room;
	else if (ss->core->far == 0)
		t = streams_tail(ss);
	else
		t = mono_min(streams_tail(ss),
		    MAX_OF(room, streams_far(ss, false, now)));
	t = MAX_OF(t, ss->pause);
	return ss->silent ? MAX_OF(t, ss->next_at) : t;
}

/* --- sending --- */

static void
streams_log(struct ssp_streams *ss, uint64_t pn, uint64_t id, uint64_t type,
    const struct ssp_range *bytes)
{
	struct streams_sent *e;

	if (ss->head + ss->nlog == ss->log_cap && ss->head > ss->nlog) {
		memmove(
		    ss->log, ss->log + ss->head, ss->nlog * sizeof(*ss->log));
		ss->head = 0;
	} else if (ss->head + ss->nlog == ss->log_cap) {
		ss->log_cap = MAX_OF(ss->log_cap * 2, (size_t)64);
		ss->log = mem_resize(ss->log, ss->log_cap, sizeof(*ss->log));
	}
	e = &ss->log[ss->head + ss->nlog++];
	memset(e, 0, sizeof(*e));
	e->pn = pn;
	e->id = id;
	e->type = (uint8_t)(type - SSP_FRAME_STREAM);
	e->open = true;
	if (bytes == NULL)
		return;
	e->bytes = *bytes;
	ss->flying++;
}

/* Writes the body of a frame behind the id; false: there is none, or no room. */
static bool
one_body(struct streams_one *one, uint64_t type, struct wr *w,
    struct ssp_range *sent)
{
	size_t n = 0;

	switch (type) {
	case SSP_FRAME_STREAM:
		return ssp_stream_write(&one->s, w, sent);
	case SSP_FRAME_CREDIT:
		return ssp_stream_credit_write(&one->s, w);
	case SSP_FRAME_OPEN:
		wr_bytes(w, one->what, one->nwhat);
		break;
	case SSP_FRAME_END:
		wr_varint(w, one->s.out.end);
		break;
	default:
		n = one->text == NULL ? 0 : strlen(one->text);
		wr_varint(w, one->reason);
		wr_bytes(w, one->text, n);
	}
	return w->err == 0;
}

/*
 * Writes one frame of TYPE, whose length is known afterwards. Returns whether
 * there was one.
 */
static bool
streams_frame(struct ssp_streams *ss, struct streams_one *one, uint64_t type,
    uint64_t pn, struct wr *w)
{
	struct ssp_range sent = { 0, 0 };
	uint8_t body[STREAMS_ID], *at;
	struct wr b, id;
	size_t head;

	wr_init(&id, body, sizeof(body));
	wr_varint(&id, one->id);
	head = wr_len(&id);
	if (wr_left(w) < STREAMS_HEAD + head)
		return false;
	at = w->p + STREAMS_HEAD;
	wr_init(&b, at + head,
	    MIN_OF(wr_left(w) - STREAMS_HEAD - head, (size_t)STREAMS_FRAME));
	if (!one_body(one, type, &b, &sent))
		return false;
	memcpy(at, body, head);
	wr_varint(w, type);
	wr_varint(w, head + wr_len(&b));
	/* Of a long frame the length takes all its room. */
	if (w->p != at)
		memmove(w->p, at, head + wr_len(&b));
	w->p += head + wr_len(&b);
	streams_log(
	    ss, pn, one->id, type, type == SSP_FRAME_STREAM ? &sent : NULL);
	return true;
}

static bool
streams_sure(struct ssp_streams *ss, struct streams_one *one,
    struct streams_sure *s, uint64_t type, uint64_t pn, struct wr *w)
{
	if (!streams_frame(ss, one, type, pn, w))
		return false;
	s->is = SURE_FLYING;
	s->pn = pn;
	return true;
}

/*
 * Writes OPEN, in each datagram with another frame of the stream until it has
 * arrived: the peer drops frames of streams that it does not know.  False: no
 * room for it and REST bytes.
 */
static bool
streams_known(struct ssp_streams *ss, struct streams_one *one, size_t rest,
    uint64_t pn, struct wr *w)
{
	if (one->open.is == SURE_NO || one->open.is == SURE_DONE ||
	    (one->open.is == SURE_FLYING && one->open.pn == pn))
		return true;
	return wr_left(w) >= one->nwhat + STREAMS_HEAD + STREAMS_ID + rest &&
	       streams_sure(ss, one, &one->open, SSP_FRAME_OPEN, pn, w);
}

/* Writes the frames of a stream that are no data; returns whether it did. */
static bool
streams_control(
    struct ssp_streams *ss, struct streams_one *one, uint64_t pn, struct wr *w)
{
	const uint8_t *before = w->p;

	if (one->reset.is == SURE_DUE)
		return streams_sure(
		    ss, one, &one->reset, SSP_FRAME_RESET, pn, w);
	if (!streams_known(ss, one, SSP_STREAM_HEAD * 2, pn, w))
		return false;
	if (one_end_due(one))
		(void)streams_sure(ss, one, &one->end, SSP_FRAME_END, pn, w);
	if (!one->in_end && ssp_stream_credit_waits(&one->s))
		(void)streams_sure(
		    ss, one, &one->credit, SSP_FRAME_CREDIT, pn, w);
	return w->p > before;
}

/* Writes bytes of a stream; the peer must know it first. */
static bool
streams_bytes(
    struct ssp_streams *ss, struct streams_one *one, uint64_t pn, struct wr *w)
{
	const uint8_t *before = w->p;

	if (streams_known(ss, one,
		STREAMS_HEAD + STREAMS_ID + SSP_STREAM_HEAD + SSP_STREAM_LEAST,
		pn, w))
		(void)streams_frame(ss, one, SSP_FRAME_STREAM, pn, w);
	return w->p > before;
}

/*
 * Returns the stream of a rank whose turn it is.  A turn lasts one millisecond and
 * STREAMS_TURN bytes at most: on a fast link a stream sends several datagrams at
 * once, which the other end takes with one write, while on a slow link each
 * datagram is of another stream.
 */
static struct streams_one *
streams_turn_of(struct list *l, struct streams_turn *turn, mono_ms now)
{
	struct list_node *n = list_first(l);
	struct streams_one *one = container_of(n, struct streams_one, data);

	if (one->id == turn->id &&
	    (turn->at != now || turn->bytes >= STREAMS_TURN)) {
		list_remove(l, n);
		list_push_back(l, n);
		one = container_of(list_first(l), struct streams_one, data);
		turn->id = SSP_STREAM_NONE;
	}
	if (one->id != turn->id)
		*turn = (struct streams_turn){ .id = one->id, .at = now };
	return one;
}

/*
 * Writes bytes of each stream, urgent ones first, from rank I on; returns whether
 * it did.
 */
static bool
streams_data(
    struct ssp_streams *ss, mono_ms now, unsigned i, uint64_t pn, struct wr *w)
{
	struct streams_one *one;
	const uint8_t *before;
	bool some = false;
	size_t left;

	for (; i < SSP_PRIOS; i++) {
		for (left = ss->data[i].count;
		     left > 0 && !list_empty(&ss->data[i]); left--) {
			one = streams_turn_of(&ss->data[i], &ss->turn[i], now);
			before = w->p;
			if (!streams_bytes(ss, one, pn, w))
				return some;
			some = true;
			ss->turn[i].bytes += (size_t)(w->p - before);
			streams_touch(ss, one);
		}
	}
	return some;
}

/* Sends the last bytes again. */
static bool
streams_repeat(struct ssp_streams *ss, mono_ms now, uint64_t pn, struct wr *w)
{
	struct streams_sent *last = streams_last(ss);
	struct streams_one *one = streams_one(ss, last->id);

	ss->tails++;
	last->over = true;
	if (one == NULL)
		return false;
	ssp_stream_again(&one->s, &last->bytes);
	streams_touch(ss, one);
	return streams_data(ss, now, 0, pn, w);
}

bool
ssp_streams_turn(const struct ssp_streams *ss)
{
	return ss->silent && ss->backoff % 2 == 1 &&
	       (!list_empty(&ss->data[SSP_PRIO_FLOW]) ||
		   !list_empty(&ss->data[SSP_PRIO_BULK]));
}

/* A datagram has gone to a silent peer: the next one waits. */
static void
streams_paused(struct ssp_streams *ss, mono_ms now)
{
	if (!ss->silent)
		return;
	ss->next_at =
	    now + mono_min(2 * ssp_rtt_rto(&ss->core->rtt) << ss->backoff,
		      SSP_RTO_MAX);
	ss->backoff = MIN_OF(ss->backoff + 1, STREAMS_BACKOFF);
}

unsigned
ssp_streams_write(struct ssp_streams *ss, mono_ms now, uint64_t pn,
    struct wr *w, mono_ms room)
{
	bool more = ssp_streams_more(ss), data = room <= now;
	struct streams_one *one;
	unsigned wrote = 0;
	size_t left;

	if (ssp_streams_time(ss, now, room) > now)
		return 0;
	for (left = ss->control.count; left > 0; left--) {
		one = container_of(
		    list_first(&ss->control), struct streams_one, control);
		if (!streams_control(ss, one, pn, w))
			break;
		wrote |= SSP_STREAMS_CONTROL;
		list_remove(&ss->control, &one->control);
		streams_touch(ss, one);
	}
	/* At the end, the first path does not wait for the second. */
	if (!more && data && ss->core->far > 0) {
		(void)streams_far(ss, true, now);
		more = ssp_streams_more(ss);
	}
	if (more && data && streams_data(ss, now, 0, pn, w)) {
		wrote |= SSP_STREAMS_DATA;
		ss->sent = now;
		ss->tails = 0;
	} else if (!more && streams_tail(ss) <= now &&
		   streams_repeat(ss, now, pn, w)) {
		wrote |= SSP_STREAMS_DATA;
	}
	if (wrote == 0)
		ss->pause = now + STREAMS_PAUSE;
	else
		streams_paused(ss, now);
	return wrote;
}

mono_ms
ssp_streams_wide(const struct ssp_streams *ss, mono_ms now, uint64_t enough)
{
	const struct streams_one *one;
	struct list_node *n;
	uint64_t sum = 0;
	unsigned i;

	if (ss->allow == SSP_STREAMS_NONE ||
	    (ss->silent && !ssp_streams_turn(ss)))
		return MONO_NEVER;
	if (ss->silent)
		enough = 0;
	for (i = SSP_PRIO_FLOW; i < SSP_PRIOS; i++)
		LIST_FOREACH(n, &ss->data[i]) {
			one = container_of(n, struct streams_one, data);
			sum += ssp_stream_waiting(&one->s, enough - sum);
			if (sum > enough)
				return ss->silent ? MAX_OF(now, ss->next_at)
						  : now;
		}
	return MONO_NEVER;
}

bool
ssp_streams_spread(
    struct ssp_streams *ss, mono_ms now, uint64_t pn, struct wr *w)
{
	if (!streams_data(ss, now, SSP_PRIO_FLOW, pn, w))
		return false;
	streams_paused(ss, now);
	ss->sent = now;
	ss->tails = 0;
	return true;
}

/* --- fates of datagrams --- */

static struct streams_sure *
one_sure(struct streams_one *one, unsigned type)
{
	switch (type + SSP_FRAME_STREAM) {
	case SSP_FRAME_CREDIT:
		return &one->credit;
	case SSP_FRAME_OPEN:
		return &one->open;
	case SSP_FRAME_END:
		return &one->end;
	default:
		return &one->reset;
	}
}

static void
streams_sure_fate(struct ssp_streams *ss, struct streams_one *one,
    const struct streams_sent *e, bool acked)
{
	struct streams_sure *s = one_sure(one, e->type);

	if (acked) {
		/* An older CREDIT says less. */
		if (s != &one->credit || s->pn == e->pn)
			s->is = SURE_DONE;
	} else if (s->is == SURE_FLYING && s->pn == e->pn) {
		s->is = SURE_DUE;
		if (s == &one->credit)
			ssp_stream_credit_lost(&one->s);
	}
	streams_touch(ss, one);
}

static void
streams_data_fate(struct ssp_streams *ss, struct streams_one *one,
    const struct streams_sent *e, bool acked)
{
	const size_t room = streams_room(ss, one);

	if (acked)
		ssp_stream_acked(&one->s, &e->bytes);
	else if (e->over)
		ssp_stream_landed(&one->s);
	else
		ssp_stream_lost(&one->s, &e->bytes);
	if (streams_room(ss, one) > room && streams_worth(ss, one))
		streams_tell(ss, one);
	else
		streams_touch(ss, one);
}

/* Returns the place of the first log entry of a datagram >= PN. */
static size_t
streams_place(const struct ssp_streams *ss, uint64_t pn)
{
	size_t lo = ss->head, hi = ss->head + ss->nlog, mid;

	while (lo < hi) {
		mid = (lo + hi) / 2;
		if (ss->log[mid].pn < pn)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

static void
streams_fate(struct ssp_streams *ss, uint64_t pn, bool acked)
{
	struct streams_sent *e;
	struct streams_one *one;
	size_t i;

	for (i = streams_place(ss, pn);
	     i < ss->head + ss->nlog && ss->log[i].pn == pn; i++) {
		e = &ss->log[i];
		if (!e->open)
			continue;
		e->open = false;
		ss->flying -= e->type == 0;
		if ((one = streams_one(ss, e->id)) == NULL)
			continue;
		if (e->type == 0)
			streams_data_fate(ss, one, e, acked);
		else
			streams_sure_fate(ss, one, e, acked);
	}
	for (; ss->nlog > 0 && !ss->log[ss->head].open; ss->nlog--)
		ss->head++;
	if (ss->nlog == 0)
		ss->head = 0;
}

void
ssp_streams_acked(struct ssp_streams *ss, uint64_t pn)
{
	streams_fate(ss, pn, true);
}

void
ssp_streams_lost(struct ssp_streams *ss, mono_ms now, uint64_t pn, bool silent)
{
	streams_fate(ss, pn, false);
	if (!silent || ss->silent)
		return;
	ss->silent = true;
	ss->backoff = 0;
	ss->next_at = now;
}

void
ssp_streams_heard(struct ssp_streams *ss)
{
	ss->silent = false;
}

/* --- receiving --- */

/* Returns whether the peer opened ID before, and notes it. */
static bool
streams_seen(struct ssp_streams *ss, uint64_t id)
{
	const uint64_t n = id / 2, top = ss->top / 2;
	const bool fresh = id >= ss->top;
	bool seen;
	uint64_t i;

	if (fresh) {
		for (i = top; i < n && i < top + SEEN_BITS; i++)
			ss->seen[i % SEEN_BITS / 64] &=
			    ~(UINT64_C(1) << (i % 64));
		ss->top = id + 2;
	} else if (top - n > SEEN_BITS) {
		return true;
	}
	seen = !fresh && (ss->seen[n % SEEN_BITS / 64] >> (n % 64) & 1) != 0;
	ss->seen[n % SEEN_BITS / 64] |= UINT64_C(1) << (n % 64);
	return seen;
}

/* Returns whether the peer may open ID. */
static bool
streams_theirs(const struct ssp_streams *ss, uint64_t id)
{
	return (id & 1) == ss->client && id > 0 && id < WIRE_VARINT_MAX;
}

static int
streams_on_open(struct ssp_streams *ss, uint64_t id, struct rd *r)
{
	struct streams_one *one;
	bool full = ss->all.count >= SSP_STREAMS_MAX;

	peer_check(streams_theirs(ss, id) && rd_left(r) <= SSP_STREAM_WHAT_MAX);
	if (!ss->accept || streams_one(ss, id) != NULL ||
	    (full && ss->all.count >= SSP_STREAMS_MAX + SSP_STREAMS_OPENS) ||
	    streams_seen(ss, id))
		return 0;
	one = streams_add(ss, id, false);
	one_set_what(one, r->p, rd_left(r));
	if (full)
		ssp_streams_reset(ss, id, SSP_REASON_LIMIT, "too many streams");
	else
		streams_tell(ss, one);
	return 0;
}

static int
streams_on_end(struct ssp_streams *ss, struct streams_one *one, struct rd *r)
{
	uint64_t last = rd_varint(r);

	peer_check(rd_done(r) == 0 && last >= ssp_stream_reach(&one->s) &&
		   last <= one->s.in.limit &&
		   (!one->in_end || one->in_last == last));
	one->in_end = true;
	one->in_last = last;
	streams_tell(ss, one);
	return 0;
}

static int
streams_on_reset(struct ssp_streams *ss, struct streams_one *one, struct rd *r)
{
	uint64_t reason = rd_varint(r);

	peer_check(r->err == 0 && rd_left(r) <= SSP_STREAM_TEXT_MAX);
	one->in_reset = true;
	one->reason = reason;
	mem_free(one->text);
	one->text = mem_strndup((const char *)r->p, rd_left(r));
	streams_tell(ss, one);
	return 0;
}

static int
streams_on_data(struct ssp_streams *ss, struct streams_one *one, struct rd *r)
{
	const struct ssp_stream_in *in = &one->s.in;
	bool missing = in->here.n > 0 && in->here.r[0].from > in->taken;
	int e = ssp_stream_read(&one->s, r->p, rd_left(r));

	if (missing && in->limit - ssp_stream_reach(&one->s) < in->window / 2)
		one->starved = true;
	/* security: no byte comes behind the end. */
	if (e == 0 && one->in_end && ssp_stream_reach(&one->s) > one->in_last)
		e = -ERR_PEER;
	streams_tell(ss, one);
	return e;
}

static int
streams_on_credit(struct ssp_streams *ss, struct streams_one *one, struct rd *r)
{
	int e = ssp_stream_credit_read(&one->s, r->p, rd_left(r));

	streams_tell(ss, one);
	return e;
}

int
ssp_streams_read(
    struct ssp_streams *ss, uint64_t type, const uint8_t *body, size_t n)
{
	struct streams_one *one;
	uint64_t id;
	struct rd r;

	rd_init(&r, body, n);
	id = rd_varint(&r);
	peer_check(r.err == 0);
	if (type == SSP_FRAME_OPEN)
		return streams_on_open(ss, id, &r);
	one = streams_one(ss, id);
	/* The OPEN of a stream that its opener gave up may come later. */
	if (one == NULL && type == SSP_FRAME_RESET && streams_theirs(ss, id))
		(void)streams_seen(ss, id);
	if (one == NULL || one->reset.is != SURE_NO || one->in_reset)
		return 0;
	switch (type) {
	case SSP_FRAME_STREAM:
		return streams_on_data(ss, one, &r);
	case SSP_FRAME_CREDIT:
		return streams_on_credit(ss, one, &r);
	case SSP_FRAME_END:
		return one->fixed ? 0 : streams_on_end(ss, one, &r);
	default:
		return one->fixed ? 0 : streams_on_reset(ss, one, &r);
	}
}

bool
ssp_streams_check(const struct ssp_streams *ss)
{
	size_t busy = 0, pool = 0, flying = 0, i;
	const struct streams_one *one;
	struct map_entry *e;

	MAP_FOREACH(e, &ss->all) {
		one = e->value;
		busy += one->busy;
		pool += one_pool(one);
		if (!ssp_stream_check(&one->s) || one->busy != one_busy(one) ||
		    list_linked(&one->data) != one_has_data(ss, one) ||
		    list_linked(&one->control) != one_has_control(ss, one))
			return false;
	}
	for (i = ss->head; i < ss->head + ss->nlog; i++)
		flying += ss->log[i].open && ss->log[i].type == 0;
	return busy == ss->nbusy && pool == ss->pool &&
	       pool <= SSP_STREAMS_POOL && flying == ss->flying;
}
