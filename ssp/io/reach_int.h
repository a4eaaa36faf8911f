/*
 * ssp/io/reach_int.h - messages between a process and its helper.
 *
 * Purpose:   reach.c is the user's end, reach_run.c the helper.
 * Ownership: both ends are one program, so messages are structs of fixed size,
 *            each one datagram of a Unix socket.
 * Errors:    the helper checks every number: its user may have been taken over.
 * Tests:     see ssp/io/reach.h
 */
#ifndef SSP_IO_REACH_INT_H
#define SSP_IO_REACH_INT_H

#include "ssp/io/reach.h"

#define REACH_TARGETS 64

/* Systems that lack these set the flags afterwards, or ignore SIGPIPE. */
#ifndef SOCK_CLOEXEC
# define SOCK_CLOEXEC 0
#endif
#ifndef SOCK_NONBLOCK
# define SOCK_NONBLOCK 0
#endif
#ifndef MSG_CMSG_CLOEXEC
# define MSG_CMSG_CLOEXEC 0
#endif
#ifndef MSG_NOSIGNAL
# define MSG_NOSIGNAL 0
#endif

enum reach_what {
	REACH_CONNECT = 1,
	REACH_CONNECT_TARGET,
	REACH_LISTEN,
	REACH_UNLISTEN,
	REACH_TARGET,
	REACH_SEAL
};

struct reach_request {
	uint32_t number; /* returned in the reply */
	uint32_t what;
	uint32_t target;
	struct ssp_place place;
};

/* Comes with NFDS descriptors; 0: failed. */
struct reach_reply {
	uint32_t number;
	uint32_t nfds;
	uint16_t port;
	char text[REACH_TEXT];
};

#endif
