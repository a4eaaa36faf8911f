/* Wrapped lines, joined for reading. */
#include "mux/vt/logical.h"

#include "base/mem.h"
#include "base/utf8.h"

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

static bool
stored_find(struct text *t, vt_row row, struct vt_stored *st)
{
	return t->ops->stored != NULL && t->ops->stored(t, row, st);
}

/* Takes a line that is stored joined; its first rows may be dropped. */
static bool
logical_stored(struct text *t, vt_row row, struct vt_logical *lg)
{
	unsigned from = 0, cols = text_cols(t);
	struct vt_stored st;
	size_t all, i;

	if (!stored_find(t, row, &st))
		return false;
	lg->line = vt_line_ref(st.line);
	lg->first = st.first;
	logical_rows(lg, st.rows);
	if (st.rows == 1 && st.line->len <= cols)
		return true;
	all = vt_wrap_rows(st.line, &st.ext, cols);
	for (i = 0; i < all; i++) {
		if (i + st.rows >= all)
			lg->start[i + st.rows - all] = from;
		from = vt_wrap_end(st.line, &st.ext, from, cols);
	}
	return true;
}

/* Returns true if ROW is stored as a row and wraps to the next one. */
static bool
row_wraps(struct text *t, vt_row row)
{
	const struct vt_line *line = text_row(t, row);
	struct vt_stored st;

	return line != NULL && (line->flags & VT_LINE_WRAPPED) != 0 &&
	       !stored_find(t, row, &st);
}

/* Joins a line that is stored as rows. */
static void
logical_join(struct text *t, vt_row row, struct vt_logical *lg)
{
	vt_row top = text_first(t), end = text_end(t), first = row, last = row;
	struct vt_line **rows, **piece;
	unsigned cols = text_cols(t);
	struct vt_extent ext;
	size_t i, n, m;

	while (first > top && row - first < VT_WRAP_ROWS &&
	       row_wraps(t, first - 1))
		first--;
	while (
	    last + 1 < end && last - row < VT_WRAP_ROWS && row_wraps(t, last))
		last++;
	n = (size_t)(last - first) + 1;
	rows = mem_alloc(n * sizeof(struct vt_line *));
	for (i = 0; i < n; i++)
		rows[i] = vt_line_ref(text_row(t, first + i));
	/* Find the piece that holds ROW. */
	piece = rows;
	m = vt_wrap_group(piece, n, cols);
	while (row >= first + m) {
		piece += m;
		first += m;
		m = vt_wrap_group(piece, (size_t)(last - first) + 1, cols);
	}
	lg->line = vt_wrap_join(t->pool, piece, m, cols, &ext);
	lg->first = first;
	logical_rows(lg, m);
	for (i = 1; i < m; i++)
		lg->start[i] = lg->start[i - 1] +
			       vt_wrap_joined(piece[i - 1], piece[i], cols);
	for (i = 0; i < n; i++)
		vt_line_unref(t->pool, rows[i]);
	mem_free(rows);
}

void
vt_logical_get(struct text *t, vt_row row, struct vt_logical *lg)
{
	bug_assert(row >= text_first(t) && row < text_end(t));
	vt_line_unref(t->pool, lg->line);
	lg->line = NULL;
	lg->textlen = SIZE_MAX;
	if (!logical_stored(t, row, lg))
		logical_join(t, row, lg);
}

void
vt_logical_fini(struct text *t, struct vt_logical *lg)
{
	vt_line_unref(t->pool, lg->line);
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

/* Writes the text of a cell; a padding counts as a space. */
static size_t
cell_text(const struct vt_line *line, unsigned cell, char *out)
{
	uint32_t ch = line->cells[cell].ch;

	if (ch - 1 < 0x7f && likely(line->cells[cell].flags == 0)) {
		out[0] = (char)ch;
		return 1;
	}
	if (line->cells[cell].width == VT_PAD) {
		out[0] = ' ';
		return 1;
	}
	return vt_line_text(line, cell, out);
}

const char *
vt_logical_text(struct vt_logical *lg, size_t *len)
{
	unsigned i, n = vt_line_written(lg->line);
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
		if (lg->captext - at < (n - i) * 4u + VT_CLUSTER_MAX + 1) {
			lg->captext += lg->captext / 2 + VT_CLUSTER_MAX;
			lg->text = mem_resize(lg->text, lg->captext, 1);
		}
		at += cell_text(lg->line, i, lg->text + at);
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
		n = cell_text(lg->line, *cell, text);
		if (*at + n > offset)
			return;
		*at += n;
		(*cell)++;
	}
}
