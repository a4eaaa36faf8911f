/*
 * mux/control/control_pace.h - whether programs wait for one control client.
 *
 * Purpose:   a client that reads, but not as fast as a program writes, holds the
 *            program up before its queue is full and it ends as too far behind.
 *            A client that has stopped reading holds up nobody for long.
 * Ownership: the caller's; it holds nothing.
 * Units:     bytes; mono_ms.
 * Source:    tmux(1) drops a client that is too far behind; holding is ours.
 * Tests:     regress/unit/check_control_pace.c, regress/e2e/control.sh
 */
#ifndef MUX_CONTROL_CONTROL_PACE_H
#define MUX_CONTROL_CONTROL_PACE_H

#include "mux/control/control_out.h"

/* A client reads if it takes so many bytes in such a time. */
#define CONTROL_PACE_READS ((size_t)256 << 10)
#define CONTROL_PACE_MS ((mono_ms)1000)

/* It holds from so many waiting bytes until so few. */
#define CONTROL_PACE_FAR (CONTROL_OUT_MAX / 4)
#define CONTROL_PACE_NEAR (CONTROL_OUT_MAX / 8)

struct control_pace {
	mono_ms since; /* when "taken" began to count */
	size_t taken;
	bool behind;  /* output waits */
	bool stopped; /* it took less than that */
	bool far;
};

/* The client has taken TAKEN bytes since the last call, and WAITING wait. */
void control_pace_note(
    struct control_pace *p, mono_ms now, size_t taken, size_t waiting);

bool control_pace_holds(const struct control_pace *p);

/* Returns the time of the next note; MONO_NEVER: the client holds nobody up. */
mono_ms control_pace_deadline(const struct control_pace *p);

#endif
