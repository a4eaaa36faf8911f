/*
 * ssp/conn.h - one connection: datagrams in, datagrams out, deadlines.
 *
 * Purpose:   the facade of the datagram half of SSP: handshake and keys,
 *            sealing, replay window, paths, path MTU.  It carries a payload
 *            (ssp/payload.h), usually of an ssp_transport.
 * Ownership: the caller owns the connection and everything that its config
 *            points to, which must outlive it.  Secrets are in the keyring.
 * Units:     milliseconds; bytes of UDP payload.
 * Errors:    ssp_conn_input returns why a datagram was dropped (-ERR_*); enum
 *            ssp_drop counts them.  Dropped datagrams are never answered.
 * Source:    doc/PROTOCOL.md.
 * Tests:     regress/unit/check_ssp_conn.c, check_ssp_security.c,
 *            check_ssp_roam.c, check_ssp_copy.c
 *
 * A driver repeats: call ssp_conn_input for each datagram received (the
 * connection id of ssp_dgram_parse finds the connection); call ssp_conn_output
 * until it returns 0; drain ssp_conn_event; sleep until ssp_conn_deadline.
 */
#ifndef SSP_CONN_H
#define SSP_CONN_H

#include "ssp/datagram.h"
#include "ssp/handshake.h"
#include "ssp/path.h"
#include "ssp/payload.h"
#include "ssp/trace.h"
#include "ssp/words.h"

struct ssp_conn;

/* Fills N bytes at OUT with cryptographic randomness. */
typedef void (*ssp_random_fn)(void *arg, void *out, size_t n);

/* Why a datagram was dropped. */
enum ssp_drop {
	SSP_DROP_HEADER,    /* too short, too long, another wire version */
	SSP_DROP_CID,       /* of another connection */
	SSP_DROP_KEYS,      /* no keys of its epoch */
	SSP_DROP_REPLAY,    /* number seen before, or too old to know */
	SSP_DROP_AUTH,      /* tag or keyed hash wrong */
	SSP_DROP_STATE,     /* authentic, but unexpected */
	SSP_DROP_MALFORMED, /* authentic, but its frames do not parse */
	SSP_DROP_ENDED,     /* of keys past their end */
	SSP_DROP_LIMIT,     /* too many handshakes */
	SSP_DROP_COUNT
};

enum ssp_conn_state {
	SSP_CONN_OPENING, /* the handshake is running */
	SSP_CONN_UP,
	SSP_CONN_CLOSED, /* aborted by either side */
	SSP_CONN_FAILED, /* no common version or key exchange */
};

/* Events for the driver. */
enum ssp_conn_event_type {
	SSP_CONN_EV_UP,         /* keys agreed and confirmed */
	SSP_CONN_EV_SILENT,     /* no answer for too long */
	SSP_CONN_EV_HEARD,      /* the peer answers again */
	SSP_CONN_EV_NEW_SOCKET, /* open a socket, pass it to _path_add */
	SSP_CONN_EV_ACTIVE,     /* payloads now go to ADDR */
	SSP_CONN_EV_DROPPED,    /* ADDR is unused now: close its socket */
	SSP_CONN_EV_CLOSED,     /* the peer aborted; CODE says why */
	SSP_CONN_EV_FAILED,     /* no common version; CODE: its highest; 0: one
				   end insists on ML-KEM, the other lacks it */
};

struct ssp_conn_event {
	enum ssp_conn_event_type type;
	uint64_t code;
	struct ssp_path_addr addr;
};

/* Capability bits of HELLO. */
enum ssp_cap {
	SSP_CAP_MLKEM = 1,       /* has ML-KEM-768 */
	SSP_CAP_MLKEM_ONLY = 2,  /* sends no payload without it */
	SSP_CAP_STREAM = 4,      /* reads frames of reliable streams */
	SSP_CAP_TRAIL = 8,       /* reads instructions with a trail */
	SSP_CAP_STREAMS = 16,    /* reads OPEN, END and RESET of streams */
	SSP_CAP_PAGES = 32,      /* reads instructions with the whole past */
	SSP_CAP_PACE = 64,       /* reads PACE; forecasts for Sprout */
	SSP_CAP_PATHS = 128,     /* reads ROLE; copies on a second path */
	SSP_CAP_AGGREGATE = 256, /* reads ROLE 4; acks what comes late */
};

struct ssp_conn_cfg {
	/*
	 * A trusted stream (Unix socket): no sealing, keys, padding or paths.
	 * Ignores cid, psk and keyring.
	 */
	bool plain;

	uint64_t cid;                /* random, known to both ends */
	const uint8_t *psk;          /* SSP_KEY_LEN bytes; copied, wipe yours */
	struct ssp_keyring *keyring; /* slots of SSP_SECRETS_LEN */

	struct ssp_payload payload;
	ssp_random_fn random;
	void *random_arg;

	uint8_t version_lo; /* our protocol versions; 0: 1..1 */
	uint8_t version_hi;
	uint64_t caps; /* enum ssp_cap, sent to the peer */

	/* The second key exchange; NULL: none.  Sets SSP_CAP_MLKEM. */
	const struct ssp_kem *kem;

	size_t pad;     /* see ssp_dgram_padded */
	size_t mtu_max; /* maximum UDP payload ever tried */

	uint64_t rekey_packets; /* datagrams until new keys */
	mono_ms rekey_ms;       /* ms until new keys, in use */
	mono_ms rekey_idle_ms;  /* ms until new keys, idle */
	mono_ms rekey_gap_ms;   /* ms between handshakes, on average */
	unsigned rekey_burst;   /* handshakes at once */
	uint64_t end_packets;   /* datagrams, then the keys are dead */
	mono_ms end_ms;         /* ms, then the keys are dead */
	mono_ms silent_ms;      /* client: ms without datagrams, silence */
	mono_ms hop_ms;         /* ms of silence before a new socket */

	struct ssp_trace trace;
};

#define SSP_SECRETS_LEN sizeof(struct ssp_secrets)
#define SSP_CONN_VERSION 1 /* our newest protocol version */

/* Sets defaults; the caller sets the first two groups. */
void ssp_conn_cfg_init(struct ssp_conn_cfg *cfg);

/*
 * Makes a client's connection; add at least one path before the first output.
 * Returns: 0, or -ERR_LIMIT when the keyring is full.
 */
int ssp_conn_client_new(const struct ssp_conn_cfg *cfg, mono_ms now,
    struct ssp_conn **out) WARN_UNUSED;

/* Makes a server's connection, which waits for the client with cid and psk. */
int ssp_conn_server_accept(const struct ssp_conn_cfg *cfg, mono_ms now,
    struct ssp_conn **out) WARN_UNUSED;

/*
 * Returns the psk as long as no handshake has used it, else NULL.  It is in the
 * keyring: do not keep the pointer.
 */
const uint8_t *ssp_conn_psk(const struct ssp_conn *c);

/* Frees C (may be NULL) and wipes its secrets. */
void ssp_conn_free(struct ssp_conn *c);

/*
 * Processes one datagram of LEN bytes (opened in place), or one record of a
 * stream.
 * In:      from  addr.local received it, addr.remote sent it
 *          ecn   the two ECN bits of the IP header, 0 if unknown
 * Returns: 0, or why it was dropped (then it is never answered).
 */
int ssp_conn_input(struct ssp_conn *c, mono_ms now,
    const struct ssp_path_addr *from, unsigned ecn, uint8_t *p, size_t len);

/*
 * Writes the next datagram to send, at most CAP bytes, and its destination.
 * Returns: its length; 0 if there is nothing to send now.
 */
size_t ssp_conn_output(struct ssp_conn *c, mono_ms now,
    struct ssp_path_addr *to, uint8_t *out, size_t cap);

/* Returns when to call ssp_conn_output next, at the latest. */
mono_ms ssp_conn_deadline(struct ssp_conn *c, mono_ms now);

/* Takes the next event; false when there is none. */
bool ssp_conn_event(struct ssp_conn *c, struct ssp_conn_event *ev);

/*
 * Adds a path (a socket and the address of the peer); it is used when it is the
 * best.
 */
int ssp_conn_path_add(
    struct ssp_conn *c, mono_ms now, const struct ssp_path_addr *addr);

/* The socket of a path is closed. */
void ssp_conn_path_remove(
    struct ssp_conn *c, mono_ms now, const struct ssp_path_addr *addr);

/*
 * A client's choice.  The second path is the nearest valid one of another group
 * than the best one's; a peer without SSP_CAP_PATHS gets no copies, one without
 * SSP_CAP_AGGREGATE what SSP_PATHS_STANDBY gives.
 */
void ssp_conn_paths(struct ssp_conn *c, mono_ms now, enum ssp_paths_use use);

/* Puts the path ADDR into GROUP, a network interface; 0: any, as at first. */
void ssp_conn_path_group(
    struct ssp_conn *c, const struct ssp_path_addr *addr, unsigned group);

/* Routes or addresses changed, or the machine woke: check the paths now. */
void ssp_conn_network_changed(struct ssp_conn *c, mono_ms now);

/* The system refused a datagram of SIZE bytes to ADDR as too long. */
void ssp_conn_refused(struct ssp_conn *c, mono_ms now,
    const struct ssp_path_addr *addr, size_t size);

/*
 * The fate of datagram PN: struct ssp_transport_cfg.on_packet, with the
 * connection as its argument.
 */
void ssp_conn_packet_fate(void *conn, mono_ms now, uint64_t pn, bool acked);

/* Starts a rekey; a server asks its client for it. */
void ssp_conn_rekey(struct ssp_conn *c);

/*
 * Aborts the connection (the orderly shutdown is that of the transport): sends
 * CODE to the peer a few times; nothing else is sent or accepted.
 */
void ssp_conn_abort(struct ssp_conn *c, mono_ms now, uint64_t code);

struct ssp_conn_stats {
	enum ssp_conn_state state;
	uint8_t version; /* agreed; 0: not yet */
	uint64_t peer_caps;
	uint64_t epoch; /* epoch of our sending keys */
	bool hybrid;    /* these keys need ML-KEM as well */
	int paths;
	struct ssp_path_addr active; /* zero without an active path */
	mono_ms srtt;                /* of the active path; 0: unknown */
	size_t mtu;                  /* of the active path */
	unsigned group;              /* of the active path */
	unsigned second;             /* group of the second path */
	bool has_second;
	mono_ms second_srtt; /* 0: unknown */
	/* Authentic bytes by the active path and the second. */
	uint64_t active_in, active_out, second_in, second_out;
	bool silent;
	mono_ms heard_at; /* last authentic datagram; 0: never */
	uint64_t out, out_bytes, in, in_bytes; /* datagrams, UDP payload */
	uint64_t padding;                      /* bytes sent as padding */
	uint64_t drops[SSP_DROP_COUNT];
	uint64_t handshakes, moves, hops, mtu_probes;
	uint64_t copies; /* datagrams sent once more on a second path */
	uint8_t words[SSP_WORDS_LEN]; /* of the first handshake */
};

void ssp_conn_stats(const struct ssp_conn *c, struct ssp_conn_stats *st);

#endif
