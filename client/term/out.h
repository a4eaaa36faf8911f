/*
 * client/term/out.h - paints the user's terminal.
 *
 * Purpose:   turns frames into few bytes: compares the new frame with the last
 *            painted one, scrolls moved rows, writes changed runs, sets modes,
 *            title and cursor; downsamples colours and attributes that the
 *            terminal lacks.
 * Ownership: owns its TickitTerm, its buffer and a reference to the last
 *            painted frame.
 * Units:     cells, 0-based; bytes.
 * Errors:    none. Output collects in a buffer of at most TERM_OUT_MAX bytes;
 *            on overflow it is dropped and the next paint is a full one.
 * Source:    libtickit's TickitTerm with a terminal driver of our own, which
 *            owns pen and modes (dim, overline, underline colour, hyperlinks
 *            are not in libtickit's pen; its built-in drivers abort on some
 *            TERM values). libtickit's RenderBuffer is not used.
 * Tests:     regress/unit/check_term_out.c, which feeds the painted bytes to
 *            mux/vt and compares the frames
 */
#ifndef CLIENT_TERM_OUT_H
#define CLIENT_TERM_OUT_H

#include "base/buf.h"
#include "client/term/caps.h"
#include "client/term/probe.h"
#include "mux/vt/frame.h"

#define TERM_OUT_MAX (16u << 20)

struct term_out;

#define TERM_OTHER_ALL 2 /* modifyOtherKeys for all keys */

/* The terminal's settings beside the cells. */
struct term_out_modes {
	uint8_t mouse; /* enum vt_mouse_mode */
	/*
	 * kitty's flags and modifyOtherKeys; a terminal without the one that is
	 * wanted gets the other.
	 */
	uint8_t kitty;
	uint8_t modify_other;
	uint8_t pointer; /* enum vt_pointer */
	bool pixels;     /* report the mouse in pixels */
	bool focus;
	bool paste;
	bool theme;
	bool nested;       /* tell an outer rmux that this is one */
	const char *title; /* NULL: unchanged */
	const char *path;  /* OSC 7; NULL: unchanged */
};

struct term_out *term_out_new(term_caps caps, unsigned cols, unsigned rows);
void term_out_free(struct term_out *o);

void term_out_set_caps(struct term_out *o, term_caps caps);

/* Sets the measured widths of the terminal; all 0 at first. */
void term_out_set_widths(struct term_out *o, const struct term_widths *w);

/* Sets the terminal's size; the next paint is a full one. */
void term_out_resize(struct term_out *o, unsigned cols, unsigned rows);

/* Enters the alternate screen and saves the title; its contents are unknown. */
void term_out_start(struct term_out *o);

/* Undoes every mode and leaves the alternate screen. */
void term_out_stop(struct term_out *o);

/* Declares the screen's contents unknown; the next paint is a full one. */
void term_out_forget(struct term_out *o);

/* Paints F, which has the terminal's size, with its cursor and palette. */
void term_out_paint(struct term_out *o, const struct vt_frame *f);

void term_out_set_modes(struct term_out *o, const struct term_out_modes *m);

/*
 * Writes OSC HEAD TEXT TAIL ST; the N bytes at TEXT come from a peer and are
 * written without control characters and invalid UTF-8.
 */
void term_out_osc(struct term_out *o, const char *head, const void *text,
    size_t n, const char *tail);

/* Writes bytes as they are: a bell, what allow-passthrough lets through. */
void term_out_raw(struct term_out *o, const void *p, size_t n);

/* Returns the bytes to write to the tty; the caller consumes what it wrote. */
struct buf *term_out_pending(struct term_out *o);

#endif
