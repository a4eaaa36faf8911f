/*
 * mux/view/host.h - calls from the view builder to its owner.
 *
 * Purpose:   the builder reads the model; the owner supplies expanded formats,
 *            modes of ptys, shared frames and overlays through these calls.
 * Ownership: tables are constants; a context must not outlive its client.
 */
#ifndef MUX_VIEW_HOST_H
#define MUX_VIEW_HOST_H

#include <stdbool.h>
#include <stdint.h>

#include "conf/format.h"

struct client;
struct pane;
struct sync_view;
struct tm;
struct view_builder;
struct vt_frame;

/* Where overlays are added in the stack of surfaces. */
enum view_layer {
	VIEW_LAYER_WINDOW, /* above the panes, below the status lines */
	VIEW_LAYER_TOP     /* above everything */
};

struct view_host {
	/*
	 * Expands FORMAT for client C and, unless it is NULL, pane P.
	 * Returns a new string (mem_free).
	 */
	char *(*expand)(void *arg, struct client *c, struct pane *p,
	    const struct format_var *vars, size_t nvars, const char *format,
	    unsigned flags);

	/*
	 * Stores the VT_FRAME_ECHO and VT_FRAME_CANONICAL bits of the pane's
	 * pty; false if they are unknown or not needed.  May be NULL.
	 */
	bool (*tty)(void *arg, const struct pane *p, uint32_t *bits);

	/*
	 * Two slots for the pane's frame, shared by the builders of all
	 * clients; the owner drops the references.  [1] is for a frame with
	 * bits of the pty.  If the member or its result is NULL, frames of the
	 * pane are not shared.
	 */
	struct vt_frame **(*frames)(void *arg, const struct pane *p);

	/* Stores the local time of T, seconds since 1970; NULL: UTC. */
	void (*local_time)(void *arg, int64_t t, struct tm *tm);

	/* Adds the overlays of one layer to V.  May be NULL. */
	void (*overlays)(void *arg, struct view_builder *b, struct sync_view *v,
	    enum view_layer layer);
};

/* The client whose view is built, and the calls to its owner. */
struct view_context {
	struct client *client;
	const struct view_host *host;
	void *arg; /* first argument of the host's calls */
};

#endif
