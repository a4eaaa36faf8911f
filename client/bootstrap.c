#include "client/bootstrap.h"

#include <sys/wait.h>

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/io/sys.h"
#include "base/mem.h"
#include "client/launch.h"
#include "mux/sync/control.h"

/* Bytes of standard error kept for the explanation. */
#define BOOTSTRAP_TAIL 4096

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
	if (b->run != 0)
		launch_kill(b->launch, b->run);
	b->run = 0;
}

/* --- the answer ----------------------------------------------------------- */

/* Explains why ssh ended without an answer. */
static int
explain(const struct bootstrap_cfg *cfg, struct bootstrap *b, struct cause *c)
{
	struct buf *tail = &b->tail;
	const char *rmux = cfg->server == NULL ? "rmux" : cfg->server;
	const char *host = cfg->target.login;
	char *line;
	int code, status;

	bootstrap_close(b);
	status = launch_status(b->launch, b->run);
	b->run = 0;
	code = WIFEXITED(status) ? WEXITSTATUS(status) : 255;
	if (code == 126 && strncmp(buf_cstr(tail), BOOTSTRAP_CANNOT,
			       sizeof(BOOTSTRAP_CANNOT) - 1) == 0)
		return cause_set(c, -ERR_NOTFOUND,
		    "rmux: ssh is needed on this machine: install it, or name "
		    "another program with --ssh");
	if (far_missing_parse(b->got.data, b->got.len, &b->far))
		return cause_set(c, -ERR_NOTFOUND,
		    "rmux: there is no rmux on %s (or not in the PATH that ssh "
		    "gives a command)",
		    host);
	if (code == 126 || code == 127)
		return cause_set(c, -ERR_NOTFOUND,
		    "rmux: there is no %s on %s (or not in the PATH that ssh "
		    "gives a command).\nInstall it there (./quickstart, or "
		    "your system's package) or name its path: rmux attach "
		    "--server=PATH %s",
		    rmux, host, host);
	if (code == CONTROL_EXIT_GONE)
		return cause_set(c, -ERR_STATE,
		    "rmux: the server on %s does not know this client any more",
		    host);
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
	if (tail->len == 0)
		return cause_set(c, -ERR_CLOSED,
		    "rmux: ssh failed: `%s` ended with exit code %d before "
		    "rmux on %s answered; does `%s %s true` work?",
		    cfg->ssh, code, host, cfg->ssh, host);
	/*
	 * The far side has printed its reason: repeat its last line if it was
	 * not shown.
	 */
	if (b->quiet) {
		while (tail->len > 0 && tail->data[tail->len - 1] == '\n')
			buf_truncate(tail, tail->len - 1);
		line = strrchr(buf_cstr(tail), '\n');
		return cause_set(c, -ERR_PEER, "%s",
		    line == NULL ? buf_cstr(tail) : line + 1);
	}
	return cause_set(c, -ERR_PEER, "%s", "");
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
		return bootstrap_answer(b, c);
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
bootstrap_start(struct launch *launch, struct bootstrap *b,
    enum bootstrap_how how, uint64_t resume, struct cause *c)
{
	int fds[3], r;

	memset(b, 0, sizeof(*b));
	b->in = b->out = b->err = -1;
	b->launch = launch;
	b->quiet = how == BOOTSTRAP_BATCH;
	b->cid = resume;
	buf_init(&b->rest, 1 << 20);
	buf_init(&b->got, BOOTSTRAP_NOISE_MAX + 16384);
	buf_secret(&b->got, true);
	buf_init(&b->tail, BOOTSTRAP_TAIL * 2);
	if ((r = launch_ssh(launch, how, resume, fds, &b->run, c)) != 0) {
		bootstrap_kill(b);
		return r;
	}
	b->in = fds[0];
	b->out = fds[1];
	b->err = fds[2];
	return 0;
}

int
bootstrap_run(const struct bootstrap_cfg *cfg, struct launch *launch,
    struct bootstrap *b, struct cause *c)
{
	int r;

	if ((r = bootstrap_start(launch, b, BOOTSTRAP_ASK, 0, c)) != 0)
		return r;
	/* The answer needs the host's addresses. */
	launch_lookup_ahead(launch);
	while ((r = bootstrap_step(cfg, b, -1, c)) == 0)
		;
	return r < 0 ? r : 0;
}
