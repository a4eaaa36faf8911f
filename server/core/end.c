#include "server/core/end.h"

#include "mux/mux.h"
#include "server/core/server.h"
#include "server/io/listen.h"
#include "server/io/remote.h"
#include "server/run/cmdq.h"
#include "server/run/notes.h"
#include "server/run/run.h"

#define END_MS 1000 /* time for clients to confirm the end */
#define END_LOOK_MS 20

static void
end_stop(void *arg)
{
	struct server *sv = arg;
	mono_ms now = loop_now(sv->run.loop);

	/* Clients close their connections after the farewell. */
	if ((!list_empty(&sv->viewers.list) ||
		!list_empty(&sv->controllers.list) ||
		remotes_busy(sv->remotes)) &&
	    now < sv->end.at) {
		loop_timer_set(sv->end.timer, mono_add(now, END_LOOK_MS));
		return;
	}
	(void)loop_stop(sv->run.loop);
}

void
end_begin(struct server *sv)
{
	mono_ms now = loop_now(sv->run.loop);
	struct list_node *n;

	if (sv->run.exiting)
		return;
	sv->run.exiting = true;
	listen_close(sv->listen);
	LIST_FOREACH(n, &sv->viewers.list)
		viewer_detach(container_of(n, struct viewer, node), 0,
		    sv->run.mux->session_ids.count == 0 ? "exited"
							: "server exited");
	LIST_FOREACH(n, &sv->controllers.list)
		controller_leave(
		    container_of(n, struct controller, node), 0, NULL);
	carriers_end(&sv->carriers);
	conns_exit(&sv->conns);
	sv->end.at = mono_add(now, END_MS);
	sv->end.timer = loop_timer_new(sv->run.loop, end_stop, sv);
	loop_timer_set(sv->end.timer, mono_add(now, 1));
}

static bool
end_idle(const struct server *sv)
{
	return sv->run.mux->session_ids.count == 0 &&
	       list_empty(&sv->conns.all) && list_empty(&sv->jobs.all) &&
	       list_empty(&sv->delays) && cmdq_empty(sv->run.queue) &&
	       !notes_loading(sv->run.notes);
}

static void
end_look(void *arg)
{
	struct server *sv = arg;

	if (sv->run.exiting || !end_idle(sv) ||
	    !options_flag(&sv->run.mux->server_options, OPTION_EXIT_EMPTY))
		return;
	/* Serve a caller that has connected already. */
	listen_accept(sv->listen);
	if (list_empty(&sv->conns.all))
		end_begin(sv);
}

void
end_if_empty(struct server *sv)
{
	/*
	 * The server waits for its first caller; with -D it never ends by
	 * itself.
	 */
	if (sv->conns.greeted && !sv->foreground && !sv->run.exiting &&
	    end_idle(sv))
		loop_defer(sv->run.loop, end_look, sv);
}
