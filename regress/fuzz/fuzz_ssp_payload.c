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

#define STREAM_FAR 1000000

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
streams_open(struct ssp_transport *tp)
{
	(void)ssp_transport_stream_open(tp, SSP_STREAM_CONTROL);
	(void)ssp_transport_stream_open(tp, STREAM_FAR);
	ssp_transport_streams_allow(tp, true);
}

/* Puts bytes, and takes some of those that have come. */
static void
streams_use(struct ssp_transport *tp, uint64_t turn)
{
	static const uint8_t bytes[3000];
	const uint8_t *p;
	size_t n;

	(void)ssp_transport_stream_put(tp,
	    turn % 3 == 0 ? STREAM_FAR : SSP_STREAM_CONTROL, bytes,
	    (size_t)(turn * 997 % sizeof(bytes)));
	p = ssp_transport_stream_peek(tp, SSP_STREAM_CONTROL, &n);
	if (p != NULL && turn % 2 == 0)
		ssp_transport_stream_taken(
		    tp, SSP_STREAM_CONTROL, n - (p[0] & 1 ? n / 2 : 0));
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
		streams_use(tp, pn);
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
