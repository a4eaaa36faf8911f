/*
 * regress/unit/conf_world.h - a server's options without a server.
 *
 * Purpose:   runs the commands that only touch options (set-option, set-hook,
 *            show-options and their like) on trees of one session with one
 *            window of two panes, and keeps what they print.
 * Ownership: the world owns its trees and its output.
 * Units:     none.
 * Errors:    printed as the command would.
 * Source:    our own.
 * Tests:     itself; regress/unit/check_option.c, regress/ref/conf-options.sh
 */
#ifndef REGRESS_CONF_WORLD_H
#define REGRESS_CONF_WORLD_H

#include "conf/option_set.h"

struct conf_world {
	struct options server;
	struct options global_session;
	struct options global_window;
	struct options session;
	struct options window;
	struct options panes[2];
	struct options *pane_list[2];
	struct option_trees trees;
	struct option_hooks hooks;
	struct parser_hooks parser;
	struct buf out; /* what was printed, errors too */
};

void conf_world_init(struct conf_world *w);
void conf_world_fini(struct conf_world *w);

/* Expands a format in which only #{host} is known, as "here"; for a parser. */
char *conf_world_expand(void *arg, const char *format);

/* Runs one command, of those named above. */
void conf_world_command(struct conf_world *w, const struct cmd *cmd);

/* Runs one line; what it prints is added to w->out. */
void conf_world_run(struct conf_world *w, const char *line);

/*
 * Runs a transcript: lines that begin with "> " are run and kept, with what
 * they print after them; blank lines and comments (#) are kept; all other
 * lines are dropped.
 * Returns: the new transcript (mem_free).
 */
char *conf_world_transcript_new(struct conf_world *w, const char *text);

#endif
