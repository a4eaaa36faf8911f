#include "config.h"

#include <sys/stat.h>

#include <errno.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "server/run/checker.h"

/* Reads an open file of at most SOURCE_FILE_MAX bytes. */
static int
checker_slurp(FILE *f, const char *path, struct buf *b, struct cause *cause)
{
	uint8_t *p;
	size_t n;

	for (;;) {
		if (buf_reserve(b, 65536, &p) != 0)
			return cause_set(cause, -ERR_LIMIT,
			    "file over %zu megabytes", SOURCE_FILE_MAX >> 20);
		if ((n = fread(p, 1, 65536, f)) == 0)
			break;
		buf_commit(b, n);
	}
	if (ferror(f))
		return cause_set(
		    cause, -ERR_IO, "%s: %s", path, strerror(errno));
	return 0;
}

static int
checker_read(
    void *arg, const char *path, char **text, size_t *len, struct cause *cause)
{
	struct stat st;
	struct buf b;
	FILE *f;
	int e;

	(void)arg;
	if ((f = fopen(path, "r")) == NULL)
		return cause_set(cause, -ERR_IO, "%s", strerror(errno));
	if (fstat(fileno(f), &st) == 0 && S_ISDIR(st.st_mode)) {
		fclose(f);
		return cause_set(cause, -ERR_IO, "%s", strerror(EISDIR));
	}
	buf_init(&b, SOURCE_FILE_MAX + 65536);
	e = checker_slurp(f, path, &b, cause);
	fclose(f);
	if (e == 0)
		*text = buf_steal(&b, len);
	buf_fini(&b);
	return e;
}

static const char *
checker_home(void *arg, const char *user)
{
	const struct checker *m = arg;
	const struct passwd *pw;
	const char *home;

	if (*user == '\0') {
		home = getenv("HOME");
		if (home != NULL && *home != '\0')
			return home;
		pw = m->pw;
	} else
		pw = getpwnam(user);
	return pw == NULL ? NULL : pw->pw_dir;
}

static const char *
checker_variable(void *arg, const char *name)
{
	const struct checker *m = arg;

	if (strcmp(name, "host") == 0)
		return m->host;
	if (strcmp(name, "host_short") == 0)
		return m->host_short;
	if (strcmp(name, "pid") == 0)
		return m->pid;
	if (strcmp(name, "uid") == 0)
		return m->uid;
	if (strcmp(name, "user") == 0)
		return m->pw == NULL ? "" : m->pw->pw_name;
	if (strcmp(name, "version") == 0)
		return PACKAGE_VERSION;
	return NULL;
}

static bool
checker_shell_ok(void *arg, const char *path)
{
	(void)arg;
	return path[0] == '/' && access(path, X_OK) == 0;
}

void
checker_init(struct checker *m)
{
	memset(m, 0, sizeof *m);
	if (gethostname(m->host, sizeof m->host - 1) != 0)
		m->host[0] = '\0';
	memcpy(m->host_short, m->host, sizeof m->host_short);
	m->host_short[strcspn(m->host_short, ".")] = '\0';
	snprintf(m->pid, sizeof m->pid, "%ld", (long)getpid());
	snprintf(m->uid, sizeof m->uid, "%ld", (long)getuid());
	m->pw = getpwuid(getuid());
	m->hooks = (struct check_hooks){
		.arg = m,
		.read = checker_read,
		.home = checker_home,
		.variable = checker_variable,
		.shell_ok = checker_shell_ok,
	};
}
