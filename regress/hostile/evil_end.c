/* See evil_end.h. */
#include "regress/hostile/evil_end.h"

#include <poll.h>
#include <string.h>

#include "base/io/sys.h"
#include "base/mem.h"
#include "base/pack.h"
#include "regress/chance.h"
#include "ssp/conn.h"
#include "ssp/frame.h"

#define ENDS_MAX 256 /* ends of one turn */

/* --- an object of any bytes ------------------------------------------------- */

struct evil_bytes *
evil_bytes_new(void)
{
	struct evil_bytes *b = mem_zalloc(sizeof(*b));

	buf_init(&b->bytes, 8u << 20);
	return b;
}

static void *
bytes_clone(const void *obj)
{
	const struct evil_bytes *from = obj;
	struct evil_bytes *b = evil_bytes_new();

	b->version = from->version;
	(void)buf_add(&b->bytes, from->bytes.data, from->bytes.len);
	return b;
}

static void
bytes_free(void *obj)
{
	struct evil_bytes *b = obj;

	buf_fini(&b->bytes);
	mem_free(b);
}

static bool
bytes_equal(const void *a, const void *b)
{
	const struct evil_bytes *x = a, *y = b;

	return x->version == y->version;
}

static int
bytes_diff(UNUSED const void *old, const void *new, struct buf *out)
{
	const struct evil_bytes *b = new;

	return buf_add(out, b->bytes.data, b->bytes.len);
}

static int
bytes_apply(UNUSED void *obj, UNUSED const uint8_t *diff, UNUSED size_t len)
{
	return 0;
}

static int
bytes_save(const void *obj, struct buf *out)
{
	return bytes_diff(NULL, obj, out);
}

const struct ssp_object_ops evil_bytes_ops = {
	.name = "evil",
	.clone = bytes_clone,
	.free = bytes_free,
	.equal = bytes_equal,
	.diff = bytes_diff,
	.apply = bytes_apply,
	.save = bytes_save,
	.load = bytes_apply,
	.save_max = 8u << 20,
};

void
evil_nonsense(uint64_t *chance, struct buf *out)
{
	static const uint64_t sizes[] = { 0, 1, 127, 255, 65535, 1u << 22,
		UINT32_MAX, UINT64_MAX };
	char text[300];
	unsigned i, n = chance_below(chance, 40) + 1, k;

	buf_clear(out);
	for (i = 0; i < n; i++) {
		k = chance_below(chance, sizeof(text));
		memset(text, (int)chance_below(chance, 256), sizeof(text));
		switch (chance_below(chance, 7)) {
		case 0:
			pack_put_map(out, (uint32_t)sizes[k % 7]);
			break;
		case 1:
			pack_put_array(out, chance_below(chance, 20));
			break;
		case 2:
			pack_put_uint(out, sizes[k % ARRAY_LEN(sizes)]);
			break;
		case 3:
			pack_put_int(out, -(int64_t)k);
			break;
		case 4:
			pack_put_str(out, text, k);
			break;
		case 5:
			pack_put_bin(out, text, k);
			break;
		default:
			pack_put_uint(out, chance_below(chance, 13));
		}
	}
}

/* --- random frames -------------------------------------------------------------- */

static int
noise_recv(UNUSED void *arg, UNUSED mono_ms now, UNUSED uint64_t pn,
    UNUSED const uint8_t *p, UNUSED size_t len)
{
	return 0;
}

/* A frame of a random type whose body is numbers of all sizes and bytes. */
static void
noise_frame(struct evil_end *e, struct wr *w)
{
	static const uint8_t types[] = { 1, 2, 3, 4, 5, 6, 8, 9, 10, 11, 0x21,
		0x22, 0x24, 0x3f, 0x40, 0x7f };
	uint8_t body[256];
	unsigned k, n = chance_below(&e->chance, 12);
	struct wr b;

	wr_init(&b, body, sizeof(body));
	for (; n > 0; n--)
		switch (chance_below(&e->chance, 5)) {
		case 0:
			wr_varint(&b, (UINT64_C(1) << 62) - 1);
			break;
		case 1:
			wr_varint(&b, chance_below(&e->chance, 1u << 22));
			break;
		case 2:
			wr_u8(&b, (uint8_t)chance_below(&e->chance, 256));
			break;
		default:
			wr_varint(&b, chance_below(&e->chance, 70));
		}
	k = chance_below(&e->chance, sizeof(types));
	ssp_frame_put(w, types[k], body, wr_len(&b));
}

static size_t
noise_send(
    void *arg, UNUSED mono_ms now, UNUSED uint64_t pn, uint8_t *out, size_t cap)
{
	struct evil_end *e = arg;
	struct wr w;
	unsigned n = chance_below(&e->chance, 6) + 1;
	size_t len;

	if (e->burst == 0)
		return 0;
	e->burst--;
	wr_init(&w, out, cap);
	while (n-- > 0)
		noise_frame(e, &w);
	len = wr_len(&w);
	return len > cap ? cap : len;
}

static mono_ms
noise_deadline(void *arg, mono_ms now)
{
	const struct evil_end *e = arg;

	return e->burst > 0 ? now : MONO_NEVER;
}

static void
noise_mtu(UNUSED void *arg, UNUSED size_t cap)
{
}

static void
noise_rtt(UNUSED void *arg, UNUSED mono_ms now, UNUSED mono_ms sample)
{
}

static void
noise_ecn(UNUSED void *arg, UNUSED mono_ms now)
{
}

static const struct ssp_payload_ops noise_ops = {
	.recv = noise_recv,
	.send = noise_send,
	.deadline = noise_deadline,
	.set_mtu = noise_mtu,
	.rtt = noise_rtt,
	.ecn = noise_ecn,
};

/* --- the connection ----------------------------------------------------------- */

int
evil_end_open(struct evil_end *e, struct udp *u, struct ssp_keyring *keyring,
    uint64_t cid, const uint8_t *psk, const struct udp_addr *peer,
    struct ssp_transport_cfg *tc)
{
	mono_ms now = sys_now();
	struct ssp_path_addr path;
	struct ssp_conn_cfg cc;
	int r;

	e->at.udp = u;
	ssp_conn_cfg_init(&cc);
	cc.cid = cid;
	cc.psk = psk;
	cc.keyring = keyring;
	cc.random = udp_end_random;
	cc.payload.ops = &noise_ops;
	cc.payload.arg = e;
	if (tc != NULL) {
		ssp_bind_transport(&e->bind, tc, now);
		cc.payload = ssp_bind_payload(&e->bind);
	}
	r = peer == NULL ? ssp_conn_server_accept(&cc, now, &e->at.conn)
			 : ssp_conn_client_new(&cc, now, &e->at.conn);
	if (r != 0)
		return r;
	if (tc != NULL)
		ssp_bind_conn(&e->bind, e->at.conn);
	if (peer == NULL)
		return 0;
	e->peer = udp_link_addr(peer);
	path = udp_link_path(u, &e->peer);
	return ssp_conn_path_add(e->at.conn, now, &path);
}

void
evil_end_close(struct evil_end *e)
{
	ssp_conn_free(e->at.conn);
	if (e->bind.tp != NULL)
		ssp_transport_free(e->bind.tp);
	udp_free(e->at.udp);
	memset(e, 0, sizeof(*e));
}

void
evil_turn(struct evil_end *e, unsigned n, int ms)
{
	struct pollfd p[ENDS_MAX];
	mono_ms now = sys_now(), t;
	unsigned i;

	n = MIN_OF(n, (unsigned)ENDS_MAX);
	for (i = 0; i < n; i++) {
		p[i] = (struct pollfd){ -1, POLLIN, 0 };
		if (e[i].at.conn == NULL)
			continue;
		udp_end_send(&e[i].at);
		t = mono_until(now, ssp_conn_deadline(e[i].at.conn, now));
		ms = t < (mono_ms)ms ? (int)t : ms;
		p[i].fd = e[i].deaf ? -1 : udp_fd(e[i].at.udp);
	}
	poll(p, n, ms);
	for (i = 0; i < n; i++)
		if (p[i].fd >= 0)
			udp_end_recv(&e[i].at);
}
