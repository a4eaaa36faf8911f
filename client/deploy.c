#include "client/deploy.h"
#include "config.h"

#include <sys/wait.h>

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "base/io/sys.h"
#include "base/mem.h"
#include "base/str.h"
#include "client/deploy_file.h"

#define DEPLOY_FILES_MAX 10
/* Output of the far side: what is read, and what is kept of its errors. */
#define DEPLOY_OUTPUT_MAX 65536
#define DEPLOY_SAID_MAX 200

struct deploy {
	enum deploy_mode mode;
	const struct bootstrap_cfg *cfg;
	struct deploy_file files[DEPLOY_FILES_MAX];
	size_t nfiles;
	char sums[DEPLOY_FILES_MAX * 65 + 1];
	struct cause wrong; /* what is wrong with $RMUX_DEPLOY */
};

/* --- what can be copied --------------------------------------------------- */

/* Adds the file at PATH, unless there is one for its architecture. */
static int
add_file(struct deploy *d, const char *path, struct cause *c)
{
	struct deploy_file *f = &d->files[d->nfiles];
	size_t i;
	int r;

	if (d->nfiles == DEPLOY_FILES_MAX)
		return -ERR_LIMIT;
	if ((r = deploy_file_read(path, f, NULL, c)) != 0)
		return r;
	for (i = 0; i < d->nfiles; i++)
		if (deploy_file_fits(&d->files[i], f->machine))
			return 0;
	str_append(d->sums, d->nfiles == 0 ? "" : " ", sizeof(d->sums));
	str_append(d->sums, f->sum, sizeof(d->sums));
	d->nfiles++;
	return 0;
}

struct deploy *
deploy_new(enum deploy_mode mode, struct bootstrap_cfg *b)
{
	struct deploy *d = mem_zalloc(sizeof(*d));
	const char *chosen = getenv("RMUX_DEPLOY"), *name;
	struct cause none = { NULL };
	char *path;
	size_t i;

	d->mode = mode;
	d->cfg = b;
	b->sums = NULL;
	/* --server names the program: there is nothing to find or to copy. */
	if (mode == DEPLOY_NO || b->server != NULL)
		return d;
	if (chosen != NULL && *chosen != '\0') {
		(void)add_file(d, chosen, &d->wrong);
	} else {
		for (i = 0; (name = deploy_machine(i)) != NULL; i++) {
			path = mem_printf(
			    "%s/static/rmux-%s", RMUX_LIBEXECDIR, name);
			(void)add_file(d, path, &none);
			cause_fini(&none);
			mem_free(path);
		}
#ifdef RMUX_STATIC
		if ((path = sys_program_new()) != NULL)
			(void)add_file(d, path, &none);
		cause_fini(&none);
		mem_free(path);
#endif
	}
	if (d->nfiles > 0)
		b->sums = d->sums;
	return d;
}

void
deploy_free(struct deploy *d)
{
	if (d == NULL)
		return;
	cause_fini(&d->wrong);
	mem_free(d);
}

/* --- ssh ------------------------------------------------------------------ */

struct talk {
	struct bootstrap_ssh ssh;
	const char *in; /* what it gets on its standard input */
	size_t left;
	size_t all;
	unsigned told; /* per cent that the user has seen */
	bool show;
	struct buf out;
	struct buf err; /* the end of it */
};

static void
talk_close(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

/* Passes on the next piece of the file. */
static void
talk_write(struct talk *t)
{
	ssize_t n = write(t->ssh.in, t->in, MIN_OF(t->left, 65536u));
	unsigned done;

	if (n < 0 && (errno == EINTR || errno == EAGAIN))
		return;
	if (n > 0) {
		t->in += n;
		t->left -= (size_t)n;
	}
	done =
	    t->all == 0 ? 100 : (unsigned)((t->all - t->left) * 100 / t->all);
	if (t->show && done != t->told)
		fprintf(stderr, "\rcopying: %u %%", t->told = done);
	/* If ssh has ended, its errors tell the reason. */
	if (n <= 0 || t->left == 0)
		talk_close(&t->ssh.in);
}

/* Reads output; keeps its start, or its end (LAST). */
static void
talk_read(int *fd, struct buf *b, bool last)
{
	uint8_t bytes[4096];
	ssize_t n = read(*fd, bytes, sizeof(bytes));

	if (n < 0 && errno == EINTR)
		return;
	if (n <= 0) {
		talk_close(fd);
		return;
	}
	if (last && b->len + (size_t)n > DEPLOY_OUTPUT_MAX)
		buf_clear(b);
	if (b->len + (size_t)n <= DEPLOY_OUTPUT_MAX)
		(void)buf_add(b, bytes, (size_t)n);
}

/*
 * Runs ssh with COMMAND at the far end, and gives it N bytes at P on standard
 * input. Out: t->out and t->err, which the caller frees. Returns ssh's exit
 * code, or an error.
 */
static int
talk_run(struct talk *t, const struct bootstrap_cfg *cfg, const char *command,
    const char *p, size_t n, struct cause *c)
{
	void (*before)(int) = signal(SIGPIPE, SIG_IGN);
	struct pollfd fd[3];
	int r, status = 0;

	t->in = p;
	t->left = t->all = n;
	if ((r = bootstrap_spawn(cfg, BOOTSTRAP_ASK, command, &t->ssh, c)) !=
	    0) {
		(void)signal(SIGPIPE, before);
		return r;
	}
	(void)sys_set_nonblock(t->ssh.in);
	if (n == 0)
		talk_close(&t->ssh.in);
	while (t->ssh.out >= 0 || t->ssh.err >= 0) {
		fd[0] = (struct pollfd){ .fd = t->ssh.in, .events = POLLOUT };
		fd[1] = (struct pollfd){ .fd = t->ssh.out, .events = POLLIN };
		fd[2] = (struct pollfd){ .fd = t->ssh.err, .events = POLLIN };
		if (poll(fd, 3, -1) < 0)
			continue;
		if (fd[0].revents != 0)
			talk_write(t);
		if (fd[1].revents != 0)
			talk_read(&t->ssh.out, &t->out, false);
		if (fd[2].revents != 0)
			talk_read(&t->ssh.err, &t->err, true);
	}
	talk_close(&t->ssh.in);
	while (waitpid(t->ssh.pid, &status, 0) < 0 && errno == EINTR)
		;
	(void)signal(SIGPIPE, before);
	if (t->show && t->told > 0)
		fprintf(stderr, "\r\033[K");
	return WIFEXITED(status) ? WEXITSTATUS(status) : 255;
}

static void
talk_init(struct talk *t)
{
	memset(t, 0, sizeof(*t));
	t->show = isatty(STDERR_FILENO);
	buf_init(&t->out, DEPLOY_OUTPUT_MAX + 1);
	buf_init(&t->err, DEPLOY_OUTPUT_MAX + 1);
}

static void
talk_fini(struct talk *t)
{
	buf_fini(&t->out);
	buf_fini(&t->err);
}

/*
 * security: returns the last line of the far side's errors, safe to show, in
 * parentheses with a space before them; "" if there is none (mem_free).
 */
static char *
talk_said_new(const struct talk *t)
{
	const char *p = (const char *)t->err.data, *start;
	size_t n = t->err.len;
	char *plain, *all;

	while (n > 0 && (p[n - 1] == '\n' || p[n - 1] == '\r'))
		n--;
	if (n == 0)
		return mem_strdup("");
	for (start = p + n; start > p && start[-1] != '\n'; start--)
		;
	plain = str_plain_new(start,
	    MIN_OF((size_t)(p + n - start), (size_t)DEPLOY_SAID_MAX),
	    DEPLOY_SAID_MAX);
	all = mem_printf(" (%s)", plain);
	mem_free(plain);
	return all;
}

/* --- asking --------------------------------------------------------------- */

/* "rmux 0.1.0 (x86_64, 4.7 MB, sha256 0123...)" */
static char *
described_new(const struct deploy_file *f)
{
	return mem_printf("rmux %s (%s, %zu.%zu MB%s, sha256 %s)",
	    PACKAGE_VERSION, f->machine, f->size / 1000000,
	    f->size / 100000 % 10, f->needs_libs ? ", not static" : "", f->sum);
}

static bool
can_ask(const struct deploy *d)
{
	return d->mode == DEPLOY_ASK && isatty(STDIN_FILENO) &&
	       isatty(STDERR_FILENO);
}

/* Reads a line of the terminal; returns whether it begins with y. */
static bool
says_yes(void)
{
	char line[256];
	size_t n = 0;
	char byte;
	ssize_t got;

	/* Keys from before the question are no answer. */
	(void)tcflush(STDIN_FILENO, TCIFLUSH);
	while ((got = read(STDIN_FILENO, &byte, 1)) != 0) {
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0 || byte == '\n')
			break;
		if (n < sizeof(line) - 1)
			line[n++] = byte;
	}
	line[n] = '\0';
	return got > 0 &&
	       (str_eq_nocase(line, "y") || str_eq_nocase(line, "yes"));
}

static bool
agreed(const struct deploy *d, const struct deploy_file *f,
    const struct far_machine *far)
{
	const char *host = d->cfg->target.login;
	char *what = described_new(f);
	bool yes = d->mode == DEPLOY_YES;

	if (yes)
		fprintf(stderr, "rmux: copying %s to %s:~/%s/rmux-%s\n", what,
		    host, FAR_FOLDER, PACKAGE_VERSION);
	else {
		fprintf(stderr,
		    far->other ? "%s has another rmux %s.\n"
			       : "%s has no rmux.\n",
		    host, PACKAGE_VERSION);
		fprintf(stderr, "Copy %s to %s:~/%s/rmux-%s? [y/N] ", what,
		    host, FAR_FOLDER, PACKAGE_VERSION);
		yes = says_yes();
	}
	mem_free(what);
	return yes;
}

/* --- copying -------------------------------------------------------------- */

static int
copy(struct deploy *d, const struct deploy_file *chosen, struct cause *c)
{
	const char *host = d->cfg->target.login;
	const struct far_step *step;
	struct deploy_file f;
	struct talk t;
	struct buf command;
	char *data, *said;
	bool summed;
	int r;

	if ((r = deploy_file_read(chosen->path, &f, &data, c)) != 0)
		return r;
	if (strcmp(f.sum, chosen->sum) != 0) {
		mem_free(data);
		return cause_set(c, -ERR_STATE,
		    "rmux: %s has changed meanwhile: attach again", f.path);
	}
	talk_init(&t);
	buf_init(&command, 1 << 16);
	far_take(&command, f.size, f.sum);
	r = talk_run(&t, d->cfg, buf_cstr(&command), data, f.size, c);
	buf_fini(&command);
	mem_free(data);
	said = talk_said_new(&t);
	if (r < 0)
		;
	else if (far_take_parse(t.out.data, t.out.len, &summed, &step)) {
		fprintf(stderr, "rmux: copied, and %s\n",
		    summed ? "the checksum there is right"
			   : "the size there is right (no program there "
			     "computes SHA-256)");
		r = 0;
	} else if (step != NULL)
		r = cause_set(c, -ERR_IO,
		    "rmux: copying to %s:~/%s failed: %s%s: %s", host,
		    FAR_FOLDER, step->text, said, step->advice);
	else
		r = cause_set(c, -ERR_CLOSED,
		    "rmux: copying to %s failed: ssh ended with exit code "
		    "%d%s",
		    host, r, said);
	mem_free(said);
	talk_fini(&t);
	return r;
}

/* Explains why nothing can or shall be copied. */
static int
refuse(struct deploy *d, const struct far_machine *far,
    const struct deploy_file *f, struct cause *c)
{
	const char *host = d->cfg->target.login;
	char have[DEPLOY_FILES_MAX * 16] = "";
	size_t i;

	for (i = 0; i < d->nfiles; i++) {
		str_append(have, i == 0 ? "" : ", ", sizeof(have));
		str_append(have, d->files[i].machine, sizeof(have));
	}
	if (f != NULL && far->other)
		return cause_set(c, -ERR_NOTFOUND,
		    "rmux: %s has another build of rmux %s: rmux attach "
		    "--no-deploy %s uses it, --deploy replaces it",
		    host, PACKAGE_VERSION, host);
	if (f != NULL)
		return cause_set(c, -ERR_NOTFOUND,
		    "rmux: there is no rmux on %s (or not in the PATH that ssh "
		    "gives a command).\nInstall it there, or let rmux copy "
		    "itself: rmux attach --deploy %s",
		    host, host);
	if (d->wrong.text != NULL)
		return cause_set(c, -ERR_NOTFOUND,
		    "rmux: there is no rmux on %s, and RMUX_DEPLOY is no help: "
		    "%s",
		    host, cause_text(&d->wrong));
	if (d->nfiles > 0)
		return cause_set(c, -ERR_NOTFOUND,
		    "rmux: there is no rmux on %s, which is %s %s; the static "
		    "rmux here is for Linux %s.\nInstall it there "
		    "(./quickstart, or your system's package) or name its "
		    "path: rmux attach --server=PATH %s",
		    host, far->system, far->machine, have, host);
	return cause_set(c, -ERR_NOTFOUND,
	    "rmux: there is no rmux on %s (or not in the PATH that ssh gives a "
	    "command).\nInstall it there (./quickstart, or your system's "
	    "package), name its path: rmux attach --server=PATH %s,\nor copy "
	    "a static rmux for %s %s with RMUX_DEPLOY=FILE rmux attach %s",
	    host, host, far->system, far->machine, host);
}

/* Copies rmux to the machine FAR, which has none, if the user wants it. */
static int
deploy_offer(struct deploy *d, const struct far_machine *far, struct cause *c)
{
	const struct deploy_file *f = NULL;
	size_t i;

	cause_fini(c);
	for (i = 0; i < d->nfiles; i++)
		if (strcmp(far->system, "Linux") == 0 &&
		    deploy_file_fits(&d->files[i], far->machine))
			f = &d->files[i];
	if (f == NULL || (d->mode != DEPLOY_YES && !can_ask(d)) ||
	    !agreed(d, f, far))
		return refuse(d, far, f, c);
	return copy(d, f, c);
}

int
deploy_bootstrap(struct deploy *d, struct launch *launch, struct bootstrap *b,
    struct cause *c)
{
	int r = bootstrap_run(d->cfg, launch, b, c);

	if (r != -ERR_NOTFOUND || b->far.system[0] == '\0')
		return r;
	if ((r = deploy_offer(d, &b->far, c)) != 0)
		return r;
	return bootstrap_run(d->cfg, launch, b, c);
}

int
deploy_ensure(struct deploy *d, struct cause *c)
{
	struct far_machine far;
	struct buf command;
	struct talk t;
	int r;

	if (d->mode != DEPLOY_YES || d->cfg->server != NULL)
		return 0;
	talk_init(&t);
	buf_init(&command, 1 << 16);
	far_find(&command, d->cfg->sums, FAR_MARK, "");
	far_quote(&command, "-V");
	r = talk_run(&t, d->cfg, buf_cstr(&command), NULL, 0, c);
	buf_fini(&command);
	/* Other errors are the command's own, which ssh will print. */
	if (r >= 0)
		r = far_missing_parse(t.out.data, t.out.len, &far)
			? deploy_offer(d, &far, c)
			: 0;
	talk_fini(&t);
	return r;
}
