/*
 * Datagrams to a server with an open session.  Input: records of a mode byte, a
 * length byte and so many bytes; the mode selects raw bytes, a valid header, or
 * DATA or PROBE sealed with the session key.
 */
#include "regress/fuzz/ssp_fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct ssp_secrets fuzz_sec;
static uint8_t fuzz_init[SSP_DGRAM_FLOOR], fuzz_resp[1600];
static size_t fuzz_init_len, fuzz_resp_len;

/* Opens the session; the handshake is the same in every run. */
static struct ssp_conn *
session(void)
{
	struct ssp_path_addr from = fuzz_addr(1);
	struct ssp_conn *c = fuzz_conn_new(false);
	uint8_t msg[1600], *plain;
	struct ssp_dgram d;
	struct ssp_hs hs;
	struct wr w;
	size_t n;

	memset(&fuzz_sec, 0, sizeof(fuzz_sec));
	ssp_hs_init(&hs, true, FUZZ_CID, 1, 1, &fuzz_sec, fuzz_psk);
	wr_init(&w, ssp_hs_plain(&hs), SSP_HS_PLAIN_MAX);
	wr_u32(&w, 0);
	ssp_frame_put(&w, SSP_FRAME_HELLO, (const uint8_t *)"\0\1\1\0", 4);
	memset(fuzz_sec.e, 77, SSP_KEY_LEN);
	if (ssp_hs_write(&hs, wr_len(&w)) != 0)
		abort();
	fuzz_init_len = hs.len;
	memcpy(fuzz_init, hs.msg, hs.len);
	memcpy(msg, hs.msg, hs.len);
	if (ssp_conn_input(c, 1, &from, 0, msg, hs.len) != 0)
		abort();
	fuzz_drain(c, 1, fuzz_resp, &fuzz_resp_len);
	memcpy(msg, fuzz_resp, fuzz_resp_len);
	if (ssp_dgram_parse(msg, fuzz_resp_len, &d) != 0 ||
	    ssp_hs_read(&hs, &d, msg, fuzz_resp_len, &plain, &n) != 0)
		abort();
	return c;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct ssp_conn *c = session();
	struct ssp_path_addr from;
	uint8_t p[SSP_DGRAM_OVERHEAD + 256];
	uint64_t pn = 1;
	mono_ms now = 1;
	size_t n, len;
	unsigned mode;

	while (size >= 2) {
		mode = data[0];
		len = data[1] < size - 2 ? data[1] : size - 2;
		data += 2;
		size -= 2;
		memset(p, 0, sizeof(p));
		from = fuzz_addr(mode >> 2 & 15);
		if (mode % 4 == 0) {
			memcpy(p, data, len);
			n = len;
		} else if (mode % 4 == 1) {
			memcpy(p, fuzz_init, SSP_DGRAM_HEAD);
			memcpy(p + 9, data, len);
			p[0] = (uint8_t)(0x10 | mode >> 4);
			n = 9 + len;
		} else {
			memcpy(p + SSP_DGRAM_HEAD, data, len);
			n = mode % 4 == 2 && (mode & 0x30) != 0
				? ssp_dgram_seal_data(p,
				      (enum ssp_dgram_form)(mode >> 4 & 3), 0,
				      FUZZ_CID, pn++, fuzz_sec.epoch[0].send,
				      len < 4 ? 4 : len)
				: ssp_dgram_seal(p,
				      mode % 4 == 2 ? SSP_DGRAM_DATA
						    : SSP_DGRAM_PROBE,
				      0, FUZZ_CID, pn++, fuzz_sec.epoch[0].send,
				      len < 4 ? 4 : len);
		}
		data += len;
		size -= len;
		ssp_conn_input(c, now, &from, mode >> 6, p, n);
		fuzz_drain(c, now, NULL, NULL);
		now += mode;
	}
	ssp_conn_free(c);
	return 0;
}
