#include "server/io/scope.h"

#include <sys/utsname.h>

#include <pwd.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/io/sys.h"
#include "base/mem.h"
#include "conf/style.h"
#include "mux/fmt/badge.h"
#include "mux/fmt/vars.h"
#include "mux/mux.h"
#include "mux/target.h"
#include "mux/window.h"
#include "server/io/job.h"
#include "server/io/mirror.h"
#include "server/io/nested.h"
#include "server/io/pane_io.h"
#include "server/io/remote.h"
#include "server/io/spawn.h"
#include "server/run/cmdq.h"
#include "server/run/notes.h"
#include "server/run/run.h"

/* #() commands whose output is kept; the oldest is dropped. */
#define SCOPE_JOBS_MAX 256

/* Variables of one expansion: those of the command and of the hook. */
#define SCOPE_PLAIN_MAX 1024 /* bytes of a format without a variable */
#define SCOPE_VARS_MAX 32

/* Time before a command is started again. */
#define SCOPE_JOB_MS 1000

struct scope {
	struct run *run;
	const struct pane_ios *panes;
	struct jobs *jobs;
	const struct scope_ops *ops;
	void *arg;               /* of ops */
	struct list job_outputs; /* struct scope_job, oldest first */
};

/* The output of a #(command). */
struct scope_job {
	struct list_node node;
	struct scope *scope;
	char *command;
	char *line; /* last line of its output */
	mono_ms started;
	struct job *job; /* while it runs */
};

/* --- what only the server knows ------------------------------------------------ */

typedef void (*scope_fn)(const struct run *run, struct buf *out);

static void
put_host(UNUSED const struct run *run, struct buf *out)
{
	struct utsname u;

	if (uname(&u) == 0)
		(void)buf_add_str(out, u.nodename);
}

static void
put_host_short(UNUSED const struct run *run, struct buf *out)
{
	struct utsname u;

	if (uname(&u) == 0)
		(void)buf_add(out, u.nodename, strcspn(u.nodename, "."));
}

static void
put_pid(UNUSED const struct run *run, struct buf *out)
{
	(void)buf_addf(out, "%ld", (long)getpid());
}

static void
put_uid(UNUSED const struct run *run, struct buf *out)
{
	(void)buf_addf(out, "%ld", (long)getuid());
}

static void
put_user(UNUSED const struct run *run, struct buf *out)
{
	struct passwd *pw = getpwuid(getuid());

	if (pw != NULL)
		(void)buf_add_str(out, pw->pw_name);
}

static void
put_socket(const struct run *run, struct buf *out)
{
	(void)buf_add_str(out, run->socket_path);
}

static void
put_start(const struct run *run, struct buf *out)
{
	(void)buf_addf(out, "%lld", (long long)run->start_wall);
}

static void
put_config(const struct run *run, struct buf *out)
{
	notes_files(run->notes, out);
}

static void
put_compat(const struct run *run, struct buf *out)
{
	if (run->compat_dir != NULL)
		(void)buf_add_str(out, run->compat_dir);
}

static const struct scope_row {
	const char *name;
	scope_fn fn;
} scope_rows[] = {
	{ "host", put_host },
	{ "host_short", put_host_short },
	{ "pid", put_pid },
	{ "uid", put_uid },
	{ "user", put_user },
	{ "socket_path", put_socket },
	{ "start_time", put_start },
	{ "config_files", put_config },
	{ "tmux_compat_dir", put_compat },
};

static bool
scope_server(void *arg, const char *name, struct buf *out)
{
	const struct scope *sc = arg;
	size_t i;

	for (i = 0; i < ARRAY_LEN(scope_rows); i++)
		if (strcmp(scope_rows[i].name, name) == 0) {
			scope_rows[i].fn(sc->run, out);
			return true;
		}
	return false;
}

static bool
scope_client(
    void *arg, const struct client *c, const char *name, struct buf *out)
{
	const struct scope *sc = arg;
	const struct mirror *mirror = NULL;
	const struct remote *remote = NULL;
	struct remote_info i = { .link = "local" };
	struct badge badge;
	char text[96];
	bool far;

	far = sc->ops->client(sc->arg, c, &remote, &mirror) && remote != NULL;
	if (far)
		remote_info(remote, &i);
	if (strcmp(name, "client_link") == 0)
		return buf_add_str(out, i.link) == 0;
	if (!far)
		return false;
	if (strcmp(name, "client_address") == 0)
		return buf_add_str(out, i.address) == 0;
	if (strcmp(name, "client_key_exchange") == 0)
		return buf_add_str(out, i.keys) == 0;
	if (strcmp(name, "client_words") == 0)
		return buf_add_str(out, i.words) == 0;
	if (strcmp(name, "client_forwards") == 0)
		return buf_addf(out, "%u", remote_forwards(remote)) == 0;
	if (strcmp(name, "client_rtt") == 0)
		return i.rtt != MONO_NEVER &&
		       buf_addf(out, "%llu", (unsigned long long)i.rtt) == 0;
	if (strcmp(name, "client_loss") == 0)
		return buf_addf(out, "%u.%02u", i.loss / 100, i.loss % 100) ==
		       0;
	if (strcmp(name, "client_pace") == 0) {
		remote_pace(remote, text, sizeof(text));
		return buf_add_str(out, text) == 0;
	}
	if (strcmp(name, "client_badge") == 0) {
		badge = (struct badge){ i.link,
			i.rtt == MONO_NEVER ? BADGE_UNKNOWN : (unsigned)i.rtt,
			i.loss, c->predicted, (unsigned)c->w };
		return badge_put(&badge, out) == 0;
	}
	if (strcmp(name, "client_history_held") == 0)
		return mirror != NULL &&
		       buf_addf(out, "%zu", mirror_lines(mirror)) == 0;
	if (i.heard == MONO_NEVER)
		return false;
	if (strcmp(name, "client_silence") == 0)
		return buf_addf(out, "%llu", (unsigned long long)i.heard) == 0;
	return buf_addf(out, "%lld",
		   (long long)sys_wall() - (long long)(i.heard / 1000)) == 0;
}

static bool
scope_pane(void *arg, const struct pane *p, const char *name, struct buf *out)
{
	const struct scope *sc = arg;
	struct pane_io *io = pane_io_find(sc->panes, p->id);
	char text[4096], *start;
	const char *base;
	bool ok;

	if (io == NULL || io->fd < 0) {
		if (strcmp(name, "pane_current_command") != 0)
			return false;
		start = spawn_program_name_new(sc->run, p);
		ok = buf_add_str(out, start) == 0;
		mem_free(start);
		return ok;
	}
	if (strcmp(name, "pane_nested") == 0)
		return nested_now(io) && buf_add_str(out, "1") == 0;
	if (strcmp(name, "pane_current_command") == 0) {
		pane_io_command(io, text, sizeof(text));
		/* As in tmux, a relative path stays as it is. */
		base = *text == '/' ? strrchr(text, '/') + 1 : text;
		return buf_add_str(out, *base == '-' ? base + 1 : base) == 0;
	}
	if (strcmp(name, "pane_current_path") != 0)
		return false;
	pty_foreground_cwd(io->fd, text, sizeof(text));
	return buf_add_str(out, text) == 0;
}

void
scope_local_time(UNUSED void *arg, int64_t t, struct tm *tm)
{
	time_t tt = (time_t)t;

	localtime_r(&tt, tm);
}

/* --- #(commands) ------------------------------------------------------------------ */

static void
scope_job_free(struct scope_job *sj)
{
	list_remove(&sj->scope->job_outputs, &sj->node);
	if (sj->job != NULL)
		job_cancel(sj->job);
	mem_free(sj->command);
	mem_free(sj->line);
	mem_free(sj);
}

struct scope *
scope_make(struct run *run, const struct pane_ios *panes, struct jobs *jobs,
    const struct scope_ops *ops, void *arg)
{
	struct scope *sc = mem_zalloc(sizeof(*sc));

	sc->run = run;
	sc->panes = panes;
	sc->jobs = jobs;
	sc->ops = ops;
	sc->arg = arg;
	list_init(&sc->job_outputs);
	return sc;
}

void
scope_free(struct scope *sc)
{
	if (sc == NULL)
		return;
	while (!list_empty(&sc->job_outputs))
		scope_job_free(container_of(
		    list_first(&sc->job_outputs), struct scope_job, node));
	mem_free(sc);
}

static void
scope_job_done(void *arg, UNUSED int status, const char *output, size_t len)
{
	struct scope_job *sj = arg;
	size_t start;
	char *line;

	sj->job = NULL;
	while (len > 0 && output[len - 1] == '\n')
		len--;
	for (start = len; start > 0 && output[start - 1] != '\n'; start--)
		;
	line = mem_strndup(output + start, len - start);
	if (sj->line == NULL || strcmp(line, sj->line) != 0)
		sj->scope->ops->changed(sj->scope->arg);
	mem_free(sj->line);
	sj->line = line;
}

static struct scope_job *
scope_job_find(const struct scope *sc, const char *command)
{
	struct list_node *n;
	struct scope_job *sj;

	LIST_FOREACH(n, &sc->job_outputs) {
		sj = container_of(n, struct scope_job, node);
		if (strcmp(sj->command, command) == 0)
			return sj;
	}
	return NULL;
}

static struct scope_job *
scope_job_make(struct scope *sc, const char *command)
{
	struct scope_job *sj = scope_job_find(sc, command);

	if (sj != NULL)
		return sj;
	if (sc->job_outputs.count >= SCOPE_JOBS_MAX)
		scope_job_free(container_of(
		    list_first(&sc->job_outputs), struct scope_job, node));
	sj = mem_zalloc(sizeof(*sj));
	sj->scope = sc;
	sj->command = mem_strdup(command);
	list_push_back(&sc->job_outputs, &sj->node);
	return sj;
}

static void
scope_run(void *arg, const struct vars *v, const char *command, struct buf *out)
{
	struct scope *sc = arg;
	struct scope_job *sj = scope_job_make(sc, command);
	mono_ms now = loop_now(sc->run->loop);
	struct job_spec spec = {
		.command = command,
		.cwd = v->session == NULL ? NULL : v->session->path,
		.env = v->session == NULL ? NULL : &v->session->environ,
	};

	if (sj->job == NULL &&
	    (sj->started == 0 || now >= sj->started + SCOPE_JOB_MS)) {
		sj->started = now;
		sj->job = job_start(sc->jobs, &spec, scope_job_done, sj);
	}
	if (sj->line != NULL)
		(void)buf_add_str(out, sj->line);
}

static void
scope_recall(void *arg, UNUSED const struct vars *v, const char *command,
    struct buf *out)
{
	const struct scope_job *sj = scope_job_find(arg, command);

	if (sj != NULL && sj->line != NULL)
		(void)buf_add_str(out, sj->line);
}

/* --- expansion ------------------------------------------------------------------------ */

/* Gathers the variables of the command and of the hook; returns their number. */
static size_t
scope_vars(const struct scope_where *where, struct format_var *all)
{
	const struct hook_vars *hv =
	    where->state == NULL ? NULL : where->state->hook;
	size_t i, n = 0;

	for (i = 0; i < where->var_count && n < SCOPE_VARS_MAX; i++)
		all[n++] = where->vars[i];
	if (where->command != NULL && n < SCOPE_VARS_MAX)
		all[n++] = (struct format_var){ "command", where->command };
	if (where->file != NULL && n < SCOPE_VARS_MAX)
		all[n++] = (struct format_var){ "current_file", where->file };
	for (i = 0; hv != NULL && i < hv->count && n < SCOPE_VARS_MAX; i++)
		all[n++] =
		    (struct format_var){ hv->vars[i].name, hv->vars[i].value };
	return n;
}

/* The variables of a place; they point into it. */
struct subject {
	struct vars_host host;
	struct vars_mouse mouse;
	struct vars vars;
};

static void
subject_init(
    struct subject *sj, struct scope *sc, const struct scope_where *where)
{
	struct target t = {
		.session = where->session,
		.link = where->link,
		.pane = where->pane,
		.index = -1,
	};
	struct vars *v = &sj->vars;

	sj->host = (struct vars_host){
		.arg = sc,
		.server = scope_server,
		.client = scope_client,
		.pane = scope_pane,
		.job = where->idle ? scope_recall : scope_run,
		.local_time = scope_local_time,
	};
	if (t.session == NULL && where->client != NULL && !where->bare)
		t.session = where->client->session;
	if (t.session == NULL && t.pane != NULL)
		(void)target_from_pane(&t, where->pane, NULL);
	if (t.link == NULL && t.session != NULL)
		t.link = t.pane != NULL
			     ? session_link_to(t.session, t.pane->window)
			     : t.session->current;
	if (t.link != NULL)
		t.window = t.link->window;
	if (t.pane == NULL && t.window != NULL)
		t.pane = t.window->active;
	vars_init(v, sc->run->mux, &sj->host, where->client, &t);
	v->user_option = where->user_option;
	v->caller_env = where->env;
	if (where->kind != 0)
		v->kind = (enum vars_kind)where->kind;
	if (where->state == NULL ||
	    (where->state->flags & CMD_STATE_MOUSE) == 0)
		return;
	sj->mouse = (struct vars_mouse){
		.valid = true,
		.x = where->state->mouse_x,
		.y = where->state->mouse_y,
		.pane = where->state->mouse_pane,
		.status_line = where->state->mouse_line,
		.range = style_range_name(&where->state->mouse_range),
	};
	v->mouse = &sj->mouse;
}

char *
scope_new(struct scope *sc, const struct scope_where *where, const char *format,
    unsigned flags)
{
	struct format_var all[SCOPE_VARS_MAX];
	struct timespec ts;
	struct subject sj;
	const size_t n = strlen(format);
	struct format_args a = {
		.widths = sc->run->graphemes,
		.vars = all,
		.var_count = scope_vars(where, all),
		.flags = flags,
		.trace = where->trace,
		.trace_arg = where->trace_arg,
	};

	/* Most styles are plain text. */
	if (where->trace == NULL && (flags & FORMAT_STRFTIME) == 0 &&
	    n <= SCOPE_PLAIN_MAX && memchr(format, '#', n) == NULL)
		return mem_strndup(format, n);
	subject_init(&sj, sc, where);
	a.scope = vars_scope(&sj.vars);
	clock_gettime(CLOCK_REALTIME, &ts);
	a.now_ms = (int64_t)ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
	return format_expand_new(&a, format);
}

void
scope_variables(struct scope *sc, const struct scope_where *where,
    vars_value_fn fn, void *arg)
{
	struct format_var all[SCOPE_VARS_MAX];
	const size_t n = scope_vars(where, all);
	struct subject sj;
	size_t i;

	subject_init(&sj, sc, where);
	vars_values(&sj.vars, fn, arg);
	for (i = 0; i < n; i++)
		fn(arg, all[i].name, all[i].value);
}

char *
scope_expand_new(struct scope *sc, const struct cmd_state *st, struct client *c,
    const char *format, unsigned flags)
{
	struct scope_where w = { .client = c, .state = st };

	if (st != NULL) {
		w.session = mux_session(sc->run->mux, st->session);
		w.pane = mux_pane(sc->run->mux, st->pane);
	}
	return scope_new(sc, &w, format, flags);
}

char *
scope_expand_client_new(
    struct scope *sc, struct client *c, const char *format, unsigned flags)
{
	struct scope_where w = { .client = c };

	return scope_new(sc, &w, format, flags);
}

char *
scope_expand_pane_new(struct scope *sc, struct client *c, struct pane *p,
    const char *format, unsigned flags)
{
	struct scope_where w = { .client = c, .pane = p };

	return scope_new(sc, &w, format, flags);
}
