#include "server/core/agents.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/io/loop.h"
#include "base/io/sock.h"
#include "base/io/stream.h"
#include "base/io/sys.h"
#include "base/mem.h"
#include "base/str.h"
#include "conf/environ.h"
#include "mux/mux.h"
#include "server/core/server.h"
#include "server/face/controller.h"
#include "server/face/prompt.h"
#include "server/io/agent.h"
#include "server/io/remote.h"
#include "server/io/splice.h"

#define AGENTS_VAR "SSH_AUTH_SOCK"
#define AGENTS_ASKED 16 /* programs that wait for an answer */

struct agents {
	struct server *sv;
	struct agent *agent; /* NULL: not needed yet */
	char *path;          /* of its socket */
	/* Named by a caller that is not attached; NULL: none. */
	char *caller;
	struct list splices;
	struct list asked; /* struct agent_wait */
};

/* A program that waits until a user has allowed it. */
struct agent_wait {
	struct list_node node;
	struct agents *all;
	uint32_t client;
	int fd;
};

static bool
agents_off(const struct agents *as)
{
	return options_number(&as->sv->run.mux->server_options,
		   OPTION_FORWARD_AGENT) == FORWARD_AGENT_OFF;
}

/* Joins FD to the agent at PATH on this machine. */
static bool
agents_local(struct agents *as, const char *path, int fd)
{
	struct cause c = { NULL };
	int there, r;

	if (path == NULL || *path == '\0' || strcmp(path, as->path) == 0)
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
agents_client(struct agents *as, const struct client *cl, int fd)
{
	struct remote *r = client_remote(as, cl);

	if (r != NULL)
		return remote_agent(r, fd);
	return agents_local(as, environ_get(&cl->environ, AGENTS_VAR), fd);
}

/* Whether CL has an agent that may be used. */
static bool
agents_has(const struct agents *as, const struct client *cl)
{
	struct remote *r = client_remote(as, cl);
	const char *path = environ_get(&cl->environ, AGENTS_VAR);

	/* security: of the server's own user alone. */
	if (cl->guest || cl->uid != (int64_t)geteuid())
		return false;
	if (r != NULL)
		return remote_offers_agent(r);
	return path != NULL && *path != '\0' && strcmp(path, as->path) != 0;
}

/* Returns the client used last that has an agent, among those before BELOW. */
static struct client *
agents_next(const struct agents *as, int64_t below)
{
	struct client *cl, *best = NULL;
	struct map_entry *e;

	MAP_FOREACH(e, &as->sv->run.mux->clients) {
		cl = e->value;
		if (cl->activity < below && agents_has(as, cl) &&
		    (best == NULL || cl->activity > best->activity))
			best = cl;
	}
	return best;
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
	    !agents_client(as, cl, q->fd)) {
		run_message(&as->sv->run, "agent: refused");
		(void)close(q->fd);
	}
	list_remove(&as->asked, &q->node);
	mem_free(q);
}

/* Asks the user of CL. */
static void
agents_ask(struct agents *as, const struct client *cl, int fd, const char *who)
{
	struct viewer *vw = viewer_find(&as->sv->viewers, cl);
	struct agent_wait *q;
	char *text;

	if (vw == NULL || as->asked.count >= AGENTS_ASKED) {
		(void)close(fd);
		return;
	}
	q = mem_zalloc(sizeof(*q));
	q->all = as;
	q->client = cl->id;
	q->fd = fd;
	list_push_back(&as->asked, &q->node);
	text = mem_printf("Let %s use your ssh agent? (y/n) ", who);
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

static bool
agents_wanted(void *arg, int fd)
{
	struct agents *as = arg;
	const bool ask = options_number(&as->sv->run.mux->server_options,
			     OPTION_FORWARD_AGENT) == FORWARD_AGENT_ASK;
	struct client *cl = agents_next(as, INT64_MAX);
	bool taken = false;
	char *who;

	if (agents_off(as))
		return false;
	who = program_new(fd);
	if (ask && cl != NULL) {
		run_message(&as->sv->run, "agent: %s asks %s", who, cl->name);
		agents_ask(as, cl, fd, who);
		taken = true;
	}
	for (; !taken && cl != NULL; cl = agents_next(as, cl->activity)) {
		taken = agents_client(as, cl, fd);
		if (taken)
			run_message(&as->sv->run, "agent: %s uses that of %s",
			    who, cl->name);
	}
	/* Clients without a view, and callers that have gone. */
	if (!taken && !ask) {
		taken = remotes_agent(as->sv->remotes, fd) ||
			agents_local(as, as->caller, fd);
		if (taken)
			run_message(&as->sv->run,
			    "agent: %s uses that of a command", who);
	}
	mem_free(who);
	return taken;
}

/* Listens, from then on; false: it cannot. */
static bool
agents_listen(struct agents *as)
{
	struct run *run = &as->sv->run;
	struct cause c = { NULL };

	if (as->agent == NULL && agent_new(run->loop, run->socket_path,
				     agents_wanted, as, &as->agent, &c) != 0)
		run_message(run, "agent: %s", cause_text(&c));
	cause_fini(&c);
	return as->agent != NULL;
}

static void
agents_offered(void *arg)
{
	(void)agents_listen(arg);
}

void
agents_environ(struct agents *as, const struct conn *cn, struct environ *env)
{
	const char *path = environ_get(env, AGENTS_VAR);

	if (path == NULL || *path == '\0' || strcmp(path, as->path) == 0 ||
	    agents_off(as) || conn_uid(cn) != geteuid() || !agents_listen(as))
		return;
	/* That of an ssh that signs in ends with it. */
	if (!conn_roams(cn)) {
		mem_free(as->caller);
		as->caller = mem_strdup(path);
	}
	(void)environ_set(env, AGENTS_VAR, as->path, false, NULL);
}

struct agents *
agents_new(struct server *sv)
{
	struct agents *as = mem_zalloc(sizeof(*as));

	as->sv = sv;
	as->path = mem_printf("%s" AGENT_SUFFIX, sv->run.socket_path);
	list_init(&as->splices);
	list_init(&as->asked);
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
	splices_free(&as->splices);
	agent_free(as->agent);
	mem_free(as->path);
	mem_free(as->caller);
	mem_free(as);
}
