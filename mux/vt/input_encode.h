/*
 * mux/vt/input_encode.h - keys, mouse, paste and focus to the bytes a program
 * in a pane expects.
 *
 * Purpose:   the other half of the terminal: what its keyboard and mouse send,
 *            by the modes that the program has set.
 * Ownership: everything is a plain value; bytes are appended to the caller's
 *            bounded struct buf.
 * Units:     cells and pixels are 0-based here and 1-based on the wire.
 * Errors:    0, also when an event has no bytes in the modes in force;
 *            -ERR_LIMIT when OUT is full: a key, mouse or focus event is then
 *            added whole or not at all.
 * Source:    xterm (ctlseqs, and xterm 379 itself asked key by key), kitty's
 *            keyboard protocol, tmux for what its users' programs expect.
 * Tests:     regress/keys/, regress/fuzz/fuzz_input_encode.c
 *
 * Deviations, each on purpose:
 *  - xterm drops Alt from Alt-Shift-Tab, from Alt with keypad keys, and from
 *    the parameter of modifyOtherKeys=1; here Alt is never lost: it is an ESC
 *    before the bytes, or the Alt bit of the parameter.
 *  - With modifyOtherKeys=2 xterm reports Shift-A as CSI 27;2;65~.  So do we
 *    when the Shift key is known to be down; an upper-case letter that came
 *    from a terminal which reports only text stays text.
 *  - xterm clamps a mouse position that its encoding cannot hold to a NUL
 *    byte.  Such an event is dropped here, as by tmux and VTE.
 *  - Highlight tracking (mode 1001) is VT_MOUSE_NORMAL: a program that forgets
 *    to answer must not hang the terminal.
 *  - xterm turns LF into CR in every paste.  A bracketed paste keeps its line
 *    ends here, as kitty and foot do; without brackets LF and CR LF are CR.
 *  - Super and Hyper have no legacy form; such keys are sent without them, as
 *    xterm does.
 */
#ifndef MUX_VT_INPUT_ENCODE_H
#define MUX_VT_INPUT_ENCODE_H

#include "base/buf.h"
#include "base/key.h"
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

/* Lines that one wheel step is worth when it becomes cursor keys. */
#define VT_INPUT_SCROLL_LINES 3

/* What of a terminal's modes decides the bytes of an event. */
struct vt_input_modes {
	uint8_t kitty;        /* enum vt_kitty_flag; 0 is the legacy encoding */
	uint8_t modify_other; /* modifyOtherKeys (XTMODKEYS 4): 0, 1, 2 */
	bool format_csi_u;    /* formatOtherKeys: CSI u, not CSI 27 */
	bool app_cursor;      /* DECCKM, 1 */
	bool app_keypad;      /* DECKPAM, 66 */
	bool newline;         /* LNM, ANSI mode 20: Enter sends CR LF */
	bool backspace_bs;    /* DECBKM, 67: backspace is BS, not DEL */
	bool meta_escape;     /* 1036: Meta is an ESC before the key */
	bool alt_escape;      /* 1039: the same for Alt; either will do */
	bool meta_eight_bit;  /* 1034: else Meta is the eighth bit */
	bool numlock;         /* 1035: NumLock overrides the keypad mode */
	bool home_tilde;      /* Home and End as CSI 1~ and 4~ (TERM=tmux) */
	bool bracketed_paste; /* 2004 */
	bool focus;           /* 1004 */
	bool alternate_scroll;  /* 1007 */
	bool alternate_screen;  /* 1007 has effect only here */
	uint8_t mouse;          /* enum vt_mouse_mode */
	uint8_t mouse_encoding; /* enum vt_mouse_encoding */
	uint16_t cell_w; /* pixels of a cell, for events without; 0 = 8 */
	uint16_t cell_h; /* 0 = 16 */
};

/*
 * Modes for who has no terminal to ask: Meta sends ESC, NumLock is honoured,
 * the wheel sends cursor keys on the alternate screen, the rest off.
 */
void vt_input_modes_init(struct vt_input_modes *m);

/*
 * The modes of T as they are now.  home_tilde and formatOtherKeys, which are
 * no modes of the terminal, and the size of a cell are the caller's to set.
 */
struct vt_term;
void vt_input_modes_of(struct vt_input_modes *m, struct vt_term *t);

/* Appends what the key press, repeat or release EV sends. */
int vt_input_key(struct buf *out, const struct vt_input_modes *m,
    const struct key_event *ev);

/*
 * Appends what the mouse event EV sends.  Motion is reported each time it is
 * given: the caller leaves out motion within one cell (but not in pixel mode).
 */
int vt_input_mouse(struct buf *out, const struct vt_input_modes *m,
    const struct mouse_event *ev);

/* Appends the report that the focus came (IN) or went, if it is wanted. */
int vt_input_focus(struct buf *out, const struct vt_input_modes *m, bool in);

enum vt_paste_flag {
	/* Keep LF as it is without brackets too (tmux: paste-buffer -r). */
	VT_PASTE_KEEP_LF = 1 << 0,
	/* Keep control characters; within brackets never ESC or a C1. */
	VT_PASTE_RAW = 1 << 1,
};

/* A paste that arrives in pieces. */
struct vt_paste {
	unsigned flags; /* enum vt_paste_flag */
	bool bracketed; /* decided at the beginning */
	bool cr;        /* the last byte was CR */
	uint8_t
	    held[4]; /* beginning of a code point cut by the end of a piece */
	uint8_t nheld;
};

/*
 * The three steps of a paste.  security: what lies between the brackets can
 * not contain the end marker, nor ESC, nor any C1 control, neither as a byte
 * nor as UTF-8: each control character except TAB, LF and CR is written as a
 * space (as xterm does for those it disallows), and what is not UTF-8 as
 * U+FFFD.
 */
int vt_input_paste_begin(struct buf *out, const struct vt_input_modes *m,
    struct vt_paste *p, unsigned flags);
int vt_input_paste_data(
    struct buf *out, struct vt_paste *p, const void *data, size_t n);
int vt_input_paste_end(struct buf *out, struct vt_paste *p);

/* A whole paste at once; nothing is added when it does not fit. */
int vt_input_paste(struct buf *out, const struct vt_input_modes *m,
    const void *data, size_t n, unsigned flags);

#endif
