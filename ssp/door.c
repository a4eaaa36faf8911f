#include "ssp/door.h"

#include <stdio.h>
#include <string.h>

#include "base/str.h"

#define DOOR_VERSION 1
#define DOOR_HOST 48 /* bytes of a host in a name */

static void
spec_put(struct wr *w, const struct forward_spec *s)
{
	wr_varint(w, s->kind);
	ssp_place_put(w, &s->listen);
	ssp_place_put(w, &s->connect);
}

static int
spec_get(struct forward_spec *s, struct rd *r)
{
	const uint64_t kind = rd_varint(r);
	int e;

	peer_check(r->err == 0 && kind <= FORWARD_SOCKET);
	s->kind = (enum forward_kind)kind;
	e = ssp_place_get(&s->listen, r);
	return e != 0 ? e : ssp_place_get(&s->connect, r);
}

void
door_request_put(struct wr *w, const struct door_request *q)
{
	wr_varint(w, DOOR_VERSION);
	wr_varint(w, q->what);
	if (q->what == DOOR_ADD || q->what == DOOR_CANCEL)
		spec_put(w, &q->spec);
}

/* Reads the two numbers with which every message begins. */
static int
head_get(struct rd *r, uint64_t *what, uint64_t last)
{
	const uint64_t version = rd_varint(r);

	*what = rd_varint(r);
	peer_check(r->err == 0 && version > 0 && *what > 0);
	return version != DOOR_VERSION || *what > last ? -ERR_UNSUPPORTED : 0;
}

int
door_request_get(struct door_request *q, const uint8_t *p, size_t n)
{
	uint64_t what;
	struct rd r;
	int e;

	memset(q, 0, sizeof(*q));
	rd_init(&r, p, n);
	if ((e = head_get(&r, &what, DOOR_LIST)) != 0)
		return e;
	q->what = (enum door_what)what;
	if (q->what != DOOR_ADD && q->what != DOOR_CANCEL)
		return 0;
	if ((e = spec_get(&q->spec, &r)) != 0)
		return e;
	peer_check(q->spec.kind != FORWARD_AGENT || q->what == DOOR_CANCEL ||
		   (q->spec.connect.kind == SSP_PLACE_UNIX &&
		       q->spec.connect.host[0] == '/'));
	return 0;
}

void
door_answer_put(struct wr *w, const struct door_answer *a)
{
	const size_t n = strlen(a->text);

	wr_varint(w, DOOR_VERSION);
	wr_varint(w, a->what);
	if (a->what == DOOR_END) {
		wr_varint(w, a->failed);
		wr_varint(w, n);
		wr_bytes(w, a->text, n);
		return;
	}
	spec_put(w, &a->spec);
	wr_varint(w, MIN_OF(a->connections, WIRE_VARINT_MAX));
	wr_varint(w, MIN_OF(a->in, WIRE_VARINT_MAX));
	wr_varint(w, MIN_OF(a->out, WIRE_VARINT_MAX));
}

int
door_answer_get(struct door_answer *a, const uint8_t *p, size_t n)
{
	uint64_t what, len;
	struct rd r;
	int e;

	memset(a, 0, sizeof(*a));
	rd_init(&r, p, n);
	if ((e = head_get(&r, &what, DOOR_ROW)) != 0)
		return e;
	a->what = (enum door_answer_what)what;
	if (a->what == DOOR_END) {
		a->failed = rd_varint(&r) != 0;
		len = rd_varint(&r);
		peer_check(
		    r.err == 0 && len < sizeof(a->text) && len <= rd_left(&r));
		rd_copy(&r, a->text, (size_t)len);
		a->text[len] = '\0';
		return 0;
	}
	if ((e = spec_get(&a->spec, &r)) != 0)
		return e;
	a->connections = rd_varint(&r);
	a->in = rd_varint(&r);
	a->out = rd_varint(&r);
	peer_check(r.err == 0);
	return 0;
}

/* --- names --------------------------------------------------------------------- */

/* A byte of a host that is one of a file name, too. */
static char
name_byte(char b)
{
	const bool plain = (b >= 'a' && b <= 'z') || (b >= 'A' && b <= 'Z') ||
			   (b >= '0' && b <= '9') || strchr("-_.@:", b) != NULL;

	return plain ? b : '_';
}

static void
name_host(const char *host, char out[DOOR_HOST])
{
	size_t i;

	for (i = 0; i + 1 < DOOR_HOST && host[i] != '\0'; i++)
		/* A file that begins with a dot is hidden. */
		out[i] = i == 0 && host[i] == '.' ? '_' : name_byte(host[i]);
	out[i] = '\0';
}

void
door_name(const char *host, int64_t pid, char out[DOOR_NAME])
{
	char text[DOOR_HOST];

	name_host(host, text);
	snprintf(out, DOOR_NAME, "%s.%lld", text, (long long)pid);
}

bool
door_name_read(const char *name, size_t *host_len, int64_t *pid)
{
	const char *dot = strrchr(name, '.');

	if (dot == NULL || dot == name || *name == '.' ||
	    str_to_int(dot + 1, 1, INT32_MAX, pid) != 0)
		return false;
	*host_len = (size_t)(dot - name);
	return true;
}

bool
door_name_is(const char *name, const char *target)
{
	char host[DOOR_HOST];
	int64_t pid, want;
	size_t n;

	if (!door_name_read(name, &n, &pid))
		return false;
	if (str_to_int(target, 1, INT32_MAX, &want) == 0 && want == pid)
		return true;
	name_host(target, host);
	return strlen(host) == n && strncmp(host, name, n) == 0;
}
