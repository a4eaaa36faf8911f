/*
 * Rows that left the screen: hot rows, an open page, closed pages.
 *
 *	oldest                                                     newest
 *	[page zstd] ... [page zstd] [page raw] ... [open page] [hot rows]
 *	 ^ `skip` rows of the first page count as dropped
 *
 * A page is one allocation: the extents of its lines (two bytes each, so that
 * rows can be counted for any width without unpacking), then the packed lines,
 * each after its length, compressed or not.  Only lines with wide cells that
 * do not fit one row have to be looked at when the width changes.
 */
#include "mux/vt/history.h"

#include <string.h>

#include "base/mem.h"
#include "mux/vt/pack.h"
#include "mux/vt/wrap.h"

/* One line's extent in a page: columns, and whether cells are wide. */
#define EXTENT_WIDE 0x8000u
#define EXTENT_COLS 0x7fffu

struct hist_page {
	uint8_t *data; /* extents, then `size` bytes */
	uint32_t size; /* of the packed lines as stored */
	uint32_t raw;  /* of the packed lines uncompressed */
	uint32_t rows; /* at the present width */
	uint32_t lines;
	uint64_t first; /* row number of its first row since the beginning */
};

/* A page being read: offsets of its packed lines. */
struct hist_view {
	const uint8_t *bytes;
	const uint16_t *extents;
	unsigned lines;
	uint32_t off[VT_HISTORY_PAGE + 1];
};

/* The page being filled; allocated when the first line is packed. */
struct hist_open {
	struct vt_bytes bytes;
	unsigned lines;
	size_t rows;
	uint16_t extents[VT_HISTORY_PAGE];
	uint32_t off[VT_HISTORY_PAGE + 1];
};

/* What was looked at last; allocated on the first look. */
struct hist_cache {
	uint8_t *raw; /* a decompressed page */
	size_t capraw;
	uint64_t page; /* number of the page in `view`; UINT64_MAX none */
	struct hist_view view;
	uint64_t entry_page;  /* the page `line` is of */
	unsigned entry;       /* which line of it */
	struct vt_line *line; /* NULL: none */
	struct vt_extent ext;
	uint64_t first; /* number of its first row */
	size_t rows;
	size_t k; /* row of `line` looked at last, and where it begins */
	unsigned from;
	struct vt_line *row; /* the row handed out last */
};

struct vt_history {
	struct vt_pool *pool;
	unsigned cols;
	size_t max_rows;
	size_t max_bytes;
	struct vt_line **hot; /* ring of caphot */
	size_t hot_start;
	size_t hot_n;
	size_t caphot;
	size_t hot_bytes;
	struct hist_page *pages; /* pages[page_start..page_start+npages-1] */
	size_t page_start;
	size_t npages;
	size_t cappages;
	size_t page_bytes;
	size_t raw_bytes;     /* of pages not compressed */
	size_t nraw;          /* pages at the end not compressed */
	uint64_t page_number; /* of the first page held */
	size_t packed_rows;   /* of all pages, skipped ones included */
	size_t skip;
	uint64_t dropped;
	struct hist_open *open;
	struct hist_cache *cache;
};

struct vt_history *
vt_history_new(
    struct vt_pool *pool, unsigned cols, size_t max_rows, size_t max_bytes)
{
	struct vt_history *h = mem_zalloc(sizeof(*h));

	h->pool = pool;
	h->cols = cols;
	h->max_rows = max_rows;
	h->max_bytes = max_bytes;
	return h;
}

static size_t
page_alloc_size(const struct hist_page *p)
{
	return p->lines * sizeof(uint16_t) + p->size;
}

/* Forgets what was looked at: called by everything that changes pages. */
static void
cache_drop(struct vt_history *h)
{
	struct hist_cache *c = h->cache;

	if (c == NULL)
		return;
	vt_line_unref(h->pool, c->line);
	vt_line_unref(h->pool, c->row);
	c->line = c->row = NULL;
	c->page = UINT64_MAX;
}

static void
cache_free(struct vt_history *h)
{
	cache_drop(h);
	if (h->cache != NULL)
		mem_free(h->cache->raw);
	mem_free(h->cache);
	h->cache = NULL;
}

/* --- dropping the oldest ---------------------------------------------------- */

static void
page_drop_first(struct vt_history *h)
{
	struct hist_page *p = &h->pages[h->page_start];

	h->page_bytes -= page_alloc_size(p);
	if (h->nraw == h->npages) {
		h->nraw--;
		h->raw_bytes -= p->size;
	}
	h->packed_rows -= p->rows;
	mem_free(p->data);
	h->page_start++;
	h->npages--;
	h->page_number++;
}

static void
open_clear(struct vt_history *h)
{
	h->packed_rows -= h->open->rows;
	h->open->lines = 0;
	h->open->rows = 0;
	h->open->bytes.len = 0;
	/* Its number is given up, so that places in it are known as gone. */
	h->page_number++;
}

static struct vt_line *
hot_shift(struct vt_history *h)
{
	struct vt_line *line = h->hot[h->hot_start];

	h->hot_start = h->hot_start + 1 == h->caphot ? 0 : h->hot_start + 1;
	h->hot_n--;
	h->hot_bytes -= vt_line_bytes(line);
	return line;
}

/* Counts N packed rows (at most those there are) as dropped. */
static void
packed_drop(struct vt_history *h, size_t n)
{
	h->skip += n;
	h->dropped += n;
	while (h->npages > 0 && h->skip >= h->pages[h->page_start].rows) {
		h->skip -= h->pages[h->page_start].rows;
		cache_drop(h);
		page_drop_first(h);
	}
	if (h->npages == 0 && h->open != NULL && h->open->lines > 0 &&
	    h->skip >= h->open->rows) {
		h->skip -= h->open->rows;
		cache_drop(h);
		open_clear(h);
	}
}

static void
history_trim(struct vt_history *h)
{
	size_t rows = vt_history_rows(h), packed = h->packed_rows - h->skip;

	if (rows > h->max_rows && packed > 0)
		packed_drop(h, MIN_OF(rows - h->max_rows, packed));
	while (vt_history_rows(h) > h->max_rows) {
		vt_line_unref(h->pool, hot_shift(h));
		h->dropped++;
	}
	if (h->max_bytes == 0)
		return;
	while (vt_history_rows(h) > 0 && vt_history_bytes(h) > h->max_bytes) {
		if (h->npages > 0) {
			packed_drop(h, h->pages[h->page_start].rows - h->skip);
		} else if (h->packed_rows > h->skip) {
			packed_drop(h, h->packed_rows - h->skip);
			mem_free(h->open->bytes.p);
			memset(&h->open->bytes, 0, sizeof(h->open->bytes));
		} else if (h->cache != NULL) {
			cache_free(h);
		} else {
			vt_line_unref(h->pool, hot_shift(h));
			h->dropped++;
		}
	}
}

void
vt_history_set_limits(struct vt_history *h, size_t max_rows, size_t max_bytes)
{
	h->max_rows = max_rows;
	h->max_bytes = max_bytes;
	history_trim(h);
}

void
vt_history_clear(struct vt_history *h)
{
	h->dropped += vt_history_rows(h);
	while (h->hot_n > 0)
		vt_line_unref(h->pool, hot_shift(h));
	cache_free(h);
	while (h->npages > 0)
		page_drop_first(h);
	if (h->open != NULL) {
		open_clear(h);
		mem_free(h->open->bytes.p);
		mem_free(h->open);
		h->open = NULL;
	}
	mem_free(h->pages);
	mem_free(h->hot);
	h->pages = NULL;
	h->hot = NULL;
	h->cappages = h->page_start = 0;
	h->caphot = h->hot_start = 0;
	h->packed_rows = h->skip = 0;
}

void
vt_history_free(struct vt_history *h)
{
	if (h == NULL)
		return;
	vt_history_clear(h);
	mem_free(h);
}

/* --- packing ------------------------------------------------------------------ */

/* Compresses the oldest page that is not yet. */
static void
page_compress(struct vt_history *h)
{
	struct hist_page *p = &h->pages[h->page_start + h->npages - h->nraw];
	size_t head = p->lines * sizeof(uint16_t), n;
	const uint8_t *out;
	uint8_t *data;

	h->nraw--;
	h->raw_bytes -= p->size;
	n = vt_pool_pack(h->pool, p->data + head, p->size, &out);
	if (n == 0)
		return;
	cache_drop(h);
	data = mem_alloc(head + n);
	memcpy(data, p->data, head);
	memcpy(data + head, out, n);
	mem_free(p->data);
	h->page_bytes -= p->size - n;
	p->data = data;
	p->size = (uint32_t)n;
}

static struct hist_page *
pages_add(struct vt_history *h)
{
	if (h->page_start + h->npages == h->cappages) {
		if (h->page_start > h->npages) {
			memmove(h->pages, h->pages + h->page_start,
			    h->npages * sizeof(*h->pages));
			h->page_start = 0;
		} else {
			h->cappages = h->cappages + h->cappages / 2 + 8;
			h->pages = mem_resize(
			    h->pages, h->cappages, sizeof(*h->pages));
		}
	}
	return &h->pages[h->page_start + h->npages++];
}

/* The open page becomes a closed one. */
static void
open_close(struct vt_history *h)
{
	struct hist_open *o = h->open;
	struct hist_page *p = pages_add(h);
	size_t head = o->lines * sizeof(uint16_t);

	p->lines = o->lines;
	p->rows = (uint32_t)o->rows;
	p->size = p->raw = (uint32_t)o->bytes.len;
	p->first = h->dropped - h->skip + h->packed_rows - o->rows;
	p->data = mem_alloc(head + p->size);
	memcpy(p->data, o->extents, head);
	memcpy(p->data + head, o->bytes.p, p->size);
	h->page_bytes += page_alloc_size(p);
	h->raw_bytes += p->size;
	h->nraw++;
	cache_drop(h);
	o->lines = 0;
	o->rows = 0;
	o->bytes.len = 0;
	while (h->raw_bytes > VT_HISTORY_RAW_MAX)
		page_compress(h);
}

bool
vt_history_settle(struct vt_history *h, size_t pages)
{
	while (pages > 0 && h->raw_bytes > VT_HISTORY_RAW) {
		page_compress(h);
		pages--;
	}
	return h->raw_bytes > VT_HISTORY_RAW;
}

/* Packs a line of so many ROWS; EXT is NULL for a row that is a line. */
static void
open_add(struct vt_history *h, const struct vt_line *line,
    const struct vt_extent *ext, size_t rows)
{
	struct hist_open *o = h->open;
	struct vt_extent own;
	bool plain;

	if (o == NULL)
		o = h->open = mem_zalloc(sizeof(*o));
	o->off[o->lines] = (uint32_t)o->bytes.len;
	plain = vt_pack_framed(&o->bytes, line);
	if (ext == NULL) {
		if (plain) /* nothing wide in it: no need to look again */
			own =
			    (struct vt_extent){ vt_line_written(line), false };
		else
			own = vt_wrap_extent(line);
		ext = &own;
	}
	o->extents[o->lines] =
	    (uint16_t)(ext->width | (ext->wide ? EXTENT_WIDE : 0));
	o->lines++;
	o->off[o->lines] = (uint32_t)o->bytes.len;
	o->rows += rows;
	h->packed_rows += rows;
	if (o->lines == VT_HISTORY_PAGE ||
	    o->bytes.len >= VT_HISTORY_PAGE_BYTES)
		open_close(h);
}

static struct vt_line *
hot_at(const struct vt_history *h, size_t i)
{
	i += h->hot_start;
	return h->hot[i >= h->caphot ? i - h->caphot : i];
}

/* Packs the oldest hot line, which is several rows if it wrapped. */
static void
hot_pack_wrapped(struct vt_history *h)
{
	struct vt_line *line, *small[32], **rows = small;
	struct vt_extent ext;
	size_t i, n = 1, limit = MIN_OF(h->hot_n, (size_t)VT_WRAP_ROWS);

	while (n < limit && (hot_at(h, n - 1)->flags & VT_LINE_WRAPPED) != 0)
		n++;
	if (n > ARRAY_LEN(small))
		rows = mem_alloc(n * sizeof(struct vt_line *));
	for (i = 0; i < n; i++)
		rows[i] = hot_at(h, i);
	n = vt_wrap_group(rows, n, h->cols);
	line = vt_wrap_join(h->pool, rows, n, h->cols, &ext);
	if (n > 1 && vt_wrap_rows(line, &ext, h->cols) != n) {
		/* It would not come back as these rows: one by one then. */
		vt_line_unref(h->pool, line);
		line = vt_wrap_join(h->pool, rows, n = 1, h->cols, &ext);
	}
	open_add(h, line, &ext, n);
	vt_line_unref(h->pool, line);
	if (rows != small)
		mem_free(rows);
	for (i = 0; i < n; i++)
		vt_line_unref(h->pool, hot_shift(h));
}

static void
hot_pack(struct vt_history *h)
{
	struct vt_line *line = h->hot[h->hot_start];

	if ((line->flags & VT_LINE_WRAPPED) != 0) {
		hot_pack_wrapped(h);
		return;
	}
	open_add(h, line, NULL, 1);
	vt_line_unref(h->pool, hot_shift(h));
}

static void
hot_add(struct vt_history *h, struct vt_line *line)
{
	struct vt_line **ring;
	size_t i, at, cap;

	if (h->hot_n == h->caphot) {
		cap = h->caphot * 2 + 16;
		ring = mem_calloc(cap, sizeof(*ring));
		for (i = 0; i < h->hot_n; i++)
			ring[i] = h->hot[(h->hot_start + i) % h->caphot];
		mem_free(h->hot);
		h->hot = ring;
		h->caphot = cap;
		h->hot_start = 0;
	}
	at = h->hot_start + h->hot_n;
	h->hot[at >= h->caphot ? at - h->caphot : at] = line;
	h->hot_n++;
	h->hot_bytes += vt_line_bytes(line);
}

/* Whether the end of the oldest hot line is among the hot rows. */
static bool
hot_complete(const struct vt_history *h)
{
	size_t i, most = MIN_OF(h->hot_n, (size_t)VT_WRAP_ROWS);

	for (i = 0; i < most; i++)
		if ((h->hot[(h->hot_start + i) % h->caphot]->flags &
			VT_LINE_WRAPPED) == 0)
			return true;
	return false;
}

/*
 * Whether the oldest hot line may be packed.  A wrapped one waits until its
 * end has come, or it is so long that it is kept in pieces; looking for the
 * end costs, so it is done only now and then.
 */
static bool
hot_ready(const struct vt_history *h)
{
	const struct vt_line *line = h->hot[h->hot_start];
	size_t over = h->hot_n - VT_HISTORY_HOT;

	if ((line->flags & VT_LINE_WRAPPED) == 0)
		return true;
	if (over >= VT_WRAP_ROWS || over * h->cols >= VT_WRAP_CELLS)
		return true;
	return (h->hot_n & 31) == 0 && hot_complete(h);
}

void
vt_history_push(struct vt_history *h, struct vt_line *line)
{
	hot_add(h, line);
	while (h->hot_n > VT_HISTORY_HOT && hot_ready(h))
		hot_pack(h);
	history_trim(h);
}

/* --- counting ------------------------------------------------------------------ */

size_t
vt_history_rows(const struct vt_history *h)
{
	return h->packed_rows - h->skip + h->hot_n;
}

uint64_t
vt_history_dropped(const struct vt_history *h)
{
	return h->dropped;
}

size_t
vt_history_hot(const struct vt_history *h)
{
	return h->hot_n;
}

size_t
vt_history_max_rows(const struct vt_history *h)
{
	return h->max_rows;
}

size_t
vt_history_bytes(const struct vt_history *h)
{
	size_t n = sizeof(*h) + h->hot_bytes + h->page_bytes +
		   h->caphot * sizeof(*h->hot) +
		   h->cappages * sizeof(*h->pages);

	if (h->open != NULL)
		n += sizeof(*h->open) + h->open->bytes.cap;
	if (h->cache != NULL) {
		n += sizeof(*h->cache) + h->cache->capraw;
		if (h->cache->line != NULL)
			n += vt_line_bytes(h->cache->line);
	}
	return n;
}

/* --- looking -------------------------------------------------------------------- */

static struct hist_cache *
cache_get(struct vt_history *h)
{
	if (h->cache == NULL) {
		h->cache = mem_zalloc(sizeof(*h->cache));
		h->cache->page = UINT64_MAX;
	}
	return h->cache;
}

/* Finds where each packed line of a page begins. */
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

/* Makes page number PAGE (the open one is the last) the cache's view. */
static struct hist_view *
cache_page(struct vt_history *h, uint64_t page)
{
	struct hist_cache *c = cache_get(h);
	struct hist_view *v = &c->view;
	struct hist_page *p;

	if (c->page == page)
		return v;
	cache_drop(h);
	if (page - h->page_number == h->npages) {
		v->bytes = h->open->bytes.p;
		v->extents = h->open->extents;
		v->lines = h->open->lines;
		view_index(v, h->open->bytes.len, h->open);
		/* It grows and moves: never taken for granted. */
		return v;
	}
	p = &h->pages[h->page_start + (size_t)(page - h->page_number)];
	v->extents = (const uint16_t *)(const void *)p->data;
	v->lines = p->lines;
	v->bytes = p->data + p->lines * sizeof(uint16_t);
	if (p->size != p->raw) {
		if (c->capraw < p->raw) {
			mem_free(c->raw);
			c->raw = mem_alloc(p->raw);
			c->capraw = p->raw;
		}
		bug_assert(
		    vt_pool_unpack(h->pool, v->bytes, p->size, c->raw, p->raw));
		v->bytes = c->raw;
	}
	view_index(v, p->raw, NULL);
	c->page = page;
	return v;
}

static struct vt_extent
view_extent(const struct hist_view *v, unsigned i)
{
	struct vt_extent ext = { v->extents[i] & EXTENT_COLS,
		(v->extents[i] & EXTENT_WIDE) != 0 };

	return ext;
}

static struct vt_line *
view_unpack(struct vt_history *h, const struct hist_view *v, unsigned i)
{
	struct vt_line *line = vt_unpack_framed(
	    h->pool, v->bytes + v->off[i], v->off[i + 1] - v->off[i]);

	bug_assert(line != NULL);
	return line;
}

/* Rows of line I of a view at the present width. */
static size_t
view_rows(const struct vt_history *h, const struct hist_view *v, unsigned i)
{
	struct vt_extent ext = view_extent(v, i);

	if (!ext.wide || ext.width <= h->cols)
		return vt_wrap_rows(NULL, &ext, h->cols);
	return vt_pack_framed_rows(v->bytes + v->off[i],
	    v->off[i + 1] - v->off[i], ext.width, h->cols);
}

/* Makes line I of a page, whose first row has number FIRST, the cached one. */
static void
cache_entry(struct vt_history *h, uint64_t page, unsigned i, uint64_t first)
{
	struct hist_view *v = cache_page(h, page);
	struct hist_cache *c = h->cache;

	vt_line_unref(h->pool, c->line);
	c->line = view_unpack(h, v, i);
	c->ext = view_extent(v, i);
	c->rows = vt_wrap_rows(c->line, &c->ext, h->cols);
	c->first = first;
	c->entry_page = page;
	c->entry = i;
	c->k = 0;
	c->from = 0;
}

/* Number of the page that holds row number ROW, and its first row's. */
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

/* Makes the packed line that holds row number ROW the cached one. */
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
		if (row >= c->first + c->rows) { /* onwards from there */
			first = c->first + c->rows;
			i = c->entry + 1;
		}
	}
	v = cache_page(h, page);
	for (; i < v->lines; i++) {
		n = view_rows(h, v, i);
		if (row < first + n)
			break;
		first += n;
	}
	bug_assert(i < v->lines);
	cache_entry(h, page, i, first);
}

/* The column at which row K of the cached line begins. */
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
	cache_row(h, h->dropped + row, &page);
	c = h->cache;
	from = cache_from(h, (size_t)(h->dropped + row - c->first));
	vt_line_unref(h->pool, c->row);
	c->row = vt_wrap_cut(h->pool, c->line, &c->ext, from,
	    vt_wrap_end(c->line, &c->ext, from, h->cols), h->cols);
	return c->row;
}

const struct vt_line *
vt_history_line(struct vt_history *h, size_t row, size_t *first, size_t *rows)
{
	uint64_t page, top;

	if (row >= h->packed_rows - h->skip)
		return NULL;
	cache_row(h, h->dropped + row, &page);
	top = MAX_OF(h->cache->first, h->dropped);
	*first = (size_t)(top - h->dropped);
	*rows = h->cache->rows - (size_t)(top - h->cache->first);
	return h->cache->line;
}

void
vt_history_extent(const struct vt_history *h, struct vt_extent *ext)
{
	*ext = h->cache->ext;
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

/* The number of the first row of page number PAGE. */
static uint64_t
page_first(const struct vt_history *h, uint64_t page)
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
	n = page_first(h, pos->page);
	v = cache_page(h, pos->page);
	if (pos->line >= v->lines)
		return false;
	for (i = 0; i < pos->line; i++)
		n += view_rows(h, v, i);
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
	*col = MIN_OF(pos->cell - from, h->cols - 1);
	return true;
}

/* --- another width ---------------------------------------------------------------- */

static size_t
page_count(struct vt_history *h, size_t index)
{
	struct hist_page *p = &h->pages[h->page_start + index];
	const uint16_t *ext = (const uint16_t *)(const void *)p->data;
	unsigned i, cols = h->cols;
	size_t rows = 0;

	for (i = 0; i < p->lines; i++) {
		if (ext[i] <= cols)
			rows++;
		else if ((ext[i] & EXTENT_WIDE) == 0)
			rows += (ext[i] + cols - 1) / cols;
		else
			rows += view_rows(
			    h, cache_page(h, h->page_number + index), i);
	}
	return rows;
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
	cache_drop(h);
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
			h->open->rows += view_rows(h,
			    cache_page(h, h->page_number + h->npages),
			    (unsigned)i);
		h->packed_rows += h->open->rows;
	}
	if (cut && vt_history_resolve(h, &top, &row, &col) && row > 0) {
		/* Rows dropped before are still dropped, at the new width. */
		for (i = 0; i < h->npages; i++)
			h->pages[h->page_start + i].first -= row;
		h->skip = row;
	}
	cache_drop(h);
	history_trim(h);
}

/* --- taking the newest back -------------------------------------------------------- */

/* The last closed page becomes the open one again. */
static void
open_reopen(struct vt_history *h)
{
	struct hist_page *p = &h->pages[h->page_start + h->npages - 1];
	struct hist_view *v = cache_page(h, h->page_number + h->npages - 1);
	struct hist_open *o = h->open;

	o->lines = p->lines;
	o->rows = p->rows;
	o->bytes.len = 0;
	vt_bytes_room(&o->bytes, p->raw);
	memcpy(o->bytes.p, v->bytes, p->raw);
	o->bytes.len = p->raw;
	memcpy(o->extents, v->extents, p->lines * sizeof(uint16_t));
	memcpy(o->off, v->off, sizeof(o->off));
	cache_drop(h);
	h->page_bytes -= page_alloc_size(p);
	if (h->nraw > 0) {
		h->nraw--;
		h->raw_bytes -= p->size;
	}
	mem_free(p->data);
	h->npages--;
}

/* Takes the newest packed line apart into hot rows (there are none). */
static void
packed_pop(struct vt_history *h)
{
	struct vt_extent ext;
	struct vt_line *line;
	struct hist_view *v;
	unsigned from = 0, end, last;
	size_t rows = 0, before;

	if (h->open->lines == 0)
		open_reopen(h);
	v = cache_page(h, h->page_number + h->npages);
	last = v->lines - 1;
	line = view_unpack(h, v, last);
	ext = view_extent(v, last);
	rows = vt_wrap_rows(line, &ext, h->cols);
	before = h->packed_rows - rows;
	cache_drop(h);
	h->open->lines = last;
	h->open->bytes.len = h->open->off[last];
	h->open->rows -= rows;
	h->packed_rows = before;
	for (rows = 0;; rows++, from = end) {
		end = vt_wrap_end(line, &ext, from, h->cols);
		if (before + rows >= h->skip)
			hot_add(h, vt_wrap_cut(h->pool, line, &ext, from, end,
				       h->cols));
		if (end >= ext.width)
			break;
	}
	vt_line_unref(h->pool, line);
	if (h->skip >= h->packed_rows) {
		/* Only rows that count as dropped are left. */
		h->skip = h->packed_rows;
		packed_drop(h, 0);
	}
}

struct vt_line *
vt_history_pop(struct vt_history *h)
{
	struct vt_line *line;
	size_t at;

	if (h->hot_n == 0) {
		if (h->packed_rows == h->skip)
			return NULL;
		packed_pop(h);
	}
	at = h->hot_start + h->hot_n - 1;
	line = h->hot[at >= h->caphot ? at - h->caphot : at];
	h->hot_n--;
	h->hot_bytes -= vt_line_bytes(line);
	return line;
}

/* --- invariants ---------------------------------------------------------------------- */

static const char *
check_page(struct vt_history *h, uint64_t page, size_t rows, uint64_t first)
{
	struct hist_view *v = cache_page(h, page);
	struct vt_extent ext;
	struct vt_line *line;
	const char *bad = NULL;
	size_t n = 0;
	unsigned i;

	if (page_first(h, page) != first)
		return "first row of a page";
	for (i = 0; i < v->lines && bad == NULL; i++) {
		line = vt_unpack_framed(
		    h->pool, v->bytes + v->off[i], v->off[i + 1] - v->off[i]);
		if (line == NULL)
			return "packed line does not unpack";
		ext = view_extent(v, i);
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

		if ((bad = check_page(
			 h, h->page_number + i, p->rows, first + rows)) != NULL)
			return bad;
		rows += p->rows;
		bytes += page_alloc_size(p);
		if (i == 0 && h->skip >= p->rows)
			return "a page that should be gone";
	}
	if (h->open != NULL) {
		if ((bad = check_page(h, h->page_number + h->npages,
			 h->open->rows, first + rows)) != NULL)
			return bad;
		rows += h->open->rows;
	}
	for (i = 0; i < h->hot_n; i++) {
		struct vt_line *line = h->hot[(h->hot_start + i) % h->caphot];

		if ((bad = vt_line_check(line)) != NULL)
			return bad;
		hot += vt_line_bytes(line);
	}
	cache_drop(h);
	if (rows != h->packed_rows || h->skip > rows)
		return "packed rows";
	if (bytes != h->page_bytes || hot != h->hot_bytes)
		return "bytes";
	return NULL;
}
