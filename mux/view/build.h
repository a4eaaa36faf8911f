/*
 * mux/view/build.h - builds the view of one client from the model.
 *
 * Purpose:   makes surfaces of panes, borders, status lines and marks of other
 *            users, and sets the modes of the user's terminal.  The owner adds
 *            overlays (host.h).
 * Ownership: a builder owns its last view and the frames that it reuses; frames
 *            of panes may be shared with other builders.
 * Units:     cells of the client's terminal, 0-based.
 * Source:    ARCHITECTURE.md, "The client composes"; the look follows tmux.
 * Tests:     regress/unit/check_view_build.c
 */
#ifndef MUX_VIEW_BUILD_H
#define MUX_VIEW_BUILD_H

#include "base/types.h"
#include "conf/format_draw.h"
#include "mux/client.h"
#include "mux/sync/view.h"
#include "mux/view/host.h"

struct window;

/* Surface ids: the kind in the upper 32 bits, a number in the lower ones. */
#define VIEW_SURFACE_PANE(id) ((UINT64_C(1) << 32) | (id))
#define VIEW_SURFACE_CHROME (UINT64_C(2) << 32)
#define VIEW_SURFACE_STATUS (UINT64_C(3) << 32)
#define VIEW_SURFACE_LINE (UINT64_C(4) << 32) /* message or prompt */
#define VIEW_SURFACE_PANEL (UINT64_C(6) << 32)
#define VIEW_SURFACE_PEOPLE (UINT64_C(7) << 32)
#define VIEW_SURFACE_OUTSIDE (UINT64_C(8) << 32)
#define VIEW_SURFACE_PAGER (UINT64_C(9) << 32)
#define VIEW_SURFACE_MENU (UINT64_C(10) << 32)
#define VIEW_SURFACE_POPUP (UINT64_C(11) << 32)
#define VIEW_SURFACE_POPUP_BOX (UINT64_C(12) << 32)
#define VIEW_SURFACE_FLOAT(id) ((UINT64_C(13) << 32) | (id)) /* its border */
#define VIEW_SURFACE_PALETTE (UINT64_C(14) << 32)
#define VIEW_SURFACE_PALETTE_LINE (UINT64_C(15) << 32) /* its query */
#define VIEW_SURFACE_SCROLLBAR(id) ((UINT64_C(16) << 32) | (id))
#define VIEW_SURFACE_ASK (UINT64_C(17) << 32) /* who waits to come in */

struct view_bar;
struct view_turned;

struct view_builder {
	struct view_context cx;
	struct sync_view *view; /* last built; NULL: none */
	mono_ms now;            /* time of the current build */

	/* Set by the owner; a build clears the first three. */
	bool chrome_dirty; /* borders and titles may have changed */
	bool panes_dirty;  /* styles of panes may have changed */
	bool status_dirty;
	bool floats_dirty;    /* set by a build that draws the chrome */
	uint8_t mouse_wanted; /* enum vt_mouse_mode, set by overlays */
	/* What overlays want of the terminal's keys and mouse. */
	uint8_t kitty_wanted;
	uint8_t other_wanted;
	bool pixels_wanted;
	/* A key binding needs an extended encoding; set by the caller. */
	bool keys_extended;
	bool user_options; /* set by the host: a format uses an @option */

	/* Deadlines: when the view changes without input or output. */
	mono_ms status_at; /* MONO_NEVER: status-interval is 0 */
	mono_ms people_at; /* marks of other users; MONO_NEVER: none */
	mono_ms modes_at;  /* of visible modes */

	/* Placement of the last view. */
	int window_x; /* column of the window's cell (0, 0) */
	int window_y;
	enum client_side side;        /* of the status lines */
	struct cell_rect status_area; /* their cells; none: w or h is 0 */
	struct cell_rect area;        /* cells that a window may fill */
	struct format_drawn *ranges;  /* [range_count]: of status lines */
	unsigned range_count;

	/* Frames of the last view. */
	struct vt_frame *chrome;
	uint32_t chrome_window;   /* id of the window in chrome */
	struct vt_frame *outside; /* behind that window if it is small */
	struct vt_frame *status;
	struct view_bar *bars; /* [bar_count]: scrollbars of panes */
	size_t bar_count;
	struct view_turned *turned; /* [turned_count]: panes with turned rows */
	size_t turned_count;

	/* server_options.changes + 1 when tty's settings were made. */
	uint64_t tty_changes;
};

void view_builder_init(struct view_builder *b, struct client *c,
    const struct view_host *host, void *arg);
void view_builder_fini(struct view_builder *b);

/*
 * Builds the view for NOW.  Returns the new b->view; the caller may then set
 * its keys, echo_ack and tty flags.  NULL if the client shows no window.
 */
struct sync_view *view_build(struct view_builder *b, mono_ms now);

/* The earliest deadline of the view, or MONO_NEVER. */
mono_ms view_deadline(const struct view_builder *b);

/* Runs the deadlines that have passed; whether the view must be built. */
bool view_expire(struct view_builder *b, mono_ms now);

/* Whether there are status lines. */
bool view_status_shown(const struct view_builder *b);

/* Rows of the client with status lines above or below the window. */
int view_status_rows(const struct view_builder *b);

/* Whether the focused pane's pty echoed at the last view. */
bool view_focus_echoes(const struct view_builder *b);

/* Whether the modes of that pty have changed since the last view. */
bool view_modes_changed(const struct view_builder *b);

#endif
