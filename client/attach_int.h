/*
 * client/attach_int.h - the inside of an attached client, for client/attach*.c.
 *
 * Purpose:   attach.c keeps its life and gives the terminal back, attach_in.c
 *            takes what is typed and answered there, attach_out.c paints.
 * Ownership: a struct attach owns all it points to but what its CFG says.
 * Units:     milliseconds, cells.
 * Errors:    see client/attach.h.
 * Source:    our own.
 * Tests:     regress/e2e/client.sh, keys.sh, predict.sh
 */
#ifndef CLIENT_ATTACH_INT_H
#define CLIENT_ATTACH_INT_H

#include "base/buf.h"
#include "client/attach.h"
#include "client/escape.h"
#include "client/term/in.h"
#include "client/term/probe.h"

struct sync_input;
struct term_out;
struct tty;
struct vt_frame;
struct vt_str;

/* What puts a terminal back if we die: modes off, cursor on, main screen. */
#define ATTACH_LAST_WORDS                                       \
 "\033[?2026l\033[?1006l\033[?1003l\033[?1002l\033[?1000l"      \
 "\033[?2004l\033[?1004l\033[?2031l\033[<u\033[>4m\033[r\033[m" \
 "\033[?25h\033[?1049l\033[23;0;0t\r\n"

struct attach {
	struct attach_cfg cfg;
	struct tty *tty;
	struct term_in *in;
	struct term_out *out;
	struct loop_io *io_in;
	struct loop_io *io_out;
	struct loop_timer *in_timer;
	struct vt_frame *screen; /* last composed */
	struct banner *banner;   /* NULL: the server is here */
	struct grapheme_table *graphemes;
	struct loop_timer *banner_timer;
	struct local_echo *echo; /* likewise */
	bool shown;              /* what is typed is, and the server knows it */
	struct history_view *history; /* what is shown instead, or NULL */
	struct loop_timer *echo_timer;
	struct escape escape;
	uint16_t size[4];
	int flags_in; /* of the descriptors, which others share */
	int flags_out;
	term_caps caps; /* cfg.caps as the server's options change them */
	struct vt_str *caps_by; /* what they were changed by */
	struct vt_str *keys_by; /* and the user's own keys */
	uint64_t effects_done;
	uint64_t controls_done;
	struct buf paste;
	struct term_probe probe;
	mono_ms asked_at; /* the terminal was asked; 0: not, or long ago */
	bool answered;    /* and has begun to answer */
	bool paused;
	bool progress;                 /* the terminal shows a bar */
	struct loop_timer *room_timer; /* nothing is read until there is room */
	uint64_t room_first;           /* oldest event held at room_since */
	mono_ms room_since;
	bool stuck;     /* none was confirmed for long */
	bool reporting; /* this key asked for the banner's message */
	bool stale;     /* a frame was not painted because the tty is slow */
};

/* --- attach.c --- */

/* What goes to the server. */
struct sync_input *attach_log(struct attach *a);

/* It has more: see that it goes out. */
void attach_changed(struct attach *a);

/* --- attach_out.c --- */

/* Tells the server what the terminal can do. */
void attach_tell_caps(struct attach *a);

/* What it can do, with the server's options for it; true: that has changed. */
bool attach_caps(struct attach *a);

/* Writes to the terminal what it takes now; the rest follows. */
void attach_flush(struct attach *a);

/* OSC 9;4: a bar at the terminal's window, which does not outlive us. */
void attach_progress(struct attach *a, const char *data, size_t n);

/* The screen as the server has it, with what is likely to come. */
void attach_paint(struct attach *a);

/* Only what lies over the screen has changed; ARG is the attach. */
void attach_banner(void *arg);

/* After input: what was typed may be on the screen before its echo is. */
void attach_typed(struct attach *a);

/* For the loop; ARG is the attach. */
void attach_echo_due(void *arg);
void attach_writable(void *arg, int fd, unsigned events);

/* --- attach_in.c --- */

/* For the decoder and the loop; ARG is the attach. */
void attach_event(void *arg, const struct term_event *ev);
void attach_readable(void *arg, int fd, unsigned events);
void attach_in_timer(void *arg);
void attach_room_due(void *arg);

#endif
