/* Timers of the loop. */
#include "config.h"

#ifdef HAVE_SYS_TIMERFD_H
# include <sys/timerfd.h>
#endif

#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/io/loop_int.h"
#include "base/io/sys.h"
#include "base/mem.h"

/*
 * timerfd uses the clock of sys_now and needs no timeout on each turn; without
 * it, libevent has one timeout.
 */
#if defined(HAVE_SYS_TIMERFD_H) && defined(CLOCK_BOOTTIME)
# define CLOCK_IS_FD 1
#else
# define CLOCK_IS_FD 0
#endif

#define TIMER_OFF SIZE_MAX

struct loop_timer {
	struct list_node node; /* in `aside`: see loop_timers_run */
	struct loop *loop;
	mono_ms at; /* MONO_NEVER: not set */
	uint64_t seq;
	size_t place; /* index in the heap, or TIMER_OFF */
	loop_fn fn;
	void *arg;
};

/* --- the heap --- */

static bool
timer_before(const struct loop_timer *a, const struct loop_timer *b)
{
	return a->at != b->at ? a->at < b->at : a->seq < b->seq;
}

static void
timer_place(struct loop *l, struct loop_timer *t, size_t i)
{
	l->timers[i] = t;
	t->place = i;
}

static void
timer_up(struct loop *l, struct loop_timer *t, size_t i)
{
	size_t up;

	for (; i > 0; i = up) {
		up = (i - 1) / 2;
		if (!timer_before(t, l->timers[up]))
			break;
		timer_place(l, l->timers[up], i);
	}
	timer_place(l, t, i);
}

static void
timer_down(struct loop *l, struct loop_timer *t, size_t i)
{
	size_t kid;

	while ((kid = 2 * i + 1) < l->ntimers) {
		if (kid + 1 < l->ntimers &&
		    timer_before(l->timers[kid + 1], l->timers[kid]))
			kid++;
		if (!timer_before(l->timers[kid], t))
			break;
		timer_place(l, l->timers[kid], i);
		i = kid;
	}
	timer_place(l, t, i);
}

/* Restores the heap after T, at index I, changed its time. */
static void
timer_moved(struct loop *l, struct loop_timer *t, size_t i)
{
	if (i > 0 && timer_before(t, l->timers[(i - 1) / 2]))
		timer_up(l, t, i);
	else
		timer_down(l, t, i);
}

static void
timer_add(struct loop *l, struct loop_timer *t)
{
	if (l->ntimers == l->captimers) {
		l->captimers = l->captimers == 0 ? 16 : l->captimers * 2;
		l->timers =
		    mem_resize(l->timers, l->captimers, sizeof(*l->timers));
	}
	l->ntimers++;
	timer_up(l, t, l->ntimers - 1);
}

static void
timer_remove(struct loop *l, struct loop_timer *t)
{
	size_t i = t->place;
	struct loop_timer *last;

	if (list_linked(&t->node))
		list_remove(&l->aside, &t->node);
	if (i == TIMER_OFF)
		return;
	t->place = TIMER_OFF;
	last = l->timers[--l->ntimers];
	if (last != t)
		timer_moved(l, last, i);
}

/* --- the clock --- */

static void
clock_cb(evutil_socket_t fd, UNUSED short what, void *arg)
{
	struct loop *l = arg;
	uint64_t n;

	/* loop_timers_run finds the due timers by itself. */
	if (l->clock_fd >= 0 && read(fd, &n, sizeof(n)) < 0)
		return;
	l->armed = MONO_NEVER;
}

struct event_base *
loop_clock_base(void)
{
	struct event_config *cfg;
	struct event_base *base;

	if ((cfg = event_config_new()) == NULL)
		return NULL;
	if (!CLOCK_IS_FD)
		event_config_set_flag(cfg, EVENT_BASE_FLAG_PRECISE_TIMER);
	base = event_base_new_with_config(cfg);
	event_config_free(cfg);
	return base;
}

void
loop_timers_init(struct loop *l)
{
	l->armed = MONO_NEVER;
	list_init(&l->aside);
	l->clock_fd = -1;
#if CLOCK_IS_FD
	l->clock_fd =
	    timerfd_create(CLOCK_BOOTTIME, TFD_CLOEXEC | TFD_NONBLOCK);
	bug_assert(l->clock_fd >= 0);
#endif
	l->clock = event_new(l->base, l->clock_fd,
	    CLOCK_IS_FD ? EV_PERSIST | EV_READ : 0, clock_cb, l);
	bug_assert(l->clock != NULL);
	if (CLOCK_IS_FD)
		event_add(l->clock, NULL);
}

void
loop_timers_fini(struct loop *l)
{
	event_free(l->clock);
	if (l->clock_fd >= 0)
		close(l->clock_fd);
	mem_free(l->timers);
}

static void
clock_set(struct loop *l, mono_ms at)
{
#if CLOCK_IS_FD
	struct itimerspec is = { 0 };

	is.it_value.tv_sec = (time_t)(at / 1000);
	is.it_value.tv_nsec = (long)(at % 1000 * 1000000);
	(void)timerfd_settime(l->clock_fd, TFD_TIMER_ABSTIME, &is, NULL);
#else
	mono_ms wait = mono_until(sys_now(), at);
	struct timeval tv = { .tv_sec = (time_t)(wait / 1000),
		.tv_usec = (suseconds_t)(wait % 1000 * 1000) };

	event_add(l->clock, &tv);
#endif
}

void
loop_timers_arm(struct loop *l)
{
	mono_ms at = l->ntimers == 0 ? MONO_NEVER : l->timers[0]->at;

	/* Firing too early costs less than setting the clock on each turn. */
	if (at >= l->armed)
		return;
	l->armed = at;
	l->stats.arms++;
	clock_set(l, at);
}

bool
loop_timers_due(const struct loop *l)
{
	return l->ntimers > 0 && l->timers[0]->at <= sys_now();
}

void
loop_timers_run(struct loop *l)
{
	mono_ms until = l->now;
	struct loop_timer *t;

	l->firing = true;
	while (l->ntimers > 0 && l->timers[0]->at <= until) {
		t = l->timers[0];
		timer_remove(l, t);
		t->at = MONO_NEVER;
		l->now = sys_now();
		t->fn(t->arg);
	}
	l->firing = false;
	while (!list_empty(&l->aside)) {
		t = container_of(
		    list_first(&l->aside), struct loop_timer, node);
		list_remove(&l->aside, &t->node);
		timer_add(l, t);
	}
}

/* --- timers --- */

struct loop_timer *
loop_timer_new(struct loop *l, loop_fn fn, void *arg)
{
	struct loop_timer *t;

	t = mem_zalloc(sizeof(*t));
	t->loop = l;
	t->fn = fn;
	t->arg = arg;
	t->at = MONO_NEVER;
	t->place = TIMER_OFF;
	return t;
}

void
loop_timer_set(struct loop_timer *t, mono_ms at)
{
	struct loop *l = t->loop;

	if (at == t->at)
		return;
	t->at = at;
	t->seq = ++l->seq;
	if (at == MONO_NEVER || l->firing) {
		timer_remove(l, t);
		if (at != MONO_NEVER)
			list_push_back(&l->aside, &t->node);
	} else if (t->place != TIMER_OFF)
		timer_moved(l, t, t->place);
	else
		timer_add(l, t);
}

void
loop_timer_free(struct loop_timer *t)
{
	if (t == NULL)
		return;
	timer_remove(t->loop, t);
	mem_free(t);
}
