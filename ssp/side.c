/*
 * SIDE frame: varint number of the message, varint its length, varint offset,
 * bytes.  Messages are numbered from 1; a message starts when all of the
 * previous one has arrived.
 */
#include "ssp/side.h"

#include <string.h>

#include "base/err.h"
#include "ssp/frame.h"

#define SIDE_HEAD 24 /* bytes of a frame besides the part */

void
ssp_side_init(struct ssp_side *s)
{
	memset(s, 0, sizeof(*s));
	buf_init(&s->out, SSP_SIDE_MAX);
	buf_init(&s->in, SSP_SIDE_MAX);
	s->part = SSP_SIDE_FIRST;
}

void
ssp_side_fini(struct ssp_side *s)
{
	buf_fini(&s->out);
	buf_fini(&s->in);
}

/* --- sending --- */

bool
ssp_side_put(struct ssp_side *s, mono_ms now, const void *p, size_t n)
{
	if (ssp_side_busy(s) || n == 0 || n > SSP_SIDE_MAX)
		return false;
	(void)buf_add(&s->out, p, n);
	s->num++;
	s->done = s->flying = 0;
	s->since = now;
	return true;
}

mono_ms
ssp_side_time(const struct ssp_side *s, mono_ms talked)
{
	mono_ms t;

	if (s->flying > 0)
		return MONO_NEVER;
	/* Endless traffic with short gaps must not starve side messages. */
	t = mono_min(mono_add(talked, s->wanted ? 0 : SSP_SIDE_QUIET),
	    mono_add(s->since, SSP_SIDE_STARVED));
	return MAX_OF(t, s->next);
}

bool
ssp_side_write(struct ssp_side *s, mono_ms now, uint64_t pn, struct wr *w)
{
	uint8_t body[SSP_SIDE_MOST + SIDE_HEAD];
	size_t left = s->out.len - s->done, n = MIN_OF(left, s->part);
	struct wr b;

	if (wr_left(w) < SIDE_HEAD + SSP_SIDE_LEAST / 2)
		return false;
	n = MIN_OF(n, wr_left(w) - SIDE_HEAD);
	wr_init(&b, body, sizeof(body));
	wr_varint(&b, s->num);
	wr_varint(&b, s->out.len);
	wr_varint(&b, s->done);
	wr_bytes(&b, s->out.data + s->done, n);
	ssp_frame_put(w, SSP_FRAME_SIDE, body, wr_len(&b));
	s->flying = n;
	s->pn = pn;
	s->sent = now;
	return true;
}

/* Adapts size and pace to the DELAY (ms) that a part of N bytes caused. */
static void
side_learn(struct ssp_side *s, size_t n, mono_ms delay)
{
	if (delay > SSP_SIDE_HEAVY)
		s->part = MAX_OF(s->part / 2, (size_t)SSP_SIDE_LEAST);
	else if (delay <= SSP_SIDE_LIGHT && n >= s->part)
		s->part = MIN_OF(s->part * 2, (size_t)SSP_SIDE_MOST);
	s->next =
	    s->sent + MAX_OF(delay * SSP_SIDE_SHARE, (mono_ms)SSP_SIDE_GAP);
}

void
ssp_side_acked(struct ssp_side *s, mono_ms now, uint64_t pn, mono_ms rtt)
{
	if (s->flying == 0 || s->pn != pn)
		return;
	side_learn(s, s->flying, mono_until(s->sent + rtt, now));
	s->done += s->flying;
	s->flying = 0;
	s->losses = 0;
	s->since = now;
	if (s->done < s->out.len)
		return;
	buf_clear(&s->out);
	s->done = 0;
}

void
ssp_side_lost(struct ssp_side *s, mono_ms now, uint64_t pn)
{
	if (s->flying == 0 || s->pn != pn)
		return;
	s->flying = 0;
	s->next = now + mono_min((mono_ms)SSP_SIDE_RETRY << s->losses,
			    SSP_SIDE_RETRY_MAX);
	s->losses = MIN_OF(s->losses + 1, 8u);
}

void
ssp_side_moved(struct ssp_side *s, mono_ms now)
{
	s->part = SSP_SIDE_FIRST;
	s->losses = 0;
	if (s->flying > 0)
		ssp_side_lost(s, now, s->pn);
}

/* --- receiving --- */

int
ssp_side_read(struct ssp_side *s, const uint8_t *body, size_t len)
{
	uint64_t num, total, at;
	size_t skip;
	struct rd r;

	rd_init(&r, body, len);
	num = rd_varint(&r);
	total = rd_varint(&r);
	at = rd_varint(&r);
	len = rd_left(&r);
	peer_check(r.err == 0 && num > 0 && total > 0 && len > 0 &&
		   total <= SSP_SIDE_MAX && at <= total && len <= total - at);
	if (num < s->in_num)
		return 0;
	if (num > s->in_num) {
		/* The previous message is complete, or its sender is broken. */
		if (at > 0)
			return 0;
		buf_clear(&s->in);
		s->whole = false;
		s->in_num = num;
		s->in_total = (size_t)total;
	}
	/* A repeated part may have other bounds. */
	if (total != s->in_total || at > s->in.len || at + len <= s->in.len)
		return 0;
	skip = s->in.len - (size_t)at;
	(void)buf_add(&s->in, r.p + skip, len - skip);
	s->whole = s->in.len == s->in_total;
	return 0;
}

const uint8_t *
ssp_side_take(struct ssp_side *s, size_t *len)
{
	if (!s->whole)
		return NULL;
	s->whole = false;
	*len = s->in.len;
	return s->in.data;
}
