#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "mux/client.h"
#include "regress/unit/mux_util.h"
#include "regress/unit/pane_util.h"
#include "regress/unit/unit.h"
#include "server/io/job.h"
#include "server/io/scope.h"
#include "server/run/notes.h"

struct world {
	struct pane_util pu;
	struct jobs jobs;
	struct scope *sc;
	unsigned changed;
};

static void
world_changed(void *arg)
{
	struct world *w = arg;

	w->changed++;
}

static bool
world_client(UNUSED void *arg, UNUSED const struct client *c,
    UNUSED const struct remote **remote, UNUSED const struct mirror **mirror)
{
	return true;
}

static void
world_reaped(struct run_util *u, pid_t pid, int status)
{
	struct world *w = container_of(
	    container_of(u, struct pane_util, u), struct world, pu);

	if (!job_reaped(&w->jobs, pid, status))
		(void)pane_io_reaped(&w->pu.ios, pid, status);
}

static void
world_init(struct world *w)
{
	static const struct scope_ops ops = {
		.changed = world_changed,
		.client = world_client,
	};

	memset(w, 0, sizeof(*w));
	pane_util_init(&w->pu);
	w->pu.u.reaped = world_reaped;
	jobs_init(&w->jobs, &w->pu.u.run);
	w->sc = scope_make(&w->pu.u.run, &w->pu.ios, &w->jobs, &ops, w);
}

static void
world_fini(struct world *w)
{
	scope_free(w->sc);
	scope_free(NULL);
	jobs_fini(&w->jobs);
	pane_util_fini(&w->pu);
}

/* FORMAT for pane P (or NULL) is WANT. */
static bool
gives(struct world *w, struct pane *p, const char *format, const char *want)
{
	char *text = scope_expand_pane_new(w->sc, NULL, p, format, 0);
	bool same = strcmp(text, want) == 0;

	mem_free(text);
	return same;
}

START_TEST(the_server_knows_where_it_runs)
{
	struct world w;
	char want[64];

	world_init(&w);
	(void)snprintf(
	    want, sizeof(want), "%ld %ld", (long)getpid(), (long)getuid());
	ck_assert(gives(&w, NULL, "#{pid} #{uid}", want));
	ck_assert(gives(&w, NULL, "#{socket_path}", "/tmp/rmux-test"));
	notes_file(w.pu.u.run.notes, "/a.conf");
	ck_assert(gives(&w, NULL, "#{config_files}", "/a.conf"));
	ck_assert(!gives(&w, NULL, "#{host}", ""));
	ck_assert(gives(&w, NULL, "#{?#{==:#{host_short},},no,yes}", "yes"));
	ck_assert(gives(&w, NULL, "#{no_such_variable}", ""));
	world_fini(&w);
}
END_TEST

START_TEST(a_format_is_expanded_for_a_pane_a_client_or_a_command)
{
	struct hook_vars *hv = hook_vars_new();
	struct client *c;
	struct cmd_state st;
	struct world w;
	char *text;

	world_init(&w);
	ck_assert(gives(&w, w.pu.p,
	    "#{session_name}:#{window_index}.#{pane_index}", "s:0.0"));
	c = mux_util_client(w.pu.s, "me", 90, 30);
	text = scope_expand_client_new(
	    w.sc, c, "#{client_name} #{session_name} #{client_link}", 0);
	ck_assert_str_eq(text, "me s local");
	mem_free(text);
	/* A local client has no round trip. */
	text = scope_expand_client_new(w.sc, c, "<#{client_rtt}>", 0);
	ck_assert_str_eq(text, "<>");
	mem_free(text);
	cmd_state_init(&st);
	st.session = w.pu.s->id;
	st.pane = w.pu.p->id;
	hook_vars_add(hv, "hook", "pane-died");
	st.hook = hv;
	text = scope_expand_new(
	    w.sc, &st, NULL, "#{hook} #{session_name} #{pane_id}", 0);
	ck_assert_str_eq(text, "pane-died s %0");
	mem_free(text);
	st.hook = NULL;
	hook_vars_unref(hv);
	st.session = 77;
	st.pane = MUX_NONE;
	text = scope_expand_new(w.sc, &st, NULL, "<#{session_name}>", 0);
	ck_assert_str_eq(text, "<>");
	mem_free(text);
	world_fini(&w);
}
END_TEST

START_TEST(the_mouse_is_where_the_command_says)
{
	struct cmd_state st;
	struct world w;
	char *text;

	world_init(&w);
	cmd_state_init(&st);
	st.session = w.pu.s->id;
	st.pane = w.pu.p->id;
	st.flags = CMD_STATE_MOUSE;
	st.mouse_x = 3;
	st.mouse_y = 4;
	st.mouse_line = -1;
	st.mouse_pane = w.pu.p->id;
	text = scope_expand_new(w.sc, &st, NULL, "#{mouse_x},#{mouse_y}", 0);
	ck_assert_str_eq(text, "3,4");
	mem_free(text);
	world_fini(&w);
}
END_TEST

START_TEST(the_program_of_a_pane_has_a_name_and_a_directory)
{
	struct world w;

	world_init(&w);
	ck_assert(gives(&w, w.pu.p, "#{pane_current_path}", ""));
	(void)pane_util_start(&w.pu, "cd /tmp && echo ready && exec cat");
	RUN_UNTIL(&w.pu.u, pane_util_shows(&w.pu, "ready"));
#ifdef __linux__
	RUN_UNTIL(&w.pu.u, gives(&w, w.pu.p, "#{pane_current_command}", "cat"));
	ck_assert(gives(&w, w.pu.p, "#{pane_current_path}", "/tmp"));
#endif
	world_fini(&w);
}
END_TEST

START_TEST(a_command_in_a_format_runs_beside_it)
{
	struct world w;

	world_init(&w);
	/* It is started, and its last line is there later. */
	ck_assert(gives(&w, w.pu.p, "<#(echo first; echo last)>", "<>"));
	ck_assert(gives(&w, w.pu.p, "<#(echo first; echo last)>", "<>"));
	ck_assert_uint_eq(w.jobs.all.count, 1);
	RUN_UNTIL(&w.pu.u, w.changed == 1);
	ck_assert(gives(&w, w.pu.p, "<#(echo first; echo last)>", "<last>"));
	/* Not again within a second. */
	ck_assert_uint_eq(w.jobs.all.count, 0);
	ck_assert(gives(&w, w.pu.p, "<#(sleep 60)>", "<>"));
	ck_assert_uint_eq(w.jobs.all.count, 1);
	world_fini(&w);
}
END_TEST

START_TEST(an_idle_expansion_starts_no_command)
{
	struct scope_where where = { .idle = true };
	struct world w;
	char *text;

	world_init(&w);
	where.pane = w.pu.p;
	text = scope_new(w.sc, &where, "<#(echo last)>", 0);
	ck_assert_str_eq(text, "<>");
	ck_assert_uint_eq(w.jobs.all.count, 0);
	mem_free(text);
	ck_assert(gives(&w, w.pu.p, "<#(echo last)>", "<>"));
	RUN_UNTIL(&w.pu.u, w.changed == 1);
	text = scope_new(w.sc, &where, "<#(echo last)>", 0);
	ck_assert_str_eq(text, "<last>");
	mem_free(text);
	world_fini(&w);
}
END_TEST

UNIT_SUITE(scope)
{
	Suite *s = suite_create("scope");
	TCase *tc = tcase_create("scope");

	tcase_add_test(tc, the_server_knows_where_it_runs);
	tcase_add_test(
	    tc, a_format_is_expanded_for_a_pane_a_client_or_a_command);
	tcase_add_test(tc, the_mouse_is_where_the_command_says);
	tcase_add_test(tc, the_program_of_a_pane_has_a_name_and_a_directory);
	tcase_add_test(tc, a_command_in_a_format_runs_beside_it);
	tcase_add_test(tc, an_idle_expansion_starts_no_command);
	suite_add_tcase(s, tc);
	return s;
}
