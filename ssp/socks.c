#include "ssp/socks.h"

#include <stdio.h>
#include <string.h>

#include "base/err.h"

#define SOCKS4_OK 90
#define SOCKS4_NO 91
#define SOCKS5_FAILED 1
#define SOCKS5_COMMAND 7
#define SOCKS5_ADDRESS 8

void
socks_answer(const struct socks *s, bool ok, struct buf *out)
{
	const uint8_t v4[8] = { 0, ok ? SOCKS4_OK : SOCKS4_NO };
	const uint8_t v5[10] = { 5, ok ? 0 : SOCKS5_FAILED, 0, 1 };

	(void)(s->version == 5 ? buf_add(out, v5, sizeof(v5))
			       : buf_add(out, v4, sizeof(v4)));
}

static int
socks5_refuse(struct buf *out, uint8_t why)
{
	const uint8_t b[10] = { 5, why, 0, 1 };

	(void)buf_add(out, b, sizeof(b));
	return -ERR_UNSUPPORTED;
}

/* Takes the string before the next NUL; 0: it has not come whole. */
static int
socks_string(struct rd *r, char *out, size_t size)
{
	const uint8_t *end =
	    rd_left(r) == 0 ? NULL : memchr(r->p, 0, rd_left(r));
	size_t n = end == NULL ? rd_left(r) : (size_t)(end - r->p);

	peer_check(n < size);
	if (end == NULL)
		return 0;
	memcpy(out, r->p, n);
	out[n] = '\0';
	(void)rd_bytes(r, n + 1);
	return 1;
}

static int
socks4_read(struct rd *r, struct ssp_place *place, struct buf *out)
{
	static const uint8_t refused[8] = { 0, SOCKS4_NO };
	char user[SSP_PLACE_MAX];
	const uint8_t *ip;
	uint8_t command;
	int e;

	if (rd_left(r) < 8)
		return 0;
	(void)rd_u8(r);
	command = rd_u8(r);
	place->port = rd_u16(r);
	ip = rd_bytes(r, 4);
	if ((e = socks_string(r, user, sizeof(user))) <= 0)
		return e;
	if (ip[0] == 0 && ip[1] == 0 && ip[2] == 0 && ip[3] != 0) {
		/* 4a: a name follows. */
		if ((e = socks_string(r, place->host, sizeof(place->host))) <=
		    0)
			return e;
	} else {
		snprintf(place->host, sizeof(place->host), "%u.%u.%u.%u", ip[0],
		    ip[1], ip[2], ip[3]);
	}
	if (command != 1 || *place->host == '\0') {
		(void)buf_add(out, refused, sizeof(refused));
		return -ERR_UNSUPPORTED;
	}
	return 1;
}

/* Answers the methods: none but "no authentication". */
static int
socks5_greet(struct socks *s, struct rd *r, struct buf *out)
{
	static const uint8_t none[2] = { 5, 0 }, no[2] = { 5, 0xff };
	const uint8_t *methods;
	size_t n;

	if (rd_left(r) < 2 || rd_left(r) < 2 + (size_t)r->p[1])
		return 0;
	(void)rd_u8(r);
	n = rd_u8(r);
	methods = rd_bytes(r, n);
	if (n == 0 || memchr(methods, 0, n) == NULL) {
		(void)buf_add(out, no, sizeof(no));
		return -ERR_UNSUPPORTED;
	}
	(void)buf_add(out, none, sizeof(none));
	s->greeted = true;
	return 1;
}

static void
socks5_v6(const uint8_t *a, char *out, size_t size)
{
	size_t n = 0;
	unsigned i;

	for (i = 0; i < 8; i++)
		n += (size_t)snprintf(out + n, size - n, "%s%x",
		    i > 0 ? ":" : "", (unsigned)(a[2 * i] << 8 | a[2 * i + 1]));
}

static int
socks5_read(struct rd *r, struct ssp_place *place, struct buf *out)
{
	uint8_t command, type;
	const uint8_t *a;
	size_t n;

	if (rd_left(r) < 5)
		return 0;
	peer_check(r->p[0] == 5);
	command = r->p[1];
	type = r->p[3];
	n = type == 1 ? 4 : type == 4 ? 16 : (size_t)r->p[4] + 1;
	if (type != 1 && type != 3 && type != 4)
		return socks5_refuse(out, SOCKS5_ADDRESS);
	if (rd_left(r) < 4 + n + 2)
		return 0;
	(void)rd_bytes(r, 4);
	a = rd_bytes(r, n);
	place->port = rd_u16(r);
	if (type == 1) {
		snprintf(place->host, sizeof(place->host), "%u.%u.%u.%u", a[0],
		    a[1], a[2], a[3]);
	} else if (type == 4) {
		socks5_v6(a, place->host, sizeof(place->host));
	} else {
		peer_check(n > 1 && memchr(a + 1, 0, n - 1) == NULL);
		memcpy(place->host, a + 1, n - 1);
		place->host[n - 1] = '\0';
	}
	return command == 1 ? 1 : socks5_refuse(out, SOCKS5_COMMAND);
}

int
socks_read(struct socks *s, const uint8_t *data, size_t n, size_t *used,
    struct ssp_place *place, struct buf *out)
{
	struct rd r;
	int e = 1;

	*used = 0;
	memset(place, 0, sizeof(*place));
	rd_init(&r, data, n);
	if (n == 0)
		return 0;
	if (s->version == 0) {
		peer_check(data[0] == 4 || data[0] == 5);
		s->version = data[0];
	}
	if (s->version == 4) {
		e = socks4_read(&r, place, out);
	} else {
		if (!s->greeted && (e = socks5_greet(s, &r, out)) == 1)
			*used = n - rd_left(&r);
		if (e == 1)
			e = socks5_read(&r, place, out);
	}
	if (e == 1)
		*used = n - rd_left(&r);
	/* security: a program that never ends its request. */
	peer_check(e != 0 || n - *used < SOCKS_REQUEST_MAX);
	return e;
}
