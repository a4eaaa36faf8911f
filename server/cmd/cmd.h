/*
 * server/cmd/cmd.h - what a command's body is given.
 *
 * Purpose:   the context of one command: arguments, resolved targets, caller;
 *            output and errors to where the caller reads them.
 * Ownership: everything is borrowed for the call.
 * Units:     none.
 * Errors:    cmd_error says the message and gives CMD_ERROR to return.
 * Source:    tmux's cmd_entry and cmdq_item.
 * Tests:     regress/e2e
 *
 * Adding a command: a row in conf/command.def, a function cmd_exec_ID in the
 * file of its family, a script in regress/e2e.
 */
#ifndef SERVER_CMD_CMD_H
#define SERVER_CMD_CMD_H

#include "conf/args.h"
#include "conf/command.h"
#include "conf/format.h"
#include "mux/client.h"
#include "mux/session.h"
#include "mux/window.h"
#include "server/cmd/sink.h"
#include "server/core/server.h"
#include "server/face/viewer.h"
#include "server/io/conn.h"
#include "server/run/cmdq.h"
#include "server/run/parse.h"

/* Where a command works: what was found, outer ones first. */
struct cmd_target {
	struct session *s;
	struct winlink *wl;
	struct window *w;
	struct pane *p;
	int index; /* of a window that need not exist, or -1 */
};

struct cmd_context {
	struct server *sv;
	struct cmdq_item *item;
	struct cmd_state *state;
	const struct cmd *cmd;
	const struct args *args;
	struct sink sink;          /* output, errors and files */
	struct conn *conn;         /* caller, or NULL */
	struct client *client;     /* attached client it is for, or NULL */
	struct viewer *viewer;     /* of that client, or NULL */
	struct cmd_target current; /* where the caller is */
	struct cmd_target source;  /* -s, where the row has one */
	struct cmd_target target;  /* -t, else the current one */
	struct cmd_state after;    /* where the hook after-NAME runs */
};

/* Runs one command: targets, body, hook. */
enum cmd_result cmd_run(
    struct server *sv, struct cmdq_item *item, struct cmd *cmd);

/* Forgets what run-shell -d waits for (cmd/run.c). */
void cmd_delays_free(struct server *sv);

#define X(id, ...) enum cmd_result cmd_exec_##id(struct cmd_context *c);
#include "conf/command.def"
#undef X

/* One line of output (without newline). */
void cmd_say(struct cmd_context *c, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* Whole output of many lines. */
void cmd_say_lines(struct cmd_context *c, struct buf *lines);

/* Says an error; returns CMD_ERROR. */
enum cmd_result cmd_error(struct cmd_context *c, const char *fmt, ...)
    PRINTF_LIKE(2, 3);

/* cmd_error with the text of a cause, which is freed. */
enum cmd_result cmd_cause(struct cmd_context *c, struct cause *why);

/*
 * Expands a format for a target (NULL members allowed); a new string.
 */
char *cmd_format_new(
    struct cmd_context *c, const struct cmd_target *t, const char *format);

/* The same with variables of this one expansion. */
char *cmd_format_vars_new(struct cmd_context *c, const struct cmd_target *t,
    const char *format, const struct format_var *vars, size_t count);

/*
 * A command whose end comes after its body has returned: its caller and place,
 * by ids.
 */
struct cmd_late {
	struct server *sv;
	uint64_t token; /* 0: nobody waits */
	struct cmd_ids ids;
	struct cmd_state state; /* its hook is NULL */
};

/* Keeps the ids of C; with WAIT the body has to return CMD_WAIT. */
void cmd_late_init(struct cmd_late *l, struct cmd_context *c, bool wait);

/* Where its output goes now. */
struct sink cmd_late_sink(const struct cmd_late *l);

/* Its attached client, or NULL. */
struct viewer *cmd_late_viewer(const struct cmd_late *l);

/* Reports an error, as cmd_error. */
void cmd_late_error(const struct cmd_late *l, const char *fmt, ...)
    PRINTF_LIKE(2, 3);

/* The command has ended; the queue goes on. */
void cmd_late_end(struct cmd_late *l, bool failed);

/* PATH below the caller's directory; "-" and absolute ones as they are. */
char *cmd_path_new(struct cmd_context *c, const char *path);

/*
 * Argument I, text or a block, as commands (a new reference).  NULL if there is
 * none or, with *R set to CMD_ERROR, after the error was said.
 */
struct cmdlist *cmd_commands(
    struct cmd_context *c, size_t i, enum cmd_result *r);

/*
 * The same for who minds errors itself: 0 with *LIST (NULL: no argument I), or
 * an error of parser_parse with *LIST NULL and its lines in SP's errors.
 */
int cmd_parse_arg(
    struct cmd_context *c, size_t i, struct parse *sp, struct cmdlist **list);

/* Whether -f lets T pass; true without -f. */
bool cmd_filter(struct cmd_context *c, const struct cmd_target *t);

/* What the commands that follow in the list find as the current target. */
void cmd_set_current(struct cmd_context *c, const struct cmd_target *t);

/* Where the hook after-NAME is to run, if not at the target. */
void cmd_set_after(struct cmd_context *c, const struct cmd_target *t);

/* Queues what hangs on hook NAME in O behind this command. */
void cmd_run_hook(struct cmd_context *c, const char *name,
    const struct options *o, const struct cmd_state *where);

/* "WHAT invalid", "WHAT too small": a number's fault, as tmux says it. */
enum cmd_result cmd_fault(
    struct cmd_context *c, const char *what, int error, struct cause *why);

/* "too small", "too large" or "invalid", from an error of conf/args.h. */
const char *cmd_fault_name(int error);

#endif
