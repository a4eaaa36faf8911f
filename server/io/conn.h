/*
 * server/io/conn.h - one client process on the control socket.
 *
 * Purpose:   framing of messages, who the caller is (directory, environment,
 *            terminal), its output and errors, its files, its SSP payloads.
 * Ownership: the server owns its connections; they free themselves when the
 *            other side goes; that of a roaming client when its viewer does.
 *            Users keep ids, not pointers (conn_find).
 * Units:     bytes.
 * Errors:    a message that does not decode closes the connection; a client
 *            that reads nothing is cut off when CONN_OUT_MAX bytes wait.
 * Source:    our own.
 * Tests:     regress/e2e, regress/fuzz/fuzz_control.c
 */
#ifndef SERVER_IO_CONN_H
#define SERVER_IO_CONN_H

#include <sys/types.h>

#include "base/io/loop.h"
#include "base/list.h"
#include "mux/sync/control.h"

#define CONN_OUT_MAX (64u << 20)
#define CONN_MAX 12000

struct server;
struct conn;
struct remote;
struct viewer;

/* Takes over an accepted socket; closes it if the peer may not come in. */
void conn_new(struct server *sv, int fd);
void conn_free(struct conn *cn);

/*
 * Closes the oldest connection that should have said who it is by now; false:
 * there is none.
 */
bool conn_shed(struct server *sv);

/* Says TEXT to an accepted socket as an error, and closes it. */
void conn_refuse(int fd, const char *text);

struct conn *conn_find(struct server *sv, uint64_t id);
uint64_t conn_id(const struct conn *cn);

/* What the caller told of itself; valid while the connection lives. */
const char *conn_cwd(const struct conn *cn);
const char *conn_term(const struct conn *cn);
const char *conn_tty(const struct conn *cn);
uint64_t conn_flags(const struct conn *cn); /* enum control_flag */
pid_t conn_pid(const struct conn *cn);
uid_t conn_uid(const struct conn *cn);
const char *const *conn_env(const struct conn *cn); /* NULL-terminated */

/* Standard output and error of the caller. */
void conn_out(struct conn *cn, const void *p, size_t n);
void conn_err(struct conn *cn, const void *p, size_t n);

/* The exit code of a caller whose commands have all run (0 at first). */
void conn_set_exit_code(struct conn *cn, int code);
int conn_exit_code(const struct conn *cn);

/* Frees the first connection of the server (when it ends). */
void conn_free_first(struct server *sv);

/* Ends the conversation of every caller that is not attached. */
void conn_exit_all(struct server *sv);

/* Ends the conversation: exit code, and text for the farewell or NULL. */
void conn_exit(struct conn *cn, int code, const char *text);

/* Sends a message with one text; see control.def. */
void conn_send(
    struct conn *cn, enum control_code type, int64_t code, const char *text);

/*
 * It came without a word while the configuration was being read; all such
 * go on when that is done.
 */
void conn_set_bare(struct conn *cn);
void conn_run_bare(struct server *sv);

/* It asked to be reached by datagrams (ROAM). */
bool conn_roams(const struct conn *cn);

/*
 * Its datagrams: tells it of them (ROAMED).  With NULL they are over, and so
 * is the connection.
 */
void conn_set_remote(struct conn *cn, struct remote *r);

/* One datagram for the far end of a ROAM's socket; false: it is gone. */
bool conn_tunnel(struct conn *cn, const void *p, size_t n);

/* Sends an SSP payload. */
void conn_send_ssp(struct conn *cn, const void *p, size_t n);

/* Makes this connection carry a viewer (ATTACH), or NULL: no more. */
void conn_set_viewer(struct conn *cn, struct viewer *vw);
struct viewer *conn_viewer(const struct conn *cn);

/*
 * Reads a file of the caller (PATH "-": its standard input), or writes one.
 * DONE is called once, with errno or 0; it owns DATA (mem_free).
 */
typedef void (*conn_read_fn)(void *arg, int error, char *data, size_t len);
void conn_read_file(
    struct conn *cn, const char *path, conn_read_fn done, void *arg);
typedef void (*conn_write_fn)(void *arg, int error);
void conn_write_file(struct conn *cn, const char *path, bool append,
    const void *p, size_t n, conn_write_fn done, void *arg);

#endif
