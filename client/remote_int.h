/*
 * client/remote_int.h - the inside of a remote client, for client/remote*.c.
 *
 * Purpose:   remote.c keeps its life, remote_path.c its sockets,
 *            remote_tunnel.c the way through ssh, remote_far.c the terminal's
 *            side, remote_again.c signing in again when nothing is heard.
 * Ownership: one struct remote a process; it owns all it points to but CFG.
 * Units:     milliseconds.
 * Errors:    see client/remote.h.
 * Source:    doc/PROTOCOL.md, part A.
 * Tests:     regress/e2e/remote.sh, remote_net.sh, remote_again.sh
 */
#ifndef CLIENT_REMOTE_INT_H
#define CLIENT_REMOTE_INT_H

#include "base/io/loop.h"
#include "client/attach.h"
#include "client/held.h"
#include "client/remote.h"
#include "ssp/bind.h"
#include "ssp/compress.h"
#include "ssp/stream_link.h"

struct sync_input;
struct udp;

#define REMOTE_SOCKETS SSP_PATHS_MAX
#define REMOTE_PATHS_FIRST 5 /* addresses tried at once; room for more */

/* UDP that has not answered by then gets ssh as company. */
#define REMOTE_TUNNEL_MS 1500
#define REMOTE_SAY_MS 5000
#define REMOTE_SAY_UDP_MS 3000

/* A ticket that nobody has answered by then is no good (any more). */
#define REMOTE_JOIN_MS 10000

/* The goodbye of either side takes at most so long. */
#define REMOTE_BYE_MS 1000

/* The clock jumped by more than that: the machine slept. */
#define REMOTE_SLEPT_MS 2000

/* Addresses change several at a time: then all is asked at once. */
#define REMOTE_NETWATCH_MS 100

struct remote_socket {
	struct udp *udp;
	struct loop_io *io;
};

/* ssh, run again (remote_again.c). */
struct remote_again {
	struct bootstrap boot;
	bool running;
	unsigned tries; /* in this silence */
	struct loop_io *io_out;
	struct loop_io *io_err;
	struct loop_timer *timer; /* the next try, or the end of this one */
};

struct remote {
	const struct remote_cfg *cfg;
	struct bootstrap boot;
	struct loop *loop;
	struct ssp_keyring *keyring;
	struct ssp_zip *zip;
	struct ssp_bind bind;
	struct ssp_conn *conn;
	struct loop_timer *timer;
	struct loop_timer *tunnel_timer;
	struct loop_timer *bye_timer;
	struct loop_timer *wake_timer; /* the world may be another one */
	int netwatch; /* addresses of this machine; < 0: none */
	struct loop_io *io_netwatch;
	struct remote_socket sockets[REMOTE_SOCKETS];
	uint32_t next_name;

	/* The way through ssh. */
	struct ssp_stream_link tunnel;
	struct loop_io *io_in;  /* writing to ssh */
	struct loop_io *io_out; /* reading from it */
	struct loop_io *io_err;
	bool tunnel_used; /* named to the connection */
	bool tunnel_told; /* the user knows that ssh carries the session */
	bool udp_up;

	struct remote_again again;
	struct held *held; /* history, over all connections */
	bool want_due;     /* the server is to be told what we hold */
	struct attach *attach;
	struct loop_signal *signals[8];
	mono_ms born;
	uint64_t shown; /* number of the view painted last */
	char *exit_text;
	int exit_code;
	bool leaving; /* the terminal is the user's again */
	bool quit;    /* the user left, not asking the server */
};

/* --- remote.c --- */

/* It is over. */
void remote_end(struct remote *r, int code);

/* Gives the terminal back; the farewell to the server goes on for a moment. */
void remote_leave(struct remote *r, int code, const char *text);

/* Sends what may go, and looks at what has happened. */
void remote_pump(struct remote *r);
void remote_pump_cb(void *arg);

/* Something may have come: shows it. */
void remote_news(struct remote *r);

/* What the invitation says, in place of ssh's answer: a key never used. */
void remote_take_ticket(struct remote *r);

/* The connection whose key r->boot has, and its end. */
int remote_session_open(struct remote *r, struct cause *c);
void remote_session_close(struct remote *r);

/* --- remote_path.c --- */

/* The socket that the connection knows as LOCAL, or NULL. */
struct remote_socket *remote_socket_named(
    struct remote *r, const struct ssp_addr *local);
void remote_socket_close(struct remote_socket *s);

/* A socket for paths to TO. */
int remote_path_open(struct remote *r, const struct ssp_addr *to);

/* Paths to wherever the server may be; how many. */
size_t remote_paths_first(struct remote *r);

/* A datagram of the connection, by whichever way (a udp_link_fn). */
int remote_put(
    void *arg, const struct ssp_path_addr *to, const uint8_t *p, size_t n);

/* --- remote_tunnel.c --- */

/* Watches the pipes of r->boot; nothing is sent through them yet. */
void remote_tunnel_start(struct remote *r);
void remote_tunnel_close(struct remote *r);

/* Names them to the connection, unless UDP answers; a guest gives up. */
void remote_tunnel_use(void *arg);
void remote_tunnel_flush(struct remote *r);

/* --- remote_far.c --- */

/* Messages beside the views: history. */
void remote_side(struct remote *r);

/* Who comes, for list-clients and the others there. */
void remote_say_hello(struct remote *r, struct sync_input *in);

/* Takes the terminal. */
int remote_attach(struct remote *r, struct cause *c);

/* --- remote_again.c --- */

void remote_again_init(struct remote *r);
void remote_again_fini(struct remote *r);

/* The server went silent; it was heard again. */
void remote_again_silent(struct remote *r);
void remote_again_heard(struct remote *r);

/* The ssh that carried the session has ended. */
void remote_again_lost(struct remote *r);

/* The user asks for it (Ctrl-^ r); ssh may ask for a password. */
void remote_again_ask(struct remote *r);

#endif
