/*
 * ssp/conn_int.h - the inside of a connection, for ssp/conn*.c only.
 *
 * Purpose:   conn.c is the facade and keeps the timers, conn_in.c reads
 *            datagrams, conn_out.c writes them, conn_path.c chooses the path,
 *            conn_state.c keeps events and epochs for all of them.
 * Tests:     those of ssp/conn.h
 */
#ifndef SSP_CONN_INT_H
#define SSP_CONN_INT_H

#include "base/wire.h"
#include "ssp/conn.h"
#include "ssp/frame.h"
#include "ssp/replay.h"

enum {
	CONN_EVENTS = 16,
	CONN_LARGE = 64,          /* large datagrams remembered */
	CONN_ABORTS = 3,          /* times an abort is told */
	CONN_INIT_PADDED = 2,     /* INITs of full size before small ones */
	CONN_INIT_FIRST = 300,    /* ms until the first repetition */
	CONN_INIT_EVEN = 8,       /* first INITs, without a longer wait each */
	CONN_INIT_MAX = 5000,     /* ms between repetitions at most */
	CONN_RESP_GAP = 20,       /* ms between repetitions at least */
	CONN_OVERLAP_MIN = 5000,  /* ms that the keys before are kept */
	CONN_OVERLAP_MAX = 60000, /* the same, at most */
	CONN_LOST_MIN = 500,      /* ms unanswered that mean silence */
	CONN_SLEPT = 10000,       /* ms without a turn that mean sleep */
	CONN_ASK_FAST = 1000,     /* ms between challenges while silent */
	CONN_ASK_SLOW = 10000,    /* the same after minutes of it */
	CONN_BUSY = 100,          /* datagrams an epoch that mean "in use" */
	CONN_REKEY_GAP = 5000,    /* ms between requests of a server */
};

/* Keys of one epoch, in slot epoch modulo 4. */
struct conn_epoch {
	bool held;
	uint64_t number;
	mono_ms expires; /* MONO_NEVER: in use */
};

struct conn_large {
	uint64_t pn;
	uint16_t size;
	int8_t path;
	bool known; /* not yet judged */
};

struct ssp_conn {
	struct ssp_conn_cfg cfg;
	bool client;
	enum ssp_conn_state state;
	struct ssp_secrets *sec; /* NULL: plain */
	struct ssp_hs hs;

	/* Agreed in the hello. */
	uint8_t version;
	uint8_t peer_hi;
	uint64_t peer_caps;
	bool hello_sent; /* plain only */

	/* Keys. */
	struct conn_epoch epochs[SSP_EPOCH_SLOTS];
	bool can_send; /* epoch SEND_EPOCH has keys */
	uint64_t send_epoch;
	mono_ms epoch_at;   /* when it began */
	uint64_t epoch_out; /* datagrams either way under it */
	bool confirm_due;   /* client: nothing sent yet under new keys */
	bool rekey_wanted;
	mono_ms rekey_at; /* server: last request */

	/* Numbers. */
	uint64_t pn_data;
	uint64_t pn_acked; /* the highest DATA known to have arrived */
	uint64_t pn_probe;
	struct ssp_replay seen_data;
	struct ssp_replay seen_probe;

	/* Client: repetition of INIT. */
	mono_ms init_at; /* due; MONO_NEVER: none */
	mono_ms init_sent_at;
	unsigned init_tries;
	unsigned init_mask; /* paths of this round not yet served */

	/* Server: RESP to send. */
	bool resp_due;
	bool resp_again;   /* as a repetition */
	bool resp_single;  /* only ever sent to RESP_FIRST */
	size_t resp_limit; /* bytes that may go there for the INIT read */
	mono_ms resp_sent_at;
	struct ssp_path_addr resp_to;
	struct ssp_path_addr resp_first;

	/* Paths. */
	struct ssp_paths paths;
	size_t told_mtu; /* what the payload knows */
	bool told_stream;
	bool blocked;    /* not enough credit for a payload */
	mono_ms turn_at; /* the last time that anything was done */
	mono_ms woke_at; /* what was sent before gives no round trip */
	mono_ms heard_at;
	mono_ms unanswered; /* first datagram sent since, that asked; 0 */
	bool silent;
	mono_ms switched_at;
	mono_ms hop_at;
	struct conn_large large[CONN_LARGE];
	unsigned large_next;

	/* Abort. */
	uint64_t abort_code;
	unsigned aborts_left;
	mono_ms abort_at;

	struct ssp_conn_event events[CONN_EVENTS];
	unsigned ev_first;
	unsigned ev_count;
	struct ssp_conn_stats st;
};

/* conn_state.c */
void conn_event(struct ssp_conn *c, enum ssp_conn_event_type type,
    uint64_t code, const struct ssp_path_addr *addr);
void conn_trace(const struct ssp_conn *c, mono_ms now, enum ssp_trace_kind kind,
    int64_t a, int64_t b, int64_t v);
void conn_random(const struct ssp_conn *c, void *out, size_t n);
void conn_up(struct ssp_conn *c);
mono_ms conn_rto(const struct ssp_conn *c);

/* The keys of epoch NUMBER exist: accept datagrams of it. */
void conn_epoch_made(struct ssp_conn *c, uint64_t number);

/* Sends with the keys of epoch NUMBER from now on. */
void conn_epoch_use(struct ssp_conn *c, mono_ms now, uint64_t number);

/* The peer uses NUMBER: older keys run out. */
void conn_epoch_seen(struct ssp_conn *c, mono_ms now, uint64_t number);

/* conn_in.c */
int conn_input(struct ssp_conn *c, mono_ms now,
    const struct ssp_path_addr *from, unsigned ecn, uint8_t *p, size_t len);

/* conn_out.c */
size_t conn_output(struct ssp_conn *c, mono_ms now, struct ssp_path_addr *to,
    uint8_t *out, size_t cap);

/* conn_path.c */

/* Index of the path FROM, made if it is new; -1 if there is no room. */
int conn_path_get(
    struct ssp_conn *c, mono_ms now, const struct ssp_path_addr *from);

/* Sends payloads to path I from now on. */
void conn_path_use(struct ssp_conn *c, mono_ms now, int i, uint64_t pn);

/* Tells the payload the room in a datagram, if it changed. */
void conn_path_room(struct ssp_conn *c, mono_ms now);

/* An authentic datagram came from path I (-1: unknown). */
void conn_path_heard(struct ssp_conn *c, mono_ms now, int i, size_t len);

/* Judges silence; starts challenges, switches, drops, hops. */
void conn_path_tick(struct ssp_conn *c, mono_ms now);

mono_ms conn_path_deadline(const struct ssp_conn *c, mono_ms now);

/* Datagram size may be probed on the active path now. */
bool conn_path_probing(const struct ssp_conn *c);

/* Largest UDP payload for path I now, 0 if it may not be used. */
size_t conn_path_limit(const struct ssp_conn *c, int i);

#endif
