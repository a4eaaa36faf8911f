/* One SSP connection, from its key to its end. */
#include <stdlib.h>
#include <string.h>

#include "base/io/sys.h"
#include "base/mem.h"
#include "client/roam_int.h"
#include "mux/sync/control.h"
#include "mux/sync/input.h"
#include "mux/sync/view.h"
#include "ssp/io/forward.h"
#include "ssp/sprout.h"

static void
roam_random(UNUSED void *arg, void *out, size_t n)
{
	sys_random(out, n);
}

/* Names the guest, for list-clients and the other clients. */
static void
say_hello(struct roam *r, struct sync_input *in)
{
	const char *term = getenv("TERM");
	struct buf b;

	buf_init(&b, 1024);
	if (buf_add(&b, r->cfg->name, strlen(r->cfg->name) + 1) == 0 &&
	    (term == NULL || buf_add_str(&b, term) == 0))
		(void)sync_input_data(in, SYNC_HELLO,
		    (r->cfg->ssh.flags & CONTROL_FLAG_UTF8) != 0, b.data,
		    b.len);
	buf_fini(&b);
}

void
roam_take_ticket(struct roam *r)
{
	struct ssp_ticket *t = r->cfg->ticket;
	uint32_t random;

	memset(&r->boot, 0, sizeof(r->boot));
	r->boot.launch = r->launch;
	r->boot.in = r->boot.out = r->boot.err = -1;
	buf_init(&r->boot.rest, 1);
	buf_init(&r->boot.got, 1);
	buf_init(&r->boot.tail, 1);
	sys_random(&random, sizeof(random));
	r->boot.cid = ssp_ticket_cid(t->tag, random);
	ssp_ticket_psk(r->boot.key, t->key, r->boot.cid);
}

/* Makes Sprout's tables once bulk is paced by it. */
static const struct ssp_sprout_tab *
roam_sprout(void *arg)
{
	struct roam *r = arg;

	if (r->sprout == NULL)
		r->sprout = ssp_sprout_tab_new();
	return r->sprout;
}

int
roam_session_open(struct roam *r, struct cause *c)
{
	mono_ms now = loop_now(r->loop);
	struct ssp_transport_cfg tc;
	struct ssp_conn_cfg cc;
	int e;

	r->born = now;
	r->shown = 0;
	r->udp_up = false;
	ssp_transport_cfg_init(&tc, SSP_LINK_DATAGRAM);
	tc.local_ops = &sync_input_ops;
	tc.local = sync_input_new();
	tc.remote_ops = &sync_view_ops;
	tc.remote = sync_view_new(0, 0);
	tc.zip = r->zip;
	tc.flow_rx = SSP_FLOW_SCREEN;
	tc.asks = true;
	tc.sprout_get = roam_sprout;
	tc.sprout_arg = r;
	ssp_bind_transport(&r->bind, &tc, now);
	ssp_transport_pace(r->bind.tp, now, r->cfg->pace);
	if (r->cfg->ticket != NULL)
		say_hello(r, ssp_transport_current(r->bind.tp));
	ssp_conn_cfg_init(&cc);
	if (r->cfg->ticket == NULL)
		cc.mtu_max = SSP_DGRAM_JUMBO;
	cc.cid = r->boot.cid;
	cc.psk = r->boot.key;
	cc.keyring = r->keyring;
	cc.random = roam_random;
	cc.payload = ssp_bind_payload(&r->bind);
	cc.kem = ssp_kem_system();
	cc.caps = SSP_CAP_STREAM | SSP_CAP_STREAMS | SSP_CAP_TRAIL |
		  SSP_CAP_PAGES | SSP_CAP_PACE | SSP_CAP_PATHS |
		  SSP_CAP_AGGREGATE |
		  (r->cfg->post_quantum ? SSP_CAP_MLKEM_ONLY : 0);
	if (r->cfg->rekey > 0)
		cc.rekey_ms = cc.rekey_idle_ms = r->cfg->rekey;
	e = ssp_conn_client_new(&cc, now, &r->conn);
	mem_wipe(r->boot.key, sizeof(r->boot.key));
	if (e != 0)
		return cause_set(c, e, "rmux: no memory for keys");
	ssp_bind_conn(&r->bind, r->conn);
	forwards_move(r->forwards, ssp_transport_streams(r->bind.tp));
	if (roam_has_lines(r))
		(void)ssp_streams_fixed(
		    ssp_transport_streams(r->bind.tp), SSP_STREAM_CONTROL);
	r->want_due =
	    r->cfg->ticket == NULL && !roam_has_lines(r) && !roam_has_exec(r);
	/* The server may be another one, with other windows. */
	window_copy_clear(r->windows);
	r->windows_due = r->want_due && r->cfg->mirror > 0;
	roam_side(r);
	roam_tunnel_start(r);
	/* Without any address, waiting is useless. */
	loop_timer_set(r->tunnel_timer,
	    roam_paths_first(r) == 0
		? now
		: mono_add(now,
		      r->cfg->ticket != NULL ? ROAM_JOIN_MS : ROAM_TUNNEL_MS));
	return 0;
}

void
roam_session_close(struct roam *r)
{
	int i;

	roam_tunnel_close(r);
	loop_timer_set(r->tunnel_timer, MONO_NEVER);
	for (i = 0; i < ROAM_SOCKETS; i++)
		if (r->sockets[i].udp != NULL)
			roam_socket_close(&r->sockets[i]);
	r->forward_up = false;
	forwards_move(r->forwards, NULL);
	ssp_conn_free(r->conn);
	ssp_transport_free(r->bind.tp);
	r->conn = NULL;
	r->bind.tp = NULL;
}
