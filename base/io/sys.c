#include "base/io/sys.h"
#include "config.h"

#include <sys/ioctl.h>
#ifdef __APPLE__
# include <mach-o/dyld.h>
#endif
#ifdef __linux__
# include <sys/prctl.h>
#endif
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <limits.h>
#include <locale.h>
#if defined(RMUX_STATIC) && defined(__GLIBC__)
# include <nss.h>
#endif
#include <poll.h>
#include <signal.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/str.h"

/* Bytes read at a time. */
#define SYS_CHUNK ((size_t)65536)

#ifdef CLOCK_BOOTTIME
# define SYS_CLOCK CLOCK_BOOTTIME
#else
# define SYS_CLOCK CLOCK_MONOTONIC
#endif

mono_ms
sys_now(void)
{
	struct timespec ts;

	bug_assert(clock_gettime(SYS_CLOCK, &ts) == 0);
	return (mono_ms)ts.tv_sec * 1000 + (mono_ms)ts.tv_nsec / 1000000;
}

uint64_t
sys_now_us(void)
{
	struct timespec ts;

	bug_assert(clock_gettime(SYS_CLOCK, &ts) == 0);
	return (uint64_t)ts.tv_sec * 1000000 + (uint64_t)ts.tv_nsec / 1000;
}

int64_t
sys_wall(void)
{
	return (int64_t)time(NULL);
}

int64_t
sys_wall_ms(void)
{
	struct timespec ts;

	bug_assert(clock_gettime(CLOCK_REALTIME, &ts) == 0);
	return (int64_t)ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

void
sys_random(void *p, size_t n)
{
	bug_assert(sodium_init() >= 0);
	randombytes_buf(p, n);
}

/* The limit before sys_files_raise; rlim_max 0: not raised. */
static struct rlimit sys_files;

void
sys_files_raise(void)
{
	struct rlimit rl;

	if (getrlimit(RLIMIT_NOFILE, &rl) != 0)
		return;
	sys_files = rl;
	rl.rlim_cur = rl.rlim_max;
	(void)setrlimit(RLIMIT_NOFILE, &rl);
}

void
sys_files_restore(void)
{
	if (sys_files.rlim_max != 0)
		(void)setrlimit(RLIMIT_NOFILE, &sys_files);
}

/* The limit before sys_secrets_hide. */
static struct rlimit sys_cores;
static bool sys_hidden;

void
sys_secrets_hide(void)
{
	const char *dumpable = getenv("RMUX_DUMPABLE");
	struct rlimit rl;

	if (sys_hidden || (dumpable != NULL && strcmp(dumpable, "1") == 0))
		return;
#ifdef PR_SET_DUMPABLE
	(void)prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
#endif
	if (getrlimit(RLIMIT_CORE, &rl) != 0)
		return;
	sys_cores = rl;
	rl.rlim_cur = 0; /* children may raise it again */
	sys_hidden = setrlimit(RLIMIT_CORE, &rl) == 0;
}

void
sys_secrets_restore(void)
{
	if (sys_hidden)
		(void)setrlimit(RLIMIT_CORE, &sys_cores);
}

void
sys_signals_default(void)
{
	sigset_t none;
	int signo;

	for (signo = 1; signo < NSIG; signo++)
		(void)signal(signo, SIG_DFL);
	sigemptyset(&none);
	(void)sigprocmask(SIG_SETMASK, &none, NULL);
}

unsigned
sys_columns(int fd)
{
	struct winsize ws;

	return ioctl(fd, TIOCGWINSZ, &ws) == 0 ? ws.ws_col : 0;
}

bool
sys_window(int fd, uint16_t size[4])
{
	struct winsize ws;

	if (ioctl(fd, TIOCGWINSZ, &ws) != 0 || ws.ws_col == 0 || ws.ws_row == 0)
		return false;
	size[0] = ws.ws_col;
	size[1] = ws.ws_row;
	size[2] = ws.ws_xpixel;
	size[3] = ws.ws_ypixel;
	return true;
}

void
sys_close_from(int fd)
{
	long max;

#ifdef HAVE_CLOSE_RANGE
	if (close_range((unsigned)fd, ~0U, 0) == 0)
		return;
#endif
	max = sysconf(_SC_OPEN_MAX);
	if (max < 0 || max > 65536)
		max = 65536;
	for (; fd < max; fd++)
		close(fd);
}

#ifdef SYS_sched_setattr
/* struct sched_attr of the kernel; some C libraries lack it. */
struct sys_sched {
	uint32_t size;
	uint32_t policy;
	uint64_t flags;
	int32_t nice;
	uint32_t priority;
	uint64_t runtime; /* nanoseconds; for SCHED_OTHER a turn */
	uint64_t deadline;
	uint64_t period;
};

# define SYS_SCHED_OTHER 0
# define SYS_SCHED_RESET_ON_FORK 1

void
sys_interactive(void)
{
	struct sys_sched a = { .size = sizeof(a) };

	/* RESET_ON_FORK would also reset a negative nice value of children. */
	if (syscall(SYS_sched_getattr, 0, &a, sizeof(a), 0) != 0 ||
	    a.policy != SYS_SCHED_OTHER || a.nice < 0)
		return;
	a.size = sizeof(a);
	a.flags |= SYS_SCHED_RESET_ON_FORK;
	a.runtime = SYS_TURN_US * 1000;
	a.deadline = a.period = 0;
	(void)syscall(SYS_sched_setattr, 0, &a, 0);
}
#else
void
sys_interactive(void)
{
}
#endif

int
sys_set_nonblock(int fd)
{
	int flags;

	flags = fcntl(fd, F_GETFL);
	if (flags < 0 || fcntl(fd, F_SETFL, flags | O_NONBLOCK) != 0)
		return -ERR_SYS;
	return 0;
}

int
sys_set_cloexec(int fd)
{
	int flags;

	flags = fcntl(fd, F_GETFD);
	if (flags < 0 || fcntl(fd, F_SETFD, flags | FD_CLOEXEC) != 0)
		return -ERR_SYS;
	return 0;
}

int
sys_write_all(int fd, const void *p, size_t n)
{
	const uint8_t *b = p;
	struct pollfd pfd;
	ssize_t w;

	while (n > 0) {
		w = write(fd, b, n);
		if (w > 0) {
			b += w;
			n -= (size_t)w;
			continue;
		}
		if (w < 0 && errno == EINTR)
			continue;
		if (w < 0 && errno == EAGAIN) {
			pfd = (struct pollfd){ .fd = fd, .events = POLLOUT };
			(void)poll(&pfd, 1, -1);
			continue;
		}
		return -ERR_SYS;
	}
	return 0;
}

int
sys_reopen(int fd, int flags)
{
	char path[32];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return open(path, flags | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
}

bool
sys_read_until(int fd, mono_ms end, char *out, size_t size)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };
	size_t len = 0;
	mono_ms now;
	ssize_t n = 1;

	while (n > 0 && len + 1 < size && (now = sys_now()) < end) {
		if (poll(&p, 1, (int)MIN_OF(end - now, (mono_ms)INT_MAX)) <= 0)
			continue;
		n = read(fd, out + len, size - 1 - len);
		if (n > 0)
			len += (size_t)n;
		else if (n < 0 && (errno == EINTR || errno == EAGAIN))
			n = 1;
	}
	out[len] = '\0';
	return n <= 0 || len + 1 >= size;
}

/*
 * Opens a file for reading. Without PIPES it opens nothing that could let the
 * caller wait for its writer.
 */
static int
open_for_reading(const char *path, bool pipes, struct cause *c)
{
	struct stat st;
	int fd, r;

	fd = open(
	    path, O_RDONLY | O_CLOEXEC | O_NOCTTY | (pipes ? 0 : O_NONBLOCK));
	if (fd < 0) {
		r = errno == ENOENT ? -ERR_NOTFOUND : -ERR_SYS;
		return cause_set(c, r, "%s: %s", path, strerror(errno));
	}
	if (!pipes && (fstat(fd, &st) != 0 || S_ISFIFO(st.st_mode))) {
		close(fd);
		errno = ESPIPE;
		return cause_set(c, -ERR_SYS,
		    "%s: is a pipe, not a file: the server does not wait for "
		    "its writer",
		    path);
	}
	return fd;
}

static int
read_whole(const char *path, bool pipes, size_t max, char **data, size_t *len,
    struct cause *c)
{
	struct buf b;
	uint8_t *p;
	ssize_t n;
	int fd, r;

	if ((fd = open_for_reading(path, pipes, c)) < 0)
		return fd;
	buf_init(&b, max + SYS_CHUNK);
	r = 0;
	for (;;) {
		if (b.len > max || buf_reserve(&b, SYS_CHUNK, &p) != 0) {
			r = cause_set(c, -ERR_LIMIT,
			    "%s: larger than %zu bytes", path, max);
			break;
		}
		n = read(fd, p, SYS_CHUNK);
		if (n > 0) {
			buf_commit(&b, (size_t)n);
			continue;
		}
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			r = cause_set(
			    c, -ERR_SYS, "%s: %s", path, strerror(errno));
		break;
	}
	close(fd);
	if (r == 0)
		*data = buf_steal(&b, len);
	buf_fini(&b);
	return r;
}

int
sys_read_file(
    const char *path, size_t max, char **data, size_t *len, struct cause *c)
{
	return read_whole(path, false, max, data, len, c);
}

int
sys_read_pipe(
    const char *path, size_t max, char **data, size_t *len, struct cause *c)
{
	return read_whole(path, true, max, data, len, c);
}

bool
sys_is_pipe(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISFIFO(st.st_mode);
}

char *
sys_program_new(void)
{
#if defined(__APPLE__)
	char path[PATH_MAX];
	uint32_t size = sizeof(path);

	return _NSGetExecutablePath(path, &size) == 0 ? mem_strdup(path) : NULL;
#else
	static const char *const links[] = { "/proc/self/exe",
		"/proc/curproc/file", "/proc/curproc/exe" };
	char path[PATH_MAX];
	ssize_t n;
	size_t i;

	for (i = 0; i < ARRAY_LEN(links); i++) {
		n = readlink(links[i], path, sizeof(path));
		if (n > 0 && (size_t)n < sizeof(path))
			return mem_strndup(path, (size_t)n);
	}
	return NULL;
#endif
}

bool
sys_utf8(void)
{
#ifdef RMUX_STATIC
	static const char *const names[] = { "LC_ALL", "LC_CTYPE", "LANG" };
	const char *v = NULL, *dot;
	size_t i;

	if (setlocale(LC_CTYPE, "") == NULL) {
		for (i = 0; i < ARRAY_LEN(names) && (v == NULL || *v == '\0');
		     i++)
			v = getenv(names[i]);
		dot = v == NULL ? NULL : strchr(v, '.');
		return dot != NULL && (str_eq_nocase(dot, ".UTF-8") == 0 ||
					  str_eq_nocase(dot, ".utf8") == 0);
	}
#else
	if (setlocale(LC_CTYPE, "") == NULL)
		return false;
#endif
	return strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

void
sys_static_init(void)
{
#if defined(RMUX_STATIC) && defined(__GLIBC__)
	(void)__nss_configure_lookup("passwd", "files");
	(void)__nss_configure_lookup("group", "files");
	(void)__nss_configure_lookup("hosts", "files dns");
#endif
}

void
sys_complain(const char *text)
{
	size_t n;
	char *line;

	for (;; text += n + 1) {
		n = strcspn(text, "\n");
		line = str_plain_new(text, n, n);
		fprintf(stderr, "%s\n", line);
		mem_free(line);
		if (text[n] == '\0')
			break;
	}
}

int
sys_socket_dir_new(char **path, struct cause *c)
{
	const char *base;
	struct stat st;
	uid_t uid;

	uid = getuid();
	base = getenv("RMUX_TMPDIR");
	if (base == NULL || *base == '\0') {
		/* After su it may belong to another user. */
		base = getenv("XDG_RUNTIME_DIR");
		if (base == NULL || *base == '\0' || access(base, W_OK) != 0)
			base = "/tmp";
	}
	*path = mem_printf("%s/rmux-%ld", base, (long)uid);
	if (mkdir(*path, S_IRWXU) != 0 && errno != EEXIST)
		return cause_set(c, -ERR_SYS,
		    "couldn't create directory %s (%s): set RMUX_TMPDIR to one "
		    "that you can write",
		    *path, strerror(errno));
	if (lstat(*path, &st) != 0 || !S_ISDIR(st.st_mode))
		return cause_set(c, -ERR_SYS, "%s is not a directory", *path);
	/* security: nobody else may reach the control socket. */
	if (st.st_uid != uid)
		return cause_set(c, -ERR_DENIED,
		    "directory %s has unsafe permissions: it belongs to uid "
		    "%ld, not to you; set RMUX_TMPDIR to another place",
		    *path, (long)st.st_uid);
	if ((st.st_mode & (S_IRWXG | S_IRWXO)) != 0)
		return cause_set(c, -ERR_DENIED,
		    "directory %s has unsafe permissions: others may enter it "
		    "(mode %03o); run chmod 700 %s",
		    *path, (unsigned)(st.st_mode & 0777), *path);
	return 0;
}
