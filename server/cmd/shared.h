/*
 * server/cmd/shared.h - helpers that several families of commands share.
 *
 * Purpose:   new panes, indexes of windows, sizes of splits, numbers, the
 *            caller's environment.
 * Ownership: everything is borrowed for the call.
 * Errors:    as each function says; "reported" means by cmd_error.
 */
#ifndef SERVER_CMD_SHARED_H
#define SERVER_CMD_SHARED_H

#include "server/cmd/cmd.h"

/* The command of a new pane from the words behind the flags. */
void cmd_pane_start(
    struct cmd_context *c, struct pane_start *st, char **argv, size_t max);

/* Starts pane P's program with the variables of -e. */
int cmd_spawn(struct cmd_context *c, struct session *s, struct pane *p,
    struct cause *why);

/* Directory of a new pane (mem_free) or NULL; CALLER: the caller's first. */
char *cmd_start_path(
    struct cmd_context *c, const struct cmd_target *t, bool caller);

/* Names a new window: -n, for good, else after its command. */
void cmd_name_window(
    struct cmd_context *c, const struct session *s, struct window *w);

/* Argument 0 as "adjustment", 1 without; false after the error was said. */
bool cmd_adjustment(struct cmd_context *c, int *out);

/*
 * The index that a window is to get at T, by -a and -b; false after the error
 * was said.
 */
bool cmd_window_index(
    struct cmd_context *c, const struct cmd_target *t, int *index);

/* Renumbers the windows of S, or of all sessions, by renumber-windows. */
void cmd_renumber(struct session *s);
void cmd_renumber_all(struct mux *m);

/* -h -v -b -f -l -p at the target pane; -ERR_* after the error was said. */
int cmd_split_how(struct cmd_context *c, struct layout_split *how);

/* The session behind or before FROM by -O (else by name), around the end. */
enum cmd_result cmd_step_session(struct cmd_context *c, struct session *from,
    bool next, struct session **to);

/* Takes the variables of update-environment from CN's process (or NULL) into S. */
void cmd_update_environment(struct conn *cn, struct session *s);

/* What -P prints, by -F or FORMAT. */
void cmd_say_target(
    struct cmd_context *c, const struct cmd_target *t, const char *format);

#endif
