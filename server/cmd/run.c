/*
 * Shell commands: run-shell, if-shell.
 */
#include <sys/wait.h>

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/io/sys.h"
#include "base/mem.h"
#include "conf/format.h"
#include "mux/target.h"
#include "server/cmd/cmd.h"
#include "server/cmd/shared.h"
#include "server/face/output.h"
#include "server/io/job.h"

#define RUN_DELAY_MAX 1e9 /* seconds */
#define SHELL_FAILED "cannot run %s: %s"

/* A command with a job. */
struct shell_wait {
	struct cmd_late late;
	char *command;
	uint32_t pane; /* of run-shell -t, or MUX_NONE */
	struct hook_vars *hook;
	struct cmdlist *yes; /* if-shell */
	struct cmdlist *no;
};

static void
shell_wait_free(struct shell_wait *w)
{
	cmdlist_unref(w->yes);
	cmdlist_unref(w->no);
	hook_vars_unref(w->hook);
	mem_free(w->command);
	mem_free(w);
}

/*
 * The pane whose view mode shows the output: that of -t, or, with nobody else to
 * show it to, that of the session used last; NULL: the caller's sink takes it.
 */
static struct pane *
run_shell_pane(const struct shell_wait *w)
{
	struct mux *m = w->late.sv->run.mux;
	struct pane *p = w->pane == MUX_NONE ? NULL : mux_pane(m, w->pane);
	const struct session *s;

	if (p != NULL || w->late.token != 0 ||
	    cmd_late_viewer(&w->late) != NULL)
		return p;
	s = target_best_session(m, false);
	return s == NULL || s->current == NULL ? NULL
					       : s->current->window->active;
}

static void
run_shell_done(void *arg, int status, const char *output, size_t len)
{
	struct shell_wait *w = arg;
	struct sink s = cmd_late_sink(&w->late);
	struct pane *p = run_shell_pane(w);
	int code = WEXITSTATUS(status);
	struct buf text;

	buf_init(&text, len + strlen(w->command) + 64);
	(void)buf_add(&text, output, len);
	if (len > 0 && output[len - 1] != '\n')
		(void)buf_add_u8(&text, '\n');
	if (WIFSIGNALED(status)) {
		code = WTERMSIG(status) + 128;
		(void)buf_addf(&text, "'%s' terminated by signal %d\n",
		    w->command, WTERMSIG(status));
	} else if (code != 0) {
		(void)buf_addf(&text, "'%s' returned %d\n", w->command, code);
	}
	if (text.len > 0 && p != NULL)
		(void)output_pane(
		    &w->late.sv->viewers, p, buf_cstr(&text), text.len);
	else
		sink_bytes(&s, text.data, text.len);
	buf_fini(&text);
	if (code != 0)
		sink_exit_code(&s, code);
	cmd_late_end(&w->late, false);
	shell_wait_free(w);
}

static struct shell_wait *
shell_wait_new(struct cmd_context *c, const char *command)
{
	struct shell_wait *w = mem_zalloc(sizeof(*w));

	w->command = mem_strdup(command == NULL ? "" : command);
	w->pane = MUX_NONE;
	cmd_late_init(&w->late, c, false);
	w->hook = w->late.state.hook = hook_vars_ref(c->state->hook);
	return w;
}

/* Waits for W, unless -b was given: what follows is no part of an event then. */
static enum cmd_result
shell_waits(struct cmd_context *c, struct shell_wait *w)
{
	if (args_has(c->args, 'b')) {
		w->late.state.flags &= ~(unsigned)CMD_STATE_EVENT;
		return CMD_NORMAL;
	}
	w->late.token = cmdq_wait(c->item);
	return CMD_WAIT;
}

static enum cmd_result
shell_start(struct cmd_context *c, const struct job_spec *spec,
    job_done_fn done, struct shell_wait *w)
{
	if (job_start(&c->sv->jobs, spec, done, w) != NULL)
		return shell_waits(c, w);
	shell_wait_free(w);
	return cmd_error(c, SHELL_FAILED, spec->command, strerror(errno));
}

/* --- run-shell ------------------------------------------------------------------ */

static struct shell_wait *
run_wait_new(struct cmd_context *c, const char *command)
{
	struct shell_wait *w = shell_wait_new(c, command);

	if (args_has(c->args, 't') && c->target.p != NULL)
		w->pane = c->target.p->id;
	return w;
}

/* A command that waits for its time (-d). */
struct run_delay {
	struct list_node node; /* in sv->delays */
	struct server *sv;
	struct loop_timer *timer;
	struct shell_wait *wait;
	char *command; /* or NULL */
	char *cwd;
	bool stderr_too;
};

static void
run_delay_free(struct run_delay *d)
{
	list_remove(&d->sv->delays, &d->node);
	loop_timer_free(d->timer);
	mem_free(d->command);
	mem_free(d->cwd);
	mem_free(d);
}

void
cmd_delays_free(struct server *sv)
{
	struct run_delay *d;

	while (!list_empty(&sv->delays)) {
		d = container_of(
		    list_first(&sv->delays), struct run_delay, node);
		shell_wait_free(d->wait);
		run_delay_free(d);
	}
}

/* Returns the caller's queue, or the server's if the caller is gone. */
static struct cmdq *
shell_queue(struct shell_wait *w)
{
	struct server *sv = w->late.sv;

	if (conn_find(&sv->conns, w->late.ids.conn) == NULL)
		w->late.ids.conn = w->late.state.conn = 0;
	return cmdq_for(&sv->run, w->late.ids.conn);
}

/* Runs LIST in place of the command and continues the queue. */
static void
shell_commands(struct shell_wait *w, struct cmdlist *list)
{
	struct cmdq *q = shell_queue(w);

	if (list != NULL)
		cmdq_insert_first(q, list, &w->late.state);
	if (w->late.token != 0)
		cmd_late_end(&w->late, false);
	else
		cmdq_turn(q);
	shell_wait_free(w);
}

static void
run_delay_failed(struct run_delay *d, const char *why)
{
	struct shell_wait *w = d->wait;

	cmd_late_error(&w->late, SHELL_FAILED, d->command, why);
	cmd_late_end(&w->late, true);
	shell_wait_free(w);
}

static void
run_delay_over(void *arg)
{
	struct run_delay *d = arg;
	struct shell_wait *w = d->wait;
	struct session *s =
	    mux_session(w->late.sv->run.mux, w->late.state.session);
	struct job_spec spec = {
		.command = d->command,
		.cwd = d->cwd,
		.env = s == NULL ? NULL : &s->environ,
		.stderr_too = d->stderr_too,
	};

	run_set_now(&w->late.sv->run);
	if (d->command != NULL &&
	    job_start(&w->late.sv->jobs, &spec, run_shell_done, w) == NULL)
		run_delay_failed(d, strerror(errno));
	else if (d->command == NULL)
		shell_commands(w, w->yes);
	run_delay_free(d);
}

static enum cmd_result
run_delayed(struct cmd_context *c, double seconds, struct cmdlist *list,
    const char *command)
{
	struct run_delay *d = mem_zalloc(sizeof(*d));
	mono_ms now = loop_now(c->sv->run.loop);

	d->sv = c->sv;
	d->wait = run_wait_new(c, command);
	d->wait->yes = list == NULL ? NULL : cmdlist_ref(list);
	d->command = command == NULL ? NULL : mem_strdup(command);
	d->cwd = cmd_start_path(c, &c->target, true);
	d->stderr_too = args_has(c->args, 'E') != 0;
	d->timer = loop_timer_new(c->sv->run.loop, run_delay_over, d);
	list_push_back(&c->sv->delays, &d->node);
	loop_timer_set(d->timer, mono_add(now, (mono_ms)(seconds * 1000)));
	return shell_waits(c, d->wait);
}

/* The argument of -C, a format, as commands; NULL: none, or *R is an error. */
static struct cmdlist *
expanded_commands(struct cmd_context *c, enum cmd_result *r)
{
	const char *format = args_string(c->args, 0);
	struct cmdlist *list = NULL;
	struct parse sp;
	char *text;

	if (format == NULL)
		return NULL;
	text = cmd_format_new(c, &c->target, format);
	parse_init(&sp, &c->sv->run, c->state);
	if (parser_parse(text, strlen(text), NULL, 1, &sp.hooks, &list) != 0)
		*r = cmd_error(c, "%s", parse_errors(&sp));
	parse_fini(&sp);
	mem_free(text);
	return list;
}

/* Runs LIST behind the command. */
static enum cmd_result
run_now(struct cmd_context *c, struct cmdlist *list)
{
	struct cmd_state st = *c->state;

	if (args_has(c->args, 'b'))
		st.flags &= ~(unsigned)CMD_STATE_EVENT;
	if (cmdq_insert(c->item, list, &st, NULL, NULL) != 0)
		return cmd_error(c, "too many nested commands");
	return CMD_NORMAL;
}

enum cmd_result
cmd_exec_run_shell(struct cmd_context *c)
{
	struct job_spec spec = { .stderr_too = args_has(c->args, 'E') != 0 };
	const char *delay = args_get(c->args, 'd');
	struct cmdlist *list = NULL;
	enum cmd_result r = CMD_NORMAL;
	double seconds = 0;
	char *text = NULL, *end, *cwd;

	if (delay != NULL) {
		seconds = strtod(delay, &end);
		if (*end != '\0' || isnan(seconds))
			return cmd_error(c, "invalid delay time: %s", delay);
		seconds = CLAMP(seconds, 0, RUN_DELAY_MAX);
	}
	if (args_has(c->args, 'C')) {
		list = args_block(c->args, 0) != NULL
			   ? cmd_commands(c, 0, &r)
			   : expanded_commands(c, &r);
		if (r != CMD_NORMAL)
			return r;
	} else if (args_string(c->args, 0) != NULL)
		text = cmd_format_new(c, &c->target, args_string(c->args, 0));
	if (delay != NULL) {
		r = run_delayed(c, seconds, list, text);
	} else if (list != NULL) {
		r = run_now(c, list);
	} else if (text != NULL) {
		spec.command = text;
		spec.cwd = cwd = cmd_start_path(c, &c->target, true);
		spec.env = c->target.s == NULL ? NULL : &c->target.s->environ;
		r = shell_start(
		    c, &spec, run_shell_done, run_wait_new(c, text));
		mem_free(cwd);
	}
	cmdlist_unref(list);
	mem_free(text);
	return r;
}

/* --- if-shell ------------------------------------------------------------------- */

static void
if_shell_done(
    void *arg, int status, UNUSED const char *output, UNUSED size_t len)
{
	struct shell_wait *w = arg;
	struct cmdlist *list =
	    WIFEXITED(status) && WEXITSTATUS(status) == 0 ? w->yes : w->no;

	shell_commands(w, list);
}

/*
 * Parses a branch. A command that this version lacks is an error only when the
 * branch runs: files ask for the version first.
 */
static struct cmdlist *
if_shell_branch(struct cmd_context *c, size_t i)
{
	char run[] = "run-shell", commands[] = "-C";
	struct args_value words[3] = { { .text = run }, { .text = commands } };
	struct parse sp;
	struct cmdlist *list;

	parse_init(&sp, &c->sv->run, c->state);
	if (cmd_parse_arg(c, i, &sp, &list) != 0) {
		words[2].text = mem_strdup(args_string(c->args, i));
		(void)parser_words(words, ARRAY_LEN(words),
		    cmd_file_name(c->cmd), c->cmd->line, &sp.hooks, &list);
		mem_free(words[2].text);
	}
	parse_fini(&sp);
	return list;
}

/* -F: the condition is a format; no job is needed. */
static enum cmd_result
if_format(struct cmd_context *c, const char *text)
{
	enum cmd_result r;
	struct cmdlist *list;

	if ((list = cmd_commands(c, format_true(text) ? 1 : 2, &r)) != NULL)
		r = cmd_insert(c, list);
	cmdlist_unref(list);
	return r;
}

enum cmd_result
cmd_exec_if_shell(struct cmd_context *c)
{
	struct job_spec spec = { .command = NULL };
	struct shell_wait *w;
	enum cmd_result r;
	char *text;

	text = cmd_format_new(c, &c->target, args_string(c->args, 0));
	if (args_has(c->args, 'F')) {
		r = if_format(c, text);
		mem_free(text);
		return r;
	}
	w = shell_wait_new(c, text);
	w->yes = if_shell_branch(c, 1);
	w->no = if_shell_branch(c, 2);
	spec.command = text;
	spec.env = c->target.s == NULL ? NULL : &c->target.s->environ;
	r = shell_start(c, &spec, if_shell_done, w);
	mem_free(text);
	return r;
}
