/*
 * client/attach.h - one attached client: tty on one side, an SSP transport on
 * the other.
 *
 * Purpose:   input of the tty into the input log, views into painted frames;
 *            does not know what carries the transport.
 * Ownership: owns its tty, decoder, painter; loop and transport are the
 *            caller's and outlive it.
 * Units:     milliseconds, cells.
 * Errors:    -ERR_SYS with a cause when standard input is no terminal.
 * Source:    our own.
 * Tests:     regress/e2e
 */
#ifndef CLIENT_ATTACH_H
#define CLIENT_ATTACH_H

#include "base/err.h"
#include "base/io/loop.h"
#include "client/banner.h"
#include "client/history_view.h"
#include "client/local_echo.h"
#include "client/term/caps.h"
#include "ssp/transport.h"

struct attach;

/* What a client far from its server offers; a local one has none of it. */
struct attach_far {
	/* What is known of the link now, for the banner. */
	void (*link)(void *arg, struct banner_link *out);
	/* Its smoothed round trip, or MONO_NEVER: for local echo. */
	mono_ms (*rtt)(void *arg);
	/* The same for people (Ctrl-^ ?). */
	void (*report)(void *arg, char *out, size_t size);
	/* Ctrl-^ . and Ctrl-^ Ctrl-Z and Ctrl-^ r; may not free the attach. */
	void (*quit)(void *arg);
	void (*suspend)(void *arg);
	void (*again)(void *arg);
	/* A look at the history held here (Ctrl-^ h), or NULL. */
	struct history_view *(*history)(void *arg);
};

struct attach_cfg {
	struct loop *loop;
	struct ssp_transport *tp; /* local: sync_input, remote: sync_view */
	int in;                   /* descriptors of the terminal */
	int out;
	term_caps caps;

	/* The local object has changed: see that it goes out. */
	void (*changed)(void *arg);
	/* The terminal is gone (hangup, end of file). */
	void (*gone)(void *arg);
	/*
	 * A control message came in place of an effect; may be NULL.  Must not
	 * free the attach.
	 */
	void (*control)(void *arg, const void *p, size_t n);
	const struct attach_far *far; /* or NULL */
	int predict; /* far: enum predict_mode, or LOCAL_ECHO_SERVER */
	void *arg;
};

struct attach *attach_new(const struct attach_cfg *cfg, struct cause *c);
void attach_free(struct attach *a);

/* The transport has news of the remote object. */
void attach_update(struct attach *a);

/* A word of the client itself over the top row, for MS milliseconds. */
void attach_say(struct attach *a, mono_ms ms, const char *text);

/* What the banner tells of keys beside its text; NULL: how to quit. */
void attach_hint(struct attach *a, const char *keys);

/*
 * The server on the other side is another one, behind TP: all it knows of this
 * terminal is what it is told now.  What was typed and not acknowledged went
 * with the transport before.
 */
void attach_move(struct attach *a, struct ssp_transport *tp);

/* The link has news for the banner. */
void attach_link(struct attach *a);

/* The terminal's size has changed (SIGWINCH), or we came back (SIGCONT). */
void attach_resized(struct attach *a);

/* Gives the terminal back (suspend, lock), and takes it again. */
void attach_pause(struct attach *a);
void attach_resume(struct attach *a);

/* Both at once, after others may have had it (SIGCONT): nothing typed is lost. */
void attach_again(struct attach *a);

/* In between (lock): an empty screen, which shows nobody what was there. */
void attach_blank(struct attach *a, bool on);

#endif
