/*
 * server/face/clipboard.h - what programs and people ask of the clipboard.
 *
 * Purpose:   answers a program's OSC 52 question as get-clipboard says: with the
 *            newest paste buffer, or with what a client's terminal answers;
 *            refresh-client -l makes a paste buffer of that.
 * Ownership: plain values in the viewer.
 * Units:     milliseconds, bytes.
 * Errors:    who asks too many at once, or gets no answer in time, gets none; a
 *            clipboard too large for a message is told to the client's user.
 * Source:    xterm's control sequences (OSC 52); tmux(1), get-clipboard.
 * Tests:     regress/e2e/options.sh, flags_client.sh
 */
#ifndef SERVER_FACE_CLIPBOARD_H
#define SERVER_FACE_CLIPBOARD_H

#include <stdbool.h>
#include <stddef.h>

#include "base/types.h"

struct pane;
struct viewer;
struct viewers;
struct vt_effect;

#define CLIPBOARD_ASKS 4  /* panes that wait for one terminal's answer */
#define CLIPBOARD_MS 5000 /* as long as they do */

struct clipboard_asks {
	struct {
		uint32_t pane;
		bool bell; /* BEL ends the answer, as it ended the question */
		mono_ms until;
	} panes[CLIPBOARD_ASKS];
	size_t count;
	mono_ms buffer_until; /* refresh-client -l waits; 0: it does not */
};

/* The program in P asks (VT_EFFECT_CLIPBOARD_GET). */
void clipboard_asked(
    struct viewers *vs, struct pane *p, const struct vt_effect *e);

/* The terminal is asked; its answer becomes the newest paste buffer. */
void clipboard_fetch(struct viewer *vw);

/* The terminal's answer, "selection;base64"; one that nobody waits for is dropped. */
void clipboard_answered(struct viewer *vw, const void *data, size_t n);

#endif
