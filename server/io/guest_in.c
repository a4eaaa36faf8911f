#include "server/io/guest_in.h"

#include <string.h>

#include "base/mem.h"
#include "ssp/datagram.h"
#include "ssp/io/udp_link.h"

struct guest_in {
	struct lane *lane;
	struct lane_job job;
	const struct guest_in_ops *ops;
	void *arg;         /* of ops */
	struct list queue; /* struct guest_datagram */
	bool events;       /* are left */
	bool steps;        /* an op is up the stack */
	bool freed;        /* meanwhile */
};

static void
datagram_free(struct guest_datagram *d)
{
	mem_free_wiped(d, sizeof(*d) + d->len);
}

/* One step: the oldest datagram, or the events that the last one brought. */
static bool
guest_in_step(struct lane_job *job)
{
	struct guest_in *gi = container_of(job, struct guest_in, job);
	struct guest_datagram *d;

	gi->steps = true;
	if (!gi->events) {
		d = container_of(
		    list_first(&gi->queue), struct guest_datagram, node);
		list_remove(&gi->queue, &d->node);
		gi->ops->take(gi->arg, d);
		datagram_free(d);
	}
	if (gi->ops->events != NULL && !gi->freed)
		gi->events = gi->ops->events(gi->arg);
	gi->steps = false;
	if (gi->freed) {
		mem_free(gi);
		return false;
	}
	return gi->events || !list_empty(&gi->queue);
}

struct guest_in *
guest_in_new(struct lane *lane, const struct guest_in_ops *ops, void *arg)
{
	struct guest_in *gi = mem_zalloc(sizeof(*gi));

	gi->lane = lane;
	gi->job.fn = guest_in_step;
	gi->ops = ops;
	gi->arg = arg;
	list_init(&gi->queue);
	return gi;
}

void
guest_in_free(struct guest_in *gi)
{
	struct list_node *n;

	if (gi == NULL)
		return;
	lane_drop(gi->lane, &gi->job);
	while ((n = list_first(&gi->queue)) != NULL) {
		list_remove(&gi->queue, n);
		datagram_free(container_of(n, struct guest_datagram, node));
	}
	gi->freed = true;
	if (!gi->steps)
		mem_free(gi);
}

/* Makes room for a datagram of N bytes; NULL if the queue is full. */
static struct guest_datagram *
guest_in_room(struct guest_in *gi, size_t n)
{
	struct guest_datagram *d;

	if (gi->queue.count >= GUEST_IN_MAX)
		return NULL;
	d = mem_zalloc(sizeof(*d) + n);
	d->len = n;
	list_push_back(&gi->queue, &d->node);
	lane_add(gi->lane, &gi->job);
	return d;
}

void
guest_in_events(struct guest_in *gi)
{
	gi->events = true;
	if (!gi->steps)
		lane_add(gi->lane, &gi->job);
}

bool
guest_in_add(
    struct guest_in *gi, struct port_socket *socket, const struct udp_msg *m)
{
	struct guest_datagram *d;

	if (m->len > SSP_DGRAM_ETHERNET ||
	    (d = guest_in_room(gi, m->len)) == NULL)
		return false;
	d->from = udp_link_from(m);
	d->socket = socket;
	d->ecn = m->ecn;
	memcpy(d->data, m->data, m->len);
	return true;
}

bool
guest_in_move(struct guest_in *gi, const struct guest_datagram *before)
{
	struct guest_datagram *d = guest_in_room(gi, before->len);

	if (d == NULL)
		return false;
	d->from = before->from;
	d->socket = before->socket;
	d->ecn = before->ecn;
	memcpy(d->data, before->data, d->len);
	return true;
}
