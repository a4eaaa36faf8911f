/*
 * Invariants, counters and dumps for tests and fuzzers.  The program has no
 * caller of these functions, so it does not link this file.
 */
#include "base/err.h"
#include "mux/vt/block.h"
#include "mux/vt/ctl.h"
#include "mux/vt/dump.h"
#include "mux/vt/history_int.h"
#include "mux/vt/wrap.h"

/* --- lines ---------------------------------------------------------------- */

static const char *
check_cell(const struct vt_line *line, unsigned i)
{
	struct vt_cell c = line->cells[i];
	uint32_t at = c.ch & ~VT_CELL_CLUSTER;
	const struct vt_link *k;

	if (c.flags != 0 && (line->flags & VT_LINE_BLOCKS) == 0)
		return "cell of a block in a line without the flag";
	k = vt_line_block(line, i);
	if (k != NULL && c.flags > vt_block_cols(k))
		return "column of a block";
	if (c.width > VT_TAB_REST || c.width == VT_TAB_REST - 1)
		return "cell width";
	if (c.width == VT_TAB_REST &&
	    (i == 0 || line->cells[i - 1].width < VT_TAB))
		return "rest of no tab";
	if (c.width >= VT_TAB && c.ch != ' ')
		return "text in a tab";
	if (c.style != 0 && c.style >= line->nstyles)
		return "style index";
	if (c.width == VT_WIDE &&
	    (i + 1 >= line->len || line->cells[i + 1].width != VT_TAIL))
		return "wide without tail";
	if (c.width == VT_TAIL &&
	    (i == 0 || line->cells[i - 1].width != VT_WIDE))
		return "tail without wide";
	if (c.width == VT_TAIL && c.style != line->cells[i - 1].style)
		return "tail of another style";
	if ((c.width == VT_TAIL || c.width == VT_PAD) && c.ch != 0)
		return "text in tail or padding";
	if ((c.ch & VT_CELL_CLUSTER) != 0) {
		if (at >= line->ntext || line->text[at] == 0 ||
		    line->text[at] > VT_CLUSTER_MAX ||
		    at + 1 + line->text[at] > line->ntext)
			return "cluster offset";
	} else if (c.ch > 0x10ffff) {
		return "code point";
	}
	return NULL;
}

const char *
vt_line_check(const struct vt_line *line)
{
	const char *bad;
	unsigned i;

	if (line->refs == 0)
		return "no references";
	if (line->len > line->cap || line->cap > VT_LINE_CELLS_MAX)
		return "length above capacity";
	if (line->nstyles > line->capstyles || line->nlinks > line->caplinks ||
	    line->ntext > line->captext)
		return "table above capacity";
	if (line->nstyles > 0 && line->styles[0].link != 0)
		return "default style with a link";
	for (i = 0; i < line->nstyles; i++)
		if (line->styles[i].link > line->nlinks)
			return "link index";
	for (i = 0; i < line->len; i++)
		if ((bad = check_cell(line, i)) != NULL)
			return bad;
	return NULL;
}

/* --- history -------------------------------------------------------------- */

static const char *
check_page(struct vt_history *h, uint64_t page, size_t rows)
{
	struct hist_view *v = vt_hist_page_view(h, page);
	struct vt_extent ext;
	struct vt_line *line;
	const char *bad = NULL;
	size_t n = 0;
	unsigned i;

	for (i = 0; i < v->lines && bad == NULL; i++) {
		line = vt_unpack_framed(
		    h->pool, v->bytes + v->off[i], v->off[i + 1] - v->off[i]);
		if (line == NULL)
			return "packed line does not unpack";
		ext = vt_hist_extent(v, i);
		n += vt_wrap_rows(line, &ext, h->cols);
		bad = vt_line_check(line);
		vt_line_unref(h->pool, line);
	}
	if (bad == NULL && n != rows)
		bad = "rows of a page";
	return bad;
}

const char *
vt_history_check(struct vt_history *h)
{
	const char *bad;
	size_t i, rows = 0, bytes = 0, hot = 0;
	uint64_t first = h->dropped - h->skip;

	for (i = 0; i < h->npages; i++) {
		struct hist_page *p = &h->pages[h->page_start + i];

		if (p->first != first + rows)
			return "first row of a page";
		if ((bad = check_page(h, h->page_number + i, p->rows)) != NULL)
			return bad;
		rows += p->rows;
		bytes += vt_hist_page_bytes(p);
		if (i == 0 && h->skip >= p->rows)
			return "a page that should be gone";
	}
	if (h->open != NULL) {
		if ((bad = check_page(
			 h, h->page_number + h->npages, h->open->rows)) != NULL)
			return bad;
		rows += h->open->rows;
	}
	for (i = 0; i < h->hot_n; i++) {
		struct vt_line *line = h->hot[(h->hot_start + i) % h->caphot];

		if ((bad = vt_line_check(line)) != NULL)
			return bad;
		hot += vt_line_bytes(line);
	}
	vt_hist_cache_drop(h);
	if (rows != h->packed_rows || h->skip > rows || h->skip > h->dropped)
		return "packed rows";
	if (bytes != h->page_bytes || hot != h->hot_bytes)
		return "bytes";
	return NULL;
}

/* --- grid ----------------------------------------------------------------- */

const char *
vt_grid_check(struct vt_grid *g)
{
	const char *bad;
	unsigned y;

	if (g->blank->len != 0 || g->blank->flags != 0)
		return "the blank line is not blank";
	if (g->lines < g->store || g->lines + g->rows > g->store + g->capstore)
		return "rows outside their store";
	for (y = 0; y < g->rows; y++) {
		if ((bad = vt_line_check(g->lines[y])) != NULL)
			return bad;
		if (g->lines[y]->len > g->cols)
			return "line longer than the grid is wide";
	}
	return g->history == NULL ? NULL : vt_history_check(g->history);
}

/* --- frame ---------------------------------------------------------------- */

const char *
vt_frame_check(const struct vt_frame *f)
{
	const char *bad;
	unsigned y;

	if (f->refs == 0 || f->cols == 0 || f->rows == 0 ||
	    f->cols > VT_COLS_MAX || f->rows > VT_ROWS_MAX)
		return "size or references";
	if (f->state.x > f->cols || f->state.y >= f->rows)
		return "cursor outside";
	for (y = 0; y < f->rows; y++) {
		if ((bad = vt_line_check(f->lines[y])) != NULL)
			return bad;
		if (f->lines[y]->len > f->cols)
			return "line longer than the frame is wide";
	}
	return NULL;
}

int
vt_dump_frame(struct buf *out, const struct vt_frame *f, unsigned flags)
{
	unsigned y;

	for (y = 0; y < f->rows && !out->overflow; y++) {
		(void)vt_dump_line(out, f->lines[y], 0, f->cols, flags);
		(void)buf_add_u8(out, '\n');
	}
	return out->overflow ? -ERR_LIMIT : 0;
}

int
vt_dump_raw_frame(struct buf *out, const struct vt_frame *f)
{
	unsigned y;

	for (y = 0; y < f->rows; y++)
		vt_dump_raw(out, f->lines[y]);
	return out->overflow ? -ERR_LIMIT : 0;
}

/* --- terminal ------------------------------------------------------------- */

const struct pen *
vt_term_pen(const struct vt_term *t)
{
	return &t->pen;
}

void
vt_term_stats(const struct vt_term *t, struct vt_stats *out)
{
	*out = t->stats;
	out->malformed = t->parser.malformed;
	out->aborted = t->parser.aborted;
	out->string_excess = t->parser.string_excess;
	out->ill_formed = t->parser.ill_formed;
	out->effects_dropped = t->effects.dropped;
}

const char *
vt_term_check(struct vt_term *t)
{
	const char *bad;

	if (t->x < 0 || t->x >= t->cols || t->y < 0 || t->y >= t->rows)
		return "cursor off the screen";
	if (t->top < 0 || t->top > t->bottom || t->bottom >= t->rows)
		return "top and bottom margins";
	if (t->left < 0 || t->left > t->right || t->right >= t->cols)
		return "left and right margins";
	if (t->last.joinable && (t->last.x >= t->cols || t->last.y >= t->rows))
		return "last cluster off the screen";
	if (t->grid != t->screens[t->alternate].grid)
		return "another grid than the screen's";
	if (t->grid->cols != (unsigned)t->cols ||
	    t->grid->rows != (unsigned)t->rows)
		return "grid of another size";
	if ((bad = vt_grid_check(t->screens[0].grid)) != NULL)
		return bad;
	return t->screens[1].grid == NULL ? NULL
					  : vt_grid_check(t->screens[1].grid);
}
