/*
 * try.c - a fault in rmux, for regress/e2e/sandbox.sh: loaded into it
 * (LD_PRELOAD), it does what a server's exploit would do.
 *
 * When rmux writes "TRY:name:" to its terminal, the try of that name is made
 * inside rmux, once; its result goes to standard error. With RMUX_TRY_END in
 * the environment a process tries to open a file when it ends. With
 * RMUX_TRY_CODE it tries to make code when it ends, and appends the result to
 * that file. With RMUX_TRY_OLD it runs on a kernel without that system call.
 */
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <netinet/in.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static ssize_t (*real_write)(int, const void *, size_t);
static pid_t parent;
static char mark_end[64];
static char code_file[256];

static void
say(const char *name, long r)
{
	char line[128];
	int n, e = errno;

	n = snprintf(
	    line, sizeof(line), "%s %s\n", name, r >= 0 ? "DONE" : strerror(e));
	if (n > 0)
		(void)!real_write(2, line, (size_t)n);
}

static int
make_code(int prot)
{
	void *p = mmap(NULL, 4096, prot, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	/* musl's word for EPERM. */
	if (p == MAP_FAILED && errno == ENOMEM)
		errno = EPERM;
	return p == MAP_FAILED ? -1 : 0;
}

/* The system call fails from here on, as in an older kernel. */
static void
older_kernel(unsigned call)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
		    offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog p = { sizeof(code) / sizeof(*code), code };

	(void)prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	(void)prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &p, 0, 0);
}

static void
try_it(const char *name)
{
	static char sh[] = "/bin/sh";
	char *argv[] = { sh, NULL };

	if (strcmp(name, "open") == 0)
		say(name, open("/etc/passwd", O_RDONLY));
	else if (strcmp(name, "create") == 0)
		say(name, open("/tmp", O_TMPFILE | O_RDWR, 0600));
	else if (strcmp(name, "unix") == 0)
		say(name, socket(AF_UNIX, SOCK_STREAM, 0));
	else if (strcmp(name, "tcp") == 0)
		say(name, socket(AF_INET, SOCK_STREAM, 0));
	else if (strcmp(name, "udp") == 0)
		say(name, socket(AF_INET, SOCK_DGRAM, 0));
	else if (strcmp(name, "type") == 0)
		say(name, ioctl(0, TIOCSTI, "x"));
	else if (strcmp(name, "kill") == 0)
		say(name, kill(parent, 0));
	else if (strcmp(name, "code") == 0)
		say(name, make_code(PROT_EXEC | PROT_READ));
	else if (strcmp(name, "fork") == 0)
		say(name, fork());
	else if (strcmp(name, "exec") == 0)
		say(name, execv(sh, argv));
}

ssize_t write(int fd, const void *p, size_t n);

ssize_t
write(int fd, const void *p, size_t n)
{
	static char done[32][16];
	static size_t ndone;
	const char *s;
	char name[16];
	size_t i, len;
	ssize_t r = real_write(fd, p, n);

	if (fd != STDOUT_FILENO || (s = memmem(p, n, "TRY:", 4)) == NULL)
		return r;
	s += 4;
	for (len = 0; s + len < (const char *)p + n && s[len] != ':'; len++)
		if (len + 1 == sizeof(name))
			return r;
	memcpy(name, s, len);
	name[len] = '\0';
	for (i = 0; i < ndone; i++)
		if (strcmp(done[i], name) == 0)
			return r;
	if (s + len == (const char *)p + n || ndone == 32)
		return r;
	memcpy(done[ndone++], name, sizeof(name));
	try_it(name);
	return r;
}

__attribute__((constructor)) static void
begin(void)
{
	void *f = dlsym(RTLD_NEXT, "write");
	const char *end = getenv("RMUX_TRY_END");
	const char *code = getenv("RMUX_TRY_CODE");
	const char *old = getenv("RMUX_TRY_OLD");

	memcpy(&real_write, &f, sizeof(f));
	parent = getppid();
	if (end != NULL)
		(void)snprintf(mark_end, sizeof(mark_end), "end-%s", end);
	if (code != NULL)
		(void)snprintf(code_file, sizeof(code_file), "%s", code);
	if (old != NULL)
		older_kernel((unsigned)atoi(old));
}

__attribute__((destructor)) static void
end(void)
{
	int fd, r;

	if (code_file[0] != '\0') {
		fd = open(code_file, O_WRONLY | O_CREAT | O_APPEND, 0600);
		r = make_code(PROT_EXEC | PROT_READ | PROT_WRITE);
		(void)dprintf(fd, "%s %s\n", program_invocation_short_name,
		    r == 0 ? "DONE" : "refused");
	}
	if (mark_end[0] != '\0')
		say(mark_end, open("/etc/passwd", O_RDONLY));
}
