/*
 * mux/control/control_out.h - the output queue of one control client.
 *
 * Purpose:   puts lines (replies, notifications) and the output of panes into
 *            one order and gives them out in pieces, so that a client that
 *            reads slowly costs a bounded amount of memory.
 * Ownership: a chunk of output is shared by the queues that wait for it.
 * Units:     bytes; mono_ms.
 * Errors:    over CONTROL_OUT_MAX bytes or CONTROL_OUT_AGE_MS of waiting
 *            output the queue pauses panes, if it may, or fails for good
 *            (control_out_failed): then it drops everything.
 * Source:    tmux(1), CONTROL MODE; refresh-client -A and -f pause-after.
 * Tests:     regress/unit/check_control_out.c, regress/fuzz/fuzz_control_mode.c
 *
 * Order: a line comes after all output that was added before it and before all
 * output that was added later.  Between two lines, panes take turns.
 */
#ifndef MUX_CONTROL_CONTROL_OUT_H
#define MUX_CONTROL_CONTROL_OUT_H

#include "base/buf.h"
#include "base/types.h"

#define CONTROL_OUT_MAX ((size_t)16 << 20)   /* waiting output of panes */
#define CONTROL_LINES_MAX ((size_t)64 << 20) /* waiting lines */
#define CONTROL_OUT_AGE_MS ((mono_ms)300000) /* of waiting output */
#define CONTROL_LINE_MAX ((size_t)32 << 10)  /* of a pane in one line */
#define CONTROL_LINE_MIN ((size_t)128)

struct control_out;

/* Output of a pane as all clients get it, shared. */
struct control_chunk {
	unsigned refs;
	size_t len;     /* of data */
	uint8_t data[]; /* bytes below a blank and backslashes as \ooo */
};

/* Escapes N bytes of a program. */
struct control_chunk *control_chunk_new(const void *p, size_t n);
void control_chunk_unref(struct control_chunk *c); /* NULL is fine */

/* The states that refresh-client -A sets. */
enum control_pane_state {
	CONTROL_PANE_ON,
	CONTROL_PANE_OFF,
	CONTROL_PANE_PAUSE,
	CONTROL_PANE_CONTINUE
};

struct control_out *control_out_new(void);
void control_out_free(struct control_out *o); /* NULL is fine */

/*
 * Sets whether panes are paused whose output is AFTER old; 0 pauses them only
 * when the queue is full. Lines of output then tell their age.
 */
void control_out_set_pause(struct control_out *o, bool on, mono_ms after);

/* Drops the output of all panes from now on (no-output). */
void control_out_set_quiet(struct control_out *o, bool on);

/* Adds N bytes of lines, each with its newline. */
void control_out_lines(struct control_out *o, const void *p, size_t n);

/* Adds output of a pane at NOW; takes a reference. */
void control_out_pane(
    struct control_out *o, uint32_t pane, mono_ms now, struct control_chunk *c);

/*
 * Changes the state of a pane. Returns whether PAUSE has paused it or CONTINUE
 * has continued it: the caller then adds the line %pause or %continue.
 */
bool control_out_state(
    struct control_out *o, uint32_t pane, enum control_pane_state state);

/* Whether the client takes no output of the pane: it is off. */
bool control_out_is_off(const struct control_out *o, uint32_t pane);

/*
 * Whether output of the pane would be dropped: it is paused or off, or no
 * output is wanted.
 */
bool control_out_drops(const struct control_out *o, uint32_t pane);

/* Forgets the state of a pane that is gone. Its output stays. */
void control_out_forget(struct control_out *o, uint32_t pane);

/*
 * Appends at most about BUDGET bytes to OUT (more by one escaped byte and the
 * head of its line); returns their number. NOW gives the ages.
 */
size_t control_out_take(
    struct control_out *o, mono_ms now, struct buf *out, size_t budget);

/* Pauses panes whose output is too old, or fails. */
void control_out_tick(struct control_out *o, mono_ms now);

/* Returns when control_out_tick has something to do. */
mono_ms control_out_deadline(const struct control_out *o);

/* Drops the output of all panes that waits; lines stay. */
void control_out_discard(struct control_out *o);

/* Whether the queue has failed: the client is too far behind. */
bool control_out_failed(const struct control_out *o);

/* Whether nothing waits. */
bool control_out_empty(const struct control_out *o);

/* Bytes of panes' output that wait, with what it costs to keep them. */
size_t control_out_waiting(const struct control_out *o);

#endif
