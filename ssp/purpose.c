#include "ssp/purpose.h"

#include <stdio.h>
#include <string.h>

#include "base/err.h"

void
ssp_purpose_put(struct wr *w, const struct ssp_purpose *p)
{
	const size_t n = strlen(p->place.host);

	wr_varint(w, p->kind);
	if (p->kind == SSP_PURPOSE_ACCEPTED)
		wr_varint(w, p->listener);
	if (p->kind == SSP_PURPOSE_AGENT)
		return;
	wr_varint(w, p->place.kind);
	wr_varint(w, p->place.port);
	wr_varint(w, n);
	wr_bytes(w, p->place.host, n);
}

static int
place_get(struct ssp_place *p, struct rd *r)
{
	uint64_t kind = rd_varint(r), port = rd_varint(r), n = rd_varint(r);
	const uint8_t *host;

	peer_check(r->err == 0 && kind <= SSP_PLACE_UNIX && port <= 65535 &&
		   n < sizeof(p->host) && n <= rd_left(r));
	host = rd_bytes(r, (size_t)n);
	/* security: the name goes to the system as a string. */
	peer_check(memchr(n > 0 ? (const char *)host : "x", 0,
		       n > 0 ? (size_t)n : 1) == NULL);
	p->kind = (enum ssp_place_kind)kind;
	p->port = (uint16_t)port;
	memcpy(p->host, n > 0 ? (const char *)host : "", (size_t)n);
	p->host[n] = '\0';
	return 0;
}

int
ssp_purpose_get(struct ssp_purpose *p, const uint8_t *data, size_t n)
{
	uint64_t kind;
	struct rd r;

	memset(p, 0, sizeof(*p));
	rd_init(&r, data, n);
	kind = rd_varint(&r);
	peer_check(r.err == 0 && kind > 0);
	if (kind > SSP_PURPOSE_AGENT)
		return -ERR_UNSUPPORTED;
	p->kind = (enum ssp_purpose_kind)kind;
	if (p->kind == SSP_PURPOSE_ACCEPTED)
		p->listener = rd_varint(&r);
	/* Further fields may follow. */
	return p->kind == SSP_PURPOSE_AGENT ? 0 : place_get(&p->place, &r);
}

char *
ssp_place_text(const struct ssp_place *p, char out[SSP_PLACE_TEXT])
{
	const bool v6 = strchr(p->host, ':') != NULL;

	if (p->kind == SSP_PLACE_UNIX)
		snprintf(out, SSP_PLACE_TEXT, "%s", p->host);
	else
		snprintf(out, SSP_PLACE_TEXT, "%s%s%s:%u", v6 ? "[" : "",
		    p->host, v6 ? "]" : "", p->port);
	return out;
}
