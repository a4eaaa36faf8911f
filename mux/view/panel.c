#include "mux/view/panel.h"

#include <stdio.h>
#include <string.h>

#include "base/grapheme.h"
#include "base/mem.h"
#include "mux/view/status.h"
#include "mux/view/text.h"

#define PANEL_GAP 2 /* columns between two items */
#define PANEL_ITEM_MAX 48
#define PANEL_ITEM_MIN 24
#define PANEL_COLS_MIN 4

struct view_panel *
view_panel_new(void)
{
	return mem_zalloc(sizeof(struct view_panel));
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
		n = snprintf(
		    more, sizeof(more), "and %zu more", p->count - g.shown);
		(void)vt_frame_text(
		    f, gt, 1, rows - 1, cols, more, (size_t)n, pen);
	}
	return f;
}

void
view_panel_add(
    struct view_builder *b, struct sync_view *v, const struct view_panel *p)
{
	const struct client *c = b->cx.client;
	struct pen pen = view_text_message_pen(&b->cx);
	struct vt_frame *f;
	int below = c->h;

	if (b->side == CLIENT_BOTTOM)
		below = view_status_line_row(b);
	else if (b->side != CLIENT_TOP)
		below = b->area.h;
	f = panel_frame(p, c->mux->setup.graphemes, (unsigned)c->w,
	    (unsigned)MAX_OF(below - 1, 0), &pen);
	if (f == NULL)
		return;
	sync_view_add(
	    v, VIEW_SURFACE_PANEL, SYNC_SURFACE_OVERLAY, 0, below - f->rows, f);
	vt_frame_unref(f);
}
