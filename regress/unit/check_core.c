#include <stdio.h>
#include <string.h>

#include "base/grapheme.h"
#include "base/io/sys.h"
#include "base/mem.h"
#include "mux/client.h"
#include "regress/unit/mux_util.h"
#include "regress/unit/run_util.h"
#include "regress/unit/unit.h"
#include "server/core/hooks.h"
#include "server/core/monitors.h"
#include "server/core/server.h"
#include "server/core/settings.h"
#include "server/face/face.h"
#include "server/io/scope.h"

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
	list_init(&sv.controllers.list);
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
	ck_assert_str_eq(cause_text(&c), "invalid subscription: name");
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

UNIT_SUITE(core)
{
	Suite *s = suite_create("core");
	TCase *tc = tcase_create("core");

	tcase_add_test(tc, widths_follow_the_option);
	tcase_add_test(tc, names_of_events_and_monitors_are_checked);
	tcase_add_test(tc, a_monitor_fires_when_its_format_changes);
	tcase_add_test(tc, who_waits_for_an_event_goes_on);
	suite_add_tcase(s, tc);
	return s;
}
