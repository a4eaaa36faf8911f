/*
 * mux/vt/history_int.h - shared by the files that implement history.h.
 *
 * Purpose:   the parts of the history, and the internal functions of each file.
 * Ownership: as in history.h.
 * Units:     rows at the present width, lines, bytes.
 * Tests:     regress/unit/check_vt_history.c
 */
#ifndef MUX_VT_HISTORY_INT_H
#define MUX_VT_HISTORY_INT_H

#include "mux/vt/history.h"
#include "mux/vt/pack.h"
#include "mux/vt/wrap.h"

/* A line's extent in a page: columns, and a bit for wide cells. */
#define EXTENT_WIDE 0x8000u
#define EXTENT_COLS 0x7fffu

struct hist_page {
	/* Extents, then the packed lines as stored; snapshots share them. */
	uint8_t *data;
	union vt_counter *refs;
	uint32_t size; /* bytes of the packed lines as stored */
	uint32_t raw;  /* bytes of the packed lines uncompressed */
	uint32_t rows; /* at the present width */
	uint32_t lines;
	uint64_t first; /* number of its first row, since creation */
};

/* A page being read: the offsets of its packed lines. */
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

/* A page that was read. */
struct hist_read {
	uint8_t *raw; /* its bytes if they were compressed */
	size_t capraw;
	uint64_t page; /* number of the page in `view`; UINT64_MAX: none */
	struct hist_view view;
};

/*
 * The page, line and row read last; allocated at the first read.  The page read
 * before stays, too: a screen of rows often lies in two pages, and the next one
 * begins in the first of them.
 */
struct hist_cache {
	struct hist_read now;
	struct hist_read before;
	uint64_t entry_page;  /* the page of `line` */
	unsigned entry;       /* its number in that page */
	struct vt_line *line; /* NULL: none */
	struct vt_extent ext;
	uint64_t first; /* number of its first row */
	size_t rows;
	size_t k; /* row of `line` read last, and its first column */
	unsigned from;
	struct vt_line *row; /* the row returned last, and its number */
	uint64_t row_number;
};

struct vt_history {
	struct vt_pool *pool;
	unsigned cols;
	size_t max_rows;
	size_t over; /* rows above max_rows that a change of size has left */
	bool held;   /* vt_history_hold */
	size_t max_bytes;
	struct vt_line **hot; /* ring of caphot rows */
	size_t hot_start;
	size_t hot_n;
	size_t caphot;
	size_t hot_bytes;
	struct hist_page *pages; /* pages[page_start..page_start+npages-1] */
	size_t page_start;
	size_t npages;
	size_t cappages;
	size_t page_bytes;
	size_t raw_bytes;     /* bytes of uncompressed pages */
	size_t nraw;          /* uncompressed pages, at the end */
	uint64_t page_number; /* number of pages[page_start] */
	size_t packed_rows;   /* rows of all pages, skipped ones included */
	size_t skip;
	uint64_t dropped;
	uint64_t remade;
	uint64_t unpacked; /* pages ever decompressed */
	struct hist_open *open;
	struct hist_cache *cache;
};

/* --- pages (history_page.c) ------------------------------------------------ */

/* Returns the heap bytes of a page's contents. */
static inline size_t
vt_hist_page_bytes(const struct hist_page *p)
{
	return p->lines * sizeof(uint16_t) + p->size;
}

/* Returns the extents of a page's lines. */
static inline const uint16_t *
vt_hist_extents(const struct hist_page *p)
{
	return (const uint16_t *)(const void *)p->data;
}

/* Packs a line of ROWS rows.  EXT is NULL for a line of a single row. */
void vt_hist_pack(struct vt_history *h, const struct vt_line *line,
    const struct vt_extent *ext, size_t rows);

/* Compresses up to PAGES waiting pages; true if more wait. */
bool vt_hist_compress(struct vt_history *h, size_t pages);

/* Drops the oldest closed page. */
void vt_hist_drop_page(struct vt_history *h);

/* Drops the contents of the open page. */
void vt_hist_clear_open(struct vt_history *h);

/* Makes the last closed page the open one again. */
void vt_hist_reopen(struct vt_history *h);

/* --- reading (history_look.c) --------------------------------------------- */

/* Invalidates the cache.  Every function that changes pages calls it. */
void vt_hist_cache_drop(struct vt_history *h);

/* Invalidates the cache and frees its memory. */
void vt_hist_cache_free(struct vt_history *h);

/* Loads page number PAGE (the open page is the last) into the cache's view. */
struct hist_view *vt_hist_page_view(struct vt_history *h, uint64_t page);

/* Return line I of a view unpacked, and its extent. */
struct vt_line *vt_hist_unpack(
    struct vt_history *h, const struct hist_view *v, unsigned i);
struct vt_extent vt_hist_extent(const struct hist_view *v, unsigned i);

/* --- limits (history.c) ---------------------------------------------------- */

/* Drops the oldest rows until the limits are met. */
void vt_hist_trim(struct vt_history *h);

#endif
