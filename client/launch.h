/*
 * client/launch.h - the launcher: a process that does for a confined client
 * what the client may not do itself.
 *
 * Purpose:   runs ssh and looks up host names. It is forked before the client
 *            has a key or a byte of the server. The client chooses among the
 *            requests below; command line, names and request text are those of
 *            the user's command line, which the launcher knows from the fork.
 * Ownership: struct launch is the client's end; launch_free ends the process
 *            and hangs up what it still runs.
 * Units:     milliseconds.
 * Errors:    -ERR_* with a cause; -ERR_CLOSED if the launcher has ended.
 * Source:    OpenSSH's privilege separation.
 * Tests:     regress/unit/check_launch.c, regress/e2e/sandbox.sh,
 *            remote_again.sh
 */
#ifndef CLIENT_LAUNCH_H
#define CLIENT_LAUNCH_H

#include "base/io/confine.h"
#include "base/io/udp.h"
#include "client/bootstrap.h"

#define LAUNCH_NAMES_MAX 8
#define LAUNCH_ADDRS_MAX 16
/* Programs of one client that have not ended; the oldest is killed. */
#define LAUNCH_RUNS_MAX 4

struct desk_cfg;
struct launch;

/* The launcher's requests. Pointers outlive its start. */
struct launch_cfg {
	const struct bootstrap_cfg *ssh; /* NULL: it runs no program */
	/* Names to look up; HOST "": ssh's name of its host. */
	struct launch_name {
		char host[BOOTSTRAP_HOST_MAX];
		uint16_t port; /* 0: launch_lookup gives it */
	} names[LAUNCH_NAMES_MAX];
	size_t nnames;
	int family; /* AF_INET, AF_INET6, or 0 for both */
	/* A secret of the client that the launcher wipes, or NULL. */
	uint8_t *secret;
	size_t nsecret;
	/*
	 * Forwards: a helper (ssp/io/reach.h) starts at once, or when somebody
	 * comes to the door, a socket that the launcher makes; NULL: no door.
	 */
	bool reach;
	const char *door;
	const struct desk_cfg *desk; /* NULL: no desk */
	/* Without ssh, the launcher confines itself to looking up names. */
	enum confine_mode sandbox;
};

/* Forks the launcher. */
int launch_new(const struct launch_cfg *cfg, struct launch **out,
    struct cause *c) WARN_UNUSED;
void launch_free(struct launch *l);

/* Gives away the end of a helper, for reach_at; -1: there will be none. */
int launch_reach(struct launch *l);

/* The same for questions of the desk (struct desk_ask). */
int launch_desk(struct launch *l);

/*
 * Starts ssh with `rmux __connect` at the far end, and writes the request; see
 * bootstrap_start. Out: FDS: pipes to its three streams; *run: for the two
 * functions below
 */
int launch_ssh(struct launch *l, enum bootstrap_how how, uint64_t resume,
    int fds[3], uint32_t *run, struct cause *c) WARN_UNUSED;

/* Ends a program. */
void launch_kill(struct launch *l, uint32_t run);

/*
 * If the client ends before launch_mind(L, 0), the launcher runs ssh once more to
 * tell the server that the connection CID has ended.
 */
void launch_mind(struct launch *l, uint64_t cid);

/* Waits for a program's end; returns its status, as waitpid does. */
int launch_status(struct launch *l, uint32_t run);

/* Begins the next lookup, while the launcher's programs run. */
void launch_lookup_ahead(struct launch *l);

/*
 * Looks up all names, for at most MS milliseconds (-1: no limit); PORT is for
 * those without one. Returns the number of addresses in OUT.
 */
size_t launch_lookup(struct launch *l, uint16_t port, int ms,
    struct udp_addr out[LAUNCH_ADDRS_MAX]);

#endif
