#include "config.h"

#include <sys/stat.h>

#include <errno.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "conf/check.h"
#include "server/check_main.h"

#if !HAVE_DECL_ENVIRON
extern char **environ;
#endif

/* State of the parser's hooks. */
struct check_main {
	char host[256];
	char host_short[256];
	char pid[32];
	char uid[32];
	struct passwd *pw;
};

/* Reads an open file of at most SOURCE_FILE_MAX bytes. */
static int
check_main_slurp(FILE *f, const char *path, struct buf *b, struct cause *cause)
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
check_main_read(
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
	e = check_main_slurp(f, path, &b, cause);
	fclose(f);
	if (e == 0)
		*text = buf_steal(&b, len);
	buf_fini(&b);
	return e;
}

static const char *
check_main_home(void *arg, const char *user)
{
	const struct check_main *m = arg;
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
check_main_variable(void *arg, const char *name)
{
	const struct check_main *m = arg;

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
check_main_shell_ok(void *arg, const char *path)
{
	(void)arg;
	return path[0] == '/' && access(path, X_OK) == 0;
}

static void
check_main_init(struct check_main *m)
{
	memset(m, 0, sizeof *m);
	if (gethostname(m->host, sizeof m->host - 1) != 0)
		m->host[0] = '\0';
	memcpy(m->host_short, m->host, sizeof m->host_short);
	m->host_short[strcspn(m->host_short, ".")] = '\0';
	snprintf(m->pid, sizeof m->pid, "%ld", (long)getpid());
	snprintf(m->uid, sizeof m->uid, "%ld", (long)getuid());
	m->pw = getpwuid(getuid());
}

/* Checks the files that a server would load; returns their number. */
static size_t
check_main_default(struct check *c)
{
	struct source_places places = { .sysconfdir = "/etc",
		.home = getenv("HOME"),
		.xdg_config = getenv("XDG_CONFIG_HOME") };
	struct source_paths paths;
	size_t i, found = 0;

	source_paths_init(&paths, &places);
	for (i = 0; i < paths.count; i++) {
		if (i == paths.ours && found > 0)
			break;
		if (access(paths.paths[i], F_OK) != 0)
			continue;
		found++;
		(void)check_file(c, paths.paths[i]);
	}
	source_paths_fini(&paths);
	return found;
}

int
check_main(const char *const *paths, int count)
{
	struct check_hooks hooks = { .read = check_main_read,
		.home = check_main_home,
		.variable = check_main_variable,
		.shell_ok = check_main_shell_ok };
	struct check_main m;
	struct check c;
	size_t i, errors;
	char **e, *text;
	int n;

	check_main_init(&m);
	hooks.arg = &m;
	check_init(&c, &hooks);
	for (e = environ; e != NULL && *e != NULL; e++)
		environ_put(&c.environ, *e);
	for (n = 0; n < count; n++)
		(void)check_file(&c, paths[n]);
	if (count == 0 && check_main_default(&c) == 0)
		fprintf(stderr, "rmux: no configuration file found\n");
	for (i = 0; i < c.source.error_count; i++) {
		text = source_error_new(&c.source, i);
		fprintf(stderr, "%s\n", text);
		mem_free(text);
	}
	if (c.source.errors_dropped > 0)
		fprintf(
		    stderr, "rmux: %zu more errors\n", c.source.errors_dropped);
	errors = check_errors(&c);
	check_fini(&c);
	return errors == 0 ? 0 : 1;
}
