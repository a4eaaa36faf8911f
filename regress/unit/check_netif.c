/* Interfaces and routes, from messages of the kernel. */
#include <sys/socket.h>

#include <string.h>
#include <unistd.h>

#include "base/io/netif.h"
#include "regress/unit/unit.h"

#ifdef __linux__
# include <linux/if.h>
# include <linux/netlink.h>
# include <linux/rtnetlink.h>

/* Messages of one datagram. */
struct talk {
	uint8_t bytes[4096];
	size_t len;
	size_t last; /* where the last message begins */
};

static void
talk_put(struct talk *t, const void *p, size_t n)
{
	memcpy(t->bytes + t->len, p, n);
	memset(t->bytes + t->len + n, 0, NLMSG_ALIGN(n) - n);
	t->len += NLMSG_ALIGN(n);
}

/* Completes the length of the last message. */
static void
talk_end(struct talk *t)
{
	struct nlmsghdr h;

	memcpy(&h, t->bytes + t->last, sizeof(h));
	h.nlmsg_len = (uint32_t)(t->len - t->last);
	memcpy(t->bytes + t->last, &h, sizeof(h));
}

static void
talk_head(struct talk *t, unsigned type)
{
	struct nlmsghdr h = { .nlmsg_type = (uint16_t)type,
		.nlmsg_flags = NLM_F_MULTI };

	t->last = t->len;
	talk_put(t, &h, sizeof(h));
	talk_end(t);
}

static void
talk_attr(struct talk *t, unsigned type, const void *p, size_t n)
{
	struct rtattr a = { .rta_type = (uint16_t)type,
		.rta_len = (uint16_t)RTA_LENGTH(n) };

	talk_put(t, &a, sizeof(a));
	talk_put(t, p, n);
	talk_end(t);
}

static void
talk_link(struct talk *t, int index, const char *name, unsigned flags)
{
	struct ifinfomsg m = { .ifi_index = index, .ifi_flags = flags };

	talk_head(t, RTM_NEWLINK);
	talk_put(t, &m, sizeof(m));
	talk_attr(t, IFLA_IFNAME, name, strlen(name) + 1);
}

static void
talk_route(struct talk *t, const char *dst, unsigned bits, uint32_t oif)
{
	struct rtmsg m = { .rtm_family = AF_INET,
		.rtm_type = RTN_UNICAST,
		.rtm_dst_len = (uint8_t)bits };
	struct udp_addr a;

	talk_head(t, RTM_NEWROUTE);
	talk_put(t, &m, sizeof(m));
	if (bits > 0) {
		ck_assert_int_eq(udp_addr_parse(dst, 1, &a), 0);
		talk_attr(t, RTA_DST, a.bytes, 4);
	}
	talk_attr(t, RTA_OIF, &oif, sizeof(oif));
}

START_TEST(links_that_are_up_and_routes_that_lead_there)
{
	const unsigned up = IFF_UP | IFF_RUNNING;
	struct netif_answers a = { .to = NULL };
	struct udp_addr to;
	struct talk t = { .len = 0 };

	ck_assert_int_eq(udp_addr_parse("192.0.2.9", 1, &to), 0);
	a.to = &to;
	talk_link(&t, 1, "lo", up | IFF_LOOPBACK);
	talk_link(&t, 2, "eth0", up);
	talk_link(&t, 3, "wlan0", IFF_UP);
	talk_link(&t, 4, "wwan0", up);
	talk_link(&t, 5, "a-name-of-sixteen", up);
	ck_assert(!netif_read(&a, t.bytes, t.len));
	ck_assert_uint_eq(a.count, 2);
	ck_assert_str_eq(a.all[0].name, "eth0");
	ck_assert(!a.all[0].metered);
	ck_assert_uint_eq(a.all[1].index, 4);
	ck_assert(a.all[1].metered);

	t.len = 0;
	talk_route(&t, NULL, 0, 2);
	talk_route(&t, "192.0.2.0", 24, 3);
	talk_route(&t, "192.0.2.0", 29, 4);
	talk_route(&t, "192.0.2.8", 31, 5);
	talk_head(&t, NLMSG_DONE);
	ck_assert(netif_read(&a, t.bytes, t.len));
	ck_assert_uint_eq(a.nrouted, 3);
	ck_assert_uint_eq(a.routed[0], 2);
	ck_assert_uint_eq(a.routed[1], 3);
	ck_assert_uint_eq(a.routed[2], 5);
	ck_assert_uint_eq(a.chosen, 0);
	a.one = true;
	(void)netif_read(&a, t.bytes, t.len);
	ck_assert_uint_eq(a.chosen, 5);
}
END_TEST

/* Every cut of a datagram, and every byte changed, ends without harm. */
START_TEST(messages_are_checked)
{
	struct udp_addr to;
	struct talk t = { .len = 0 };
	uint8_t *copy;
	size_t n;

	ck_assert_int_eq(udp_addr_parse("192.0.2.9", 1, &to), 0);
	talk_link(&t, 2, "eth0", IFF_UP | IFF_RUNNING);
	talk_route(&t, "192.0.2.8", 31, 2);
	for (n = 0; n < 2 * t.len; n++) {
		struct netif_answers a = { .to = &to };
		size_t len = MIN_OF(n, t.len);

		copy = malloc(len + 1);
		ck_assert_ptr_nonnull(copy);
		memcpy(copy, t.bytes, len);
		if (n >= t.len)
			copy[n - t.len] ^= 0xff;
		(void)netif_read(&a, copy, len);
		free(copy);
	}
	/* More than there is room for. */
	struct netif_answers many = { .to = &to };

	t.len = 0;
	talk_link(&t, 2, "eth0", IFF_UP | IFF_RUNNING);
	talk_route(&t, NULL, 0, 2);
	for (n = 0; n < 1000; n++)
		(void)netif_read(&many, t.bytes, t.len);
	ck_assert_uint_eq(many.count, ARRAY_LEN(many.all));
	ck_assert_uint_eq(many.nrouted, ARRAY_LEN(many.routed));
}
END_TEST

/* The kernel answers, whatever there is. */
START_TEST(the_system_answers)
{
	struct netif all[NETIF_MAX];
	struct udp_addr to;
	size_t n, i;
	int fd = netif_open();

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(udp_addr_parse("192.0.2.9", 1, &to), 0);
	n = netif_list(fd, &to, all, NETIF_MAX);
	ck_assert_uint_le(n, NETIF_MAX);
	for (i = 0; i < n; i++) {
		ck_assert_uint_gt(all[i].index, 0);
		ck_assert(!all[i].chosen || i == 0);
	}
	ck_assert_uint_eq(netif_list(fd, &to, all, 0), 0);
	close(fd);
}
END_TEST

#endif

UNIT_SUITE(netif)
{
	Suite *s = suite_create("netif");
	TCase *tc = tcase_create("netif");

#ifdef __linux__
	tcase_add_test(tc, links_that_are_up_and_routes_that_lead_there);
	tcase_add_test(tc, messages_are_checked);
	tcase_add_test(tc, the_system_answers);
#endif
	suite_add_tcase(s, tc);
	return s;
}
