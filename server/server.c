#include "config.h"

#include <sys/stat.h>
#include <sys/wait.h>

#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <pwd.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/io/sock.h"
#include "base/io/sys.h"
#include "base/mem.h"
#include "conf/bind.h"
#include "server/io/conn.h"
#include "server/events.h"
#include "server/hooks.h"
#include "server/invite.h"
#include "server/io/job.h"
#include "server/run/load.h"
#include "server/io/pane_io.h"
#include "server/io/remote.h"
#include "server/io/scope.h"
#include "server/server.h"
#include "server/run/settle.h"
#include "server/face/viewer.h"
#include "server/run/waits.h"

/* How often automatic names, silence and the status line are looked at. */
#define SERVER_TICK_MS 500

/* The command queue of one connection. */
struct server_queue {
	struct list_node node;
	uint64_t conn;
	struct cmdq *q;
};

void
server_message(struct server *sv, const char *fmt, ...)
{
	va_list ap;
	char *text;

	va_start(ap, fmt);
	text = mem_vprintf(fmt, ap);
	va_end(ap);
	messages_add(&sv->messages,
	    (size_t)options_number(
		&sv->mux->server_options, OPTION_MESSAGE_LIMIT),
	    sys_wall(), "%s", text);
	log_write(&sv->log, LOG_INFO, LOG_SERVER, "%s", text);
	mem_free(text);
}

/* The file of history-file with ~ in front meaning the home; or NULL. */
static char *
server_history_new(struct server *sv)
{
	const char *path =
	    options_string(&sv->mux->server_options, OPTION_HISTORY_FILE);
	const char *home = environ_get(&sv->mux->environ, "HOME");

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
		prompt_log_save(&sv->prompts, path);
	else
		prompt_log_load(&sv->prompts,
		    (size_t)options_number(
			&sv->mux->server_options, OPTION_PROMPT_HISTORY_LIMIT),
		    path);
	mem_free(path);
}

/* --- queues ------------------------------------------------------------------ */

static struct server_queue *
server_queue_find(struct server *sv, uint64_t conn)
{
	struct list_node *n;
	struct server_queue *sq;

	LIST_FOREACH(n, &sv->conn_queues) {
		sq = container_of(n, struct server_queue, node);
		if (sq->conn == conn)
			return sq;
	}
	return NULL;
}

struct cmdq *
server_queue_for(struct server *sv, uint64_t conn)
{
	struct server_queue *sq;

	if (conn == 0)
		return sv->queue;
	if ((sq = server_queue_find(sv, conn)) != NULL)
		return sq->q;
	sq = mem_zalloc(sizeof(*sq));
	sq->conn = conn;
	sq->q = cmdq_new(sv);
	list_push_back(&sv->conn_queues, &sq->node);
	return sq->q;
}

void
server_conn_gone(struct server *sv, uint64_t conn)
{
	struct server_queue *sq;

	if ((sq = server_queue_find(sv, conn)) == NULL)
		return;
	list_remove(&sv->conn_queues, &sq->node);
	cmdq_free(sq->q);
	mem_free(sq);
}

void
server_run_queue(struct server *sv, struct cmdq *q)
{
	struct list_node *n, *tmp;
	struct server_queue *sq;
	struct conn *cn;

	cmdq_run(q);
	server_drain(sv);
	LIST_FOREACH_SAFE(n, &sv->conn_queues, tmp) {
		sq = container_of(n, struct server_queue, node);
		if (sq->q != q || !cmdq_empty(q))
			continue;
		/* A caller that is not attached has got all it asked for. */
		cn = conn_find(sv, sq->conn);
		if (cn != NULL && conn_viewer(cn) == NULL)
			conn_exit(cn, conn_exit_code(cn), NULL);
	}
}

struct server_call {
	struct server *sv;
	uint64_t conn;
};

static void
server_call_done(void *arg, bool failed)
{
	struct server_call *call = arg;
	struct conn *cn = conn_find(call->sv, call->conn);

	if (cn != NULL && failed)
		conn_set_exit_code(cn, 1);
	mem_free(call);
}

/* --- what the parser asks ------------------------------------------------------ */

static const char *
parse_variable(void *arg, const char *name)
{
	const struct server_parse *sp = arg;

	return environ_get(&sp->sv->mux->environ, name);
}

static const char *
parse_home(void *arg, const char *user)
{
	const struct server_parse *sp = arg;
	const char *home;
	struct passwd *pw;

	if (*user == '\0') {
		home = environ_get(&sp->sv->mux->environ, "HOME");
		if (home != NULL && *home != '\0')
			return home;
		pw = getpwuid(getuid());
	} else
		pw = getpwnam(user);
	return pw == NULL ? NULL : pw->pw_dir;
}

static char *
parse_expand(void *arg, const char *format)
{
	const struct server_parse *sp = arg;

	return scope_expand_new(sp->sv, sp->state, NULL, format, 0);
}

static void
parse_assign(void *arg, const char *name, const char *value, bool hidden)
{
	struct server_parse *sp = arg;

	(void)environ_set(&sp->sv->mux->environ, name, value, hidden, NULL);
}

static const char *
parse_alias(void *arg, const char *name)
{
	const struct server_parse *sp = arg;

	return options_alias(&sp->sv->mux->server_options, name);
}

static void
parse_error(void *arg, const char *file, unsigned line, const char *text)
{
	struct server_parse *sp = arg;

	if (file != NULL)
		(void)buf_addf(&sp->errors, "%s:%u: %s\n", file, line, text);
	else
		(void)buf_addf(&sp->errors, "%s\n", text);
}

void
server_parse_init(
    struct server_parse *sp, struct server *sv, const struct cmd_state *st)
{
	memset(sp, 0, sizeof(*sp));
	sp->sv = sv;
	sp->state = st;
	buf_init(&sp->errors, 1 << 20);
	sp->hooks = (struct parser_hooks){
		.arg = sp,
		.variable = parse_variable,
		.home = parse_home,
		.expand = parse_expand,
		.assign = parse_assign,
		.alias = parse_alias,
		.error = parse_error,
	};
}

void
server_parse_fini(struct server_parse *sp)
{
	buf_fini(&sp->errors);
}

/*
 * A caller that the configuration itself has started (run-shell, a pane) has to
 * be served while it is being read: the configuration waits for it.
 */
static bool
called_from_within(const struct server *sv, const struct conn *cn)
{
	const char *const *e;
	size_t n = strlen(sv->socket_path);

	for (e = conn_env(cn); *e != NULL; e++)
		if (strncmp(*e, "RMUX=", 5) == 0)
			return strncmp(*e + 5, sv->socket_path, n) == 0 &&
			       (*e)[5 + n] == ',' &&
			       strtol(*e + 6 + n, NULL, 10) == (long)getpid();
	return false;
}

void
server_command(
    struct server *sv, struct conn *cn, char *const *argv, size_t argc)
{
	struct server_parse sp;
	struct args_value *words;
	struct server_call *call;
	struct cmdlist *list;
	struct cmd_state st;
	size_t i;
	bool waits;
	int r = 0;

	/* What no words mean may be set by what is still being read. */
	waits = sv->config_loading && !called_from_within(sv, cn);
	if (argc == 0 && waits) {
		conn_set_bare(cn);
		return;
	}
	cmd_state_init(&st);
	st.conn = conn_id(cn);
	server_parse_init(&sp, sv, &st);
	words = mem_calloc(argc + 1, sizeof(*words));
	for (i = 0; i < argc; i++)
		words[i].text = argv[i];
	if (argc == 0)
		list = cmdlist_ref(options_commands(
		    &sv->mux->server_options, OPTION_DEFAULT_CLIENT_COMMAND));
	else
		r = parser_words(words, argc, NULL, 0, &sp.hooks, &list);
	if (r != 0) {
		conn_err(cn, sp.errors.data, sp.errors.len);
		conn_exit(cn, 1, NULL);
	} else {
		call = mem_zalloc(sizeof(*call));
		call->sv = sv;
		call->conn = st.conn;
		cmdq_append(server_queue_for(sv, st.conn), list, &st,
		    server_call_done, call);
		/* A configuration that still loads goes first. */
		if (!waits)
			server_run_queue(sv, server_queue_for(sv, st.conn));
	}
	mem_free(words);
	cmdlist_unref(list);
	server_parse_fini(&sp);
}

void
server_config_loaded(struct server *sv)
{
	struct list_node *n, *tmp;

	sv->config_loading = false;
	server_history(sv, false);
	conn_run_bare(sv);
	LIST_FOREACH_SAFE(n, &sv->conn_queues, tmp)
		server_run_queue(
		    sv, container_of(n, struct server_queue, node)->q);
	server_look_empty(sv);
}

/* --- children and signals -------------------------------------------------------- */

static void
server_reap(struct server *sv)
{
	struct pane_io *p;
	pid_t pid;
	int status;

	while ((pid = waitpid(-1, &status, WNOHANG | WUNTRACED)) > 0) {
		if (WIFSTOPPED(status)) {
			/* A pane's program has no one to continue it. */
			if (WSTOPSIG(status) != SIGTTIN &&
			    WSTOPSIG(status) != SIGTTOU &&
			    (p = pane_io_find_pid(sv, pid)) != NULL)
				(void)killpg(pid, SIGCONT);
			continue;
		}
		if (job_reaped(sv, pid, status))
			continue;
		if ((p = pane_io_find_pid(sv, pid)) == NULL)
			continue;
		log_write(&sv->log, LOG_INFO, LOG_SERVER,
		    "pane %%%u: process %ld ended, status 0x%x",
		    (unsigned)p->pane_id, (long)pid, (unsigned)status);
		p->pid = 0;
		p->status = status;
		/* At the end of its output the pane is told, and P may go. */
		if (p->fd < 0)
			server_pane_exited(sv, p->pane_id);
		else
			pane_io_drain(p);
	}
}

static void
server_signal(void *arg, int signo)
{
	struct server *sv = arg;

	switch (signo) {
	case SIGCHLD:
		server_reap(sv);
		server_drain(sv);
		break;
	case SIGTERM:
	case SIGINT:
		server_exit(sv);
		break;
	case SIGUSR1:
		server_reopen_socket(sv);
		break;
	case SIGUSR2:
		sv->log.level =
		    sv->log.level == LOG_DEBUG ? LOG_WARN : LOG_DEBUG;
		break;
	default:
		break;
	}
}

/*
 * No descriptor is left: whoever has connected and said nothing goes; else the
 * newcomer is told, by means of the descriptor kept for that.
 */
static bool
server_make_room(struct server *sv, int fd)
{
	int cl;

	if (conn_shed(sv))
		return true;
	if (sv->spare_fd < 0)
		return false;
	close(sv->spare_fd);
	if (sock_accept(fd, &cl) == 0)
		conn_refuse(cl, "rmux: the server has no descriptors left");
	sv->spare_fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
	return sv->spare_fd >= 0;
}

static void
server_accept(void *arg, int fd, UNUSED unsigned events)
{
	struct server *sv = arg;
	int cl, n;

	for (n = 0; n < 64; n++) {
		if (sock_accept(fd, &cl) == 0)
			conn_new(sv, cl);
		else if (errno != EMFILE && errno != ENFILE)
			break;
		else if (!server_make_room(sv, fd)) {
			/* Look again in a while. */
			loop_io_set(sv->listen_io, 0);
			sv->accept_paused = true;
			server_arm_tick(sv);
			break;
		}
	}
}

/* Nothing is here, and nothing will be unless somebody comes. */
static bool
server_idle(const struct server *sv)
{
	return sv->mux->session_ids.count == 0 && list_empty(&sv->conns) &&
	       list_empty(&sv->jobs) && list_empty(&sv->delays) &&
	       cmdq_empty(sv->queue) && !sv->config_loading;
}

static void
server_check_empty(void *arg)
{
	struct server *sv = arg;

	if (sv->exiting || !server_idle(sv) ||
	    !options_flag(&sv->mux->server_options, OPTION_EXIT_EMPTY))
		return;
	/* Whoever is at the door already is let in. */
	if (sv->listen_fd >= 0)
		server_accept(sv, sv->listen_fd, LOOP_READ);
	if (list_empty(&sv->conns))
		server_exit(sv);
}

void
server_look_empty(struct server *sv)
{
	/* Before its first caller it waits, in the foreground (-D) always. */
	if (sv->had_caller && !sv->cfg->foreground && !sv->exiting &&
	    server_idle(sv))
		loop_defer(sv->loop, server_check_empty, sv);
}

/* SIGUSR1: somebody removed the socket; make it again. */
void
server_reopen_socket(struct server *sv)
{
	struct cause c = { NULL };
	int fd, lock;

	if (sv->exiting)
		return;
	loop_io_del(sv->listen_io);
	close(sv->listen_fd);
	close(sv->lock_fd);
	if (sock_listen(sv->socket_path, &fd, &lock, &c) != 0) {
		log_write(
		    &sv->log, LOG_ERROR, LOG_SERVER, "%s", cause_text(&c));
		sv->listen_io = NULL;
		sv->listen_fd = sv->lock_fd = -1;
	} else {
		sv->listen_fd = fd;
		sv->lock_fd = lock;
		sv->listen_io =
		    loop_io_add(sv->loop, fd, LOOP_READ, server_accept, sv);
	}
	cause_fini(&c);
}

void
server_close_socket(struct server *sv)
{
	loop_io_del(sv->listen_io);
	sv->listen_io = NULL;
	if (sv->listen_fd < 0)
		return;
	(void)unlink(sv->socket_path);
	close(sv->listen_fd);
	close(sv->lock_fd);
	sv->listen_fd = sv->lock_fd = -1;
}

static void
server_tick(void *arg)
{
	struct server *sv = arg;

	sv->tick_at = 0;
	if (sv->accept_paused && sv->listen_io != NULL) {
		sv->accept_paused = false;
		loop_io_set(sv->listen_io, LOOP_READ);
	}
	events_tick(sv);
	server_drain(sv);
	server_arm_tick(sv);
}

void
server_arm_tick(struct server *sv)
{
	/* An idle server with nobody attached sleeps. */
	if (!sv->accept_paused && !events_want_tick(sv)) {
		sv->tick_at = 0;
		loop_timer_set(sv->tick, MONO_NEVER);
	} else if (sv->tick_at == 0) {
		/* One that is set stays: much to do must not put it off. */
		sv->tick_at = mono_add(loop_now(sv->loop), SERVER_TICK_MS);
		loop_timer_set(sv->tick, sv->tick_at);
	}
}

/* --- start and end ------------------------------------------------------------------ */

struct server_log {
	struct server *sv;
	int fd;
	unsigned long lost; /* lines since the last one that was written */
};

static bool
server_log_line(const struct server_log *l, const char *line, size_t n)
{
	off_t was = lseek(l->fd, 0, SEEK_END);
	ssize_t put = write(l->fd, line, n);

	if (put == (ssize_t)n)
		return true;
	/* No half of a line: the next one would stand right behind it. */
	if (put > 0 && (was < 0 || ftruncate(l->fd, was) != 0))
		return true;
	if (put > 0)
		errno = ENOSPC;
	return false;
}

/* A full disk loses lines of the log, and nothing else; it is told once. */
static void
server_log_write(
    void *arg, enum log_level level, enum log_area area, const char *text)
{
	struct server_log *l = arg;
	char line[LOG_LINE_MAX + 64];
	int n, m = 0;

	if (l->lost > 0)
		m = snprintf(line, sizeof(line),
		    "%lld error base: %lu lines lost before this one\n",
		    (long long)sys_now(), l->lost);
	if (m > 0 && !server_log_line(l, line, (size_t)m)) {
		l->lost++;
		return;
	}
	n = snprintf(line, sizeof(line), "%lld %s %s: %s\n",
	    (long long)sys_now(), log_level_name(level), log_area_name(area),
	    text);
	if (n <= 0 || server_log_line(l, line, (size_t)n)) {
		l->lost = 0;
		return;
	}
	if (l->lost++ == 0 && !loop_stopped(l->sv->loop))
		server_message(l->sv,
		    "cannot write rmux-server-%ld.log: %s; its lines are lost "
		    "until there is room",
		    (long)getpid(), strerror(errno));
}

/* The log of -v, where the server was started; one that cannot be is told. */
static void
server_log_open(struct server *sv, int verbose, struct server_log *l)
{
	char path[64];

	l->sv = sv;
	snprintf(path, sizeof(path), "rmux-server-%ld.log", (long)getpid());
	l->fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
	if (l->fd < 0) {
		fprintf(stderr,
		    "rmux: no log: %s: %s (-v writes it in the "
		    "current directory)\n",
		    path, strerror(errno));
		server_message(sv, "no log: %s: %s", path, strerror(errno));
		return;
	}
	sv->log = (struct log){
		.sink = server_log_write,
		.arg = l,
		.level = verbose > 1 ? LOG_DEBUG : LOG_INFO,
	};
	log_write(&sv->log, LOG_INFO, LOG_SERVER,
	    "rmux " PACKAGE_VERSION " begins, pid %ld, socket %s",
	    (long)getpid(), sv->socket_path);
}

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

/* Cuts every tie to the terminal we were started from. */
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
	struct mux_setup setup;
	struct cause c = { NULL };
	size_t i;

	memset(sv, 0, sizeof(*sv));
	sv->cfg = cfg;
	sv->socket_path = mem_strdup(cfg->socket);
	sv->start_wall = sys_wall();
	sv->loop = loop_new();
	list_init(&sv->conns);
	map_init_ids(&sv->conn_ids);
	list_init(&sv->panes);
	list_init(&sv->viewers);
	list_init(&sv->queues);
	list_init(&sv->conn_queues);
	list_init(&sv->jobs);
	list_init(&sv->delays);
	list_init(&sv->scope_jobs);
	sv->pool = vt_pool_new();
	sv->graphemes = grapheme_table_new(NULL);
	sv->zip = ssp_zip_new();
	setup.pool = sv->pool;
	setup.graphemes = sv->graphemes;
	sv->mux = mux_new(&setup);
	for (i = 0; environ[i] != NULL; i++)
		environ_put(&sv->mux->environ, environ[i]);
	mux_set_now(sv->mux, sys_now(), sys_wall() * 1000);
	sv->keys = keytables_new(&bind_ops);
	if (bind_load_defaults(sv->keys, &c) != 0)
		log_write(&sv->log, LOG_ERROR, LOG_CONF, "%s", cause_text(&c));
	cause_fini(&c);
	sv->queue = cmdq_new(sv);
	sv->waits = waits_new(sv);
	sv->hooks = hooks_new(sv);
	sv->settle = settle_new(sv);
	sv->tick = loop_timer_new(sv->loop, server_tick, sv);
	(void)signal(SIGPIPE, SIG_IGN);
	(void)signal(SIGHUP, SIG_IGN);
	/* A file that may not grow is a full disk, not our end. */
	(void)signal(SIGXFSZ, SIG_IGN);
	(void)signal(SIGTSTP, SIG_IGN);
	for (i = 0; i < ARRAY_LEN(signos); i++)
		sv->signals[i] =
		    loop_signal_add(sv->loop, signos[i], server_signal, sv);
}

static void
server_fini(struct server *sv)
{
	size_t i;

	while (!list_empty(&sv->viewers))
		viewer_free(container_of(
		    list_first(&sv->viewers), struct viewer, node));
	remotes_free(sv->remotes);
	invites_free(sv->invites);
	while (!list_empty(&sv->conns))
		conn_free_first(sv);
	map_fini(&sv->conn_ids);
	while (!list_empty(&sv->panes))
		pane_io_free(
		    container_of(list_first(&sv->panes), struct pane_io, node));
	scope_forget_jobs(sv);
	cmdq_free(sv->queue);
	cmd_delays_free(sv);
	job_end_all(sv);
	waits_free(sv->waits);
	hooks_free(sv->hooks);
	messages_fini(&sv->messages);
	prompt_log_fini(&sv->prompts);
	mux_free(sv->mux);
	keytables_free(sv->keys);
	ssp_zip_free(sv->zip);
	grapheme_table_free(sv->graphemes);
	mem_free(sv->widths);
	vt_pool_free(sv->pool);
	for (i = 0; i < ARRAY_LEN(sv->signals); i++)
		loop_signal_del(sv->signals[i]);
	settle_free(sv->settle);
	loop_timer_free(sv->tick);
	loop_timer_free(sv->stop_timer);
	server_close_socket(sv);
	if (sv->spare_fd >= 0)
		close(sv->spare_fd);
	loop_free(sv->loop);
	for (i = 0; i < sv->config_file_count; i++)
		mem_free(sv->config_files[i]);
	mem_free(sv->config_files);
	mem_free(sv->socket_path);
}

int
server_run(const struct server_cfg *cfg)
{
	struct server *sv;
	struct cause c = { NULL };
	struct server_log log = { .fd = -1 };
	int fd, lock;

	if (sock_listen(cfg->socket, &fd, &lock, &c) != 0) {
		/* Another server was quicker: the caller talks to that one. */
		server_ready(
		    cfg, strstr(cause_text(&c), "another server") != NULL
			     ? NULL
			     : cause_text(&c));
		cause_fini(&c);
		return 1;
	}
	/* Regular expressions match characters, whatever started us. */
	if (setlocale(LC_CTYPE, "C.UTF-8") == NULL &&
	    setlocale(LC_CTYPE, "en_US.UTF-8") == NULL)
		(void)setlocale(LC_CTYPE, "");
	sv = mem_zalloc(sizeof(*sv));
	server_init(sv, cfg);
	sv->listen_fd = fd;
	sv->lock_fd = lock;
	sv->listen_io = loop_io_add(sv->loop, fd, LOOP_READ, server_accept, sv);
	if (cfg->verbose > 0)
		server_log_open(sv, cfg->verbose, &log);
	sys_files_raise();
	sys_interactive();
	sv->spare_fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
	server_ready(cfg, NULL);
	if (!cfg->foreground)
		server_detach_streams();
	/* Paths of -f are the caller's: read before we leave its directory. */
	config_load(sv);
	if (!cfg->foreground && chdir("/") != 0)
		log_write(&sv->log, LOG_WARN, LOG_SERVER, "chdir / failed");
	loop_run(sv->loop);
	log_write(&sv->log, LOG_INFO, LOG_SERVER, "the server ends");
	server_history(sv, true);
	server_fini(sv);
	mem_free(sv);
	if (log.fd >= 0)
		close(log.fd);
	return 0;
}
