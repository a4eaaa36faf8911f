/*
 * server/face/me_conf.h - the me.conf that a client brings along.
 *
 * Purpose:   applies the file to the options and keys of that client, once, and
 *            shows its person the errors.
 * Ownership: struct viewer_me is a member of the viewer, for me_conf.c alone.
 * Errors:    the first one is a message at the client; show-messages has all,
 *            unless the client is a guest.
 * Source:    rmux.conf(5), ME.CONF
 * Tests:     regress/e2e/me.sh
 */
#ifndef SERVER_FACE_ME_CONF_H
#define SERVER_FACE_ME_CONF_H

#include <stdbool.h>
#include <stddef.h>

struct sync_event;
struct viewer;

struct viewer_me {
	bool got;   /* the client has sent its file; others are ignored */
	char *text; /* waits until the role is more than to look, or NULL */
	size_t len;
};

/* Handles SYNC_ME. */
void me_conf_event(struct viewer *vw, const struct sync_event *ev);

/* Applies the text that waits, if there is one and the client's role lets it. */
void me_conf_apply(struct viewer *vw);

void me_conf_fini(struct viewer *vw);

#endif
