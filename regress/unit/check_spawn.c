#include <sys/wait.h>

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/tmux.h"
#include "conf/environ.h"
#include "regress/unit/pane_util.h"
#include "regress/unit/unit.h"
#include "server/io/spawn.h"

/* The value of NAME in ENV, or NULL. */
static const char *
value(char *const *env, const char *name)
{
	size_t n = strlen(name);

	for (; *env != NULL; env++)
		if (strncmp(*env, name, n) == 0 && (*env)[n] == '=')
			return *env + n + 1;
	return NULL;
}

START_TEST(an_environment_has_three_layers)
{
	struct environ session, extra;
	struct cause why = { NULL };
	struct pane_util pu;
	char **env, want[64];

	pane_util_init(&pu);
	environ_init(&session);
	environ_init(&extra);
	(void)environ_set(&pu.u.run.mux->environ, "A", "g", false, NULL);
	(void)environ_set(&pu.u.run.mux->environ, "B", "g", false, NULL);
	(void)environ_set(&pu.u.run.mux->environ, "C", "g", false, NULL);
	(void)environ_set(
	    &pu.u.run.mux->environ, "RMUX_PANE", "%9", false, NULL);
	(void)environ_set(&session, "B", "s", false, NULL);
	(void)environ_set(&session, "C", "s", false, NULL);
	(void)environ_set(&extra, "C", "e", false, NULL);
	env = spawn_env_new(&pu.u.run, &session, &extra, pu.p);
	ck_assert_str_eq(value(env, "A"), "g");
	ck_assert_str_eq(value(env, "B"), "s");
	ck_assert_str_eq(value(env, "C"), "e");
	ck_assert_str_eq(value(env, "TERM_PROGRAM"), "tmux");
	ck_assert_str_eq(value(env, "TERM_PROGRAM_VERSION"), TMUX_VERSION);
	ck_assert_str_eq(value(env, "COLORTERM"), "truecolor");
	ck_assert_str_eq(
	    value(env, "TERM"), options_string(&pu.u.run.mux->server_options,
				    OPTION_DEFAULT_TERMINAL));
	(void)snprintf(want, sizeof(want), "/tmp/rmux-test,%ld,%u",
	    (long)getpid(), pu.s->id);
	ck_assert_str_eq(value(env, "RMUX"), want);
	(void)snprintf(want, sizeof(want), "%%%u", pu.p->id);
	ck_assert_str_eq(value(env, "RMUX_PANE"), want);
	spawn_env_free(env);
	env = spawn_env_new(&pu.u.run, NULL, NULL, NULL);
	ck_assert_str_eq(value(env, "C"), "g");
	ck_assert_ptr_null(value(env, "RMUX_PANE"));
	spawn_env_free(env);
	ck_assert_int_eq(options_set_text(&pu.u.run.mux->server_options,
			     "tmux-compat", "off", &why),
	    0);
	env = spawn_env_new(&pu.u.run, NULL, NULL, pu.p);
	ck_assert_str_eq(value(env, "TERM_PROGRAM"), "rmux");
	ck_assert_ptr_null(value(env, "TMUX"));
	spawn_env_free(env);
	environ_fini(&session);
	environ_fini(&extra);
	pane_util_fini(&pu);
}
END_TEST

static void
name_is(struct pane_util *pu, const char *command, const char *want)
{
	char *word = mem_strdup(command), *name;
	const struct pane_start start = {
		.argv = &word,
		.argc = *command == '\0' ? 0 : 1,
	};

	pane_set_start(pu->p, &start);
	name = spawn_name_new(&pu->u.run, pu->s, pu->p);
	ck_assert_str_eq(name, want);
	mem_free(name);
	mem_free(word);
}

START_TEST(a_window_is_named_after_its_command)
{
	struct pane_util pu;

	pane_util_init(&pu);
	name_is(&pu, "vim file", "vim");
	name_is(&pu, "/usr/bin/vim file", "vim");
	name_is(&pu, "exec /bin/top", "top");
	(void)options_set_text(
	    &pu.s->options, "default-shell", "/bin/sh", NULL);
	name_is(&pu, "", "sh");
	(void)options_set_text(
	    &pu.s->options, "default-command", "exec htop -d 5", NULL);
	name_is(&pu, "", "htop");
	pane_util_fini(&pu);
}
END_TEST

static void
starts(struct pane_util *pu, char **argv, size_t argc, const char *shows)
{
	const struct pane_start start = { .argv = argv, .argc = argc };
	struct cause c = { NULL };

	pane_set_start(pu->p, &start);
	ck_assert_msg(spawn_pane(&pu->ios, pu->s, pu->p, NULL, &c) == 0, "%s",
	    cause_text(&c));
	ck_assert_int_gt(pu->p->pid, 0);
	ck_assert_str_ne(pu->p->tty, "");
	ck_assert_str_ne(pu->p->title, "");
	RUN_UNTIL(&pu->u, pane_util_shows(pu, shows));
	pane_io_free(pane_io_find(&pu->ios, pu->p->id));
}

/* One word is the shell's, several are a program's own. */
START_TEST(a_pane_runs_a_command_words_or_a_shell)
{
	char one[] = "echo shell-$((1 + 1))";
	char echo[] = "/bin/echo", two[] = "words-$((1 + 1))";
	char *words[] = { echo, two };
	char *line[] = { one };
	struct pane_util pu;

	pane_util_init(&pu);
	(void)options_set_text(
	    &pu.s->options, "default-shell", "/bin/sh", NULL);
	starts(&pu, line, 1, "shell-2");
	starts(&pu, words, 2, "words-$((1 + 1))");
	(void)options_set_text(
	    &pu.s->options, "default-command", "echo by-$SHELL", NULL);
	starts(&pu, NULL, 0, "by-/bin/sh");
	pane_util_fini(&pu);
}
END_TEST

START_TEST(a_command_runs_by_itself_with_three_descriptors)
{
	char *env[] = { NULL };
	char text[256];
	int fds[2], status;
	ssize_t n;
	pid_t pid;

	ck_assert_int_eq(pipe(fds), 0);
	pid = spawn_command("pwd; cat; echo x >&2; echo end", "/no/such/place",
	    env, (int[]){ -1, fds[1], -1 });
	ck_assert_int_gt(pid, 0);
	close(fds[1]);
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert_int_eq(status, 0);
	n = read(fds[0], text, sizeof(text) - 1);
	ck_assert_int_gt(n, 0);
	text[n] = '\0';
	ck_assert_str_eq(text, "/\nend\n");
	close(fds[0]);
}
END_TEST

UNIT_SUITE(spawn)
{
	Suite *s = suite_create("spawn");
	TCase *tc = tcase_create("spawn");

	tcase_add_test(tc, an_environment_has_three_layers);
	tcase_add_test(tc, a_window_is_named_after_its_command);
	tcase_add_test(tc, a_pane_runs_a_command_words_or_a_shell);
	tcase_add_test(tc, a_command_runs_by_itself_with_three_descriptors);
	suite_add_tcase(s, tc);
	return s;
}
