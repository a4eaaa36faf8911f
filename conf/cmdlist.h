/*
 * conf/cmdlist.h - commands as values: arguments, commands, lists of them.
 *
 * Purpose:   what parsing makes and key tables, hooks and queues keep.
 * Ownership: struct cmdlist is reference-counted (cmdlist_ref, cmdlist_unref)
 *            and owns its commands, which own their arguments, which own the
 *            lists in their blocks.  A list is not changed once it is shared.
 * Units:     lines of files count from 1.
 * Errors:    none; printing is bounded by the buffer it prints into.
 * Source:    the printed form is tmux's (list-keys, source-file -v), with "--"
 *            where tmux's own print would not parse back.
 * Tests:     regress/unit/check_parser.c
 *
 * Commands of one line form a group: when one fails, the rest of its group is
 * not run.  In print " ; " stands within a group and " ;; " between groups.
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

/* Name of a file, shared by all commands that came from it. */
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
	unsigned groups; /* last group number given out */
};

enum cmdlist_print_flag {
	CMDLIST_ESCAPED = 1 << 0, /* separators as \; instead of ; */
	CMDLIST_LINES = 1 << 1,   /* one group a line, as a file */
};

struct cmd_file *cmd_file_new(const char *name);
void cmd_file_unref(struct cmd_file *file);

/* Name of the file, or NULL. */
const char *cmd_file_name(const struct cmd *cmd);

/* An empty list with one reference. */
struct cmdlist *cmdlist_new(void);
struct cmdlist *cmdlist_ref(struct cmdlist *list);
void cmdlist_unref(struct cmdlist *list);

/* Appends CMD and takes it over. */
void cmdlist_append(struct cmdlist *list, struct cmd *cmd);

/* Prints into OUT; FLAGS is enum cmdlist_print_flag. */
void cmdlist_print(const struct cmdlist *list, unsigned flags, struct buf *out);

/* As cmdlist_print, as a new string of at most a megabyte (mem_free). */
char *cmdlist_print_new(const struct cmdlist *list, unsigned flags);

/* A command made of ROW and ARGS (taken over); FILE gets a reference. */
struct cmd *cmd_new(const struct command_row *row, struct args *args,
    struct cmd_file *file, unsigned line, unsigned group);
void cmd_print(const struct cmd *cmd, struct buf *out);

/* Arguments without flags or values. */
struct args *args_new(void);
void args_free(struct args *args);
/* Releases what V holds; copies V into OUT. */
void args_value_fini(struct args_value *v);
void args_value_copy(struct args_value *out, const struct args_value *v);

/* Writes S so that the parser reads it back as one word. */
void cmd_quote(struct buf *out, const char *s);

#endif
