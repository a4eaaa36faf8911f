/*
 * ssp/door.h - messages at the door of a client: forwards that its user adds,
 * cancels and lists later.
 *
 * Purpose:   a client that is attached has a Unix socket, its door. Another
 *            process of the user sends one request there, as one datagram, and
 *            reads answers until DOOR_END. The two may be of different versions
 *            of rmux.
 * Ownership: plain values.
 * Errors:    -ERR_PEER for bytes that are no message, -ERR_UNSUPPORTED for one
 *            of another version.
 * Source:    ssh -O forward, cancel.
 * Tests:     regress/unit/check_ssp_purpose.c, regress/fuzz/fuzz_ssp_purpose.c
 */
#ifndef SSP_DOOR_H
#define SSP_DOOR_H

#include "ssp/forward_spec.h"

#define DOOR_TEXT 400     /* bytes of a text, with the NUL */
#define DOOR_MESSAGE 1024 /* room for any message */
#define DOOR_NAME 80      /* a file name, with the NUL */

enum door_what {
	DOOR_ADD = 1,
	DOOR_CANCEL = 2,
	DOOR_CANCEL_ALL = 3,
	DOOR_LIST = 4
};

struct door_request {
	enum door_what what;
	/* Of ADD and CANCEL. ADD of AGENT has the agent in connect. */
	struct forward_spec spec;
};

enum door_answer_what {
	DOOR_END = 1, /* the request is done, or FAILED; TEXT is for people */
	DOOR_ROW = 2  /* one forward, of LIST */
};

struct door_answer {
	enum door_answer_what what;
	bool failed;
	char text[DOOR_TEXT]; /* printable; "" : nothing to tell */
	struct forward_spec spec;
	uint64_t connections; /* open ones */
	uint64_t in, out;     /* bytes that came over the link, and went */
};

/* Both write at most DOOR_MESSAGE bytes. */
void door_request_put(struct wr *w, const struct door_request *q);
void door_answer_put(struct wr *w, const struct door_answer *a);

int door_request_get(
    struct door_request *q, const uint8_t *p, size_t n) WARN_UNUSED;
int door_answer_get(
    struct door_answer *a, const uint8_t *p, size_t n) WARN_UNUSED;

/*
 * Writes the name of the door of process PID, which is connected with HOST as
 * its user gave it: "HOST.PID". A long or strange host is shortened and changed.
 */
void door_name(const char *host, int64_t pid, char out[DOOR_NAME]);

/*
 * Reads the parts of such a name: *HOST_LEN bytes of NAME are the host; false:
 * it is no name of a door.
 */
bool door_name_read(const char *name, size_t *host_len, int64_t *pid);

/*
 * Returns whether TARGET, a host or a process id in digits, means the door NAME.
 */
bool door_name_is(const char *name, const char *target);

#endif
