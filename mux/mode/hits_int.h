/*
 * mux/mode/hits_int.h - what the files of search-mode share.
 *
 * Purpose:   the state of the search, and the calls between hits.c, which shows
 *            it, and hits_search.c, which does it.
 * Ownership: struct hits owns everything.
 * Units:     absolute rows; bytes of a line.
 * Tests:     regress/unit/check_hits.c
 */
#ifndef MUX_MODE_HITS_INT_H
#define MUX_MODE_HITS_INT_H

#include "mux/mode/copy_text.h"
#include "mux/mode/hits.h"
#include "mux/vt/search.h"

#define HIT_TEXT_MAX 512 /* bytes kept of a line */

/* A pane to be searched. */
struct hits_pane {
	uint32_t id;
	uint32_t session;
	uint32_t window;
	const struct vt_grid *grid; /* compared only: whether it is another */
	uint64_t remade;            /* of its text, when it was searched */
	size_t hits;
};

struct hit {
	size_t pane; /* of hits.panes */
	struct vt_match at;
	char *line;  /* a part of the line */
	size_t from; /* bytes of the match in it */
	size_t to;
};

/* The text of a pane: its grid or, below a full-screen program, a copy. */
struct hits_text {
	struct text_grid grid;
	struct copy_text copy;
	bool copied;
};

struct hits {
	struct mode_list list;
	char *pattern;
	bool regex;
	struct vt_search *search;
	struct hits_pane *panes; /* [pane_count] */
	size_t pane_count;
	size_t now; /* the pane being searched */
	struct hits_text text;
	bool begun;      /* `text` is that of pane `now` */
	struct hit *all; /* [count], pane after pane */
	size_t count;
	size_t room;
	bool stopped; /* by a key */
	bool limited; /* there are more matches */
	bool moved;   /* a key was typed: the current row is the user's */
	bool go;      /* Enter was typed */
};

static inline bool
hits_done(const struct hits *h)
{
	return h->stopped || h->now >= h->pane_count;
}

/* --- hits_search.c ------------------------------------------------------------- */

/* Makes the list of panes for SCOPE: that of P first, then in order. */
void hits_scope(struct hits *h, struct pane *p, struct winlink *wl,
    enum mode_hits_scope scope);

/* Searches one slice. */
void hits_slice(struct hits *h);

/* Begins again if the rows of a pane have got other numbers. */
void hits_check(struct hits *h);

void hits_clear(struct hits *h);

/* The text of a pane; until hits_text_fini. */
struct text *hits_text_init(struct hits_text *t, const struct pane *p);
void hits_text_fini(struct hits_text *t);

#endif
