#include "server/face/editor.h"

#include <sys/stat.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/str.h"
#include "mux/client.h"
#include "mux/mux.h"
#include "mux/session.h"
#include "mux/window.h"
#include "server/face/menu.h"
#include "server/face/message.h"
#include "server/face/popup.h"
#include "server/face/viewer.h"

#define EDITOR_FILE "/tmp/rmux."
#define EDITOR_RANDOM 8 /* bytes that mkstemp replaces */

/* Parts of the client that the editor gets. */
#define EDITOR_PART(cells) ((cells)*9 / 10)

struct editor {
	char path[sizeof(EDITOR_FILE) + EDITOR_RANDOM];
	bool line; /* the text ended in an end of line */
	editor_done_fn done;
	void *arg;
};

static int
write_all(int fd, const char *p, size_t n)
{
	ssize_t w;

	while (n > 0) {
		w = write(fd, p, n);
		if (w < 0 && errno == EINTR)
			continue;
		if (w <= 0)
			return -1;
		p += w;
		n -= (size_t)w;
	}
	return 0;
}

static int
make_file(struct editor *e, const void *p, size_t n, struct cause *why)
{
	int fd, error;

	memcpy(e->path, EDITOR_FILE, sizeof(EDITOR_FILE) - 1);
	memset(e->path + sizeof(EDITOR_FILE) - 1, 'X', EDITOR_RANDOM);
	/* security: mkstemp makes it for the user alone. */
	if ((fd = mkstemp(e->path)) < 0)
		return cause_set(why, -ERR_SYS,
		    "cannot make a file in /tmp: %s", strerror(errno));
	error = write_all(fd, p, n) != 0 ? errno : 0;
	if (close(fd) != 0 && error == 0)
		error = errno;
	if (error == 0)
		return 0;
	(void)unlink(e->path);
	return cause_set(why, -ERR_SYS, "%s: %s", e->path, strerror(error));
}

/* Reads the file into B; -ERR_LIMIT, -ERR_SYS. */
static int
read_file(const char *path, struct buf *b)
{
	/* An editor may have replaced the file by another one. */
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
	struct stat st;
	uint8_t *to;
	ssize_t n;
	int r = 0;

	if (fd < 0 || fstat(fd, &st) != 0 || !S_ISREG(st.st_mode))
		r = -ERR_SYS;
	while (r == 0) {
		if ((r = buf_reserve(b, 65536, &to)) != 0)
			break;
		if ((n = read(fd, to, 65536)) == 0)
			break;
		if (n > 0)
			buf_commit(b, (size_t)n);
		else if (errno != EINTR)
			r = -ERR_SYS;
	}
	if (fd >= 0)
		(void)close(fd);
	return r;
}

static void
editor_ended(void *arg, int status)
{
	struct editor *e = arg;
	struct buf b;
	size_t n = 0;

	buf_init(&b, EDITOR_TEXT_MAX + 65536);
	if (status == 0 && read_file(e->path, &b) == 0) {
		n = b.len;
		if (n > 0 && !e->line && b.data[n - 1] == '\n')
			n--;
	}
	(void)unlink(e->path);
	e->done(e->arg, n == 0 ? NULL : b.data, n);
	buf_fini(&b);
	mem_free(e);
}

static int
open_popup(struct viewer *vw, struct editor *e, struct cause *why)
{
	const struct client *c = vw->client;
	char *argv[1];
	struct popup_spec spec = {
		.box = { .w = EDITOR_PART(c->w), .h = EDITOR_PART(c->h) },
		.title = "",
		.flags = POPUP_CLOSE_EXIT,
		.program = { .session = c->session,
		    .cwd = c->session->path,
		    .argv = argv,
		    .argc = 1 },
		.done = editor_ended,
		.arg = e,
	};
	int r;

	if (popup_shown(vw) || menu_shown(vw))
		return cause_set(why, -ERR_EXISTS,
		    "close the menu or popup before you edit");
	spec.box.x = (c->w - spec.box.w) / 2;
	spec.box.y = (c->h - spec.box.h) / 2;
	spec.lines = (enum view_box_lines)options_number(
	    &client_link(c)->window->options, OPTION_POPUP_BORDER_LINES);
	if (!view_popup_sane(spec.lines, spec.box.w, spec.box.h))
		return cause_set(
		    why, -ERR_LIMIT, "the terminal is too small for an editor");
	argv[0] = mem_printf("%s %s",
	    options_string(&vw->run->mux->server_options, OPTION_EDITOR),
	    e->path);
	r = popup_open(vw, &spec, why);
	mem_free(argv[0]);
	return r;
}

void
editor_open(
    struct viewer *vw, const void *p, size_t n, editor_done_fn done, void *arg)
{
	struct editor *e;
	struct cause why = { NULL };
	const char *text = p;
	int r;

	e = mem_zalloc(sizeof(*e));
	e->done = done;
	e->arg = arg;
	e->line = n > 0 && text[n - 1] == '\n';
	if (n > EDITOR_TEXT_MAX)
		r = cause_set(&why, -ERR_LIMIT,
		    "the text is too large to edit: %zu MiB at most",
		    EDITOR_TEXT_MAX >> 20);
	else if ((r = make_file(e, p, n, &why)) == 0 &&
		 (r = open_popup(vw, e, &why)) != 0)
		(void)unlink(e->path);
	if (r == 0)
		return;
	message_show(vw, 0, cause_text(&why));
	cause_fini(&why);
	done(arg, NULL, 0);
	mem_free(e);
}
