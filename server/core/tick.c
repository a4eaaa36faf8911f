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
	mono_ms alerts_at; /* the next silence, or MONO_NEVER */
	bool looking;      /* names are to be looked up once more */
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

	sv->ticking = sv->changed = false;
	if (listen_paused(sv->listen))
		listen_resume(sv->listen);
	run_set_now(&sv->run);
	MAP_FOREACH(e, &sv->run.mux->windows)
		programs_name(sv, e->value);
	lock_idle(sv);
	monitors_tick(sv->monitors, loop_now(sv->run.loop));
	controllers_tick(&sv->controllers, loop_now(sv->run.loop));
	t->alerts_at = alert_run(sv->run.mux);
	t->looking = pane_io_looking(&sv->panes);
	run_drain(&sv->run);
	tick_arm(t);
}

void
tick_arm(struct tick *t)
{
	struct server *sv = t->sv;

	const mono_ms soon = mono_add(loop_now(sv->run.loop), TICK_MS);
	mono_ms at = soon;

	/* Without clients and monitors only changes are looked at. */
	if (list_empty(&sv->viewers.list) &&
	    list_empty(&sv->controllers.list) &&
	    !monitors_want_tick(sv->monitors) && !listen_paused(sv->listen) &&
	    !sv->changed && !t->looking)
		at = t->alerts_at;
	/* Do not set it again: frequent changes would postpone it. */
	if (sv->ticking)
		return;
	at = MAX_OF(at, soon);
	sv->ticking = at == soon;
	loop_timer_set(t->timer, at);
}

struct tick *
tick_new(struct server *sv)
{
	struct tick *t = mem_zalloc(sizeof(*t));

	t->sv = sv;
	t->timer = loop_timer_new(sv->run.loop, tick_timer, t);
	t->alerts_at = MONO_NEVER;
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
