#include "server/core/watch.h"

#include <sys/stat.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/io/filewatch.h"
#include "base/mem.h"
#include "base/str.h"
#include "conf/changes.h"
#include "mux/client.h"
#include "mux/session.h"
#include "server/core/server.h"
#include "server/face/message.h"
#include "server/face/output.h"
#include "server/run/checker.h"
#include "server/run/load.h"
#include "server/run/notes.h"

#define WATCH_REST_MS 300 /* an editor writes in several steps */
#define WATCH_LOOK_MS 20  /* from a report to the look at all files */
#define WATCH_POLL_MS 500 /* between two looks where nothing reports */
#define WATCH_TEXT_MAX ((size_t)1 << 20)

/* What tells one version of a file from another. */
struct watch_sign {
	dev_t dev;
	ino_t ino;
	off_t size;
	struct timespec time;
	bool there; /* a plain file */
};

struct watch_file {
	char *path;
	struct watch_sign sign;
	mono_ms since; /* of SIGN */
	bool changed;  /* SIGN has not been read */
};

struct watch {
	struct server *sv;
	struct watch_file *files;
	size_t count;
	int fd; /* of filewatch; -1: the timer looks */
	struct loop_io *io;
	struct loop_timer *timer;
	bool on;
	struct changes was; /* before the files are read again */
	struct buf names;   /* of these files */
	size_t loading;     /* files that have not been read to their end */
};

static void
sign_take(struct watch_sign *s, const char *path)
{
	struct stat st;

	memset(s, 0, sizeof(*s));
	if (stat(path, &st) != 0 || !S_ISREG(st.st_mode))
		return;
	s->dev = st.st_dev;
	s->ino = st.st_ino;
	s->size = st.st_size;
	s->time = st.st_mtim;
	s->there = true;
}

static bool
sign_equal(const struct watch_sign *a, const struct watch_sign *b)
{
	return a->there == b->there && a->dev == b->dev && a->ino == b->ino &&
	       a->size == b->size && a->time.tv_sec == b->time.tv_sec &&
	       a->time.tv_nsec == b->time.tv_nsec;
}

/* --- files that others may write ---------------------------------------------- */

/* Whether only the server's user and root may write what ST is of. */
static bool
own_only(const struct stat *st)
{
	const bool sticky = S_ISDIR(st->st_mode) && st->st_mode & S_ISVTX;

	/* Nobody can put text into a device of root, such as /dev/null. */
	if (S_ISCHR(st->st_mode))
		return st->st_uid == 0;
	return (st->st_uid == geteuid() || st->st_uid == 0) &&
	       (sticky || (st->st_mode & (S_IWGRP | S_IWOTH)) == 0);
}

/* The same of a file and its folder. */
static bool
path_own_only(const char *path)
{
	char *dir = mem_strdup(path), *slash = strrchr(dir, '/');
	struct stat file, folder;
	bool ok;

	if (slash != NULL)
		slash[slash == dir] = '\0';
	ok = stat(path, &file) == 0 && own_only(&file) &&
	     stat(slash == NULL ? "." : dir, &folder) == 0 && own_only(&folder);
	mem_free(dir);
	return ok;
}

/*
 * Whether a file may be read again without a word of the user: a neighbour who
 * may write it, or put another in its place, would run commands.
 */
static bool
watch_trusts(const char *path)
{
	char *real = realpath(path, NULL);
	bool ok = real != NULL && path_own_only(path) && path_own_only(real);

	free(real);
	return ok;
}

/* Whether PATH is there, and others may write it. */
static bool
watch_foreign(const char *path)
{
	return access(path, F_OK) == 0 && !watch_trusts(path);
}

/* --- the files -------------------------------------------------------------- */

static void
watch_forget(struct watch *w)
{
	while (w->count > 0)
		mem_free(w->files[--w->count].path);
	mem_free(w->files);
	w->files = NULL;
}

static void
watch_silence(struct watch *w)
{
	loop_io_del(w->io);
	w->io = NULL;
	if (w->fd >= 0)
		close(w->fd);
	w->fd = -1;
}

static void
watch_reported(void *arg, int fd, UNUSED unsigned events)
{
	struct watch *w = arg;

	filewatch_drain(fd);
	loop_timer_set(
	    w->timer, mono_add(loop_now(w->sv->run.loop), WATCH_LOOK_MS));
}

/*
 * Watches the folder of a path: editors replace files. Returns false if that is
 * impossible.
 */
static bool
watch_folder(struct watch *w, const char *path)
{
	char *dir = mem_strdup(path), *slash = strrchr(dir, '/');
	bool ok;

	if (slash != NULL)
		slash[slash == dir] = '\0';
	ok = w->fd >= 0 && filewatch_add(w->fd, dir) == 0;
	mem_free(dir);
	return ok;
}

/*
 * Watches the folders of all files, also of those that links lead to. Where
 * that is impossible, the timer looks at the files.
 */
static void
watch_folders(struct watch *w)
{
	char *real;
	bool ok = true;
	size_t i;

	if (w->fd < 0)
		w->fd = filewatch_open();
	for (i = 0; i < w->count; i++) {
		ok &= watch_folder(w, w->files[i].path);
		real = realpath(w->files[i].path, NULL);
		if (real != NULL)
			ok &= watch_folder(w, real);
		free(real);
	}
	if (!ok || w->count == 0)
		watch_silence(w);
	else if (w->io == NULL)
		w->io = loop_io_add(
		    w->sv->run.loop, w->fd, LOOP_READ, watch_reported, w);
}

/* Takes the files that have been read; what was known of them stays. */
static void
watch_collect(struct watch *w)
{
	struct watch_file *old = w->files, *f;
	size_t n = w->count, i, k;
	const char *path;
	bool top;

	w->files = NULL;
	w->count = 0;
	for (i = 0; (path = notes_read_at(w->sv->run.notes, i, &top)) != NULL;
	     i++) {
		w->files =
		    mem_resize(w->files, w->count + 1, sizeof(*w->files));
		f = &w->files[w->count++];
		memset(f, 0, sizeof(*f));
		f->path = mem_strdup(path);
		for (k = 0; k < n && strcmp(old[k].path, path) != 0; k++)
			;
		if (k < n) {
			f->sign = old[k].sign;
			f->since = old[k].since;
			f->changed = old[k].changed;
		} else
			sign_take(&f->sign, path);
	}
	while (n > 0)
		mem_free(old[--n].path);
	mem_free(old);
	watch_silence(w);
	watch_folders(w);
}

/* --- words for the clients ---------------------------------------------------- */

/* Calls FN for each client of the server's user. */
static void
watch_each(struct watch *w, const char *text,
    void (*fn)(struct viewer *vw, const char *text))
{
	struct list_node *n, *tmp;
	struct viewer *vw;

	LIST_FOREACH_SAFE(n, &w->sv->viewers.list, tmp) {
		vw = container_of(n, struct viewer, node);
		if (!vw->client->guest && vw->client->session != NULL)
			fn(vw, text);
	}
}

static void
watch_message(struct viewer *vw, const char *text)
{
	const struct options *o = &vw->client->session->options;

	message_show(vw, (mono_ms)options_number(o, OPTION_DISPLAY_TIME), text);
}

static void
watch_lines(struct viewer *vw, const char *text)
{
	output_client(vw, text, strlen(text));
}

/* Shows the errors of the configuration; without a client, the next one does. */
static void
watch_errors(struct watch *w)
{
	bool hint;
	char *text;

	if (!notes_failed(w->sv->run.notes) || list_empty(&w->sv->viewers.list))
		return;
	text = notes_take(w->sv->run.notes, &hint);
	watch_each(w, text, watch_lines);
	mem_free(text);
}

/* Appends PATH, with ~ for the home. */
static void
watch_name(struct watch *w, const char *path)
{
	const char *home = environ_get(&w->sv->run.mux->environ, "HOME");
	size_t n = home == NULL ? 0 : strlen(home);
	bool below = n > 1 && strncmp(path, home, n) == 0 && path[n] == '/';

	(void)buf_addf(&w->names, "%s%s%s", w->names.len > 0 ? ", " : "",
	    below ? "~" : "", below ? path + n : path);
}

/* Tells of a file that others may write. */
static void
watch_refuse(struct watch *w, const char *path)
{
	struct buf b;

	buf_init(&b, WATCH_TEXT_MAX);
	(void)buf_addf(&b,
	    "config-watch: %s: not read again: others may write it or its "
	    "folder (chmod go-w)",
	    path);
	run_message(&w->sv->run, "%s", buf_cstr(&b));
	watch_each(w, buf_cstr(&b), watch_message);
	buf_fini(&b);
}

/* Forgets the changes of files that others may write, and tells of them. */
static void
watch_sift(struct watch *w)
{
	struct watch_file *f;
	size_t i;

	for (i = 0; i < w->count; i++) {
		f = &w->files[i];
		if (!f->changed || !f->sign.there || watch_trusts(f->path))
			continue;
		f->changed = false;
		watch_refuse(w, f->path);
	}
}

bool
watch_refuses(struct watch *w, const char *path)
{
	if (w == NULL || w->loading == 0 || !watch_foreign(path))
		return false;
	watch_refuse(w, path);
	return true;
}

/* --- reading again -------------------------------------------------------------- */

/* A foreign file that another one sources will not be read: it has no errors. */
static int
watch_read(UNUSED void *arg, const char *path, char **text, size_t *len,
    struct cause *cause)
{
	if (watch_foreign(path)) {
		*text = mem_strdup("");
		*len = 0;
		return 0;
	}
	return load_read(path, text, len, cause);
}

/*
 * Checks the files named at start, with those that they source, and changed
 * ones that the check does not follow. Errors become notes.
 */
static bool
watch_check(struct watch *w)
{
	struct notes *notes = w->sv->run.notes;
	struct checker m;
	struct check c;
	const char *path;
	char *text;
	bool top, ok;
	size_t i;

	checker_init(&m);
	m.hooks.read = watch_read;
	check_init(&c, &m.hooks);
	environ_copy(&c.environ, &w->sv->run.mux->environ);
	for (i = 0; (path = notes_read_at(notes, i, &top)) != NULL; i++)
		if (top && access(path, F_OK) == 0)
			(void)check_file(&c, path);
	for (i = 0; i < w->count && check_errors(&c) == 0; i++)
		if (w->files[i].changed)
			(void)check_file(&c, w->files[i].path);
	ok = check_errors(&c) == 0;
	for (i = 0; i < c.source.error_count; i++) {
		text = source_error_new(&c.source, i);
		notes_error(&w->sv->run, text);
		mem_free(text);
	}
	check_fini(&c);
	return ok;
}

static void
watch_snapshot(struct watch *w, struct changes *out)
{
	struct mux *m = w->sv->run.mux;
	const struct option_trees trees = {
		.server = &m->server_options,
		.global_session = &m->session_options,
		.global_window = &m->window_options,
	};

	changes_init(out, &trees, w->sv->run.keys);
}

/* All commands of a file have ended. */
static void
watch_loaded(void *arg)
{
	struct watch *w = arg;
	struct changes is;
	struct buf text;

	if (--w->loading > 0)
		return;
	watch_snapshot(w, &is);
	buf_init(&text, WATCH_TEXT_MAX);
	(void)buf_addf(&text, "%s: ", buf_cstr(&w->names));
	changes_text(&w->was, &is, &text);
	changes_fini(&is);
	changes_fini(&w->was);
	run_message(&w->sv->run, "config-watch: %s", buf_cstr(&text));
	watch_each(w, buf_cstr(&text), watch_message);
	watch_errors(w);
	buf_fini(&text);
	watch_apply(w);
	if (w->on)
		loop_timer_set(w->timer, loop_now(w->sv->run.loop));
}

/* Reads the changed files again, if the configuration has no errors. */
static void
watch_reload(struct watch *w)
{
	char **paths = mem_calloc(w->count + 1, sizeof(*paths));
	size_t i, n = 0;
	bool ok;

	watch_sift(w);
	ok = watch_check(w);
	for (i = 0; i < w->count; i++) {
		if (w->files[i].changed && w->files[i].sign.there && ok)
			paths[n++] = mem_strdup(w->files[i].path);
		w->files[i].changed = false;
	}
	if (n > 0) {
		watch_snapshot(w, &w->was);
		buf_clear(&w->names);
		w->loading = n;
	}
	for (i = 0; i < n; i++) {
		watch_name(w, paths[i]);
		notes_forget(w->sv->run.notes, paths[i]);
	}
	for (i = 0; i < n; i++) {
		load_again(&w->sv->run, paths[i], watch_loaded, w);
		mem_free(paths[i]);
	}
	mem_free(paths);
	if (!ok)
		watch_errors(w);
}

/* Looks at all files; reads them when the last change is old enough. */
static void
watch_look(void *arg)
{
	struct watch *w = arg;
	mono_ms now = loop_now(w->sv->run.loop), newest = 0;
	struct watch_file *f;
	struct watch_sign sign;
	bool changed = false;
	size_t i;

	run_set_now(&w->sv->run);
	/* A link may lead elsewhere. */
	if (w->io != NULL)
		watch_folders(w);
	for (i = 0; i < w->count; i++) {
		f = &w->files[i];
		sign_take(&sign, f->path);
		if (!sign_equal(&sign, &f->sign)) {
			f->sign = sign;
			f->since = now;
			f->changed = true;
		}
		/* A file that is gone may be on its way back. */
		if (f->changed && f->sign.there) {
			newest = MAX_OF(newest, f->since);
			changed = true;
		}
	}
	if (changed && w->loading == 0 && now - newest >= WATCH_REST_MS) {
		changed = false;
		watch_reload(w);
	}
	if (!w->on || w->loading > 0)
		return;
	if (changed)
		loop_timer_set(w->timer, mono_add(newest, WATCH_REST_MS));
	else if (w->io == NULL && w->count > 0)
		loop_timer_set(w->timer, mono_add(now, WATCH_POLL_MS));
}

void
watch_apply(struct watch *w)
{
	struct run *run = &w->sv->run;

	if (notes_loading(run->notes))
		return;
	w->on = options_flag(&run->mux->server_options, OPTION_CONFIG_WATCH);
	if (!w->on) {
		watch_silence(w);
		watch_forget(w);
		loop_timer_set(w->timer, MONO_NEVER);
		return;
	}
	watch_collect(w);
	if (w->io == NULL && w->count > 0)
		loop_timer_set(
		    w->timer, mono_add(loop_now(run->loop), WATCH_POLL_MS));
}

struct watch *
watch_new(struct server *sv)
{
	struct watch *w = mem_zalloc(sizeof(*w));

	w->sv = sv;
	w->fd = -1;
	w->timer = loop_timer_new(sv->run.loop, watch_look, w);
	buf_init(&w->names, WATCH_TEXT_MAX);
	return w;
}

void
watch_free(struct watch *w)
{
	if (w == NULL)
		return;
	if (w->loading > 0)
		changes_fini(&w->was);
	watch_silence(w);
	watch_forget(w);
	loop_timer_free(w->timer);
	buf_fini(&w->names);
	mem_free(w);
}
