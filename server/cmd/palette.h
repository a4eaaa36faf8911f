/*
 * server/cmd/palette.h - the items of command-palette.
 *
 * Purpose:   collects what a client can do: keys, windows, sessions, panes,
 *            commands, options.
 * Ownership: struct palette_items owns its entries.
 * Errors:    items beyond VIEW_PALETTE_ITEMS_MAX are left out.
 * Tests:     regress/e2e/palette.sh
 */
#ifndef SERVER_CMD_PALETTE_H
#define SERVER_CMD_PALETTE_H

#include "conf/option.h"
#include "mux/view/palette.h"

struct cmd_context;
struct cmdlist;

/* What an item does; the same index as in the view. */
struct palette_entry {
	struct cmdlist *list; /* commands of a key, else NULL */
	char *text;           /* commands, or the option's value */
	bool ask;             /* the text is a beginning: prompt for it */
	const struct option_row *row; /* of an option, else NULL */
	char *option;                 /* its name with the index of an item */
	const char *flags;            /* of set-option, for the value's tree */
};

struct palette_items {
	struct view_palette *view; /* not owned */
	struct palette_entry *all; /* [count] */
	size_t count;
	unsigned kinds; /* bit per enum view_palette_kind */
};

/* Adds items of the kinds that are wanted. */
void palette_items_add(struct cmd_context *c, struct palette_items *items);
void palette_items_fini(struct palette_items *items);

#endif
