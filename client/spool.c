#include "client/spool.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/mem.h"

/* Bytes that are read from the file at a time. */
#define SPOOL_READ (256u << 10)

struct spool {
	struct buf head; /* the first bytes */
	struct buf tail; /* the last: those for which the file has no room */
	int fd;          /* of the bytes between; -1: no file */
	uint64_t begin;  /* offsets in the file */
	uint64_t end;
};

static int
open_in(const char *dir)
{
	char *path;
	int fd;

	if (dir == NULL || *dir == '\0')
		return -1;
#ifdef O_TMPFILE
	if ((fd = open(dir, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600)) >= 0)
		return fd;
#endif
	path = mem_printf("%s/rmux-......", dir);
	memset(path + strlen(path) - 6, 'X', 6); /* for mkstemp */
	if ((fd = mkstemp(path)) >= 0) {
		(void)unlink(path);
		(void)fcntl(fd, F_SETFD, FD_CLOEXEC);
	}
	mem_free(path);
	return fd;
}

struct spool *
spool_new(const char *dir)
{
	struct spool *s = mem_zalloc(sizeof(*s));

	/* /tmp is often memory. */
	if ((s->fd = open_in(dir != NULL ? dir : getenv("TMPDIR"))) < 0 &&
	    dir == NULL && (s->fd = open_in("/var/tmp")) < 0)
		s->fd = open_in("/tmp");
	buf_init(&s->head, BUF_MAX);
	buf_init(&s->tail, BUF_MAX);
	return s;
}

void
spool_free(struct spool *s)
{
	if (s == NULL)
		return;
	if (s->fd >= 0)
		close(s->fd);
	buf_fini(&s->head);
	buf_fini(&s->tail);
	mem_free(s);
}

/* Writes to the end of the file; returns the bytes that it took. */
static size_t
file_add(struct spool *s, const uint8_t *p, size_t n)
{
	size_t done = 0;
	ssize_t k;

	while (s->fd >= 0 && done < n && s->end < SPOOL_FILE_MAX) {
		k = pwrite(s->fd, p + done, n - done, (off_t)s->end);
		if (k < 0 && errno == EINTR)
			continue;
		if (k <= 0)
			break;
		done += (size_t)k;
		s->end += (uint64_t)k;
	}
	return done;
}

void
spool_add(struct spool *s, const void *p, size_t n)
{
	size_t k;

	if (s->begin == s->end && s->tail.len == 0 &&
	    s->head.len + n <= SPOOL_MEMORY) {
		(void)buf_add(&s->head, p, n);
		return;
	}
	k = s->tail.len == 0 ? file_add(s, p, n) : 0;
	(void)buf_add(&s->tail, (const uint8_t *)p + k, n - k);
}

/* Empties the file, which gives its blocks back. */
static void
file_clear(struct spool *s)
{
	if (s->end > 0 && s->fd >= 0 && ftruncate(s->fd, 0) != 0) {
		/* The blocks go back when the process ends. */
	}
	s->begin = s->end = 0;
}

/* Fills the head, which is empty, from the file and then from the tail. */
static void
refill(struct spool *s)
{
	struct buf b;
	uint8_t *p;
	ssize_t k;

	if (s->begin < s->end) {
		(void)buf_reserve(&s->head, SPOOL_READ, &p);
		do
			k = pread(s->fd, p,
			    (size_t)MIN_OF(
				(uint64_t)SPOOL_READ, s->end - s->begin),
			    (off_t)s->begin);
		while (k < 0 && errno == EINTR);
		if (k > 0) {
			buf_commit(&s->head, (size_t)k);
			s->begin += (uint64_t)k;
		} else
			s->begin = s->end; /* the disk has failed */
	}
	if (s->begin < s->end)
		return;
	file_clear(s);
	if (s->head.len == 0) {
		b = s->head;
		s->head = s->tail;
		s->tail = b;
	}
}

size_t
spool_take(struct spool *s, void *out, size_t max)
{
	size_t n, done = 0;

	while (done < max) {
		if (s->head.len == 0)
			refill(s);
		if ((n = MIN_OF(s->head.len, max - done)) == 0)
			break;
		memcpy((uint8_t *)out + done, s->head.data, n);
		buf_consume(&s->head, n);
		done += n;
	}
	return done;
}

void
spool_clear(struct spool *s)
{
	buf_clear(&s->head);
	buf_clear(&s->tail);
	file_clear(s);
}

uint64_t
spool_len(const struct spool *s)
{
	return s->head.len + (s->end - s->begin) + s->tail.len;
}

bool
spool_full(const struct spool *s)
{
	return s->tail.len >= SPOOL_MEMORY;
}
