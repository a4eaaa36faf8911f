/*
 * server/face/clipboard.h - the clipboards of clients' terminals (OSC 52).
 *
 * Purpose:   sets them; answers a program's OSC 52 query as get-clipboard says:
 *            with the newest paste buffer, or with the clipboard of a client's
 *            terminal; refresh-client -l stores that clipboard in a paste
 *            buffer.
 * Ownership: plain values in the viewer.
 * Units:     milliseconds, bytes.
 * Errors:    a query gets no answer if too many are pending or the terminal
 *            does not answer in time; the client's user gets a message if the
 *            clipboard, or a text for it, is too large.
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
struct window;

#define CLIPBOARD_ASKS 4  /* most pending queries of one terminal */
#define CLIPBOARD_MS 5000 /* timeout of a query */

struct clipboard_asks {
	struct {
		uint32_t pane;
		bool bell; /* the answer ends with BEL, as the query did */
		mono_ms until;
	} panes[CLIPBOARD_ASKS];
	size_t count;
	mono_ms buffer_until; /* for refresh-client -l; 0: not pending */
};

/*
 * Sets the clipboard SELECTION (NULL: the terminal's default one) of a client's
 * terminal, unless the client is a guest.  A text that no effect can carry sets
 * nothing; the client's user gets a message.
 */
void clipboard_set(
    struct viewer *vw, const char *selection, const void *p, size_t n);

/* Sets the clipboard of each client that shows W, likewise. */
void clipboard_set_window(struct viewers *vs, const struct window *w,
    const char *selection, const void *p, size_t n);

/* Handles a query of the program in P (VT_EFFECT_CLIPBOARD_GET). */
void clipboard_asked(
    struct viewers *vs, struct pane *p, const struct vt_effect *e);

/* Queries the terminal; its answer becomes the newest paste buffer. */
void clipboard_fetch(struct viewer *vw);

/* Takes the answer "selection;base64"; drops it if no query is pending. */
void clipboard_answered(struct viewer *vw, const void *data, size_t n);

#endif
