#include "client/cp/link.h"

#include <sys/stat.h>

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>

#include "base/io/stream.h"
#include "base/mem.h"

#define LINK_READ ((size_t)65536)
#define LINK_IN_FULL ((size_t)1 << 20)

int
cp_link_init(struct cp_link *l, int in, int out, const struct cp_user *user)
{
	l->in = in;
	l->out = out;
	l->user = user;
	l->used = 0;
	buf_init(&l->rx, LINK_IN_FULL + 2 * LINK_READ + CP_DATA_MAX);
	buf_init(&l->tx, (size_t)16 << 20);
	return stream_prepare(in) != 0 || stream_prepare(out) != 0 ? -ERR_SYS
								   : 0;
}

void
cp_link_fini(struct cp_link *l)
{
	buf_fini(&l->rx);
	buf_fini(&l->tx);
}

static int
link_write(struct cp_link *l)
{
	size_t put;
	int e;

	while (l->tx.len > 0) {
		e = stream_write(l->out, l->tx.data, l->tx.len, &put);
		if (e == -ERR_AGAIN)
			return 0;
		if (e != 0)
			return -ERR_CLOSED;
		buf_consume(&l->tx, put);
	}
	return 0;
}

static int
link_read(struct cp_link *l)
{
	uint8_t *p;
	size_t got;
	int e;

	if (buf_reserve(&l->rx, LINK_READ, &p) != 0)
		return -ERR_PEER;
	e = stream_read(l->in, p, LINK_READ, &got);
	if (e == -ERR_AGAIN)
		return 0;
	if (e != 0)
		return -ERR_CLOSED;
	buf_commit(&l->rx, got);
	return 0;
}

/* Waits at most once if WAIT is set; reads and writes what is possible. */
static int
link_turn(struct cp_link *l, bool wait)
{
	struct pollfd p[2] = {
		{ .fd = l->rx.len < LINK_IN_FULL ? l->in : -1,
		    .events = POLLIN },
		{ .fd = l->tx.len > 0 ? l->out : -1, .events = POLLOUT },
	};
	int n, e = 0;

	n = poll(p, 2, wait ? cp_tell_wait(l->user) : 0);
	if (n < 0)
		return errno == EINTR ? 0 : -ERR_SYS;
	if (n == 0 && wait)
		cp_tell_still(l->user);
	if (p[1].revents != 0)
		e = link_write(l);
	if (e == 0 && p[0].revents != 0)
		e = link_read(l);
	return e;
}

/* Drops the message that was taken last. */
static void
link_drop(struct cp_link *l)
{
	buf_consume(&l->rx, l->used);
	l->used = 0;
}

int
cp_link_flush(struct cp_link *l, size_t most)
{
	int e = 0;

	link_drop(l);
	if (l->tx.overflow)
		return -ERR_LIMIT;
	while (e == 0 && l->tx.len > most)
		e = link_turn(l, true);
	return e;
}

int
cp_link_next(struct cp_link *l, bool wait, struct cp_msg *m)
{
	size_t used;
	int e;

	link_drop(l);
	for (;;) {
		e = cp_get(l->rx.data, l->rx.len, m, &used);
		if (e == 0) {
			l->used = used;
			return 1;
		}
		if (e != -ERR_AGAIN)
			return e;
		if ((e = link_turn(l, wait)) != 0)
			return e;
		if (!wait &&
		    cp_get(l->rx.data, l->rx.len, m, &used) == -ERR_AGAIN)
			return 0;
	}
}

/* --- words and times ---------------------------------------------------------- */

void
cp_say(struct cp_link *l, struct cp_user *u, const char *path, const char *why)
{
	char text[CP_PATH_MAX + 256];
	struct cp_msg m = { .kind = CP_SAY };

	snprintf(text, sizeof(text), "%s: %s", path, why);
	if (u != NULL) {
		cp_tell_error(u, text);
		return;
	}
	m.text = (const uint8_t *)text;
	m.ntext = strlen(text);
	cp_put(&l->tx, &m);
}

void
cp_said(struct cp_user *u, const struct cp_msg *m)
{
	char *text;

	if (u == NULL)
		return;
	text = mem_strndup((const char *)m->text, m->ntext);
	cp_tell_error(u, text);
	mem_free(text);
}

uint64_t
cp_file_time(const struct stat *st)
{
#ifdef __APPLE__
	const struct timespec *t = &st->st_mtimespec;
#else
	const struct timespec *t = &st->st_mtim;
#endif

	return (uint64_t)t->tv_sec * 1000000000u + (uint64_t)t->tv_nsec;
}
