/* Links and routes: datagrams of the kernel, or of one that is another. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/compiler.h"
#include "base/io/netif.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct netif_answers a;
	struct udp_addr to;
	unsigned one;

	for (one = 0; one < 4; one++) {
		memset(&a, 0, sizeof(a));
		bug_assert(udp_addr_parse(one < 2 ? "192.0.2.9" : "2001:db8::1",
			       1, &to) == 0);
		a.to = &to;
		a.one = one % 2 == 1;
		(void)netif_read(&a, data, size);
		bug_assert(a.count <= ARRAY_LEN(a.all));
		bug_assert(a.nrouted <= ARRAY_LEN(a.routed));
		if (a.count > 0)
			bug_assert(a.all[0].name[NETIF_NAME - 1] == '\0');
	}
	return 0;
}
