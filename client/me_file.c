#include "client/me_file.h"

#include <sys/stat.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "mux/sync/input.h"

bool
me_file_mode(const char *value, enum me_mode *out)
{
	*out = strcmp(value, "yes") == 0 ? ME_YES : ME_NO;
	if (*out == ME_YES || strcmp(value, "no") == 0)
		return true;
	fprintf(stderr, "rmux: --me wants yes or no: %s\n", value);
	return false;
}

/* Returns the path of the file (mem_free), or NULL. */
static char *
me_file_path_new(void)
{
	const char *dir = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");

	if (dir != NULL && *dir == '/')
		return mem_printf("%s/rmux/me.conf", dir);
	if (home != NULL && *home == '/')
		return mem_printf("%s/.config/rmux/me.conf", home);
	return NULL;
}

/* Whether others cannot change what ST is of. */
static bool
is_own(const struct stat *st)
{
	return (st->st_uid == geteuid() || st->st_uid == 0) &&
	       (st->st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

/* Checks the folder of PATH. */
static int
check_folder(const char *path, struct cause *why)
{
	char *dir = mem_strndup(path, (size_t)(strrchr(path, '/') - path));
	struct stat st;
	int r = 0;

	if (stat(*dir == '\0' ? "/" : dir, &st) != 0 || !is_own(&st))
		r = cause_set(why, -ERR_DENIED,
		    "others may write its directory: chmod go-w %s, and own it",
		    dir);
	mem_free(dir);
	return r;
}

static int
check_file(int fd, const char *path, struct cause *why)
{
	struct stat st;
	char *real;
	int r;

	if (fstat(fd, &st) != 0)
		return cause_set(why, -ERR_SYS, "%s", strerror(errno));
	if (!S_ISREG(st.st_mode))
		return cause_set(why, -ERR_TYPE, "it is not a regular file");
	if (!is_own(&st))
		return cause_set(why, -ERR_DENIED,
		    "others may write it: chmod go-w %s, and own it", path);
	if (st.st_size > (off_t)SYNC_EVENT_DATA_MAX)
		return cause_set(why, -ERR_LIMIT,
		    "it has %lld bytes, more than %d: shorten it",
		    (long long)st.st_size, SYNC_EVENT_DATA_MAX);
	if ((r = check_folder(path, why)) != 0)
		return r;
	/* Behind a symbolic link as well. */
	real = realpath(path, NULL);
	if (real == NULL)
		r = cause_set(why, -ERR_SYS, "%s", strerror(errno));
	else
		r = check_folder(real, why);
	free(real);
	return r;
}

static int
load_file(struct me_file *f, int fd, struct cause *why)
{
	ssize_t n = 1;

	f->text = mem_alloc(SYNC_EVENT_DATA_MAX + 1);
	f->len = 0;
	while (f->len < SYNC_EVENT_DATA_MAX && n != 0) {
		n = read(fd, f->text + f->len, SYNC_EVENT_DATA_MAX - f->len);
		if (n < 0 && errno != EINTR)
			return cause_set(why, -ERR_SYS, "%s", strerror(errno));
		f->len += n > 0 ? (size_t)n : 0;
	}
	return 0;
}

void
me_file_read(struct me_file *f, enum me_mode mode, bool own)
{
	struct cause why = { NULL };
	char *path;
	int fd, r;

	if (f->done)
		return;
	f->done = true;
	if (mode == ME_NO || (mode == ME_OWN && !own) ||
	    (path = me_file_path_new()) == NULL)
		return;
	/* Without a wait for the writer of a FIFO. */
	fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (fd >= 0) {
		r = check_file(fd, path, &why);
		if (r == 0)
			r = load_file(f, fd, &why);
		close(fd);
	} else if (errno == ENOENT || errno == ENOTDIR)
		r = 0;
	else
		r = cause_set(&why, -ERR_SYS, "%s", strerror(errno));
	if (r != 0) {
		mem_free(f->text);
		f->text =
		    mem_printf("%s is not used: %s", path, cause_text(&why));
		f->len = strlen(f->text);
		f->failed = true;
	}
	cause_fini(&why);
	mem_free(path);
}

void
me_file_fini(struct me_file *f)
{
	mem_free(f->text);
	f->text = NULL;
}

void
me_file_send(const struct me_file *f, struct sync_input *in)
{
	if (f->text != NULL && f->len > 0)
		(void)sync_input_data(in, SYNC_ME, f->failed, f->text, f->len);
}
