/*
 * Views whose difference is longer than any instruction: they arrive in parts,
 * and their sender never stalls.
 */
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "mux/sync/input.h"
#include "mux/sync/part.h"
#include "regress/chance.h"
#include "regress/unit/unit.h"
#include "ssp/compress.h"
#include "ssp/core.h"
#include "ssp/instruction.h"
#include "ssp/receiver.h"
#include "ssp/transport.h"

static uint64_t rng;

static unsigned
roll(unsigned n)
{
	return chance_below(&rng, n);
}

/* The kinds of a view's cells. */
enum fill {
	FILL_COLOURS = 1,  /* foreground and background at random */
	FILL_LINKS = 2,    /* a link of 2 kB to each cell */
	FILL_CLUSTERS = 4, /* of 60 bytes */
	FILL_WIDE = 8,
};

static void
fill_cell(struct vt_line *line, unsigned x, unsigned how)
{
	enum vt_width w = how & FILL_WIDE ? VT_WIDE : VT_NARROW;
	char text[VT_LINK_MAX];
	struct pen pen = { 0 };
	struct vt_link *link = NULL;
	unsigned style, i;

	if (how & FILL_COLOURS) {
		pen.fg = colour_rgb(
		    (uint8_t)roll(256), (uint8_t)roll(256), (uint8_t)roll(256));
		pen.bg = colour_rgb(
		    (uint8_t)roll(256), (uint8_t)roll(256), (uint8_t)roll(256));
	}
	if (how & FILL_LINKS) {
		for (i = 0; i < sizeof(text); i++)
			text[i] = (char)('!' + roll(90));
		link = vt_link_new(text, sizeof(text), text, 200);
	}
	style = vt_line_style(NULL, line, &pen, link);
	vt_link_unref(link);
	if (how & FILL_CLUSTERS) {
		text[0] = (char)('a' + roll(26));
		for (i = 1; i + 1 < 60; i += 2) {
			text[i] = (char)0xcc;
			text[i + 1] = (char)(0x80 + roll(40));
		}
		vt_line_put_cluster(line, x, text, i, w, style);
	} else
		vt_line_put(line, x, 0x4e00 + roll(5000), w, style);
}

static struct vt_frame *
fill_frame(unsigned cols, unsigned rows, unsigned how)
{
	struct vt_frame *f = vt_frame_new(cols, rows);
	unsigned x, y, w = how & FILL_WIDE ? 2 : 1;

	for (y = 0; y < rows; y++)
		for (x = 0; x + w <= cols; x += w)
			fill_cell(vt_frame_own(f, y), x, how);
	return f;
}

/* clang-format off */
static const struct {
	const char *name;
	unsigned cols, rows, how, surfaces, effects, parts; /* at least */
} big[] = {
	{ "colours",         1000, 500, FILL_COLOURS,                1,  0, 12 },
	{ "wide",             500, 400, FILL_COLOURS | FILL_WIDE,    1,  0,  3 },
	{ "links",            100,  30, FILL_LINKS,                  1,  0, 12 },
	{ "a row of links",  1200,   1, FILL_LINKS | FILL_COLOURS,   1,  0,  4 },
	{ "clusters",         400, 100, FILL_CLUSTERS,               1,  0,  4 },
	{ "many panes",       100,  30, FILL_COLOURS,               40,  0,  2 },
	{ "effects",           80,  24, 0,                           1, 16, 16 },
};
/* clang-format on */

static struct sync_view *
big_view(int i)
{
	struct sync_view *v = sync_view_new(big[i].cols, big[i].rows);
	struct vt_frame *f;
	unsigned n;
	char *data;

	for (n = 0; n < big[i].surfaces; n++) {
		f = fill_frame(big[i].cols, big[i].rows, big[i].how);
		sync_view_add(v, n + 1, SYNC_SURFACE_PANE, (int)n, 0, f);
		vt_frame_unref(f);
	}
	data = mem_alloc(SYNC_EFFECT_DATA_MAX);
	for (n = 0; n < SYNC_EFFECT_DATA_MAX; n++)
		data[n] = (char)roll(256);
	for (n = 0; n < big[i].effects; n++)
		ck_assert_int_eq(sync_view_effect(v, SYNC_EFFECT_PASSTHROUGH,
				     data, SYNC_EFFECT_DATA_MAX),
		    0);
	ck_assert_int_eq(sync_view_effect(v, SYNC_EFFECT_PASSTHROUGH, data,
			     SYNC_EFFECT_DATA_MAX + 1),
	    -ERR_LIMIT);
	v->setup = vt_str_new(data, SYNC_COPY_SETUP_MAX);
	v->copy = sync_copy_new(&(struct sync_copy){
	    .surface = 1,
	    .state = vt_str_new(data, SYNC_COPY_STATE_MAX),
	    .screen = fill_frame(80, 24, FILL_CLUSTERS),
	});
	mem_free(data);
	v->echo_ack = 9;
	return v;
}

/* Repeated parts reach the view; each fits, and equals what the peer gets. */
START_TEST(parts_fit_and_come_to_an_end)
{
	const struct ssp_object_ops *ops = &sync_view_ops;
	struct sync_view *new, *at, *part, *peer;
	unsigned parts = 0;
	struct buf out;

	rng = (uint64_t)_i;
	new = big_view(_i);
	at = sync_view_new(0, 0);
	peer = sync_view_new(0, 0);
	buf_init(&out, SSP_INS_MAX - SSP_INS_HEAD_MAX);
	part = sync_view_part(NULL, new, 0);
	ck_assert_int_eq(ops->save(part, &out), 0);
	sync_view_free(part);
	while (!ops->equal(at, new)) {
		ck_assert_uint_eq(at->echo_ack, 0);
		part = sync_view_part(at, new, parts++);
		buf_clear(&out);
		ck_assert_int_eq(ops->diff(at, part, &out), 0);
		ck_assert_uint_gt(out.len, 0);
		ck_assert_int_eq(ops->apply(peer, out.data, out.len), 0);
		ck_assert(ops->equal(peer, part));
		sync_view_free(at);
		at = part;
		ck_assert_uint_lt(parts, 100);
	}
	ck_assert_uint_ge(parts, big[_i].parts);
	ck_assert(ops->equal(peer, new));
	ck_assert_uint_eq(peer->echo_ack, 9);
	printf("# %s: %u parts\n", big[_i].name, parts);
	buf_fini(&out);
	sync_view_free(new);
	sync_view_free(at);
	sync_view_free(peer);
}
END_TEST

/* --- through transports ---------------------------------------------------- */

#define DUO_DELAY 10   /* ms each way */
#define DUO_FLIGHT 512 /* datagrams in flight */

struct duo_packet {
	mono_ms at;
	uint64_t pn;
	size_t len;
	uint8_t *data;
};

struct duo {
	mono_ms now;
	struct ssp_transport *tp[2]; /* client, server */
	uint64_t pn[2];
	struct duo_packet fly[2][DUO_FLIGHT]; /* towards each end */
	size_t nfly[2];
	unsigned drop; /* one datagram in so many is lost */
	size_t mtu;
};

static void
duo_init(struct duo *d, const struct ssp_object_ops *ops,
    enum ssp_link_kind link, struct ssp_zip *zip)
{
	struct ssp_transport_cfg c;
	unsigned i;

	memset(d, 0, sizeof(*d));
	d->now = 1000;
	d->mtu = link == SSP_LINK_LOCAL ? 65000 : 1100;
	for (i = 0; i < 2; i++) {
		ssp_transport_cfg_init(&c, link);
		c.local_ops = i == 0 ? &sync_input_ops : ops;
		c.remote_ops = i == 0 ? ops : &sync_input_ops;
		c.local = i == 0 ? (void *)sync_input_new()
				 : (void *)sync_view_new(0, 0);
		c.remote = i == 0 ? (void *)sync_view_new(0, 0)
				  : (void *)sync_input_new();
		c.zip = zip;
		c.mtu = d->mtu;
		d->tp[i] = ssp_transport_new(&c, d->now);
	}
}

static void
duo_fini(struct duo *d)
{
	unsigned i;

	for (i = 0; i < 2; i++) {
		while (d->nfly[i] > 0)
			mem_free(d->fly[i][--d->nfly[i]].data);
		ssp_transport_free(d->tp[i]);
	}
}

static void
duo_send(struct duo *d, unsigned i)
{
	struct duo_packet *p;
	uint8_t out[65536];
	size_t n;

	while (d->nfly[!i] < DUO_FLIGHT) {
		n = ssp_transport_send(
		    d->tp[i], d->now, d->pn[i] + 1, out, d->mtu);
		if (n == 0)
			break;
		d->pn[i]++;
		if (d->drop > 0 && roll(d->drop) == 0)
			continue;
		p = &d->fly[!i][d->nfly[!i]++];
		p->at = d->now + DUO_DELAY;
		p->pn = d->pn[i];
		p->len = n;
		p->data = mem_dup(out, n);
	}
}

static void
duo_recv(struct duo *d, unsigned i)
{
	struct duo_packet p;

	while (d->nfly[i] > 0 && d->fly[i][0].at <= d->now) {
		p = d->fly[i][0];
		memmove(d->fly[i], d->fly[i] + 1,
		    --d->nfly[i] * sizeof(d->fly[i][0]));
		ck_assert_int_eq(
		    ssp_transport_recv(d->tp[i], d->now, p.pn, p.data, p.len),
		    0);
		mem_free(p.data);
	}
}

/* Runs until the client shows the server's view, for MS at most. */
static bool
duo_run(struct duo *d, mono_ms ms)
{
	mono_ms end = d->now + ms, next;
	unsigned i;

	while (d->now < end) {
		next = end;
		for (i = 0; i < 2; i++) {
			duo_recv(d, i);
			duo_send(d, i);
			ck_assert(ssp_transport_check(d->tp[i]));
		}
		if (sync_view_equal(ssp_transport_current(d->tp[1]),
			ssp_transport_remote(d->tp[0], NULL)))
			return true;
		for (i = 0; i < 2; i++) {
			next = mono_min(
			    next, ssp_transport_deadline(d->tp[i], d->now));
			if (d->nfly[i] > 0)
				next = mono_min(next, d->fly[i][0].at);
		}
		d->now = MAX_OF(d->now + 1, next);
	}
	return false;
}

/* A small change after a large one. */
static void
duo_small(struct duo *d)
{
	struct sync_view *v;

	v = sync_view_clone(ssp_transport_current(d->tp[1]));
	v->echo_ack++;
	ssp_transport_set_current(d->tp[1], d->now, v);
}

/* clang-format off */
static const struct {
	enum ssp_link_kind link;
	bool zip;
	unsigned drop;
	unsigned view;
} through[] = {
	{ SSP_LINK_LOCAL,    false,  0, 0 },
	{ SSP_LINK_LOCAL,    false,  0, 2 },
	{ SSP_LINK_LOCAL,    false,  0, 6 },
	{ SSP_LINK_STREAM,   true,   0, 2 },
	{ SSP_LINK_DATAGRAM, true,   0, 0 },
	{ SSP_LINK_DATAGRAM, true,   0, 3 },
	{ SSP_LINK_DATAGRAM, true,  20, 2 },
	{ SSP_LINK_DATAGRAM, true,  20, 6 },
};
/* clang-format on */

START_TEST(a_large_view_arrives)
{
	struct ssp_zip *zip = through[_i].zip ? ssp_zip_new() : NULL;
	struct ssp_transport_stats st;
	struct duo *d = mem_zalloc(sizeof(*d));
	mono_ms begin;

	rng = (uint64_t)_i;
	duo_init(d, &sync_view_ops, through[_i].link, zip);
	d->drop = through[_i].drop;
	duo_small(d);
	ck_assert(duo_run(d, 60000));
	begin = d->now;
	ssp_transport_set_current(
	    d->tp[1], d->now, big_view((int)through[_i].view));
	ck_assert(duo_run(d, 600000));
	printf("# %s: %llu ms\n", big[through[_i].view].name,
	    (unsigned long long)(d->now - begin));
	duo_small(d);
	ck_assert(duo_run(d, 60000));
	ssp_transport_stats(d->tp[1], d->now, &st);
	ck_assert_uint_eq(st.too_big, 0);
	duo_fini(d);
	mem_free(d);
	ssp_zip_free(zip);
}
END_TEST

static void
count_event(void *arg, const struct ssp_trace_event *ev)
{
	*(unsigned *)arg += ev->kind == SSP_TRACE_TOO_BIG;
}

/* An object without parts: counted, reported once, and tried again. */
START_TEST(what_cannot_be_sent_is_tried_again)
{
	struct ssp_object_ops whole = sync_view_ops;
	struct ssp_transport_stats st;
	struct ssp_transport_cfg c;
	struct duo *d = mem_zalloc(sizeof(*d));
	unsigned told = 0, i;

	rng = 1;
	whole.part = NULL;
	duo_init(d, &whole, SSP_LINK_DATAGRAM, NULL);
	ssp_transport_free(d->tp[1]);
	ssp_transport_cfg_init(&c, SSP_LINK_DATAGRAM);
	c.local_ops = &whole;
	c.local = sync_view_new(0, 0);
	c.remote_ops = &sync_input_ops;
	c.remote = sync_input_new();
	c.trace = (struct ssp_trace){ count_event, &told };
	d->tp[1] = ssp_transport_new(&c, d->now);
	duo_small(d);
	ck_assert(duo_run(d, 60000));
	for (i = 0; i < 2; i++) {
		ssp_transport_set_current(d->tp[1], d->now, big_view(2));
		ck_assert(!duo_run(d, 5000));
	}
	ssp_transport_stats(d->tp[1], d->now, &st);
	ck_assert_uint_ge(st.too_big, 2);
	ck_assert_uint_eq(told, 1);
	ssp_transport_set_current(d->tp[1], d->now, sync_view_new(80, 24));
	ck_assert(duo_run(d, 60000));
	duo_fini(d);
	mem_free(d);
}
END_TEST

/* One instruction that makes state NUM from the first, empty one. */
static void
put_state(struct buf *out, uint64_t num)
{
	const struct ssp_coder coder = { .ops = &sync_input_ops };
	struct sync_input *none = sync_input_new(), *in = sync_input_new();
	struct ssp_ins ins = { .new_num = num };
	struct ssp_coded old = { .obj = none }, new = { .obj = in };
	size_t raw, i;

	for (i = 0; i < 1000; i++)
		ck_assert_int_eq(sync_input_text(in, 'a'), 0);
	buf_clear(out);
	ck_assert_int_eq(
	    ssp_ins_encode(&coder, SSP_CODE_BEST, &old, &new, &ins, out, &raw),
	    0);
	sync_input_ops.free(none);
	sync_input_ops.free(in);
}

/* States that a peer never gives up: those beyond the limit are as if lost. */
START_TEST(states_of_a_peer_are_bounded)
{
	const struct ssp_coder coder = { .ops = &sync_input_ops };
	struct ssp_core core;
	struct ssp_receiver r;
	struct buf out;
	uint64_t num;
	int e;

	memset(&core, 0, sizeof(core));
	ssp_receiver_init(&r, &core, &coder, sync_input_new());
	r.own_max = 1u << 20;
	buf_init(&out, 1u << 20);
	for (num = 1; num <= 100; num++) {
		put_state(&out, num);
		e = ssp_receiver_state(&r, 0, out.data, out.len);
		ck_assert_int_eq(
		    e, core.st.quenched == 0 ? SSP_NEWS_STATE : SSP_NEWS_NONE);
		ck_assert_uint_le(r.own, r.own_max);
	}
	ck_assert_uint_gt(ssp_receiver_newest(&r), 2);
	ck_assert_uint_eq(core.st.quenched + ssp_receiver_newest(&r), num - 1);
	ssp_receiver_fini(&r);
	ck_assert_uint_eq(r.own, 0);
	buf_fini(&out);
}
END_TEST

UNIT_SUITE(sync_part)
{
	Suite *s = suite_create("sync_part");
	TCase *tc = tcase_create("all");

	tcase_set_timeout(tc, 60 * 4);
	tcase_add_loop_test(
	    tc, parts_fit_and_come_to_an_end, 0, (int)ARRAY_LEN(big));
	tcase_add_loop_test(
	    tc, a_large_view_arrives, 0, (int)ARRAY_LEN(through));
	tcase_add_test(tc, what_cannot_be_sent_is_tried_again);
	tcase_add_test(tc, states_of_a_peer_are_bounded);
	suite_add_tcase(s, tc);
	return s;
}
