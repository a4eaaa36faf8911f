/*
 * regress/bench/gather.h - how the flood of a pty is read: asleep or awake.
 *
 * Purpose:   a pty gives 4 KiB a read, and a read of an empty one sleeps until
 *            the kernel's worker has brought more; then a core has to wake,
 *            which may take longer than the worker did.  The reader can give up
 *            its core for a moment instead, look whether there is more, and
 *            read then.  Which is faster depends on the machine, on what else
 *            runs and on what the bytes cost to make and to parse.  So does how
 *            much is gathered before it is parsed: the kernel lets the writer run
 *            12 KiB ahead and no further, and what is parsed for longer than that
 *            takes keeps it waiting.  So the ways are tried again and again and
 *            the one that brings most is used.
 *            What the core was given up for, and for how long, is all in the
 *            pace: the writer may have had it, which is as good as waiting, or
 *            somebody else.  With one core nobody stays awake.  For a reader
 *            alone (vt_pty); the server, with clients to wake, was faster asleep.
 * Ownership: plain data.
 * Units:     microseconds of sys_now_us(); bytes.
 * Errors:    none.
 * Source:    our own; doc/BENCHMARKS.md, "Through a pty", has what it brings.
 * Tests:     regress/unit/check_gather.c
 */
#ifndef REGRESS_GATHER_H
#define REGRESS_GATHER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* So many bytes in a row are a flood: a full read of the kernel's. */
#define GATHER_FLOOD 4000

/* The longest wait: some more than a bare drain takes for a full read. */
#define GATHER_US 60

/*
 * Yields between two looks: a look takes the lock of the tty, which the worker
 * wants, too.
 */
#define GATHER_YIELDS 4

/* Who yields and gets the core back later than that has waited for somebody. */
#define GATHER_LATE_US 200

/* Bytes after which a way is judged. */
#define GATHER_TRIAL (256u << 10)

/* A trial that takes so many times as long as the best way is over at once. */
#define GATHER_PATIENCE 3

/* A way that is so many times slower is tried once in so many turns. */
#define GATHER_SLOW 2
#define GATHER_SELDOM 8

/* Longer without a byte, and the flood was over. */
#define GATHER_PAUSE_US 2000

/* One trial in so many is of a way that was slower so far, in turn. */
#define GATHER_EXPLORE 16

/* What is parsed at a time by who gathers nothing: a full read. */
#define GATHER_LITTLE GATHER_FLOOD

enum gather_way {
	GATHER_ASLEEP, /* much at a time */
	GATHER_AWAKE,
	GATHER_EAGER, /* awake, and each read is parsed at once */
	GATHER_BRISK, /* asleep, and each read is parsed at once */
	GATHER_WAYS
};

struct gather {
	bool able; /* there is a second core */
	enum gather_way way;
	uint32_t pace[GATHER_WAYS]; /* ns a KiB of late; 0: not known */
	unsigned trials;
	unsigned done[GATHER_WAYS]; /* of each way */
	unsigned waits;             /* begun, ever */
	unsigned late;              /* and those that came back late */
	size_t bytes;               /* of the trial under way */
	uint64_t begun;
	uint64_t last; /* when bytes came, or a wait was over */
};

/* ABLE: whether ever to stay awake. */
void gather_init(struct gather *g, bool able);

/* The same by what the machine has. */
void gather_init_here(struct gather *g);

/* N bytes of a flood have been read. */
void gather_took(struct gather *g, size_t n, uint64_t now);

/* Bytes to gather before they are parsed: MOST or fewer. */
size_t gather_piece(const struct gather *g, size_t most);

/* Whether to stay awake now. */
bool gather_may(const struct gather *g);

/* A wait took TOOK and was over at NOW. */
void gather_waited(struct gather *g, uint64_t now, uint64_t took);

/*
 * Until FD has something to read, at most GATHER_US and not beyond UNTIL.
 * Returns at once if it is better to sleep.
 */
void gather_wait(struct gather *g, int fd, uint64_t until);

#endif
