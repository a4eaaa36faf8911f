/* Format variables; regress/ref/vars.sh compares 962 with tmux. */
#include <string.h>

#include "base/mem.h"
#include "mux/fmt/vars.h"
#include "regress/unit/mux_util.h"
#include "regress/unit/unit.h"

static bool
host_server(void *arg, const char *name, struct buf *out)
{
	(void)arg;
	return strcmp(name, "host") == 0 && buf_add_str(out, "machine") == 0;
}

static bool
host_pane(void *arg, const struct pane *p, const char *name, struct buf *out)
{
	(void)arg;
	return strcmp(name, "pane_current_command") == 0 &&
	       buf_addf(out, "cmd%u", p->id) == 0;
}

static bool
mode_format(const void *data, const char *name, struct buf *out)
{
	return data == NULL && strcmp(name, "copy_cursor_x") == 0 &&
	       buf_add_str(out, "7") == 0;
}

static const struct vars_host host = { .server = host_server,
	.pane = host_pane };

static void
expect(struct vars *v, const struct format_var *vars, size_t count,
    const char *format, const char *want)
{
	struct format_args args = {
		.scope = vars_scope(v), .vars = vars, .var_count = count
	};
	char *text = format_expand_new(&args, format);

	ck_assert_msg(strcmp(text, want) == 0, "%s: got \"%s\", want \"%s\"",
	    format, text, want);
	mem_free(text);
}

struct row_check {
	const char *last;
	struct vars *v;
	size_t count;
};

/* Rows are in order, have help, and work without a subject. */
static void
check_row(void *arg, const char *name, const char *help)
{
	struct row_check *rc = arg;
	struct format_scope scope;
	struct buf out;

	ck_assert_msg(
	    strcmp(rc->last, name) < 0, "%s after %s", name, rc->last);
	ck_assert_str_ne(help, "");
	rc->last = name;
	rc->count++;
	buf_init(&out, 1 << 20);
	scope = vars_scope(rc->v);
	(void)scope.ops->variable(scope.ctx, name, &out);
	buf_fini(&out);
}

START_TEST(every_row_is_in_order_and_answers)
{
	struct mux *m = mux_util_new();
	struct session *s = mux_util_session(m, "a");
	struct row_check rc = { "", NULL, 0 };
	struct target t;
	struct vars v;

	vars_init(&v, m, NULL, NULL, NULL);
	rc.v = &v;
	vars_each(check_row, &rc);
	ck_assert_uint_gt(rc.count, 200);
	target_from_session(&t, s);
	vars_init(&v, m, &host, mux_util_client(s, "c", 80, 24), &t);
	rc.last = "";
	vars_each(check_row, &rc);
	mux_util_free(m);
}
END_TEST

static void
count_value(void *arg, const char *name, const char *value)
{
	size_t *counts = arg;

	counts[0]++;
	counts[1] += strcmp(name, "version") == 0 && *value != '\0';
	counts[2] += strcmp(name, "session_name") == 0;
	counts[3] += strcmp(name, "buffer_name") == 0;
}

/* display-message -a lists what has a value alone. */
START_TEST(values_are_listed_where_there_are_some)
{
	struct mux *m = mux_util_new();
	struct session *s = mux_util_session(m, "a");
	size_t none[4] = { 0 }, some[4] = { 0 };
	struct target t;
	struct vars v;

	vars_init(&v, m, NULL, NULL, NULL);
	vars_values(&v, count_value, none);
	ck_assert_uint_eq(none[1], 1);
	ck_assert_uint_eq(none[2], 0);
	target_from_session(&t, s);
	vars_init(&v, m, &host, NULL, &t);
	vars_values(&v, count_value, some);
	ck_assert_uint_eq(some[2], 1);
	ck_assert_uint_eq(some[3], 0);
	ck_assert_uint_gt(some[0], none[0] + 100);
	mux_util_free(m);
}
END_TEST

START_TEST(values_of_every_subject)
{
	static const struct {
		const char *format;
		const char *want;
	} rows[] = {
		{ "#{host}|#{host_short}|#{version}", "machine||3.8" },
		{ "#{pane_current_command}", "cmd2" },
		{ "#{pane_nested}", "0" },
		{ "#{client_name} #{client_width}x#{client_height}",
		    "/dev/pts/3 100x40" },
		{ "#{client_flags}", "attached,focused,UTF-8" },
		{ "#{client_prefix} #{client_key_table}", "1 prefix" },
		{ "#{client_session}", "a" },
		{ "#{client_theme}", "dark" },
		{ "#{session_created} #{t:session_created}",
		    "1700000000 Tue Nov 14 22:13:20 2023" },
		{ "#{session_attached}#{session_attached_list}",
		    "1/dev/pts/3" },
		{ "#{session_active}", "1" },
		{ "#{window_active_clients}#{window_active_clients_list}",
		    "1/dev/pts/3" },
		{ "#{pane_dead} #{pane_dead_status} #{pane_dead_signal}",
		    "1 3 " },
		{ "#{pane_in_mode} #{pane_mode} #{copy_cursor_x}",
		    "1 copy-mode 7" },
		{ "#{pane_start_command}", "sh -c \"a b\"" },
		{ "#{pane_start_command_list}", "'sh' '-c' 'a b'" },
		{ "#{pane_input_off}#{pane_pipe}#{pane_last}#{pane_active}",
		    "1101" },
		{ "#{cursor_x},#{cursor_y} #{cursor_character}", "1,0 e" },
		{ "#{alternate_on}#{bracket_paste_flag}#{mouse_any_flag}",
		    "011" },
		{ "#{mouse_button_flag}#{mouse_sgr_flag}", "11" },
		{ "#{C:hello}", "1" },
		{ "#{C:nothing}", "0" },
		{ "#{mouse_word} #{mouse_line} #{mouse_x},#{mouse_y}",
		    "there hello there 7,0" },
		{ "#{mouse_status_range}#{mouse_status_line}", "" },
		{ "#{buffer_name} #{buffer_size} #{buffer_sample}",
		    "buffer0 4 text" },
		{ "#{pane_command_running}#{pane_command_status}", "01" },
		{ "#{pane_command_line}", "make all" },
		{ "#{pane_path}", "file:///x" },
		{ "#{pane_directory}#{pane_host}", "/x" },
		{ "#{pane_uservars}", "a.b c" },
		{ "#{pane_uservar_a.b}#{pane_uservar_c}", "12" },
		{ "#{pane_uservar_}#{pane_uservar_d}", "" },
		{ "#{HOME} #{HIDE}", "/h s" },
		{ "#{W:#{window_index}>#{next_window_index} }", "0>4 4> " },
		{ "#{W:#{window_index}#{next_@u}#{prev_@u},"
		  "[#{window_index}#{next_@u}]}",
		    "[0user]4" },
		{ "#{L:#{client_name};}", "/dev/pts/3;" },
		{ "#{P/r:#{pane_index}}", "10" },
		{ "#{client_colours}", "256" },
	};
	struct mux *m = mux_util_new();
	struct session *s = mux_util_session(m, "a");
	struct vars_mouse mouse = { .valid = true, .x = 7, .status_line = -1 };
	struct winlink *wl = mux_util_window(s, 4, "four");
	struct pane *p;
	static char sh[] = "sh", dash_c[] = "-c", ab[] = "a b";
	static char *const argv[] = { sh, dash_c, ab };
	struct pane_start start = { .argv = argv, .argc = 3 };
	struct client *c = mux_util_client(s, "/dev/pts/3", 100, 40);
	struct target t;
	struct vars v;
	size_t i;

	p = mux_util_split(s->current->window->active, LAYOUT_ROW);
	p = mux_pane(m, 2);
	client_set_flags(c, CLIENT_FOCUSED | CLIENT_UTF8, true);
	client_set_table(c, "prefix");
	client_set_theme(c, CLIENT_THEME_DARK);
	client_set_features(c, "title,256,RGBA,moves");
	ck_assert(c->moves);
	pane_set_start(p, &start);
	pane_set_dead(p, 3, 0);
	pane_set_flags(p, PANE_INPUT_OFF | PANE_PIPE_OUT, true);
	pane_set_user_var(p, "c", "2");
	pane_set_user_var(p, "a.b", "1");
	pane_shell_mark(p, 'A', -1, NULL);
	pane_shell_mark(p, 'C', -1, "make all");
	pane_shell_mark(p, 'D', 1, NULL);
	ck_assert_int_eq(pane_push_mode(p, "copy-mode", NULL, NULL), 0);
	pane_mode(p)->format = mode_format;
	vt_term_write(p->term,
	    "\033[?2004h\033[?1002h\033[?1006h\033]7;file:///x\007"
	    "hello there\033[1;2H",
	    strlen("\033[?2004h\033[?1002h\033[?1006h\033]7;file:///x\007"
		   "hello there\033[1;2H"));
	(void)paste_add(m->paste, NULL, "text", 4);
	(void)environ_set(&m->environ, "HOME", "/h", false, NULL);
	(void)environ_set(&s->environ, "HIDE", "s", true, NULL);
	(void)options_set_text(&wl->window->options, "@u", "user", NULL);
	wl->alerts = ALERT_BELL;
	mouse.pane = p->id;
	target_from_link_pane(&t, s->current, p);
	vars_init(&v, m, &host, c, &t);
	v.mouse = &mouse;
	for (i = 0; i < ARRAY_LEN(rows); i++)
		expect(&v, NULL, 0, rows[i].format, rows[i].want);
	expect(&v, NULL, 0, "#{session_alerts} #{session_alert}", "4! !");
	/* On a blank, the word behind it. */
	mouse.x = 5;
	expect(&v, NULL, 0, "#{mouse_word}", "there");
	mouse.x = 11;
	expect(&v, NULL, 0, "#{mouse_word}", "");
	mux_util_free(m);
}
END_TEST

/* tmux has times of microseconds, so the newest of one second is first. */
START_TEST(loops_by_time_have_the_newest_first)
{
	struct mux *m = mux_util_new();
	struct session *s = mux_util_session(m, "a");
	struct target t;
	struct vars v;

	(void)mux_util_session(m, "b");
	(void)mux_util_session(m, "c");
	target_from_session(&t, s);
	vars_init(&v, m, &host, NULL, &t);
	expect(&v, NULL, 0, "#{S/t:#{session_name}}", "cba");
	expect(&v, NULL, 0, "#{S/tr:#{session_name}}", "abc");
	mux_util_free(m);
}
END_TEST

START_TEST(loops_over_options_and_environments)
{
	static const struct {
		const char *format;
		const char *want;
	} rows[] = {
		{ "#{O:#{option_name}=#{option_value},}",
		    "@u=v w,after-new-window=,status=off,"
		    "update-environment=A,update-environment=B," },
		{ "#{O/s:#{option_array_key}#{option_array_count}"
		  "#{option_array_first}#{option_array_last}"
		  "#{option_array_index},}",
		    "000,011,000,02100,12011," },
		{ "#{O:#{option_is_array}#{option_is_hook}#{option_is_user}"
		  "#{loop_last_flag},}",
		    "0010,1100,0000,1000,1001," },
		{ "#{O/w:#{option_name}#{window_index}}", "@w0" },
		{ "#{O/p:x}#{O/pg:x}", "" },
		{ "#{O:x,y}", "x,yx,yx,yx,yx,y" },
		{ "#{O/g:#{?#{==:#{option_name},status},#{option_value},}}",
		    "on" },
		{ "#{O/v:#{?#{==:#{option_name},escape-time},"
		  "#{option_value},}}",
		    "10" },
		{ "#{O/wg:#{?#{==:#{option_name},mode-keys},"
		  "#{option_value},}}",
		    "emacs" },
		{ "#{V:#{environ_name}=#{environ_value}:#{environ_hidden}"
		  "#{environ_removed},}",
		    "GONE=:01,HID=h:10,LOC=l:00," },
		{ "#{O/x:x}#{O/wp:x}#{O/ws:x}", "xx" },
		{ "#{V/w;O:#{option_name}}#{O/w;O:#{option_name}}", "@w@w" },
		{ "#{V/x:x}#{V/gs:x}#{V/g;V:#{environ_name}}", "GLOB" },
		{ "#{V/g:#{environ_name} }", "GLOB " },
		{ "#{V/c:#{environ_name}=#{environ_value} }", "MINE=m " },
		{ "#{W:#{O:#{window_index}#{option_name} }}",
		    "0@u 0after-new-window 0status 0update-environment "
		    "0update-environment " },
		{ "#{O:#{W:#{option_name}}}#{option_name}", "" },
		{ "#{I/f:RGB}#{I/f:256}#{I/f:x}", "110" },
		{ "#{I/e:MINE}#{I/e:NONE}", "m" },
	};
	struct mux *m = mux_util_new();
	struct session *s = mux_util_session(m, "a");
	struct client *c = client_new(m, "c");
	struct target t = { .index = -1 };
	struct vars v;
	size_t i;

	(void)options_set_text(&s->options, "@u", "v w", NULL);
	(void)options_set_text(&s->options, "status", "off", NULL);
	(void)options_set_text(&s->options, "update-environment", "A B", NULL);
	(void)options_set_text(&s->current->window->options, "@w", "1", NULL);
	(void)options_set_text(&s->options, "after-new-window", "", NULL);
	(void)environ_set(&m->environ, "GLOB", "g", false, NULL);
	(void)environ_set(&s->environ, "LOC", "l", false, NULL);
	(void)environ_set(&s->environ, "HID", "h", true, NULL);
	(void)environ_set(&s->environ, "GONE", NULL, false, NULL);
	environ_put(&c->environ, "MINE=m");
	client_set_features(c, "moves,256,RGB");
	ck_assert(!c->moves);
	client_set_features(c, "256,RGB");
	target_from_link_pane(&t, s->current, s->current->window->active);
	vars_init(&v, m, NULL, c, &t);
	for (i = 0; i < ARRAY_LEN(rows); i++)
		expect(&v, NULL, 0, rows[i].format, rows[i].want);
	v.caller_env = (const char *const[]){ "A=1", "B=2", NULL };
	expect(
	    &v, NULL, 0, "#{V/c:#{environ_name}#{environ_value} }", "A1 B2 ");
	expect(&v, NULL, 0, "#{W:#{V/c:#{environ_name}}}", "AB");
	/* Neighbours have options of their own, not those above them. */
	(void)options_set_text(&m->window_options, "@all", "g", NULL);
	(void)mux_util_window(s, 1, "b");
	expect(&v, NULL, 0, "#{W:[#{next_@all}#{prev_@w}]}", "[][1]");
	mux_util_free(m);
}
END_TEST

START_TEST(events_have_hook_variables)
{
	struct mux *m = mux_util_new();
	struct session *s = mux_util_session(m, "a");
	struct mux_event e;
	struct vars_event ve;
	struct vars v;

	vars_init(&v, m, NULL, NULL, NULL);
	mem_free(mux_util_events(m, NULL));
	(void)session_rename(s, "new", NULL);
	ck_assert(mux_next_event(m, &e));
	vars_event_init(&ve, m, &e);
	expect(&v, ve.vars, ve.count, mux_event_row(e.type)->control,
	    "%session-renamed $0 new");
	vars_event_fini(&ve);
	mux_event_fini(&e);
	(void)mux_util_split(s->current->window->active, LAYOUT_ROW);
	mem_free(mux_util_events(m, NULL));
	(void)window_close_pane(s->current->window->active);
	ck_assert(mux_next_event(m, &e));
	vars_event_init(&ve, m, &e);
	expect(&v, ve.vars, ve.count, "#{hook_window} #{hook_pane}", "@0 %0");
	vars_event_fini(&ve);
	mux_event_fini(&e);
	mem_free(mux_util_events(m, NULL));
	window_kill(s->current->window);
	/* The session of the last window is closed first. */
	ck_assert(mux_next_event(m, &e));
	ck_assert_int_eq(e.type, MUX_EVENT_SESSION_CLOSED);
	mux_event_fini(&e);
	ck_assert(mux_next_event(m, &e));
	vars_event_init(&ve, m, &e);
	expect(&v, ve.vars, ve.count,
	    "#{hook} #{hook_session} #{hook_window}:#{hook_window_index}",
	    "window-unlinked $0 @0:0");
	expect(&v, ve.vars, ve.count, mux_event_row(e.type)->other,
	    "%unlinked-window-close @0");
	vars_event_fini(&ve);
	mux_event_fini(&e);
	mux_util_free(m);
}
END_TEST

UNIT_SUITE(vars)
{
	Suite *s = suite_create("vars");
	TCase *tc = tcase_create("vars");

	tcase_add_test(tc, every_row_is_in_order_and_answers);
	tcase_add_test(tc, values_are_listed_where_there_are_some);
	tcase_add_test(tc, values_of_every_subject);
	tcase_add_test(tc, loops_by_time_have_the_newest_first);
	tcase_add_test(tc, loops_over_options_and_environments);
	tcase_add_test(tc, events_have_hook_variables);
	suite_add_tcase(s, tc);
	return s;
}
