/*
 * ssp/forward_spec.h - forwards in ssh's words.
 *
 * Purpose:   reads the arguments of -L, -R and -D, and ssh's LocalForward,
 *            RemoteForward and DynamicForward.
 * Ownership: plain values.
 * Errors:    -ERR_SYNTAX with a cause that says what is wrong.
 * Source:    ssh(1), ssh_config(5).
 * Tests:     regress/unit/check_ssp_purpose.c
 */
#ifndef SSP_FORWARD_SPEC_H
#define SSP_FORWARD_SPEC_H

#include "base/err.h"
#include "ssp/purpose.h"

enum forward_kind {
	FORWARD_LOCAL,   /* -L: listen here, connect there */
	FORWARD_REMOTE,  /* -R: listen there, connect here */
	FORWARD_DYNAMIC, /* -D: listen here, SOCKS says where to connect there */
	FORWARD_AGENT,   /* -A: CONNECT is the socket of an agent here */
	/* --follow-socket NAME=PATH: LISTEN.host is NAME, CONNECT is PATH */
	FORWARD_SOCKET,
};

#define FORWARD_NAME_MAX 33 /* bytes of NAME, with the NUL */
/* The name of the desk (client/desk), which no option may have. */
#define FORWARD_DESK "RMUX_DESK"

struct forward_spec {
	enum forward_kind kind;
	struct ssp_place listen;
	struct ssp_place connect; /* not for DYNAMIC */
};

/*
 * Reads "[bind:]port:host:hostport", "[bind:]port:/path", "/path:host:port",
 * "/path:/path"; for DYNAMIC "[bind:]port".  Words of ssh_config may stand
 * between the two halves, as "8080 host:80".
 */
int forward_spec_parse(enum forward_kind kind, const char *text,
    struct forward_spec *out, struct cause *c) WARN_UNUSED;

/*
 * Reads where to connect, "host:port", "[v6]:port" or "/path".  The cause in C
 * does not repeat TEXT.
 */
int forward_place_parse(
    const char *text, struct ssp_place *out, struct cause *c) WARN_UNUSED;

/* Reads "NAME=/path"; NAME is that of a variable, see forward_name_ok. */
int forward_socket_parse(
    const char *text, struct forward_spec *out, struct cause *c) WARN_UNUSED;

/*
 * Whether panes may have a variable NAME for a followed socket: a name of the
 * shell, of none that decides which programs run.
 */
bool forward_name_ok(const char *name);

/* Returns "-L", "-R", "-D", "-A" or "--follow-socket". */
const char *forward_kind_text(enum forward_kind kind);

/* Writes a forward as people do, "-L 8080:host:80", to OUT; returns OUT. */
#define FORWARD_SPEC_TEXT (2 * SSP_PLACE_TEXT + 24)
char *forward_spec_text(
    const struct forward_spec *s, char out[FORWARD_SPEC_TEXT]);

#endif
