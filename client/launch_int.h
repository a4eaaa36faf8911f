/*
 * client/launch_int.h - messages between a client and its launcher.
 *
 * Purpose:   launch.c is the client's end, launch_run.c the process.
 * Ownership: both ends are one program, so messages are structs of fixed size.
 * Errors:    the launcher checks every number of a request: the client may have
 *            been taken over.
 * Tests:     regress/unit/check_launch.c
 */
#ifndef CLIENT_LAUNCH_INT_H
#define CLIENT_LAUNCH_INT_H

#include "client/launch.h"

#define LAUNCH_TEXT_MAX 256

enum launch_what {
	LAUNCH_SSH = 1,
	LAUNCH_KILL,
	LAUNCH_STATUS,
	LAUNCH_LOOKUP,
	LAUNCH_MIND
};

struct launch_request {
	uint32_t number; /* returned in the reply */
	uint32_t what;
	uint32_t how; /* enum bootstrap_how */
	uint32_t run;
	uint64_t cid; /* to continue, or to mind */
};

/* A reply to LAUNCH_SSH comes with three descriptors if ERROR is 0. */
struct launch_reply {
	uint32_t number;
	int32_t error;
	uint32_t run;
	int32_t status;
	uint32_t naddrs;
	struct udp_addr addrs[LAUNCH_ADDRS_MAX];
	char text[LAUNCH_TEXT_MAX];
};

/*
 * The launcher: answers requests from FD until it is closed. REACH: the end of a
 * helper, ASK: that of its desk, or -1. TTY: the name of the user's terminal, or
 * NULL.
 */
void launch_run(
    const struct launch_cfg *cfg, int fd, int reach, int ask, const char *tty);

#endif
