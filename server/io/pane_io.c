#include "server/io/pane_io.h"

#include <sys/wait.h>

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "base/io/sys.h"
#include "base/mem.h"
#include "server/io/nested.h"
#include "server/run/run.h"
#include "server/run/trim.h"

/* A synchronised update (mode 2026) is shown after this time at the latest. */
#define PANE_SYNC_MS 1000

/* Room for one more read beyond a piece. */
#define PANE_READ_ROOM 8192

/* A shorter read is taken as an echo: reading stops after it. */
#define PANE_ECHO 64

/* Quiet time before history is compressed, and pause between two steps. */
#define PANE_IDLE_MS 1000
#define PANE_PACK_MS 20

/* --- taps ---------------------------------------------------------------------- */

void
pane_io_tap(struct pane_io *p, struct pane_tap *t)
{
	list_push_back(&p->taps, &t->node);
}

void
pane_io_untap(struct pane_io *p, struct pane_tap *t)
{
	list_remove(&p->taps, &t->node);
	pane_io_arm(p);
}

static bool
taps_full(const struct pane_io *p)
{
	const struct list_node *n;
	const struct pane_watch *w = p->all->watch;
	const struct pane_tap *t;

	LIST_FOREACH(n, &p->taps) {
		t = container_of(n, struct pane_tap, node);
		if (t->full(t))
			return true;
	}
	return w != NULL && w->full(w->arg, p->pane_id);
}

static void
taps_bytes(struct pane_io *p, const void *bytes, size_t n)
{
	const struct pane_watch *w = p->all->watch;
	struct list_node *node, *tmp;
	struct pane_tap *t;

	LIST_FOREACH_SAFE(node, &p->taps, tmp) {
		t = container_of(node, struct pane_tap, node);
		t->bytes(t, bytes, n);
	}
	if (w != NULL)
		w->bytes(w->arg, p->pane_id, bytes, n);
}

static void
taps_room(struct pane_io *p)
{
	struct list_node *node, *tmp;
	struct pane_tap *t;

	LIST_FOREACH_SAFE(node, &p->taps, tmp) {
		t = container_of(node, struct pane_tap, node);
		if (t->room != NULL)
			t->room(t);
	}
}

/* --- input --------------------------------------------------------------------- */

void
pane_io_arm(struct pane_io *p)
{
	if (p->fd >= 0)
		loop_io_set(p->io,
		    (p->rests || taps_full(p) ? 0 : (unsigned)LOOP_READ) |
			(p->input.len > 0 ? (unsigned)LOOP_WRITE : 0));
}

void
pane_ios_watch(struct pane_ios *ps, const struct pane_watch *watch)
{
	const struct map_entry *e;

	ps->watch = watch;
	MAP_FOREACH(e, &ps->by_pane)
		pane_io_arm(e->value);
}

/*
 * Writes once: a program that reads as fast as this process writes would keep
 * it for the whole of a long paste.  The rest goes in the next turns.
 */
static void
pane_io_flush(struct pane_io *p)
{
	ssize_t n;

	if (p->fd >= 0 && p->input.len > 0) {
		do
			n = write(p->fd, p->input.data,
			    MIN_OF(p->input.len, (size_t)PANE_WRITE));
		while (n < 0 && errno == EINTR);
		if (n > 0) {
			mem_wipe(p->input.data, (size_t)n);
			buf_consume(&p->input, (size_t)n);
		}
	}
	pane_io_arm(p);
	if (!list_empty(&p->taps))
		taps_room(p);
}

static int
input_add(struct pane_io *p, const void *bytes, size_t n, size_t max)
{
	if (p->fd < 0)
		return -ERR_CLOSED;
	if (p->input.len + n > max)
		return -ERR_LIMIT;
	(void)buf_add(&p->input, bytes, n);
	pane_io_flush(p);
	return 0;
}

int
pane_io_write(struct pane_io *p, const void *bytes, size_t n)
{
	return input_add(p, bytes, n, PANE_INPUT_MAX);
}

int
pane_io_write_whole(struct pane_io *p, const void *bytes, size_t n)
{
	return input_add(p, bytes, n, MAX_OF(n, (size_t)PANE_INPUT_MAX));
}

void
pane_io_effects(struct pane_io *p)
{
	struct vt_effect e;

	while (vt_term_next_effect(p->term, &e)) {
		if (e.kind == VT_EFFECT_REPLY)
			(void)pane_io_write(p, e.data, e.len);
		else if (e.kind == VT_EFFECT_NESTED)
			nested_said(p, &e);
		if (e.kind != VT_EFFECT_REPLY)
			p->ops->effect(p->arg, p->pane_id, &e);
		vt_effect_fini(&e);
	}
}

static void
pane_io_idle_in(struct pane_io *p, unsigned ms)
{
	p->packing = true;
	p->fed = false;
	loop_timer_set(
	    p->idle_timer, mono_add(loop_now(p->all->run->loop), ms));
}

/* Compresses old history step by step once the program is quiet. */
static void
pane_io_idle(void *arg)
{
	struct pane_io *p = arg;

	p->packing = false;
	if (p->fed)
		pane_io_idle_in(p, PANE_IDLE_MS);
	else if (vt_grid_settle(vt_term_main_grid(p->term)))
		pane_io_idle_in(p, PANE_PACK_MS);
}

static void
pane_io_feed(struct pane_io *p, const void *bytes, size_t n)
{
	p->looks = PANE_LOOKS;
	p->written += n;
	p->written_at = loop_now(p->all->run->loop);
	p->modes_at = MONO_NEVER;
	p->fed = true;
	if (!p->packing)
		pane_io_idle_in(p, PANE_IDLE_MS);
	trim_note(p->all->run->trim);
	vt_term_write(p->term, bytes, n);
	pane_io_effects(p);
	if (vt_term_sync_pending(p->term)) {
		loop_timer_set(p->sync_timer,
		    mono_add(loop_now(p->all->run->loop), PANE_SYNC_MS));
	} else
		loop_timer_set(p->sync_timer, MONO_NEVER);
	p->ops->output(p->arg, p->pane_id);
}

bool
pane_io_modes(struct pane_io *p, struct pty_modes *m)
{
	mono_ms now = loop_now(p->all->run->loop);

	if (p->fd < 0)
		return false;
	if (p->modes_at != now) {
		p->modes_good = pty_get_modes(p->fd, &p->modes) == 0;
		p->modes_at = now;
	}
	*m = p->modes;
	return p->modes_good;
}

static void
pane_io_closed(struct pane_io *p)
{
	loop_io_del(p->io);
	p->io = NULL;
	close(p->fd);
	p->fd = -1;
	taps_room(p);
	if (p->pid == 0)
		p->ops->exited(p->arg, p->pane_id);
}

/* Whether the pane's reader is still the one with number BORN. */
static bool
pane_io_lives(const struct pane_ios *ps, uint32_t pane, uint64_t born)
{
	const struct pane_io *p = pane_io_find(ps, pane);

	return p != NULL && p->born == born;
}

/* Reads and parses until the time UNTIL (sys_now_us) or MAX bytes. */
static void
pane_io_read(struct pane_io *p, uint64_t until, size_t max)
{
	static uint8_t bytes[PANE_PIECE + PANE_READ_ROOM];
	const struct pane_ios *ps = p->all;
	const uint32_t pane = p->pane_id;
	const uint64_t born = p->born;
	size_t got = 0, total = 0;
	bool last = false;
	ssize_t n = 0;

	/* The kernel returns a few KiB a read: gather them and parse once. */
	while (!last) {
		n = read(p->fd, bytes + got, sizeof(bytes) - got);
		if (n < 0 && errno == EINTR)
			continue;
		if (n > 0) {
			got += (size_t)n;
			total += (size_t)n;
		}
		/* A short read is an echo: no more output follows it. */
		last = n <= 0 || (n < PANE_ECHO && until != UINT64_MAX) ||
		       total >= max || sys_now_us() >= until;
		if (got >= PANE_PIECE || (last && got > 0)) {
			taps_bytes(p, bytes, got);
			pane_io_feed(p, bytes, got);
			got = 0;
			/* A hook may have killed or respawned the pane. */
			if (!pane_io_lives(ps, pane, born))
				return;
		}
	}
	if (n == 0 || (n < 0 && errno != EAGAIN))
		pane_io_closed(p);
}

/* The turn of the loop is over. */
static void
pane_io_turn(void *arg)
{
	struct pane_ios *ps = arg;

	ps->slice_end = 0;
}

/*
 * Pauses reading of a pane that floods while a user types into another one.
 * Returns whether it does.
 */
static bool
pane_io_rests(struct pane_io *p)
{
	mono_ms now = loop_now(p->all->run->loop);

	if (!pace_gives_way(&p->all->typing, p->pane_id, now) ||
	    !pace_rests(&p->pace, sys_now_us(), p->written))
		return false;
	p->rests = true;
	pane_io_flush(p);
	loop_timer_set(p->rest_timer, mono_add(now, PACE_REST_MS));
	return true;
}

static void
pane_io_rested(void *arg)
{
	struct pane_io *p = arg;

	p->rests = false;
	pane_io_flush(p);
}

static void
pane_io_event(void *arg, UNUSED int fd, unsigned events)
{
	struct pane_io *p = arg;
	struct pane_ios *ps = p->all;

	if (events & LOOP_WRITE)
		pane_io_flush(p);
	if ((events & LOOP_READ) == 0 || pane_io_rests(p))
		return;
	if (ps->slice_end == 0) {
		ps->slice_end = sys_now_us() + PANE_SLICE_US;
		loop_defer(ps->run->loop, pane_io_turn, ps);
	}
	pane_io_read(p, ps->slice_end, SIZE_MAX);
}

/* The program has ended: reads the rest of its output from the pty. */
static void
pane_io_drain(struct pane_io *p)
{
	if (p->fd >= 0)
		pane_io_read(p, UINT64_MAX, PANE_DRAIN_MAX);
}

static void
pane_io_sync(void *arg)
{
	struct pane_io *p = arg;

	vt_term_sync_expire(p->term);
	pane_io_effects(p);
	p->ops->output(p->arg, p->pane_id);
}

struct pane_io *
pane_io_new(struct pane_ios *ps, uint32_t pane_id, struct vt_term *term,
    const struct pty_spec *spec, struct cause *c)
{
	struct pane_io *p;
	pid_t pid;
	int fd;

	if (pty_spawn(spec, &fd, &pid, c) != 0)
		return NULL;
	p = mem_zalloc(sizeof(*p));
	p->all = ps;
	p->born = ++ps->born;
	p->ops = ps->ops;
	p->arg = ps->arg;
	p->pane_id = pane_id;
	p->term = term;
	p->fd = fd;
	p->pid = pid;
	p->looks = PANE_LOOKS;
	p->modes_at = MONO_NEVER;
	buf_init(&p->input, BUF_MAX);
	list_init(&p->taps);
	p->io = loop_io_add(ps->run->loop, fd, LOOP_READ, pane_io_event, p);
	p->sync_timer = loop_timer_new(ps->run->loop, pane_io_sync, p);
	p->idle_timer = loop_timer_new(ps->run->loop, pane_io_idle, p);
	p->rest_timer = loop_timer_new(ps->run->loop, pane_io_rested, p);
	(void)map_set_id(&ps->by_pane, pane_id, p);
	return p;
}

uint32_t
pane_io_other_id(struct pane_ios *ps)
{
	do {
		ps->other = (ps->other + 1) % PANE_IO_OTHERS;
	} while (pane_io_find(ps, PANE_IO_OTHER + ps->other) != NULL);
	return PANE_IO_OTHER + ps->other;
}

void
pane_io_move(struct pane_io *p, uint32_t pane_id)
{
	struct pane_ios *ps = p->all;

	(void)map_remove_id(&ps->by_pane, p->pane_id);
	p->pane_id = pane_id;
	(void)map_set_id(&ps->by_pane, pane_id, p);
	p->ops = ps->ops;
	p->arg = ps->arg;
}

void
pane_io_set_ops(struct pane_io *p, const struct pane_io_ops *ops, void *arg)
{
	p->ops = ops;
	p->arg = arg;
}

/* Closes the pty and frees P, which leaves its map to the caller. */
static void
pane_io_destroy(struct pane_io *p)
{
	struct pane_tap *t;

	trim_note(p->all->run->trim);
	while (!list_empty(&p->taps)) {
		t = container_of(list_first(&p->taps), struct pane_tap, node);
		t->closed(t);
	}
	loop_io_del(p->io);
	if (p->fd >= 0)
		close(p->fd);
	loop_timer_free(p->sync_timer);
	loop_timer_free(p->idle_timer);
	loop_timer_free(p->rest_timer);
	buf_fini(&p->input);
	vt_frame_unref(p->frames[0]);
	vt_frame_unref(p->frames[1]);
	mem_free(p);
}

void
pane_io_free(struct pane_io *p)
{
	if (p == NULL)
		return;
	(void)map_remove_id(&p->all->by_pane, p->pane_id);
	pane_io_destroy(p);
}

static struct pane_io *
pane_io_find_pid(const struct pane_ios *ps, pid_t pid)
{
	const struct map_entry *e;
	struct pane_io *p;

	MAP_FOREACH(e, &ps->by_pane) {
		p = e->value;
		if (p->pid == pid)
			return p;
	}
	return NULL;
}

bool
pane_io_reaped(struct pane_ios *ps, pid_t pid, int status)
{
	struct pane_io *p = pane_io_find_pid(ps, pid);

	if (p == NULL)
		return false;
	if (WIFSTOPPED(status)) {
		/* The program has no shell as parent that would continue it. */
		if (WSTOPSIG(status) != SIGTTIN && WSTOPSIG(status) != SIGTTOU)
			(void)killpg(pid, SIGCONT);
		return true;
	}
	log_write(&ps->run->log, LOG_INFO, LOG_SERVER,
	    "pane %%%u: process %ld ended, status 0x%x", (unsigned)p->pane_id,
	    (long)pid, (unsigned)status);
	p->pid = 0;
	p->status = status;
	/* Reading to the end may call ops->exited, which may free P. */
	if (p->fd < 0)
		p->ops->exited(p->arg, p->pane_id);
	else
		pane_io_drain(p);
	return true;
}

bool
pane_io_looking(const struct pane_ios *ps)
{
	const struct map_entry *e;

	MAP_FOREACH(e, &ps->by_pane)
		if (((const struct pane_io *)e->value)->looks > 0)
			return true;
	return false;
}

void
pane_io_look(struct pane_ios *ps, uint32_t pane_id, bool all)
{
	struct map_entry *e;
	struct pane_io *p;

	if (!all) {
		if ((p = pane_io_find(ps, pane_id)) != NULL)
			p->looks = PANE_LOOKS;
		return;
	}
	MAP_FOREACH(e, &ps->by_pane) {
		p = e->value;
		p->looks = PANE_LOOKS;
	}
}

void
pane_ios_init(struct pane_ios *ps, struct run *run,
    const struct pane_io_ops *ops, void *arg)
{
	memset(ps, 0, sizeof(*ps));
	ps->run = run;
	ps->ops = ops;
	ps->arg = arg;
	map_init_ids(&ps->by_pane);
}

void
pane_ios_fini(struct pane_ios *ps)
{
	struct map_entry *e;

	MAP_FOREACH(e, &ps->by_pane)
		pane_io_destroy(e->value);
	map_fini(&ps->by_pane);
}

void
pane_io_resize(
    struct pane_io *p, struct cell_size size, unsigned xpixel, unsigned ypixel)
{
	if (p->fd >= 0)
		(void)pty_resize(
		    p->fd, size, (uint16_t)xpixel, (uint16_t)ypixel);
	/*
	 * The terminal may report the new size in the program's input (mode
	 * 2048).
	 */
	pane_io_effects(p);
}

void
pane_io_command(struct pane_io *p, char *name, size_t size)
{
	name[0] = '\0';
	if (p->fd >= 0)
		pty_foreground_name(p->fd, name, size);
}
