/*
 * client/attach_int.h - internals of an attached client, for client/attach*.c.
 *
 * Purpose:   attach.c opens and closes it and gives the terminal back,
 *            attach_in.c handles input and answers of the terminal,
 *            attach_out.c paints.
 * Ownership: a struct attach owns all it points to, except through CFG.
 * Units:     milliseconds, cells.
 * Errors:    see client/attach.h.
 * Tests:     regress/e2e/client.sh, keys.sh, predict.sh
 */
#ifndef CLIENT_ATTACH_INT_H
#define CLIENT_ATTACH_INT_H

#include "base/buf.h"
#include "client/attach.h"
#include "client/escape.h"
#include "client/term/colours.h"
#include "client/term/in.h"
#include "client/term/probe.h"

struct spool;
struct sync_input;
struct sync_view;
struct term_out;
struct tty;
struct vt_frame;
struct vt_str;

/*
 * Restores a terminal when the client crashes: modes off, cursor on, main
 * screen.
 */
#define ATTACH_LAST_WORDS                                             \
 "\033[?2026l\033[?1016l\033[?1006l\033[?1003l\033[?1002l\033[?1000l" \
 "\033[?2004l\033[?1004l\033[?2031l\033[<u\033[>4m\033[r\033[m"       \
 "\033[?25h\033[?1049l\033[23;0;0t\r\n"

#define ATTACH_PIECES 64 /* of a paste, on their way */

/* Private to attach_paste.c. */
struct attach_paste {
	struct buf whole;    /* a paste that waits for its end */
	bool second;         /* it began while another was sent in pieces */
	bool dropped;        /* the rest of it is not wanted */
	bool streams;        /* a paste is being sent in pieces */
	bool begun;          /* its first piece is in the log */
	bool ended;          /* the terminal has sent its end */
	struct spool *spool; /* what is still to be sent; NULL: not made yet */
	struct sync_input *behind; /* what was typed meanwhile; else NULL */
	uint64_t got;              /* bytes of it, from the terminal */
	uint64_t sent;
	mono_ms began;
	mono_ms told;     /* when progress was shown; 0: it is not */
	unsigned window;  /* pieces that may be on their way */
	unsigned npieces; /* those that are */
	struct {
		uint64_t index; /* in the log */
		mono_ms at;
	} pieces[ATTACH_PIECES]; /* oldest first */
};

struct attach {
	struct attach_cfg cfg;
	struct tty *tty;
	struct term_in *in;
	struct term_out *out;
	struct loop_io *io_in;
	struct loop_io *io_out;
	struct loop_timer *in_timer;
	struct vt_frame *screen; /* last composed screen */
	struct banner *banner;   /* NULL: the server is on this machine */
	struct grapheme_table *graphemes;
	struct loop_timer *banner_timer;
	struct local_echo *echo; /* NULL as for the banner */
	/* Typed text is on the screen, and the server knows it. */
	bool shown;
	uint64_t told_typed; /* keys of which the server knows the share */
	uint64_t told_predicted;
	int told_percent;             /* -1: none was told */
	struct history_view *history; /* shown instead of the view, or NULL */
	struct loop_timer *echo_timer;
	struct escape escape;
	uint16_t size[4];
	/* Flags of the descriptors, which other processes share. */
	int flags_in;
	int flags_out;
	term_caps caps; /* cfg.caps as changed by the server's options */
	struct vt_str *caps_by; /* the option text that changed them */
	struct vt_str *keys_by; /* the option text of user-keys */
	uint64_t effects_done;
	uint64_t controls_done;
	struct attach_paste paste;
	int cell[2]; /* pixels by the terminal's answer, 0 unknown */
	struct term_probe probe;
	struct term_colours colours;
	/* When the terminal was asked; 0: no question is open. */
	mono_ms asked_at;
	bool answered; /* its first answer has come */
	bool paused;
	char progress[16]; /* of the active pane, as in OSC 9;4; "": none */
	struct loop_timer *room_timer; /* polls for room in the input log */
	/* Oldest unconfirmed event at room_since. */
	uint64_t room_first;
	mono_ms room_since;
	bool stuck;     /* no event was confirmed for ATTACH_INPUT_STUCK_MS */
	bool reporting; /* the current key asked for the banner's message */
	char *question; /* that waits for an answer, or NULL */
	mono_ms report_until; /* end of the report on the link; 0: none */
	mono_ms report_next;  /* when it is written anew */
	bool stale;           /* a frame was skipped because the tty is slow */
};

/* --- attach.c ------------------------------------------------------------- */

/* Asks for the terminal's colours, as far as the server may know them. */
void attach_ask_colours(struct attach *a);

/* --- attach_out.c --------------------------------------------------------- */

/* Returns the input log. */
struct sync_input *attach_log(struct attach *a);

/* Tells the owner that the input log has grown. */
void attach_changed(struct attach *a);

/* Tells the server what the terminal can do. */
void attach_tell_caps(struct attach *a);

/*
 * Computes a->caps from the terminal and the server's options; returns whether
 * they changed.
 */
bool attach_caps(struct attach *a);

/* Writes as much to the terminal as it takes; the loop writes the rest. */
void attach_flush(struct attach *a);

/* Shows (ON) or removes the terminal's progress bar, if there is a progress. */
void attach_progress(struct attach *a, bool on);

/* Puts text into the terminal's clipboard (OSC 52), and says so. */
void attach_copy(struct attach *a, const void *p, size_t n);

/* Handles control messages at once; they do not wait for a frame. */
void attach_controls(struct attach *a, const struct sync_view *v);

/* Paints the server's screen with predictions. */
void attach_paint(struct attach *a);

/* Makes the banner, without keys to quit, unless there is one. */
void attach_banner_open(struct attach *a);

/* Ends a message; a question that waits is shown again. */
void attach_unsay(struct attach *a);

/* Repaints after a change of the banner; ARG is the attach. */
void attach_banner(void *arg);

/* Paints predictions after input. */
void attach_typed(struct attach *a);

/* Timer callback; ARG is the attach. */
void attach_echo_due(void *arg);
void attach_writable(void *arg, int fd, unsigned events);

/* --- attach_paste.c ------------------------------------------------------- */

void attach_paste_init(struct attach *a);
void attach_paste_fini(struct attach *a);

/* A piece of a paste, from the terminal. */
void attach_paste_event(struct attach *a, const struct term_event *ev);

/*
 * Takes input other than a paste while one is sent in pieces; false if none is.
 */
bool attach_paste_holds(struct attach *a, const struct term_event *ev);

/* Sends more pieces if the server has taken earlier ones. */
void attach_paste_pump(struct attach *a);

/* The server is another one: the paste cannot go on. */
void attach_paste_lost(struct attach *a);

/* Whether the terminal must wait with more of the paste. */
bool attach_paste_full(const struct attach *a);

/* --- attach_in.c ---------------------------------------------------------- */

/* Callbacks of the decoder and the loop; ARG is the attach. */
void attach_event(void *arg, const struct term_event *ev);
void attach_readable(void *arg, int fd, unsigned events);
void attach_in_timer(void *arg);
void attach_room_due(void *arg);

#endif
