/*
 * mux/sync/tail.h - a tail: the newest lines of a pane's history, copied to the
 * client.
 *
 * Purpose:   lines with consecutive numbers, which only rise, and the messages
 *            that keep the client's copy equal to the pane.
 * Ownership: a tail owns its lines' bytes; returned lines are the caller's
 *            references.
 * Units:     line numbers as the server counts them (vt_row); bytes.
 * Errors:    -ERR_PEER for messages that do not decode or fit; the tail is then
 *            unchanged or empty, never wrong.
 * Source:    doc/PROTOCOL.md.
 * Tests:     regress/unit/check_sync_tail.c, regress/fuzz/fuzz_sync_tail.c
 */
#ifndef MUX_SYNC_TAIL_H
#define MUX_SYNC_TAIL_H

#include "base/buf.h"
#include "base/wire.h"
#include "mux/vt/line.h"

#define SYNC_TAIL_LINES_MAX 20000 /* of a pane */
#define SYNC_TAIL_LINE_MAX 16384  /* bytes of a line; longer ones are blank */
#define SYNC_TAIL_CUT 0x8000u     /* flag of such a line */
#define SYNC_TAIL_BYTES_MAX (2u << 20) /* of a pane, at the client */
#define SYNC_TAIL_PANES_MAX 32
#define SYNC_TAIL_PREFIX 16384  /* bytes of known text that help to compress */
#define SYNC_TAIL_RAW_MAX 49152 /* bytes of a message's lines, uncompressed */

struct sync_tail_line;

struct sync_tail {
	uint64_t first; /* number of the first line */
	size_t count;
	size_t bytes;
	struct sync_tail_line **ring; /* [cap] */
	size_t start;
	size_t cap;
};

void sync_tail_init(struct sync_tail *t);
void sync_tail_fini(struct sync_tail *t);

static inline uint64_t
sync_tail_end(const struct sync_tail *t)
{
	return t->first + t->count;
}

/* Returns line NUM (the caller's reference), or NULL. */
struct vt_line *sync_tail_line(const struct sync_tail *t, uint64_t num);

/*
 * Appends a line's bytes: varint flags, then its cells; a line that is too long
 * is sent blank. Marks are left out, because packing moves them within a
 * wrapped line.
 */
void sync_tail_encode(const struct vt_line *line, struct buf *out);

/* Hashes N lines, one after the other; SEED is 0 for the first. */
uint64_t sync_tail_hash(uint64_t seed, const void *line, size_t len);
uint64_t sync_tail_hash_all(const struct sync_tail *t);

/* --- messages ------------------------------------------------------------- */

enum sync_tail_kind {
	/* From the client: how much it wants, and its lines. */
	SYNC_TAIL_WANT = 1,
	SYNC_TAIL_LINES = 2,  /* from the server: lines of one pane */
	SYNC_TAIL_FORGET = 3, /* from the server: panes that no longer exist */
	/* From the server: all lines of a pane are as at this text_remade. */
	SYNC_TAIL_EPOCH = 4,
};

/*
 * LINES: drops all lines outside keep_first..keep_end-1, then adds COUNT lines
 * from AT on at either end, or anywhere to an empty tail.
 */
struct sync_tail_lines {
	uint32_t pane;
	uint64_t keep_first;
	uint64_t keep_end;
	uint64_t at;
	uint32_t count;
	uint32_t raw; /* bytes of the lines, each after its varint length */
	/* Of the body: 0 plain, 1 a zstd block, 2 a zstd frame. */
	uint8_t form;
	uint32_t known; /* lines beside AT that the compressor used */
	uint32_t hash;  /* of the raw bytes */
	const uint8_t *body;
	size_t len;
};

void sync_tail_put_lines(struct buf *out, const struct sync_tail_lines *m);
int sync_tail_get_lines(struct rd *r, struct sync_tail_lines *m) WARN_UNUSED;

/* First step: drops the lines outside keep_first..keep_end-1. */
void sync_tail_trim(struct sync_tail *t, const struct sync_tail_lines *m);

/*
 * Second step: appends the m->known lines beside the new ones, in the form of
 * the body, to decompress with. Returns -ERR_PEER if the tail lacks them.
 */
int sync_tail_prefix(const struct sync_tail *t, const struct sync_tail_lines *m,
    struct buf *out) WARN_UNUSED;

/* Third step: adds the lines in RAW, the decompressed body of m->raw bytes. */
int sync_tail_add(struct sync_tail *t, const struct sync_tail_lines *m,
    const uint8_t *raw) WARN_UNUSED;

uint32_t sync_tail_raw_hash(const uint8_t *raw, size_t n);

/* The lines that a client has of a pane. */
struct sync_tail_have {
	uint32_t pane;
	uint64_t first;
	uint32_t count;
	uint64_t hash; /* of all lines */
};

struct sync_tail_want {
	uint32_t lines; /* of a pane, at most; 0: nothing */
	uint32_t nhave;
	struct sync_tail_have have[SYNC_TAIL_PANES_MAX];
};

void sync_tail_put_want(struct buf *out, const struct sync_tail_want *w);
int sync_tail_get_want(struct rd *r, struct sync_tail_want *w) WARN_UNUSED;

/*
 * REMADE says when the lines that the client has of a pane are right, and stay
 * right as more are added; SYNC_TAIL_UNSURE: not at all until the next one.
 */
#define SYNC_TAIL_UNSURE UINT64_MAX

void sync_tail_put_epoch(struct buf *out, uint32_t pane, uint64_t remade);
int sync_tail_get_epoch(
    struct rd *r, uint32_t *pane, uint64_t *remade) WARN_UNUSED;

void sync_tail_put_forget(struct buf *out, const uint32_t *panes, unsigned n);
int sync_tail_get_forget(
    struct rd *r, uint32_t panes[SYNC_TAIL_PANES_MAX], unsigned *n) WARN_UNUSED;

#endif
