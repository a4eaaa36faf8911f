#include "mux/view/panel.h"

#include <stdio.h>
#include <string.h>

#include "base/grapheme.h"
#include "base/mem.h"
#include "conf/cmdlist.h"
#include "conf/key_name.h"
#include "conf/keytable.h"
#include "mux/view/status.h"
#include "mux/view/text.h"

#define PANEL_GAP 2 /* columns between two items */
#define PANEL_ITEM_MAX 48
#define PANEL_ITEM_MIN 24
#define PANEL_COLS_MIN 4
#define PANEL_TEXT_MAX (1 << 20) /* bytes of a command that has no note */

struct view_panel *
view_panel_new(void)
{
	struct view_panel *p = mem_zalloc(sizeof(*p));

	p->rest = "";
	return p;
}

void
view_panel_free(struct view_panel *p)
{
	size_t i;

	if (p == NULL)
		return;
	for (i = 0; i < p->count; i++) {
		mem_free(p->items[i].key);
		mem_free(p->items[i].text);
	}
	mem_free(p);
}

void
view_panel_add_item(struct view_panel *p, const char *key, const char *text)
{
	struct view_panel_item *it;

	if (p->count == VIEW_PANEL_ITEMS_MAX)
		return;
	it = &p->items[p->count++];
	it->key = key == NULL ? NULL : mem_strdup(key);
	it->text = mem_strdup(text);
}

/* --- the keys of a table ---------------------------------------------------------- */

/* Bindings in display order; small screens show only the first ones. */
enum key_rank {
	RANK_SMALL,
	RANK_CAPITAL,
	RANK_OTHER,
	RANK_DIGIT,
	RANK_MODIFIED,
	RANK_LATER, /* its command is not implemented yet */
	RANK_COUNT
};

/* Whether a command of LIST is not implemented yet. */
static bool
is_later(const struct cmdlist *list)
{
	const struct args *a;
	size_t i, k;

	for (i = 0; i < list->count; i++) {
		if (list->cmds[i]->row->when == COMMAND_LATER)
			return true;
		a = list->cmds[i]->args;
		for (k = 0; k < a->count; k++)
			if (a->values[k].block != NULL &&
			    is_later(a->values[k].block))
				return true;
	}
	return false;
}

static enum key_rank
key_rank(const struct keybinding *kb)
{
	key_code k = kb->key & KEY_MASK;

	if (is_later(kb->commands))
		return RANK_LATER;
	if ((kb->key & KEY_MODS) != 0)
		return RANK_MODIFIED;
	if (k >= '0' && k <= '9')
		return RANK_DIGIT;
	if (k >= 'a' && k <= 'z')
		return RANK_SMALL;
	return k >= 'A' && k <= 'Z' ? RANK_CAPITAL : RANK_OTHER;
}

static void
add_key(struct view_panel *p, const struct keybinding *kb)
{
	char name[KEY_NAME_MAX];
	struct buf text;

	buf_init(&text, PANEL_TEXT_MAX);
	if (kb->note != NULL && *kb->note != '\0')
		(void)buf_add_str(&text, kb->note);
	else
		cmdlist_print(kb->commands, 0, &text);
	view_panel_add_item(
	    p, key_name_format(kb->key, name, sizeof(name)), buf_cstr(&text));
	buf_fini(&text);
}

/* Whether the binding lists all keys. */
static bool
lists_keys(const struct keybinding *kb)
{
	const struct cmdlist *l = kb->commands;

	return kb->key == '?' && l->count > 0 &&
	       strcmp(l->cmds[0]->row->name, "list-keys") == 0;
}

struct view_panel *
view_panel_keys_new(const struct keytable *table)
{
	struct view_panel *p = view_panel_new();
	const struct keybinding *kb;
	unsigned rank;
	size_t i;

	p->rest = ": list-keys";
	for (rank = 0; rank < RANK_COUNT; rank++)
		for (i = 0; i < table->count; i++) {
			kb = &table->bindings[i];
			if ((kb->key & KEY_MASK) >= KEY_MOUSE0 ||
			    key_rank(kb) != rank)
				continue;
			add_key(p, kb);
			if (lists_keys(kb))
				p->rest = ": ? lists them";
		}
	return p;
}

/* --- drawing -------------------------------------------------------------------- */

/* Columns of equal width, filled from top to bottom. */
struct panel_grid {
	unsigned key;  /* width of the widest key */
	unsigned wide; /* of a column, with the gap */
	unsigned cols;
	unsigned rows;
	size_t shown; /* items that fit */
};

static unsigned
text_width(const struct grapheme_table *gt, const char *s)
{
	return s == NULL ? 0 : (unsigned)grapheme_text_width(gt, s, strlen(s));
}

static void
measure(const struct view_panel *p, const struct grapheme_table *gt,
    unsigned width, unsigned height, struct panel_grid *g)
{
	unsigned text = 0, room, widest;
	size_t i;

	*g = (struct panel_grid){ .key = 0 };
	for (i = 0; i < p->count; i++) {
		g->key = MAX_OF(g->key, text_width(gt, p->items[i].key));
		text = MAX_OF(text, text_width(gt, p->items[i].text));
	}
	if (g->key > 0)
		g->key++;
	widest = MIN_OF(g->key + text, (unsigned)PANEL_ITEM_MAX);
	g->cols = MAX_OF(width / (widest + PANEL_GAP), 1u);
	/* Narrow the columns while more items then fit. */
	while (p->count > (size_t)g->cols * height &&
	       width / (g->cols + 1) >= g->key + PANEL_ITEM_MIN + PANEL_GAP)
		g->cols++;
	g->wide = MIN_OF(width / g->cols, widest + PANEL_GAP);
	g->rows = (unsigned)((p->count + g->cols - 1) / g->cols);
	g->shown = p->count;
	if (g->rows > height) {
		/* The last row shows the number of omitted items. */
		g->rows = height;
		room = (height - 1) * g->cols;
		g->shown = MIN_OF(p->count, (size_t)room);
	}
}

static void
draw_item(const struct grapheme_table *gt, struct vt_frame *f, unsigned x,
    unsigned y, const struct panel_grid *g, const struct view_panel_item *it,
    const struct pen *pen)
{
	unsigned end = MIN_OF(x + g->wide - PANEL_GAP, (unsigned)f->cols);
	struct pen bold = *pen;

	bold.attrs |= PEN_BOLD;
	if (it->key != NULL)
		(void)vt_frame_text(
		    f, gt, x, y, end, it->key, strlen(it->key), &bold);
	(void)vt_frame_text(
	    f, gt, x + g->key, y, end, it->text, strlen(it->text), pen);
}

/*
 * Draws the panel into a new frame of COLS columns and at most ROWS rows; NULL
 * if the panel is empty or there is no room.
 */
static struct vt_frame *
panel_frame(const struct view_panel *p, const struct grapheme_table *gt,
    unsigned cols, unsigned rows, const struct pen *pen)
{
	unsigned lines, i;
	struct panel_grid g;
	struct vt_frame *f;
	char more[64];
	int n;

	if (p->count == 0 || rows < 1 || cols < PANEL_COLS_MIN)
		return NULL;
	measure(p, gt, cols - 1, rows, &g);
	rows = g.rows;
	f = vt_frame_new(cols, rows);
	f->state.modes &= ~(uint32_t)VT_FRAME_CURSOR_VISIBLE;
	vt_frame_fill(f, &(struct vt_rect){ 0, 0, cols, rows }, pen);
	lines = g.shown < p->count ? rows - 1 : rows;
	for (i = 0; i < g.shown && lines > 0; i++)
		draw_item(gt, f, 1 + i / lines * g.wide, i % lines, &g,
		    &p->items[i], pen);
	if (g.shown < p->count) {
		n = snprintf(more, sizeof(more), "and %zu more%s",
		    p->count - g.shown, p->rest);
		(void)vt_frame_text(
		    f, gt, 1, rows - 1, cols, more, (size_t)n, pen);
	}
	return f;
}

void
view_panel_add(struct view_builder *b, struct sync_view *v,
    const struct view_panel *p, enum view_panel_place place)
{
	const struct client *c = b->cx.client;
	struct pen pen = view_text_message_pen(&b->cx);
	struct vt_frame *f;
	int below = c->h;

	if (!b->status_top)
		below = place == VIEW_PANEL_ON_LINE ? view_status_line_row(b)
						    : view_area_rows(b);
	f = panel_frame(p, c->mux->setup.graphemes, (unsigned)c->w,
	    (unsigned)MAX_OF(below - 1, 0), &pen);
	if (f == NULL)
		return;
	sync_view_add(
	    v, VIEW_SURFACE_PANEL, SYNC_SURFACE_OVERLAY, 0, below - f->rows, f);
	vt_frame_unref(f);
}
