#include "config.h"

#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/io/sys.h"
#include "base/mem.h"
#include "base/str.h"
#include "conf/environ.h"
#include "mux/pane.h"
#include "mux/session.h"
#include "mux/window.h"
#include "server/io/pane_io.h"
#include "server/io/spawn.h"
#include "server/run/compat.h"
#include "server/run/notes.h"
#include "server/run/run.h"
#include "server/run/shell.h"

/* Writes "NAME=value" strings, NULL-terminated. */
static char **
spawn_env_list(const struct environ *all)
{
	char **env = mem_calloc(all->vars.count + 1, sizeof(*env));
	struct map_entry *e;
	size_t n = 0;

	MAP_FOREACH(e, &all->vars) {
		const struct environ_var *v = e->value;

		if (v->value != NULL)
			env[n++] = mem_printf("%s=%s", e->name, v->value);
	}
	return env;
}

char **
spawn_env_new(struct run *run, const struct environ *session,
    const struct environ *extra, const struct pane *p)
{
	const struct options *so = &run->mux->server_options;
	struct environ all;
	char text[64], *rmux, **env;

	environ_init(&all);
	environ_spawn(&all, &run->mux->environ, session);
	if (extra != NULL)
		environ_copy(&all, extra);
	/* As in tmux, jobs of the first configuration see the caller's TERM. */
	if (p != NULL || !notes_loading(run->notes) ||
	    environ_get(&all, "TERM") == NULL)
		(void)environ_set(&all, "TERM",
		    options_string(so, OPTION_DEFAULT_TERMINAL), false, NULL);
	(void)environ_set(&all, "TERM_PROGRAM", "rmux", false, NULL);
	(void)environ_set(
	    &all, "TERM_PROGRAM_VERSION", PACKAGE_VERSION, false, NULL);
	(void)environ_set(&all, "COLORTERM", "truecolor", false, NULL);
	rmux = mem_printf("%s,%ld,%u", run->socket_path, (long)getpid(),
	    p == NULL || list_empty(&p->window->links)
		? 0
		: container_of(list_first(&p->window->links), struct winlink,
		      window_node)
		      ->session->id);
	(void)environ_set(&all, "RMUX", rmux, false, NULL);
	if (p != NULL) {
		snprintf(text, sizeof(text), "%%%u", p->id);
		(void)environ_set(&all, "RMUX_PANE", text, false, NULL);
	} else
		environ_unset(&all, "RMUX_PANE");
	compat_environ(run, &all, rmux, p == NULL ? NULL : text);
	mem_free(rmux);
	env = spawn_env_list(&all);
	environ_fini(&all);
	return env;
}

char **
spawn_env_plain_new(struct run *run, const struct environ *extra)
{
	struct environ all;
	char **env;

	environ_init(&all);
	environ_spawn(&all, &run->mux->environ, NULL);
	environ_copy(&all, extra);
	env = spawn_env_list(&all);
	environ_fini(&all);
	return env;
}

void
spawn_env_free(char **env)
{
	size_t i;

	for (i = 0; env[i] != NULL; i++)
		mem_free(env[i]);
	mem_free(env);
}

NORETURN static void
spawn_child(const char *path, char *const *argv, const char *cwd,
    char *const *env, const int fds[3])
{
	int i, null;

	sys_signals_default();
	(void)setsid();
	null = open("/dev/null", O_RDWR);
	for (i = 0; i < 3; i++)
		(void)dup2(fds[i] < 0 ? null : fds[i], i);
	sys_close_from(3);
	sys_files_restore();
	sys_secrets_restore();
	if (cwd == NULL || chdir(cwd) != 0)
		if (chdir("/") != 0)
			_exit(126);
	execve(path, argv, env);
	_exit(127);
}

pid_t
spawn_words(const char *path, char *const *argv, const char *cwd,
    char *const *env, const int fds[3])
{
	sigset_t all, old;
	pid_t pid;

	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &old);
	pid = fork();
	if (pid == 0)
		spawn_child(path, argv, cwd, env, fds);
	sigprocmask(SIG_SETMASK, &old, NULL);
	return pid;
}

pid_t
spawn_command(
    const char *command, const char *cwd, char *const *env, const int fds[3])
{
	char sh[] = "sh", c[] = "-c", *argv[] = { sh, c, NULL, NULL }, *text;
	pid_t pid;

	argv[2] = text = mem_strdup(command);
	pid = spawn_words("/bin/sh", argv, cwd, env, fds);
	mem_free(text);
	return pid;
}

/* Returns the first word of the command TEXT without exec, directory, quotes. */
static char *
command_name_new(const char *text)
{
	const char *base;
	char *name;
	size_t n;

	if (*text == '"')
		text++;
	if (str_starts(text, "exec "))
		text += 5;
	text += strspn(text, " -");
	n = strcspn(text, " \"");
	name = mem_strndup(text, n);
	if (*name == '/' && (base = strrchr(name, '/')) != NULL)
		memmove(name, base + 1, strlen(base + 1) + 1);
	return name;
}

char *
spawn_name_new(struct run *run, const struct session *s, const struct pane *p)
{
	const char *text = p->start_command;

	if (text == NULL || *text == '\0')
		text = s == NULL ? ""
				 : options_string(
				       &s->options, OPTION_DEFAULT_COMMAND);
	if (*text == '\0')
		text = p->shell != NULL ? p->shell : shell_default(run, s);
	return command_name_new(text);
}

char *
spawn_program_name_new(struct run *run, const struct pane *p)
{
	const char *text = p->start_command;

	if (text == NULL || *text == '\0')
		text = p->shell != NULL ? p->shell : shell_default(run, NULL);
	return command_name_new(text);
}

/* The words to run, for which ARGV has room; *ARGV0 is for a login shell. */
static void
program_words(struct run *run, const struct spawn_program *what,
    const char **argv, size_t max, char **argv0)
{
	const struct session *s = what->session;
	const char *shell = what->shell, *command, *base;
	size_t i, argc = 0;

	if (shell == NULL)
		shell = shell_default(run, s);
	command = s == NULL
		      ? ""
		      : options_string(&s->options, OPTION_DEFAULT_COMMAND);
	*argv0 = NULL;
	if (what->argc > 1) {
		for (i = 0; i < what->argc && argc < max - 1; i++)
			argv[argc++] = what->argv[i];
	} else if (what->argc == 1 || *command != '\0') {
		argv[argc++] = shell;
		argv[argc++] = "-c";
		argv[argc++] = what->argc == 1 ? what->argv[0] : command;
	} else {
		/* A login shell, as tmux starts it. */
		base = strrchr(shell, '/');
		*argv0 = mem_printf("-%s", base == NULL ? shell : base + 1);
		argv[argc++] = shell;
	}
	argv[argc] = NULL;
}

struct pane_io *
spawn_program(struct pane_ios *panes, uint32_t id, struct vt_term *term,
    const struct spawn_program *what, struct cause *c)
{
	struct run *run = panes->run;
	struct session *s = what->session;
	const char *argv[256];
	struct environ more;
	struct pty_spec spec = { .cwd = what->cwd,
		.size = what->size,
		.xpixel = what->xpixel,
		.ypixel = what->ypixel };
	union {
		char **in;
		const char *const *out;
	} env;
	struct pane_io *io;
	char *argv0;

	program_words(run, what, argv, ARRAY_LEN(argv), &argv0);
	environ_init(&more);
	if (what->extra != NULL)
		environ_copy(&more, what->extra);
	(void)environ_set(&more, "SHELL",
	    what->shell != NULL ? what->shell : shell_default(run, s), false,
	    NULL);
	env.in = spawn_env_new(
	    run, s == NULL ? NULL : &s->environ, &more, what->pane);
	environ_fini(&more);
	spec.argv0 = argv0;
	spec.argv = argv;
	spec.envp = env.out;
	io = pane_io_new(panes, id, term, &spec, c);
	spawn_env_free(env.in);
	mem_free(argv0);
	if (io != NULL)
		log_write(&run->log, LOG_INFO, LOG_SERVER,
		    "pane %%%u: process %ld, %s on %s", (unsigned)id,
		    (long)io->pid, argv[0],
		    ptsname(io->fd) == NULL ? "?" : ptsname(io->fd));
	return io;
}

void
spawn_title(struct pane *p)
{
	char host[256];

	if (p->title[0] != '\0' || gethostname(host, sizeof(host)) != 0)
		return;
	host[sizeof(host) - 1] = '\0';
	pane_set_title(p, host);
}

int
spawn_pane(struct pane_ios *panes, struct session *s, struct pane *p,
    const struct environ *extra, struct cause *c)
{
	const struct spawn_program what = {
		.session = s,
		.shell = p->shell,
		.cwd = p->start_path,
		.argv = p->start_argv,
		.argc = p->start_argc,
		.extra = extra,
		.pane = p,
		.size = { (uint16_t)p->w, (uint16_t)p->h },
		.xpixel = (uint16_t)(p->w * p->window->outer.cell_w),
		.ypixel = (uint16_t)(p->h * p->window->outer.cell_h),
	};
	struct pane_io *io = spawn_program(panes, p->id, p->term, &what, c);
	const char *tty;

	if (io == NULL)
		return -ERR_SYS;
	tty = ptsname(io->fd);
	pane_set_alive(p, io->pid, tty == NULL ? "" : tty);
	spawn_title(p);
	return 0;
}
