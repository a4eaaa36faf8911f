/*
 * mux/layout_text.h - layouts as text, version 1, with a checksum.
 *
 * Purpose:   prints the tiled panes of a layout as "csum,WxH,X,Y..." and parses
 *            it: the text of #{window_layout} up to tmux 3.7, which select-layout
 *            still takes. layout_json.h has version 2.
 * Ownership: as layout.h.
 * Units:     cells.
 * Errors:    -ERR_SYNTAX ("invalid layout") and -ERR_LIMIT with a cause; the
 *            result is then empty.
 * Source:    tmux(1), select-layout; the form of tmux 1.x without pane numbers
 *            at its leaves is read too.
 * Tests:     regress/unit/check_layout.c, regress/fuzz/fuzz_layout_text.c
 */
#ifndef MUX_LAYOUT_TEXT_H
#define MUX_LAYOUT_TEXT_H

#include "base/buf.h"
#include "base/err.h"
#include "mux/layout.h"

#define LAYOUT_TEXT_MAX 262144u /* bytes */

/* Returns the text as a new string (mem_free). */
char *layout_text_new(const struct layout *l);

/*
 * Parses a layout. Leaves get the panes of the text, or LAYOUT_NO_PANE.
 * Out:     *l (not initialised before), only on success
 */
int layout_parse(const char *text, struct layout *l, struct cause *cause);

/*
 * Computes the size of the outermost cell and all places from the sizes of the
 * leaves; -ERR_SYNTAX with a cause if the sizes do not fit together.
 */
int layout_correct(struct layout *l, struct cause *cause);

/* Computes the checksum of TEXT, a layout after its first comma. */
uint16_t layout_checksum(const char *text);

#endif
