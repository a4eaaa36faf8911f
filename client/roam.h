/*
 * client/roam.h - a session on another machine.
 *
 * Purpose:   after ssh has brought the keys: sockets, one SSP connection over
 *            them (or over ssh, while UDP does not answer), the terminal.
 * Ownership: nothing is kept.
 * Units:     milliseconds.
 * Errors:    told on standard error; the result is the exit code.
 * Source:    doc/PROTOCOL.md, part A.
 * Tests:     regress/e2e/remote.sh
 */
#ifndef CLIENT_ROAM_H
#define CLIENT_ROAM_H

#include "base/types.h"
#include "client/bootstrap.h"
#include "ssp/ticket.h"

struct roam_cfg {
	struct bootstrap_cfg ssh;
	const char *udp;           /* "host:port" to send to instead, or NULL */
	const char *features;      /* -T, or NULL */
	int family;                /* AF_INET, AF_INET6, or 0 for both */
	int predict;               /* enum predict_mode, or LOCAL_ECHO_SERVER */
	mono_ms again;             /* of silence, then ssh; 0: the default */
	struct ssp_ticket *ticket; /* instead of ssh, or NULL; gets wiped */
	const char *name;          /* of a guest */
	uint32_t mirror;           /* lines of history to hold of a pane */
};

/* Attaches; returns the exit code when it is over. */
int roam_run(const struct roam_cfg *cfg);

#endif
