/*
 * server/face/pump.h - when the view of a client is built and sent.
 *
 * Purpose:   paces frames, holds back what need not go at once, and runs what
 *            is due.
 * Ownership: struct viewer_pump is a member of the viewer, for pump.c alone.
 * Units:     mono_ms.
 * Tests:     regress/unit/check_viewer.c
 */
#ifndef SERVER_FACE_PUMP_H
#define SERVER_FACE_PUMP_H

#include "server/face/flood.h"

struct loop_timer;
struct sync_event;
struct viewer;

/* What a viewer does later, in the order in which it is done (base/due.h). */
enum viewer_due {
	VIEWER_DUE_OVERLAYS, /* the earliest deadline of an overlay */
	VIEWER_DUE_TABLE,    /* the key table is left */
	VIEWER_DUE_KEYS,     /* the keys of the table are shown */
	VIEWER_DUE_ECHO,     /* inputs count as answered */
	VIEWER_DUE_ACK,      /* a frame that says no more than that goes */
	VIEWER_DUE_MODES,    /* look again whether the pty echoes */
	VIEWER_DUE_VIEW,     /* status lines and marks of people */
	VIEWER_DUE_FRAME,    /* the view may be built */
	VIEWER_DUE_COUNT
};

/* Does what was due; its slot is off. */
typedef void (*viewer_due_fn)(struct viewer *vw, mono_ms now);

struct viewer_pump {
	struct loop_timer *timer;
	bool woken;           /* pump_run comes after this turn */
	bool dirty;           /* the view is to be built again */
	bool line_put_off;    /* a new line waits for what is printed there */
	struct flood flood;   /* a remote client need not see all of one */
	mono_ms frame_at;     /* no frame before then */
	mono_ms token_at;     /* when tokens were last counted */
	unsigned tokens;      /* frames that may go at once */
	unsigned replies;     /* answers to input that need not wait */
	mono_ms asked_at;     /* when the last such input came */
	unsigned modes_looks; /* at the pty since the last frame */
	size_t clipped;   /* panes too large to be shown; the user was told */
	uint64_t too_big; /* views too large to be sent; the log was told */
};

void pump_init(struct viewer *vw);
void pump_fini(struct viewer *vw);

/*
 * After this turn of the loop: runs what is due, builds the view if it is dirty,
 * sends what may go.
 */
void pump_wake(struct viewer *vw);

/* The same, and the view is dirty; URGENT: somebody waits for it. */
void pump_dirty(struct viewer *vw, bool urgent);

/* An event of the client; its program may answer with an extra frame. */
void pump_asked(struct viewer *vw, mono_ms now, const struct sync_event *ev);

/* The pane in focus has written: perhaps the answer. */
void pump_answered(struct viewer *vw);

/* Functions for VIEWER_DUE_ECHO ... VIEWER_DUE_VIEW. */
void pump_echo_due(struct viewer *vw, mono_ms now);
void pump_ack_due(struct viewer *vw, mono_ms now);
void pump_modes_due(struct viewer *vw, mono_ms now);
void pump_view_due(struct viewer *vw, mono_ms now);

#endif
