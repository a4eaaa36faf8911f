/*
 * client/attach.h - one attached client: a tty on one side, an SSP transport on
 * the other.
 *
 * Purpose:   puts tty input into the input log and paints views; does not know
 *            the link under the transport.
 * Ownership: owns its tty, decoder and painter; loop and transport belong to
 *            the caller and outlive it.
 * Units:     milliseconds, cells.
 * Errors:    -ERR_SYS with a cause when standard input is no terminal.
 */
#ifndef CLIENT_ATTACH_H
#define CLIENT_ATTACH_H

#include "base/err.h"
#include "base/io/loop.h"
#include "client/banner.h"
#include "client/history_view.h"
#include "client/local_echo.h"
#include "client/term/caps.h"
#include "client/trust.h"
#include "ssp/transport.h"

struct attach;
struct me_file;
struct window_copy;

/* Callbacks of a client on another machine than its server. */
struct attach_far {
	/* Fills OUT with the state of the link, for the banner. */
	void (*link)(void *arg, struct banner_link *out);
	/* Returns the SRTT, or MONO_NEVER; local echo needs it. */
	mono_ms (*rtt)(void *arg);
	/* Describes the link for the user (Ctrl-^ ?). */
	void (*report)(void *arg, char *out, size_t size);
	/* Ctrl-^ ., Ctrl-^ Ctrl-Z and Ctrl-^ r. Must not free the attach. */
	void (*quit)(void *arg);
	void (*suspend)(void *arg);
	void (*again)(void *arg);
	/*
	 * Opens the client's copy of the history of the focused pane of V
	 * (Ctrl-^ h), or returns NULL.
	 */
	struct history_view *(*history)(void *arg, const struct sync_view *v);
	/* Returns the client's copies of histories, for local echo. */
	const struct history_copy *(*copies)(void *arg);
	/* Returns the pictures of windows that are not shown, or NULL. */
	struct window_copy *(*windows)(void *arg);
	/* Takes the answer to the question that is shown: y, a or n. */
	void (*answer)(void *arg, char key);
};

struct attach_cfg {
	struct loop *loop;
	/* Local object: sync_input, remote: sync_view. */
	struct ssp_transport *tp;
	int in; /* file descriptors of the terminal */
	int out;
	term_caps caps;
	unsigned allow; /* enum trust_allow: what the server may do to it */
	/* The process may open no file after attach_new (base/io/confine.h). */
	bool confined;

	/* The input log has grown: send it. */
	void (*changed)(void *arg);
	/* The terminal has closed (hangup, end of file). */
	void (*gone)(void *arg);
	/*
	 * Takes a control message that came as an effect; may be NULL. Must not
	 * free the attach.
	 */
	void (*control)(void *arg, const void *p, size_t n);
	const struct me_file *me;     /* sent to each server; NULL: none */
	const struct attach_far *far; /* NULL: the server is on this machine */
	int predict; /* with FAR: enum predict_mode, or LOCAL_ECHO_SERVER */
	void *arg;
};

struct attach *attach_new(const struct attach_cfg *cfg, struct cause *c);
void attach_free(struct attach *a);

/* The transport has received a newer view. */
void attach_update(struct attach *a);

/* Shows a message of the client over the top row for MS milliseconds. */
void attach_say(struct attach *a, mono_ms ms, const char *text);

/*
 * Shows a question of the client over the top row until NULL ends it; other
 * messages may hide it for a while.
 */
void attach_question(struct attach *a, const char *text);

/* Sets the keys that the banner names beside its text; NULL: how to quit. */
void attach_hint(struct attach *a, const char *keys);

/*
 * Continues on TP, the transport of another server connection. The new server
 * learns this terminal anew; unacknowledged input of the old transport is lost.
 */
void attach_move(struct attach *a, struct ssp_transport *tp);

/* The client's copy of a history, or its pictures, have changed. */
void attach_history(struct attach *a);

/* The state of the link has changed: update the banner. */
void attach_link(struct attach *a);

/*
 * The terminal's size has changed (SIGWINCH), or the client continues
 * (SIGCONT).
 */
void attach_resized(struct attach *a);

/* Give the terminal back (suspend, lock), and take it again. */
void attach_pause(struct attach *a);
void attach_resume(struct attach *a);

/*
 * Gives the terminal back and takes it at once, after another program may have
 * used it (SIGCONT); no typed byte is lost.
 */
void attach_again(struct attach *a);

/* Shows an empty screen (lock), so that nobody reads the session. */
void attach_blank(struct attach *a, bool on);

#endif
