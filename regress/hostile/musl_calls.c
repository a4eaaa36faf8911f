/*
 * A confined process with musl as its C library: what clients of other machines
 * do must work, what is forbidden must not.  musl reaches the kernel by other
 * calls than glibc here and there (writev for printf, TIOCGWINSZ for isatty,
 * open for fopen, brk and mremap for memory).  scripts/check-musl.sh builds and
 * runs it; base/io/confine.def has the calls.
 */
#include "config.h"

#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <sys/wait.h>

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "base/io/confine.h"
#include "base/io/udp.h"

#define CLIENT \
 (CONFINE_TERMINAL | CONFINE_DATAGRAMS | CONFINE_SOCKETS | CONFINE_CHILDREN)

static int tty = -1;
static int ends[2] = { -1, -1 };
static pid_t child = -1;
static volatile sig_atomic_t signals;
static int code; /* of the exit */

static void
on_signal(int signo)
{
	(void)signo;
	signals++;
}

/* --- allowed: each returns whether it works ------------------------------------- */

static bool
memory(void)
{
	char *p = NULL;
	size_t n;

	for (n = 1; n < 64u << 20; n *= 4) {
		if ((p = realloc(p, n)) == NULL)
			return false;
		memset(p, 1, n);
	}
	p = realloc(p, 100);
	free(p);
	p = mmap(NULL, 8192, PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	return p != MAP_FAILED && mprotect(p, 4096, PROT_NONE) == 0 &&
	       madvise(p + 4096, 4096, MADV_DONTNEED) == 0 &&
	       (mlock(p + 4096, 4096) == 0 || errno != ENOSYS) &&
	       munmap(p, 8192) == 0;
}

static bool
clocks(void)
{
	struct timespec ts = { 0, 1000 };
	struct tm tm;
	time_t t = time(NULL);
	char text[64];

	return clock_gettime(CLOCK_MONOTONIC, &ts) == 0 && t > 0 &&
	       localtime_r(&t, &tm) != NULL &&
	       strftime(text, sizeof(text), "%H:%M", &tm) > 0 &&
	       nanosleep(&(struct timespec){ 0, 1000 }, NULL) == 0 &&
	       usleep(1) == 0 &&
	       clock_nanosleep(CLOCK_MONOTONIC, 0,
		   &(struct timespec){ 0, 1000 }, NULL) == 0;
}

static bool
random_bytes(void)
{
	uint8_t b[32];

	return getrandom(b, sizeof(b), 0) == (ssize_t)sizeof(b) &&
	       getentropy(b, sizeof(b)) == 0;
}

static bool
streams(void)
{
	char text[16] = "";
	struct iovec v[2] = { { (void *)"a", 1 }, { (void *)"b", 1 } };
	FILE *f = fdopen(ends[1], "w");

	return f != NULL && fprintf(f, "%s %d", "x", 7) == 3 &&
	       fflush(f) == 0 && read(ends[0], text, sizeof(text)) == 3 &&
	       writev(ends[1], v, 2) == 2 &&
	       readv(ends[0], &(struct iovec){ text, 2 }, 1) == 2 &&
	       fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0 &&
	       read(ends[0], text, 1) == -1 && errno == EAGAIN;
}

static bool
waits(void)
{
	int ep = epoll_create1(EPOLL_CLOEXEC);
	struct pollfd p = { .fd = ends[0], .events = POLLIN };

	/* Loops are made before: a refusal is right, a signal is not. */
	if (ep >= 0)
		(void)close(ep);
	return poll(&p, 1, 1) == 0;
}

static int loop_fd = -1, timer_fd = -1;

static bool
loops(void)
{
	struct itimerspec its = { .it_value = { 0, 1000000 } };
	struct epoll_event ev = { .events = EPOLLIN };

	return timerfd_settime(timer_fd, 0, &its, NULL) == 0 &&
	       epoll_ctl(loop_fd, EPOLL_CTL_ADD, timer_fd, &ev) == 0 &&
	       epoll_wait(loop_fd, &ev, 1, 1000) == 1 &&
	       epoll_pwait(loop_fd, &ev, 1, 0, NULL) == 1;
}

static bool
terminal(void)
{
	struct winsize ws;
	struct termios t;

	return isatty(tty) == 1 && tcgetattr(tty, &t) == 0 &&
	       tcsetattr(tty, TCSANOW, &t) == 0 &&
	       tcsetattr(tty, TCSADRAIN, &t) == 0 &&
	       ioctl(tty, TIOCGWINSZ, &ws) == 0;
}

static bool
raises(void)
{
	sigset_t all, before;

	sigfillset(&all);
	return signal(SIGUSR1, on_signal) != SIG_ERR &&
	       sigprocmask(SIG_BLOCK, &all, &before) == 0 &&
	       sigprocmask(SIG_SETMASK, &before, NULL) == 0 &&
	       raise(SIGUSR1) == 0 && kill(getpid(), SIGUSR1) == 0 &&
	       signals == 2;
}

static bool
children(void)
{
	int status;

	return waitpid(child, &status, 0) == child && WIFEXITED(status);
}

static unsigned got;

static void
datagram(void *arg, struct udp_msg *m)
{
	(void)arg;
	got += m->len == 5;
}

static struct udp *server;
static uint16_t port;

static bool
datagrams(void)
{
	struct udp_addr to, local = { .len = 0 };
	struct udp *a = NULL;
	unsigned tries;
	bool ok;

	ok = udp_open(AF_INET, 1, &a, NULL) == 0 &&
	     udp_addr_parse("127.0.0.1", port, &to) == 0 &&
	     udp_send(a, &local, &to, "hello", 5) == 0;
	for (tries = 0; ok && got == 0 && tries < 1000; tries++) {
		(void)poll(
		    &(struct pollfd){ udp_fd(server), POLLIN, 0 }, 1, 10);
		(void)udp_recv_batch(server, UDP_BATCH, datagram, NULL);
	}
	udp_free(a);
	return ok && got == 1;
}

/* --- forbidden: each returns whether it is refused ------------------------------- */

static bool
no_file(void)
{
	return fopen("/etc/passwd", "r") == NULL &&
	       open("/etc/passwd", O_RDONLY) == -1 &&
	       openat(AT_FDCWD, "/tmp", O_RDONLY) == -1;
}

static bool
no_connection(void)
{
	return socket(AF_INET, SOCK_STREAM, 0) == -1 &&
	       socket(AF_UNIX, SOCK_STREAM, 0) == -1;
}

static bool
no_child(void)
{
	pid_t pid = fork();

	if (pid == 0)
		_exit(0);
	return pid == -1;
}

static bool
no_code(void)
{
	return mmap(NULL, 4096, PROT_READ | PROT_EXEC,
		   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED;
}

static bool
no_typing(void)
{
	return ioctl(tty, TIOCSTI, "x") == -1;
}

static bool
no_others(void)
{
	return kill(1, 0) == -1;
}

static void
on_sigsys(int signo)
{
	(void)signo;
	_exit(code);
}

/* Ends the process if the call is refused as it must be. */
static bool
no_program(void)
{
	char *argv[] = { (char *)"true", NULL };

	(void)signal(SIGSYS, on_sigsys);
	(void)execv("/bin/true", argv);
	return false;
}

static const struct {
	const char *name;
	bool (*fn)(void);
} tries[] = {
	{ "memory", memory },
	{ "clocks", clocks },
	{ "random bytes", random_bytes },
	{ "streams", streams },
	{ "poll", waits },
	{ "epoll and timers", loops },
	{ "terminal", terminal },
	{ "signals to itself", raises },
	{ "children", children },
	{ "datagrams", datagrams },
	{ "no file", no_file },
	{ "no connection", no_connection },
	{ "no child", no_child },
	{ "no executable memory", no_code },
	{ "no typing into the terminal", no_typing },
	{ "no signal to others", no_others },
	{ "no program", no_program },
};

int
main(void)
{
	struct confine_result res;
	int master = posix_openpt(O_RDWR | O_NOCTTY);
	size_t i;

	if (master < 0 || grantpt(master) != 0 || unlockpt(master) != 0 ||
	    (tty = open(ptsname(master), O_RDWR | O_NOCTTY)) < 0 ||
	    pipe(ends) != 0 || (child = fork()) < 0)
		return 2;
	if (child == 0)
		_exit(0);
	if (udp_bind(AF_INET, 40000, 65000, &server, NULL) != 0)
		return 2;
	port = udp_port(server);
	loop_fd = epoll_create1(EPOLL_CLOEXEC);
	timer_fd = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
	setvbuf(stdout, NULL, _IOLBF, 0);
	if (confine(CLIENT, CONFINE_ALL, CONFINE_AUTO, &res, NULL) != 0 ||
	    (res.layers & CONFINE_CALLS) == 0) {
		printf("not confined: %s\n", res.missing);
		return 77;
	}
	for (i = 0; i < sizeof(tries) / sizeof(tries[0]); i++)
		if (!tries[i].fn()) {
			printf("with musl: %s: %s\n", tries[i].name,
			    strerror(errno));
			code = 1;
		}
	return 1; /* the last one ends the process */
}
