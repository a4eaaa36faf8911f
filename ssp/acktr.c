#include "ssp/acktr.h"

#include <string.h>

#include "base/err.h"

#define ACKTR_MIN_COVER 24 /* minimum numbers covered */

void
ssp_acktr_init(struct ssp_acktr *t)
{
	memset(t, 0, sizeof *t);
}

static bool
acktr_has(const struct ssp_acktr *t, uint64_t pn)
{
	uint64_t i = pn % SSP_ACKTR_SPAN;

	return (t->seen[i / 64] >> (i % 64) & 1) != 0;
}

static void
acktr_set(struct ssp_acktr *t, uint64_t pn, bool on)
{
	uint64_t i = pn % SSP_ACKTR_SPAN, m = UINT64_C(1) << (i % 64);

	if (on)
		t->seen[i / 64] |= m;
	else
		t->seen[i / 64] &= ~m;
}

/* Widens L to hold the packet numbers LOW..HIGH; HIGH 0: there are none. */
static void
acktr_late(struct ssp_acktr_late *l, uint64_t low, uint64_t high)
{
	if (high == 0)
		return;
	l->low = l->high == 0 ? low : MIN_OF(l->low, low);
	l->high = MAX_OF(l->high, high);
}

bool
ssp_acktr_add(struct ssp_acktr *t, uint64_t pn)
{
	uint64_t i;

	if (!t->any || pn > t->largest) {
		if (!t->any || pn - t->largest >= SSP_ACKTR_SPAN)
			memset(t->seen, 0, sizeof t->seen);
		else
			for (i = t->largest + 1; i < pn; i++)
				acktr_set(t, i, false);
		t->any = true;
		t->largest = pn;
		acktr_set(t, pn, true);
		return true;
	}
	if (t->largest - pn >= SSP_ACKTR_SPAN || acktr_has(t, pn))
		return false;
	acktr_set(t, pn, true);
	/* The next three acks reach those behind that. */
	if (t->ntold > 0 && pn < t->told[MIN_OF(t->ntold - 1, 3u)])
		acktr_late(&t->late[0], pn, pn);
	return true;
}

/* Returns the lowest number that the next ack covers. */
static uint64_t
acktr_floor(const struct ssp_acktr *t)
{
	uint64_t cover = ACKTR_MIN_COVER, floor;
	unsigned i;

	floor = t->largest > cover ? t->largest - cover : 0;
	for (i = 0; i < t->ntold; i++)
		floor = MIN_OF(floor, t->told[i]);
	if (t->largest - floor >= SSP_ACKTR_SPAN)
		floor = t->largest - SSP_ACKTR_SPAN + 1;
	return floor;
}

/* Writes what came of the numbers FLOOR..TOP, which came itself. */
static void
acktr_write(const struct ssp_acktr *t, uint64_t floor, uint64_t top,
    struct wr *w, size_t max)
{
	uint8_t map[SSP_ACKTR_BITMAP_MAX] = { 0 };
	uint64_t pn = top, run = 0, i, n = 0;

	max = MIN_OF(max, sizeof map);
	while (pn > floor && acktr_has(t, pn - 1)) {
		pn--;
		run++;
	}
	if (pn > floor && pn >= 2) {
		pn -= 2; /* number of the first bit */
		n = pn >= floor ? pn - floor + 1 : 1;
		n = MIN_OF((n + 7) / 8 * 8, max * 8);
		for (i = 0; i < n && i <= pn; i++)
			if (t->largest - (pn - i) < SSP_ACKTR_SPAN &&
			    acktr_has(t, pn - i))
				map[i / 8] |= (uint8_t)(1 << i % 8);
	}
	wr_varint(w, top);
	wr_varint(w, run);
	wr_bytes(w, map, (size_t)(n / 8));
}

bool
ssp_acktr_put_late(const struct ssp_acktr *t, struct wr *w, size_t max)
{
	struct ssp_acktr_late all = { 0, 0 };
	unsigned i;

	for (i = 0; i < SSP_ACKTR_REPEAT; i++)
		acktr_late(&all, t->late[i].low, t->late[i].high);
	/* The newest of them have forgotten no older number yet. */
	if (all.high == 0 || all.low >= acktr_floor(t) ||
	    t->largest - all.high >= SSP_ACKTR_SPAN)
		return false;
	all.low = MAX_OF(all.low,
	    t->largest >= SSP_ACKTR_SPAN ? t->largest - SSP_ACKTR_SPAN + 1 : 0);
	acktr_write(t, all.low, all.high, w, max);
	return true;
}

void
ssp_acktr_put(struct ssp_acktr *t, struct wr *w, size_t max)
{
	acktr_write(t, acktr_floor(t), t->largest, w, max);
	memmove(t->late + 1, t->late, sizeof t->late - sizeof t->late[0]);
	t->late[0] = (struct ssp_acktr_late){ 0, 0 };
	memmove(t->told + 1, t->told, sizeof t->told - sizeof t->told[0]);
	t->told[0] = t->largest;
	t->ntold = MIN_OF(t->ntold + 1, SSP_ACKTR_REPEAT);
}

int
ssp_ack_get(struct ssp_ack *a, struct rd *r)
{
	a->largest = rd_varint(r);
	a->run = rd_varint(r);
	peer_check(r->err == 0 && a->run <= a->largest);
	a->len = rd_left(r);
	peer_check(a->len <= SSP_ACKTR_BITMAP_MAX);
	a->bitmap = rd_bytes(r, a->len);
	return 0;
}

enum ssp_ack_said
ssp_ack_says(const struct ssp_ack *a, uint64_t pn)
{
	uint64_t low = a->largest - a->run, i;

	if (pn > a->largest)
		return SSP_ACK_UNKNOWN;
	if (pn >= low)
		return SSP_ACK_YES;
	if (a->len == 0)
		return SSP_ACK_UNKNOWN;
	if (pn + 1 == low)
		return SSP_ACK_NO;
	i = low - 2 - pn;
	if (i / 8 >= a->len)
		return SSP_ACK_UNKNOWN;
	return (a->bitmap[i / 8] >> (i % 8) & 1) != 0 ? SSP_ACK_YES
						      : SSP_ACK_NO;
}
