/*
 * mux/sync/feed.h - the server's side of a client's tail (tail.h).
 *
 * Purpose:   knows the client's lines by their hashes, compares them with the
 *            pane's grid, and makes the most useful next message.
 * Ownership: a feed owns its hashes; the grid belongs to the caller.
 * Units:     line numbers (vt_row), bytes.
 * Tests:     regress/unit/check_sync_tail.c
 *
 * A message counts as delivered when it is made: the channel delivers all
 * messages in order, or closes. A client whose tail no longer fits sends its
 * state (WANT), and the feed restarts from it.
 */
#ifndef MUX_SYNC_FEED_H
#define MUX_SYNC_FEED_H

#include "mux/sync/tail.h"
#include "mux/vt/grid.h"

#define SYNC_FEED_CHUNK 16384          /* bytes in a message, roughly */
#define SYNC_FEED_BYTES_MAX (1u << 20) /* bytes of a pane, at the client */

struct sync_feed {
	uint32_t pane;
	uint64_t first; /* the client has lines first..first+count-1 */
	size_t count;
	size_t bytes;
	uint64_t *lines; /* [cap]: hash << 16 | bytes */
	size_t cap;
	uint64_t remade; /* the grid's count at the last comparison */
	uint64_t good;   /* lines from here on are known to differ */
};

enum sync_feed_work {
	SYNC_FEED_NONE,    /* the client is up to date */
	SYNC_FEED_TRIM,    /* the client has lines that no longer exist */
	SYNC_FEED_START,   /* the client has no usable lines */
	SYNC_FEED_APPEND,  /* newer lines are missing */
	SYNC_FEED_PREPEND, /* older lines are missing */
};

void sync_feed_init(struct sync_feed *f, uint32_t pane);
void sync_feed_fini(struct sync_feed *f);

/*
 * Finds the next work if the newest LIMIT lines are wanted; compares lines only
 * after a resize of the grid. *BEHIND is the number of missing newer lines.
 */
enum sync_feed_work sync_feed_work(
    struct sync_feed *f, struct vt_grid *g, size_t limit, uint64_t *behind);

/*
 * Makes the next message: M without form, body and len, which the caller sets
 * after it has packed RAW (with PREFIX, bytes that the client has). Returns
 * false if the client is up to date.
 */
bool sync_feed_next(struct sync_feed *f, struct vt_grid *g, size_t limit,
    struct sync_tail_lines *m, struct buf *raw, struct buf *prefix);

/*
 * Restarts from the state that a client reports; returns false if the report is
 * wrong.
 */
bool sync_feed_adopt(
    struct sync_feed *f, struct vt_grid *g, const struct sync_tail_have *have);

/*
 * Returns whether all lines of the client are those of G as it is; call it
 * after sync_feed_work.
 */
bool sync_feed_right(const struct sync_feed *f, const struct vt_grid *g);

#endif
