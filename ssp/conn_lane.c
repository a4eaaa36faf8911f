/*
 * A second path that carries bytes of streams beside the first: when it may.
 * What it carries is the payload's choice.
 */
#include "ssp/conn_int.h"

/* Returns the index of the path that may carry bulk beside the first, or -1. */
static int
lane_wanted(const struct ssp_conn *c)
{
	const struct ssp_path *p;
	int i = conn_copy_second(c);

	if (i < 0 || conn_copy_use(c, i) != SSP_PATHS_AGGREGATE ||
	    c->cfg.payload.ops->lane == NULL || !c->can_send || c->ended)
		return -1;
	p = &c->paths.p[i];
	/* security: nothing goes to an address that is not proven. */
	return p->valid && conn_path_limit(c, i) >= SSP_DGRAM_FLOOR ? i : -1;
}

void
conn_lane_shut(struct ssp_conn *c, mono_ms now)
{
	if (c->lane < 0)
		return;
	c->lane = -1;
	c->cfg.payload.ops->lane(c->cfg.payload.arg, now, SSP_LANE_SHUT, 0);
}

void
conn_lane_tick(struct ssp_conn *c, mono_ms now)
{
	const struct ssp_path *p;
	int i;

	if (c->lane < 0 && c->paths.count < 2)
		return;
	i = lane_wanted(c);
	if (i == c->lane)
		return;
	conn_lane_shut(c, now);
	if (i < 0)
		return;
	c->lane = i;
	p = &c->paths.p[i];
	c->cfg.payload.ops->lane(
	    c->cfg.payload.arg, now, SSP_LANE_OPEN, p->rtt_known ? p->srtt : 0);
}

bool
conn_lane_swap(struct ssp_conn *c, mono_ms now, int i)
{
	if (c->lane < 0)
		return false;
	if (c->lane != i || c->paths.active < 0) {
		conn_lane_shut(c, now);
		return false;
	}
	c->lane = c->paths.active;
	c->cfg.payload.ops->lane(c->cfg.payload.arg, now, SSP_LANE_SWAP, 0);
	return true;
}
