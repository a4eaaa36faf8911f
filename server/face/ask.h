/*
 * server/face/ask.h - guests who wait until the host lets them in.
 *
 * Purpose:   keeps a guest without a session, shows the guest nothing but that
 *            the host is asked, and shows the admins who waits.
 * Ownership: struct viewer_guest keeps the state; the box on an admin's client
 *            is an overlay that takes no keys.
 * Units:     milliseconds.
 * Source:    doc/rmux.1, GUESTS; invite -A, option guest-approval.
 * Tests:     regress/e2e/approve.sh
 */
#ifndef SERVER_FACE_ASK_H
#define SERVER_FACE_ASK_H

#include <stdbool.h>
#include <stddef.h>

#include "base/types.h"

struct buf;
struct sync_view;
struct viewer;
struct viewers;

#define ASK_MAX 16    /* guests that wait at a time */
#define ASK_MS 120000 /* that they wait */

/* Makes VW wait. */
void ask_begin(struct viewer *vw);

/* Guests that wait, and the oldest one; NULL: none. */
size_t ask_count(const struct viewers *vs);
struct viewer *ask_first(const struct viewers *vs);

/* Shows or hides who waits on the clients of admins. */
void ask_show(struct viewers *vs);

/* Lets VW in, or detaches it. BY: who decided. */
void ask_admit(struct viewer *vw, const char *by);
void ask_refuse(struct viewer *vw, const char *by, const char *why);

/* Function for VIEWER_DUE_ASK: refuses a guest whom nobody let in. */
void ask_due(struct viewer *vw, mono_ms now);

/* One line for each guest that waits. */
void ask_list(const struct viewers *vs, struct buf *out);

/* The view of a guest who waits. */
struct sync_view *ask_view(struct viewer *vw);

#endif
