/*
 * ssp/path.h - the network paths of a connection.
 *
 * Purpose:   a table of (local, remote) address pairs with the state of each
 *            path: validation, credit, round trip, path MTU, time of the last
 *            datagram.
 * Ownership: the connection embeds struct ssp_paths; nothing to free.
 * Units:     milliseconds, bytes.
 * Errors:    search functions return -1 if they find nothing.
 * Source:    RFC 9000 sections 8 and 9 for path validation and the limit of
 *            three bytes sent for each byte received; mosh for port hopping.
 * Tests:     regress/unit/check_ssp_path.c
 */
#ifndef SSP_PATH_H
#define SSP_PATH_H

#include "ssp/pmtu.h"
#include "ssp/timestamp.h"

enum {
	SSP_PATHS_MAX = 8,
	SSP_ADDR_MAX = 28,
	SSP_PATH_CREDIT = 3,         /* bytes out for one in, not validated */
	SSP_PATH_PORT_CREDIT = 4096, /* more if only the port is new */
	SSP_PATH_RTO_MIN = 50,       /* ms */
	SSP_PATH_RTO_MAX = 5000,     /* ms */
	SSP_PATH_RTO_FIRST = 1000,   /* ms, before any sample */
	SSP_PATH_DROP = 60000,       /* ms of silence while others work */
	SSP_PATH_TOKENS = 4,         /* pending responses of a path */
	SSP_PATH_PROBE_IDLE = 15000, /* ms between probes of spare paths */
};

/* Which paths carry payloads, beside the best one. */
enum ssp_paths_use {
	SSP_PATHS_SINGLE,    /* none */
	SSP_PATHS_STANDBY,   /* the second, for what is late or was lost */
	SSP_PATHS_DUPLICATE, /* the second, for copies of all that is small */
	SSP_PATHS_AGGREGATE = 4, /* as standby, and for bytes of streams */
};

enum ssp_addr_kind {
	SSP_ADDR_NONE,
	SSP_ADDR_UDP,    /* datagrams; lossy, spoofable */
	SSP_ADDR_STREAM, /* reliable stream, authenticated below */
};

/* An address as opaque bytes; SSP only compares them. */
struct ssp_addr {
	uint8_t kind; /* enum ssp_addr_kind */
	uint8_t len;
	uint8_t host; /* the first HOST bytes are the host, the rest the port */
	uint8_t bytes[SSP_ADDR_MAX];
};

struct ssp_path_addr {
	struct ssp_addr local; /* interface or socket; may be all zero */
	struct ssp_addr remote;
};

struct ssp_path {
	bool used;
	bool valid;  /* validated: the peer answers there */
	bool ours;   /* not learnt from a datagram */
	bool follow; /* send payloads there once valid */
	/* Paths of a group use one interface; 0: the system chooses it. */
	unsigned group;
	uint64_t next; /* highest DATA number that came there, and 1 */
	uint8_t role; /* for a server: enum ssp_paths_use, as the client says */
	struct ssp_path_addr addr;
	uint64_t in; /* authentic bytes received, 0..UINT64_MAX */
	uint64_t out;
	uint64_t known; /* credit of a host validated at another port */
	mono_ms added_at;
	mono_ms heard_at; /* last authentic datagram; 0: never */
	mono_ms srtt;     /* valid if RTT_KNOWN */
	mono_ms rttvar;
	bool rtt_known;
	struct ssp_stamp stamp;
	struct ssp_pmtu pmtu;

	/* Our challenge. */
	bool asking; /* challenge until answered */
	bool asked;  /* TOKEN awaits its response */
	uint8_t token[8];
	mono_ms ask_at;   /* time of the next challenge */
	mono_ms asked_at; /* MONO_NEVER: its response gives no sample */
	unsigned asks;    /* unanswered challenges in a row */

	/* The large probe of an MTU round. */
	bool mtu_asked;
	bool mtu_small;  /* the small probe is still to be sent */
	size_t mtu_size; /* of the last large probe */
	uint8_t mtu_token[8];
	uint8_t small_token[8];

	/* Challenges of the peer that await a response. */
	uint8_t owed[SSP_PATH_TOKENS][8];
	unsigned owed_count;
};

struct ssp_paths {
	struct ssp_path p[SSP_PATHS_MAX];
	int active; /* index of the path for payloads, or -1 */
	int count;
};

void ssp_paths_init(struct ssp_paths *ps);

/* Makes an address of LEN bytes, of which HOST name the host. */
struct ssp_addr ssp_addr_make(
    enum ssp_addr_kind kind, const void *bytes, uint8_t len, uint8_t host);

bool ssp_addr_equal(const struct ssp_addr *a, const struct ssp_addr *b);

/* Returns whether both hosts are equal: at most a port differs. */
bool ssp_path_same_host(const struct ssp_path *a, const struct ssp_path *b);

/* Returns whether the path leads to a socket of the same machine. */
bool ssp_path_near(const struct ssp_path *p);

/* Returns the index of the path with ADDR, or -1. */
int ssp_paths_find(
    const struct ssp_paths *ps, const struct ssp_path_addr *addr);

/*
 * Adds a path and returns its index.  A full table drops the path that has been
 * silent longest and is neither active nor ours; -1 if there is none.
 * In:      mtu_max  largest UDP payload ever tried there
 */
int ssp_paths_add(struct ssp_paths *ps, mono_ms now,
    const struct ssp_path_addr *addr, bool ours, size_t mtu_max);

void ssp_paths_remove(struct ssp_paths *ps, int i);

/* Returns the bytes that may be sent there now. */
size_t ssp_path_allowed(const struct ssp_path *p);

/* Count bytes sent and received. */
void ssp_path_sent(struct ssp_path *p, size_t n);
void ssp_path_received(struct ssp_path *p, mono_ms now, size_t n);

/* Adds a round-trip sample. */
void ssp_path_rtt(struct ssp_path *p, mono_ms sample);
mono_ms ssp_path_rto(const struct ssp_path *p);

/* Requests a challenge on that path as soon as possible. */
void ssp_path_ask(struct ssp_path *p, mono_ms now);

/* Records a challenge sent; the next one waits, with back-off up to CAP. */
void ssp_path_asked(struct ssp_path *p, mono_ms now, mono_ms cap);

/*
 * Processes a response.  Returns what it answers: 0 nothing, 1 the challenge
 * (the path is now valid), 2 the large MTU probe, 3 the small one.
 */
int ssp_path_answer(struct ssp_path *p, mono_ms now, const uint8_t token[8]);

/* Queues the response to a challenge; drops the oldest if too many. */
void ssp_path_owe(struct ssp_path *p, const uint8_t token[8]);

/*
 * Returns the valid path, other than the active one, that was heard most
 * recently (then: shortest round trip), or -1.
 */
int ssp_paths_spare(const struct ssp_paths *ps);

/* Returns a valid path clearly better than the active one, or -1. */
int ssp_paths_better(const struct ssp_paths *ps, mono_ms now);

#endif
