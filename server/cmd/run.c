#include <sys/wait.h>

#include <string.h>

#include "base/mem.h"
#include "conf/format.h"
#include "server/cmd/cmd.h"
#include "server/job.h"
#include "server/load.h"

/* A command that waits for a job, or lets it run. */
struct shell_wait {
	struct server *sv;
	uint64_t token; /* 0: nobody waits */
	uint64_t conn;
	uint32_t client;
	struct cmd_state state;
	struct cmdlist *yes; /* if-shell */
	struct cmdlist *no;
};

static void
shell_wait_free(struct shell_wait *w)
{
	cmdlist_unref(w->yes);
	cmdlist_unref(w->no);
	mem_free(w);
}

static void
run_shell_done(void *arg, int status, const char *output, size_t len)
{
	struct shell_wait *w = arg;
	struct conn *cn = conn_find(w->sv, w->conn);
	struct client *cl = mux_client(w->sv->mux, w->client);
	struct viewer *vw = cl == NULL ? NULL : viewer_find(w->sv, cl);
	char *text = NULL;
	int code = WEXITSTATUS(status);

	if (WIFSIGNALED(status))
		code = WTERMSIG(status) + 128;
	if (cn != NULL && conn_viewer(cn) == NULL) {
		conn_out(cn, output, len);
		if (len > 0 && output[len - 1] != '\n')
			conn_out(cn, "\n", 1);
		if (code != 0)
			conn_set_exit_code(cn, code);
	} else if (vw != NULL && len > 0) {
		text = mem_strndup(output, strcspn(output, "\n"));
		viewer_message(vw, 0, text);
		mem_free(text);
	}
	if (w->token != 0)
		(void)cmdq_continue(w->sv, w->token, false);
	shell_wait_free(w);
}

static struct shell_wait *
shell_wait_new(struct cmd_context *c)
{
	struct shell_wait *w = mem_zalloc(sizeof(*w));

	w->sv = c->sv;
	w->conn = c->state->conn;
	w->client = c->client == NULL ? MUX_NONE : c->client->id;
	w->state = *c->state;
	if (!args_has(c->args, 'b'))
		w->token = cmdq_wait(c->item);
	return w;
}

static void
shell_start(struct cmd_context *c, const char *command, job_done_fn done)
{
	struct job_spec spec = { .command = command };
	char *cwd = cmd_start_path(c, &c->target, true);

	spec.cwd = cwd;
	spec.stderr_too = args_has(c->args, 'E') != 0;
	spec.env = c->target.s == NULL ? NULL : &c->target.s->environ;
	(void)job_start(c->sv, &spec, done, shell_wait_new(c));
	mem_free(cwd);
}

enum cmd_result
cmd_exec_run_shell(struct cmd_context *c)
{
	struct cmdlist *list;
	enum cmd_result r;
	bool wait = !args_has(c->args, 'b');
	char *text;

	if (args_has(c->args, 'C')) {
		list = cmd_commands(c, 0, &r);
		if (list != NULL)
			cmdq_insert(c->item, list, c->state, NULL, NULL);
		cmdlist_unref(list);
		return r;
	}
	if (args_string(c->args, 0) == NULL)
		return CMD_NORMAL;
	text = cmd_format_new(c, &c->target, args_string(c->args, 0));
	shell_start(c, text, run_shell_done);
	mem_free(text);
	return wait ? CMD_WAIT : CMD_NORMAL;
}

static void
if_shell_done(
    void *arg, int status, UNUSED const char *output, UNUSED size_t len)
{
	struct shell_wait *w = arg;
	struct cmdlist *list =
	    WIFEXITED(status) && WEXITSTATUS(status) == 0 ? w->yes : w->no;
	struct cmdq *q = server_queue_for(w->sv, w->conn);

	if (list != NULL)
		cmdq_insert_first(q, list, &w->state);
	if (w->token != 0)
		(void)cmdq_continue(w->sv, w->token, false);
	else
		server_run_queue(w->sv, q);
	shell_wait_free(w);
}

enum cmd_result
cmd_exec_if_shell(struct cmd_context *c)
{
	struct cmdlist *yes, *no = NULL;
	struct job_spec spec = { .command = NULL };
	struct shell_wait *w;
	enum cmd_result r;
	char *text;
	bool wait = !args_has(c->args, 'b');

	if ((yes = cmd_commands(c, 1, &r)) == NULL)
		return r;
	if (c->args->count > 2 && (no = cmd_commands(c, 2, &r)) == NULL) {
		cmdlist_unref(yes);
		return r;
	}
	text = cmd_format_new(c, &c->target, args_string(c->args, 0));
	if (args_has(c->args, 'F')) {
		struct cmdlist *list = format_true(text) ? yes : no;

		if (list != NULL)
			cmdq_insert(c->item, list, c->state, NULL, NULL);
		cmdlist_unref(yes);
		cmdlist_unref(no);
		mem_free(text);
		return CMD_NORMAL;
	}
	w = shell_wait_new(c);
	w->yes = yes;
	w->no = no;
	spec.command = text;
	spec.env = c->target.s == NULL ? NULL : &c->target.s->environ;
	(void)job_start(c->sv, &spec, if_shell_done, w);
	mem_free(text);
	return wait ? CMD_WAIT : CMD_NORMAL;
}

enum cmd_result
cmd_exec_source_file(struct cmd_context *c)
{
	struct buf errors;
	char *path, *full;
	size_t i;
	int r = 0;

	buf_init(&errors, 1 << 20);
	for (i = 0; i < c->args->count; i++) {
		if (args_string(c->args, i) == NULL)
			continue;
		path =
		    args_has(c->args, 'F')
			? cmd_format_new(c, &c->target, args_string(c->args, i))
			: mem_strdup(args_string(c->args, i));
		full = *path == '/' || c->conn == NULL
			   ? mem_strdup(path)
			   : mem_printf("%s/%s", conn_cwd(c->conn), path);
		r |= config_source(c->sv, c->item, full,
		    args_has(c->args, 'q') != 0, args_has(c->args, 'n') != 0,
		    &errors);
		mem_free(full);
		mem_free(path);
	}
	if (errors.len > 0)
		buf_truncate(&errors, errors.len - 1);
	if (r != 0)
		(void)cmd_error(c, "%s", buf_cstr(&errors));
	buf_fini(&errors);
	return r == 0 ? CMD_NORMAL : CMD_ERROR;
}
