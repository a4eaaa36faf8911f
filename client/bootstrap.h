/*
 * client/bootstrap.h - reaching a server through the user's own ssh.
 *
 * Purpose:   runs ssh with `rmux __connect` at the far end, sends it the
 *            request on standard input, finds its answer among what login
 *            files may print, and explains what went wrong.
 * Ownership: struct bootstrap owns the process and its pipes until
 *            bootstrap_close; its key is the caller's to wipe.
 * Units:     none.
 * Errors:    -ERR_* with a cause that says what to do; what ssh and the far
 *            side print on standard error is passed on as it comes.
 * Source:    doc/PROTOCOL.md, A.1.
 * Tests:     regress/e2e/remote.sh
 */
#ifndef CLIENT_BOOTSTRAP_H
#define CLIENT_BOOTSTRAP_H

#include <sys/types.h>

#include "base/buf.h"
#include "base/err.h"
#include "ssp/crypto.h"

#define BOOTSTRAP_ADDRS_MAX 8
#define BOOTSTRAP_HOST_MAX 256

/* Where to, as the command line says it. */
struct bootstrap_target {
	char login[BOOTSTRAP_HOST_MAX]; /* "user@host": ssh's destination */
	char host[BOOTSTRAP_HOST_MAX];  /* without the user */
	char port[8];                   /* ssh's, or "" */
};

struct bootstrap_cfg {
	struct bootstrap_target target;
	const char *ssh;    /* words: "ssh -p 2222" */
	const char *server; /* path of rmux there, or NULL */
	const char *label;  /* -L, or NULL */
	const char *socket; /* -S, or NULL */
	uint64_t flags;     /* enum control_flag */
	const char *const *argv;
};

struct bootstrap {
	pid_t pid; /* 0: reaped */
	int in;    /* of ssh; -1 closed */
	int out;
	int err;
	uint16_t port;
	uint64_t cid;
	uint8_t key[SSP_KEY_LEN];
	char addrs[BOOTSTRAP_ADDRS_MAX][64]; /* numbers */
	size_t naddrs;
	struct buf rest; /* what followed the answer */
	bool resumed;    /* the server has the connection asked for, no key */
	struct buf got;  /* of its output, until the answer */
	struct buf tail; /* of what it said on standard error */
	bool quiet;      /* ... which is not passed on */
	int status;      /* once it is reaped */
};

enum bootstrap_how {
	BOOTSTRAP_ASK,   /* ssh may use the terminal */
	BOOTSTRAP_BATCH, /* it asks nothing, says nothing, has no terminal */
};

/* "[user@]host[:port]", "[user@][::1]:port". */
int bootstrap_parse(
    const char *text, struct bootstrap_target *t, struct cause *c) WARN_UNUSED;

/* Runs ssh until the answer is there. */
int bootstrap_run(const struct bootstrap_cfg *cfg, struct bootstrap *b,
    struct cause *c) WARN_UNUSED;

/*
 * The same in steps.  RESUME is the id of a connection that the server may
 * still have, or 0: then it is asked to go on with that one.
 */
int bootstrap_start(const struct bootstrap_cfg *cfg, struct bootstrap *b,
    enum bootstrap_how how, uint64_t resume, struct cause *c) WARN_UNUSED;

/*
 * Waits at most MS milliseconds (-1: as long as it takes) for ssh to say
 * something, and takes it.
 * Returns: 1 with the answer, 0 without it yet, or why there will be none;
 *          then B is finished.
 */
int bootstrap_step(const struct bootstrap_cfg *cfg, struct bootstrap *b, int ms,
    struct cause *c);

/* Ends it in the middle. */
void bootstrap_kill(struct bootstrap *b);

/* A child has ended that may be ours. */
void bootstrap_reaped(struct bootstrap *b, pid_t pid, int status);

/* Closes the pipes, so that both ends of ssh go. */
void bootstrap_close(struct bootstrap *b);

/* The same, and forgets all that it said. */
void bootstrap_fini(struct bootstrap *b);

/* Runs `rmux WORDS...` there in place of this process; returns on error. */
int bootstrap_exec(const struct bootstrap_cfg *cfg, bool tty, struct cause *c);

/* The name that ssh's configuration gives the host: OUT, or the host. */
void bootstrap_hostname(
    const struct bootstrap_cfg *cfg, char *out, size_t size);

#endif
