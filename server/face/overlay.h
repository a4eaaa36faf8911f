/*
 * server/face/overlay.h - the stack of overlays of one client.
 *
 * Purpose:   one interface for everything drawn over the panes of a client:
 *            pager, panel of keys, popup, menu, palette,
 *            prompt, message.  The viewer calls only the stack.
 * Ownership: an overlay is an object on the heap that embeds struct overlay;
 *            its ops->close frees it.  viewer_free closes all overlays first.
 * Units:     mono_ms; keys and mouse events as in base/key.h, cells of the
 *            client.
 * Tests:     regress/unit/check_overlay.c
 *
 * Input goes from the top of the stack downwards until an overlay takes it.
 */
#ifndef SERVER_FACE_OVERLAY_H
#define SERVER_FACE_OVERLAY_H

#include "base/buf.h"
#include "base/key.h"
#include "base/list.h"
#include "base/types.h"
#include "mux/view/host.h"

struct overlay;
struct overlays;
struct viewer;

/* Order in the stack, lowest first; of two equal ones the newer is above. */
enum overlay_z {
	OVERLAY_PAGER,
	OVERLAY_KEYS,
	OVERLAY_POPUP,
	OVERLAY_MENU,
	OVERLAY_PALETTE,
	OVERLAY_ASK,
	OVERLAY_PROMPT,
	OVERLAY_MESSAGE
};

enum overlay_did {
	OVERLAY_PASSED, /* the next overlay below gets the event */
	OVERLAY_TAKEN,
	OVERLAY_LEFT /* close it; the next overlay below gets the event */
};

enum overlay_flag {
	/* security: skipped for keys and pastes of clients without prompts. */
	OVERLAY_ADMIN = 1 << 0,
	/* Input that neither an overlay nor a key table takes is dropped. */
	OVERLAY_COVERS = 1 << 1,
	/* Uses the message line: only the lowest such overlay is drawn. */
	OVERLAY_LINE = 1 << 2
};

/* The keys that an overlay takes: the client must not predict these. */
enum overlay_grab {
	OVERLAY_GRAB_NOTHING, /* the next overlay below decides */
	OVERLAY_GRAB_TEXT,    /* the client predicts the edits (sync_prompt) */
	OVERLAY_GRAB_ALL
};

/* The state of an overlay that a remote client replays (sync_pick). */
struct overlay_pick {
	uint32_t kind; /* enum pick_kind */
	uint64_t surface;
	struct buf rows;
	struct buf state;
};

/* All members but name and close may be NULL. */
struct overlay_ops {
	const char *name;
	enum overlay_z z;
	enum view_layer layer;
	unsigned flags; /* initial enum overlay_flag */
	void (*draw)(
	    struct overlay *o, struct view_builder *b, struct sync_view *v);
	/* Writes OUT after draw; false: a copy could not follow the overlay. */
	bool (*pick)(struct overlay *o, struct view_builder *b,
	    struct overlay_pick *out);
	/* Presses and repeats of keys. */
	enum overlay_did (*key)(struct overlay *o, const struct key_event *key);
	enum overlay_did (*mouse)(
	    struct overlay *o, const struct mouse_event *ev);
	enum overlay_did (*paste)(
	    struct overlay *o, const char *text, size_t n);
	/* The client's size has changed. */
	void (*resize)(struct overlay *o);
	/* The deadline has passed and is off; NULL: close the overlay. */
	void (*expire)(struct overlay *o, mono_ms now);
	/* Called after removal from the stack: frees it, calls callbacks. */
	void (*close)(struct overlay *o);
};

struct overlay {
	struct list_node node; /* in stack->list */
	const struct overlay_ops *ops;
	struct overlays *stack;
	unsigned flags; /* initially ops->flags */
	mono_ms due;    /* overlay_set_due */
	enum overlay_grab grab;
	uint64_t seen; /* the last event offered to it */
};

/* DUE is the new earliest deadline; PICTURE: the view must be redrawn. */
typedef void (*overlays_fn)(struct viewer *vw, mono_ms due, bool picture);

struct overlays {
	struct list list; /* struct overlay, the top one first */
	struct viewer *viewer;
	overlays_fn changed;
	uint64_t events;
};

/* VW may be NULL in tests. */
void overlays_init(struct overlays *os, struct viewer *vw, overlays_fn changed);

/* Closes the overlays that have one of FLAGS; 0: all. */
void overlays_close(struct overlays *os, unsigned flags);

/* Initializes O and puts it into the stack. */
void overlay_open(
    struct overlays *os, struct overlay *o, const struct overlay_ops *ops);
void overlay_close(struct overlay *o);

/* Redraws the overlay. */
void overlay_dirty(struct overlay *o);

/* Sets when ops->expire runs; MONO_NEVER: not at all. */
void overlay_set_due(struct overlay *o, mono_ms at);

/* The topmost overlay with these ops, or NULL. */
struct overlay *overlays_find(
    const struct overlays *os, const struct overlay_ops *ops);

/* Fast check: usually there is no overlay. */
static inline bool
overlays_none(const struct overlays *os)
{
	return list_empty(&os->list);
}

/* Whether an overlay took the event.  ADMIN: see OVERLAY_ADMIN. */
bool overlays_key(struct overlays *os, const struct key_event *key, bool admin);
bool overlays_mouse(struct overlays *os, const struct mouse_event *ev);
bool overlays_paste(
    struct overlays *os, const char *text, size_t n, bool admin);

/* Whether an overlay has OVERLAY_COVERS. */
bool overlays_cover(const struct overlays *os);

enum overlay_grab overlays_grab(const struct overlays *os);

/* Adds the surfaces of one layer, from the lowest overlay upwards. */
void overlays_draw(struct overlays *os, struct view_builder *b,
    struct sync_view *v, enum view_layer layer);

void overlays_resize(struct overlays *os);
void overlays_expire(struct overlays *os, mono_ms now);

#endif
