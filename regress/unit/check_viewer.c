/*
 * A viewer on a link of the test: pacing of views, deadlines, and the dispatch
 * of keys to overlays, key tables and modes.
 */
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "conf/bind.h"
#include "conf/keytable.h"
#include "mux/mode/clock.h"
#include "mux/mode/mode.h"
#include "mux/sync/input.h"
#include "regress/unit/mux_util.h"
#include "regress/unit/unit.h"
#include "server/face/face.h"
#include "server/face/message.h"
#include "server/face/output.h"
#include "server/face/pager.h"
#include "server/face/palette.h"
#include "server/face/prompt.h"
#include "server/face/viewer.h"
#include "server/io/conn.h"
#include "server/io/pane_io.h"
#include "server/run/lane.h"
#include "server/run/trim.h"

static struct run run;
static struct conns conns;
static struct pane_ios panes;
static struct viewers viewers;
static struct viewer_ops ops;
static struct viewer_ops real; /* those of face.c */
static struct view_host host;
static struct link link_;
static struct viewer *vw;
static bool ready;
static unsigned builds;
static unsigned drains;

/* --- set-up --------------------------------------------------------------------- */

static bool
link_ready(const struct link *l)
{
	(void)l;
	return ready;
}

static mono_ms
link_pump(struct link *l, mono_ms now)
{
	(void)l;
	(void)now;
	return MONO_NEVER;
}

static void
link_close(struct link *l)
{
	ssp_transport_free(l->tp);
}

static const struct link_ops link_fake = {
	.ready = link_ready,
	.pump = link_pump,
	.close = link_close,
};

static char *
expand(void *arg, struct client *c, struct pane *p,
    const struct format_var *vars, size_t nvars, const char *format,
    unsigned flags)
{
	(void)arg;
	(void)c;
	(void)p;
	(void)flags;
	return mem_strdup(nvars > 0 ? vars[0].value : format);
}

static void
build(struct viewer *v)
{
	builds++;
	real.build(v);
}

static void
drain(void *arg)
{
	struct mux_event e;

	(void)arg;
	drains++;
	while (mux_next_event(run.mux, &e))
		mux_event_fini(&e);
}

static const struct run_ops run_calls = { .drain = drain };

static void
begin(void)
{
	struct ssp_transport_cfg cfg;
	struct client *c;

	memset(&run, 0, sizeof(run));
	run.ops = &run_calls;
	run.loop = loop_new();
	run.lane = lane_new(run.loop, NULL);
	run.mux = mux_util_new();
	run.pool = run.mux->setup.pool;
	run.graphemes =
	    (struct grapheme_table *)(uintptr_t)run.mux->setup.graphemes;
	run.keys = keytables_new(&bind_ops);
	run.trim = trim_new(run.loop, run.pool, TRIM_QUIET_MS);
	list_init(&run.queues);
	conns_init(&conns, &run, NULL, NULL);
	memset(&panes, 0, sizeof(panes));
	panes.run = &run;
	map_init_ids(&panes.by_pane);
	face_ops_init(&real);
	host = *real.host;
	host.expand = expand;
	ops = real;
	ops.host = &host;
	ops.build = build;
	viewers_init(&viewers, &run, &ops, NULL);
	viewers.conns = &conns;
	viewers.panes = &panes;
	c = mux_util_client(mux_util_session(run.mux, "s"), "me", 80, 24);
	ssp_transport_cfg_init(&cfg, SSP_LINK_LOCAL);
	cfg.local_ops = &sync_view_ops;
	cfg.local = sync_view_new(0, 0);
	cfg.remote_ops = &sync_input_ops;
	cfg.remote = sync_input_new();
	link_.ops = &link_fake;
	link_.tp = ssp_transport_new(&cfg, loop_now(run.loop));
	ready = true;
	builds = drains = 0;
	vw = viewer_new_link(&viewers, c, 0, &link_);
}

static void
end(void)
{
	slices_fini(&viewers);
	viewer_free(vw);
	messages_fini(&run.messages);
	prompt_log_fini(&run.prompts);
	map_fini(&panes.by_pane);
	conns_fini(&conns);
	trim_free(run.trim);
	keytables_free(run.keys);
	mux_util_free(run.mux);
	lane_free(run.lane);
	loop_free(run.loop);
}

/* Runs the loop until no timer is due. */
static void
settle(void)
{
	unsigned i;

	for (i = 0; i < 4; i++)
		loop_turn(run.loop, false);
}

static void
nothing(void *arg)
{
	(void)arg;
}

/* Runs the loop for MS. */
static void
until(mono_ms ms)
{
	struct loop_timer *end = loop_timer_new(run.loop, nothing, NULL);
	mono_ms at;

	loop_turn(run.loop, false);
	at = loop_now(run.loop) + ms;
	loop_timer_set(end, at);
	while (loop_now(run.loop) < at)
		loop_turn(run.loop, true);
	loop_timer_free(end);
	settle();
}

static void
type(key_code k)
{
	keys_typed(vw, &(struct key_event){ .key = k });
}

static void
paste(const char *text)
{
	struct sync_input *in = sync_input_new();

	ck_assert_int_eq(sync_input_paste(in, text, strlen(text)), 0);
	real.input(vw, sync_input_get(in, 1));
	sync_input_ops.free(in);
}

/* --- views ---------------------------------------------------------------------- */

START_TEST(changes_of_one_turn_make_one_view)
{
	unsigned i;

	settle();
	ck_assert_uint_eq(builds, 1);
	for (i = 0; i < 10; i++)
		viewer_dirty(vw);
	ck_assert_uint_eq(builds, 1);
	settle();
	ck_assert_uint_eq(builds, 2);
	/* No view while the link is not ready; the last change is not lost. */
	ready = false;
	viewer_dirty(vw);
	settle();
	ck_assert_uint_eq(builds, 2);
	ready = true;
	pump_wake(vw);
	settle();
	ck_assert_uint_eq(builds, 3);
}
END_TEST

START_TEST(a_flood_is_paced)
{
	mono_ms at;

	settle();
	builds = 0;
	at = loop_now(run.loop) + 160;
	while (loop_now(run.loop) < at) {
		pump_dirty(vw, false);
		loop_turn(run.loop, false);
	}
	/* One every 8 ms and six at once; fewer on a slow machine. */
	ck_assert_uint_le(builds, 160 / 8 + 6 + 1);
	ck_assert_uint_ge(builds, 2);
}
END_TEST

START_TEST(an_answer_need_not_wait)
{
	const struct sync_event ev = { .kind = SYNC_TEXT, .cp = 'x' };
	unsigned before;

	settle();
	while (vw->pump.tokens > 0) {
		pump_dirty(vw, false);
		loop_turn(run.loop, false);
	}
	before = builds;
	pump_asked(vw, loop_now(run.loop), &ev);
	pump_answered(vw);
	ck_assert_uint_eq(vw->pump.frame_at, 0);
	pump_dirty(vw, false);
	loop_turn(run.loop, false);
	ck_assert_uint_eq(builds, before + 1);
	/* Only one extra frame. */
	pump_answered(vw);
	ck_assert_uint_ne(vw->pump.frame_at, 0);
}
END_TEST

/* --- work of modes --------------------------------------------------------------- */

static unsigned slices; /* left of the work */
static unsigned stopped;

static void
fake_free(struct mode *m)
{
	mem_free(m);
}

/* A slice of a third of a millisecond. */
static void
fake_work(struct mode *m)
{
	const uint64_t begin = sys_now_us();

	while (sys_now_us() - begin < 300)
		;
	m->work = --slices == 0 ? MODE_IDLE : MODE_BUSY;
}

static void
fake_stop(struct mode *m, UNUSED bool late)
{
	stopped++;
	m->work = MODE_IDLE;
}

static const struct mode_ops fake_ops = {
	.name = "fake-mode",
	.work = fake_work,
	.stop = fake_stop,
	.free = fake_free,
};

START_TEST(work_of_a_mode_leaves_time)
{
	struct pane *p = client_pane(vw->client);
	struct mode *m = mem_zalloc(sizeof(*m));
	unsigned before, turns = 0;

	ck_assert_int_eq(mode_push(p, m, &fake_ops), 0);
	settle();
	builds = 0;
	slices = 40;
	m->work = MODE_BUSY;
	slices_wait(&viewers, p, vw->conn_id, 77);
	while (m->work == MODE_BUSY) {
		before = slices;
		viewer_dirty(vw);
		loop_turn(run.loop, false);
		turns++;
		ck_assert_uint_le(before - slices, SLICES_US / 300 + 1);
	}
	ck_assert_uint_ge(turns, 40 / (SLICES_US / 300 + 1));
	ck_assert_uint_ge(builds, 2);
	ck_assert_uint_eq(stopped, 0);
	settle();
	/* A key of the client that waits ends it. */
	slices = 1000;
	m->work = MODE_BUSY;
	slices_wait(&viewers, p, vw->conn_id, 78);
	slices_typed(&viewers, vw->conn_id + 1);
	ck_assert_uint_eq(stopped, 0);
	type('x');
	ck_assert_uint_eq(stopped, 1);
	settle();
	ck_assert(list_empty(&viewers.slices.jobs));
	/* The mode may go. */
	m->work = MODE_BUSY;
	slices_wait(&viewers, p, vw->conn_id, 79);
	(void)pane_pop_mode(p);
	settle();
	ck_assert(list_empty(&viewers.slices.jobs));
}
END_TEST

/* --- overlays and timers -------------------------------------------------------- */

static const struct overlay *
top(void)
{
	struct list_node *n = list_first(&vw->overlays.list);

	return n == NULL ? NULL : container_of(n, struct overlay, node);
}

static const char *
top_name(void)
{
	return top() == NULL ? "" : top()->ops->name;
}

/* Runs the loop until the overlay on top is NAME, ten seconds at most. */
static void
until_top(const char *name)
{
	unsigned i;

	for (i = 0; i < 1000 && strcmp(top_name(), name) != 0; i++)
		until(10);
	ck_assert_str_eq(top_name(), name);
}

START_TEST(a_message_goes_by_time_or_key)
{
	message_show(vw, 1500, "hello");
	ck_assert_str_eq(top_name(), "message");
	ck_assert_uint_eq(vw->due.at[VIEWER_DUE_OVERLAYS], top()->due);
	settle();
	ck_assert_ptr_nonnull(
	    sync_view_find(vw->builder.view, VIEW_SURFACE_LINE));
	until_top("");
	ck_assert_ptr_null(sync_view_find(vw->builder.view, VIEW_SURFACE_LINE));
	ck_assert_uint_eq(vw->due.at[VIEWER_DUE_OVERLAYS], MONO_NEVER);
	message_show(vw, 0, "again");
	message_show(vw, 0, "and again");
	ck_assert_uint_eq(vw->overlays.list.count, 1);
	type('x');
	ck_assert_str_eq(top_name(), "");
	/* message_show_alone ignores keys. */
	message_show_alone(vw, 1000, "wait");
	type('x');
	ck_assert_str_eq(top_name(), "message");
}
END_TEST

START_TEST(lines_of_a_command_are_paged)
{
	pager_say(vw, "one line");
	settle();
	ck_assert_str_eq(top_name(), "message");
	type('x');
	panes.typing.at = 0;
	pager_say(vw, "one line");
	pager_say(vw, "another");
	settle();
	ck_assert_str_eq(top_name(), "pager");
	ck_assert_uint_eq(vw->builder.view->focus, VIEW_SURFACE_PAGER);
	type(KEY_UP);
	ck_assert_str_eq(top_name(), "pager");
	/* Other keys are dropped. */
	type('x');
	ck_assert_uint_eq(panes.typing.at, 0);
	type('q');
	ck_assert_str_eq(top_name(), "");
	type('x');
	ck_assert_uint_ne(panes.typing.at, 0);
}
END_TEST

static char answer[32];

static void
answered(void *arg, const char *text, bool done)
{
	(void)arg;
	ck_assert(done);
	(void)str_copy(answer, text == NULL ? "-" : text, sizeof(answer));
}

static const struct prompt_spec question = {
	.message = "(name) ", .input = "ab", .done = answered
};

START_TEST(output_covers_a_pane_only_for_who_may_change_it)
{
	struct pane *p = client_pane(vw->client);

	output_client(vw, "one\ntwo\n", 8);
	settle();
	ck_assert_str_eq(top_name(), "");
	ck_assert_uint_eq(p->modes.count, 1);
	ck_assert_str_eq(pane_mode(p)->name, "view-mode");
	(void)pane_pop_mode(p);
	client_set_role(vw->client, CLIENT_VIEW);
	output_client(vw, "one\ntwo\n", 8);
	settle();
	ck_assert_uint_eq(p->modes.count, 0);
	ck_assert_str_eq(top_name(), "pager");
}
END_TEST

/* --- the palette ---------------------------------------------------------------- */

static size_t picked;
static bool edited;

static void
choose(void *arg, size_t item, bool edit)
{
	(void)arg;
	picked = item;
	edited = edit;
}

static struct view_palette *
fruit(void)
{
	struct view_palette *p = view_palette_new(" ");
	static const char *const names[] = { "apple", "pear", "plum" };
	size_t i;

	for (i = 0; i < ARRAY_LEN(names); i++)
		ck_assert_int_eq(view_palette_add(p, VIEW_PALETTE_COMMAND,
				     &(struct view_palette_text){
					 names[i], NULL, NULL, names[i] }),
		    0);
	return p;
}

START_TEST(a_palette_chooses_what_is_typed)
{
	static struct link_ops far;
	struct view_palette *p = fruit();
	const struct sync_prompt *said;

	view_palette_filter(p);
	palette_open(vw, p, choose, NULL);
	settle();
	ck_assert_str_eq(top_name(), "palette");
	ck_assert(palette_shown(vw));
	ck_assert_uint_eq(vw->builder.view->focus, VIEW_SURFACE_PALETTE_LINE);
	ck_assert_ptr_null(vw->builder.view->prompt);
	/* A remote client is told what is typed, to predict it. */
	far = link_fake;
	far.far = true;
	link_.ops = &far;
	type('p');
	paste("l");
	settle();
	said = vw->builder.view->prompt;
	ck_assert_ptr_nonnull(said);
	ck_assert_uint_eq(said->surface, VIEW_SURFACE_PALETTE_LINE);
	ck_assert_uint_eq(said->x, 3);
	ck_assert_str_eq(vt_str_text(said->text), "pl");
	link_.ops = &link_fake;
	type('o' | KEY_CTRL);
	ck_assert(!palette_shown(vw));
	ck_assert_uint_eq(picked, 2);
	ck_assert(edited);
	p = fruit();
	view_palette_filter(p);
	palette_open(vw, p, choose, NULL);
	type(KEY_ESCAPE);
	ck_assert_uint_eq(picked, PALETTE_NOTHING);
}
END_TEST

START_TEST(what_was_used_lately_is_bounded)
{
	struct palette_recent r = { .count = 0 };
	struct view_palette *p = fruit();
	char name[16];
	unsigned i;

	palette_recent_add(&r, 1, "pear");
	palette_recent_add(&r, 1, "plum");
	palette_recent_add(&r, 2, "apple");
	palette_recent_add(&r, 1, "pear");
	ck_assert_uint_eq(r.count, 3);
	palette_recent_mark(&r, 1, p);
	ck_assert_uint_eq(p->items[0].recent, 0);
	ck_assert_uint_eq(p->items[1].recent, 1);
	ck_assert_uint_eq(p->items[2].recent, 2);
	for (i = 0; i < PALETTE_RECENT_MAX + 10; i++) {
		(void)snprintf(name, sizeof(name), "item %u", i);
		palette_recent_add(&r, 3, name);
	}
	ck_assert_uint_eq(r.count, PALETTE_RECENT_MAX);
	ck_assert_str_eq(r.used[0].id, name);
	ck_assert_uint_eq(r.used[PALETTE_RECENT_MAX - 1].session, 3);
	palette_recent_fini(&r);
	view_palette_free(p);
}
END_TEST

START_TEST(a_prompt_takes_keys_and_pastes)
{
	key_code keys[4];

	prompt_open(vw, &question);
	ck_assert(prompt_shown(vw));
	ck_assert_uint_eq(keys_taken(vw, keys, 4), 0);
	type('c');
	paste("x\ny");
	settle();
	ck_assert_uint_eq(vw->builder.view->focus, VIEW_SURFACE_LINE);
	type(KEY_ENTER);
	ck_assert_str_eq(answer, "abcxy");
	ck_assert(!prompt_shown(vw));
	/* The second prompt cancels the first. */
	prompt_open(vw, &question);
	answer[0] = '\0';
	prompt_open(vw, &question);
	ck_assert_str_eq(answer, "-");
	/* security: a prompt gets no keys of a client that is no admin. */
	answer[0] = '\0';
	client_set_role(vw->client, CLIENT_TYPE);
	type(KEY_ENTER);
	ck_assert_str_eq(answer, "");
	overlays_close(&vw->overlays, OVERLAY_ADMIN);
	ck_assert_str_eq(answer, "-");
	prompt_open(vw, &question);
	ck_assert(!prompt_shown(vw));
}
END_TEST

START_TEST(a_prefix_shows_its_keys_and_ends)
{
	struct options *so = &run.mux->server_options;
	struct options *o = &vw->client->session->options;

	ck_assert_int_eq(
	    options_set_text(so, "prefix-timeout", "1500", NULL), 0);
	ck_assert_int_eq(
	    options_set_text(o, "prefix-panel-time", "20", NULL), 0);
	keys_set_table(vw, "prefix");
	ck_assert_str_eq(top_name(), "");
	until_top("keys");
	until_top("");
	ck_assert_ptr_null(vw->client->table);
}
END_TEST

START_TEST(own_keys_are_taken)
{
	const struct parser_hooks hooks = { .error = NULL };
	struct cmdlist *list = NULL;
	key_code keys[8];
	size_t n = keys_taken(vw, keys, ARRAY_LEN(keys));

	ck_assert_int_eq(
	    parser_parse("clock-mode", 10, NULL, 1, &hooks, &list), 0);
	ck_assert_int_eq(keytables_bind(client_own_keys(vw->client), "root",
			     'y', false, NULL, list),
	    0);
	ck_assert_uint_eq(keys_taken(vw, keys, ARRAY_LEN(keys)), n + 1);
	ck_assert_uint_eq(keys[n], 'y');
}
END_TEST

/* --- modes ---------------------------------------------------------------------- */

START_TEST(a_mode_stands_for_the_program)
{
	struct pane *p = client_pane(vw->client);
	const struct mouse_event click = {
		.x = 3, .y = 3, .px = -1, .button = 1, .action = MOUSE_PRESS
	};
	struct vt_frame *f;
	key_code key = 0;

	(void)vt_term_write(p->term, "text", 4);
	settle();
	f = sync_view_find(vw->builder.view, VIEW_SURFACE_PANE(p->id))->frame;
	ck_assert_uint_eq(vt_line_cell(f->lines[0], 0).ch, 't');
	ck_assert_int_eq(mode_clock_open(p), 0);
	viewer_dirty(vw);
	settle();
	f = sync_view_find(vw->builder.view, VIEW_SURFACE_PANE(p->id))->frame;
	ck_assert_uint_ne(vt_line_cell(f->lines[0], 0).ch, 't');
	/* The clock is drawn again at the end of the minute. */
	ck_assert_uint_ne(vw->due.at[VIEWER_DUE_VIEW], MONO_NEVER);
	ck_assert_uint_eq(vw->builder.modes_at, mode_top(p)->due);
	ck_assert_uint_eq(keys_taken(vw, &key, 1), 1);
	ck_assert_uint_eq(key, KEY_ANY);
	drains = 0;
	type('x');
	ck_assert_ptr_null(mode_top(p));
	ck_assert_uint_eq(drains, 1);
	ck_assert_uint_eq(panes.typing.at, 0);
	viewer_dirty(vw);
	settle();
	f = sync_view_find(vw->builder.view, VIEW_SURFACE_PANE(p->id))->frame;
	ck_assert_uint_eq(vt_line_cell(f->lines[0], 0).ch, 't');
	ck_assert_int_eq(mode_clock_open(p), 0);
	mouse_moved(vw, &click);
	ck_assert_ptr_null(mode_top(p));
}
END_TEST

UNIT_SUITE(viewer)
{
	Suite *s = suite_create("viewer");
	TCase *tc = tcase_create("viewer");

	tcase_add_checked_fixture(tc, begin, end);
	tcase_add_test(tc, changes_of_one_turn_make_one_view);
	tcase_add_test(tc, a_flood_is_paced);
	tcase_add_test(tc, work_of_a_mode_leaves_time);
	tcase_add_test(tc, an_answer_need_not_wait);
	tcase_add_test(tc, a_message_goes_by_time_or_key);
	tcase_add_test(tc, lines_of_a_command_are_paged);
	tcase_add_test(tc, output_covers_a_pane_only_for_who_may_change_it);
	tcase_add_test(tc, a_palette_chooses_what_is_typed);
	tcase_add_test(tc, what_was_used_lately_is_bounded);
	tcase_add_test(tc, a_prompt_takes_keys_and_pastes);
	tcase_add_test(tc, a_prefix_shows_its_keys_and_ends);
	tcase_add_test(tc, own_keys_are_taken);
	tcase_add_test(tc, a_mode_stands_for_the_program);
	suite_add_tcase(s, tc);
	return s;
}
