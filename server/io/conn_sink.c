#include "server/io/conn_sink.h"

#include <string.h>

#include "server/io/conn.h"

static void
put_lines(const struct sink *s, const char *p, size_t n)
{
	conn_out(s->arg, p, n);
}

static void
put_bytes(const struct sink *s, const void *p, size_t n)
{
	conn_out(s->arg, p, n);
}

static void
put_error(const struct sink *s, const char *text)
{
	conn_err(s->arg, text, strlen(text));
	conn_err(s->arg, "\n", 1);
	conn_set_exit_code(s->arg, 1);
}

static void
put_exit_code(const struct sink *s, int code)
{
	conn_set_exit_code(s->arg, code);
}

static void
read_file(const struct sink *s, const char *path, sink_read_fn done, void *arg)
{
	conn_read_file(s->arg, path, done, arg);
}

static void
write_file(const struct sink *s, const struct sink_file *f, sink_write_fn done,
    void *arg)
{
	conn_write_file(s->arg, f, done, arg);
}

struct sink
conn_sink(struct run *run, struct conn *cn)
{
	static const struct sink_ops ops = {
		.lines = put_lines,
		.bytes = put_bytes,
		.error = put_error,
		.exit_code = put_exit_code,
		.read = read_file,
		.write = write_file,
		.places = true,
	};

	return (struct sink){ &ops, run, cn };
}
