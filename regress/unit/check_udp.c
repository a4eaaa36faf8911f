#include <sys/socket.h>

#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/io/stream.h"
#include "base/io/udp.h"
#include "regress/unit/unit.h"

static void
wait_readable(int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };

	ck_assert_int_eq(poll(&p, 1, 3000), 1);
}

static const struct {
	int family;
	const char *host;
} rows[] = { { AF_INET, "127.0.0.1" }, { AF_INET6, "::1" } };

/* Opens a server and a client of FAMILY; false if the system lacks it. */
static bool
open_pair(int family, struct udp **s, struct udp **c)
{
	struct cause why = { NULL };
	bool ok;

	ok = udp_bind(family, 0, 0, s, &why) == 0;
	if (ok && udp_open(family, 7, c, &why) != 0) {
		udp_free(*s);
		ok = false;
	}
	if (!ok)
		fprintf(stderr, "skipped: %s\n", cause_text(&why));
	cause_fini(&why);
	return ok;
}

START_TEST(datagrams_go_both_ways_with_their_addresses)
{
	struct udp_addr to, text;
	struct udp_msg m;
	struct udp *s, *c;
	char name[80];
	size_t i;
	int k;

	for (i = 0; i < ARRAY_LEN(rows); i++) {
		if (!open_pair(rows[i].family, &s, &c))
			continue;
		ck_assert_int_eq(
		    udp_addr_parse(rows[i].host, udp_port(s), &to), 0);
		ck_assert_int_eq(udp_addr_family(&to), rows[i].family);
		if (udp_send(c, NULL, &to, "ping", 4) == -ERR_SYS) {
			/* No route: the interface has no such address. */
			udp_free(s);
			udp_free(c);
			continue;
		}
		wait_readable(udp_fd(s));
		ck_assert_int_eq(udp_recv(s, &m), 0);
		ck_assert_uint_eq(m.len, 4);
		ck_assert_mem_eq(m.data, "ping", 4);
		ck_assert_uint_eq(m.ecn, 2); /* ECT(0) */
		ck_assert_mem_eq(m.local.bytes, to.bytes, to.host);
		udp_addr_format(&m.from, name, sizeof(name));
		ck_assert_ptr_nonnull(strstr(name, rows[i].host));
		ck_assert_int_eq(udp_recv(s, &m), -ERR_AGAIN);
		/* Reply, from the destination address. */
		ck_assert_int_eq(
		    udp_addr_parse(rows[i].host, udp_port(c), &text), 0);
		for (k = 0; k < 5; k++)
			ck_assert_int_eq(udp_send(s, &to, &text, "pong", 4), 0);
		for (k = 0; k < 5; k++) {
			wait_readable(udp_fd(c));
			ck_assert_int_eq(udp_recv(c, &m), 0);
			ck_assert_uint_eq(m.from.len, to.len);
			ck_assert_mem_eq(m.from.bytes, to.bytes, to.len);
			ck_assert_uint_eq(m.local.len, 4);
			ck_assert_uint_eq(m.local.bytes[3], 7);
		}
		udp_free(s);
		udp_free(c);
	}
}
END_TEST

START_TEST(congestion_marks_are_read_on_both_families)
{
	struct udp_addr to;
	struct udp_msg m;
	struct udp *s, *c;
	size_t i;
	int ce = 3;

	for (i = 0; i < ARRAY_LEN(rows); i++) {
		if (!open_pair(rows[i].family, &s, &c))
			continue;
		udp_addr_parse(rows[i].host, udp_port(s), &to);
		if (rows[i].family == AF_INET)
			setsockopt(
			    udp_fd(c), IPPROTO_IP, IP_TOS, &ce, sizeof(ce));
		else
			setsockopt(udp_fd(c), IPPROTO_IPV6, IPV6_TCLASS, &ce,
			    sizeof(ce));
		if (udp_send(c, NULL, &to, "x", 1) == 0) {
			wait_readable(udp_fd(s));
			ck_assert_int_eq(udp_recv(s, &m), 0);
			ck_assert_uint_eq(m.ecn, 3);
		}
		udp_free(s);
		udp_free(c);
	}
}
END_TEST

static void
count(void *arg, struct udp_msg *m)
{
	size_t *sum = arg;

	*sum += m->len;
}

/* Datagrams that went in one call are passed on one by one, in order. */
struct parts {
	size_t next;
	size_t bytes;
};

static void
part_came(void *arg, struct udp_msg *m)
{
	struct parts *p = arg;

	ck_assert_uint_eq(m->len, p->next == 40 ? 7 : 100);
	ck_assert_uint_eq(m->data[0], p->next);
	ck_assert_uint_gt(m->from.len, 0);
	/* A datagram is opened in place: no other is touched. */
	memset(m->data, 0xff, m->len);
	p->next++;
	p->bytes += m->len;
}

START_TEST(datagrams_that_the_system_joins_are_apart)
{
	struct parts p = { 0, 0 };
	uint8_t out[40 * 100 + 7];
	struct udp_addr to;
	struct udp *s, *c;
	size_t i;
	int n;

	memset(out, 0, sizeof(out));
	for (i = 0; i <= 40; i++)
		out[i * 100] = (uint8_t)i;
	ck_assert(open_pair(AF_INET, &s, &c));
	udp_addr_parse("127.0.0.1", udp_port(s), &to);
	ck_assert_int_eq(udp_recv_batch(s, UDP_BATCH, part_came, &p), 0);
	ck_assert_int_eq(
	    udp_send_parts(c, NULL, &to, out, sizeof(out), 100), 0);
	while (p.next <= 40) {
		wait_readable(udp_fd(s));
		n = udp_recv_batch(s, UDP_BATCH, part_came, &p);
		ck_assert_int_gt(n, 0);
	}
	ck_assert_uint_eq(p.bytes, sizeof(out));
	udp_free(s);
	udp_free(c);
}
END_TEST

START_TEST(batches_are_bounded_and_long_datagrams_dropped)
{
	static const uint8_t big[UDP_DATA_MAX + 1];
	struct sockaddr_in in;
	struct udp_addr to;
	struct udp_msg m;
	struct udp *s, *c;
	size_t sum = 0;
	int i;

	ck_assert(open_pair(AF_INET, &s, &c));
	udp_addr_parse("127.0.0.1", udp_port(s), &to);
	for (i = 0; i < 50; i++)
		ck_assert_int_eq(udp_send(c, NULL, &to, big, 10), 0);
	wait_readable(udp_fd(s));
	ck_assert_int_eq(udp_recv_batch(s, UDP_BATCH, count, &sum), UDP_BATCH);
	ck_assert_uint_eq(sum, UDP_BATCH * 10);
	ck_assert_int_eq(
	    udp_recv_batch(s, UDP_BATCH, count, &sum), 50 - UDP_BATCH);
	ck_assert_int_eq(udp_recv_batch(s, UDP_BATCH, count, &sum), 0);
	ck_assert_int_eq(udp_send(c, NULL, &to, big, sizeof(big)), -ERR_LIMIT);
	memset(&in, 0, sizeof(in));
	in.sin_family = AF_INET;
	in.sin_port = htons(udp_port(s));
	in.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	ck_assert_int_eq(sendto(udp_fd(c), big, sizeof(big), 0,
			     (struct sockaddr *)&in, sizeof(in)),
	    sizeof(big));
	wait_readable(udp_fd(s));
	ck_assert_int_eq(udp_recv(s, &m), 0);
	ck_assert_uint_eq(m.len, 0); /* truncated: dropped */
	udp_free(s);
	udp_free(c);
}
END_TEST

static void
parts_count(void *arg, struct udp_msg *m)
{
	size_t *got = arg;

	ck_assert_uint_eq(m->data[0], got[0]++);
	got[1] = m->len;
}

/* Many datagrams in one call: each arrives alone, the last one shorter. */
START_TEST(datagrams_go_in_parts)
{
	uint8_t data[10 * 1200 + 300] = { 0 };
	size_t got[2] = { 0 }, i, k;
	struct udp_addr to, local;
	struct udp *s, *c;

	for (i = 0; i < 11; i++)
		data[i * 1200] = (uint8_t)i;
	for (i = 0; i < ARRAY_LEN(rows); i++) {
		if (!open_pair(rows[i].family, &s, &c))
			continue;
		ck_assert_int_eq(
		    udp_addr_parse(rows[i].host, udp_port(s), &to), 0);
		local = udp_name(c);
		for (k = 0; k < 3; k++) {
			memset(got, 0, sizeof(got));
			ck_assert_int_eq(udp_send_parts(c, &local, &to, data,
					     sizeof(data), 1200),
			    0);
			while (got[0] < 11)
				(void)udp_recv_batch(
				    s, UDP_BATCH, parts_count, got);
			ck_assert_uint_eq(got[1], 300);
		}
		/* One that is no more than a part, and ones that are none. */
		ck_assert_int_eq(
		    udp_send_parts(c, &local, &to, data, 5, 1200), 0);
		ck_assert_int_eq(udp_send_parts(c, &local, &to, data,
				     sizeof(data), UDP_DATA_MAX + 1),
		    -ERR_LIMIT);
		ck_assert_int_eq(udp_send_parts(c, &local, &to, data,
				     UDP_PARTS_MAX + 1, 1200),
		    -ERR_LIMIT);
		udp_free(s);
		udp_free(c);
	}
}
END_TEST

START_TEST(port_ranges_and_wrong_families)
{
	struct cause why = { NULL };
	struct udp_addr v6, bad;
	struct udp *a, *b = NULL;
	uint16_t port;

	ck_assert_int_eq(udp_bind(AF_INET, 0, 0, &a, &why), 0);
	port = udp_port(a);
	ck_assert_int_eq(udp_bind(AF_INET, port, port, &b, &why), -ERR_SYS);
	ck_assert_ptr_nonnull(strstr(cause_text(&why), "no free UDP port"));
	cause_fini(&why);
	ck_assert_int_eq(udp_addr_parse("::1", 9, &v6), 0);
	ck_assert_int_eq(udp_send(a, NULL, &v6, "x", 1), -ERR_TYPE);
	ck_assert_int_eq(udp_addr_parse("host.example", 9, &bad), -ERR_SYNTAX);
	ck_assert_int_eq(udp_addr_parse("1.2.3", 9, &bad), -ERR_SYNTAX);
	ck_assert_int_eq(udp_addr_family(&bad), 0);
	udp_free(a);
	udp_free(NULL);
}
END_TEST

START_TEST(streams_report_ends_and_fullness)
{
	static uint8_t data[1 << 16];
	int sv[2], fd[2];
	size_t n;
	int r = 0, rounds;

	ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, sv), 0);
	ck_assert_int_eq(stream_prepare(sv[0]), 0);
	ck_assert_int_eq(stream_prepare(sv[1]), 0);
	ck_assert_int_eq(stream_read(sv[1], data, 10, &n), -ERR_AGAIN);
	ck_assert_int_eq(stream_write(sv[0], "abc", 3, &n), 0);
	ck_assert_int_eq(stream_read(sv[1], data, 10, &n), 0);
	ck_assert_uint_eq(n, 3);
	for (rounds = 0; rounds < 100 && r == 0; rounds++)
		r = stream_write(sv[0], data, sizeof(data), &n);
	ck_assert_int_eq(r, -ERR_AGAIN);
	close(sv[1]);
	ck_assert_int_eq(stream_write(sv[0], "x", 1, &n), -ERR_CLOSED);
	close(sv[0]);
	signal(SIGPIPE, SIG_IGN); /* as both processes do */
	ck_assert_int_eq(pipe(fd), 0);
	ck_assert_int_eq(stream_write(fd[1], "x", 1, &n), 0);
	close(fd[1]);
	ck_assert_int_eq(stream_read(fd[0], data, 10, &n), 0);
	ck_assert_int_eq(stream_read(fd[0], data, 10, &n), -ERR_CLOSED);
	close(fd[0]);
	ck_assert_int_eq(stream_read(-1, data, 1, &n), -ERR_SYS);
}
END_TEST

UNIT_SUITE(udp)
{
	Suite *s = suite_create("base/io/udp");
	TCase *tc = tcase_create("udp");

	tcase_add_test(tc, datagrams_go_both_ways_with_their_addresses);
	tcase_add_test(tc, congestion_marks_are_read_on_both_families);
	tcase_add_test(tc, datagrams_that_the_system_joins_are_apart);
	tcase_add_test(tc, batches_are_bounded_and_long_datagrams_dropped);
	tcase_add_test(tc, port_ranges_and_wrong_families);
	tcase_add_test(tc, datagrams_go_in_parts);
	tcase_add_test(tc, streams_report_ends_and_fullness);
	suite_add_tcase(s, tc);
	return s;
}
