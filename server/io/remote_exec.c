/*
 * A command has three streams: messages about it, its input and output, its
 * errors.  They may be opened in any order, so the first one makes the struct,
 * and the command starts when all are there and its COMMAND has come.
 */
#include "server/io/remote_exec.h"

#include <sys/wait.h>

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/io/pty.h"
#include "base/io/stream.h"
#include "base/io/sys.h"
#include "base/map.h"
#include "base/mem.h"
#include "conf/environ.h"
#include "mux/mux.h"
#include "mux/sync/control.h"
#include "server/io/agent.h"
#include "server/io/spawn.h"
#include "server/run/run.h"
#include "server/run/shell.h"
#include "ssp/io/tube.h"

#define EXEC_WORDS 1024    /* words of CONTROL_EXEC_SELF */
#define EXEC_NOTHING 127   /* exit code: the command cannot start */
#define EXEC_SIGNALLED 128 /* and the number of the signal */

struct exec {
	struct execs *all;
	uint64_t messages; /* the EXEC stream */
	bool opened;       /* it has been opened */
	bool begun;        /* the command has been started, or cannot be */
	uint64_t parts[SSP_PARTS]; /* SSP_STREAM_NONE: to be opened */
	struct tube *tubes[SSP_PARTS];
	struct buf in; /* a message that has not come whole */
	pid_t pid;     /* 0: none */
	int pty;       /* -1: none */
};

struct execs {
	struct run *run;
	struct ssp_streams *ss;
	void (*changed)(void *arg);
	void *arg;
	struct map all;     /* struct exec, by its EXEC stream */
	struct map streams; /* struct exec, by every stream that is open */
};

/* --- tubes ------------------------------------------------------------------ */

static void
tube_changed(void *arg)
{
	const struct exec *x = arg;

	x->all->changed(x->all->arg);
}

static void
tube_ended(void *arg, struct tube *t)
{
	struct exec *x = arg;
	size_t i;

	for (i = 0; i < SSP_PARTS; i++) {
		if (x->tubes[i] != t)
			continue;
		x->tubes[i] = NULL;
		(void)map_remove_id(&x->all->streams, x->parts[i]);
	}
}

static void
exec_tube(
    struct exec *x, enum ssp_purpose_part part, const struct tube_fds *fds)
{
	static const struct tube_ops ops = { tube_changed, tube_ended, NULL };
	struct execs *xs = x->all;

	x->tubes[part] =
	    tube_new(xs->run->loop, xs->ss, x->parts[part], fds, &ops, x);
	tube_news(x->tubes[part]);
}

/* --- life ------------------------------------------------------------------- */

static struct exec *
exec_new(struct execs *xs, uint64_t messages)
{
	struct exec *x = mem_zalloc(sizeof(*x));
	size_t i;

	x->all = xs;
	x->messages = messages;
	x->pty = -1;
	for (i = 0; i < SSP_PARTS; i++)
		x->parts[i] = SSP_STREAM_NONE;
	buf_init(&x->in, CONTROL_MESSAGE_MAX + 65536);
	(void)map_set_id(&xs->all, messages, x);
	return x;
}

static void
exec_free(struct exec *x)
{
	struct execs *xs = x->all;
	size_t i;

	(void)map_remove_id(&xs->all, x->messages);
	(void)map_remove_id(&xs->streams, x->messages);
	for (i = 0; i < SSP_PARTS; i++) {
		if (x->tubes[i] != NULL)
			tube_free(x->tubes[i]);
		else if (map_remove_id(&xs->streams, x->parts[i]) != NULL)
			ssp_streams_release(xs->ss, x->parts[i]);
	}
	if (x->opened)
		ssp_streams_release(xs->ss, x->messages);
	if (x->pid > 0)
		(void)killpg(x->pid, SIGHUP);
	buf_fini(&x->in);
	mem_free(x);
}

/* Tells the client the end: its code and the name of a signal, or NULL. */
static void
exec_exit(struct exec *x, int code, const char *by)
{
	struct execs *xs = x->all;
	struct buf out;

	buf_init(&out, 256);
	(void)control_put_code(&out, CONTROL_EXIT, code, by);
	(void)ssp_streams_put(xs->ss, x->messages, out.data, out.len);
	ssp_streams_end(xs->ss, x->messages);
	buf_fini(&out);
	xs->changed(xs->arg);
}

/* The command cannot start. */
static void
exec_fail(struct exec *x, const char *why)
{
	static const struct tube_fds none = { -1, -1, false };
	struct buf out;
	size_t i;

	buf_init(&out, 1024);
	(void)control_put_data(&out, CONTROL_ERR, 0, why, strlen(why));
	(void)ssp_streams_put(x->all->ss, x->messages, out.data, out.len);
	buf_fini(&out);
	for (i = 0; i < SSP_PARTS; i++)
		exec_tube(x, (enum ssp_purpose_part)i, &none);
	exec_exit(x, EXEC_NOTHING, NULL);
}

/* --- the start -------------------------------------------------------------- */

/* A command to start; it borrows the message. */
struct exec_start {
	const struct control_msg *m;
	const char *path;            /* of the program */
	char *words[EXEC_WORDS + 1]; /* of it */
	size_t nwords;
	struct environ env;
};

/*
 * Writes the words of the message for the shell, or rmux.  Returns false if there
 * are too many, or they name no subsystem.
 */
static bool
start_words(struct execs *xs, struct exec_start *s)
{
	static const char sftp[] =
	    "for f in /usr/lib/openssh /usr/libexec/openssh /usr/libexec "
	    "/usr/lib/ssh /usr/lib64/ssh /usr/local/libexec; do "
	    "[ -x $f/sftp-server ] && exec $f/sftp-server; done; "
	    "echo 'rmux: there is no sftp-server here' >&2; exit 127";
	struct control_list l = s->m->list;
	const char *shell = shell_environment(xs->run), *base;
	struct control_str word;

	base = strrchr(shell, '/');
	base = base == NULL ? shell : base + 1;
	s->path = shell;
	if (l.count == 0) {
		s->words[s->nwords++] = mem_printf("-%s", base);
		return true;
	}
	if ((s->m->flags & CONTROL_EXEC_SELF) != 0) {
		s->path = NULL;
		s->words[s->nwords++] = mem_strdup("rmux");
	} else {
		if ((s->m->flags & CONTROL_EXEC_SUBSYSTEM) != 0)
			s->path = "/bin/sh";
		s->words[s->nwords++] = mem_strdup(base);
		s->words[s->nwords++] = mem_strdup("-c");
	}
	while (control_list_next(&l, &word)) {
		if (s->nwords == EXEC_WORDS ||
		    ((s->m->flags & CONTROL_EXEC_SUBSYSTEM) != 0 &&
			(word.len != 4 || memcmp(word.p, "sftp", 4) != 0)))
			return false;
		s->words[s->nwords++] =
		    (s->m->flags & CONTROL_EXEC_SUBSYSTEM) != 0
			? mem_strdup(sftp)
			: control_str_new(word);
	}
	return true;
}

static void
start_env(struct execs *xs, struct exec_start *s)
{
	struct control_list l = s->m->envlist;
	struct control_str one;
	char *text;

	environ_init(&s->env);
	(void)environ_set(
	    &s->env, "SHELL", shell_environment(xs->run), false, NULL);
	if ((s->m->flags & CONTROL_EXEC_AGENT) != 0) {
		text = mem_printf("%s" AGENT_SUFFIX, xs->run->socket_path);
		(void)environ_set(&s->env, "SSH_AUTH_SOCK", text, false, NULL);
		mem_free(text);
	}
	while (control_list_next(&l, &one)) {
		text = control_str_new(one);
		environ_put(&s->env, text);
		mem_free(text);
	}
	if ((s->m->flags & CONTROL_EXEC_TTY) != 0) {
		text = control_str_new(s->m->term);
		(void)environ_set(&s->env, "TERM",
		    *text == '\0' ? "dumb" : text, false, NULL);
		mem_free(text);
	} else
		(void)environ_set(&s->env, "TERM", NULL, false, NULL);
}

static const char *
start_home(struct execs *xs, const struct exec_start *s)
{
	const char *home = environ_get(&s->env, "HOME");

	return home != NULL ? home
			    : environ_get(&xs->run->mux->environ, "HOME");
}

static int
start_pty(
    struct exec *x, struct exec_start *s, char *const *env, struct cause *c)
{
	static const struct tube_fds none = { -1, -1, false };
	const char *words[EXEC_WORDS + 1];
	union {
		char *const *in;
		const char *const *out;
	} vars = { env };
	const struct pty_spec spec = {
		.argv = words,
		.argv0 = s->words[0],
		.envp = vars.out,
		.cwd = start_home(x->all, s),
		.size = { s->m->size[0], s->m->size[1] },
		.xpixel = s->m->size[2],
		.ypixel = s->m->size[3],
	};
	size_t i;
	int e;

	words[0] = s->path;
	for (i = 1; i <= s->nwords; i++)
		words[i] = s->words[i];
	if ((e = pty_spawn(&spec, &x->pty, &x->pid, c)) != 0)
		return e;
	exec_tube(x, SSP_PART_ERR, &none);
	ssp_streams_rank(x->all->ss, x->parts[SSP_PART_IO], SSP_PRIO_TALK);
	exec_tube(
	    x, SSP_PART_IO, &(const struct tube_fds){ x->pty, x->pty, false });
	return 0;
}

static void
fds_close(const int *fds, size_t n)
{
	while (n-- > 0)
		if (fds[n] >= 0)
			(void)close(fds[n]);
}

static int
start_pipes(
    struct exec *x, struct exec_start *s, char *const *env, struct cause *c)
{
	int in[2] = { -1, -1 }, out[2] = { -1, -1 }, err[2] = { -1, -1 };

	if (pipe(in) == 0 && pipe(out) == 0 && pipe(err) == 0)
		x->pid = spawn_words(s->path, s->words, start_home(x->all, s),
		    env, (const int[]){ in[0], out[1], err[1] });
	if (x->pid <= 0) {
		x->pid = 0;
		(void)cause_set(
		    c, -ERR_SYS, "cannot start it: %s", strerror(errno));
		fds_close((const int[]){ in[0], in[1], out[0], out[1], err[0],
			      err[1] },
		    6);
		return -ERR_SYS;
	}
	fds_close((const int[]){ in[0], out[1], err[1] }, 3);
	if (stream_prepare(in[1]) != 0 || stream_prepare(out[0]) != 0 ||
	    stream_prepare(err[0]) != 0)
		log_write(&x->all->run->log, LOG_INFO, LOG_SSP,
		    "exec: fcntl: %s", strerror(errno));
	exec_tube(
	    x, SSP_PART_ERR, &(const struct tube_fds){ err[0], -1, true });
	exec_tube(
	    x, SSP_PART_IO, &(const struct tube_fds){ out[0], in[1], true });
	return 0;
}

static void
exec_start(struct exec *x, const struct control_msg *m)
{
	const bool tty = (m->flags & CONTROL_EXEC_TTY) != 0;
	struct exec_start s = { .m = m };
	struct cause c = { NULL };
	char **env, *self = NULL;
	int e = -ERR_LIMIT;

	x->begun = true;
	start_env(x->all, &s);
	if (!start_words(x->all, &s))
		cause_set(&c, e, "too many words, or an unknown subsystem");
	else if (s.path == NULL && (s.path = self = sys_program_new()) == NULL)
		cause_set(&c, e, "rmux cannot find itself");
	else {
		env = spawn_env_plain_new(x->all->run, &s.env);
		e = tty ? start_pty(x, &s, env, &c)
			: start_pipes(x, &s, env, &c);
		spawn_env_free(env);
	}
	if (e != 0)
		exec_fail(x, cause_text(&c));
	else
		log_write(&x->all->run->log, LOG_INFO, LOG_SSP,
		    "exec: process %ld, %s", (long)x->pid,
		    s.nwords > 2 ? s.words[2] : s.path);
	cause_fini(&c);
	environ_fini(&s.env);
	while (s.nwords > 0)
		mem_free(s.words[--s.nwords]);
	mem_free(self);
}

/* --- messages ---------------------------------------------------------------- */

static const struct exec_signal {
	const char *name;
	int number;
} exec_signals[] = {
	{ "HUP", SIGHUP },
	{ "INT", SIGINT },
	{ "QUIT", SIGQUIT },
	{ "TERM", SIGTERM },
	{ "USR1", SIGUSR1 },
	{ "USR2", SIGUSR2 },
	{ "KILL", SIGKILL },
	{ "ABRT", SIGABRT },
	{ "ALRM", SIGALRM },
	{ "FPE", SIGFPE },
	{ "ILL", SIGILL },
	{ "PIPE", SIGPIPE },
	{ "SEGV", SIGSEGV },
};

static void
exec_signal(const struct exec *x, const struct control_msg *m)
{
	const struct exec_signal *s;

	if (x->pid <= 0)
		return;
	if ((m->has & CONTROL_HAS_SIZE) != 0) {
		if (x->pty >= 0)
			(void)pty_resize(x->pty,
			    (struct cell_size){ m->size[0], m->size[1] },
			    m->size[2], m->size[3]);
		return;
	}
	for (s = exec_signals; s < exec_signals + ARRAY_LEN(exec_signals); s++)
		if (strlen(s->name) == m->text.len &&
		    memcmp(s->name, m->text.p, m->text.len) == 0)
			(void)killpg(x->pid, s->number);
}

static bool
exec_ready(const struct exec *x)
{
	return x->opened && x->parts[SSP_PART_IO] != SSP_STREAM_NONE &&
	       x->parts[SSP_PART_ERR] != SSP_STREAM_NONE;
}

/* Handles the messages that have come whole. */
static void
exec_messages(struct exec *x)
{
	struct control_msg m;
	size_t used;
	int e;

	while ((e = control_decode(x->in.data, x->in.len, &m, &used)) == 0) {
		if (m.type == CONTROL_COMMAND && !x->begun) {
			if (!exec_ready(x))
				return;
			exec_start(x, &m);
		} else if (m.type == CONTROL_SIGNAL)
			exec_signal(x, &m);
		buf_consume(&x->in, used);
	}
	if (e != -ERR_AGAIN || x->in.overflow) {
		x->opened = false;
		ssp_streams_reset(x->all->ss, x->messages, SSP_REASON_FAILED,
		    "malformed message");
		exec_free(x);
	}
}

static void
exec_take(struct exec *x)
{
	struct execs *xs = x->all;
	const uint8_t *p;
	size_t n;

	while ((p = ssp_streams_peek(xs->ss, x->messages, &n)) != NULL) {
		(void)buf_add(&x->in, p, n);
		ssp_streams_taken(
		    xs->ss, loop_now(xs->run->loop), x->messages, n);
	}
	/* The client has all it wants, or has gone. */
	if (ssp_streams_state(xs->ss, x->messages) != SSP_STREAM_OPEN)
		exec_free(x);
	else
		exec_messages(x);
}

void
execs_opened(struct execs *xs, uint64_t stream, const struct ssp_purpose *p)
{
	const bool part = p->kind == SSP_PURPOSE_PART;
	const uint64_t id = part ? p->exec : stream;
	struct exec *x = map_get_id(&xs->all, id);

	/* A PART may come first: only of a stream that the client can open. */
	if (part && x == NULL && (id % 2 != 0 || id == SSP_STREAM_CONTROL)) {
		ssp_streams_reset(
		    xs->ss, stream, SSP_REASON_DENIED, "not asked for");
		return;
	}
	if (x == NULL)
		x = exec_new(xs, id);
	if (part && x->parts[p->part] != SSP_STREAM_NONE) {
		ssp_streams_reset(
		    xs->ss, stream, SSP_REASON_DENIED, "a second one");
		return;
	}
	(void)map_set_id(&xs->streams, stream, x);
	if (part)
		x->parts[p->part] = stream;
	else
		x->opened = true;
	if (x->opened)
		exec_take(x);
}

bool
execs_news(struct execs *xs, uint64_t stream)
{
	struct exec *x = map_get_id(&xs->streams, stream);
	size_t i;

	if (x == NULL)
		return false;
	if (stream == x->messages) {
		exec_take(x);
		return true;
	}
	for (i = 0; i < SSP_PARTS; i++) {
		if (x->parts[i] != stream)
			continue;
		if (x->tubes[i] != NULL)
			tube_news(x->tubes[i]);
		else if (ssp_streams_state(xs->ss, stream) == SSP_STREAM_RESET)
			exec_free(x);
		return true;
	}
	return true;
}

/* --- ends ---------------------------------------------------------------------- */

static const char *
signal_name(int number)
{
	const struct exec_signal *s;

	for (s = exec_signals; s < exec_signals + ARRAY_LEN(exec_signals); s++)
		if (s->number == number)
			return s->name;
	return "?";
}

bool
execs_reaped(struct execs *xs, pid_t pid, int status)
{
	struct map_entry *e;
	struct exec *x;

	MAP_FOREACH(e, &xs->all) {
		x = e->value;
		if (x->pid != pid)
			continue;
		x->pid = 0;
		if (WIFSIGNALED(status))
			exec_exit(x, EXEC_SIGNALLED + WTERMSIG(status),
			    signal_name(WTERMSIG(status)));
		else
			exec_exit(x, WEXITSTATUS(status), NULL);
		/* Programs that the command left do not keep the terminal. */
		if (x->pty >= 0 && x->tubes[SSP_PART_IO] != NULL) {
			x->pty = -1;
			tube_finish(x->tubes[SSP_PART_IO]);
		}
		return true;
	}
	return false;
}

struct execs *
execs_new(struct run *run, struct ssp_streams *ss, void (*changed)(void *arg),
    void *arg)
{
	struct execs *xs = mem_zalloc(sizeof(*xs));

	xs->run = run;
	xs->ss = ss;
	xs->changed = changed;
	xs->arg = arg;
	map_init_ids(&xs->all);
	map_init_ids(&xs->streams);
	return xs;
}

void
execs_free(struct execs *xs)
{
	struct exec *x;

	if (xs == NULL)
		return;
	while (xs->all.count > 0) {
		x = xs->all.entries[0].value;
		if (x->opened && x->pid > 0)
			ssp_streams_reset(xs->ss, x->messages, SSP_REASON_GONE,
			    "the server has ended");
		exec_free(x);
	}
	map_fini(&xs->all);
	map_fini(&xs->streams);
	mem_free(xs);
}
