/*
 * State of a connection that all its parts change: the event queue and the
 * epochs.
 */
#include <string.h>

#include "ssp/conn_int.h"

void
conn_event(struct ssp_conn *c, enum ssp_conn_event_type type, uint64_t code,
    const struct ssp_path_addr *addr)
{
	struct ssp_conn_event *ev;

	if (c->ev_count == CONN_EVENTS) {
		/* Nobody reads the events: drop the oldest. */
		c->ev_first = (c->ev_first + 1) % CONN_EVENTS;
		c->ev_count--;
	}
	ev = &c->events[(c->ev_first + c->ev_count) % CONN_EVENTS];
	c->ev_count++;
	memset(ev, 0, sizeof(*ev));
	ev->type = type;
	ev->code = code;
	if (addr != NULL)
		ev->addr = *addr;
}

void
conn_trace(const struct ssp_conn *c, mono_ms now, enum ssp_trace_kind kind,
    int64_t a, int64_t b, int64_t v)
{
	ssp_trace(
	    &c->cfg.trace, kind, now, (uint64_t)a, (uint64_t)b, (uint64_t)v);
}

void
conn_random(const struct ssp_conn *c, void *out, size_t n)
{
	c->cfg.random(c->cfg.random_arg, out, n);
}

void
conn_up(struct ssp_conn *c)
{
	if (c->state != SSP_CONN_OPENING)
		return;
	c->state = SSP_CONN_UP;
	conn_event(c, SSP_CONN_EV_UP, c->version, NULL);
}

mono_ms
conn_rto(const struct ssp_conn *c)
{
	if (c->paths.active < 0)
		return SSP_PATH_RTO_FIRST;
	return ssp_path_rto(&c->paths.p[c->paths.active]);
}

void
conn_epoch_made(struct ssp_conn *c, uint64_t number)
{
	struct conn_epoch *e = &c->epochs[number % SSP_EPOCH_SLOTS];

	e->held = true;
	e->number = number;
	e->expires = MONO_NEVER;
	c->st.handshakes++;
}

void
conn_epoch_use(struct ssp_conn *c, mono_ms now, uint64_t number)
{
	conn_trace(
	    c, now, SSP_TRACE_KEYS, (int64_t)number, (int64_t)c->epoch_out, 0);
	c->can_send = true;
	c->send_epoch = number;
	c->epoch_at = now;
	c->epoch_out = 0;
	c->ended = false;
	c->rekey_wanted = false;
}

void
conn_epoch_end(struct ssp_conn *c, mono_ms now)
{
	/*
	 * Until the second key exchange, payloads wait instead.  The time of
	 * the first keys of a server counts from the client's first use.
	 */
	if (c->can_send && c->sec != NULL && !conn_kem_pending(c) &&
	    (c->epoch_out >= c->cfg.end_packets ||
		(c->state != SSP_CONN_OPENING &&
		    now - c->epoch_at >= c->cfg.end_ms)))
		c->ended = true;
}

/* A token bucket: REKEY_TAT is when all tokens are back, less one. */
mono_ms
conn_rekey_free_at(const struct ssp_conn *c)
{
	mono_ms burst = (c->cfg.rekey_burst - 1) * c->cfg.rekey_gap_ms;

	return c->rekey_tat > burst ? c->rekey_tat - burst : 0;
}

void
conn_rekey_spend(struct ssp_conn *c, mono_ms now)
{
	c->rekey_tat = MAX_OF(c->rekey_tat, now) + c->cfg.rekey_gap_ms;
}

void
conn_epoch_seen(struct ssp_conn *c, mono_ms now, uint64_t number)
{
	mono_ms keep = 3 * conn_rto(c);
	struct conn_epoch *e;
	int i;

	keep =
	    CLAMP(keep, (mono_ms)CONN_OVERLAP_MIN, (mono_ms)CONN_OVERLAP_MAX);
	for (i = 0; i < SSP_EPOCH_SLOTS; i++) {
		e = &c->epochs[i];
		if (e->held && e->number < number && e->expires == MONO_NEVER)
			e->expires = now + keep;
	}
	if (number > 0 && c->kem != NULL)
		conn_kem_end(c);
	if (!c->client && (!c->can_send || number > c->send_epoch)) {
		conn_epoch_use(c, now, number);
		conn_trace(c, now, SSP_TRACE_HANDSHAKE, (int64_t)number,
		    SSP_HS_CONFIRMED, 0);
	}
}
