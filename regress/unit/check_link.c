#include <sys/socket.h>

#include <string.h>

#include "base/io/sys.h"
#include "mux/sync/input.h"
#include "mux/sync/view.h"
#include "regress/unit/conn_util.h"
#include "regress/unit/unit.h"
#include "server/io/link_local.h"

/* A client on this machine: both transports of its link. */
struct local {
	struct conn_util cu;
	struct peer peer;
	struct link *link;
	struct ssp_transport *client;
	uint64_t sent, got; /* packet numbers of the client */
	unsigned inputs, losts;
};

static bool
user_input(void *arg)
{
	struct local *l = arg;

	l->inputs++;
	return false;
}

static const struct link_user user = { .input = user_input };

static void
rider_payload(void *arg, const uint8_t *p, size_t n)
{
	struct local *l = arg;

	if (link_take(l->link, sys_now(), p, n))
		(void)l->link->user->input(l->link->arg);
}

static void
rider_lost(void *arg)
{
	struct local *l = arg;

	l->losts++;
}

static const struct conn_rider rider = {
	.payload = rider_payload,
	.lost = rider_lost,
};

static void
take_view(struct peer *p, const struct control_msg *m)
{
	struct local *l = p->arg;

	ck_assert_int_eq(ssp_transport_recv(l->client, sys_now(), ++l->got,
			     m->data, m->data_len),
	    0);
}

static void
local_init(struct local *l)
{
	struct ssp_transport_cfg cfg;

	memset(l, 0, sizeof(*l));
	conn_util_init(&l->cu);
	peer_greet(&l->cu, &l->peer, 0);
	l->link = link_local_new(&l->cu.conns, conn_id(l->peer.cn), &user, l);
	conn_set_rider(l->peer.cn, &rider, l);
	peer_expect(&l->cu, &l->peer, "ATTACH|");
	l->peer.take = take_view;
	l->peer.taken = CONTROL_SSP;
	l->peer.arg = l;
	ssp_transport_cfg_init(&cfg, SSP_LINK_LOCAL);
	cfg.local_ops = &sync_input_ops;
	cfg.local = sync_input_new();
	cfg.remote_ops = &sync_view_ops;
	cfg.remote = sync_view_new(0, 0);
	cfg.mtu = CONTROL_DATA_MAX;
	l->client = ssp_transport_new(&cfg, sys_now());
}

static void
local_fini(struct local *l)
{
	if (l->link != NULL)
		l->link->ops->close(l->link);
	ssp_transport_free(l->client);
	conn_util_fini(&l->cu);
	peer_close(&l->peer);
}

/* The client sends what it has. */
static void
client_send(struct local *l)
{
	static uint8_t bytes[CONTROL_DATA_MAX];
	struct buf b;
	size_t n;

	while ((n = ssp_transport_send(l->client, sys_now(), l->sent + 1, bytes,
		    sizeof(bytes))) > 0) {
		l->sent++;
		buf_init(&b, CONTROL_MESSAGE_MAX);
		ck_assert_int_eq(
		    control_put_data(&b, CONTROL_SSP, 0, bytes, n), 0);
		ck_assert_int_eq(sys_write_all(l->peer.fd, b.data, b.len), 0);
		buf_fini(&b);
	}
}

static void
show(struct local *l, uint64_t focus)
{
	struct sync_view *v = sync_view_new(80, 24);

	v->focus = focus;
	ssp_transport_set_current(l->link->tp, sys_now(), v);
	ssp_transport_changed(l->link->tp, sys_now());
	(void)l->link->ops->pump(l->link, sys_now());
}

static uint64_t
seen(const struct local *l)
{
	const struct sync_view *v = ssp_transport_remote(l->client, NULL);

	return v->focus;
}

START_TEST(keys_and_views_cross_the_control_socket)
{
	const struct sync_input *in;
	struct local l;

	local_init(&l);
	ck_assert(!l.link->ops->far);
	ck_assert(l.link->ops->finish == NULL);
	ck_assert(l.link->ops->ready(l.link));
	ck_assert_int_eq(
	    sync_input_text(ssp_transport_current(l.client), 'a'), 0);
	ssp_transport_changed(l.client, sys_now());
	RUN_UNTIL(&l.cu.u, (client_send(&l), l.inputs > 0));
	in = ssp_transport_remote(l.link->tp, NULL);
	ck_assert_uint_eq(sync_input_end(in), 2);
	ck_assert_uint_eq(sync_input_get(in, 1)->cp, 'a');
	show(&l, 7);
	RUN_UNTIL(&l.cu.u, (peer_read(&l.peer), seen(&l) == 7));
	local_fini(&l);
	ck_assert_uint_eq(l.losts, 1);
}
END_TEST

START_TEST(a_client_that_acknowledges_nothing_gets_no_more_views)
{
	struct ssp_transport_stats st;
	struct local l;
	uint64_t i;

	local_init(&l);
	for (i = 1; i < 100 && l.link->ops->ready(l.link); i++)
		show(&l, i);
	ck_assert_uint_lt(i, 20);
	ck_assert_uint_gt(i, 4);
	/* All that was sent will arrive: only the newest states are kept. */
	ssp_transport_stats(l.link->tp, sys_now(), &st);
	ck_assert_uint_le(st.sent_states, 2);
	ck_assert_uint_eq(ssp_transport_acked_num(l.link->tp), 0);
	/* It reads and answers: the newest view may go. */
	RUN_UNTIL(&l.cu.u,
	    (peer_read(&l.peer), client_send(&l), l.link->ops->ready(l.link)));
	show(&l, 1000);
	RUN_UNTIL(&l.cu.u, (peer_read(&l.peer), seen(&l) == 1000));
	local_fini(&l);
}
END_TEST

START_TEST(garbage_of_a_client_is_no_input)
{
	struct local l;

	local_init(&l);
	ck_assert(
	    !link_take(l.link, sys_now(), (const uint8_t *)"\377garbage", 8));
	ck_assert_uint_eq(l.inputs, 0);
	/* Its connection is gone: what is sent is dropped. */
	ck_assert_int_eq(shutdown(l.peer.fd, SHUT_RDWR), 0);
	RUN_UNTIL(&l.cu.u, l.losts == 1);
	ssp_transport_changed(l.link->tp, sys_now());
	(void)l.link->ops->pump(l.link, sys_now());
	local_fini(&l);
}
END_TEST

/* Views that are due between the end of a connection and the word about it. */
START_TEST(a_client_that_has_gone_may_be_pumped_again)
{
	struct local l;

	local_init(&l);
	conn_cut(l.peer.cn, "gone");
	show(&l, 1);
	show(&l, 2);
	RUN_UNTIL(&l.cu.u, l.losts == 1);
	show(&l, 3);
	local_fini(&l);
}
END_TEST

UNIT_SUITE(link)
{
	Suite *s = suite_create("link");
	TCase *tc = tcase_create("link");

	tcase_add_test(tc, keys_and_views_cross_the_control_socket);
	tcase_add_test(
	    tc, a_client_that_acknowledges_nothing_gets_no_more_views);
	tcase_add_test(tc, garbage_of_a_client_is_no_input);
	tcase_add_test(tc, a_client_that_has_gone_may_be_pumped_again);
	suite_add_tcase(s, tc);
	return s;
}
