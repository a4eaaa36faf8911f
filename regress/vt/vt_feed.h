/*
 * regress/vt/vt_feed.h - feeds bytes to the terminal of a .vt file.
 *
 * Purpose:   feeds an `in` whole, cut in pieces or padded, and checks the
 *            invariants after each piece and frames that must never change.
 * Ownership: the run owns the terminal's effects and the frames.
 * Units:     bytes.
 * Errors:    as in regress/vt/vt_script.h.
 */
#ifndef REGRESS_VT_FEED_H
#define REGRESS_VT_FEED_H

#include "regress/vt/vt_script.h"

/* Prepares the run for a new terminal. */
void vt_feed_begin(struct vt_run *r);

/* Feeds N bytes as the run's cut says. */
void vt_feed(struct vt_run *r, const char *p, size_t n);

/* Checks the invariants and collects the effects after any change. */
void vt_feed_settle(struct vt_run *r);

/* Take a frame and its dump; at the end check that they have not changed. */
void vt_feed_frame(struct vt_run *r);
void vt_feed_drop_frames(struct vt_run *r);

#endif
