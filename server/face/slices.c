#include "server/face/slices.h"

#include "base/io/sys.h"
#include "base/mem.h"
#include "mux/mode/mode.h"
#include "mux/pane.h"
#include "server/face/viewer.h"
#include "server/run/cmdq.h"

/* The work of one mode. */
struct slice_job {
	struct list_node node;
	uint32_t pane;
	uint64_t serial; /* of the mode */
	uint64_t began;  /* sys_now_us */
	uint64_t shown;  /* the same, of the last picture */
	uint64_t conn;   /* of the command that waits */
	uint64_t token;  /* 0: none waits */
};

static void slices_turn(void *arg);

void
slices_init(struct viewers *vs)
{
	vs->slices.all = vs;
	list_init(&vs->slices.jobs);
}

void
slices_fini(struct viewers *vs)
{
	struct list_node *n;

	loop_defer_cancel(vs->run->loop, &vs->slices);
	while ((n = list_first(&vs->slices.jobs)) != NULL) {
		list_remove(&vs->slices.jobs, n);
		mem_free(container_of(n, struct slice_job, node));
	}
}

static void
defer(struct slices *ss)
{
	if (ss->queued || list_empty(&ss->jobs))
		return;
	ss->queued = true;
	loop_defer_new(ss->all->run->loop, slices_turn, ss);
}

static struct slice_job *
find(const struct slices *ss, const struct pane *p)
{
	const struct list_node *n;
	struct slice_job *j;

	LIST_FOREACH(n, &ss->jobs) {
		j = container_of(n, struct slice_job, node);
		if (j->pane == p->id && mode_top(p) != NULL &&
		    j->serial == mode_top(p)->serial)
			return j;
	}
	return NULL;
}

void
slices_start(struct viewers *vs, const struct pane *p)
{
	struct slices *ss = &vs->slices;
	const struct mode *m = mode_top(p);
	struct slice_job *j;

	if (m == NULL || m->work == MODE_IDLE || find(ss, p) != NULL)
		return;
	j = mem_zalloc(sizeof(*j));
	j->pane = p->id;
	j->serial = m->serial;
	j->began = j->shown = sys_now_us();
	list_push_back(&ss->jobs, &j->node);
	defer(ss);
}

bool
slices_busy(const struct pane *p)
{
	const struct mode *m = mode_top(p);

	return m != NULL && m->work == MODE_BUSY;
}

/* Ends the wait of a command; its queue runs on. */
static void
release(struct slices *ss, uint64_t token)
{
	if (token != 0)
		(void)cmdq_continue(ss->all->run, token, false);
}

void
slices_wait(
    struct viewers *vs, const struct pane *p, uint64_t conn, uint64_t token)
{
	struct slice_job *j;
	uint64_t old;

	slices_start(vs, p);
	if ((j = find(&vs->slices, p)) == NULL)
		return;
	/* The command before it was ended by this one. */
	old = j->token;
	j->began = sys_now_us();
	j->conn = conn;
	j->token = token;
	release(&vs->slices, old);
}

/* The pane of a job if its mode is on top, else NULL. */
static struct pane *
pane_of(const struct slices *ss, const struct slice_job *j)
{
	struct pane *p = mux_pane(ss->all->run->mux, j->pane);
	const struct mode *m = p == NULL ? NULL : mode_top(p);

	return m != NULL && m->serial == j->serial ? p : NULL;
}

/* Works for a while; shows what has changed. */
static enum mode_work
work(struct slices *ss, struct slice_job *j, struct pane *p)
{
	const uint64_t begin = sys_now_us(), version = mode_top(p)->version;
	enum mode_work w;
	uint64_t now;

	do {
		w = mode_work(p);
		now = sys_now_us();
	} while (w != MODE_IDLE && now - begin < SLICES_US &&
		 (w == MODE_BUSY || j->token == 0));
	if (w == MODE_BUSY && now - j->began > SLICES_MAX_US) {
		mode_stop(p, true);
		w = MODE_IDLE;
	}
	if (w == MODE_BEHIND && now - j->shown > SLICES_SHOW_US) {
		j->shown = now;
		mode_dirty(mode_top(p));
	}
	if (mode_top(p)->version != version)
		viewers_redraw_window(ss->all, p->window);
	return w;
}

/* Lets the mode that has waited longest work. */
static void
slices_turn(void *arg)
{
	struct slices *ss = arg;
	struct list_node *n = list_first(&ss->jobs);
	struct slice_job *j;
	struct pane *p;
	enum mode_work w;
	uint64_t token = 0;

	ss->queued = false;
	if (n == NULL)
		return;
	j = container_of(n, struct slice_job, node);
	p = pane_of(ss, j);
	w = p == NULL ? MODE_IDLE : work(ss, j, p);
	list_remove(&ss->jobs, n);
	if (w != MODE_BUSY) {
		token = j->token;
		j->token = 0;
	}
	if (w == MODE_IDLE)
		mem_free(j);
	else
		list_push_back(&ss->jobs, &j->node);
	defer(ss);
	release(ss, token);
}

void
slices_typed(struct viewers *vs, uint64_t conn)
{
	struct slices *ss = &vs->slices;
	struct list_node *n;
	struct slice_job *j;
	struct pane *p;
	uint64_t token;

	LIST_FOREACH(n, &ss->jobs) {
		j = container_of(n, struct slice_job, node);
		if (j->token == 0 || j->conn != conn)
			continue;
		token = j->token;
		j->token = 0;
		if ((p = pane_of(ss, j)) != NULL) {
			mode_stop(p, false);
			viewers_redraw_window(ss->all, p->window);
		}
		/* A queue waits for one command; others may change the list. */
		release(ss, token);
		return;
	}
}
