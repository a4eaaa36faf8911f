/*
 * mux/sync/control.h - messages between a client process and the server on the
 * control socket.
 *
 * Purpose:   carries requests (argv, environment, standard input and files of
 *            the caller), replies (output, errors, exit status) and the SSP
 *            payloads of an attached client, on one trusted byte stream.
 * Ownership: a decoded message points into the bytes it was decoded from.
 * Units:     a message is u32 length (big-endian, of the bytes after it) and a
 *            msgpack map of numbered fields; field 0 is the message's code.
 *            Unknown fields and unknown codes are skipped, so that releases
 *            work together within the version range of HELLO and WELCOME.
 * Errors:    -ERR_PEER for malformed bytes, -ERR_LIMIT for sizes beyond the
 *            limits below; only the connection is then closed.
 * Source:    doc/PROTOCOL.md has the table.
 * Tests:     regress/unit/check_control.c, regress/fuzz/fuzz_control.c
 */
#ifndef MUX_SYNC_CONTROL_H
#define MUX_SYNC_CONTROL_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/err.h"

#define CONTROL_VERSION_MIN 1
#define CONTROL_VERSION_MAX 1

#define CONTROL_MESSAGE_MAX (4u << 20) /* bytes of one message */
#define CONTROL_DATA_MAX (1u << 20)    /* bytes of one `data` field */
#define CONTROL_LIST_MAX 8192          /* strings of argv or environment */

enum control_code {
	CONTROL_NONE = 0,
#define X(name, code, who, need) CONTROL_##name = code,
#include "mux/sync/control.def"
#undef X
};

/* Fields, and the bits of `has` for those that are set. */
enum control_has {
	CONTROL_HAS_ID = 1 << 1,
	CONTROL_HAS_CODE = 1 << 2,
	CONTROL_HAS_TEXT = 1 << 3,
	CONTROL_HAS_DATA = 1 << 4,
	CONTROL_HAS_LIST = 1 << 5,
	CONTROL_HAS_ENV = 1 << 6,
	CONTROL_HAS_CWD = 1 << 7,
	CONTROL_HAS_TERM = 1 << 8,
	CONTROL_HAS_TTY = 1 << 9,
	CONTROL_HAS_FLAGS = 1 << 10,
	CONTROL_HAS_VERSION = 1 << 11, /* version_min and version_max */
	CONTROL_HAS_SIZE = 1 << 12,    /* cols, rows, xpixel, ypixel */
	CONTROL_HAS_RELEASE = 1 << 13, /* "0.1.0", for messages to the user */
};

/* Bits of `flags` in HELLO. */
enum control_flag {
	CONTROL_FLAG_TTY = 1 << 0,      /* standard input is a terminal */
	CONTROL_FLAG_UTF8 = 1 << 1,     /* the terminal shows UTF-8 */
	CONTROL_FLAG_CONTROL = 1 << 2,  /* -C */
	CONTROL_FLAG_CONTROL2 = 1 << 3, /* -CC */
	CONTROL_FLAG_NOFORK = 1 << 4,
	/* This client has just started the server. */
	CONTROL_FLAG_START = 1 << 5,
	/*
	 * The client answers the end of a written file with OPENED and errno or
	 * 0.
	 */
	CONTROL_FLAG_WRITTEN = 1 << 6,
	/* The client offers its ssh agent (-A). */
	CONTROL_FLAG_AGENT = 1 << 7,
	/* A client without a view: its connection carries streams alone. */
	CONTROL_FLAG_STREAMS = 1 << 8,
	/* The client whose connection ROAM names has ended without a word. */
	CONTROL_FLAG_GONE = 1 << 9
};

/*
 * The word of such a client in ROAM: a server that does not know the flag
 * refuses it.
 */
#define CONTROL_STREAMS_WORD "streams-client"

/* Bits of `flags` in the COMMAND of an EXEC stream. */
enum control_exec {
	CONTROL_EXEC_TTY = 1,       /* on a terminal of TERM and SIZE */
	CONTROL_EXEC_SELF = 2,      /* rmux itself with these words */
	CONTROL_EXEC_SUBSYSTEM = 4, /* the word names one of sshd's */
	CONTROL_EXEC_AGENT = 8      /* the server's agent socket */
};

/* Bits of `code` in MODE. */
enum control_mode {
	CONTROL_MODE_WAIT_EXIT = 1 << 0 /* at the end, wait for an empty line */
};

/*
 * Exit code of a ROAM with an id: the server does not know that client in
 * control mode any more (EX_UNAVAILABLE of sysexits.h).
 */
#define CONTROL_EXIT_GONE 69

/* A string in place; not NUL-terminated. */
struct control_str {
	const char *p;
	size_t len;
};

/*
 * One message of any code. To encode, set fields and their bits in `has`; a
 * list is given as NULL-terminated arrays of C strings.
 *
 * OPEN: id names the stream, code 0 reads, 1 truncates and 2 appends, text is
 * the path ("-" is standard input or output); answered by OPENED with errno as
 * code; then DATA with that id either way; DATA without data, or CLOSE, ends
 * it.
 *
 * ROAM is COMMAND for a client on another machine. If the command attaches,
 * datagrams carry the client instead of this socket; ROAMED tells their port
 * (code), connection id (id) and key (data). With an id, ROAM asks to continue
 * that connection; ROAMED without data confirms it. Until the client is reached
 * directly, TUNNEL carries single sealed datagrams either way.
 *
 * On an EXEC stream (ssp/purpose.h) the client sends COMMAND (a list of one text
 * for the shell, or none for a login shell; term, size, env, flags), and later
 * SIGNAL with the signal's name as text ("WINCH" with a size); the server sends
 * ERR, and EXIT, with the name of the signal that ended the command, if one did.
 *
 * MODE answers a client with -C: it is in control mode, sends its standard
 * input as INPUT (without data: end of file) and gets lines as OUT.  After a
 * ROAM these messages, EXEC and EXIT go by a stream of the connection.
 */
struct control_msg {
	enum control_code type;
	uint32_t has; /* enum control_has */
	uint64_t id;
	int64_t code;
	uint64_t flags;
	uint32_t version_min;
	uint32_t version_max;
	uint16_t size[4]; /* cols, rows, xpixel, ypixel */
	struct control_str text;
	struct control_str cwd;
	struct control_str term;
	struct control_str tty;
	struct control_str release;
	const uint8_t *data;
	size_t data_len;

	/* To encode. */
	const char *const *argv;
	const char *const *env;

	/* Decoded: the packed elements; see control_list_next. */
	struct control_list {
		const uint8_t *p;
		const uint8_t *end;
		uint32_t count;
	} list, envlist;
};

/* Appends the message with its length to OUT; returns 0 or -ERR_LIMIT. */
int control_encode(const struct control_msg *m, struct buf *out);

/*
 * Shorthands for the most frequent messages: data, or a code with a text (may
 * be NULL).
 */
int control_put_data(struct buf *out, enum control_code type, uint64_t id,
    const void *p, size_t n);
int control_put_code(
    struct buf *out, enum control_code type, int64_t code, const char *text);

/*
 * Decodes the first message of P[0..n). *USED is its whole length, which the
 * caller drops after use. Returns 0; -ERR_AGAIN if it is incomplete (*used is
 * then 0); -ERR_PEER or -ERR_LIMIT. An unknown code gives CONTROL_NONE.
 */
int control_decode(
    const uint8_t *p, size_t n, struct control_msg *m, size_t *used);

/* Takes the next string of a decoded list; false at its end. */
bool control_list_next(struct control_list *l, struct control_str *s);

/* Copies a decoded string to a new C string (mem_free). */
char *control_str_new(struct control_str s);

/*
 * Copies a message for the user's terminal (mem_free): at most 1024 bytes,
 * without control characters.
 */
char *control_plain_new(struct control_str s);

/* Returns the name of a code for logs, "?" if unknown. */
const char *control_name(enum control_code code);

#endif
