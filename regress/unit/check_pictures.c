/*
 * Pictures of other windows, and the keys that show them: a viewer of the server
 * with both ends of a link, in a time of their own.
 */
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "conf/bind.h"
#include "conf/keytable.h"
#include "conf/parser.h"
#include "mux/pretend.h"
#include "mux/sync/input.h"
#include "mux/sync/window.h"
#include "regress/unit/mux_util.h"
#include "regress/unit/unit.h"
#include "server/face/face.h"
#include "server/face/pictures.h"
#include "server/face/viewer.h"
#include "server/io/conn.h"
#include "server/io/pane_io.h"
#include "server/run/cmdq.h"
#include "server/run/lane.h"
#include "server/run/trim.h"
#include "ssp/compress.h"

static struct run run;
static struct conns conns;
static struct pane_ios panes;
static struct viewers viewers;
static struct viewer_ops ops;
static struct view_host host;
static struct link link_;
static struct viewer *vw;
static struct session *s;
static struct ssp_transport *client;
static mono_ms now;
static uint64_t pn;
/* What the client has and what it cost. */
static unsigned held;
static struct sync_window windows[SYNC_WINDOWS_MAX];
static size_t bytes;
static unsigned messages;

/* --- set-up ----------------------------------------------------------------------- */

static bool
link_ready(UNUSED const struct link *l)
{
	return true;
}

static mono_ms
link_pump(UNUSED struct link *l, UNUSED mono_ms at)
{
	return MONO_NEVER;
}

static void
link_close(struct link *l)
{
	ssp_transport_free(l->tp);
}

static const struct link_ops link_fake = {
	.far = true,
	.ready = link_ready,
	.pump = link_pump,
	.close = link_close,
};

/* Every format shows the window, so that each picture differs. */
static char *
expand(UNUSED void *arg, struct client *c, UNUSED struct pane *p,
    UNUSED const struct format_var *vars, UNUSED size_t nvars,
    UNUSED const char *format, UNUSED unsigned flags)
{
	const struct winlink *wl = client_link(c);
	const struct winlink *last = session_last_link(c->session);

	return mem_printf(
	    "#[range=window|%d]%s:%d#[norange] last %d, alerts %u", wl->index,
	    c->session->name, wl->index, last == NULL ? -1 : last->index,
	    wl->alerts);
}

static void
drain(UNUSED void *arg)
{
	struct mux_event e;

	while (mux_next_event(run.mux, &e))
		mux_event_fini(&e);
}

static const struct run_ops run_calls = { .drain = drain };

static struct ssp_transport *
transport(const struct ssp_object_ops *local_ops, void *local,
    const struct ssp_object_ops *remote_ops, void *remote)
{
	struct ssp_transport_cfg cfg;

	ssp_transport_cfg_init(&cfg, SSP_LINK_DATAGRAM);
	cfg.local_ops = local_ops;
	cfg.local = local;
	cfg.remote_ops = remote_ops;
	cfg.remote = remote;
	cfg.zip = run.zip;
	return ssp_transport_new(&cfg, now);
}

static void
begin(void)
{
	unsigned i;

	memset(&run, 0, sizeof(run));
	run.ops = &run_calls;
	run.loop = loop_new();
	run.lane = lane_new(run.loop, NULL);
	run.mux = mux_util_new();
	run.pool = run.mux->setup.pool;
	run.graphemes =
	    (struct grapheme_table *)(uintptr_t)run.mux->setup.graphemes;
	run.keys = keytables_new(&bind_ops);
	run.zip = ssp_zip_new();
	run.trim = trim_new(run.loop, run.pool, TRIM_QUIET_MS);
	list_init(&run.queues);
	run.queue = cmdq_new(&run, 0);
	conns_init(&conns, &run, NULL, NULL);
	memset(&panes, 0, sizeof(panes));
	panes.run = &run;
	map_init_ids(&panes.by_pane);
	face_ops_init(&ops);
	host = *ops.host;
	host.expand = expand;
	ops.host = &host;
	viewers_init(&viewers, &run, &ops, NULL);
	viewers.conns = &conns;
	viewers.panes = &panes;
	now = loop_now(run.loop);
	pn = 0;
	held = messages = 0;
	bytes = 0;
	s = mux_util_session(run.mux, "s");
	for (i = 1; i < 5; i++)
		(void)mux_util_window(s, (int)i, "w");
	link_.ops = &link_fake;
	link_.tp = transport(&sync_view_ops, sync_view_new(0, 0),
	    &sync_input_ops, sync_input_new());
	client = transport(&sync_input_ops, sync_input_new(), &sync_view_ops,
	    sync_view_new(0, 0));
	vw = viewer_new_link(
	    &viewers, mux_util_client(s, "me", 80, 24), 0, &link_);
	vw->pictures = pictures_new(vw);
	vw->builder.cx.host = &host;
	vw->client->typed_at = now;
	drain(NULL);
}

static void
end(void)
{
	while (held > 0)
		sync_window_fini(&windows[--held]);
	slices_fini(&viewers);
	viewer_free(vw);
	ssp_transport_free(client);
	messages_fini(&run.messages);
	prompt_log_fini(&run.prompts);
	map_fini(&panes.by_pane);
	conns_fini(&conns);
	cmdq_free(run.queue);
	trim_free(run.trim);
	keytables_free(run.keys);
	mux_util_free(run.mux);
	ssp_zip_free(run.zip);
	lane_free(run.lane);
	loop_free(run.loop);
}

/* --- the client ------------------------------------------------------------------- */

static struct sync_window *
picture(const struct winlink *wl)
{
	unsigned i;

	for (i = 0; i < held; i++)
		if (windows[i].session == wl->session->id &&
		    windows[i].window == wl->window->id)
			return &windows[i];
	return NULL;
}

static void
take(const struct sync_window_item *it)
{
	unsigned i;

	for (i = 0; i < held; i++)
		if (windows[i].session == it->session &&
		    windows[i].window == it->window)
			break;
	if ((it->flags & SYNC_WINDOW_FORGET) != 0) {
		ck_assert_uint_lt(i, held);
		sync_window_fini(&windows[i]);
		windows[i] = windows[--held];
		return;
	}
	if (i == held) {
		ck_assert_uint_lt(held, SYNC_WINDOWS_MAX);
		sync_window_init(&windows[held++], it->session, it->window);
	}
	ck_assert_int_eq(sync_window_apply(&windows[i], it), 0);
}

static void
client_side(const uint8_t *p, size_t n)
{
	struct sync_window_item it;
	uint8_t form, *raw;
	uint32_t len;
	struct rd r;

	bytes += n;
	messages++;
	rd_init(&r, p, n);
	ck_assert_int_eq(sync_window_get_head(&r, &form, &len), 0);
	raw = mem_alloc(len);
	if (form == 0)
		memcpy(raw, r.p, len);
	else
		ck_assert_int_eq(ssp_zip_unpack(run.zip, NULL, 0, r.p,
				     rd_left(&r), form == 2, raw, len),
		    0);
	rd_init(&r, raw, len);
	while (rd_left(&r) > 0) {
		ck_assert_int_eq(sync_window_get_item(&r, &it), 0);
		take(&it);
	}
	mem_free(raw);
}

/* Time goes on for MS; all that is sent arrives at once. */
static void
go(mono_ms ms)
{
	const mono_ms until = now + ms;
	uint8_t packet[2048];
	const uint8_t *side;
	size_t n;

	for (; now < until; now += 20) {
		(void)pictures_pump(vw->pictures, now);
		while ((n = ssp_transport_send(
			    link_.tp, now, ++pn, packet, sizeof(packet))) > 0) {
			(void)ssp_transport_recv(client, now, pn, packet, n);
			while ((side = ssp_transport_side_take(client, &n)) !=
			       NULL)
				client_side(side, n);
		}
		while ((n = ssp_transport_send(
			    client, now, ++pn, packet, sizeof(packet))) > 0) {
			(void)ssp_transport_recv(link_.tp, now, pn, packet, n);
			while ((side = ssp_transport_side_take(link_.tp, &n)) !=
			       NULL)
				ck_assert(
				    pictures_message(vw->pictures, side, n));
		}
	}
}

static void
ask(void)
{
	struct buf b;

	/* A round trip of both objects: the link is known by then. */
	ck_assert_int_eq(
	    sync_input_text(ssp_transport_current(client), 'a'), 0);
	ssp_transport_changed(client, now);
	ssp_transport_set_current(link_.tp, now, sync_view_new(80, 24));
	ssp_transport_rtt(link_.tp, now, 20);
	ssp_transport_rtt(client, now, 20);
	go(1000);
	buf_init(&b, 64);
	sync_window_put_want(&b, SYNC_WINDOWS_BYTES_MAX);
	ck_assert(ssp_transport_side_put(client, now, b.data, b.len));
	buf_fini(&b);
}

static void
print(struct winlink *wl, const char *text)
{
	vt_term_write(
	    wl->window->active->term, (const uint8_t *)text, strlen(text));
}

/* Compares the picture of a window with the view after its selection. */
static void
expect_same(struct winlink *wl)
{
	struct sync_window *w = picture(wl);
	const struct sync_surface *a;
	struct sync_view *v, *now_shown;
	size_t i, n = 0;

	ck_assert_ptr_nonnull(w);
	v = sync_window_view(w);
	(void)session_select(wl);
	drain(NULL);
	vw->builder.status_dirty = vw->builder.chrome_dirty = true;
	now_shown = view_build(&vw->builder, now);
	for (i = 0; i < now_shown->nsurfaces; i++) {
		if (now_shown->surfaces[i].kind > SYNC_SURFACE_CHROME)
			continue;
		a = sync_view_find(v, now_shown->surfaces[i].id);
		ck_assert_ptr_nonnull(a);
		ck_assert(
		    vt_frame_equal(a->frame, now_shown->surfaces[i].frame));
		ck_assert_int_eq(a->x, now_shown->surfaces[i].x);
		ck_assert_int_eq(a->y, now_shown->surfaces[i].y);
		n++;
	}
	ck_assert_uint_eq(n, v->nsurfaces);
	ck_assert_uint_eq(v->focus, now_shown->focus);
	ck_assert_ptr_nonnull(v->bar);
	sync_view_free(v);
}

/* --- pictures ---------------------------------------------------------------------- */

START_TEST(nothing_is_sent_before_the_client_wants_it)
{
	go(20000);
	ck_assert_uint_eq(messages, 0);
	ask();
	go(20000);
	ck_assert_uint_eq(held, 4);
	/* Nothing more while nothing changes. */
	messages = 0;
	go(600000);
	ck_assert_uint_eq(messages, 0);
}
END_TEST

START_TEST(a_picture_is_the_view_after_the_switch)
{
	struct session *o = mux_util_session(run.mux, "o");
	struct winlink *wl = session_link_at(s, 3);

	window_resize(o->current->window, 80, 23);
	wl->alerts = ALERT_BELL;
	print(wl, "hello\r\nthere");
	print(session_link_at(s, 1), "\033[31mred");
	ask();
	go(20000);
	ck_assert_uint_eq(held, 5);
	expect_same(session_link_at(s, 1));
	go(20000);
	expect_same(wl);
	go(20000);
	expect_same(session_link_at(s, 0));
	go(20000);
	ck_assert_ptr_nonnull(picture(o->current));
	/* The window that is shown keeps the picture that it had. */
	ck_assert_ptr_nonnull(picture(session_link_at(s, 0)));
}
END_TEST

START_TEST(pretending_changes_nothing)
{
	struct mux_pretence p;
	struct winlink *wl;
	unsigned i;
	char *before, *after;

	(void)session_select(session_link_at(s, 2));
	(void)session_select(session_link_at(s, 4));
	drain(NULL);
	before = mux_util_links(s);
	for (i = 0; i < 5; i++) {
		wl = session_link_at(s, (int)i);
		mux_pretend(&p, vw->client, wl);
		ck_assert_ptr_eq(client_link(vw->client), wl);
		mux_pretend_end(&p);
		after = mux_util_links(s);
		ck_assert_str_eq(before, after);
		ck_assert_ptr_null(mux_util_check(run.mux));
		mem_free(after);
	}
	mem_free(before);
}
END_TEST

/* A window that always changes costs little, and its end is shown soon. */
START_TEST(a_flood_costs_little)
{
	struct winlink *wl = session_link_at(s, 3);
	char text[64];
	unsigned i;

	ask();
	go(20000);
	bytes = 0;
	for (i = 0; i < 6000; i++) {
		(void)snprintf(text, sizeof(text),
		    "line %u of a flood %u %u\r\n", i, i * 7919, i * 104729);
		print(wl, text);
		vw->client->typed_at = now;
		go(100);
	}
	ck_assert_uint_gt(bytes, 0);
	ck_assert_uint_le(bytes, 600 * PICTURES_RATE / 4 + PICTURES_BURST);
	go(20000);
	expect_same(wl);
	/* While nobody is there, it costs even less. */
	(void)session_select(session_link_at(s, 0));
	drain(NULL);
	go(20000);
	bytes = 0;
	vw->client->typed_at = 1;
	now += PICTURES_AWAY_MS * 2;
	for (i = 0; i < 600; i++) {
		print(wl, "x");
		go(1000);
	}
	ck_assert_uint_le(bytes, 600 * PICTURES_RATE / 10);
}
END_TEST

START_TEST(who_cannot_switch_gets_none)
{
	ask();
	go(20000);
	ck_assert_uint_eq(held, 4);
	client_set_role(vw->client, CLIENT_TYPE);
	go(20000);
	ck_assert_uint_eq(held, 0);
	client_set_role(vw->client, CLIENT_ADMIN);
	go(20000);
	ck_assert_uint_eq(held, 4);
	(void)options_set_text(
	    &run.mux->server_options, "mirror-windows", "2", NULL);
	go(20000);
	/* And the one that is shown, which will be another. */
	ck_assert_uint_le(held, 3);
	(void)options_set_text(
	    &run.mux->server_options, "mirror-windows", "0", NULL);
	go(20000);
	ck_assert_uint_eq(held, 0);
}
END_TEST

/* --- keys ---------------------------------------------------------------------------- */

static void
bind_in(
    struct keytables *set, const char *table, key_code key, const char *text)
{
	const struct parser_hooks hooks = { .error = NULL };
	struct cmdlist *list = NULL;

	ck_assert_int_eq(
	    parser_parse(text, strlen(text), NULL, 1, &hooks, &list), 0);
	ck_assert_int_eq(keytables_bind(set, table, key, false, NULL, list), 0);
}

static void
bind_key(const char *table, key_code key, const char *text)
{
	bind_in(run.keys, table, key, text);
}

/* Builds the view; returns the decoded setup, or false if there is no state. */
static bool
view_has(struct sync_switch_setup *setup)
{
	const struct sync_view *v;

	ops.build(vw);
	v = vw->builder.view;
	if (v->switches == NULL)
		return false;
	ck_assert_int_eq(sync_switch_get_setup(v->switch_setup->text,
			     v->switch_setup->len, setup),
	    0);
	return true;
}

/* Returns what the setup says of a key: its act and argument, -1: nothing. */
static int
act_of(const struct sync_switch_setup *setup, key_code key, uint32_t *arg)
{
	unsigned i;

	for (i = 0; i < setup->nbinds; i++)
		if (setup->binds[i].key == key) {
			*arg = setup->binds[i].arg;
			return (int)setup->binds[i].act;
		}
	return -1;
}

START_TEST(the_view_tells_which_keys_switch)
{
	struct sync_switch_setup setup;
	uint32_t arg;

	bind_key("prefix", 'n', "next-window");
	bind_key("prefix", 'a', "next-window -a");
	bind_key("prefix", '3', "select-window -t :=3");
	bind_key("prefix", '4', "select-window -t 4");
	bind_key("prefix", '5', "select-window -t w");
	bind_key("prefix", 'l', "last-window ; display-message x");
	bind_key("prefix", ')', "switch-client -n");
	bind_key("root", KEY_META | 'a', "previous-window");
	bind_key("root", KEY_META | 'b', "new-window");
	bind_key("root", key_mouse(KEY_MOUSE_DOWN, 1, KEY_MOUSE_AT_STATUS),
	    "switch-client -t =");
	/* Not for a client that has not asked. */
	ck_assert(!view_has(&setup));
	ask();
	go(2000);
	ck_assert(view_has(&setup));
	ck_assert_uint_eq(setup.nlinks, 5);
	ck_assert_int_eq(act_of(&setup, 'n', &arg), SYNC_SWITCH_NEXT);
	ck_assert_int_eq(act_of(&setup, 'a', &arg), -1);
	ck_assert_int_eq(act_of(&setup, '3', &arg), SYNC_SWITCH_SELECT);
	ck_assert_uint_eq(arg, 3);
	ck_assert_int_eq(act_of(&setup, '4', &arg), SYNC_SWITCH_SELECT);
	ck_assert_uint_eq(arg, 4);
	ck_assert_int_eq(act_of(&setup, '5', &arg), -1);
	ck_assert_int_eq(act_of(&setup, 'l', &arg), -1);
	ck_assert_int_eq(act_of(&setup, ')', &arg), SYNC_SWITCH_NEXT_SESSION);
	ck_assert_int_eq(
	    act_of(&setup, KEY_META | 'a', &arg), SYNC_SWITCH_PREVIOUS);
	ck_assert_int_eq(
	    act_of(&setup, KEY_META | 'b', &arg), SYNC_SWITCH_UNKNOWN);
	ck_assert_int_eq(
	    act_of(&setup, key_mouse(KEY_MOUSE_DOWN, 1, KEY_MOUSE_AT_STATUS),
		&arg),
	    SYNC_SWITCH_CLICKED);
	bind_key("prefix", 'n', "kill-window");
	ck_assert(view_has(&setup));
	ck_assert_int_eq(act_of(&setup, 'n', &arg), -1);
}
END_TEST

/* A client's own keys lie above those of all. */
START_TEST(the_view_tells_the_clients_own_keys)
{
	struct keytables *own = client_own_keys(vw->client);
	struct sync_switch_setup setup;
	uint32_t arg;

	bind_key("prefix", 'n', "next-window");
	bind_key("prefix", 'p', "previous-window");
	bind_key("root", KEY_META | 'a', "next-window");
	ask();
	go(2000);
	ck_assert(view_has(&setup));
	bind_in(own, "prefix", 'n', "kill-window");
	bind_in(own, "prefix", 'p', "last-window");
	bind_in(own, "prefix", 'x', "next-window");
	bind_in(own, "root", KEY_META | 'a', "new-window");
	bind_in(own, "root", KEY_META | 'b', "previous-window");
	ck_assert(view_has(&setup));
	ck_assert_int_eq(act_of(&setup, 'n', &arg), -1);
	ck_assert_int_eq(act_of(&setup, 'p', &arg), SYNC_SWITCH_LAST);
	ck_assert_int_eq(act_of(&setup, 'x', &arg), SYNC_SWITCH_NEXT);
	ck_assert_int_eq(
	    act_of(&setup, KEY_META | 'a', &arg), SYNC_SWITCH_UNKNOWN);
	ck_assert_int_eq(
	    act_of(&setup, KEY_META | 'b', &arg), SYNC_SWITCH_PREVIOUS);
	ck_assert_int_eq(keytables_unbind(own, "prefix", 'n'), 0);
	ck_assert(view_has(&setup));
	ck_assert_int_eq(act_of(&setup, 'n', &arg), SYNC_SWITCH_NEXT);
}
END_TEST

#define WHEEL_UNLESS "#{||:#{alternate_on},#{pane_in_mode},#{mouse_any_flag}}"

START_TEST(commands_that_keep_the_window_are_told)
{
	const key_code wheel =
	    key_mouse(KEY_MOUSE_WHEEL_UP, 0, KEY_MOUSE_AT_PANE);
	struct sync_switch_setup setup;
	struct cause why = { NULL };
	uint32_t arg;

	bind_key("prefix", 'z', "resize-pane -Z");
	bind_key("prefix", 'o', "select-pane -t :.+");
	bind_key("prefix", ' ', "next-layout");
	bind_key("prefix", 'r', "rotate-window");
	bind_key("prefix", ';', "last-pane");
	bind_key("prefix", '%', "split-window -h");
	bind_key("prefix", '[', "copy-mode");
	bind_key("prefix", 'e', "copy-mode -e -u");
	bind_key("prefix", 'M', "copy-mode -M");
	bind_key("root", wheel,
	    "if-shell -F \"" WHEEL_UNLESS
	    "\" { send-keys -M } { copy-mode -e }");
	bind_key("prefix", 'q', "resize-pane -Z -t w");
	ask();
	go(2000);
	ck_assert(view_has(&setup));
	ck_assert_int_eq(act_of(&setup, 'z', &arg), SYNC_SWITCH_STAYS);
	ck_assert_int_eq(act_of(&setup, 'o', &arg), SYNC_SWITCH_STAYS);
	ck_assert_int_eq(act_of(&setup, ' ', &arg), SYNC_SWITCH_STAYS);
	ck_assert_int_eq(act_of(&setup, 'r', &arg), SYNC_SWITCH_STAYS);
	ck_assert_int_eq(act_of(&setup, '[', &arg), SYNC_SWITCH_COPIES);
	ck_assert_uint_eq(arg, 0);
	ck_assert_int_eq(act_of(&setup, 'e', &arg), SYNC_SWITCH_COPIES);
	ck_assert_uint_eq(
	    arg, SYNC_SWITCH_COPIES_UP | SYNC_SWITCH_COPIES_EXITS);
	ck_assert_int_eq(act_of(&setup, 'M', &arg), -1);
	ck_assert_int_eq(act_of(&setup, wheel, &arg), SYNC_SWITCH_COPIES);
	ck_assert_uint_eq(arg, SYNC_SWITCH_COPIES_EXITS);
	/* They may fail, or open what takes the next key. */
	ck_assert_int_eq(act_of(&setup, ';', &arg), -1);
	ck_assert_int_eq(act_of(&setup, '%', &arg), -1);
	ck_assert_int_eq(act_of(&setup, 'q', &arg), -1);
	ck_assert_int_eq(options_set_text(&run.mux->session_options,
			     "after-resize-pane", "next-window", &why),
	    0);
	ck_assert(view_has(&setup));
	ck_assert_int_eq(act_of(&setup, 'z', &arg), -1);
	(void)options_set_text(
	    &run.mux->session_options, "after-resize-pane", "", &why);
	/* Another condition may be true of any pane. */
	bind_key("root", wheel,
	    "if-shell -F \"#{@x}\" { send-keys -M } { copy-mode -e }");
	ck_assert(view_has(&setup));
	ck_assert_int_eq(act_of(&setup, wheel, &arg), -1);
}
END_TEST

/* Returns the prompt that KEY opens, whose line is there, or NULL. */
static const struct sync_switch_ask *
ask_of(const struct sync_switch_setup *setup, key_code key)
{
	struct vt_frame *line;
	uint32_t n;

	if (act_of(setup, key, &n) != SYNC_SWITCH_ASKS)
		return NULL;
	ck_assert_uint_lt(n, setup->nasks);
	line = sync_switch_ask_line(setup, &setup->asks[n]);
	ck_assert_ptr_nonnull(line);
	vt_frame_unref(line);
	return &setup->asks[n];
}

START_TEST(the_view_tells_which_prompts_open)
{
	const struct sync_switch_ask *a;
	struct sync_switch_setup setup;
	uint32_t arg;

	bind_key("prefix", ':', "command-prompt");
	bind_key(
	    "prefix", ',', "command-prompt -I '#W' { rename-window -- '%%' }");
	bind_key(
	    "prefix", 'x', "confirm-before -p 'kill-pane #P? (y/n)' kill-pane");
	bind_key(
	    "prefix", 'm', "command-prompt -p 'a,b' { display-message '%1' }");
	bind_key(
	    "prefix", 'k', "command-prompt -k -p key { list-keys -1N '%%' }");
	bind_key("prefix", 'j', "command-prompt -I '#(date)' { list-keys }");
	ask();
	go(2000);
	ck_assert(view_has(&setup));
	ck_assert_ptr_nonnull(a = ask_of(&setup, ':'));
	ck_assert_uint_gt(a->col, 0);
	ck_assert_ptr_nonnull(a = ask_of(&setup, ','));
	ck_assert_uint_gt(a->text, 0);
	ck_assert_ptr_nonnull(a = ask_of(&setup, 'x'));
	ck_assert_uint_eq(a->col, 0);
	/* Two prompts, one key by its name, a command of a format. */
	ck_assert_int_eq(act_of(&setup, 'm', &arg), -1);
	ck_assert_int_eq(act_of(&setup, 'k', &arg), -1);
	ck_assert_int_eq(act_of(&setup, 'j', &arg), -1);
}
END_TEST

START_TEST(the_view_tells_nothing_where_a_key_may_do_more)
{
	struct sync_switch_setup setup;
	struct cause why = { NULL };

	bind_key("prefix", 'n', "next-window");
	ask();
	go(2000);
	ck_assert(view_has(&setup));
	ck_assert_int_eq(options_set_text(&run.mux->session_options,
			     "session-window-changed", "kill-server", &why),
	    0);
	ck_assert(!view_has(&setup));
	(void)options_set_text(
	    &run.mux->session_options, "session-window-changed", "", &why);
	keys_set_table(vw, "prefix");
	ck_assert(view_has(&setup) == (vw->builder.view->switches != NULL));
	bind_key("root", KEY_ANY, "next-window");
	keys_set_table(vw, NULL);
	ck_assert(!view_has(&setup));
}
END_TEST

UNIT_SUITE(pictures)
{
	Suite *suite = suite_create("pictures");
	TCase *tc = tcase_create("pictures");

	tcase_add_checked_fixture(tc, begin, end);
	tcase_set_timeout(tc, 60);
	tcase_add_test(tc, nothing_is_sent_before_the_client_wants_it);
	tcase_add_test(tc, a_picture_is_the_view_after_the_switch);
	tcase_add_test(tc, pretending_changes_nothing);
	tcase_add_test(tc, a_flood_costs_little);
	tcase_add_test(tc, who_cannot_switch_gets_none);
	tcase_add_test(tc, the_view_tells_which_keys_switch);
	tcase_add_test(tc, the_view_tells_the_clients_own_keys);
	tcase_add_test(tc, commands_that_keep_the_window_are_told);
	tcase_add_test(tc, the_view_tells_which_prompts_open);
	tcase_add_test(tc, the_view_tells_nothing_where_a_key_may_do_more);
	suite_add_tcase(suite, tc);
	return suite;
}
