/*
 * ssp/path.h - the ways between two ends: where to send, how much, how large.
 *
 * Purpose:   a small table of (local, remote) address pairs with what is
 *            known of each: validated or not, bytes allowed, round trip,
 *            datagram size, when it was last heard.
 * Ownership: struct ssp_paths is embedded by its user; nothing to free.
 * Units:     milliseconds, bytes.
 * Errors:    functions that find nothing return -1.
 * Source:    RFC 9000 sections 8 and 9 for challenges and the rule of three
 *            bytes sent for one received; port hop as mosh does it.
 * Tests:     regress/unit/check_ssp_path.c
 */
#ifndef SSP_PATH_H
#define SSP_PATH_H

#include "ssp/pmtu.h"
#include "ssp/timestamp.h"

enum {
	SSP_PATHS_MAX = 8,
	SSP_ADDR_MAX = 28,
	SSP_PATH_CREDIT = 3,         /* bytes out for one in, unvalidated */
	SSP_PATH_PORT_CREDIT = 4096, /* more where only the port is new */
	SSP_PATH_RTO_MIN = 50,       /* ms */
	SSP_PATH_RTO_MAX = 5000,     /* ms */
	SSP_PATH_RTO_FIRST = 1000,   /* ms, before any sample */
	SSP_PATH_DROP = 60000,       /* ms silent while others work */
	SSP_PATH_TOKENS = 4,         /* responses owed a path */
	SSP_PATH_PROBE_IDLE = 15000, /* ms between probes of spare paths */
};

enum ssp_addr_kind {
	SSP_ADDR_NONE,
	SSP_ADDR_UDP,    /* datagrams; lossy, spoofable */
	SSP_ADDR_STREAM, /* a reliable byte stream somebody vouches for */
};

/* An address as the shell spells it; compared bytewise, never looked into. */
struct ssp_addr {
	uint8_t kind; /* enum ssp_addr_kind */
	uint8_t len;
	uint8_t host; /* the first HOST bytes name the host, the rest a port */
	uint8_t bytes[SSP_ADDR_MAX];
};

struct ssp_path_addr {
	struct ssp_addr local; /* interface or socket; may be all zero */
	struct ssp_addr remote;
};

struct ssp_path {
	bool used;
	bool valid;  /* the peer answers there */
	bool ours;   /* named by the shell, not learnt from a datagram */
	bool follow; /* payloads go there once it is valid */
	struct ssp_path_addr addr;
	uint64_t in; /* authentic bytes received, 0..UINT64_MAX */
	uint64_t out;
	uint64_t known; /* bytes more: its host was validated at another port */
	mono_ms added_at;
	mono_ms heard_at; /* last authentic datagram; 0: never */
	mono_ms srtt;     /* with RTT_KNOWN */
	mono_ms rttvar;
	bool rtt_known;
	struct ssp_stamp stamp;
	struct ssp_pmtu pmtu;

	/* Our challenge. */
	bool asking; /* one is wanted until answered */
	bool asked;  /* TOKEN is out */
	uint8_t token[8];
	mono_ms ask_at;   /* when the next one is due */
	mono_ms asked_at; /* MONO_NEVER: its answer gives no round trip */
	unsigned asks;    /* unanswered in a row */

	/* The large probe of an MTU round. */
	bool mtu_asked;
	bool mtu_small;  /* the small one beside it is still to be sent */
	size_t mtu_size; /* of the large probe asked last */
	uint8_t mtu_token[8];
	uint8_t small_token[8];

	/* The peer's challenges to answer. */
	uint8_t owed[SSP_PATH_TOKENS][8];
	unsigned owed_count;
};

struct ssp_paths {
	struct ssp_path p[SSP_PATHS_MAX];
	int active; /* where payloads go, or -1 */
	int count;
};

void ssp_paths_init(struct ssp_paths *ps);

/* LEN bytes, of which the first HOST name the host. */
struct ssp_addr ssp_addr_make(
    enum ssp_addr_kind kind, const void *bytes, uint8_t len, uint8_t host);

bool ssp_addr_equal(const struct ssp_addr *a, const struct ssp_addr *b);

/* Same hosts at both ends: at most a port differs. */
bool ssp_path_same_host(const struct ssp_path *a, const struct ssp_path *b);

/* Index of the path with ADDR, or -1. */
int ssp_paths_find(
    const struct ssp_paths *ps, const struct ssp_path_addr *addr);

/*
 * Adds a path.  When the table is full the one silent longest that is neither
 * active nor ours gives way; -1 if there is none.
 * In:      mtu_max  largest UDP payload ever tried there
 */
int ssp_paths_add(struct ssp_paths *ps, mono_ms now,
    const struct ssp_path_addr *addr, bool ours, size_t mtu_max);

void ssp_paths_remove(struct ssp_paths *ps, int i);

/* Bytes that may be sent there now. */
size_t ssp_path_allowed(const struct ssp_path *p);

/* Books traffic. */
void ssp_path_sent(struct ssp_path *p, size_t n);
void ssp_path_received(struct ssp_path *p, mono_ms now, size_t n);

/* One round-trip sample. */
void ssp_path_rtt(struct ssp_path *p, mono_ms sample);
mono_ms ssp_path_rto(const struct ssp_path *p);

/* Asks the peer for a sign of life there as soon as possible. */
void ssp_path_ask(struct ssp_path *p, mono_ms now);

/* Books a challenge sent; the next is due after a growing time up to CAP. */
void ssp_path_asked(struct ssp_path *p, mono_ms now, mono_ms cap);

/*
 * A response came.  Returns what it answered: 0 nothing, 1 the challenge (the
 * path is now valid), 2 the large MTU probe, 3 the small one.
 */
int ssp_path_answer(struct ssp_path *p, mono_ms now, const uint8_t token[8]);

/* Keeps a challenge to answer; the oldest gives way when too many. */
void ssp_path_owe(struct ssp_path *p, const uint8_t token[8]);

/*
 * A valid path other than the active one that has been heard most recently
 * (ties: shortest round trip), or -1.
 */
int ssp_paths_spare(const struct ssp_paths *ps);

/* A valid path clearly better than the active one, or -1. */
int ssp_paths_better(const struct ssp_paths *ps, mono_ms now);

#endif
