/* A client in control mode on the control socket. */
#include "server/face/controller.h"
#include "server/face/controller_link.h"
#include "server/io/conn.h"

static struct conn *
link_conn(void *arg)
{
	const struct controller *ct = arg;

	return conn_find(ct->all->conns, ct->conn_id);
}

static size_t
link_room(void *arg)
{
	const struct controller *ct = arg;
	const struct conn *cn = link_conn(arg);

	return controller_ahead(ct, cn == NULL ? 0 : conn_waiting(cn));
}

static void
link_write(void *arg, const void *p, size_t n)
{
	struct conn *cn = link_conn(arg);

	if (cn != NULL)
		conn_out(cn, p, n);
}

static void
link_wait_exit(void *arg, bool on)
{
	struct conn *cn = link_conn(arg);

	if (cn != NULL)
		conn_send(
		    cn, CONTROL_MODE, on ? CONTROL_MODE_WAIT_EXIT : 0, NULL);
}

static void
link_hold(void *arg, bool hold)
{
	struct conn *cn = link_conn(arg);

	if (cn != NULL)
		conn_hold(cn, hold);
}

static void
link_end(void *arg, int code, const char *reason)
{
	struct conn *cn = link_conn(arg);

	if (cn != NULL)
		conn_exit(cn, code, reason);
}

static void
link_exec(void *arg, const char *command)
{
	struct conn *cn = link_conn(arg);

	if (cn != NULL)
		conn_send(cn, CONTROL_EXEC, 0, command);
}

static const struct controller_link conn_link = {
	.room = link_room,
	.write = link_write,
	.wait_exit = link_wait_exit,
	.hold = link_hold,
	.end = link_end,
	.exec = link_exec,
};

struct controller *
controller_new(struct controllers *cs, struct conn *cn)
{
	return conn_roams(cn) ? controller_far_new(cs, cn)
			      : controller_make(cs, cn, &conn_link, NULL);
}
