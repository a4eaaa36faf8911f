#include "config.h"

#include <sys/wait.h>

#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/io/sock.h"
#include "base/io/sys.h"
#include "base/mem.h"
#include "mux/client.h"
#include "server/cmd/cmd.h"
#include "server/core/agents.h"
#include "server/core/effects.h"
#include "server/core/end.h"
#include "server/core/events.h"
#include "server/core/hook_run.h"
#include "server/core/hooks.h"
#include "server/core/invite.h"
#include "server/core/monitors.h"
#include "server/core/programs.h"
#include "server/core/server.h"
#include "server/core/settings.h"
#include "server/core/tick.h"
#include "server/core/watch.h"
#include "server/face/ask.h"
#include "server/face/controller_link.h"
#include "server/face/face.h"
#include "server/face/palette.h"
#include "server/face/people.h"
#include "server/face/requests.h"
#include "server/io/listen.h"
#include "server/io/remote.h"
#include "server/io/scope.h"
#include "server/run/audit.h"
#include "server/run/cmdq.h"
#include "server/run/load.h"
#include "server/run/notes.h"
#include "server/run/parse.h"
#include "server/run/waits.h"
#include "server/server.h"
#include "ssp/compress.h"

/* A list of commands of a user with read access. */
#define READER_BYTES_MAX 4096
#define READER_COMMANDS_MAX 4
#define READER_TEXT \
 "too much at once: with read access, give 4 commands of 4096 bytes"

/*
 * Returns the path in history-file, with a leading ~ replaced by the home; or
 * NULL.
 */
static char *
server_history_new(struct server *sv)
{
	const char *path =
	    options_string(&sv->run.mux->server_options, OPTION_HISTORY_FILE);
	const char *home = environ_get(&sv->run.mux->environ, "HOME");

	if (strncmp(path, "~/", 2) == 0 && home != NULL)
		return mem_printf("%s%s", home, path + 1);
	return *path == '/' ? mem_strdup(path) : NULL;
}

static void
server_history(struct server *sv, bool save)
{
	char *path = server_history_new(sv);

	if (path == NULL)
		return;
	if (save)
		prompt_log_save(&sv->run.prompts, path);
	else
		prompt_log_load(&sv->run.prompts,
		    (size_t)options_number(&sv->run.mux->server_options,
			OPTION_PROMPT_HISTORY_LIMIT),
		    path);
	mem_free(path);
}

/* --- commands of callers ------------------------------------------------------- */

struct server_call {
	struct server *sv;
	uint64_t conn;
};

static void
server_call_done(void *arg, bool failed)
{
	struct server_call *call = arg;
	struct conn *cn = conn_find(&call->sv->conns, call->conn);

	if (cn != NULL && failed)
		conn_set_exit_code(cn, 1);
	mem_free(call);
}

/*
 * Returns whether the configuration has started the caller (run-shell, a pane).
 * It must be served at once: the configuration may wait for it.
 */
static bool
called_from_within(const struct server *sv, const struct conn *cn)
{
	const char *const *e;
	size_t n = strlen(sv->run.socket_path);

	for (e = conn_env(cn); *e != NULL; e++)
		if (strncmp(*e, "RMUX=", 5) == 0)
			return strncmp(*e + 5, sv->run.socket_path, n) == 0 &&
			       (*e)[5 + n] == ',' &&
			       strtol(*e + 6 + n, NULL, 10) == (long)getpid();
	return false;
}

/* Parses the caller's words; none: default-client-command. */
static int
server_parse_words(struct server *sv, struct parse *ps, char *const *argv,
    size_t argc, struct cmdlist **list)
{
	struct args_value *words;
	size_t i;
	int r;

	if (argc == 0) {
		*list =
		    cmdlist_ref(options_commands(&sv->run.mux->server_options,
			OPTION_DEFAULT_CLIENT_COMMAND));
		return 0;
	}
	words = mem_calloc(argc, sizeof(*words));
	for (i = 0; i < argc; i++)
		words[i].text = argv[i];
	r = parser_words(words, argc, NULL, 0, &ps->hooks, list);
	mem_free(words);
	return r;
}

/* security: the queued commands keep the mark when their caller has gone. */
static void
restrict_reader(const struct conn *cn, struct cmd_state *st, struct parse *ps)
{
	if (conn_access(cn) == ACCESS_WRITE)
		return;
	st->flags |= CMD_STATE_READER;
	parse_restrict(ps);
}

/*
 * security: a list of commands is worked off as a whole. Returns whether that of
 * a user with read access is longer than any that is of use; commands: 0 before
 * it is parsed.
 */
static bool
reader_asks_much(const struct conn *cn, size_t bytes, size_t commands)
{
	return conn_access(cn) != ACCESS_WRITE &&
	       (bytes > READER_BYTES_MAX || commands > READER_COMMANDS_MAX);
}

static size_t
words_bytes(char *const *argv, size_t argc)
{
	size_t i, n = 0;

	for (i = 0; i < argc; i++)
		n += strlen(argv[i]) + 1;
	return n;
}

static void
reader_refuse(struct conn *cn)
{
	static const char text[] = READER_TEXT "\n";

	conn_err(cn, text, sizeof(text) - 1);
	conn_exit(cn, 1, NULL);
}

static void
server_command(void *arg, struct conn *cn, char *const *argv, size_t argc)
{
	struct server *sv = arg;
	const uint64_t control = CONTROL_FLAG_CONTROL | CONTROL_FLAG_CONTROL2;
	struct server_call *call;
	struct cmdlist *list;
	struct cmd_state st;
	struct parse ps;
	struct cmdq *q;
	bool waits;

	/* The files still being read may set default-client-command. */
	waits = notes_loading(sv->run.notes) && !called_from_within(sv, cn);
	if (argc == 0 && waits) {
		conn_set_bare(cn);
		return;
	}
	if ((conn_flags(cn) & CONTROL_FLAG_STREAMS) != 0 && conn_roams(cn)) {
		carrier_new(&sv->carriers, cn);
		return;
	}
	if (reader_asks_much(cn, words_bytes(argv, argc), 0)) {
		reader_refuse(cn);
		return;
	}
	cmd_state_init(&st);
	st.conn = conn_id(cn);
	parse_init(&ps, &sv->run, &st);
	restrict_reader(cn, &st, &ps);
	if (server_parse_words(sv, &ps, argv, argc, &list) != 0) {
		conn_err(cn, ps.errors.data, ps.errors.len);
		conn_exit(cn, 1, NULL);
	} else if (reader_asks_much(cn, 0, list->count)) {
		reader_refuse(cn);
	} else {
		if ((conn_flags(cn) & control) != 0 &&
		    controller_of_conn(cn) == NULL)
			(void)controller_new(&sv->controllers, cn);
		call = mem_zalloc(sizeof(*call));
		call->sv = sv;
		call->conn = st.conn;
		q = cmdq_for(&sv->run, st.conn);
		cmdq_append(q, list, &st, server_call_done, call);
		/* Files that are being loaded run first. */
		if (!waits)
			cmdq_turn(q);
	}
	cmdlist_unref(list);
	parse_fini(&ps);
}

/* Answers a line that does not parse. */
static void
server_control_error(struct controller *ct, const char *why)
{
	char *text = mem_printf("parse error: %s", why);

	controller_begin(ct, true);
	controller_say(ct, text, strlen(text));
	controller_end_block(ct, true);
	mem_free(text);
}

/* Runs a line of a control client. */
static void
server_control_line(void *arg, struct controller *ct, const char *line)
{
	struct server *sv = arg;
	const struct conn *cn = conn_find(&sv->conns, ct->conn_id);
	struct cmdlist *list;
	struct cmd_state st;
	struct parse ps;
	struct cmdq *q;

	if (reader_asks_much(cn, strlen(line), 0)) {
		server_control_error(ct, READER_TEXT);
		return;
	}

	cmd_state_init(&st);
	st.conn = ct->conn_id;
	st.client = ct->client == NULL ? MUX_NONE : ct->client->id;
	parse_init(&ps, &sv->run, &st);
	restrict_reader(cn, &st, &ps);
	if (parser_parse(line, strlen(line), NULL, 1, &ps.hooks, &list) != 0) {
		server_control_error(ct, parse_errors(&ps));
	} else if (reader_asks_much(cn, 0, list->count)) {
		server_control_error(ct, READER_TEXT);
	} else {
		q = cmdq_for(&sv->run, st.conn);
		cmdq_append(q, list, &st, NULL, NULL);
		cmdq_turn(q);
	}
	cmdlist_unref(list);
	parse_fini(&ps);
}

static bool
server_control_busy(void *arg, uint64_t id)
{
	struct server *sv = arg;

	return !cmdq_empty(cmdq_for(&sv->run, id));
}

static const struct controller_ops server_controller_ops = {
	.command = server_control_line,
	.busy = server_control_busy,
};

static void
server_conn_gone(void *arg, uint64_t id)
{
	struct server *sv = arg;

	cmdq_forget(&sv->run, id);
}

static void
server_conn_freed(void *arg)
{
	end_if_empty(arg);
}

static const struct conn_ops server_conn_ops = {
	.command = server_command,
	.gone = server_conn_gone,
	.freed = server_conn_freed,
};

static void
server_loaded(void *arg)
{
	struct server *sv = arg;

	server_history(sv, false);
	watch_apply(sv->watch);
	conns_run_bare(&sv->conns);
	cmdq_turn_all(&sv->run);
	end_if_empty(sv);
}

/* --- calls of the run floor ------------------------------------------------------ */

/*
 * Runs a command; that of a control client in a block. Its events are handled
 * before its next command, so that the notifications follow their block.
 */
static enum cmd_result
server_run_command(void *arg, struct cmdq_item *item, struct cmd *cmd)
{
	struct server *sv = arg;
	const uint64_t conn = cmdq_state(item)->conn;
	struct controller *ct = controller_find(&sv->controllers, conn);
	enum cmd_result r;

	if (ct == NULL)
		return cmd_run(sv, item, cmd);
	controller_errors(ct, true);
	controller_begin(ct,
	    ct->lines && (cmdq_state(item)->flags & CMD_STATE_NOHOOKS) == 0);
	r = cmd_run(sv, item, cmd);
	/* It may be gone. */
	if ((ct = controller_find(&sv->controllers, conn)) != NULL)
		controller_end_block(ct, r == CMD_ERROR);
	run_drain(&sv->run);
	if ((ct = controller_find(&sv->controllers, conn)) != NULL)
		controller_errors(ct, false);
	return r;
}

/*
 * All commands of a caller have run: end its connection, unless a client is
 * attached by it.
 */
static void
server_dry(void *arg, uint64_t id)
{
	struct server *sv = arg;
	struct conn *cn = conn_find(&sv->conns, id);

	if (conn_reads(cn))
		conn_exit(cn, conn_exit_code(cn), NULL);
	else if (controller_of_conn(cn) != NULL)
		controller_dry(controller_of_conn(cn));
}

static char *
server_expand(void *arg, const struct cmd_state *st, const char *format)
{
	struct server *sv = arg;

	return scope_expand_new(sv->scope, st, NULL, format, 0);
}

static const struct run_ops server_run_ops = {
	.drain = events_drain,
	.command = server_run_command,
	.dry = server_dry,
	.expand = server_expand,
};

/* --- calls of the io floor ------------------------------------------------------- */

static const struct pane_io_ops server_pane_ops = {
	.output = programs_output,
	.effect = effects_pane,
	.exited = programs_exited,
};

static void
server_formats_changed(void *arg)
{
	struct server *sv = arg;

	viewers_redraw_status(&sv->viewers, NULL);
}

static bool
server_scope_client(void *arg, const struct client *c,
    const struct remote **remote, const struct mirror **mirror)
{
	const struct server *sv = arg;
	const struct viewer *vw = viewer_find(&sv->viewers, c);
	const struct controller *ct = controller_of(&sv->controllers, c);

	if (ct != NULL)
		*remote = controller_remote(ct);
	if (vw == NULL)
		return ct != NULL;
	if (vw->link->ops->far)
		*remote = remote_of_link(vw->link);
	*mirror = vw->mirror;
	return true;
}

static const struct scope_ops server_scope_ops = {
	.changed = server_formats_changed,
	.client = server_scope_client,
};

static bool
server_knock(void *arg, const struct ssp_dgram *d, const struct udp_msg *m)
{
	struct server *sv = arg;

	return invite_knock(sv->invites, d, m);
}

/* --- calls of the face floor ----------------------------------------------------- */

static void
server_client_gone(void *arg, struct client *c)
{
	struct server *sv = arg;
	struct viewer *vw = viewer_find(&sv->viewers, c);

	log_write(
	    &sv->run.log, LOG_INFO, LOG_SERVER, "client %s goes", c->name);
	people_left(&sv->viewers, c);
	if (vw != NULL)
		viewer_free(vw);
	ask_show(&sv->viewers);
	client_free(c);
	run_drain(&sv->run);
}

/* --- children and signals -------------------------------------------------------- */

static void
server_reap(struct server *sv)
{
	pid_t pid;
	int status;

	while ((pid = waitpid(-1, &status, WNOHANG | WUNTRACED)) > 0)
		if (WIFSTOPPED(status) ||
		    (!job_reaped(&sv->jobs, pid, status) &&
			!remotes_reaped(sv->remotes, pid, status)))
			(void)pane_io_reaped(&sv->panes, pid, status);
}

static void
server_signal(void *arg, int signo)
{
	struct server *sv = arg;

	switch (signo) {
	case SIGCHLD:
		server_reap(sv);
		run_drain(&sv->run);
		break;
	case SIGTERM:
	case SIGINT:
		end_begin(sv);
		break;
	case SIGUSR1:
		if (!sv->run.exiting)
			listen_reopen(sv->listen);
		audit_reopen(sv->run.audit);
		break;
	case SIGUSR2:
		logfile_toggle(&sv->logfile, &sv->run);
		break;
	default:
		break;
	}
}

/* --- start and end ------------------------------------------------------------------ */

static void
server_ready(const struct server_cfg *cfg, const char *error)
{
	if (cfg->ready_fd < 0) {
		if (error != NULL)
			fprintf(stderr, "%s\n", error);
		return;
	}
	if (error != NULL)
		(void)sys_write_all(cfg->ready_fd, error, strlen(error));
	close(cfg->ready_fd);
}

/* Redirects the standard streams to /dev/null. */
static void
server_detach_streams(void)
{
	int fd;

	fd = open("/dev/null", O_RDWR);
	if (fd < 0)
		return;
	(void)dup2(fd, STDIN_FILENO);
	(void)dup2(fd, STDOUT_FILENO);
	(void)dup2(fd, STDERR_FILENO);
	if (fd > STDERR_FILENO)
		close(fd);
}

static void
server_init(struct server *sv, const struct server_cfg *cfg)
{
	static const int signos[] = { SIGCHLD, SIGTERM, SIGINT, SIGUSR1,
		SIGUSR2 };
	struct run *run = &sv->run;
	size_t i;

	sv->foreground = cfg->foreground;
	sv->run.socket_path = cfg->socket;
	sv->run.as_tmux = cfg->as_tmux;
	run_init(run, &server_run_ops, sv);
	run->zip = ssp_zip_new();
	run->audit = audit_new(run);
	pane_ios_init(&sv->panes, run, &server_pane_ops, sv);
	jobs_init(&sv->jobs, run);
	conns_init(&sv->conns, run, &server_conn_ops, sv);
	sv->remotes = remotes_new(run, &sv->conns, server_knock, sv);
	sv->scope =
	    scope_make(run, &sv->panes, &sv->jobs, &server_scope_ops, sv);
	face_ops_init(&sv->viewer_ops);
	sv->viewer_ops.gone = server_client_gone;
	viewers_init(&sv->viewers, run, &sv->viewer_ops, sv);
	sv->viewers.scope = sv->scope;
	requests_init(&sv->viewers);
	sv->viewers.panes = &sv->panes;
	sv->viewers.conns = &sv->conns;
	sv->viewers.remotes = sv->remotes;
	controllers_init(&sv->controllers, run, &server_controller_ops, sv);
	sv->controllers.scope = sv->scope;
	sv->controllers.panes = &sv->panes;
	sv->controllers.conns = &sv->conns;
	sv->controllers.remotes = sv->remotes;
	carriers_init(&sv->carriers, run, &sv->conns, sv->remotes);
	sv->agents = agents_new(sv);
	sv->invites = invites_new(&sv->viewers);
	sv->hooks = hooks_new(sv);
	list_init(&sv->hooks_kept);
	sv->monitors = monitors_new(sv);
	sv->settings = settings_new(run);
	sv->waits = waits_new(run);
	list_init(&sv->delays);
	list_init(&sv->copies);
	list_init(&sv->pane_waits);
	sv->tick = tick_new(sv);
	sv->watch = watch_new(sv);
	(void)signal(SIGPIPE, SIG_IGN);
	(void)signal(SIGHUP, SIG_IGN);
	/* A file at its size limit is an error of write, not a signal. */
	(void)signal(SIGXFSZ, SIG_IGN);
	(void)signal(SIGTSTP, SIG_IGN);
	for (i = 0; i < ARRAY_LEN(signos); i++)
		sv->signals[i] =
		    loop_signal_add(run->loop, signos[i], server_signal, sv);
}

static void
server_fini(struct server *sv)
{
	size_t i;

	while (!list_empty(&sv->viewers.list))
		viewer_free(container_of(
		    list_first(&sv->viewers.list), struct viewer, node));
	controllers_fini(&sv->controllers);
	carriers_fini(&sv->carriers);
	slices_fini(&sv->viewers);
	requests_fini(&sv->viewers);
	palette_recent_fini(&sv->palette_recent);
	agents_free(sv->agents);
	invites_free(sv->invites); /* they hold the port of the remotes */
	remotes_free(sv->remotes);
	conns_fini(&sv->conns);
	pane_ios_fini(&sv->panes);
	scope_free(sv->scope);
	cmdq_free(sv->run.queue);
	cmd_delays_free(sv);
	cmd_copies_free(sv);
	cmd_pane_waits_free(sv);
	jobs_fini(&sv->jobs);
	waits_free(sv->waits);
	monitors_free(sv->monitors);
	hooks_kept_clear(sv);
	hooks_free(sv->hooks);
	settings_free(sv->settings);
	tick_free(sv->tick);
	watch_free(sv->watch);
	listen_free(sv->listen);
	loop_timer_free(sv->end.timer);
	for (i = 0; i < ARRAY_LEN(sv->signals); i++)
		loop_signal_del(sv->signals[i]);
	ssp_zip_free(sv->run.zip);
	audit_free(sv->run.audit);
	run_fini(&sv->run);
}

int
server_run(const struct server_cfg *cfg)
{
	struct cause c = { NULL };
	struct server *sv;
	int fd, lock, r;

	if ((r = sock_listen(cfg->socket, &fd, &lock, &c)) != 0) {
		/*
		 * Another server has started first: the caller uses that one.
		 */
		server_ready(cfg, r == -ERR_EXISTS ? NULL : cause_text(&c));
		cause_fini(&c);
		return 1;
	}
	/* Regular expressions must match UTF-8 in every locale. */
	if (setlocale(LC_CTYPE, "C.UTF-8") == NULL &&
	    setlocale(LC_CTYPE, "en_US.UTF-8") == NULL)
		(void)setlocale(LC_CTYPE, "");
	sys_secrets_hide();
	sv = mem_zalloc(sizeof(*sv));
	server_init(sv, cfg);
	sv->listen = listen_new(&sv->conns, cfg->socket, fd, lock);
	logfile_init(&sv->logfile);
	if (cfg->verbose > 0)
		logfile_open(&sv->logfile, &sv->run, cfg->verbose);
	sys_files_raise();
	sys_interactive();
	server_ready(cfg, NULL);
	if (!cfg->foreground)
		server_detach_streams();
	/* Before chdir: paths of -f are relative to the caller's directory. */
	load_start(&sv->run, cfg->config, server_loaded, sv);
	if (!cfg->foreground && chdir("/") != 0)
		log_write(&sv->run.log, LOG_WARN, LOG_SERVER, "chdir / failed");
	loop_run(sv->run.loop);
	log_write(&sv->run.log, LOG_INFO, LOG_SERVER, "the server ends");
	server_history(sv, true);
	server_fini(sv);
	logfile_fini(&sv->logfile);
	mem_free(sv);
	return 0;
}
