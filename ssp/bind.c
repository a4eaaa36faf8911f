#include "ssp/bind.h"

static int
bind_recv(void *arg, mono_ms now, uint64_t pn, const uint8_t *p, size_t len)
{
	struct ssp_bind *b = arg;

	return ssp_transport_recv(b->tp, now, pn, p, len);
}

static size_t
bind_send(void *arg, mono_ms now, uint64_t pn, uint8_t *out, size_t cap)
{
	struct ssp_bind *b = arg;

	return ssp_transport_send(b->tp, now, pn, out, cap);
}

static mono_ms
bind_deadline(void *arg, mono_ms now)
{
	struct ssp_bind *b = arg;

	return ssp_transport_deadline(b->tp, now);
}

static void
bind_set_mtu(void *arg, size_t cap)
{
	struct ssp_bind *b = arg;

	ssp_transport_set_mtu(b->tp, cap);
}

static void
bind_rtt(void *arg, mono_ms now, mono_ms sample)
{
	struct ssp_bind *b = arg;

	ssp_transport_rtt(b->tp, now, sample);
}

static void
bind_ecn(void *arg, mono_ms now)
{
	struct ssp_bind *b = arg;

	ssp_transport_ecn(b->tp, now);
}

static void
bind_poke(void *arg, mono_ms now, bool reset)
{
	struct ssp_bind *b = arg;

	ssp_transport_poke(b->tp, now, reset);
}

static bool
bind_waiting(void *arg, mono_ms now)
{
	struct ssp_bind *b = arg;

	return ssp_transport_unacked(b->tp, now);
}

static mono_ms
bind_held(void *arg)
{
	struct ssp_bind *b = arg;

	return ssp_transport_ack_wait(b->tp);
}

static mono_ms
bind_idle(void *arg)
{
	struct ssp_bind *b = arg;

	return ssp_transport_idle(b->tp);
}

static void
bind_near(void *arg, bool near)
{
	struct ssp_bind *b = arg;

	ssp_transport_near(b->tp, near);
}

static void
bind_set_stream(void *arg, mono_ms now, bool stream)
{
	struct ssp_bind *b = arg;

	ssp_transport_set_link(
	    b->tp, now, stream ? SSP_LINK_STREAM : SSP_LINK_DATAGRAM);
}

static void
bind_peer(void *arg, mono_ms now, uint64_t caps)
{
	struct ssp_bind *b = arg;

	ssp_transport_streams_allow(
	    b->tp, (caps & SSP_CAP_STREAMS) != 0  ? SSP_STREAMS_ALL
		   : (caps & SSP_CAP_STREAM) != 0 ? SSP_STREAMS_OLD
						  : SSP_STREAMS_NONE);
	ssp_transport_past_allow(
	    b->tp, (caps & SSP_CAP_TRAIL) != 0, (caps & SSP_CAP_PAGES) != 0);
	ssp_transport_pace_allow(b->tp, now, (caps & SSP_CAP_PACE) != 0);
}

static void
bind_lane(void *arg, mono_ms now, enum ssp_lane what, mono_ms rtt)
{
	struct ssp_bind *b = arg;

	if (what == SSP_LANE_OPEN)
		ssp_transport_lane_open(b->tp, now, rtt);
	else if (what == SSP_LANE_SHUT)
		ssp_transport_lane_shut(b->tp, now);
	else
		ssp_transport_lane_swap(b->tp, now);
}

static size_t
bind_send_lane(void *arg, mono_ms now, uint64_t pn, uint8_t *out, size_t cap)
{
	struct ssp_bind *b = arg;

	return ssp_transport_lane_send(b->tp, now, pn, out, cap);
}

static const struct ssp_payload_ops bind_ops = {
	.recv = bind_recv,
	.send = bind_send,
	.deadline = bind_deadline,
	.set_mtu = bind_set_mtu,
	.rtt = bind_rtt,
	.ecn = bind_ecn,
	.poke = bind_poke,
	.waiting = bind_waiting,
	.held = bind_held,
	.idle = bind_idle,
	.near = bind_near,
	.set_stream = bind_set_stream,
	.peer = bind_peer,
	.lane = bind_lane,
	.send_lane = bind_send_lane,
};

static void
bind_fate(void *arg, mono_ms now, uint64_t pn, bool acked)
{
	struct ssp_bind *b = arg;

	if (b->conn != NULL)
		ssp_conn_packet_fate(b->conn, now, pn, acked);
}

void
ssp_bind_transport(
    struct ssp_bind *b, struct ssp_transport_cfg *cfg, mono_ms now)
{
	cfg->on_packet = bind_fate;
	cfg->on_packet_arg = b;
	b->conn = NULL;
	b->tp = ssp_transport_new(cfg, now);
}

struct ssp_payload
ssp_bind_payload(struct ssp_bind *b)
{
	struct ssp_payload p = { &bind_ops, b };

	return p;
}

void
ssp_bind_conn(struct ssp_bind *b, struct ssp_conn *conn)
{
	b->conn = conn;
}
