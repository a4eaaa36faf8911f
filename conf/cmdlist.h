/*
 * conf/cmdlist.h - commands as values: arguments, commands, lists of them.
 *
 * Purpose:   holds the result of parsing, for key tables, hooks and queues.
 * Ownership: struct cmdlist is reference-counted (cmdlist_ref, cmdlist_unref)
 *            and owns its commands; commands own their arguments; arguments own
 *            the lists of their blocks. A shared list is never changed.
 * Units:     lines of files count from 1.
 * Errors:    none; the buffer bounds what is printed.
 * Source:    the printed form is tmux's (list-keys, source-file -v), with "--"
 *            where tmux's own form would not parse back.
 * Tests:     regress/unit/check_parser.c
 *
 * Commands of one line of a file form a group, and all those of a text that is
 * no file: when one fails, the rest of its group does not run. In print " ; "
 * stands within a group and " ;; " between groups.
 */
#ifndef CONF_CMDLIST_H
#define CONF_CMDLIST_H

#include <stdbool.h>

#include "base/buf.h"
#include "conf/command.h"

struct cmdlist;

/* One argument: text, or the commands of a { } block. */
struct args_value {
	char *text;            /* NULL for a block */
	struct cmdlist *block; /* NULL for text */
};

/* All uses of one flag. */
struct args_flag {
	unsigned char flag;
	unsigned times; /* how often it was given */
	size_t count;   /* values, in order of use */
	struct args_value *values;
};

struct args {
	struct args_flag *flags; /* in order of the flag byte */
	size_t flag_count;
	struct args_value *values; /* the other arguments */
	size_t count;
};

/* The name of a file, shared by all commands from it. */
struct cmd_file {
	unsigned refs;
	char name[];
};

struct cmd {
	const struct command_row *row;
	struct args *args;
	struct cmd_file *file; /* NULL if it came from no file */
	unsigned line;
	unsigned group; /* equal for commands of one group within a list */
};

struct cmdlist {
	unsigned refs;
	struct cmd **cmds;
	size_t count;
	size_t cap;
	unsigned groups; /* number of the last group */
};

enum cmdlist_print_flag {
	CMDLIST_ESCAPED = 1 << 0, /* all separators as \; */
	CMDLIST_LINES = 1 << 1,   /* one group on each line, as in a file */
};

struct cmd_file *cmd_file_new(const char *name);
void cmd_file_unref(struct cmd_file *file);

/* Returns the name of the file, or NULL. */
const char *cmd_file_name(const struct cmd *cmd);

/* Makes an empty list with one reference. */
struct cmdlist *cmdlist_new(void);
struct cmdlist *cmdlist_ref(struct cmdlist *list);
void cmdlist_unref(struct cmdlist *list);

/* Returns the bytes of memory that LIST holds, with its blocks. */
size_t cmdlist_size(const struct cmdlist *list);

/* Appends CMD and takes ownership of it. */
void cmdlist_append(struct cmdlist *list, struct cmd *cmd);

/* Prints into OUT; FLAGS is enum cmdlist_print_flag. */
void cmdlist_print(const struct cmdlist *list, unsigned flags, struct buf *out);

/* As cmdlist_print, as a new string of at most a megabyte (mem_free). */
char *cmdlist_print_new(const struct cmdlist *list, unsigned flags);

/* Makes a command of ROW and ARGS (taken over); adds a reference to FILE. */
struct cmd *cmd_new(const struct command_row *row, struct args *args,
    struct cmd_file *file, unsigned line, unsigned group);
void cmd_print(const struct cmd *cmd, struct buf *out);

/* Makes arguments without flags or values. */
struct args *args_new(void);
void args_free(struct args *args);
/* Releases the content of V; copies V into OUT. */
void args_value_fini(struct args_value *v);
void args_value_copy(struct args_value *out, const struct args_value *v);

/* Writes S so that the parser reads it back as one word. */
void cmd_quote(struct buf *out, const char *s);

#endif
