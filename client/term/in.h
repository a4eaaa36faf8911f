/*
 * client/term/in.h - decodes the terminal's input into events.
 *
 * Purpose:   turns bytes of a tty into keys, text, mouse, pastes, focus and the
 *            terminal's answers, for every encoding that terminals use (legacy,
 *            modifyOtherKeys, CSI u, kitty with all its levels; X10, UTF-8,
 *            urxvt and SGR mouse).
 * Ownership: the decoder owns its buffer; an event's data is valid during the
 *            callback only.
 * Units:     milliseconds; mouse cells 0-based.
 * Errors:    unknown sequences are dropped; no input makes the decoder fail or
 *            grow beyond TERM_IN_MAX bytes.
 * Source:    ECMA-48, xterm's control sequences, the kitty keyboard protocol.
 *            libtickit does not decode input: its shortest escape time is 50
 *            ms, it hides replies and pastes, and four bytes crash it.
 * Tests:     regress/unit/check_term_in.c, regress/fuzz/fuzz_term_in.c
 */
#ifndef CLIENT_TERM_IN_H
#define CLIENT_TERM_IN_H

#include "base/key.h"

#define TERM_IN_MAX (2u << 20) /* longest sequence: an OSC 52 reply */
#define TERM_IN_PARAMS 16

enum term_event_kind {
	TERM_TEXT,  /* cp: one code point typed without modifiers */
	TERM_KEY,   /* key */
	TERM_MOUSE, /* mouse, in cells */
	TERM_PASTE, /* data; begin and end */
	TERM_FOCUS, /* gained */
	TERM_REPLY, /* reply, and params or data */
};

enum term_reply {
	TERM_REPLY_DA1,       /* params */
	TERM_REPLY_DA2,       /* params */
	TERM_REPLY_DA3,       /* data: hex */
	TERM_REPLY_XTVERSION, /* data: text */
	TERM_REPLY_MODE,      /* params: mode, value (DECRPM) */
	TERM_REPLY_CURSOR,    /* params: row, column, 1-based (CPR) */
	TERM_REPLY_STATUS,    /* params: DSR */
	TERM_REPLY_THEME,     /* params: 1 dark, 2 light */
	TERM_REPLY_KITTY,     /* params: flags in force */
	TERM_REPLY_SIZE,      /* params: as in CSI t and CSI 48 t */
	TERM_REPLY_DECRQSS,   /* params[0]: 1 valid; data */
	TERM_REPLY_TCAP,      /* params[0]: 1 valid; data: hex=hex */
	TERM_REPLY_OSC,       /* params[0]: number; data: the rest */
	TERM_REPLY_GRAPHICS,  /* data: kitty graphics answer */
};

struct term_event {
	enum term_event_kind kind;
	uint32_t cp;
	struct key_event key;
	struct mouse_event mouse;
	bool begin;
	bool end;
	bool gained;
	enum term_reply reply;
	unsigned nparams;
	uint32_t params[TERM_IN_PARAMS];
	const uint8_t *data;
	size_t len;
};

typedef void (*term_in_fn)(void *arg, const struct term_event *ev);

struct term_in;

struct term_in *term_in_new(term_in_fn fn, void *arg);
void term_in_free(struct term_in *in);

/* Sets how long an escape may wait for the next byte (default 10 ms). */
void term_in_set_escape_time(struct term_in *in, mono_ms ms);

/*
 * Takes mouse reports for pixels of a terminal with SIZE (cols, rows, xpixel,
 * ypixel); NULL: for cells.
 */
void term_in_set_pixels(struct term_in *in, const uint16_t size[4]);

/*
 * Sets the user's own sequences (user-keys): lines "N hex", whose bytes are the
 * key User<N> and take precedence; "" for none.
 */
void term_in_set_user_keys(struct term_in *in, const char *text);

void term_in_push(struct term_in *in, mono_ms now, const uint8_t *p, size_t n);

/* Returns when to call term_in_timeout; MONO_NEVER if no sequence waits. */
mono_ms term_in_deadline(const struct term_in *in);
void term_in_timeout(struct term_in *in, mono_ms now);

#endif
