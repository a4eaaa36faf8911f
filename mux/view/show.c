#include "mux/view/show.h"

#include "base/mem.h"
#include "mux/mode/copy.h"
#include "mux/pane.h"
#include "mux/vt/block.h"
#include "mux/vt/show.h"
#include "mux/vt/turn.h"
#include "mux/window.h"

/* Rows of the history that may decide the direction of the screen's first row. */
#define SHOW_BEFORE 16

/* A pane with rows in another order, in the last view. */
struct view_turned {
	uint32_t pane;
	unsigned rows;
	unsigned cols;
	uint16_t **maps; /* [rows], of vt_turn */
};

/* --- columns of turned rows -------------------------------------------------- */

static void
maps_free(uint16_t **maps, unsigned rows)
{
	unsigned y;

	for (y = 0; maps != NULL && y < rows; y++)
		mem_free(maps[y]);
	mem_free(maps);
}

static struct view_turned *
turned_find(const struct view_builder *b, uint32_t pane)
{
	size_t i;

	for (i = 0; i < b->turned_count; i++)
		if (b->turned[i].pane == pane)
			return &b->turned[i];
	return NULL;
}

static void
turned_drop(struct view_builder *b, struct view_turned *t)
{
	maps_free(t->maps, t->rows);
	*t = b->turned[--b->turned_count];
}

/* Keeps MAPS of F, the frame of pane ID, instead of those before. */
static void
turned_put(struct view_builder *b, uint32_t id, const struct vt_frame *f,
    uint16_t **maps)
{
	struct view_turned *t = turned_find(b, id);

	if (t != NULL)
		turned_drop(b, t);
	if (maps == NULL)
		return;
	b->turned =
	    mem_resize(b->turned, b->turned_count + 1, sizeof(*b->turned));
	b->turned[b->turned_count++] =
	    (struct view_turned){ id, f->rows, f->cols, maps };
}

void
view_show_sweep(struct view_builder *b, const struct sync_view *v)
{
	size_t i;

	for (i = b->turned_count; i-- > 0;)
		if (sync_view_find(v, VIEW_SURFACE_PANE(b->turned[i].pane)) ==
		    NULL)
			turned_drop(b, &b->turned[i]);
}

void
view_show_fini(struct view_builder *b)
{
	while (b->turned_count > 0)
		turned_drop(b, &b->turned[0]);
	mem_free(b->turned);
	b->turned = NULL;
}

/* --- text from right to left ---------------------------------------------------- */

/* Whether P's rows may be turned: those of its program and of copy mode. */
static bool
turns(const struct pane *p)
{
	return options_flag(&p->window->options, OPTION_BIDI) &&
	       (pane_mode(p) == NULL || copy_mode_top(p) != NULL);
}

/* Columns of a row: half as many if it is of double width. */
static unsigned
row_cols(const struct vt_frame *f, unsigned y)
{
	return (f->lines[y]->flags & VT_LINE_DOUBLE_WIDTH) != 0
		   ? MAX_OF(f->cols / 2u, 1u)
		   : f->cols;
}

/* Returns the row after the paragraph that begins at row Y. */
static unsigned
paragraph_end(const struct vt_frame *f, unsigned y)
{
	while (y + 1 < f->rows && (f->lines[y]->flags & VT_LINE_WRAPPED) != 0 &&
	       row_cols(f, y) == row_cols(f, y + 1))
		y++;
	return y + 1;
}

/*
 * Writes the rows above the screen from which its first row goes on to ROWS;
 * returns their number.
 */
static unsigned
rows_before(const struct pane *p, struct vt_line *rows[SHOW_BEFORE])
{
	struct vt_grid *g = vt_term_grid(p->term);
	const vt_row screen = vt_grid_screen(g);
	unsigned n = 0, i;

	if (pane_mode(p) != NULL)
		return 0;
	while (n < SHOW_BEFORE && screen - n > vt_grid_first(g) &&
	       (vt_grid_row(g, screen - n - 1)->flags & VT_LINE_WRAPPED) != 0)
		n++;
	for (i = 0; i < n; i++)
		rows[i] = vt_line_ref(vt_grid_row(g, screen - n + i));
	return n;
}

/* Moves the cursor of F to the place of its cell, by its row's MAP. */
static void
turn_cursor(struct vt_frame *f, const uint16_t *map)
{
	unsigned x, cols = row_cols(f, f->state.y);

	for (x = 0; x < cols; x++)
		if (map[x] == f->state.x) {
			f->state.x = (uint16_t)x;
			return;
		}
}

/* Turns the rows FROM..TO-1 of F, a paragraph, and sets their MAPS. */
static void
turn_rows(struct vt_frame *f, const struct pane *p, unsigned from, unsigned to,
    uint16_t **maps)
{
	struct vt_line **rows;
	uint16_t **all;
	unsigned i, n = 0;

	rows = mem_calloc(SHOW_BEFORE + to - from, sizeof(*rows));
	all = mem_calloc(SHOW_BEFORE + to - from, sizeof(*all));
	if (from == 0 && row_cols(f, 0) == f->cols)
		n = rows_before(p, rows);
	for (i = from; i < to; i++)
		rows[n + i - from] = f->lines[i];
	vt_turn(rows, n + to - from, n, row_cols(f, from), all);
	for (i = from; i < to; i++) {
		f->lines[i] = rows[n + i - from];
		maps[i] = all[n + i - from];
	}
	for (i = 0; i < n; i++)
		vt_line_unref(NULL, rows[i]);
	mem_free(rows);
	mem_free(all);
}

/* Turns the rows of F that need it. */
static void
turn(struct view_builder *b, const struct pane *p, struct vt_frame *f)
{
	uint16_t **maps = NULL;
	unsigned y, i, end;
	bool needed;

	for (y = 0; y < f->rows; y = end) {
		end = paragraph_end(f, y);
		needed = false;
		for (i = y; i < end && !needed; i++)
			needed = vt_turn_needed(f->lines[i]);
		if (!needed)
			continue;
		if (maps == NULL)
			maps = mem_calloc(f->rows, sizeof(*maps));
		turn_rows(f, p, y, end, maps);
	}
	if (maps != NULL && maps[f->state.y] != NULL)
		turn_cursor(f, maps[f->state.y]);
	turned_put(b, p->id, f, maps);
}

/* --- double width -------------------------------------------------------------- */

/*
 * Whether the client's terminal has rows of double size, and this pane whole
 * rows of it.
 */
static bool
is_wide_enough(const struct view_builder *b, const struct pane *p)
{
	const struct client *c = b->cx.client;

	return b->window_x + p->x == 0 && p->w == c->w &&
	       client_has_feature(c, "doublesize");
}

/* Shows row Y of F as pairs. */
static void
show_row(struct vt_frame *f, unsigned y, bool halves)
{
	struct vt_line *line = f->lines[y];
	bool text;

	/* On other terminals the upper half alone shows text of double height. */
	text = halves || (line->flags & VT_LINE_DOUBLE_BOTTOM) == 0;
	f->lines[y] = vt_show_pairs(line, f->cols, text);
	vt_line_unref(NULL, line);
	if (f->state.y == y)
		f->state.x = (uint16_t)MIN_OF(f->state.x * 2u, f->cols - 1u);
}

/* --- blocks --------------------------------------------------------------------- */

static unsigned
row_flags(const struct vt_frame *f)
{
	unsigned y, flags = 0;

	for (y = 0; y < f->rows; y++)
		flags |= f->lines[y]->flags;
	return flags;
}

/* The rows keep their flag: no key is predicted in them. */
void
view_show_blocks(const struct view_builder *b, struct vt_frame *f)
{
	const bool sized = client_has_feature(b->cx.client, "textsize");
	unsigned y;

	if (likely((row_flags(f) & VT_LINE_BLOCKS) == 0))
		return;
	(void)vt_block_settle(NULL, f->lines, f->rows, sized, false);
	for (y = 0; y < f->rows && sized; y++)
		if ((f->lines[y]->flags & VT_LINE_BLOCKS) != 0)
			vt_frame_own(f, y)->flags |= VT_LINE_SIZED;
}

/* --- frames --------------------------------------------------------------------- */

struct vt_frame *
view_show(struct view_builder *b, const struct pane *p, struct vt_frame *f)
{
	const bool bidi = turns(p);
	struct vt_frame *shown;
	unsigned y;
	bool halves;

	if (likely(!bidi && b->turned_count == 0 && !view_show_changed(f)))
		return f;
	shown = vt_frame_clone(f);
	vt_frame_unref(f);
	if (bidi) {
		shown->state.modes |= VT_FRAME_BIDI;
		turn(b, p, shown);
	} else {
		turned_put(b, p->id, shown, NULL);
	}
	halves = is_wide_enough(b, p);
	for (y = 0; y < shown->rows; y++)
		if ((shown->lines[y]->flags & VT_LINE_DOUBLE_WIDTH) != 0)
			show_row(shown, y, halves);
	view_show_blocks(b, shown);
	return shown;
}

struct vt_frame *
view_show_popup(struct vt_frame *f)
{
	struct vt_frame *shown;
	unsigned y;

	if (likely((row_flags(f) & VT_LINE_DOUBLE_WIDTH) == 0))
		return f;
	shown = vt_frame_clone(f);
	vt_frame_unref(f);
	for (y = 0; y < shown->rows; y++)
		if ((shown->lines[y]->flags & VT_LINE_DOUBLE_WIDTH) != 0)
			show_row(shown, y, false);
	return shown;
}

int
view_show_popup_column(const struct view_builder *b, int x, int y)
{
	const struct sync_surface *sf =
	    b->view == NULL ? NULL
			    : sync_view_find(b->view, VIEW_SURFACE_POPUP);

	if (sf == NULL || x < 0 || y < 0 || y >= (int)sf->frame->rows ||
	    (sf->frame->lines[y]->flags & VT_LINE_DOUBLE_WIDTH) == 0)
		return x;
	return x / 2;
}

bool
view_show_changed(const struct vt_frame *f)
{
	return (row_flags(f) & VT_LINE_SHOWN) != 0;
}

int
view_show_column(
    const struct view_builder *b, const struct pane *p, int x, int y)
{
	const struct view_turned *t = turned_find(b, p->id);
	const struct sync_surface *sf;

	if (b->view == NULL || x < 0 || y < 0)
		return x;
	sf = sync_view_find(b->view, VIEW_SURFACE_PANE(p->id));
	if (sf == NULL || y >= (int)sf->frame->rows)
		return x;
	if ((sf->frame->lines[y]->flags & VT_LINE_DOUBLE_WIDTH) != 0)
		x /= 2;
	if (t != NULL && y < (int)t->rows && t->maps[y] != NULL &&
	    x < (int)row_cols(sf->frame, (unsigned)y) && x < (int)t->cols)
		x = t->maps[y][x];
	return x;
}
