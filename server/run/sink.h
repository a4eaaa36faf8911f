/*
 * server/run/sink.h - where a command's output, errors and files go.
 *
 * Purpose:   one interface over the kinds of callers: a process on the control
 *            socket, an attached client, the configuration, nobody.  Commands
 *            write to a sink and do not ask what is behind it.
 * Ownership: a struct sink is a value; what it points to is borrowed and may
 *            be gone after the next turn of the loop.  Keep ids and make the
 *            sink again (server/cmd/sink.h).
 * Units:     bytes.
 * Tests:     regress/unit/check_sink.c
 *
 * Adding a kind: a file with its sink_ops, and a row in server/cmd/sink.c.
 */
#ifndef SERVER_RUN_SINK_H
#define SERVER_RUN_SINK_H

#include <stdbool.h>
#include <stddef.h>

struct run;
struct sink;

/* Called once, with errno or 0; it owns DATA (mem_free). */
typedef void (*sink_read_fn)(void *arg, int error, char *data, size_t len);
typedef void (*sink_write_fn)(void *arg, int error);

/* A file to be written for a caller. */
struct sink_file {
	const char *path; /* "-": the caller's standard input or output */
	bool append;
	const void *data;
	size_t len;
};

struct sink_ops {
	/* Lines of output, each with its newline. */
	void (*lines)(const struct sink *s, const char *p, size_t n);
	/* Output as it is, which may end without a newline. */
	void (*bytes)(const struct sink *s, const void *p, size_t n);
	/* An error, without a newline. */
	void (*error)(const struct sink *s, const char *text);
	/* The exit code; NULL: nobody waits for one. */
	void (*exit_code)(const struct sink *s, int code);
	/* Files on the caller's side; NULL: the server's own are meant. */
	void (*read)(const struct sink *s, const char *path, sink_read_fn done,
	    void *arg);
	void (*write)(const struct sink *s, const struct sink_file *f,
	    sink_write_fn done, void *arg);
	/* Errors name the file and line of the command. */
	bool places;
};

struct sink {
	const struct sink_ops *ops;
	struct run *run;
	void *arg;
};

/* Nobody: output is dropped. */
struct sink sink_nobody(struct run *run);

/* The configuration: errors are kept for the first client. */
struct sink sink_config(struct run *run);

void sink_lines(const struct sink *s, const char *p, size_t n);
void sink_bytes(const struct sink *s, const void *p, size_t n);
void sink_error(const struct sink *s, const char *text);
void sink_exit_code(const struct sink *s, int code);

/*
 * Reads or writes a file: the caller's, or the server's own.  Errors are
 * errno's: EFBIG: larger than the sink takes; EBADF: "-" without a caller.
 */
void sink_read(
    const struct sink *s, const char *path, sink_read_fn done, void *arg);
void sink_write(const struct sink *s, const struct sink_file *f,
    sink_write_fn done, void *arg);

#endif
