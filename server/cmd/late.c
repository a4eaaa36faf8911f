/*
 * Commands that end later (cmd.h): what they say, and files of the caller.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/io/sys.h"
#include "base/mem.h"
#include "mux/paste.h"
#include "server/cmd/cmd.h"
#include "server/run/notes.h"

void
cmd_late_init(struct cmd_late *l, struct cmd_context *c, bool wait)
{
	*l = (struct cmd_late){
		.sv = c->sv,
		.conn = c->state->conn,
		.client = c->client == NULL ? MUX_NONE : c->client->id,
		.state = *c->state,
	};
	l->state.hook = NULL; /* its item may end first */
	if (wait)
		l->token = cmdq_wait(c->item);
}

/* The caller's connection if it reads what we say, else its viewer. */
static struct conn *
late_caller(const struct cmd_late *l, struct viewer **vw)
{
	struct conn *cn = conn_find(&l->sv->conns, l->conn);
	struct client *cl = mux_client(l->sv->run.mux, l->client);

	*vw = cl == NULL ? NULL : viewer_find(&l->sv->viewers, cl);
	return cn == NULL || viewer_of_conn(cn) != NULL ? NULL : cn;
}

void
cmd_late_out(const struct cmd_late *l, const void *p, size_t n)
{
	struct viewer *vw;
	struct conn *cn = late_caller(l, &vw);
	const char *text = p;
	char *line;

	if (cn != NULL) {
		conn_out(cn, p, n);
	} else if (vw != NULL && n > 0) {
		line = mem_strndup(text, n);
		line[strcspn(line, "\n")] = '\0';
		viewer_message(vw, 0, line);
		mem_free(line);
	}
}

void
cmd_late_error(const struct cmd_late *l, const char *fmt, ...)
{
	struct viewer *vw;
	struct conn *cn = late_caller(l, &vw);
	va_list ap;
	char *text;

	va_start(ap, fmt);
	text = mem_vprintf(fmt, ap);
	va_end(ap);
	if (cn != NULL) {
		conn_err(cn, text, strlen(text));
		conn_err(cn, "\n", 1);
		conn_set_exit_code(cn, 1);
	} else if (vw != NULL) {
		if (*text >= 'a' && *text <= 'z')
			*text = (char)(*text - 'a' + 'A');
		viewer_message(vw, 4000, text);
	} else if (l->state.flags & CMD_STATE_CONFIG)
		notes_error(&l->sv->run, text);
	mem_free(text);
}

void
cmd_late_end(struct cmd_late *l, bool failed)
{
	if (l->token != 0)
		(void)cmdq_continue(&l->sv->run, l->token, failed);
	l->token = 0;
}

/* --- files --------------------------------------------------------------------- */

char *
cmd_path_new(struct cmd_context *c, const char *path)
{
	const char *cwd = NULL;

	if (c->conn != NULL)
		cwd = conn_cwd(c->conn);
	else if (c->current.s != NULL)
		cwd = c->current.s->path;
	return *path == '/' || cwd == NULL || strcmp(path, "-") == 0
		   ? mem_strdup(path)
		   : mem_printf("%s/%s", cwd, path);
}

void
cmd_read_file(
    struct cmd_context *c, const char *path, conn_read_fn done, void *arg)
{
	struct cause why = { NULL };
	char *data = NULL;
	size_t len = 0;
	int r;

	if (conn_reads(c->conn)) {
		conn_read_file(c->conn, path, done, arg);
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

void
cmd_write_file(struct cmd_context *c, const char *path, bool append,
    const void *p, size_t n, conn_write_fn done, void *arg)
{
	int fd, error = 0;

	if (conn_reads(c->conn)) {
		conn_write_file(c->conn, path, append, p, n, done, arg);
		return;
	}
	if (strcmp(path, "-") == 0) {
		done(arg, EBADF);
		return;
	}
	fd = open(path,
	    O_WRONLY | O_CREAT | O_CLOEXEC | O_NONBLOCK |
		(append ? O_APPEND : O_TRUNC),
	    0666);
	if (fd < 0 || sys_write_all(fd, p, n) != 0)
		error = errno;
	if (fd >= 0 && close(fd) != 0 && error == 0)
		error = errno;
	done(arg, error);
}
