/*
 * client/doctor.h - `rmux doctor [host]`: what may keep rmux from working.
 *
 * Purpose:   runs a table of checks on this machine and, over ssh and UDP, on
 *            another; prints one line for each, with what to do where it fails.
 * Ownership: nothing is kept.
 * Units:     milliseconds.
 * Errors:    a check that fails is a line of the report; the exit code is 1 if
 *            one did.
 * Source:    our own.
 * Tests:     regress/unit/check_doctor.c, regress/e2e/doctor.sh
 *
 * The far end is `rmux __doctor`, run by ssh: it runs those checks of the same
 * table that make sense without a terminal, prints them as lines of tabs, and
 * then answers probes on a UDP port (client/doctor_probe.h) until its standard
 * input ends.
 */
#ifndef CLIENT_DOCTOR_H
#define CLIENT_DOCTOR_H

#include "client/bootstrap.h"

enum doctor_verdict {
	DOCTOR_OK,
	DOCTOR_NOTE, /* works, but not as well as it could */
	DOCTOR_FAIL,
	DOCTOR_VERDICT_COUNT
};

struct doctor_cfg {
	struct bootstrap_cfg ssh; /* of the host, if there is one */
	const char *host;         /* or NULL: this machine only */
	const char *udp;          /* "host:port" to probe instead, or NULL */
	int family;               /* AF_INET, AF_INET6 or 0 */
	const char *socket;       /* of the server here */
	const char *self;         /* how this program was called */
	bool terminal;            /* standard input and output are one */
};

/* What a check has found. */
struct doctor_finding {
	enum doctor_verdict verdict;
	char text[512];
	char advice[512]; /* "": none */
};

/* Runs all; returns the exit code. */
int doctor_run(const struct doctor_cfg *cfg);

/* The far end: `rmux __doctor`. */
int doctor_far_run(const struct doctor_cfg *cfg);

/* Runs the checks here; FN is called for each.  FAR: those of a far end. */
typedef void (*doctor_fn)(
    void *arg, const char *name, const struct doctor_finding *f);
void doctor_here(
    const struct doctor_cfg *cfg, bool far, doctor_fn fn, void *arg);

/* The checks of CFG's host; FN is called for each. */
void doctor_there(const struct doctor_cfg *cfg, doctor_fn fn, void *arg);

/* Fills F. */
void doctor_find(struct doctor_finding *f, enum doctor_verdict v,
    const char *advice, const char *fmt, ...) PRINTF_LIKE(4, 5);

/*
 * A finding as a line "CHECK\tverdict\tname\ttext\tadvice" and back; what a
 * far end sends is printed to a terminal, so control characters become '?'.
 */
void doctor_line_format(
    struct buf *out, const char *name, const struct doctor_finding *f);
bool doctor_line_parse(
    const char *line, char *name, size_t size, struct doctor_finding *f);

#endif
