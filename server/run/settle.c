#include "server/run/settle.h"

#include <stdlib.h>
#ifdef __GLIBC__
# include <malloc.h>
#endif

#include "base/mem.h"
#include "server/server.h"

/* Quiet time before it; panes have packed their history by then. */
#define SETTLE_MS 4000

struct settle {
	struct server *sv;
	struct loop_timer *timer;
	mono_ms noted;
	bool armed;
};

static void
settle_timer(void *arg)
{
	struct settle *st = arg;
	mono_ms due = mono_add(st->noted, SETTLE_MS);

	if (loop_now(st->sv->loop) < due) {
		loop_timer_set(st->timer, due);
		return;
	}
	st->armed = false;
	vt_pool_trim(st->sv->pool);
#ifdef __GLIBC__
	(void)malloc_trim(0);
#endif
}

void
settle_note(struct settle *st)
{
	st->noted = loop_now(st->sv->loop);
	if (st->armed)
		return;
	st->armed = true;
	loop_timer_set(st->timer, mono_add(st->noted, SETTLE_MS));
}

struct settle *
settle_new(struct server *sv)
{
	struct settle *st;

	st = mem_zalloc(sizeof(*st));
	st->sv = sv;
	st->timer = loop_timer_new(sv->loop, settle_timer, st);
	return st;
}

void
settle_free(struct settle *st)
{
	if (st == NULL)
		return;
	loop_timer_free(st->timer);
	mem_free(st);
}
