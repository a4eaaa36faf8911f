/*
 * mux/vt/line.h - a line that owns everything it needs.
 *
 * Purpose:   cells, styles, links, clusters and marks of one row, shared by
 *            any number of screens, frames and snapshots.
 * Ownership: reference-counted.  A line with more than one owner is never
 *            written: vt_line_own() clones it first.  All indices are local to
 *            the line.  A link is reference-counted and immutable, so that a
 *            URI over many lines is held once.
 * Units:     columns; at most VT_LINE_CELLS_MAX cells (a screen's row has at
 *            most VT_COLS_MAX; a joined line of the history may be longer).
 *            Ranges are half-open: from..to-1.
 * Errors:    none; every table is bounded by the columns.  Columns given must
 *            lie below VT_LINE_CELLS_MAX (asserted).
 * Source:    our own (idea 2 of ARCHITECTURE.md).
 * Tests:     regress/unit/check_vt_line.c
 *
 * Invariant: a VT_WIDE cell is followed by its VT_TAIL and a VT_TAIL preceded
 * by its VT_WIDE.  Every writer here keeps it: the half of a wide cell whose
 * other half goes away becomes a space of the same style, as in xterm.
 *
 * Style indices are good for one generation: cache the pair (gen, index) and
 * look the style up again when line->gen is another.  Generations come from
 * the pool, so that equal numbers mean the same line and the same table.
 */
#ifndef MUX_VT_LINE_H
#define MUX_VT_LINE_H

#include "base/pen.h"
#include "mux/vt/cell.h"
#include "mux/vt/pool.h"

#define VT_COLS_MAX 10000
#define VT_ROWS_MAX 10000
#define VT_LINE_CELLS_MAX 32767
#define VT_LINE_SLACK 8   /* cells after `cap` that may be read and written */
#define VT_CLUSTER_MAX 64 /* bytes of UTF-8 in one cluster; more is dropped */
#define VT_LINK_MAX 2083  /* bytes of a hyperlink's URI */
#define VT_LINK_ID_MAX 250

enum vt_line_flag {
	VT_LINE_WRAPPED = 1 << 0, /* continues on the next line */
	VT_LINE_PROMPT = 1 << 1,  /* OSC 133;A: a prompt starts here */
	VT_LINE_INPUT = 1 << 2,   /* OSC 133;B: the user's input starts */
	VT_LINE_OUTPUT = 1 << 3,  /* OSC 133;C: a command's output starts */
	VT_LINE_DONE = 1 << 4,    /* OSC 133;D: a command ended here */
	VT_LINE_CONTINUATION = 1 << 5, /* OSC 133;A;k=c or s: further prompt */
	VT_LINE_FAILED = 1 << 6,       /* the command that ended here failed */
	VT_LINE_DOUBLE_WIDTH = 1 << 7,
};

/* All flags that tell where prompts, input and output are. */
#define VT_LINE_MARKS                                              \
 (VT_LINE_PROMPT | VT_LINE_INPUT | VT_LINE_OUTPUT | VT_LINE_DONE | \
     VT_LINE_CONTINUATION | VT_LINE_FAILED)

struct vt_style {
	struct pen pen;
	uint16_t link; /* 1 + index in the line's links; 0 none */
	uint16_t pad;
};

/* URI and id of one hyperlink, immutable. */
struct vt_link {
	uint32_t refs;
	uint16_t uri_len;
	uint16_t id_len;
	char text[]; /* the URI, NUL, the id, NUL */
};

struct vt_line {
	uint32_t refs;
	uint32_t gen;     /* of the style indices; see above */
	uint16_t len;     /* cells stored; the rest is blank, style 0 */
	uint16_t cap;     /* cells allocated, VT_LINE_SLACK aside */
	uint16_t flags;   /* enum vt_line_flag */
	uint16_t nstyles; /* entries of styles; 0 means only the default */
	uint16_t capstyles;
	uint16_t nlinks;
	uint16_t caplinks;
	uint16_t pad;
	uint32_t ntext; /* bytes of text used, garbage included */
	uint32_t captext;
	uint64_t hash; /* content hash, 0 = not computed */
	struct vt_cell *cells;
	struct vt_style *styles; /* [0] is the default style if nstyles > 0 */
	struct vt_link **links;
	uint8_t *text; /* clusters: a length byte, then UTF-8 */
};

/* --- links ------------------------------------------------------------- */

/* A new link (one reference); longer strings are cut at the limits above. */
struct vt_link *vt_link_new(
    const char *uri, size_t urilen, const char *id, size_t idlen);
struct vt_link *vt_link_ref(struct vt_link *k);
void vt_link_unref(struct vt_link *k); /* NULL is fine */
const char *vt_link_uri(const struct vt_link *k);
const char *vt_link_id(const struct vt_link *k); /* "" if none was given */
bool vt_link_equal(const struct vt_link *a, const struct vt_link *b);

/* --- life -------------------------------------------------------------- */

/* A blank line with one reference; POOL may be NULL here and below. */
struct vt_line *vt_line_new(struct vt_pool *pool);

/* One more owner; from now on the line may only be read. */
struct vt_line *vt_line_ref(const struct vt_line *line);
void vt_line_unref(struct vt_pool *pool, struct vt_line *line);
struct vt_line *vt_line_clone(struct vt_pool *pool, const struct vt_line *line);

/* Replaces a shared line in *SLOT by a copy of its own (for vt_line_own). */
struct vt_line *vt_line_unshare(struct vt_pool *pool, struct vt_line **slot);

/* The line in *SLOT, made ours alone and about to be written. */
static inline struct vt_line *
vt_line_own(struct vt_pool *pool, struct vt_line **slot)
{
	struct vt_line *line = *slot;

	if (unlikely(line->refs > 1))
		line = vt_line_unshare(pool, slot);
	line->hash = 0;
	return line;
}

/* Forgets cells, styles and flags of a line that is ours alone. */
void vt_line_reset(struct vt_pool *pool, struct vt_line *line);

/* Heap bytes of the line itself (links not counted: they are shared). */
size_t vt_line_bytes(const struct vt_line *line);

/* --- styles ------------------------------------------------------------ */

/*
 * The index of a style in the line's table, entered if it is new.  When the
 * table has grown past what the cells can use, unused entries go first and
 * line->gen changes: ask before writing, never keep an index over a change.
 * In: link  NULL for none
 */
unsigned vt_line_style(struct vt_pool *pool, struct vt_line *line,
    const struct pen *pen, struct vt_link *link);

/* --- writing (the line must be ours alone, see vt_line_own) -------------- */

/* A run of printable ASCII; this is the hot path of the terminal. */
void vt_line_put_ascii(struct vt_line *line, unsigned col, const uint8_t *p,
    unsigned n, unsigned style);

/* One code point of width 1 or 2; a wide one takes col and col + 1. */
void vt_line_put(struct vt_line *line, unsigned col, uint32_t cp,
    enum vt_width width, unsigned style);

/* One whole cluster of N bytes of UTF-8 (cut at VT_CLUSTER_MAX). */
void vt_line_put_cluster(struct vt_line *line, unsigned col, const char *text,
    size_t n, enum vt_width width, unsigned style);

/* Marks the last column as left free by a wide cell that wrapped. */
void vt_line_put_pad(struct vt_line *line, unsigned col, unsigned style);

/*
 * Adds a code point to the cell at COL (its first column), turning it into a
 * cluster.  A blank cell counts as a space.  Returns false, and changes
 * nothing, when the cluster is full.
 */
bool vt_line_append(
    struct vt_pool *pool, struct vt_line *line, unsigned col, uint32_t cp);

/* Makes the cell at COL wide or narrow (VS16, VS15); frees what it covers. */
void vt_line_set_width(struct vt_line *line, unsigned col, enum vt_width width);

/* Erases from..to-1 to blanks of a style (background-colour erase). */
void vt_line_erase(
    struct vt_line *line, unsigned from, unsigned to, unsigned style);

/* As above, but leaves cells whose pen has PEN_PROTECTED (DECSED, DECSEL). */
void vt_line_erase_unprotected(
    struct vt_line *line, unsigned from, unsigned to, unsigned style);

/*
 * Empties [from, to) but keeps each cell's rendition; MIND_PROTECTED leaves
 * alone what is protected.
 */
void vt_line_wipe(
    struct vt_line *line, unsigned from, unsigned to, bool mind_protected);

/* Fills from..to-1 with one narrow code point (DECFRA, DECALN). */
void vt_line_fill(struct vt_line *line, unsigned from, unsigned to, uint32_t cp,
    unsigned style);

/*
 * Moves col..right-1 by N columns to the right (insert) or left (delete)
 * inside the margin; what leaves it is lost, the gap is blank with STYLE.
 */
void vt_line_insert(struct vt_line *line, unsigned col, unsigned n,
    unsigned right, unsigned style);
void vt_line_delete(struct vt_line *line, unsigned col, unsigned n,
    unsigned right, unsigned style);

/*
 * Copies N columns from SCOL of SRC to DCOL of DST, with their styles, links
 * and clusters.  SRC may be DST, also overlapping.  Halves of wide cells cut
 * at the edges become spaces.
 */
void vt_line_copy(struct vt_pool *pool, struct vt_line *dst, unsigned dcol,
    const struct vt_line *src, unsigned scol, unsigned n);

/* Changes the pen of every cell in from..to-1 (DECCARA, DECRARA). */
typedef void (*vt_pen_fn)(struct pen *pen, void *arg);
void vt_line_repen(struct vt_pool *pool, struct vt_line *line, unsigned from,
    unsigned to, vt_pen_fn fn, void *arg);

/* Cuts the line at COLS columns. */
void vt_line_truncate(struct vt_line *line, unsigned cols);

/* --- reading ------------------------------------------------------------ */

static inline struct vt_cell
vt_line_cell(const struct vt_line *line, unsigned col)
{
	return col < line->len ? line->cells[col] : VT_CELL_BLANK;
}

/* The style behind an index of this line; valid until the line is written. */
const struct vt_style *vt_line_style_at(
    const struct vt_line *line, unsigned style);

/* Pen and link (or NULL) of the cell at COL. */
const struct pen *vt_line_pen(const struct vt_line *line, unsigned col);
struct vt_link *vt_line_link(const struct vt_line *line, unsigned col);

/*
 * Writes the UTF-8 text of the cell at COL to OUT (VT_CLUSTER_MAX + 1 bytes),
 * NUL-terminated: a space for a blank cell, nothing for VT_TAIL and VT_PAD.
 * Returns its length.
 */
size_t vt_line_text(const struct vt_line *line, unsigned col, char *out);

/* The cluster of a cell with VT_CELL_CLUSTER set: its bytes and length. */
static inline const char *
vt_line_cluster(const struct vt_line *line, struct vt_cell c, size_t *len)
{
	const uint8_t *t = line->text + (c.ch & ~VT_CELL_CLUSTER);

	*len = t[0];
	return (const char *)t + 1;
}

/* Columns up to the last one that is not blank in the default style. */
unsigned vt_line_used(const struct vt_line *line);

/* Columns up to the last one that was written (erased ones do not count). */
unsigned vt_line_written(const struct vt_line *line);

/* 64 bits over what the line shows and its flags; never 0, the same anywhere. */
uint64_t vt_line_hash(const struct vt_line *line);

/* The same content: cells, style values, links, flags. */
bool vt_line_equal(const struct vt_line *a, const struct vt_line *b);

/* The same single cell, by value. */
bool vt_line_cell_equal(const struct vt_line *a, unsigned acol,
    const struct vt_line *b, unsigned bcol);

/* NULL, or which invariant the line breaks. */
const char *vt_line_check(const struct vt_line *line);

#endif
