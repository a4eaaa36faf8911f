#include "server/core/tick.h"

#include "base/mem.h"
#include "mux/alert.h"
#include "mux/client.h"
#include "mux/session.h"
#include "server/core/monitors.h"
#include "server/core/programs.h"
#include "server/core/server.h"
#include "server/io/listen.h"
#include "server/run/run.h"

/* Time between two checks of names, silence, locks and monitors. */
#define TICK_MS 500

struct tick {
	struct server *sv;
	struct loop_timer *timer;
};

/* Locks clients without input for lock-after-time. */
static void
lock_idle(struct server *sv)
{
	struct list_node *n;
	struct viewer *vw;
	int64_t after;

	LIST_FOREACH(n, &sv->viewers.list) {
		vw = container_of(n, struct viewer, node);
		if (vw->client->session == NULL || vw->locked)
			continue;
		after = options_number(
		    &vw->client->session->options, OPTION_LOCK_AFTER_TIME);
		if (after > 0 &&
		    sv->run.mux->wall - vw->client->activity >= after * 1000)
			viewer_lock(vw);
	}
}

static void
tick_timer(void *arg)
{
	struct tick *t = arg;
	struct server *sv = t->sv;
	struct map_entry *e;

	sv->ticking = false;
	if (listen_paused(sv->listen))
		listen_resume(sv->listen);
	run_set_now(&sv->run);
	MAP_FOREACH(e, &sv->run.mux->windows)
		programs_name(sv, e->value);
	lock_idle(sv);
	monitors_tick(sv->monitors, loop_now(sv->run.loop));
	controllers_tick(&sv->controllers, loop_now(sv->run.loop));
	(void)alert_run(sv->run.mux);
	run_drain(&sv->run);
	tick_arm(t);
}

void
tick_arm(struct tick *t)
{
	struct server *sv = t->sv;

	/* Without clients and monitors there is nothing to check. */
	if (list_empty(&sv->viewers.list) &&
	    list_empty(&sv->controllers.list) &&
	    !monitors_want_tick(sv->monitors) && !listen_paused(sv->listen)) {
		sv->ticking = false;
		loop_timer_set(t->timer, MONO_NEVER);
	} else if (!sv->ticking) {
		/* Do not set it again: frequent changes would postpone it. */
		sv->ticking = true;
		loop_timer_set(
		    t->timer, mono_add(loop_now(sv->run.loop), TICK_MS));
	}
}

struct tick *
tick_new(struct server *sv)
{
	struct tick *t = mem_zalloc(sizeof(*t));

	t->sv = sv;
	t->timer = loop_timer_new(sv->run.loop, tick_timer, t);
	return t;
}

void
tick_free(struct tick *t)
{
	if (t == NULL)
		return;
	loop_timer_free(t->timer);
	mem_free(t);
}
