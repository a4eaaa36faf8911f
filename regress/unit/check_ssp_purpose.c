#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "regress/unit/unit.h"
#include "ssp/door.h"
#include "ssp/forward_spec.h"
#include "ssp/purpose.h"
#include "ssp/socks.h"

/* --- purposes --- */

/* The vectors of doc/PROTOCOL.md. */
START_TEST(bytes_of_purposes)
{
	static const uint8_t connect[] = { 1, 0, 0x40, 80, 2, 'd', 'b' };
	static const uint8_t accepted[] = { 3, 6, 1, 0, 0 };
	static const uint8_t err[] = { 6, 2, 1 };
	static const uint8_t socket[] = { 7, 1, 0, 3, 'G', 'P', 'G' };
	const struct ssp_purpose gpg = { .kind = SSP_PURPOSE_SOCKET,
		.place = { .kind = SSP_PLACE_UNIX, .host = "GPG" } };
	const struct ssp_purpose c = { .kind = SSP_PURPOSE_CONNECT,
		.place = { .host = "db", .port = 80 } };
	const struct ssp_purpose a = { .kind = SSP_PURPOSE_ACCEPTED,
		.place = { .kind = SSP_PLACE_UNIX },
		.listener = 6 };
	const struct ssp_purpose part = {
		.kind = SSP_PURPOSE_PART, .exec = 2, .part = SSP_PART_ERR
	};
	uint8_t out[SSP_PURPOSE_SIZE];
	struct ssp_purpose p;
	struct wr w;
	size_t n;

	wr_init(&w, out, sizeof(out));
	ssp_purpose_put(&w, &c);
	ck_assert_uint_eq(wr_len(&w), sizeof(connect));
	ck_assert_mem_eq(out, connect, sizeof(connect));
	ck_assert_int_eq(ssp_purpose_get(&p, out, wr_len(&w)), 0);
	ck_assert_str_eq(p.place.host, "db");
	ck_assert_uint_eq(p.place.port, 80);
	for (n = 0; n < sizeof(connect); n++)
		ck_assert_int_eq(ssp_purpose_get(&p, out, n), -ERR_PEER);
	wr_init(&w, out, sizeof(out));
	ssp_purpose_put(&w, &a);
	ck_assert_uint_eq(wr_len(&w), sizeof(accepted));
	ck_assert_mem_eq(out, accepted, sizeof(accepted));
	ck_assert_int_eq(ssp_purpose_get(&p, out, wr_len(&w)), 0);
	ck_assert_uint_eq(p.listener, 6);
	out[0] = 9;
	ck_assert_int_eq(
	    ssp_purpose_get(&p, out, wr_len(&w)), -ERR_UNSUPPORTED);
	wr_init(&w, out, sizeof(out));
	ssp_purpose_put(&w, &part);
	ck_assert_uint_eq(wr_len(&w), sizeof(err));
	ck_assert_mem_eq(out, err, sizeof(err));
	ck_assert_int_eq(ssp_purpose_get(&p, out, wr_len(&w)), 0);
	ck_assert_uint_eq(p.exec, 2);
	ck_assert_int_eq(p.part, SSP_PART_ERR);
	ck_assert_int_eq(ssp_purpose_get(&p, out, 2), -ERR_PEER);
	ck_assert_int_eq(
	    ssp_purpose_get(&p, (const uint8_t *)"\6\2\2", 3), -ERR_PEER);
	ck_assert_int_eq(ssp_purpose_get(&p, (const uint8_t *)"\5", 1), 0);
	wr_init(&w, out, sizeof(out));
	ssp_purpose_put(&w, &gpg);
	ck_assert_uint_eq(wr_len(&w), sizeof(socket));
	ck_assert_mem_eq(out, socket, sizeof(socket));
	ck_assert_int_eq(ssp_purpose_get(&p, out, wr_len(&w)), 0);
	ck_assert_int_eq(p.kind, SSP_PURPOSE_SOCKET);
	ck_assert_str_eq(p.place.host, "GPG");
	/* A name with a NUL would be another name to the system. */
	ck_assert_int_eq(
	    ssp_purpose_get(&p, (const uint8_t *)"\1\0\1\2a\0", 6), -ERR_PEER);
}
END_TEST

/* What listens at the client, and a connection that came there. */
START_TEST(announced_forwards)
{
	static const uint8_t local[] = { 8, 1, 0, 0x5f, 0x90, 1, 'a', 0, 0x40,
		80, 2, 'd', 'b' };
	static const uint8_t dynamic[] = { 8, 2, 1, 0, 2, '/', 's' };
	static const uint8_t connect[] = { 1, 0, 0x40, 80, 2, 'd', 'b', 6 };
	const struct ssp_purpose l = { .kind = SSP_PURPOSE_ANNOUNCE,
		.place = { .host = "a", .port = 8080 },
		.to = { .host = "db", .port = 80 } };
	const struct ssp_purpose d = { .kind = SSP_PURPOSE_ANNOUNCE,
		.place = { .kind = SSP_PLACE_UNIX, .host = "/s" },
		.dynamic = true };
	const struct ssp_purpose c = { .kind = SSP_PURPOSE_CONNECT,
		.place = { .host = "db", .port = 80 },
		.listener = 6 };
	uint8_t out[SSP_PURPOSE_SIZE];
	struct ssp_purpose p;
	struct wr w;
	size_t n;

	wr_init(&w, out, sizeof(out));
	ssp_purpose_put(&w, &l);
	ck_assert_uint_eq(wr_len(&w), sizeof(local));
	ck_assert_mem_eq(out, local, sizeof(local));
	ck_assert_int_eq(ssp_purpose_get(&p, out, wr_len(&w)), 0);
	ck_assert(!p.dynamic);
	ck_assert_str_eq(p.place.host, "a");
	ck_assert_str_eq(p.to.host, "db");
	ck_assert_uint_eq(p.to.port, 80);
	for (n = 0; n < sizeof(local); n++)
		ck_assert_int_eq(ssp_purpose_get(&p, out, n), -ERR_PEER);
	out[1] = 3;
	ck_assert_int_eq(ssp_purpose_get(&p, out, sizeof(local)), -ERR_PEER);
	wr_init(&w, out, sizeof(out));
	ssp_purpose_put(&w, &d);
	ck_assert_uint_eq(wr_len(&w), sizeof(dynamic));
	ck_assert_mem_eq(out, dynamic, sizeof(dynamic));
	ck_assert_int_eq(ssp_purpose_get(&p, out, wr_len(&w)), 0);
	ck_assert(p.dynamic);
	wr_init(&w, out, sizeof(out));
	ssp_purpose_put(&w, &c);
	ck_assert_uint_eq(wr_len(&w), sizeof(connect));
	ck_assert_mem_eq(out, connect, sizeof(connect));
	ck_assert_int_eq(ssp_purpose_get(&p, out, wr_len(&w)), 0);
	ck_assert_uint_eq(p.listener, 6);
	/* Without it, as an older client. */
	ck_assert_int_eq(ssp_purpose_get(&p, out, wr_len(&w) - 1), 0);
	ck_assert_uint_eq(p.listener, 0);
	out[7] = 0x7f;
	ck_assert_int_eq(ssp_purpose_get(&p, out, 8), -ERR_PEER);
	/* The longest of both fits. */
	p = l;
	memset(p.place.host, 'x', SSP_PLACE_MAX - 1);
	memset(p.to.host, 'y', SSP_PLACE_MAX - 1);
	p.place.port = p.to.port = 65535;
	wr_init(&w, out, sizeof(out));
	ssp_purpose_put(&w, &p);
	ck_assert_int_eq(w.err, 0);
}
END_TEST

START_TEST(places_of_a_peer_are_plain_text)
{
	const struct ssp_place p = { .host = "a\33]0;x\7\177b\303\244",
		.port = 80 };
	char text[SSP_PLACE_TEXT];

	ck_assert_str_eq(ssp_place_text(&p, text), "a?]0;x??b\303\244:80");
}
END_TEST

/* --- specifications --- */

static const struct {
	enum forward_kind kind;
	const char *text;
	const char *says; /* or a part of the error, behind '!' */
} specs[] = {
	{ FORWARD_LOCAL, "8080:host:80", "-L localhost:8080:host:80" },
	{ FORWARD_LOCAL, "*:8080:host:80", "-L *:8080:host:80" },
	{ FORWARD_LOCAL, ":8080:host:80", "-L *:8080:host:80" },
	{ FORWARD_LOCAL, "[::1]:8080:[2001:db8::2]:80",
	    "-L [::1]:8080:[2001:db8::2]:80" },
	{ FORWARD_LOCAL, "8080 host:80", "-L localhost:8080:host:80" },
	{ FORWARD_LOCAL, "127.0.0.1:8080 [::1]:80",
	    "-L 127.0.0.1:8080:[::1]:80" },
	{ FORWARD_LOCAL, "8080:/run/x.sock", "-L localhost:8080:/run/x.sock" },
	{ FORWARD_LOCAL, "/tmp/a:host:80", "-L /tmp/a:host:80" },
	{ FORWARD_LOCAL, "/tmp/a:/tmp/b", "-L /tmp/a:/tmp/b" },
	{ FORWARD_REMOTE, "0:localhost:22", "-R localhost:0:localhost:22" },
	{ FORWARD_REMOTE, "/tmp/a:/tmp/b", "-R /tmp/a:/tmp/b" },
	{ FORWARD_DYNAMIC, "1080", "-D localhost:1080" },
	{ FORWARD_DYNAMIC, "*:1080", "-D *:1080" },
	{ FORWARD_DYNAMIC, "[::]:1080", "-D [::]:1080" },
	{ FORWARD_LOCAL, "", "!expected" },
	{ FORWARD_LOCAL, "8080", "!expected" },
	{ FORWARD_LOCAL, "8080:host", "!expected" },
	{ FORWARD_LOCAL, "a:b:c:d:e", "!expected" },
	{ FORWARD_LOCAL, "0:host:80", "!is no port" },
	{ FORWARD_LOCAL, "8080:host:0", "!is no port" },
	{ FORWARD_LOCAL, "8080:host:65536", "!is no port" },
	{ FORWARD_LOCAL, "80x:host:80", "!is no port" },
	{ FORWARD_DYNAMIC, "1:2:3", "!expected" },
	{ FORWARD_LOCAL, "[::1:8080:host:80", "!expected" },
	{ FORWARD_LOCAL, "[::1]8080:host:80", "!expected" },
	{ FORWARD_LOCAL,
	    "/a23456789012345678901234567890123456789012345678901234567890"
	    "1234567890123456789012345678901234567890123456789:host:80",
	    "!too long" },
};

START_TEST(forwards_in_ssh_words)
{
	char text[FORWARD_SPEC_TEXT], longest[3000];
	struct cause c = { NULL };
	struct forward_spec s;
	size_t i;
	int e;

	for (i = 0; i < ARRAY_LEN(specs); i++) {
		e = forward_spec_parse(specs[i].kind, specs[i].text, &s, &c);
		if (specs[i].says[0] == '!') {
			ck_assert_msg(e == -ERR_SYNTAX, "%s", specs[i].text);
			ck_assert_msg(
			    strstr(cause_text(&c), specs[i].says + 1) != NULL,
			    "%s", cause_text(&c));
		} else {
			ck_assert_msg(
			    e == 0, "%s: %s", specs[i].text, cause_text(&c));
			ck_assert_str_eq(
			    forward_spec_text(&s, text), specs[i].says);
		}
		cause_fini(&c);
	}
	memset(longest, '1', sizeof(longest) - 1);
	longest[sizeof(longest) - 1] = '\0';
	ck_assert_int_eq(
	    forward_spec_parse(FORWARD_LOCAL, longest, &s, &c), -ERR_SYNTAX);
	cause_fini(&c);
}
END_TEST

START_TEST(sockets_to_follow)
{
	static const struct {
		const char *text,
		    *says; /* or a part of the error, behind '!' */
	} rows[] = {
		{ "GPG=/run/gpg", "--follow-socket GPG=/run/gpg" },
		{ "_a1=/x=y", "--follow-socket _a1=/x=y" },
		{ "GPG", "!expected" },
		{ "", "!expected" },
		{ "GPG=run", "!expected" },
		{ "GPG=", "!expected" },
		{ "=/run/gpg", "!no name" },
		{ "1A=/x", "!no name" },
		{ "A-B=/x", "!no name" },
		{ "PATH=/x", "!no name" },
		{ "LD_PRELOAD=/x", "!no name" },
		{ "RMUX_TMPDIR=/x", "!no name" },
		{ "SSH_AUTH_SOCK=/x", "!no name" },
		{ "a23456789012345678901234567890123=/x", "!no name" },
		{ "A=/a23456789012345678901234567890123456789012345678901234567"
		  "89012345678901234567890123456789012345678901234567890123456"
		  "7",
		    "!too long" },
	};
	char text[FORWARD_SPEC_TEXT];
	struct cause c = { NULL };
	struct forward_spec s;
	size_t i;
	int e;

	for (i = 0; i < ARRAY_LEN(rows); i++) {
		e = forward_socket_parse(rows[i].text, &s, &c);
		ck_assert_msg((e == 0) == (rows[i].says[0] != '!'), "%s: %s",
		    rows[i].text, cause_text(&c));
		if (e == 0)
			ck_assert_str_eq(
			    forward_spec_text(&s, text), rows[i].says);
		else
			ck_assert_ptr_nonnull(
			    strstr(cause_text(&c), rows[i].says + 1));
		cause_fini(&c);
	}
}
END_TEST

/* --- the door --- */

START_TEST(messages_of_the_door)
{
	struct door_request q = { .what = DOOR_ADD }, q2;
	struct door_answer a = { .what = DOOR_ROW,
		.connections = 5,
		.in = UINT64_MAX,
		.out = 7 },
			   a2;
	uint8_t out[DOOR_MESSAGE];
	struct cause c = { NULL };
	struct wr w;
	size_t n;

	ck_assert_int_eq(
	    forward_spec_parse(FORWARD_LOCAL, "8080:db:80", &q.spec, &c), 0);
	wr_init(&w, out, sizeof(out));
	door_request_put(&w, &q);
	ck_assert_int_eq(door_request_get(&q2, out, wr_len(&w)), 0);
	ck_assert_int_eq(q2.what, DOOR_ADD);
	ck_assert_mem_eq(&q2.spec, &q.spec, sizeof(q.spec));
	for (n = 0; n < wr_len(&w); n++)
		ck_assert_int_eq(door_request_get(&q2, out, n), -ERR_PEER);

	/* An agent has a path, but not to be cancelled. */
	memset(&q.spec, 0, sizeof(q.spec));
	q.spec.kind = FORWARD_AGENT;
	q.spec.connect.kind = SSP_PLACE_UNIX;
	for (n = 0; n < 4; n++) {
		q.what = n < 2 ? DOOR_ADD : DOOR_CANCEL;
		snprintf(q.spec.connect.host, sizeof(q.spec.connect.host), "%s",
		    n % 2 == 0 ? "" : "/run/agent");
		wr_init(&w, out, sizeof(out));
		door_request_put(&w, &q);
		ck_assert_int_eq(door_request_get(&q2, out, wr_len(&w)),
		    n == 0 ? -ERR_PEER : 0);
	}

	ck_assert_int_eq(
	    forward_spec_parse(FORWARD_LOCAL, "8080:db:80", &q.spec, &c), 0);
	a.spec = q.spec;
	memset(a.spec.listen.host, 'x', sizeof(a.spec.listen.host) - 1);
	memset(a.spec.connect.host, 'x', sizeof(a.spec.connect.host) - 1);
	wr_init(&w, out, sizeof(out));
	door_answer_put(&w, &a);
	ck_assert_int_eq(w.err, 0);
	ck_assert_int_eq(door_answer_get(&a2, out, wr_len(&w)), 0);
	ck_assert_mem_eq(&a2.spec, &a.spec, sizeof(a.spec));
	ck_assert_uint_eq(a2.connections, 5);
	ck_assert(a2.in == WIRE_VARINT_MAX && a2.out == 7);
	for (n = 0; n < wr_len(&w); n++)
		ck_assert_int_eq(door_answer_get(&a2, out, n), -ERR_PEER);

	a = (struct door_answer){ .what = DOOR_END, .failed = true };
	memset(a.text, 'y', sizeof(a.text) - 1);
	wr_init(&w, out, sizeof(out));
	door_answer_put(&w, &a);
	ck_assert_int_eq(door_answer_get(&a2, out, wr_len(&w)), 0);
	ck_assert(a2.failed);
	ck_assert_str_eq(a2.text, a.text);
	/* A text that is too long for its place. */
	ck_assert_int_eq(
	    door_answer_get(&a2, (const uint8_t *)"\1\1\0\101\220", 5),
	    -ERR_PEER);
}
END_TEST

START_TEST(names_of_doors)
{
	static const struct {
		const char *host, *name;
	} rows[] = {
		{ "me@host", "me@host.42" },
		{ "10.0.0.1", "10.0.0.1.42" },
		{ "../../etc", "_._.._etc.42" },
		{ ".hidden", "_hidden.42" },
		{ "a b\n", "a_b_.42" },
		{ "a2345678901234567890123456789012345678901234567890",
		    "a2345678901234567890123456789012345678901234567.42" },
	};
	char name[DOOR_NAME];
	int64_t pid;
	size_t i, n;

	for (i = 0; i < ARRAY_LEN(rows); i++) {
		door_name(rows[i].host, 42, name);
		ck_assert_str_eq(name, rows[i].name);
		ck_assert(door_name_read(name, &n, &pid));
		ck_assert_int_eq(pid, 42);
		ck_assert_uint_eq(n, strlen(name) - 3);
		ck_assert(door_name_is(name, rows[i].host));
		ck_assert(door_name_is(name, "42"));
		ck_assert(!door_name_is(name, "4"));
		ck_assert(!door_name_is(name, "host"));
		ck_assert(!door_name_is(name, ""));
	}
	ck_assert(!door_name_read("host", &n, &pid));
	ck_assert(!door_name_read(".42", &n, &pid));
	ck_assert(!door_name_read("host.", &n, &pid));
	ck_assert(!door_name_read("host.0", &n, &pid));
	ck_assert(!door_name_read("host.x", &n, &pid));
	ck_assert(!door_name_read("..", &n, &pid));
}
END_TEST

/* --- SOCKS --- */

static const struct {
	const char *in;
	size_t n;
	int e;
	const char *place; /* "host:port" */
	const char *out;
	size_t nout;
} requests[] = {
	{ "\4\1\0\120\12\0\0\1me\0", 11, 1, "10.0.0.1:80", "", 0 },
	{ "\4\1\0\120\0\0\0\1me\0db.example\0", 22, 1, "db.example:80", "", 0 },
	{ "\4\1\0\120\0\0\0\1me\0\0", 12, -ERR_UNSUPPORTED, "",
	    "\0\133\0\0\0\0\0\0", 8 },
	{ "\4\2\0\120\12\0\0\1me\0", 11, -ERR_UNSUPPORTED, "",
	    "\0\133\0\0\0\0\0\0", 8 },
	{ "\5\1\0\5\1\0\1\12\0\0\1\0\120", 13, 1, "10.0.0.1:80", "\5\0", 2 },
	{ "\5\2\2\0\5\1\0\3\2db\0\120", 13, 1, "db:80", "\5\0", 2 },
	{ "\5\1\0\5\1\0\4\40\1\15\270\0\0\0\0\0\0\0\0\0\0\0\1\1\273", 25, 1,
	    "[2001:db8:0:0:0:0:0:1]:443", "\5\0", 2 },
	{ "\5\1\2", 3, -ERR_UNSUPPORTED, "", "\5\377", 2 },
	{ "\5\1\0\5\2\0\1\12\0\0\1\0\120", 13, -ERR_UNSUPPORTED, "",
	    "\5\0\5\7\0\1\0\0\0\0\0\0", 12 },
	{ "\5\1\0\5\1\0\7\12\0\0\1\0\120", 13, -ERR_UNSUPPORTED, "",
	    "\5\0\5\10\0\1\0\0\0\0\0\0", 12 },
	{ "\5\1\0\5\1\0\3\2d\0\0\120", 12, -ERR_PEER, "", "\5\0", 2 },
	{ "GET / HTTP", 10, -ERR_PEER, "", "", 0 },
};

/* Whole requests, and the same in pieces of one byte. */
START_TEST(places_to_connect_to)
{
	static const struct {
		const char *text;
		const char *place; /* NULL: refused */
	} rows[] = {
		{ "host:80", "host:80" },
		{ "[fe80::1%eth0]:22", "[fe80::1%eth0]:22" },
		{ "/run/x.sock", "/run/x.sock" },
		{ "host", NULL },
		{ "", NULL },
		{ ":80", NULL },
		{ "host:0", NULL },
		{ "host:65536", NULL },
		{ "host:http", NULL },
		{ "a:1:2", NULL },
	};
	char text[SSP_PLACE_TEXT];
	struct cause c = { NULL };
	struct ssp_place p;
	size_t i;
	int e;

	for (i = 0; i < ARRAY_LEN(rows); i++) {
		e = forward_place_parse(rows[i].text, &p, &c);
		ck_assert_msg(
		    (e == 0) == (rows[i].place != NULL), "%s", rows[i].text);
		if (e == 0)
			ck_assert_str_eq(
			    ssp_place_text(&p, text), rows[i].place);
		cause_fini(&c);
	}
}
END_TEST

START_TEST(socks_requests)
{
	struct ssp_place place;
	char text[SSP_PLACE_TEXT];
	struct buf in, out;
	struct socks s;
	size_t i, k, step, used;
	int e;

	buf_init(&in, 1000);
	buf_init(&out, 100);
	for (i = 0; i < ARRAY_LEN(requests); i++) {
		for (step = requests[i].n; step > 0; step = step == 1 ? 0 : 1) {
			memset(&s, 0, sizeof(s));
			buf_clear(&in);
			buf_clear(&out);
			for (e = 0, k = 0; e == 0 && k < requests[i].n;
			     k += step) {
				ck_assert_int_eq(
				    buf_add(&in, requests[i].in + k, step), 0);
				e = socks_read(
				    &s, in.data, in.len, &used, &place, &out);
				buf_consume(&in, used);
			}
			ck_assert_msg(e == requests[i].e, "%zu: %d", i, e);
			ck_assert_uint_eq(out.len, requests[i].nout);
			if (out.len > 0)
				ck_assert_mem_eq(
				    out.data, requests[i].out, out.len);
			if (e == 1)
				ck_assert_str_eq(ssp_place_text(&place, text),
				    requests[i].place);
			if (e == 1)
				ck_assert_uint_eq(in.len, 0);
		}
	}
	buf_fini(&in);
	buf_fini(&out);
}
END_TEST

START_TEST(socks_without_end)
{
	uint8_t b[2 * SOCKS_REQUEST_MAX];
	struct socks s = { 0 };
	struct ssp_place place;
	struct buf out;
	size_t used, n;
	int e = 0;

	memset(b, 'x', sizeof(b));
	memcpy(b, "\4\1\0\120\0\0\0\1", 8);
	buf_init(&out, 100);
	for (n = 1; n < sizeof(b) && e == 0; n++)
		e = socks_read(&s, b, n, &used, &place, &out);
	ck_assert_int_eq(e, -ERR_PEER);
	socks_answer(&s, true, &out);
	ck_assert_uint_eq(out.data[1], 90);
	buf_fini(&out);
}
END_TEST

UNIT_SUITE(ssp_purpose)
{
	Suite *s = suite_create("ssp/purpose");
	TCase *tc = tcase_create("purpose");

	tcase_add_test(tc, bytes_of_purposes);
	tcase_add_test(tc, announced_forwards);
	tcase_add_test(tc, places_of_a_peer_are_plain_text);
	tcase_add_test(tc, forwards_in_ssh_words);
	tcase_add_test(tc, sockets_to_follow);
	tcase_add_test(tc, messages_of_the_door);
	tcase_add_test(tc, names_of_doors);
	tcase_add_test(tc, places_to_connect_to);
	tcase_add_test(tc, socks_requests);
	tcase_add_test(tc, socks_without_end);
	suite_add_tcase(s, tc);
	return s;
}
