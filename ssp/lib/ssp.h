/*
 * ssp.h - the state synchronisation protocol of rmux, for any program.
 *
 * Purpose:   keeps one value of each end equal at the other end, over datagrams
 *            that may be lost, repeated, late, or come from a new address; with
 *            reliable streams of bytes beside them.  Everything is encrypted
 *            and authenticated with keys from a secret that both ends have.
 * Ownership: a connection belongs to its caller.  The values that the caller
 *            passes to ssp_new belong to the connection from then on.
 * Units:     milliseconds of a monotonic clock with any zero; bytes.
 * Errors:    0, or a negative number of enum ssp_error.  A lack of memory ends
 *            the program (abort).
 * Source:    doc/PROTOCOL.md; ssp(3) describes every function.
 * Tests:     regress/unit/check_ssp_lib.c, regress/e2e/libssp.sh,
 *            regress/fuzz/fuzz_ssp_lib.c
 *
 * Nothing in the first part reads a clock or uses a socket.  A program repeats:
 * pass each datagram to ssp_receive; take ssp_event until there is none; change
 * the local value; call ssp_send until it returns 0; sleep until ssp_deadline.
 * The second part (ssp_udp_) does that over UDP.
 *
 * Threads: a connection, and a socket with all its connections, belong to one
 * thread at a time.
 */
#ifndef SSP_H
#define SSP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__) && !defined(_WIN32)
# define SSP_API __attribute__((visibility("default")))
#else
# define SSP_API
#endif

#define SSP_VERSION_MAJOR 1
#define SSP_VERSION_MINOR 0
#define SSP_VERSION_PATCH 0
#define SSP_VERSION "1.0.0"

#define SSP_SECRET_SIZE 32        /* bytes of a secret */
#define SSP_SECRET_TEXT_SIZE 49   /* of its text, with the NUL */
#define SSP_NAME_MAX 255          /* bytes of the name of a connection */
#define SSP_ADDRESS_MAX 28        /* bytes of an address */
#define SSP_DATAGRAM_MAX 1472     /* bytes of a datagram */
#define SSP_WHAT_MAX 2048         /* bytes that say what a stream is for */
#define SSP_VALUE_PART_MAX 524288 /* bytes of a part; see part */
#define SSP_NEVER UINT64_MAX      /* a time that does not come */
#define SSP_NO_STREAM UINT64_MAX  /* no stream */

/* Returns SSP_VERSION of the library that runs. */
SSP_API const char *ssp_version(void);

enum ssp_error {
	SSP_E_PEER = -1,     /* malformed data from the other end */
	SSP_E_AUTH = -2,     /* not made with the secret */
	SSP_E_REPLAY = -3,   /* a datagram seen before */
	SSP_E_VERSION = -4,  /* another version of the protocol */
	SSP_E_STATE = -5,    /* not possible now */
	SSP_E_LIMIT = -6,    /* too long, or too many */
	SSP_E_ARGUMENT = -7, /* an argument that makes no sense */
	SSP_E_SYSTEM = -8,   /* the system refused; errno says why */
	SSP_E_NOTFOUND = -9, /* no such stream or connection */
	SSP_E_ENDED = -10,   /* the peer has sent all bytes of the stream */
	SSP_E_RESET = -11    /* the peer has given the stream up */
};

/* Returns the text of an error; never NULL. */
SSP_API const char *ssp_strerror(int error);

/* Values. */

/* Where diff and save write. */
struct ssp_out;

/* Appends N bytes; returns 0, or SSP_E_LIMIT: give up with that. */
SSP_API int ssp_put(struct ssp_out *out, const void *bytes, size_t n);

/*
 * What can be done with the values of one kind.  Both ends have the same table
 * for a value.  The functions must not call the connection.
 */
struct ssp_object {
	size_t size; /* sizeof(struct ssp_object) */

	/*
	 * Make an equal value that changes independently, release one, and
	 * compare.  A connection holds up to some dozens of values: cloning
	 * should be cheap.
	 */
	void *(*clone)(const void *value);
	void (*free)(void *value);
	bool (*equal)(const void *a, const void *b);

	/*
	 * Appends the difference between two values; nothing if they are equal.
	 * The same values give the same bytes.  Returns 0, or the error of
	 * ssp_put.
	 */
	int (*diff)(const void *from, const void *to, struct ssp_out *out);

	/*
	 * Changes a value that equals FROM of diff into TO.  Security: the bytes
	 * come from the peer.  Returns 0; else the value is unchanged, and the
	 * update counts as lost.
	 */
	int (*apply)(void *value, const uint8_t *diff, size_t n);

	/* The rest may be NULL. */

	/*
	 * Makes a value between FROM (NULL: nothing) and TO, for a TO that
	 * differs in more than SSP_VALUE_PART_MAX bytes.  It differs from FROM
	 * by less than that; repeated calls reach TO.  TURN differs from call to
	 * call.
	 */
	void *(*part)(const void *from, const void *to, uint64_t turn);

	/* Drops from VALUE what the earlier value PREFIX has, for a growing log. */
	void (*subtract)(void *value, const void *prefix);

	/*
	 * Write a value whole, the same bytes for equal values, and replace one.
	 * With them a newcomer needs no history.  Set both or none.
	 */
	int (*save)(const void *value, struct ssp_out *out);
	int (*load)(void *value, const uint8_t *bytes, size_t n);

	/* Returns the bytes of memory that VALUE does not share with BASE. */
	size_t (*own)(const void *value, const void *base);

	size_t save_max; /* bytes of save at most; 0: no save */
	size_t diff_max; /* bytes of diff at most; 0: the protocol's 1 MB */
};

/* Connections. */

struct ssp;

/* An address as bytes that the library compares and returns. */
struct ssp_address {
	uint8_t size; /* 0: none */
	uint8_t host; /* the first HOST bytes name the host, the rest a port */
	uint8_t bytes[SSP_ADDRESS_MAX];
};

/* The way of a datagram, as its receiver or sender sees it. */
struct ssp_route {
	struct ssp_address local; /* the socket here; may be none */
	struct ssp_address remote;
};

struct ssp_config {
	size_t size; /* set by ssp_config_init */
	bool server; /* waits for the other end, which is a client */

	/*
	 * SSP_SECRET_SIZE random bytes that only the two ends know; ssp_new
	 * copies them.  No two connections may have the same secret, id and
	 * name.
	 */
	const uint8_t *secret;

	/*
	 * The number of the connection, visible in its datagrams; the same at
	 * both ends.  0: made of secret and name.
	 */
	uint64_t id;

	/* Part of the keys: ends with other names do not connect. */
	const void *name;
	size_t name_size; /* SSP_NAME_MAX at most */

	/* The value of this end, and the start of the peer's; both are taken. */
	const struct ssp_object *local_object;
	void *local;
	const struct ssp_object *remote_object;
	void *remote;

	/* Writes N random bytes; NULL: those of libsodium. */
	void (*random)(void *arg, void *out, size_t n);
	void *random_arg;

	/* Bytes of kept states of the peer (own); 0: no limit but their number. */
	size_t remote_max;

	/* Milliseconds of silence until SSP_EVENT_SILENT (client); 0: 10,000. */
	uint64_t silent;
};

/* Sets defaults; SIZE is sizeof(struct ssp_config). */
SSP_API void ssp_config_init(struct ssp_config *config, size_t size);

/*
 * Makes one end of a connection.  A client then adds a route.
 * Returns 0; an error leaves the values with the caller.
 */
SSP_API int ssp_new(
    struct ssp **out, const struct ssp_config *config, uint64_t now);

/*
 * Frees it with all its values, and wipes its keys; its socket (ssp_udp_)
 * carries it no longer.  NULL is fine.
 */
SSP_API void ssp_free(struct ssp *s);

/* Adds a way to the peer, or says that one has gone. */
SSP_API int ssp_route_add(
    struct ssp *s, uint64_t now, const struct ssp_route *route);
SSP_API void ssp_route_remove(
    struct ssp *s, uint64_t now, const struct ssp_route *route);

/* Networks changed, or the machine woke: look for the peer now. */
SSP_API void ssp_network_changed(struct ssp *s, uint64_t now);

/* The system refused to send SIZE bytes there: too long. */
SSP_API void ssp_refused(
    struct ssp *s, uint64_t now, const struct ssp_route *route, size_t size);

/*
 * Processes a datagram.  ECN: the two bits of the IP header, 0 if unknown.
 * Returns 0, or why it was dropped, which is no reason to do anything.
 */
SSP_API int ssp_receive(struct ssp *s, uint64_t now,
    const struct ssp_route *from, unsigned ecn, const void *bytes, size_t n);

/*
 * Writes the next datagram (SIZE should be SSP_DATAGRAM_MAX) and where to send
 * it.  Returns its bytes; 0: nothing to send now.
 */
SSP_API size_t ssp_send(
    struct ssp *s, uint64_t now, struct ssp_route *to, void *out, size_t size);

/* Returns when to call ssp_send next, at the latest. */
SSP_API uint64_t ssp_deadline(struct ssp *s, uint64_t now);

/* Returns the local value, to change; call ssp_changed afterwards. */
SSP_API void *ssp_local(struct ssp *s);
SSP_API void ssp_changed(struct ssp *s, uint64_t now);

/*
 * Returns the newest value of the peer, valid until the next ssp_receive, and
 * its number (NULL: not wanted).
 */
SSP_API const void *ssp_remote(const struct ssp *s, uint64_t *number);

/* What that value has is used: kept values may drop it (subtract). */
SSP_API void ssp_remote_used(struct ssp *s);

/* Returns whether the peer is known to have the local value and all streams. */
SSP_API bool ssp_synced(struct ssp *s, uint64_t now);

enum ssp_event_type {
	SSP_EVENT_UP = 1,     /* both ends have the same keys */
	SSP_EVENT_REMOTE,     /* NUMBER: of a new value of the peer */
	SSP_EVENT_STREAM,     /* NUMBER: a stream with something new */
	SSP_EVENT_SILENT,     /* the peer does not answer */
	SSP_EVENT_HEARD,      /* it answers again */
	SSP_EVENT_ROUTE,      /* datagrams go to ROUTE now */
	SSP_EVENT_NEW_SOCKET, /* silence on ROUTE: another socket may help */
	SSP_EVENT_ROUTE_GONE, /* ROUTE is not used any more */
	SSP_EVENT_CLOSED,     /* NUMBER 1: the peer did not confirm, else 0 */
	SSP_EVENT_ABORTED,    /* NUMBER: the peer's code */
	SSP_EVENT_FAILED      /* no common version of the protocol */
};

struct ssp_event {
	enum ssp_event_type type;
	uint64_t number;
	struct ssp_route route;
};

/* Takes the next event; false: there is none. */
SSP_API bool ssp_event(struct ssp *s, struct ssp_event *event);

enum ssp_state {
	SSP_STATE_OPENING,
	SSP_STATE_UP,
	SSP_STATE_CLOSING, /* an end has closed: go on, so that the other knows */
	SSP_STATE_ENDED    /* nothing more will come: free it */
};

SSP_API enum ssp_state ssp_state(const struct ssp *s);

/* Ends the connection when the peer has the local value and all streams. */
SSP_API void ssp_close(struct ssp *s, uint64_t now);

/* Ends it at once; CODE is for the peer's program. */
SSP_API void ssp_abort(struct ssp *s, uint64_t now, uint64_t code);

struct ssp_stats {
	uint64_t rtt;      /* smoothed round-trip time, ms; 0: unknown */
	uint64_t loss;     /* of our datagrams, per 10,000 */
	uint64_t heard;    /* time of the last authentic datagram; 0: never */
	uint64_t datagram; /* bytes that the path carries in one */
	uint64_t sent, sent_bytes;
	uint64_t received, received_bytes;
	uint64_t dropped;       /* datagrams that ssp_receive refused */
	uint64_t values_sent;   /* versions of the local value */
	uint64_t values_acked;  /* number of the newest that the peer has */
	uint64_t values_failed; /* changes too large to send; see part */
	uint64_t moves;         /* changes of the route */
};

/* SIZE is sizeof(struct ssp_stats). */
SSP_API void ssp_stats(
    struct ssp *s, uint64_t now, struct ssp_stats *stats, size_t size);

/* Secrets and servers. */

/* Makes a secret, and a number for a connection (never 0). */
SSP_API int ssp_secret_new(uint8_t secret[SSP_SECRET_SIZE]);
SSP_API int ssp_id_new(uint64_t *id);

/* The secret as letters, digits, - and _, with a checksum. */
SSP_API void ssp_secret_format(
    const uint8_t secret[SSP_SECRET_SIZE], char text[SSP_SECRET_TEXT_SIZE]);
SSP_API int ssp_secret_parse(const char *text, uint8_t secret[SSP_SECRET_SIZE]);

/* Returns the number of a connection. */
SSP_API uint64_t ssp_id(const struct ssp *s);

/*
 * Reads which connection a datagram is for; nothing proves that it is.
 * Returns 1 if it begins a connection, 0 for a later one, or an error; an id of
 * 0 is in datagrams to a client only.
 */
SSP_API int ssp_datagram_id(const void *bytes, size_t n, uint64_t *id);

/*
 * Returns whether a datagram begins a connection and was made with this secret
 * and name.  A copy of an old one passes, too.
 */
SSP_API bool ssp_datagram_opens(const void *bytes, size_t n,
    const uint8_t secret[SSP_SECRET_SIZE], const void *name, size_t name_size);

/* Streams of bytes. */

enum ssp_urgency {
	SSP_URGENCY_TALK, /* a person waits for each byte */
	SSP_URGENCY_FLOW,
	SSP_URGENCY_BULK
};

/*
 * Opens a stream; WHAT (SSP_WHAT_MAX bytes at most) tells the peer its purpose.
 * Returns its number, or SSP_NO_STREAM: not before SSP_EVENT_UP, or too many.
 */
SSP_API uint64_t ssp_stream_open(
    struct ssp *s, enum ssp_urgency urgency, const void *what, size_t n);

/* The peer may open streams; false at first. */
SSP_API void ssp_stream_accept(struct ssp *s, bool yes);

/* Returns the WHAT of a stream; NULL: there is no such stream. */
SSP_API const void *ssp_stream_what(
    const struct ssp *s, uint64_t stream, size_t *n);

/* Takes as many of N bytes as fit now, and returns how many. */
SSP_API size_t ssp_stream_send(
    struct ssp *s, uint64_t stream, const void *bytes, size_t n);

/*
 * Returns bytes received; 0: none now; SSP_E_ENDED, SSP_E_RESET or
 * SSP_E_NOTFOUND.
 */
SSP_API int64_t ssp_stream_receive(
    struct ssp *s, uint64_t now, uint64_t stream, void *out, size_t size);

/* Returns why the peer reset a stream, and its words (valid until ssp_receive). */
SSP_API uint64_t ssp_stream_why(
    const struct ssp *s, uint64_t stream, const char **text);

/* No more bytes will be sent; the other direction stays. */
SSP_API void ssp_stream_end(struct ssp *s, uint64_t stream);

/*
 * The caller is done with the stream: it ends in order if both directions have
 * ended, else as by ssp_stream_reset.
 */
SSP_API void ssp_stream_close(struct ssp *s, uint64_t stream);

/* Gives a stream up; code and text (may be NULL) are for the peer's program. */
SSP_API void ssp_stream_reset(
    struct ssp *s, uint64_t stream, uint64_t code, const char *text);

/* UDP: a socket, and the connections over it. */

struct ssp_udp;

/* Returns the time of the monotonic clock. */
SSP_API uint64_t ssp_udp_now(void);

/*
 * Opens a server's socket at a numeric address of this machine ("0.0.0.0" or
 * "::" for all) and a port (0: any).
 */
SSP_API int ssp_udp_serve(
    struct ssp_udp **out, const char *address, uint16_t port);

/* Opens a client's socket for S, which talks to ADDRESS (numeric) and PORT. */
SSP_API int ssp_udp_connect(
    struct ssp_udp **out, struct ssp *s, const char *address, uint16_t port);

/* Closes the sockets; the connections stay their caller's. */
SSP_API void ssp_udp_free(struct ssp_udp *u);

/* A server's socket carries S from now on, or no longer. */
SSP_API int ssp_udp_add(struct ssp_udp *u, struct ssp *s);
SSP_API void ssp_udp_remove(struct ssp_udp *u, struct ssp *s);

/*
 * A datagram begins an unknown connection with this secret and name (both are
 * copied): FN makes its end with that id and returns it, or NULL.  Security: a
 * recorded datagram can be repeated, so FN limits the ends that are not up.
 */
SSP_API int ssp_udp_accept(struct ssp_udp *u,
    const uint8_t secret[SSP_SECRET_SIZE], const void *name, size_t name_size,
    struct ssp *(*fn)(void *arg, uint64_t id), void *arg);

/* Returns the port, and the Ith descriptor (-1: no more), to poll for input. */
SSP_API uint16_t ssp_udp_port(const struct ssp_udp *u);
SSP_API int ssp_udp_fd(const struct ssp_udp *u, unsigned i);

/*
 * Sends what the connections have to send, waits until something comes or is
 * due, or MS have passed (-1: no limit), and receives.  Then take the events.
 */
SSP_API int ssp_udp_step(struct ssp_udp *u, int ms);

#ifdef __cplusplus
}
#endif

#endif
