/*
 * The library that others link, under a peer that has the secret: the input is a
 * list of payloads (a byte of time, two of length, bytes), which a connection of
 * our own seals. A time of 240 or more: the bytes come as a datagram, unsealed.
 * After each the program does what programs do with streams and values.
 */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/wire.h"
#include "ssp/conn.h"
#include "ssp/lib/ssp.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define FUZZ_ID UINT64_C(0x4142434445464748)
#define FUZZ_CELLS 32

static const uint8_t fuzz_secret[SSP_SECRET_SIZE] = { 1, 2, 3 };
static struct ssp_keyring *fuzz_keys;
static uint8_t fuzz_count;

/* What the peer sends next. */
struct peer {
	struct ssp_conn *conn;
	const uint8_t *p;
	size_t n;
};

static void
fuzz_random(void *arg, void *out, size_t n)
{
	(void)arg;
	memset(out, ++fuzz_count, n);
}

/* --- the peer ------------------------------------------------------------------ */

static int
peer_recv(void *arg, mono_ms now, uint64_t pn, const uint8_t *p, size_t len)
{
	(void)arg;
	(void)now;
	(void)pn;
	(void)p;
	(void)len;
	return 0;
}

static size_t
peer_send(void *arg, mono_ms now, uint64_t pn, uint8_t *out, size_t cap)
{
	struct peer *f = arg;
	size_t n = MIN_OF(f->n, cap);

	(void)now;
	(void)pn;
	if (n > 0)
		memcpy(out, f->p, n);
	f->n = 0;
	return n;
}

static mono_ms
peer_deadline(void *arg, mono_ms now)
{
	return ((struct peer *)arg)->n > 0 ? now : MONO_NEVER;
}

static void
peer_set_mtu(void *arg, size_t cap)
{
	(void)arg;
	(void)cap;
}

static void
peer_rtt(void *arg, mono_ms now, mono_ms sample)
{
	(void)arg;
	(void)now;
	(void)sample;
}

static void
peer_ecn(void *arg, mono_ms now)
{
	(void)arg;
	(void)now;
}

static const struct ssp_payload_ops peer_ops = { .recv = peer_recv,
	.send = peer_send,
	.deadline = peer_deadline,
	.set_mtu = peer_set_mtu,
	.rtt = peer_rtt,
	.ecn = peer_ecn };

static const uint8_t peer_host[6] = { 10, 0, 0, 1, 1, 1 };
static const uint8_t server_host[6] = { 10, 0, 0, 2, 2, 2 };

static void
peer_open(struct peer *f)
{
	uint8_t text[24] = "libssp key", psk[SSP_KEY_LEN];
	struct ssp_path_addr path;
	struct ssp_conn_cfg cfg;
	struct wr w;

	/* As ssp/lib/lib.c makes it of secret, id and no name. */
	wr_init(&w, text + 16, 8);
	wr_u64(&w, FUZZ_ID);
	ssp_keyed_hash(psk, fuzz_secret, sizeof fuzz_secret, text, sizeof text);
	if (fuzz_keys == NULL)
		fuzz_keys = ssp_keyring_new(SSP_SECRETS_LEN, 1, 1);
	bug_assert(fuzz_keys != NULL);
	ssp_conn_cfg_init(&cfg);
	cfg.cid = FUZZ_ID;
	cfg.psk = psk;
	cfg.keyring = fuzz_keys;
	cfg.payload.ops = &peer_ops;
	cfg.payload.arg = f;
	cfg.random = fuzz_random;
	cfg.caps = UINT64_MAX >> 2 & ~(uint64_t)SSP_CAP_MLKEM_ONLY;
	bug_assert(ssp_conn_client_new(&cfg, 1, &f->conn) == 0);
	memset(&path, 0, sizeof path);
	path.remote = ssp_addr_make(SSP_ADDR_UDP, server_host, 6, 4);
	bug_assert(ssp_conn_path_add(f->conn, 1, &path) == 0);
}

/* --- the program ----------------------------------------------------------------- */

static void *
cells_clone(const void *value)
{
	return mem_dup(value, FUZZ_CELLS);
}

static bool
cells_equal(const void *a, const void *b)
{
	return memcmp(a, b, FUZZ_CELLS) == 0;
}

static int
cells_diff(const void *from, const void *to, struct ssp_out *out)
{
	const uint8_t *x = from, *y = to;
	uint8_t b[2];
	int e = 0;

	for (b[0] = 0; b[0] < FUZZ_CELLS && e == 0; b[0]++)
		if (x[b[0]] != y[b[0]]) {
			b[1] = y[b[0]];
			e = ssp_put(out, b, 2);
		}
	return e;
}

static int
cells_apply(void *value, const uint8_t *diff, size_t n)
{
	uint8_t *x = value;
	size_t i;

	for (i = 0; i < n; i += 2)
		if (n - i < 2 || diff[i] >= FUZZ_CELLS)
			return SSP_E_PEER;
	for (i = 0; i < n; i += 2)
		x[diff[i]] = diff[i + 1];
	return 0;
}

static int
cells_save(const void *value, struct ssp_out *out)
{
	return ssp_put(out, value, FUZZ_CELLS);
}

static int
cells_load(void *value, const uint8_t *bytes, size_t n)
{
	if (n != FUZZ_CELLS)
		return SSP_E_PEER;
	memcpy(value, bytes, n);
	return 0;
}

static size_t
cells_own(const void *value, const void *base)
{
	(void)value;
	(void)base;
	return FUZZ_CELLS;
}

static const struct ssp_object cells = {
	.size = sizeof(struct ssp_object),
	.clone = cells_clone,
	.free = mem_free,
	.equal = cells_equal,
	.diff = cells_diff,
	.apply = cells_apply,
	.save = cells_save,
	.load = cells_load,
	.own = cells_own,
	.save_max = FUZZ_CELLS,
};

static void
stream_use(struct ssp *s, mono_ms now, uint64_t id, uint64_t turn)
{
	static const uint8_t bytes[3000];
	uint8_t got[1000];
	const char *text;
	int64_t r;
	size_t n;

	(void)ssp_stream_what(s, id, &n);
	(void)ssp_stream_send(s, id, bytes, turn * 997 % sizeof bytes);
	r = ssp_stream_receive(s, now, id, got, turn * 131 % sizeof got);
	(void)ssp_stream_why(s, id, &text);
	bug_assert(text != NULL);
	if (turn % 5 == 0)
		ssp_stream_end(s, id);
	if (turn % 11 == 0)
		ssp_stream_reset(s, id, turn, "enough");
	if (r < 0)
		ssp_stream_close(s, id);
}

static void
program_use(struct ssp *s, mono_ms now, uint64_t turn)
{
	struct ssp_event ev;
	struct ssp_stats st;
	uint8_t *value;
	unsigned i;

	for (i = 0; ssp_event(s, &ev); i++) {
		bug_assert(i < 3000);
		if (ev.type == SSP_EVENT_STREAM)
			stream_use(s, now, ev.number, turn + i);
	}
	if (turn % 7 == 3)
		(void)ssp_stream_open(s, SSP_URGENCY_TALK, "far", 3);
	value = ssp_local(s);
	value[turn % FUZZ_CELLS]++;
	ssp_changed(s, now);
	bug_assert(ssp_remote(s, NULL) != NULL);
	ssp_remote_used(s);
	ssp_stats(s, now, &st, sizeof st);
	(void)ssp_synced(s, now);
}

static struct ssp *
program_open(void)
{
	struct ssp_config cfg;
	struct ssp *s;

	ssp_config_init(&cfg, sizeof cfg);
	cfg.server = true;
	cfg.secret = fuzz_secret;
	cfg.id = FUZZ_ID;
	cfg.local_object = cfg.remote_object = &cells;
	cfg.local = mem_zalloc(FUZZ_CELLS);
	cfg.remote = mem_zalloc(FUZZ_CELLS);
	cfg.random = fuzz_random;
	cfg.remote_max = 4096;
	bug_assert(ssp_new(&s, &cfg, 1) == 0);
	ssp_stream_accept(s, true);
	return s;
}

/* --- both ------------------------------------------------------------------------ */

/* Carries what both ends send; the program's datagrams come back to the peer. */
static void
exchange(struct peer *f, struct ssp *s, mono_ms now)
{
	struct ssp_route from = { .remote = { 6, 4, { 0 } } }, out_to;
	struct ssp_path_addr to;
	struct ssp_conn_event ev;
	uint8_t out[2048];
	unsigned i;
	size_t n;

	memcpy(from.remote.bytes, peer_host, 6);
	for (i = 0; i < 40; i++) {
		n = ssp_conn_output(f->conn, now, &to, out, SSP_DATAGRAM_MAX);
		if (n == 0)
			break;
		(void)ssp_receive(s, now, &from, i & 3, out, n);
	}
	for (i = 0; i < 200; i++) {
		n = ssp_send(s, now, &out_to, out, SSP_DATAGRAM_MAX);
		if (n == 0)
			break;
		memset(&to, 0, sizeof to);
		to.remote = ssp_addr_make(SSP_ADDR_UDP, server_host, 6, 4);
		(void)ssp_conn_input(f->conn, now, &to, 0, out, n);
	}
	bug_assert(i < 200);
	bug_assert(ssp_deadline(s, now) >= now);
	while (ssp_conn_event(f->conn, &ev))
		;
}

static void
bare(struct ssp *s, mono_ms now, const uint8_t *p, size_t n)
{
	struct ssp_route from = { .remote = { 6, 4, { 0 } } };
	uint64_t id;

	(void)ssp_datagram_id(p, n, &id);
	(void)ssp_datagram_opens(p, n, fuzz_secret, p, n % SSP_NAME_MAX);
	bug_assert(ssp_receive(s, now, &from, 0, p, n) != 0 || n == 0);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct peer f = { 0 };
	uint64_t turn = 0;
	mono_ms now = 1000;
	struct ssp *s;
	struct rd r;
	uint8_t t;
	size_t n;

	fuzz_count = 0;
	s = program_open();
	peer_open(&f);
	for (n = 0; n < 4; n++)
		exchange(&f, s, now += 50);
	program_use(s, now, turn);
	bug_assert(ssp_state(s) == SSP_STATE_UP);
	rd_init(&r, data, size);
	while (rd_left(&r) > 3 && turn < 2000) {
		t = rd_u8(&r);
		n = MIN_OF((size_t)rd_u16(&r), rd_left(&r));
		f.p = rd_bytes(&r, n);
		f.n = t < 240 && f.p != NULL ? n : 0;
		now += t;
		if (t >= 240 && f.p != NULL)
			bare(s, now, f.p, n);
		exchange(&f, s, now);
		program_use(s, now, ++turn);
	}
	if (turn % 2 == 0)
		ssp_close(s, now);
	else
		ssp_abort(s, now, turn);
	exchange(&f, s, now + 1);
	ssp_conn_free(f.conn);
	ssp_free(s);
	return 0;
}
