/*
 * A ticket as a user pastes it, or types it after hearing it.  An accepted ticket
 * prints as the same text, and no other spelling of a pasted one is accepted.
 */
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "ssp/ticket.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A spoken ticket has several spellings, but prints as one that means the same. */
static void
hear(const char *text)
{
	struct ssp_ticket t, again;
	unsigned wrong;
	struct buf b;

	if (ssp_ticket_hear(text, &t, &wrong) != 0)
		return;
	if (t.naddrs != 1 || !ssp_ticket_host(t.addrs[0].host))
		abort();
	buf_init(&b, SSP_TICKET_TEXT_MAX);
	if (ssp_ticket_say(&t, 0, &b) != 0 ||
	    ssp_ticket_hear(buf_cstr(&b), &again, &wrong) != 0 ||
	    memcmp(&t, &again, sizeof(t)) != 0)
		abort();
	buf_fini(&b);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct ssp_ticket t, again;
	struct buf b;
	char *text;
	size_t i;

	if (ssp_crypto_init() != 0)
		return 0;
	if (memchr(data, ' ', size) != NULL) {
		text = mem_alloc(size + 1);
		memcpy(text, data, size);
		text[size] = '\0';
		hear(text);
		mem_free(text);
		return 0;
	}
	if (ssp_ticket_parse((const char *)data, size, &t) != 0)
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
