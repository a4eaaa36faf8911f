/*
 * server/face/viewer.h - one attached client: its SSP transport, its view, its
 * input.
 *
 * Purpose:   when the transport may send, builds the view and hands it over;
 *            takes the input log's news to the key tables.
 * Ownership: the server owns its viewers; the link owns the transport.
 * Units:     milliseconds.
 * Errors:    a payload that does not parse is dropped and counted.
 * Source:    our own.
 * Tests:     regress/e2e
 */
#ifndef SERVER_FACE_VIEWER_H
#define SERVER_FACE_VIEWER_H

#include "base/due.h"
#include "base/io/loop.h"
#include "base/list.h"
#include "mux/sync/control.h"
#include "mux/view/build.h"
#include "server/face/clipboard.h"
#include "server/face/echo.h"
#include "server/face/keys.h"
#include "server/face/mouse.h"
#include "server/face/overlay.h"
#include "server/face/pump.h"
#include "server/io/link.h"
#include "server/run/run.h"

struct client;
struct conn;
struct conns;
struct mirror;
struct pane_ios;
struct remotes;
struct run;
struct scope;
struct session;
struct sync_event;
struct viewer;
struct window;

/* Calls to the files of this floor that build on the viewer, and above. */
struct viewer_ops {
	/* The builder's questions; their argument is the viewer. */
	const struct view_host *host;
	/* Builds the view again. */
	void (*build)(struct viewer *vw);
	/* An event of the client's input. */
	void (*input)(struct viewer *vw, const struct sync_event *ev);
	/* [VIEWER_DUE_COUNT]; NULL where the pump does the rest. */
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
	void *arg;         /* of ops */
	struct list list;  /* struct viewer */
	uint64_t frame_ns; /* what a client's frame takes, smoothed */
};

/* What only a guest has. */
struct viewer_guest {
	unsigned invite; /* number of its invitation; 0: no guest */
	char *name;      /* that the invitation gives it, or NULL */
	bool greeted;    /* its program has sent its name */
	bool spent;      /* its ticket would not let it in again */
};

struct viewer {
	struct list_node node;
	struct viewers *all;
	struct run *run;       /* of all */
	struct client *client; /* the model's; owned by it */
	uint64_t conn_id;      /* 0: none */
	struct link *link;
	struct mirror *mirror; /* NULL: none is sent */
	struct viewer_guest guest;
	struct view_builder builder; /* with the last view */
	struct overlays overlays;    /* over the panes */
	struct due due;              /* enum viewer_due */
	struct viewer_pump pump;     /* pump.c's */
	struct viewer_keys keys;     /* keys.c's */
	struct viewer_mouse mouse;   /* mouse.c's */
	uint64_t input_done;         /* events below it were handled */
	struct echo echo; /* what the client's guesses are judged by */
	struct clipboard_asks clipboard; /* who waits for its answer */
	struct buf paste;                /* gathered until its end */
	bool shown;     /* the client shows what is typed at once */
	bool locked;    /* lock-command runs on its terminal */
	bool detaching; /* it was told to go */
};

void viewers_init(struct viewers *vs, struct run *run,
    const struct viewer_ops *ops, void *arg);

/* Every client that sees the window, the session (NULL: any) or anything. */
void viewers_redraw_window(struct viewers *vs, const struct window *w);
void viewers_redraw_session(struct viewers *vs, const struct session *s);
void viewers_redraw_status(struct viewers *vs, const struct session *s);
void viewers_redraw_all(struct viewers *vs);

/* The clients whose formats show an @option. */
void viewers_redraw_user_options(struct viewers *vs);

/*
 * Attaches the client process behind CN and tells it (ATTACH, ROAMED); NULL
 * with a cause if there is no way to reach it.
 */
struct viewer *viewer_new(struct viewers *vs, struct conn *cn,
    struct client *client, struct cause *c);

/*
 * A guest's: datagrams under a connection id and key that it has already; no
 * process stands behind it.
 */
struct viewer *viewer_new_guest(struct viewers *vs, struct client *client,
    uint64_t cid, const uint8_t *psk, struct cause *c);

/* The same on link L, which the viewer then owns; ID: of its command queue. */
struct viewer *viewer_new_link(
    struct viewers *vs, struct client *client, uint64_t id, struct link *l);
void viewer_free(struct viewer *vw);

struct viewer *viewer_find(const struct viewers *vs, const struct client *c);
struct viewer *viewer_find_conn(const struct viewers *vs, uint64_t conn_id);

/* The viewer that rides on CN (or NULL), or NULL. */
struct viewer *viewer_of_conn(const struct conn *cn);

/* Runs lock-command on its terminal, unless that is under way. */
void viewer_lock(struct viewer *vw);

/* The lock command has ended. */
void viewer_unlocked(struct viewer *vw);

/* What it shows may have changed. */
void viewer_dirty(struct viewer *vw);

/* Sends its client a control message, by whatever carries it. */
void viewer_send(
    struct viewer *vw, enum control_code type, int64_t code, const char *text);

/* Ends the attachment; TEXT is the farewell ("detached (from session 0)"). */
void viewer_detach(struct viewer *vw, int code, const char *text);

/* An effect that happens once on the user's terminal. */
void viewer_effect(
    struct viewer *vw, enum sync_effect_kind kind, const void *p, size_t n);

#endif
