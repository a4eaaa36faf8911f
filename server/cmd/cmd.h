/*
 * server/cmd/cmd.h - the context of a command's body.
 *
 * Purpose:   the context of one command: arguments, resolved targets, caller;
 *            output and errors go to the caller's sink.
 * Ownership: everything is borrowed for the call.
 * Errors:    cmd_error reports a message and returns CMD_ERROR, which the body
 *            returns.
 * Source:    tmux's cmd_entry and cmdq_item.
 * Tests:     regress/e2e
 *
 * To add a command, write a row in conf/command.def, a function cmd_exec_ID in
 * the file of its family and a script in regress/e2e.
 */
#ifndef SERVER_CMD_CMD_H
#define SERVER_CMD_CMD_H

#include "conf/args.h"
#include "conf/command.h"
#include "conf/format.h"
#include "mux/client.h"
#include "mux/session.h"
#include "mux/view/box.h"
#include "mux/window.h"
#include "server/cmd/sink.h"
#include "server/core/server.h"
#include "server/face/viewer.h"
#include "server/io/conn.h"
#include "server/run/cmdq.h"
#include "server/run/parse.h"

/* The target of a command, outer objects first. */
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
	struct client *shown;      /* whose variables formats have, or NULL */
	struct cmd_target current; /* where the caller is */
	struct cmd_target source;  /* -s, where the row has one */
	struct cmd_target target;  /* -t, else the current one */
	struct cmd_state after;    /* where the hook after-HOOK runs */
	struct client_seen seen;   /* before the command, if it attaches */
	const char *hook;          /* or NULL: none */
	char *
	    then; /* a hook to run behind that one (exec.c frees it), or NULL */
	int kind; /* enum vars_kind of formats; 0: by target */
	bool nowhere; /* current is a guess: the session used last */
};

/* Runs one command: targets, body, hook. */
enum cmd_result cmd_run(
    struct server *sv, struct cmdq_item *item, struct cmd *cmd);

/* Frees the delayed commands of run-shell -d (cmd/run.c). */
void cmd_delays_free(struct server *sv);

/* Frees the copies of long texts that are on their way (cmd/copy.c). */
void cmd_copies_free(struct server *sv);

/* Frees what waits for the ends of panes' programs (cmd/pane.c). */
void cmd_pane_waits_free(struct server *sv);

#define X(id, ...) enum cmd_result cmd_exec_##id(struct cmd_context *c);
#include "conf/command.def"
#undef X

/* Prints one line of output (without newline). */
void cmd_say(struct cmd_context *c, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* Whether no client is attached. */
bool cmd_nobody(const struct cmd_context *c);

/* Whether output goes to the screen of an attached client. */
bool cmd_on_screen(const struct cmd_context *c);

/* Prints output of several lines. */
void cmd_say_lines(struct cmd_context *c, struct buf *lines);

/* Reports an error; returns CMD_ERROR. */
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
 * A command that ends after its body has returned: its caller and place, by
 * ids.
 */
struct cmd_late {
	struct server *sv;
	uint64_t token; /* 0: nobody waits */
	struct cmd_ids ids;
	struct cmd_state state; /* its hook is NULL */
};

/* Keeps the ids of C; with WAIT the body has to return CMD_WAIT. */
void cmd_late_init(struct cmd_late *l, struct cmd_context *c, bool wait);

/* Returns the sink of its output. */
struct sink cmd_late_sink(const struct cmd_late *l);

/* Returns its attached client, or NULL. */
struct viewer *cmd_late_viewer(const struct cmd_late *l);

/* Reports an error, as cmd_error. */
void cmd_late_error(const struct cmd_late *l, const char *fmt, ...)
    PRINTF_LIKE(2, 3);

/*
 * Parses TEXT and appends its commands to the caller's queue; reports errors.
 * Returns the queue, which the caller turns after cmd_late_end.
 */
struct cmdq *cmd_late_append(const struct cmd_late *l, const char *text);

/* Ends the command; the queue continues. */
void cmd_late_end(struct cmd_late *l, bool failed);

/* Returns PATH below the caller's directory; keeps "-" and absolute paths. */
char *cmd_path_new(struct cmd_context *c, const char *path);

/*
 * Returns argument I, text or a block, as commands (a new reference). NULL:
 * there is none or, with *R set to CMD_ERROR, the error was reported.
 */
struct cmdlist *cmd_commands(
    struct cmd_context *c, size_t i, enum cmd_result *r);

/*
 * The same for callers that report errors themselves: 0 with *LIST (NULL: no
 * argument I), or an error of parser_parse with *LIST NULL and the lines in
 * SP's errors.
 */
int cmd_parse_arg(
    struct cmd_context *c, size_t i, struct parse *sp, struct cmdlist **list);

/* Returns whether the filter -f is true for T; true without -f. */
bool cmd_filter(struct cmd_context *c, const struct cmd_target *t);

/* Sets the current target of the commands that follow in the list. */
void cmd_set_current(struct cmd_context *c, const struct cmd_target *t);

/* Makes T the current target of commands that run with ST. */
void cmd_state_target(struct cmd_state *st, const struct cmd_target *t);

/* The part of the client in which a menu or popup stands. */
enum cmd_place {
	CMD_PLACE_WINDOW, /* beside the status lines, if it has room */
	CMD_PLACE_CLIENT
};

/*
 * Finds the place of a menu or popup of W by H cells by -x and -y; false if the
 * client has no room.
 */
bool cmd_place(
    struct cmd_context *c, enum cmd_place where, int w, int h, int *x, int *y);

/* Reads -b (a choice of option LINES), -s and -S; -ERR_SYNTAX with WHY. */
int cmd_box_look(struct cmd_context *c, enum option_id lines,
    struct view_box_look *look, struct cause *why);

/* Runs LIST behind the command, or reports that it is nested too deep. */
enum cmd_result cmd_insert(struct cmd_context *c, struct cmdlist *list);

/* Sets the place of the hook after-NAME, if it is not the target. */
void cmd_set_after(struct cmd_context *c, const struct cmd_target *t);

/* Queues the commands of hook NAME in O behind this command. */
void cmd_run_hook(struct cmd_context *c, const char *name,
    const struct options *o, const struct cmd_state *where);

/* Reports "WHAT invalid" or "WHAT too small", as tmux does. */
enum cmd_result cmd_fault(
    struct cmd_context *c, const char *what, int error, struct cause *why);

/* "too small", "too large" or "invalid", from an error of conf/args.h. */
const char *cmd_fault_name(int error);

#endif
