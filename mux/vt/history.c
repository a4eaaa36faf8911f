/*
 * Rows that left the screen: hot rows, an open page, closed pages.
 *
 *	oldest                                                     newest
 *	[page zstd] ... [page zstd] [page raw] ... [open page] [hot rows]
 *	 ^ `skip` rows of the first page count as dropped
 *
 * Hot rows are rows as pushed.  Older rows are joined to lines and packed.  A
 * page is one allocation: first the extents of its lines (two bytes each, so
 * that rows can be counted for any width without unpacking), then the packed
 * lines, each preceded by its length, compressed or not.  When the width
 * changes, only lines with wide cells that do not fit one row must be read.
 */
#include <string.h>

#include "base/mem.h"
#include "mux/vt/block.h"
#include "mux/vt/history_int.h"

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

/* --- dropping the oldest ---------------------------------------------------- */

static struct vt_line *
hot_shift(struct vt_history *h)
{
	struct vt_line *line = h->hot[h->hot_start];

	h->hot_start = h->hot_start + 1 == h->caphot ? 0 : h->hot_start + 1;
	h->hot_n--;
	h->hot_bytes -= vt_line_bytes(line);
	return line;
}

/* Counts the oldest N packed rows (at most packed_rows - skip) as dropped. */
static void
packed_drop(struct vt_history *h, size_t n)
{
	h->skip += n;
	h->dropped += n;
	while (h->npages > 0 && h->skip >= h->pages[h->page_start].rows) {
		h->skip -= h->pages[h->page_start].rows;
		vt_hist_cache_drop(h);
		vt_hist_drop_page(h);
	}
	if (h->npages == 0 && h->open != NULL && h->open->lines > 0 &&
	    h->skip >= h->open->rows) {
		h->skip -= h->open->rows;
		vt_hist_cache_drop(h);
		vt_hist_clear_open(h);
	}
}

static size_t
most_rows(const struct vt_history *h)
{
	if (h->max_rows == 0)
		return 0;
	return h->held ? SIZE_MAX : h->max_rows + h->over;
}

void
vt_hist_trim(struct vt_history *h)
{
	size_t rows = vt_history_rows(h), packed = h->packed_rows - h->skip;
	const size_t most = most_rows(h);

	if (rows > most && packed > 0)
		packed_drop(h, MIN_OF(rows - most, packed));
	while (vt_history_rows(h) > most) {
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
			vt_hist_cache_free(h);
		} else {
			vt_line_unref(h->pool, hot_shift(h));
			h->dropped++;
		}
	}
}

void
vt_history_hold(struct vt_history *h, bool on)
{
	const size_t rows = vt_history_rows(h);

	h->held = on;
	if (on)
		return;
	h->over = rows > h->max_rows ? rows - h->max_rows : 0;
	vt_hist_trim(h);
}

void
vt_history_clear(struct vt_history *h)
{
	h->over = 0;
	h->dropped += vt_history_rows(h);
	while (h->hot_n > 0)
		vt_line_unref(h->pool, hot_shift(h));
	vt_hist_cache_free(h);
	while (h->npages > 0)
		vt_hist_drop_page(h);
	if (h->open != NULL) {
		vt_hist_clear_open(h);
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

/* --- snapshots --------------------------------------------------------------- */

static struct hist_open *
open_snapshot(const struct hist_open *from)
{
	struct hist_open *o = mem_alloc(sizeof(*o));

	*o = *from;
	memset(&o->bytes, 0, sizeof(o->bytes));
	vt_bytes_room(&o->bytes, from->bytes.len);
	if (from->bytes.len > 0)
		memcpy(o->bytes.p, from->bytes.p, from->bytes.len);
	o->bytes.len = from->bytes.len;
	return o;
}

struct vt_history *
vt_history_snapshot(const struct vt_history *h)
{
	struct vt_history *n = mem_alloc(sizeof(*n));
	size_t i;

	*n = *h;
	n->max_rows = VT_HISTORY_SNAPSHOT_ROWS;
	n->over = 0;
	n->held = false;
	n->max_bytes = 0;
	n->cache = NULL;
	n->caphot = h->hot_n;
	n->hot_start = 0;
	n->hot = mem_calloc(MAX_OF(n->caphot, (size_t)1), sizeof(*n->hot));
	for (i = 0; i < h->hot_n; i++)
		n->hot[i] = vt_line_ref(
		    h->hot[(h->hot_start + i) % MAX_OF(h->caphot, (size_t)1)]);
	n->cappages = h->npages;
	n->page_start = 0;
	n->pages =
	    mem_calloc(MAX_OF(n->cappages, (size_t)1), sizeof(*n->pages));
	for (i = 0; i < h->npages; i++) {
		n->pages[i] = h->pages[h->page_start + i];
		n->pages[i].refs->refs++;
	}
	if (h->open != NULL)
		n->open = open_snapshot(h->open);
	return n;
}

/* --- hot rows --------------------------------------------------------------- */

static struct vt_line *
hot_at(const struct vt_history *h, size_t i)
{
	i += h->hot_start;
	return h->hot[i >= h->caphot ? i - h->caphot : i];
}

/* Packs the oldest hot line; a wrapped line consists of several rows. */
static void
hot_pack_wrapped(struct vt_history *h)
{
	struct vt_line *line, *small[32], **rows = small;
	struct vt_extent ext;
	size_t i, n = 1, limit = MIN_OF(h->hot_n, (size_t)VT_WRAP_ROWS), held;

	while (n < limit && (hot_at(h, n - 1)->flags & VT_LINE_WRAPPED) != 0)
		n++;
	if (n > ARRAY_LEN(small))
		rows = mem_alloc(n * sizeof(struct vt_line *));
	i = 0;
	do
		rows[i] = vt_block_tidy(h->pool, hot_at(h, i));
	while (++i < n);
	held = n;
	n = vt_wrap_group(rows, n, h->cols);
	line = vt_wrap_join(h->pool, rows, n, h->cols, &ext);
	if (n > 1 && vt_wrap_rows(line, &ext, h->cols) != n) {
		/* Unpacking would give other rows: pack them one by one. */
		vt_line_unref(h->pool, line);
		line = vt_wrap_join(h->pool, rows, n = 1, h->cols, &ext);
	}
	vt_hist_pack(h, line, &ext, n);
	vt_line_unref(h->pool, line);
	for (i = 0; i < held; i++)
		vt_line_unref(h->pool, rows[i]);
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
	if (unlikely((line->flags & VT_LINE_BLOCKS) != 0)) {
		line = vt_block_tidy(h->pool, line);
		vt_hist_pack(h, line, NULL, 1);
		vt_line_unref(h->pool, line);
	} else
		vt_hist_pack(h, line, NULL, 1);
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

/* True if the last row of the oldest hot line is hot, too. */
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
 * True if the oldest hot line may be packed; OVER is the number of surplus hot
 * rows.  A wrapped line waits until its last row has arrived, or until it is so
 * long that it is stored in pieces.  The search for its last row is costly: it
 * runs only with LOOK.
 */
static bool
hot_ready(const struct vt_history *h, size_t over, bool look)
{
	const struct vt_line *line = h->hot[h->hot_start];

	if ((line->flags & VT_LINE_WRAPPED) == 0)
		return true;
	if (over >= VT_WRAP_ROWS || over * h->cols >= VT_WRAP_CELLS)
		return true;
	return look && hot_complete(h);
}

/* Returns the number of hot rows allowed while output is pouring in. */
static size_t
hot_most(const struct vt_history *h)
{
	size_t bytes = VT_HISTORY_HOT_BYTES;

	if (h->max_bytes > 0)
		bytes = MIN_OF(bytes, h->max_bytes / 4);
	if (h->max_rows > VT_HISTORY_SHORT || h->hot_bytes > bytes)
		return VT_HISTORY_HOT;
	return VT_HISTORY_SHORT;
}

void
vt_history_push(struct vt_history *h, struct vt_line *line)
{
	size_t most;

	hot_add(h, line);
	most = hot_most(h);
	while (h->hot_n > most &&
	       hot_ready(h, h->hot_n - most, (h->hot_n & 31) == 0))
		hot_pack(h);
	if (!h->held)
		h->over -= MIN_OF(h->over, MAX_OF(h->max_rows / 10, 2U) - 1);
	vt_hist_trim(h);
}

bool
vt_history_settle(struct vt_history *h, size_t pages)
{
	size_t rows = pages * VT_HISTORY_PAGE;

	while (h->hot_n > VT_HISTORY_HOT &&
	       hot_ready(h, h->hot_n - VT_HISTORY_HOT, true)) {
		if (rows == 0)
			return true;
		rows--;
		hot_pack(h);
	}
	return vt_hist_compress(h, pages);
}

void
vt_history_pack(struct vt_history *h)
{
	while (h->hot_n > VT_HISTORY_HOT &&
	       hot_ready(h, h->hot_n - VT_HISTORY_HOT, true))
		hot_pack(h);
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

uint64_t
vt_history_remade(const struct vt_history *h)
{
	return h->remade;
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
		n += sizeof(*h->cache) + h->cache->now.capraw +
		     h->cache->before.capraw;
		if (h->cache->line != NULL)
			n += vt_line_bytes(h->cache->line);
	}
	return n;
}

/* --- taking the newest back -------------------------------------------------------- */

/* Unpacks the newest packed line into hot rows (there are none yet). */
static void
packed_pop(struct vt_history *h)
{
	struct vt_extent ext;
	struct vt_line *line;
	struct hist_view *v;
	unsigned from = 0, end, last;
	size_t rows = 0, before;

	if (h->open->lines == 0)
		vt_hist_reopen(h);
	v = vt_hist_page_view(h, h->page_number + h->npages);
	last = v->lines - 1;
	line = vt_hist_unpack(h, v, last);
	ext = vt_hist_extent(v, last);
	rows = vt_wrap_rows(line, &ext, h->cols);
	before = h->packed_rows - rows;
	vt_hist_cache_drop(h);
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
		/* The remaining rows already count as dropped. */
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
	h->remade++;
	at = h->hot_start + h->hot_n - 1;
	line = h->hot[at >= h->caphot ? at - h->caphot : at];
	h->hot_n--;
	h->hot_bytes -= vt_line_bytes(line);
	return line;
}
