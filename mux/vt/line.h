/*
 * mux/vt/line.h - one self-contained line of cells.
 *
 * Purpose:   cells, styles, links, clusters and marks of one row, shared by
 *            any number of screens, frames and snapshots.
 * Ownership: reference-counted.  A line with more than one owner is never
 *            written: vt_line_own() clones it first.  All indices are local to
 *            the line.  A link is reference-counted and immutable: a URI that
 *            spans many lines is stored once.
 * Units:     columns; at most VT_LINE_CELLS_MAX cells (a screen's row has at
 *            most VT_COLS_MAX; a joined line of the history may be longer).
 *            Ranges are half-open: from..to-1.
 * Errors:    none; every table is bounded by the columns.  A column argument
 *            must be below VT_LINE_CELLS_MAX (asserted).
 * Source:    idea 2 of ARCHITECTURE.md.
 * Tests:     regress/unit/check_vt_line.c
 *
 * Invariant: a VT_TAIL follows each VT_WIDE cell, and a VT_WIDE precedes each
 * VT_TAIL.  All functions that write keep it: if one half of a wide cell is
 * overwritten, the other half becomes a space of the same style, as in xterm.
 * Likewise a VT_TAB or VT_TAB_REST precedes each VT_TAB_REST; a tab of which a
 * part is overwritten becomes spaces.
 *
 * A style index is valid for one generation of its line: cache the pair (gen,
 * index) and look the style up again when line->gen differs.  Generations come
 * from the pool, so equal numbers mean the same line and the same table.
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
	VT_LINE_WRAPPED = 1 << 0, /* the text continues on the next line */
	VT_LINE_PROMPT = 1 << 1,  /* OSC 133;A: a prompt starts here */
	VT_LINE_INPUT = 1 << 2,   /* OSC 133;B: the user's input starts */
	VT_LINE_OUTPUT = 1 << 3,  /* OSC 133;C: a command's output starts */
	VT_LINE_DONE = 1 << 4,    /* OSC 133;D: a command ended here */
	VT_LINE_CONTINUATION = 1 << 5, /* OSC 133;A;k=c or s: further prompt */
	VT_LINE_FAILED = 1 << 6,       /* the command that ended here failed */
	VT_LINE_DOUBLE_WIDTH = 1 << 7, /* DECDWL or DECDHL */
	VT_LINE_MARK = 1 << 8,         /* OSC 1337;SetMark */
	VT_LINE_DOUBLE_TOP = 1 << 9,   /* of double height: the upper half */
	VT_LINE_DOUBLE_BOTTOM = 1 << 10, /* the lower half */
	VT_LINE_TURNED = 1 << 11, /* of a view: in another order (turn.h) */
	VT_LINE_BLOCKS = 1 << 12, /* may have cells of blocks (block.h) */
	VT_LINE_SIZED = 1 << 13,  /* of a view: its client gets the blocks */
};

/* DECDWL and DECDHL: the cells of the row are twice as wide. */
#define VT_LINE_DOUBLE \
 (VT_LINE_DOUBLE_WIDTH | VT_LINE_DOUBLE_TOP | VT_LINE_DOUBLE_BOTTOM)

/* Rows whose cells a client's terminal shows in other columns. */
#define VT_LINE_SHOWN (VT_LINE_DOUBLE | VT_LINE_TURNED | VT_LINE_BLOCKS)

/* All flags that mark prompts, input and output. */
#define VT_LINE_MARKS                                              \
 (VT_LINE_PROMPT | VT_LINE_INPUT | VT_LINE_OUTPUT | VT_LINE_DONE | \
     VT_LINE_CONTINUATION | VT_LINE_FAILED | VT_LINE_MARK)

struct vt_style {
	struct pen pen;
	uint16_t link; /* 1 + index in the line's links, or blocks; 0 none */
	uint16_t pad;
};

/* One row of a block of cells that together show a text (block.h). */
struct vt_block {
	uint8_t scale;  /* rows of the block; 0: no block */
	uint8_t width;  /* its columns are scale * width */
	uint8_t num;    /* the text's size is num / den of the block's height */
	uint8_t den;    /* 0: all of it */
	uint8_t valign; /* of a smaller text: top, bottom, centre */
	uint8_t halign; /* left, right, centre */
	uint8_t row;    /* from 0 */
};

/*
 * URI and id of one hyperlink, or a block, whose text is in the URI's place.
 * Immutable.
 */
struct vt_link {
	uint32_t refs;
	uint16_t uri_len;
	uint16_t id_len;
	struct vt_link *over; /* of a block: its hyperlink, or NULL */
	struct vt_block block;
	char text[]; /* the URI, NUL, the id, NUL */
};

struct vt_line {
	uint32_t refs;
	uint32_t gen;     /* generation of the style indices; see above */
	uint16_t len;     /* stored cells; later columns are blank, style 0 */
	uint16_t cap;     /* allocated cells, without VT_LINE_SLACK */
	uint16_t flags;   /* enum vt_line_flag */
	uint16_t nstyles; /* entries in styles; 0: only the default style */
	uint16_t capstyles;
	uint16_t nlinks;
	uint16_t caplinks;
	/*
	 * With VT_LINE_PROMPT or VT_LINE_DONE: the column of the first of the
	 * marks, at which a command's output ends that had no newline.  0: it
	 * ended above, or the row was wrapped or packed since.  Not compared.
	 */
	uint16_t ended;
	uint32_t ntext; /* used bytes of text, garbage included */
	uint32_t captext;
	uint64_t hash; /* hash of the content; 0: not computed */
	struct vt_cell *cells;
	struct vt_style *styles; /* [0] is the default style if nstyles > 0 */
	struct vt_link **links;
	uint8_t *text; /* clusters: a length byte, then UTF-8 */
};

/* --- links ------------------------------------------------------------- */

/* Creates a link with one reference; cuts strings at the limits above. */
struct vt_link *vt_link_new(
    const char *uri, size_t urilen, const char *id, size_t idlen);
struct vt_link *vt_link_ref(struct vt_link *k);
void vt_link_unref(struct vt_link *k); /* NULL is fine */
const char *vt_link_uri(const struct vt_link *k);
const char *vt_link_id(const struct vt_link *k); /* "" if the link has none */
bool vt_link_equal(const struct vt_link *a, const struct vt_link *b);

/* --- life -------------------------------------------------------------- */

/* Returns a blank line with one reference.  POOL may be NULL here and below. */
struct vt_line *vt_line_new(struct vt_pool *pool);

/* Adds an owner.  From then on the line must not be written. */
struct vt_line *vt_line_ref(const struct vt_line *line);
void vt_line_unref(struct vt_pool *pool, struct vt_line *line);
struct vt_line *vt_line_clone(struct vt_pool *pool, const struct vt_line *line);

/* Replaces a shared line in *SLOT by a private copy (for vt_line_own). */
struct vt_line *vt_line_unshare(struct vt_pool *pool, struct vt_line **slot);

/*
 * Returns the line in *SLOT for writing: clones it if it has other owners, and
 * drops its cached hash.
 */
static inline struct vt_line *
vt_line_own(struct vt_pool *pool, struct vt_line **slot)
{
	struct vt_line *line = *slot;

	if (unlikely(line->refs > 1))
		line = vt_line_unshare(pool, slot);
	line->hash = 0;
	return line;
}

/* Clears cells, styles and flags of a line with one owner. */
void vt_line_reset(struct vt_pool *pool, struct vt_line *line);

/* Returns the heap bytes of the line (without links, which are shared). */
size_t vt_line_bytes(const struct vt_line *line);

/* --- styles ------------------------------------------------------------ */

/*
 * Returns the index of a style in the line's table; adds the style if it is
 * new.  When the table has outgrown the cells, the function drops unused
 * entries first and changes line->gen.  So ask before each write, and do not
 * keep an index across a change of generation.
 *
 * In: link  NULL for none
 */
unsigned vt_line_style(struct vt_pool *pool, struct vt_line *line,
    const struct pen *pen, struct vt_link *link);

/* --- writing (the line must have one owner, see vt_line_own) -------------- */

/* Writes a run of printable ASCII: the hot path of the terminal. */
void vt_line_put_ascii(struct vt_line *line, unsigned col, const uint8_t *p,
    unsigned n, unsigned style);

/*
 * Writes one code point of width 1 or 2; a wide one occupies col and col + 1.
 */
void vt_line_put(struct vt_line *line, unsigned col, uint32_t cp,
    enum vt_width width, unsigned style);

/* Writes one whole cluster of N bytes of UTF-8 (cut at VT_CLUSTER_MAX). */
void vt_line_put_cluster(struct vt_line *line, unsigned col, const char *text,
    size_t n, enum vt_width width, unsigned style);

/* Marks a column as padding: the next wide cell or tab wrapped. */
void vt_line_put_pad(struct vt_line *line, unsigned col, unsigned style);

/* Writes a tab of N columns; it shows as spaces. */
void vt_line_put_tab(
    struct vt_line *line, unsigned col, unsigned n, unsigned style);

/*
 * Adds a code point to the cell at COL (its first column), which becomes a
 * cluster.  A blank cell counts as a space.  Returns false, and changes
 * nothing, if the cluster is full.
 */
bool vt_line_append(
    struct vt_pool *pool, struct vt_line *line, unsigned col, uint32_t cp);

/*
 * Makes the cell at COL wide or narrow (VS16, VS15).  A cell that becomes wide
 * overwrites the next one.
 */
void vt_line_set_width(struct vt_line *line, unsigned col, enum vt_width width);

/* Erases from..to-1 to blank cells of STYLE (background-colour erase). */
void vt_line_erase(
    struct vt_line *line, unsigned from, unsigned to, unsigned style);

/*
 * Like vt_line_erase, but leaves cells whose pen has PEN_PROTECTED (DECSED,
 * DECSEL).
 */
void vt_line_erase_unprotected(
    struct vt_line *line, unsigned from, unsigned to, unsigned style);

/*
 * Empties [from, to) but keeps each cell's rendition.  With MIND_PROTECTED,
 * leaves protected cells alone.
 */
void vt_line_wipe(
    struct vt_line *line, unsigned from, unsigned to, bool mind_protected);

/* Fills from..to-1 with one narrow code point (DECFRA, DECALN). */
void vt_line_fill(struct vt_line *line, unsigned from, unsigned to, uint32_t cp,
    unsigned style);

/*
 * Moves col..right-1 by N columns to the right (insert) or left (delete) within
 * the margin.  Cells moved across the margin are lost; the gap is blank with
 * STYLE.
 */
void vt_line_insert(struct vt_line *line, unsigned col, unsigned n,
    unsigned right, unsigned style);
void vt_line_delete(struct vt_line *line, unsigned col, unsigned n,
    unsigned right, unsigned style);

/*
 * Copies N columns from SCOL of SRC to DCOL of DST, with their styles, links
 * and clusters.  SRC may be DST; the ranges may overlap.  Halves of wide cells
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

/*
 * Returns the style of an index of this line; valid until the line is written.
 */
const struct vt_style *vt_line_style_at(
    const struct vt_line *line, unsigned style);

/* Return pen and hyperlink (or NULL) of the cell at COL. */
const struct pen *vt_line_pen(const struct vt_line *line, unsigned col);
struct vt_link *vt_line_link(const struct vt_line *line, unsigned col);

/* Returns the block of the cell at COL, or NULL. */
struct vt_link *vt_line_block(const struct vt_line *line, unsigned col);

/*
 * Writes the UTF-8 text of the cell at COL to OUT (VT_CLUSTER_MAX + 1 bytes),
 * NUL-terminated: a space for a blank cell, nothing for VT_TAIL and VT_PAD.
 * The first cell of a block has the block's text, others of its first row none.
 * Returns its length.
 */
size_t vt_line_text(const struct vt_line *line, unsigned col, char *out);

/* Returns the bytes and length of a cell with VT_CELL_CLUSTER set. */
static inline const char *
vt_line_cluster(const struct vt_line *line, struct vt_cell c, size_t *len)
{
	const uint8_t *t = line->text + (c.ch & ~VT_CELL_CLUSTER);

	*len = t[0];
	return (const char *)t + 1;
}

/*
 * Returns the number of columns up to the last one that is not blank in the
 * default style.
 */
unsigned vt_line_used(const struct vt_line *line);

/*
 * Returns the number of columns up to the last written one (erased columns do
 * not count).
 */
unsigned vt_line_written(const struct vt_line *line);

/*
 * Returns 64 bits over visible content and flags: never 0, and equal on every
 * machine.
 */
uint64_t vt_line_hash(const struct vt_line *line);

/* Compares content: cells, style values, links, flags. */
bool vt_line_equal(const struct vt_line *a, const struct vt_line *b);

/* Compares two single cells by value. */
bool vt_line_cell_equal(const struct vt_line *a, unsigned acol,
    const struct vt_line *b, unsigned bcol);

/*
 * Compares the first COLS cells of two lines by value: sets bit c % 64 of
 * out[c / 64] for each column c at which they differ, and clears the others.
 */
#define VT_LINE_WORDS(cols) (((cols) + 63u) / 64u)
void vt_line_differ(const struct vt_line *a, const struct vt_line *b,
    unsigned cols, uint64_t *out);

/*
 * Returns the first column from COL on, below END, whose bit in BITS says that
 * the lines differ there, or (not DIFFERS) that they do not; END if none.
 */
static inline unsigned
vt_line_next(const uint64_t *bits, unsigned col, unsigned end, bool differs)
{
	const uint64_t flip = differs ? 0 : UINT64_MAX;
	uint64_t w;

	while (col < end) {
		w = (bits[col / 64] ^ flip) >> (col % 64);
		if (w != 0)
			return MIN_OF(col + (unsigned)__builtin_ctzll(w), end);
		col = (col | 63u) + 1;
	}
	return end;
}

/* Returns NULL, or the name of the invariant that the line breaks. */
const char *vt_line_check(const struct vt_line *line);

#endif
