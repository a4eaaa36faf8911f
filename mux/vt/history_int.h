/*
 * mux/vt/history_int.h - what the files of history.h share among themselves.
 *
 * Purpose:   the history's parts, and what each file does for the others.
 * Ownership: as in history.h.
 * Units:     rows at the present width, lines, bytes.
 * Errors:    none.
 * Source:    our own.
 * Tests:     regress/unit/check_vt_history.c
 */
#ifndef MUX_VT_HISTORY_INT_H
#define MUX_VT_HISTORY_INT_H

#include "mux/vt/history.h"
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
	uint64_t remade;
	struct hist_open *open;
	struct hist_cache *cache;
};

/* --- pages (history_page.c) ------------------------------------------------ */

/* Heap bytes of a page's contents. */
static inline size_t
vt_hist_page_bytes(const struct hist_page *p)
{
	return p->lines * sizeof(uint16_t) + p->size;
}

/* Packs a line of so many ROWS; EXT is NULL for a row that is a line. */
void vt_hist_pack(struct vt_history *h, const struct vt_line *line,
    const struct vt_extent *ext, size_t rows);

/* Compresses up to PAGES pages of those that wait; true if there are more. */
bool vt_hist_compress(struct vt_history *h, size_t pages);

/* Drops the oldest closed page. */
void vt_hist_drop_page(struct vt_history *h);

/* Drops what is in the open page. */
void vt_hist_clear_open(struct vt_history *h);

/* The last closed page becomes the open one again. */
void vt_hist_reopen(struct vt_history *h);

/* --- looking (history_look.c) ---------------------------------------------- */

/* Forgets what was looked at: called by everything that changes pages. */
void vt_hist_cache_drop(struct vt_history *h);

/* The same, and gives the memory back. */
void vt_hist_cache_free(struct vt_history *h);

/* Makes page number PAGE (the open one is the last) the cache's view. */
struct hist_view *vt_hist_page_view(struct vt_history *h, uint64_t page);

/* Line I of a view: unpacked, its extent, its rows at the present width. */
struct vt_line *vt_hist_unpack(
    struct vt_history *h, const struct hist_view *v, unsigned i);
struct vt_extent vt_hist_extent(const struct hist_view *v, unsigned i);

/* --- limits (history.c) ---------------------------------------------------- */

/* Drops the oldest rows until the limits hold. */
void vt_hist_trim(struct vt_history *h);

#endif
