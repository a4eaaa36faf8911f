/* See udp_end.h. */
#include "regress/ssp/udp_end.h"

#include "base/io/sys.h"

void
udp_end_random(void *arg, void *out, size_t n)
{
	(void)arg;
	sys_random(out, n);
}

static void
end_input(void *arg, struct udp_msg *m)
{
	struct udp_end *e = arg;

	(void)udp_link_input(e->conn, sys_now(), m);
}

void
udp_end_recv(struct udp_end *e)
{
	udp_recv_batch(e->udp, UDP_BATCH, end_input, e);
}

static int
end_output(void *arg, const struct ssp_path_addr *to, const uint8_t *p,
    size_t n, size_t part)
{
	struct udp_end *e = arg;

	return udp_link_send(e->udp, to, p, n, part);
}

void
udp_end_send(struct udp_end *e)
{
	struct ssp_conn_event ev;

	(void)udp_link_output(e->conn, sys_now(), end_output, e);
	while (ssp_conn_event(e->conn, &ev))
		;
}
