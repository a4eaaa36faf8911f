/* The small parts of a link: rtt, acktr, loss, redundancy, pacer, cc. */
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "regress/unit/unit.h"
#include "ssp/acktr.h"
#include "ssp/cc.h"
#include "ssp/loss.h"
#include "ssp/pacer.h"
#include "ssp/redundancy.h"
#include "ssp/rtt.h"

START_TEST(rtt_follows_rfc_6298)
{
	struct ssp_rtt r;

	ssp_rtt_init(&r);
	ck_assert_uint_eq(ssp_rtt_rto(&r), SSP_RTO_INITIAL);
	ck_assert_int_eq(ssp_rtt_sample(&r, 0, 100), 0);
	ck_assert_uint_eq(ssp_rtt_srtt(&r), 100);
	ck_assert_uint_eq(ssp_rtt_var(&r), 50);
	ck_assert_uint_eq(ssp_rtt_rto(&r), 300);
	ck_assert_int_eq(ssp_rtt_sample(&r, 1, 180), 0);
	ck_assert_uint_eq(ssp_rtt_srtt(&r), 110);
	ck_assert_uint_eq(ssp_rtt_min(&r), 100);
	ck_assert_int_eq(ssp_rtt_sample(&r, 2, SSP_RTT_SAMPLE_MAX), -ERR_RANGE);
	ck_assert_uint_eq(ssp_rtt_srtt(&r), 110);
}
END_TEST

START_TEST(rto_is_clamped_and_the_minimum_forgotten)
{
	struct ssp_rtt r;
	unsigned i;

	ssp_rtt_init(&r);
	for (i = 0; i < 50; i++)
		ck_assert_int_eq(ssp_rtt_sample(&r, i, 0), 0);
	ck_assert_uint_eq(ssp_rtt_rto(&r), SSP_RTO_MIN);
	for (i = 0; i < 100; i++)
		ck_assert_int_eq(ssp_rtt_sample(&r, i, 49999), 0);
	ck_assert_uint_le(ssp_rtt_rto(&r), SSP_RTO_MAX);
	ck_assert_uint_eq(ssp_rtt_min(&r), 0);
	for (i = 0; i < 400; i++)
		ck_assert_int_eq(ssp_rtt_sample(&r, 1000 * (mono_ms)i, 300), 0);
	ck_assert_uint_eq(ssp_rtt_min(&r), 300);
}
END_TEST

/* Numbers received, and the report of the ack on 0..39. */
static void
ack_of(const uint64_t *pn, size_t n, struct ssp_ack *a, uint8_t *bytes)
{
	struct ssp_acktr t;
	struct wr w;
	struct rd r;
	size_t i;

	ssp_acktr_init(&t);
	for (i = 0; i < n; i++)
		ck_assert(ssp_acktr_add(&t, pn[i]));
	wr_init(&w, bytes, 100);
	ssp_acktr_put(&t, &w, 64);
	ck_assert_int_eq(w.err, 0);
	rd_init(&r, bytes, wr_len(&w));
	ck_assert_int_eq(ssp_ack_get(a, &r), 0);
}

START_TEST(acks_say_what_arrived_and_what_did_not)
{
	static const uint64_t some[] = { 0, 1, 2, 5, 6, 9, 12, 13 };
	static const uint64_t one[] = { 0 };
	uint8_t bytes[100];
	struct ssp_ack a;
	uint64_t i;
	size_t k;
	bool in;

	ack_of(some, ARRAY_LEN(some), &a, bytes);
	for (i = 0; i <= 13; i++) {
		for (in = false, k = 0; k < ARRAY_LEN(some); k++)
			in |= some[k] == i;
		ck_assert_int_eq(
		    ssp_ack_says(&a, i), in ? SSP_ACK_YES : SSP_ACK_NO);
	}
	ck_assert_int_eq(ssp_ack_says(&a, 14), SSP_ACK_UNKNOWN);
	ack_of(one, 1, &a, bytes);
	ck_assert_int_eq(ssp_ack_says(&a, 0), SSP_ACK_YES);
	ck_assert_int_eq(ssp_ack_says(&a, 1), SSP_ACK_UNKNOWN);
}
END_TEST

START_TEST(acktr_knows_duplicates_and_forgets_the_old)
{
	struct ssp_acktr t;

	ssp_acktr_init(&t);
	ck_assert(ssp_acktr_add(&t, 7));
	ck_assert(!ssp_acktr_add(&t, 7));
	ck_assert(ssp_acktr_add(&t, 3));
	ck_assert(!ssp_acktr_add(&t, 3));
	ck_assert(ssp_acktr_add(&t, 7 + SSP_ACKTR_SPAN));
	ck_assert(!ssp_acktr_add(&t, 7));
	ck_assert(ssp_acktr_add(&t, 8));
	ck_assert(ssp_acktr_add(&t, UINT64_C(1) << 61));
	ck_assert(!ssp_acktr_add(&t, 8));
}
END_TEST

struct fates {
	unsigned acked, lost;
};

static void
fate_acked(void *arg, mono_ms now, const struct ssp_pkt *p)
{
	(void)now;
	(void)p;
	((struct fates *)arg)->acked++;
}

static void
fate_lost(void *arg, mono_ms now, const struct ssp_pkt *p)
{
	(void)now;
	(void)p;
	((struct fates *)arg)->lost++;
}

static const struct ssp_loss_ops fate_ops = { fate_acked, fate_lost };

static void
ack_run(struct ssp_loss *l, mono_ms now, uint64_t largest, uint64_t run,
    const char *bitmap, size_t n)
{
	struct ssp_ack a = { largest, run, (const uint8_t *)bitmap, n };

	ssp_loss_ack(l, now, &a, 100);
}

START_TEST(three_overtaken_means_lost)
{
	struct fates f = { 0, 0 };
	struct ssp_loss l;
	uint64_t i;

	ssp_loss_init(&l, &fate_ops, &f);
	for (i = 0; i < 6; i++)
		ssp_loss_sent(&l, i, i, 100, true, false);
	ck_assert_uint_eq(l.in_flight, 600);
	ack_run(&l, 100, 2, 1, "\0", 1); /* 2 and 1; 0 missing */
	ck_assert_uint_eq(f.acked, 2);
	ck_assert_uint_eq(f.lost, 0);
	ack_run(&l, 101, 3, 2, "\0", 1);
	ck_assert_uint_eq(f.lost, 1);
	ck_assert_uint_eq(l.in_flight, 200);
	ck_assert_double_gt(ssp_loss_rate(&l), 0);
	/* it was only late: spurious */
	ack_run(&l, 120, 3, 3, NULL, 0);
	ck_assert_uint_eq(l.spurious, 1);
	ck_assert_uint_eq(l.reorder, 2 * SSP_LOSS_REORDER);
	/* never sent: ignored */
	ack_run(&l, 130, 99, 99, NULL, 0);
	ck_assert_uint_eq(f.acked, 3);
	ssp_loss_expire(&l, 1000, 500, true);
	ck_assert_uint_eq(f.lost, 3);
	ck_assert_uint_eq(l.in_flight, 0);
	ssp_loss_fini(&l);
}
END_TEST

/*
 * Ten of the datagrams 0..399 go each ms.  The link loses 100..199, and every ack
 * that tells of 200..282.
 */
START_TEST(what_no_ack_reaches_any_more_is_lost)
{
	struct fates f = { 0, 0 };
	struct ssp_loss l;
	uint64_t i;

	ssp_loss_init(&l, &fate_ops, &f);
	for (i = 0; i < 400; i++)
		ssp_loss_sent(&l, i / 10, i, 100, true, false);
	ack_run(&l, 45, 99, 99, NULL, 0);
	ck_assert_uint_eq(f.acked, 100);
	/* 399..300 came, 299..283 did not. */
	ack_run(&l, 60, 399, 99, "\0\0", 2);
	ck_assert_uint_eq(f.acked, 200);
	ck_assert_uint_eq(f.lost, 17);
	/* An ack that is still on its way may tell of the rest. */
	ck_assert_uint_eq(l.in_flight, 18300);
	ack_run(&l, 122, 399, 99, "\0\0", 2);
	ck_assert_uint_eq(l.in_flight, 18300);
	/* An older ack decides nothing about lower numbers. */
	ack_run(&l, 150, 350, 50, NULL, 0);
	ck_assert_uint_eq(l.in_flight, 18300);
	ack_run(&l, 150, 399, 99, "\0\0", 2);
	ck_assert_uint_eq(l.in_flight, 0);
	ck_assert_uint_eq(f.lost, 200);
	/* One that came nevertheless was no loss. */
	ack_run(&l, 151, 282, 0, NULL, 0);
	ck_assert_uint_eq(l.spurious, 1);
	ssp_loss_fini(&l);
}
END_TEST

START_TEST(loss_is_estimated)
{
	struct fates f = { 0, 0 };
	struct ssp_loss l;
	uint64_t i;

	ssp_loss_init(&l, &fate_ops, &f);
	for (i = 0; i < 4000; i++) {
		ssp_loss_sent(&l, i * 10, i, 100, true, false);
		if (i % 4 == 3) /* every fourth is lost */
			ack_run(&l, i * 10 + 1, i, 2, "\x77\x77", 2);
	}
	ck_assert_double_ge(ssp_loss_rate(&l), .2);
	ck_assert_double_le(ssp_loss_rate(&l), .35);
	ck_assert_uint_le(l.count, SSP_LOSS_RING_MAX);
	ssp_loss_forget(&l);
	ck_assert(!(ssp_loss_rate(&l) > 0));
	ssp_loss_fini(&l);
}
END_TEST

static unsigned
copies(const struct ssp_loss *l)
{
	return ssp_redundancy_copies(ssp_loss_expect(l), 100, 100);
}

/* Sends and acks N datagrams from number PN, of which each EVERYth is lost. */
static void
arrive(struct ssp_loss *l, uint64_t pn, unsigned n, unsigned every)
{
	unsigned i;

	for (i = 0; i < n; i++)
		ssp_loss_sent(l, (pn + i) * 10, pn + i, 100, true, false);
	for (i = 0; i < n; i++)
		if (every == 0 || i % every != 0)
			ack_run(l, (pn + i) * 10 + 100, pn + i, 0, "\0", 1);
}

/* A new link may lose anything; what arrives either way shows what it does. */
START_TEST(a_new_link_is_expected_to_lose)
{
	struct fates f = { 0, 0 };
	struct ssp_loss l;
	unsigned i;

	ssp_loss_init(&l, &fate_ops, &f);
	ck_assert(!(ssp_loss_rate(&l) > 0));
	ck_assert(ssp_loss_none(&l));
	ck_assert_uint_eq(copies(&l), 2);
	/* all that the peer sends arrives, and all of ours */
	for (i = 0; i < 10; i++)
		ssp_loss_heard(&l, 0);
	ck_assert_uint_eq(copies(&l), 1);
	arrive(&l, 0, 17, 0);
	ck_assert_uint_eq(copies(&l), 1);
	arrive(&l, 17, 2, 0);
	ck_assert_uint_eq(copies(&l), 0);
	ck_assert(ssp_loss_none(&l));
	ssp_loss_fini(&l);
	/* datagrams of the peer are missing */
	ssp_loss_init(&l, &fate_ops, &f);
	for (i = 0; i < 6; i++)
		ssp_loss_heard(&l, i % 3 == 0);
	ck_assert(!ssp_loss_none(&l));
	ck_assert(!(ssp_loss_rate(&l) > 0));
	ck_assert_uint_ge(copies(&l), 3);
	/* they were late; an outage is no loss */
	ssp_loss_heard_late(&l);
	ssp_loss_heard_late(&l);
	ssp_loss_heard(&l, 1000);
	ck_assert(ssp_loss_none(&l));
	ck_assert_uint_eq(copies(&l), 1);
	/* in the end our own fates alone count */
	for (i = 0; i < 40; i++)
		ssp_loss_heard(&l, 1);
	ck_assert_uint_ge(copies(&l), 3);
	arrive(&l, 0, SSP_LOSS_START, 0);
	ck_assert_uint_eq(copies(&l), 0);
	ssp_loss_fini(&l);
}
END_TEST

/* A new path begins with a little of what the last one did. */
START_TEST(a_new_path_remembers_losses)
{
	struct fates f = { 0, 0 };
	struct ssp_loss l;

	ssp_loss_init(&l, &fate_ops, &f);
	ssp_loss_forget(&l);
	ck_assert_uint_eq(copies(&l), 2);
	arrive(&l, 0, 200, 3);
	ck_assert_uint_ge(copies(&l), 4);
	ssp_loss_forget(&l);
	ck_assert(!(ssp_loss_rate(&l) > 0));
	ck_assert_uint_ge(copies(&l), 3);
	arrive(&l, 200, 1900, 0);
	ck_assert_uint_eq(copies(&l), 0);
	ssp_loss_forget(&l);
	ck_assert_uint_eq(copies(&l), 1);
	ssp_loss_fini(&l);
}
END_TEST

/* Before the variance is known, something small is repeated early. */
START_TEST(few_samples_make_no_long_timeout)
{
	struct ssp_rtt r;
	unsigned i;

	ssp_rtt_init(&r);
	ck_assert_uint_eq(ssp_rtt_early(&r), SSP_RTO_INITIAL);
	for (i = 0; i < 20; i++) {
		ck_assert_int_eq(
		    ssp_rtt_sample(&r, i, i % 2 == 0 ? 100 : 300), 0);
		if (i == 0) {
			ck_assert_uint_eq(ssp_rtt_rto(&r), 300);
			ck_assert_uint_eq(ssp_rtt_early(&r), 150);
		}
	}
	ck_assert_uint_ge(ssp_rtt_early(&r), 400);
	ck_assert_uint_eq(ssp_rtt_early(&r), ssp_rtt_rto(&r));
}
END_TEST

/* A spurious loss leaves the estimate as if it had arrived. */
START_TEST(a_loss_taken_back_leaves_nothing)
{
	struct fates f = { 0, 0 };
	struct ssp_loss l, m;
	uint64_t i;

	ssp_loss_init(&l, &fate_ops, &f);
	ssp_loss_init(&m, &fate_ops, &f);
	for (i = 0; i < 40; i++) {
		ssp_loss_sent(&l, i * 10, i, 100, true, false);
		ssp_loss_sent(&m, i * 10, i, 100, true, false);
	}
	/* 5 of 40 are declared lost, then all others arrive, then these. */
	ssp_loss_expire(&l, 540, 500, false);
	ck_assert_uint_eq(l.lost, 5);
	ack_run(&l, 550, 39, 34, NULL, 0);
	ck_assert_double_gt(ssp_loss_rate(&l), .05);
	ack_run(&l, 560, 39, 39, NULL, 0);
	ack_run(&m, 560, 39, 39, NULL, 0);
	ck_assert_uint_eq(l.spurious, 5);
	ck_assert_double_lt(ssp_loss_rate(&l), 1e-5);
	ck_assert(!(ssp_loss_rate(&m) > 0));
	/* A loss never counted, or forgotten, changes nothing. */
	for (i = 40; i < 60; i++)
		ssp_loss_sent(&l, i * 10, i, 100, true, false);
	ssp_loss_expire(&l, 910, 500, true);
	ssp_loss_expire(&l, 920, 500, false);
	ck_assert_uint_eq(l.lost, 8);
	ck_assert_double_gt(ssp_loss_rate(&l), .02);
	ssp_loss_forget(&l);
	ack_run(&l, 930, 59, 59, NULL, 0);
	ck_assert_double_lt(ssp_loss_rate(&l), 1e-5);
	ck_assert_uint_eq(l.spurious, 8);
	ssp_loss_fini(&l);
	ssp_loss_fini(&m);
}
END_TEST

START_TEST(copies_grow_with_loss_and_not_with_queues)
{
	struct ssp_redundancy r;
	unsigned i, n = 0;

	ck_assert_uint_eq(ssp_redundancy_copies(0, 100, 100), 0);
	for (i = 0; i <= 60; i++) {
		unsigned k = ssp_redundancy_copies(i / 100.0, 100, 100);

		ck_assert_uint_ge(k, n);
		n = k;
	}
	ck_assert_uint_eq(n, SSP_COPIES_MAX);
	ck_assert_uint_le(ssp_redundancy_copies(.3, 400, 100), 1);
	/* copies go on while acks do not come, and apart on links with bursts */
	for (i = 0; i < SSP_PACES * 4; i++) {
		const struct ssp_schedule *s = ssp_redundancy_schedule(
		    (enum ssp_pace)(i / 4), i % 2, i % 4 / 2);

		ck_assert_uint_ge(s->n, 1);
		ck_assert_uint_le(s->n, SSP_COPIES_MAX);
		for (n = 2; n <= s->n; n++)
			ck_assert_uint_gt(ssp_redundancy_at(s, n),
			    ssp_redundancy_at(s, n - 1));
	}
	for (i = 0; i < SSP_PACES; i++) {
		const struct ssp_schedule *s =
		    ssp_redundancy_schedule((enum ssp_pace)i, true, false);

		ck_assert_uint_ge(ssp_redundancy_at(s, s->n), 40);
	}
	ssp_redundancy_init(&r, 0);
	ck_assert(ssp_redundancy_spend(&r, 0, SSP_COPY_BURST));
	ck_assert(!ssp_redundancy_spend(&r, 0, 1));
	ck_assert(ssp_redundancy_spend(&r, 1000, SSP_COPY_RATE));
	ck_assert(!ssp_redundancy_spend(&r, 1000, 1));
}
END_TEST

START_TEST(pacer_saves_a_burst_and_no_more)
{
	struct ssp_pacer p;

	ssp_pacer_init(&p, 0, 3000);
	ck_assert_uint_eq(ssp_pacer_budget(&p, 0), UINT64_MAX);
	ssp_pacer_set(&p, 0, 1000, 3000);
	ck_assert_uint_eq(ssp_pacer_budget(&p, 0), 3000);
	ssp_pacer_sent(&p, 0, 3000);
	ck_assert_uint_eq(ssp_pacer_budget(&p, 0), 0);
	ck_assert_uint_eq(ssp_pacer_next(&p, 0, 1000), 1000);
	ck_assert_uint_eq(ssp_pacer_budget(&p, 500), 500);
	ck_assert_uint_eq(ssp_pacer_budget(&p, UINT64_C(1) << 50), 3000);
}
END_TEST

START_TEST(personalities_are_found_and_hold_their_bounds)
{
	static const char *const names[] = { "window", "plain", "mosh", "auto",
		"follow", "remy", "remy-0.1", "remy-10", "remy-cell" };
	struct ssp_cc_cfg cfg = { .now = 0, .mtu = 1200 };
	const struct ssp_cc_ops *o;
	struct ssp_cc_ack a = { .bytes = 1200 };
	struct ssp_rtt rtt;
	size_t i, k, b;
	void *cc;

	ck_assert_ptr_null(ssp_cc_find("cubic"));
	ck_assert_ptr_eq(ssp_cc_find("sprout"), &ssp_cc_sprout);
	ssp_rtt_init(&rtt);
	ck_assert_int_eq(ssp_rtt_sample(&rtt, 0, 100), 0);
	a.rtt = &rtt;
	for (i = 0; i < ARRAY_LEN(names); i++) {
		o = ssp_cc_find(names[i]);
		ck_assert_ptr_nonnull(o);
		cc = o->new (&cfg);
		ck_assert_uint_ge(o->budget(cc, 0, 0), 1200);
		for (k = 0; k < 2000; k++) {
			b = o->budget(cc, k, k % 50 * 1200);
			ck_assert(b <= (16u << 20) || i == 2);
			o->on_sent(cc, k, 1200, true);
			a.in_flight = 48000;
			o->on_ack(cc, k, &a);
			if (k % 7 == 0)
				o->on_loss(cc, k, k, 1200);
			if (k % 97 == 0)
				o->on_ce(cc, k);
			ck_assert_uint_ge(o->next_send(cc, k, 0), k);
			ck_assert_uint_le(o->interval(cc, k, &rtt), 250);
		}
		o->reset(cc, 3000);
		o->free(cc);
	}
	ck_assert_uint_eq(ssp_cc_interval(&rtt), 50);
}
END_TEST

/* A window that losses have shrunk has room for a datagram that has grown. */
START_TEST(personalities_are_resized)
{
	static const char *const names[] = { "window", "plain", "auto",
		"follow" };
	struct ssp_cc_cfg cfg = { .now = 0, .mtu = 1200 };
	struct ssp_cc_ack a = { .bytes = 1200, .in_flight = 4800 };
	const struct ssp_cc_ops *o;
	struct ssp_rtt rtt;
	size_t i, k;
	void *cc;

	ssp_rtt_init(&rtt);
	ck_assert_int_eq(ssp_rtt_sample(&rtt, 0, 100), 0);
	a.rtt = &rtt;
	for (i = 0; i < ARRAY_LEN(names); i++) {
		o = ssp_cc_find(names[i]);
		cc = o->new (&cfg);
		for (k = 0; k < 200; k++) {
			rtt.latest = 400;
			o->on_ack(cc, k * 100, &a);
			o->on_loss(cc, k * 100, k * 100, 1200);
		}
		ck_assert_uint_lt(o->budget(cc, 20000, 0), 16000);
		o->resize(cc, 16400);
		ck_assert_uint_ge(o->budget(cc, 40000, 0), 16400);
		ck_assert_uint_le(o->next_send(cc, 40000, 0), 40000);
		o->free(cc);
	}
	ck_assert(ssp_cc_find("remy")->resize == NULL);
}
END_TEST

/*
 * Bulk at a rate that halves and doubles every 400 ms: of ten datagrams QUEUED
 * meet a queue.  Returns whether auto follows the rate.
 */
static bool
auto_follows(unsigned queued)
{
	struct ssp_cc_cfg cfg = { .now = 1, .mtu = 1200 };
	struct ssp_cc_ack a = { .bytes = 1200, .in_flight = 24000 };
	struct ssp_rtt rtt;
	char text[80];
	mono_ms t;
	void *cc = ssp_cc_auto.new(&cfg);

	ssp_rtt_init(&rtt);
	ck_assert_int_eq(ssp_rtt_sample(&rtt, 0, 100), 0);
	a.rtt = &rtt;
	for (t = 1; t < 4000; t += t / 400 % 2 == 0 ? 5 : 15) {
		rtt.latest = 100 + (t / 5 % 10 < queued ? 20 : 0);
		ssp_cc_auto.on_sent(cc, t, 1200, true);
		ssp_cc_auto.on_ack(cc, t, &a);
	}
	ssp_cc_auto.tell(cc, text, sizeof(text));
	ssp_cc_auto.free(cc);
	return strstr(text, "follow, the rate varies") != NULL;
}

/*
 * The window keeps the queue of a link short that gets faster, so it stands for
 * a part of the time only.
 */
START_TEST(a_queue_half_of_the_time_tells_that_the_rate_varies)
{
	ck_assert(auto_follows(10));
	ck_assert(auto_follows(7));
	ck_assert(auto_follows(6));
	ck_assert(!auto_follows(4));
	ck_assert(!auto_follows(0));
}
END_TEST

UNIT_SUITE(ssp_link)
{
	Suite *s = suite_create("ssp_link");
	TCase *tc = tcase_create("link");

	tcase_add_test(tc, rtt_follows_rfc_6298);
	tcase_add_test(tc, rto_is_clamped_and_the_minimum_forgotten);
	tcase_add_test(tc, acks_say_what_arrived_and_what_did_not);
	tcase_add_test(tc, acktr_knows_duplicates_and_forgets_the_old);
	tcase_add_test(tc, three_overtaken_means_lost);
	tcase_add_test(tc, what_no_ack_reaches_any_more_is_lost);
	tcase_add_test(tc, loss_is_estimated);
	tcase_add_test(tc, a_new_link_is_expected_to_lose);
	tcase_add_test(tc, a_new_path_remembers_losses);
	tcase_add_test(tc, few_samples_make_no_long_timeout);
	tcase_add_test(tc, a_loss_taken_back_leaves_nothing);
	tcase_add_test(tc, copies_grow_with_loss_and_not_with_queues);
	tcase_add_test(tc, pacer_saves_a_burst_and_no_more);
	tcase_add_test(tc, personalities_are_found_and_hold_their_bounds);
	tcase_add_test(tc, personalities_are_resized);
	tcase_add_test(tc, a_queue_half_of_the_time_tells_that_the_rate_varies);
	suite_add_tcase(s, tc);
	return s;
}
