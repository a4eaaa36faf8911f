/*
 * Payloads of a hostile peer that has the key: the input is a list of datagrams
 * (two bytes length, bytes); after each the transport may answer.  Bit 4 of the
 * first byte gives the transport streams.
 */
#include <stddef.h>
#include <stdint.h>

#include "base/compiler.h"
#include "base/wire.h"
#include "regress/sim/toy.h"
#include "ssp/cc.h"
#include "ssp/compress.h"
#include "ssp/sprout.h"
#include "ssp/transport.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
streams_open(struct ssp_transport *tp)
{
	struct ssp_streams *ss = ssp_transport_streams(tp);

	ssp_transport_streams_allow(tp, SSP_STREAMS_ALL);
	(void)ssp_streams_fixed(ss, SSP_STREAM_CONTROL);
	(void)ssp_streams_open(ss, SSP_PRIO_BULK, "far", 3);
	ssp_streams_accept(ss, true);
}

/* Puts bytes into stream ID, takes some of those that have come, ends it. */
static void
stream_use(struct ssp_streams *ss, mono_ms now, uint64_t id, uint64_t turn)
{
	static const uint8_t bytes[3000];
	const uint8_t *p;
	const char *text;
	size_t n;

	(void)ssp_streams_put(
	    ss, id, bytes, (size_t)(turn * 997 % sizeof(bytes)));
	p = ssp_streams_peek(ss, id, &n);
	if (p != NULL && turn % 2 == 0)
		ssp_streams_taken(ss, now, id, n - (p[0] & 1 ? n / 2 : 0));
	if (turn % 5 == 0)
		ssp_streams_end(ss, id);
	if (turn % 11 == 0)
		ssp_streams_reset(ss, id, SSP_REASON_FAILED, "enough");
	if (ssp_streams_state(ss, id) == SSP_STREAM_RESET)
		(void)ssp_streams_reason(ss, id, &text);
	if (ssp_streams_state(ss, id) != SSP_STREAM_OPEN)
		ssp_streams_release(ss, id);
}

static void
streams_use(struct ssp_transport *tp, mono_ms now, uint64_t turn)
{
	struct ssp_streams *ss = ssp_transport_streams(tp);
	uint64_t id;
	size_t n;

	stream_use(ss, now, SSP_STREAM_CONTROL, turn);
	for (n = 0; n < 40 && (id = ssp_streams_news(ss)) != SSP_STREAM_NONE;
	     n++)
		if (id != SSP_STREAM_CONTROL)
			stream_use(ss, now, id, turn + n);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct ssp_zip *zip;
	static struct ssp_sprout_tab *tab;
	struct ssp_transport_cfg cfg;
	struct ssp_transport *tp;
	uint64_t pn = 0, out_pn = 0;
	const uint8_t *p;
	uint8_t out[1400];
	mono_ms now = 1000;
	struct rd r;
	size_t n;

	if (zip == NULL) {
		zip = ssp_zip_new();
		tab = ssp_sprout_tab_new();
	}
	ssp_transport_cfg_init(&cfg, SSP_LINK_DATAGRAM);
	cfg.local_ops = &toy_screen_ops;
	cfg.local = toy_screen_new(40, 10);
	cfg.remote_ops =
	    size > 0 && data[0] & 1 ? &toy_screen_ops : &toy_log_ops;
	cfg.remote = cfg.remote_ops == &toy_log_ops ? (void *)toy_log_new()
						    : toy_screen_new(40, 10);
	cfg.zip = zip;
	cfg.cc = size > 0 && data[0] & 2 ? &ssp_cc_sprout : NULL;
	cfg.sprout = tab;
	tp = ssp_transport_new(&cfg, now);
	/* The peer reads choices of pace; this end has one, or follows. */
	ssp_transport_pace_allow(tp, now, size > 0 && (data[0] & 8) != 0);
	if (size > 0 && data[0] & 16)
		ssp_transport_pace(
		    tp, now, (enum ssp_pacing)((data[0] >> 5) % SSP_PACINGS));
	if (size > 0 && data[0] & 4)
		streams_open(tp);
	rd_init(&r, data, size);
	rd_u8(&r);
	while (rd_left(&r) > 2) {
		now += rd_u8(&r);
		n = MIN_OF((size_t)rd_u16(&r), rd_left(&r));
		p = rd_bytes(&r, n);
		if (p != NULL)
			(void)ssp_transport_recv(tp, now, pn++, p, n);
		((struct toy_screen *)ssp_transport_current(tp))->echo++;
		ssp_transport_changed(tp, now);
		streams_use(tp, now, pn);
		for (n = 0; n < 50 && ssp_transport_send(
					  tp, now, out_pn, out, sizeof out) > 0;
		     n++)
			out_pn++;
		ssp_transport_remote_seen(tp);
		bug_assert(ssp_transport_check(tp));
	}
	ssp_transport_free(tp);
	return 0;
}
