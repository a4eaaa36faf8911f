/*
 * server/io/remote_int.h - the fields of a remote client.
 *
 * Purpose:   shared by remote.c, which drives it, and remote_info.c, which
 *            reports on it.
 * Ownership: see remote.h.
 * Units:     milliseconds.
 * Tests:     regress/unit/check_remote.c
 */
#ifndef SERVER_IO_REMOTE_INT_H
#define SERVER_IO_REMOTE_INT_H

#include "base/map.h"
#include "server/io/remote.h"
#include "ssp/bind.h"

struct forwards;
struct guest_in;
struct reach;

struct remotes {
	struct run *run;
	struct conns *conns;
	remote_knock_fn knock;
	void *arg; /* of knock */
	struct remote_port *port;
	struct ssp_keyring *keyring;
	struct map by_cid;
	struct reach *reach; /* NULL: no client has asked to connect */
	/* A client offers an agent, or a socket; or NULL. */
	bool (*agent_fn)(void *arg, const char *name);
	void *agent_arg;
	struct ssp_sprout_tab *sprout; /* NULL: nobody has paced by it */
};

struct remote {
	struct link link; /* its user is NULL once the viewer is gone */
	struct remotes *rs;
	uint64_t cid;
	struct ssp_bind bind;
	struct ssp_conn *conn;
	uint64_t conn_id;          /* the control connection, also a tunnel */
	uint64_t again_id;         /* a connection that signed in again, or 0 */
	uid_t uid;                 /* of the client's process; -1: a guest */
	struct guest_in *in;       /* what a guest has sent; NULL: no guest */
	struct forwards *forwards; /* NULL: the client may not open streams */
	struct execs *execs;       /* the same */
	struct loop_timer *timer; /* drives the link after the viewer is gone */
	mono_ms born;
	mono_ms typed_at; /* its last input */
	mono_ms end_at;   /* MONO_NEVER: not yet */
	bool up;          /* a datagram of the client has come */
	bool offered;     /* its key was sent */
	bool silent;
	bool fresh;   /* a guest's input that its viewer has not handled */
	bool losing;  /* link_user.lost will be called */
	bool carries; /* streams alone, for rmux exec, cp and forward */
};

#endif
