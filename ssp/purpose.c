#include "ssp/purpose.h"

#include <stdio.h>
#include <string.h>

#include "base/err.h"

/* What the client of ANNOUNCE listens for. */
#define ANNOUNCE_LOCAL 1
#define ANNOUNCE_DYNAMIC 2

static bool
has_place(enum ssp_purpose_kind kind)
{
	return kind < SSP_PURPOSE_AGENT || kind == SSP_PURPOSE_SOCKET ||
	       kind == SSP_PURPOSE_ANNOUNCE;
}

void
ssp_place_put(struct wr *w, const struct ssp_place *p)
{
	const size_t n = strlen(p->host);

	wr_varint(w, p->kind);
	wr_varint(w, p->port);
	wr_varint(w, n);
	wr_bytes(w, p->host, n);
}

void
ssp_purpose_put(struct wr *w, const struct ssp_purpose *p)
{
	wr_varint(w, p->kind);
	if (p->kind == SSP_PURPOSE_ACCEPTED)
		wr_varint(w, p->listener);
	if (p->kind == SSP_PURPOSE_PART) {
		wr_varint(w, p->exec);
		wr_varint(w, p->part);
	}
	if (p->kind == SSP_PURPOSE_ANNOUNCE)
		wr_varint(w, p->dynamic ? ANNOUNCE_DYNAMIC : ANNOUNCE_LOCAL);
	if (!has_place(p->kind))
		return;
	ssp_place_put(w, &p->place);
	if (p->kind == SSP_PURPOSE_ANNOUNCE && !p->dynamic)
		ssp_place_put(w, &p->to);
	if (p->kind == SSP_PURPOSE_CONNECT && p->listener != 0)
		wr_varint(w, p->listener);
}

int
ssp_place_get(struct ssp_place *p, struct rd *r)
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

static int
part_get(struct ssp_purpose *p, struct rd *r)
{
	uint64_t part;

	p->exec = rd_varint(r);
	part = rd_varint(r);
	peer_check(r->err == 0 && part < SSP_PARTS);
	p->part = (enum ssp_purpose_part)part;
	return 0;
}

static int
announce_get(struct ssp_purpose *p, struct rd *r)
{
	const uint64_t what = rd_varint(r);
	int e;

	peer_check(r->err == 0 &&
		   (what == ANNOUNCE_LOCAL || what == ANNOUNCE_DYNAMIC));
	p->dynamic = what == ANNOUNCE_DYNAMIC;
	e = ssp_place_get(&p->place, r);
	return e != 0 || p->dynamic ? e : ssp_place_get(&p->to, r);
}

static int
connect_get(struct ssp_purpose *p, struct rd *r)
{
	const int e = ssp_place_get(&p->place, r);

	if (e != 0 || rd_left(r) == 0)
		return e;
	p->listener = rd_varint(r);
	return r->err == 0 ? 0 : -ERR_PEER;
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
	if (kind > SSP_PURPOSE_ANNOUNCE)
		return -ERR_UNSUPPORTED;
	p->kind = (enum ssp_purpose_kind)kind;
	if (p->kind == SSP_PURPOSE_ACCEPTED)
		p->listener = rd_varint(&r);
	if (p->kind == SSP_PURPOSE_PART)
		return part_get(p, &r);
	if (p->kind == SSP_PURPOSE_ANNOUNCE)
		return announce_get(p, &r);
	if (p->kind == SSP_PURPOSE_CONNECT)
		return connect_get(p, &r);
	/* Further fields may follow. */
	return has_place(p->kind) ? ssp_place_get(&p->place, &r) : 0;
}

char *
ssp_place_text(const struct ssp_place *p, char out[SSP_PLACE_TEXT])
{
	const bool v6 = strchr(p->host, ':') != NULL;
	char *c;

	if (p->kind == SSP_PLACE_UNIX)
		snprintf(out, SSP_PLACE_TEXT, "%s", p->host);
	else
		snprintf(out, SSP_PLACE_TEXT, "%s%s%s:%u", v6 ? "[" : "",
		    p->host, v6 ? "]" : "", p->port);
	/* security: the peer may have named it, and a terminal shows it. */
	for (c = out; *c != '\0'; c++)
		if ((unsigned char)*c < ' ' || *c == 127)
			*c = '?';
	return out;
}
