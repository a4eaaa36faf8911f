/*
 * Handshakes to a server that waits.  The first byte selects the use of the
 * rest: a raw datagram; one with a valid keyed hash; the payload of a valid
 * INIT; or a RESP to a client.
 */
#include "regress/fuzz/ssp_fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
server_input(const uint8_t *p, size_t len)
{
	struct ssp_path_addr from = fuzz_addr(1);
	struct ssp_conn *c = fuzz_conn_new(false);
	uint8_t msg[2048];
	size_t n;
	int r;

	memset(msg, 0, sizeof(msg));
	memcpy(msg, p, len);
	r = ssp_conn_input(c, 5, &from, 0, msg, len);
	n = fuzz_drain(c, 5, NULL, NULL);
	if (r != 0 && r != -1 && n != 0)
		abort(); /* an answer to a refused datagram */
	if (n > 3 * len)
		abort();
	ssp_conn_free(c);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct ssp_secrets sec;
	uint8_t msg[1024], *plain;
	struct ssp_dgram d;
	struct ssp_hs hs;
	unsigned mode;
	size_t n, len;

	if (size < 1)
		return 0;
	mode = data[0] % 4;
	data++;
	size--;
	size = size > 900 ? 900 : size;
	memset(&sec, 0, sizeof(sec));
	memset(msg, 0, sizeof(msg));
	if (ssp_crypto_init() != 0)
		abort();
	ssp_hs_init(&hs, true, FUZZ_CID, 1, 1, &sec, fuzz_psk);
	if (mode == 0) {
		server_input(data, size);
	} else if (mode == 2) {
		n = size > SSP_HS_PLAIN_MAX ? SSP_HS_PLAIN_MAX : size;
		n = n < 4 ? 4 : n;
		memcpy(ssp_hs_plain(&hs), data, size < n ? size : n);
		memset(sec.e, 9, SSP_KEY_LEN);
		if (ssp_hs_write(&hs, n) != 0)
			abort();
		server_input(hs.msg, hs.len);
	} else {
		/* Valid header and hash, length from the input. */
		d = (struct ssp_dgram){ .type = SSP_DGRAM_INIT,
			.cid = FUZZ_CID,
			.lo = 1,
			.hi = 1 };
		if (mode == 3)
			d.type = SSP_DGRAM_RESP;
		n = size < 52 ? 52 : size;
		n = n > 480 ? 480 : n;
		d.noise_len = (uint16_t)n;
		ssp_dgram_head(msg, &d);
		memcpy(msg + SSP_DGRAM_HEAD, data, size < n ? size : n);
		n += SSP_DGRAM_HEAD;
		ssp_mac(msg + n, sec.mac, msg, n);
		n += SSP_MAC_LEN;
		if (mode == 1) {
			server_input(msg, n);
		} else {
			memset(sec.e, 9, SSP_KEY_LEN);
			memset(ssp_hs_plain(&hs), 0, 8);
			if (ssp_hs_write(&hs, 8) != 0 ||
			    ssp_dgram_parse(msg, n, &d) != 0)
				abort();
			/* No tag matches: the state must survive. */
			if (ssp_hs_read(&hs, &d, msg, n, &plain, &len) == 0 ||
			    !hs.running)
				abort();
		}
	}
	ssp_wipe(&sec, sizeof(sec));
	return 0;
}
