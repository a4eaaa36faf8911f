/*
 * server/io/pane_feed.h - a paste that reaches a pane's program in pieces.
 *
 * Purpose:   a paste may be longer than the queue of a pane: pieces wait here
 *            while the program does not read, and the owner asks for more only
 *            when few bytes wait.
 * Ownership: the owner frees it before the struct pane_ios ends; a program that
 *            ends earlier leaves it closed.
 * Units:     bytes.
 * Errors:    -ERR_CLOSED: the program is gone; -ERR_LIMIT: more than
 *            PANE_FEED_MAX bytes wait, the owner has not waited for room.
 * Tests:     regress/e2e/paste_large.sh
 */
#ifndef SERVER_IO_PANE_FEED_H
#define SERVER_IO_PANE_FEED_H

#include <stdbool.h>
#include <stddef.h>

#define PANE_FEED_MAX (4u << 20)    /* bytes that wait */
#define PANE_FEED_ROOM (256u << 10) /* fewer: there is room for more */

struct pane;
struct pane_feed;
struct pane_ios;

/*
 * Begins a paste into P, with marks if its program asked for bracketed paste.
 * ROOM is called when there is room again; it must not free the feed. Returns
 * NULL if the pane takes no input.
 */
struct pane_feed *pane_feed_new(
    struct pane_ios *ps, struct pane *p, void (*room)(void *arg), void *arg);

/* Drops the bytes that wait; the program sees no end of the paste. */
void pane_feed_free(struct pane_feed *f);

/* Drops them, ends the paste, and frees F, which may be NULL. */
void pane_feed_stop(struct pane_feed *f);

int pane_feed_add(struct pane_feed *f, const void *bytes, size_t n);
bool pane_feed_room(const struct pane_feed *f);

/*
 * Ends the paste: hands on all that waits, or, if STOPPED, drops it; later
 * input for the pane comes behind it.
 */
int pane_feed_end(struct pane_feed *f, bool stopped);

#endif
