#include "regress/unit/run_util.h"

#include <sys/wait.h>

#include <check.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/io/sys.h"
#include "base/mem.h"
#include "conf/parser.h"
#include "mux/window.h"

static void
util_drain(void *arg)
{
	struct run_util *u = arg;

	u->drains++;
	if (u->drain != NULL)
		u->drain(u);
}

static enum cmd_result
util_command(void *arg, struct cmdq_item *item, struct cmd *cmd)
{
	struct run_util *u = arg;
	const char *word =
	    cmd->args->count > 0 ? cmd->args->values[0].text : cmd->row->name;

	(void)buf_addf(&u->log, "%s|", word);
	return u->command == NULL ? CMD_NORMAL : u->command(u, item, word);
}

static void
util_dry(void *arg, uint64_t conn)
{
	struct run_util *u = arg;

	(void)buf_addf(&u->log, "dry %u|", (unsigned)conn);
}

static char *
util_expand(UNUSED void *arg, const struct cmd_state *st, const char *format)
{
	return mem_printf("<%s %u>", format, (unsigned)st->conn);
}

static void
util_tick(UNUSED void *arg)
{
}

void
run_util_init(struct run_util *u)
{
	static const struct run_ops ops = {
		.drain = util_drain,
		.command = util_command,
		.dry = util_dry,
		.expand = util_expand,
	};

	(void)signal(SIGPIPE, SIG_IGN);
	(void)signal(SIGXFSZ, SIG_IGN);
	memset(u, 0, sizeof(*u));
	buf_init(&u->log, 1 << 20);
	run_init(&u->run, &ops, u);
	u->run.socket_path = "/tmp/rmux-test";
	u->tick = loop_timer_new(u->run.loop, util_tick, u);
}

void
run_util_fini(struct run_util *u)
{
	uint64_t conn;

	for (conn = 1; u->run.queues.count > 1; conn++)
		cmdq_forget(&u->run, conn);
	cmdq_free(u->run.queue);
	loop_timer_free(u->tick);
	run_fini(&u->run);
	buf_fini(&u->log);
}

static void
list_error(UNUSED void *arg, UNUSED const char *file, UNUSED unsigned line,
    const char *text)
{
	ck_abort_msg("%s", text);
}

struct cmdlist *
run_util_list(const char *text)
{
	const struct parser_hooks hooks = { .error = list_error };
	struct cmdlist *list = NULL;

	ck_assert_int_eq(
	    parser_parse(text, strlen(text), NULL, 1, &hooks, &list), 0);
	return list;
}

void
run_util_append(struct cmdq *q, const char *text, cmdq_done_fn done, void *arg)
{
	struct cmdlist *list = run_util_list(text);
	struct cmd_state st;

	cmd_state_init(&st);
	cmdq_append(q, list, &st, done, arg);
	cmdlist_unref(list);
}

const char *
run_util_log(struct run_util *u)
{
	static char text[8192];

	(void)snprintf(text, sizeof(text), "%s", buf_cstr(&u->log));
	buf_clear(&u->log);
	return text;
}

const char *
run_util_message(const struct run_util *u)
{
	const struct messages *ms = &u->run.messages;

	return ms->count == 0 ? "" : ms->all[ms->count - 1].text;
}

void
run_util_turn(struct run_util *u)
{
	pid_t pid;
	int status;

	loop_timer_set(u->tick, sys_now() + 5);
	loop_turn(u->run.loop, true);
	if (u->reaped == NULL)
		return;
	while ((pid = waitpid(-1, &status, WNOHANG | WUNTRACED)) > 0)
		u->reaped(u, pid, status);
}

mono_ms
run_util_deadline(void)
{
	return sys_now() + RUN_UTIL_MS;
}

void
run_util_late(mono_ms deadline, const char *what)
{
	ck_assert_msg(sys_now() < deadline, "never came: %s", what);
}

char *
run_util_dir(char *path, size_t size)
{
	const char *tmp = getenv("TMPDIR");

	(void)snprintf(
	    path, size, "%s/rmux-unit.XXXXXX", tmp == NULL ? "/tmp" : tmp);
	ck_assert_ptr_nonnull(mkdtemp(path));
	ck_assert_int_eq(chdir(path), 0);
	return path;
}

void
run_util_file(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	ck_assert_ptr_nonnull(f);
	ck_assert_int_ge(fputs(text, f), 0);
	ck_assert_int_eq(fclose(f), 0);
}

char *
run_util_read(const char *path)
{
	char *data = NULL;
	size_t len;

	if (sys_read_file(path, 1 << 20, &data, &len, NULL) != 0)
		return mem_strdup("");
	return data;
}
