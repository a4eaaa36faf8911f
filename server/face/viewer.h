/*
 * server/face/viewer.h - one attached client: its link, view and input.
 *
 * Purpose:   joins the SSP transport of a client, the builder of its view, its
 *            overlays and its key state; passes new events of the input log to
 *            viewer_ops.input.
 * Ownership: struct viewers owns the viewers; a viewer owns its link, which
 *            owns the transport.
 * Units:     mono_ms.
 * Tests:     regress/unit/check_viewer.c, regress/e2e
 */
#ifndef SERVER_FACE_VIEWER_H
#define SERVER_FACE_VIEWER_H

#include "base/due.h"
#include "base/io/loop.h"
#include "base/list.h"
#include "mux/mode/list.h"
#include "mux/sync/control.h"
#include "mux/view/build.h"
#include "server/face/budget.h"
#include "server/face/clipboard.h"
#include "server/face/echo.h"
#include "server/face/keys.h"
#include "server/face/me_conf.h"
#include "server/face/mouse.h"
#include "server/face/opening.h"
#include "server/face/overlay.h"
#include "server/face/pasting.h"
#include "server/face/pick.h"
#include "server/face/pump.h"
#include "server/face/slices.h"
#include "server/face/window_keys.h"
#include "server/io/link.h"
#include "server/run/run.h"

struct client;
struct conn;
struct conns;
struct mirror;
struct pane_ios;
struct pictures;
struct remotes;
struct run;
struct scope;
struct session;
struct sync_event;
struct viewer;
struct window;

/* Calls from the viewer to files that include it. */
struct viewer_ops {
	/* For the view builder; the argument is the viewer. */
	const struct view_host *host;
	/* Builds the view again. */
	void (*build)(struct viewer *vw);
	/* Handles one event of the client's input log. */
	void (*input)(struct viewer *vw, const struct sync_event *ev);
	/* There was no room for a datagram of this guest. */
	void (*refused)(struct viewer *vw);
	/* [VIEWER_DUE_COUNT]; NULL: pump_run needs no more than the wakeup. */
	const viewer_due_fn *due;
	/* The client is gone: free viewer and client. */
	void (*gone)(void *arg, struct client *c);
};

/* All attached clients. */
struct viewers {
	struct run *run;
	struct scope *scope;
	struct pane_ios *panes;
	struct conns *conns;
	struct remotes *remotes;
	const struct viewer_ops *ops;
	void *arg;                     /* of ops */
	struct list list;              /* struct viewer */
	struct mode_host modes;        /* requests.c's */
	struct mode_requests requests; /* of modes */
	struct slices slices;          /* slices.c's */
	uint64_t frame_ns;             /* smoothed time to build one frame */
	bool look; /* notices.c: what persons see has changed */
};

/* Set for guests only. */
struct viewer_guest {
	unsigned invite;      /* number of its invitation; 0: no guest */
	char *name;           /* given by the invitation, or NULL */
	bool greeted;         /* its client has sent SYNC_HELLO */
	bool waits;           /* until the host lets it in */
	uint32_t session;     /* its invitation is for this one */
	bool spent;           /* its ticket is no longer valid */
	char print[17];       /* fingerprint of its key in hex, or "" */
	struct budget budget; /* the work that it may cause */
};

struct viewer {
	struct list_node node;
	struct viewers *all;
	struct run *run;       /* of all */
	struct client *client; /* owned by the model */
	uint64_t conn_id;      /* 0: none */
	struct link *link;
	struct mirror *mirror;     /* NULL: none is sent */
	struct pictures *pictures; /* the same */
	struct viewer_guest guest;
	struct view_builder builder; /* owns the last view */
	struct overlays overlays;    /* over the panes */
	struct due due;              /* enum viewer_due */
	struct viewer_pump pump;     /* private to pump.c */
	struct viewer_keys keys;     /* private to keys.c */
	uint64_t keys_changes;     /* of the bindings that keys_ask has seen */
	struct viewer_mouse mouse; /* private to mouse.c */
	struct window_keys window_keys;
	struct opening opening;    /* private to opening.c */
	struct viewer_pick pick;   /* private to pick.c */
	uint64_t input_done;       /* index of the first unhandled event */
	struct lane_job input_job; /* a local guest's events that wait */
	struct echo echo;          /* acks that confirm predictions */
	struct clipboard_asks clipboard; /* pending OSC 52 queries */
	struct viewer_paste paste;       /* private to pasting.c */
	struct viewer_me me;             /* private to me_conf.c */
	int menu_x;                      /* left column of the last menu */
	int menu_y;                      /* its first row */
	/* OSC 9;4 as its terminal has it: notices.c. */
	unsigned progress;
	bool shown;     /* the client displays its predictions */
	bool pretends;  /* the picture of another window is drawn */
	bool locked;    /* lock-command runs on its terminal */
	bool detaching; /* CONTROL_DETACH was sent */
	char *why;      /* the text of that, or NULL */
};

void viewers_init(struct viewers *vs, struct run *run,
    const struct viewer_ops *ops, void *arg);

/* Redraw the clients that show the window, the session (NULL: any), or all. */
void viewers_redraw_window(struct viewers *vs, const struct window *w);
void viewers_redraw_session(struct viewers *vs, const struct session *s);
void viewers_redraw_status(struct viewers *vs, const struct session *s);
void viewers_redraw_all(struct viewers *vs);

/* Builds all views again; nothing that is drawn has changed. */
void viewers_rebuild(struct viewers *vs);

/*
 * Tells modes in sight that list the model, with their clients, that it has
 * changed; OUTPUT: by output of a pane.
 */
void viewers_tell_modes(struct viewers *vs, bool output);

/* Redraws the clients whose formats use an @option. */
void viewers_redraw_user_options(struct viewers *vs);

/*
 * Creates the viewer of the client process behind CN, on a remote link if the
 * connection roams; NULL with a cause if the link cannot be opened.
 */
struct viewer *viewer_new(struct viewers *vs, struct conn *cn,
    struct client *client, struct cause *c);

/*
 * Creates a guest's viewer.  A guest has no local client process: it sends
 * datagrams under a connection id and key that it already has.
 */
struct viewer *viewer_new_guest(struct viewers *vs, struct client *client,
    uint64_t cid, const uint8_t *psk, struct cause *c);

/* Creates a viewer that owns link L; ID: connection id, for command queues. */
struct viewer *viewer_new_link(
    struct viewers *vs, struct client *client, uint64_t id, struct link *l);
void viewer_free(struct viewer *vw);

struct viewer *viewer_find(const struct viewers *vs, const struct client *c);

/* The viewer attached through CN (may be NULL), or NULL. */
struct viewer *viewer_of_conn(const struct conn *cn);

/* Runs lock-command on the client's terminal unless it already runs. */
void viewer_lock(struct viewer *vw);

/* Call when lock-command has ended. */
void viewer_unlocked(struct viewer *vw);

/* Marks the view dirty and urgent. */
void viewer_dirty(struct viewer *vw);

/*
 * Sends the client a control message: over its connection, or as an effect of
 * the view on a remote link.
 */
void viewer_send(
    struct viewer *vw, enum control_code type, int64_t code, const char *text);

/* Detaches the client, which prints TEXT ("detached (from session 0)"). */
void viewer_detach(struct viewer *vw, int code, const char *text);

/* Adds a one-time effect for the user's terminal to the view. */
void viewer_effect(
    struct viewer *vw, enum sync_effect_kind kind, const void *p, size_t n);

#endif
