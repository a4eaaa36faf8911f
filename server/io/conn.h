/*
 * server/io/conn.h - one client process on the control socket.
 *
 * Purpose:   frames messages; keeps the caller's directory, environment and
 *            terminal; carries its output, errors, files and SSP payloads.
 * Ownership: the server owns its connections.  A connection frees itself when
 *            its peer closes; that of a roaming client when the client ends.
 *            Users keep ids, not pointers (conn_find).
 * Units:     bytes.
 * Errors:    a message that does not decode closes the connection; so does
 *            output of CONN_OUT_MAX bytes that the client does not read.
 * Tests:     regress/unit/check_conn.c, regress/fuzz/fuzz_control.c
 */
#ifndef SERVER_IO_CONN_H
#define SERVER_IO_CONN_H

#include <sys/types.h>

#include "base/buf.h"
#include "base/io/loop.h"
#include "base/list.h"
#include "base/map.h"
#include "mux/sync/control.h"
#include "server/run/access.h"
#include "server/run/sink.h"

#define CONN_OUT_MAX (256u << 20)
#define CONN_OUT_LOW (16u << 10)
#define CONN_MAX 12000
#define CONN_USER_MAX 64 /* of one user that server-access lets in */
#define CONN_USER_OUT_MAX (16u << 20) /* instead of CONN_OUT_MAX */
/* Unread input of a user with read access: a message of CONTROL_DATA_MAX. */
#define CONN_USER_IN_MAX (CONTROL_DATA_MAX + 196608u)

struct conn;
struct remote;
struct run;

/* Calls of the connections to the floors above. */
struct conn_ops {
	/* A caller's command line; ARGC 0: no words. */
	void (*command)(
	    void *arg, struct conn *cn, char *const *argv, size_t argc);
	/* Connection ID is being freed: drop its commands. */
	void (*gone)(void *arg, uint64_t id);
	/* A connection has been freed. */
	void (*freed)(void *arg);
};

/* Calls to the remote clients (io/remote). */
struct conn_roam_ops {
	/*
	 * The client CID signs in again by CN, a process of user UID. Returns
	 * its remote, or NULL if the client must attach anew.
	 */
	struct remote *(*resume)(
	    void *arg, uint64_t cid, uid_t uid, struct conn *cn);
	/* The client CID of user UID has ended: removes it. */
	void (*gone)(void *arg, uint64_t cid, uid_t uid);
	/* Appends the message ROAMED to OUT. */
	void (*offer)(struct remote *r, struct buf *out);
	/* A datagram from the tunnel of connection ID (opened in place). */
	void (*tunnel)(struct remote *r, uint64_t id, uint8_t *p, size_t n);
	/* The tunnel of connection ID is gone. */
	void (*tunnel_gone)(struct remote *r, uint64_t id);
	/* Ends R if its client has not used its key; whether it does. */
	bool (*give_way)(struct remote *r);
};

/* Calls to the attached client that a connection carries. */
struct conn_rider {
	void (*payload)(void *arg, const uint8_t *p, size_t n);
	/* The client's lock command has ended. */
	void (*unlocked)(void *arg);
	/* The connection is gone. */
	void (*lost)(void *arg);
	/* Input of a client in control mode, N 0: its end. NULL: dropped. */
	void (*input)(void *arg, const uint8_t *p, size_t n);
	/* At most CONN_OUT_LOW bytes wait for the client; may be NULL. */
	void (*room)(void *arg);
	/* Sends a control message; false: use the socket. */
	bool (*send)(
	    void *arg, enum control_code type, int64_t code, const char *text);
};

/* All connections of a server. */
struct conns {
	struct run *run;
	const struct conn_ops *ops;
	void *arg;                            /* of ops */
	const struct conn_roam_ops *roam_ops; /* NULL: nobody is remote */
	void *roam_arg;
	struct list all; /* struct conn, oldest first */
	struct map by_id;
	uint64_t next_id;
	bool greeted; /* a caller has sent HELLO */
};

void conns_init(
    struct conns *cs, struct run *run, const struct conn_ops *ops, void *arg);
void conns_fini(struct conns *cs);

/* Returns an id that no connection has or will have, for a guest. */
uint64_t conns_take_id(struct conns *cs);

/* Ends the connection of every caller that is not attached. */
void conns_exit(struct conns *cs);

/* Takes over an accepted socket; refuses users without access. */
void conn_new(struct conns *cs, int fd);

/* Closes the oldest connection whose HELLO is overdue; false: there is none. */
bool conn_shed(struct conns *cs);

/* Sends TEXT to an accepted socket as an error, and closes it. */
void conn_refuse(int fd, const char *text);

struct conn *conn_find(const struct conns *cs, uint64_t id);
uint64_t conn_id(const struct conn *cn);

/* Data from HELLO; valid while the connection lives. */
const char *conn_cwd(const struct conn *cn);
const char *conn_term(const struct conn *cn);
const char *conn_tty(const struct conn *cn);
uint64_t conn_flags(const struct conn *cn); /* enum control_flag */

/* Columns, rows, pixels across and down at HELLO; 0: unknown. */
const uint16_t *conn_size(const struct conn *cn);
pid_t conn_pid(const struct conn *cn);
uid_t conn_uid(const struct conn *cn);
enum access conn_access(const struct conn *cn); /* NULL: ACCESS_WRITE */

/* Returns the name or number of a user whom server-access let in, or NULL. */
const char *conn_stranger(const struct conn *cn);

/* Returns what its peer may do by the list as it is. */
enum access conn_access_new(const struct conn *cn);

/* Returns the connection of a node of conns.all. */
struct conn *conn_of_node(struct list_node *n);

/*
 * Ends the connection at once; TEXT is sent if the client takes it. One with a
 * remote has no commands any more, and ends with the remote, which says why.
 */
void conn_cut(struct conn *cn, const char *text);
const char *const *conn_env(const struct conn *cn); /* NULL-terminated */

/* Standard output and error of the caller. */
void conn_out(struct conn *cn, const void *p, size_t n);

/* The same for a secret: wipes the output buffer behind it. */
void conn_out_secret(struct conn *cn, const void *p, size_t n);
void conn_err(struct conn *cn, const void *p, size_t n);

/* The exit code of a caller whose commands have all run (0 at first). */
void conn_set_exit_code(struct conn *cn, int code);
int conn_exit_code(const struct conn *cn);

/* Ends the connection: exit code, and a last text or NULL. */
void conn_exit(struct conn *cn, int code, const char *text);

/* Sends a message with one text; see control.def. */
void conn_send(
    struct conn *cn, enum control_code type, int64_t code, const char *text);

/*
 * Marks a caller that gave no command while the configuration was loading:
 * conns_run_bare calls conn_ops.command for it again.
 */
void conn_set_bare(struct conn *cn);
void conns_run_bare(struct conns *cs);

/* Returns whether the client asked for datagrams (ROAM). */
bool conn_roams(const struct conn *cn);

/*
 * Sets the remote that carries the client and sends ROAMED. NULL: the remote
 * has ended; ends the connection too.
 */
void conn_set_remote(struct conn *cn, struct remote *r);

/* Sends a datagram through the socket of a ROAM; false: it is closed. */
bool conn_tunnel(struct conn *cn, const void *p, size_t n);

/* Sends an SSP payload. */
void conn_send_ssp(struct conn *cn, const void *p, size_t n);

/* Sets the client that the connection carries and sends ATTACH; NULL: none. */
void conn_set_rider(struct conn *cn, const struct conn_rider *rider, void *arg);

/* Returns its ARG if RIDER is the kind of its client, else NULL. */
void *conn_rider(const struct conn *cn, const struct conn_rider *rider);

/* The same for a client in control mode: sends MODE instead of ATTACH. */
void conn_set_controller(
    struct conn *cn, const struct conn_rider *rider, void *arg);

/* Returns the bytes that wait for the client. */
size_t conn_waiting(const struct conn *cn);

/* Stops reading the socket, or goes on. */
void conn_hold(struct conn *cn, bool hold);

/* Adds the bytes written for the rider to *BYTES, until it leaves. */
void conn_set_counter(struct conn *cn, uint64_t *bytes);

/* Returns whether CN (or NULL) reads the output of commands: not attached. */
bool conn_reads(const struct conn *cn);

/*
 * Reads a file by the caller's process (PATH "-": standard input), or writes
 * one. DONE is called once, with errno or 0.
 */
void conn_read_file(
    struct conn *cn, const char *path, sink_read_fn done, void *arg);
void conn_write_file(struct conn *cn, const struct sink_file *file,
    sink_write_fn done, void *arg);

#endif
