/*
 * regress/fuzz/ssp_fuzz.h - a server connection for the fuzz targets of ssp.
 *
 * Purpose:   a keyring, a payload that only reads, and randomness from a
 *            counter, so that each input runs the same way every time.
 * Ownership: fuzz_conn_new gives a connection that ssp_conn_free ends.
 * Units:     see ssp/conn.h.
 * Errors:    aborts.
 */
#ifndef REGRESS_SSP_FUZZ_H
#define REGRESS_SSP_FUZZ_H

#include <stdlib.h>
#include <string.h>

#include "base/wire.h"
#include "ssp/conn.h"
#include "ssp/frame.h"

#define FUZZ_CID UINT64_C(0x4142434445464748)

static struct ssp_keyring *fuzz_keys;
static const uint8_t fuzz_psk[SSP_KEY_LEN] = { 1, 2, 3 };
static uint8_t fuzz_count;

static inline void
fuzz_random(void *arg, void *out, size_t n)
{
	(void)arg;
	memset(out, ++fuzz_count, n);
}

/* Reads every byte, as the transport would. */
static inline int
fuzz_recv(void *arg, mono_ms now, uint64_t pn, const uint8_t *p, size_t len)
{
	struct ssp_frame f;
	struct rd r;
	unsigned sum = 0;
	size_t i;

	(void)arg;
	(void)now;
	(void)pn;
	rd_init(&r, p, len);
	while (ssp_frame_next(&r, &f) == 1)
		for (i = 0; i < f.len; i++)
			sum += f.body[i];
	return sum == 0xffffffff ? -1 : 0;
}

static inline size_t
fuzz_send(void *arg, mono_ms now, uint64_t pn, uint8_t *out, size_t cap)
{
	(void)arg;
	(void)now;
	(void)pn;
	(void)out;
	(void)cap;
	return 0;
}

static inline mono_ms
fuzz_deadline(void *arg, mono_ms now)
{
	(void)arg;
	(void)now;
	return MONO_NEVER;
}

static inline void
fuzz_set_mtu(void *arg, size_t cap)
{
	(void)arg;
	if (cap < SSP_DGRAM_FLOOR - SSP_DGRAM_OVERHEAD)
		abort();
}

static inline void
fuzz_rtt(void *arg, mono_ms now, mono_ms sample)
{
	(void)arg;
	(void)now;
	(void)sample;
}

static inline void
fuzz_ecn(void *arg, mono_ms now)
{
	(void)arg;
	(void)now;
}

static const struct ssp_payload_ops fuzz_ops = { .recv = fuzz_recv,
	.send = fuzz_send,
	.deadline = fuzz_deadline,
	.set_mtu = fuzz_set_mtu,
	.rtt = fuzz_rtt,
	.ecn = fuzz_ecn };

static inline struct ssp_conn *
fuzz_conn_new(bool plain)
{
	struct ssp_conn_cfg cfg;
	struct ssp_conn *c;

	if (fuzz_keys == NULL)
		fuzz_keys = ssp_keyring_new(SSP_SECRETS_LEN, 4, 4);
	if (fuzz_keys == NULL)
		abort();
	fuzz_count = 0;
	ssp_conn_cfg_init(&cfg);
	cfg.plain = plain;
	cfg.cid = FUZZ_CID;
	cfg.psk = fuzz_psk;
	cfg.keyring = fuzz_keys;
	cfg.payload.ops = &fuzz_ops;
	cfg.random = fuzz_random;
	if (ssp_conn_server_accept(&cfg, 1, &c) != 0)
		abort();
	return c;
}

/* Collects all output; returns its number of bytes. */
static inline size_t
fuzz_drain(struct ssp_conn *c, mono_ms now, uint8_t *last, size_t *last_len)
{
	struct ssp_conn_event ev;
	struct ssp_path_addr to;
	uint8_t out[1600];
	size_t n, sum = 0;
	int i;

	for (i = 0; i < 200; i++) {
		n = ssp_conn_output(c, now, &to, out, sizeof(out));
		if (n == 0)
			break;
		sum += n;
		if (last != NULL) {
			memcpy(last, out, n);
			*last_len = n;
		}
	}
	if (i == 200)
		abort(); /* endless output */
	while (ssp_conn_event(c, &ev))
		;
	if (ssp_conn_deadline(c, now) < now)
		abort();
	return sum;
}

static inline struct ssp_path_addr
fuzz_addr(unsigned n)
{
	struct ssp_path_addr a;

	memset(&a, 0, sizeof(a));
	a.remote.kind = SSP_ADDR_UDP;
	a.remote.len = 6;
	a.remote.host = 4;
	a.remote.bytes[0] = (uint8_t)n;
	return a;
}

#endif
