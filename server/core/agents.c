#include "server/core/agents.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/desk_answer.h"
#include "base/io/loop.h"
#include "base/io/sock.h"
#include "base/io/stream.h"
#include "base/io/sys.h"
#include "base/mem.h"
#include "base/str.h"
#include "conf/environ.h"
#include "mux/mux.h"
#include "mux/session.h"
#include "server/core/server.h"
#include "server/face/controller.h"
#include "server/face/prompt.h"
#include "server/io/agent.h"
#include "server/io/remote.h"
#include "server/io/splice.h"
#include "ssp/forward_spec.h"

#define AGENTS_VAR "SSH_AUTH_SOCK"
#define AGENTS_ASKED 16   /* programs that wait for an answer */
#define AGENTS_SOCKETS 16 /* names that follow-sockets may have */

struct agents {
	struct server *sv;
	struct list all; /* struct agent_sock: that of SSH_AUTH_SOCK is first */
	struct list splices;
	struct list asked; /* struct agent_wait */
};

/* One variable of panes, and the socket that it names. */
struct agent_sock {
	struct list_node node;
	struct agents *all;
	char *var;
	const char *name;    /* for remotes: NULL: an ssh agent; or VAR */
	struct agent *agent; /* NULL: not needed yet */
	char *path;          /* of its socket */
	/* Named by a caller that is not attached; NULL: none. */
	char *caller;
	bool keep; /* while the names are read: it remains */
};

/* A program that waits until a user has allowed it. */
struct agent_wait {
	struct list_node node;
	struct agents *all;
	struct agent_sock *sock; /* NULL: it is no more */
	uint32_t client;
	int fd;
};

static struct agent_sock *
first_sock(const struct agents *as)
{
	return container_of(list_first(&as->all), struct agent_sock, node);
}

/* For people. */
static const char *
sock_text(const struct agent_sock *s)
{
	return s->name == NULL ? "agent" : s->name;
}

/* The desk of a client, which asks its user itself. */
static bool
sock_is_desk(const struct agent_sock *s)
{
	return s->name != NULL && strcmp(s->name, FORWARD_DESK) == 0;
}

static bool
agents_off(const struct agents *as)
{
	return options_number(&as->sv->run.mux->server_options,
		   OPTION_FORWARD_AGENT) == FORWARD_AGENT_OFF;
}

/* Returns the program behind FD for people (mem_free): "git (process 12)". */
static char *
program_new(int fd)
{
	char path[64], *name = NULL, *text;
	pid_t pid = -1;
	size_t n;
	uid_t uid;

	if (sock_peer(fd, &uid, &pid) != 0 || pid <= 0)
		return mem_strdup("a program");
	snprintf(path, sizeof(path), "/proc/%ld/comm", (long)pid);
	if (sys_read_file(path, 256, &name, &n, NULL) != 0)
		return mem_printf("process %ld", (long)pid);
	name[strcspn(name, "\n")] = '\0';
	text = mem_printf("%s (process %ld)", name, (long)pid);
	mem_free(name);
	return text;
}

/* The option desk: no request of a pane leaves this machine. */
static bool
desk_off(const struct agents *as)
{
	return !options_flag(&as->sv->run.mux->server_options, OPTION_DESK);
}

/* Answers in place of the desk, and closes FD. */
static void
desk_refuse(const struct agents *as, int fd)
{
	static const char text[] = "the option desk of this server is off";
	const struct desk_answer a = { false, text, sizeof(text) - 1 };
	char *who = program_new(fd);
	struct buf b;

	buf_init(&b, DESK_FRAME_MAX);
	desk_answer_frame(&b, &a);
	/* A new socket has room for it. */
	if (write(fd, b.data, b.len) != (ssize_t)b.len)
		run_message(&as->sv->run, "desk: %s: not answered", who);
	run_message(&as->sv->run, "desk: %s: the option desk is off", who);
	buf_fini(&b);
	mem_free(who);
	(void)close(fd);
}

/* Joins FD to the agent at PATH on this machine. */
static bool
agents_local(const struct agent_sock *s, const char *path, int fd)
{
	struct agents *as = s->all;
	struct cause c = { NULL };
	int there, r;

	if (path == NULL || *path == '\0' || strcmp(path, s->path) == 0)
		return false;
	r = sock_connect(path, &there, &c);
	cause_fini(&c);
	if (r != 0)
		return false;
	if (stream_prepare(there) != 0) {
		(void)close(there);
		return false;
	}
	splice_new(as->sv->run.loop, &as->splices, there, fd);
	return true;
}

static struct remote *
client_remote(const struct agents *as, const struct client *cl)
{
	struct viewer *vw = viewer_find(&as->sv->viewers, cl);

	return vw == NULL || !vw->link->ops->far ? NULL
						 : remote_of_link(vw->link);
}

/* Joins FD to the agent of CL. */
static bool
agents_client(const struct agent_sock *s, const struct client *cl, int fd)
{
	struct remote *r = client_remote(s->all, cl);

	if (r != NULL)
		return remote_agent(r, s->name, fd);
	return agents_local(s, environ_get(&cl->environ, s->var), fd);
}

/* Whether CL has an agent that may be used. */
static bool
agents_has(const struct agent_sock *s, const struct client *cl)
{
	struct remote *r = client_remote(s->all, cl);
	const char *path = environ_get(&cl->environ, s->var);

	/* security: of the server's own user alone. */
	if (cl->guest || cl->uid != (int64_t)geteuid())
		return false;
	if (r != NULL)
		return remote_offers_agent(r, s->name);
	if (sock_is_desk(s))
		return false;
	return path != NULL && *path != '\0' && strcmp(path, s->path) != 0;
}

/* Returns the client used last that has an agent, among those before BELOW. */
static struct client *
agents_next(const struct agent_sock *s, int64_t below)
{
	struct client *cl, *best = NULL;
	struct map_entry *e;

	MAP_FOREACH(e, &s->all->sv->run.mux->clients) {
		cl = e->value;
		if (cl->activity < below && agents_has(s, cl) &&
		    (best == NULL || cl->activity > best->activity))
			best = cl;
	}
	return best;
}

/* Refuses the program at FD in the words of its protocol, if that is known. */
static bool
sock_refuse(const struct agent_sock *s, int fd)
{
	if (s == NULL || s->name != NULL || s->agent == NULL)
		(void)close(fd);
	else
		agent_refuse(s->agent, fd);
	return true;
}

/* --- asking ------------------------------------------------------------------- */

static void
asked_answer(void *arg, const char *text, bool done)
{
	struct agent_wait *q = arg;
	struct agents *as = q->all;
	const struct client *cl =
	    map_get_id(&as->sv->run.mux->clients, q->client);

	if (!done)
		return;
	if (text == NULL || strcmp(text, "y") != 0 || cl == NULL ||
	    q->sock == NULL || !agents_client(q->sock, cl, q->fd)) {
		run_message(&as->sv->run, "%s: refused",
		    q->sock == NULL ? "socket" : sock_text(q->sock));
		(void)sock_refuse(q->sock, q->fd);
	}
	list_remove(&as->asked, &q->node);
	mem_free(q);
}

/* Asks the user of CL. */
static void
agents_ask(
    struct agent_sock *s, const struct client *cl, int fd, const char *who)
{
	struct agents *as = s->all;
	struct viewer *vw = viewer_find(&as->sv->viewers, cl);
	struct agent_wait *q;
	char *text;

	if (vw == NULL || as->asked.count >= AGENTS_ASKED) {
		(void)sock_refuse(s, fd);
		return;
	}
	q = mem_zalloc(sizeof(*q));
	q->all = as;
	q->sock = s;
	q->client = cl->id;
	q->fd = fd;
	list_push_back(&as->asked, &q->node);
	text = mem_printf("Let %s use your %s? (y/n) ", who,
	    s->name == NULL ? "ssh agent" : s->name);
	prompt_open(vw, &(const struct prompt_spec){
			    .message = text,
			    .plain = true,
			    .flags = PROMPT_SINGLE,
			    .type = PROMPT_TYPE_COMMAND,
			    .done = asked_answer,
			    .arg = q,
			});
	mem_free(text);
}

/* --- a program ---------------------------------------------------------------- */

static bool
agents_wanted(void *arg, int fd)
{
	struct agent_sock *s = arg;
	struct agents *as = s->all;
	const bool ask =
	    !sock_is_desk(s) && options_number(&as->sv->run.mux->server_options,
				    OPTION_FORWARD_AGENT) == FORWARD_AGENT_ASK;
	struct client *cl = agents_next(s, INT64_MAX);
	bool taken = false;
	char *who;

	if (agents_off(as) && !sock_is_desk(s))
		return sock_refuse(s, fd);
	if (sock_is_desk(s) && desk_off(as)) {
		desk_refuse(as, fd);
		return true;
	}
	who = program_new(fd);
	if (ask && cl != NULL) {
		run_message(&as->sv->run, "%s: %s asks %s", sock_text(s), who,
		    cl->name);
		agents_ask(s, cl, fd, who);
		taken = true;
	}
	for (; !taken && cl != NULL; cl = agents_next(s, cl->activity)) {
		taken = agents_client(s, cl, fd);
		if (taken)
			run_message(&as->sv->run, "%s: %s uses that of %s",
			    sock_text(s), who, cl->name);
	}
	/* Clients without a view, and callers that have gone. */
	if (!taken && !ask) {
		taken = remotes_agent(as->sv->remotes, s->name, fd) ||
			agents_local(s, s->caller, fd);
		if (taken)
			run_message(&as->sv->run,
			    "%s: %s uses that of a command", sock_text(s), who);
	}
	mem_free(who);
	return taken || sock_refuse(s, fd);
}

/* Listens, from then on; false: it cannot. */
static bool
sock_listens(struct agent_sock *s)
{
	struct run *run = &s->all->sv->run;
	struct cause c = { NULL };

	if (s->agent == NULL &&
	    agent_new(run->loop, s->path, agents_wanted, s, &s->agent, &c) != 0)
		run_message(run, "%s: %s", sock_text(s), cause_text(&c));
	cause_fini(&c);
	return s->agent != NULL;
}

/* --- the variables -------------------------------------------------------------- */

/* NAME NULL: SSH_AUTH_SOCK. */
static struct agent_sock *
sock_new(struct agents *as, const char *name)
{
	struct agent_sock *s = mem_zalloc(sizeof(*s));
	const char *server = as->sv->run.socket_path;

	s->all = as;
	s->var = mem_strdup(name == NULL ? AGENTS_VAR : name);
	s->name = name == NULL ? NULL : s->var;
	s->path = name == NULL ? mem_printf("%s" AGENT_SUFFIX, server)
			       : mem_printf("%s.%s", server, name);
	list_push_back(&as->all, &s->node);
	return s;
}

static void
sock_free(struct agent_sock *s)
{
	struct list_node *n;
	struct agent_wait *q;

	/* Their prompts are open. */
	for (n = list_first(&s->all->asked); n != NULL;
	     n = list_next(&s->all->asked, n)) {
		q = container_of(n, struct agent_wait, node);
		if (q->sock == s)
			q->sock = NULL;
	}
	list_remove(&s->all->all, &s->node);
	agent_free(s->agent);
	mem_free(s->var);
	mem_free(s->path);
	mem_free(s->caller);
	mem_free(s);
}

static struct agent_sock *
sock_find(const struct agents *as, const char *name)
{
	struct list_node *n;
	struct agent_sock *s;

	for (n = list_first(&as->all); n != NULL; n = list_next(&as->all, n)) {
		s = container_of(n, struct agent_sock, node);
		if (s->name != NULL && strcmp(s->name, name) == 0)
			return s;
	}
	return NULL;
}

/* It has no variable: rmux in a pane knows the path. */
static struct agent_sock *
desk_sock(struct agents *as)
{
	struct agent_sock *s = sock_find(as, FORWARD_DESK);

	return s == NULL ? sock_new(as, FORWARD_DESK) : s;
}

/* A name of the option: its socket, and the variable of new panes. */
static void
sock_follow(struct agents *as, const char *name)
{
	struct agent_sock *s = sock_find(as, name);

	if (s == NULL && !forward_name_ok(name)) {
		run_message(&as->sv->run,
		    "follow-sockets: %s: no name for a variable of a socket",
		    name);
		return;
	}
	if (s == NULL && as->all.count - (sock_find(as, FORWARD_DESK) != NULL) >
			     AGENTS_SOCKETS) {
		run_message(&as->sv->run, "follow-sockets: more than %d names",
		    AGENTS_SOCKETS);
		return;
	}
	if (s == NULL)
		s = sock_new(as, name);
	s->keep = true;
	if (sock_listens(s))
		(void)environ_set(
		    &as->sv->run.mux->environ, s->var, s->path, false, NULL);
}

/* The variable goes unless somebody has set another value. */
static void
sock_leave(struct agent_sock *s)
{
	struct environ *env = &s->all->sv->run.mux->environ;
	const char *value = environ_get(env, s->var);

	if (value != NULL && strcmp(value, s->path) == 0)
		environ_unset(env, s->var);
	sock_free(s);
}

void
agents_follow(struct agents *as)
{
	const char *names = options_string(
	    &as->sv->run.mux->server_options, OPTION_FOLLOW_SOCKETS);
	char *text = mem_strdup(names), *rest = text, *name;
	struct list_node *n, *next;
	struct agent_sock *s;

	for (n = list_first(&as->all); n != NULL; n = list_next(&as->all, n))
		container_of(n, struct agent_sock, node)->keep = false;
	while ((name = strsep(&rest, " ,")) != NULL)
		if (*name != '\0')
			sock_follow(as, name);
	mem_free(text);
	/* Panes get a refusal also where nobody has a desk. */
	if (desk_off(as))
		(void)sock_listens(desk_sock(as));
	for (n = list_first(&as->all); n != NULL; n = next) {
		next = list_next(&as->all, n);
		s = container_of(n, struct agent_sock, node);
		if (s->name != NULL && !s->keep && !sock_is_desk(s))
			sock_leave(s);
	}
}

/*
 * An agent is offered where programs have no variable for one, as when it is
 * added to a client that was attached without it: new panes get the path.
 */
static void
agents_panes(struct agents *as, const char *path)
{
	struct mux *mux = as->sv->run.mux;
	const struct environ_var *v;
	struct session *s;
	struct map_entry *e;

	if (agents_off(as))
		return;
	if (environ_get(&mux->environ, AGENTS_VAR) == NULL)
		(void)environ_set(&mux->environ, AGENTS_VAR, path, false, NULL);
	MAP_FOREACH(e, &mux->sessions) {
		s = e->value;
		v = environ_find(&s->environ, AGENTS_VAR);
		if (v != NULL && v->value == NULL)
			(void)environ_set(
			    &s->environ, AGENTS_VAR, path, false, NULL);
	}
}

static bool
agents_offered(void *arg, const char *name)
{
	struct agents *as = arg;
	struct agent_sock *s =
	    name == NULL ? first_sock(as) : sock_find(as, name);

	if (s == NULL && strcmp(name, FORWARD_DESK) == 0)
		s = desk_sock(as);
	/* security: the option decides which names there are. */
	if (s == NULL || !sock_listens(s))
		return false;
	if (name == NULL)
		agents_panes(as, s->path);
	return true;
}

void
agents_environ(struct agents *as, const struct conn *cn, struct environ *env)
{
	const char *path = environ_get(env, AGENTS_VAR);
	struct agent_sock *s = first_sock(as);

	if (path == NULL || *path == '\0' || strcmp(path, s->path) == 0 ||
	    agents_off(as) || conn_uid(cn) != geteuid() || !sock_listens(s))
		return;
	/* That of an ssh that signs in ends with it. */
	if (!conn_roams(cn)) {
		mem_free(s->caller);
		s->caller = mem_strdup(path);
	}
	(void)environ_set(env, AGENTS_VAR, s->path, false, NULL);
}

struct agents *
agents_new(struct server *sv)
{
	struct agents *as = mem_zalloc(sizeof(*as));

	as->sv = sv;
	list_init(&as->all);
	list_init(&as->splices);
	list_init(&as->asked);
	(void)sock_new(as, NULL);
	remotes_set_agent(sv->remotes, agents_offered, as);
	return as;
}

void
agents_free(struct agents *as)
{
	struct agent_wait *q;

	if (as == NULL)
		return;
	while (!list_empty(&as->asked)) {
		q = container_of(
		    list_first(&as->asked), struct agent_wait, node);
		list_remove(&as->asked, &q->node);
		(void)close(q->fd);
		mem_free(q);
	}
	while (!list_empty(&as->all))
		sock_free(first_sock(as));
	splices_free(&as->splices);
	mem_free(as);
}
