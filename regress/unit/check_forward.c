/*
 * Forwards that listen at their own end, and the peer that is told of them: one
 * end is struct forwards, the other is streams whose user is the test.
 */
#include <sys/socket.h>
#include <sys/un.h>

#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/io/loop.h"
#include "base/io/sys.h"
#include "base/wire.h"
#include "regress/unit/unit.h"
#include "ssp/core.h"
#include "ssp/frame.h"
#include "ssp/io/forward.h"
#include "ssp/streams_int.h"

#define FRAMES 60000 /* bytes of one datagram here */

static struct ssp_core core = { .link = SSP_LINK_DATAGRAM };
static struct loop *loop;
static struct ssp_streams *ours, *theirs; /* of the forwards, of the test */
static struct forwards *forwards;
static struct reach *reach;
static char dir[64], path[96];
static int helper, said;
static uint64_t packet;

static void
changed(UNUSED void *arg)
{
}

static void
say(UNUSED void *arg, UNUSED const char *text)
{
	said++;
}

static struct reach *
the_reach(UNUSED void *arg)
{
	return reach;
}

/* SERVE: the forwards are those of a server. */
static void
begin(bool serve)
{
	static const struct forwards_ops ops = {
		.changed = changed, .say = say, .reach = the_reach
	};
	int fds[2];

	snprintf(dir, sizeof(dir), "/tmp/rmux-forward-XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/here", dir);
	ck_assert_int_eq(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, fds), 0);
	helper = fds[1];
	said = 0;
	packet = 0;
	loop = loop_new();
	reach = reach_at(loop, fds[0]);
	ours = ssp_streams_new(&core, !serve);
	theirs = ssp_streams_new(&core, serve);
	ssp_streams_allow(ours, SSP_STREAMS_ALL);
	ssp_streams_allow(theirs, SSP_STREAMS_ALL);
	ssp_streams_accept(theirs, true);
	forwards = forwards_new(loop, ours, serve, &ops, NULL);
}

static void
end(void)
{
	forwards_free(forwards);
	reach_free(reach);
	ssp_streams_free(ours);
	ssp_streams_free(theirs);
	loop_free(loop);
	(void)close(helper);
	(void)unlink(path);
	(void)rmdir(dir);
}

/* Brings one datagram of FROM to TO; false: there is nothing to send. */
static bool
carry_one(struct ssp_streams *from, struct ssp_streams *to)
{
	static uint8_t out[FRAMES];
	uint64_t type, n;
	struct wr w;
	struct rd r;

	wr_init(&w, out, sizeof(out));
	if (ssp_streams_write(from, 1000, ++packet, &w, 1000) == 0)
		return false;
	rd_init(&r, out, wr_len(&w));
	while (rd_left(&r) > 0) {
		type = rd_varint(&r);
		n = rd_varint(&r);
		ck_assert_int_eq(r.err, 0);
		ck_assert_int_eq(
		    ssp_streams_read(to, type, rd_bytes(&r, n), n), 0);
	}
	ssp_streams_acked(from, packet);
	return true;
}

static void
carry(void)
{
	unsigned i;

	for (i = 0; i < 1000; i++) {
		if (!carry_one(ours, theirs) && !carry_one(theirs, ours))
			return;
		forwards_turn(forwards);
	}
	ck_abort_msg("no end");
}

static uint64_t
opens(const struct ssp_purpose *p)
{
	uint8_t what[SSP_PURPOSE_SIZE];
	struct wr w;

	wr_init(&w, what, sizeof(what));
	ssp_purpose_put(&w, p);
	return ssp_streams_open(theirs, SSP_PRIO_FLOW, what, wr_len(&w));
}

/* Returns the next stream that the forwards have opened. Out: *p: its purpose */
static uint64_t
opened(struct ssp_purpose *p)
{
	const uint8_t *what;
	uint64_t id;
	size_t n;

	carry();
	while ((id = ssp_streams_news(theirs)) != SSP_STREAM_NONE) {
		what = ssp_streams_what(theirs, id, &n);
		if (what != NULL && ssp_purpose_get(p, what, n) == 0)
			return id;
	}
	return SSP_STREAM_NONE;
}

static void
count_one(void *arg, const struct forward_info *i)
{
	unsigned *n = arg;

	n[i->spec->kind]++;
}

/* Returns how many forwards of KIND there are. */
static unsigned
count(enum forward_kind kind)
{
	unsigned n[FORWARD_SOCKET + 1] = { 0 };

	forwards_each(forwards, count_one, n);
	return n[kind];
}

/* The client gets -L at PATH. */
static void
add_local(void)
{
	struct forward_spec spec = { .kind = FORWARD_LOCAL,
		.listen = { .kind = SSP_PLACE_UNIX },
		.connect = { .host = "db", .port = 80 } };
	struct sockaddr_un sun = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	snprintf(spec.listen.host, sizeof(spec.listen.host), "%s", path);
	snprintf(sun.sun_path, sizeof(sun.sun_path), "%s", path);
	ck_assert_int_eq(bind(fd, (struct sockaddr *)&sun, sizeof(sun)), 0);
	ck_assert_int_eq(listen(fd, 8), 0);
	ck_assert_int_eq(sys_set_nonblock(fd), 0);
	forwards_added(forwards, 0, 7, &spec, &fd, 1);
}

/* Connects a program to PATH; returns the program's descriptor. */
static int
program(void)
{
	struct sockaddr_un sun = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	snprintf(sun.sun_path, sizeof(sun.sun_path), "%s", path);
	ck_assert_int_eq(connect(fd, (struct sockaddr *)&sun, sizeof(sun)), 0);
	loop_turn(loop, true);
	return fd;
}

/* --- the client --- */

START_TEST(a_client_announces)
{
	const uint8_t answer = 0;
	struct ssp_purpose p;
	uint64_t id, flow;
	int fd;

	begin(false);
	forwards_up(forwards);
	add_local();
	id = opened(&p);
	ck_assert_int_eq(p.kind, SSP_PURPOSE_ANNOUNCE);
	ck_assert(!p.dynamic);
	ck_assert_str_eq(p.place.host, path);
	ck_assert_str_eq(p.to.host, "db");
	/* Connections name the stream, with and without an answer to it. */
	fd = program();
	ck_assert_uint_ne(opened(&p), SSP_STREAM_NONE);
	ck_assert_int_eq(p.kind, SSP_PURPOSE_CONNECT);
	ck_assert_uint_eq(p.listener, id);
	(void)close(fd);
	ck_assert_uint_eq(ssp_streams_put(theirs, id, &answer, 1), 1);
	carry();
	fd = program();
	flow = opened(&p);
	ck_assert_int_eq(p.kind, SSP_PURPOSE_CONNECT);
	ck_assert_uint_ne(flow, id);
	ck_assert_uint_eq(p.listener, id);
	(void)close(fd);
	/* It ends with the forward. */
	forwards_cancelled(forwards, 7);
	carry();
	ck_assert_int_eq(ssp_streams_state(theirs, id), SSP_STREAM_RESET);
	ck_assert_int_eq(said, 0);
	end();
}
END_TEST

START_TEST(an_older_server_hears_of_nothing)
{
	struct ssp_purpose p;
	uint64_t id;
	int fd;

	begin(false);
	forwards_up(forwards);
	add_local();
	id = opened(&p);
	ssp_streams_reset(theirs, id, SSP_REASON_UNKNOWN, "update it");
	carry();
	ck_assert_uint_eq(count(FORWARD_LOCAL), 1);
	ck_assert_int_eq(said, 0);
	fd = program();
	ck_assert_uint_ne(opened(&p), SSP_STREAM_NONE);
	ck_assert_int_eq(p.kind, SSP_PURPOSE_CONNECT);
	ck_assert_uint_eq(p.listener, 0);
	ck_assert_str_eq(p.place.host, "db");
	(void)close(fd);
	end();
}
END_TEST

/* security: an announced forward is no leave to connect at the client. */
START_TEST(a_server_connects_to_nothing_announced)
{
	const uint8_t answer = 0;
	struct ssp_purpose p, accepted = { .kind = SSP_PURPOSE_ACCEPTED,
		.place = { .kind = SSP_PLACE_UNIX } };
	struct pollfd pf = { .events = POLLIN };
	const char *text;
	uint64_t id;

	begin(false);
	forwards_up(forwards);
	add_local();
	accepted.listener = opened(&p);
	ck_assert_uint_eq(
	    ssp_streams_put(theirs, accepted.listener, &answer, 1), 1);
	carry();
	id = opens(&accepted);
	ck_assert_uint_ne(id, SSP_STREAM_NONE);
	carry();
	ck_assert_uint_eq(
	    ssp_streams_reason(theirs, id, &text), SSP_REASON_DENIED);
	ck_assert_str_eq(text, "not asked for");
	/* The helper was not asked. */
	pf.fd = helper;
	ck_assert_int_eq(poll(&pf, 1, 0), 0);
	/* Nor does a client take announcements. */
	p = (struct ssp_purpose){ .kind = SSP_PURPOSE_ANNOUNCE };
	id = opens(&p);
	carry();
	ck_assert_uint_eq(
	    ssp_streams_reason(theirs, id, &text), SSP_REASON_DENIED);
	ck_assert_uint_eq(count(FORWARD_LOCAL), 1);
	end();
}
END_TEST

/* --- the server --- */

START_TEST(a_server_lists_so_many)
{
	struct ssp_purpose p = { .kind = SSP_PURPOSE_ANNOUNCE,
		.place = { .host = "localhost", .port = 1 },
		.to = { .host = "db", .port = 80 } };
	uint64_t first, id = 0;
	const uint8_t *answer;
	const char *text;
	unsigned i;
	size_t n;

	begin(true);
	first = opens(&p);
	carry();
	answer = ssp_streams_peek(theirs, first, &n);
	ck_assert_ptr_nonnull(answer);
	ck_assert_uint_eq(n, 1);
	ck_assert_uint_eq(*answer, 0);
	p.dynamic = true;
	for (i = 0; i < REACH_ENTRIES; i++) {
		p.place.port = (uint16_t)(i + 2);
		id = opens(&p);
		ck_assert_uint_ne(id, SSP_STREAM_NONE);
		carry();
	}
	ck_assert_uint_eq(count(FORWARD_LOCAL), 1);
	ck_assert_uint_eq(count(FORWARD_DYNAMIC), REACH_ENTRIES - 1);
	ck_assert_uint_eq(
	    ssp_streams_reason(theirs, id, &text), SSP_REASON_DENIED);
	/* They go with their streams. */
	ssp_streams_reset(theirs, first, SSP_REASON_GONE, NULL);
	carry();
	ck_assert_uint_eq(count(FORWARD_LOCAL), 0);
	id = opens(&p);
	carry();
	ck_assert_uint_eq(count(FORWARD_DYNAMIC), REACH_ENTRIES);
	end();
}
END_TEST

UNIT_SUITE(forward)
{
	Suite *s = suite_create("forward");
	TCase *tc = tcase_create("forward");

	tcase_add_test(tc, a_client_announces);
	tcase_add_test(tc, an_older_server_hears_of_nothing);
	tcase_add_test(tc, a_server_connects_to_nothing_announced);
	tcase_add_test(tc, a_server_lists_so_many);
	suite_add_tcase(s, tc);
	return s;
}
