/*
 * ssp/io/reach_int.h - messages between a process and its helper.
 *
 * Purpose:   reach.c is the user's end, reach_run.c the helper, reach_door.c
 *            the helper's door.
 * Ownership: both ends are one program, so messages are structs of fixed size,
 *            each one datagram of a Unix socket.
 * Errors:    the helper checks every number: its user may have been taken over.
 * Tests:     see ssp/io/reach.h
 */
#ifndef SSP_IO_REACH_INT_H
#define SSP_IO_REACH_INT_H

#include "ssp/io/reach.h"

/* Systems that lack these set the flags afterwards, or ignore SIGPIPE. */
#ifndef SOCK_CLOEXEC
# define SOCK_CLOEXEC 0
#endif
#ifndef SOCK_NONBLOCK
# define SOCK_NONBLOCK 0
#endif
#ifndef MSG_NOSIGNAL
# define MSG_NOSIGNAL 0
#endif

enum reach_what {
	REACH_CONNECT = 1,    /* to SPEC.connect */
	REACH_CONNECT_TARGET, /* to that of ENTRY */
	REACH_LISTEN,         /* at SPEC.listen */
	REACH_OWN,            /* at SPEC.listen, or none: SPEC is an entry */
	REACH_UNLISTEN,
	REACH_FORGET, /* ENTRY: the other end refuses it */
	REACH_SEAL,
	REACH_COUNTS, /* of ENTRY, for request NUMBER of the door */
	REACH_TOLD    /* the answer to request NUMBER of the door */
};

struct reach_request {
	uint32_t number; /* returned in the reply */
	uint32_t what;
	uint32_t entry;
	struct forward_spec spec;
	/* COUNTS and TOLD. */
	struct reach_counts counts;
	uint32_t failed;
	char text[REACH_TEXT];
};

/*
 * An answer to a request comes with NFDS descriptors; 0: failed. The others are
 * requests of the door, NUMBER, which want TOLD.
 */
enum reach_reply_what {
	REACH_ANSWER,
	REACH_ADDED,     /* ENTRY is SPEC, with NFDS listening sockets */
	REACH_CANCELLED, /* ENTRY is no more */
	REACH_COUNT      /* COUNTS for each forward, then TOLD */
};

struct reach_reply {
	uint32_t what;
	uint32_t number;
	uint32_t entry;
	uint32_t nfds;
	uint16_t port;
	struct forward_spec spec;
	char text[REACH_TEXT];
};

/* --- the helper ------------------------------------------------------------ */

/* What the user has asked for: the numbers of forwards at both ends. */
struct helper_entry {
	bool used;
	struct forward_spec spec;
	/* Listening: a cancelled one is shut even if the client keeps it. */
	int fds[REACH_LISTENS];
	unsigned n;
};

#define HELPER_PATHS 64 /* Unix sockets to remove */

struct helper {
	int fd;
	bool sealed;
	const struct reach_desk *desk; /* NULL: none */
	int ask;                       /* of the desk */
	struct helper_entry entries[REACH_ENTRIES];
	unsigned connects;
	char *paths[HELPER_PATHS];
	unsigned npaths;
};

/* Sends A, with a copy of N descriptors. */
void helper_send(
    const struct helper *h, struct reach_reply *a, const int *fds, unsigned n);

/*
 * Makes an entry of SPEC, for which it listens if need be. Returns its number;
 * -ERR_* with a cause: it cannot. The port of SPEC becomes the chosen one.
 */
int helper_add(
    struct helper *h, const struct forward_spec *spec, struct cause *c);

/* Ends what listens for the entry, and its right to connect. */
void helper_remove(struct helper *h, unsigned entry);

/* The door of a helper: requests of the user's other processes. */
struct door;

struct door *door_new(struct helper *h, int listen_fd);
void door_free(struct door *d); /* NULL is fine */

/* Adds its descriptors to P, which has room for DOOR_FDS; returns how many. */
#define DOOR_CALLERS 8
#define DOOR_FDS (DOOR_CALLERS + 1)
struct pollfd;
unsigned door_poll(const struct door *d, struct pollfd *p);

/* Handles what poll has said; returns when it is due again, in ms, or -1. */
void door_turn(struct door *d, const struct pollfd *p, unsigned n);
int door_wait(const struct door *d);

/* What the client says: REACH_COUNTS, REACH_TOLD. */
void door_told(struct door *d, const struct reach_request *q);

#endif
