#include "mux/fmt/badge.h"

#include <stdbool.h>
#include <string.h>

static unsigned
rounded(unsigned rtt)
{
	const unsigned step = rtt < 100 ? 5 : rtt < 1000 ? 10 : 100;

	return (rtt + step / 2) / step * step;
}

/* Returns the space before a part; "" before the first one. */
static const char *
gap(const struct buf *out, size_t start)
{
	return out->len > start ? " " : "";
}

int
badge_put(const struct badge *b, struct buf *out)
{
	const bool usual = strcmp(b->link, "udp") == 0;
	const bool slow = b->rtt != BADGE_UNKNOWN && b->rtt >= BADGE_RTT;
	/* The last loss on UDP says nothing about the link through ssh. */
	const bool lossy = b->loss >= BADGE_LOSS && strcmp(b->link, "ssh") != 0;
	const bool wide = b->width >= BADGE_NARROW;
	const size_t start = out->len;
	int err = 0;

	if (strcmp(b->link, "local") == 0 || (usual && !slow && !lossy))
		return 0;
	if (wide || !usual)
		err |= buf_add_str(out, b->link);
	if (b->rtt != BADGE_UNKNOWN)
		err |=
		    buf_addf(out, "%s%ums", gap(out, start), rounded(b->rtt));
	if (lossy)
		err |= buf_addf(
		    out, "%s%u%% lost", gap(out, start), (b->loss + 50) / 100);
	if (wide && b->predicted >= 0)
		err |= buf_addf(
		    out, "%s%d%% predicted", gap(out, start), b->predicted);
	return err;
}
