/*
 * ssp/purpose.h - what a stream is for: the bytes of OPEN.
 *
 * Purpose:   asks the other end to connect, or to listen and hand over what
 *            connects there; or to run a command.
 * Ownership: plain values.
 * Errors:    -ERR_PEER for bytes that are no purpose.
 * Source:    RFC 4254 section 7 (ssh's direct and forwarded connections).
 * Tests:     regress/unit/check_ssp_purpose.c, regress/fuzz/fuzz_ssp_purpose.c
 */
#ifndef SSP_PURPOSE_H
#define SSP_PURPOSE_H

#include "base/wire.h"

#define SSP_PLACE_MAX 256 /* bytes of a host or path, with the NUL */

enum ssp_place_kind {
	SSP_PLACE_TCP,
	SSP_PLACE_UNIX
};

/* Where to connect or to listen. */
struct ssp_place {
	enum ssp_place_kind kind;
	/* TCP: a name or an address in numbers; "" and "*" only to listen. */
	char host[SSP_PLACE_MAX]; /* UNIX: the path */
	uint16_t port;            /* 0: any, to listen */
};

enum ssp_purpose_kind {
	SSP_PURPOSE_CONNECT = 1, /* to PLACE */
	SSP_PURPOSE_LISTEN = 2, /* at PLACE; the answer is a varint: the port */
	SSP_PURPOSE_ACCEPTED = 3, /* by the listener of stream LISTENER */
	SSP_PURPOSE_AGENT = 4,    /* as LISTEN: offers an ssh agent; no PLACE */
	SSP_PURPOSE_EXEC = 5,     /* messages about a command; no PLACE */
	SSP_PURPOSE_PART = 6,     /* PART of the command of EXEC stream EXEC */
	/*
	 * As AGENT, for the socket of a variable: PLACE is UNIX, and its host
	 * the variable's name; the answer is a varint, 0.
	 */
	SSP_PURPOSE_SOCKET = 7,
	/*
	 * The client listens at PLACE itself, to connect to TO, or where SOCKS
	 * says if DYNAMIC. The answer is a varint, 0; CONNECT then names the
	 * stream as its LISTENER.
	 */
	SSP_PURPOSE_ANNOUNCE = 8,
};

/* The streams of a command beside that of its messages. */
enum ssp_purpose_part {
	SSP_PART_IO,  /* its standard input and output */
	SSP_PART_ERR, /* its standard error */
	SSP_PARTS
};

struct ssp_purpose {
	enum ssp_purpose_kind kind;
	struct ssp_place place; /* ACCEPTED: the address that connected */
	struct ssp_place to;    /* ANNOUNCE */
	bool dynamic;           /* ANNOUNCE */
	uint64_t listener;      /* ACCEPTED; CONNECT: or 0 */
	uint64_t exec;
	enum ssp_purpose_part part;
};

/* Writes a purpose; W has room for SSP_PURPOSE_SIZE bytes. */
#define SSP_PURPOSE_SIZE (2 * SSP_PLACE_MAX + 48)
void ssp_purpose_put(struct wr *w, const struct ssp_purpose *p);

/* Returns 0; -ERR_UNSUPPORTED for a kind of the future; or -ERR_PEER. */
int ssp_purpose_get(
    struct ssp_purpose *p, const uint8_t *data, size_t n) WARN_UNUSED;

/* The place alone, in the same bytes; at most SSP_PURPOSE_SIZE. */
void ssp_place_put(struct wr *w, const struct ssp_place *p);
int ssp_place_get(struct ssp_place *p, struct rd *r) WARN_UNUSED;

/*
 * Writes "host:port", "[v6]:port" or the path to OUT, for people, with ? for
 * control characters; returns OUT.
 */
#define SSP_PLACE_TEXT (SSP_PLACE_MAX + 16)
char *ssp_place_text(const struct ssp_place *p, char out[SSP_PLACE_TEXT]);

#endif
