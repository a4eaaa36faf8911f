#include "regress/unit/far_util.h"

#include <sys/socket.h>

#include <check.h>
#include <stdio.h>
#include <string.h>

#include "base/io/sys.h"
#include "ssp/compress.h"
#include "ssp/io/udp_link.h"

static bool
viewer_input(void *arg)
{
	struct far_util *f = arg;

	f->inputs++;
	return false;
}

static void
viewer_wake(void *arg)
{
	struct far_util *f = arg;

	f->wakes++;
}

static void
viewer_lost(void *arg)
{
	struct far_util *f = arg;

	f->losts++;
}

static void
viewer_side(void *arg, UNUSED const uint8_t *p, UNUSED size_t n)
{
	struct far_util *f = arg;

	f->sides++;
}

static const struct link_user viewer = {
	.input = viewer_input,
	.wake = viewer_wake,
	.lost = viewer_lost,
	.side = viewer_side,
};

static bool
far_knock(void *arg, const struct ssp_dgram *d, const struct udp_msg *m)
{
	struct far_util *f = arg;

	return f->knock != NULL && f->knock(f, d, m);
}

void
far_util_init(struct far_util *f)
{
	memset(f, 0, sizeof(*f));
	conn_util_init(&f->cu);
	f->zip = ssp_zip_new();
	f->cu.u.run.zip = f->zip;
	ck_assert_int_eq(options_set_text(&f->cu.u.run.mux->server_options,
			     "remote-ports", "40000:65000", NULL),
	    0);
	f->remotes = remotes_new(&f->cu.u.run, &f->cu.conns, far_knock, f);
}

void
far_util_fini(struct far_util *f)
{
	ssp_conn_free(f->conn);
	ssp_transport_free(f->bind.tp);
	if (f->keys != NULL)
		ssp_keyring_free(f->keys);
	udp_free(f->udp);
	if (f->link != NULL)
		f->link->ops->close(f->link);
	remotes_free(f->remotes);
	f->cu.conns.roam_ops = NULL;
	conn_util_fini(&f->cu);
	ssp_zip_free(f->zip);
	if (f->peer.fd > 0)
		peer_close(&f->peer);
}

static struct ssp_path_addr
tunnel_path(void)
{
	struct ssp_path_addr a;

	a.local = ssp_addr_make(SSP_ADDR_STREAM, "", 0, 0);
	a.remote = ssp_addr_make(SSP_ADDR_STREAM, "t", 1, 0);
	return a;
}

/* ROAMED, or a datagram of the tunnel. */
static void
far_message(struct peer *p, const struct control_msg *m)
{
	struct far_util *f = p->arg;
	struct ssp_path_addr from = tunnel_path();
	uint8_t bytes[SSP_DGRAM_STREAM_MAX];

	if (m->type == CONTROL_ROAMED) {
		f->roamed++;
		f->cid = m->id;
		f->port = (int)m->code;
		f->key_len = m->data_len;
		if (m->data_len == sizeof(f->key))
			memcpy(f->key, m->data, sizeof(f->key));
	} else if (m->type == CONTROL_TUNNEL && f->conn != NULL) {
		ck_assert_uint_le(m->data_len, sizeof(bytes));
		memcpy(bytes, m->data, m->data_len);
		(void)ssp_conn_input(
		    f->conn, sys_now(), &from, 0, bytes, m->data_len);
	}
}

void
far_util_sign_in(struct far_util *f, struct peer *p, uint64_t cid)
{
	static const char *const argv[] = { "attach-session", NULL };

	peer_greet(&f->cu, p, 0);
	p->take = far_message;
	p->taken = CONTROL_NONE;
	p->arg = f;
	peer_argv(p, CONTROL_ROAM, cid, argv);
}

static void
far_random(UNUSED void *arg, void *out, size_t n)
{
	sys_random(out, n);
}

static void
far_path(struct far_util *f, bool udp)
{
	struct ssp_path_addr path = tunnel_path();
	struct ssp_addr to;
	struct udp_addr a;

	if (udp) {
		ck_assert_int_eq(udp_open(AF_INET, 1, &f->udp, NULL), 0);
		ck_assert_int_eq(
		    udp_addr_parse("127.0.0.1", (uint16_t)f->port, &a), 0);
		to = udp_link_addr(&a);
		path = udp_link_path(f->udp, &to);
	}
	ck_assert_int_eq(ssp_conn_path_add(f->conn, sys_now(), &path), 0);
}

void
far_util_start(struct far_util *f, bool udp)
{
	mono_ms now = sys_now();
	struct ssp_transport_cfg tc;
	struct ssp_conn_cfg cc;

	f->keys = ssp_keyring_new(SSP_SECRETS_LEN, 2, 2);
	ck_assert_ptr_nonnull(f->keys);
	ssp_transport_cfg_init(&tc, SSP_LINK_DATAGRAM);
	tc.local_ops = &sync_input_ops;
	tc.local = sync_input_new();
	tc.remote_ops = &sync_view_ops;
	tc.remote = sync_view_new(0, 0);
	tc.zip = f->zip;
	tc.flow_rx = SSP_FLOW_SCREEN;
	tc.asks = true;
	ssp_bind_transport(&f->bind, &tc, now);
	ssp_conn_cfg_init(&cc);
	cc.cid = f->cid;
	cc.psk = f->key;
	cc.keyring = f->keys;
	cc.random = far_random;
	cc.payload = ssp_bind_payload(&f->bind);
	ck_assert_int_eq(ssp_conn_client_new(&cc, now, &f->conn), 0);
	ssp_bind_conn(&f->bind, f->conn);
	far_path(f, udp);
}

void
far_util_attach(struct far_util *f, bool udp)
{
	struct cause c = { NULL };

	far_util_sign_in(f, &f->peer, 0);
	RUN_UNTIL(&f->cu.u, f->cu.calls.len > 0);
	f->link = remote_open(f->remotes, conn_id(f->peer.cn), &viewer, f, &c);
	ck_assert_msg(f->link != NULL, "%s", cause_text(&c));
	conn_set_remote(f->peer.cn, remote_of_link(f->link));
	RUN_UNTIL(&f->cu.u, (peer_read(&f->peer), f->roamed == 1));
	ck_assert_uint_eq(f->key_len, SSP_KEY_LEN);
	far_util_start(f, udp);
}

static int
far_put(void *arg, const struct ssp_path_addr *to, const uint8_t *p, size_t n,
    size_t part)
{
	struct far_util *f = arg;
	struct buf b;

	if (to->remote.kind != SSP_ADDR_STREAM)
		return udp_link_send(f->udp, to, p, n, part);
	if (f->peer.fd <= 0)
		return 0;
	buf_init(&b, CONTROL_MESSAGE_MAX);
	ck_assert_int_eq(control_put_data(&b, CONTROL_TUNNEL, 0, p, n), 0);
	(void)sys_write_all(f->peer.fd, b.data, b.len);
	buf_fini(&b);
	return 0;
}

static void
far_got(void *arg, struct udp_msg *m)
{
	struct far_util *f = arg;

	(void)udp_link_input(f->conn, sys_now(), m);
}

void
far_util_turn(struct far_util *f)
{
	struct ssp_conn_event ev;

	if (f->link != NULL)
		(void)f->link->ops->pump(f->link, sys_now());
	run_util_turn(&f->cu.u);
	if (f->peer.fd > 0)
		peer_read(&f->peer);
	if (f->conn == NULL)
		return;
	if (f->udp != NULL)
		(void)udp_recv_batch(f->udp, UDP_BATCH, far_got, f);
	(void)udp_link_output(f->conn, sys_now(), far_put, f);
	while (ssp_conn_event(f->conn, &ev))
		;
}

void
far_util_type(struct far_util *f, uint32_t cp)
{
	ck_assert_int_eq(
	    sync_input_text(ssp_transport_current(f->bind.tp), cp), 0);
	ssp_transport_changed(f->bind.tp, sys_now());
}

void
far_util_show(struct far_util *f, uint64_t id)
{
	struct sync_view *v = sync_view_new(80, 24);

	v->focus = id;
	ssp_transport_set_current(f->link->tp, sys_now(), v);
	ssp_transport_changed(f->link->tp, sys_now());
}

unsigned
far_util_typed(const struct far_util *f)
{
	const struct sync_input *in = ssp_transport_remote(f->link->tp, NULL);

	return (unsigned)(sync_input_end(in) - 1);
}

uint64_t
far_util_seen(const struct far_util *f)
{
	const struct sync_view *v = ssp_transport_remote(f->bind.tp, NULL);

	return v->focus;
}
