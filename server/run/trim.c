#include "server/run/trim.h"

#include <stdlib.h>
#ifdef __GLIBC__
# include <malloc.h>
#endif

#include "base/mem.h"
#include "mux/vt/pool.h"

static void
trim_timer(void *arg)
{
	struct trim *t = arg;
	mono_ms due = mono_add(t->noted, t->quiet);

	if (loop_now(t->loop) < due) {
		loop_timer_set(t->timer, due);
		return;
	}
	t->armed = false;
	vt_pool_trim(t->pool);
#ifdef __GLIBC__
	(void)malloc_trim(0);
#endif
}

void
trim_arm(struct trim *t)
{
	t->armed = true;
	loop_timer_set(t->timer, mono_add(t->noted, t->quiet));
}

struct trim *
trim_new(struct loop *loop, struct vt_pool *pool, mono_ms quiet)
{
	struct trim *t;

	t = mem_zalloc(sizeof(*t));
	t->loop = loop;
	t->pool = pool;
	t->quiet = quiet;
	t->timer = loop_timer_new(loop, trim_timer, t);
	return t;
}

void
trim_free(struct trim *t)
{
	if (t == NULL)
		return;
	loop_timer_free(t->timer);
	mem_free(t);
}
