/*
 * mux/vt/input_encode.h - encodes keys, mouse, paste and focus as the bytes
 * that a program in a pane expects.
 *
 * Purpose:   the input half of the terminal: keyboard and mouse sequences, by
 *            the modes that the program has set.
 * Ownership: everything is a plain value; bytes are appended to the caller's
 *            bounded struct buf.
 * Units:     cells and pixels are 0-based here and 1-based on the wire.
 * Errors:    0, also when an event has no bytes in the modes in force;
 *            -ERR_LIMIT if OUT is full: a key, mouse or focus event is then
 *            added whole or not at all.
 * Source:    xterm (ctlseqs, and xterm 379 itself, queried key by key), kitty's
 *            keyboard protocol, tmux for its users' expectations.
 * Tests:     regress/keys/, regress/fuzz/fuzz_input_encode.c
 *
 * Deviations, each on purpose:
 *  - xterm drops Alt from Alt-Shift-Tab, from Alt with keypad keys, and from
 *    the parameter of modifyOtherKeys=1.  This encoder never drops Alt: it is
 *    an ESC before the bytes, or the Alt bit of the parameter.
 *  - With modifyOtherKeys=2 xterm reports Shift-A as CSI 27;2;65~.  So does
 *    this encoder when the Shift key is known to be pressed; an upper-case
 *    letter from a terminal that reports only text stays text.
 *  - xterm clamps a mouse position that its encoding cannot hold to a NUL
 *    byte.  This encoder drops the event, as tmux and VTE do.
 *  - Highlight tracking (mode 1001) is VT_MOUSE_NORMAL: a program that forgets
 *    to answer must not hang the terminal.
 *  - xterm turns LF into CR in every paste.  Here a bracketed paste keeps its
 *    line ends, as in kitty and foot; without brackets LF and CR LF become CR.
 *  - Super and Hyper have no legacy form; such keys are sent without them, as
 *    in xterm.
 */
#ifndef MUX_VT_INPUT_ENCODE_H
#define MUX_VT_INPUT_ENCODE_H

#include "base/buf.h"
#include "base/key.h"
#include "base/utf8.h"
#include "mux/vt/frame.h"

/* Progressive enhancements of kitty's keyboard protocol. */
enum vt_kitty_flag {
	VT_KITTY_DISAMBIGUATE = 1 << 0,
	VT_KITTY_EVENTS = 1 << 1,
	VT_KITTY_ALTERNATES = 1 << 2,
	VT_KITTY_ALL_KEYS = 1 << 3,
	VT_KITTY_TEXT = 1 << 4,
	VT_KITTY_MASK = 31,
};

/* Number of lines that one wheel step scrolls when it becomes cursor keys. */
#define VT_INPUT_SCROLL_LINES 3

/* The modes of a terminal that decide the bytes of an event. */
struct vt_input_modes {
	uint8_t kitty;        /* enum vt_kitty_flag; 0 is the legacy encoding */
	uint8_t modify_other; /* modifyOtherKeys (XTMODKEYS 4): 0, 1, 2 */
	bool format_csi_u;    /* formatOtherKeys: CSI u, not CSI 27 */
	bool app_cursor;      /* DECCKM, 1 */
	bool app_keypad;      /* DECKPAM, 66 */
	bool newline;         /* LNM, ANSI mode 20: Enter sends CR LF */
	bool backspace_bs;    /* DECBKM, 67: backspace is BS, not DEL */
	bool meta_escape;     /* 1036: Meta is an ESC before the key */
	bool alt_escape;      /* 1039: the same for Alt; either suffices */
	bool meta_eight_bit;  /* 1034: else Meta is the eighth bit */
	bool numlock;         /* 1035: NumLock overrides the keypad mode */
	bool home_tilde;      /* Home and End as CSI 1~ and 4~ (TERM=tmux) */
	bool bracketed_paste; /* 2004 */
	bool focus;           /* 1004 */
	bool alternate_scroll;  /* 1007 */
	bool alternate_screen;  /* 1007 has effect only here */
	uint8_t mouse;          /* enum vt_mouse_mode */
	uint8_t mouse_encoding; /* enum vt_mouse_encoding */
	uint16_t cell_w; /* pixels of a cell, for events in cells; 0 = 8 */
	uint16_t cell_h; /* 0 = 16 */
};

/*
 * Sets the modes without a terminal: Meta sends ESC, NumLock is honoured, the
 * wheel sends cursor keys on the alternate screen, the rest is off.
 */
static inline void
vt_input_modes_init(struct vt_input_modes *m)
{
	*m = (struct vt_input_modes){
		.meta_escape = true,
		.numlock = true,
		.alternate_scroll = true,
	};
}

/*
 * Sets the modes of T.  The caller sets home_tilde and format_csi_u, which are
 * no modes of the terminal, and the size of a cell.
 */
struct vt_term;
void vt_input_modes_of(struct vt_input_modes *m, struct vt_term *t);

/* Appends the bytes of the key press, repeat or release EV. */
int vt_input_key(struct buf *out, const struct vt_input_modes *m,
    const struct key_event *ev);

/*
 * Appends the bytes of a key that send-keys names, as tmux sends it.  Appends
 * NAME, the text that the user wrote, if tmux has no bytes for the key.
 */
int vt_input_named(struct buf *out, const struct vt_input_modes *m,
    key_code key, const char *name);

/*
 * Appends the bytes of the mouse event EV.  Reports every motion: the caller
 * leaves out motion within one cell (but not in pixel mode).
 */
int vt_input_mouse(struct buf *out, const struct vt_input_modes *m,
    const struct mouse_event *ev);

/* Appends the report that the pane got (IN) or lost the focus, if asked for. */
int vt_input_focus(struct buf *out, const struct vt_input_modes *m, bool in);

enum vt_paste_flag {
	/* Keep LF even without brackets (tmux: paste-buffer -r). */
	VT_PASTE_KEEP_LF = 1 << 0,
	/*
	 * Keep control characters, but within brackets never ESC or a C1
	 * control.
	 */
	VT_PASTE_RAW = 1 << 1,
};

/*
 * Appends pasted text; adds nothing if it does not fit.
 *
 * security: text between the brackets cannot contain the end marker, nor ESC,
 * nor any C1 control, neither as a byte nor as UTF-8: each control character
 * except TAB, LF and CR is written as a space (as xterm does for those it
 * disallows), and ill-formed UTF-8 as U+FFFD.
 */
int vt_input_paste(struct buf *out, const struct vt_input_modes *m,
    const void *data, size_t n, unsigned flags);

/* A paste in pieces; a plain value. */
struct vt_paste {
	unsigned flags;
	bool bracketed;
	bool cr;                /* the last byte was CR */
	uint8_t npart;          /* bytes of the code point that a piece cut */
	uint8_t part[UTF8_MAX]; /* they */
};

/*
 * The same in pieces: the bytes are those that one call of vt_input_paste
 * appends. The modes are those of the beginning. -ERR_LIMIT: OUT is full; the
 * paste cannot go on.
 */
int vt_paste_begin(struct vt_paste *p, struct buf *out,
    const struct vt_input_modes *m, unsigned flags);
int vt_paste_add(
    struct vt_paste *p, struct buf *out, const void *data, size_t n);
int vt_paste_end(struct vt_paste *p, struct buf *out);

#endif
