#include "ssp/io/udp_link.h"

#include <string.h>

#include "ssp/datagram.h"

struct ssp_addr
udp_link_addr(const struct udp_addr *a)
{
	return ssp_addr_make(SSP_ADDR_UDP, a->bytes, a->len, a->host);
}

struct udp_addr
udp_link_udp_addr(const struct ssp_addr *a)
{
	return udp_addr_make(a->bytes, a->len, a->host);
}

struct ssp_path_addr
udp_link_path(const struct udp *u, const struct ssp_addr *to)
{
	struct udp_addr name = udp_name(u);
	struct ssp_path_addr path = { udp_link_addr(&name), *to };

	return path;
}

struct ssp_path_addr
udp_link_from(const struct udp_msg *m)
{
	struct ssp_path_addr path = { udp_link_addr(&m->local),
		udp_link_addr(&m->from) };

	return path;
}

int
udp_link_input(struct ssp_conn *c, mono_ms now, struct udp_msg *m)
{
	struct ssp_path_addr from = udp_link_from(m);

	return ssp_conn_input(c, now, &from, m->ecn, m->data, m->len);
}

int
udp_link_send(struct udp *u, const struct ssp_path_addr *to, const uint8_t *p,
    size_t len, size_t part)
{
	struct udp_addr local = udp_link_udp_addr(&to->local);
	struct udp_addr remote = udp_link_udp_addr(&to->remote);

	if (u == NULL)
		return -ERR_STATE;
	return udp_send_parts(u, &local, &remote, p, len, part);
}

/*
 * Datagrams of one size on one path that go together; behind them there is room
 * for the next one.
 */
struct link_batch {
	struct ssp_path_addr to;
	size_t part; /* 0: empty */
	size_t len;
	bool closed; /* the last one is shorter */
	uint8_t data[UDP_PARTS_MAX + SSP_DGRAM_STREAM_MAX];
};

static void
batch_flush(struct link_batch *b, struct ssp_conn *c, mono_ms now,
    udp_link_fn fn, void *arg)
{
	if (b->part > 0 &&
	    fn(arg, &b->to, b->data, b->len, b->part) == -ERR_LIMIT)
		ssp_conn_refused(c, now, &b->to, b->part);
	b->part = b->len = 0;
	b->closed = false;
}

/* Returns whether a datagram of N bytes for TO may join the others. */
static bool
batch_takes(
    const struct link_batch *b, const struct ssp_path_addr *to, size_t n)
{
	return b->part == 0 ||
	       (!b->closed && n <= b->part && b->len + n <= UDP_PARTS_MAX &&
		   ssp_addr_equal(&to->local, &b->to.local) &&
		   ssp_addr_equal(&to->remote, &b->to.remote));
}

unsigned
udp_link_output(struct ssp_conn *c, mono_ms now, udp_link_fn fn, void *arg)
{
	struct ssp_path_addr to;
	struct link_batch b;
	unsigned count = 0;
	uint8_t *p;
	size_t n;

	b.part = b.len = 0;
	b.closed = false;
	while ((n = ssp_conn_output(c, now, &to, p = b.data + b.len,
		    SSP_DGRAM_STREAM_MAX)) > 0) {
		count++;
		if (to.remote.kind != SSP_ADDR_UDP || n > UDP_PARTS_MAX) {
			batch_flush(&b, c, now, fn, arg);
			(void)fn(arg, &to, p, n, n);
			continue;
		}
		if (!batch_takes(&b, &to, n)) {
			batch_flush(&b, c, now, fn, arg);
			memmove(b.data, p, n);
		}
		if (b.part == 0) {
			b.part = n;
			b.to = to;
		}
		b.len += n;
		b.closed = n < b.part;
	}
	batch_flush(&b, c, now, fn, arg);
	return count;
}
