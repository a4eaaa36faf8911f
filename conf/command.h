/*
 * conf/command.h - the table of commands.
 *
 * Purpose:   has one row for each command: names, flags, arguments, targets,
 *            help. None of it needs a server.
 * Ownership: rows are constants.
 * Errors:    command_find returns -ERR_NOTFOUND or -ERR_AMBIGUOUS with tmux's
 *            message in the cause.
 * Source:    tmux(1) 3.7; flags of older versions are still accepted.
 * Tests:     regress/unit/check_command.c; regress/ref/conf-parse.sh
 *
 * Rows name no functions: conf/ does not know the server. The server builds its
 * dispatch table from the same rows, so a missing function is a link error:
 *
 *    #define X(id, ...) int cmd_exec_##id(struct cmd_context *);
 *    #include "conf/command.def"
 *    #undef X
 *    static const cmd_exec_fn cmd_exec[COMMAND_COUNT] = {
 *    #define X(id, ...) [COMMAND_##id] = cmd_exec_##id,
 *    #include "conf/command.def"
 *    #undef X
 *    };
 */
#ifndef CONF_COMMAND_H
#define CONF_COMMAND_H

#include <stdbool.h>

#include "base/err.h"

enum command_id {
#define X(id, ...) COMMAND_##id,
#include "conf/command.def"
#undef X
	COMMAND_COUNT
};

/* The target of -s or -t: a kind and conditions. */
enum command_target {
	TGT_NONE = 0,
	TGT_PANE = 1,
	TGT_WINDOW = 2,
	TGT_SESSION = 3,
	TGT_KIND = 3,            /* mask */
	TGT_CANFAIL = 1 << 2,    /* a target that is not found is no error */
	TGT_INDEX = 1 << 3,      /* a window index that need not exist */
	TGT_MARKED = 1 << 4,     /* the marked pane is the default */
	TGT_UNATTACHED = 1 << 5, /* prefer a session that is not attached */
};

enum command_flag {
	CMD_START = 1 << 0,    /* starts the server if there is none */
	CMD_READONLY = 1 << 1, /* allowed for read-only clients */
	CMD_AFTER = 1 << 2,    /* runs the hook after-NAME */
	CMD_CFLAG = 1 << 3,    /* -c names the client */
	CMD_TFLAG = 1 << 4,    /* -t names the client */
	CMD_CANFAIL = 1 << 5,  /* a client that is not found is no error */
	/*
	 * rmux's own command. It has no short form, so that short forms of
	 * tmux's commands keep their meaning.
	 */
	CMD_WHOLE = 1 << 6,
	CMD_SESSIONS = 1 << 7, /* reports "no sessions" where there are none */
};

/* Whether the command is implemented. */
enum command_when {
	COMMAND_NOW,
	COMMAND_LATER
};

struct command_row {
	enum command_id id;
	const char *name;
	const char *alias; /* or NULL */
	const char *spec;  /* "ab:c::" */
	int min;
	int max;           /* -1: no limit */
	const char *kinds; /* see command.def */
	unsigned source;   /* enum command_target, for -s */
	unsigned target;   /* enum command_target, for -t */
	unsigned what;     /* enum command_flag */
	enum command_when when;
	const char *usage; /* without the name; "" for none */
	const char *help;  /* one line */
};

/*
 * Returns the command at place I of a list of all: in order of the name, but
 * display-popup before display-panes, as in tmux.
 */
enum command_id command_shown(size_t i);

/* Returns the row of a command; never NULL. */
const struct command_row *command_row(enum command_id id);

/*
 * Finds a command by name, alias or unique beginning of a name.
 * Out:     *row
 * Returns: 0, -ERR_NOTFOUND ("unknown command: X") or -ERR_AMBIGUOUS
 *          ("ambiguous command: X, could be: a, b").
 */
int command_find(
    const char *name, const struct command_row **row, struct cause *cause);

/*
 * Tells whether ROW takes the flag F.
 * Out:     *value 0 without a value, 1 with one, 2 with or without (may be
 *          NULL)
 */
bool command_flag_value(const struct command_row *row, int f, int *value);

#endif
