/*
 * mux/vt/line.h - a line that owns everything it needs.
 *
 * Purpose:   cells, styles, links, clusters and marks of one row, shared by
 *            any number of screens, frames and snapshots.
 * Ownership: reference-counted.  A line with more than one owner is never
 *            written: vt_line_own() clones it first.  All indices are local to
 *            the line.
 * Units:     columns; at most VT_COLS_MAX.
 * Errors:    none; every table is bounded by the columns.
 * Source:    our own (idea 2 of ARCHITECTURE.md).
 * Tests:     regress/unit/check_vt_line.c
 */
#ifndef MUX_VT_LINE_H
#define MUX_VT_LINE_H

#include "base/pen.h"
#include "mux/vt/cell.h"

#define VT_COLS_MAX 10000
#define VT_ROWS_MAX 10000
#define VT_CLUSTER_MAX 64 /* bytes of UTF-8 in one cluster; more is dropped */
#define VT_LINK_MAX 2083  /* bytes of a hyperlink's URI */
#define VT_LINK_ID_MAX 250

enum vt_line_flag {
	VT_LINE_WRAPPED = 1 << 0,     /* continues on the next line */
	VT_LINE_PROMPT = 1 << 1,      /* OSC 133;A: a prompt starts here */
	VT_LINE_INPUT = 1 << 2,       /* OSC 133;B: the user's input starts */
	VT_LINE_OUTPUT = 1 << 3,      /* OSC 133;C: a command's output starts */
	VT_LINE_DONE = 1 << 4,        /* OSC 133;D: a command ended here */
	VT_LINE_CONTINUATION = 1 << 5, /* OSC 133;A;k=c or s: further prompt */
	VT_LINE_FAILED = 1 << 6,      /* the command that ended here failed */
	VT_LINE_DOUBLE_WIDTH = 1 << 7,
};

struct vt_style {
	struct pen pen;
	uint16_t link; /* 1 + index in the line's links; 0 none */
	uint16_t pad;
};

/* URI and id of one hyperlink; the strings follow each other in `text`. */
struct vt_link;

struct vt_line {
	uint32_t refs;
	uint16_t len;  /* cells that are stored; the rest is blank, style 0 */
	uint16_t cap;  /* cells allocated */
	uint16_t flags; /* enum vt_line_flag */
	uint16_t nstyles;  /* entries of styles; 0 means only the default */
	uint16_t capstyles;
	uint16_t nclusters;
	uint16_t capclusters;
	uint16_t nlinks;
	uint64_t hash; /* content hash, 0 = not computed */
	struct vt_style *styles; /* [0] is the default style when nstyles > 0 */
	struct vt_cluster *clusters;
	struct vt_link *links;
	struct vt_cell *cells;
};

/* One grapheme cluster of more than one code point, as UTF-8. */
struct vt_cluster {
	uint8_t len; /* bytes, 1..VT_CLUSTER_MAX */
	char text[VT_CLUSTER_MAX + 1];
};

#endif
