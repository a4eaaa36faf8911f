#include "server/run/sink.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/io/sys.h"
#include "base/mem.h"
#include "mux/paste.h"
#include "server/run/notes.h"
#include "server/run/run.h"

/* --- nobody, the configuration --------------------------------------------------- */

static void
drop_lines(UNUSED const struct sink *s, UNUSED const char *p, UNUSED size_t n)
{
}

static void
drop_bytes(UNUSED const struct sink *s, UNUSED const void *p, UNUSED size_t n)
{
}

static void
drop_error(UNUSED const struct sink *s, UNUSED const char *text)
{
}

static void
config_error(const struct sink *s, const char *text)
{
	notes_error(s->run, text);
}

struct sink
sink_nobody(struct run *run)
{
	static const struct sink_ops ops = {
		.lines = drop_lines,
		.bytes = drop_bytes,
		.error = drop_error,
		.places = true,
	};

	return (struct sink){ &ops, run, NULL };
}

struct sink
sink_config(struct run *run)
{
	static const struct sink_ops ops = {
		.lines = drop_lines,
		.bytes = drop_bytes,
		.error = config_error,
		.places = true,
	};

	return (struct sink){ &ops, run, NULL };
}

/* --- to any ------------------------------------------------------------------------ */

void
sink_lines(const struct sink *s, const char *p, size_t n)
{
	if (n > 0)
		s->ops->lines(s, p, n);
}

void
sink_bytes(const struct sink *s, const void *p, size_t n)
{
	if (n > 0)
		s->ops->bytes(s, p, n);
}

void
sink_error(const struct sink *s, const char *text)
{
	s->ops->error(s, text);
}

void
sink_exit_code(const struct sink *s, int code)
{
	if (s->ops->exit_code != NULL)
		s->ops->exit_code(s, code);
}

/* --- files ------------------------------------------------------------------------- */

void
sink_read(const struct sink *s, const char *path, sink_read_fn done, void *arg)
{
	struct cause why = { NULL };
	char *data = NULL;
	size_t len = 0;
	int r;

	if (s->ops->read != NULL) {
		s->ops->read(s, path, done, arg);
		return;
	}
	if (strcmp(path, "-") == 0) {
		done(arg, EBADF, NULL, 0);
		return;
	}
	errno = 0;
	r = sys_read_file(path, PASTE_SIZE_MAX, &data, &len, &why);
	if (r == 0)
		done(arg, 0, data, len);
	else if (r == -ERR_LIMIT)
		done(arg, EFBIG, NULL, 0);
	else
		done(arg, errno == 0 ? ENOENT : errno, NULL, 0);
	cause_fini(&why);
}

/* security: waits for no reader: a pipe or terminal may be another user's. */
static bool
write_now(int fd, const uint8_t *p, size_t n)
{
	ssize_t w = 1;

	while (n > 0 && (w > 0 || (w < 0 && errno == EINTR))) {
		w = write(fd, p, n);
		if (w > 0) {
			p += w;
			n -= (size_t)w;
		}
	}
	return n == 0;
}

void
sink_write(const struct sink *s, const struct sink_file *f, sink_write_fn done,
    void *arg)
{
	int fd, error = 0;

	if (s->ops->write != NULL) {
		s->ops->write(s, f, done, arg);
		return;
	}
	if (strcmp(f->path, "-") == 0) {
		done(arg, EBADF);
		return;
	}
	fd = open(f->path,
	    O_WRONLY | O_CREAT | O_CLOEXEC | O_NONBLOCK |
		(f->append ? O_APPEND : O_TRUNC),
	    0666);
	if (fd < 0 || !write_now(fd, f->data, f->len))
		error = errno;
	if (fd >= 0 && close(fd) != 0 && error == 0)
		error = errno;
	done(arg, error);
}
