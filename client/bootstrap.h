/*
 * client/bootstrap.h - reaches a server through the user's own ssh.
 *
 * Purpose:   runs ssh with `rmux __connect` at the far end (client/far.h finds
 *            rmux there), writes the request to its standard input, finds the
 *            answer among the output of login files, and explains failures.
 * Ownership: struct bootstrap owns the process and its pipes until
 *            bootstrap_close; the caller wipes its key.
 * Errors:    -ERR_* with a cause that tells the user what to do; standard error
 *            of ssh and of the far side is passed on as it comes.
 * Source:    doc/PROTOCOL.md, A.1.
 * Tests:     regress/e2e/remote.sh, regress/fuzz/fuzz_far.c
 */
#ifndef CLIENT_BOOTSTRAP_H
#define CLIENT_BOOTSTRAP_H

#include <sys/types.h>

#include "base/buf.h"
#include "base/err.h"
#include "client/far.h"
#include "ssp/crypto.h"

#define BOOTSTRAP_ADDRS_MAX 8
#define BOOTSTRAP_HOST_MAX 256
/* Bytes that login files may print before the answer. */
#define BOOTSTRAP_NOISE_MAX 65536
/* Printed when --ssh cannot be run. */
#define BOOTSTRAP_CANNOT "rmux: cannot run "

/* The destination from the command line. */
struct bootstrap_target {
	char login[BOOTSTRAP_HOST_MAX]; /* "user@host": ssh's destination */
	char host[BOOTSTRAP_HOST_MAX];  /* without the user */
	char port[8];                   /* ssh's, or "" */
};

struct bootstrap_cfg {
	struct bootstrap_target target;
	const char *ssh;     /* command line of ssh: "ssh -p 2222" */
	const char *server;  /* path of rmux there, or NULL: find it */
	const char *sums;    /* of a deployed rmux: see far_find */
	const char *label;   /* -L, or NULL */
	bool clear_forwards; /* ssh opens none of its forwards */
	const char *socket;  /* -S, or NULL */
	uint64_t flags;      /* enum control_flag */
	const char *const *argv;
};

struct launch;

/* A process of ssh and the pipes to its three streams. */
struct bootstrap_ssh {
	pid_t pid;
	int in;
	int out;
	int err;
};

struct bootstrap {
	struct launch *launch; /* runs ssh */
	uint32_t run;          /* its number of ssh; 0: none, or ended */
	int in;                /* pipe to ssh; -1: closed */
	int out;
	int err;
	uint16_t port;
	uint64_t cid;
	uint8_t key[SSP_KEY_LEN];
	char addrs[BOOTSTRAP_ADDRS_MAX][64]; /* numeric addresses */
	size_t naddrs;
	struct buf rest; /* bytes after the answer */
	bool resumed;    /* the server has the requested connection; no key */
	struct buf got;  /* output up to the answer */
	struct buf tail; /* end of standard error */
	bool quiet;      /* standard error is not passed on */
	/* The machine, if it has no rmux. */
	struct far_machine far;
};

enum bootstrap_how {
	BOOTSTRAP_ASK,   /* ssh may use the terminal */
	BOOTSTRAP_BATCH, /* ssh asks nothing, prints nothing, has no terminal */
};

/* Parses "[user@]host[:port]" or "[user@][::1]:port". */
int bootstrap_parse(
    const char *text, struct bootstrap_target *t, struct cause *c) WARN_UNUSED;

/* Lets LAUNCH run ssh until it has the answer. */
int bootstrap_run(const struct bootstrap_cfg *cfg, struct launch *launch,
    struct bootstrap *b, struct cause *c) WARN_UNUSED;

/*
 * Starts ssh, for bootstrap_step. RESUME is the id of a connection that the
 * server may still have, or 0; the far side is asked to continue it.
 */
int bootstrap_start(struct launch *launch, struct bootstrap *b,
    enum bootstrap_how how, uint64_t resume, struct cause *c) WARN_UNUSED;

/*
 * Waits at most MS milliseconds (-1: no limit) for output of ssh and reads it.
 * Returns: 1 with the answer, 0 without it yet, or an error if there will be
 * none (-ERR_STATE: the server does not know the connection to continue); then B
 * is finished.
 */
int bootstrap_step(const struct bootstrap_cfg *cfg, struct bootstrap *b, int ms,
    struct cause *c);

/* Stops ssh before it has answered. */
void bootstrap_kill(struct bootstrap *b);

/* Closes the pipes, so that both ends of ssh exit. */
void bootstrap_close(struct bootstrap *b);

/* Closes the pipes and frees the buffers. */
void bootstrap_fini(struct bootstrap *b);

/* --- bootstrap_answer.c --------------------------------------------------- */

/*
 * Finds "RMUX CONNECT 1 port cid key address..." in b->got. The key "-" means that
 * the server has the connection b->cid already. Returns 1 when found, 0 to wait
 * for more, or an error.
 */
int bootstrap_answer(struct bootstrap *b, struct cause *c);

/* --- bootstrap_ssh.c ------------------------------------------------------ */

/* Starts ssh with `rmux __connect` at the far end. */
int bootstrap_ssh_start(const struct bootstrap_cfg *cfg, enum bootstrap_how how,
    struct bootstrap_ssh *s, struct cause *c) WARN_UNUSED;

/*
 * Writes the request to FD, the standard input of that ssh; blocks. RESUME: see
 * bootstrap_start. TTY: the name of the user's terminal, or NULL.
 */
void bootstrap_ssh_ask(
    const struct bootstrap_cfg *cfg, uint64_t resume, const char *tty, int fd);

/* Starts ssh with COMMAND at the far end. */
int bootstrap_spawn(const struct bootstrap_cfg *cfg, enum bootstrap_how how,
    const char *command, struct bootstrap_ssh *s, struct cause *c) WARN_UNUSED;

/* Replaces this process by `rmux WORDS...` at the far end; returns on error. */
int bootstrap_exec(const struct bootstrap_cfg *cfg, bool tty, struct cause *c);

/*
 * Calls FN with each option of ssh for the target, as `ssh -G` says; never if that
 * fails.
 */
typedef void (*bootstrap_option_fn)(
    void *arg, const char *key, const char *value);
void bootstrap_options(
    const struct bootstrap_cfg *cfg, bootstrap_option_fn fn, void *arg);

/*
 * Copies the name that ssh's configuration gives the host to OUT, else the
 * host.
 */
void bootstrap_hostname(
    const struct bootstrap_cfg *cfg, char *out, size_t size);

#endif
