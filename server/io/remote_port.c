#include "server/io/remote_port.h"

#include <sys/socket.h>

#include <string.h>

#include "base/str.h"

/* Parses "60001" or "60000:61000" (or with a dash). */
static int
ports_parse(const char *text, unsigned *lo, unsigned *hi, struct cause *c)
{
	size_t n = strcspn(text, "-:");
	int64_t a, b;

	if (str_to_intn(text, n, 1, 65535, &a) != 0 ||
	    str_to_int(text[n] != 0 ? text + n + 1 : text, a, 65535, &b) != 0)
		return cause_set(c, -ERR_SYNTAX,
		    "remote-ports is not a port or range: %s", text);
	*lo = (unsigned)a;
	*hi = (unsigned)b;
	return 0;
}

/* Returns whether a socket of FAMILY can be bound. */
static bool
machine_has(int family)
{
	struct cause why = { NULL };
	struct udp *probe;

	if (udp_bind(family, 0, 0, &probe, &why) != 0) {
		cause_fini(&why);
		return false;
	}
	udp_free(probe);
	return true;
}

int
remote_port_bind(
    const char *ports, struct udp *udp[2], uint16_t *bound, struct cause *c)
{
	static const int family[2] = { AF_INET, AF_INET6 };
	bool want[2] = { machine_has(AF_INET), machine_has(AF_INET6) };
	struct cause why = { NULL };
	unsigned port, i, lo = 0, hi = 0;
	int r;

	if ((r = ports_parse(ports, &lo, &hi, c)) != 0)
		return r;
	for (port = lo; port <= hi && (want[0] || want[1]); port++) {
		*bound = (uint16_t)port;
		for (i = 0; i < 2; i++)
			if (want[i] && udp_bind(family[i], *bound, *bound,
					   &udp[i], &why) != 0)
				break;
		cause_fini(&why);
		if (i == 2)
			return 0;
		for (i = 0; i < 2; i++) {
			udp_free(udp[i]);
			udp[i] = NULL;
		}
	}
	return cause_set(c, -ERR_SYS,
	    "no free UDP port from %u to %u (see remote-ports)", lo, hi);
}
