/*
 * client/roam_int.h - internals of a roaming client, for client/roam*.c.
 *
 * Purpose:   roam.c runs the loop, roam_session.c opens a connection,
 *            roam_path.c its sockets, roam_second.c those of other interfaces
 *            and roam_tunnel.c its path through ssh;
 *            roam_attach.c connects the terminal, roam_lines.c the standard
 *            streams of a client in control mode, roam_exec.c those of a
 *            command; roam_again.c signs in again
 *            after a silence, roam_core.c is below them all.
 * Ownership: one struct roam a process; it owns all it points to except CFG.
 * Units:     milliseconds.
 * Errors:    see client/roam.h.
 * Source:    doc/PROTOCOL.md, part A.
 * Tests:     regress/e2e/remote.sh, remote_net.sh, remote_again.sh,
 *            control_far.sh
 */
#ifndef CLIENT_ROAM_INT_H
#define CLIENT_ROAM_INT_H

#include "base/io/loop.h"
#include "client/attach.h"
#include "client/history_copy.h"
#include "client/launch.h"
#include "client/roam.h"
#include "client/window_copy.h"
#include "ssp/bind.h"
#include "ssp/compress.h"
#include "ssp/stream_link.h"

struct forwards;
struct line_io;
struct netif;
struct reach;
struct roam_desk;
struct roam_exec;
struct sync_input;
struct udp;

#define ROAM_SOCKETS SSP_PATHS_MAX
/* Addresses tried at once; the rest is for later paths. */
#define ROAM_PATHS_FIRST 5

/* If UDP has not answered by then, ssh becomes a path, too. */
#define ROAM_TUNNEL_MS 1500
#define ROAM_WORDS_MS 60000
#define ROAM_SAY_MS 5000
/* Wait for names that were known before; then the old addresses are tried. */
#define ROAM_LOOKUP_MS 3000
#define ROAM_SAY_UDP_MS 3000

/* A ticket without an answer by then is refused or expired. */
#define ROAM_JOIN_MS 10000

/* Limit of the farewell. */
#define ROAM_BYE_MS 1000

/* If the clock jumps by more, the machine has slept. */
#define ROAM_SLEPT_MS 2000

/* Addresses change several at a time: wait, then probe once. */
#define ROAM_NETWATCH_MS 100

struct roam_socket {
	struct udp *udp;
	struct loop_io *io;
	/* The interface by which it sends; 0: the system chooses. */
	unsigned interface;
	struct ssp_addr to; /* the server's address */
};

/* A later run of ssh, which logs in again (roam_again.c). */
struct roam_again {
	struct bootstrap boot;
	bool running;
	unsigned tries;   /* tries in this silence */
	mono_ms taken_at; /* ssh's last answer in this silence; 0: none */
	struct loop_io *io_out;
	struct loop_io *io_err;
	/* Start of the next try, or end of this one. */
	struct loop_timer *timer;
};

/* A client in control mode (roam_lines.c). */
struct roam_lines {
	struct line_io *io;
	struct buf in;  /* a message that has not come whole */
	struct buf out; /* messages that the stream does not take yet */
	bool full;      /* the reader of standard output is slow */
	bool busy;      /* messages are being handled */
	struct loop_timer *ended; /* after the end of standard input */
};

struct roam;

/* Functions of upper files that lower ones call; set by roam.c. */
struct roam_upcalls {
	/* Sends what is due, and handles what has arrived. */
	void (*pump)(struct roam *r);
	/* Sends the farewell, after roam_leave; ARG is the struct roam. */
	void (*farewell)(void *arg);
	/* The ssh that carried the session has ended. */
	void (*tunnel_lost)(struct roam *r);
};

struct roam {
	const struct roam_cfg *cfg;
	const struct roam_upcalls *upcalls;
	struct launch *launch; /* runs ssh and looks up names */
	char *door;            /* path of the door, or NULL */
	struct confine_result confined;
	struct me_file me;
	struct bootstrap boot;
	struct loop *loop;
	struct ssp_keyring *keyring;
	struct ssp_zip *zip;
	struct ssp_sprout_tab *sprout; /* NULL: nothing is paced by it */
	struct ssp_bind bind;
	struct ssp_conn *conn;
	struct loop_timer *timer;
	struct loop_timer *tunnel_timer;
	struct loop_timer *bye_timer;
	/* Probes all paths after sleep or a change of network. */
	struct loop_timer *wake_timer;
	int netwatch; /* watches addresses of this machine; < 0: none */
	struct loop_io *io_netwatch;
	struct roam_socket sockets[ROAM_SOCKETS];
	uint32_t next_name;
	int netif; /* asks for interfaces; < 0: none */
	enum ssp_paths_use second_use;
	/* Addresses from the last successful lookup. */
	struct udp_addr known[LAUNCH_ADDRS_MAX];
	size_t nknown;

	/* The path through ssh. */
	struct ssp_stream_link tunnel;
	struct loop_io *io_in;  /* ssh's standard input */
	struct loop_io *io_out; /* ssh's standard output */
	struct loop_io *io_err;
	bool tunnel_used; /* it is a path of the connection */
	bool tunnel_told; /* the user knows that ssh carries the session */
	bool udp_up;

	struct roam_again again;
	struct history_copy *history; /* outlives each connection */
	/* The server must be told which history the client has. */
	bool want_due;
	struct window_copy *windows;
	bool windows_due; /* the server must be asked for pictures */
	struct attach *attach;
	struct roam_lines *lines;  /* of -C, in place of the attach; or NULL */
	struct roam_exec *exec;    /* a command, in place of both; or NULL */
	struct forwards *forwards; /* NULL: the user has asked for none */
	bool forward_up;           /* the connection has stood once */
	struct reach *reach;       /* NULL: the user cannot ask for any */
	struct roam_desk *desk;    /* NULL: none is offered */
	char *forward_text; /* an error to tell once the terminal is attached */
	struct loop_signal *signals[8];
	mono_ms born;
	uint64_t shown; /* number of the last painted view */
	char *exit_text;
	int exit_code;
	bool leaving; /* the terminal has been given back */
	bool told;    /* the server has ended this client, or lost it */
	bool quit;    /* the user quit without asking the server */
};

/* --- roam_core.c ---------------------------------------------------------- */

/* Ends the loop; the process exits with CODE. */
void roam_end(struct roam *r, int code);

/* Gives the terminal back, then says farewell to the server. */
void roam_leave(struct roam *r, int code, const char *text);

/*
 * Returns whether the invitation is used up: the server would refuse it, so the
 * client keeps the connection.
 */
bool roam_spent(const struct roam *r);

/* Paints the newest view, if there is one, and pumps. */
void roam_received(struct roam *r);

/* Exchanges side messages: lines of history, pictures of windows. */
void roam_side(struct roam *r);

/* Pumps: a callback of timers and of the attach; ARG is the struct roam. */
void roam_changed(void *arg);

/* --- roam_path.c ---------------------------------------------------------- */

/* Returns the socket whose local address is LOCAL, or NULL. */
struct roam_socket *roam_socket_named(
    struct roam *r, const struct ssp_addr *local);
void roam_socket_close(struct roam_socket *s);

/* Opens a socket for paths to TO, by the interface BY (NULL: any). */
int roam_path_open(
    struct roam *r, const struct ssp_addr *to, const struct netif *by);

/* Fills the names that the launcher is to look up. */
void roam_paths_names(const struct roam_cfg *cfg, struct launch_cfg *lc);

/* Opens paths to all known addresses of the server; returns how many. */
size_t roam_paths_first(struct roam *r);

/*
 * The server may have other addresses: opens paths to those that are new, and
 * closes those to others.
 */
void roam_paths_again(struct roam *r);

/* Sends a datagram over the path TO (a udp_link_fn). */
int roam_put(void *arg, const struct ssp_path_addr *to, const uint8_t *p,
    size_t n, size_t part);

/* --- roam_second.c -------------------------------------------------------- */

/* Before the client confines itself; and at its end. */
void roam_second_open(struct roam *r);
void roam_second_close(struct roam *r);

/*
 * The connection stands, or interfaces, routes or the server's address have
 * changed: opens and closes sockets of other interfaces.
 */
void roam_second_check(struct roam *r);

/* A new view has come: the server's option may be another one. */
void roam_second_news(struct roam *r);

/* Writes a part of the link report; "" without a second path. */
void roam_second_tell(const struct roam *r, char *out, size_t size);

/* --- roam_tunnel.c -------------------------------------------------------- */

/* Watches the pipes of r->boot; sends nothing yet. */
void roam_tunnel_start(struct roam *r);
void roam_tunnel_close(struct roam *r);

/*
 * Makes ssh a path of the connection unless UDP answers. A guest, who has no
 * ssh, ends here.
 */
void roam_tunnel_use(void *arg);
void roam_tunnel_flush(struct roam *r);

/* --- roam_session.c ------------------------------------------------------- */

/* Fills r->boot from the invitation, with a fresh key. */
void roam_take_ticket(struct roam *r);

/* Open and close the connection whose key is in r->boot. */
int roam_session_open(struct roam *r, struct cause *c);
void roam_session_close(struct roam *r);

/* --- roam_again.c --------------------------------------------------------- */

void roam_again_init(struct roam *r);
void roam_again_fini(struct roam *r);

/* The server has gone silent; it has been heard again. */
void roam_again_silent(struct roam *r);
void roam_again_heard(struct roam *r);

/* The ssh that carried the session has ended. */
void roam_again_lost(struct roam *r);

/* Signs in for the user (Ctrl-^ r); ssh may ask for a password. */
void roam_again_ask(struct roam *r);

/* --- roam_attach.c -------------------------------------------------------- */

/* Takes the terminal. */
int roam_attach(struct roam *r, struct cause *c);

/* --- roam_forward.c ------------------------------------------------------- */

/* Listens as the user asked, before the client confines itself. */
int roam_forward_open(struct roam *r, struct cause *c);

/* The connection stands. */
void roam_forward_up(struct roam *r);
void roam_forward_close(struct roam *r);

/* Adds the forwards to the report on the link. */
void roam_forward_report(const struct roam *r, struct buf *out);

/* --- roam_desk.c ---------------------------------------------------------- */

/* Takes the questions of the desk that the launcher has, or will. */
void roam_desk_open(struct roam *r);
void roam_desk_close(struct roam *r);

/* The user's answer to the question that is shown: y, a or n. */
void roam_desk_answer(struct roam *r, char key);

/* --- roam_exec.c ---------------------------------------------------------- */

/* Whether the client has no view: a command or forwards alone. */
bool roam_has_exec(const struct roam *r);

/* Takes the standard streams, before the client confines itself. */
int roam_exec(struct roam *r, struct cause *c);

/* The connection stands: asks for the command. */
void roam_exec_up(struct roam *r);

/* There is news of STREAM; false: it is none of the command's. */
bool roam_exec_news(struct roam *r, uint64_t stream);

/* Ends the client once the connection of -W has ended in both directions. */
void roam_exec_turn(struct roam *r);

/* Passes a signal on; false: the caller handles it. */
bool roam_exec_signal(struct roam *r, int signo);

/* The server no longer knows this client. */
void roam_exec_gone(struct roam *r);

/* The client leaves: nothing more goes to the server. */
void roam_exec_leave(struct roam *r);
void roam_exec_free(struct roam *r);

/* --- roam_lines.c --------------------------------------------------------- */

/* Whether the client is in control mode. */
bool roam_has_lines(const struct roam *r);

/* Takes the standard streams. */
int roam_lines(struct roam *r, struct cause *c);

/* Exchanges messages with the server, as far as streams take them. */
void roam_lines_turn(struct roam *r);

/* The server no longer knows this client. */
void roam_lines_gone(struct roam *r);

/* The client leaves: nothing more goes to the server. */
void roam_lines_leave(struct roam *r);

/* Writes the last line and gives the streams back. */
void roam_lines_free(struct roam *r);

#endif
