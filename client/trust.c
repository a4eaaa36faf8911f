#include "client/trust.h"

#include <sys/stat.h>

#include <errno.h>
#include <pwd.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/io/sock.h"
#include "base/mem.h"
#include "base/str.h"

/* Returns the name of a user, else its number; a new string. */
static char *
user_name(uid_t uid)
{
	const struct passwd *pw = getpwuid(uid);

	if (pw != NULL)
		return mem_strdup(pw->pw_name);
	return mem_printf("user %lld", (long long)uid);
}

/* Tells whether UID is in NAMES. */
static bool
is_named(const char *names, uid_t uid)
{
	const struct passwd *pw = getpwuid(uid);
	const char *p = names, *end;
	int64_t n;
	size_t len;

	while (p != NULL && *p != '\0') {
		end = p + strcspn(p, ",");
		len = (size_t)(end - p);
		if (pw != NULL && strlen(pw->pw_name) == len &&
		    strncmp(pw->pw_name, p, len) == 0)
			return true;
		if (str_to_intn(p, len, 0, UINT32_MAX, &n) == 0 &&
		    (uid_t)n == uid)
			return true;
		p = *end == '\0' ? end : end + 1;
	}
	return false;
}

static bool
is_trusted(const struct trust_facts *f, const char *names, uid_t uid)
{
	return uid == f->self || uid == 0 || is_named(names, uid);
}

int
trust_facts_check(
    const struct trust_facts *f, const char *names, struct cause *c)
{
	const char *what = NULL;
	uid_t uid = f->peer;
	char *name;
	int r;

	if (!is_trusted(f, names, f->peer))
		what = "the server at";
	else if (!is_trusted(f, names, uid = f->owner))
		what = "the socket";
	else if ((f->dir_mode & S_ISVTX) == 0 &&
		 !is_trusted(f, names, uid = f->dir_owner))
		what = "the directory of";
	if (what != NULL) {
		name = user_name(uid);
		r = cause_set(c, -ERR_DENIED,
		    "%s %s belongs to %s: not used (choose another with -L or "
		    "-S; --trust=%s if you trust that user with your terminal "
		    "and files)",
		    what, f->path, name,
		    strncmp(name, "user ", 5) == 0 ? name + 5 : name);
		mem_free(name);
		return r;
	}
	if ((f->dir_mode & (S_IWOTH | S_ISVTX)) == S_IWOTH)
		return cause_set(c, -ERR_DENIED,
		    "everybody may replace %s: not used (take the write "
		    "permission of others from its directory: chmod o-w)",
		    f->path);
	return 0;
}

/* Reads the owners of the socket and of its directory. */
static int
trust_stat(struct trust_facts *f)
{
	const char *slash = strrchr(f->path, '/');
	struct stat st;
	char *dir;
	int r;

	if (stat(f->path, &st) != 0)
		return -ERR_SYS;
	f->owner = st.st_uid;
	dir = slash == NULL ? mem_strdup(".")
	      : slash == f->path
		  ? mem_strdup("/")
		  : mem_strndup(f->path, (size_t)(slash - f->path));
	r = stat(dir, &st);
	mem_free(dir);
	f->dir_owner = st.st_uid;
	f->dir_mode = st.st_mode;
	return r == 0 ? 0 : -ERR_SYS;
}

int
trust_server(
    int fd, const char *path, const char *names, bool *foreign, struct cause *c)
{
	struct trust_facts f = { .path = path, .self = geteuid() };
	pid_t pid;

	/* security: the peer of the connection, whatever the path names. */
	if (sock_peer(fd, &f.peer, &pid) != 0 || trust_stat(&f) != 0)
		return cause_set(c, -ERR_DENIED,
		    "cannot tell whose server %s is: %s", path,
		    strerror(errno));
	*foreign = f.peer != f.self && f.peer != 0;
	return trust_facts_check(&f, names, c);
}

/* Tells whether the N bytes at WORD name PATH, from CWD or as they are. */
static bool
names_file(const char *word, size_t n, const char *cwd, const char *path)
{
	size_t len = cwd == NULL ? 0 : strlen(cwd), all = strlen(path);

	if (n == all && memcmp(word, path, n) == 0)
		return true;
	return len > 0 && all == len + 1 + n && memcmp(path, cwd, len) == 0 &&
	       path[len] == '/' && memcmp(path + len + 1, word, n) == 0;
}

bool
trust_asked_file(const char *const *argv, const char *cwd, const char *path)
{
	static const char ends[] = " \t\n;'\"{}";
	const char *p;
	size_t n;

	for (; *argv != NULL; argv++) {
		if (names_file(*argv, strlen(*argv), cwd, path))
			return true;
		/* An argument may hold a whole command. */
		for (p = *argv; *p != '\0'; p += n + (p[n] != '\0')) {
			n = strcspn(p, ends);
			if (n > 0 && names_file(p, n, cwd, path))
				return true;
		}
	}
	return false;
}

bool
trust_may_know(const char *variable)
{
	static const char *const names[] = { "COLORTERM=", "LANG=", "LANGUAGE=",
		"LC_", "TERM=", "TERM_PROGRAM=", "TERM_PROGRAM_VERSION=" };
	size_t i;

	for (i = 0; i < ARRAY_LEN(names); i++)
		if (strncmp(variable, names[i], strlen(names[i])) == 0)
			return true;
	return false;
}

bool
trust_allow_parse(const char *list, unsigned *out)
{
	static const struct {
		const char *name;
		unsigned allow;
	} rows[] = {
		{ "all", TRUST_ALL },
		{ "clipboard", TRUST_CLIPBOARD },
		{ "colours", TRUST_COLOURS },
		{ "mouse", TRUST_MOUSE },
		{ "none", 0 },
		{ "notify", TRUST_NOTIFY },
		{ "passthrough", TRUST_PASSTHROUGH },
		{ "title", TRUST_TITLE },
	};
	const char *p = list;
	size_t i, n;

	*out = 0;
	for (;; p += n + 1) {
		n = strcspn(p, ",");
		for (i = 0; i < ARRAY_LEN(rows); i++)
			if (strlen(rows[i].name) == n &&
			    strncmp(rows[i].name, p, n) == 0)
				break;
		if (i == ARRAY_LEN(rows)) {
			fprintf(stderr,
			    "rmux: --allow wants a list of clipboard, colours, "
			    "mouse, notify, passthrough, title, or all or "
			    "none: %s\n",
			    list);
			return false;
		}
		*out |= rows[i].allow;
		if (p[n] == '\0')
			return true;
	}
}
