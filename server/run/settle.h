/*
 * server/run/settle.h - memory that goes back to the system when all is quiet.
 *
 * Purpose:   some time after the last output and the last thing freed lets go
 *            of spare rows and codecs and has the allocator return what it
 *            holds; then wakes nobody any more.
 * Ownership: the server owns it.
 * Units:     milliseconds.
 * Errors:    none.
 * Source:    our own.
 * Tests:     regress/e2e/churn.sh
 */
#ifndef SERVER_RUN_SETTLE_H
#define SERVER_RUN_SETTLE_H

struct server;
struct settle;

struct settle *settle_new(struct server *sv);
void settle_free(struct settle *st);

/* A pane has spoken or is gone, a client has left: memory may be freed. */
void settle_note(struct settle *st);

#endif
