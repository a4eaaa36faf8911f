/*
 * server/face/pump.h - schedules the frames of one client.
 *
 * Purpose:   builds the view when it is dirty and pacing allows it, delays
 *            frames that are not urgent, and runs the viewer's deadlines.
 * Ownership: struct viewer_pump is a member of the viewer, for pump.c alone.
 * Units:     mono_ms.
 * Tests:     regress/unit/check_viewer.c
 */
#ifndef SERVER_FACE_PUMP_H
#define SERVER_FACE_PUMP_H

#include "server/face/flood.h"
#include "server/run/lane.h"

struct loop_timer;
struct sync_event;
struct viewer;

/* The deadlines of a viewer (base/due.h), in the order in which they run. */
enum viewer_due {
	VIEWER_DUE_OVERLAYS, /* the earliest deadline of an overlay */
	VIEWER_DUE_TABLE,    /* return to the session's key table */
	VIEWER_DUE_KEYS,     /* show the panel of the table's keys */
	VIEWER_DUE_CLICK,    /* a double click is not a triple click */
	VIEWER_DUE_DRAG,     /* a drag at an edge scrolls on */
	VIEWER_DUE_ECHO,     /* inputs count as answered */
	VIEWER_DUE_ACK,      /* send a frame for the echo ack alone */
	VIEWER_DUE_MODES,    /* poll the modes of the pty */
	VIEWER_DUE_SIZE,     /* a guest's size that has waited */
	VIEWER_DUE_ASK,      /* nobody lets the guest in */
	VIEWER_DUE_PICK,     /* a client gets all of a long list */
	VIEWER_DUE_VIEW,     /* status lines, modes, people's marks */
	VIEWER_DUE_FRAME,    /* the view may be built */
	VIEWER_DUE_COUNT
};

/* Runs when its deadline has passed; the deadline is off by then. */
typedef void (*viewer_due_fn)(struct viewer *vw, mono_ms now);

struct viewer_pump {
	struct loop_timer *timer;
	struct lane_job job;  /* of a guest, instead of a deferred call */
	bool woken;           /* pump_run is pending after this turn */
	bool dirty;           /* the view must be built again */
	bool line_put_off;    /* a view with only a new line is pending */
	struct flood flood;   /* postpones views during floods */
	mono_ms frame_at;     /* the earliest time of the next frame */
	mono_ms token_at;     /* when tokens were last counted */
	unsigned tokens;      /* frames that may be sent at once */
	unsigned replies;     /* unanswered inputs: frames beyond the pace */
	mono_ms asked_at;     /* time of the last such input */
	unsigned modes_looks; /* polls of the pty since the last frame */
	size_t clipped;       /* panes too large to be shown, as reported */
	uint64_t options;     /* changes of options that pace has seen */
	uint64_t too_big;     /* views too large to be sent, as logged */
};

void pump_init(struct viewer *vw);
void pump_fini(struct viewer *vw);

/*
 * After this turn of the loop: runs the deadlines that have passed, builds the
 * view if it is dirty and pacing allows it, and lets the link send.
 */
void pump_wake(struct viewer *vw);

/*
 * Marks the view dirty and wakes the pump.  URGENT: a user waits for this
 * change; a flood must not delay it.
 */
void pump_dirty(struct viewer *vw, bool urgent);

/*
 * Counts an input event that a program may answer; the answer may then be
 * sent as an extra frame.
 */
void pump_asked(struct viewer *vw, mono_ms now, const struct sync_event *ev);

/*
 * The focused pane has written.  If input awaits an answer, this is taken for
 * it, and the next frame need not wait for pacing.
 */
void pump_answered(struct viewer *vw);

/* Functions for VIEWER_DUE_ECHO ... VIEWER_DUE_VIEW. */
void pump_echo_due(struct viewer *vw, mono_ms now);
void pump_ack_due(struct viewer *vw, mono_ms now);
void pump_modes_due(struct viewer *vw, mono_ms now);
void pump_view_due(struct viewer *vw, mono_ms now);

#endif
