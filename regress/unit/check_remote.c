#include <sys/socket.h>

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/io/sys.h"
#include "regress/unit/far_util.h"
#include "regress/unit/unit.h"
#include "server/io/remote_port.h"

START_TEST(a_client_signs_in_through_the_tunnel)
{
	struct remote_info info;
	struct far_util f;

	far_util_init(&f);
	far_util_attach(&f, false);
	ck_assert(remotes_busy(f.remotes));
	ck_assert(!f.link->ops->ready(f.link));
	remote_info(remote_of_link(f.link), &info);
	ck_assert_str_eq(info.link, "opening");
	ck_assert_uint_eq(info.heard, MONO_NEVER);
	far_util_type(&f, 'a');
	FAR_UNTIL(&f, far_util_typed(&f) == 1);
	ck_assert_uint_ge(f.inputs, 1);
	ck_assert_uint_ge(f.wakes, 1);
	ck_assert(f.link->ops->ready(f.link));
	far_util_show(&f, 7);
	FAR_UNTIL(&f, far_util_seen(&f) == 7);
	remote_info(remote_of_link(f.link), &info);
	ck_assert_str_eq(info.link, "ssh");
	ck_assert_str_eq(info.address, "ssh");
	ck_assert_uint_eq(f.losts, 0);
	far_util_fini(&f);
}
END_TEST

START_TEST(a_client_over_udp_needs_no_socket)
{
	struct remote_info info;
	struct far_util f;

	far_util_init(&f);
	far_util_attach(&f, true);
	ck_assert_int_ge(f.port, 40000);
	far_util_type(&f, 'a');
	FAR_UNTIL(&f, far_util_typed(&f) == 1);
	peer_close(&f.peer);
	f.peer.fd = -1;
	far_util_show(&f, 8);
	FAR_UNTIL(&f, far_util_seen(&f) == 8);
	far_util_type(&f, 'b');
	FAR_UNTIL(&f, far_util_typed(&f) >= 1 && f.inputs >= 2);
	remote_info(remote_of_link(f.link), &info);
	ck_assert_str_eq(info.link, "udp");
	ck_assert_ptr_eq(strstr(info.address, "127.0.0.1:"), info.address);
	ck_assert_uint_eq(f.losts, 0);
	/* Its connection lives on without a socket. */
	ck_assert_uint_eq(f.cu.conns.all.count, 1);
	far_util_fini(&f);
}
END_TEST

START_TEST(a_client_signs_in_again)
{
	struct far_util f;
	struct peer again, third;

	far_util_init(&f);
	far_util_attach(&f, true);
	far_util_type(&f, 'a');
	FAR_UNTIL(&f, far_util_typed(&f) == 1);
	far_util_sign_in(&f, &again, f.cid);
	FAR_UNTIL(&f, (peer_read(&again), f.roamed == 2));
	/* The key is told once. */
	ck_assert_uint_eq(f.key_len, 0);
	ck_assert_uint_eq(f.losts, 0);
	/* A third tunnel ends the second. */
	far_util_sign_in(&f, &third, f.cid);
	FAR_UNTIL(&f, (peer_read(&third), f.roamed == 3));
	FAR_UNTIL(&f, (peer_read(&again), again.ended));
	ck_assert_uint_eq(f.losts, 0);
	peer_close(&again);
	peer_close(&third);
	far_util_fini(&f);
}
END_TEST

/* The client never used the key of its first attempt. */
START_TEST(a_key_that_was_never_used_is_replaced)
{
	struct far_util f;
	struct peer again;

	far_util_init(&f);
	far_util_attach(&f, true);
	(void)conn_util_calls(&f.cu);
	far_util_sign_in(&f, &again, f.cid);
	/* Its words run again, for a new client. */
	RUN_UNTIL(&f.cu.u, f.cu.calls.len > 0);
	ck_assert_str_eq(conn_util_calls(&f.cu), "command attach-session|");
	RUN_UNTIL(&f.cu.u, f.losts == 1);
	peer_close(&again);
	far_util_fini(&f);
}
END_TEST

/* Another connection of the same user may have its place. */
START_TEST(a_key_that_was_never_used_gives_way)
{
	const struct conn_roam_ops *ops;
	struct far_util f;

	far_util_init(&f);
	far_util_attach(&f, true);
	ops = f.cu.conns.roam_ops;
	ck_assert(ops->give_way(remote_of_link(f.link)));
	ck_assert(!ops->give_way(remote_of_link(f.link)));
	RUN_UNTIL(&f.cu.u, f.losts == 1);
	far_util_fini(&f);
	far_util_init(&f);
	far_util_attach(&f, true);
	far_util_type(&f, 'a');
	FAR_UNTIL(&f, far_util_typed(&f) == 1);
	ck_assert(!ops->give_way(remote_of_link(f.link)));
	ck_assert_uint_eq(f.losts, 0);
	far_util_fini(&f);
}
END_TEST

START_TEST(the_farewell_is_confirmed)
{
	struct sync_view *last = sync_view_new(80, 24);
	struct far_util f;

	far_util_init(&f);
	far_util_attach(&f, true);
	far_util_type(&f, 'a');
	FAR_UNTIL(&f, far_util_typed(&f) == 1);
	last->focus = 99;
	f.link->ops->finish(f.link, sys_now(), last);
	FAR_UNTIL(&f, f.losts == 1);
	f.link->ops->close(f.link);
	f.link = NULL;
	ck_assert(remotes_busy(f.remotes));
	FAR_UNTIL(&f, far_util_seen(&f) == 99);
	FAR_UNTIL(&f, !remotes_busy(f.remotes));
	ck_assert_uint_eq(f.losts, 1);
	far_util_fini(&f);
}
END_TEST

/* A client with a key that has not said anything yet. */
START_TEST(a_client_hears_the_farewell_when_it_comes)
{
	struct sync_view *last = sync_view_new(80, 24);
	struct far_util f;

	far_util_init(&f);
	far_util_attach(&f, true);
	last->focus = 99;
	f.link->ops->finish(f.link, sys_now(), last);
	RUN_UNTIL(&f.cu.u, f.losts == 1);
	f.link->ops->close(f.link);
	f.link = NULL;
	run_util_turn(&f.cu.u);
	ck_assert(remotes_busy(f.remotes));
	far_util_type(&f, 'a');
	FAR_UNTIL(&f, far_util_seen(&f) == 99);
	FAR_UNTIL(&f, !remotes_busy(f.remotes));
	ck_assert_uint_eq(f.inputs, 0);
	far_util_fini(&f);
}
END_TEST

/* The user of a client whose only path is ssh has lost access. */
START_TEST(a_client_that_is_cut_off_hears_why)
{
	static const char *const argv[] = { "kill-server", NULL };
	struct sync_view *last = sync_view_new(80, 24);
	struct far_util f;

	far_util_init(&f);
	far_util_attach(&f, false);
	far_util_type(&f, 'a');
	FAR_UNTIL(&f, far_util_typed(&f) == 1);
	(void)conn_util_calls(&f.cu);
	last->focus = 99;
	f.link->ops->finish(f.link, sys_now(), last);
	conn_cut(f.peer.cn, "access not allowed");
	ck_assert_ptr_nonnull(strstr(conn_util_calls(&f.cu), "gone "));
	/* Nothing but its datagrams passes. */
	peer_argv(&f.peer, CONTROL_COMMAND, 0, argv);
	FAR_UNTIL(&f, f.losts == 1);
	f.link->ops->close(f.link);
	f.link = NULL;
	FAR_UNTIL(&f, far_util_seen(&f) == 99);
	ssp_transport_shutdown(f.bind.tp, sys_now());
	FAR_UNTIL(&f, !remotes_busy(f.remotes));
	FAR_UNTIL(&f, f.peer.ended);
	ck_assert_ptr_null(strstr(conn_util_calls(&f.cu), "command"));
	far_util_fini(&f);
}
END_TEST

/* The client is gone without a word, as one whose confirmation is lost. */
START_TEST(a_farewell_that_nobody_confirms_leaves_no_key)
{
	struct far_util f;
	mono_ms begin;

	far_util_init(&f);
	far_util_attach(&f, true);
	far_util_type(&f, 'a');
	FAR_UNTIL(&f, far_util_typed(&f) == 1);
	peer_close(&f.peer);
	f.peer.fd = -1;
	f.link->ops->finish(f.link, sys_now(), sync_view_new(80, 24));
	RUN_UNTIL(&f.cu.u, f.losts == 1);
	f.link->ops->close(f.link);
	f.link = NULL;
	begin = sys_now();
	RUN_UNTIL(&f.cu.u, !remotes_busy(f.remotes));
	ck_assert_uint_lt(sys_now() - begin, 5000);
	far_util_fini(&f);
}
END_TEST

/* Behind ssh both ends ask to end, and ssh ends: nobody waits for anything. */
START_TEST(a_farewell_through_ssh_leaves_no_key)
{
	struct far_util f;
	mono_ms begin;

	far_util_init(&f);
	far_util_attach(&f, false);
	far_util_type(&f, 'a');
	FAR_UNTIL(&f, far_util_typed(&f) == 1);
	f.link->ops->finish(f.link, sys_now(), sync_view_new(80, 24));
	FAR_UNTIL(&f, f.losts == 1);
	f.link->ops->close(f.link);
	f.link = NULL;
	ssp_transport_shutdown(f.bind.tp, sys_now());
	FAR_UNTIL(&f, ssp_transport_closing(f.bind.tp) != SSP_CLOSE_ASKED);
	far_util_turn(&f);
	begin = sys_now();
	peer_close(&f.peer);
	f.peer.fd = -1;
	FAR_UNTIL(&f, !remotes_busy(f.remotes));
	ck_assert_uint_lt(sys_now() - begin, 3000);
	far_util_fini(&f);
}
END_TEST

START_TEST(a_client_that_goes_is_lost)
{
	struct far_util f;

	far_util_init(&f);
	far_util_attach(&f, true);
	far_util_type(&f, 'a');
	FAR_UNTIL(&f, far_util_typed(&f) == 1);
	ssp_transport_shutdown(f.bind.tp, sys_now());
	FAR_UNTIL(&f, f.losts == 1);
	far_util_fini(&f);
}
END_TEST

START_TEST(a_client_that_was_never_heard_costs_nothing)
{
	struct far_util f;

	far_util_init(&f);
	far_util_attach(&f, true);
	f.link->ops->close(f.link);
	f.link = NULL;
	RUN_UNTIL(&f.cu.u, !remotes_busy(f.remotes));
	/* So is its connection. */
	RUN_UNTIL(&f.cu.u, f.cu.conns.all.count == 0);
	far_util_fini(&f);
}
END_TEST

START_TEST(datagrams_of_nobody_are_dropped)
{
	uint8_t junk[64];
	struct udp *u;
	struct udp_addr to, local = { .len = 0 };
	struct far_util f;
	unsigned i;

	far_util_init(&f);
	far_util_attach(&f, true);
	far_util_type(&f, 'a');
	FAR_UNTIL(&f, far_util_typed(&f) == 1);
	ck_assert_int_eq(udp_open(AF_INET, 1, &u, NULL), 0);
	ck_assert_int_eq(udp_addr_parse("127.0.0.1", (uint16_t)f.port, &to), 0);
	for (i = 0; i < 20; i++) {
		sys_random(junk, sizeof(junk));
		ck_assert_int_eq(
		    udp_send(u, &local, &to, junk, sizeof(junk)), 0);
		memcpy(junk + 1, &f.cid, sizeof(f.cid));
		ck_assert_int_eq(
		    udp_send(u, &local, &to, junk, sizeof(junk)), 0);
		far_util_turn(&f);
	}
	far_util_show(&f, 3);
	FAR_UNTIL(&f, far_util_seen(&f) == 3);
	ck_assert_uint_eq(f.losts, 0);
	udp_free(u);
	far_util_fini(&f);
}
END_TEST

#define FLOOD (6u * UDP_BATCH + 10)

static void
count_turn(void *arg, UNUSED int fd, UNUSED unsigned events)
{
	unsigned *n = arg;

	(*n)++;
}

/*
 * Everything else of a turn goes between two batches of junk; a flood is read
 * once a millisecond, a few bad datagrams at once; the owner is answered.
 */
START_TEST(a_flood_waits_for_the_rest_of_the_turn)
{
	struct udp_addr to, local = { .len = 0 };
	struct remote_port_stats st, before;
	struct remote_port *rp;
	unsigned i, turns, keys;
	uint64_t sent = 0;
	struct loop_io *io;
	mono_ms late = run_util_deadline();
	uint8_t junk[40];
	struct far_util f;
	struct loop *l;
	struct udp *u;
	int fds[2];

	far_util_init(&f);
	far_util_attach(&f, true);
	far_util_type(&f, 'a');
	FAR_UNTIL(&f, far_util_typed(&f) == 1);
	rp = remotes_port(f.remotes);
	l = f.cu.u.run.loop;
	/* What is always readable stands for somebody's keys. */
	ck_assert_int_eq(pipe(fds), 0);
	ck_assert_int_eq(write(fds[1], "k", 1), 1);
	io = loop_io_add(l, fds[0], LOOP_READ, count_turn, &keys);
	ck_assert_int_eq(udp_open(AF_INET, 1, &u, NULL), 0);
	ck_assert_int_eq(udp_addr_parse("127.0.0.1", (uint16_t)f.port, &to), 0);
	sys_random(junk, sizeof(junk));
	before = remote_port_stats(rp);
	/* Rounds until one was read in less time than it takes to forget it. */
	do {
		for (i = 0; i < FLOOD; i++)
			ck_assert_int_eq(
			    udp_send(u, &local, &to, junk, sizeof(junk)), 0);
		sent += FLOOD;
		st = remote_port_stats(rp);
		turns = keys = 0;
		while (remote_port_stats(rp).junk < st.junk + FLOOD) {
			uint64_t had = remote_port_stats(rp).junk;

			run_util_late(late, "the flood is read");
			loop_turn(l, false);
			ck_assert_uint_eq(keys, ++turns);
			ck_assert_uint_le(
			    remote_port_stats(rp).junk - had, UDP_BATCH);
		}
		ck_assert_uint_ge(turns, FLOOD / UDP_BATCH);
		st = remote_port_stats(rp);
	} while (st.rests == before.rests);
	ck_assert_uint_eq(st.junk - before.junk, sent);
	loop_io_del(io);
	(void)close(fds[0]);
	(void)close(fds[1]);
	/* The owner's datagrams are no junk. */
	far_util_type(&f, 'b');
	FAR_UNTIL(&f, remote_port_stats(rp).read > st.read);
	far_util_show(&f, 3);
	FAR_UNTIL(&f, far_util_seen(&f) == 3);
	ck_assert_uint_eq(remote_port_stats(rp).junk, st.junk);
	udp_free(u);
	far_util_fini(&f);
}
END_TEST

START_TEST(the_port_is_one_of_remote_ports)
{
	struct cause c = { NULL };
	struct options *o;
	struct far_util f;
	uint16_t port = 0, same = 0;
	struct udp *busy;
	char range[32];

	far_util_init(&f);
	o = &f.cu.u.run.mux->server_options;
	(void)options_set_text(o, "remote-ports", "many", NULL);
	ck_assert_int_eq(remote_keep_port(f.remotes, &port, &c), -ERR_SYNTAX);
	ck_assert_str_eq(
	    cause_text(&c), "remote-ports is not a port or range: many");
	cause_fini(&c);
	ck_assert_int_eq(udp_bind(AF_INET, 40000, 64000, &busy, NULL), 0);
	(void)snprintf(range, sizeof(range), "%u", udp_port(busy));
	(void)options_set_text(o, "remote-ports", range, NULL);
	ck_assert_int_eq(remote_keep_port(f.remotes, &port, &c), -ERR_SYS);
	ck_assert_ptr_nonnull(strstr(cause_text(&c), "no free UDP port"));
	cause_fini(&c);
	(void)snprintf(range, sizeof(range), "%u-%u", udp_port(busy),
	    udp_port(busy) + 500u);
	(void)options_set_text(o, "remote-ports", range, NULL);
	ck_assert_int_eq(remote_keep_port(f.remotes, &port, NULL), 0);
	ck_assert_uint_gt(port, udp_port(busy));
	ck_assert_int_eq(remote_keep_port(f.remotes, &same, NULL), 0);
	ck_assert_uint_eq(same, port);
	ck_assert(!remotes_busy(f.remotes));
	ck_assert(!remotes_busy(NULL));
	udp_free(busy);
	far_util_fini(&f);
}
END_TEST

/* Returns whether PORT of 127.0.0.1 is free. */
static bool
free_port(uint16_t port)
{
	struct udp_addr at;
	struct udp *u;

	ck_assert_int_eq(udp_addr_parse("127.0.0.1", 0, &at), 0);
	if (udp_bind_at(&at, port, port, &u, NULL) != 0)
		return false;
	udp_free(u);
	return true;
}

START_TEST(the_port_closes_when_nobody_needs_it)
{
	uint16_t port = 0, again = 0;
	struct far_util f;

	far_util_init(&f);
	far_util_attach(&f, true);
	port = (uint16_t)f.port;
	far_util_type(&f, 'a');
	FAR_UNTIL(&f, far_util_typed(&f) == 1);
	/* As an invitation does. */
	ck_assert_int_eq(remote_keep_port(f.remotes, &again, NULL), 0);
	ck_assert_uint_eq(again, port);
	ssp_transport_shutdown(f.bind.tp, sys_now());
	FAR_UNTIL(&f, f.losts == 1);
	f.link->ops->close(f.link);
	f.link = NULL;
	FAR_UNTIL(&f, !remotes_busy(f.remotes));
	run_util_turn(&f.cu.u);
	ck_assert(!free_port(port));
	remote_release_port(f.remotes);
	RUN_UNTIL(&f.cu.u, free_port(port));
	/* It comes back for the next. */
	ck_assert_int_eq(remote_keep_port(f.remotes, &again, NULL), 0);
	ck_assert(!free_port(again));
	/* Released and taken in one turn: it stays. */
	remote_release_port(f.remotes);
	ck_assert_int_eq(remote_keep_port(f.remotes, &port, NULL), 0);
	run_util_turn(&f.cu.u);
	ck_assert_uint_eq(port, again);
	ck_assert(!free_port(port));
	far_util_fini(&f);
}
END_TEST

START_TEST(the_port_is_open_on_the_addresses_of_remote_bind)
{
	static const char *const wrong[][2] = {
		{ "localhost", "remote-bind: not an address: localhost" },
		{ "127.0.0.1, 300.1.1.1",
		    "remote-bind: not an address: 300.1.1.1" },
		{ "127.0.0.1:60001",
		    "remote-bind: not an address: 127.0.0.1:60001" },
		{ "192.0.2.77",
		    "remote-bind: this machine cannot listen on 192.0.2.77" },
		{ "127.0.0.1 127.0.0.2 127.0.0.3 127.0.0.4 127.0.0.5 "
		  "127.0.0.6 127.0.0.7 127.0.0.8 127.0.0.9",
		    "remote-bind has more than 8 addresses" },
	};
	struct cause c = { NULL };
	struct udp_addr other;
	struct options *o;
	struct far_util f;
	struct udp *u;
	uint16_t port;
	size_t i;

	far_util_init(&f);
	o = &f.cu.u.run.mux->server_options;
	for (i = 0; i < ARRAY_LEN(wrong); i++) {
		(void)options_set_text(o, "remote-bind", wrong[i][0], NULL);
		ck_assert_int_ne(remote_keep_port(f.remotes, &port, &c), 0);
		ck_assert_msg(
		    strstr(cause_text(&c), wrong[i][1]) == cause_text(&c), "%s",
		    cause_text(&c));
		cause_fini(&c);
	}
	(void)options_set_text(o, "remote-bind", "127.0.0.1", NULL);
	far_util_attach(&f, true);
	port = (uint16_t)f.port;
	ck_assert(!free_port(port));
	ck_assert_int_eq(udp_addr_parse("127.0.0.2", 0, &other), 0);
	ck_assert_int_eq(udp_bind_at(&other, port, port, &u, &c), 0);
	udp_free(u);
	far_util_type(&f, 'a');
	FAR_UNTIL(&f, far_util_typed(&f) == 1);
	far_util_show(&f, 8);
	FAR_UNTIL(&f, far_util_seen(&f) == 8);
	far_util_fini(&f);
}
END_TEST

UNIT_SUITE(remote)
{
	Suite *s = suite_create("remote");
	TCase *tc = tcase_create("remote");

	tcase_add_test(tc, a_client_signs_in_through_the_tunnel);
	tcase_add_test(tc, a_client_over_udp_needs_no_socket);
	tcase_add_test(tc, a_client_signs_in_again);
	tcase_add_test(tc, a_key_that_was_never_used_is_replaced);
	tcase_add_test(tc, a_key_that_was_never_used_gives_way);
	tcase_add_test(tc, the_farewell_is_confirmed);
	tcase_add_test(tc, a_client_hears_the_farewell_when_it_comes);
	tcase_add_test(tc, a_client_that_is_cut_off_hears_why);
	tcase_add_test(tc, a_farewell_through_ssh_leaves_no_key);
	tcase_add_test(tc, a_farewell_that_nobody_confirms_leaves_no_key);
	tcase_add_test(tc, a_client_that_goes_is_lost);
	tcase_add_test(tc, a_client_that_was_never_heard_costs_nothing);
	tcase_add_test(tc, datagrams_of_nobody_are_dropped);
	tcase_add_test(tc, a_flood_waits_for_the_rest_of_the_turn);
	tcase_add_test(tc, the_port_is_one_of_remote_ports);
	tcase_add_test(tc, the_port_closes_when_nobody_needs_it);
	tcase_add_test(tc, the_port_is_open_on_the_addresses_of_remote_bind);
	suite_add_tcase(s, tc);
	return s;
}
