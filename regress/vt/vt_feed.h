/*
 * regress/vt/vt_feed.h - bytes for the terminal of a .vt file.
 *
 * Purpose:   an `in` whole, cut in pieces or padded, with the invariants
 *            checked after each piece and frames that must never change.
 * Ownership: what the terminal says and the frames are the run's.
 * Units:     bytes.
 * Errors:    as in regress/vt/vt_script.h.
 * Source:    our own.
 * Tests:     itself
 */
#ifndef REGRESS_VT_FEED_H
#define REGRESS_VT_FEED_H

#include "regress/vt/vt_script.h"

/* Once for a new terminal. */
void vt_feed_begin(struct vt_run *r);

/* Gives N bytes as the run's cut says. */
void vt_feed(struct vt_run *r, const char *p, size_t n);

/* After any change: sound invariants, and what the terminal said is taken. */
void vt_feed_settle(struct vt_run *r);

/* Keeps a frame and its dump; at the end they must be what they were. */
void vt_feed_frame(struct vt_run *r);
void vt_feed_drop_frames(struct vt_run *r);

#endif
