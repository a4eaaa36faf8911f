/*
 * mux/mode/switch_int.h - the list of switch-mode, shared with its copy elsewhere.
 *
 * Purpose:   items, typed letters, current row and picture without the model:
 *            switch.c fills them from it, switch_replay.c from the wire.
 * Ownership: a switcher owns its items, rows and texts.
 * Units:     rows count the items that match, the best first.
 * Tests:     regress/unit/check_mode_list.c, check_pick.c
 */
#ifndef MUX_MODE_SWITCH_INT_H
#define MUX_MODE_SWITCH_INT_H

#include "mux/mode/mode.h"
#include "mux/mode/switch.h"

struct switch_item {
	char *text;   /* the expanded format */
	char *target; /* for the template */
	char *name;   /* the order without letters */
	size_t place;
	int score;
};

struct switcher {
	struct mode mode; /* of a copy elsewhere: zero */
	const struct mode_host *host;
	const struct grapheme_table *graphemes;
	int height; /* rows of the pane */
	uint32_t client;
	bool windows;
	bool kills;
	bool zoom;
	char *template;
	char *format; /* or NULL */
	struct switch_item *items;
	size_t count;
	size_t *rows; /* [row_count] items that match, the best first */
	size_t row_count;
	size_t current; /* row */
	size_t offset;
	char typed[MODE_SWITCH_TYPED + 1];
	mono_ms click_at;
	size_t click_row;
};

/* Returns the switcher of M, or NULL: M is another mode. */
struct switcher *mode_switch_of(struct mode *m);

/* Finds the items that match the typed letters, orders them, and goes to the first. */
void switch_narrow(struct switcher *sw);

/* The rows of items that the picture has. */
unsigned switch_rows(const struct switcher *sw);

/* Moves the current row by BY; WRAP: around the ends. */
void switch_move(struct switcher *sw, long by, bool wrap);

enum switch_did {
	SWITCH_STAYS,
	SWITCH_CHOOSES, /* the current item */
	SWITCH_LEAVES,
};

/* Does what KEY does, without the choice and the end. */
enum switch_did switch_typed(struct switcher *sw, key_code key);

void switch_picture(
    struct switcher *sw, struct vt_frame *f, const struct mode_paint *paint);

#endif
