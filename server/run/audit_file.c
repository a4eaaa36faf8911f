#include "config.h"

#include <sys/stat.h>

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/mem.h"
#include "server/run/audit_file.h"

#define CLOSE_SECONDS 1

struct audit_file {
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t work;  /* for the thread */
	pthread_cond_t ended; /* the thread has */
	/* Under the lock: */
	char *queue; /* AUDIT_FILE_QUEUE bytes */
	size_t queued;
	bool stop;
	bool stopped;
	bool reopen;
	int error; /* for audit_file_error */
	/* Of the thread: */
	char *lines; /* the same size */
	char *name;  /* in dir */
	int dir;
	int fd; /* -1: none */
	uint64_t size;
	uint64_t max;
	bool torn; /* the file ends within a line */
};

/* --- the file -------------------------------------------------------------------- */

static int
dir_bad(const char *path, const struct stat *st, struct cause *c)
{
	if (st->st_uid != 0 && st->st_uid != geteuid())
		return cause_set(c, -ERR_DENIED,
		    "audit-log: %s belongs to uid %ld, who may replace the "
		    "file: choose another directory",
		    path, (long)st->st_uid);
	/* Where the sticky bit is set, others cannot replace our files. */
	if ((st->st_mode & (S_IWGRP | S_IWOTH)) != 0 &&
	    (st->st_mode & S_ISVTX) == 0)
		return cause_set(c, -ERR_DENIED,
		    "audit-log: others may write to %s and replace the file: "
		    "run chmod go-w on it, or choose another directory",
		    path);
	return 0;
}

/* 0 if only the user or root can replace files of DIR. */
static int
check_dir(const char *dir, struct cause *c)
{
	char *real = realpath(dir, NULL), *p, end;
	struct stat st;
	int r = 0;

	if (real == NULL)
		return cause_set(
		    c, -ERR_SYS, "audit-log: %s: %s", dir, strerror(errno));
	/* From the root downwards, each directory by its whole path. */
	for (p = real; r == 0; p++) {
		if (*p != '/' && *p != '\0')
			continue;
		end = *p;
		if (p != real)
			*p = '\0';
		if (stat(p == real ? "/" : real, &st) != 0)
			r = cause_set(c, -ERR_SYS, "audit-log: %s: %s", real,
			    strerror(errno));
		else
			r = dir_bad(p == real ? "/" : real, &st, c);
		*p = end;
		if (end == '\0')
			break;
	}
	free(real);
	return r;
}

/* Opens the name in the directory; -1 with *why set if it must not be used. */
static int
open_name(int dir, const char *name, uint64_t *size, const char **why)
{
	int fd = openat(dir, name,
	    O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK |
		O_CLOEXEC | O_NOCTTY,
	    S_IRUSR | S_IWUSR);
	struct stat st;

	*why = NULL;
	if (fd < 0)
		*why = errno == ELOOP ? "is a symbolic link" : strerror(errno);
	else if (fstat(fd, &st) != 0)
		*why = strerror(errno);
	else if (!S_ISREG(st.st_mode))
		*why = "is no plain file";
	else if (st.st_uid != geteuid())
		*why = "belongs to another user";
	else if ((st.st_mode & (S_IWGRP | S_IWOTH)) != 0)
		*why = "may be written by others (run chmod go-w on it)";
	else if (st.st_nlink != 1)
		*why = "has another name as well (a hard link)";
	if (*why != NULL) {
		if (fd >= 0)
			close(fd);
		return -1;
	}
	*size = (uint64_t)st.st_size;
	return fd;
}

/* Renames FILE to FILE.1, FILE.1 to FILE.2 and so on. */
static void
rotate(struct audit_file *f)
{
	char from[NAME_MAX + 8], to[NAME_MAX + 8];
	int i;

	for (i = AUDIT_FILE_OLD; i > 0; i--) {
		(void)snprintf(to, sizeof(to), "%s.%d", f->name, i);
		if (i > 1)
			(void)snprintf(
			    from, sizeof(from), "%s.%d", f->name, i - 1);
		else
			(void)snprintf(from, sizeof(from), "%s", f->name);
		(void)renameat(f->dir, from, f->dir, to);
	}
}

static void
file_again(struct audit_file *f)
{
	const char *why;

	if (f->fd >= 0)
		close(f->fd);
	f->torn = false;
	f->fd = open_name(f->dir, f->name, &f->size, &why);
}

/* --- the thread ------------------------------------------------------------------ */

/* Writes N bytes; returns 0 or an errno. */
static int
write_lines(struct audit_file *f, const char *p, size_t n)
{
	ssize_t put;

	if (f->max > 0 && f->size > 0 && f->size + n > f->max) {
		rotate(f);
		file_again(f);
	}
	if (f->fd < 0)
		file_again(f);
	if (f->fd < 0)
		return EACCES;
	/* A part of a line remains from a full disk: end it. */
	if (f->torn && write(f->fd, "\n", 1) != 1)
		return errno;
	f->torn = false;
	while (n > 0) {
		put = write(f->fd, p, n);
		if (put < 0 && errno == EINTR)
			continue;
		if (put <= 0)
			return put == 0 ? ENOSPC : errno;
		p += put;
		n -= (size_t)put;
		f->size += (uint64_t)put;
		f->torn = p[-1] != '\n';
	}
	return 0;
}

static void *
file_thread(void *arg)
{
	struct audit_file *f = arg;
	bool again, stop;
	char *swap;
	size_t n;
	int e;

	(void)pthread_mutex_lock(&f->lock);
	do {
		while (f->queued == 0 && !f->stop && !f->reopen)
			(void)pthread_cond_wait(&f->work, &f->lock);
		again = f->reopen;
		stop = f->stop;
		n = f->queued;
		swap = f->queue;
		f->queue = f->lines;
		f->lines = swap;
		f->queued = 0;
		f->reopen = false;
		(void)pthread_mutex_unlock(&f->lock);
		if (again)
			file_again(f);
		e = n == 0 ? 0 : write_lines(f, f->lines, n);
		(void)pthread_mutex_lock(&f->lock);
		if (e != 0)
			f->error = e;
	} while (!stop || f->queued > 0);
	f->stopped = true;
	(void)pthread_cond_signal(&f->ended);
	(void)pthread_mutex_unlock(&f->lock);
	return NULL;
}

/* Starts the thread without signals: they are the loop's. */
static int
thread_start(struct audit_file *f)
{
	sigset_t all, old;
	int r;

	(void)sigfillset(&all);
	(void)pthread_sigmask(SIG_SETMASK, &all, &old);
	r = pthread_create(&f->thread, NULL, file_thread, f);
	(void)pthread_sigmask(SIG_SETMASK, &old, NULL);
	return r;
}

/* --- calls of the loop ----------------------------------------------------------- */

static void
file_free(struct audit_file *f)
{
	if (f->fd >= 0)
		close(f->fd);
	if (f->dir >= 0)
		close(f->dir);
	(void)pthread_cond_destroy(&f->work);
	(void)pthread_cond_destroy(&f->ended);
	(void)pthread_mutex_destroy(&f->lock);
	mem_free(f->queue);
	mem_free(f->lines);
	mem_free(f->name);
	mem_free(f);
}

struct audit_file *
audit_file_open(const char *path, uint64_t max, struct cause *c)
{
	const char *slash = strrchr(path, '/'), *why;
	struct audit_file *f;
	char *dir;
	int r;

	if (*path != '/' || slash[1] == '\0' || strlen(slash + 1) > NAME_MAX) {
		(void)cause_set(c, -ERR_SYNTAX,
		    "audit-log: %s is no absolute path of a file", path);
		return NULL;
	}
	dir = slash == path ? mem_strdup("/")
			    : mem_strndup(path, (size_t)(slash - path));
	r = check_dir(dir, c);
	f = mem_zalloc(sizeof(*f));
	(void)pthread_mutex_init(&f->lock, NULL);
	(void)pthread_cond_init(&f->work, NULL);
	(void)pthread_cond_init(&f->ended, NULL);
	f->name = mem_strdup(slash + 1);
	f->max = max;
	f->fd = -1;
	f->dir = r != 0 ? -1 : open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (f->dir >= 0)
		f->fd = open_name(f->dir, f->name, &f->size, &why);
	else
		why = strerror(errno);
	mem_free(dir);
	if (r == 0 && f->fd < 0)
		r = cause_set(c, -ERR_DENIED, "audit-log: %s %s", path, why);
	if (r == 0) {
		f->queue = mem_alloc(AUDIT_FILE_QUEUE);
		f->lines = mem_alloc(AUDIT_FILE_QUEUE);
		if (thread_start(f) != 0)
			r = cause_set(c, -ERR_SYS, "audit-log: no thread");
	}
	if (r == 0)
		return f;
	file_free(f);
	return NULL;
}

void
audit_file_close(struct audit_file *f)
{
	struct timespec until;
	bool stopped;
	int r = 0;

	if (f == NULL)
		return;
	(void)clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += CLOSE_SECONDS;
	(void)pthread_mutex_lock(&f->lock);
	f->stop = true;
	(void)pthread_cond_signal(&f->work);
	while (!f->stopped && r == 0)
		r = pthread_cond_timedwait(&f->ended, &f->lock, &until);
	stopped = f->stopped;
	(void)pthread_mutex_unlock(&f->lock);
	/* A dead disk holds the thread: leave it with what it uses. */
	if (!stopped) {
		(void)pthread_detach(f->thread);
		return;
	}
	(void)pthread_join(f->thread, NULL);
	file_free(f);
}

bool
audit_file_put(struct audit_file *f, const char *p, size_t n)
{
	bool room;

	(void)pthread_mutex_lock(&f->lock);
	room = n <= AUDIT_FILE_QUEUE - f->queued;
	if (room) {
		memcpy(f->queue + f->queued, p, n);
		f->queued += n;
		(void)pthread_cond_signal(&f->work);
	}
	(void)pthread_mutex_unlock(&f->lock);
	return room;
}

int
audit_file_error(struct audit_file *f)
{
	int e;

	(void)pthread_mutex_lock(&f->lock);
	e = f->error;
	f->error = 0;
	(void)pthread_mutex_unlock(&f->lock);
	return e;
}

void
audit_file_reopen(struct audit_file *f)
{
	(void)pthread_mutex_lock(&f->lock);
	f->reopen = true;
	(void)pthread_cond_signal(&f->work);
	(void)pthread_mutex_unlock(&f->lock);
}
