/*
 * mux/mode/pick_did.h - what replays of choosers, menus and palettes have in
 * common.
 *
 * Purpose:   the outcome of an input, and what a replay begins with.
 * Tests:     regress/unit/check_pick.c
 */
#ifndef MUX_MODE_PICK_DID_H
#define MUX_MODE_PICK_DID_H

#include <stddef.h>

#include "base/compiler.h"

struct grapheme_table;
struct vt_frame;

enum pick_did {
	PICK_DONE,
	PICK_SENT,    /* an action, which waits for the server */
	PICK_UNKNOWN, /* the effect is not known */
	PICK_MISSED,  /* rows are missing */
};

struct pick_cfg {
	const void *state;
	size_t state_len;
	const void *rows;
	size_t rows_len;
	/* The confirmed picture: parts that a replay cannot draw come from it. */
	const struct vt_frame *picture;
	const struct grapheme_table *graphemes;
};

#endif
