#include <stdio.h>
#include <string.h>

#include "base/grapheme.h"
#include "base/io/sys.h"
#include "base/mem.h"
#include "mux/client.h"
#include "regress/unit/far_util.h"
#include "regress/unit/mux_util.h"
#include "regress/unit/unit.h"
#include "server/core/hooks.h"
#include "server/core/invite.h"
#include "server/core/monitors.h"
#include "server/core/server.h"
#include "server/core/settings.h"
#include "server/face/face.h"
#include "server/face/guest.h"
#include "server/io/scope.h"
#include "ssp/ticket.h"

/* --- settings ---------------------------------------------------------------------- */

static unsigned
width(const struct run *run, uint32_t cp)
{
	return (unsigned)grapheme_cp_width(run->graphemes, cp);
}

START_TEST(widths_follow_the_option)
{
	struct run_util u;
	struct settings *st;
	struct options *o;

	run_util_init(&u);
	o = &u.run.mux->server_options;
	st = settings_new(&u.run);
	settings_apply(st, OPT_ON_WIDTHS);
	ck_assert_uint_eq(width(&u.run, 0x2460), 1);
	(void)options_set_text(o, "codepoint-widths[0]", "U+2460=2", NULL);
	(void)options_set_text(o, "codepoint-widths[1]", "nonsense", NULL);
	(void)options_set_text(
	    o, "codepoint-widths[2]", "U+E000-U+E010=2", NULL);
	(void)options_set_text(o, "codepoint-widths[3]", "U+2461=9", NULL);
	settings_apply(st, OPT_ON_WIDTHS);
	ck_assert_uint_eq(width(&u.run, 0x2460), 2);
	ck_assert_uint_eq(width(&u.run, 0x2461), 1);
	ck_assert_uint_eq(width(&u.run, 0xe00f), 2);
	ck_assert_uint_eq(width(&u.run, 0xe011), 1);
	(void)options_set_text(o, "codepoint-widths", "", NULL);
	settings_apply(st, OPT_ON_WIDTHS);
	ck_assert_uint_eq(width(&u.run, 0xe00f), 1);
	settings_free(st);
	settings_free(NULL);
	run_util_fini(&u);
}
END_TEST

/* --- events and monitors ------------------------------------------------------------ */

static struct server sv;
static struct buf ran;

static void
core_drain(UNUSED void *arg)
{
}

static enum cmd_result
core_command(UNUSED void *arg, struct cmdq_item *item, struct cmd *cmd)
{
	const char *word = cmd->args->values[0].text;
	char *text =
	    scope_expand_new(sv.scope, cmdq_state(item), NULL, word, 0);

	(void)buf_addf(&ran, "%s|", text);
	mem_free(text);
	if (strcmp(word, "wait") != 0)
		return CMD_NORMAL;
	(void)cmdq_wait(item);
	return CMD_WAIT;
}

static void
core_dry(UNUSED void *arg, UNUSED uint64_t conn)
{
}

static char *
core_expand(UNUSED void *arg, const struct cmd_state *st, const char *format)
{
	return scope_expand_new(sv.scope, st, NULL, format, 0);
}

static void
core_changed(UNUSED void *arg)
{
}

static bool
core_client(UNUSED void *arg, UNUSED const struct client *c,
    UNUSED const struct remote **remote, UNUSED const struct mirror **mirror)
{
	return false;
}

static struct session *
core_init(void)
{
	static const struct run_ops ops = {
		.drain = core_drain,
		.command = core_command,
		.dry = core_dry,
		.expand = core_expand,
	};
	static const struct scope_ops scope_ops = {
		.changed = core_changed,
		.client = core_client,
	};
	struct session *s;

	memset(&sv, 0, sizeof(sv));
	buf_init(&ran, 1 << 16);
	run_init(&sv.run, &ops, &sv);
	sv.run.socket_path = "/tmp/rmux-test";
	jobs_init(&sv.jobs, &sv.run);
	list_init(&sv.viewers.list);
	map_init_ids(&sv.conns.by_id);
	list_init(&sv.conns.all);
	pane_ios_init(&sv.panes, &sv.run, NULL, NULL);
	sv.scope = scope_make(&sv.run, &sv.panes, &sv.jobs, &scope_ops, &sv);
	sv.hooks = hooks_new(&sv);
	sv.monitors = monitors_new(&sv);
	s = mux_util_session(sv.run.mux, "s");
	return s;
}

static void
core_fini(void)
{
	monitors_free(sv.monitors);
	hooks_free(sv.hooks);
	cmdq_free(sv.run.queue);
	scope_free(sv.scope);
	pane_ios_fini(&sv.panes);
	map_fini(&sv.conns.by_id);
	run_fini(&sv.run);
	buf_fini(&ran);
}

START_TEST(names_of_events_and_monitors_are_checked)
{
	char good[] = "@m:%1:#{a:b}", bad[] = "name";
	struct cause c = { NULL };
	struct monitor_spec spec;

	(void)core_init();
	ck_assert_int_eq(hooks_check("pane-died", NULL), 0);
	ck_assert_int_eq(hooks_check("@mine", NULL), 0);
	ck_assert_int_eq(hooks_check("no-such-hook", &c), -ERR_SYNTAX);
	ck_assert_str_eq(cause_text(&c), "invalid event: no-such-hook");
	cause_fini(&c);
	ck_assert_int_eq(monitor_spec_cut(good, &spec, NULL), 0);
	ck_assert_str_eq(spec.name, "@m");
	ck_assert_str_eq(spec.what, "%1");
	ck_assert_str_eq(spec.format, "#{a:b}");
	ck_assert_int_eq(monitor_spec_cut(bad, &spec, &c), -ERR_SYNTAX);
	ck_assert_str_eq(cause_text(&c), "invalid monitor: name");
	cause_fini(&c);
	core_fini();
}
END_TEST

START_TEST(a_monitor_fires_when_its_format_changes)
{
	char text[] = "@m::#{session_name}";
	struct session *s = core_init();
	struct monitor_spec spec;
	struct cmd_state st;
	mono_ms now = 1000;
	int64_t time;

	cmd_state_init(&st);
	st.session = s->id;
	ck_assert(!monitors_want_tick(sv.monitors));
	ck_assert_int_eq(options_set_text(&s->options, "@m",
			     "rename-window '#{session_name} now'", NULL),
	    0);
	ck_assert_int_eq(monitor_spec_cut(text, &spec, NULL), 0);
	ck_assert_int_eq(
	    monitors_add(sv.monitors, &s->options, &st, &spec, false, NULL), 0);
	ck_assert(monitors_want_tick(sv.monitors));
	monitors_tick(sv.monitors, now);
	monitors_tick(sv.monitors, now += MONITORS_PERIOD_MS);
	ck_assert_str_eq(buf_cstr(&ran), "");
	ck_assert_int_eq(session_rename(s, "t", NULL), 0);
	/* Not before its time. */
	monitors_tick(sv.monitors, now + 1);
	ck_assert_str_eq(buf_cstr(&ran), "");
	monitors_tick(sv.monitors, now += MONITORS_PERIOD_MS);
	ck_assert_str_eq(buf_cstr(&ran), "t now|");
	monitors_tick(sv.monitors, now += MONITORS_PERIOD_MS);
	ck_assert_str_eq(buf_cstr(&ran), "t now|");
	ck_assert_uint_eq(hooks_count(sv.hooks, "@m", &time), 1);
	core_fini();
}
END_TEST

START_TEST(who_waits_for_an_event_goes_on)
{
	struct cmdlist *list = run_util_list("rename-window wait ; "
					     "rename-window on");
	struct session *s = core_init();
	struct hooks_wait w = { .token = 0 };
	struct cmd_state st;
	struct buf b;

	cmd_state_init(&st);
	st.session = s->id;
	cmdq_append(sv.run.queue, list, &st, NULL, NULL);
	cmdlist_unref(list);
	cmdq_run(sv.run.queue);
	w.token = sv.run.next_token;
	w.who = mem_strdup("me");
	w.name = mem_strdup("@event");
	w.filter = mem_strdup("#{==:#{session_name},t}");
	ck_assert(!hooks_waited(sv.hooks, "@event"));
	ck_assert_int_eq(hooks_wait_add(sv.hooks, &w), 0);
	ck_assert(hooks_waited(sv.hooks, "@event"));
	buf_init(&b, 256);
	hooks_wait_list(sv.hooks, "@event", &b);
	ck_assert_str_eq(buf_cstr(&b), "me\n");
	buf_fini(&b);
	hooks_tell(sv.hooks, "@other", &st, false);
	hooks_tell(sv.hooks, "@event", &st, false);
	ck_assert_str_eq(buf_cstr(&ran), "wait|");
	ck_assert_int_eq(session_rename(s, "t", NULL), 0);
	hooks_tell(sv.hooks, "@event", &st, false);
	ck_assert_str_eq(buf_cstr(&ran), "wait|on|");
	ck_assert(!hooks_waited(sv.hooks, "@event"));
	ck_assert(!hooks_wait_wake(sv.hooks, "@event", "me"));
	core_fini();
}
END_TEST

/* --- invitations ----------------------------------------------------------------------- */

struct party {
	struct far_util f;
	struct viewers viewers;
	struct viewer_ops ops;
	struct jobs jobs;
	struct pane_ios panes;
	struct invites *invites;
	struct ssp_ticket ticket;
	struct session *s;
	bool revokes; /* a hook ends the invitation when a guest joins */
	unsigned gone;
	unsigned drains; /* of the model's events */
};

static struct link *
party_admit(
    struct far_util *f, const struct ssp_dgram *d, const uint8_t *p, size_t n)
{
	struct party *pt = container_of(f, struct party, f);

	return invite_admit(pt->invites, d, p, n);
}

static void
party_drain(struct run_util *u)
{
	struct party *pt =
	    container_of(container_of(container_of(u, struct conn_util, u),
			     struct far_util, cu),
		struct party, f);

	pt->drains++;
	if (pt->revokes && !list_empty(&pt->viewers.list))
		(void)invite_revoke(pt->invites, 0);
}

static void
party_gone(void *arg, struct client *c)
{
	struct party *pt = arg;
	struct viewer *vw = viewer_find(&pt->viewers, c);

	pt->gone++;
	if (vw != NULL)
		viewer_free(vw);
	client_free(c);
}

static void
party_begin(struct party *pt, bool once)
{
	static const char *const addrs[] = { "127.0.0.1", NULL };
	static const struct scope_ops scope_ops = {
		.changed = core_changed,
		.client = core_client,
	};
	struct invite_spec spec = {
		.role = CLIENT_VIEW,
		.once = once,
		.length = 60000,
		.addrs = addrs,
	};
	struct run *run = &pt->f.cu.u.run;
	struct cause c = { NULL };

	memset(pt, 0, sizeof(*pt));
	far_util_init(&pt->f);
	pt->f.admit = party_admit;
	pt->f.cu.u.drain = party_drain;
	pt->s = mux_util_session(run->mux, "s");
	jobs_init(&pt->jobs, run);
	pane_ios_init(&pt->panes, run, NULL, NULL);
	face_ops_init(&pt->ops);
	pt->ops.gone = party_gone;
	viewers_init(&pt->viewers, run, &pt->ops, pt);
	pt->viewers.scope =
	    scope_make(run, &pt->panes, &pt->jobs, &scope_ops, pt);
	pt->viewers.panes = &pt->panes;
	pt->viewers.conns = &pt->f.cu.conns;
	pt->viewers.remotes = pt->f.remotes;
	pt->invites = invites_new(&pt->viewers);
	spec.session = pt->s->id;
	ck_assert_msg(invite_new(pt->invites, &spec, &pt->ticket, &c) == 0,
	    "%s", cause_text(&c));
}

/* The guest's program, with the ticket. */
static void
party_join(struct party *pt, uint32_t random)
{
	uint16_t port;

	ck_assert_int_eq(remote_keep_port(pt->f.remotes, &port, NULL), 0);
	pt->f.port = port;
	pt->f.cid = ssp_ticket_cid(pt->ticket.tag, random);
	ssp_ticket_psk(pt->f.key, pt->ticket.key, pt->f.cid);
	far_util_start(&pt->f, true);
}

static void
party_end(struct party *pt)
{
	while (!list_empty(&pt->viewers.list))
		party_gone(pt, container_of(list_first(&pt->viewers.list),
				   struct viewer, node)
				   ->client);
	invites_free(pt->invites);
	scope_free(pt->viewers.scope);
	pane_ios_fini(&pt->panes);
	jobs_fini(&pt->jobs);
	far_util_fini(&pt->f);
}

static bool
listed(struct party *pt, const char *text)
{
	struct buf b;
	bool has;

	buf_init(&b, 4096);
	invite_list(pt->invites, &b);
	has = strstr(buf_cstr(&b), text) != NULL;
	buf_fini(&b);
	return has;
}

/* The guest's client sends its name. */
static void
party_hello(struct party *pt, struct client *c)
{
	static const char text[] = "Ana\0xterm";
	struct sync_event *ev = mem_zalloc(sizeof(*ev) + sizeof(text));

	ev->kind = SYNC_HELLO;
	ev->len = sizeof(text) - 1;
	memcpy(ev->data, text, sizeof(text));
	guest_hello(viewer_find(&pt->viewers, c), ev);
	mem_free(ev);
}

START_TEST(a_ticket_lets_a_guest_in)
{
	struct party pt;
	struct client *c;

	party_begin(&pt, true);
	ck_assert(listed(&pt, "session s, once, ends in 0h0"));
	party_join(&pt, 7);
	FAR_UNTIL(&pt.f, pt.viewers.list.count == 1);
	c = container_of(list_first(&pt.viewers.list), struct viewer, node)
		->client;
	ck_assert(c->guest);
	/* Nobody watches without a name. */
	ck_assert_ptr_null(c->session);
	party_hello(&pt, c);
	ck_assert_str_eq(c->name, "Ana");
	ck_assert_ptr_eq(c->session, pt.s);
	ck_assert(listed(&pt, "once (used), "));
	ck_assert(listed(&pt, "1 here: "));
	ck_assert(!invite_revoke(pt.invites, 9));
	ck_assert(invite_revoke(pt.invites, 1));
	FAR_UNTIL(&pt.f, pt.gone == 1);
	ck_assert(!invite_revoke(pt.invites, 0));
	party_end(&pt);
}
END_TEST

START_TEST(a_wrong_key_lets_nobody_in)
{
	struct party pt;
	mono_ms end;

	party_begin(&pt, false);
	pt.ticket.key[3] ^= 1;
	party_join(&pt, 7);
	end = sys_now() + 100;
	FAR_UNTIL(&pt.f, sys_now() > end);
	ck_assert_uint_eq(pt.viewers.list.count, 0);
	ck_assert(!remotes_busy(pt.f.remotes));
	party_end(&pt);
}
END_TEST

START_TEST(a_hook_may_end_the_invitation_while_its_guest_joins)
{
	struct party pt;

	party_begin(&pt, false);
	pt.revokes = true;
	party_join(&pt, 7);
	FAR_UNTIL(&pt.f, pt.gone == 1);
	ck_assert_uint_eq(pt.viewers.list.count, 0);
	ck_assert(!listed(&pt, "session"));
	party_end(&pt);
}
END_TEST

START_TEST(a_guest_that_vanished_loses_its_place)
{
	struct party pt;
	struct options *o;
	mono_ms late;

	party_begin(&pt, false);
	party_join(&pt, 7);
	FAR_UNTIL(&pt.f, pt.viewers.list.count == 1);
	o = &pt.f.cu.u.run.mux->server_options;
	ck_assert_int_eq(
	    options_set_text(o, "guest-silence-timeout", "1", NULL), 0);
	late = run_util_deadline();
	/* The guest does nothing more. */
	while (pt.gone == 0) {
		run_util_late(late, "the guest is gone");
		run_util_turn(&pt.f.cu.u);
	}
	ck_assert(listed(&pt, "0 here"));
	party_end(&pt);
}
END_TEST

START_TEST(a_guest_gets_no_more_than_its_budget)
{
	uint16_t huge[4] = { 10000, 10000, 0, 0 }, last[4] = { 70, 20, 0, 0 };
	struct sync_input *in;
	struct party pt;
	struct viewer *vw;
	unsigned i;

	party_begin(&pt, false);
	party_join(&pt, 7);
	FAR_UNTIL(&pt.f, pt.viewers.list.count == 1);
	vw = container_of(list_first(&pt.viewers.list), struct viewer, node);
	in = (struct sync_input *)ssp_transport_current(pt.f.bind.tp);
	ck_assert_int_eq(sync_input_resize(in, huge), 0);
	ssp_transport_changed(pt.f.bind.tp, sys_now());
	FAR_UNTIL(&pt.f, vw->client->w == BUDGET_COLS_MAX);
	ck_assert_int_eq(vw->client->h, BUDGET_ROWS_MAX);
	in = (struct sync_input *)ssp_transport_current(pt.f.bind.tp);
	for (i = 0; i < 60; i++) {
		huge[0] = (uint16_t)(100 + i);
		ck_assert_int_eq(sync_input_resize(in, huge), 0);
	}
	ck_assert_int_eq(sync_input_resize(in, last), 0);
	ssp_transport_changed(pt.f.bind.tp, sys_now());
	/* The last size comes, after a while. */
	FAR_UNTIL(&pt.f, vw->client->w == 70);
	ck_assert_int_eq(vw->client->h, 20);
	ck_assert_uint_gt(vw->guest.budget.refused, 30);
	ck_assert_ptr_nonnull(
	    strstr(run_util_message(&pt.f.cu.u), "sends too much"));
	party_end(&pt);
}
END_TEST

/* No turn handles what thousands of a guest's events have caused. */
START_TEST(events_of_a_guest_are_handled_in_small_parts)
{
	struct sync_input *in;
	struct viewer *vw;
	struct party pt;
	unsigned i, before;

	party_begin(&pt, false);
	party_join(&pt, 7);
	FAR_UNTIL(&pt.f, pt.viewers.list.count == 1);
	vw = container_of(list_first(&pt.viewers.list), struct viewer, node);
	vw->client->role = CLIENT_TYPE;
	in = (struct sync_input *)ssp_transport_current(pt.f.bind.tp);
	for (i = 0; i < 1000; i++)
		ck_assert_int_eq(sync_input_focus(in, i % 2), 0);
	ssp_transport_changed(pt.f.bind.tp, sys_now());
	before = pt.drains;
	FAR_UNTIL(&pt.f, vw->input_done == 1001);
	ck_assert_uint_eq(vw->guest.budget.refused, 0);
	ck_assert_uint_ge(pt.drains - before, 1000 / BUDGET_EVENTS);
	party_end(&pt);
}
END_TEST

START_TEST(a_guests_paste_comes_whole_or_not_at_all)
{
	const size_t n = 60000;
	struct sync_event *ev = mem_zalloc(sizeof(*ev) + n + 1);
	struct viewer *vw;
	struct party pt;
	unsigned i;

	party_begin(&pt, false);
	party_join(&pt, 7);
	FAR_UNTIL(&pt.f, pt.viewers.list.count == 1);
	vw = container_of(list_first(&pt.viewers.list), struct viewer, node);
	vw->client->role = CLIENT_TYPE;
	ev->kind = SYNC_PASTE;
	ev->len = n;
	for (i = 0; i < 8; i++) {
		ev->flags = i == 0   ? SYNC_PASTE_BEGIN
			    : i == 7 ? SYNC_PASTE_END
				     : 0;
		pt.ops.input(vw, ev);
		ck_assert_uint_le(vw->paste.len, BUDGET_PASTE);
	}
	ck_assert_uint_eq(vw->guest.budget.refused, 1);
	ck_assert_uint_eq(vw->paste.len, 0);
	/* What has no tokens spoils the rest. */
	ev->flags = SYNC_PASTE_BEGIN;
	pt.ops.input(vw, ev);
	ck_assert_uint_eq(vw->paste.len, n);
	ev->flags = 0;
	vw->guest.budget.tokens = 0;
	pt.ops.input(vw, ev);
	ck_assert_uint_eq(vw->paste.len, 0);
	ck_assert(vw->paste.overflow);
	vw->guest.budget.tokens = BUDGET_BURST;
	ev->flags = SYNC_PASTE_BEGIN;
	pt.ops.input(vw, ev);
	ck_assert(!vw->paste.overflow);
	ck_assert_uint_eq(vw->guest.budget.refused, 2);
	mem_free(ev);
	party_end(&pt);
}
END_TEST

/* The INIT of a guest with the ticket and a connection id of its own. */
static bool
party_knocks(struct party *pt, uint32_t random)
{
	uint64_t cid = ssp_ticket_cid(pt->ticket.tag, random);
	uint8_t key[SSP_KEY_LEN];
	struct ssp_secrets sec;
	struct ssp_dgram d;
	struct ssp_hs hs;

	memset(&sec, 0, sizeof(sec));
	ssp_ticket_psk(key, pt->ticket.key, cid);
	ssp_hs_init(&hs, true, cid, 1, 1, &sec, key);
	sys_random(sec.e, sizeof(sec.e));
	memset(ssp_hs_plain(&hs), 0, 16);
	ck_assert_int_eq(ssp_hs_write(&hs, 16), 0);
	ck_assert_int_eq(ssp_dgram_parse(hs.msg, hs.len, &d), 0);
	return invite_admit(pt->invites, &d, hs.msg, hs.len) != NULL;
}

START_TEST(an_invitation_has_a_budget_of_joins)
{
	unsigned i, in = 0;
	struct party pt;

	party_begin(&pt, false);
	/* Others cannot spend it. */
	pt.ticket.key[0] ^= 1;
	for (i = 0; i < 100; i++)
		ck_assert(!party_knocks(&pt, 1000 + i));
	pt.ticket.key[0] ^= 1;
	for (i = 0; i < 60; i++)
		in += party_knocks(&pt, i);
	/* A slow machine earns some more meanwhile. */
	ck_assert_uint_ge(in, BUDGET_BURST / BUDGET_JOIN);
	ck_assert_uint_le(in, BUDGET_BURST / BUDGET_JOIN + 8);
	ck_assert_uint_eq(pt.viewers.list.count, in);
	ck_assert(listed(&pt, "tries to join refused"));
	ck_assert_ptr_nonnull(strstr(run_util_message(&pt.f.cu.u),
	    "invitation 1: 1 tries to join refused: too many joins"));
	party_end(&pt);
}
END_TEST

UNIT_SUITE(core)
{
	Suite *s = suite_create("core");
	TCase *tc = tcase_create("core");

	tcase_add_test(tc, widths_follow_the_option);
	tcase_add_test(tc, names_of_events_and_monitors_are_checked);
	tcase_add_test(tc, a_monitor_fires_when_its_format_changes);
	tcase_add_test(tc, who_waits_for_an_event_goes_on);
	tcase_add_test(tc, a_ticket_lets_a_guest_in);
	tcase_add_test(tc, a_wrong_key_lets_nobody_in);
	tcase_add_test(tc, a_hook_may_end_the_invitation_while_its_guest_joins);
	tcase_add_test(tc, a_guest_that_vanished_loses_its_place);
	tcase_add_test(tc, a_guest_gets_no_more_than_its_budget);
	tcase_add_test(tc, events_of_a_guest_are_handled_in_small_parts);
	tcase_add_test(tc, a_guests_paste_comes_whole_or_not_at_all);
	tcase_add_test(tc, an_invitation_has_a_budget_of_joins);
	suite_add_tcase(s, tc);
	return s;
}
