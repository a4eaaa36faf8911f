#include "client/exec.h"
#include "config.h"

#include <sys/socket.h>

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/io/sys.h"
#include "base/mem.h"
#include "client/args.h"
#include "client/deploy.h"
#include "client/roam.h"
#include "mux/sync/control.h"
#include "ssp/forward_spec.h"

#define EXEC_ENV_MAX 256
#define EXEC_SSH_MAX 65536 /* bytes of ssh's command line */

/* ssh's options with a value. */
#define EXEC_VALUES "BbcDEeFIiJLlmOopQRSWw"

#ifndef __linux__
extern char **environ;
#endif

struct exec_args {
	struct client_args *a;
	struct exec_cfg cfg;
	struct buf ssh;     /* its options */
	struct buf command; /* words, joined by spaces */
	const char *user;   /* -l */
	const char *port;   /* -p */
	const char *words[2];
	char *env[EXEC_ENV_MAX + 1];
	size_t nenv;
	unsigned tty; /* how often -t came */
	bool forward; /* rmux forward, or -N */
};

static int
exec_usage(bool forward)
{
	if (forward)
		fprintf(stderr,
		    "usage: rmux forward [options of ssh] [-A] [-L | -R | -D "
		    "FORWARD] [user@]host\n");
	else
		fprintf(stderr,
		    "usage: rmux exec [-AnNqstTv] [-e char] [-l user] [-p "
		    "port] [-L | -R | -D FORWARD] [-W host:port]\n"
		    "                 [other options of ssh] [user@]host "
		    "[command ...]\n");
	return EXEC_FAILED;
}

/* --- ssh's words ------------------------------------------------------------- */

/* Adds a word to ssh's command line, quoted as --ssh is read. */
static void
ssh_add(struct exec_args *x, const char *word)
{
	const char quote = strchr(word, '\'') == NULL ? '\'' : '"';

	(void)buf_addf(&x->ssh, " %c%s%c", quote, word, quote);
}

static void
env_add(struct exec_args *x, const char *text)
{
	if (x->nenv < EXEC_ENV_MAX)
		x->env[x->nenv++] = mem_strdup(text);
}

/* Sends the variables that match the patterns of SendEnv. */
static void
env_send(struct exec_args *x, const char *patterns)
{
	char *text = mem_strdup(patterns), *rest = text, *p, name[256];
	char *const *v;
	size_t n;

	while ((p = strsep(&rest, " \t,")) != NULL) {
		for (v = environ; *p != '\0' && *v != NULL; v++) {
			n = strcspn(*v, "=");
			if (n >= sizeof(name))
				continue;
			memcpy(name, *v, n);
			name[n] = '\0';
			if (fnmatch(p, name, 0) == 0)
				env_add(x, *v);
		}
	}
	mem_free(text);
}

/* -o: what is ours is taken, and ssh gets it as well. */
static void
exec_o(struct exec_args *x, const char *value)
{
	const size_t n = strcspn(value, " =");
	const char *v = value + n + strspn(value + n, " =");

	if (n == 7 && strncasecmp(value, "SendEnv", n) == 0)
		env_send(x, v);
	else if (n == 6 && strncasecmp(value, "SetEnv", n) == 0)
		env_add(x, v);
	else if (n == 10 && strncasecmp(value, "RequestTTY", n) == 0)
		x->tty = strcasecmp(v, "yes") == 0     ? 1
			 : strcasecmp(v, "force") == 0 ? 2
						       : 0;
	ssh_add(x, "-o");
	ssh_add(x, value);
}

/* Takes -W; as in ssh, it excludes a command and the forwards of ssh_config. */
static bool
exec_connect(struct exec_args *x, const char *value)
{
	struct cause c = { NULL };

	x->cfg.connects = true;
	x->a->no_ssh_forwards = true;
	if (forward_place_parse(value, &x->cfg.connect, &c) == 0)
		return true;
	fprintf(stderr, "rmux: -W %s: %s\n", value, cause_text(&c));
	cause_fini(&c);
	return false;
}

/* An option with a value.  Returns whether it is right. */
static bool
exec_value(struct exec_args *x, char letter, const char *value)
{
	char text[3] = { '-', letter, '\0' };

	switch (letter) {
	case 'L':
	case 'R':
	case 'D':
		return client_args_forward(x->a, letter, value);
	case 'l':
		x->user = value;
		return true;
	case 'p':
		x->port = value;
		return true;
	case 'e':
		x->cfg.escape = strcmp(value, "none") == 0 ? -1
				: value[0] == '^' && value[1] != '\0'
				    ? value[1] & 31
				    : (unsigned char)value[0];
		return true;
	case 'o':
		exec_o(x, value);
		return true;
	case 'W':
		return exec_connect(x, value);
	case 'O':
	case 'Q':
	case 'w':
		fprintf(stderr, "rmux: -%c is ssh's alone\n", letter);
		return false;
	default:
		ssh_add(x, text);
		ssh_add(x, value);
		return true;
	}
}

/* An option without a value. */
static bool
exec_flag(struct exec_args *x, char letter)
{
	char text[3] = { '-', letter, '\0' };

	switch (letter) {
	case '4':
	case '6':
		x->a->remote.family = letter == '4' ? AF_INET : AF_INET6;
		ssh_add(x, text);
		return true;
	case 'A':
		client_args_agent(x->a, true);
		return true;
	case 'a':
		x->a->no_ssh_forwards = true;
		return true;
	case 'N':
		x->forward = true;
		return true;
	case 'n':
		x->cfg.no_input = true;
		return true;
	case 's':
		x->cfg.flags |= CONTROL_EXEC_SUBSYSTEM;
		return true;
	case 't':
		x->tty++;
		return true;
	case 'T':
		x->tty = 0;
		return true;
	case 'q':
	case 'v':
		ssh_add(x, text);
		return true;
	/* Streams are not compressed, and carry no windows. */
	case 'C':
	case 'k':
	case 'x':
	case 'y':
		return true;
	default:
		fprintf(stderr, "rmux: unknown option -%c\n", letter);
		return false;
	}
}

/* The letters of the word ARGV[*i]; the last may take the next word. */
static bool
exec_letters(void *arg, const char *const *argv, size_t *i)
{
	struct exec_args *x = arg;
	const char *p;

	for (p = argv[*i] + 1; *p != '\0'; p++) {
		if (strchr(EXEC_VALUES, *p) == NULL) {
			if (!exec_flag(x, *p))
				return false;
			continue;
		}
		if (p[1] == '\0' && argv[*i + 1] == NULL) {
			fprintf(stderr, "rmux: -%c wants a value\n", *p);
			return false;
		}
		return exec_value(x, *p, p[1] != '\0' ? p + 1 : argv[++*i]);
	}
	return true;
}

static bool
exec_options(struct exec_args *x, const char *const *argv, size_t *i)
{
	return client_args_options(x->a, argv, i, exec_letters, x);
}

/* Fills X from the words of the command; false: wrong use. */
static bool
exec_parse(struct exec_args *x)
{
	const char *const *argv = x->a->argv;
	size_t i = 1;

	if (!exec_options(x, argv, &i) || argv[i] == NULL)
		return false;
	x->a->host = argv[i++];
	/* As ssh, also behind the host. */
	if (!exec_options(x, argv, &i))
		return false;
	for (; argv[i] != NULL; i++)
		(void)buf_addf(&x->command, "%s%s",
		    x->command.len > 0 ? " " : "", argv[i]);
	return (!x->forward && !x->cfg.connects) || x->command.len == 0;
}

/* --- the run ----------------------------------------------------------------- */

/* Programs ask whether this is ssh (git does), and read its answer. */
static bool
exec_is_question(const char *const *argv)
{
	size_t i;

	for (i = 1; argv[i] != NULL && argv[i][0] == '-'; i++)
		if (strcmp(argv[i], "-G") == 0 || strcmp(argv[i], "-V") == 0)
			return true;
	return false;
}

static int
exec_question(const struct client_args *a)
{
	union {
		const char *const *in;
		char *const *out;
	} words = { a->argv };

	(void)execvp("ssh", words.out);
	perror("rmux: ssh");
	return EXEC_FAILED;
}

static int
exec_target(struct exec_args *x, struct cause *c)
{
	struct bootstrap_target *t = &x->a->remote.ssh.target;
	const char *host = x->a->host;
	size_t n;
	int e;

	if (strncmp(host, "ssh://", 6) == 0)
		host += 6;
	if ((e = bootstrap_parse(host, t, c)) != 0)
		return e;
	if (x->port != NULL) {
		if (strlen(x->port) >= sizeof(t->port) || *x->port == '\0' ||
		    strspn(x->port, "0123456789") != strlen(x->port))
			return cause_set(
			    c, -ERR_SYNTAX, "not a port: %s", x->port);
		snprintf(t->port, sizeof(t->port), "%s", x->port);
	}
	/* security: ssh would take a leading dash for an option. */
	if (x->user != NULL && strcmp(t->login, t->host) == 0) {
		if (*x->user == '-' ||
		    strlen(x->user) + 1 + strlen(t->host) >= sizeof(t->login))
			return cause_set(
			    c, -ERR_SYNTAX, "not a user: %s", x->user);
		n = strlen(x->user);
		memcpy(t->login, x->user, n);
		t->login[n] = '@';
		memcpy(t->login + n + 1, t->host, strlen(t->host) + 1);
	}
	return 0;
}

static void
exec_environment(struct exec_args *x)
{
	env_send(x, "LANG LC_*");
	if ((x->cfg.flags & CONTROL_EXEC_TTY) != 0)
		env_send(x, "COLORTERM");
	x->env[x->nenv] = NULL;
	x->cfg.env = (const char *const *)x->env;
}

static int
exec_start(struct exec_args *x, struct cause *c)
{
	static const char *const words[] = { CONTROL_STREAMS_WORD, NULL };
	struct client_args *a = x->a;
	struct bootstrap_cfg *b = &a->remote.ssh;
	const char **all;
	int r = EXEC_FAILED;
	char *ssh;

	if (exec_target(x, c) != 0)
		return r;
	ssh = mem_printf(
	    "%s%s", b->ssh == NULL ? "ssh" : b->ssh, buf_cstr(&x->ssh));
	b->ssh = ssh;
	b->label = a->label;
	b->socket = a->socket;
	if (x->forward || !a->no_ssh_forwards)
		client_args_ssh_forwards(a);
	if (x->forward && a->remote.nforwards == 0) {
		(void)cause_set(c, -ERR_SYNTAX,
		    "rmux forward wants -L, -R, -D or -A, or a forward of "
		    "ssh's configuration");
		mem_free(ssh);
		return r;
	}
	if (x->cfg.connects)
		a->remote.nforwards = 0;
	if ((a->flags & CONTROL_FLAG_AGENT) != 0)
		x->cfg.flags |= CONTROL_EXEC_AGENT;
	b->flags = (a->flags & CONTROL_FLAG_UTF8) | CONTROL_FLAG_STREAMS |
		   (a->flags & CONTROL_FLAG_AGENT);
	all = client_args_words(a, words, true);
	b->argv = all == NULL ? words : all;
	a->remote.deploy = deploy_new(a->deploy, b);
	a->remote.exec = &x->cfg;
	r = roam_run(&a->remote);
	deploy_free(a->remote.deploy);
	mem_free(all);
	mem_free(ssh);
	return r;
}

bool
exec_is(const char *program)
{
	const char *base = program == NULL ? NULL : strrchr(program, '/');

	return program != NULL &&
	       strcmp(base == NULL ? program : base + 1, "rmux-ssh") == 0;
}

int
exec_as_ssh(int argc, char **argv, struct client_args *a)
{
	union {
		char **in;
		const char **out;
	} words = { .in = argv };

	if (isatty(STDIN_FILENO) && isatty(STDOUT_FILENO))
		a->flags |= CONTROL_FLAG_TTY;
	if (argc == 2 && strcmp(argv[1], "-V") == 0) {
		fprintf(stderr, "rmux %s\n", PACKAGE_VERSION);
		return 0;
	}
	a->argv = words.out;
	return exec_run(a, false);
}

static int
exec_all(struct client_args *a, bool forward, const char *const *self)
{
	struct exec_args x = { .a = a, .forward = forward };
	struct cause c = { NULL };
	int r;

	if (!forward && exec_is_question(a->argv))
		return exec_question(a);
	x.cfg.escape = '~';
	buf_init(&x.ssh, EXEC_SSH_MAX);
	buf_init(&x.command, CONTROL_DATA_MAX);
	if (!exec_parse(&x)) {
		r = exec_usage(forward);
	} else {
		x.words[0] = x.command.len > 0 ? buf_cstr(&x.command) : NULL;
		x.cfg.words = self != NULL ? self : x.words;
		x.cfg.none = x.forward;
		/* As ssh: a terminal without a command, or for -t. */
		if (self != NULL)
			x.cfg.flags |= CONTROL_EXEC_SELF;
		else if (x.cfg.connects)
			x.cfg.escape = -1;
		else if (x.tty > 1 || (isatty(STDIN_FILENO) &&
					  (x.tty > 0 || x.command.len == 0)))
			x.cfg.flags |= CONTROL_EXEC_TTY;
		exec_environment(&x);
		r = exec_start(&x, &c);
		if (c.text != NULL)
			sys_complain(cause_text(&c));
	}
	cause_fini(&c);
	while (x.nenv > 0)
		mem_free(x.env[--x.nenv]);
	buf_fini(&x.ssh);
	buf_fini(&x.command);
	mem_free(a->forwards);
	a->forwards = NULL;
	return r;
}

int
exec_run(struct client_args *a, bool forward)
{
	return exec_all(a, forward, NULL);
}

int
exec_words(struct client_args *a, const char *const *words)
{
	return exec_all(a, false, words);
}
