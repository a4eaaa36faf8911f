/*
 * server/face/controller_link.h - the links of clients in control mode.
 *
 * Purpose:   a client on this machine gets its lines by the control socket
 *            (controller_near.c), a roaming one by a reliable stream of its
 *            connection (controller_far.c), which carries the same messages.
 * Ownership: the controller owns its link.
 * Errors:    a roaming client needs a UDP port and a key: else it ends with a
 *            message.
 * Source:    doc/PROTOCOL.md, C.4 and C.8.
 * Tests:     regress/e2e/control.sh, control_far.sh
 */
#ifndef SERVER_FACE_CONTROLLER_LINK_H
#define SERVER_FACE_CONTROLLER_LINK_H

struct conn;
struct controller;
struct controllers;
struct remote;

/* Makes the controller of a connection whose client asked for it. */
struct controller *controller_new(struct controllers *cs, struct conn *cn);

/* The same for one that roams. */
struct controller *controller_far_new(struct controllers *cs, struct conn *cn);

/* Returns the remote that carries the client; NULL: none, or not yet. */
struct remote *controller_remote(const struct controller *ct);

#endif
