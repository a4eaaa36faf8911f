/*
 * mux/layout_text.h - layouts as text, with a checksum.
 *
 * Purpose:   prints a layout as "csum,WxH,X,Y..." and reads it back; what
 *            #{window_layout} says and select-layout takes.
 * Ownership: as layout.h.
 * Units:     cells.
 * Errors:    -ERR_SYNTAX ("invalid layout") and -ERR_LIMIT with a cause; the
 *            result is then empty.
 * Source:    tmux(1), select-layout; the form that has no pane numbers at its
 *            leaves (tmux 1.x) is read too.
 * Tests:     regress/unit/check_layout.c, regress/fuzz/fuzz_layout_text.c
 */
#ifndef MUX_LAYOUT_TEXT_H
#define MUX_LAYOUT_TEXT_H

#include "base/buf.h"
#include "base/err.h"
#include "mux/layout.h"

#define LAYOUT_TEXT_MAX 262144u /* bytes */

/* The text as a string (mem_free). */
char *layout_text_new(const struct layout *l);

/*
 * Reads a layout.  Panes at the leaves are those of the text, LAYOUT_NO_PANE
 * where it has none.
 * Out: *l (not initialised before), only on success
 */
int layout_parse(const char *text, struct layout *l, struct cause *cause);

/* The checksum before the first comma. */
uint16_t layout_checksum(const char *text);

#endif
