/*
 * regress/unit/conn_util.h - connections of the server with a scripted client.
 *
 * Purpose:   a run floor and its connections; clients over socket pairs that
 *            send control messages and print what they get.
 * Ownership: conn_util_fini frees the server's side, peer_close the client's.
 * Errors:    asserts.
 */
#ifndef REGRESS_CONN_UTIL_H
#define REGRESS_CONN_UTIL_H

#include "mux/sync/control.h"
#include "regress/unit/run_util.h"
#include "server/io/conn.h"

struct conn_util {
	struct run_util u;
	struct conns conns;
	struct buf calls; /* "command a b|gone 1|freed|" */
};

struct peer {
	int fd;
	struct conn *cn; /* the server's side; gone after the end */
	struct buf in;
	struct buf got; /* messages as text, "OUT:hello|EXIT 0|", "END|" */
	bool ended;
	/* Takes messages of one code (NONE: all) instead of `got`. */
	void (*take)(struct peer *p, const struct control_msg *m);
	enum control_code taken;
	void *arg;
};

void conn_util_init(struct conn_util *cu);
void conn_util_fini(struct conn_util *cu);

/* The calls of the connections so far, which are then forgotten. */
const char *conn_util_calls(struct conn_util *cu);

/* A new connection, without greeting. */
void peer_open(struct conn_util *cu, struct peer *p);

/* The same with HELLO, after WELCOME. */
void peer_greet(struct conn_util *cu, struct peer *p, uint64_t flags);
void peer_close(struct peer *p);

void peer_hello(struct peer *p, unsigned lo, unsigned hi, uint64_t flags);
void peer_send(struct peer *p, const struct control_msg *m);
void peer_data(
    struct peer *p, enum control_code type, uint64_t id, const char *text);
void peer_argv(struct peer *p, enum control_code type, uint64_t id,
    const char *const *argv);

/* Reads what has come. */
void peer_read(struct peer *p);

/* Turns until the peer got exactly WANT since the last call. */
void peer_expect(struct conn_util *cu, struct peer *p, const char *want);

#endif
