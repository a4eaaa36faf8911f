/*
 * Frames of the second key exchange from a hostile peer that has the keys of
 * epoch 0.  The input is a list of steps: a byte that says to which end and how
 * much later, a length (two bytes), the body of a frame.  Bit 7: the network
 * also delivers what the ends have sent.
 */
#include "regress/fuzz/ssp_fuzz.h"
#include "regress/unit/kem_stub.h"
#include "ssp/conn_int.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct ssp_conn *
kem_end(bool client)
{
	struct ssp_conn_cfg cfg;
	struct ssp_path_addr path;
	struct ssp_conn *c;
	int r;

	ssp_conn_cfg_init(&cfg);
	cfg.cid = FUZZ_CID;
	cfg.psk = fuzz_psk;
	cfg.keyring = fuzz_keys;
	cfg.payload.ops = &fuzz_ops;
	cfg.random = fuzz_random;
	cfg.kem = &kem_stub;
	r = client ? ssp_conn_client_new(&cfg, 1, &c)
		   : ssp_conn_server_accept(&cfg, 1, &c);
	if (r != 0)
		abort();
	path.local = ssp_addr_make(SSP_ADDR_UDP, client ? "c" : "s", 1, 1);
	path.remote = ssp_addr_make(SSP_ADDR_UDP, client ? "s" : "c", 1, 1);
	if (client && ssp_conn_path_add(c, 1, &path) != 0)
		abort();
	return c;
}

/* Passes all output of one end to the other. */
static void
kem_deliver(struct ssp_conn *from, struct ssp_conn *to, mono_ms now, bool lose)
{
	struct ssp_path_addr at, seen;
	struct ssp_conn_event ev;
	uint8_t out[1600];
	size_t n;
	int i;

	for (i = 0; i < 200; i++) {
		n = ssp_conn_output(from, now, &at, out, sizeof(out));
		if (n == 0)
			break;
		seen.local = at.remote;
		seen.remote = at.local;
		if (!lose)
			(void)ssp_conn_input(to, now, &seen, 0, out, n);
	}
	if (i == 200)
		abort(); /* endless output */
	while (ssp_conn_event(from, &ev))
		;
	if (ssp_conn_deadline(from, now) < now)
		abort();
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct ssp_conn *end[2];
	struct ssp_frame f = { .type = SSP_FRAME_KEM };
	mono_ms now = 1000;
	struct rd r;
	unsigned op;

	if (fuzz_keys == NULL)
		fuzz_keys = ssp_keyring_new(SSP_SECRETS_LEN, 4, 4);
	if (fuzz_keys == NULL)
		abort();
	fuzz_count = 0;
	end[0] = kem_end(true);
	end[1] = kem_end(false);
	kem_deliver(end[0], end[1], now, false);
	kem_deliver(end[1], end[0], now, false);
	rd_init(&r, data, size);
	while (rd_left(&r) > 3) {
		op = rd_u8(&r);
		now += (op & 0x3f) * 20;
		f.len = MIN_OF((size_t)rd_u16(&r), rd_left(&r));
		f.body = rd_bytes(&r, f.len);
		if (f.body != NULL)
			(void)conn_kem_frame(end[op >> 6 & 1], now, &f);
		kem_deliver(end[0], end[1], now, (op & 0x80) == 0);
		kem_deliver(end[1], end[0], now, (op & 0x80) == 0);
	}
	ssp_conn_free(end[0]);
	ssp_conn_free(end[1]);
	return 0;
}
