/*
 * Payloads of a hostile peer that has the key: the input is a list of datagrams
 * (two bytes length, bytes); after each the transport may answer.
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
