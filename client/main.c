#include "config.h"

#include <sys/wait.h>

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/io/sock.h"
#include "base/io/sys.h"
#include "base/mem.h"
#include "base/str.h"
#include "client/args.h"
#include "client/connect.h"
#include "client/cp/cp.h"
#include "client/desk/pane.h"
#include "client/doctor.h"
#include "client/door.h"
#include "client/dropin.h"
#include "client/exec.h"
#include "client/history_copy.h"
#include "client/join.h"
#include "client/local.h"
#include "client/local_echo.h"
#include "client/main.h"
#include "client/newcomer.h"
#include "client/roam.h"
#include "client/trust.h"
#include "mux/sync/control.h"

/* Maximum attempts to start a server, and maximum pause before one. */
#define CLIENT_TRIES 12
#define CLIENT_PAUSE_MS 256

/* Tells whether the environment chooses the server: the one of this pane. */
static bool
client_inherits(const struct client_args *a)
{
	const char *env = getenv("RMUX");

	return a->socket == NULL && a->label == NULL && env != NULL &&
	       *env != '\0';
}

/*
 * Finds the socket: -S, else -L in the user's directory, else the server of
 * this pane (RMUX=path,pid,session), else "default".
 */
static int
client_socket(const struct client_args *a, char **path, struct cause *c)
{
	const char *env = getenv("RMUX"), *comma;
	char *dir;
	int r;

	if ((a->socket != NULL && *a->socket == '\0') ||
	    (a->socket == NULL && a->label != NULL && *a->label == '\0'))
		return cause_set(c, -ERR_SYNTAX,
		    "%s is empty: give %s, or leave it out",
		    a->socket != NULL ? "-S" : "-L",
		    a->socket != NULL ? "the path of a socket"
				      : "the name of a server");
	if (a->socket != NULL) {
		*path = mem_strdup(a->socket);
		return 0;
	}
	if (client_inherits(a)) {
		comma = strchr(env, ',');
		*path = comma == NULL ? mem_strdup(env)
				      : mem_strndup(env, (size_t)(comma - env));
		return 0;
	}
	if (a->label != NULL && strchr(a->label, '/') != NULL)
		return cause_set(c, -ERR_SYNTAX,
		    "socket name %s has a slash: use -S for a path", a->label);
	if ((r = sys_socket_dir_new(&dir, c)) == 0)
		*path = mem_printf(
		    "%s/%s", dir, a->label == NULL ? "default" : a->label);
	mem_free(dir);
	return r;
}

/*
 * Closes inherited descriptors: the server outlives its starter, and a pipe
 * that it kept open would never end. The descriptor of "-f <(command)" stays
 * open.
 */
static void
client_close_inherited(const struct client_start *s, int *keep)
{
	size_t i;

	for (i = 0; s->config[i] != NULL; i++)
		if (strncmp(s->config[i], "/dev/fd/", 8) == 0 ||
		    strncmp(s->config[i], "/proc/", 6) == 0)
			return;
	if (dup2(*keep, STDERR_FILENO + 1) < 0)
		return;
	*keep = STDERR_FILENO + 1;
	(void)sys_set_cloexec(*keep);
	sys_close_from(*keep + 1);
}

/* Forks the server and waits until it listens or reports an error. */
static int
client_start_server(struct client_args *a, const char *path,
    client_start_fn start, struct cause *c)
{
	struct client_start s = {
		.socket = path,
		.config = a->config,
		.verbose = a->verbose,
		.as_tmux = a->as_tmux,
	};
	char text[1024];
	size_t len = 0;
	ssize_t n;
	pid_t pid;
	int p[2];

	if (pipe(p) != 0)
		return cause_set(c, -ERR_SYS, "pipe: %s", strerror(errno));
	pid = fork();
	if (pid < 0)
		return cause_set(c, -ERR_SYS, "fork: %s", strerror(errno));
	if (pid == 0) {
		close(p[0]);
		(void)sys_set_cloexec(p[1]);
		client_close_inherited(&s, &p[1]);
		s.ready_fd = p[1];
		/* Fork again: only a session leader can acquire a terminal. */
		if (setsid() < 0 || fork() != 0)
			_exit(0);
		_exit(start(&s));
	}
	close(p[1]);
	(void)waitpid(pid, NULL, 0);
	while (len < sizeof(text) - 1) {
		n = read(p[0], text + len, sizeof(text) - 1 - len);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			break;
		len += (size_t)n;
	}
	close(p[0]);
	text[len] = '\0';
	a->flags |= CONTROL_FLAG_START;
	return len == 0 ? 0 : cause_set(c, -ERR_SYS, "%s", text);
}

/*
 * Returns whether one of the commands, separated by \;, starts a server when
 * none runs.
 */
static bool
client_may_start(const struct client_args *a, const struct client_ops *ops)
{
	const char *const *word = a->argv;
	bool begins = true;
	size_t n;

	if (a->nostart)
		return false;
	if (*word == NULL || a->shell_command != NULL ||
	    strcmp(*word, "__connect") == 0)
		return true;
	for (; *word != NULL; word++) {
		n = strlen(*word);
		if (begins && ops->starts(*word))
			return true;
		begins = n > 0 && (*word)[n - 1] == ';' &&
			 (n == 1 || (*word)[n - 2] != '\\');
	}
	return false;
}

static int
client_connect(struct client_args *a, const char *path,
    const struct client_ops *ops, int *fd, struct cause *c)
{
	struct cause why = { NULL };
	int i, r;

	*fd = -1;
	r = sock_connect(path, fd, &why);
	/*
	 * Retry when the new server ran another client's command and exited,
	 * or when one that ends has the lock, but no socket any more.
	 */
	for (i = 0;
	     i < CLIENT_TRIES && r == -ERR_NOTFOUND && client_may_start(a, ops);
	     i++) {
		if (i > 2)
			(void)poll(NULL, 0, MIN_OF(1 << i, CLIENT_PAUSE_MS));
		cause_fini(&why);
		if ((r = client_start_server(a, path, ops->start, c)) != 0)
			return r;
		r = sock_connect(path, fd, &why);
	}
	if (r == 0)
		r = trust_server(*fd, path, a->trust, &a->foreign, &why);
	if (r == -ERR_DENIED && client_inherits(a))
		cause_set(c, r, "%s; RMUX in the environment names it",
		    cause_text(&why));
	else if (r != 0)
		cause_set(c, r, "%s", cause_text(&why));
	cause_fini(&why);
	if (r != 0 && *fd >= 0) {
		close(*fd);
		*fd = -1;
	}
	return r;
}

static int
client_foreground(
    struct client_args *a, const char *path, client_start_fn start)
{
	struct client_start s = {
		.socket = path,
		.config = a->config,
		.verbose = a->verbose,
		.as_tmux = a->as_tmux,
		.foreground = true,
		.ready_fd = -1,
	};

	return start(&s);
}

/* --- other machines ------------------------------------------------------- */

/*
 * Returns whether NAME is ALIAS, FULL, or FULL shortened to at least MIN
 * letters.
 */
static bool
is_command(const char *name, const char *full, const char *alias, size_t min)
{
	return name != NULL && (strcmp(name, alias) == 0 ||
				   (strlen(name) >= min &&
				       strncmp(full, name, strlen(name)) == 0));
}

/*
 * Returns the value after "-X" in word I, or the next word; NULL if there is
 * none.
 */
static const char *
flag_value(const char *const *argv, size_t *i)
{
	return argv[*i][2] != '\0' ? argv[*i] + 2 : argv[++*i];
}

/*
 * Takes the host and its options out of attach-session's words, because the
 * command does not know them. Returns -1 on wrong use, 1 on an error that was
 * told.
 */
static int
client_take_host(struct client_args *a, const char **words)
{
	const char *const *argv = a->argv;
	const char *p;
	size_t i, n = 0;
	int r;

	words[n++] = "attach-session";
	for (i = 1; argv[i] != NULL; i++) {
		if (strcmp(argv[i], "--") == 0) {
			words[n] = NULL;
			if (a->host == NULL || argv[++i] == NULL)
				return 0;
			return newcomer_command(words, argv + i) ? 0 : 1;
		}
		/* The next command begins: it has no host. */
		if (strcmp(argv[i], ";") == 0) {
			while (argv[i] != NULL)
				words[n++] = argv[i++];
			break;
		}
		if (strncmp(argv[i], "--", 2) == 0) {
			if ((r = client_args_long(a, argv, &i)) == 0)
				fprintf(stderr, "rmux: unknown option %s\n",
				    argv[i]);
			if (r <= 0)
				return -1;
			continue;
		}
		if (strncmp(argv[i], "-p", 2) == 0) {
			p = flag_value(argv, &i);
			if (p == NULL || !client_args_ports(p, &a->ports))
				return -1;
			continue;
		}
		if (strcmp(argv[i], "-A") == 0) {
			client_args_agent(a, true);
			continue;
		}
		if (argv[i][0] == '-' && argv[i][1] != '\0' &&
		    strchr("LRD", argv[i][1]) != NULL) {
			const char letter = argv[i][1];

			p = flag_value(argv, &i);
			if (p == NULL)
				return -1;
			if (!client_args_forward(a, letter, p))
				return 1;
			continue;
		}
		if (argv[i][0] != '-' || argv[i][1] == 'H') {
			p = argv[i][0] != '-' ? argv[i] : flag_value(argv, &i);
			if (p == NULL || a->host != NULL)
				return -1;
			a->host = p;
			continue;
		}
		words[n++] = argv[i];
		/*
		 * Flags with a value: the next word belongs to the last letter.
		 */
		p = strpbrk(argv[i] + 1, "cft");
		if (p != NULL && p[1] == '\0' && argv[i + 1] != NULL)
			words[n++] = argv[++i];
	}
	words[n] = NULL;
	return 0;
}

/* Attaches to a session on the other machine. */
static int
client_remote(struct client_args *a, const char *const *words)
{
	struct bootstrap_cfg *b = &a->remote.ssh;
	struct cause c = { NULL };
	bool attach = is_command(words[0], "attach-session", "attach", 1);
	const char **all;
	int r = 1;

	if (words[0] == NULL || is_command(words[0], "new-session", "new", 5)) {
		size_t i;

		attach = true;
		for (i = 1; words[0] != NULL && words[i] != NULL &&
			    strcmp(words[i], "--") != 0;
		     i++)
			if (strcmp(words[i], "-d") == 0)
				attach = false;
	}
	if (b->ssh == NULL)
		b->ssh = "ssh";
	b->label = a->label;
	b->socket = a->socket;
	b->flags = a->flags;
	if (b->server != NULL && a->deploy == DEPLOY_YES) {
		fprintf(stderr, "rmux: --deploy does not go with --server, "
				"which names the rmux there\n");
		return 1;
	}
	all = client_args_words(a, words, attach);
	b->argv = all == NULL ? words : all;
	a->remote.features = a->features;
	a->remote.deploy = deploy_new(a->deploy, b);
	if (bootstrap_parse(a->host, &b->target, &c) == 0) {
		if (attach && (a->flags & (CONTROL_FLAG_TTY |
					      CONTROL_FLAG_CONTROL)) != 0) {
			client_args_ssh_forwards(a);
			r = roam_run(&a->remote);
		} else if (attach)
			cause_set(&c, -ERR_TYPE,
			    "open terminal failed: not a terminal");
		else if (deploy_ensure(a->remote.deploy, &c) == 0)
			(void)bootstrap_exec(b, false, &c);
	}
	deploy_free(a->remote.deploy);
	if (c.text != NULL)
		sys_complain(cause_text(&c));
	cause_fini(&c);
	mem_free(all);
	return r;
}

/*
 * Accepts -H HOST after a command that has no such flag, as if it came before
 * the command; removes it from the words.
 */
static void
client_take_behind(struct client_args *a, client_flag_fn flag)
{
	const char **argv = a->argv, *p;
	size_t i, n;
	int r;

	if (a->host != NULL || flag(argv[0], 'H') != -1)
		return;
	for (i = 1; argv[i] != NULL && argv[i][0] == '-'; i++) {
		if (argv[i][1] == 'H') {
			n = argv[i][2] != '\0' ? 1 : 2;
			a->host = n == 1 ? argv[i] + 2 : argv[i + 1];
			if (a->host == NULL)
				return;
			for (; argv[i + n] != NULL; i++)
				argv[i] = argv[i + n];
			argv[i] = NULL;
			return;
		}
		for (p = argv[i] + 1; *p != '\0'; p++) {
			/* The command itself reports the error. */
			if ((r = flag(argv[0], *p)) < 0)
				return;
			if (r == 0)
				continue;
			if (r == 1 && p[1] == '\0' && argv[++i] == NULL)
				return;
			break;
		}
	}
}

/* Runs the command on another machine. Returns -1 if it is for this one. */
static int
client_elsewhere(struct client_args *a, client_flag_fn flag)
{
	const char **words;
	size_t n = 0;
	int r = -1, e;

	if (a->argv[0] != NULL)
		client_take_behind(a, flag);
	while (a->argv[n] != NULL)
		n++;
	words = mem_calloc(n + 2, sizeof(*words));
	if (is_command(a->argv[0], "attach-session", "attach", 1)) {
		e = client_args_take_me(a) ? client_take_host(a, words) : -1;
		if (e != 0) {
			if (e < 0)
				client_args_usage(stderr);
			r = 1;
		} else if (a->host != NULL) {
			r = client_remote(a, words);
		} else if (a->remote.nforwards > 0) {
			fprintf(stderr, "rmux: -L, -R and -D are for another "
					"machine: rmux attach HOST\n");
			r = 1;
		}
	} else if (a->host != NULL)
		r = client_remote(a, a->argv);
	mem_free(words);
	mem_free(a->forwards);
	a->forwards = NULL;
	return r;
}

/* Runs `rmux doctor [host]`, or its far end. */
static int
client_doctor(struct client_args *a, const char *self, bool far)
{
	struct doctor_cfg cfg = { .self = self };
	struct cause c = { NULL };
	char *path = NULL;
	size_t i;
	int r;

	for (i = 1; a->argv[i] != NULL && !far; i++) {
		if (a->argv[i][0] != '-' && a->host == NULL) {
			a->host = a->argv[i];
		} else if (strncmp(a->argv[i], "--", 2) != 0 ||
			   client_args_long(a, a->argv, &i) <= 0) {
			client_args_usage(stderr);
			return 1;
		}
	}
	cfg.host = a->host;
	cfg.udp = a->remote.udp;
	cfg.family = a->remote.family;
	cfg.sandbox = a->remote.sandbox;
	cfg.terminal = (a->flags & CONTROL_FLAG_TTY) != 0;
	cfg.ssh = a->remote.ssh;
	cfg.ssh.label = a->label;
	cfg.ssh.socket = a->socket;
	if (cfg.ssh.ssh == NULL)
		cfg.ssh.ssh = "ssh";
	if (cfg.host != NULL &&
	    bootstrap_parse(cfg.host, &cfg.ssh.target, &c) != 0) {
		sys_complain(cause_text(&c));
		cause_fini(&c);
		return 1;
	}
	/* A finding reports why there is no path. */
	(void)client_socket(a, &path, &c);
	cfg.socket = path;
	r = far ? doctor_far_run(&cfg) : doctor_run(&cfg);
	cause_fini(&c);
	mem_free(path);
	return r;
}

/* Runs `rmux get`, `put`, `open` or `paste-file`, in a pane. */
static int
client_pane_desk(const struct client_args *a)
{
	struct cause c = { NULL };
	char *path = NULL;
	int r = 1;

	if (client_socket(a, &path, &c) == 0)
		r = pane_desk_run(a->argv, path);
	else
		sys_complain(cause_text(&c));
	cause_fini(&c);
	mem_free(path);
	return r;
}

/* For __connect: opens the server on this machine. */
struct client_open {
	struct client_args *a;
	const struct client_ops *ops;
};

static int
client_open(void *arg, bool start, bool *fresh)
{
	struct client_open *o = arg;
	struct cause c = { NULL };
	char *path = NULL;
	int fd = -1, r;

	o->a->nostart = o->a->nostart || !start;
	r = client_socket(o->a, &path, &c);
	if (r == 0)
		r = client_connect(o->a, path, o->ops, &fd, &c);
	mem_free(path);
	if (r != 0)
		sys_complain(cause_text(&c));
	cause_fini(&c);
	*fresh = (o->a->flags & CONTROL_FLAG_START) != 0;
	return r == 0 ? fd : -1;
}

static size_t
words_count(const char *const *words)
{
	size_t n = 0;

	while (words[n] != NULL)
		n++;
	return n;
}

/*
 * Returns whether the command is join TICKET. Without a word, or with flags of
 * join-pane, it is tmux's abbreviation of join-pane.
 */
static bool
client_joins(const struct client_args *a)
{
	size_t i;

	if (a->argv[0] == NULL || strcmp(a->argv[0], "join") != 0 ||
	    a->argv[1] == NULL)
		return false;
	for (i = 1; a->argv[i] != NULL; i++)
		if (a->argv[i][0] == '-' && a->argv[i][1] != '-' &&
		    a->argv[i][1] != '\0')
			return false;
	return true;
}

int
client_main(int argc, char **argv, const struct client_ops *ops)
{
	struct client_args a = { .remote.predict = LOCAL_ECHO_SERVER,
		.remote.mirror = HISTORY_COPY_LINES,
		.remote.allow = TRUST_ALL };
	struct client_open far = { &a, ops };
	struct local_cfg lc = { .fd = -1 };
	struct cause c = { NULL };
	char *path = NULL, said[160] = "";
	int r;

	if (sys_utf8())
		a.flags |= CONTROL_FLAG_UTF8;
	a.as_tmux = argc > 0 && dropin_is(argv[0]);
	if (exec_is(argv[0]))
		return exec_as_ssh(argc, argv, &a);
	if ((r = client_args_parse(argc, argv, &a)) >= 0)
		return r;
	if (a.as_tmux && dropin_environment(&c) != 0) {
		sys_complain(cause_text(&c));
		cause_fini(&c);
		return 1;
	}
	if (a.help)
		return ops->help(a.argv[0], a.help_all);
	if (a.argv[0] != NULL && a.argv[1] != NULL && a.argv[2] == NULL &&
	    strcmp(a.argv[1], "--help") == 0)
		return ops->help(a.argv[0], true);
	if (isatty(STDIN_FILENO) && isatty(STDOUT_FILENO))
		a.flags |= CONTROL_FLAG_TTY;
	if (a.argv[0] != NULL && strcmp(a.argv[0], "__connect") == 0)
		return connect_run(client_open, &far);
	if (a.argv[0] != NULL && (strcmp(a.argv[0], "doctor") == 0 ||
				     strcmp(a.argv[0], "__doctor") == 0))
		return client_doctor(&a, argv[0], a.argv[0][0] == '_');
	if (a.argv[0] != NULL && (strcmp(a.argv[0], "exec") == 0 ||
				     strcmp(a.argv[0], "forward") == 0))
		return exec_run(&a, a.argv[0][0] == 'f');
	if (door_is(a.argv[0]))
		return door_run(&a);
	if (a.argv[0] != NULL && strcmp(a.argv[0], "cp") == 0)
		return cp_run(&a);
	if (a.argv[0] != NULL && strcmp(a.argv[0], "__cp") == 0)
		return cp_far_run(a.argv);
	if (!a.as_tmux && pane_desk_is(a.argv[0]))
		return client_pane_desk(&a);
	if (client_joins(&a) && (a.flags & CONTROL_FLAG_CONTROL) != 0) {
		fprintf(stderr, "rmux: control mode (-C) is not for guests\n");
		return 1;
	}
	if (client_joins(&a)) {
		a.remote.ssh.flags = a.flags;
		a.remote.features = a.features;
		return join_run(
		    argv + argc - words_count(a.argv) + 1, &a.remote);
	}
	if ((r = client_elsewhere(&a, ops->flag)) >= 0)
		return r;
	r = client_socket(&a, &path, &c);
	if (r == 0 && a.foreground) {
		r = client_foreground(&a, path, ops->start);
		mem_free(path);
		return r;
	}
	if (r == 0)
		r = client_connect(&a, path, ops, &lc.fd, &c);
	mem_free(path);
	if (r != 0) {
		sys_complain(cause_text(&c));
		/* Scripts read the first line; the second is for people. */
		if (r == -ERR_NOTFOUND && isatty(STDERR_FILENO))
			newcomer_no_server(
			    &a, a.argv[0] != NULL && ops->unknown(a.argv[0]));
		cause_fini(&c);
		return 1;
	}
	lc.flags = a.flags;
	lc.argv = a.argv;
	lc.features = a.features;
	lc.foreign = a.foreign;
	lc.sandbox = a.remote.sandbox;
	lc.me = a.remote.me;
	lc.said = said;
	lc.said_size = sizeof(said);
	if ((r = local_run(&lc)) != 0)
		newcomer_failed(&a, said);
	return r;
}
