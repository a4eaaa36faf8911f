#include "server/io/carrier.h"

#include <string.h>

#include "base/io/loop.h"
#include "base/mem.h"
#include "server/io/conn.h"
#include "server/io/remote.h"
#include "server/run/run.h"

struct carrier {
	struct list_node node;
	struct carriers *all;
	uint64_t conn_id;
	struct link *link; /* NULL: farewell has been said */
	struct loop_timer *timer;
};

static void
carrier_close(struct carrier *k)
{
	if (k->link != NULL)
		k->link->ops->close(k->link);
	k->link = NULL;
	loop_timer_set(k->timer, MONO_NEVER);
	loop_defer_cancel(k->all->run->loop, k);
}

static void
carrier_free(struct carrier *k)
{
	struct conn *cn = conn_find(k->all->conns, k->conn_id);

	if (cn != NULL)
		conn_set_rider(cn, NULL, NULL);
	carrier_close(k);
	loop_timer_free(k->timer);
	list_remove(&k->all->all, &k->node);
	mem_free(k);
}

static void
carrier_pump(void *arg)
{
	struct carrier *k = arg;
	const mono_ms now = loop_now(k->all->run->loop);

	loop_timer_set(k->timer, k->link->ops->pump(k->link, now));
}

/* --- calls of the link ------------------------------------------------------ */

/* Its input stays empty. */
static bool
carrier_input(UNUSED void *arg)
{
	return false;
}

static void
carrier_refused(UNUSED void *arg)
{
}

static void
carrier_wake(void *arg)
{
	struct carrier *k = arg;

	loop_defer(k->all->run->loop, carrier_pump, k);
}

static void
carrier_lost(void *arg)
{
	carrier_free(arg);
}

static void
carrier_side(UNUSED void *arg, UNUSED const uint8_t *p, UNUSED size_t n)
{
}

static const struct link_user carrier_user = {
	.input = carrier_input,
	.refused = carrier_refused,
	.wake = carrier_wake,
	.lost = carrier_lost,
	.side = carrier_side,
};

/* --- calls of the connection ------------------------------------------------ */

static void
carrier_payload(UNUSED void *arg, UNUSED const uint8_t *p, UNUSED size_t n)
{
}

static void
carrier_unlocked(UNUSED void *arg)
{
}

static bool
carrier_send(UNUSED void *arg, UNUSED enum control_code type,
    UNUSED int64_t code, UNUSED const char *text)
{
	return false;
}

static const struct conn_rider carrier_rider = {
	.payload = carrier_payload,
	.unlocked = carrier_unlocked,
	.lost = carrier_lost,
	.send = carrier_send,
};

/* --- life ------------------------------------------------------------------- */

static void
carrier_refuse(struct conn *cn, const char *why)
{
	conn_err(cn, why, strlen(why));
	conn_err(cn, "\n", 1);
	conn_exit(cn, 1, NULL);
}

void
carrier_new(struct carriers *cs, struct conn *cn)
{
	struct carrier *k = mem_zalloc(sizeof(*k));
	struct cause c = { NULL };

	k->all = cs;
	k->conn_id = conn_id(cn);
	k->timer = loop_timer_new(cs->run->loop, carrier_pump, k);
	list_push_back(&cs->all, &k->node);
	k->link = remote_open(cs->remotes, k->conn_id, &carrier_user, k, &c);
	if (k->link == NULL) {
		carrier_refuse(cn, cause_text(&c));
		cause_fini(&c);
		carrier_free(k);
	} else if (!remote_streams(k->link)) {
		carrier_refuse(cn,
		    "the server is another user's: only its user runs commands "
		    "and opens forwards there");
		carrier_free(k);
	} else {
		remote_carries(k->link);
		conn_set_rider(cn, &carrier_rider, k);
		conn_set_remote(cn, remote_of_link(k->link));
	}
}

void
carriers_each(const struct carriers *cs,
    void (*fn)(void *arg, const struct remote *r), void *arg)
{
	const struct carrier *k;
	struct list_node *n;

	for (n = list_first(&cs->all); n != NULL; n = list_next(&cs->all, n)) {
		k = container_of(n, struct carrier, node);
		if (k->link != NULL)
			fn(arg, remote_of_link(k->link));
	}
}

void
carriers_end(struct carriers *cs)
{
	struct list_node *n;

	LIST_FOREACH(n, &cs->all)
		carrier_close(container_of(n, struct carrier, node));
}

void
carriers_init(struct carriers *cs, struct run *run, struct conns *conns,
    struct remotes *remotes)
{
	cs->run = run;
	cs->conns = conns;
	cs->remotes = remotes;
	list_init(&cs->all);
}

void
carriers_fini(struct carriers *cs)
{
	while (!list_empty(&cs->all))
		carrier_free(
		    container_of(list_first(&cs->all), struct carrier, node));
}
