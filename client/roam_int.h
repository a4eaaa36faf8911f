/*
 * client/roam_int.h - the inside of a remote client, for client/roam*.c.
 *
 * Purpose:   roam.c keeps its life, roam_path.c its sockets,
 *            roam_tunnel.c the way through ssh, roam_attach.c the terminal's
 *            side, roam_again.c signing in again when nothing is heard.
 * Ownership: one struct roam a process; it owns all it points to but CFG.
 * Units:     milliseconds.
 * Errors:    see client/roam.h.
 * Source:    doc/PROTOCOL.md, part A.
 * Tests:     regress/e2e/remote.sh, remote_net.sh, remote_again.sh
 */
#ifndef CLIENT_ROAM_INT_H
#define CLIENT_ROAM_INT_H

#include "base/io/loop.h"
#include "client/attach.h"
#include "client/history_copy.h"
#include "client/roam.h"
#include "ssp/bind.h"
#include "ssp/compress.h"
#include "ssp/stream_link.h"

struct sync_input;
struct udp;

#define ROAM_SOCKETS SSP_PATHS_MAX
#define ROAM_PATHS_FIRST 5 /* addresses tried at once; room for more */

/* UDP that has not answered by then gets ssh as company. */
#define ROAM_TUNNEL_MS 1500
#define ROAM_SAY_MS 5000
#define ROAM_SAY_UDP_MS 3000

/* A ticket that nobody has answered by then is no good (any more). */
#define ROAM_JOIN_MS 10000

/* The goodbye of either side takes at most so long. */
#define ROAM_BYE_MS 1000

/* The clock jumped by more than that: the machine slept. */
#define ROAM_SLEPT_MS 2000

/* Addresses change several at a time: then all is asked at once. */
#define ROAM_NETWATCH_MS 100

struct roam_socket {
	struct udp *udp;
	struct loop_io *io;
};

/* ssh, run again (roam_again.c). */
struct roam_again {
	struct bootstrap boot;
	bool running;
	unsigned tries; /* in this silence */
	struct loop_io *io_out;
	struct loop_io *io_err;
	struct loop_timer *timer; /* the next try, or the end of this one */
};

struct roam;

/* Functions of upper files that lower ones call; set by roam.c. */
struct roam_upcalls {
	/* Sends what is due, and handles what has arrived. */
	void (*pump)(struct roam *r);
	/* Says farewell, after roam_leave; ARG is the struct roam. */
	void (*let_go)(void *arg);
	/* The ssh that carried the session has ended. */
	void (*tunnel_lost)(struct roam *r);
};

struct roam {
	const struct roam_cfg *cfg;
	const struct roam_upcalls *upcalls;
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
	struct roam_socket sockets[ROAM_SOCKETS];
	uint32_t next_name;

	/* The way through ssh. */
	struct ssp_stream_link tunnel;
	struct loop_io *io_in;  /* writing to ssh */
	struct loop_io *io_out; /* reading from it */
	struct loop_io *io_err;
	bool tunnel_used; /* named to the connection */
	bool tunnel_told; /* the user knows that ssh carries the session */
	bool udp_up;

	struct roam_again again;
	struct history_copy *history; /* history, over all connections */
	bool want_due; /* the server is to be told what we hold */
	struct attach *attach;
	struct loop_signal *signals[8];
	mono_ms born;
	uint64_t shown; /* number of the view painted last */
	char *exit_text;
	int exit_code;
	bool leaving; /* the terminal is the user's again */
	bool quit;    /* the user left, not asking the server */
};

/* --- roam_core.c --- */

/* Ends the loop, with CODE for the shell. */
void roam_end(struct roam *r, int code);

/* Gives the terminal back; the farewell to the server takes ROAM_BYE_MS at most. */
void roam_leave(struct roam *r, int code, const char *text);

/* Paints the newest view, if there is one, and pumps. */
void roam_news(struct roam *r);

/* Exchanges side messages: lines of history. */
void roam_side(struct roam *r);

/* Pumps: a callback of timers and of the attach; ARG is the struct roam. */
void roam_changed(void *arg);

/* --- roam_path.c --- */

/* The socket that the connection knows as LOCAL, or NULL. */
struct roam_socket *roam_socket_named(
    struct roam *r, const struct ssp_addr *local);
void roam_socket_close(struct roam_socket *s);

/* A socket for paths to TO. */
int roam_path_open(struct roam *r, const struct ssp_addr *to);

/* Paths to wherever the server may be; how many. */
size_t roam_paths_first(struct roam *r);

/* A datagram of the connection, by whichever way (a udp_link_fn). */
int roam_put(
    void *arg, const struct ssp_path_addr *to, const uint8_t *p, size_t n);

/* --- roam_tunnel.c --- */

/* Watches the pipes of r->boot; nothing is sent through them yet. */
void roam_tunnel_start(struct roam *r);
void roam_tunnel_close(struct roam *r);

/* Names them to the connection, unless UDP answers; a guest gives up. */
void roam_tunnel_use(void *arg);
void roam_tunnel_flush(struct roam *r);

/* --- roam_session.c --- */

/* Makes r->boot from the invitation, as ssh's answer would; a fresh key. */
void roam_take_ticket(struct roam *r);

/* Opens the connection whose key is in r->boot, and closes it. */
int roam_session_open(struct roam *r, struct cause *c);
void roam_session_close(struct roam *r);

/* --- roam_again.c --- */

void roam_again_init(struct roam *r);
void roam_again_fini(struct roam *r);

/* The server went silent; it was heard again. */
void roam_again_silent(struct roam *r);
void roam_again_heard(struct roam *r);

/* The ssh that carried the session has ended. */
void roam_again_lost(struct roam *r);

/* The user asks for it (Ctrl-^ r); ssh may ask for a password. */
void roam_again_ask(struct roam *r);

/* --- roam_attach.c --- */

/* Takes the terminal. */
int roam_attach(struct roam *r, struct cause *c);

#endif
