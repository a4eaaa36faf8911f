#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "client/history_copy.h"
#include "mux/sync/input.h"
#include "mux/sync/tail.h"
#include "mux/sync/view.h"
#include "regress/chance.h"
#include "regress/unit/mux_util.h"
#include "regress/unit/run_util.h"
#include "regress/unit/unit.h"
#include "server/io/mirror.h"
#include "ssp/compress.h"
#include "ssp/transport.h"

#define FLIGHTS 256

/* A datagram on its way. */
struct flight {
	mono_ms at;
	uint64_t pn;
	bool back; /* to the server */
	size_t n;
	uint8_t bytes[1500];
};

/* Both ends of a link, in a time of their own. */
struct world {
	struct run_util u;
	struct ssp_zip *zip;
	struct ssp_transport *server, *client;
	uint64_t pn;
	mono_ms now;
	struct mirror *m;
	struct session *s;
	struct pane *p;
	struct sync_view *view;
	/* What the client was told. */
	size_t lines;
	unsigned forgotten;
	uint32_t pane;
	uint64_t epoch;
	struct history_copy *copy; /* or NULL */
	/* The link: one way in ms, per cent lost each way. */
	mono_ms delay;
	unsigned loss;
	uint64_t random;
	struct flight *flights; /* [FLIGHTS]; NULL: all arrives at once */
	unsigned nflights;
};

static struct ssp_transport *
transport(const struct ssp_object_ops *local_ops, void *local,
    const struct ssp_object_ops *remote_ops, void *remote, struct ssp_zip *zip,
    mono_ms now)
{
	struct ssp_transport_cfg cfg;

	ssp_transport_cfg_init(&cfg, SSP_LINK_DATAGRAM);
	cfg.local_ops = local_ops;
	cfg.local = local;
	cfg.remote_ops = remote_ops;
	cfg.remote = remote;
	cfg.zip = zip;
	return ssp_transport_new(&cfg, now);
}

static struct pane *
pane_with_history(struct session *s)
{
	const struct pane_start start = { .history = 2000 };
	struct window *w = window_new(s->mux, 80, 24, &start);

	ck_assert_int_eq(session_link(s, w, 5, NULL, NULL), 0);
	return w->active;
}

static void
world_init(struct world *w, bool mirrored)
{
	struct vt_frame *f;

	memset(w, 0, sizeof(*w));
	run_util_init(&w->u);
	w->now = 1000;
	w->zip = ssp_zip_new();
	w->u.run.zip = w->zip;
	w->server = transport(&sync_view_ops, sync_view_new(0, 0),
	    &sync_input_ops, sync_input_new(), w->zip, w->now);
	w->client = transport(&sync_input_ops, sync_input_new(), &sync_view_ops,
	    sync_view_new(0, 0), w->zip, w->now);
	w->m = mirror_new(&w->u.run, w->server);
	w->s = mux_util_session(w->u.run.mux, "s");
	w->p = pane_with_history(w->s);
	if (!mirrored)
		(void)options_set_text(
		    &w->u.run.mux->server_options, "mirror-history", "0", NULL);
	w->view = sync_view_new(80, 24);
	f = vt_term_frame(w->p->term, 0);
	sync_view_add(w->view, w->p->id, SYNC_SURFACE_PANE, 0, 0, f);
	vt_frame_unref(f);
}

static void
world_fini(struct world *w)
{
	sync_view_free(w->view);
	mirror_free(w->m);
	mirror_free(NULL);
	ssp_transport_free(w->server);
	ssp_transport_free(w->client);
	ssp_zip_free(w->zip);
	mem_free(w->flights);
	run_util_fini(&w->u);
}

static void
client_side(struct world *w, const uint8_t *p, size_t n)
{
	uint32_t panes[SYNC_TAIL_PANES_MAX];
	struct sync_tail_lines l;
	unsigned count;
	struct rd r;

	if (w->copy != NULL)
		ck_assert_int_eq(history_copy_message(w->copy, p, n), 0);
	rd_init(&r, p, n);
	if (n > 0 && p[0] == SYNC_TAIL_EPOCH) {
		ck_assert_int_eq(
		    sync_tail_get_epoch(&r, &w->pane, &w->epoch), 0);
		return;
	}
	if (n > 0 && p[0] == SYNC_TAIL_FORGET) {
		ck_assert_int_eq(sync_tail_get_forget(&r, panes, &count), 0);
		w->forgotten += count;
		return;
	}
	ck_assert_int_eq(sync_tail_get_lines(&r, &l), 0);
	w->pane = l.pane;
	w->lines += l.count;
}

static void
deliver(struct world *w, bool back, uint64_t pn, const uint8_t *p, size_t n)
{
	struct ssp_transport *to = back ? w->server : w->client;
	const uint8_t *side;

	(void)ssp_transport_recv(to, w->now, pn, p, n);
	while ((side = ssp_transport_side_take(to, &n)) != NULL)
		if (back)
			mirror_message(w->m, side, n);
		else
			client_side(w, side, n);
}

/* Sends what is due to the other end, through the link. */
static void
carry(struct world *w, bool back)
{
	struct ssp_transport *from = back ? w->client : w->server;
	uint8_t bytes[1500];
	struct flight *f;
	size_t n;

	while ((n = ssp_transport_send(
		    from, w->now, ++w->pn, bytes, sizeof(bytes))) > 0) {
		if (w->flights == NULL) {
			deliver(w, back, w->pn, bytes, n);
			continue;
		}
		if (chance_below(&w->random, 100) < w->loss)
			continue;
		ck_assert_uint_lt(w->nflights, FLIGHTS);
		f = &w->flights[w->nflights++];
		f->at = w->now + w->delay;
		f->pn = w->pn;
		f->back = back;
		f->n = n;
		memcpy(f->bytes, bytes, n);
	}
}

/* Delivers what has been on its way for long enough. */
static void
arrive(struct world *w)
{
	unsigned i, kept = 0;

	for (i = 0; i < w->nflights; i++)
		if (w->flights[i].at <= w->now)
			deliver(w, w->flights[i].back, w->flights[i].pn,
			    w->flights[i].bytes, w->flights[i].n);
		else if (kept++ != i)
			w->flights[kept - 1] = w->flights[i];
	w->nflights = kept;
}

/* Time goes on for MS. */
static void
world_run(struct world *w, mono_ms ms)
{
	mono_ms end = w->now + ms;

	for (; w->now < end; w->now += 10) {
		arrive(w);
		(void)mirror_pump(w->m, w->view, w->now);
		carry(w, false);
		carry(w, true);
	}
}

static void
world_want(struct world *w, uint32_t lines)
{
	const struct sync_tail_want want = { .lines = lines };
	struct buf b;

	buf_init(&b, 4096);
	sync_tail_put_want(&b, &want);
	/* A round trip of both objects: the link is known by then. */
	ck_assert_int_eq(
	    sync_input_text(ssp_transport_current(w->client), 'a'), 0);
	ssp_transport_changed(w->client, w->now);
	ssp_transport_set_current(w->server, w->now, sync_view_clone(w->view));
	ssp_transport_changed(w->server, w->now);
	ssp_transport_rtt(w->server, w->now, 20 + 2 * w->delay);
	ssp_transport_rtt(w->client, w->now, 20 + 2 * w->delay);
	world_run(w, 1000 + 8 * w->delay);
	ck_assert(ssp_transport_side_put(w->client, w->now, b.data, b.len));
	buf_fini(&b);
}

static void
write_lines(struct world *w, unsigned n)
{
	char text[64];
	unsigned i;

	for (i = 0; i < n; i++) {
		(void)snprintf(text, sizeof(text), "line %u\r\n", i);
		vt_term_write(w->p->term, text, strlen(text));
	}
}

START_TEST(nothing_is_sent_before_the_client_wants_it)
{
	struct world w;

	world_init(&w, true);
	write_lines(&w, 200);
	world_run(&w, 5000);
	ck_assert_uint_eq(w.lines, 0);
	ck_assert_uint_eq(mirror_lines(w.m), 0);
	world_fini(&w);
}
END_TEST

START_TEST(the_newest_lines_are_sent_up_to_the_wish)
{
	struct world w;

	world_init(&w, true);
	write_lines(&w, 500);
	world_want(&w, 100);
	world_run(&w, 8000);
	ck_assert_uint_eq(w.pane, w.p->id);
	ck_assert_uint_eq(w.lines, 100);
	ck_assert_uint_eq(mirror_lines(w.m), 100);
	/* A few more lines wait for others, but not for ever. */
	write_lines(&w, 3);
	world_run(&w, 500);
	ck_assert_uint_eq(w.lines, 100);
	world_run(&w, 4000);
	ck_assert_uint_eq(w.lines, 103);
	ck_assert_uint_eq(mirror_lines(w.m), 100);
	world_fini(&w);
}
END_TEST

START_TEST(the_option_may_say_no)
{
	struct world w;

	world_init(&w, false);
	write_lines(&w, 500);
	world_want(&w, 100);
	world_run(&w, 5000);
	ck_assert_uint_eq(w.lines, 0);
	world_fini(&w);
}
END_TEST

START_TEST(a_pane_that_is_gone_is_forgotten)
{
	struct world w;
	struct pane *p;

	world_init(&w, true);
	p = mux_util_split(w.p, LAYOUT_ROW);
	write_lines(&w, 300);
	world_want(&w, 50);
	world_run(&w, 5000);
	ck_assert_uint_eq(mirror_lines(w.m), 50);
	(void)window_close_pane(w.p);
	w.p = p;
	world_run(&w, 5000);
	ck_assert_uint_eq(w.forgotten, 1);
	ck_assert_uint_eq(mirror_lines(w.m), 0);
	world_fini(&w);
}
END_TEST

START_TEST(copy_mode_gets_lines_beyond_the_wish)
{
	struct world w;
	vt_row end;

	world_init(&w, true);
	write_lines(&w, 1900);
	world_want(&w, 100);
	world_run(&w, 8000);
	ck_assert_uint_eq(mirror_lines(w.m), 100);
	end = vt_grid_screen(vt_term_main_grid(w.p->term));
	mirror_shows(w.m, w.p->id, end - 500);
	world_run(&w, 30000);
	ck_assert_uint_eq(mirror_lines(w.m), 1500);
	mirror_shows(w.m, 0, MIRROR_NONE);
	world_run(&w, 8000);
	ck_assert_uint_eq(mirror_lines(w.m), 100);
	world_fini(&w);
}
END_TEST

/* Returns how many ms pass until the client holds the pane's history. */
static mono_ms
fill(unsigned delay, unsigned loss, uint64_t seed)
{
	struct world w;
	mono_ms began;
	char text[64];
	unsigned i;

	world_init(&w, true);
	w.random = seed;
	(void)options_set_text(
	    &w.u.run.mux->server_options, "mirror-history", "2000", NULL);
	for (i = 0; i < 2023; i++) {
		(void)snprintf(text, sizeof(text),
		    "%05u a line of history, with words %u\r\n", i, i * 7919);
		vt_term_write(w.p->term, text, strlen(text));
	}
	w.flights = mem_calloc(FLIGHTS, sizeof(*w.flights));
	w.delay = delay;
	world_want(&w, 2000);
	w.loss = loss;
	began = w.now;
	while (w.lines < 2000) {
		world_run(&w, 10);
		ck_assert_uint_lt(w.now - began, 120000);
	}
	began = w.now - began;
	world_fini(&w);
	return began;
}

START_TEST(two_thousand_lines_are_held_soon)
{
	static const struct {
		unsigned delay, loss, mean, worst; /* ms at most */
	} links[] = {
		{ 50, 0, 2000, 2000 },
		{ 250, 0, 6000, 6000 },
		{ 250, 10, 8000, 14000 },
	};
	const unsigned rounds = unit_rounds(20), first = (unsigned)unit_seed(1);
	mono_ms took, all = 0, worst = 0;
	unsigned i;

	for (i = 0; i < rounds; i++) {
		took = fill(links[_i].delay, links[_i].loss, first + i);
		all += took;
		worst = MAX_OF(worst, took);
	}
	fprintf(stderr,
	    "# 2,000 lines, rtt %u ms, loss %u %%: held after %llu ms, at "
	    "worst %llu\n",
	    links[_i].delay * 2, links[_i].loss,
	    (unsigned long long)(all / rounds), (unsigned long long)worst);
	ck_assert_uint_le(all / rounds, links[_i].mean);
	ck_assert_uint_le(worst, links[_i].worst);
}
END_TEST

/* Lines that the client holds for the present epoch are those of the pane. */
static size_t
check_epoch(const struct world *w, unsigned round)
{
	struct vt_grid *g = vt_term_main_grid(w->p->term);
	const struct sync_tail *t = history_copy_tail(w->copy, w->p->id);
	struct vt_line *have;
	struct buf a, b;
	uint64_t num;
	size_t n = 0;

	if (t == NULL ||
	    history_copy_remade(w->copy, w->p->id) != vt_grid_remade(g))
		return 0;
	buf_init(&a, BUF_MAX);
	buf_init(&b, BUF_MAX);
	for (num = t->first; num < sync_tail_end(t); num++) {
		if (num < vt_grid_first(g) || num >= vt_grid_screen(g))
			continue;
		have = sync_tail_line(t, num);
		buf_clear(&a);
		buf_clear(&b);
		sync_tail_encode(have, &a);
		sync_tail_encode(vt_grid_row(g, num), &b);
		ck_assert_msg(
		    a.len == b.len && memcmp(a.data, b.data, a.len) == 0,
		    "round %u: line %llu differs", round,
		    (unsigned long long)num);
		vt_line_unref(NULL, have);
		n++;
	}
	buf_fini(&a);
	buf_fini(&b);
	return n;
}

START_TEST(lines_of_an_epoch_are_right)
{
	const unsigned rounds = unit_rounds(400);
	struct world w;
	size_t checked = 0;
	unsigned i;

	world_init(&w, true);
	w.copy = history_copy_new(w.zip);
	srand((unsigned)unit_seed(1));
	write_lines(&w, 100);
	world_want(&w, 150);
	for (i = 0; i < rounds; i++) {
		if (rand() % 3 == 0)
			write_lines(&w, (unsigned)rand() % 60);
		if (rand() % 4 == 0)
			vt_term_resize(w.p->term, 3 + (unsigned)rand() % 40,
			    2 + (unsigned)rand() % 30);
		if (rand() % 16 == 0)
			vt_term_write(w.p->term, "\033[H\033[2Jx", 8);
		world_run(&w, (mono_ms)(rand() % 600));
		checked += check_epoch(&w, i);
	}
	ck_assert_uint_gt(checked, rounds * 10);
	history_copy_free(w.copy);
	world_fini(&w);
}
END_TEST

START_TEST(garbage_is_dropped)
{
	struct world w;

	world_init(&w, true);
	write_lines(&w, 300);
	mirror_message(w.m, (const uint8_t *)"", 0);
	mirror_message(w.m, (const uint8_t *)"\1\377\377\377", 4);
	mirror_message(w.m, (const uint8_t *)"\2", 1);
	world_run(&w, 3000);
	ck_assert_uint_eq(w.lines, 0);
	world_fini(&w);
}
END_TEST

UNIT_SUITE(mirror)
{
	Suite *s = suite_create("mirror");
	TCase *tc = tcase_create("mirror");

	tcase_add_test(tc, nothing_is_sent_before_the_client_wants_it);
	tcase_add_test(tc, the_newest_lines_are_sent_up_to_the_wish);
	tcase_add_test(tc, the_option_may_say_no);
	tcase_add_test(tc, a_pane_that_is_gone_is_forgotten);
	tcase_add_test(tc, copy_mode_gets_lines_beyond_the_wish);
	tcase_add_test(tc, lines_of_an_epoch_are_right);
	tcase_add_loop_test(tc, two_thousand_lines_are_held_soon, 0, 3);
	tcase_add_test(tc, garbage_is_dropped);
	suite_add_tcase(s, tc);
	return s;
}
