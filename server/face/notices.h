/*
 * server/face/notices.h - notifications of programs, for persons.
 *
 * Purpose:   takes OSC 9, 99, 777, bells and progress of a pane, keeps them in
 *            the list (mux/notify.h), passes them on to the terminals of the
 *            clients that may get them, and takes the terminals' answers.
 *            security: guests get none, and their terminals' answers count for
 *            nothing.
 * Source:    kitty's desktop notifications; ConEmu's OSC 9;4.
 * Tests:     regress/e2e/notify.sh, regress/terminal/outer.sh
 */
#ifndef SERVER_FACE_NOTICES_H
#define SERVER_FACE_NOTICES_H

#include <stdbool.h>
#include <stddef.h>

struct client;
struct mux_event;
struct notify_entry;
struct pane;
struct viewer;
struct viewers;
struct vt_effect;

/* Take effects of P's terminal. */
void notices_said(
    struct viewers *vs, struct pane *p, const struct vt_effect *e);
void notices_kitty(
    struct viewers *vs, struct pane *p, const struct vt_effect *e);
void notices_progress(
    struct viewers *vs, struct pane *p, const struct vt_effect *e);
void notices_bell(struct viewers *vs, struct pane *p);

/* Notes what persons see after event E; ends when no more events wait. */
void notices_event(struct viewers *vs, const struct mux_event *e);
void notices_turn(struct viewers *vs);

/* Handles OSC 99 of the user's terminal; may free VW. */
void notices_answered(struct viewer *vw, const void *p, size_t n);

/*
 * Shows C the pane of an entry, which is then seen, and tells its program of
 * that; false: the pane is gone, or C may not see it.
 */
bool notices_jump(struct viewers *vs, struct client *c, struct notify_entry *e);

/* Empties the list, and tells programs that wait for the end. */
void notices_clear(struct viewers *vs);

#endif
