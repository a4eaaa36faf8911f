/*
 * mux/pretend.h - what a client would show.
 *
 * Purpose:   lets the view builder draw a window for a client that shows
 *            another one.
 * Ownership: a pretence refers to client and winlink, which must live until its
 *            end.
 * Tests:     regress/unit/check_client.c
 *
 * Between the two calls the model looks as after switch-client to the window,
 * but nobody is told.  Only reading is allowed.
 */
#ifndef MUX_PRETEND_H
#define MUX_PRETEND_H

#include "mux/client.h"
#include "mux/session.h"

struct mux_pretence {
	struct client *client;
	struct session *session; /* the client's */
	uint32_t last_session;
	struct winlink *wl;
	struct winlink *current;  /* of wl's session */
	struct list_node *behind; /* NULL: wl was in no list */
	unsigned alerts;          /* wl's */
};

/* C shows WL until the end of P. */
void mux_pretend(struct mux_pretence *p, struct client *c, struct winlink *wl);
void mux_pretend_end(struct mux_pretence *p);

#endif
