/*
 * server/face/controller.h - clients in control mode (-C).
 *
 * Purpose:   joins a client of the model, a link, the queue of its lines and
 *            of its panes' output, and the lines that it sends.
 * Ownership: struct controllers owns the controllers; the model owns their
 *            clients. A controller is freed when its link is gone; users keep
 *            ids of connections (controller_find).
 * Units:     bytes; mono_ms.
 * Errors:    a client that reads too slowly ends: "too far behind".
 * Source:    tmux(1), CONTROL MODE.
 * Tests:     regress/e2e/control.sh
 */
#ifndef SERVER_FACE_CONTROLLER_H
#define SERVER_FACE_CONTROLLER_H

#include "base/io/loop.h"
#include "base/list.h"
#include "mux/control/control_in.h"
#include "mux/control/control_out.h"
#include "mux/control/control_pace.h"
#include "mux/control/control_subs.h"
#include "mux/event.h"
#include "server/io/pane_io.h"
#include "server/run/lane.h"

struct client;
struct cmdlist;
struct conn;
struct conns;
struct pane;
struct run;
struct scope;
struct session;

/* Waiting bytes from which a client counts as slow, and until which. */
#define CONTROLLER_SLOW ((size_t)256 << 10)
#define CONTROLLER_QUICK ((size_t)64 << 10)

struct controller;

/* Calls to the floor above. */
struct controller_ops {
	/* Parses and runs one line; the controller may end meanwhile. */
	void (*command)(void *arg, struct controller *ct, const char *line);
	/* Whether commands of the connection run or wait. */
	bool (*busy)(void *arg, uint64_t conn);
};

/* The way to the client. */
struct controller_link {
	/* Returns the bytes that it takes now without waiting. */
	size_t (*room)(void *arg);
	void (*write)(void *arg, const void *p, size_t n);
	/* Tells the client to wait for a last line at its end, or not. */
	void (*wait_exit)(void *arg, bool on);
	/* Stops taking input, or goes on. */
	void (*hold)(void *arg, bool hold);
	/* Ends the client: exit code, and a reason or NULL. */
	void (*end)(void *arg, int code, const char *reason);
	/* Runs a command in place of the client (detach-client -E). */
	void (*exec)(void *arg, const char *command);
	/* The controller is being freed; NULL: nothing to do. */
	void (*free)(void *arg);
	bool far; /* it is not the control socket */
};

/* All clients in control mode; controller_link.h makes them. */
struct controllers {
	struct run *run;
	struct scope *scope;
	struct pane_ios *panes;
	struct conns *conns;
	struct remotes *remotes;
	const struct controller_ops *ops;
	void *arg;        /* of ops */
	struct list list; /* struct controller, oldest first */
	unsigned blocks;  /* numbers of %begin */
	struct list bulk; /* struct controller whose output waits for a turn */
	uint32_t fresh;   /* window that is being made, or MUX_NONE */
	struct pane_watch watch;
};

struct controller {
	struct list_node node;
	struct list_node bulk; /* of controllers.bulk, if QUEUED */
	bool queued;
	struct controllers *all;
	uint64_t conn_id;      /* for command queues */
	struct client *client; /* or NULL: not attached */
	const struct controller_link *link;
	void *link_arg;
	struct control_out *out;
	struct control_in in;
	struct control_subs subs;
	mono_ms subs_next;
	struct buf held;     /* notifications during a block */
	char *last;          /* line of the last event, or NULL */
	uint32_t session;    /* that it was told about, or MUX_NONE */
	unsigned depth;      /* of blocks that are open */
	unsigned block;      /* number of the open one */
	int64_t block_time;  /* seconds since 1970 */
	unsigned block_flag; /* 1: the command came as a line */
	bool lines;          /* the commands of its command line have run */
	bool errors;         /* it waits for those of the configuration */
	bool slow;           /* see CONTROLLER_SLOW */
	bool later;          /* the timer will pump what waits */
	mono_ms pumped;      /* last time */
	struct control_pace pace;
	bool eof;
	bool ending;
	bool ended;
	bool behind;  /* it ends because it read too slowly */
	int code;     /* of its exit */
	char *reason; /* or NULL */
	char *exec;   /* or NULL */
	struct loop_timer *timer;
	struct lane_job job; /* a line of a user with read access */
};

void controllers_init(struct controllers *cs, struct run *run,
    const struct controller_ops *ops, void *arg);
void controllers_fini(struct controllers *cs);

/* Those of a connection (NULL is fine), of its id, of a client; or NULL. */
struct controller *controller_of_conn(const struct conn *cn);
struct controller *controller_find(const struct controllers *cs, uint64_t conn);
struct controller *controller_of(
    const struct controllers *cs, const struct client *c);

/* The client, a viewer's or a controller's, behind a connection; or NULL. */
struct client *controller_client(const struct conn *cn);

/* Gives it a client, which is then attached. */
void controller_attach(struct controller *ct, struct client *c);

/* Takes over the flags of its client. */
void controller_flags(struct controller *ct);

/* All commands of the connection have run. */
void controller_dry(struct controller *ct);

/* Opens and closes the block of one command; blocks inside are left out. */
void controller_begin(struct controller *ct, bool line);
void controller_end_block(struct controller *ct, bool failed);

/* Adds lines of output, inside the open block if there is one. */
void controller_say(struct controller *ct, const char *p, size_t n);

/* Adds a line "%WORD TEXT", inside the open block if there is one. */
void controller_word(struct controller *ct, const char *word, const char *text);

/* Adds a notification, which waits for the end of an open block. */
void controller_notify(struct controller *ct, const char *p, size_t n);

/* Sets the state of a pane (refresh-client -A). */
void controller_pane(
    struct controller *ct, uint32_t pane, enum control_pane_state state);

/* Ends the client after this turn. */
void controller_leave(struct controller *ct, int code, const char *reason);

/* Tells all of them about an event of the model. */
void controllers_event(struct controllers *cs, const struct mux_event *e);

/* All events that wait have been told. */
void controllers_told(struct controllers *cs);

/* Tells it errors of configuration files, a line for each. */
void controller_config_error(struct controller *ct, const char *lines);

/*
 * Tells it those of the server's start: BEFORE its first block if it started the
 * server, else behind the first notifications of a client that has attached.
 */
void controller_errors(struct controller *ct, bool before);

/* Looks at the subscriptions. */
void controllers_tick(struct controllers *cs, mono_ms now);

/* --- for links ---------------------------------------------------------------- */

/*
 * Makes the controller that rides on CN, on LINK, whose argument is ARG (NULL:
 * the controller).
 */
struct controller *controller_make(struct controllers *cs, struct conn *cn,
    const struct controller_link *link, void *arg);

/* Returns how many bytes the link may take, if WAITING are unsent. */
size_t controller_ahead(const struct controller *ct, size_t waiting);

/* Takes input of the client; N 0: its end. */
void controller_input(struct controller *ct, const uint8_t *p, size_t n);

/* The link may take more bytes. */
void controller_room(struct controller *ct);

/* The client is gone: frees the controller. */
void controller_lost(struct controller *ct);

#endif
