/*
 * server/server.h - the persistent process of one user.
 *
 * Purpose:   owns the model, the panes' programs, the connections and the
 *            attached clients; starts, runs and ends.
 * Ownership: struct server owns everything below it; modules get it by pointer
 *            and use its members freely on its one thread.
 * Units:     milliseconds.
 * Errors:    server_run tells through the ready descriptor why it could not
 *            start.
 * Source:    our own.
 * Tests:     regress/e2e
 */
#ifndef SERVER_SERVER_H
#define SERVER_SERVER_H

#include <sys/types.h>

#include "base/grapheme.h"
#include "base/io/loop.h"
#include "base/list.h"
#include "base/log.h"
#include "base/map.h"
#include "conf/environ.h"
#include "conf/keytable.h"
#include "conf/parser.h"
#include "mux/mux.h"
#include "mux/vt/pool.h"
#include "server/run/cmdq.h"
#include "server/run/messages.h"
#include "server/io/pace.h"
#include "ssp/compress.h"

#define SERVER_RELEASE "0.1.0"

struct conn;
struct hooks;
struct invites;
struct remotes;
struct settle;
struct vt_effect;
struct waits;

struct server_cfg {
	const char *socket;        /* path to listen at */
	const char *const *config; /* -f files, NULL-terminated */
	int verbose;
	bool foreground;
	int ready_fd; /* an error text is written to it; -1 none */
};

struct server {
	const struct server_cfg *cfg;
	struct loop *loop;
	struct log log;
	struct mux *mux;
	struct vt_pool *pool;
	struct grapheme_table *graphemes;
	struct ssp_zip *zip;
	struct remotes *remotes; /* NULL: nobody is far away */
	struct invites *invites; /* NULL: none was ever made */
	struct keytables *keys;
	int listen_fd;
	int lock_fd;
	int spare_fd; /* given up to refuse a caller when there is none left */
	struct loop_io *listen_io;
	struct loop_signal *signals[8];
	struct list conns; /* struct conn */
	struct map conn_ids;
	struct list panes;  /* struct pane_io */
	uint64_t slice_end; /* of this turn's output, us; 0: none yet */
	struct pace_typing typing;
	struct list viewers;     /* struct viewer */
	struct list queues;      /* struct cmdq */
	struct list conn_queues; /* struct server_queue: by connection */
	struct cmdq *queue;      /* for hooks and what has no caller */
	uint64_t next_conn;
	uint64_t next_token;
	char *socket_path;
	int64_t start_wall;  /* seconds */
	bool had_session;    /* so exit-empty may end us */
	bool had_caller;     /* somebody has said who it is: as above */
	bool exiting;        /* sessions are going */
	bool config_loading; /* commands of clients wait for it */
	bool accept_paused;  /* out of descriptors */
	bool draining;
	struct loop_timer *stop_timer;
	mono_ms stop_at;
	struct settle *settle;
	struct loop_timer *tick; /* automatic names, alerts, status */
	mono_ms tick_at;         /* 0: not set */
	struct list jobs;        /* struct job */
	struct list scope_jobs;  /* struct scope_job: #() */
	char **config_files;     /* that were read at the start */
	size_t config_file_count;
	char **config_errors; /* shown to the first client */
	size_t config_error_count;
	struct prompt_log prompts; /* what was typed at them */
	struct messages messages;  /* show-messages */
	struct list delays;        /* run-shell -d */
	struct waits *waits;       /* of wait-for */
	struct hooks *hooks;       /* events and monitors */
	char *hint;                /* for the first client, or NULL */
	unsigned options_seq;      /* one more with each change of options */
	uint64_t frame_ns;         /* what a client's frame takes, smoothed */
	char *widths;              /* options that GRAPHEMES was built by */
};

/* Runs the server until it ends; returns its exit code. */
int server_run(const struct server_cfg *cfg);

/* Begins the end: every session is destroyed, then the loop stops. */
void server_exit(struct server *sv);

/*
 * Ends a server without sessions, soon, if nobody is connected, nothing is
 * under way and exit-empty is on.
 */
void server_look_empty(struct server *sv);

/* Words of a client's command line. */
void server_command(
    struct server *sv, struct conn *cn, char *const *argv, size_t argc);

/* The queue of a connection, made on first use. */
struct cmdq *server_queue_for(struct server *sv, uint64_t conn);

/* Runs a queue, then ends a caller whose commands are all done. */
void server_run_queue(struct server *sv, struct cmdq *q);

/* Drains the model's events into frames, hooks and pty sizes. */
void server_drain(struct server *sv);

/* A connection is going; an attached client is gone. */
void server_conn_gone(struct server *sv, uint64_t conn);
void server_client_gone(struct server *sv, struct client *c);

/* From pane_io: output was written, an effect, the program and pty are gone. */
void server_pane_output(struct server *sv, uint32_t pane);
void server_pane_effect(
    struct server *sv, uint32_t pane, const struct vt_effect *e);
void server_pane_exited(struct server *sv, uint32_t pane);

/* One parse: what its hooks answer from, and the errors said. */
struct server_parse {
	struct server *sv;
	const struct cmd_state *state;
	struct parser_hooks hooks; /* their arg is this struct */
	struct buf errors;         /* lines */
};

void server_parse_init(
    struct server_parse *sp, struct server *sv, const struct cmd_state *st);
void server_parse_fini(struct server_parse *sp);

/* The configuration has been loaded: waiting commands run. */
void server_config_loaded(struct server *sv);

/* Makes the socket again (SIGUSR1). */
void server_reopen_socket(struct server *sv);

/* Takes no more clients; another server may take the socket's place. */
void server_close_socket(struct server *sv);

/* An error of the configuration, kept for the first client. */
void server_config_error(struct server *sv, const char *text);

/* Adds to the log that show-messages prints. */
void server_message(struct server *sv, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* Options were set: what hangs on them follows. */
void server_options_changed(struct server *sv);

/* Sets the tick if something needs it. */
void server_arm_tick(struct server *sv);

#endif
