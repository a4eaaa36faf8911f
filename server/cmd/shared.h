/*
 * server/cmd/shared.h - helpers that several families of commands share.
 *
 * Purpose:   new panes, indexes of windows, sizes of splits, numbers, the
 *            caller's environment, the person of -C and its key tables.
 * Ownership: everything is borrowed for the call.
 * Errors:    as each function says; "reported" means by cmd_error.
 */
#ifndef SERVER_CMD_SHARED_H
#define SERVER_CMD_SHARED_H

#include "server/cmd/cmd.h"

/* Sets the command of a new pane from the words after the flags. */
void cmd_pane_start(
    struct cmd_context *c, struct pane_start *st, char **argv, size_t max);

/* Puts the variables of -e into ENV, which becomes the caller's. */
void cmd_extra_environ(struct cmd_context *c, struct environ *env);

/* Starts pane P's program with the variables of -e. */
int cmd_spawn(struct cmd_context *c, struct session *s, struct pane *p,
    struct cause *why);

/*
 * Returns the directory of a new pane (mem_free) or NULL: -c, else the caller's
 * (of an attached client only with CALLER), the session's, or that of the
 * target's program.
 */
char *cmd_start_path(
    struct cmd_context *c, const struct cmd_target *t, bool caller);

/*
 * Names a new window: by -n, which ends automatic-rename, else by its command.
 * Expands -n as a format at AT, or takes it as text if AT is NULL.
 */
void cmd_name_window(struct cmd_context *c, const struct session *s,
    struct window *w, const struct cmd_target *at);

/* Reads argument 0 as "adjustment" (default 1); false: reported. */
bool cmd_adjustment(struct cmd_context *c, int *out);

/* Finds the index of a new window at T, by -a and -b; false: reported. */
bool cmd_window_index(
    struct cmd_context *c, const struct cmd_target *t, int *index);

/* Renumbers the windows of S, or of all sessions, by renumber-windows. */
void cmd_renumber(struct session *s);
void cmd_renumber_all(struct mux *m);

/* Reads -h -v -b -f -l -p for the target pane; -ERR_*: reported. */
int cmd_split_how(struct cmd_context *c, struct layout_split *how);

/*
 * Finds the session after or before FROM in the order of -O (default: by name),
 * around the end.
 */
enum cmd_result cmd_step_session(struct cmd_context *c, struct session *from,
    bool next, struct session **to);

/*
 * Returns the client that TEXT names, the value of -C; "." is the caller's.
 * NULL: there is none, with the message in WHY.
 */
struct client *cmd_person(
    struct cmd_context *c, const char *text, struct cause *why);

/* Returns the key table NAME as the command's client has it, or NULL. */
const struct keytable *cmd_find_table(
    const struct cmd_context *c, const char *name);

/* Shows session S on the caller's terminal, or moves its client there. */
enum cmd_result cmd_attach_to(struct cmd_context *c, struct session *s,
    bool detach, bool hangup, const char *flags);

/* Returns whether the caller runs inside a pane of this server. */
bool cmd_nested(const struct cmd_context *c);

/* Copies the variables of update-environment from CN (or NULL) to S. */
void cmd_update_environment(
    struct server *sv, struct conn *cn, struct session *s);

/* -A -B -C -r of refresh-client. */
enum cmd_result cmd_refresh_control(
    struct cmd_context *c, struct controller *ct);

/* -P: prints the target, by -F or FORMAT. */
void cmd_say_target(
    struct cmd_context *c, const struct cmd_target *t, const char *format);

/* True if NAME is an order of -O, even one in which this list has no order. */
bool cmd_order_known(const char *name);

/* True if -E asks for an empty pane and there is a command; reported. */
bool cmd_empty_conflict(struct cmd_context *c);

#endif
