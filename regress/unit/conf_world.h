/*
 * regress/unit/conf_world.h - a server's options without a server.
 *
 * Purpose:   runs commands that only touch options (set-option, set-hook,
 *            show-options ...) on the trees of one session with one window of
 *            two panes, and stores their output.
 * Ownership: the world owns its trees and its output.
 * Errors:    printed as by the command.
 * Tests:     regress/unit/check_option.c, regress/ref/conf-options.sh
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
	struct buf out; /* the output, with errors */
};

void conf_world_init(struct conf_world *w);
void conf_world_fini(struct conf_world *w);

/* Expands a format that knows only #{host}, as "here"; for a parser. */
char *conf_world_expand(void *arg, const char *format);

/* Runs one of the commands above. */
void conf_world_command(struct conf_world *w, const struct cmd *cmd);

/* Runs one line and appends its output to w->out. */
void conf_world_run(struct conf_world *w, const char *line);

/*
 * Runs a transcript. Keeps and runs lines that begin with "> " and adds their
 * output; keeps blank lines and comments (#); drops all other lines.
 * Returns: the new transcript (mem_free).
 */
char *conf_world_transcript_new(struct conf_world *w, const char *text);

#endif
