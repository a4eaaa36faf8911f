/*
 * mux/view/host.h - what the builder of a view asks of its owner.
 *
 * Purpose:   the builder reads the model; expanded formats, modes of ptys and
 *            overlays come through this table of functions.
 * Ownership: tables are constants; a context is a plain value whose client
 *            must outlive it.
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

/* When the owner adds overlays to a view. */
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
	 * pty; false if they are unknown or not wanted.  The member may be
	 * NULL.
	 */
	bool (*tty)(void *arg, const struct pane *p, uint32_t *bits);

	/*
	 * Two slots for the pane's frame, shared by the builders of all clients
	 * and unreferenced by the owner; [1] is for a frame with bits of the
	 * pty.  NULL, or a NULL member: frames of this pane are not shared.
	 */
	struct vt_frame **(*frames)(void *arg, const struct pane *p);

	/* Stores the local time of T, seconds since 1970; NULL: UTC. */
	void (*local_time)(void *arg, int64_t t, struct tm *tm);

	/* Adds surfaces of one layer to V.  The member may be NULL. */
	void (*overlays)(void *arg, struct view_builder *b, struct sync_view *v,
	    enum view_layer layer);
};

/* The client whose view is built, and its owner. */
struct view_context {
	struct client *client;
	const struct view_host *host;
	void *arg; /* of the host's functions */
};

#endif
