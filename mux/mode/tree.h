/*
 * mux/mode/tree.h - choose-tree: sessions, windows and panes.
 *
 * Purpose:   a list (list.h) of all sessions with their windows and panes.
 * Source:    tmux(1), choose-tree.
 * Tests:     regress/unit/check_mode_list.c, regress/e2e/choose.sh
 */
#ifndef MUX_MODE_TREE_H
#define MUX_MODE_TREE_H

#include "mux/mode/list.h"

/* The items shown at first: down to panes, or only to sessions or windows. */
enum mode_tree_depth {
	MODE_TREE_PANES,
	MODE_TREE_SESSIONS, /* -s */
	MODE_TREE_WINDOWS   /* -w */
};

struct mode_tree_start {
	struct mode_list_start list;
	enum mode_tree_depth depth;
	bool groups; /* -G: all sessions of a group */
};

/* Opens it over P; S and P are what it begins at. */
int mode_tree_open(struct pane *p, struct session *s,
    const struct mode_tree_start *start) WARN_UNUSED;

#endif
