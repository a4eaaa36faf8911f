#include <sys/resource.h>
#include <sys/stat.h>

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/io/sys.h"
#include "base/mem.h"
#include "mux/session.h"
#include "mux/vt/pool.h"
#include "regress/unit/mux_util.h"
#include "regress/unit/run_util.h"
#include "regress/unit/unit.h"
#include "server/run/load.h"
#include "server/run/logfile.h"
#include "server/run/notes.h"
#include "server/run/parse.h"
#include "server/run/shell.h"
#include "server/run/trim.h"

/* --- run, messages -------------------------------------------------------------- */

static void
take_line(void *arg, enum log_level level, enum log_area area, const char *text)
{
	(void)buf_addf(arg, "%s %s: %s|", log_level_name(level),
	    log_area_name(area), text);
}

START_TEST(a_message_is_kept_and_logged)
{
	struct run_util u;
	struct buf b;

	run_util_init(&u);
	buf_init(&b, 4096);
	u.run.log = (struct log){ take_line, &b, LOG_INFO };
	run_message(&u.run, "one %d", 1);
	ck_assert_str_eq(run_util_message(&u), "one 1");
	ck_assert_str_eq(buf_cstr(&b), "info server: one 1|");
	ck_assert_int_eq(options_set_text(&u.run.mux->server_options,
			     "message-limit", "3", NULL),
	    0);
	run_message(&u.run, "two");
	run_message(&u.run, "three");
	run_message(&u.run, "four");
	ck_assert_uint_eq(u.run.messages.count, 3);
	ck_assert_str_eq(u.run.messages.all[0].text, "two");
	ck_assert_uint_eq(u.run.messages.all[2].number, 3);
	run_drain(&u.run);
	ck_assert_uint_eq(u.drains, 1);
	buf_fini(&b);
	run_util_fini(&u);
}
END_TEST

START_TEST(histories_of_prompts_survive_in_a_file)
{
	struct prompt_log a = { .lines = { NULL } }, b = a;
	char dir[256], *text;

	(void)run_util_dir(dir, sizeof(dir));
	prompt_log_add(&a, PROMPT_TYPE_COMMAND, 2, "one");
	prompt_log_add(&a, PROMPT_TYPE_COMMAND, 2, "two");
	prompt_log_add(&a, PROMPT_TYPE_COMMAND, 2, "two");
	prompt_log_add(&a, PROMPT_TYPE_COMMAND, 2, "three: x");
	prompt_log_add(&a, PROMPT_TYPE_SEARCH, 2, "");
	prompt_log_add(&a, PROMPT_TYPE_SEARCH, 2, "needle");
	prompt_log_save(&a, "history");
	text = run_util_read("history");
	ck_assert_str_eq(
	    text, "command:two\ncommand:three: x\nsearch:needle\n");
	mem_free(text);
	run_util_file("history", "old line\nsearch:new\ncommand:c\n");
	prompt_log_load(&b, 10, "history");
	ck_assert_uint_eq(b.count[PROMPT_TYPE_COMMAND], 2);
	ck_assert_str_eq(b.lines[PROMPT_TYPE_COMMAND][0], "old line");
	ck_assert_str_eq(b.lines[PROMPT_TYPE_SEARCH][0], "new");
	ck_assert_int_eq(prompt_type_find("search"), PROMPT_TYPE_SEARCH);
	ck_assert_int_eq(prompt_type_find("none"), PROMPT_TYPES);
	prompt_log_fini(&a);
	prompt_log_fini(&b);
	(void)unlink("history");
	ck_assert_int_eq(rmdir(dir), 0);
}
END_TEST

/* --- notes ---------------------------------------------------------------------- */

START_TEST(errors_of_the_configuration_are_told_once)
{
	struct run_util u;
	struct buf b;
	char *text;
	bool hint;

	run_util_init(&u);
	notes_set_hint(u.run.notes, mem_strdup("old hint"));
	notes_set_hint(u.run.notes, mem_strdup("a hint"));
	notes_errors(&u.run, "one\n\ntwo\nthree");
	ck_assert_str_eq(run_util_message(&u), "config error: three");
	text = notes_take(u.run.notes, &hint);
	ck_assert(!hint);
	ck_assert_str_eq(text, "one\ntwo\nthree");
	mem_free(text);
	text = notes_take(u.run.notes, &hint);
	ck_assert(hint);
	ck_assert_str_eq(text, "a hint");
	mem_free(text);
	ck_assert_ptr_null(notes_take(u.run.notes, &hint));
	notes_error(&u.run, "alone");
	text = notes_take(u.run.notes, &hint);
	ck_assert_str_eq(text, "alone");
	mem_free(text);
	buf_init(&b, 256);
	notes_file(u.run.notes, "/a");
	notes_file(u.run.notes, "/b");
	notes_files(u.run.notes, &b);
	ck_assert_str_eq(buf_cstr(&b), "/a,/b");
	buf_fini(&b);
	run_util_fini(&u);
}
END_TEST

START_TEST(errors_are_bounded)
{
	struct run_util u;
	char *text;
	bool hint;
	unsigned i;

	run_util_init(&u);
	for (i = 0; i < NOTES_ERRORS_MAX + 5; i++)
		notes_error(&u.run, "error");
	text = notes_take(u.run.notes, &hint);
	ck_assert_uint_eq(
	    strlen(text), NOTES_ERRORS_MAX * strlen("error\n") - 1);
	mem_free(text);
	run_util_fini(&u);
}
END_TEST

/* --- parse ---------------------------------------------------------------------- */

START_TEST(a_parse_knows_variables_homes_and_aliases)
{
	struct cmdlist *list;
	struct run_util u;
	struct cmd_state st;
	struct parse ps;
	char *text;
	const char *line = "A=1\n"
			   "%if '#{yes}'\n"
			   "short $A ~/x \"$HOME\"\n"
			   "%endif\n";

	run_util_init(&u);
	cmd_state_init(&st);
	st.conn = 3;
	(void)environ_set(&u.run.mux->environ, "HOME", "/home/me", false, NULL);
	ck_assert_int_eq(options_set_text(&u.run.mux->server_options,
			     "command-alias[9]", "short=rename-window", NULL),
	    0);
	parse_init(&ps, &u.run, &st);
	text = ps.hooks.expand(ps.hooks.arg, "f");
	ck_assert_str_eq(text, "<f 3>");
	mem_free(text);
	/* The fake expands a format to text, which is true. */
	(void)parser_parse(line, strlen(line), "file", 1, &ps.hooks, &list);
	ck_assert_str_eq(environ_get(&u.run.mux->environ, "A"), "1");
	ck_assert_str_ne(parse_errors(&ps), "");
	cmdlist_unref(list);
	parse_fini(&ps);
	parse_init(&ps, &u.run, &st);
	(void)parser_parse("short ~/x", 9, "file", 1, &ps.hooks, &list);
	ck_assert_str_eq(parse_errors(&ps), "");
	text = cmdlist_print_new(list, 0);
	ck_assert_str_eq(text, "rename-window /home/me/x");
	mem_free(text);
	cmdlist_unref(list);
	parse_fini(&ps);
	run_util_fini(&u);
}
END_TEST

START_TEST(errors_of_a_parse_name_file_and_line)
{
	struct cmdlist *list;
	struct run_util u;
	struct cmd_state st;
	struct parse ps;
	const char *text = "rename-window a\nno-such\nrename-window -Z b\n";

	run_util_init(&u);
	cmd_state_init(&st);
	parse_init(&ps, &u.run, &st);
	ck_assert_int_ne(
	    parser_parse(text, strlen(text), "f", 1, &ps.hooks, &list), 0);
	cmdlist_unref(list);
	ck_assert_ptr_nonnull(
	    strstr(parse_errors(&ps), "f:2: unknown command: no-such\nf:3: "));
	ck_assert_int_ne(
	    parser_parse("no-such", 7, NULL, 0, &ps.hooks, &list), 0);
	cmdlist_unref(list);
	parse_fini(&ps);
	run_util_fini(&u);
}
END_TEST

/* --- shell ---------------------------------------------------------------------- */

START_TEST(a_shell_is_an_executable_file_that_is_not_rmux)
{
	struct session *s;
	struct run_util u;
	char dir[256], path[300];

	run_util_init(&u);
	(void)run_util_dir(dir, sizeof(dir));
	(void)snprintf(path, sizeof(path), "%s/rmux", dir);
	run_util_file(path, "#!/bin/sh\n");
	ck_assert_int_eq(chmod(path, 0700), 0);
	ck_assert(shell_ok("/bin/sh"));
	ck_assert(!shell_ok("sh"));
	ck_assert(!shell_ok("/bin/no-such-shell"));
	ck_assert(!shell_ok(path));
	(void)environ_set(&u.run.mux->environ, "SHELL", "/bin/sh", false, NULL);
	ck_assert_str_eq(shell_environment(&u.run), "/bin/sh");
	(void)environ_set(&u.run.mux->environ, "SHELL", path, false, NULL);
	ck_assert_str_ne(shell_environment(&u.run), path);
	ck_assert(shell_ok(shell_environment(&u.run)));
	s = mux_util_session(u.run.mux, "s");
	(void)options_set_text(
	    &u.run.mux->session_options, "default-shell", "/bin/cat", NULL);
	ck_assert_str_eq(shell_default(&u.run, NULL), "/bin/cat");
	ck_assert_str_eq(shell_default(&u.run, s), "/bin/cat");
	(void)options_set_text(
	    &u.run.mux->session_options, "default-shell", "/bin/sh", NULL);
	ck_assert_str_eq(shell_default(&u.run, s), "/bin/sh");
	(void)unlink(path);
	ck_assert_int_eq(rmdir(dir), 0);
	run_util_fini(&u);
}
END_TEST

/* --- load ----------------------------------------------------------------------- */

static void
loaded(void *arg)
{
	bool *done = arg;

	ck_assert(!*done);
	*done = true;
}

START_TEST(files_are_loaded_in_order)
{
	const char *const files[] = { "a", "bad", "none", "b", NULL };
	bool done = false, hint;
	struct run_util u;
	char dir[256], *text;
	struct buf b;

	run_util_init(&u);
	(void)run_util_dir(dir, sizeof(dir));
	run_util_file("a", "rename-window a1\nrename-window a2\n");
	run_util_file("bad", "rename-window c\nno-such\n");
	run_util_file("b", "rename-window b1\n");
	load_start(&u.run, files, loaded, &done);
	ck_assert(done);
	ck_assert(!notes_loading(u.run.notes));
	ck_assert_str_eq(run_util_log(&u), "a1|a2|b1|");
	text = notes_take(u.run.notes, &hint);
	ck_assert_ptr_eq(
	    strstr(text, "bad:2: unknown command: no-such\n"), text);
	ck_assert_ptr_nonnull(strstr(text, "none"));
	mem_free(text);
	buf_init(&b, 256);
	notes_files(u.run.notes, &b);
	ck_assert_str_eq(buf_cstr(&b), "a,bad,none,b");
	buf_fini(&b);
	(void)unlink("a");
	(void)unlink("b");
	(void)unlink("bad");
	ck_assert_int_eq(rmdir(dir), 0);
	run_util_fini(&u);
}
END_TEST

static uint64_t load_token;

static enum cmd_result
load_waits(UNUSED struct run_util *u, struct cmdq_item *item, const char *word)
{
	if (strcmp(word, "wait") != 0)
		return CMD_NORMAL;
	load_token = cmdq_wait(item);
	return CMD_WAIT;
}

START_TEST(loading_lasts_as_long_as_its_commands)
{
	const char *const files[] = { "a", NULL };
	bool done = false;
	struct run_util u;
	char dir[256];

	run_util_init(&u);
	u.command = load_waits;
	(void)run_util_dir(dir, sizeof(dir));
	run_util_file("a", "rename-window wait ; rename-window a\n");
	load_start(&u.run, files, loaded, &done);
	ck_assert(!done);
	ck_assert(notes_loading(u.run.notes));
	ck_assert(cmdq_continue(&u.run, load_token, false));
	ck_assert(done);
	ck_assert_str_eq(run_util_log(&u), "wait|a|");
	(void)unlink("a");
	ck_assert_int_eq(rmdir(dir), 0);
	run_util_fini(&u);
}
END_TEST

START_TEST(without_a_file_there_is_a_hint)
{
	struct environ *env;
	struct run_util u;
	char dir[256], *text;
	bool done = false, hint;

	run_util_init(&u);
	env = &u.run.mux->environ;
	(void)run_util_dir(dir, sizeof(dir));
	(void)environ_set(env, "HOME", dir, false, NULL);
	environ_unset(env, "XDG_CONFIG_HOME");
	environ_unset(env, "VISUAL");
	(void)environ_set(env, "EDITOR", "/usr/bin/nvim", false, NULL);
	load_start(&u.run, NULL, loaded, &done);
	ck_assert(done);
	text = notes_take(u.run.notes, &hint);
	ck_assert(hint);
	ck_assert_ptr_nonnull(strstr(text, "detaches"));
	mem_free(text);
	ck_assert_str_eq(
	    options_string(&u.run.mux->server_options, OPTION_EDITOR),
	    "/usr/bin/nvim");
	ck_assert_int_eq(
	    options_number(&u.run.mux->window_options, OPTION_MODE_KEYS),
	    options_number(&u.run.mux->session_options, OPTION_STATUS_KEYS));
	run_util_file(".tmux.conf", "set -g mouse on\n");
	done = false;
	load_start(&u.run, NULL, loaded, &done);
	text = notes_take(u.run.notes, &hint);
	ck_assert_str_eq(text, "Your tmux settings: put \"source-file "
			       "~/.tmux.conf\" into ~/.rmux.conf");
	mem_free(text);
	run_util_file(".rmux.conf", "rename-window mine\n");
	done = false;
	load_start(&u.run, NULL, loaded, &done);
	ck_assert_str_eq(run_util_log(&u), "mine|");
	ck_assert_ptr_null(notes_take(u.run.notes, &hint));
	(void)unlink(".tmux.conf");
	(void)unlink(".rmux.conf");
	ck_assert_int_eq(rmdir(dir), 0);
	run_util_fini(&u);
}
END_TEST

/* --- trim ----------------------------------------------------------------------- */

START_TEST(memory_is_returned_after_a_quiet_time)
{
	struct run_util u;
	struct trim *t;
	mono_ms noted;
	const uint8_t *out;
	char zeros[4096] = { 0 };
	size_t full;

	run_util_init(&u);
	t = trim_new(u.run.loop, u.run.pool, 60);
	/* Again, if a busy machine lets the time pass before the second note. */
	do {
		ck_assert_uint_gt(
		    vt_pool_pack(u.run.pool, zeros, sizeof(zeros), &out), 0);
		full = vt_pool_bytes(u.run.pool);
		run_util_turn(&u);
		trim_note(t);
		run_util_turn(&u);
		run_util_turn(&u);
	} while (vt_pool_bytes(u.run.pool) < full);
	trim_note(t);
	noted = loop_now(u.run.loop);
	RUN_UNTIL(&u, vt_pool_bytes(u.run.pool) < full);
	ck_assert_uint_ge(sys_now(), noted + 60);
	/* It does nothing until something is noted again. */
	ck_assert_uint_gt(
	    vt_pool_pack(u.run.pool, zeros, sizeof(zeros), &out), 0);
	noted = sys_now();
	RUN_UNTIL(&u, sys_now() > noted + 100);
	ck_assert_uint_eq(vt_pool_bytes(u.run.pool), full);
	trim_free(t);
	trim_free(NULL);
	run_util_fini(&u);
}
END_TEST

/* --- logfile -------------------------------------------------------------------- */

START_TEST(a_full_disk_loses_lines_and_says_how_many)
{
	struct rlimit limit, was;
	struct logfile l = { .fd = -1 };
	struct run_util u;
	char dir[256], path[64], *text;
	struct stat st;

	run_util_init(&u);
	(void)run_util_dir(dir, sizeof(dir));
	(void)snprintf(
	    path, sizeof(path), "rmux-server-%ld.log", (long)getpid());
	logfile_open(&l, &u.run, 1);
	ck_assert_int_eq(u.run.log.level, LOG_INFO);
	log_write(&u.run.log, LOG_INFO, LOG_SERVER, "first");
	log_write(&u.run.log, LOG_DEBUG, LOG_SERVER, "not this");
	ck_assert_int_eq(stat(path, &st), 0);
	ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &was), 0);
	limit = was;
	limit.rlim_cur = (rlim_t)st.st_size + 5;
	ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
	log_write(&u.run.log, LOG_INFO, LOG_SERVER, "lost");
	ck_assert_ptr_nonnull(strstr(run_util_message(&u), "cannot write"));
	ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &was), 0);
	log_write(&u.run.log, LOG_INFO, LOG_SERVER, "last");
	logfile_toggle(&l, &u.run);
	ck_assert(u.run.log.sink == NULL);
	ck_assert_str_eq(run_util_message(&u), "the log is off");
	log_write(&u.run.log, LOG_INFO, LOG_SERVER, "off");
	logfile_toggle(&l, &u.run);
	log_write(&u.run.log, LOG_INFO, LOG_SERVER, "on again");
	logfile_fini(&l);
	logfile_fini(&l);
	u.run.log.sink = NULL;
	text = run_util_read(path);
	ck_assert_ptr_nonnull(strstr(text, "info server: first\n"));
	ck_assert_ptr_null(strstr(text, "lost\n"));
	ck_assert_ptr_null(strstr(text, "not this"));
	ck_assert_ptr_nonnull(strstr(text, "lines lost before this one\n"));
	ck_assert_ptr_nonnull(strstr(text, "info server: last\n"));
	ck_assert_ptr_null(strstr(text, "server: off\n"));
	ck_assert_ptr_nonnull(strstr(text, "info server: on again\n"));
	mem_free(text);
	(void)unlink(path);
	ck_assert_int_eq(rmdir(dir), 0);
	run_util_fini(&u);
}
END_TEST

UNIT_SUITE(run)
{
	Suite *s = suite_create("run");
	TCase *tc = tcase_create("run");

	tcase_add_test(tc, a_message_is_kept_and_logged);
	tcase_add_test(tc, histories_of_prompts_survive_in_a_file);
	tcase_add_test(tc, errors_of_the_configuration_are_told_once);
	tcase_add_test(tc, errors_are_bounded);
	tcase_add_test(tc, a_parse_knows_variables_homes_and_aliases);
	tcase_add_test(tc, errors_of_a_parse_name_file_and_line);
	tcase_add_test(tc, a_shell_is_an_executable_file_that_is_not_rmux);
	tcase_add_test(tc, files_are_loaded_in_order);
	tcase_add_test(tc, loading_lasts_as_long_as_its_commands);
	tcase_add_test(tc, without_a_file_there_is_a_hint);
	tcase_add_test(tc, memory_is_returned_after_a_quiet_time);
	tcase_add_test(tc, a_full_disk_loses_lines_and_says_how_many);
	suite_add_tcase(s, tc);
	return s;
}
