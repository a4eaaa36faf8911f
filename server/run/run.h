/*
 * server/run/run.h - the parts that every file of the server shares.
 *
 * Purpose:   the event loop, the model, the log and the resources of one
 *            server.  The floors above get it instead of the server itself.
 * Ownership: the server owns it and everything in it.
 * Tests:     regress/unit/check_run.c
 *
 * A lower floor calls up only through the functions of struct run_ops.
 */
#ifndef SERVER_RUN_RUN_H
#define SERVER_RUN_RUN_H

#include "base/compiler.h"
#include "base/io/loop.h"
#include "base/io/sys.h"
#include "base/list.h"
#include "base/log.h"
#include "mux/mux.h"
#include "server/run/access.h"
#include "server/run/messages.h"

struct audit;
struct cmd;
struct cmd_state;
struct cmdq;
struct cmdq_item;
struct grapheme_table;
struct keytables;
struct lane;
struct mux;
struct notes;
struct ssp_zip;
struct trim;
struct vt_pool;

enum cmd_result {
	CMD_NORMAL,
	CMD_ERROR, /* the command has reported it; its group ends */
	CMD_WAIT,  /* cmdq_continue will end the wait */
	CMD_STOP,  /* the rest of the item is skipped */
};

struct run_ops {
	/* Handles the model's events: redraws, resizes, runs hooks. */
	void (*drain)(void *arg);
	/* Runs one command of a queue. */
	enum cmd_result (*command)(
	    void *arg, struct cmdq_item *item, struct cmd *cmd);
	/* The queue of connection CONN has become empty. */
	void (*dry)(void *arg, uint64_t conn);
	/* Expands FORMAT at ST; a new string. */
	char *(*expand)(
	    void *arg, const struct cmd_state *st, const char *format);
};

struct run {
	const struct run_ops *ops;
	void *arg; /* of ops */
	struct loop *loop;
	struct log log;
	struct mux *mux;
	struct keytables *keys;
	struct vt_pool *pool;
	struct grapheme_table *graphemes;
	struct ssp_zip *zip;
	struct trim *trim;
	struct lane *lane; /* the work of guests */
	struct audit *audit;
	struct notes *notes;       /* errors and files of the configuration */
	struct messages messages;  /* show-messages */
	struct prompt_log prompts; /* history of the prompts */
	struct access_list access; /* who else may use the server */
	struct list queues;        /* struct cmdq */
	struct cmdq *queue;        /* of hooks and of the configuration */
	uint64_t next_token;       /* of cmdq_wait */
	const char *socket_path;
	char *compat_dir;   /* see compat.h; NULL: none */
	bool as_tmux;       /* started under the name tmux */
	int64_t start_wall; /* seconds since 1970 */
	bool exiting;       /* sessions are being destroyed */
};

/*
 * Fills RUN, which is zeroed, from the process's environment.  Left to the
 * caller: log, zip and socket_path.
 */
void run_init(struct run *run, const struct run_ops *ops, void *arg);

/* The caller has freed run->queue and the queues of connections. */
void run_fini(struct run *run);

/* Adds to the log that show-messages prints, and to the log file. */
void run_message(struct run *run, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* Handles the events of a changed model (run_ops.drain). */
static inline void
run_drain(struct run *run)
{
	run->ops->drain(run->arg);
}

/* Sets the model's clock to this turn of the loop. */
static inline void
run_set_now(struct run *run)
{
	mux_set_now(run->mux, loop_now(run->loop), sys_wall_ms());
}

#endif
