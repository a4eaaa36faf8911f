#include <string.h>

#include "mux/mux.h"
#include "server/io/remote_int.h"
#include "server/run/run.h"
#include "ssp/io/udp_link.h"

void
remote_info(const struct remote *r, struct remote_info *info)
{
	mono_ms now = loop_now(r->rs->run->loop);
	struct ssp_transport_stats ts;
	struct ssp_conn_stats cs;
	struct udp_addr a;

	ssp_conn_stats(r->conn, &cs);
	ssp_transport_stats(r->bind.tp, now, &ts);
	memset(info, 0, sizeof(*info));
	info->link = r->up ? "lost" : "opening";
	if (cs.active.remote.kind == SSP_ADDR_STREAM) {
		info->link = "ssh";
		strcpy(info->address, "ssh");
	} else if (cs.active.remote.kind == SSP_ADDR_UDP) {
		info->link = "udp";
		a = udp_link_udp_addr(&cs.active.remote);
		udp_addr_format(&a, info->address, sizeof(info->address));
	}
	info->keys = !r->up ? "" : cs.hybrid ? "x25519+mlkem768" : "x25519";
	info->rtt = ts.have_rtt ? ts.srtt : MONO_NEVER;
	info->loss = ts.loss;
	ssp_words_format(info->words, cs.words);
	info->heard =
	    cs.heard_at == 0 ? MONO_NEVER : mono_until(cs.heard_at, now);
}

void
remote_pace(const struct remote *r, char *out, size_t size)
{
	ssp_transport_pace_tell(r->bind.tp, out, size);
}

void
remote_pace_by(struct ssp_transport *tp, mono_ms now, const struct options *o)
{
	const int64_t p = options_number(o, OPTION_PACE);

	_Static_assert((int)PACE_AUTO + 1 == (int)SSP_PACING_AUTO &&
			   (int)PACE_MOSH + 1 == (int)SSP_PACING_MOSH &&
			   (int)PACE_MOSH + 2 == (int)SSP_PACINGS,
	    "the option has the transport's choices");
	/* A server that says nothing leaves it to the client. */
	ssp_transport_pace(tp, now,
	    p == PACE_AUTO ? SSP_PACING_NONE : (enum ssp_pacing)(p + 1));
}
