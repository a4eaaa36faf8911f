/*
 * mux/sync/feed.h - brings a client's tail (tail.h) to what the pane has.
 *
 * Purpose:   the server's knowledge of one tail: which lines the client has,
 *            as hashes; compares it with the pane's grid and makes the message
 *            that is most worth sending.
 * Ownership: a feed owns its hashes; the grid is the caller's.
 * Units:     line numbers (vt_row), bytes.
 * Errors:    none.
 * Source:    our own.
 * Tests:     regress/unit/check_sync_tail.c
 *
 * A message counts as delivered when it is made: what carries it delivers all,
 * in order, or ends.  A reader who has lost its way says what it has (WANT) and
 * the feed begins anew with that.
 */
#ifndef MUX_SYNC_FEED_H
#define MUX_SYNC_FEED_H

#include "mux/sync/tail.h"
#include "mux/vt/grid.h"

#define SYNC_FEED_CHUNK 8192           /* bytes of lines in a message, about */
#define SYNC_FEED_BYTES_MAX (1u << 20) /* of a pane's lines at the client */

struct sync_feed {
	uint32_t pane;
	uint64_t first; /* lines first..first+count-1 are there */
	size_t count;
	size_t bytes;
	uint64_t *lines; /* [cap]: hash << 16 | bytes */
	size_t cap;
	uint64_t remade; /* the grid's, when the lines were compared last */
	uint64_t good;   /* lines from here on are known to be others now */
};

enum sync_feed_work {
	SYNC_FEED_NONE,    /* the client has all that it should */
	SYNC_FEED_TRIM,    /* it has what is no more */
	SYNC_FEED_START,   /* it has nothing of use */
	SYNC_FEED_APPEND,  /* newer lines are missing */
	SYNC_FEED_PREPEND, /* older lines are missing */
};

void sync_feed_init(struct sync_feed *f, uint32_t pane);
void sync_feed_fini(struct sync_feed *f);

/*
 * What is to be done, if the newest LIMIT lines are wanted; looks at lines only
 * after the grid was resized.
 * Out: *behind  newer lines that are missing
 */
enum sync_feed_work sync_feed_work(
    struct sync_feed *f, struct vt_grid *g, size_t limit, uint64_t *behind);

/*
 * Makes the next message: M but for form, body and len, which are for who packs
 * RAW (with what the client has already as PREFIX).  False: nothing to do.
 */
bool sync_feed_next(struct sync_feed *f, struct vt_grid *g, size_t limit,
    struct sync_tail_lines *m, struct buf *raw, struct buf *prefix);

/* Begins with what a client says it has; false if that is not so. */
bool sync_feed_adopt(
    struct sync_feed *f, struct vt_grid *g, const struct sync_tail_have *have);

#endif
