/*
 * Command lines of ssh, its process, and the request that it carries. The
 * launcher (client/launch.c) runs this; a confined client could not.
 */
#include <sys/wait.h>

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/io/sys.h"
#include "base/mem.h"
#include "client/bootstrap.h"
#include "client/far.h"
#include "mux/sync/control.h"

#define BOOTSTRAP_WORDS_MAX 64
/* Output of ssh -G: how much and for how long. */
#define BOOTSTRAP_OPTIONS_MAX 65536
#define BOOTSTRAP_OPTIONS_MS 5000

/* --- the command line ----------------------------------------------------- */

int
bootstrap_parse(const char *text, struct bootstrap_target *t, struct cause *c)
{
	const char *host, *end, *port = "";
	size_t user;

	memset(t, 0, sizeof(*t));
	host = strrchr(text, '@');
	host = host == NULL ? text : host + 1;
	user = (size_t)(host - text);
	if (*host == '[' && (end = strchr(host, ']')) != NULL) {
		host++;
		if (end[1] == ':')
			port = end + 2;
		else if (end[1] != '\0')
			end = host;
	} else {
		end = strchr(host, ':');
		/* Two colons: an IPv6 address without a port. */
		if (end != NULL && strchr(end + 1, ':') == NULL)
			port = end + 1;
		else
			end = host + strlen(host);
	}
	/* security: ssh would take a leading dash for an option. */
	if (end == host || *host == '-' || *text == '-' ||
	    strlen(text) >= sizeof(t->login) ||
	    strlen(port) >= sizeof(t->port) ||
	    strspn(port, "0123456789") != strlen(port))
		return cause_set(
		    c, -ERR_SYNTAX, "not a host to attach to: %s", text);
	memcpy(t->host, host, (size_t)(end - host));
	memcpy(t->login, text, user);
	strcpy(t->login + user, t->host);
	strcpy(t->port, port);
	return 0;
}

/*
 * Splits --ssh into words, with quotes as in a shell; the words are new
 * strings.
 */
static size_t
split_words(const char *text, char **words, size_t max)
{
	size_t n = 0, len;
	char *w, quote;

	while (n < max) {
		text += strspn(text, " \t");
		if (*text == '\0')
			break;
		w = mem_alloc(strlen(text) + 1);
		len = 0;
		quote = '\0';
		for (; *text != '\0'; text++) {
			if (quote != '\0' && *text == quote)
				quote = '\0';
			else if (quote == '\0' &&
				 (*text == '\'' || *text == '"'))
				quote = *text;
			else if (quote == '\0' &&
				 (*text == ' ' || *text == '\t'))
				break;
			else
				w[len++] = *text;
		}
		w[len] = '\0';
		words[n++] = w;
	}
	return n;
}

/* Builds ssh [-tT] [-p PORT] LOGIN [COMMAND] */
static char **
ssh_argv_new(const struct bootstrap_cfg *cfg, const char *mode, bool batch,
    const char *command)
{
	char **argv = mem_calloc(BOOTSTRAP_WORDS_MAX + 9, sizeof(*argv));
	size_t n;

	n = split_words(cfg->ssh, argv, BOOTSTRAP_WORDS_MAX);
	argv[n++] = mem_strdup(mode);
	if (cfg->clear_forwards)
		argv[n++] = mem_strdup("-oClearAllForwardings=yes");
	if (batch) {
		argv[n++] = mem_strdup("-oBatchMode=yes");
		argv[n++] = mem_strdup("-oConnectTimeout=10");
	}
	if (*cfg->target.port != '\0') {
		argv[n++] = mem_strdup("-p");
		argv[n++] = mem_strdup(cfg->target.port);
	}
	argv[n++] = mem_strdup(cfg->target.login);
	if (command != NULL)
		argv[n] = mem_strdup(command);
	return argv;
}

/* Builds the command for the far side: rmux [-L x] WORDS... */
static void
rmux_command(const struct bootstrap_cfg *cfg, enum far_missing how,
    const char *const *words, struct buf *cmd)
{
	buf_init(cmd, 1 << 20);
	if (cfg->server != NULL)
		far_quote(cmd, cfg->server);
	else
		far_find(cmd, cfg->sums, how, cfg->target.login);
	if (cfg->label != NULL) {
		far_quote(cmd, "-L");
		far_quote(cmd, cfg->label);
	}
	if (cfg->socket != NULL) {
		far_quote(cmd, "-S");
		far_quote(cmd, cfg->socket);
	}
	for (; *words != NULL; words++)
		far_quote(cmd, *words);
}

static void
argv_free(char **argv)
{
	size_t i;

	for (i = 0; argv[i] != NULL; i++)
		mem_free(argv[i]);
	mem_free(argv);
}

/* --- the process ---------------------------------------------------------- */

static void
pipes_close(int p[3][2])
{
	int i;

	for (i = 0; i < 6; i++)
		if (p[i / 2][i % 2] >= 0)
			close(p[i / 2][i % 2]);
}

/* Starts ssh with pipes on its three streams. */
static int
ssh_start(struct bootstrap_ssh *s, char **argv, bool batch, struct cause *c)
{
	int p[3][2] = { { -1, -1 }, { -1, -1 }, { -1, -1 } }, i;
	sigset_t all, before;
	int r = 0;

	for (i = 0; i < 3 && r == 0; i++)
		if (pipe(p[i]) != 0 || sys_set_cloexec(p[i][0]) != 0 ||
		    sys_set_cloexec(p[i][1]) != 0)
			r = cause_set(c, -ERR_SYS, "pipe: %s", strerror(errno));
	/* Until it runs ssh, the child has the launcher's handlers. */
	sigfillset(&all);
	(void)sigprocmask(SIG_SETMASK, &all, &before);
	if (r == 0 && (s->pid = fork()) < 0)
		r = cause_set(c, -ERR_SYS, "fork: %s", strerror(errno));
	if (r != 0 || s->pid != 0)
		(void)sigprocmask(SIG_SETMASK, &before, NULL);
	if (r != 0) {
		pipes_close(p);
		return r;
	}
	if (s->pid == 0) {
		(void)dup2(p[0][0], STDIN_FILENO);
		(void)dup2(p[1][1], STDOUT_FILENO);
		(void)dup2(p[2][1], STDERR_FILENO);
		sys_secrets_restore();
		sys_signals_default();
		/* Without a terminal, ssh cannot ask anything. */
		if (batch)
			(void)setsid();
		execvp(argv[0], argv);
		fprintf(stderr, BOOTSTRAP_CANNOT "%s: %s\n", argv[0],
		    strerror(errno));
		_exit(126);
	}
	close(p[0][0]);
	close(p[1][1]);
	close(p[2][1]);
	s->in = p[0][1];
	s->out = p[1][0];
	s->err = p[2][0];
	return 0;
}

void
bootstrap_options(
    const struct bootstrap_cfg *cfg, bootstrap_option_fn fn, void *arg)
{
	char **argv = ssh_argv_new(cfg, "-G", false, NULL), *text, *line, *rest;
	struct bootstrap_ssh s;
	struct cause c = { NULL };
	char *value;

	if (ssh_start(&s, argv, false, &c) == 0) {
		close(s.in);
		close(s.err);
		rest = text = mem_alloc(BOOTSTRAP_OPTIONS_MAX);
		(void)sys_read_until(s.out, sys_now() + BOOTSTRAP_OPTIONS_MS,
		    text, BOOTSTRAP_OPTIONS_MAX);
		while ((line = strsep(&rest, "\n")) != NULL) {
			if ((value = strchr(line, ' ')) == NULL)
				continue;
			*value++ = '\0';
			fn(arg, line, value);
		}
		mem_free(text);
		close(s.out);
		/* It has ended, or never will. */
		(void)kill(s.pid, SIGKILL);
		(void)waitpid(s.pid, NULL, 0);
	}
	cause_fini(&c);
	argv_free(argv);
}

struct hostname {
	char *out;
	size_t size;
};

static void
hostname_option(void *arg, const char *key, const char *value)
{
	const struct hostname *h = arg;

	if (strcmp(key, "hostname") == 0)
		snprintf(h->out, h->size, "%s", value);
}

void
bootstrap_hostname(const struct bootstrap_cfg *cfg, char *out, size_t size)
{
	struct hostname h = { out, size };

	snprintf(out, size, "%s", cfg->target.host);
	bootstrap_options(cfg, hostname_option, &h);
}

int
bootstrap_spawn(const struct bootstrap_cfg *cfg, enum bootstrap_how how,
    const char *command, struct bootstrap_ssh *s, struct cause *c)
{
	bool batch = how == BOOTSTRAP_BATCH;
	char **argv = ssh_argv_new(cfg, "-T", batch, command);
	int r = ssh_start(s, argv, batch, c);

	argv_free(argv);
	return r;
}

int
bootstrap_exec(const struct bootstrap_cfg *cfg, bool tty, struct cause *c)
{
	struct buf cmd;
	char **argv;
	int r;

	rmux_command(cfg, FAR_SAY, cfg->argv, &cmd);
	argv = ssh_argv_new(cfg, tty ? "-t" : "-T", false, buf_cstr(&cmd));
	buf_fini(&cmd);
	execvp(argv[0], argv);
	r = cause_set(
	    c, -ERR_SYS, "cannot run %s: %s", argv[0], strerror(errno));
	argv_free(argv);
	return r;
}

/* --- the request ---------------------------------------------------------- */

/*
 * Writes the request. It goes through standard input, so that no secret is in
 * the arguments.
 */
static void
put_request(const struct bootstrap_cfg *cfg, uint64_t resume, const char *tty,
    struct buf *out)
{
	static const char *const names[] = { "LANG", "LC_ALL", "LC_CTYPE",
		"LC_COLLATE", "LC_MESSAGES", "LC_TIME", "COLORTERM" };
	const char *env[ARRAY_LEN(names) + 1], *v;
	const char *term = getenv("TERM"), *user = getenv("USER");
	char host[256] = "", client[32], *name;
	size_t i, n = 0;
	struct control_msg m = {
		.type = CONTROL_ROAM,
		.has = CONTROL_HAS_LIST | CONTROL_HAS_ENV | CONTROL_HAS_TERM |
		       CONTROL_HAS_TTY | CONTROL_HAS_FLAGS |
		       CONTROL_HAS_VERSION,
		.flags = cfg->flags,
		.version_min = CONTROL_VERSION_MIN,
		.version_max = CONTROL_VERSION_MAX,
		.argv = cfg->argv,
		.env = env,
	};

	if (sys_window(STDIN_FILENO, m.size))
		m.has |= CONTROL_HAS_SIZE;
	if (resume != 0) {
		m.has |= CONTROL_HAS_ID;
		m.id = resume;
	}
	for (i = 0; i < ARRAY_LEN(names); i++)
		if ((v = getenv(names[i])) != NULL && *v != '\0')
			env[n++] = mem_printf("%s=%s", names[i], v);
	env[n] = NULL;
	(void)gethostname(host, sizeof(host) - 1);
	host[strcspn(host, ".")] = '\0';
	if (tty != NULL && strncmp(tty, "/dev/", 5) == 0)
		tty += 5;
	/* Control mode needs no terminal. */
	snprintf(client, sizeof(client), "client-%ld", (long)getpid());
	name = mem_printf("%s@%s:%s", user == NULL ? "" : user, host,
	    tty == NULL ? client : tty);
	if (term == NULL)
		term = "";
	m.term = (struct control_str){ term, strlen(term) };
	m.tty = (struct control_str){ name, strlen(name) };
	(void)control_encode(&m, out);
	for (i = 0; i < n; i++) {
		union {
			const char *in;
			char *out;
		} e = { .in = env[i] };

		mem_free(e.out);
	}
	mem_free(name);
}

int
bootstrap_ssh_start(const struct bootstrap_cfg *cfg, enum bootstrap_how how,
    struct bootstrap_ssh *s, struct cause *c)
{
	static const char *const words[] = { "__connect", NULL };
	struct buf cmd;
	int r;

	rmux_command(cfg, FAR_MARK, words, &cmd);
	r = bootstrap_spawn(cfg, how, buf_cstr(&cmd), s, c);
	buf_fini(&cmd);
	return r;
}

void
bootstrap_ssh_ask(
    const struct bootstrap_cfg *cfg, uint64_t resume, const char *tty, int fd)
{
	struct buf request;

	buf_init(&request, CONTROL_MESSAGE_MAX);
	put_request(cfg, resume, tty, &request);
	/* If ssh has ended, its standard error tells the reason. */
	(void)sys_write_all(fd, request.data, request.len);
	buf_fini(&request);
}
