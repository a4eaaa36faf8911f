#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "regress/unit/unit.h"
#include "ssp/datagram.h"
#include "ssp/handshake.h"
#include "ssp/ticket.h"

static void
ticket_fill(struct ssp_ticket *t)
{
	size_t i;

	memset(t, 0, sizeof(*t));
	t->tag = 0xa1b2c3d4;
	for (i = 0; i < SSP_KEY_LEN; i++)
		t->key[i] = (uint8_t)(i * 7 + 1);
	t->naddrs = 3;
	strcpy(t->addrs[0].host, "192.0.2.7");
	t->addrs[0].port = 60000;
	strcpy(t->addrs[1].host, "2001:db8::1");
	t->addrs[1].port = 60001;
	strcpy(t->addrs[2].host, "shell.example.org");
	t->addrs[2].port = 443;
}

START_TEST(ticket_comes_back_and_no_changed_one_does)
{
	struct ssp_ticket t, back;
	struct buf b;
	char text[SSP_TICKET_TEXT_MAX];
	size_t i, n;
	int bit;

	ticket_fill(&t);
	buf_init(&b, SSP_TICKET_TEXT_MAX);
	ck_assert_int_eq(ssp_ticket_format(&t, &b), 0);
	n = b.len;
	ck_assert_uint_lt(n, 140);
	memcpy(text, b.data, n);
	ck_assert_int_eq(ssp_ticket_parse(text, n, &back), 0);
	ck_assert_mem_eq(&t, &back, sizeof(t));
	for (i = 0; i < n; i++) {
		ck_assert_int_ne(ssp_ticket_parse(text, i, &back), 0);
		for (bit = 0; bit < 8; bit++) {
			text[i] = (char)(text[i] ^ (1 << bit));
			ck_assert_msg(ssp_ticket_parse(text, n, &back) != 0,
			    "%zu of %zu: %d", i, n, text[i]);
			text[i] = (char)(text[i] ^ (1 << bit));
		}
	}
	memset(&t, 0, sizeof(t));
	ck_assert_mem_eq(&t, &back, sizeof(t)); /* wiped */
	text[n] = 'A';
	ck_assert_int_ne(ssp_ticket_parse(text, n + 1, &back), 0);
	buf_fini(&b);
}
END_TEST

/* Host names that the writer and the reader of a ticket refuse. */
START_TEST(hosts_are_numbers_or_names)
{
	static const struct {
		const char *host;
		bool fine;
	} rows[] = {
		{ "", false },
		{ "a", true },
		{ "-oProxyCommand=x", false },
		{ "a b", false },
		{ "a;b", false },
		{ "$(id)", false },
		{ "a/b", false },
		{ "fe80::1%eth0", true },
		{ "::", true },
		{ "a:", false },
		{ "host:22", false },
		{ "xn--bcher-kva.example", true },
		{ "b\303\274cher.example", false },
	};
	char longest[SSP_TICKET_ADDR_MAX + 2];
	struct ssp_ticket t;
	struct buf b;
	size_t i;

	for (i = 0; i < ARRAY_LEN(rows); i++) {
		ck_assert_msg(ssp_ticket_host(rows[i].host) == rows[i].fine,
		    "%s", rows[i].host);
		ticket_fill(&t);
		strcpy(t.addrs[1].host, rows[i].host);
		buf_init(&b, SSP_TICKET_TEXT_MAX);
		ck_assert_int_eq(ssp_ticket_format(&t, &b) == 0, rows[i].fine);
		buf_fini(&b);
	}
	memset(longest, 'x', sizeof(longest) - 1);
	longest[sizeof(longest) - 1] = '\0';
	ck_assert(!ssp_ticket_host(longest));
	longest[SSP_TICKET_ADDR_MAX] = '\0';
	ck_assert(ssp_ticket_host(longest));
	ticket_fill(&t);
	t.naddrs = SSP_TICKET_ADDRS_MAX;
	for (i = 0; i < t.naddrs; i++) {
		strcpy(t.addrs[i].host, longest);
		t.addrs[i].port = 1;
	}
	buf_init(&b, SSP_TICKET_TEXT_MAX);
	ck_assert_int_eq(ssp_ticket_format(&t, &b), 0);
	ck_assert_int_eq(ssp_ticket_parse(buf_cstr(&b), b.len, &t), 0);
	buf_clear(&b);
	t.addrs[0].port = 0;
	ck_assert_int_ne(ssp_ticket_format(&t, &b), 0);
	t.naddrs = 0;
	ck_assert_int_ne(ssp_ticket_format(&t, &b), 0);
	buf_fini(&b);
}
END_TEST

/* A ticket whose key is made of 16 bytes. */
static void
spoken_fill(struct ssp_ticket *t, const char *host)
{
	size_t i;

	memset(t, 0, sizeof(*t));
	for (i = 0; i < SSP_TICKET_SAID; i++)
		t->key[i] = (uint8_t)(0x10 + i);
	ssp_ticket_spoken(t->key, &t->tag);
	ck_assert_int_eq(ssp_ticket_add(t, host, SSP_TICKET_PORT), 0);
}

/* The values that doc/PROTOCOL.md, A.11 gives. */
START_TEST(a_spoken_ticket_is_an_address_and_nine_words)
{
	static const char said[] = "192.0.2.7 dabid-damig-dibij-dimil-dobin-"
				   "domir-dubit-dumiz-kidap";
	static const char *const hosts[] = { "a.example", "a.example:60001",
		"192.0.2.7:1", "2001:db8::1", "[2001:db8::1]:60001" };
	struct ssp_ticket t, back;
	char text[400];
	struct buf b;
	unsigned wrong;
	size_t i, n;

	spoken_fill(&t, "192.0.2.7");
	buf_init(&b, SSP_TICKET_TEXT_MAX);
	ck_assert_int_eq(ssp_ticket_say(&t, 0, &b), 0);
	ck_assert_str_eq(buf_cstr(&b), said);
	ck_assert_int_eq(ssp_ticket_hear(buf_cstr(&b), &back, &wrong), 0);
	ck_assert_mem_eq(&t, &back, sizeof(t));

	/* As people type it. */
	snprintf(text, sizeof(text), "  %s ", buf_cstr(&b));
	n = strlen(text);
	for (i = 12; i < n; i++)
		text[i] = text[i] == '-'   ? ' '
			  : text[i] >= 'a' ? (char)(text[i] - 'a' + 'A')
					   : text[i];
	ck_assert_int_eq(ssp_ticket_hear(text, &back, &wrong), 0);
	ck_assert_mem_eq(&t, &back, sizeof(t));
	for (i = 0; i < ARRAY_LEN(hosts); i++) {
		spoken_fill(&t, hosts[i]);
		buf_clear(&b);
		ck_assert_int_eq(ssp_ticket_say(&t, 0, &b), 0);
		ck_assert_int_eq(
		    strncmp(buf_cstr(&b), hosts[i], strlen(hosts[i])), 0);
		ck_assert_int_eq(
		    ssp_ticket_hear(buf_cstr(&b), &back, &wrong), 0);
		ck_assert_mem_eq(&t, &back, sizeof(t));
	}
	/* Other keys have more than these words can say. */
	t.key[SSP_KEY_LEN - 1] ^= 1;
	ck_assert_int_ne(ssp_ticket_say(&t, 0, &b), 0);
	t.key[SSP_KEY_LEN - 1] ^= 1;
	t.tag ^= 1;
	ck_assert_int_ne(ssp_ticket_say(&t, 0, &b), 0);
	buf_fini(&b);
}
END_TEST

START_TEST(a_misheard_word_is_named)
{
	static const struct {
		const char *from, *to;
		unsigned wrong;
	} rows[] = {
		{ "192.0.2.7", "192.0.2.7:0", 0 },
		{ "192.0.2.7", "192.0.2.7:x", 0 },
		{ "192.0.2.7", "-oProxyCommand=x", 0 },
		{ "192.0.2.7", "[::1]60001", 0 },
		{ "dabid", "dabi", 1 },
		{ "damig", "dameg", 2 },
		{ "dimil", "dimils", 4 },
		{ "dumiz", "dum iz", 8 },
		{ "-kidap", "", 9 },
		{ "kidap", "kidat", SSP_TICKET_WORDS + 1 },
		{ "dumiz", "dumit", SSP_TICKET_WORDS + 1 },
		{ "kidap", "kidap-kidap", SSP_TICKET_WORDS + 1 },
		{ "dobin-domir", "domir-dobin", SSP_TICKET_WORDS + 1 },
	};
	struct ssp_ticket t, none = { 0 };
	char text[400], *at;
	unsigned wrong;
	struct buf b;
	size_t i;

	spoken_fill(&t, "192.0.2.7");
	buf_init(&b, SSP_TICKET_TEXT_MAX);
	ck_assert_int_eq(ssp_ticket_say(&t, 0, &b), 0);
	for (i = 0; i < ARRAY_LEN(rows); i++) {
		at = strstr(buf_cstr(&b), rows[i].from);
		ck_assert_ptr_nonnull(at);
		snprintf(text, sizeof(text), "%.*s%s%s",
		    (int)(at - buf_cstr(&b)), buf_cstr(&b), rows[i].to,
		    at + strlen(rows[i].from));
		ck_assert_msg(ssp_ticket_hear(text, &t, &wrong) != 0 &&
				  wrong == rows[i].wrong,
		    "%s: %u", text, wrong);
		ck_assert_mem_eq(&t, &none, sizeof(t));
	}
	ck_assert_int_ne(ssp_ticket_hear("", &t, &wrong), 0);
	buf_fini(&b);
}
END_TEST

/* Only an INIT with the key of its own connection id opens. */
START_TEST(a_ticket_opens_for_its_holder_only)
{
	struct ssp_secrets sec = { 0 };
	uint8_t key[SSP_KEY_LEN] = { 5 }, psk[SSP_KEY_LEN], other[SSP_KEY_LEN];
	uint64_t cid = ssp_ticket_cid(0x01020304, 0xcafe);
	struct ssp_hs hs;
	size_t i;

	ck_assert_uint_eq(ssp_ticket_tag(cid), 0x01020304);
	ssp_ticket_psk(psk, key, cid);
	ssp_ticket_psk(other, key, cid + 1);
	ck_assert_mem_ne(psk, other, sizeof(psk));
	ssp_hs_init(&hs, true, cid, 1, 1, &sec, psk);
	memset(ssp_hs_plain(&hs), 0, 32);
	ck_assert_int_eq(ssp_hs_write(&hs, 32), 0);
	ck_assert(ssp_ticket_opens(psk, cid, hs.msg, hs.len));
	ck_assert(!ssp_ticket_opens(other, cid, hs.msg, hs.len));
	ck_assert(!ssp_ticket_opens(psk, cid + 1, hs.msg, hs.len));
	for (i = 0; i < hs.len; i++) {
		ck_assert(!ssp_ticket_opens(psk, cid, hs.msg, i));
		hs.msg[i] ^= 1;
		ck_assert(!ssp_ticket_opens(psk, cid, hs.msg, hs.len));
		hs.msg[i] ^= 1;
	}
}
END_TEST

UNIT_SUITE(ssp_ticket)
{
	Suite *s = suite_create("ssp_ticket");
	TCase *tc = tcase_create("ticket");

	tcase_add_test(tc, ticket_comes_back_and_no_changed_one_does);
	tcase_add_test(tc, hosts_are_numbers_or_names);
	tcase_add_test(tc, a_spoken_ticket_is_an_address_and_nine_words);
	tcase_add_test(tc, a_misheard_word_is_named);
	tcase_add_test(tc, a_ticket_opens_for_its_holder_only);
	suite_add_tcase(s, tc);
	return s;
}
