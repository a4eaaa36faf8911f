#include "client/desk/frame.h"

#include <errno.h>
#include <poll.h>
#include <unistd.h>

#include "base/io/sys.h"
#include "base/types.h"
#include "base/wire.h"
#include "client/desk/wire.h"

#define FRAME_PUT_MS 60000 /* without progress */

int
desk_bytes_put(int fd, const void *p, size_t n)
{
	struct pollfd pf = { .fd = fd, .events = POLLOUT };
	const uint8_t *at = p;
	ssize_t put;

	while (n > 0) {
		put = write(fd, at, n);
		if (put > 0) {
			at += put;
			n -= (size_t)put;
		} else if (put < 0 && errno == EAGAIN) {
			if (poll(&pf, 1, FRAME_PUT_MS) == 0)
				return -ERR_TIMEOUT;
		} else if (put == 0 || errno != EINTR)
			return -ERR_CLOSED;
	}
	return 0;
}

int
desk_bytes_get(int fd, void *p, size_t n, int ms)
{
	struct pollfd pf = { .fd = fd, .events = POLLIN };
	const mono_ms end = mono_add(sys_now(), (mono_ms)ms);
	uint8_t *at = p;
	ssize_t got;

	while (n > 0) {
		if (poll(&pf, 1, (int)mono_until(sys_now(), end)) == 0)
			return -ERR_TIMEOUT;
		if (pf.revents == 0)
			continue;
		got = read(fd, at, n);
		if (got > 0) {
			at += got;
			n -= (size_t)got;
		} else if (got == 0 || (errno != EINTR && errno != EAGAIN))
			return -ERR_CLOSED;
	}
	return 0;
}

int
desk_frame_put(int fd, const struct buf *b)
{
	uint8_t head[4];
	struct wr w;
	int e;

	if (b->overflow || b->len > DESK_FRAME_MAX)
		return -ERR_LIMIT;
	wr_init(&w, head, sizeof(head));
	wr_u32(&w, (uint32_t)b->len);
	e = desk_bytes_put(fd, head, sizeof(head));
	return e != 0 ? e : desk_bytes_put(fd, b->data, b->len);
}

int
desk_frame_get(int fd, struct buf *b, int ms)
{
	uint8_t head[4], *p;
	struct rd r;
	uint32_t n;
	int e;

	if ((e = desk_bytes_get(fd, head, sizeof(head), ms)) != 0)
		return e;
	rd_init(&r, head, sizeof(head));
	n = rd_u32(&r);
	if (n == 0 || n > DESK_FRAME_MAX || buf_reserve(b, n, &p) != 0)
		return -ERR_PEER;
	if ((e = desk_bytes_get(fd, p, n, ms)) == 0)
		buf_commit(b, n);
	return e;
}
