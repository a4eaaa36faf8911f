/*
 * mux/layout_json.h - layouts as text, version 2.
 *
 * Purpose:   prints a layout as {"V":2,"L":{...}}, the text of
 *            #{window_layout}, and parses it. Cells have keys t (type: p, h or
 *            v), w, h, x, y and c (cells inside); leaves have i (index of the
 *            pane), I (its id, for readers), a (true: the active pane) or l
 *            (place among the panes active before) and, if they float, z.
 * Ownership: layout_json_parse allocates the leaves (mem_free).
 * Units:     cells of the window.
 * Errors:    -ERR_SYNTAX and -ERR_LIMIT with a cause; the results are then
 *            empty.
 * Source:    the texts of tmux 3.8, which has JSON objects, arrays of objects,
 *            strings without escapes, integers and booleans.
 * Tests:     regress/unit/check_layout_float.c, regress/fuzz/fuzz_layout_text.c
 *
 * Different from tmux: a row or column of floating panes only may have the size
 * 0x0, which tmux prints but does not read.
 */
#ifndef MUX_LAYOUT_JSON_H
#define MUX_LAYOUT_JSON_H

#include "base/err.h"
#include "mux/layout.h"

/* A leaf in the text. */
struct layout_leaf {
	struct layout_cell *cell;
	uint32_t index;
	int z;    /* of a floating leaf: 0 is the front; else -1 */
	int last; /* 0: active just before; -1: never */
	bool active;
};

/* Fills OUT for the pane of a leaf. */
typedef void (*layout_leaf_fn)(
    void *arg, const struct layout_cell *cell, struct layout_leaf *out);

/* Returns the text as a new string (mem_free). */
char *layout_json_new(const struct layout *l, layout_leaf_fn fn, void *arg);

/* Tells whether TEXT is of this version. */
bool layout_json_is(const char *text);

/*
 * Parses a layout. Its leaves have no panes yet.
 * Out:     *l (not initialised before) and *leaves, [*n], in order of index
 */
int layout_json_parse(const char *text, struct layout *l,
    struct layout_leaf **leaves, size_t *n, struct cause *cause);

#endif
