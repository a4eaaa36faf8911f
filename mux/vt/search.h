/*
 * mux/vt/search.h - finding text in screen and history.
 *
 * Purpose:   literal text or a POSIX extended regular expression, over lines
 *            joined where they wrapped, forwards and backwards, in steps short
 *            enough that a search through a million lines blocks nothing.
 * Ownership: struct vt_search belongs to the caller; it keeps no pointer to
 *            the grid between calls.
 * Units:     grid addresses; columns of cells; a match never begins or ends
 *            within a wide cell or a cluster.
 * Errors:    see vt_search_new.  A match of no characters does not count.
 * Source:    POSIX regcomp.
 * Tests:     regress/unit/check_vt_search.c
 *
 * Rows may scroll between two steps; after a change of width start anew.
 */
#ifndef MUX_VT_SEARCH_H
#define MUX_VT_SEARCH_H

#include "base/err.h"
#include "mux/vt/logical.h"

#define VT_SEARCH_PATTERN_MAX 1024 /* bytes */
#define VT_SEARCH_STATES_MAX 20000 /* bound on what intervals multiply to */

enum vt_search_flag {
	VT_SEARCH_REGEX = 1 << 0,
	VT_SEARCH_ICASE = 1 << 1,
	VT_SEARCH_BACKWARD = 1 << 2,
	VT_SEARCH_WRAP = 1 << 3, /* go on at the other end */
};

enum vt_search_result {
	VT_SEARCH_MORE,  /* call again */
	VT_SEARCH_FOUND, /* and calling again finds the next one */
	VT_SEARCH_END,   /* there is no more */
};

/* Cells from start up to, not including, end (which may be in a later row). */
struct vt_match {
	struct vt_pos start;
	struct vt_pos end;
};

struct vt_search;

/*
 * A search for N bytes of UTF-8.
 * Returns: 0; -ERR_SYNTAX for an empty pattern or a bad expression; -ERR_LIMIT
 *          for one too long or too large; -ERR_UNSUPPORTED for back-references
 *          (their time has no bound).  CAUSE (may be NULL) says why.
 */
int vt_search_new(struct vt_search **out, const char *pattern, size_t n,
    unsigned flags, struct cause *cause);
void vt_search_free(struct vt_search *s);

/*
 * Begins at FROM: the first match found starts after it (backwards: before
 * it).
 */
void vt_search_start(
    struct vt_search *s, struct vt_grid *g, struct vt_pos from);

/* Looks at no more than LINES lines. */
enum vt_search_result vt_search_step(struct vt_search *s, struct vt_grid *g,
    size_t lines, struct vt_match *match);

/*
 * All matches that touch rows FIRST..LAST-1, in order, at most MAX of them:
 * what a view highlights.  Returns their number.
 */
size_t vt_search_rows(struct vt_search *s, struct vt_grid *g, vt_row first,
    vt_row last, struct vt_match *out, size_t max);

#endif
