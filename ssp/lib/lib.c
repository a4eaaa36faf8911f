/*
 * The public functions: a transport and a connection in one, in the numbers and
 * addresses of ssp.h.
 */
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/wire.h"
#include "ssp/compress.h"
#include "ssp/crypto.h"
#include "ssp/lib/lib_int.h"

#define LIB_LABEL 16      /* bytes of a label */
#define LIB_DGRAM_IN 2048 /* bytes; no path brings more */

static const char lib_label_id[LIB_LABEL] = "libssp id";
static const char lib_label_key[LIB_LABEL] = "libssp key";

_Static_assert(SSP_SECRET_SIZE == SSP_KEY_LEN, "the public number");
_Static_assert(SSP_SECRET_TEXT_SIZE == SSP_KEY_TEXT_LEN + 1, "the same");
_Static_assert(SSP_ADDRESS_MAX == SSP_ADDR_MAX, "the same");
_Static_assert(SSP_NEVER == MONO_NEVER, "the same");

const char *
ssp_version(void)
{
	return SSP_VERSION;
}

const char *
ssp_strerror(int error)
{
	static const char *const text[] = {
		"no error",
		"malformed data from the other end",
		"not made with this secret",
		"a datagram seen before",
		"another version of the protocol",
		"not possible now",
		"too long, or too many",
		"an argument that makes no sense",
		"a system call failed",
		"no such stream or connection",
		"the peer has ended the stream",
		"the peer has given the stream up",
	};

	if (error > 0 || error < SSP_E_RESET)
		return "unknown error";
	return text[-error];
}

int
lib_error(int e)
{
	switch (-e) {
	case ERR_NONE:
		return 0;
	case ERR_AUTH:
		return SSP_E_AUTH;
	case ERR_REPLAY:
		return SSP_E_REPLAY;
	case ERR_VERSION:
		return SSP_E_VERSION;
	case ERR_STATE:
	case ERR_CLOSED:
		return SSP_E_STATE;
	case ERR_LIMIT:
		return SSP_E_LIMIT;
	case ERR_NOTFOUND:
		return SSP_E_NOTFOUND;
	case ERR_SYS:
	case ERR_IO:
		return SSP_E_SYSTEM;
	case ERR_SYNTAX:
		return SSP_E_ARGUMENT;
	default:
		return SSP_E_PEER;
	}
}

/* --- the config -------------------------------------------------------------- */

void
ssp_config_init(struct ssp_config *config, size_t size)
{
	memset(config, 0, size);
	config->size = size;
}

static bool
object_good(const struct ssp_object *o)
{
	return o != NULL && o->size > 0 && o->size <= sizeof *o &&
	       o->clone != NULL && o->free != NULL && o->equal != NULL &&
	       o->diff != NULL && o->apply != NULL &&
	       (o->save == NULL) == (o->load == NULL);
}

/* A program that was built with an older ssp.h has shorter structs. */
static void
object_copy(struct ssp_object *to, const struct ssp_object *from)
{
	memset(to, 0, sizeof *to);
	memcpy(to, from, MIN_OF(from->size, sizeof *to));
}

static bool
config_good(const struct ssp_config *c)
{
	return c->secret != NULL && c->name_size <= SSP_NAME_MAX &&
	       (c->name_size == 0 || c->name != NULL) && c->local != NULL &&
	       c->remote != NULL && object_good(c->local_object) &&
	       object_good(c->remote_object);
}

/*
 * Hashes LABEL, ID and the name with the secret as the key: the id on the wire,
 * and the key of the first handshake.
 */
static void
lib_hash(uint8_t out[static SSP_KEY_LEN], const uint8_t *secret,
    const char label[static LIB_LABEL], uint64_t id, const void *name,
    size_t name_size)
{
	uint8_t text[LIB_LABEL + 8 + SSP_NAME_MAX];
	struct wr w;

	wr_init(&w, text, sizeof text);
	wr_bytes(&w, label, LIB_LABEL);
	wr_u64(&w, id);
	wr_bytes(&w, name, name_size);
	ssp_keyed_hash(out, secret, SSP_SECRET_SIZE, text, wr_len(&w));
}

static uint64_t
config_id(const struct ssp_config *c)
{
	uint8_t hash[SSP_KEY_LEN];
	uint64_t id;
	struct rd r;

	if (c->id != 0)
		return c->id;
	lib_hash(hash, c->secret, lib_label_id, 0, c->name, c->name_size);
	rd_init(&r, hash, sizeof hash);
	id = rd_u64(&r);
	return id == 0 ? 1 : id;
}

/* --- life -------------------------------------------------------------------- */

static void
lib_transport(struct ssp *s, const struct ssp_config *c, mono_ms now)
{
	struct ssp_transport_cfg tc;

	object_copy(&s->object[LIB_LOCAL], c->local_object);
	object_copy(&s->object[LIB_REMOTE], c->remote_object);
	lib_ops(&s->ops[LIB_LOCAL], &s->object[LIB_LOCAL]);
	lib_ops(&s->ops[LIB_REMOTE], &s->object[LIB_REMOTE]);
	ssp_transport_cfg_init(&tc, SSP_LINK_DATAGRAM);
	tc.local_ops = &s->ops[LIB_LOCAL];
	tc.local = lib_wrap(&s->object[LIB_LOCAL], c->local);
	tc.remote_ops = &s->ops[LIB_REMOTE];
	tc.remote = lib_wrap(&s->object[LIB_REMOTE], c->remote);
	tc.zip = s->zip;
	tc.asks = !c->server;
	tc.states_max = c->remote_max;
	ssp_bind_transport(&s->bind, &tc, now);
}

static int
lib_conn(struct ssp *s, const struct ssp_config *c, mono_ms now)
{
	uint8_t key[SSP_KEY_LEN];
	struct ssp_conn_cfg cc;
	int e;

	ssp_conn_cfg_init(&cc);
	lib_hash(key, c->secret, lib_label_key, s->id, c->name, c->name_size);
	cc.cid = s->id;
	cc.psk = key;
	cc.keyring = s->keyring;
	cc.payload = ssp_bind_payload(&s->bind);
	cc.random = c->random != NULL ? c->random : lib_random;
	cc.random_arg = c->random_arg;
	/* Without SSP_CAP_PACE: it makes tables of a megabyte for one pace. */
	cc.caps =
	    SSP_CAP_STREAM | SSP_CAP_STREAMS | SSP_CAP_TRAIL | SSP_CAP_PAGES;
	if (c->silent > 0)
		cc.silent_ms = c->silent;
	e = c->server ? ssp_conn_server_accept(&cc, now, &s->conn)
		      : ssp_conn_client_new(&cc, now, &s->conn);
	ssp_wipe(key, sizeof key);
	if (e == 0)
		ssp_bind_conn(&s->bind, s->conn);
	return e;
}

int
ssp_new(struct ssp **out, const struct ssp_config *config, uint64_t now)
{
	struct ssp_config c;
	struct ssp *s;

	*out = NULL;
	memset(&c, 0, sizeof c);
	memcpy(&c, config, MIN_OF(config->size, sizeof c));
	if (config->size == 0 || !config_good(&c))
		return SSP_E_ARGUMENT;
	if (ssp_crypto_init() != 0)
		return SSP_E_SYSTEM;
	s = mem_zalloc(sizeof *s);
	s->keyring = ssp_keyring_new(SSP_SECRETS_LEN, 1, 1);
	if (s->keyring == NULL) {
		mem_free(s);
		return SSP_E_SYSTEM;
	}
	s->id = config_id(&c);
	s->zip = ssp_zip_new();
	s->state = SSP_STATE_OPENING;
	lib_transport(s, &c, now);
	/* The keyring has the one slot that this takes. */
	bug_assert(lib_conn(s, &c, now) == 0);
	*out = s;
	return 0;
}

void
ssp_free(struct ssp *s)
{
	if (s == NULL)
		return;
	if (s->udp != NULL)
		s->gone(s->udp, s);
	ssp_conn_free(s->conn);
	ssp_transport_free(s->bind.tp);
	ssp_zip_free(s->zip);
	ssp_keyring_free(s->keyring);
	mem_free(s);
}

enum ssp_state
ssp_state(const struct ssp *s)
{
	return s->state;
}

uint64_t
ssp_id(const struct ssp *s)
{
	return s->id;
}

void
lib_life(struct ssp *s, mono_ms now)
{
	enum ssp_close_state st = ssp_transport_closing(s->bind.tp);
	uint64_t acked = ssp_transport_acked_num(s->bind.tp);

	/* A value that was too large is tried again against that state. */
	if (acked != s->acked) {
		s->acked = acked;
		s->failed = ssp_transport_too_big(s->bind.tp);
	}

	/* The last datagram of an abort has gone. */
	if (s->aborted && ssp_conn_deadline(s->conn, now) == MONO_NEVER)
		s->state = SSP_STATE_ENDED;
	if (s->state == SSP_STATE_ENDED || st == SSP_CLOSE_OPEN)
		return;
	if (st != SSP_CLOSE_ASKED && !s->close_told) {
		s->close_told = s->close_due = true;
		s->close_lost = st == SSP_CLOSE_GAVE_UP;
	}
	s->state = st == SSP_CLOSE_DONE || st == SSP_CLOSE_GAVE_UP
		       ? SSP_STATE_ENDED
		       : SSP_STATE_CLOSING;
}

void
ssp_close(struct ssp *s, uint64_t now)
{
	if (s->state == SSP_STATE_OPENING) {
		ssp_abort(s, now, 0);
		return;
	}
	if (s->state != SSP_STATE_UP)
		return;
	ssp_transport_shutdown(s->bind.tp, now);
	s->state = SSP_STATE_CLOSING;
}

void
ssp_abort(struct ssp *s, uint64_t now, uint64_t code)
{
	if (s->state == SSP_STATE_ENDED || s->aborted)
		return;
	ssp_conn_abort(s->conn, now, code);
	s->aborted = true;
	s->state = SSP_STATE_CLOSING;
	lib_life(s, now);
}

/* --- routes and datagrams ---------------------------------------------------- */

static struct ssp_addr
addr_in(const struct ssp_address *a)
{
	uint8_t size = MIN_OF(a->size, (uint8_t)SSP_ADDRESS_MAX);

	if (size == 0)
		return (struct ssp_addr){ 0 };
	return ssp_addr_make(
	    SSP_ADDR_UDP, a->bytes, size, MIN_OF(a->host, size));
}

static struct ssp_address
addr_out(const struct ssp_addr *a)
{
	struct ssp_address out = { .size = a->len, .host = a->host };

	memcpy(out.bytes, a->bytes, a->len);
	return out;
}

static struct ssp_path_addr
route_in(const struct ssp_route *r)
{
	struct ssp_path_addr p = { addr_in(&r->local), addr_in(&r->remote) };

	return p;
}

static void
route_out(struct ssp_route *r, const struct ssp_path_addr *p)
{
	r->local = addr_out(&p->local);
	r->remote = addr_out(&p->remote);
}

int
ssp_route_add(struct ssp *s, uint64_t now, const struct ssp_route *route)
{
	struct ssp_path_addr p = route_in(route);

	if (p.remote.len == 0)
		return SSP_E_ARGUMENT;
	return lib_error(ssp_conn_path_add(s->conn, now, &p));
}

void
ssp_route_remove(struct ssp *s, uint64_t now, const struct ssp_route *route)
{
	struct ssp_path_addr p = route_in(route);

	ssp_conn_path_remove(s->conn, now, &p);
}

void
ssp_network_changed(struct ssp *s, uint64_t now)
{
	ssp_conn_network_changed(s->conn, now);
}

void
ssp_refused(
    struct ssp *s, uint64_t now, const struct ssp_route *route, size_t size)
{
	struct ssp_path_addr p = route_in(route);

	ssp_conn_refused(s->conn, now, &p, size);
}

int
ssp_receive(struct ssp *s, uint64_t now, const struct ssp_route *from,
    unsigned ecn, const void *bytes, size_t n)
{
	struct ssp_path_addr p = route_in(from);
	uint8_t copy[LIB_DGRAM_IN];
	int e;

	if (n > sizeof copy) {
		s->too_long++;
		return SSP_E_PEER;
	}
	/* It is opened in place. */
	if (n > 0)
		memcpy(copy, bytes, n);
	e = ssp_conn_input(s->conn, now, &p, ecn & 3, copy, n);
	lib_life(s, now);
	return lib_error(e);
}

size_t
ssp_send(
    struct ssp *s, uint64_t now, struct ssp_route *to, void *out, size_t size)
{
	struct ssp_path_addr p;
	size_t n;

	memset(&p, 0, sizeof p);
	n = ssp_conn_output(s->conn, now, &p, out, size);
	if (n > 0)
		route_out(to, &p);
	else
		lib_life(s, now);
	return n;
}

uint64_t
ssp_deadline(struct ssp *s, uint64_t now)
{
	if (s->state == SSP_STATE_ENDED)
		return SSP_NEVER;
	return ssp_conn_deadline(s->conn, now);
}

/* --- values ------------------------------------------------------------------ */

void *
ssp_local(struct ssp *s)
{
	return lib_value(ssp_transport_current(s->bind.tp));
}

void
ssp_changed(struct ssp *s, uint64_t now)
{
	s->failed = ssp_transport_too_big(s->bind.tp);
	ssp_transport_changed(s->bind.tp, now);
}

const void *
ssp_remote(const struct ssp *s, uint64_t *number)
{
	return lib_value(ssp_transport_remote(s->bind.tp, number));
}

void
ssp_remote_used(struct ssp *s)
{
	(void)ssp_transport_remote_seen(s->bind.tp);
}

bool
ssp_synced(struct ssp *s, uint64_t now)
{
	return s->up && !ssp_transport_unacked(s->bind.tp, now) &&
	       ssp_transport_too_big(s->bind.tp) == s->failed;
}

/* --- events ------------------------------------------------------------------ */

/* Translates an event of the connection. */
static void
event_out(
    struct ssp *s, const struct ssp_conn_event *from, struct ssp_event *ev)
{
	static const enum ssp_event_type type[] = {
		[SSP_CONN_EV_UP] = SSP_EVENT_UP,
		[SSP_CONN_EV_SILENT] = SSP_EVENT_SILENT,
		[SSP_CONN_EV_HEARD] = SSP_EVENT_HEARD,
		[SSP_CONN_EV_NEW_SOCKET] = SSP_EVENT_NEW_SOCKET,
		[SSP_CONN_EV_ACTIVE] = SSP_EVENT_ROUTE,
		[SSP_CONN_EV_DROPPED] = SSP_EVENT_ROUTE_GONE,
		[SSP_CONN_EV_CLOSED] = SSP_EVENT_ABORTED,
		[SSP_CONN_EV_FAILED] = SSP_EVENT_FAILED,
	};

	ev->type = type[from->type];
	ev->number = from->code;
	route_out(&ev->route, &from->addr);
	if (ev->type == SSP_EVENT_UP && s->state == SSP_STATE_OPENING)
		s->state = SSP_STATE_UP;
	s->up = s->up || ev->type == SSP_EVENT_UP;
	if (ev->type == SSP_EVENT_ABORTED || ev->type == SSP_EVENT_FAILED)
		s->state = SSP_STATE_ENDED;
}

static bool
event_conn(struct ssp *s, struct ssp_event *ev)
{
	struct ssp_conn_event from;

	while (ssp_conn_event(s->conn, &from)) {
		event_out(s, &from, ev);
		if (s->hook == NULL || !s->hook(s->udp, s, ev))
			return true;
	}
	return false;
}

static bool
event_remote(struct ssp *s, struct ssp_event *ev)
{
	uint64_t number;

	(void)ssp_transport_remote(s->bind.tp, &number);
	if (number == s->told)
		return false;
	s->told = number;
	ev->type = SSP_EVENT_REMOTE;
	ev->number = number;
	return true;
}

static bool
event_stream(struct ssp *s, struct ssp_event *ev)
{
	uint64_t id = ssp_streams_news(ssp_transport_streams(s->bind.tp));

	if (id == SSP_STREAM_NONE)
		return false;
	ev->type = SSP_EVENT_STREAM;
	ev->number = id;
	return true;
}

/* Last: everything that came before the end has been told. */
static bool
event_closed(struct ssp *s, struct ssp_event *ev)
{
	if (!s->close_due)
		return false;
	s->close_due = false;
	ev->type = SSP_EVENT_CLOSED;
	ev->number = s->close_lost ? 1 : 0;
	return true;
}

bool
ssp_event(struct ssp *s, struct ssp_event *event)
{
	memset(event, 0, sizeof *event);
	return event_conn(s, event) || event_remote(s, event) ||
	       event_stream(s, event) || event_closed(s, event);
}

/* --- counters ---------------------------------------------------------------- */

void
ssp_stats(struct ssp *s, uint64_t now, struct ssp_stats *stats, size_t size)
{
	struct ssp_transport_stats ts;
	struct ssp_conn_stats cs;
	struct ssp_stats st;
	size_t i;

	memset(&st, 0, sizeof st);
	ssp_conn_stats(s->conn, &cs);
	ssp_transport_stats(s->bind.tp, now, &ts);
	st.rtt = ts.have_rtt ? ts.srtt : cs.srtt;
	st.loss = ts.loss;
	st.heard = cs.heard_at;
	st.datagram = cs.mtu;
	st.sent = cs.out;
	st.sent_bytes = cs.out_bytes;
	st.received = cs.in;
	st.received_bytes = cs.in_bytes;
	st.dropped = s->too_long;
	for (i = 0; i < SSP_DROP_COUNT; i++)
		st.dropped += cs.drops[i];
	st.values_sent = ts.states_sent;
	st.values_acked = ssp_transport_acked_num(s->bind.tp);
	st.values_failed = ts.too_big;
	st.moves = cs.moves;
	memset(stats, 0, size);
	memcpy(stats, &st, MIN_OF(size, sizeof st));
}

/* --- secrets and ids --------------------------------------------------------- */

int
ssp_secret_new(uint8_t secret[SSP_SECRET_SIZE])
{
	if (ssp_crypto_init() != 0)
		return SSP_E_SYSTEM;
	lib_random(NULL, secret, SSP_SECRET_SIZE);
	return 0;
}

int
ssp_id_new(uint64_t *id)
{
	if (ssp_crypto_init() != 0)
		return SSP_E_SYSTEM;
	do
		lib_random(NULL, id, sizeof *id);
	while (*id == 0);
	return 0;
}

void
ssp_secret_format(
    const uint8_t secret[SSP_SECRET_SIZE], char text[SSP_SECRET_TEXT_SIZE])
{
	ssp_key_format(secret, text);
}

int
ssp_secret_parse(const char *text, uint8_t secret[SSP_SECRET_SIZE])
{
	return lib_error(ssp_key_parse(text, secret));
}

int
ssp_datagram_id(const void *bytes, size_t n, uint64_t *id)
{
	struct ssp_dgram d;
	int e;

	*id = 0;
	e = ssp_dgram_parse(bytes, n, &d);
	if (e != 0)
		return lib_error(e);
	*id = d.cid;
	return d.type == SSP_DGRAM_INIT;
}

bool
ssp_datagram_opens(const void *bytes, size_t n,
    const uint8_t secret[SSP_SECRET_SIZE], const void *name, size_t name_size)
{
	uint8_t key[SSP_KEY_LEN];
	struct ssp_dgram d;
	bool yes;

	if (name_size > SSP_NAME_MAX || ssp_dgram_parse(bytes, n, &d) != 0)
		return false;
	lib_hash(key, secret, lib_label_key, d.cid, name, name_size);
	yes = ssp_hs_opens(key, &d, bytes, n);
	ssp_wipe(key, sizeof key);
	return yes;
}
