/*
 * server/io/conn_int.h - the inside of a connection, for the files of conn.
 *
 * Purpose:   conn.c has life and output, conn_recv.c takes messages,
 *            conn_file.c has the caller's files.
 */
#ifndef SERVER_IO_CONN_INT_H
#define SERVER_IO_CONN_INT_H

#include "server/io/conn.h"
#include "server/run/lane.h"

struct conn {
	struct list_node node;
	struct conns *all;
	uint64_t id;
	int fd; /* -1: closed, the client roams */
	struct loop_io *io;
	bool roam;
	bool bare; /* its empty command waits for the configuration */
	struct remote *remote; /* carries its datagrams, once it is attached */
	bool again;    /* a second tunnel to a client that is attached */
	bool gave_way; /* ends soon: its place is another's */
	struct buf in;
	struct buf out;
	struct access_peer peer;
	enum access access;
	pid_t pid;
	mono_ms since; /* when it was accepted */
	bool greeted;
	int exit_code;
	bool closing; /* close once `out` is empty */
	bool dead;    /* freed at the end of this turn */
	bool held;    /* its socket is not read */
	bool queued;  /* nor until its messages had their turn: JOB */
	struct lane_job
	    job; /* of a user with read access: one message a step */
	char *cwd;
	char *term;
	char *tty;
	uint16_t size[4]; /* of the caller's terminal; 0: unknown */
	uint64_t flags;
	char **env;
	size_t nenv;
	const struct conn_rider *rider; /* NULL: no client rides on it */
	void *rider_arg;
	uint64_t *counter; /* of bytes written for the rider, or NULL */
	struct list files;
	uint64_t next_file;
};

/* Frees CN after this turn: callers up the stack may still use it. */
void conn_kill(struct conn *cn);

/* Writes the output buffer: now, or at the end of this turn. */
void conn_flush(struct conn *cn);
void conn_flush_later(struct conn *cn);

/* Appends N bytes in messages of at most 64 KiB. */
void conn_send_data(struct conn *cn, enum control_code type, uint64_t id,
    const void *p, size_t n);

/* Reads and takes messages (loop_io_fn). */
void conn_io(void *arg, int fd, unsigned events);

/* Takes one message that waits; whether there may be more (lane_fn). */
bool conn_step(struct lane_job *job);

/* Sets what the loop waits for. */
void conn_arm(struct conn *cn);
void conn_forget_env(struct conn *cn);

/* Handles OPENED and DATA of a file; conn_files_end fails all files. */
void conn_opened(struct conn *cn, const struct control_msg *m);
void conn_data(struct conn *cn, const struct control_msg *m);
void conn_files_end(struct conn *cn);

/* Appends to the output buffer what files to be written have room for. */
void conn_files_send(struct conn *cn);

#endif
