/*
 * The filter of system calls. The kernel runs a small program at each call; it
 * is the table base/io/confine.def, row by row.
 */
#include "config.h"

#include <errno.h>

#include "base/compiler.h"
#include "base/err.h"
#include "base/io/confine.h"
#include "base/io/confine_int.h"

#ifdef __linux__
# include <sys/ioctl.h>
# include <sys/mman.h>
# include <sys/prctl.h>
# include <sys/socket.h>
# include <sys/syscall.h>

# include <fcntl.h>
# include <linux/audit.h>
# include <linux/filter.h>
# include <linux/seccomp.h>
# include <netinet/in.h>
# include <netinet/tcp.h>
# include <stddef.h>
# include <termios.h>
# include <unistd.h>

# if defined(__x86_64__)
#  define CALLS_ARCH AUDIT_ARCH_X86_64
# elif defined(__aarch64__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#  define CALLS_ARCH AUDIT_ARCH_AARCH64
# endif
#endif

#ifdef CALLS_ARCH

# ifndef SECCOMP_RET_KILL_PROCESS
#  define SECCOMP_RET_KILL_PROCESS 0x80000000u
# endif
# ifndef IPV6_DONTFRAG
#  define IPV6_DONTFRAG 62
# endif

/* Instructions of a row: 3 for its call, 3 a condition, 1 for the verdict. */
# define CALLS_WHEN 3
# define CALLS_ROW (3 + 3 * CALLS_WHEN)

/* Set in the numbers of x32, the ABI of x86-64 with short pointers. */
# define CALLS_X32 0x40000000u

/* The value of a condition that stands for this process's id. */
# define CALLS_SELF 0xffffffffu

enum calls_verdict {
	OK,
	NO,
	END
};

struct calls_when {
	unsigned argument; /* from 1; 0: no condition */
	uint32_t mask;
	uint32_t value;
};

struct calls_row {
	uint32_t call;
	unsigned needs;
	enum calls_verdict verdict;
	struct calls_when when[CALLS_WHEN];
};

# define ANY \
  {          \
   0, 0, 0   \
  }
# define ALL 0xffffffffu
# define TYPE (~(uint32_t)(SOCK_CLOEXEC | SOCK_NONBLOCK))
# define IF(argument, mask, value) \
  { (argument) + 1, (mask), (uint32_t)(value) },
# define MINE(argument)            \
  {                                \
   (argument) + 1, ALL, CALLS_SELF \
  }

static const struct calls_row calls_rows[] = {
# define X(call, needs, verdict, ...) \
  { __NR_##call, (needs), (verdict), { __VA_ARGS__ } },
# include "base/io/confine.def"
# undef X
};

static uint32_t
calls_result(enum calls_verdict v)
{
	switch (v) {
	case OK:
		return SECCOMP_RET_ALLOW;
	case NO:
		return SECCOMP_RET_ERRNO | EPERM;
	case END:
		break;
	}
	/* The handler of SIGSYS restores the terminal (client/term/tty.c). */
	return SECCOMP_RET_TRAP;
}

struct calls_program {
	struct sock_filter at[ARRAY_LEN(calls_rows) * CALLS_ROW + 8];
	unsigned short n;
};

static void
put(struct calls_program *p, unsigned code, uint32_t k, unsigned skip)
{
	p->at[p->n++] =
	    (struct sock_filter){ (uint16_t)code, 0, (uint8_t)skip, k };
}

static void
put_load(struct calls_program *p, size_t offset)
{
	put(p, BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset, 0);
}

static void
put_row(struct calls_program *p, const struct calls_row *row)
{
	const struct calls_when *w;
	unsigned left = 1;
	size_t i;

	for (i = 0; i < CALLS_WHEN; i++)
		left += row->when[i].argument == 0 ? 0 : 3;
	put(p, BPF_JMP | BPF_JEQ | BPF_K, row->call, left);
	for (i = 0; i < CALLS_WHEN; i++) {
		w = &row->when[i];
		if (w->argument == 0)
			continue;
		/* security: the low half, as the processors here order it. */
		put_load(p, offsetof(struct seccomp_data, args) +
				sizeof(uint64_t) * (w->argument - 1));
		put(p, BPF_ALU | BPF_AND | BPF_K, w->mask, 0);
		left -= 3;
		put(p, BPF_JMP | BPF_JEQ | BPF_K,
		    w->value == CALLS_SELF ? (uint32_t)getpid() : w->value,
		    left);
	}
	put(p, BPF_RET | BPF_K, calls_result(row->verdict), 0);
	/* A condition that did not hold has left its argument. */
	if (row->when[0].argument != 0)
		put_load(p, offsetof(struct seccomp_data, nr));
}

int
confine_calls_look(void)
{
	/* A kernel with filters looks at the program's address. */
	if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, NULL, 0, 0) == -1 &&
	    errno == EFAULT)
		return 0;
	return -ERR_UNSUPPORTED;
}

int
confine_calls(unsigned may)
{
	static struct calls_program p;
	struct sock_fprog prog = { 0, p.at };
	bool lookup = (may & CONFINE_LOOKUP) != 0;
	size_t i;

	p.n = 0;
	/* security: the numbers of another processor mean other calls. */
	put_load(&p, offsetof(struct seccomp_data, arch));
	p.at[p.n++] = (struct sock_filter)BPF_JUMP(
	    BPF_JMP | BPF_JEQ | BPF_K, CALLS_ARCH, 1, 0);
	put(&p, BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS, 0);
	put_load(&p, offsetof(struct seccomp_data, nr));
# ifdef __x86_64__
	/* security: the numbers of x32 are other names of the same calls. */
	p.at[p.n++] = (struct sock_filter)BPF_JUMP(
	    BPF_JMP | BPF_JGE | BPF_K, CALLS_X32, 0, 1);
	put(&p, BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS, 0);
# endif
	for (i = 0; i < ARRAY_LEN(calls_rows); i++) {
		const struct calls_row *row = &calls_rows[i];

		if (lookup && row->needs == 0 && row->verdict != END)
			continue;
		if (row->needs == 0 || (row->needs & may) != 0)
			put_row(&p, row);
	}
	put(&p, BPF_RET | BPF_K,
	    lookup ? SECCOMP_RET_ALLOW : SECCOMP_RET_ERRNO | ENOSYS, 0);
	prog.len = p.n;
	return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &prog, 0, 0) == 0
		   ? 0
		   : -ERR_SYS;
}

#else

int
confine_calls_look(void)
{
	return -ERR_UNSUPPORTED;
}

int
confine_calls(unsigned may)
{
	(void)may;
	errno = ENOSYS;
	return -ERR_UNSUPPORTED;
}

#endif
