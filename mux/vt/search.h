/*
 * mux/vt/search.h - finds text in screen and history.
 *
 * Purpose:   searches for literal text or a POSIX extended regular expression
 *            in lines joined where they wrapped, forwards and backwards, in
 *            slices, so that a search through a million lines blocks nothing.
 * Ownership: struct vt_search belongs to the caller; it keeps no pointer to the
 *            text between calls.
 * Units:     places in a text (text.h).  A match begins and ends at the edge of
 *            a grapheme cluster and has at least one cell.
 * Errors:    see vt_search_new.
 * Source:    POSIX regcomp; tmux's rule for case.
 * Tests:     regress/unit/check_vt_search.c, regress/bench/vt_search.c
 *
 * Rows may scroll between two calls; start again when text_remade changes.
 */
#ifndef MUX_VT_SEARCH_H
#define MUX_VT_SEARCH_H

#include "base/err.h"
#include "mux/vt/text.h"

#define VT_SEARCH_PATTERN_MAX 1024 /* bytes */
#define VT_SEARCH_REPEATS_MAX 256  /* product of a pattern's intervals */
/*
 * A regular expression sees so many bytes of a line at once, a complex one a
 * quarter; the windows of a longer line overlap by half.  Matches of up to half
 * a window are exact.
 */
#define VT_SEARCH_WINDOW 2048

enum vt_search_flag {
	VT_SEARCH_REGEX = 1 << 0,
	VT_SEARCH_ICASE = 1 << 1,
	VT_SEARCH_BACKWARD = 1 << 2,
	VT_SEARCH_WRAP = 1 << 3, /* continue at the other end */
	VT_SEARCH_SMART = 1 << 4 /* ICASE if the pattern has no ASCII capital */
};

enum vt_search_result {
	VT_SEARCH_MORE,  /* call again */
	VT_SEARCH_FOUND, /* call again for the next match */
	VT_SEARCH_END    /* there are no more matches */
};

/* Cells from start up to, not including, end (which may be in a later row). */
struct vt_match {
	struct vt_pos start;
	struct vt_pos end;
};

struct vt_search;

/*
 * Creates a search for N bytes of UTF-8.
 * Returns: 0; -ERR_SYNTAX for an empty pattern or a bad expression; -ERR_LIMIT
 *          for a pattern that is too long or repeats too much;
 *          -ERR_UNSUPPORTED for back-references, whose time has no bound.
 *          CAUSE (may be NULL) receives the reason.
 */
int vt_search_new(struct vt_search **out, const char *pattern, size_t n,
    unsigned flags, struct cause *cause);
void vt_search_free(struct vt_search *s); /* NULL is fine */

/* Changes VT_SEARCH_BACKWARD and VT_SEARCH_WRAP; start again after it. */
void vt_search_direct(struct vt_search *s, bool backward, bool wrap);

/* Starts at FROM: finds matches that start after it (backwards: before it). */
void vt_search_start(struct vt_search *s, struct text *t, struct vt_pos from);

/* After vt_search_start: all matches of the first line count. */
void vt_search_whole(struct vt_search *s);

/* Looks at about LINES lines: never less than one, at most a page more. */
enum vt_search_result vt_search_step(
    struct vt_search *s, struct text *t, size_t lines, struct vt_match *match);

/* Returns the lines that the last step looked at; long ones count more. */
size_t vt_search_looked(const struct vt_search *s);

/*
 * Finds the matches that touch rows FIRST..LAST-1, in order, at most MAX of
 * them, to highlight.  Returns their number.
 */
size_t vt_search_rows(struct vt_search *s, struct text *t, vt_row first,
    vt_row last, struct vt_match *out, size_t max);

/* Progress of vt_search_count; zero-initialise it. */
struct vt_search_count {
	size_t max;       /* stop after so many matches; 0: no limit */
	struct vt_pos at; /* the current match */
	size_t all;       /* matches so far */
	size_t before;    /* of them, those that start before `at` */
	vt_row row;       /* next row to look at */
	bool started;
	bool limited; /* stopped at `max` */
};

/* Counts the matches of about LINES more lines.  Returns true if any remain. */
bool vt_search_count(struct vt_search *s, struct text *t,
    struct vt_search_count *c, size_t lines);

#endif
