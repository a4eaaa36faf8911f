/*
 * client/cp/wire.h - the messages of a copy of files (rmux cp).
 *
 * Purpose:   encodes and decodes what the sender and the taker of files say to
 *            each other over one byte stream each way.
 * Ownership: a decoded message points into the bytes it was decoded from.
 * Units:     bytes; times are nanoseconds since 1970.
 * Errors:    -ERR_AGAIN: not whole yet; -ERR_PEER: malformed.
 * Source:    our own; doc/PROTOCOL.md C.10.
 * Tests:     regress/unit/check_cp.c, regress/fuzz/fuzz_cp.c
 */
#ifndef CLIENT_CP_WIRE_H
#define CLIENT_CP_WIRE_H

#include "base/buf.h"
#include "base/err.h"

#define CP_VERSION 1
#define CP_PATH_MAX 4096  /* bytes of a path, with the NUL */
#define CP_DATA_MAX 65536 /* bytes of a DATA */
#define CP_HASH 32
/* FILEs that the taker has not answered, or whose bytes have not gone. */
#define CP_WINDOW 4096

enum cp_kind {
	/* Both. */
	CP_HELLO = 1, /* number: CP_VERSION */
	CP_SAY = 2,   /* text: an error, for the user */
	CP_DONE = 3,  /* number: files that failed */
	/* The sender. */
	CP_TOTAL = 4, /* id: sources, number: files, size: their bytes */
	CP_DIR = 5,   /* path, mode, time */
	CP_FILE = 6,  /* id, path, mode, time, size */
	CP_LINK = 7,  /* path, text: where it leads */
	CP_START = 8, /* id, number: offset of the bytes that follow */
	CP_DATA = 9,  /* text: bytes */
	CP_END = 10,  /* id: all bytes have come; number: 1 if the file broke */
	/* The taker. */
	CP_GO = 11,   /* id, number: bytes that are there, text: their hash */
	CP_SKIP = 12, /* id: the file is there, or cannot be */
};

struct cp_msg {
	enum cp_kind kind;
	uint64_t id;
	uint64_t number;
	uint64_t size;
	uint32_t mode; /* the lowest 12 bits of st_mode */
	uint64_t time; /* of the last change */
	const char *path;
	size_t npath;
	const uint8_t *text;
	size_t ntext;
};

/* Appends M. */
void cp_put(struct buf *b, const struct cp_msg *m);

/* Decodes the first message of P[0..n); its length goes to *used. */
int cp_get(
    const uint8_t *p, size_t n, struct cp_msg *m, size_t *used) WARN_UNUSED;

/*
 * Returns whether a path of a sender leads nowhere else: relative, without empty
 * names, "." and "..", at most CP_PATH_MAX.
 */
bool cp_path_ok(const char *path, size_t n);

/* Returns the name behind the last slash of a path (mem_free). */
char *cp_base_new(const char *path);

/*
 * Chains the hash of a file's bytes: H becomes the hash of H and N bytes (of
 * CP_DATA_MAX but for the last).  It begins as zeros.
 */
void cp_hash(uint8_t h[CP_HASH], const void *p, size_t n);

#endif
