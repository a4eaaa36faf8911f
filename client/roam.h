/*
 * client/roam.h - a client whose server is on another machine.
 *
 * Purpose:   opens sockets with the keys that ssh brought, runs one SSP
 *            connection over them (or over ssh, while UDP does not answer), and
 *            attaches the terminal.
 * Units:     milliseconds.
 * Errors:    printed on standard error; the result is the exit code.
 * Source:    doc/PROTOCOL.md, part A.
 * Tests:     regress/e2e/remote.sh
 */
#ifndef CLIENT_ROAM_H
#define CLIENT_ROAM_H

#include "base/io/confine.h"
#include "base/types.h"
#include "client/bootstrap.h"
#include "client/desk/desk.h"
#include "client/me_file.h"
#include "ssp/forward_spec.h"
#include "ssp/pacing.h"
#include "ssp/ticket.h"

struct deploy;
struct exec_cfg;

struct roam_cfg {
	struct bootstrap_cfg ssh;
	struct deploy *deploy; /* or NULL: the far side has rmux */
	/* "host:port" of the server's UDP socket, or NULL */
	const char *udp;
	const char *features; /* -T, or NULL */
	int family;           /* AF_INET, AF_INET6, or 0 for both */
	int predict;          /* enum predict_mode, or LOCAL_ECHO_SERVER */
	enum ssp_pacing pace; /* SSP_PACING_NONE: the server's option */
	unsigned paths; /* enum ssp_paths_use + 1; 0: the server's option */
	const char
	    *interfaces; /* "a,b": for second paths; NULL: all unmetered */
	/* Silence before ssh runs again; 0: the default. */
	mono_ms again;
	/* Send nothing without ML-KEM. */
	bool post_quantum;
	/* Interval of new keys; 0: the protocol's. */
	mono_ms rekey;
	/* The invitation in place of ssh, or NULL; wiped after use. */
	struct ssp_ticket *ticket;
	const char *name; /* the guest's name */
	bool verify;      /* show the words of the handshake */
	unsigned allow;   /* enum trust_allow */
	uint32_t mirror;  /* lines of history to copy of each pane */
	enum confine_mode sandbox;
	enum me_mode me; /* whether me.conf goes along */
	/* -L, -R and -D. */
	const struct forward_spec *forwards;
	size_t nforwards;
	bool forward_or_exit; /* one that fails here ends the client */
	struct desk_cfg desk;
	/* In place of the terminal (client/exec.h), or NULL. */
	const struct exec_cfg *exec;
};

/* Whether LIST is names of interfaces, with commas between them. */
bool roam_interfaces_valid(const char *list);

/* Attaches; returns the exit code when the client ends. */
int roam_run(const struct roam_cfg *cfg);

#endif
