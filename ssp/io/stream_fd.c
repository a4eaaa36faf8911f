#include "ssp/io/stream_fd.h"

#include "base/err.h"
#include "base/io/stream.h"

int
stream_fd_read(struct ssp_stream_link *l, int fd)
{
	uint8_t *p;
	size_t n, got;
	int r;

	n = ssp_stream_link_room(l, &p);
	if ((r = stream_read(fd, p, n, &got)) != 0)
		return r;
	ssp_stream_link_commit(l, got);
	return 0;
}

int
stream_fd_write(struct ssp_stream_link *l, int fd)
{
	const uint8_t *p;
	size_t n, put;
	int r;

	while ((n = ssp_stream_link_pending(l, &p)) > 0) {
		if ((r = stream_write(fd, p, n, &put)) != 0)
			return r;
		ssp_stream_link_written(l, put);
	}
	return 0;
}
