/*
 * security: the sender may be hostile.  Every name is opened from the folder that
 * holds it, a component at a time, and no link is followed below the root.
 */
#include "client/cp/take.h"

#include <sys/stat.h>

#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/io/sys.h"
#include "base/mem.h"
#include "client/cp/link.h"
#include "ssp/crypto.h"

/* A smaller part of a file is not worth its hash. */
#define TAKE_PART_MIN ((uint64_t)1 << 20)
#define TAKE_NAME_MAX 255
#define TAKE_CONTROL "a name with control characters"
/* Folders of a plain copy, beside its files. */
#define TAKE_FOLDERS 10000

/* A file that has been offered, and answered by GO. */
struct wanted {
	char *rel;
	uint64_t size;
	uint64_t time;
	uint64_t have; /* bytes that are there */
	uint32_t mode;
	bool skipped;
};

/* A folder that was made: it gets its mode and time at the end. */
struct made {
	char *rel;
	uint64_t time;
	uint32_t mode;
};

struct taker {
	const struct cp_take_cfg *cfg;
	struct cp_link link;
	int root;  /* -1: not known yet */
	char *as;  /* the new name of the one source, or NULL */
	char *dir; /* the folder opened last, and its descriptor */
	int dir_fd;
	struct wanted wanted[CP_WINDOW]; /* by id */
	uint64_t first;                  /* whose bytes have not come */
	uint64_t next;
	int fd; /* of the file being written; -1: none */
	bool writing;
	bool broken; /* it cannot be written: its bytes are dropped */
	struct made *made;
	size_t nmade;
	mode_t umask;
	uint64_t failed;
	uint64_t files; /* and folders that were offered */
	uint64_t bytes; /* that have come */
	bool done;
	int err; /* of the link: all ends */
	uint8_t data[CP_DATA_MAX];
};

static void
take_put(struct taker *t, const struct cp_msg *m)
{
	if (t->err == 0)
		cp_put(&t->link.tx, m);
}

/* Tells an error, and counts it. */
static void
take_say(struct taker *t, const char *path, const char *why)
{
	t->failed++;
	cp_say(&t->link, t->cfg->user, path, why);
}

/* --- names ----------------------------------------------------------------------- */

/* Returns the name behind the last slash. */
static const char *
rel_base(const char *rel)
{
	const char *p = strrchr(rel, '/');

	return p == NULL ? rel : p + 1;
}

/* Closes the folder that was opened last. */
static void
dir_close(struct taker *t)
{
	if (t->dir_fd >= 0)
		(void)close(t->dir_fd);
	t->dir_fd = -1;
	mem_free(t->dir);
	t->dir = NULL;
}

/*
 * Returns the folder of REL, which stays the taker's; -1 with errno if there is
 * none.
 */
static int
dir_of(struct taker *t, const char *rel)
{
	const size_t n = (size_t)(rel_base(rel) - rel);
	char *path, *rest, *name;
	int fd, next;

	if (n == 0)
		return t->root;
	if (t->dir != NULL && strlen(t->dir) == n &&
	    memcmp(t->dir, rel, n) == 0)
		return t->dir_fd;
	dir_close(t);
	rest = path = mem_strndup(rel, n - 1);
	fd = t->root;
	while (fd >= 0 && (name = strsep(&rest, "/")) != NULL) {
		next = openat(
		    fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		if (fd != t->root)
			(void)close(fd);
		fd = next;
	}
	mem_free(path);
	if (fd >= 0) {
		t->dir = mem_strndup(rel, n);
		t->dir_fd = fd;
	}
	return fd;
}

/* Returns REL with the new name of the source (mem_free). */
static char *
rel_new(const struct taker *t, const struct cp_msg *m)
{
	size_t n = 0;

	if (t->as == NULL)
		return mem_strndup(m->path, m->npath);
	while (n < m->npath && m->path[n] != '/')
		n++;
	return mem_printf("%s%.*s", t->as, (int)(m->npath - n), m->path + n);
}

/* Returns whether the user has asked for such a source. */
static bool
take_expects(const struct taker *t, const struct cp_msg *m)
{
	const char *const *p;
	char *first;
	size_t n = 0;
	bool yes = t->cfg->names == NULL;

	while (n < m->npath && m->path[n] != '/')
		n++;
	if (n < m->npath && !t->cfg->recurse)
		return false;
	first = mem_strndup(m->path, n);
	for (p = t->cfg->names; !yes && *p != NULL; p++)
		yes = strcmp(*p, first) == 0 ||
		      (!t->cfg->plain && fnmatch(*p, first, 0) == 0);
	mem_free(first);
	return yes;
}

/* Whether a plain copy may make REL. */
static bool
rel_allowed(const struct taker *t, const char *rel)
{
	if (!t->cfg->plain)
		return true;
	for (; *rel != '\0'; rel++)
		if ((unsigned char)*rel < ' ' || *rel == 127)
			return false;
	return true;
}

/* Writes the name that the file has until it is whole. */
static void
part_name(const struct wanted *w, char out[TAKE_NAME_MAX + 1])
{
	const char *base = rel_base(w->rel);
	uint8_t id[16], h[SSP_HASH_LEN];

	memcpy(id, &w->size, 8);
	memcpy(id + 8, &w->time, 8);
	ssp_hash(h, id, sizeof(id), (const uint8_t *)base, strlen(base));
	snprintf(out, TAKE_NAME_MAX + 1, ".%.200s.%02x%02x%02x%02x.rmux-part",
	    base, h[0], h[1], h[2], h[3]);
}

/* --- files ------------------------------------------------------------------------ */

/* Hashes what an earlier copy has left; its size, or 0. */
static uint64_t
part_there(struct taker *t, int dir, const struct wanted *w, uint8_t h[CP_HASH])
{
	char part[TAKE_NAME_MAX + 1];
	uint64_t left = 0, size;
	struct stat st;
	ssize_t n = 0;
	int fd;

	if (w->size < TAKE_PART_MIN)
		return 0;
	part_name(w, part);
	fd = openat(dir, part, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
	    (uint64_t)st.st_size >= TAKE_PART_MIN)
		left = MIN_OF((uint64_t)st.st_size, w->size);
	left -= left % CP_DATA_MAX;
	size = left;
	while (left > 0 && (n = read(fd, t->data, CP_DATA_MAX)) > 0) {
		cp_hash(h, t->data, (size_t)n);
		left -= MIN_OF((uint64_t)n, left);
	}
	if (fd >= 0)
		(void)close(fd);
	return left > 0 ? 0 : size;
}

static void
take_file(struct taker *t, const struct cp_msg *m)
{
	struct wanted *w = &t->wanted[t->next % CP_WINDOW];
	uint8_t h[CP_HASH] = { 0 };
	struct cp_msg answer = { .kind = CP_GO, .id = m->id };
	struct stat st;
	int dir;

	if (m->id != t->next || t->next - t->first >= CP_WINDOW) {
		t->err = -ERR_PEER;
		return;
	}
	t->next++;
	*w = (struct wanted){ .rel = rel_new(t, m),
		.size = m->size,
		.time = m->time,
		.mode = m->mode };
	dir = dir_of(t, w->rel);
	if (dir < 0) {
		take_say(t, w->rel, strerror(errno));
		answer.kind = CP_SKIP;
	} else if (!rel_allowed(t, w->rel)) {
		take_say(t, w->rel, TAKE_CONTROL);
		answer.kind = CP_SKIP;
	} else if (fstatat(dir, rel_base(w->rel), &st, AT_SYMLINK_NOFOLLOW) !=
		   0) {
		w->mode &= t->cfg->keep ? 07777u : 0777u & ~t->umask;
	} else if (S_ISDIR(st.st_mode)) {
		take_say(t, w->rel, "there is a folder of that name");
		answer.kind = CP_SKIP;
	} else if (S_ISREG(st.st_mode) && (uint64_t)st.st_size == m->size &&
		   cp_file_time(&st) == m->time) {
		cp_tell_bytes(t->cfg->user, w->rel, m->size, false);
		answer.kind = CP_SKIP;
	} else if (!t->cfg->keep)
		w->mode = st.st_mode & 0777;
	if (answer.kind == CP_GO) {
		answer.number = w->have = part_there(t, dir, w, h);
		answer.text = h;
		answer.ntext = sizeof(h);
	}
	w->skipped = answer.kind == CP_SKIP;
	take_put(t, &answer);
	/* Those that are skipped send nothing. */
	for (; t->first != t->next; t->first++) {
		w = &t->wanted[t->first % CP_WINDOW];
		if (!w->skipped)
			break;
		mem_free(w->rel);
	}
}

/*
 * Makes FD a file of AT bytes, to be written behind them.  One that has that
 * length is not truncated: when a file that was emptied is closed, ext4 writes all
 * of it to the disk at once.
 */
static bool
file_begins(int fd, off_t at)
{
	struct stat st;

	return fstat(fd, &st) == 0 &&
	       (st.st_size == at || ftruncate(fd, at) == 0) &&
	       lseek(fd, at, SEEK_SET) >= 0;
}

static void
take_start(struct taker *t, const struct cp_msg *m)
{
	struct wanted *w = &t->wanted[t->first % CP_WINDOW];
	char part[TAKE_NAME_MAX + 1];
	int dir;

	if (t->first == t->next || m->id != t->first || t->writing ||
	    (m->number != 0 && m->number != w->have)) {
		t->err = -ERR_PEER;
		return;
	}
	t->writing = true;
	part_name(w, part);
	dir = dir_of(t, w->rel);
	if (dir >= 0)
		t->fd = openat(dir, part,
		    O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC,
		    0600);
	if (t->fd < 0 || !file_begins(t->fd, (off_t)m->number)) {
		take_say(t, w->rel, strerror(errno));
		t->broken = true;
	}
	cp_tell_bytes(t->cfg->user, w->rel, m->number, false);
}

static void
take_data(struct taker *t, const struct cp_msg *m)
{
	const struct wanted *w = &t->wanted[t->first % CP_WINDOW];

	t->bytes += m->ntext;
	if (!t->writing || (t->cfg->plain && t->bytes > t->cfg->most_bytes)) {
		t->err = -ERR_PEER;
		return;
	}
	if (!t->broken && sys_write_all(t->fd, m->text, m->ntext) != 0) {
		take_say(t, w->rel, strerror(errno));
		t->broken = true;
	}
	cp_tell_bytes(t->cfg->user, w->rel, m->ntext, true);
}

static struct timespec
time_of(uint64_t ns)
{
	return (struct timespec){ .tv_sec = (time_t)(ns / 1000000000u),
		.tv_nsec = (long)(ns % 1000000000u) };
}

/* The file is whole: it gets its mode, time and name. */
static void
file_finish(struct taker *t, const struct wanted *w)
{
	const struct timespec times[2] = { { .tv_nsec = UTIME_OMIT },
		time_of(w->time) };
	const int dir = dir_of(t, w->rel);
	char part[TAKE_NAME_MAX + 1];

	part_name(w, part);
	if (fchmod(t->fd, (mode_t)w->mode) != 0 ||
	    futimens(t->fd, times) != 0 || dir < 0 ||
	    renameat(dir, part, dir, rel_base(w->rel)) != 0)
		take_say(t, w->rel, strerror(errno));
	else if (t->cfg->user != NULL)
		t->cfg->user->progress.files_done++;
}

static void
take_end(struct taker *t, const struct cp_msg *m)
{
	struct wanted *w = &t->wanted[t->first % CP_WINDOW];

	if (t->first == t->next || m->id != t->first ||
	    (!t->writing && m->number == 0)) {
		t->err = -ERR_PEER;
		return;
	}
	if (m->number == 0 && !t->broken)
		file_finish(t, w);
	if (t->fd >= 0)
		(void)close(t->fd);
	t->fd = -1;
	t->writing = t->broken = false;
	do {
		mem_free(t->wanted[t->first % CP_WINDOW].rel);
		t->first++;
	} while (
	    t->first != t->next && t->wanted[t->first % CP_WINDOW].skipped);
}

/* --- folders and links --------------------------------------------------------------- */

static void
take_dir(struct taker *t, const struct cp_msg *m)
{
	char *rel = rel_new(t, m);
	const int dir = dir_of(t, rel);
	struct stat st;
	bool made = false;

	if (!rel_allowed(t, rel))
		take_say(t, rel, TAKE_CONTROL);
	else if (dir >= 0 && mkdirat(dir, rel_base(rel), 0700) == 0)
		made = true;
	else if (dir < 0 || errno != EEXIST ||
		 fstatat(dir, rel_base(rel), &st, AT_SYMLINK_NOFOLLOW) != 0)
		take_say(t, rel, strerror(errno));
	else if (!S_ISDIR(st.st_mode))
		take_say(t, rel, "there is something else of that name");
	if (!made) {
		mem_free(rel);
		return;
	}
	t->made = mem_resize(t->made, t->nmade + 1, sizeof(*t->made));
	t->made[t->nmade++] = (struct made){ rel, m->time,
		m->mode & (t->cfg->keep ? 07777u : 0777u & ~t->umask) };
}

/* Gives the folders that were made their modes and times, the deepest first. */
static void
dirs_finish(struct taker *t)
{
	struct timespec times[2] = { { .tv_nsec = UTIME_OMIT } };
	struct made *d;
	int dir, fd;

	while (t->nmade > 0) {
		d = &t->made[--t->nmade];
		dir = dir_of(t, d->rel);
		fd = dir < 0
			 ? -1
			 : openat(dir, rel_base(d->rel),
			       O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		times[1] = time_of(d->time);
		if (fd < 0 || fchmod(fd, (mode_t)d->mode) != 0 ||
		    futimens(fd, times) != 0)
			take_say(t, d->rel, strerror(errno));
		if (fd >= 0)
			(void)close(fd);
		mem_free(d->rel);
	}
}

static void
take_link(struct taker *t, const struct cp_msg *m)
{
	char *rel = rel_new(t, m), *to;
	const int dir = dir_of(t, rel);
	struct stat st;

	if (t->cfg->plain) {
		take_say(t, rel, "a link");
		mem_free(rel);
		return;
	}
	to = mem_strndup((const char *)m->text, m->ntext);
	if (dir >= 0 &&
	    fstatat(dir, rel_base(rel), &st, AT_SYMLINK_NOFOLLOW) == 0 &&
	    !S_ISDIR(st.st_mode))
		(void)unlinkat(dir, rel_base(rel), 0);
	if (dir < 0 || symlinkat(to, dir, rel_base(rel)) != 0)
		take_say(t, rel, strerror(errno));
	mem_free(to);
	mem_free(rel);
}

/* --- the run ---------------------------------------------------------------------------- */

/* Finds the folder, now that the number of sources is known. */
static void
take_root(struct taker *t, const struct cp_msg *m)
{
	const char *to = *t->cfg->to == '\0' ? "." : t->cfg->to;
	char *path, *slash;
	struct stat st;

	if (t->root >= 0) {
		t->err = -ERR_PEER;
		return;
	}
	if (t->cfg->user != NULL) {
		t->cfg->user->progress.files = m->number;
		t->cfg->user->progress.bytes = m->size;
	}
	if (stat(to, &st) == 0 && S_ISDIR(st.st_mode)) {
		t->root = open(to, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	} else if (m->id != 1 || to[strlen(to) - 1] == '/') {
		errno = ENOTDIR;
	} else {
		path = mem_strdup(to);
		slash = strrchr(path, '/');
		t->as = mem_strdup(slash == NULL ? path : slash + 1);
		if (slash != NULL)
			slash[slash == path ? 1 : 0] = '\0';
		t->root = open(slash == NULL ? "." : path,
		    O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		mem_free(path);
	}
	if (t->root < 0) {
		take_say(t, to, strerror(errno));
		/* The sender hears it before the end. */
		if (cp_link_flush(&t->link, 0) == 0)
			t->err = -ERR_SYS;
		else
			t->err = -ERR_CLOSED;
	}
}

static void
take_message(struct taker *t, const struct cp_msg *m)
{
	const bool named =
	    m->kind == CP_FILE || m->kind == CP_DIR || m->kind == CP_LINK;

	if (named && (t->root < 0 || !take_expects(t, m) ||
			 (m->kind != CP_FILE && !t->cfg->recurse))) {
		t->err = -ERR_PEER;
		return;
	}
	if (named && t->cfg->plain &&
	    ++t->files > t->cfg->most_files + TAKE_FOLDERS) {
		t->err = -ERR_PEER;
		return;
	}
	switch (m->kind) {
	case CP_TOTAL:
		take_root(t, m);
		break;
	case CP_DIR:
		take_dir(t, m);
		break;
	case CP_FILE:
		take_file(t, m);
		break;
	case CP_LINK:
		take_link(t, m);
		break;
	case CP_START:
		take_start(t, m);
		break;
	case CP_DATA:
		take_data(t, m);
		break;
	case CP_END:
		take_end(t, m);
		break;
	case CP_SAY:
		cp_said(t->cfg->user, m);
		break;
	case CP_DONE:
		dirs_finish(t);
		take_put(t, &(const struct cp_msg){
				.kind = CP_DONE, .number = t->failed });
		t->failed += m->number;
		t->done = true;
		break;
	case CP_HELLO:
	case CP_GO:
	case CP_SKIP:
		break;
	}
}

int
cp_take(const struct cp_take_cfg *cfg)
{
	struct taker *t = mem_zalloc(sizeof(*t));
	struct cp_msg m;
	int r;

	t->cfg = cfg;
	t->root = t->dir_fd = t->fd = -1;
	t->umask = umask(0);
	(void)umask(t->umask);
	t->err = cp_link_init(&t->link, cfg->in, cfg->out, cfg->user);
	while (t->err == 0 && !t->done) {
		r = cp_link_next(&t->link, true, &m);
		if (r < 0)
			t->err = r;
		else if (r > 0)
			take_message(t, &m);
	}
	if (t->err == 0)
		t->err = cp_link_flush(&t->link, 0);
	r = t->err == -ERR_SYS        ? 1
	    : t->err != 0 && !t->done ? 2
				      : t->failed > 0;
	if (t->fd >= 0)
		(void)close(t->fd);
	dir_close(t);
	if (t->root >= 0)
		(void)close(t->root);
	for (; t->first != t->next; t->first++)
		mem_free(t->wanted[t->first % CP_WINDOW].rel);
	while (t->nmade > 0)
		mem_free(t->made[--t->nmade].rel);
	mem_free(t->made);
	mem_free(t->as);
	cp_link_fini(&t->link);
	mem_free(t);
	return r;
}
