/*
 * mux/vt/output.h - the output of commands, by the shell's marks (OSC 133).
 *
 * Purpose:   finds where the output of a command begins and ends: after mark C,
 *            up to the next mark D or A.
 * Ownership: plain values.
 * Units:     places in a text (text.h); `end` is not part of the output.
 * Errors:    -ERR_NOTFOUND where no mark C is left.
 * Source:    FinalTerm's marks as iTerm2, kitty and VTE read them.
 * Tests:     regress/unit/check_vt_output.c
 *
 * Takes time linear in the rows between the row asked for and the marks.  Pages
 * of packed history are read without unpacking their lines.
 */
#ifndef MUX_VT_OUTPUT_H
#define MUX_VT_OUTPUT_H

#include "base/buf.h"
#include "mux/vt/text.h"

struct vt_output {
	vt_row
	    prompt; /* first row of its prompt; `start` if there is no mark */
	struct vt_pos start;
	struct vt_pos end;
	bool running; /* there is no mark of its end: `end` is after the text */
};

/* Finds the output that ROW is part of, or the last one before. */
int vt_output_at(struct text *t, vt_row row, struct vt_output *out);

/* Finds the output of the last command that has ended. */
int vt_output_last(struct text *t, struct vt_output *out);

/* Finds the output before OUT. */
int vt_output_previous(
    struct text *t, const struct vt_output *out, struct vt_output *previous);

/* Whether the command has printed nothing. */
static inline bool
vt_output_empty(const struct vt_output *out)
{
	return vt_pos_compare(out->start, out->end) >= 0;
}

/*
 * Appends the text from START up to END: wrapped lines joined, no newline and
 * no blanks at the end (zsh writes blanks after output without a newline).
 * -ERR_LIMIT when the buffer is full.
 */
int vt_output_text(
    struct buf *out, struct text *t, struct vt_pos start, struct vt_pos end);

#endif
