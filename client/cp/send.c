#include "client/cp/send.h"

#include <sys/stat.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "client/cp/link.h"

/* A file that waits for the taker's answer. */
struct offer {
	char *path;
	char *rel;
	uint64_t size;
};

struct send {
	const struct cp_send_cfg *cfg;
	struct cp_link link;
	bool counting; /* only for TOTAL */
	uint64_t files;
	uint64_t bytes;
	struct offer offers[CP_WINDOW]; /* by id */
	uint64_t first;                 /* without an answer */
	uint64_t next;
	uint64_t failed;
	bool done; /* the taker has said so */
	int err;   /* of the link: all ends */
	uint8_t data[CP_DATA_MAX];
};

/* Sends a message, and waits while too much waits. */
static void
send_put(struct send *s, const struct cp_msg *m)
{
	if (s->err != 0)
		return;
	cp_put(&s->link.tx, m);
	s->err = cp_link_flush(&s->link, CP_OUT_FULL);
}

/* Tells an error, and counts it. */
static void
send_say(struct send *s, const char *path, const char *why)
{
	if (s->counting)
		return;
	s->failed++;
	cp_say(&s->link, s->cfg->user, path, why);
	if (s->err == 0)
		s->err = cp_link_flush(&s->link, CP_OUT_FULL);
}

/* --- one file ------------------------------------------------------------------ */

/* Returns whether the first N bytes of FD have the hash of M. */
static bool
prefix_same(struct send *s, int fd, const struct cp_msg *m)
{
	uint8_t h[CP_HASH] = { 0 };
	uint64_t left = m->number;
	ssize_t n;

	while (left > 0) {
		n = read(fd, s->data, MIN_OF(left, (uint64_t)CP_DATA_MAX));
		if (n <= 0)
			return false;
		cp_hash(h, s->data, (size_t)n);
		left -= (uint64_t)n;
	}
	return m->ntext == CP_HASH && memcmp(h, m->text, CP_HASH) == 0;
}

/* Sends the bytes of FD that the taker lacks; false: it cannot be read. */
static bool
send_bytes(struct send *s, const struct offer *o, int fd, uint64_t id,
    const struct cp_msg *go)
{
	struct cp_msg m = { .kind = CP_START, .id = id };
	ssize_t n;

	if (go->number > 0 && prefix_same(s, fd, go))
		m.number = go->number;
	else if (lseek(fd, 0, SEEK_SET) != 0)
		return false;
	cp_tell_bytes(s->cfg->user, o->rel, m.number, false);
	send_put(s, &m);
	m = (struct cp_msg){ .kind = CP_DATA, .text = s->data };
	while (s->err == 0 && (n = read(fd, s->data, CP_DATA_MAX)) != 0) {
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return false;
		m.ntext = (size_t)n;
		send_put(s, &m);
		cp_tell_bytes(s->cfg->user, o->rel, m.ntext, true);
	}
	return true;
}

static void
send_file(struct send *s, const struct offer *o, const struct cp_msg *go)
{
	struct cp_msg end = { .kind = CP_END, .id = go->id };
	struct stat st;
	int fd;

	fd = open(o->path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &st) != 0)
		end.number = 1;
	else if (!S_ISREG(st.st_mode)) {
		errno = EINVAL;
		end.number = 1;
	} else if (!send_bytes(s, o, fd, go->id, go))
		end.number = 1;
	if (end.number != 0)
		send_say(s, o->path, strerror(errno));
	else if (s->cfg->user != NULL)
		s->cfg->user->progress.files_done++;
	if (fd >= 0)
		(void)close(fd);
	send_put(s, &end);
}

static void
offer_free(struct offer *o)
{
	mem_free(o->path);
	mem_free(o->rel);
	memset(o, 0, sizeof(*o));
}

/* Handles an answer of the taker; false: there is none. */
static bool
send_answer(struct send *s, bool wait)
{
	struct offer o;
	struct cp_msg m;
	int e = s->err != 0 ? s->err : cp_link_next(&s->link, wait, &m);

	if (e < 0)
		s->err = e;
	if (e <= 0)
		return false;
	switch (m.kind) {
	case CP_GO:
	case CP_SKIP:
		if (m.id != s->first || s->first == s->next) {
			s->err = -ERR_PEER;
			return false;
		}
		o = s->offers[s->first % CP_WINDOW];
		memset(&s->offers[s->first++ % CP_WINDOW], 0, sizeof(o));
		if (m.kind == CP_GO)
			send_file(s, &o, &m);
		else
			cp_tell_bytes(s->cfg->user, o.rel, o.size, false);
		offer_free(&o);
		break;
	case CP_SAY:
		cp_said(s->cfg->user, &m);
		break;
	case CP_DONE:
		s->failed += m.number;
		s->done = true;
		break;
	default:
		break;
	}
	return true;
}

/* --- the walk -------------------------------------------------------------------- */

static void
meta_put(struct cp_msg *m, const char *rel, const struct stat *st)
{
	m->path = rel;
	m->npath = strlen(rel);
	m->mode = (uint32_t)(st->st_mode & 07777);
	m->time = cp_file_time(st);
}

static void
offer_file(
    struct send *s, const char *path, const char *rel, const struct stat *st)
{
	struct cp_msg m = {
		.kind = CP_FILE, .id = s->next, .size = (uint64_t)st->st_size
	};

	while (s->next - s->first >= CP_WINDOW && send_answer(s, true))
		;
	if (s->err != 0)
		return;
	s->offers[s->next++ % CP_WINDOW] = (struct offer){ mem_strdup(path),
		mem_strdup(rel), (uint64_t)st->st_size };
	meta_put(&m, rel, st);
	send_put(s, &m);
	while (send_answer(s, false))
		;
}

static void
offer_link(struct send *s, const char *path, const char *rel)
{
	char to[CP_PATH_MAX];
	struct cp_msg m = { .kind = CP_LINK,
		.path = rel,
		.npath = strlen(rel),
		.text = (const uint8_t *)to };
	ssize_t n = readlink(path, to, sizeof(to));

	if (n < 0 || n == (ssize_t)sizeof(to)) {
		send_say(s, path, n < 0 ? strerror(errno) : "a long link");
		return;
	}
	m.ntext = (size_t)n;
	send_put(s, &m);
}

static void send_walk(
    struct send *s, const char *path, const char *rel, bool root);

static void
walk_dir(
    struct send *s, const char *path, const char *rel, const struct stat *st)
{
	struct cp_msg m = { .kind = CP_DIR };
	const struct dirent *d;
	char *p, *r;
	DIR *dir;

	if (!s->cfg->recurse) {
		send_say(s, path, "a folder (-r copies folders)");
		return;
	}
	dir = opendir(path);
	if (dir == NULL) {
		send_say(s, path, strerror(errno));
		return;
	}
	meta_put(&m, rel, st);
	if (!s->counting)
		send_put(s, &m);
	while (s->err == 0 && (d = readdir(dir)) != NULL) {
		if (strcmp(d->d_name, ".") == 0 || strcmp(d->d_name, "..") == 0)
			continue;
		p = mem_printf("%s/%s", path, d->d_name);
		r = mem_printf("%s/%s", rel, d->d_name);
		send_walk(s, p, r, false);
		mem_free(p);
		mem_free(r);
	}
	(void)closedir(dir);
}

/* Offers PATH and what is below it; REL is its name for the taker. */
static void
send_walk(struct send *s, const char *path, const char *rel, bool root)
{
	struct stat st;

	/* A link on the command line stands for what it leads to. */
	if ((root ? stat(path, &st) : lstat(path, &st)) != 0) {
		send_say(s, path, strerror(errno));
		return;
	}
	if (!cp_path_ok(rel, strlen(rel))) {
		send_say(s, path, "a name that is too long, or none");
		return;
	}
	if (S_ISDIR(st.st_mode)) {
		walk_dir(s, path, rel, &st);
	} else if (S_ISREG(st.st_mode)) {
		s->files += s->counting;
		s->bytes += s->counting ? (uint64_t)st.st_size : 0;
		if (!s->counting)
			offer_file(s, path, rel, &st);
	} else if (!s->counting && S_ISLNK(st.st_mode))
		offer_link(s, path, rel);
	else if (!S_ISLNK(st.st_mode))
		send_say(s, path, "neither a file nor a folder");
}

static void
walk_roots(struct send *s, char *const *paths, size_t n)
{
	size_t i;
	char *base;

	for (i = 0; i < n && s->err == 0; i++) {
		base = cp_base_new(paths[i]);
		send_walk(s, paths[i], base, true);
		mem_free(base);
	}
}

/* Expands the patterns; what matches nothing stands for itself. */
static void
roots_find(const struct cp_send_cfg *cfg, glob_t *g)
{
	const char *const *p;
	const char *path;
	int flags = GLOB_NOCHECK;

	memset(g, 0, sizeof(*g));
	for (p = cfg->paths; *p != NULL; p++) {
		path = *p;
		if (cfg->far && strncmp(path, "~/", 2) == 0)
			path += path[2] != '\0' ? 2 : 0;
		/* The shell here has expanded those of this machine. */
		if (!cfg->far)
			flags |= GLOB_NOESCAPE;
		(void)glob(path, flags, NULL, g);
		flags |= GLOB_APPEND;
	}
}

int
cp_send(const struct cp_send_cfg *cfg)
{
	struct send *s = mem_zalloc(sizeof(*s));
	struct cp_msg m = { .kind = CP_HELLO, .number = CP_VERSION };
	union {
		const char *const *in;
		char *const *out;
	} here = { cfg->paths };
	char *const *paths = here.out;
	size_t n = 0;
	glob_t g;
	int r;

	s->cfg = cfg;
	if (cfg->far) {
		roots_find(cfg, &g);
		paths = g.gl_pathv;
		n = g.gl_pathc;
	} else
		while (cfg->paths[n] != NULL)
			n++;
	s->err = cp_link_init(&s->link, cfg->in, cfg->out, cfg->user);
	send_put(s, &m);
	s->counting = true;
	walk_roots(s, paths, n);
	s->counting = false;
	m = (struct cp_msg){
		.kind = CP_TOTAL, .id = n, .number = s->files, .size = s->bytes
	};
	if (cfg->user != NULL) {
		cfg->user->progress.files = s->files;
		cfg->user->progress.bytes = s->bytes;
	}
	send_put(s, &m);
	walk_roots(s, paths, n);
	while (s->first != s->next && send_answer(s, true))
		;
	send_put(
	    s, &(const struct cp_msg){ .kind = CP_DONE, .number = s->failed });
	if (s->err == 0)
		s->err = cp_link_flush(&s->link, 0);
	while (!s->done && send_answer(s, true))
		;
	r = s->err != 0 && !s->done ? 2 : s->failed > 0;
	for (; s->first != s->next; s->first++)
		offer_free(&s->offers[s->first % CP_WINDOW]);
	if (cfg->far)
		globfree(&g);
	cp_link_fini(&s->link);
	mem_free(s);
	return r;
}
