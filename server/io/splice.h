/*
 * server/io/splice.h - two sockets joined to each other.
 *
 * Purpose:   passes bytes both ways, and each end of a direction.
 * Ownership: splice_new takes over both descriptors; a splice frees itself when
 *            both directions have ended or one socket breaks, after it has left
 *            its list.
 * Units:     bytes; each direction holds at most SPLICE_MAX.
 * Tests:     regress/e2e/agent.sh
 */
#ifndef SERVER_IO_SPLICE_H
#define SERVER_IO_SPLICE_H

#include "base/list.h"

#define SPLICE_MAX ((size_t)64 << 10)

struct loop;

/* Joins the sockets A and B, which are non-blocking, and adds it to LIST. */
void splice_new(struct loop *loop, struct list *list, int a, int b);

/* Frees all of LIST. */
void splices_free(struct list *list);

#endif
