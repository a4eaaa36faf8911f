/*
 * client/term/out.h - painting the user's terminal.
 *
 * Purpose:   turns frames into the fewest bytes: compares the frame wanted
 *            with the one last painted, scrolls where rows have moved, writes
 *            changed runs, sets modes, title, cursor; downsamples what the
 *            terminal cannot show.
 * Ownership: owns its TickitTerm, its buffer and a reference to the frame
 *            last painted.
 * Units:     cells, 0-based; bytes.
 * Errors:    none: what is painted collects in a buffer of at most
 *            TERM_OUT_MAX bytes; when it would pass that, it is dropped and
 *            the next paint is whole.
 * Source:    libtickit's TickitTerm with a terminal driver of our own, which
 *            owns pen and modes (dim, overline, underline colour, hyperlinks
 *            are not in libtickit's pen; its built-in drivers abort on some
 *            TERM values).  libtickit's RenderBuffer is not used.
 * Tests:     regress/unit/check_term_out.c (libvterm-free: painted bytes go
 *            through mux/vt and must give the frame back)
 */
#ifndef CLIENT_TERM_OUT_H
#define CLIENT_TERM_OUT_H

#include "base/buf.h"
#include "client/term/caps.h"
#include "client/term/probe.h"
#include "mux/vt/frame.h"

#define TERM_OUT_MAX (16u << 20)

struct term_out;

/* What the terminal should be set to, beside the cells. */
struct term_out_modes {
	uint8_t mouse; /* enum vt_mouse_mode */
	uint8_t kitty;
	uint8_t modify_other;
	bool focus;
	bool paste;
	bool theme;
	const char *title; /* NULL: leave it alone */
	const char *path;  /* OSC 7; NULL: leave it alone */
};

struct term_out *term_out_new(term_caps caps, unsigned cols, unsigned rows);
void term_out_free(struct term_out *o);

void term_out_set_caps(struct term_out *o, term_caps caps);

/* How wide the terminal has been measured to be; all 0 at first. */
void term_out_set_widths(struct term_out *o, const struct term_widths *w);

/* The terminal has another size: the next paint is whole. */
void term_out_resize(struct term_out *o, unsigned cols, unsigned rows);

/* Enters the alternate screen, saves the title; nothing is known of it. */
void term_out_start(struct term_out *o);

/* Undoes every mode and leaves; what a shell needs is as it was. */
void term_out_stop(struct term_out *o);

/* Nothing is known of the screen any more: the next paint is whole. */
void term_out_forget(struct term_out *o);

/*
 * Makes the terminal show F (of its size) with F's cursor and palette.
 */
void term_out_paint(struct term_out *o, const struct vt_frame *f);

void term_out_set_modes(struct term_out *o, const struct term_out_modes *m);

/* Bytes of our own: a bell, OSC 52, an answerback question. */
void term_out_raw(struct term_out *o, const void *p, size_t n);

/* What is to be written to the tty; consume what was. */
struct buf *term_out_pending(struct term_out *o);

#endif
