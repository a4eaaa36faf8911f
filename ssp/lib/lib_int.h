/*
 * ssp/lib/lib_int.h - what the files of the library share.
 *
 * Purpose:   struct ssp, and the values of the caller as the transport sees
 *            them.
 * Ownership: struct ssp owns transport, connection, keys and compression.
 * Tests:     regress/unit/check_ssp_lib.c
 */
#ifndef SSP_LIB_INT_H
#define SSP_LIB_INT_H

#include "ssp/bind.h"
#include "ssp/lib/ssp.h"

enum {
	LIB_LOCAL,
	LIB_REMOTE,
	LIB_SIDES
};

struct ssp {
	struct ssp_bind bind;
	struct ssp_conn *conn;
	struct ssp_keyring *keyring;
	struct ssp_zip *zip;
	struct ssp_object object[LIB_SIDES];
	struct ssp_object_ops ops[LIB_SIDES];
	uint64_t id;
	bool up;
	uint64_t told; /* number of the last SSP_EVENT_REMOTE */
	enum ssp_state state;
	/* The local value was not too large at this count of failures. */
	uint64_t failed;
	uint64_t acked;  /* number of the newest state that the peer has */
	bool aborted;    /* by this end */
	bool close_told; /* the orderly end has been noticed */
	bool close_due;  /* SSP_EVENT_CLOSED is to be taken */
	bool close_lost; /* its number */
	/* Handles an event about sockets; true: the program need not see it. */
	bool (*hook)(void *arg, struct ssp *s, struct ssp_event *ev);
	/* It is about to be freed. */
	void (*gone)(struct ssp_udp *u, struct ssp *s);
	struct ssp_udp *udp; /* NULL: none carries it */
	uint64_t too_long;   /* datagrams */
};

/* Makes the operations for values of OBJECT, which OPS keeps a pointer to. */
void lib_ops(struct ssp_object_ops *ops, const struct ssp_object *object);

/* Wrap a value of the caller, and return it. */
void *lib_wrap(const struct ssp_object *object, void *value);
void *lib_value(const void *wrapped);

/* Follows the end of the connection; after datagrams came or went. */
void lib_life(struct ssp *s, mono_ms now);

/* Returns the public number of an internal error, 0 for 0. */
int lib_error(int e);

/* Random bytes of libsodium. */
void lib_random(void *arg, void *out, size_t n);

#endif
