#include "base/io/stream.h"

#include <sys/socket.h>

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

int
stream_prepare(int fd)
{
	int flags = fcntl(fd, F_GETFL);

	if (flags < 0 || fcntl(fd, F_SETFL, flags | O_NONBLOCK) < 0 ||
	    fcntl(fd, F_SETFD, FD_CLOEXEC) < 0)
		return -ERR_SYS;
	return 0;
}

bool
stream_is_file(int fd)
{
	/* A confined process may not call fstat. */
	return lseek(fd, 0, SEEK_CUR) != -1;
}

static int
stream_error(void)
{
	if (errno == EAGAIN)
		return -ERR_AGAIN;
	/* EIO comes from a pty, the others from a socket or pipe. */
	if (errno == EPIPE || errno == ECONNRESET || errno == EIO)
		return -ERR_CLOSED;
	return -ERR_SYS;
}

int
stream_read(int fd, void *p, size_t n, size_t *got)
{
	ssize_t r;

	*got = 0;
	do
		r = read(fd, p, n);
	while (r < 0 && errno == EINTR);
	if (r < 0)
		return stream_error();
	if (r == 0)
		return -ERR_CLOSED;
	*got = (size_t)r;
	return 0;
}

int
stream_write(int fd, const void *p, size_t n, size_t *put)
{
	ssize_t r;

	*put = 0;
	/* A socket must not raise SIGPIPE; anything else takes write(). */
	do {
#ifdef MSG_NOSIGNAL
		r = send(fd, p, n, MSG_NOSIGNAL);
		if (r < 0 && errno == ENOTSOCK)
#endif
			r = write(fd, p, n);
	} while (r < 0 && errno == EINTR);
	if (r < 0)
		return stream_error();
	*put = (size_t)r;
	return 0;
}
