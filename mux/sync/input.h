/*
 * mux/sync/input.h - the log of the user's input, which a client synchronises
 * to the server.
 *
 * Purpose:   keys, text, pastes, mouse, focus and resizes, in order, each with
 *            an index; the server gets each event exactly once.
 * Ownership: a log owns its events by reference count, so that a clone copies
 *            only pointers; returned events are borrowed until the log changes.
 * Units:     event indices count from 1 and are never reused; cells and pixels
 *            0-based.
 * Errors:    -ERR_LIMIT when a log would exceed SYNC_INPUT_EVENTS_MAX events or
 *            SYNC_INPUT_BYTES_MAX bytes (typing while the link is down for
 *            days); -ERR_PEER for bytes that do not decode.
 * Source:    mosh's UserStream; the encoding is ours (doc/PROTOCOL.md).
 * Tests:     regress/unit/check_sync_input.c, regress/fuzz/fuzz_sync_input.c
 */
#ifndef MUX_SYNC_INPUT_H
#define MUX_SYNC_INPUT_H

#include "base/err.h"
#include "base/key.h"
#include "ssp/object.h"

#define SYNC_INPUT_EVENTS_MAX 65536
#define SYNC_INPUT_BYTES_MAX (4u << 20)
#define SYNC_EVENT_DATA_MAX 65536 /* bytes of one event's data */

enum sync_event_kind {
	SYNC_UNKNOWN =
	    0,           /* of a later release: takes an index, has no effect */
	SYNC_TEXT = 1,   /* one code point typed without modifiers: cp */
	SYNC_KEY = 2,    /* key */
	SYNC_PASTE = 3,  /* data; flags SYNC_PASTE_BEGIN, _END */
	SYNC_MOUSE = 4,  /* mouse */
	SYNC_FOCUS = 5,  /* flags: 1 gained, 0 lost */
	SYNC_RESIZE = 6, /* size[4]: cols, rows, xpixel, ypixel */
	SYNC_REPLY = 7,  /* flags: enum sync_reply; data: the answer */
	SYNC_CAPS = 8,   /* data: features of the terminal, comma-separated */
	SYNC_HELLO = 9,  /* flags: bit 0 UTF-8; data: "name NUL TERM" */
	/* flags: 1 typed text is drawn before its echo, 0 no more */
	SYNC_SHOWN = 10,
	/*
	 * flags: 0, data: the person's me.conf (conf/me.h); 1, data: why the
	 * client could not read it
	 */
	SYNC_ME = 11,
	SYNC_PREDICTED = 12, /* flags: percentage of keys predicted, 0..100 */
};

enum sync_paste_flag {
	SYNC_PASTE_BEGIN = 1,
	SYNC_PASTE_END = 2,
	/*
	 * With BEGIN: the paste comes in pieces, each sent when VIEW_PASTED
	 * has come near; the server hands each on at once.
	 */
	SYNC_PASTE_STREAM = 4,
	/*
	 * With END: the user has stopped the paste; the server drops pieces
	 * that wait.
	 */
	SYNC_PASTE_STOP = 8
};

/* Answers of the user's terminal that the server needs. */
enum sync_reply {
	SYNC_REPLY_CLIPBOARD = 1,  /* OSC 52: "selection;base64" */
	SYNC_REPLY_FOREGROUND = 2, /* OSC 10: X colour */
	SYNC_REPLY_BACKGROUND = 3, /* OSC 11 */
	SYNC_REPLY_PALETTE = 4,    /* OSC 4: "index;colour" */
	SYNC_REPLY_DARK = 5,       /* CSI ? 997 ; 1 n */
	SYNC_REPLY_LIGHT = 6,      /* CSI ? 997 ; 2 n */
	SYNC_REPLY_UNLOCKED = 7,   /* the command of LOCK has ended */
	SYNC_REPLY_VERSION = 8,    /* XTVERSION: "tmux 3.3a" */
	SYNC_REPLY_COLOURS = 9,    /* OSC 4, 10 to 12: see mux/outer.h */
	SYNC_REPLY_NOTICE = 10,    /* OSC 99: "metadata;payload" */
};

struct sync_event {
	uint32_t refs;
	enum sync_event_kind kind;
	uint32_t cp;
	uint32_t flags;
	struct key_event key;
	struct mouse_event mouse;
	uint16_t size[4];
	size_t len;
	char data[]; /* LEN bytes and a NUL */
};

struct sync_input;

struct sync_input *sync_input_new(void);
void sync_input_free(struct sync_input *in);

/* Append one event; -ERR_LIMIT if the log is full. */
int sync_input_text(struct sync_input *in, uint32_t cp);
int sync_input_key(struct sync_input *in, const struct key_event *ev);
int sync_input_mouse(struct sync_input *in, const struct mouse_event *ev);
int sync_input_resize(struct sync_input *in, const uint16_t size[4]);
int sync_input_focus(struct sync_input *in, bool gained);
int sync_input_shown(struct sync_input *in, bool shown);
int sync_input_predicted(struct sync_input *in, unsigned percent);

/*
 * Appends a paste, cut into events of at most SYNC_EVENT_DATA_MAX bytes. A long
 * paste is sent in parts: half a MiB, and more when the peer has that.
 */
int sync_input_paste(struct sync_input *in, const void *p, size_t n);
int sync_input_data(struct sync_input *in, enum sync_event_kind kind,
    uint32_t flags, const void *p, size_t n);

/* Appends a copy of an event of another log. */
int sync_input_append(struct sync_input *in, const struct sync_event *ev);

/* Index of the first event in the log, and one past the last. */
uint64_t sync_input_first(const struct sync_input *in);
uint64_t sync_input_end(const struct sync_input *in);

/* Returns the event with an index in first..end-1, else NULL. */
const struct sync_event *sync_input_get(
    const struct sync_input *in, uint64_t index);

extern const struct ssp_object_ops sync_input_ops;

#endif
