/*
 * server/run/cmdq.h - queues of commands.
 *
 * Purpose:   runs command lists in order, one command at a time.  A command may
 *            wait (run-shell, confirm-before), insert commands behind itself
 *            (source-file, if-shell) or end its group with an error.
 * Ownership: a queue owns its items; an item has a reference to its list.
 *            Commands keep tokens (cmdq_wait), not pointers to items.
 * Errors:    a failing command ends its group, which is the rest of its line;
 *            the commands of other lines run.
 * Source:    tmux's command queue.
 * Tests:     regress/unit/check_cmdq.c
 */
#ifndef SERVER_RUN_CMDQ_H
#define SERVER_RUN_CMDQ_H

#include "base/key.h"
#include "base/list.h"
#include "conf/cmdlist.h"
#include "conf/style.h"
#include "server/run/run.h"

#define CMDQ_ITEMS_MAX 10000  /* of one queue; stops a runaway configuration */
#define CMDQ_DEPTH_MAX 50     /* lists that insert lists that ... */
#define CMDQ_INSERTS_MAX 5000 /* lists inserted by one appended list */

/* The variables (hook, hook_session ...) of a hook that runs; shared. */
#define HOOK_VARS_MAX 16
struct hook_vars {
	unsigned refs;
	size_t count;
	struct {
		char *name;
		char *value;
	} vars[HOOK_VARS_MAX];
};

struct hook_vars *hook_vars_new(void);
struct hook_vars *hook_vars_ref(struct hook_vars *hv); /* NULL is fine */
void hook_vars_unref(struct hook_vars *hv);
void hook_vars_add(struct hook_vars *hv, const char *name, const char *value);

enum cmd_state_flag {
	CMD_STATE_NOHOOKS = 1 << 0, /* started by a hook: runs none itself */
	CMD_STATE_MOUSE = 1 << 1,   /* mouse is set */
	CMD_STATE_REPEAT = 1 << 2,
	CMD_STATE_CONFIG = 1 << 3, /* from a configuration file at start */
	CMD_STATE_READER = 1 << 4, /* the caller has read access only */
	CMD_STATE_EVENT = 1 << 5,  /* of an event: its events run no hooks */
};

/* The caller and the place of commands. Ids, since objects may be freed. */
struct cmd_state {
	uint64_t conn;   /* caller, 0 none */
	uint32_t client; /* attached client, MUX_NONE none */
	uint32_t session;
	uint32_t window;
	uint32_t pane;
	int index;      /* of the winlink, -1 none */
	unsigned flags; /* enum cmd_state_flag */
	key_code key;
	struct mouse_event mouse;
	uint32_t mouse_pane; /* object under the mouse */
	uint32_t mouse_window;
	uint32_t mouse_session;
	unsigned mouse_where; /* enum key_mouse_where */
	int mouse_x; /* within the pane or the status line; -1 elsewhere */
	int mouse_y;
	int mouse_line; /* status line, or -1 */
	struct style_range mouse_range;
	/*
	 * Variables of the hook that runs, or NULL; the item has a reference.
	 */
	struct hook_vars *hook;
};

void cmd_state_init(struct cmd_state *st);

/* Called when an item has ended; FAILED if its last command failed. */
typedef void (*cmdq_done_fn)(void *arg, bool failed);

/* Makes a queue for connection CONN; 0: for commands without a caller. */
struct cmdq *cmdq_new(struct run *run, uint64_t conn);
void cmdq_free(struct cmdq *q);

/* Returns the queue of CONN, made on first use; 0: run->queue. */
struct cmdq *cmdq_for(struct run *run, uint64_t conn);

/* Frees the queue of a connection that is gone; it may be running. */
void cmdq_forget(struct run *run, uint64_t conn);

/* Appends a list (reference taken); DONE may be NULL. */
void cmdq_append(struct cmdq *q, struct cmdlist *list,
    const struct cmd_state *st, cmdq_done_fn done, void *arg);

/*
 * Inserts a list behind the item that runs now.  Returns 0, or -ERR_LIMIT for a
 * list that goes on inserting lists, such as a file that sources itself; DONE is
 * then called as failed.
 */
int cmdq_insert(struct cmdq_item *after, struct cmdlist *list,
    const struct cmd_state *st, cmdq_done_fn done, void *arg);

/*
 * Inserts a list behind the item that waits (the result of if-shell).  It counts
 * as no deeper: the server has served others meanwhile.
 */
void cmdq_insert_first(
    struct cmdq *q, struct cmdlist *list, const struct cmd_state *st);

/* Runs until the queue is empty or waits. */
void cmdq_run(struct cmdq *q);

bool cmdq_empty(const struct cmdq *q);

/* Whether one command waits, and nothing stands behind it. */
bool cmdq_only_waits(const struct cmdq *q);

/* Whether it has an item and neither runs nor waits. */
bool cmdq_ready(const struct cmdq *q);

/*
 * Runs the queue, then calls run_ops.drain, and run_ops.dry if the queue of a
 * connection has become empty. Q may be freed by then.
 */
void cmdq_turn(struct cmdq *q);

/* Runs cmdq_turn for the queue of each connection. */
void cmdq_turn_all(struct run *run);

/* Runs run->queue, unless it is empty or a configuration is being read. */
void cmdq_run_hooks(struct run *run);

/* --- for commands ------------------------------------------------------------ */

struct cmd_state *cmdq_state(struct cmdq_item *item);
/*
 * Makes a token for an item that is about to wait. cmdq_continue ends the wait;
 * it returns false if the item is gone.
 */
uint64_t cmdq_wait(struct cmdq_item *item);
bool cmdq_continue(struct run *run, uint64_t token, bool failed);

/* Returns whether an item still waits with TOKEN. */
bool cmdq_waits(const struct run *run, uint64_t token);

#endif
