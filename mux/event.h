/*
 * mux/event.h - events of the model, for the server.
 *
 * Purpose:   queues events with ids. The model appends to it and never
 *            calls the server. The server takes events after each command or
 *            read and turns them into frames, hooks and lines of control mode.
 * Ownership: the mux owns the queue; an event that was taken belongs to the
 *            caller (mux_event_fini).
 * Units:     ids are those of $1 @1 %1 without their letter; MUX_NONE for none.
 * Errors:    over MUX_EVENT_MAX waiting events, new ones are counted and
 *            dropped.
 * Source:    tmux(1), HOOKS and CONTROL MODE, for the rows of event.def.
 * Tests:     regress/unit/check_event.c
 */
#ifndef MUX_EVENT_H
#define MUX_EVENT_H

#include <stdbool.h>

#include "base/compiler.h"

#define MUX_NONE UINT32_MAX /* no such id */
#define MUX_EVENT_MAX 1000000u

/* clang-format off */
enum mux_event_type {
#define X(name, ...) MUX_EVENT_##name,
#include "mux/event.def"
#undef X
	MUX_EVENT_COUNT
};
/* clang-format on */

struct mux_event {
	enum mux_event_type type;
	uint32_t session;
	uint32_t window;
	uint32_t pane;
	uint32_t client;
	int index;        /* of a winlink, or -1 */
	uint32_t command; /* number of the command that has caused it */
	uint32_t step;    /* part of the command: mux_step */
	bool quiet;       /* commands of an event have caused it */
	char *text;       /* or NULL */
	char *owner;      /* name of the session of a winlink, or NULL */
	char *titled;     /* name of the window at that time, or NULL */
};

struct mux_event_row {
	const char *name; /* "SESSION_CREATED" */
	const char *hook;
	const char *control;
	const char *other;
	const char *help;
};

/* Returns the row of a type. */
const struct mux_event_row *mux_event_row(enum mux_event_type type);

struct mux_events {
	struct mux_event *ring;
	size_t cap;
	size_t head;
	size_t count;
	uint64_t dropped;
	uint32_t command; /* for events to come */
	uint32_t step;    /* for events to come */
	bool quiet;       /* for events to come */
};

void mux_events_init(struct mux_events *q);
void mux_events_fini(struct mux_events *q);

/* Makes an event without ids and text. */
struct mux_event mux_event_make(enum mux_event_type type);

/* Appends E; its texts are copied. */
void mux_events_add(struct mux_events *q, const struct mux_event *e);

/* Takes the oldest event for the caller; returns false when there is none. */
bool mux_events_next(struct mux_events *q, struct mux_event *out);

void mux_event_fini(struct mux_event *e);

#endif
