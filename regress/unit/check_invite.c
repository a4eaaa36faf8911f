#include <stdio.h>
#include <string.h>

#include "base/io/sys.h"
#include "base/mem.h"
#include "mux/client.h"
#include "regress/unit/far_util.h"
#include "regress/unit/mux_util.h"
#include "regress/unit/unit.h"
#include "server/core/invite.h"
#include "server/core/server.h"
#include "server/face/face.h"
#include "server/face/guest.h"
#include "server/io/guest_in.h"
#include "server/io/scope.h"
#include "ssp/ticket.h"

static void
invite_changed(UNUSED void *arg)
{
}

static bool
invite_client(UNUSED void *arg, UNUSED const struct client *c,
    UNUSED const struct remote **remote, UNUSED const struct mirror **mirror)
{
	return false;
}

#define PARTY_DRAIN_US 600

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

static bool
party_knock(
    struct far_util *f, const struct ssp_dgram *d, const struct udp_msg *m)
{
	struct party *pt = container_of(f, struct party, f);

	return invite_knock(pt->invites, d, m);
}

/* The lane's time, which passes in drains only. */
static uint64_t party_us;

static uint64_t
party_clock(void)
{
	return party_us;
}

static void
party_drain(struct run_util *u)
{
	struct party *pt =
	    container_of(container_of(container_of(u, struct conn_util, u),
			     struct far_util, cu),
		struct party, f);

	pt->drains++;
	party_us += PARTY_DRAIN_US;
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
		.changed = invite_changed,
		.client = invite_client,
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
	pt->f.knock = party_knock;
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

/* The guest's client sends NAME, for the first time or again. */
static void
party_named(struct party *pt, struct client *c, const char *name)
{
	struct viewer *vw = viewer_find(&pt->viewers, c);
	size_t n = strlen(name) + 1;
	struct sync_event *ev = mem_zalloc(sizeof(*ev) + n + 5);

	ev->kind = SYNC_HELLO;
	ev->len = n + 5;
	memcpy(ev->data, name, n);
	memcpy(ev->data + n, "xterm", 5);
	vw->guest.greeted = false;
	guest_hello(vw, ev);
	mem_free(ev);
}

static void
party_hello(struct party *pt, struct client *c)
{
	party_named(pt, c, "Ana");
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

/* clang-format off */
static const struct {
	const char *given, *name;
} names[] = {
	{ "Ana", "Ana" },
	{ "A\xe2\x80\x8bna", "Ana" },             /* U+200B, no width */
	{ "A\xe2\x80\xaena", "Ana" },             /* U+202E, right to left */
	{ "\xd7\x90na", "na" },                   /* Hebrew alef */
	{ "A\xcc\x81na", "Ana" },                 /* a combining accent */
	{ "An\xd0\xb0", "An" },                   /* a Cyrillic a */
	{ "\xd0\x90na", "\xd0\x90" },            /* one that begins */
	{ "\xce\x91na", "\xce\x91" },            /* a Greek Alpha */
	{ "\xef\xbc\xa1na", "na" },              /* a wide A */
	{ "\xf0\x9d\x90\x80na", "na" },          /* a mathematical A */
	{ "\xd0\x90\xd0\xbd\xd0\xb0", "\xd0\x90\xd0\xbd\xd0\xb0" },
	{ "\xe4\xb8\xad" "Ana", "\xe4\xb8\xad" "Ana" },
	{ "-$(x);`y` #{z}|\n\033[1m\377", "xyz1m" },
	{ "\xd7\x90", "guest" },
	{ "", "guest" },
	{ "0123456789012345678901234567890123456789",
	  "01234567890123456789012345678901" },
	/* Somebody is there who looks so. */
	{ "coco", "coco-2" },
	{ "c0co", "c0co" },
	{ "cOco", "cOco" },
	{ "\xd1\x81\xd0\xbe\xd1\x81\xd0\xbe",
	  "\xd1\x81\xd0\xbe\xd1\x81\xd0\xbe-2" },
	{ "BlLL-1", "BlLL-1-2" },
};
/* clang-format on */

START_TEST(names_of_guests_are_what_they_seem)
{
	struct client *c, *there, *bill;
	struct party pt;
	size_t i;

	party_begin(&pt, false);
	there = client_new(pt.f.cu.u.run.mux, "coco");
	bill = client_new(pt.f.cu.u.run.mux, "BILL-l");
	party_join(&pt, 7);
	FAR_UNTIL(&pt.f, pt.viewers.list.count == 1);
	c = container_of(list_first(&pt.viewers.list), struct viewer, node)
		->client;
	for (i = 0; i < ARRAY_LEN(names); i++) {
		party_named(&pt, c, names[i].given);
		ck_assert_str_eq(c->name, names[i].name);
	}
	client_free(there);
	client_free(bill);
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
		ck_assert_uint_le(vw->paste.whole.len, BUDGET_PASTE);
	}
	ck_assert_uint_eq(vw->guest.budget.refused, 1);
	ck_assert_uint_eq(vw->paste.whole.len, 0);
	/* What has no tokens spoils the rest. */
	ev->flags = SYNC_PASTE_BEGIN;
	pt.ops.input(vw, ev);
	ck_assert_uint_eq(vw->paste.whole.len, n);
	ev->flags = 0;
	vw->guest.budget.tokens = 0;
	pt.ops.input(vw, ev);
	ck_assert_uint_eq(vw->paste.whole.len, 0);
	ck_assert(vw->paste.whole.overflow);
	vw->guest.budget.tokens = BUDGET_BURST;
	ev->flags = SYNC_PASTE_BEGIN;
	pt.ops.input(vw, ev);
	ck_assert(!vw->paste.whole.overflow);
	ck_assert_uint_eq(vw->guest.budget.refused, 2);
	mem_free(ev);
	party_end(&pt);
}
END_TEST

/*
 * The INIT of a guest with the ticket and a connection id of its own.  Returns
 * whether it waits.
 */
static bool
party_knocks(struct party *pt, uint32_t random)
{
	uint64_t cid = ssp_ticket_cid(pt->ticket.tag, random);
	uint8_t key[SSP_KEY_LEN];
	struct ssp_secrets sec;
	struct udp_msg m = { .data = NULL };
	struct ssp_dgram d;
	struct ssp_hs hs;

	memset(&sec, 0, sizeof(sec));
	ssp_ticket_psk(key, pt->ticket.key, cid);
	ssp_hs_init(&hs, true, cid, 1, 1, &sec, key);
	sys_random(sec.e, sizeof(sec.e));
	memset(ssp_hs_plain(&hs), 0, 16);
	ck_assert_int_eq(ssp_hs_write(&hs, 16), 0);
	ck_assert_int_eq(ssp_dgram_parse(hs.msg, hs.len, &d), 0);
	m.data = hs.msg;
	m.len = hs.len;
	return invite_knock(pt->invites, &d, &m);
}

/* A turn of the server; returns how many guests are there. */
static size_t
party_turn(struct party *pt)
{
	run_util_turn(&pt->f.cu.u);
	return pt->viewers.list.count;
}

/* A recorded INIT is of no use, also when its guest has gone. */
START_TEST(a_connection_id_joins_once)
{
	struct party pt;

	party_begin(&pt, false);
	ck_assert(party_knocks(&pt, 7));
	RUN_UNTIL(&pt.f.cu.u, pt.viewers.list.count == 1);
	party_gone(
	    &pt, container_of(list_first(&pt.viewers.list), struct viewer, node)
		     ->client);
	RUN_UNTIL(&pt.f.cu.u, !remotes_busy(pt.f.remotes));
	ck_assert(!party_knocks(&pt, 7));
	ck_assert_uint_eq(party_turn(&pt), 0);
	ck_assert(party_knocks(&pt, 8));
	RUN_UNTIL(&pt.f.cu.u, pt.viewers.list.count == 1);
	party_end(&pt);
}
END_TEST

START_TEST(an_invitation_has_a_budget_of_joins)
{
	size_t in = 0;
	struct party pt;
	unsigned i;

	party_begin(&pt, false);
	/* Others cannot spend it. */
	pt.ticket.key[0] ^= 1;
	for (i = 0; i < 100; i++)
		ck_assert(!party_knocks(&pt, 1000 + i));
	pt.ticket.key[0] ^= 1;
	for (i = 0; i < 60; i++) {
		ck_assert(party_knocks(&pt, i));
		in = pt.viewers.list.count;
		while (!list_empty(&pt.f.cu.u.run.lane->jobs))
			in = party_turn(&pt);
	}
	/* A slow machine earns some more meanwhile. */
	ck_assert_uint_ge(in, BUDGET_BURST / BUDGET_JOIN);
	ck_assert_uint_le(in, BUDGET_BURST / BUDGET_JOIN + 8);
	ck_assert(listed(&pt, "tries to join refused"));
	ck_assert_ptr_nonnull(strstr(run_util_message(&pt.f.cu.u),
	    "invitation 1: 1 tries to join refused: too many joins"));
	party_end(&pt);
}
END_TEST

/* Many guests at once come in turn by turn, each as a step of the lane. */
START_TEST(joins_wait_for_the_guests_time)
{
	const unsigned burst = BUDGET_BURST / BUDGET_JOIN;
	size_t before, in = 0;
	struct lane *lane;
	struct party pt;
	unsigned i;

	party_begin(&pt, false);
	lane = pt.f.cu.u.run.lane;
	lane->clock = party_clock;
	for (i = 0; i < burst; i++)
		ck_assert(party_knocks(&pt, i));
	/* The turn of the owner's datagrams admits nobody. */
	ck_assert_uint_eq(pt.viewers.list.count, 0);
	while (in < burst) {
		before = in;
		in = party_turn(&pt);
		ck_assert_uint_le(
		    in - before, LANE_TURN_US / PARTY_DRAIN_US + 1);
	}
	ck_assert_uint_le(lane->st.longest, LANE_TURN_US + PARTY_DRAIN_US);
	party_end(&pt);
}
END_TEST

/* The queue is bounded, and what it has no room for is told. */
START_TEST(joins_that_find_no_room_are_refused)
{
	struct party pt;
	unsigned i;

	party_begin(&pt, false);
	for (i = 0; i < 100; i++)
		ck_assert_int_eq(party_knocks(&pt, i), i < GUEST_IN_MAX);
	ck_assert_ptr_nonnull(strstr(run_util_message(&pt.f.cu.u),
	    "invitation 1: 1 tries to join refused: too many joins at once"));
	/* What waits ends with the invitation. */
	ck_assert(invite_revoke(pt.invites, 1));
	ck_assert(list_empty(&pt.f.cu.u.run.lane->jobs));
	ck_assert_uint_eq(party_turn(&pt), 0);
	party_end(&pt);
}
END_TEST

UNIT_SUITE(invite)
{
	Suite *s = suite_create("invite");
	TCase *tc = tcase_create("invite");

	tcase_add_test(tc, a_ticket_lets_a_guest_in);
	tcase_add_test(tc, names_of_guests_are_what_they_seem);
	tcase_add_test(tc, a_wrong_key_lets_nobody_in);
	tcase_add_test(tc, a_hook_may_end_the_invitation_while_its_guest_joins);
	tcase_add_test(tc, a_guest_that_vanished_loses_its_place);
	tcase_add_test(tc, a_guest_gets_no_more_than_its_budget);
	tcase_add_test(tc, events_of_a_guest_are_handled_in_small_parts);
	tcase_add_test(tc, a_guests_paste_comes_whole_or_not_at_all);
	tcase_add_test(tc, a_connection_id_joins_once);
	tcase_add_test(tc, an_invitation_has_a_budget_of_joins);
	tcase_add_test(tc, joins_wait_for_the_guests_time);
	tcase_add_test(tc, joins_that_find_no_room_are_refused);
	suite_add_tcase(s, tc);
	return s;
}
