/*
 * Wrapped lines joined for reading.
 */
#include "mux/vt/logical.h"

#include "base/mem.h"
#include "base/utf8.h"
#include "mux/vt/wrap.h"

static void
logical_rows(struct vt_logical *lg, size_t rows)
{
	if (lg->capstart < rows) {
		lg->capstart = rows + 16;
		lg->start =
		    mem_resize(lg->start, lg->capstart, sizeof(*lg->start));
	}
	lg->rows = rows;
	if (rows > 0)
		lg->start[0] = 0;
}

/* A line of packed history; its first rows may have been dropped. */
static bool
logical_packed(struct vt_grid *g, vt_row row, struct vt_logical *lg)
{
	vt_row top = vt_grid_first(g);
	const struct vt_line *line;
	struct vt_extent ext;
	size_t first, rows, all, i;
	unsigned from = 0;

	if (g->history == NULL || row >= vt_grid_screen(g))
		return false;
	line = vt_history_line(g->history, (size_t)(row - top), &first, &rows);
	if (line == NULL)
		return false;
	lg->line = vt_line_ref(line);
	lg->first = top + first;
	logical_rows(lg, rows);
	if (rows == 1 && line->len <= g->cols)
		return true;
	vt_history_extent(g->history, &ext);
	all = vt_wrap_rows(line, &ext, g->cols);
	for (i = 0; i < all; i++) {
		if (i + rows >= all)
			lg->start[i + rows - all] = from;
		from = vt_wrap_end(line, &ext, from, g->cols);
	}
	return true;
}

/* A line of hot and screen rows. */
static void
logical_join(struct vt_grid *g, vt_row row, struct vt_logical *lg)
{
	vt_row hot = vt_grid_screen(g), first = row, last = row;
	struct vt_line **rows, **piece;
	struct vt_extent ext;
	size_t i, n, m;

	if (g->history != NULL)
		hot -= vt_history_hot(g->history);
	while (first > hot && row - first < VT_WRAP_ROWS &&
	       (vt_grid_row(g, first - 1)->flags & VT_LINE_WRAPPED) != 0)
		first--;
	while (last + 1 < vt_grid_end(g) && last - row < VT_WRAP_ROWS &&
	       (vt_grid_row(g, last)->flags & VT_LINE_WRAPPED) != 0)
		last++;
	n = (size_t)(last - first) + 1;
	rows = mem_alloc(n * sizeof(struct vt_line *));
	for (i = 0; i < n; i++)
		rows[i] = vt_line_ref(vt_grid_row(g, first + i));
	/* The piece that holds ROW, should the line be that long. */
	piece = rows;
	m = vt_wrap_group(piece, n, g->cols);
	while (row >= first + m) {
		piece += m;
		first += m;
		m = vt_wrap_group(piece, (size_t)(last - first) + 1, g->cols);
	}
	lg->line = vt_wrap_join(g->pool, piece, m, g->cols, &ext);
	lg->first = first;
	logical_rows(lg, m);
	for (i = 1; i < m; i++)
		lg->start[i] = lg->start[i - 1] +
			       vt_wrap_joined(piece[i - 1], piece[i], g->cols);
	for (i = 0; i < n; i++)
		vt_line_unref(g->pool, rows[i]);
	mem_free(rows);
}

void
vt_logical_get(struct vt_grid *g, vt_row row, struct vt_logical *lg)
{
	bug_assert(row >= vt_grid_first(g) && row < vt_grid_end(g));
	vt_line_unref(g->pool, lg->line);
	lg->line = NULL;
	lg->textlen = SIZE_MAX;
	if (!logical_packed(g, row, lg))
		logical_join(g, row, lg);
}

void
vt_logical_fini(struct vt_grid *g, struct vt_logical *lg)
{
	vt_line_unref(g->pool, lg->line);
	mem_free(lg->start);
	mem_free(lg->text);
	lg->line = NULL;
	lg->start = NULL;
	lg->text = NULL;
	lg->capstart = lg->captext = 0;
}

struct vt_pos
vt_logical_pos(const struct vt_logical *lg, unsigned cell)
{
	size_t lo = 0, hi = lg->rows, mid;
	struct vt_pos pos;

	while (hi - lo > 1) {
		mid = lo + (hi - lo) / 2;
		if (lg->start[mid] <= cell)
			lo = mid;
		else
			hi = mid;
	}
	pos.row = lg->first + lo;
	pos.col = cell < lg->start[lo] ? 0 : cell - lg->start[lo];
	return pos;
}

unsigned
vt_logical_cell(const struct vt_logical *lg, struct vt_pos pos)
{
	size_t i = pos.row < lg->first ? 0 : (size_t)(pos.row - lg->first);
	unsigned cell;

	i = MIN_OF(i, lg->rows - 1);
	cell = lg->start[i] + pos.col;
	if (i + 1 < lg->rows)
		cell = MIN_OF(cell, lg->start[i + 1] - 1);
	return cell;
}

const char *
vt_logical_text(struct vt_logical *lg, size_t *len)
{
	unsigned i, n = vt_line_written(lg->line);
	const struct vt_line *line = lg->line;
	size_t at = 0;

	if (lg->textlen != SIZE_MAX) {
		*len = lg->textlen;
		return lg->text;
	}
	if (lg->captext < n * 4u + VT_CLUSTER_MAX + 1) {
		lg->captext = n * 4u + VT_CLUSTER_MAX + 256;
		lg->text = mem_resize(lg->text, lg->captext, 1);
	}
	for (i = 0; i < n; i++) {
		uint32_t ch = line->cells[i].ch;

		if (ch - 1 < 0x7f) {
			lg->text[at++] = (char)ch;
			continue;
		}
		if (lg->captext - at < (n - i) * 4u + VT_CLUSTER_MAX + 1) {
			lg->captext += lg->captext / 2 + VT_CLUSTER_MAX;
			lg->text = mem_resize(lg->text, lg->captext, 1);
		}
		at += vt_line_text(line, i, lg->text + at);
	}
	lg->text[at] = '\0';
	*len = lg->textlen = at;
	return lg->text;
}

void
vt_logical_walk(
    const struct vt_logical *lg, size_t offset, unsigned *cell, size_t *at)
{
	char text[VT_CLUSTER_MAX + 1];
	size_t n;

	while (*cell < lg->line->len) {
		n = vt_line_text(lg->line, *cell, text);
		if (*at + n > offset)
			return;
		*at += n;
		(*cell)++;
	}
}
