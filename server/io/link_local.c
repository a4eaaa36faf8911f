#include "server/io/link_local.h"

#include "base/mem.h"
#include "mux/sync/input.h"
#include "server/io/conn.h"
#include "server/run/run.h"

/*
 * Frames in flight. A client that is stopped or slow skips to the newest frame
 * instead of getting all of them.
 */
#define LINK_AHEAD 8u

struct link_local {
	struct link link;
	struct conns *conns;
	uint64_t conn;
	uint64_t sent_pn;
};

static struct link_local *
local_of(const struct link *l)
{
	return container_of(l, struct link_local, link);
}

static bool
local_ready(const struct link *l)
{
	return ssp_transport_sent_num(l->tp) - ssp_transport_acked_num(l->tp) <
	       LINK_AHEAD;
}

static mono_ms
local_pump(struct link *l, mono_ms now)
{
	static uint8_t payload[CONTROL_DATA_MAX];
	struct link_local *ll = local_of(l);
	struct conn *cn;
	size_t n;

	while ((n = ssp_transport_send(l->tp, now, ll->sent_pn + 1, payload,
		    sizeof(payload))) > 0) {
		/* Its number is used, whether the connection lives or not. */
		ll->sent_pn++;
		if ((cn = conn_find(ll->conns, ll->conn)) == NULL)
			return MONO_NEVER;
		conn_send_ssp(cn, payload, n);
	}
	return ssp_transport_deadline(l->tp, now);
}

static void
local_close(struct link *l)
{
	ssp_transport_free(l->tp);
	mem_free(local_of(l));
}

static const struct link_ops local_ops = {
	.ready = local_ready,
	.pump = local_pump,
	.close = local_close,
};

struct link *
link_local_new(
    struct conns *cs, uint64_t conn, const struct link_user *user, void *arg)
{
	struct link_local *ll = mem_zalloc(sizeof(*ll));
	struct ssp_transport_cfg cfg;

	ssp_transport_cfg_init(&cfg, SSP_LINK_LOCAL);
	cfg.local_ops = &sync_view_ops;
	cfg.local = sync_view_new(0, 0);
	cfg.remote_ops = &sync_input_ops;
	cfg.remote = sync_input_new();
	cfg.mtu = CONTROL_DATA_MAX;
	ll->conns = cs;
	ll->conn = conn;
	ll->link.ops = &local_ops;
	ll->link.user = user;
	ll->link.arg = arg;
	ll->link.tp = ssp_transport_new(&cfg, loop_now(cs->run->loop));
	return &ll->link;
}
