#include "client/doctor_probe.h"

#include <string.h>

#include "base/err.h"

static const uint8_t probe_magic[4] = { 'r', 'm', 'x', 'q' };
static const uint8_t answer_magic[4] = { 'r', 'm', 'x', 'a' };

static void
put_be(uint8_t *p, uint64_t v, int n)
{
	while (n-- > 0) {
		p[n] = (uint8_t)(v & 0xff);
		v >>= 8;
	}
}

static uint64_t
get_be(const uint8_t *p, int n)
{
	uint64_t v = 0;

	while (n-- > 0)
		v = v << 8 | *p++;
	return v;
}

static int
probe_check(const struct doctor_key *k, const uint8_t *magic, const uint8_t *p,
    size_t size)
{
	uint8_t mac[SSP_MAC_LEN];

	if (size < DOCTOR_PROBE_MIN || size > DOCTOR_PROBE_MAX ||
	    memcmp(p, magic, 4) != 0 || get_be(p + 4, 8) != k->id)
		return -ERR_PEER;
	/* security: a datagram without the key gets no answer. */
	ssp_mac(mac, k->key, p, size - SSP_MAC_LEN);
	return ssp_equal(mac, p + size - SSP_MAC_LEN, SSP_MAC_LEN) ? 0
								   : -ERR_PEER;
}

void
doctor_probe_make(
    const struct doctor_key *k, uint32_t number, uint8_t *out, size_t size)
{
	memset(out, 0, size);
	memcpy(out, probe_magic, 4);
	put_be(out + 4, k->id, 8);
	put_be(out + 12, number, 4);
	ssp_mac(out + size - SSP_MAC_LEN, k->key, out, size - SSP_MAC_LEN);
}

int
doctor_probe_answer(
    const struct doctor_key *k, uint64_t wall, uint8_t *p, size_t size)
{
	int r = probe_check(k, probe_magic, p, size);

	if (r != 0)
		return r;
	memcpy(p, answer_magic, 4);
	put_be(p + 16, wall, 8);
	ssp_mac(p + size - SSP_MAC_LEN, k->key, p, size - SSP_MAC_LEN);
	return 0;
}

int
doctor_probe_read(const struct doctor_key *k, const uint8_t *p, size_t size,
    uint32_t *number, uint64_t *wall)
{
	int r = probe_check(k, answer_magic, p, size);

	if (r != 0)
		return r;
	*number = (uint32_t)get_be(p + 12, 4);
	*wall = get_be(p + 16, 8);
	return 0;
}

static int
trip_order(const void *a, const void *b)
{
	const uint32_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

uint32_t
doctor_trips_median(const struct doctor_trips *t)
{
	uint32_t us[DOCTOR_PROBES];
	size_t n = MIN_OF(t->got, DOCTOR_PROBES);

	if (n == 0)
		return 0;
	memcpy(us, t->us, n * sizeof(*us));
	qsort(us, n, sizeof(*us), trip_order);
	return us[n / 2];
}

int64_t
doctor_skew(uint64_t sent_wall, uint32_t trip_us, uint64_t far_wall)
{
	return (int64_t)(far_wall - sent_wall) - (int64_t)(trip_us / 2000);
}
