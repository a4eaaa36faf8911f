/*
 * server/run/sink.h - the output, errors and files of commands.
 *
 * Purpose:   one interface over the kinds of callers: a process on the control
 *            socket, an attached client, the configuration, nobody.  Commands
 *            write to a sink and do not know which kind it is.
 * Ownership: a struct sink is a value.  It borrows its pointers, which may be
 *            invalid after the next turn of the loop: keep ids and make the
 *            sink again (server/cmd/sink.h).
 * Units:     bytes.
 * Tests:     regress/unit/check_sink.c
 *
 * To add a kind, write a file with its sink_ops and add a row to
 * server/cmd/sink.c.
 */
#ifndef SERVER_RUN_SINK_H
#define SERVER_RUN_SINK_H

#include <stdbool.h>
#include <stddef.h>

struct run;
struct sink;

/* Called once, with errno or 0; takes DATA over (mem_free). */
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
	/* Raw output, which may end without a newline. */
	void (*bytes)(const struct sink *s, const void *p, size_t n);
	/* An error, without a newline. */
	void (*error)(const struct sink *s, const char *text);
	/* The exit code; NULL: there is no process that exits. */
	void (*exit_code)(const struct sink *s, int code);
	/*
	 * Files of the caller's process; NULL: the server opens files itself.
	 */
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

/* No caller: output is dropped. */
struct sink sink_nobody(struct run *run);

/* The configuration: errors are kept for the first client. */
struct sink sink_config(struct run *run);

void sink_lines(const struct sink *s, const char *p, size_t n);
void sink_bytes(const struct sink *s, const void *p, size_t n);
void sink_error(const struct sink *s, const char *text);
void sink_exit_code(const struct sink *s, int code);

/*
 * Reads or writes a file, by the caller's process or by the server. Errors are
 * errno values; EFBIG: larger than the sink takes; EBADF: "-" without a
 * process.
 */
void sink_read(
    const struct sink *s, const char *path, sink_read_fn done, void *arg);
void sink_write(const struct sink *s, const struct sink_file *f,
    sink_write_fn done, void *arg);

#endif
