/*
 * client/doctor.h - `rmux doctor [host]`: finds problems that keep rmux from
 * working.
 *
 * Purpose:   runs a table of checks on this machine and, over ssh and UDP, on
 *            another; prints one line for each, with advice where it fails.
 * Units:     milliseconds.
 * Errors:    a failed check is a line of the report, and makes the exit code 1.
 * Tests:     regress/unit/check_doctor.c, regress/e2e/doctor.sh
 *
 * The far end is `rmux __doctor`, run by ssh. It runs the checks of the same
 * table that need no terminal, prints them as lines of tab-separated fields,
 * and then answers probes on a UDP port (client/doctor_probe.h) until its
 * standard input ends.
 */
#ifndef CLIENT_DOCTOR_H
#define CLIENT_DOCTOR_H

#include "base/io/confine.h"
#include "client/bootstrap.h"

enum doctor_verdict {
	DOCTOR_OK,
	DOCTOR_NOTE, /* works, but not as well as it could */
	DOCTOR_FAIL,
	DOCTOR_VERDICT_COUNT
};

struct doctor_cfg {
	struct bootstrap_cfg ssh; /* of the host, if there is one */
	const char *host;         /* NULL: check this machine only */
	const char *udp;          /* "host:port" to probe instead, or NULL */
	int family;               /* AF_INET, AF_INET6 or 0 */
	/* Path of the server's socket on this machine. */
	const char *socket;
	const char *self; /* argv[0] */
	enum confine_mode sandbox;
	bool terminal; /* standard input and output are a terminal */
};

/* The result of one check. */
struct doctor_finding {
	enum doctor_verdict verdict;
	char text[512];
	char advice[512]; /* "": none */
};

/* Runs all checks; returns the exit code. */
int doctor_run(const struct doctor_cfg *cfg);

/* Runs the far end, `rmux __doctor`. */
int doctor_far_run(const struct doctor_cfg *cfg);

/*
 * Runs the checks on this machine and calls FN for each. FAR: only those that a
 * far end runs.
 */
typedef void (*doctor_fn)(
    void *arg, const char *name, const struct doctor_finding *f);
void doctor_here(
    const struct doctor_cfg *cfg, bool far, doctor_fn fn, void *arg);

/* Runs the checks of CFG's host and calls FN for each. */
void doctor_there(const struct doctor_cfg *cfg, doctor_fn fn, void *arg);

/* Returns "ok", "note" or "FAIL". */
const char *doctor_verdict_name(enum doctor_verdict v);

/* Fills F. */
void doctor_find(struct doctor_finding *f, enum doctor_verdict v,
    const char *advice, const char *fmt, ...) PRINTF_LIKE(4, 5);

/*
 * Format and parse a finding as a line "CHECK\tverdict\tname\ttext\tadvice".
 * The text of a far end is printed to a terminal, so control characters become
 * '?'.
 */
void doctor_line_format(
    struct buf *out, const char *name, const struct doctor_finding *f);
bool doctor_line_parse(
    const char *line, char *name, size_t size, struct doctor_finding *f);

#endif
