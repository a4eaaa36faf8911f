/*
 * Reading packed history: rows by number, places that survive a change of
 * width, and the change of width.  One page and one line of it stay unpacked,
 * so that reading rows in order is cheap.
 */
#include <string.h>

#include "base/mem.h"
#include "mux/vt/history_int.h"

void
vt_hist_cache_drop(struct vt_history *h)
{
	struct hist_cache *c = h->cache;

	if (c == NULL)
		return;
	vt_line_unref(h->pool, c->line);
	vt_line_unref(h->pool, c->row);
	c->line = c->row = NULL;
	c->now.page = c->before.page = UINT64_MAX;
}

void
vt_hist_cache_free(struct vt_history *h)
{
	vt_hist_cache_drop(h);
	if (h->cache != NULL) {
		mem_free(h->cache->now.raw);
		mem_free(h->cache->before.raw);
	}
	mem_free(h->cache);
	h->cache = NULL;
}

static struct hist_cache *
cache_get(struct vt_history *h)
{
	if (h->cache == NULL) {
		h->cache = mem_zalloc(sizeof(*h->cache));
		h->cache->now.page = h->cache->before.page = UINT64_MAX;
	}
	return h->cache;
}

/* Finds the offset of each packed line of a page. */
static void
view_index(struct hist_view *v, size_t size, const struct hist_open *open)
{
	unsigned i;
	size_t at = 0;

	if (open != NULL) {
		memcpy(v->off, open->off, sizeof(v->off));
		return;
	}
	for (i = 0; i < v->lines; i++) {
		v->off[i] = (uint32_t)at;
		at += vt_pack_framed_size(v->bytes + at, size - at);
	}
	v->off[i] = (uint32_t)at;
}

/* Reads a closed page; decompresses it if necessary. */
static void
read_closed(struct vt_history *h, struct hist_read *r, uint64_t page)
{
	const struct hist_page *p =
	    &h->pages[h->page_start + (size_t)(page - h->page_number)];
	struct hist_view *v = &r->view;

	v->extents = vt_hist_extents(p);
	v->lines = p->lines;
	v->bytes = p->data + p->lines * sizeof(uint16_t);
	if (p->size != p->raw) {
		if (r->capraw < p->raw) {
			mem_free(r->raw);
			r->raw = mem_alloc(p->raw);
			r->capraw = p->raw;
		}
		bug_assert(
		    vt_pool_unpack(h->pool, v->bytes, p->size, r->raw, p->raw));
		h->unpacked++;
		v->bytes = r->raw;
	}
	view_index(v, p->raw, NULL);
	r->page = page;
}

struct hist_view *
vt_hist_page_view(struct vt_history *h, uint64_t page)
{
	struct hist_cache *c = cache_get(h);
	struct hist_view *v = &c->now.view;
	struct hist_read last;

	if (c->now.page == page)
		return v;
	if (c->now.page != UINT64_MAX || c->before.page == page) {
		last = c->now;
		c->now = c->before;
		c->before = last;
	}
	if (c->now.page == page)
		return v;
	vt_line_unref(h->pool, c->line);
	vt_line_unref(h->pool, c->row);
	c->line = c->row = NULL;
	if (page - h->page_number == h->npages) {
		v->bytes = h->open->bytes.p;
		v->extents = h->open->extents;
		v->lines = h->open->lines;
		view_index(v, h->open->bytes.len, h->open);
		/* The open page grows and moves: do not reuse its view. */
		c->now.page = UINT64_MAX;
		return v;
	}
	read_closed(h, &c->now, page);
	return v;
}

struct vt_extent
vt_hist_extent(const struct hist_view *v, unsigned i)
{
	struct vt_extent ext = { v->extents[i] & EXTENT_COLS,
		(v->extents[i] & EXTENT_WIDE) != 0 };

	return ext;
}

struct vt_line *
vt_hist_unpack(struct vt_history *h, const struct hist_view *v, unsigned i)
{
	struct vt_line *line = vt_unpack_framed(
	    h->pool, v->bytes + v->off[i], v->off[i + 1] - v->off[i]);

	bug_assert(line != NULL);
	return line;
}

/* Returns the rows of line I of a view at the present width. */
static size_t
hist_rows(const struct vt_history *h, const struct hist_view *v, unsigned i)
{
	struct vt_extent ext = vt_hist_extent(v, i);

	if (!ext.wide || ext.width <= h->cols)
		return vt_wrap_rows(NULL, &ext, h->cols);
	return vt_pack_framed_rows(v->bytes + v->off[i],
	    v->off[i + 1] - v->off[i], ext.width, h->cols);
}

/* Caches line I of a page; FIRST is the number of its first row. */
static void
cache_entry(struct vt_history *h, uint64_t page, unsigned i, uint64_t first)
{
	struct hist_view *v = vt_hist_page_view(h, page);
	struct hist_cache *c = h->cache;

	vt_line_unref(h->pool, c->line);
	c->line = vt_hist_unpack(h, v, i);
	c->ext = vt_hist_extent(v, i);
	c->rows = vt_wrap_rows(c->line, &c->ext, h->cols);
	c->first = first;
	c->entry_page = page;
	c->entry = i;
	c->k = 0;
	c->from = 0;
}

/* Finds the page that holds row number ROW, and the number of its first row. */
static uint64_t
page_find(const struct vt_history *h, uint64_t row, uint64_t *first)
{
	size_t lo = 0, hi = h->npages, mid;
	const struct hist_page *pages = h->pages + h->page_start;

	*first = h->dropped - h->skip + h->packed_rows -
		 (h->open == NULL ? 0 : h->open->rows);
	if (row >= *first)
		return h->page_number + h->npages;
	while (hi - lo > 1) {
		mid = lo + (hi - lo) / 2;
		if (pages[mid].first <= row)
			lo = mid;
		else
			hi = mid;
	}
	*first = pages[lo].first;
	return h->page_number + lo;
}

/* Caches the packed line that holds row number ROW. */
static void
cache_row(struct vt_history *h, uint64_t row, uint64_t *pagep)
{
	struct hist_cache *c = cache_get(h);
	uint64_t first, page = page_find(h, row, &first);
	struct hist_view *v;
	unsigned i = 0;
	size_t n;

	*pagep = page;
	if (c->line != NULL && c->entry_page == page) {
		if (row >= c->first && row < c->first + c->rows)
			return;
		if (row >= c->first + c->rows) { /* continue from there */
			first = c->first + c->rows;
			i = c->entry + 1;
		}
	}
	v = vt_hist_page_view(h, page);
	for (; i < v->lines; i++) {
		n = hist_rows(h, v, i);
		if (row < first + n)
			break;
		first += n;
	}
	bug_assert(i < v->lines);
	cache_entry(h, page, i, first);
}

/* Returns the column at which row K of the cached line begins. */
static unsigned
cache_from(struct vt_history *h, size_t k)
{
	struct hist_cache *c = h->cache;

	if (!c->ext.wide)
		return (unsigned)k * h->cols;
	if (k < c->k)
		c->k = c->from = 0;
	for (; c->k < k; c->k++)
		c->from = vt_wrap_end(c->line, &c->ext, c->from, h->cols);
	return c->from;
}

const struct vt_line *
vt_history_row(struct vt_history *h, size_t row)
{
	size_t packed = h->packed_rows - h->skip;
	struct hist_cache *c;
	unsigned from;
	uint64_t page;

	bug_assert(row < vt_history_rows(h));
	if (row >= packed)
		return h->hot[(h->hot_start + row - packed) % h->caphot];
	/* Readers of single cells ask for the same row again and again. */
	c = h->cache;
	if (c != NULL && c->row != NULL && c->row_number == h->dropped + row)
		return c->row;
	cache_row(h, h->dropped + row, &page);
	c = h->cache;
	from = cache_from(h, (size_t)(h->dropped + row - c->first));
	vt_line_unref(h->pool, c->row);
	c->row = vt_wrap_cut(h->pool, c->line, &c->ext, from,
	    vt_wrap_end(c->line, &c->ext, from, h->cols), h->cols);
	c->row_number = h->dropped + row;
	return c->row;
}

/* Returns true for the number of a row that is packed and not dropped. */
static bool
row_is_packed(const struct vt_history *h, uint64_t row)
{
	return row >= h->dropped && row - h->dropped < h->packed_rows - h->skip;
}

bool
vt_history_line(struct vt_history *h, uint64_t row, struct vt_stored *out)
{
	uint64_t page;

	if (!row_is_packed(h, row))
		return false;
	cache_row(h, row, &page);
	out->line = h->cache->line;
	out->ext = h->cache->ext;
	out->first = MAX_OF(h->cache->first, h->dropped);
	out->rows = h->cache->rows - (size_t)(out->first - h->cache->first);
	return true;
}

bool
vt_history_page(struct vt_history *h, uint64_t row, struct vt_page *out)
{
	struct hist_view *v;
	uint64_t first, page;
	unsigned i;

	if (!row_is_packed(h, row))
		return false;
	page = page_find(h, row, &first);
	v = vt_hist_page_view(h, page);
	out->bytes = v->bytes;
	out->off = v->off;
	out->lines = v->lines;
	for (i = 0; i < v->lines; i++) {
		out->start[i] = first;
		first += hist_rows(h, v, i);
	}
	out->start[i] = first;
	return true;
}

bool
vt_history_locate(
    struct vt_history *h, size_t row, unsigned col, struct vt_history_pos *pos)
{
	if (row >= h->packed_rows - h->skip)
		return false;
	cache_row(h, h->dropped + row, &pos->page);
	pos->line = h->cache->entry;
	pos->cell =
	    col + cache_from(h, (size_t)(h->dropped + row - h->cache->first));
	return true;
}

/* Returns the number of the first row of page number PAGE. */
static uint64_t
hist_page_first(const struct vt_history *h, uint64_t page)
{
	if (page - h->page_number < h->npages)
		return h->pages[h->page_start + (size_t)(page - h->page_number)]
		    .first;
	return h->dropped - h->skip + h->packed_rows -
	       (h->open == NULL ? 0 : h->open->rows);
}

bool
vt_history_resolve(struct vt_history *h, const struct vt_history_pos *pos,
    size_t *row, unsigned *col)
{
	struct hist_view *v;
	uint64_t n;
	unsigned i, from = 0, end;

	if (pos->page < h->page_number ||
	    pos->page > h->page_number + h->npages ||
	    (pos->page == h->page_number + h->npages && h->open == NULL))
		return false;
	n = hist_page_first(h, pos->page);
	v = vt_hist_page_view(h, pos->page);
	if (pos->line >= v->lines)
		return false;
	for (i = 0; i < pos->line; i++)
		n += hist_rows(h, v, i);
	cache_entry(h, pos->page, i, n);
	while ((end = vt_wrap_end(h->cache->line, &h->cache->ext, from,
		    h->cols)) < h->cache->ext.width &&
	       pos->cell >= end) {
		from = end;
		n++;
	}
	if (n < h->dropped)
		return false;
	*row = (size_t)(n - h->dropped);
	*col = MIN_OF(pos->cell - from, h->cols);
	return true;
}

/* --- another width ---------------------------------------------------------------- */

static size_t
page_count(struct vt_history *h, size_t index)
{
	struct hist_page *p = &h->pages[h->page_start + index];
	const uint16_t *ext = vt_hist_extents(p);
	unsigned i, cols = h->cols;
	size_t rows = 0;

	for (i = 0; i < p->lines; i++) {
		if (ext[i] <= cols)
			rows++;
		else if ((ext[i] & EXTENT_WIDE) == 0)
			rows += (ext[i] + cols - 1) / cols;
		else
			rows += hist_rows(
			    h, vt_hist_page_view(h, h->page_number + index), i);
	}
	return rows;
}

/*
 * At a narrower width more rows may precede the first one than were ever
 * counted as dropped.  Raises the numbers so that none is below zero.
 */
static void
renumber(struct vt_history *h)
{
	uint64_t more;
	size_t i;

	if (h->skip <= h->dropped)
		return;
	more = h->skip - h->dropped;
	h->dropped += more;
	for (i = 0; i < h->npages; i++)
		h->pages[h->page_start + i].first += more;
}

void
vt_history_set_cols(struct vt_history *h, unsigned cols)
{
	struct vt_history_pos top;
	unsigned col;
	size_t i, row;
	bool cut;

	bug_assert(h->hot_n == 0);
	if (cols == h->cols)
		return;
	cut = h->skip > 0 && vt_history_locate(h, 0, 0, &top);
	vt_hist_cache_drop(h);
	h->remade++;
	h->cols = cols;
	h->packed_rows = 0;
	h->skip = 0;
	for (i = 0; i < h->npages; i++) {
		struct hist_page *p = &h->pages[h->page_start + i];

		p->first = h->dropped + h->packed_rows;
		p->rows = (uint32_t)page_count(h, i);
		h->packed_rows += p->rows;
	}
	if (h->open != NULL) {
		h->open->rows = 0;
		for (i = 0; i < h->open->lines; i++)
			h->open->rows += hist_rows(h,
			    vt_hist_page_view(h, h->page_number + h->npages),
			    (unsigned)i);
		h->packed_rows += h->open->rows;
	}
	if (cut && vt_history_resolve(h, &top, &row, &col) && row > 0) {
		/* Rows that were dropped stay dropped at the new width. */
		for (i = 0; i < h->npages; i++)
			h->pages[h->page_start + i].first -= row;
		h->skip = row;
		renumber(h);
	}
	vt_hist_cache_drop(h);
	vt_hist_trim(h);
}
