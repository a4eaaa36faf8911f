/*
 * mux/view/palette.h - the palette: a list that typing filters.
 *
 * Purpose:   the items of command-palette as a state machine over keys and mouse
 *            events, and the surfaces that show it.
 * Ownership: a palette owns its texts; separators are borrowed.
 * Units:     cells of the client, 0-based.
 * Errors:    view_palette_add: -ERR_LIMIT.
 * Tests:     regress/unit/check_view_palette.c, regress/e2e/palette.sh
 *
 * A query is words between blanks.  An item is shown if each word matches its
 * label, its detail or its key (fuzzy.h).  The best scores come first; among
 * equal ones items used lately, then shorter labels, then the order of adding.
 */
#ifndef MUX_VIEW_PALETTE_H
#define MUX_VIEW_PALETTE_H

#include "base/err.h"
#include "base/key.h"
#include "mux/sync/prompt_edit.h"
#include "mux/view/build.h"

#define VIEW_PALETTE_ITEMS_MAX 20000
#define VIEW_PALETTE_WORDS_MAX 8 /* words of a query; more do not count */

enum view_palette_kind {
	VIEW_PALETTE_KEY,
	VIEW_PALETTE_WINDOW,
	VIEW_PALETTE_SESSION,
	VIEW_PALETTE_PANE,
	VIEW_PALETTE_COMMAND,
	VIEW_PALETTE_OPTION,
	VIEW_PALETTE_KINDS
};

struct view_palette_item {
	enum view_palette_kind kind;
	char *label;
	char *detail;
	char *key;       /* shown at the right */
	char *id;        /* the same in each palette: "command kill-pane" */
	unsigned recent; /* 0: not used lately, else 1 for the last one ... */
};

/* An item that the query matches. */
struct view_palette_row {
	uint32_t item;
	int32_t score;
};

struct view_palette {
	struct view_palette_item *items; /* [count] */
	size_t count;
	struct view_palette_row *rows; /* [row_count] */
	size_t row_count;
	size_t choice; /* a row */
	size_t top;    /* the first row shown */
	struct prompt_edit edit;
	unsigned kinds; /* bit per enum view_palette_kind, of the items */
	int kind;       /* the only one shown, or -1 */
	int x;          /* of the box on the client */
	int y;
	int w; /* 0: the client has no room */
	int h;
};

/* What an event has done. */
enum view_palette_did {
	VIEW_PALETTE_NOTHING,
	VIEW_PALETTE_CHANGED,
	VIEW_PALETTE_CHOSEN, /* view_palette_chosen */
	VIEW_PALETTE_EDIT,   /* the same, to be edited first */
	VIEW_PALETTE_CLOSED
};

/* The name of a kind for users: "windows". */
const char *view_palette_kind_name(enum view_palette_kind kind);

struct view_palette *view_palette_new(const char *separators);
void view_palette_free(struct view_palette *p); /* NULL is fine */

/* The texts of an item; NULL for none but the label and the id. */
struct view_palette_text {
	const char *label;
	const char *detail;
	const char *key;
	const char *id;
};

/* Copies an item.  Call view_palette_filter after the last one. */
int view_palette_add(struct view_palette *p, enum view_palette_kind kind,
    const struct view_palette_text *text) WARN_UNUSED;

/* Finds the rows by the query, the best one chosen. */
void view_palette_filter(struct view_palette *p);

/* The index of the chosen item; SIZE_MAX: none matches. */
size_t view_palette_chosen(const struct view_palette *p);

/* Places the box on a client of that size. */
void view_palette_fit(struct view_palette *p, int cols, int rows);

enum view_palette_did view_palette_key(struct view_palette *p, key_code key);
enum view_palette_did view_palette_mouse(
    struct view_palette *p, const struct mouse_event *ev);
void view_palette_paste(struct view_palette *p, const char *text, size_t n);

/*
 * Adds VIEW_SURFACE_PALETTE and, with the focus, VIEW_SURFACE_PALETTE_LINE,
 * whose text begins at the returned column.
 */
unsigned view_palette_show(
    struct view_builder *b, struct sync_view *v, const struct view_palette *p);

#endif
