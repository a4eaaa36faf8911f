#include "base/io/loop.h"

#include <event2/event.h>
#include <stdlib.h>
#include <string.h>

#include "base/io/loop_int.h"
#include "base/io/sys.h"
#include "base/mem.h"

struct loop_io {
	struct loop *loop;
	struct event *ev;
	int fd;
	unsigned events;
	loop_io_fn fn;
	void *arg;
};

struct loop_signal {
	struct loop *loop;
	struct event *ev;
	loop_signal_fn fn;
	void *arg;
};

struct loop *
loop_new(void)
{
	struct loop *l;

	l = mem_zalloc(sizeof(*l));
	l->base = loop_clock_base();
	bug_assert(l->base != NULL);
	l->now = sys_now();
	loop_timers_init(l);
	return l;
}

void
loop_free(struct loop *l)
{
	if (l == NULL)
		return;
	loop_timers_fini(l);
	event_base_free(l->base);
	mem_free(l->deferred);
	mem_free(l);
}

static void
loop_run_deferred(struct loop *l)
{
	struct loop_deferred d;
	size_t n = l->ndeferred;

	/* Calls deferred meanwhile run in the next turn. */
	while (l->firstdeferred < n) {
		d = l->deferred[l->firstdeferred++];
		if (d.fn != NULL)
			d.fn(d.arg);
	}
	l->ndeferred -= n;
	l->firstdeferred = 0;
	if (l->ndeferred > 0)
		memmove(l->deferred, l->deferred + n,
		    l->ndeferred * sizeof(*l->deferred));
}

void
loop_turn(struct loop *l, bool wait)
{
	struct loop_deferred last;
	int flags = EVLOOP_ONCE;

	wait = wait && l->ndeferred == 0 && l->last.fn == NULL &&
	       !loop_timers_due(l);
	l->stats.turns++;
	if (!wait)
		flags |= EVLOOP_NONBLOCK;
	else
		loop_timers_arm(l);
	event_base_loop(l->base, flags);
	l->now = sys_now();
	loop_timers_run(l);
	loop_run_deferred(l);
	last = l->last;
	if (last.fn == NULL)
		return;
	l->last.fn = NULL;
	l->now = sys_now();
	last.fn(last.arg);
}

void
loop_run(struct loop *l)
{
	while (!l->stopped)
		loop_turn(l, true);
}

bool
loop_stop(struct loop *l)
{
	bool first = !l->stopped;

	l->stopped = true;
	event_base_loopbreak(l->base);
	return first;
}

bool
loop_stopped(const struct loop *l)
{
	return l->stopped;
}

mono_ms
loop_now(const struct loop *l)
{
	return l->now;
}

static void
loop_io_cb(evutil_socket_t fd, short what, void *arg)
{
	struct loop_io *io = arg;
	unsigned events = 0;

	if (what & EV_READ)
		events |= LOOP_READ;
	if (what & EV_WRITE)
		events |= LOOP_WRITE;
	io->loop->now = sys_now();
	io->loop->stats.events++;
	io->fn(io->arg, fd, events);
}

void
loop_io_set(struct loop_io *io, unsigned events)
{
	short what = EV_PERSIST;

	if (events == io->events)
		return;
	if (io->events != 0)
		event_del(io->ev);
	io->events = events;
	if (events == 0)
		return;
	if (events & LOOP_READ)
		what |= EV_READ;
	if (events & LOOP_WRITE)
		what |= EV_WRITE;
	event_assign(io->ev, io->loop->base, io->fd, what, loop_io_cb, io);
	event_add(io->ev, NULL);
}

struct loop_io *
loop_io_add(struct loop *l, int fd, unsigned events, loop_io_fn fn, void *arg)
{
	struct loop_io *io;

	io = mem_zalloc(sizeof(*io));
	io->loop = l;
	io->fd = fd;
	io->fn = fn;
	io->arg = arg;
	io->ev = event_new(l->base, fd, EV_PERSIST | EV_READ, loop_io_cb, io);
	bug_assert(io->ev != NULL);
	loop_io_set(io, events);
	return io;
}

void
loop_io_del(struct loop_io *io)
{
	if (io == NULL)
		return;
	event_free(io->ev);
	mem_free(io);
}

static void
loop_signal_cb(evutil_socket_t signo, UNUSED short what, void *arg)
{
	struct loop_signal *s = arg;

	s->loop->now = sys_now();
	s->loop->stats.events++;
	s->fn(s->arg, (int)signo);
}

struct loop_signal *
loop_signal_add(struct loop *l, int signo, loop_signal_fn fn, void *arg)
{
	struct loop_signal *s;

	s = mem_zalloc(sizeof(*s));
	s->loop = l;
	s->fn = fn;
	s->arg = arg;
	s->ev = evsignal_new(l->base, signo, loop_signal_cb, s);
	bug_assert(s->ev != NULL);
	evsignal_add(s->ev, NULL);
	return s;
}

void
loop_signal_del(struct loop_signal *s)
{
	if (s == NULL)
		return;
	event_free(s->ev);
	mem_free(s);
}

void
loop_defer_new(struct loop *l, loop_fn fn, void *arg)
{
	if (l->ndeferred == l->capdeferred) {
		l->capdeferred = l->capdeferred == 0 ? 16 : l->capdeferred * 2;
		l->deferred = mem_resize(
		    l->deferred, l->capdeferred, sizeof(*l->deferred));
	}
	l->deferred[l->ndeferred++] = (struct loop_deferred){ fn, arg };
}

void
loop_defer(struct loop *l, loop_fn fn, void *arg)
{
	size_t i;

	for (i = l->firstdeferred; i < l->ndeferred; i++)
		if (l->deferred[i].fn == fn && l->deferred[i].arg == arg)
			return;
	loop_defer_new(l, fn, arg);
}

void
loop_last(struct loop *l, loop_fn fn, void *arg)
{
	l->last = (struct loop_deferred){ fn, arg };
}

void
loop_defer_cancel(struct loop *l, const void *arg)
{
	size_t i;

	for (i = l->firstdeferred; i < l->ndeferred; i++)
		if (l->deferred[i].arg == arg)
			l->deferred[i].fn = NULL;
}
