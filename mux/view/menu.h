/*
 * mux/view/menu.h - a menu: its rows, its keys and its picture.
 *
 * Purpose:   the rows of display-menu as a state machine over keys and mouse
 *            events, and the frame that shows it.
 * Ownership: a menu owns its texts.
 * Units:     cells of the client, 0-based.
 * Errors:    view_menu_add: -ERR_LIMIT.
 * Source:    tmux(1), display-menu; keys as tmux 3.8 has them.
 * Tests:     regress/unit/check_view_menu.c, regress/e2e/menu.sh
 */
#ifndef MUX_VIEW_MENU_H
#define MUX_VIEW_MENU_H

#include "mux/view/box.h"

#define VIEW_MENU_ROWS_MAX 4096

/* Cells around the text of the rows. */
#define VIEW_MENU_FRAME_W 4
#define VIEW_MENU_FRAME_H 2

/* A choice only for drawing: all rows look chosen. */
#define VIEW_MENU_ALL (-2)

enum view_menu_flag {
	VIEW_MENU_NO_MOUSE = 1 << 0, /* keys alone; a click closes the menu */
	VIEW_MENU_STAYS = 1 << 1     /* a release does not close it: -O */
};

struct view_menu_row {
	char *name;   /* expanded format; NULL: a line across the menu */
	bool off;     /* shown dim, cannot be chosen */
	key_code key; /* KEY_NONE: none */
	size_t item;  /* the caller's number */
};

struct view_menu {
	struct view_menu_row *rows;
	int count;
	int choice; /* row, -1: none, or VIEW_MENU_ALL while it is drawn */
	int width;  /* of the widest text, at most as the client has room for */
	int shown;  /* rows in sight: less than count if there is no room */
	int offset; /* the first of these */
	int x;      /* of the box on the client */
	int y;
	char *title;
	unsigned flags; /* enum view_menu_flag */
	struct view_box_look look;
};

/* What an event has done. */
enum view_menu_did {
	VIEW_MENU_NOTHING,
	VIEW_MENU_MOVED,  /* another row is chosen */
	VIEW_MENU_CHOSEN, /* the row menu->choice is to be run */
	VIEW_MENU_CLOSED
};

/* A menu without rows; TITLE is an expanded format. */
struct view_menu *view_menu_new(
    const struct grapheme_table *gt, const char *title);
void view_menu_free(struct view_menu *m);

/*
 * Adds a row for a client of COLS columns.  NAME is an expanded format: empty
 * for no row, "-..." for a row that is off.
 */
int view_menu_add(struct view_menu *m, const struct grapheme_table *gt,
    const char *name, key_code key, size_t item, int cols) WARN_UNUSED;

/* Adds a line, unless the menu is empty or ends in one. */
int view_menu_add_line(struct view_menu *m) WARN_UNUSED;

/* Chooses ROW, or the next one that is on; -1: none. */
void view_menu_start(struct view_menu *m, int64_t row);

/*
 * Moves the box into a client of that size, and shows fewer rows and columns if
 * it has no room for all; false if there is none for a single row.
 */
bool view_menu_fit(struct view_menu *m, int cols, int rows);

/* Height of the box. */
static inline int
view_menu_height(const struct view_menu *m)
{
	return m->shown + VIEW_MENU_FRAME_H;
}

enum view_menu_did view_menu_key(struct view_menu *m, key_code key);
enum view_menu_did view_menu_mouse(
    struct view_menu *m, const struct mouse_event *ev);

/* Draws the menu with the options of the client's window. */
struct vt_frame *view_menu_frame(
    const struct view_context *cx, const struct view_menu *m);

/* Adds VIEW_SURFACE_MENU, which has the focus and no cursor. */
void view_menu_show(
    struct view_builder *b, struct sync_view *v, const struct view_menu *m);

#endif
