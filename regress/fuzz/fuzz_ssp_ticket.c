/*
 * A ticket as a user pastes it.  An accepted ticket prints as the same text,
 * and no other spelling of it is accepted.
 */
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "ssp/ticket.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct ssp_ticket t, again;
	struct buf b;
	size_t i;

	if (ssp_crypto_init() != 0 ||
	    ssp_ticket_parse((const char *)data, size, &t) != 0)
		return 0;
	if (t.naddrs == 0 || t.naddrs > SSP_TICKET_ADDRS_MAX)
		abort();
	for (i = 0; i < t.naddrs; i++)
		if (!ssp_ticket_host(t.addrs[i].host) || t.addrs[i].port == 0)
			abort();
	buf_init(&b, SSP_TICKET_TEXT_MAX);
	if (ssp_ticket_format(&t, &b) != 0 || b.len != size ||
	    memcmp(b.data, data, size) != 0 ||
	    ssp_ticket_parse((const char *)b.data, b.len, &again) != 0 ||
	    memcmp(&t, &again, sizeof(t)) != 0)
		abort();
	buf_fini(&b);
	return 0;
}
