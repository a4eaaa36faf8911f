/*
 * SIDE frame: varint number of the message, varint its length, varint offset,
 * bytes.  Messages are numbered from 1; one starts when the fourth before it has
 * arrived.
 */
#include "ssp/side.h"

#include <string.h>

#include "base/err.h"
#include "ssp/frame.h"

#define SIDE_HEAD 24 /* bytes of a frame besides the part */

void
ssp_side_init(struct ssp_side *s)
{
	unsigned i;

	memset(s, 0, sizeof(*s));
	for (i = 0; i < SSP_SIDE_MESSAGES; i++) {
		buf_init(&s->out[i].bytes, SSP_SIDE_MAX);
		buf_init(&s->in[i].bytes, SSP_SIDE_MAX);
	}
	s->num = s->in_num = 1;
	s->part = SSP_SIDE_FIRST;
	s->gap = SSP_SIDE_GAP;
	s->window = 1;
}

void
ssp_side_fini(struct ssp_side *s)
{
	unsigned i;

	for (i = 0; i < SSP_SIDE_MESSAGES; i++) {
		buf_fini(&s->out[i].bytes);
		buf_fini(&s->in[i].bytes);
	}
}

/* --- sending --- */

bool
ssp_side_put(struct ssp_side *s, mono_ms now, const void *p, size_t n)
{
	struct ssp_side_out *o = &s->out[s->nout];

	if (s->nout == SSP_SIDE_MESSAGES || ssp_side_waits(s) || n == 0 ||
	    n > SSP_SIDE_MAX)
		return false;
	(void)buf_add(&o->bytes, p, n);
	o->tried = 0;
	o->left = n;
	if (s->nout++ == 0)
		s->since = now;
	return true;
}

/* Returns the first lost piece, or NULL. */
static const struct ssp_side_piece *
side_lost_piece(const struct ssp_side *s)
{
	unsigned i;

	for (i = 0; i < s->npieces && s->flying < s->npieces; i++)
		if (s->pieces[i].lost)
			return &s->pieces[i];
	return NULL;
}

/* Returns the first piece in flight that went only once, or NULL. */
static const struct ssp_side_piece *
side_first(const struct ssp_side *s)
{
	unsigned i;

	for (i = 0; i < s->npieces; i++)
		if (!s->pieces[i].lost && !s->pieces[i].again)
			return &s->pieces[i];
	return NULL;
}

/* When other traffic, which ended at TALKED, and the pace allow a part. */
static mono_ms
side_quiet(const struct ssp_side *s, mono_ms talked)
{
	/* Endless traffic with short gaps must not starve side messages. */
	const mono_ms t =
	    mono_min(mono_add(talked, s->wanted ? 0 : SSP_SIDE_QUIET),
		mono_add(s->since, SSP_SIDE_STARVED));

	return MAX_OF(t, s->next);
}

mono_ms
ssp_side_time(const struct ssp_side *s, mono_ms talked, mono_ms srtt)
{
	const struct ssp_side_piece *p = side_lost_piece(s);
	const mono_ms t = side_quiet(s, talked);

	if (p != NULL || ssp_side_waits(s))
		return s->flying < s->window &&
			       (p != NULL || s->npieces < SSP_SIDE_WINDOW)
			   ? t
			   : MONO_NEVER;
	/* Nothing follows that would reveal a loss soon. */
	if ((p = side_first(s)) == NULL)
		return MONO_NEVER;
	return MAX_OF(t, p->sent + srtt + srtt / 8 + SSP_SIDE_LATE);
}

mono_ms
ssp_side_room(const struct ssp_side *s, mono_ms talked)
{
	if (s->nout == SSP_SIDE_MESSAGES || s->flying >= s->window ||
	    s->npieces >= SSP_SIDE_WINDOW)
		return MONO_NEVER;
	return side_quiet(s, talked);
}

/* Returns a new piece before AT, a copy of the one that stands there. */
static struct ssp_side_piece *
side_insert(struct ssp_side *s, unsigned at)
{
	struct ssp_side_piece *p = &s->pieces[at];

	memmove(p + 1, p, (s->npieces++ - at) * sizeof(*p));
	return p;
}

/* Returns the piece that goes next, at most N bytes of it; NULL: none. */
static struct ssp_side_piece *
side_next(struct ssp_side *s, size_t n)
{
	const struct ssp_side_piece *lost = side_lost_piece(s);
	const bool waits = ssp_side_waits(s);
	struct ssp_side_piece *p;
	struct ssp_side_out *o;

	if (lost == NULL && waits && s->npieces < SSP_SIDE_WINDOW) {
		o = &s->out[s->nout - 1];
		p = &s->pieces[s->npieces++];
		p->num = s->num + s->nout - 1;
		p->at = o->tried;
		p->len = MIN_OF(MIN_OF(n, s->part), o->bytes.len - o->tried);
		p->again = false;
		o->tried += p->len;
		s->flying++;
		return p;
	}
	if (lost == NULL && !waits)
		lost = side_first(s);
	if (lost == NULL || (lost->len > n && s->npieces == SSP_SIDE_PIECES))
		return NULL;
	p = &s->pieces[lost - s->pieces];
	if (p->len > n) {
		/* The rest stays lost, or in flight. */
		s->flying += !p->lost;
		p = side_insert(s, (unsigned)(p - s->pieces));
		p[1].at += n;
		p[1].len -= n;
		p->len = n;
	}
	p->again = !p->lost;
	s->flying += p->lost;
	return p;
}

bool
ssp_side_write(struct ssp_side *s, mono_ms now, uint64_t pn, struct wr *w)
{
	uint8_t body[SSP_SIDE_MOST + SIDE_HEAD];
	const struct ssp_side_out *o;
	struct ssp_side_piece *p;
	struct wr b;

	if (wr_left(w) < SIDE_HEAD + SSP_SIDE_LEAST / 2 ||
	    (p = side_next(s, wr_left(w) - SIDE_HEAD)) == NULL) {
		/* Another datagram may have more room. */
		s->next = MAX_OF(s->next, now + SSP_SIDE_GAP);
		return false;
	}
	o = &s->out[p->num - s->num];
	wr_init(&b, body, sizeof(body));
	wr_varint(&b, p->num);
	wr_varint(&b, o->bytes.len);
	wr_varint(&b, p->at);
	wr_bytes(&b, o->bytes.data + p->at, p->len);
	ssp_frame_put(w, SSP_FRAME_SIDE, body, wr_len(&b));
	p->lost = false;
	p->pn = pn;
	p->sent = now;
	s->next = now + s->gap;
	return true;
}

/* Returns the piece that flies in datagram PN, or NULL. */
static struct ssp_side_piece *
side_find(struct ssp_side *s, uint64_t pn)
{
	unsigned i;

	for (i = 0; i < s->npieces; i++)
		if (!s->pieces[i].lost && s->pieces[i].pn == pn)
			return &s->pieces[i];
	return NULL;
}

/*
 * Adapts size, number and pace to the DELAY (ms) that a part of N bytes caused:
 * the next one waits until the link that this one filled has been free.
 */
static void
side_learn(struct ssp_side *s, size_t n, mono_ms sent, mono_ms delay)
{
	if (delay > SSP_SIDE_HEAVY && s->window > 1)
		s->window /= 2;
	else if (delay > SSP_SIDE_HEAVY)
		s->part = MAX_OF(s->part / 2, (size_t)SSP_SIDE_LEAST);
	else if (delay <= SSP_SIDE_LIGHT) {
		s->window = MIN_OF(s->window + 1, (unsigned)SSP_SIDE_WINDOW);
		if (n >= s->part)
			s->part = MIN_OF(s->part * 2, (size_t)SSP_SIDE_MOST);
	}
	s->gap = MAX_OF(delay * SSP_SIDE_SHARE, (mono_ms)SSP_SIDE_GAP);
	s->next = MAX_OF(s->next, sent + s->gap);
}

/* Drops the oldest messages that have arrived. */
static void
side_drop(struct ssp_side *s)
{
	struct ssp_side_out first;

	while (s->nout > 0 && s->out[0].left == 0) {
		first = s->out[0];
		buf_clear(&first.bytes);
		memmove(s->out, s->out + 1, --s->nout * sizeof(first));
		s->out[s->nout] = first;
		s->num++;
	}
}

void
ssp_side_acked(struct ssp_side *s, mono_ms now, uint64_t pn, mono_ms rtt)
{
	struct ssp_side_piece *p = side_find(s, pn);
	unsigned i;

	if (p == NULL)
		return;
	side_learn(s, p->len, p->sent, mono_until(p->sent + rtt, now));
	s->losses = 0;
	s->since = now;
	s->out[p->num - s->num].left -= p->len;
	s->flying--;
	i = (unsigned)(p - s->pieces);
	memmove(p, p + 1, (--s->npieces - i) * sizeof(*p));
	side_drop(s);
}

/*
 * A loss among others that arrive costs one of the window.  Parts of one window
 * count as one loss; the second without an ack between leaves one in flight.
 */
void
ssp_side_lost(struct ssp_side *s, mono_ms now, uint64_t pn)
{
	struct ssp_side_piece *p = side_find(s, pn);
	mono_ms pause;

	if (p == NULL)
		return;
	p->lost = true;
	s->flying--;
	if (p->sent < s->lost_at)
		return;
	s->lost_at = now;
	pause =
	    mono_min((mono_ms)SSP_SIDE_RETRY << s->losses, SSP_SIDE_RETRY_MAX);
	if (s->losses == 0 && s->window > 1) {
		s->window--;
		pause = 0;
	} else
		s->window = 1;
	s->next = MAX_OF(s->next, now + pause);
	s->losses = MIN_OF(s->losses + 1, 8u);
}

void
ssp_side_moved(struct ssp_side *s, mono_ms now)
{
	unsigned i;

	s->part = SSP_SIDE_FIRST;
	s->gap = SSP_SIDE_GAP;
	s->window = 1;
	s->losses = 0;
	for (i = 0; i < s->npieces; i++)
		if (!s->pieces[i].lost)
			ssp_side_lost(s, now, s->pieces[i].pn);
}

/* --- receiving --- */

/* Adds the bytes FROM..TO-1 to those here; false: too many pieces. */
static bool
side_add(struct ssp_side_in *in, size_t from, size_t to)
{
	struct ssp_side_range *r = in->here;
	unsigned i = 0, k;

	while (i < in->nhere && r[i].to < from)
		i++;
	for (k = i; k < in->nhere && r[k].from <= to; k++) {
		from = MIN_OF(from, r[k].from);
		to = MAX_OF(to, r[k].to);
	}
	if (k == i && in->nhere == ARRAY_LEN(in->here))
		return false;
	memmove(r + i + 1, r + k, (in->nhere - k) * sizeof(*r));
	in->nhere = in->nhere - k + i + 1;
	r[i] = (struct ssp_side_range){ from, to };
	return true;
}

/* Whether all bytes have come. */
static bool
side_whole(const struct ssp_side_in *in)
{
	return in->total > 0 && in->nhere == 1 &&
	       in->here[0].to - in->here[0].from == in->total;
}

static void
side_begin(struct ssp_side_in *in, size_t total)
{
	uint8_t *p;

	buf_clear(&in->bytes);
	if (buf_reserve(&in->bytes, total, &p) == 0) {
		memset(p, 0, total);
		buf_commit(&in->bytes, total);
	}
	in->total = total;
	in->nhere = 0;
}

int
ssp_side_read(struct ssp_side *s, const uint8_t *body, size_t len)
{
	struct ssp_side_in *in;
	uint64_t num, total, at;
	struct rd r;

	rd_init(&r, body, len);
	num = rd_varint(&r);
	total = rd_varint(&r);
	at = rd_varint(&r);
	len = rd_left(&r);
	peer_check(r.err == 0 && num > 0 && total > 0 && len > 0 &&
		   total <= SSP_SIDE_MAX && at <= total && len <= total - at);
	/* Its sender has begun too many, or it was taken. */
	if (num < s->in_num || num - s->in_num >= SSP_SIDE_MESSAGES)
		return 0;
	in = &s->in[num % SSP_SIDE_MESSAGES];
	if (in->total == 0)
		side_begin(in, (size_t)total);
	/* A repeated part may have other bounds. */
	if (total == in->total && !side_whole(in) &&
	    side_add(in, (size_t)at, (size_t)at + len))
		memcpy(in->bytes.data + at, r.p, len);
	return 0;
}

const uint8_t *
ssp_side_take(struct ssp_side *s, size_t *len)
{
	struct ssp_side_in *in = &s->in[s->in_num % SSP_SIDE_MESSAGES];

	if (!side_whole(in))
		return NULL;
	*len = in->total;
	in->total = 0;
	s->in_num++;
	return in->bytes.data;
}
