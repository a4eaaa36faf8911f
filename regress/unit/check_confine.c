/*
 * A child confines itself and tries what is forbidden, and what is not.
 */
#include "config.h"

#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "base/io/confine.h"
#include "base/io/fdpass.h"
#include "base/io/sys.h"
#include "base/io/udp.h"
#include "regress/unit/unit.h"

#ifdef __linux__
# include <sys/prctl.h>
# include <sys/ptrace.h>
# include <sys/syscall.h>
# include <sys/uio.h>
# include <sys/un.h>

# include <linux/filter.h>
# include <linux/netlink.h>
# include <linux/seccomp.h>
# include <stddef.h>
# include <time.h>

/* What a child found; a signal is 128 + its number. */
enum {
	DONE = 0,
	REFUSED = 1,
	OTHER = 2,
	BROKEN = 3,
	ENDED = 128 + SIGSYS
};

# define FAR (CONFINE_TERMINAL | CONFINE_DATAGRAMS | CONFINE_SOCKETS)

/* Made before the child is confined. */
static int tty_fd, tcp_fd, udp_fd_made, unix_fd;
static struct sockaddr_in tcp_listens;
static struct sockaddr_un abstract_listens;
static socklen_t abstract_len;
static char temp_file[64];

static int
said(bool done)
{
	return done                                                   ? DONE
	       : errno == EPERM || errno == EACCES || errno == ENOSYS ? REFUSED
								      : OTHER;
}

/* --- the tries ------------------------------------------------------------ */

static int
try_read_file(void)
{
	return said(open("/etc/passwd", O_RDONLY) >= 0);
}

static int
try_write_file(void)
{
	return said(open("/tmp", O_WRONLY | O_TMPFILE, 0600) >= 0);
}

static int
try_null(void)
{
	return said(open("/dev/null", O_RDWR) >= 0);
}

static int
try_directory(void)
{
	return said(mkdir("/tmp/rmux-confined", 0700) == 0 &&
		    rmdir("/tmp/rmux-confined") == 0);
}

static int
try_truncate(void)
{
	return said(truncate(temp_file, 0) == 0);
}

static int
try_chdir(void)
{
	return said(chdir("/") == 0);
}

static int
try_exec(void)
{
	execl("/bin/true", "true", (char *)NULL);
	return said(false);
}

static int
try_fork(void)
{
	pid_t pid = fork();

	if (pid == 0)
		_exit(0);
	return said(pid > 0);
}

static int
try_ptrace(void)
{
	return said(ptrace(PTRACE_TRACEME, 0, NULL, NULL) == 0);
}

static int
try_peek(void)
{
	char a[8];
	struct iovec l = { a, sizeof(a) }, r = { a, sizeof(a) };

	return said(process_vm_readv(getppid(), &l, 1, &r, 1, 0) > 0);
}

static int
try_kill_other(void)
{
	return said(kill(getppid(), 0) == 0);
}

static int
try_kill_parent(void)
{
	/* getppid is refused: the parent's id is in the address. */
	return said(kill((pid_t)tcp_listens.sin_zero[0] +
			     ((pid_t)tcp_listens.sin_zero[1] << 8) +
			     ((pid_t)tcp_listens.sin_zero[2] << 16),
			0) == 0);
}

static int
try_kill_self(void)
{
	return said(kill(getpid(), 0) == 0);
}

static int
try_unix_socket(void)
{
	return said(socket(AF_UNIX, SOCK_STREAM, 0) >= 0);
}

static int
try_tcp_socket(void)
{
	return said(socket(AF_INET, SOCK_STREAM, 0) >= 0);
}

static int
try_ping_socket(void)
{
	return said(socket(AF_INET, SOCK_DGRAM, IPPROTO_ICMP) >= 0);
}

static int
try_raw_socket(void)
{
	return said(socket(AF_INET, SOCK_RAW, IPPROTO_UDP) >= 0);
}

static int
try_netlink(void)
{
	return said(socket(AF_NETLINK, SOCK_RAW, NETLINK_ROUTE) >= 0);
}

static int
try_udp_socket(void)
{
	return said(socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0) >= 0);
}

static int
try_udp_open(void)
{
	struct cause c = { NULL };
	struct udp *u;

	return said(udp_open(AF_INET6, 1, &u, &c) == 0);
}

static int
try_tcp_connect(void)
{
	return said(connect(tcp_fd, (struct sockaddr *)&tcp_listens,
			sizeof(tcp_listens)) == 0);
}

static int
try_tcp_bind(void)
{
	struct sockaddr_in in = { .sin_family = AF_INET };

	return said(bind(tcp_fd, (struct sockaddr *)&in, sizeof(in)) == 0);
}

static int
try_abstract_connect(void)
{
	return said(connect(unix_fd, (struct sockaddr *)&abstract_listens,
			abstract_len) == 0);
}

static int
try_socket_filter(void)
{
	struct sock_filter ok = { BPF_RET | BPF_K, 0, 0, 1000 };
	struct sock_fprog p = { 1, &ok };

	return said(setsockopt(udp_fd_made, SOL_SOCKET, SO_ATTACH_FILTER, &p,
			sizeof(p)) == 0);
}

static int
try_datagram(void)
{
	char byte = 'x';
	struct iovec iov = { &byte, 1 };
	struct sockaddr_in to = tcp_listens;
	struct msghdr mh = { .msg_name = &to,
		.msg_namelen = sizeof(to),
		.msg_iov = &iov,
		.msg_iovlen = 1 };

	return said(sendmsg(udp_fd_made, &mh, 0) == 1);
}

static int
try_type_for_user(void)
{
	return said(ioctl(tty_fd, TIOCSTI, "x") == 0);
}

static int
try_terminal_modes(void)
{
	struct termios t;
	struct winsize ws;

	return said(tcgetattr(tty_fd, &t) == 0 &&
		    tcsetattr(tty_fd, TCSADRAIN, &t) == 0 &&
		    tcsetattr(tty_fd, TCSANOW, &t) == 0 &&
		    ioctl(tty_fd, TIOCGWINSZ, &ws) == 0);
}

static int
try_run_memory(void)
{
	void *p = mmap(NULL, 4096, PROT_READ | PROT_EXEC,
	    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	/* musl's word for EPERM. */
	if (p == MAP_FAILED && errno == ENOMEM)
		errno = EPERM;
	return said(p != MAP_FAILED);
}

static int
try_make_runnable(void)
{
	void *p = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return said(mprotect(p, 4096, PROT_READ | PROT_EXEC) == 0);
}

static int
try_memory_file(void)
{
	return said(memfd_create("x", 0) >= 0);
}

static int
try_dup(void)
{
	return said(fcntl(tty_fd, F_DUPFD, 0) >= 0);
}

static int
try_owner(void)
{
	return said(fcntl(tty_fd, F_SETOWN, 1) == 0);
}

static int
try_setuid(void)
{
	return said(syscall(SYS_setuid, getuid()) == 0);
}

static int
try_io_uring(void)
{
	return said(syscall(SYS_io_uring_setup, 1, NULL) >= 0);
}

static int
try_x32(void)
{
# ifdef __x86_64__
	return said(syscall(0x40000000 + SYS_getpid) > 0);
# else
	errno = ENOSYS;
	return said(false);
# endif
}

/* Memory, clocks, random bytes, output: as a process needs them. */
static int
try_life(void)
{
	struct timespec t = { 0, 1000 };
	struct pollfd p = { .fd = tty_fd, .events = POLLOUT };
	char *big = malloc(32 << 20), byte;

	if (big == NULL)
		return OTHER;
	memset(big, 1, 32 << 20);
	free(big);
	sys_random(&byte, 1);
	return said(nanosleep(&t, NULL) == 0 && poll(&p, 1, 0) == 1 &&
		    write(tty_fd, "x", 1) == 1 &&
		    signal(SIGALRM, SIG_IGN) != SIG_ERR && sys_now() > 0 &&
		    fcntl(tty_fd, F_SETFL, O_RDWR | O_NONBLOCK) == 0);
}

/* --- a confined child ----------------------------------------------------- */

static void
make_descriptors(void)
{
	int tcp = socket(AF_INET, SOCK_STREAM, 0), s;
	socklen_t len = sizeof(tcp_listens);

	memset(&tcp_listens, 0, sizeof(tcp_listens));
	tcp_listens.sin_family = AF_INET;
	tcp_listens.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	ck_assert_int_eq(bind(tcp, (struct sockaddr *)&tcp_listens, len), 0);
	ck_assert_int_eq(listen(tcp, 8), 0);
	(void)getsockname(tcp, (struct sockaddr *)&tcp_listens, &len);
	tcp_listens.sin_zero[0] = (unsigned char)getpid();
	tcp_listens.sin_zero[1] = (unsigned char)(getpid() >> 8);
	tcp_listens.sin_zero[2] = (unsigned char)(getpid() >> 16);
	udp_fd_made = socket(AF_INET, SOCK_DGRAM, 0);
	s = socket(AF_UNIX, SOCK_STREAM, 0);
	memset(&abstract_listens, 0, sizeof(abstract_listens));
	abstract_listens.sun_family = AF_UNIX;
	abstract_len =
	    (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 +
			(size_t)snprintf(abstract_listens.sun_path + 1, 64,
			    "rmux-confine-%d", (int)getpid()));
	ck_assert_int_eq(
	    bind(s, (struct sockaddr *)&abstract_listens, abstract_len), 0);
	ck_assert_int_eq(listen(s, 8), 0);
	snprintf(temp_file, sizeof(temp_file), "/tmp/rmux-confine-XXXXXX");
	ck_assert_int_ge(mkstemp(temp_file), 0);
	tty_fd = posix_openpt(O_RDWR | O_NOCTTY);
	if (tty_fd >= 0 && grantpt(tty_fd) == 0 && unlockpt(tty_fd) == 0)
		tty_fd = open(ptsname(tty_fd), O_RDWR | O_NOCTTY);
	ck_assert_int_ge(tty_fd, 0);
}

static void
remove_file(void)
{
	unlink(temp_file);
}

static int
status_of(pid_t pid)
{
	int status;

	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status)
				   : WEXITSTATUS(status);
}

/* Tries FN in a child confined to MAY by LAYERS; 0: in one that is free. */
static int
tried(unsigned may, unsigned layers, int (*fn)(void))
{
	struct confine_result res;
	struct cause c = { NULL };
	pid_t pid;

	/* A socket connects once. */
	tcp_fd = socket(AF_INET, SOCK_STREAM, 0);
	unix_fd = socket(AF_UNIX, SOCK_STREAM, 0);
	fflush(NULL);
	pid = fork();
	if (pid == 0) {
		/* Not with this program's handler, if there is one. */
		(void)signal(SIGSYS, SIG_DFL);
		if (layers != 0 &&
		    (confine(may, layers, CONFINE_AUTO, &res, &c) != 0 ||
			res.layers != layers))
			_exit(BROKEN);
		_exit(fn());
	}
	close(tcp_fd);
	close(unix_fd);
	return status_of(pid);
}

static bool
skipped(void)
{
	struct confine_result res;

	confine_look(&res);
	if (res.layers == CONFINE_ALL)
		return false;
	fprintf(stderr, "skipped: %s\n", res.missing);
	return true;
}

# ifdef RMUX_ASAN
#  define LOOSE true
# else
#  define LOOSE false
# endif

struct try_row {
	const char *name;
	int (*fn)(void);
	unsigned may; /* with one of these it is allowed */
	int refused;  /* the result without */
	bool loose;   /* sanitizers need it, too */
};

static const struct try_row tries[] = {
	{ "life", try_life, ~0u, DONE, false },
	{ "kill self", try_kill_self, ~0u, DONE, false },
	{ "read a file", try_read_file, CONFINE_FILES | CONFINE_LOOKUP, REFUSED,
	    true },
	{ "write a file", try_write_file, CONFINE_FILES, REFUSED, false },
	{ "open a device", try_null, CONFINE_FILES, REFUSED, false },
	{ "make a directory", try_directory, 0, REFUSED, false },
	{ "truncate", try_truncate, 0, REFUSED, false },
	{ "exec", try_exec, 0, ENDED, false },
	{ "fork", try_fork, CONFINE_LOOKUP, REFUSED, true },
	{ "ptrace", try_ptrace, 0, ENDED, true },
	{ "read another's memory", try_peek, 0, ENDED, false },
	{ "signal the parent", try_kill_parent, 0, REFUSED, true },
	{ "Unix socket", try_unix_socket, CONFINE_LOOKUP, REFUSED, false },
	{ "TCP socket", try_tcp_socket, CONFINE_LOOKUP, REFUSED, false },
	{ "raw socket", try_raw_socket, 0, REFUSED, false },
	{ "ping socket", try_ping_socket, CONFINE_LOOKUP, REFUSED, false },
	{ "netlink", try_netlink, CONFINE_LOOKUP, REFUSED, false },
	{ "UDP socket", try_udp_socket, CONFINE_SOCKETS | CONFINE_LOOKUP,
	    REFUSED, false },
	{ "UDP as rmux opens it", try_udp_open,
	    CONFINE_SOCKETS | CONFINE_LOOKUP, REFUSED, false },
	{ "connect by TCP", try_tcp_connect, CONFINE_LOOKUP, REFUSED, false },
	{ "listen by TCP", try_tcp_bind, 0, REFUSED, false },
	{ "abstract socket", try_abstract_connect, CONFINE_LOOKUP, REFUSED,
	    false },
	{ "filter of a socket", try_socket_filter, CONFINE_LOOKUP, REFUSED,
	    false },
	{ "send a datagram", try_datagram, CONFINE_DATAGRAMS | CONFINE_LOOKUP,
	    REFUSED, false },
	{ "type for the user", try_type_for_user, 0, REFUSED, false },
	{ "terminal modes", try_terminal_modes,
	    CONFINE_TERMINAL | CONFINE_LOOKUP, REFUSED, false },
	{ "map code", try_run_memory, CONFINE_LOOKUP, REFUSED, false },
	{ "make memory code", try_make_runnable, CONFINE_LOOKUP, REFUSED,
	    false },
	{ "memory file", try_memory_file, CONFINE_LOOKUP, REFUSED, false },
	{ "copy a descriptor", try_dup, CONFINE_LOOKUP, REFUSED, false },
	{ "send signals by a descriptor", try_owner, CONFINE_LOOKUP, REFUSED,
	    false },
	{ "change the user", try_setuid, CONFINE_LOOKUP, REFUSED, false },
	{ "change the directory", try_chdir, CONFINE_LOOKUP, REFUSED, false },
	{ "io_uring", try_io_uring, 0, ENDED, false },
	{ "the numbers of x32", try_x32, 0, REFUSED, false },
};

START_TEST(forbidden_calls_are_refused_and_others_made)
{
	static const unsigned mays[] = { 0, CONFINE_TERMINAL, CONFINE_DATAGRAMS,
		FAR, CONFINE_TERMINAL | CONFINE_FILES,
		CONFINE_DATAGRAMS | CONFINE_SOCKETS | CONFINE_CHILDREN,
		CONFINE_LOOKUP };
	const struct try_row *t;
	size_t i, k;
	int got, want;
	bool may;

	if (skipped())
		return;
	for (i = 0; i < ARRAY_LEN(mays); i++)
		for (k = 0; k < ARRAY_LEN(tries); k++) {
			t = &tries[k];
			if (LOOSE && t->loose)
				continue;
			may = (t->may & mays[i]) != 0;
			/* What is for all has all bits. */
			may |= t->may == ~0u;
			/* This machine may refuse it to everybody. */
			want = may ? tried(0, 0, t->fn) : t->refused;
			got = tried(mays[i], CONFINE_ALL, t->fn);
			ck_assert_msg(got == want, "%s with %#x: %d, not %d",
			    t->name, mays[i], got, want);
		}
}
END_TEST

/* Each layer holds without the others. */
START_TEST(landlock_alone_refuses_files_tcp_and_others)
{
	static int (*const refused[])(void) = { try_read_file, try_write_file,
		try_null, try_directory, try_exec, try_tcp_connect,
		try_tcp_bind, try_abstract_connect, try_kill_other };
	/* The first ABI that refuses it. */
	static const int abi[] = { 1, 1, 1, 1, 1, 4, 4, 6, 6 };
	struct confine_result res;
	size_t i;

	if (skipped())
		return;
	confine_look(&res);
	for (i = LOOSE; i < ARRAY_LEN(refused); i++)
		if (res.landlock_abi >= abi[i])
			ck_assert_int_eq(
			    tried(FAR, CONFINE_PRIVILEGES | CONFINE_LANDLOCK,
				refused[i]),
			    REFUSED);
	ck_assert_int_eq(
	    tried(FAR, CONFINE_PRIVILEGES | CONFINE_LANDLOCK, try_kill_self),
	    DONE);
}
END_TEST

/* Writes, renames and removes below PATH; a bit for each that fails. */
static int
folder_try(const char *path)
{
	char a[128], b[128], dir[128];
	int fd, bad = 0;

	snprintf(a, sizeof(a), "%s/a", path);
	snprintf(dir, sizeof(dir), "%s/d", path);
	snprintf(b, sizeof(b), "%s/d/b", path);
	bad |= mkdir(dir, 0700) == 0 ? 0 : 1;
	fd = open(a, O_RDWR | O_CREAT, 0600);
	bad |= fd >= 0 && write(fd, "x", 1) == 1 ? 0 : 2;
	if (fd >= 0)
		close(fd);
	bad |= rename(a, b) == 0 && unlink(b) == 0 ? 0 : 4;
	bad |= symlink("/etc", b) == 0 ? 0 : 8;
	bad |= rmdir(dir) == 0 ? 0 : 16;
	return bad;
}

START_TEST(a_folder_and_nothing_else)
{
	char in[] = "/tmp/rmux-check-in-XXXXXX";
	char out[] = "/tmp/rmux-check-out-XXXXXX";
	struct confine_result res;
	int status;
	pid_t pid;

	if (skipped())
		return;
	confine_look(&res);
	if (res.landlock_abi < 2)
		return;
	ck_assert_ptr_nonnull(mkdtemp(in));
	ck_assert_ptr_nonnull(mkdtemp(out));
	if ((pid = fork()) == 0) {
		if (!confine_folder(in))
			_exit(1);
		/* No links in it; nothing beside it; no programs. */
		if (folder_try(in) != 8)
			_exit(2);
		if (folder_try(out) != 31)
			_exit(3);
		if (open("/etc/passwd", O_RDONLY) >= 0)
			_exit(4);
		(void)execl("/bin/sh", "sh", "-c", "exit 5", (char *)NULL);
		_exit(0);
	}
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert_int_eq(status, 0);
	ck_assert_int_eq(rmdir(in), 0);
	ck_assert_int_eq(rmdir(out), 0);
}
END_TEST

START_TEST(the_filter_alone_refuses_the_same)
{
	static int (*const refused[])(void) = { try_read_file, try_write_file,
		try_null, try_directory, try_tcp_connect, try_abstract_connect,
		try_kill_parent };
	size_t i;

	if (skipped())
		return;
	for (i = LOOSE; i < ARRAY_LEN(refused) - LOOSE; i++)
		ck_assert_int_eq(
		    tried(FAR, CONFINE_PRIVILEGES | CONFINE_CALLS, refused[i]),
		    REFUSED);
}
END_TEST

static int
privileges(void)
{
	struct {
		uint32_t effective, permitted, inheritable;
	} got[2];
	struct {
		uint32_t version;
		int pid;
	} h = { 0x20080522, 0 };

	memset(got, 0xff, sizeof(got));
	if (syscall(SYS_capget, &h, got) != 0)
		return OTHER;
	return prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1 &&
		       got[0].effective == 0 && got[1].effective == 0 &&
		       got[0].permitted == 0 && got[1].permitted == 0 &&
		       got[0].inheritable == 0
		   ? DONE
		   : OTHER;
}

START_TEST(no_privilege_is_left)
{
	if (!skipped())
		ck_assert_int_eq(
		    tried(FAR, CONFINE_PRIVILEGES, privileges), DONE);
}
END_TEST

/* A second call takes away more, and gives nothing back. */
static int
twice(void)
{
	struct confine_result res;
	struct cause c = { NULL };

	if (try_terminal_modes() != DONE)
		return OTHER;
	(void)confine(FAR | CONFINE_FILES, CONFINE_ALL, CONFINE_AUTO, &res, &c);
	cause_fini(&c);
	return try_write_file() == REFUSED && try_udp_socket() == REFUSED
		   ? DONE
		   : OTHER;
}

START_TEST(nothing_is_given_back)
{
	if (!skipped())
		ck_assert_int_eq(
		    tried(CONFINE_TERMINAL, CONFINE_ALL, twice), DONE);
}
END_TEST

/*
 * This process makes no memory executable; its children and the programs that
 * they become do, and may gain privileges.
 */
static int
memory_child(void)
{
	pid_t pid;
	void *p;

	/* Before Linux 6.6 it does nothing. */
	if (!confine_memory())
		return DONE;
	p = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
	    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (p != MAP_FAILED || try_make_runnable() != REFUSED)
		return 10;
	if (prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 0)
		return 11;
	if ((pid = fork()) == 0)
		_exit(try_make_runnable() == DONE ? DONE : 12);
	return status_of(pid);
}

START_TEST(memory_is_no_code_but_in_children)
{
	pid_t pid;

	fflush(NULL);
	if ((pid = fork()) == 0)
		_exit(memory_child());
	ck_assert_int_eq(status_of(pid), DONE);
}
END_TEST

/*
 * The options of a socket that a confined process opens are those of any other:
 * base/io/udp.c ignores the refusal of an option.
 */
static int sent_by;

static int
send_socket(void)
{
	struct cause c = { NULL };
	struct udp *u;
	int fd;

	if (udp_open(sent_by % 2 ? AF_INET6 : AF_INET, 1, &u, &c) != 0)
		return REFUSED;
	fd = udp_fd(u);
	return said(fdpass_send(sent_by / 2, "x", 1, &fd, 1, 0) == 1);
}

static int
take_socket(int from)
{
	char byte;
	size_t n;
	int fd;

	ck_assert_int_eq(fdpass_recv(from, &byte, 1, &fd, 1, &n, 0), 1);
	ck_assert_uint_eq(n, 1);
	return fd;
}

START_TEST(sockets_have_all_their_options)
{
	static const int options[][3] = { { 4, SOL_SOCKET, SO_RCVBUF },
		{ 4, IPPROTO_IP, IP_TOS }, { 4, IPPROTO_IP, IP_RECVTOS },
		{ 4, IPPROTO_IP, IP_PKTINFO },
		{ 4, IPPROTO_IP, IP_MTU_DISCOVER },
		{ 6, SOL_SOCKET, SO_RCVBUF }, { 6, IPPROTO_IPV6, IPV6_V6ONLY },
		{ 6, IPPROTO_IPV6, IPV6_TCLASS },
		{ 6, IPPROTO_IPV6, IPV6_RECVTCLASS },
		{ 6, IPPROTO_IPV6, IPV6_RECVPKTINFO },
		{ 6, IPPROTO_IPV6, IPV6_MTU_DISCOVER } };
	struct cause c = { NULL };
	int pair[2], fd[2], a, b;
	struct udp *u;
	socklen_t len;
	size_t i;
	int v6;

	if (skipped())
		return;
	for (v6 = 0; v6 < 2; v6++) {
		ck_assert_int_eq(
		    socketpair(AF_UNIX, SOCK_SEQPACKET, 0, pair), 0);
		sent_by = pair[1] * 2 + v6;
		ck_assert_int_eq(tried(FAR, CONFINE_ALL, send_socket), DONE);
		fd[0] = take_socket(pair[0]);
		ck_assert_int_eq(
		    udp_open(v6 ? AF_INET6 : AF_INET, 1, &u, &c), 0);
		fd[1] = udp_fd(u);
		for (i = 0; i < ARRAY_LEN(options); i++) {
			if (options[i][0] != (v6 ? 6 : 4))
				continue;
			a = b = 0;
			len = sizeof(a);
			ck_assert_int_eq(getsockopt(fd[0], options[i][1],
					     options[i][2], &a, &len),
			    0);
			len = sizeof(b);
			ck_assert_int_eq(getsockopt(fd[1], options[i][1],
					     options[i][2], &b, &len),
			    0);
			ck_assert_msg(
			    a == b, "option %zu: %d, not %d", i, a, b);
		}
		udp_free(u);
		close(fd[0]);
		close(pair[0]);
		close(pair[1]);
	}
}
END_TEST

/* --- systems without ------------------------------------------------------ */

/* Makes this kernel fail CALL (prctl: only of OPTION) with ERROR. */
static bool
older_kernel(uint32_t call, uint32_t option, uint32_t error)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
		    offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 3),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
		    offsetof(struct seccomp_data, args)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, option, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | error),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog p = { ARRAY_LEN(code), code };

	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
	       prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &p, 0, 0) == 0;
}

static const struct old_row {
	uint32_t call;
	uint32_t option;
	uint32_t error;
	unsigned layers; /* that are left */
	const char *missing;
} olds[] = {
	/* Before 5.13, or not enabled. */
	{ 444, 0, ENOSYS, CONFINE_CALLS | CONFINE_PRIVILEGES, "no Landlock" },
	{ 444, 0, EOPNOTSUPP, CONFINE_CALLS | CONFINE_PRIVILEGES,
	    "no Landlock" },
	/* In a container that forbids it. */
	{ 444, 0, EPERM, CONFINE_CALLS | CONFINE_PRIVILEGES, "no Landlock" },
	/* Before 3.5, or in a container that forbids it. */
	{ SYS_prctl, PR_SET_SECCOMP, EINVAL,
	    CONFINE_LANDLOCK | CONFINE_PRIVILEGES, "no seccomp" },
	{ SYS_prctl, PR_SET_SECCOMP, EPERM,
	    CONFINE_LANDLOCK | CONFINE_PRIVILEGES, "no seccomp" },
};

static int
old_child(const struct old_row *o)
{
	struct confine_result look, res;
	struct cause c = { NULL };

	if (!older_kernel(o->call, o->option, o->error))
		return BROKEN;
	confine_look(&look);
	if (look.layers != o->layers ||
	    strstr(look.missing, o->missing) == NULL)
		return 10;
	if (confine(FAR, CONFINE_ALL, CONFINE_AUTO, &res, &c) != 0 ||
	    res.layers != o->layers || strstr(res.missing, o->missing) == NULL)
		return 11;
	/* What is left refuses. */
	if (!LOOSE && try_read_file() != REFUSED)
		return 12;
	return try_write_file() == REFUSED ? DONE : 13;
}

static int
old_required(const struct old_row *o)
{
	struct confine_result res;
	struct cause c = { NULL };

	if (!older_kernel(o->call, o->option, o->error))
		return BROKEN;
	if (confine(FAR, CONFINE_ALL, CONFINE_REQUIRE, &res, &c) == 0)
		return 10;
	return strstr(cause_text(&c), o->missing) != NULL ? DONE : 11;
}

START_TEST(older_kernels_confine_less_and_say_so)
{
	const struct old_row *o = &olds[_i];
	pid_t pid;

	if (skipped())
		return;
	fflush(NULL);
	if ((pid = fork()) == 0)
		_exit(old_child(o));
	ck_assert_int_eq(status_of(pid), DONE);
	if ((pid = fork()) == 0)
		_exit(old_required(o));
	ck_assert_int_eq(status_of(pid), DONE);
}
END_TEST

static int
off(void)
{
	struct confine_result res;
	struct cause c = { NULL };

	return confine(0, CONFINE_ALL, CONFINE_OFF, &res, &c) == 0 &&
		       res.layers == 0 && try_write_file() == DONE
		   ? DONE
		   : OTHER;
}

START_TEST(off_and_valgrind_confine_nothing)
{
	struct confine_result res;
	struct cause c = { NULL };
	pid_t pid;

	fflush(NULL);
	if ((pid = fork()) == 0)
		_exit(off());
	ck_assert_int_eq(status_of(pid), DONE);
	ck_assert_int_eq(
	    setenv("LD_PRELOAD", "/usr/lib/vgpreload_core.so", 1), 0);
	ck_assert_int_eq(confine(0, CONFINE_ALL, CONFINE_AUTO, &res, &c), 0);
	ck_assert_uint_eq(res.layers, 0);
	ck_assert_int_ne(confine(0, CONFINE_ALL, CONFINE_REQUIRE, &res, &c), 0);
	ck_assert_ptr_nonnull(strstr(cause_text(&c), "--sandbox=require"));
	cause_fini(&c);
}
END_TEST
#endif

START_TEST(modes_have_names)
{
	enum confine_mode m = CONFINE_OFF;

	ck_assert(confine_mode_parse("auto", &m) && m == CONFINE_AUTO);
	ck_assert(confine_mode_parse("require", &m) && m == CONFINE_REQUIRE);
	ck_assert(confine_mode_parse("off", &m) && m == CONFINE_OFF);
	ck_assert(!confine_mode_parse("", &m) && m == CONFINE_OFF);
	ck_assert(!confine_mode_parse("offer", &m));
}
END_TEST

UNIT_SUITE(confine)
{
	Suite *s = suite_create("confine");
	TCase *tc = tcase_create("confine");

	tcase_add_test(tc, modes_have_names);
#ifdef __linux__
	tcase_add_checked_fixture(tc, make_descriptors, remove_file);
	tcase_add_test(tc, forbidden_calls_are_refused_and_others_made);
	tcase_add_test(tc, landlock_alone_refuses_files_tcp_and_others);
	tcase_add_test(tc, a_folder_and_nothing_else);
	tcase_add_test(tc, the_filter_alone_refuses_the_same);
	tcase_add_test(tc, no_privilege_is_left);
	tcase_add_test(tc, nothing_is_given_back);
	tcase_add_test(tc, memory_is_no_code_but_in_children);
	tcase_add_test(tc, sockets_have_all_their_options);
	tcase_add_loop_test(
	    tc, older_kernels_confine_less_and_say_so, 0, ARRAY_LEN(olds));
	tcase_add_test(tc, off_and_valgrind_confine_nothing);
#endif
	suite_add_tcase(s, tc);
	return s;
}
