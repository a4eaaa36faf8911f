#include "server/face/panel.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "mux/client.h"
#include "server/face/redraw.h"
#include "server/face/viewer.h"

#define PANEL_GAP 2 /* columns between two items */
#define PANEL_ITEM_MAX 48
#define PANEL_ITEM_MIN 24

struct panel *
panel_new(void)
{
	struct panel *p = mem_zalloc(sizeof(*p));

	p->rest = "";
	return p;
}

void
panel_free(struct panel *p)
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
panel_add(struct panel *p, const char *key, const char *text)
{
	struct panel_item *it;

	if (p->count == PANEL_ITEMS_MAX)
		return;
	it = &p->items[p->count++];
	it->key = key == NULL ? NULL : mem_strdup(key);
	it->text = mem_strdup(text);
}

static unsigned
text_width(const struct viewer *vw, const char *s)
{
	return s == NULL ? 0
			 : (unsigned)grapheme_text_width(
			       vw->run->graphemes, s, strlen(s));
}

/* How items are laid out: down the columns, all of them equally wide. */
struct panel_grid {
	unsigned key;  /* width of the widest key */
	unsigned wide; /* of a column, with the gap */
	unsigned cols;
	unsigned rows;
	size_t shown; /* items that fit */
};

static void
panel_measure(const struct panel *p, const struct viewer *vw, unsigned width,
    unsigned height, struct panel_grid *g)
{
	unsigned text = 0, room, widest;
	size_t i;

	*g = (struct panel_grid){ .key = 0 };
	for (i = 0; i < p->count; i++) {
		g->key = MAX_OF(g->key, text_width(vw, p->items[i].key));
		text = MAX_OF(text, text_width(vw, p->items[i].text));
	}
	if (g->key > 0)
		g->key++;
	widest = MIN_OF(g->key + text, (unsigned)PANEL_ITEM_MAX);
	g->cols = MAX_OF(width / (widest + PANEL_GAP), 1u);
	/* Narrower columns while that lets more items in. */
	while (p->count > (size_t)g->cols * height &&
	       width / (g->cols + 1) >= g->key + PANEL_ITEM_MIN + PANEL_GAP)
		g->cols++;
	g->wide = MIN_OF(width / g->cols, widest + PANEL_GAP);
	g->rows = (unsigned)((p->count + g->cols - 1) / g->cols);
	g->shown = p->count;
	if (g->rows > height) {
		/* The last row says how many are left out. */
		g->rows = height;
		room = (height - 1) * g->cols;
		g->shown = MIN_OF(p->count, (size_t)room);
	}
}

static void
draw_item(const struct viewer *vw, struct vt_frame *f, unsigned x, unsigned y,
    const struct panel_grid *g, const struct panel_item *it,
    const struct pen *pen)
{
	struct grapheme_table *gt = vw->run->graphemes;
	unsigned end = MIN_OF(x + g->wide - PANEL_GAP, (unsigned)f->cols);
	struct pen bold = *pen;

	bold.attrs |= PEN_BOLD;
	if (it->key != NULL)
		(void)vt_frame_text(
		    f, gt, x, y, end, it->key, strlen(it->key), &bold);
	(void)vt_frame_text(
	    f, gt, x + g->key, y, end, it->text, strlen(it->text), pen);
}

void
panel_draw(const struct panel *p, struct viewer *vw, struct sync_view *v,
    uint64_t id, int below)
{
	unsigned width = (unsigned)vw->client->w, rows, lines, i;
	struct pen pen = redraw_message_pen(vw);
	struct panel_grid g;
	struct vt_frame *f;
	char more[64];
	int n;

	if (p->count == 0 || below < 2 || width < 4)
		return;
	panel_measure(p, vw, width - 1, (unsigned)below - 1, &g);
	rows = g.rows;
	f = vt_frame_new(width, rows);
	f->state.modes &= ~(uint32_t)VT_FRAME_CURSOR_VISIBLE;
	vt_frame_fill(f, &(struct vt_rect){ 0, 0, width, rows }, &pen);
	lines = g.shown < p->count ? rows - 1 : rows;
	for (i = 0; i < g.shown && lines > 0; i++)
		draw_item(vw, f, 1 + i / lines * g.wide, i % lines, &g,
		    &p->items[i], &pen);
	if (g.shown < p->count) {
		n = snprintf(more, sizeof(more), "and %zu more%s",
		    p->count - g.shown, p->rest);
		(void)vt_frame_text(f, vw->run->graphemes, 1, rows - 1, width,
		    more, (size_t)n, &pen);
	}
	sync_view_add(v, id, SYNC_SURFACE_OVERLAY, 0, below - (int)rows, f);
	vt_frame_unref(f);
}
