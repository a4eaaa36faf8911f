#include "client/bootstrap.h"

#include <sys/wait.h>

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/io/sys.h"
#include "base/mem.h"
#include "mux/sync/control.h"

#define BOOTSTRAP_WORDS_MAX 64
/* Bytes that login files may print before the answer. */
#define BOOTSTRAP_NOISE_MAX 65536
#define BOOTSTRAP_MARK "RMUX CONNECT "
/* Printed when --ssh cannot be run. */
#define BOOTSTRAP_CANNOT "rmux: cannot run "
/* Bytes of standard error kept for the explanation. */
#define BOOTSTRAP_TAIL 4096

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

/* Quotes one word for any shell at the far end. */
static void
quote_word(struct buf *b, const char *word)
{
	static const char plain[] =
	    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
	    "@%+=:,./-_";

	if (b->len > 0)
		(void)buf_add(b, " ", 1);
	if (*word != '\0' && strspn(word, plain) == strlen(word)) {
		(void)buf_add(b, word, strlen(word));
		return;
	}
	(void)buf_add(b, "'", 1);
	for (; *word != '\0'; word++)
		if (*word == '\'')
			(void)buf_add(b, "'\\''", 4);
		else
			(void)buf_add(b, word, 1);
	(void)buf_add(b, "'", 1);
}

/* Builds ssh [-tT] [-p PORT] LOGIN 'rmux [-L x] WORDS...' */
static char **
ssh_argv_new(const struct bootstrap_cfg *cfg, const char *mode, bool batch,
    const char *const *words)
{
	char **argv = mem_calloc(BOOTSTRAP_WORDS_MAX + 8, sizeof(*argv));
	struct buf cmd;
	size_t n;

	n = split_words(cfg->ssh, argv, BOOTSTRAP_WORDS_MAX);
	argv[n++] = mem_strdup(mode);
	if (batch) {
		argv[n++] = mem_strdup("-oBatchMode=yes");
		argv[n++] = mem_strdup("-oConnectTimeout=10");
	}
	if (*cfg->target.port != '\0') {
		argv[n++] = mem_strdup("-p");
		argv[n++] = mem_strdup(cfg->target.port);
	}
	argv[n++] = mem_strdup(cfg->target.login);
	if (words == NULL)
		return argv;
	buf_init(&cmd, 1 << 20);
	quote_word(&cmd, cfg->server == NULL ? "rmux" : cfg->server);
	if (cfg->label != NULL) {
		quote_word(&cmd, "-L");
		quote_word(&cmd, cfg->label);
	}
	if (cfg->socket != NULL) {
		quote_word(&cmd, "-S");
		quote_word(&cmd, cfg->socket);
	}
	for (; *words != NULL; words++)
		quote_word(&cmd, *words);
	argv[n] = mem_strdup(buf_cstr(&cmd));
	buf_fini(&cmd);
	return argv;
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

/* Starts ssh with pipes on its three streams. */
static int
ssh_start(struct bootstrap *b, char **argv, bool batch, struct cause *c)
{
	int p[3][2] = { { -1, -1 }, { -1, -1 }, { -1, -1 } }, i;

	for (i = 0; i < 3; i++)
		if (pipe(p[i]) != 0 || sys_set_cloexec(p[i][0]) != 0 ||
		    sys_set_cloexec(p[i][1]) != 0)
			return cause_set(
			    c, -ERR_SYS, "pipe: %s", strerror(errno));
	b->pid = fork();
	if (b->pid < 0)
		return cause_set(c, -ERR_SYS, "fork: %s", strerror(errno));
	if (b->pid == 0) {
		(void)dup2(p[0][0], STDIN_FILENO);
		(void)dup2(p[1][1], STDOUT_FILENO);
		(void)dup2(p[2][1], STDERR_FILENO);
		(void)signal(SIGPIPE, SIG_DFL);
		(void)signal(SIGINT, SIG_DFL);
		(void)signal(SIGQUIT, SIG_DFL);
		sys_secrets_restore();
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
	b->in = p[0][1];
	b->out = p[1][0];
	b->err = p[2][0];
	return 0;
}

void
bootstrap_close(struct bootstrap *b)
{
	if (b->in >= 0)
		close(b->in);
	if (b->out >= 0)
		close(b->out);
	if (b->err >= 0)
		close(b->err);
	b->in = b->out = b->err = -1;
	buf_clear(&b->rest);
}

void
bootstrap_fini(struct bootstrap *b)
{
	bootstrap_close(b);
	mem_wipe(b->key, sizeof(b->key));
	buf_fini(&b->got);
	buf_fini(&b->tail);
	buf_fini(&b->rest);
}

void
bootstrap_kill(struct bootstrap *b)
{
	bootstrap_fini(b);
	if (b->pid > 0)
		(void)kill(b->pid, SIGTERM);
	b->pid = 0;
}

void
bootstrap_reaped(struct bootstrap *b, pid_t pid, int status)
{
	if (pid != b->pid)
		return;
	b->pid = 0;
	b->status = status;
}

void
bootstrap_hostname(const struct bootstrap_cfg *cfg, char *out, size_t size)
{
	char **argv = ssh_argv_new(cfg, "-G", false, NULL), line[512], *nl;
	struct bootstrap b = { .in = -1, .out = -1, .err = -1 };
	struct cause c = { NULL };
	FILE *f;

	snprintf(out, size, "%s", cfg->target.host);
	buf_init(&b.rest, 1);
	if (ssh_start(&b, argv, false, &c) == 0 &&
	    (f = fdopen(b.out, "r")) != NULL) {
		close(b.in);
		close(b.err);
		while (fgets(line, sizeof(line), f) != NULL) {
			if (strncmp(line, "hostname ", 9) != 0)
				continue;
			if ((nl = strchr(line, '\n')) != NULL)
				*nl = '\0';
			snprintf(out, size, "%s", line + 9);
		}
		fclose(f);
		(void)waitpid(b.pid, NULL, 0);
	}
	cause_fini(&c);
	argv_free(argv);
}

int
bootstrap_exec(const struct bootstrap_cfg *cfg, bool tty, struct cause *c)
{
	char **argv = ssh_argv_new(cfg, tty ? "-t" : "-T", false, cfg->argv);
	int r;

	execvp(argv[0], argv);
	r = cause_set(
	    c, -ERR_SYS, "cannot run %s: %s", argv[0], strerror(errno));
	argv_free(argv);
	return r;
}

/* --- the request and the answer ------------------------------------------- */

/*
 * Writes the request. It goes through standard input, so that no secret is in
 * the arguments.
 */
static void
put_request(const struct bootstrap_cfg *cfg, uint64_t resume, struct buf *out)
{
	static const char *const names[] = { "LANG", "LC_ALL", "LC_CTYPE",
		"LC_COLLATE", "LC_MESSAGES", "LC_TIME", "COLORTERM" };
	const char *env[ARRAY_LEN(names) + 1], *v;
	const char *term = getenv("TERM"), *user = getenv("USER");
	const char *tty = ttyname(STDIN_FILENO);
	char host[256] = "", *name;
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
	name = mem_printf("%s@%s:%s", user == NULL ? "" : user, host,
	    tty == NULL ? "" : tty + (strncmp(tty, "/dev/", 5) == 0 ? 5 : 0));
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

/*
 * Finds "RMUX CONNECT 1 port cid key address..." in the output so far. The key
 * "-" means that the server has the connection already. Returns 1 when found, 0
 * to wait for more, or an error.
 */
static int
take_answer(struct bootstrap *b, struct cause *c)
{
	struct buf *got = &b->got;
	char *line, *nl, *word, *rest;
	unsigned long long cid;
	unsigned long port;
	int r = 0;

	if (got->len == 0)
		return 0;
	line = memmem(
	    got->data, got->len, BOOTSTRAP_MARK, sizeof(BOOTSTRAP_MARK) - 1);
	if (line == NULL)
		return got->len < BOOTSTRAP_NOISE_MAX
			   ? 0
			   : cause_set(c, -ERR_PEER,
				 "too much other output before rmux's answer");
	nl = memchr(line, '\n', got->len - (size_t)(line - (char *)got->data));
	if (nl == NULL)
		return 0;
	*nl = '\0';
	if (nl > line && nl[-1] == '\r')
		nl[-1] = '\0';
	rest = line + sizeof(BOOTSTRAP_MARK) - 1;
	word = strsep(&rest, " ");
	if (strcmp(word, "0") == 0)
		return cause_set(c, -ERR_VERSION,
		    "the rmux there uses an older protocol: update it");
	if (strcmp(word, "1") != 0)
		return cause_set(c, -ERR_VERSION,
		    "the rmux there uses a newer protocol (%s): update the "
		    "one here",
		    word);
	word = rest == NULL ? NULL : strsep(&rest, " ");
	port = word == NULL ? 0 : strtoul(word, NULL, 10);
	word = rest == NULL ? NULL : strsep(&rest, " ");
	cid = word == NULL ? 0 : strtoull(word, NULL, 16);
	word = rest == NULL ? NULL : strsep(&rest, " ");
	b->resumed =
	    word != NULL && strcmp(word, "-") == 0 && cid != 0 && cid == b->cid;
	if (port == 0 || port > 65535 || cid == 0 || word == NULL ||
	    (!b->resumed && ssp_key_parse(word, b->key) != 0))
		r = cause_set(c, -ERR_PEER, "rmux's answer is damaged");
	b->port = (uint16_t)port;
	b->cid = cid;
	while (r == 0 && rest != NULL && b->naddrs < BOOTSTRAP_ADDRS_MAX) {
		word = strsep(&rest, " ");
		if (*word != '\0' && strlen(word) < sizeof(b->addrs[0]))
			strcpy(b->addrs[b->naddrs++], word);
	}
	if (r != 0)
		return r;
	(void)buf_add(
	    &b->rest, nl + 1, got->len - (size_t)(nl + 1 - (char *)got->data));
	return 1;
}

/* Explains why ssh ended without an answer. */
static int
explain(const struct bootstrap_cfg *cfg, struct bootstrap *b, struct cause *c)
{
	struct buf *tail = &b->tail;
	const char *rmux = cfg->server == NULL ? "rmux" : cfg->server;
	const char *host = cfg->target.login;
	char *line;
	int code;

	bootstrap_close(b);
	if (b->pid > 0)
		(void)waitpid(b->pid, &b->status, 0);
	b->pid = 0;
	code = WIFEXITED(b->status) ? WEXITSTATUS(b->status) : 255;
	if (code == 126 && strncmp(buf_cstr(tail), BOOTSTRAP_CANNOT,
			       sizeof(BOOTSTRAP_CANNOT) - 1) == 0)
		return cause_set(c, -ERR_NOTFOUND,
		    "rmux: ssh is needed on this machine: install it, or name "
		    "another program with --ssh");
	if (code == 126 || code == 127)
		return cause_set(c, -ERR_NOTFOUND,
		    "rmux: there is no %s on %s (or not in the PATH that ssh "
		    "gives a command).\nInstall it there (./quickstart, or "
		    "your system's package) or name its path: rmux attach "
		    "--server=PATH %s",
		    rmux, host, host);
	if (strstr(buf_cstr(tail), "__connect") != NULL)
		return cause_set(c, -ERR_VERSION,
		    "rmux: the rmux on %s is too old for this one: update it",
		    host);
	if (code == 255)
		return cause_set(
		    c, -ERR_CLOSED, "rmux: ssh could not reach %s", host);
	if (code == 0)
		return cause_set(c, -ERR_PEER,
		    "rmux: something other than rmux answered on %s (a forced "
		    "command? a login file that ends the shell?)",
		    host);
	/*
	 * The far side has printed its reason: repeat its last line if it was
	 * not shown.
	 */
	if (b->quiet && tail->len > 0) {
		while (tail->len > 0 && tail->data[tail->len - 1] == '\n')
			buf_truncate(tail, tail->len - 1);
		line = strrchr(buf_cstr(tail), '\n');
		return cause_set(c, -ERR_PEER, "%s",
		    line == NULL ? buf_cstr(tail) : line + 1);
	}
	return cause_set(c, -ERR_PEER, "%s",
	    tail->len > 0 ? "" : "rmux: the far side ended without an answer");
}

/* Passes on ssh's standard error and keeps the end of it. */
static bool
pass_errors(struct bootstrap *b)
{
	struct buf *tail = &b->tail;
	uint8_t bytes[4096];
	ssize_t n;

	n = read(b->err, bytes, sizeof(bytes));
	if (n < 0 && errno == EINTR)
		return true;
	if (n <= 0)
		return false;
	if (!b->quiet)
		(void)sys_write_all(STDERR_FILENO, bytes, (size_t)n);
	if (tail->len + (size_t)n > BOOTSTRAP_TAIL)
		buf_clear(tail);
	(void)buf_add(tail, bytes, (size_t)n);
	return true;
}

/*
 * Reads standard output. Returns 1 with the answer, 0 without it yet, or an
 * error if there will be none.
 */
static int
read_answer(
    const struct bootstrap_cfg *cfg, struct bootstrap *b, struct cause *c)
{
	uint8_t *space;
	ssize_t n;
	int r;

	if ((r = buf_reserve(&b->got, 8192, &space)) != 0)
		return r;
	n = read(b->out, space, 8192);
	if (n < 0 && errno == EINTR)
		return 0;
	if (n > 0) {
		buf_commit(&b->got, (size_t)n);
		return take_answer(b, c);
	}
	/* Errors often arrive after the end of output. */
	while (b->err >= 0 && pass_errors(b))
		;
	return explain(cfg, b, c);
}

int
bootstrap_step(const struct bootstrap_cfg *cfg, struct bootstrap *b, int ms,
    struct cause *c)
{
	struct pollfd p[2];
	int r = 0;

	p[0] = (struct pollfd){ .fd = b->out, .events = POLLIN };
	p[1] = (struct pollfd){ .fd = b->err, .events = POLLIN };
	if (poll(p, 2, ms) < 0) {
		if (errno == EINTR)
			return 0;
		r = cause_set(c, -ERR_SYS, "poll: %s", strerror(errno));
	}
	if (r == 0 && (p[1].revents & (POLLIN | POLLHUP)) != 0 &&
	    !pass_errors(b)) {
		close(b->err);
		b->err = -1;
	}
	if (r == 0 && (p[0].revents & (POLLIN | POLLHUP)) != 0)
		r = read_answer(cfg, b, c);
	if (r > 0)
		buf_clear(&b->got);
	else if (r < 0)
		bootstrap_kill(b);
	return r;
}

int
bootstrap_start(const struct bootstrap_cfg *cfg, struct bootstrap *b,
    enum bootstrap_how how, uint64_t resume, struct cause *c)
{
	static const char *const words[] = { "__connect", NULL };
	bool batch = how == BOOTSTRAP_BATCH;
	struct buf request;
	char **argv;
	int r;

	memset(b, 0, sizeof(*b));
	b->in = b->out = b->err = -1;
	b->quiet = batch;
	b->cid = resume;
	buf_init(&b->rest, 1 << 20);
	buf_init(&b->got, BOOTSTRAP_NOISE_MAX + 16384);
	buf_secret(&b->got, true);
	buf_init(&b->tail, BOOTSTRAP_TAIL * 2);
	buf_init(&request, CONTROL_MESSAGE_MAX);
	put_request(cfg, resume, &request);
	argv = ssh_argv_new(cfg, "-T", batch, words);
	r = ssh_start(b, argv, batch, c);
	/* If ssh has ended, its standard error tells the reason. */
	if (r == 0)
		(void)sys_write_all(b->in, request.data, request.len);
	else
		bootstrap_kill(b);
	argv_free(argv);
	buf_fini(&request);
	return r;
}

int
bootstrap_run(
    const struct bootstrap_cfg *cfg, struct bootstrap *b, struct cause *c)
{
	int r;

	if ((r = bootstrap_start(cfg, b, BOOTSTRAP_ASK, 0, c)) != 0)
		return r;
	while ((r = bootstrap_step(cfg, b, -1, c)) == 0)
		;
	return r < 0 ? r : 0;
}
