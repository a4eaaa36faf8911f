#include "base/io/sock.h"
#include "config.h"

#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/io/sys.h"
#include "base/mem.h"
#include "base/str.h"

#define SOCK_GROUPS_MAX 65536u /* as Linux */

static int
sock_address(const char *path, struct sockaddr_un *sa, struct cause *c)
{
	memset(sa, 0, sizeof(*sa));
	sa->sun_family = AF_UNIX;
	if (str_copy(sa->sun_path, path, sizeof(sa->sun_path)) >=
	    sizeof(sa->sun_path))
		return cause_set(c, -ERR_LIMIT,
		    "socket path %s is longer than %zu bytes: choose a shorter "
		    "one with -S or RMUX_TMPDIR",
		    path, sizeof(sa->sun_path) - 1);
	return 0;
}

static int
sock_new(int *fd)
{
	*fd = socket(AF_UNIX, SOCK_STREAM, 0);
	if (*fd < 0)
		return -ERR_SYS;
	(void)sys_set_cloexec(*fd);
	return 0;
}

/*
 * Whether a server has once listened at PATH: its lock stays. tmux, whose socket
 * stays, has another word for that.
 */
static bool
had_server(const char *path)
{
	char *name = mem_printf("%s.lock", path);
	bool there = access(name, F_OK) == 0;

	mem_free(name);
	return there;
}

int
sock_connect(const char *path, int *fd, struct cause *c)
{
	struct sockaddr_un sa;
	int r, e;

	if ((r = sock_address(path, &sa, c)) != 0)
		return r;
	if (sock_new(fd) != 0)
		return cause_set(
		    c, -ERR_SYS, "cannot open a socket: %s", strerror(errno));
	while (connect(*fd, (struct sockaddr *)&sa, sizeof(sa)) != 0) {
		if (errno == EINTR)
			continue;
		e = errno;
		close(*fd);
		*fd = -1;
		if (e == ECONNREFUSED || (e == ENOENT && had_server(path)))
			return cause_set(
			    c, -ERR_NOTFOUND, "no server running on %s", path);
		return cause_set(c, e == ENOENT ? -ERR_NOTFOUND : -ERR_SYS,
		    "error connecting to %s (%s)%s", path, strerror(e),
		    e == EACCES ? " (its owner lets you in with "
				  "\"rmux server-access -a USER\", and by "
				  "chmod of the socket and its directory)"
				: "");
	}
	(void)sys_set_nonblock(*fd);
	return 0;
}

/* Locks "PATH.lock"; -ERR_EXISTS if another server has it. */
static int
sock_lock(const char *path, int *lock_fd, struct cause *c)
{
	char *name;
	int r = 0;

	name = mem_printf("%s.lock", path);
	*lock_fd =
	    open(name, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (*lock_fd < 0)
		r = cause_set(c, -ERR_SYS, "error creating %s (%s)", path,
		    strerror(errno));
	else if (flock(*lock_fd, LOCK_EX | LOCK_NB) != 0) {
		close(*lock_fd);
		*lock_fd = -1;
		r = cause_set(
		    c, -ERR_EXISTS, "another server runs on %s", path);
	}
	mem_free(name);
	return r;
}

/* A wrong -S or TMUX must not cost a file. */
static int
sock_replaces(const char *path, struct cause *c)
{
	struct stat st;

	if (lstat(path, &st) != 0 || S_ISSOCK(st.st_mode) ||
	    S_ISLNK(st.st_mode))
		return 0;
	return cause_set(c, -ERR_SYS,
	    "error creating %s: it is no socket (choose another path with -S)",
	    path);
}

int
sock_listen(const char *path, int *fd, int *lock_fd, struct cause *c)
{
	struct sockaddr_un sa;
	mode_t mask;
	int r, e;

	*fd = -1;
	if ((r = sock_address(path, &sa, c)) != 0 ||
	    (r = sock_replaces(path, c)) != 0 ||
	    (r = sock_lock(path, lock_fd, c)) != 0)
		return r;
	/* The lock is ours, so an existing socket is stale. */
	(void)unlink(path);
	if (sock_new(fd) != 0) {
		r = cause_set(
		    c, -ERR_SYS, "cannot open a socket: %s", strerror(errno));
		goto fail;
	}
	mask = umask(S_IXUSR | S_IRWXG | S_IRWXO);
	r = bind(*fd, (struct sockaddr *)&sa, sizeof(sa));
	e = errno;
	umask(mask);
	if (r != 0 || listen(*fd, 128) != 0) {
		if (r == 0)
			e = errno;
		r = cause_set(
		    c, -ERR_SYS, "error creating %s: %s", path, strerror(e));
		goto fail;
	}
	(void)sys_set_nonblock(*fd);
	return 0;
fail:
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
	close(*lock_fd);
	*lock_fd = -1;
	return r;
}

int
sock_accept(int listen_fd, int *fd)
{
	for (;;) {
		*fd = accept(listen_fd, NULL, NULL);
		if (*fd >= 0)
			break;
		if (errno == EINTR || errno == ECONNABORTED)
			continue;
		if (errno == EAGAIN)
			return -ERR_AGAIN;
		return -ERR_SYS;
	}
	(void)sys_set_cloexec(*fd);
	(void)sys_set_nonblock(*fd);
	return 0;
}

int
sock_peer(int fd, uid_t *uid, pid_t *pid)
{
#ifdef SO_PEERCRED
	struct ucred cr;
	socklen_t len = sizeof(cr);

	if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &cr, &len) != 0)
		return -ERR_SYS;
	*uid = cr.uid;
	*pid = cr.pid;
	return 0;
#else
	gid_t gid;

	*pid = -1;
	return getpeereid(fd, uid, &gid) == 0 ? 0 : -ERR_SYS;
#endif
}

int
sock_peer_groups(int fd, gid_t **gids, size_t *count)
{
	gid_t *all;
#if defined(SO_PEERCRED) && defined(SO_PEERGROUPS)
	struct ucred cr;
	socklen_t len = sizeof(cr), size;

	if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &cr, &len) != 0)
		return -ERR_SYS;
	size = SOCK_GROUPS_MAX * sizeof(*all);
	all = mem_calloc(SOCK_GROUPS_MAX + 1, sizeof(*all));
	all[0] = cr.gid;
	if (getsockopt(fd, SOL_SOCKET, SO_PEERGROUPS, all + 1, &size) != 0)
		size = 0;
	*count = 1 + size / sizeof(*all);
	all = mem_resize(all, *count, sizeof(*all));
#else
	uid_t uid;

	all = mem_calloc(1, sizeof(*all));
	if (getpeereid(fd, &uid, all) != 0) {
		mem_free(all);
		return -ERR_SYS;
	}
	*count = 1;
#endif
	*gids = all;
	return 0;
}
