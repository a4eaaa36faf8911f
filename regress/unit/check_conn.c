#include <sys/socket.h>

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/io/sys.h"
#include "base/mem.h"
#include "regress/unit/conn_util.h"
#include "regress/unit/unit.h"

static const char *const words[] = { "new-window", "-n", "a b", NULL };

/* --- greeting and framing ---------------------------------------------------------- */

START_TEST(a_caller_says_who_it_is_and_gives_its_words)
{
	struct conn_util cu;
	struct peer p;

	conn_util_init(&cu);
	ck_assert(!cu.conns.greeted);
	peer_open(&cu, &p);
	ck_assert_ptr_nonnull(p.cn);
	ck_assert_str_eq(conn_cwd(p.cn), "/");
	ck_assert_str_eq(conn_term(p.cn), "");
	peer_hello(&p, CONTROL_VERSION_MIN, CONTROL_VERSION_MAX + 5, 7);
	peer_expect(&cu, &p, "WELCOME|");
	ck_assert(cu.conns.greeted);
	ck_assert_str_eq(conn_cwd(p.cn), "/dir");
	ck_assert_str_eq(conn_term(p.cn), "xterm");
	ck_assert_str_eq(conn_tty(p.cn), "/dev/pts/9");
	ck_assert_uint_eq(conn_flags(p.cn), 7);
	ck_assert_int_eq(conn_pid(p.cn), getpid());
	ck_assert_uint_eq(conn_uid(p.cn), getuid());
	ck_assert_str_eq(conn_env(p.cn)[0], "A=1");
	ck_assert_str_eq(conn_env(p.cn)[1], "B=2");
	ck_assert_ptr_null(conn_env(p.cn)[2]);
	peer_argv(&p, CONTROL_COMMAND, 0, words);
	RUN_UNTIL(&cu.u, cu.calls.len > 0);
	ck_assert_str_eq(conn_util_calls(&cu), "command new-window -n a b|");
	peer_close(&p);
	RUN_UNTIL(&cu.u, cu.conns.all.count == 0);
	ck_assert_str_eq(conn_util_calls(&cu), "gone 1|freed|");
	ck_assert_uint_eq(conns_take_id(&cu.conns), 2);
	conn_util_fini(&cu);
}
END_TEST

START_TEST(a_message_may_come_in_pieces)
{
	struct conn_util cu;
	const struct control_msg m = {
		.type = CONTROL_COMMAND,
		.has = CONTROL_HAS_LIST,
		.argv = words,
	};
	struct peer p;
	struct buf b;
	size_t i;

	conn_util_init(&cu);
	peer_greet(&cu, &p, 0);
	buf_init(&b, 4096);
	ck_assert_int_eq(control_encode(&m, &b), 0);
	ck_assert_int_eq(control_encode(&m, &b), 0);
	for (i = 0; i < b.len; i++) {
		ck_assert_int_eq(write(p.fd, b.data + i, 1), 1);
		run_util_turn(&cu.u);
	}
	RUN_UNTIL(&cu.u, cu.calls.len > 30);
	ck_assert_str_eq(conn_util_calls(&cu),
	    "command new-window -n a b|command new-window -n a b|");
	buf_fini(&b);
	peer_close(&p);
	conn_util_fini(&cu);
}
END_TEST

START_TEST(commands_before_the_greeting_end_the_connection)
{
	struct conn_util cu;
	struct peer p;

	conn_util_init(&cu);
	peer_open(&cu, &p);
	peer_argv(&p, CONTROL_COMMAND, 0, words);
	peer_expect(&cu, &p, "END|");
	ck_assert_str_eq(conn_util_calls(&cu), "gone 1|freed|");
	ck_assert(!cu.conns.greeted);
	peer_close(&p);
	conn_util_fini(&cu);
}
END_TEST

START_TEST(a_client_of_another_protocol_is_refused)
{
	struct conn_util cu;
	struct peer p;

	conn_util_init(&cu);
	peer_open(&cu, &p);
	peer_hello(&p, CONTROL_VERSION_MAX + 1, CONTROL_VERSION_MAX + 2, 0);
	peer_argv(&p, CONTROL_COMMAND, 0, words);
	RUN_UNTIL(&cu.u, (peer_read(&p), p.ended));
	ck_assert_ptr_nonnull(strstr(buf_cstr(&p.got), "REFUSED 1:rmux: "));
	ck_assert_ptr_nonnull(strstr(buf_cstr(&p.got), "(9.9)"));
	ck_assert_str_eq(conn_util_calls(&cu), "gone 1|freed|");
	peer_close(&p);
	conn_util_fini(&cu);
}
END_TEST

START_TEST(garbage_ends_the_connection_and_no_other)
{
	static const char *const junk[] = { "\0\0\0\4junk", "\377\377\377\377",
		"\0\0\0\0" };
	static const size_t len[] = { 8, 4, 4 };
	struct conn_util cu;
	struct peer good, p;
	unsigned i;

	conn_util_init(&cu);
	peer_greet(&cu, &good, 0);
	for (i = 0; i < ARRAY_LEN(junk); i++) {
		peer_greet(&cu, &p, 0);
		ck_assert(write(p.fd, junk[i], len[i]) == (ssize_t)len[i]);
		peer_expect(&cu, &p, "END|");
		peer_close(&p);
	}
	ck_assert_uint_eq(cu.conns.all.count, 1);
	conn_out(good.cn, "still\n", 6);
	peer_expect(&cu, &good, "OUT:still\n|");
	peer_close(&good);
	conn_util_fini(&cu);
}
END_TEST

/* A server sends it; an unknown one is of a later release. */
START_TEST(messages_that_mean_nothing_are_skipped)
{
	struct control_msg m = { .type = CONTROL_SUSPEND };
	struct conn_util cu;
	struct peer p;

	conn_util_init(&cu);
	peer_greet(&cu, &p, 0);
	peer_send(&p, &m);
	m.type = (enum control_code)99;
	peer_send(&p, &m);
	peer_data(&p, CONTROL_SSP, 0, "no rider");
	peer_data(&p, CONTROL_TUNNEL, 0, "no tunnel");
	peer_data(&p, CONTROL_DATA, 77, "no file");
	peer_argv(&p, CONTROL_COMMAND, 0, words);
	RUN_UNTIL(&cu.u, cu.calls.len > 0);
	ck_assert_str_eq(conn_util_calls(&cu), "command new-window -n a b|");
	peer_close(&p);
	conn_util_fini(&cu);
}
END_TEST

/* --- output --------------------------------------------------------------------------- */

START_TEST(output_comes_in_order_before_the_exit_code)
{
	struct conn_util cu;
	struct peer p;

	conn_util_init(&cu);
	peer_greet(&cu, &p, 0);
	ck_assert(conn_reads(p.cn));
	ck_assert(!conn_reads(NULL));
	conn_out(p.cn, "", 0);
	conn_out(p.cn, "one", 3);
	conn_err(p.cn, "two", 3);
	conn_out(p.cn, "three", 5);
	conn_set_exit_code(p.cn, 3);
	conn_exit(p.cn, conn_exit_code(p.cn), "bye");
	conn_exit(p.cn, 9, NULL);
	peer_expect(&cu, &p, "OUT:one|ERR:two|OUT:three|EXIT 3:bye|END|");
	peer_close(&p);
	conn_util_fini(&cu);
}
END_TEST

static void
count_data(struct peer *p, const struct control_msg *m)
{
	size_t *sum = p->arg;

	ck_assert_uint_le(m->data_len, 65536);
	*sum += m->data_len;
}

START_TEST(long_output_goes_in_parts)
{
	size_t n = 1000000, sum = 0;
	char *text = mem_zalloc(n);
	struct conn_util cu;
	struct peer p;

	conn_util_init(&cu);
	peer_greet(&cu, &p, 0);
	p.take = count_data;
	p.taken = CONTROL_OUT;
	p.arg = &sum;
	conn_out(p.cn, text, n);
	conn_exit(p.cn, 0, NULL);
	peer_expect(&cu, &p, "EXIT 0|END|");
	ck_assert_uint_eq(sum, n);
	mem_free(text);
	peer_close(&p);
	conn_util_fini(&cu);
}
END_TEST

START_TEST(a_client_that_reads_nothing_is_cut_off)
{
	char *text = mem_zalloc(1 << 20);
	struct conn_util cu;
	struct peer p;
	unsigned i;

	conn_util_init(&cu);
	peer_greet(&cu, &p, 0);
	for (i = 0; i <= CONN_OUT_MAX >> 20; i++)
		conn_out(p.cn, text, 1 << 20);
	RUN_UNTIL(&cu.u, cu.conns.all.count == 0);
	ck_assert_str_eq(conn_util_calls(&cu), "gone 1|freed|");
	mem_free(text);
	peer_close(&p);
	conn_util_fini(&cu);
}
END_TEST

START_TEST(all_callers_are_told_that_the_server_ends)
{
	struct conn_util cu;
	struct peer p, q;

	conn_util_init(&cu);
	peer_greet(&cu, &p, 0);
	peer_greet(&cu, &q, 0);
	conn_set_exit_code(q.cn, 1);
	conns_exit(&cu.conns);
	peer_expect(&cu, &p, "EXIT 0|END|");
	peer_expect(&cu, &q, "EXIT 1|END|");
	peer_close(&p);
	peer_close(&q);
	conn_util_fini(&cu);
}
END_TEST

/* --- shedding and refusing ------------------------------------------------------------ */

START_TEST(a_silent_caller_makes_room)
{
	struct conn_util cu;
	struct peer good, silent, young;
	mono_ms begin;

	conn_util_init(&cu);
	peer_greet(&cu, &good, 0);
	peer_open(&cu, &silent);
	ck_assert(!conn_shed(&cu.conns));
	begin = sys_now();
	RUN_UNTIL(&cu.u, sys_now() > begin + 510);
	peer_open(&cu, &young);
	ck_assert(conn_shed(&cu.conns));
	ck_assert(!conn_shed(&cu.conns));
	peer_expect(&cu, &silent, "END|");
	ck_assert_str_eq(conn_util_calls(&cu), "gone 2|freed|");
	ck_assert_ptr_nonnull(conn_find(&cu.conns, 1));
	ck_assert_ptr_null(conn_find(&cu.conns, 2));
	ck_assert_ptr_nonnull(conn_find(&cu.conns, 3));
	peer_close(&good);
	peer_close(&silent);
	peer_close(&young);
	conn_util_fini(&cu);
}
END_TEST

START_TEST(a_caller_without_a_place_is_told_why)
{
	struct control_msg m;
	uint8_t bytes[256];
	size_t used;
	ssize_t n;
	int fds[2];

	ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, fds), 0);
	conn_refuse(fds[1], "rmux: full");
	n = read(fds[0], bytes, sizeof(bytes));
	ck_assert_int_gt(n, 0);
	ck_assert_int_eq(control_decode(bytes, (size_t)n, &m, &used), 0);
	ck_assert_int_eq(m.type, CONTROL_REFUSED);
	ck_assert_int_eq(m.code, 1);
	ck_assert_int_eq(memcmp(m.text.p, "rmux: full", m.text.len), 0);
	ck_assert_int_eq(read(fds[0], bytes, sizeof(bytes)), 0);
	close(fds[0]);
}
END_TEST

/* --- bare callers ------------------------------------------------------------------------ */

START_TEST(a_caller_without_words_waits_for_the_configuration)
{
	static const char *const none[] = { NULL };
	struct conn_util cu;
	struct peer p, q;

	conn_util_init(&cu);
	peer_greet(&cu, &p, 0);
	peer_greet(&cu, &q, 0);
	peer_argv(&p, CONTROL_COMMAND, 0, none);
	RUN_UNTIL(&cu.u, cu.calls.len > 0);
	ck_assert_str_eq(conn_util_calls(&cu), "command|");
	conn_set_bare(p.cn);
	conns_run_bare(&cu.conns);
	ck_assert_str_eq(conn_util_calls(&cu), "command|");
	conns_run_bare(&cu.conns);
	ck_assert_str_eq(conn_util_calls(&cu), "");
	peer_close(&p);
	peer_close(&q);
	conn_util_fini(&cu);
}
END_TEST

/* --- files --------------------------------------------------------------------------------- */

struct file {
	unsigned calls;
	int error;
	char text[64];
	size_t len;
};

static void
was_read(void *arg, int error, char *data, size_t len)
{
	struct file *f = arg;

	f->calls++;
	f->error = error;
	f->len = len;
	if (data != NULL && len < sizeof(f->text))
		memcpy(f->text, data, len);
	mem_free(data);
}

static void
was_written(void *arg, int error)
{
	struct file *f = arg;

	f->calls++;
	f->error = error;
}

static void
peer_opened(struct peer *p, uint64_t id, int code)
{
	const struct control_msg m = {
		.type = CONTROL_OPENED,
		.has = CONTROL_HAS_ID | CONTROL_HAS_CODE,
		.id = id,
		.code = code,
	};

	peer_send(p, &m);
}

START_TEST(a_file_of_the_caller_is_read)
{
	struct file a = { 0 }, b = { 0 }, c = { 0 };
	struct conn_util cu;
	struct peer p;

	conn_util_init(&cu);
	peer_greet(&cu, &p, 0);
	conn_read_file(p.cn, "/a", was_read, &a);
	conn_read_file(p.cn, "-", was_read, &b);
	conn_read_file(p.cn, "/c", was_read, &c);
	peer_expect(&cu, &p, "OPEN 0:/a|OPEN 0:-|OPEN 0:/c|");
	peer_opened(&p, 1, 0);
	peer_opened(&p, 2, ENOENT);
	peer_data(&p, CONTROL_DATA, 1, "hel");
	peer_data(&p, CONTROL_DATA, 1, "lo");
	ck_assert_uint_eq(a.calls, 0);
	peer_data(&p, CONTROL_DATA, 1, "");
	RUN_UNTIL(&cu.u, a.calls == 1 && b.calls == 1);
	ck_assert_int_eq(a.error, 0);
	ck_assert_str_eq(a.text, "hello");
	ck_assert_int_eq(b.error, ENOENT);
	/* The caller goes before it has answered. */
	ck_assert_uint_eq(c.calls, 0);
	peer_close(&p);
	RUN_UNTIL(&cu.u, c.calls == 1);
	ck_assert_int_eq(c.error, EPIPE);
	conn_util_fini(&cu);
}
END_TEST

START_TEST(a_file_of_the_caller_is_written)
{
	const struct sink_file one = { "/a", false, "text", 4 };
	const struct sink_file add = { "/b", true, "more", 4 };
	struct file a = { 0 }, b = { 0 };
	struct conn_util cu;
	struct peer p;

	conn_util_init(&cu);
	peer_greet(&cu, &p, CONTROL_FLAG_WRITTEN);
	conn_write_file(p.cn, &one, was_written, &a);
	conn_write_file(p.cn, &add, was_written, &b);
	peer_expect(&cu, &p, "OPEN 1:/a|OPEN 2:/b|");
	peer_opened(&p, 2, EACCES);
	peer_opened(&p, 1, 0);
	peer_expect(&cu, &p, "DATA:text|DATA:|");
	ck_assert_uint_eq(b.calls, 1);
	ck_assert_int_eq(b.error, EACCES);
	/* It is written when the client says so. */
	ck_assert_uint_eq(a.calls, 0);
	peer_opened(&p, 1, ENOSPC);
	RUN_UNTIL(&cu.u, a.calls == 1);
	ck_assert_int_eq(a.error, ENOSPC);
	peer_close(&p);
	/* A client of an earlier release says nothing more. */
	peer_greet(&cu, &p, 0);
	conn_write_file(p.cn, &one, was_written, &a);
	peer_expect(&cu, &p, "OPEN 1:/a|");
	peer_opened(&p, 1, 0);
	peer_expect(&cu, &p, "DATA:text|DATA:|");
	ck_assert_uint_eq(a.calls, 2);
	ck_assert_int_eq(a.error, 0);
	peer_close(&p);
	conn_util_fini(&cu);
}
END_TEST

/* --- riders --------------------------------------------------------------------------------- */

struct ride {
	struct buf log;
	uint64_t wrote;
	bool takes; /* control messages */
};

static void
ride_payload(void *arg, const uint8_t *p, size_t n)
{
	struct ride *r = arg;

	(void)buf_addf(&r->log, "payload %.*s|", (int)n, (const char *)p);
}

static void
ride_unlocked(void *arg)
{
	struct ride *r = arg;

	(void)buf_add_str(&r->log, "unlocked|");
}

static void
ride_lost(void *arg)
{
	struct ride *r = arg;

	(void)buf_add_str(&r->log, "lost|");
}

static bool
ride_send(void *arg, UNUSED enum control_code type, UNUSED int64_t code,
    const char *text)
{
	struct ride *r = arg;

	if (r->takes)
		(void)buf_addf(&r->log, "send %s|", text);
	return r->takes;
}

static const struct conn_rider rider = {
	.payload = ride_payload,
	.unlocked = ride_unlocked,
	.lost = ride_lost,
	.send = ride_send,
};

START_TEST(an_attached_client_rides_on_a_connection)
{
	const struct control_msg unlock = {
		.type = CONTROL_SIGNAL,
		.has = CONTROL_HAS_CODE,
	};
	struct ride r = { .takes = false };
	struct conn_util cu;
	struct peer p;

	conn_util_init(&cu);
	buf_init(&r.log, 4096);
	peer_greet(&cu, &p, 0);
	ck_assert_ptr_null(conn_rider(p.cn, &rider));
	conn_set_rider(p.cn, &rider, &r);
	conn_set_counter(p.cn, &r.wrote);
	ck_assert_ptr_eq(conn_rider(p.cn, &rider), &r);
	ck_assert(!conn_reads(p.cn));
	peer_expect(&cu, &p, "ATTACH|");
	conn_send_ssp(p.cn, "view", 4);
	peer_expect(&cu, &p, "SSP:view|");
	ck_assert_uint_gt(r.wrote, 4);
	conn_send(p.cn, CONTROL_LOCK, 0, "lock");
	peer_expect(&cu, &p, "LOCK 0:lock|");
	r.takes = true;
	conn_send(p.cn, CONTROL_LOCK, 0, "lock");
	peer_data(&p, CONTROL_SSP, 0, "keys");
	peer_send(&p, &unlock);
	/* It is not told to end like a caller that is not attached. */
	conns_exit(&cu.conns);
	peer_close(&p);
	RUN_UNTIL(&cu.u, cu.conns.all.count == 0);
	ck_assert_str_eq(
	    buf_cstr(&r.log), "send lock|payload keys|unlocked|lost|");
	buf_fini(&r.log);
	conn_util_fini(&cu);
}
END_TEST

static void
ride_input(void *arg, const uint8_t *p, size_t n)
{
	struct ride *r = arg;

	(void)buf_addf(&r->log, "input %.*s|", (int)n, (const char *)p);
}

static void
ride_room(void *arg)
{
	struct ride *r = arg;

	r->takes = true;
}

static const struct conn_rider controller = {
	.payload = ride_payload,
	.unlocked = ride_unlocked,
	.lost = ride_lost,
	.send = ride_send,
	.input = ride_input,
	.room = ride_room,
};

START_TEST(a_control_client_sends_its_input)
{
	struct ride r = { .takes = false };
	struct conn_util cu;
	struct peer p;

	conn_util_init(&cu);
	buf_init(&r.log, 4096);
	peer_greet(&cu, &p, 0);
	/* Input of a client that is not in control mode is dropped. */
	peer_data(&p, CONTROL_INPUT, 0, "too early");
	conn_set_controller(p.cn, &controller, &r);
	ck_assert_ptr_null(conn_rider(p.cn, &rider));
	ck_assert_ptr_eq(conn_rider(p.cn, &controller), &r);
	peer_expect(&cu, &p, "MODE 0|");
	buf_clear(&r.log);
	peer_data(&p, CONTROL_INPUT, 0, "line");
	RUN_UNTIL(&cu.u, r.log.len > 0);
	ck_assert_str_eq(buf_cstr(&r.log), "input line|");
	/* What comes while it is held waits. */
	buf_clear(&r.log);
	conn_hold(p.cn, true);
	peer_data(&p, CONTROL_INPUT, 0, "later");
	peer_data(&p, CONTROL_INPUT, 0, "");
	r.takes = false;
	conn_out(p.cn, "out", 3);
	peer_expect(&cu, &p, "OUT:out|");
	ck_assert(r.takes);
	ck_assert_uint_eq(conn_waiting(p.cn), 0);
	ck_assert_str_eq(buf_cstr(&r.log), "");
	conn_hold(p.cn, false);
	RUN_UNTIL(&cu.u, r.log.len >= strlen("input later|input |"));
	ck_assert_str_eq(buf_cstr(&r.log), "input later|input |");
	peer_close(&p);
	RUN_UNTIL(&cu.u, cu.conns.all.count == 0);
	buf_fini(&r.log);
	conn_util_fini(&cu);
}
END_TEST

/* --- roaming clients -------------------------------------------------------------------------- */

/* Stands for a remote client; its address is all that counts. */
struct fake_remote {
	struct buf log;
	bool known;
};

static struct fake_remote far;

static struct remote *
far_remote(void)
{
	return (struct remote *)(void *)&far;
}

static struct remote *
roam_resume(void *arg, uint64_t cid, uid_t uid, UNUSED struct conn *cn)
{
	struct fake_remote *f = arg;

	ck_assert_uint_eq(uid, getuid());
	(void)buf_addf(&f->log, "resume %u|", (unsigned)cid);
	return f->known ? far_remote() : NULL;
}

static void
roam_gone(void *arg, uint64_t cid, uid_t uid)
{
	struct fake_remote *f = arg;

	ck_assert_uint_eq(uid, getuid());
	(void)buf_addf(&f->log, "gone %u|", (unsigned)cid);
}

static void
roam_offer(UNUSED struct remote *r, struct buf *out)
{
	ck_assert_int_eq(
	    control_put_data(out, CONTROL_TUNNEL, 0, "offer", 5), 0);
}

static void
roam_tunnel(UNUSED struct remote *r, uint64_t id, uint8_t *p, size_t n)
{
	(void)buf_addf(
	    &far.log, "tunnel %u %.*s|", (unsigned)id, (int)n, (char *)p);
}

static void
roam_tunnel_gone(UNUSED struct remote *r, uint64_t id)
{
	(void)buf_addf(&far.log, "tunnel_gone %u|", (unsigned)id);
}

static const struct conn_roam_ops roam_ops = {
	.resume = roam_resume,
	.gone = roam_gone,
	.offer = roam_offer,
	.tunnel = roam_tunnel,
	.tunnel_gone = roam_tunnel_gone,
};

static void
roam_init(struct conn_util *cu)
{
	conn_util_init(cu);
	buf_init(&far.log, 4096);
	far.known = false;
	cu->conns.roam_ops = &roam_ops;
	cu->conns.roam_arg = &far;
}

START_TEST(a_roaming_client_outlives_its_socket)
{
	struct conn_util cu;
	struct ride r = { .takes = true };
	struct peer p;

	roam_init(&cu);
	buf_init(&r.log, 4096);
	peer_greet(&cu, &p, 0);
	peer_argv(&p, CONTROL_ROAM, 0, words);
	RUN_UNTIL(&cu.u, cu.calls.len > 0);
	ck_assert_str_eq(conn_util_calls(&cu), "command new-window -n a b|");
	ck_assert(conn_roams(p.cn));
	conn_set_rider(p.cn, &rider, &r);
	conn_set_remote(p.cn, far_remote());
	/* No ATTACH: datagrams carry the client. */
	peer_expect(&cu, &p, "TUNNEL:offer|");
	peer_data(&p, CONTROL_TUNNEL, 0, "datagram");
	RUN_UNTIL(&cu.u, far.log.len > 0);
	ck_assert(conn_tunnel(p.cn, "back", 4));
	peer_expect(&cu, &p, "TUNNEL:back|");
	conn_exit(p.cn, 0, NULL);
	peer_close(&p);
	RUN_UNTIL(&cu.u, far.log.len > 25);
	ck_assert_str_eq(
	    buf_cstr(&far.log), "tunnel 1 datagram|tunnel_gone 1|");
	ck_assert_ptr_nonnull(conn_find(&cu.conns, 1));
	ck_assert(!conn_tunnel(p.cn, "lost", 4));
	ck_assert_str_eq(conn_util_calls(&cu), "");
	conn_set_remote(p.cn, NULL);
	RUN_UNTIL(&cu.u, cu.conns.all.count == 0);
	ck_assert_str_eq(buf_cstr(&r.log), "lost|");
	ck_assert_str_eq(conn_util_calls(&cu), "gone 1|freed|");
	buf_fini(&r.log);
	buf_fini(&far.log);
	conn_util_fini(&cu);
}
END_TEST

START_TEST(a_client_may_sign_in_again)
{
	struct conn_util cu;
	struct peer p;

	roam_init(&cu);
	peer_greet(&cu, &p, 0);
	/* It is not known: its words are run. */
	peer_argv(&p, CONTROL_ROAM, 7, words);
	RUN_UNTIL(&cu.u, cu.calls.len > 0);
	ck_assert_str_eq(conn_util_calls(&cu), "command new-window -n a b|");
	peer_close(&p);
	RUN_UNTIL(&cu.u, cu.conns.all.count == 0);
	ck_assert_str_eq(conn_util_calls(&cu), "gone 1|freed|");
	far.known = true;
	peer_greet(&cu, &p, 0);
	peer_argv(&p, CONTROL_ROAM, 7, words);
	peer_expect(&cu, &p, "TUNNEL:offer|");
	ck_assert_str_eq(conn_util_calls(&cu), "");
	/* A second way to a client ends with its socket. */
	peer_close(&p);
	RUN_UNTIL(&cu.u, cu.conns.all.count == 0);
	ck_assert_str_eq(
	    buf_cstr(&far.log), "resume 7|resume 7|tunnel_gone 2|");
	buf_fini(&far.log);
	conn_util_fini(&cu);
}
END_TEST

START_TEST(a_launcher_tells_of_a_client_that_has_ended)
{
	struct conn_util cu;
	struct peer p;

	roam_init(&cu);
	far.known = true;
	peer_greet(&cu, &p, CONTROL_FLAG_GONE);
	peer_argv(&p, CONTROL_ROAM, 7, words);
	peer_expect(&cu, &p, "EXIT 0|END|");
	ck_assert_str_eq(buf_cstr(&far.log), "gone 7|");
	/* No command ran. */
	ck_assert_str_eq(conn_util_calls(&cu), "gone 1|freed|");
	peer_close(&p);
	buf_fini(&far.log);
	conn_util_fini(&cu);
}
END_TEST

UNIT_SUITE(conn)
{
	Suite *s = suite_create("conn");
	TCase *tc = tcase_create("conn");

	tcase_add_test(tc, a_caller_says_who_it_is_and_gives_its_words);
	tcase_add_test(tc, a_message_may_come_in_pieces);
	tcase_add_test(tc, commands_before_the_greeting_end_the_connection);
	tcase_add_test(tc, a_client_of_another_protocol_is_refused);
	tcase_add_test(tc, garbage_ends_the_connection_and_no_other);
	tcase_add_test(tc, messages_that_mean_nothing_are_skipped);
	tcase_add_test(tc, output_comes_in_order_before_the_exit_code);
	tcase_add_test(tc, long_output_goes_in_parts);
	tcase_add_test(tc, a_client_that_reads_nothing_is_cut_off);
	tcase_add_test(tc, all_callers_are_told_that_the_server_ends);
	tcase_add_test(tc, a_silent_caller_makes_room);
	tcase_add_test(tc, a_caller_without_a_place_is_told_why);
	tcase_add_test(tc, a_caller_without_words_waits_for_the_configuration);
	tcase_add_test(tc, a_file_of_the_caller_is_read);
	tcase_add_test(tc, a_file_of_the_caller_is_written);
	tcase_add_test(tc, an_attached_client_rides_on_a_connection);
	tcase_add_test(tc, a_control_client_sends_its_input);
	tcase_add_test(tc, a_roaming_client_outlives_its_socket);
	tcase_add_test(tc, a_client_may_sign_in_again);
	tcase_add_test(tc, a_launcher_tells_of_a_client_that_has_ended);
	suite_add_tcase(s, tc);
	return s;
}
