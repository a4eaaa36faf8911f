#include "ssp/forward_spec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SPEC_FIELDS 4
#define SPEC_MAX (2 * SSP_PLACE_MAX + 16)

static char
spec_letter(enum forward_kind kind)
{
	return kind == FORWARD_LOCAL ? 'L' : kind == FORWARD_REMOTE ? 'R' : 'D';
}

/*
 * Cuts TEXT at colons, or at spaces, outside brackets; returns the number of
 * fields, SPEC_FIELDS + 1 if there are more.  Brackets around a field go.
 */
static unsigned
spec_fields(char *text, char *field[SPEC_FIELDS])
{
	unsigned n = 0;
	char *p = text, *end;

	for (;;) {
		if (n == SPEC_FIELDS)
			return SPEC_FIELDS + 1;
		field[n] = p;
		if (*p == '[' && (end = strchr(p, ']')) != NULL) {
			field[n] = p + 1;
			*end = '\0';
			p = end + 1;
		} else {
			p += strcspn(p, ": ");
		}
		n++;
		if (*p == '\0')
			return n;
		if (*p != ':' && *p != ' ')
			return 0;
		*p++ = '\0';
		p += strspn(p, " ");
	}
}

static int
spec_port(const char *text, bool any, uint16_t *port, struct cause *c)
{
	char *end;
	long n = strtol(text, &end, 10);

	if (end == text || *end != '\0' || n < (any ? 0 : 1) || n > 65535)
		return cause_set(c, -ERR_SYNTAX,
		    "\"%s\" is no port (%d to 65535)", text, any ? 0 : 1);
	*port = (uint16_t)n;
	return 0;
}

static int
spec_path(struct ssp_place *p, const char *path, struct cause *c)
{
	/* The length of sockaddr_un. */
	if (strlen(path) > 107)
		return cause_set(
		    c, -ERR_SYNTAX, "the path of a socket is too long");
	p->kind = SSP_PLACE_UNIX;
	snprintf(p->host, sizeof(p->host), "%s", path);
	return 0;
}

static int
spec_tcp(struct ssp_place *p, const char *host, const char *port, bool any,
    struct cause *c)
{
	if (strlen(host) >= sizeof(p->host))
		return cause_set(c, -ERR_SYNTAX, "the host is too long");
	p->kind = SSP_PLACE_TCP;
	snprintf(p->host, sizeof(p->host), "%s", host);
	return spec_port(port, any, &p->port, c);
}

/* Reads the place to listen at from the first fields; returns how many. */
static int
spec_listen(struct forward_spec *s, char *const *field, unsigned n,
    unsigned rest, struct cause *c)
{
	const bool any = s->kind == FORWARD_REMOTE;
	int e;

	if (field[0][0] == '/') {
		e = spec_path(&s->listen, field[0], c);
		return e != 0 ? e : 1;
	}
	if (n == rest + 1) {
		/* As in ssh without GatewayPorts. */
		e = spec_tcp(&s->listen, "localhost", field[0], any, c);
		return e != 0 ? e : 1;
	}
	e = spec_tcp(
	    &s->listen, *field[0] == '\0' ? "*" : field[0], field[1], any, c);
	return e != 0 ? e : 2;
}

int
forward_spec_parse(enum forward_kind kind, const char *text,
    struct forward_spec *out, struct cause *c)
{
	char copy[SPEC_MAX], *field[SPEC_FIELDS];
	struct cause inner = { NULL };
	unsigned n = 0, rest = 0;
	int at = -1;

	memset(out, 0, sizeof(*out));
	out->kind = kind;
	if (strlen(text) < sizeof(copy)) {
		memcpy(copy, text, strlen(text) + 1);
		n = spec_fields(copy, field);
	}
	if (n > 0 && n <= SPEC_FIELDS) {
		if (kind != FORWARD_DYNAMIC)
			rest = field[n - 1][0] == '/' ? 1 : 2;
		if (n > rest && n <= rest + 2)
			at = spec_listen(out, field, n, rest, &inner);
		if (at > 0 && (unsigned)at + rest != n)
			at = -1;
	}
	if (at > 0 && rest == 1)
		at = spec_path(&out->connect, field[at], &inner) != 0 ? -1 : at;
	else if (at > 0 && rest == 2)
		at = spec_tcp(&out->connect, field[at], field[at + 1], false,
			 &inner) != 0
			 ? -1
			 : at;
	if (at <= 0) {
		(void)cause_set(c, -ERR_SYNTAX, "-%c %s: %s", spec_letter(kind),
		    text,
		    *cause_text(&inner) != '\0' ? cause_text(&inner)
		    : kind == FORWARD_DYNAMIC
			? "expected [address:]port"
			: "expected [address:]port:host:port, or paths of "
			  "sockets");
		cause_fini(&inner);
		return -ERR_SYNTAX;
	}
	return 0;
}

int
forward_place_parse(const char *text, struct ssp_place *out, struct cause *c)
{
	char copy[SPEC_MAX], *field[SPEC_FIELDS];
	unsigned n = 0;

	memset(out, 0, sizeof(*out));
	if (strlen(text) < sizeof(copy)) {
		memcpy(copy, text, strlen(text) + 1);
		n = spec_fields(copy, field);
	}
	if (n == 1 && field[0][0] == '/')
		return spec_path(out, field[0], c);
	if (n == 2 && *field[0] != '\0')
		return spec_tcp(out, field[0], field[1], false, c);
	return cause_set(
	    c, -ERR_SYNTAX, "expected host:port, or the path of a socket");
}

bool
forward_name_ok(const char *name)
{
	/* As of a prefix: TMUX_PANE, LD_PRELOAD, RMUX_TMPDIR. */
	static const char *const taken[] = { "BASH", "DYLD_", "ENV", "HOME",
		"IFS", "LD_", "LOGNAME", "PATH", "PS", "PWD", "RMUX", "SHELL",
		"SSH_AUTH_SOCK", "TERM", "TMUX", "USER" };
	size_t i;

	if (*name == '\0' || strlen(name) >= FORWARD_NAME_MAX ||
	    (*name >= '0' && *name <= '9'))
		return false;
	for (i = 0; name[i] != '\0'; i++)
		if (!(name[i] >= 'a' && name[i] <= 'z') &&
		    !(name[i] >= 'A' && name[i] <= 'Z') &&
		    !(name[i] >= '0' && name[i] <= '9') && name[i] != '_')
			return false;
	for (i = 0; i < ARRAY_LEN(taken); i++)
		if (strncmp(name, taken[i], strlen(taken[i])) == 0)
			return false;
	return true;
}

int
forward_socket_parse(
    const char *text, struct forward_spec *out, struct cause *c)
{
	const char *equals = strchr(text, '=');
	struct cause inner = { NULL };
	const size_t n = equals == NULL ? 0 : (size_t)(equals - text);

	memset(out, 0, sizeof(*out));
	out->kind = FORWARD_SOCKET;
	out->listen.kind = out->connect.kind = SSP_PLACE_UNIX;
	if (equals == NULL || equals[1] != '/')
		return cause_set(c, -ERR_SYNTAX,
		    "--follow-socket %s: expected NAME=/path", text);
	if (n < FORWARD_NAME_MAX)
		memcpy(out->listen.host, text, n);
	if (!forward_name_ok(out->listen.host))
		return cause_set(c, -ERR_SYNTAX,
		    "--follow-socket %s: no name for a variable of a socket",
		    text);
	if (spec_path(&out->connect, equals + 1, &inner) != 0)
		(void)cause_set(c, -ERR_SYNTAX, "--follow-socket %s: %s", text,
		    cause_text(&inner));
	cause_fini(&inner);
	return *cause_text(c) == '\0' ? 0 : -ERR_SYNTAX;
}

const char *
forward_kind_text(enum forward_kind kind)
{
	switch (kind) {
	case FORWARD_LOCAL:
		return "-L";
	case FORWARD_REMOTE:
		return "-R";
	case FORWARD_DYNAMIC:
		return "-D";
	case FORWARD_AGENT:
		return "-A";
	case FORWARD_SOCKET:
		break;
	}
	return "--follow-socket";
}

char *
forward_spec_text(const struct forward_spec *s, char out[FORWARD_SPEC_TEXT])
{
	char a[SSP_PLACE_TEXT], b[SSP_PLACE_TEXT];

	if (s->kind == FORWARD_AGENT)
		snprintf(out, FORWARD_SPEC_TEXT, "-A");
	else if (s->kind == FORWARD_SOCKET)
		snprintf(out, FORWARD_SPEC_TEXT, "--follow-socket %s=%s",
		    s->listen.host, s->connect.host);
	else if (s->kind == FORWARD_DYNAMIC)
		snprintf(out, FORWARD_SPEC_TEXT, "-D %s",
		    ssp_place_text(&s->listen, a));
	else if (s->connect.host[0] == '\0')
		/* Only where it listens, which is enough to cancel it. */
		snprintf(out, FORWARD_SPEC_TEXT, "-%c %s", spec_letter(s->kind),
		    ssp_place_text(&s->listen, a));
	else
		snprintf(out, FORWARD_SPEC_TEXT, "-%c %s:%s",
		    spec_letter(s->kind), ssp_place_text(&s->listen, a),
		    ssp_place_text(&s->connect, b));
	return out;
}
