/* Pages of packed lines: filling, closing, compressing and dropping them. */
#include <string.h>

#include "base/mem.h"
#include "mux/vt/history_int.h"

/* --- contents of a page ----------------------------------------------------- */

/* Gives a page memory for N bytes of contents. */
static void
data_new(struct vt_history *h, struct hist_page *p, size_t n)
{
	p->data = mem_alloc(n);
	p->refs = vt_pool_counter(h->pool);
}

static void
data_unref(struct vt_history *h, struct hist_page *p)
{
	if (--p->refs->refs > 0)
		return;
	vt_pool_uncount(h->pool, p->refs);
	mem_free(p->data);
}

/* --- pages ------------------------------------------------------------------- */

void
vt_hist_drop_page(struct vt_history *h)
{
	struct hist_page *p = &h->pages[h->page_start];

	h->page_bytes -= vt_hist_page_bytes(p);
	if (h->nraw == h->npages) {
		h->nraw--;
		h->raw_bytes -= p->size;
	}
	h->packed_rows -= p->rows;
	data_unref(h, p);
	h->page_start++;
	h->npages--;
	h->page_number++;
}

void
vt_hist_clear_open(struct vt_history *h)
{
	h->packed_rows -= h->open->rows;
	h->open->lines = 0;
	h->open->rows = 0;
	h->open->bytes.len = 0;
	/* Retire its number, so that places in it are recognised as dropped. */
	h->page_number++;
}

/* Compresses the oldest uncompressed page. */
static void
page_compress(struct vt_history *h)
{
	struct hist_page *p = &h->pages[h->page_start + h->npages - h->nraw];
	size_t head = p->lines * sizeof(uint16_t), n;
	const uint8_t *out;
	struct hist_page old = *p;

	h->nraw--;
	h->raw_bytes -= p->size;
	n = vt_pool_pack(h->pool, p->data + head, p->size, &out);
	if (n == 0)
		return;
	vt_hist_cache_drop(h);
	data_new(h, p, head + n);
	memcpy(p->data, old.data, head);
	memcpy(p->data + head, out, n);
	data_unref(h, &old);
	h->page_bytes -= p->size - n;
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

/* Closes the open page. */
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
	data_new(h, p, head + p->size);
	memcpy(p->data, o->extents, head);
	memcpy(p->data + head, o->bytes.p, p->size);
	h->page_bytes += vt_hist_page_bytes(p);
	h->raw_bytes += p->size;
	h->nraw++;
	vt_hist_cache_drop(h);
	o->lines = 0;
	o->rows = 0;
	o->bytes.len = 0;
	while (h->raw_bytes > VT_HISTORY_RAW_MAX)
		page_compress(h);
}

bool
vt_hist_compress(struct vt_history *h, size_t pages)
{
	while (pages > 0 && h->raw_bytes > VT_HISTORY_RAW) {
		page_compress(h);
		pages--;
	}
	return h->raw_bytes > VT_HISTORY_RAW;
}

void
vt_hist_pack(struct vt_history *h, const struct vt_line *line,
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
		if (plain) /* ASCII has no wide cells: skip the search */
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

void
vt_hist_reopen(struct vt_history *h)
{
	struct hist_page *p = &h->pages[h->page_start + h->npages - 1];
	struct hist_view *v =
	    vt_hist_page_view(h, h->page_number + h->npages - 1);
	struct hist_open *o = h->open;

	o->lines = p->lines;
	o->rows = p->rows;
	o->bytes.len = 0;
	vt_bytes_room(&o->bytes, p->raw);
	memcpy(o->bytes.p, v->bytes, p->raw);
	o->bytes.len = p->raw;
	memcpy(o->extents, v->extents, p->lines * sizeof(uint16_t));
	memcpy(o->off, v->off, sizeof(o->off));
	vt_hist_cache_drop(h);
	h->page_bytes -= vt_hist_page_bytes(p);
	if (h->nraw > 0) {
		h->nraw--;
		h->raw_bytes -= p->size;
	}
	data_unref(h, p);
	h->npages--;
}
