#include "client/term/tty.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "base/io/sys.h"
#include "base/mem.h"
#include "base/str.h"

struct tty {
	int fd;
	int flags; /* flags of the descriptor, which other processes share */
	struct termios saved;
	bool raw;
	char words[512];
};

/* The tty that a signal handler restores; async-signal-safe code reads this. */
static struct tty *volatile tty_held;

static void
tty_emergency(void)
{
	struct tty *t = tty_held;
	ssize_t r = 0;

	if (t == NULL || !t->raw)
		return;
	tty_held = NULL;
	/*
	 * Write the words without blocking; if the terminal hangs, only the
	 * modes are restored.
	 */
	if (t->words[0] != '\0')
		r = write(t->fd, t->words, strlen(t->words));
	(void)r;
	if (t->flags >= 0)
		(void)fcntl(t->fd, F_SETFL, t->flags);
	(void)tcsetattr(t->fd, TCSANOW, &t->saved);
}

/* Whether a read was refused because the client is in the background. */
static volatile sig_atomic_t tty_refused;

static void
tty_ttin(UNUSED int signo)
{
	tty_refused = 1;
}

bool
tty_in_background(void)
{
	bool refused = tty_refused != 0;

	tty_refused = 0;
	return refused;
}

/* As tcsetattr, also in the background, where SIGTTOU would stop the client. */
static int
tty_set(struct tty *t, int when, const struct termios *tio)
{
	sigset_t set, was;
	int r;

	sigemptyset(&set);
	sigaddset(&set, SIGTTOU);
	(void)sigprocmask(SIG_BLOCK, &set, &was);
	r = tcsetattr(t->fd, when, tio);
	(void)sigprocmask(SIG_SETMASK, &was, NULL);
	return r;
}

/* Says which system call ended a confined client; async-signal-safe. */
static void
tty_forbidden(UNUSED const siginfo_t *si)
{
	char text[] = "rmux: ended by its sandbox: system call        \r\n";
	size_t i = sizeof(text) - 4;
	unsigned call = 0;
	ssize_t r;

#ifdef si_syscall
	call = (unsigned)si->si_syscall;
#endif
	do
		text[i--] = (char)('0' + call % 10);
	while ((call /= 10) > 0 && text[i] == ' ');
	r = write(STDERR_FILENO, text, sizeof(text) - 1);
	(void)r;
}

static void
tty_fatal(int signo, siginfo_t *si, UNUSED void *context)
{
	tty_emergency();
	if (signo == SIGSYS)
		tty_forbidden(si);
	(void)signal(signo, SIG_DFL);
	(void)raise(signo);
}

struct tty *
tty_open(int fd, struct cause *c)
{
	static const int fatal[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT,
		SIGQUIT, SIGTRAP, SIGSYS, SIGXCPU, SIGALRM, SIGVTALRM, SIGPROF,
		SIGUSR1, SIGUSR2 };
	static bool registered;
	struct sigaction sa;
	struct tty *t;
	size_t i;

	t = mem_zalloc(sizeof(*t));
	t->fd = fd;
	if (tcgetattr(fd, &t->saved) != 0) {
		cause_set(c, -ERR_SYS,
		    "open terminal failed: not a terminal (%s)",
		    strerror(errno));
		mem_free(t);
		return NULL;
	}
	t->flags = fcntl(fd, F_GETFL);
	tty_held = t;
	if (!registered) {
		registered = true;
		(void)atexit(tty_emergency);
		memset(&sa, 0, sizeof(sa));
		sa.sa_sigaction = tty_fatal;
		sa.sa_flags = SA_SIGINFO;
		sigemptyset(&sa.sa_mask);
		for (i = 0; i < ARRAY_LEN(fatal); i++)
			(void)sigaction(fatal[i], &sa, NULL);
		/* Without SA_RESTART: the read ends, and the client lives. */
		sa.sa_flags = 0;
		sa.sa_handler = tty_ttin;
		(void)sigaction(SIGTTIN, &sa, NULL);
	}
	return t;
}

void
tty_close(struct tty *t)
{
	if (t == NULL)
		return;
	tty_restore(t);
	if (tty_held == t)
		tty_held = NULL;
	mem_free(t);
}

void
tty_raw(struct tty *t)
{
	struct termios tio = t->saved;

	tio.c_iflag &= ~(tcflag_t)(IXON | IXOFF | ICRNL | INLCR | IGNCR |
				   IMAXBEL | ISTRIP | BRKINT | INPCK);
	tio.c_iflag |= IGNBRK;
	tio.c_oflag &= ~(tcflag_t)(OPOST | ONLCR | OCRNL | ONLRET);
	tio.c_lflag &= ~(tcflag_t)(IEXTEN | ICANON | ECHO | ECHOE | ECHONL |
				   ECHOCTL | ECHOPRT | ECHOKE | ISIG);
	tio.c_cflag &= ~(tcflag_t)(CSIZE | PARENB);
	tio.c_cflag |= CS8;
	tio.c_cc[VMIN] = 1;
	tio.c_cc[VTIME] = 0;
	if (tty_set(t, TCSANOW, &tio) == 0)
		t->raw = true;
	tty_held = t;
}

void
tty_restore(struct tty *t)
{
	if (!t->raw)
		return;
	t->raw = false;
	(void)tty_set(t, TCSADRAIN, &t->saved);
}

void
tty_size(const struct tty *t, uint16_t size[4])
{
	size[0] = 80;
	size[1] = 24;
	size[2] = size[3] = 0;
	(void)sys_window(t->fd, size);
}

void
tty_last_words(struct tty *t, const char *words)
{
	str_copy(t->words, words == NULL ? "" : words, sizeof(t->words));
}
