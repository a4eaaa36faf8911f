/*
 * security: the other end may be hostile. It chooses names and bytes; the folder,
 * the program that opens and the permission are this machine's.
 */
#include "client/desk/desk.h"

#include <sys/socket.h>
#include <sys/stat.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/io/confine.h"
#include "base/io/fdpass.h"
#include "base/io/sys.h"
#include "base/mem.h"
#include "base/types.h"
#include "client/cp/send.h"
#include "client/cp/take.h"
#include "client/desk/clip.h"
#include "client/desk/frame.h"

#define DESK_REQUEST_MS 15000
#define DESK_END_MS 60000 /* until the pane has heard that all is copied */
#define DESK_TRIES 1000   /* names "x (2)", "x (3)", ... */
#define DESK_WORDS 16     /* of --desk-open */
#define DESK_WALK 16      /* folders that are open at a time */
/* A file may grow while it is sent. */
#define DESK_SPARE ((uint64_t)1 << 20)

#ifdef __APPLE__
# define DESK_OPENER "open"
#else
# define DESK_OPENER "xdg-open"
#endif
#ifndef MSG_NOSIGNAL
# define MSG_NOSIGNAL 0
#endif

struct desk {
	const struct desk_cfg *cfg;
	int fd;
	int ask;
	char *folder; /* a path */
	char *shown;  /* as people write it */
	struct desk_request q;
	uint64_t files; /* of the question */
	uint64_t bytes;
	char *tmp;       /* below the folder: what has not got its name */
	struct buf told; /* lines: where each file went */
	char *last;      /* the path of the last one */
	/* The process that opens, which is not confined; -1: none. */
	int opener_in;
	int opener_out;
	/* The same for the process that reads the clipboard. */
	int clip_in;
	int clip_out;
};

bool
desk_policy_parse(const char *word, enum desk_policy *out)
{
	static const char *const words[] = {
		[DESK_ASK] = "ask", [DESK_ON] = "on", [DESK_OFF] = "off"
	};
	unsigned i;

	for (i = 0; i < ARRAY_LEN(words); i++)
		if (strcmp(word, words[i]) == 0) {
			*out = (enum desk_policy)i;
			return true;
		}
	return false;
}

/* Answers; false: the pane has gone. */
static bool
desk_answer(const struct desk *d, bool ok, const char *text)
{
	const struct desk_answer a = { ok, text, strlen(text) };
	struct buf b;
	int e;

	buf_init(&b, DESK_FRAME_MAX);
	desk_answer_put(&b, &a);
	e = desk_frame_put(d->fd, &b);
	buf_fini(&b);
	return e == 0;
}

static void
desk_deny(const struct desk *d, const char *what, const char *why)
{
	char *text = mem_printf("%s: %s", what, why);

	(void)desk_answer(d, false, text);
	mem_free(text);
}

/* --- the folder ------------------------------------------------------------------ */

/* Finds the folder, and makes it if it is missing. */
static bool
desk_folder(struct desk *d)
{
	const char *home = getenv("HOME"), *path = d->cfg->folder;
	const size_t n = home == NULL ? 0 : strlen(home);
	struct stat st;

	if (path == NULL && n == 0) {
		desk_deny(d, "the folder there", "there is no home directory");
		return false;
	}
	d->folder = path == NULL ? mem_printf("%s/Downloads", home)
		    : strncmp(path, "~/", 2) == 0 && n > 0
			? mem_printf("%s/%s", home, path + 2)
			: mem_strdup(path);
	d->shown =
	    n > 1 && strncmp(d->folder, home, n) == 0 && d->folder[n] == '/'
		? mem_printf("~%s", d->folder + n)
		: mem_strdup(d->folder);
	if (mkdir(d->folder, 0755) != 0 && errno != EEXIST) {
		desk_deny(d, d->shown, strerror(errno));
		return false;
	}
	if (stat(d->folder, &st) == 0 && S_ISDIR(st.st_mode))
		return true;
	desk_deny(d, d->shown, "no folder");
	return false;
}

/* --- permission -------------------------------------------------------------------- */

/* Passes the question to the client, with the end at which it answers. */
static bool
ask_send(const struct desk *d, int fd)
{
	struct desk_ask q;

	memset(&q, 0, sizeof(q));
	q.what = d->q.what;
	desk_question(&d->q, d->shown, d->files, d->bytes, q.text);
	return fdpass_send(d->ask, &q, sizeof(q), &fd, 1, 0) ==
	       (ssize_t)sizeof(q);
}

/* Waits for the user's word, or for the end of the pane's program. */
static char
ask_wait(const struct desk *d, int fd)
{
	struct pollfd p[2] = { { .fd = fd, .events = POLLIN },
		{ .fd = d->fd, .events = POLLIN } };
	/* The client's own limit comes first. */
	const mono_ms end = mono_add(sys_now(), DESK_ASK_MS + 5000);
	char said = DESK_SAID_LATE;

	while (poll(p, 2, (int)mono_until(sys_now(), end)) != 0) {
		if (p[0].revents != 0)
			return read(fd, &said, 1) == 1 ? said
						       : DESK_SAID_NOBODY;
		/* It has nothing to say before the answer. */
		if (p[1].revents != 0)
			return DESK_SAID_NO;
	}
	return said;
}

static bool
desk_allowed(struct desk *d)
{
	char said = DESK_SAID_NOBODY;
	int fd[2];

	if (d->cfg->policy == DESK_ON)
		return true;
	if (d->cfg->policy == DESK_ASK &&
	    socketpair(AF_UNIX, SOCK_STREAM, 0, fd) == 0) {
		if (ask_send(d, fd[1])) {
			(void)close(fd[1]);
			said = ask_wait(d, fd[0]);
		} else
			(void)close(fd[1]);
		(void)close(fd[0]);
	}
	if (said == DESK_SAID_YES)
		return true;
	(void)desk_answer(d, false,
	    said == DESK_SAID_LATE ? "nobody there has answered in time"
	    : said == DESK_SAID_NOBODY
		? "the client there has no terminal to ask at (--desk=on "
		  "allows all)"
		: "the user there has said no");
	return false;
}

/* --- files for the folder ------------------------------------------------------------- */

static int
tree_remove_one(const char *path, UNUSED const struct stat *st, UNUSED int type,
    UNUSED struct FTW *ftw)
{
	return remove(path);
}

/* Reserves a name that nobody has; returns the path (mem_free), or NULL. */
static char *
name_reserve(const struct desk *d, const char *name, bool dir)
{
	char *base, *path;
	unsigned i;
	int fd;

	for (i = 1; i < DESK_TRIES; i++) {
		base = desk_name_new(name, i);
		path = mem_printf("%s/%s", d->folder, base);
		mem_free(base);
		fd = dir ? mkdir(path, 0700)
			 : open(path,
			       O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW |
				   O_CLOEXEC,
			       0600);
		if (fd >= 0) {
			if (!dir)
				(void)close(fd);
			return path;
		}
		mem_free(path);
		if (errno != EEXIST)
			return NULL;
	}
	return NULL;
}

/* Gives the file or folder NAME, which has come, its place; tells it. */
static void
file_place(struct desk *d, const char *name)
{
	char *from = mem_printf("%s/%s", d->tmp, name), *path = NULL;
	struct stat st;

	if (lstat(from, &st) != 0) {
		mem_free(from);
		return;
	}
	if (S_ISREG(st.st_mode) || S_ISDIR(st.st_mode))
		path = name_reserve(d, name, S_ISDIR(st.st_mode));
	if (path != NULL && rename(from, path) == 0) {
		mem_free(d->last);
		d->last = mem_strdup(path);
		(void)buf_addf(&d->told, "%s -> %s%s\n", name, d->shown,
		    path + strlen(d->folder));
	} else
		(void)buf_addf(&d->told, "%s: %s\n", name, strerror(errno));
	mem_free(path);
	mem_free(from);
}

/* Takes the files; false: they have not come whole. */
static bool
desk_take(struct desk *d)
{
	union {
		char **in;
		const char *const *out;
	} names = { d->q.names };
	const struct cp_take_cfg cfg = { .in = d->fd,
		.out = d->fd,
		.to = d->tmp,
		.recurse = d->q.recurse,
		.names = names.out,
		.plain = true,
		.most_bytes = d->bytes + DESK_SPARE,
		.most_files = d->files };

	return cp_take(&cfg) < 2;
}

static void
tmp_remove(struct desk *d)
{
	if (d->tmp != NULL)
		(void)nftw(
		    d->tmp, tree_remove_one, DESK_WALK, FTW_DEPTH | FTW_PHYS);
	mem_free(d->tmp);
	d->tmp = NULL;
}

/* Makes a folder for what has not come whole. */
static bool
tmp_make(struct desk *d)
{
	unsigned i;

	for (i = 0; i < DESK_TRIES; i++) {
		d->tmp =
		    mem_printf("%s/.rmux-%ld-%u", d->folder, (long)getpid(), i);
		if (mkdir(d->tmp, 0700) == 0)
			return true;
		mem_free(d->tmp);
		d->tmp = NULL;
		if (errno != EEXIST)
			return false;
	}
	return false;
}

/* Saves the files; true: at least one. */
static bool
desk_save(struct desk *d)
{
	uint8_t heard;
	bool whole;
	size_t i;

	if (!tmp_make(d)) {
		desk_deny(d, d->shown, strerror(errno));
		return false;
	}
	whole = desk_answer(d, true, "") && desk_take(d);
	for (i = 0; whole && i < d->q.n; i++)
		file_place(d, d->q.names[i]);
	tmp_remove(d);
	/* It reads nothing more of the copy from then on. */
	return whole && desk_bytes_get(d->fd, &heard, 1, DESK_END_MS) == 0 &&
	       d->last != NULL;
}

/* --- files of the folder ----------------------------------------------------------------- */

/* Whether no part of the path is a link; ST: what it leads to. */
static bool
path_plain(const char *folder, const char *name, struct stat *st)
{
	char *path = mem_printf("%s/%s", folder, name), *p;
	bool plain = true;

	for (p = path + strlen(folder) + 1; plain; p++) {
		p += strcspn(p, "/");
		if (*p == '\0')
			break;
		*p = '\0';
		plain = lstat(path, st) == 0 && S_ISDIR(st->st_mode);
		*p = '/';
	}
	plain = plain && lstat(path, st) == 0;
	if (plain && !S_ISREG(st->st_mode) && !S_ISDIR(st->st_mode)) {
		plain = false;
		errno = EINVAL;
	}
	mem_free(path);
	return plain;
}

/* Finds the files, for the question. */
static bool
desk_find(struct desk *d)
{
	struct stat st;
	size_t i;

	for (i = 0; i < d->q.n; i++) {
		errno = ENOENT;
		if (!path_plain(d->folder, d->q.names[i], &st)) {
			desk_deny(d, d->q.names[i], strerror(errno));
			return false;
		}
		d->files++;
		d->bytes += S_ISREG(st.st_mode) ? (uint64_t)st.st_size : 0;
	}
	return true;
}

static void
desk_send(struct desk *d, const char *folder, const char *told)
{
	char **paths = mem_calloc(d->q.n + 1, sizeof(*paths));
	union {
		char **in;
		const char *const *out;
	} words = { paths };
	size_t i;

	for (i = 0; i < d->q.n; i++)
		paths[i] = mem_printf("%s/%s", folder, d->q.names[i]);
	if (desk_answer(d, true, told))
		(void)cp_send(&(const struct cp_send_cfg){ .in = d->fd,
		    .out = d->fd,
		    .paths = words.out,
		    .recurse = d->q.recurse });
	while (i > 0)
		mem_free(paths[--i]);
	mem_free(paths);
}

/* --- opening ------------------------------------------------------------------------------ */

/* Whether the opener may have WHAT. security: the desk reads hostile words. */
static bool
opener_may(const struct desk *d, const char *what)
{
	const size_t n = strlen(d->folder);

	return desk_url_ok(what) ||
	       (strncmp(what, d->folder, n) == 0 && what[n] == '/' &&
		   desk_path_ok(what + n + 1));
}

/* The program: no shell reads its words. */
NORETURN static void
opener_exec(const struct desk *d, const char *what)
{
	static const int signos[] = { SIGINT, SIGQUIT, SIGTSTP, SIGHUP,
		SIGPIPE };
	char *argv[DESK_WORDS + 2], *words, *word;
	size_t n = 0, i;
	int e;

	words = mem_strdup(d->cfg->open == NULL ? DESK_OPENER : d->cfg->open);
	while (n < DESK_WORDS && (word = strsep(&words, " \t")) != NULL)
		if (*word != '\0')
			argv[n++] = word;
	argv[n++] = mem_strdup(what);
	argv[n] = NULL;
	for (i = 0; i < ARRAY_LEN(signos); i++)
		(void)signal(signos[i], SIG_DFL);
	(void)execvp(argv[0], argv);
	e = errno;
	(void)!write(STDERR_FILENO + 2, &e, sizeof(e));
	_exit(1);
}

/* Waits for the word what to open, at the pipe IN; FAILED: for errno. */
NORETURN static void
opener_run(const struct desk *d, int in, int failed)
{
	char what[4096];
	int null = open("/dev/null", O_RDWR), e = EINVAL;
	size_t n = 0;
	ssize_t got;

	while (n < sizeof(what) - 1 &&
	       (got = read(in, what + n, sizeof(what) - 1 - n)) > 0)
		n += (size_t)got;
	what[n] = '\0';
	(void)dup2(null, STDIN_FILENO);
	(void)dup2(null, STDOUT_FILENO);
	(void)dup2(null, STDERR_FILENO);
	(void)dup2(failed, STDERR_FILENO + 2);
	(void)sys_set_cloexec(STDERR_FILENO + 2);
	(void)close(STDERR_FILENO + 1);
	sys_close_from(STDERR_FILENO + 3);
	if (n == 0)
		_exit(0);
	if (!opener_may(d, what)) {
		(void)!write(STDERR_FILENO + 2, &e, sizeof(e));
		_exit(0);
	}
	/* Nobody waits for it. */
	(void)setsid();
	if (fork() == 0)
		opener_exec(d, what);
	_exit(0);
}

/* Starts the opener, before the desk confines itself. */
static bool
opener_start(struct desk *d)
{
	int in[2], out[2];
	pid_t pid;

	if (pipe(in) != 0)
		return false;
	if (pipe(out) != 0 || (pid = fork()) < 0)
		return false;
	if (pid == 0) {
		(void)close(in[1]);
		opener_run(d, in[0], out[1]);
	}
	(void)close(in[0]);
	(void)close(out[1]);
	d->opener_in = in[1];
	d->opener_out = out[0];
	return true;
}

/* Opens; tells the pane why it cannot. */
static bool
desk_open(struct desk *d, const char *what)
{
	int e = 0;

	(void)sys_write_all(d->opener_in, what, strlen(what));
	(void)close(d->opener_in);
	d->opener_in = -1;
	while (read(d->opener_out, &e, sizeof(e)) < 0 && errno == EINTR)
		;
	if (e != 0)
		desk_deny(d, d->cfg->open == NULL ? DESK_OPENER : d->cfg->open,
		    strerror(e));
	return e == 0;
}

/* --- the clipboard ------------------------------------------------------------------------- */

/* Starts the process that reads the clipboard once it is allowed. */
static bool
clip_start(struct desk *d)
{
	int in[2], out[2];
	char go;
	pid_t pid;

	if (!tmp_make(d) || pipe(in) != 0)
		return false;
	if (pipe(out) != 0 || (pid = fork()) < 0)
		return false;
	if (pid == 0) {
		(void)close(in[1]);
		(void)close(out[0]);
		(void)close(d->fd);
		if (read(in[0], &go, 1) == 1)
			clip_collect(d->tmp);
		_exit(0);
	}
	(void)close(in[0]);
	(void)close(out[1]);
	d->clip_in = in[1];
	d->clip_out = out[0];
	return true;
}

/* Takes the names of what has been collected in place of the request's. */
static void
clip_names(struct desk *d)
{
	DIR *dir = opendir(d->tmp);
	const struct dirent *e;

	desk_request_fini(&d->q);
	while (dir != NULL && (e = readdir(dir)) != NULL &&
	       d->q.n < DESK_NAMES_MAX) {
		if (!desk_path_ok(e->d_name))
			continue;
		d->q.names[d->q.n++] = mem_strdup(e->d_name);
		(void)buf_addf(&d->told, "%s\n", e->d_name);
	}
	if (dir != NULL)
		(void)closedir(dir);
}

static void
desk_paste(struct desk *d)
{
	char end;

	(void)sys_write_all(d->clip_in, "!", 1);
	/* Its end closes the pipe. */
	while (read(d->clip_out, &end, 1) < 0 && errno == EINTR)
		;
	clip_names(d);
	if (d->q.n == 0)
		desk_deny(d, "the clipboard there",
		    "neither files nor an image (wl-paste, xclip or pngpaste "
		    "reads it)");
	else
		desk_send(d, d->tmp, buf_cstr(&d->told));
}

/* --- one request --------------------------------------------------------------------------- */

static void
desk_do(struct desk *d)
{
	d->files = d->q.files;
	d->bytes = d->q.bytes;
	if ((d->q.what == DESK_OPEN || d->q.what == DESK_SHOW) &&
	    !opener_start(d)) {
		desk_deny(d, "open", strerror(errno));
		return;
	}
	if (d->q.what == DESK_PASTE && !clip_start(d)) {
		desk_deny(d, "the clipboard", strerror(errno));
		return;
	}
	/* security: its own files are nobody else's. */
	(void)confine_folder(d->folder);
	if (d->q.what == DESK_READ) {
		d->files = d->bytes = 0;
		if (!desk_find(d))
			return;
	}
	if (!desk_allowed(d))
		return;
	switch (d->q.what) {
	case DESK_READ:
		desk_send(d, d->folder, "");
		break;
	case DESK_PASTE:
		desk_paste(d);
		break;
	case DESK_OPEN:
		if (desk_open(d, d->q.names[0]))
			(void)desk_answer(d, true, "");
		break;
	case DESK_SAVE:
	case DESK_SHOW:
		if (!desk_save(d))
			break;
		if (d->q.what == DESK_SAVE || desk_open(d, d->last))
			(void)desk_answer(d, true, buf_cstr(&d->told));
		break;
	}
}

static bool
desk_request(struct desk *d)
{
	struct buf in;
	int e;

	buf_init(&in, DESK_FRAME_MAX + 1);
	e = desk_frame_get(d->fd, &in, DESK_REQUEST_MS);
	if (e == 0)
		e = desk_request_get(&d->q, in.data, in.len);
	buf_fini(&in);
	if (e == -ERR_UNSUPPORTED)
		(void)desk_answer(
		    d, false, "the rmux there is another version: update it");
	else if (e == -ERR_PEER)
		(void)desk_answer(d, false,
		    "the desk there refuses that: plain names, and http, "
		    "https and mailto alone");
	return e == 0;
}

void
desk_serve(const struct desk_cfg *cfg, int fd, int ask)
{
	struct desk d = { .cfg = cfg,
		.fd = fd,
		.ask = ask,
		.opener_in = -1,
		.opener_out = -1,
		.clip_in = -1,
		.clip_out = -1 };

	(void)signal(SIGPIPE, SIG_IGN);
	(void)signal(SIGCHLD, SIG_DFL);
	buf_init(&d.told, DESK_FRAME_MAX / 2);
	if (desk_request(&d) && desk_folder(&d))
		desk_do(&d);
	tmp_remove(&d);
	if (d.clip_in >= 0)
		(void)close(d.clip_in);
	if (d.clip_out >= 0)
		(void)close(d.clip_out);
	if (d.opener_in >= 0)
		(void)close(d.opener_in);
	if (d.opener_out >= 0)
		(void)close(d.opener_out);
	desk_request_fini(&d.q);
	buf_fini(&d.told);
	mem_free(d.folder);
	mem_free(d.shown);
	mem_free(d.last);
}
