#include "config.h"

#include <sys/socket.h>
#include <sys/wait.h>

#include <errno.h>
#include <getopt.h>
#include <langinfo.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/io/sock.h"
#include "base/io/sys.h"
#include "base/mem.h"
#include "base/str.h"
#include "client/connect.h"
#include "client/doctor.h"
#include "client/held.h"
#include "client/join.h"
#include "client/local.h"
#include "client/local_echo.h"
#include "client/main.h"
#include "client/remote.h"
#include "mux/sync/control.h"

#define CONFIG_FILES_MAX 64

struct client_args {
	const char *label;         /* -L */
	const char *socket;        /* -S */
	const char *features;      /* -T */
	const char *shell_command; /* -c */
	const char *config[CONFIG_FILES_MAX + 1];
	size_t nconfig;
	uint64_t flags;
	int verbose;
	bool foreground;
	bool nostart;      /* -N */
	bool help;         /* -h, --help */
	bool help_all;     /* the command is `help` */
	const char *host;  /* -H */
	const char *ports; /* --ports */
	struct remote_cfg remote;
	const char **argv; /* the command */
};

static void
client_usage(FILE *f)
{
	fprintf(f,
	    "usage: rmux [-2CDhlNuVv] [-c shell-command] [-f file] [-H host] "
	    "[-L socket-name]\n"
	    "            [-S socket-path] [-T features] [command [flags]]\n"
	    "       rmux attach [--ssh=COMMAND] [--server=PATH] "
	    "[--udp=HOST:PORT]\n"
	    "            [--family=inet|inet6] [--predict=MODE] "
	    "[--again=SECONDS]\n"
	    "            [--mirror=LINES] [-p PORTS] "
	    "[user@]host[:port] [-t target]\n"
	    "       rmux doctor [options of attach] [[user@]host[:port]]\n");
}

/* How to get to another machine; also behind `attach`. */
enum {
	OPTION_SSH = 256,
	OPTION_SERVER,
	OPTION_UDP,
	OPTION_FAMILY,
	OPTION_PREDICT,
	OPTION_AGAIN,
	OPTION_PORTS,
	OPTION_MIRROR,
	OPTION_HELP
};

static const struct option client_long[] = {
	{ "ssh", required_argument, NULL, OPTION_SSH },
	{ "server", required_argument, NULL, OPTION_SERVER },
	{ "udp", required_argument, NULL, OPTION_UDP },
	{ "family", required_argument, NULL, OPTION_FAMILY },
	{ "predict", required_argument, NULL, OPTION_PREDICT },
	{ "again", required_argument, NULL, OPTION_AGAIN },
	{ "ports", required_argument, NULL, OPTION_PORTS },
	{ "mirror", required_argument, NULL, OPTION_MIRROR },
	{ "help", no_argument, NULL, OPTION_HELP },
	{ "version", no_argument, NULL, 'V' },
	{ NULL, 0, NULL, 0 },
};

/* Seconds, with a fraction or without; 0 is never. */
static bool
client_again(const char *value, mono_ms *out)
{
	char *end;
	double d = strtod(value, &end);

	if (end == value || *end != '\0' || !(d >= 0 && d <= 86400)) {
		fprintf(stderr, "rmux: --again wants seconds, 0 to 86400: %s\n",
		    value);
		return false;
	}
	*out = d > 0 ? (mono_ms)(d * 1000 + 1) : MONO_NEVER;
	return true;
}

/* "60001", "60000:61000" or with a dash, as the server reads it, too. */
static bool
client_ports(const char *value, const char **out)
{
	size_t n = strcspn(value, "-:");
	int64_t lo, hi;

	if (str_to_intn(value, n, 1, 65535, &lo) != 0 ||
	    str_to_int(value[n] != '\0' ? value + n + 1 : value, lo, 65535,
		&hi) != 0) {
		fprintf(stderr, "rmux: -p is no port or range: %s\n", value);
		return false;
	}
	*out = value;
	return true;
}

/* HOST:PORT, or the word is of no use. */
static bool
client_udp(const char *value, const char **out)
{
	const char *colon = strrchr(value, ':');
	int64_t port;

	if (colon == NULL || colon == value ||
	    str_to_int(colon + 1, 1, 65535, &port) != 0) {
		fprintf(stderr, "rmux: --udp wants host:port: %s\n", value);
		return false;
	}
	*out = value;
	return true;
}

static bool
client_remote_option(struct client_args *a, int opt, const char *value)
{
	int64_t n;

	switch (opt) {
	case OPTION_SSH:
		if (value[strspn(value, " \t")] == '\0') {
			fprintf(stderr, "rmux: --ssh names no program\n");
			return false;
		}
		a->remote.ssh.ssh = value;
		break;
	case OPTION_SERVER:
		a->remote.ssh.server = value;
		break;
	case OPTION_UDP:
		return client_udp(value, &a->remote.udp);
	case OPTION_PORTS:
		return client_ports(value, &a->ports);
	case OPTION_MIRROR:
		if (str_to_int(value, 0, SYNC_TAIL_LINES_MAX, &n) != 0) {
			fprintf(
			    stderr, "rmux: --mirror is no number: %s\n", value);
			return false;
		}
		a->remote.mirror = (uint32_t)n;
		break;
	case OPTION_PREDICT:
		a->remote.predict = local_echo_mode(value);
		if (a->remote.predict < 0) {
			fprintf(stderr, "rmux: unknown --predict: %s\n", value);
			return false;
		}
		break;
	case OPTION_AGAIN:
		return client_again(value, &a->remote.again);
	default:
		if (strcmp(value, "inet") == 0 || strcmp(value, "4") == 0)
			a->remote.family = AF_INET;
		else if (strcmp(value, "inet6") == 0 || strcmp(value, "6") == 0)
			a->remote.family = AF_INET6;
		else {
			fprintf(stderr, "rmux: unknown family: %s\n", value);
			return false;
		}
	}
	return true;
}

/* Returns -1 to go on, else the exit code. */
static int
client_parse(int argc, char **argv, struct client_args *a)
{
	union {
		char **in;
		const char **out;
	} rest;
	int opt;

	while ((opt = getopt_long(argc, argv, "+2c:CDdf:H:hL:lNqS:T:uUvV",
		    client_long, NULL)) != -1) {
		switch (opt) {
		case OPTION_SSH:
		case OPTION_SERVER:
		case OPTION_UDP:
		case OPTION_FAMILY:
		case OPTION_PREDICT:
		case OPTION_AGAIN:
		case OPTION_PORTS:
		case OPTION_MIRROR:
			if (!client_remote_option(a, opt, optarg))
				return 1;
			break;
		case 'H':
			a->host = optarg;
			break;
		case 'c':
			a->shell_command = optarg;
			break;
		case 'C':
			a->flags |= a->flags & CONTROL_FLAG_CONTROL
					? CONTROL_FLAG_CONTROL2
					: CONTROL_FLAG_CONTROL;
			break;
		case 'D':
			a->foreground = true;
			break;
		case 'f':
			if (a->nconfig < CONFIG_FILES_MAX)
				a->config[a->nconfig++] = optarg;
			break;
		case 'h':
		case OPTION_HELP:
			a->help = true;
			break;
		case 'L':
			a->label = optarg;
			break;
		case 'N':
			a->nostart = true;
			break;
		case 'S':
			a->socket = optarg;
			break;
		case 'T':
			a->features = optarg;
			break;
		case 'u':
			a->flags |= CONTROL_FLAG_UTF8;
			break;
		case 'v':
			a->verbose++;
			break;
		case 'V':
			printf("rmux %s\n", PACKAGE_VERSION);
			return 0;
		case '2':
		case 'd':
		case 'l':
		case 'q':
		case 'U':
			break;
		default:
			client_usage(stderr);
			return 1;
		}
	}
	rest.in = argv + optind;
	a->argv = rest.out;
	if (a->argv[0] != NULL && !a->help && strcmp(a->argv[0], "help") == 0) {
		a->help = a->help_all = true;
		a->argv++;
	}
	if (a->shell_command != NULL && optind != argc) {
		client_usage(stderr);
		return 1;
	}
	return -1;
}

/*
 * The socket: -S, else -L in the user's directory, else the one this pane
 * belongs to (RMUX=path,pid,session), else "default".
 */
static int
client_socket(const struct client_args *a, char **path, struct cause *c)
{
	const char *env = getenv("RMUX"), *comma;
	char *dir;
	int r;

	if (a->socket != NULL) {
		*path = mem_strdup(a->socket);
		return 0;
	}
	if (a->label == NULL && env != NULL && *env != '\0') {
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
 * The server outlives whoever started it and keeps nothing of theirs open: a
 * pipe would never end.  But "-f <(command)" is one of these descriptors.
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

/* Forks the server and waits until it listens (or says why it cannot). */
static int
client_start_server(struct client_args *a, const char *path,
    client_start_fn start, struct cause *c)
{
	struct client_start s = {
		.socket = path,
		.config = a->config,
		.verbose = a->verbose,
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
		/* Again, so that no terminal can ever become ours. */
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
 * Whether there is a command among them, which \; parts, that starts a server
 * when there is none.
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

	r = sock_connect(path, fd, &why);
	/* Again where the new one has had another's command and ended. */
	for (i = 0; i < 3 && r == -ERR_NOTFOUND && client_may_start(a, ops);
	     i++) {
		cause_fini(&why);
		if ((r = client_start_server(a, path, ops->start, c)) != 0)
			return r;
		r = sock_connect(path, fd, &why);
	}
	if (r != 0)
		cause_set(c, r, "%s", cause_text(&why));
	cause_fini(&why);
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
		.foreground = true,
		.ready_fd = -1,
	};

	return start(&s);
}

/* --- other machines ---------------------------------------------------------- */

/* ALIAS, or FULL in whole or shortened to no less than MIN letters. */
static bool
is_command(const char *name, const char *full, const char *alias, size_t min)
{
	return name != NULL && (strcmp(name, alias) == 0 ||
				   (strlen(name) >= min &&
				       strncmp(full, name, strlen(name)) == 0));
}

/* A long option behind the command, in words I and perhaps I + 1. */
static int
long_option(struct client_args *a, const char *const *argv, size_t *i)
{
	const char *word = argv[*i] + 2, *value = strchr(word, '=');
	size_t n = value == NULL ? strlen(word) : (size_t)(value - word);
	const struct option *o;

	for (o = client_long; o->name != NULL; o++)
		if (strlen(o->name) == n && strncmp(o->name, word, n) == 0)
			break;
	if (o->name == NULL)
		return 0;
	if (value == NULL && (value = argv[*i + 1]) != NULL)
		(*i)++;
	else if (value != NULL)
		value++;
	if (value == NULL || !client_remote_option(a, o->val, value))
		return -1;
	return 1;
}

/* What follows "-X" in word I, or the next word; NULL: nothing does. */
static const char *
flag_value(const char *const *argv, size_t *i)
{
	return argv[*i][2] != '\0' ? argv[*i] + 2 : argv[++*i];
}

/*
 * Takes the host and the options for reaching it out of attach-session's
 * words: what the command itself would not take.  Returns -1 if wrong.
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
		if (strncmp(argv[i], "--", 2) == 0 && argv[i][2] != '\0') {
			if ((r = long_option(a, argv, &i)) == 0)
				fprintf(stderr, "rmux: unknown option %s\n",
				    argv[i]);
			if (r <= 0)
				return -1;
			continue;
		}
		if (strncmp(argv[i], "-p", 2) == 0) {
			p = flag_value(argv, &i);
			if (p == NULL || !client_ports(p, &a->ports))
				return -1;
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
		/* Flags with a value: the last letter's is the next word. */
		p = strpbrk(argv[i] + 1, "cft");
		if (p != NULL && p[1] == '\0' && argv[i + 1] != NULL)
			words[n++] = argv[++i];
	}
	words[n] = NULL;
	return 0;
}

/* With -p: the server is told which ports it may use, then WORDS. */
static const char **
words_with_ports(const struct client_args *a, const char *const *words)
{
	const char *const set[] = { "set-option", "-s", "remote-ports",
		a->ports, ";" };
	const char **all;
	size_t n = 0;

	while (words[n] != NULL)
		n++;
	all = mem_calloc(ARRAY_LEN(set) + n + 1, sizeof(*all));
	memcpy(all, set, sizeof(set));
	memcpy(all + ARRAY_LEN(set), words, n * sizeof(*words));
	return all;
}

/* A session there, on this terminal. */
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
		for (i = 1; words[0] != NULL && words[i] != NULL; i++)
			if (strcmp(words[i], "-d") == 0)
				attach = false;
	}
	if (b->ssh == NULL)
		b->ssh = "ssh";
	b->label = a->label;
	b->socket = a->socket;
	b->flags = a->flags;
	all = a->ports == NULL ? NULL : words_with_ports(a, words);
	b->argv = all == NULL ? words : all;
	a->remote.features = a->features;
	if (bootstrap_parse(a->host, &b->target, &c) == 0) {
		if (attach && (a->flags & CONTROL_FLAG_TTY) != 0)
			r = remote_run(&a->remote);
		else if (attach)
			cause_set(&c, -ERR_TYPE,
			    "open terminal failed: not a terminal");
		else
			(void)bootstrap_exec(b, false, &c);
	}
	if (c.text != NULL)
		fprintf(stderr, "%s\n", cause_text(&c));
	cause_fini(&c);
	mem_free(all);
	return r;
}

/*
 * -H HOST among the flags of a command that has no such flag itself is as good
 * as in front of it; it is taken out of the words.
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
			/* What is wrong here, the command says. */
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

/* Returns -1 if the command is for this machine. */
static int
client_elsewhere(struct client_args *a, client_flag_fn flag)
{
	const char **words;
	size_t n = 0;
	int r = -1;

	if (a->argv[0] != NULL)
		client_take_behind(a, flag);
	while (a->argv[n] != NULL)
		n++;
	words = mem_calloc(n + 2, sizeof(*words));
	if (is_command(a->argv[0], "attach-session", "attach", 1)) {
		if (client_take_host(a, words) != 0) {
			client_usage(stderr);
			r = 1;
		} else if (a->host != NULL)
			r = client_remote(a, words);
	} else if (a->host != NULL)
		r = client_remote(a, a->argv);
	mem_free(words);
	return r;
}

/* `rmux doctor [host]`, and its far end. */
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
			   long_option(a, a->argv, &i) <= 0) {
			client_usage(stderr);
			return 1;
		}
	}
	cfg.host = a->host;
	cfg.udp = a->remote.udp;
	cfg.family = a->remote.family;
	cfg.terminal = (a->flags & CONTROL_FLAG_TTY) != 0;
	cfg.ssh = a->remote.ssh;
	cfg.ssh.label = a->label;
	cfg.ssh.socket = a->socket;
	if (cfg.ssh.ssh == NULL)
		cfg.ssh.ssh = "ssh";
	if (cfg.host != NULL &&
	    bootstrap_parse(cfg.host, &cfg.ssh.target, &c) != 0) {
		fprintf(stderr, "%s\n", cause_text(&c));
		cause_fini(&c);
		return 1;
	}
	/* Why there is no path is one of the findings. */
	(void)client_socket(a, &path, &c);
	cfg.socket = path;
	r = far ? doctor_far_run(&cfg) : doctor_run(&cfg);
	cause_fini(&c);
	mem_free(path);
	return r;
}

/* For __connect: the server here, started if there is none. */
struct client_open {
	struct client_args *a;
	const struct client_ops *ops;
};

static int
client_open(void *arg, bool *fresh)
{
	struct client_open *o = arg;
	struct cause c = { NULL };
	char *path = NULL;
	int fd = -1, r;

	r = client_socket(o->a, &path, &c);
	if (r == 0)
		r = client_connect(o->a, path, o->ops, &fd, &c);
	mem_free(path);
	if (r != 0)
		fprintf(stderr, "%s\n", cause_text(&c));
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
 * join TICKET.  With the flags of join-pane, for which it is short in tmux, or
 * without any word, it is that.
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
		.remote.mirror = HELD_LINES };
	struct client_open far = { &a, ops };
	struct local_cfg lc = { .fd = -1 };
	struct cause c = { NULL };
	char *path = NULL;
	int r;

	if (setlocale(LC_CTYPE, "") != NULL &&
	    strcmp(nl_langinfo(CODESET), "UTF-8") == 0)
		a.flags |= CONTROL_FLAG_UTF8;
	if ((r = client_parse(argc, argv, &a)) >= 0)
		return r;
	if (a.help)
		return ops->help(a.argv[0], a.help_all);
	if (isatty(STDIN_FILENO) && isatty(STDOUT_FILENO))
		a.flags |= CONTROL_FLAG_TTY;
	if (a.argv[0] != NULL && strcmp(a.argv[0], "__connect") == 0)
		return connect_run(client_open, &far);
	if (a.argv[0] != NULL && (strcmp(a.argv[0], "doctor") == 0 ||
				     strcmp(a.argv[0], "__doctor") == 0))
		return client_doctor(&a, argv[0], a.argv[0][0] == '_');
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
		fprintf(stderr, "%s\n", cause_text(&c));
		/* Scripts read the first line; people the second. */
		if (r == -ERR_NOTFOUND && isatty(STDERR_FILENO) &&
		    (a.argv[0] == NULL || !ops->unknown(a.argv[0])))
			fprintf(stderr, "rmux new-session starts one\n");
		cause_fini(&c);
		return 1;
	}
	lc.flags = a.flags;
	lc.argv = a.argv;
	lc.features = a.features;
	return local_run(&lc);
}
