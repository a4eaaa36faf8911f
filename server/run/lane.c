#include "server/run/lane.h"

#include "base/io/sys.h"
#include "base/mem.h"

static void lane_turn(void *arg);

static void
lane_wake(struct lane *l)
{
	if (!l->resting)
		loop_last(l->loop, lane_turn, l);
}

static void
lane_rested(void *arg)
{
	struct lane *l = arg;

	l->resting = false;
	lane_wake(l);
}

/* Runs one step of the first job that has no debt. */
static void
lane_step(struct lane *l)
{
	struct list_node *n = list_first(&l->jobs);
	struct lane_job *j = container_of(n, struct lane_job, node);
	uint64_t begin;
	bool more;

	list_remove(&l->jobs, n);
	if (j->debt >= LANE_QUANTUM_US) {
		j->debt -= LANE_QUANTUM_US;
		list_push_back(&l->jobs, n);
		return;
	}
	l->st.steps++;
	l->running = j;
	begin = l->clock();
	more = j->fn(j);
	/* The step may have dropped, and its owner freed, the job. */
	if (l->running == NULL)
		return;
	l->running = NULL;
	j->debt += l->clock() - begin;
	if (more && !list_linked(&j->node))
		list_push_back(&l->jobs, &j->node);
}

static void
lane_turn(void *arg)
{
	struct lane *l = arg;
	const uint64_t begin = l->clock();
	uint64_t took;

	if (l->resting)
		return;
	l->until = begin + LANE_TURN_US;
	while (!list_empty(&l->jobs) && l->clock() < l->until)
		lane_step(l);
	l->st.turns++;
	took = l->clock() - begin;
	l->st.longest = MAX_OF(l->st.longest, took);
	if (list_empty(&l->jobs) && took < LANE_TURN_US)
		return;
	l->resting = true;
	loop_timer_set(
	    l->timer, loop_now(l->loop) + (mono_ms)((took + 999) / 1000));
}

struct lane *
lane_new(struct loop *loop, uint64_t (*clock)(void))
{
	struct lane *l = mem_zalloc(sizeof(*l));

	l->loop = loop;
	l->clock = clock != NULL ? clock : sys_now_us;
	l->timer = loop_timer_new(loop, lane_rested, l);
	list_init(&l->jobs);
	return l;
}

void
lane_free(struct lane *l)
{
	if (l == NULL)
		return;
	bug_assert(list_empty(&l->jobs));
	loop_timer_free(l->timer);
	mem_free(l);
}

void
lane_add(struct lane *l, struct lane_job *job)
{
	if (list_linked(&job->node))
		return;
	list_push_back(&l->jobs, &job->node);
	lane_wake(l);
}

void
lane_drop(struct lane *l, struct lane_job *job)
{
	if (list_linked(&job->node))
		list_remove(&l->jobs, &job->node);
	if (l->running == job)
		l->running = NULL;
}

bool
lane_spent(const struct lane *l)
{
	return l->clock() >= l->until;
}
