/*
 * mux/layout_text.h - layouts as text, with a checksum.
 *
 * Purpose:   prints a layout as "csum,WxH,X,Y..." and parses it: the text of
 *            #{window_layout} and select-layout.
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

/* Computes the checksum of TEXT, a layout after its first comma. */
uint16_t layout_checksum(const char *text);

#endif
