/*
 * client/desk/desk.h - the desk: requests of panes on another machine to the
 * machine at which the user sits.
 *
 * Purpose:   a process, one a connection, that saves files of a pane in one
 *            folder, sends files of it, and opens URLs, as the user allows.
 * Ownership: the configuration is the caller's.
 * Units:     milliseconds.
 * Errors:    told to the pane.
 * Source:    iTerm2's and kitty's file transfers, which ask at the terminal.
 * Tests:     regress/e2e/desk.sh
 */
#ifndef CLIENT_DESK_DESK_H
#define CLIENT_DESK_DESK_H

#include "client/desk/wire.h"

/* A question expires, as denied. */
#define DESK_ASK_MS 60000

enum desk_policy {
	DESK_ASK,
	DESK_ON,
	DESK_OFF
};

struct desk_cfg {
	enum desk_policy policy;
	const char *folder; /* NULL: Downloads in the home directory */
	const char *open;   /* the program that opens, and words; NULL: the
			       system's */
};

/*
 * A question for the client, one datagram, with the descriptor at which the desk
 * waits for one byte of enum desk_said.
 */
struct desk_ask {
	uint32_t what; /* enum desk_what */
	char text[DESK_ASK_TEXT];
};

enum desk_said {
	DESK_SAID_YES = 'y',
	DESK_SAID_NO = 'n',
	DESK_SAID_LATE = 'l',  /* nobody has answered */
	DESK_SAID_NOBODY = 't' /* there is no terminal to ask at */
};

/* Parses "ask", "on" or "off"; false for another word. */
bool desk_policy_parse(const char *word, enum desk_policy *out);

/* Serves the connection FD; questions go to ASK. */
void desk_serve(const struct desk_cfg *cfg, int fd, int ask);

#endif
