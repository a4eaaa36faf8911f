/*
 * ssp/conn_int.h - internals of a connection, for ssp/conn*.c.
 *
 * Purpose:   conn.c is the facade and keeps the timers, conn_in.c reads
 *            datagrams, conn_out.c writes them, conn_path.c chooses the path,
 *            conn_copy.c sends small datagrams on a second one, too,
 *            conn_lane.c spreads bulk over both,
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
	CONN_LARGE = 64,          /* large datagrams recorded */
	CONN_ABORTS = 3,          /* times that an abort is sent */
	CONN_INIT_PADDED = 2,     /* padded INITs before small ones */
	CONN_INIT_FIRST = 300,    /* ms until the first repetition */
	CONN_INIT_EVEN = 8,       /* first INITs at equal intervals */
	CONN_INIT_MAX = 5000,     /* maximum ms between repetitions */
	CONN_RESP_GAP = 20,       /* minimum ms between repetitions */
	CONN_OVERLAP_MIN = 5000,  /* minimum ms that old keys are kept */
	CONN_OVERLAP_MAX = 60000, /* maximum ms that old keys are kept */
	CONN_FLOOD = 64,          /* large datagrams that make a flood, ... */
	CONN_FLOOD_GAP = 250,     /* ms apart at most */
	CONN_FLOOD_WAIT =
	    1000,              /* ms without any that its receiver asks about */
	CONN_LOST_MIN = 500,   /* minimum ms unanswered that mean silence */
	CONN_SLEPT = 10000,    /* ms without a call that mean suspend */
	CONN_ASK_FAST = 1000,  /* ms between challenges while silent */
	CONN_ASK_SLOW = 10000, /* the same after minutes of silence */
	CONN_BUSY = 100,       /* datagrams of an epoch that mean "in use" */
	CONN_SPARE_IDLE = 45000, /* ms between probes of a spare path, idle */
	CONN_REKEY_GAP = 5000,   /* ms between rekey requests of a server */
	CONN_KEM_PIECES = 3,     /* of either message */
	CONN_KEM_PIECE = 432,    /* bytes; they fit SSP_DGRAM_FLOOR */
	CONN_KEM_WAIT = 10000,   /* ms of payloads without ML-KEM */
	CONN_BULK = 1000,        /* ms after bulk in which more is likely */
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
	bool known; /* fate not known yet */
};

/* The second key exchange, until epoch 1. */
struct conn_kem {
	bool started;  /* our message is made */
	unsigned have; /* pieces of the peer's message */
	unsigned told; /* pieces of ours that the peer has */
	unsigned due;  /* frames to send */
	unsigned tries;
	mono_ms next;
	mono_ms sent_at;
	uint8_t key[SSP_KEM_KEY];   /* from the client */
	uint8_t text[SSP_KEM_TEXT]; /* from the server */
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
	bool can_send; /* SEND_EPOCH has keys */
	uint64_t send_epoch;
	mono_ms epoch_at;   /* start of SEND_EPOCH */
	uint64_t epoch_out; /* datagrams either way in it */
	bool ended;         /* SEND_EPOCH has: send and accept nothing */
	mono_ms rekey_tat;  /* budget of handshakes; see conn_rekey_free_at */
	bool confirm_due;   /* client: nothing sent yet with new keys */
	bool rekey_wanted;
	mono_ms rekey_at; /* server: last request */

	struct conn_kem *kem; /* NULL: none, or done */
	bool kem_settled;     /* HELLO has come */
	bool kem_agreed;      /* both ends have it */
	bool hybrid;          /* the chain needs ML-KEM */

	/* Numbers. */
	uint64_t pn_data;
	uint64_t pn_acked; /* highest DATA number acknowledged */
	uint64_t pn_probe;
	struct ssp_replay seen_data;
	struct ssp_replay seen_probe;

	/* Client: repetition of INIT. */
	mono_ms init_at; /* due; MONO_NEVER: none */
	mono_ms init_sent_at;
	unsigned init_tries;
	unsigned init_mask; /* paths of this round still to send to */

	/* Server: RESP to send. */
	bool resp_due;
	bool resp_again;   /* repeat the last one */
	bool resp_single;  /* sent to RESP_FIRST only */
	size_t resp_limit; /* bytes allowed for the INIT received */
	mono_ms resp_sent_at;
	struct ssp_path_addr resp_to;
	struct ssp_path_addr resp_first;

	/* Paths. */
	struct ssp_paths paths;
	size_t told_mtu; /* last set_mtu */
	bool told_stream;
	bool blocked;    /* not enough credit for a payload */
	mono_ms turn_at; /* last call of input or output */
	mono_ms woke_at; /* datagrams sent before give no sample */
	mono_ms heard_at;
	mono_ms unanswered; /* first unanswered datagram since, or 0 */
	bool silent;
	unsigned flood;   /* client: large datagrams without a gap */
	mono_ms flood_at; /* the newest of them */
	mono_ms switched_at;
	mono_ms hop_at;
	struct conn_large large[CONN_LARGE];
	unsigned large_next;

	/* The second path. */
	enum ssp_paths_use use;     /* client: as its user chose */
	bool roles;                 /* client: the peer must be told */
	int second;                 /* client: its index, or -1 */
	unsigned named;             /* server: bit I, path I once had a role */
	struct conn_copies *copies; /* NULL: there never was one */
	mono_ms data_at;            /* last payload sent */
	int lane;                   /* the second path that takes bulk, or -1 */
	mono_ms bulk_until;         /* until then, bulk by both is likely */

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

/* Records that epoch NUMBER has keys: accepts its datagrams. */
void conn_epoch_made(struct ssp_conn *c, uint64_t number);

/* Sends with the keys of epoch NUMBER from now on. */
void conn_epoch_use(struct ssp_conn *c, mono_ms now, uint64_t number);

/*
 * Notices the end of the keys in use, by count or time.  A new handshake is
 * still possible then, because it needs none of them.
 */
void conn_epoch_end(struct ssp_conn *c, mono_ms now);

/*
 * The budget of handshakes after the first: when the next one is allowed; one
 * is made.
 */
mono_ms conn_rekey_free_at(const struct ssp_conn *c);
void conn_rekey_spend(struct ssp_conn *c, mono_ms now);

/* The peer uses epoch NUMBER: older keys expire. */
void conn_epoch_seen(struct ssp_conn *c, mono_ms now, uint64_t number);

/* conn_in.c */
int conn_input(struct ssp_conn *c, mono_ms now,
    const struct ssp_path_addr *from, unsigned ecn, uint8_t *p, size_t len);

/* conn_out.c */
size_t conn_output(struct ssp_conn *c, mono_ms now, struct ssp_path_addr *to,
    uint8_t *out, size_t cap);

/* conn_kem.c */
void conn_kem_init(struct ssp_conn *c);
void conn_kem_end(struct ssp_conn *c);

/* After HELLO: false if one end insists and the other lacks it. */
bool conn_kem_agree(struct ssp_conn *c);

/* Both ends have it, and our sending keys do not need it yet. */
bool conn_kem_pending(const struct ssp_conn *c);

/* Payloads must wait for it. */
bool conn_kem_holds(const struct ssp_conn *c, mono_ms now);

int conn_kem_frame(struct ssp_conn *c, mono_ms now, const struct ssp_frame *f);
mono_ms conn_kem_deadline(const struct ssp_conn *c);

/* A frame is due; writes it. */
bool conn_kem_due(struct ssp_conn *c, mono_ms now);
bool conn_kem_put(struct ssp_conn *c, mono_ms now, struct wr *w);

/* conn_path.c */

/*
 * Returns the index of the path FROM, a new one if needed; -1 if the table is
 * full.
 */
int conn_path_get(
    struct ssp_conn *c, mono_ms now, const struct ssp_path_addr *from);

/* Makes path I active: payloads go there from now on. */
void conn_path_use(struct ssp_conn *c, mono_ms now, int i, uint64_t pn);

/* Passes a changed datagram size to the payload. */
void conn_path_room(struct ssp_conn *c, mono_ms now);

/* Records an authentic datagram from path I (-1: unknown). */
void conn_path_heard(struct ssp_conn *c, mono_ms now, int i, size_t len);

/* Detects silence; starts challenges, switches and drops paths, hops ports. */
void conn_path_tick(struct ssp_conn *c, mono_ms now);

mono_ms conn_path_deadline(const struct ssp_conn *c, mono_ms now);

/*
 * Returns whether path I, the active one or the second that takes bulk, may be
 * probed for its MTU now.
 */
bool conn_path_probing(const struct ssp_conn *c, int i);

/* Returns the largest UDP payload for path I now; 0 if not allowed. */
size_t conn_path_limit(const struct ssp_conn *c, int i);

/* conn_copy.c */

#define CONN_COPY_MAX SSP_DGRAM_FLOOR /* bytes; they fit any path */

/* Returns the index of the second path, or -1. */
int conn_copy_second(const struct ssp_conn *c);

/* Returns what it, I, is used for. */
enum ssp_paths_use conn_copy_use(const struct ssp_conn *c, int i);

/*
 * Returns the body of ROLE for path I: what copies go there (enum
 * ssp_paths_use), or CONN_ROLE_FIRST.
 */
#define CONN_ROLE_FIRST 3
uint8_t conn_copy_role(const struct ssp_conn *c, int i);

/* Records datagram PN, sent on the active path, for a copy now or later. */
void conn_copy_sent(struct ssp_conn *c, mono_ms now, uint64_t pn,
    const uint8_t *bytes, size_t len);

/* Writes a copy that is due; when the next one is. */
size_t conn_copy_output(struct ssp_conn *c, mono_ms now,
    struct ssp_path_addr *to, uint8_t *out, size_t cap);
mono_ms conn_copy_deadline(const struct ssp_conn *c);

void conn_copy_fate(struct ssp_conn *c, mono_ms now, uint64_t pn, bool acked);

/* Returns whether PN, seen before, may be the other one of a pair. */
bool conn_copy_expected(const struct ssp_conn *c, int i, uint64_t pn);

/*
 * An authentic payload came by path I, in a datagram of LEN bytes; FIRST: the
 * other one has not come.
 */
void conn_copy_heard(
    struct ssp_conn *c, mono_ms now, int i, size_t len, bool first);

/* A client chooses its second path, or takes it for the first. */
void conn_copy_tick(struct ssp_conn *c, mono_ms now);
void conn_copy_end(struct ssp_conn *c);

/* conn_lane.c */

/* Opens or shuts the second path for bulk, as roles and paths have changed. */
void conn_lane_tick(struct ssp_conn *c, mono_ms now);
void conn_lane_shut(struct ssp_conn *c, mono_ms now);

/* Path I is about to be the first: true if the payload's two exchange. */
bool conn_lane_swap(struct ssp_conn *c, mono_ms now, int i);

/* Bulk went or came while both paths carry it: more will follow. */
static inline void
conn_lane_bulk(struct ssp_conn *c, mono_ms now)
{
	c->bulk_until = now + CONN_BULK;
}

#endif
