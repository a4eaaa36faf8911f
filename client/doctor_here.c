#include "config.h"

#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <locale.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/io/sock.h"
#include "base/io/sys.h"
#include "base/io/udp.h"
#include "base/mem.h"
#include "base/str.h"
#include "client/doctor.h"
#include "client/term/caps.h"
#include "client/term/in.h"
#include "client/term/tty.h"
#include "ssp/kem.h"

#ifdef RMUX_STATIC
# define DOCTOR_BUILD ", a static build"
# define DOCTOR_NO_KEM "a static build has no ML-KEM"
#else
# define DOCTOR_BUILD ""
# define DOCTOR_NO_KEM "ML-KEM needs OpenSSL 3.5"
#endif

/* Default port range of servers. */
#define DOCTOR_PORT_LO 60000
#define DOCTOR_PORT_HI 61000

/* A terminal that answers does so within a second, even over a slow link. */
#define DOCTOR_TERMINAL_MS 1500
#define DOCTOR_SELF_MS 5000
#define DOCTOR_FILES 256 /* fewer descriptors than this limit a server */

/* --- running this program ------------------------------------------------- */

/*
 * Runs this program with ARGV (without its name) and collects both outputs in
 * OUT. Returns its exit code, or -1 if it did not end in time.
 */
static int
self_run(const struct doctor_cfg *cfg, const char *const *argv, char *out,
    size_t size)
{
	union {
		const char *const *in;
		char *const *out;
	} words;
	const char *all[16] = { cfg->self };
	size_t n = 1;
	int fds[2], status = 0;
	bool ended;
	pid_t pid;

	while (*argv != NULL && n + 1 < ARRAY_LEN(all))
		all[n++] = *argv++;
	words.in = all;
	out[0] = '\0';
	if (pipe(fds) != 0 || (pid = fork()) < 0)
		return -1;
	if (pid == 0) {
		int null = open("/dev/null", O_RDONLY);

		(void)dup2(null, STDIN_FILENO);
		(void)dup2(fds[1], STDOUT_FILENO);
		(void)dup2(fds[1], STDERR_FILENO);
		close(fds[0]);
		close(fds[1]);
		execvp(cfg->self, words.out);
		_exit(127);
	}
	close(fds[1]);
	ended = sys_read_until(fds[0], sys_now() + DOCTOR_SELF_MS, out, size);
	close(fds[0]);
	if (!ended)
		(void)kill(pid, SIGKILL);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return ended && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* --- the checks ----------------------------------------------------------- */

static void
check_version(UNUSED const struct doctor_cfg *cfg, struct doctor_finding *f)
{
	doctor_find(
	    f, DOCTOR_OK, "", "rmux %s%s", PACKAGE_VERSION, DOCTOR_BUILD);
}

static void
check_locale(UNUSED const struct doctor_cfg *cfg, struct doctor_finding *f)
{
	static const char *const names[] = { "LC_ALL", "LC_CTYPE", "LANG" };
	const char *v = NULL, *name = "LANG";
	size_t i;

	for (i = 0; i < ARRAY_LEN(names) && (v == NULL || *v == '\0'); i++)
		v = getenv(name = names[i]);
	if (v == NULL || *v == '\0')
		v = "not set";
	if (sys_utf8())
		doctor_find(f, DOCTOR_OK, "", "UTF-8 (%s is %s)", name, v);
	else if (setlocale(LC_CTYPE, "") == NULL)
		doctor_find(f, DOCTOR_FAIL,
		    "`locale -a` lists the installed ones; export "
		    "LC_ALL=C.UTF-8",
		    "this machine has no locale %s (%s)", v, name);
	else
		doctor_find(f, DOCTOR_FAIL,
		    "export LC_ALL=C.UTF-8 (in your shell's profile), or run "
		    "rmux -u if the terminal shows UTF-8 nevertheless",
		    "the character set is %s, not UTF-8 (%s is %s)",
		    nl_langinfo(CODESET), name, v);
}

static void
check_term(UNUSED const struct doctor_cfg *cfg, struct doctor_finding *f)
{
	const char *term = getenv("TERM"), *more = getenv("COLORTERM");

	if (term == NULL || *term == '\0')
		doctor_find(f, DOCTOR_FAIL,
		    "export TERM=xterm-256color, or whatever your terminal is",
		    "TERM is not set");
	else if (strcmp(term, "dumb") == 0 || strcmp(term, "unknown") == 0)
		doctor_find(f, DOCTOR_FAIL,
		    "run rmux in a terminal; or, if this is one, "
		    "export TERM=xterm-256color",
		    "TERM is %s, which cannot draw a screen", term);
	else
		doctor_find(f, DOCTOR_OK, "", "%s%s%s", term,
		    more == NULL || *more == '\0' ? "" : ", COLORTERM is ",
		    more == NULL ? "" : more);
}

/* The answers of the terminal. */
struct answers {
	term_caps caps;
	char name[128];
	bool all;
};

static void
on_answer(void *arg, const struct term_event *ev)
{
	struct answers *a = arg;

	if (ev->kind != TERM_REPLY)
		return;
	a->caps = term_caps_from_reply(a->caps, ev);
	if (ev->reply == TERM_REPLY_XTVERSION)
		snprintf(a->name, sizeof(a->name), "%.*s", (int)ev->len,
		    (const char *)ev->data);
	a->all |= ev->reply == TERM_REPLY_DA1;
}

/*
 * Asks the terminal for its identity, and then a question that every terminal
 * answers.
 */
static void
ask_terminal(struct answers *a)
{
	static const char questions[] = "\033[>0q\033[c";
	mono_ms end = sys_now() + DOCTOR_TERMINAL_MS, now;
	struct term_in *in = term_in_new(on_answer, a);
	struct pollfd p = { .fd = STDIN_FILENO, .events = POLLIN };
	struct cause c = { NULL };
	struct tty *tty = tty_open(STDIN_FILENO, &c);
	uint8_t bytes[1024];
	ssize_t n;

	if (tty != NULL) {
		tty_raw(tty);
		(void)sys_write_all(
		    STDOUT_FILENO, questions, sizeof(questions) - 1);
		while (!a->all && (now = sys_now()) < end) {
			if (poll(&p, 1, (int)(end - now)) <= 0)
				continue;
			n = read(STDIN_FILENO, bytes, sizeof(bytes));
			if (n <= 0)
				break;
			term_in_push(in, sys_now(), bytes, (size_t)n);
		}
		tty_close(tty);
	}
	term_in_free(in);
	cause_fini(&c);
}

static void
check_terminal(const struct doctor_cfg *cfg, struct doctor_finding *f)
{
	struct answers a = { .name = "" };
	char *caps;

	if (!cfg->terminal) {
		doctor_find(f, DOCTOR_NOTE,
		    "run rmux doctor in the terminal that you use",
		    "standard input and output are not a terminal: not "
		    "checked");
		return;
	}
	a.caps = term_caps_from_name(getenv("TERM"), getenv("COLORTERM"));
	ask_terminal(&a);
	caps = term_caps_names_new(a.caps);
	if (!a.all)
		doctor_find(f, DOCTOR_NOTE,
		    "rmux uses TERM instead; to correct its features: "
		    "set -as terminal-features (rmux.conf(5))",
		    "does not answer; features by TERM: %s", caps);
	else
		doctor_find(f, DOCTOR_OK, "", "%s: %s",
		    *a.name == '\0' ? "answers" : a.name, caps);
	mem_free(caps);
}

/* Returns whether a terminfo database has NAME. */
static bool
have_terminfo(const char *name)
{
	static const char *const places[] = { "/etc/terminfo", "/lib/terminfo",
		"/usr/share/terminfo", "/usr/lib/terminfo",
		"/usr/local/share/terminfo", "/opt/homebrew/share/terminfo",
		"/usr/share/misc/terminfo" };
	const char *home = getenv("HOME"), *own = getenv("TERMINFO");
	char path[4096], dir[4096];
	size_t i;

	for (i = 0; i < ARRAY_LEN(places) + 2; i++) {
		if (i < ARRAY_LEN(places))
			snprintf(dir, sizeof(dir), "%s", places[i]);
		else if (i == ARRAY_LEN(places) && home != NULL)
			snprintf(dir, sizeof(dir), "%s/.terminfo", home);
		else if (i > ARRAY_LEN(places) && own != NULL)
			snprintf(dir, sizeof(dir), "%s", own);
		else
			continue;
		snprintf(
		    path, sizeof(path), "%.3000s/%c/%s", dir, name[0], name);
		if (access(path, R_OK) == 0)
			return true;
		snprintf(path, sizeof(path), "%.3000s/%02x/%s", dir,
		    (unsigned char)name[0], name);
		if (access(path, R_OK) == 0)
			return true;
	}
	return false;
}

static void
check_terminfo(UNUSED const struct doctor_cfg *cfg, struct doctor_finding *f)
{
	if (have_terminfo("tmux-256color"))
		doctor_find(f, DOCTOR_OK, "",
		    "tmux-256color, for programs in panes, is there");
	else
		doctor_find(f, DOCTOR_FAIL,
		    "install ncurses-term (Debian), ncurses (others); or put "
		    "set -g default-terminal screen-256color into rmux.conf",
		    "no terminfo entry tmux-256color: programs in panes would "
		    "not know their terminal");
}

static void
check_directory(UNUSED const struct doctor_cfg *cfg, struct doctor_finding *f)
{
	struct cause c = { NULL };
	char *dir = NULL;

	if (sys_socket_dir_new(&dir, &c) == 0)
		doctor_find(f, DOCTOR_OK, "", "%s", dir);
	else
		doctor_find(f, DOCTOR_FAIL,
		    "make it yours alone (chmod 700), or set RMUX_TMPDIR to a "
		    "directory that is",
		    "%s", cause_text(&c));
	mem_free(dir);
	cause_fini(&c);
}

static void
check_server(const struct doctor_cfg *cfg, struct doctor_finding *f)
{
	const char *const ask[] = { "-S", cfg->socket, "display-message", "-p",
		"#{pid}", NULL };
	struct cause c = { NULL };
	char out[512];
	int fd = -1, r;

	r = cfg->socket == NULL ? -ERR_NOTFOUND
				: sock_connect(cfg->socket, &fd, &c);
	if (r == -ERR_NOTFOUND) {
		doctor_find(f, DOCTOR_OK, "",
		    "not running; the first session starts it");
	} else if (r != 0) {
		doctor_find(f, DOCTOR_FAIL,
		    "use another -L NAME or -S PATH, or fix the error shown",
		    "%s", cause_text(&c));
	} else {
		close(fd);
		r = self_run(cfg, ask, out, sizeof(out));
		out[strcspn(out, "\n")] = '\0';
		if (r != 0)
			doctor_find(f, DOCTOR_FAIL,
			    "if this persists: rmux kill-server ends it and "
			    "all "
			    "programs in it",
			    "at %s, does not answer: %s", cfg->socket,
			    *out == '\0' ? "no output" : out);
		else
			doctor_find(f, DOCTOR_OK, "", "runs, process %s, at %s",
			    out, cfg->socket);
	}
	cause_fini(&c);
}

static void
check_config(const struct doctor_cfg *cfg, struct doctor_finding *f)
{
	static const char *const ask[] = { "-n", NULL };
	char out[4096];
	size_t n = 0;
	char *p;

	if (self_run(cfg, ask, out, sizeof(out)) == 0) {
		bool ours = *out == '\0' || str_starts(out, "rmux:");

		out[strcspn(out, "\n")] = '\0';
		doctor_find(f, DOCTOR_OK, "", "loads without errors%s%s",
		    ours ? "" : "; ", ours ? "" : out);
		return;
	}
	for (p = out; (p = strchr(p, '\n')) != NULL; p++)
		n++;
	out[strcspn(out, "\n")] = '\0';
	doctor_find(f, DOCTOR_FAIL,
	    "rmux -n lists every error; rmux.conf(5) describes the syntax",
	    "%s%s", out, n > 1 ? " (and more)" : "");
}

static void
check_shell(UNUSED const struct doctor_cfg *cfg, struct doctor_finding *f)
{
	const char *shell = getenv("SHELL");

	if (shell == NULL || *shell == '\0')
		doctor_find(f, DOCTOR_OK, "", "that of your account");
	else if (*shell != '/' || access(shell, X_OK) != 0)
		doctor_find(f, DOCTOR_FAIL,
		    "export SHELL=/bin/sh, or set -g default-shell in "
		    "rmux.conf",
		    "SHELL is %s, which cannot be run", shell);
	else
		doctor_find(f, DOCTOR_OK, "", "%s", shell);
}

static void
check_pty(UNUSED const struct doctor_cfg *cfg, struct doctor_finding *f)
{
	const char *name = NULL;
	int fd = posix_openpt(O_RDWR | O_NOCTTY);

	if (fd >= 0 && grantpt(fd) == 0 && unlockpt(fd) == 0)
		name = ptsname(fd);
	if (name != NULL && access(name, F_OK) == 0)
		doctor_find(f, DOCTOR_OK, "", "can be made");
	else
		doctor_find(f, DOCTOR_FAIL,
		    "in a container or chroot: mount -t devpts devpts "
		    "/dev/pts",
		    "no pseudo-terminal: %s", strerror(errno));
	if (fd >= 0)
		close(fd);
}

static void
check_limits(UNUSED const struct doctor_cfg *cfg, struct doctor_finding *f)
{
	struct rlimit l;

	if (getrlimit(RLIMIT_NOFILE, &l) != 0 || l.rlim_cur >= DOCTOR_FILES)
		doctor_find(f, DOCTOR_OK, "", "enough open files");
	else
		doctor_find(f, DOCTOR_NOTE, "ulimit -n 1024",
		    "only %llu open files, which limits the number of panes",
		    (unsigned long long)l.rlim_cur);
}

static void
check_ports(UNUSED const struct doctor_cfg *cfg, struct doctor_finding *f)
{
	struct cause c = { NULL };
	struct udp *u = NULL;

	if (udp_bind(AF_INET, DOCTOR_PORT_LO, DOCTOR_PORT_HI, &u, &c) == 0)
		doctor_find(f, DOCTOR_OK, "",
		    "UDP %u is free, for sessions from elsewhere",
		    (unsigned)udp_port(u));
	else
		doctor_find(f, DOCTOR_FAIL,
		    "another program uses the ports (ss -ulpn), or the system "
		    "forbids UDP",
		    "no UDP port from %d to %d: %s", DOCTOR_PORT_LO,
		    DOCTOR_PORT_HI, cause_text(&c));
	udp_free(u);
	cause_fini(&c);
}

static void
check_keys(UNUSED const struct doctor_cfg *cfg, struct doctor_finding *f)
{
	const struct ssp_kem *kem = ssp_kem_system();

	if (kem != NULL)
		doctor_find(f, DOCTOR_OK, "", "X25519 and %s", kem->name);
	else
		doctor_find(f, DOCTOR_OK, "",
		    "X25519 only: a recorded session is not safe from quantum "
		    "computers (" DOCTOR_NO_KEM ")");
}

/*
 * Finds the program NAME and copies its path to FILE: NAME itself if it is a
 * path, else from PATH.
 */
static bool
find_program(const char *name, char *file, size_t size)
{
	const char *path = getenv("PATH"), *end;

	if (strchr(name, '/') != NULL)
		return access(name, X_OK) == 0 &&
		       str_copy(file, name, size) < size;
	for (; path != NULL && *path != '\0'; path = end) {
		end = path + strcspn(path, ":");
		snprintf(file, size, "%.*s/%s", (int)MIN_OF(end - path, 4000),
		    path, name);
		end += *end == ':';
		if (access(file, X_OK) == 0)
			return true;
	}
	return false;
}

static void
check_ssh(const struct doctor_cfg *cfg, struct doctor_finding *f)
{
	const char *ssh = cfg->ssh.ssh == NULL ? "ssh" : cfg->ssh.ssh;
	char name[256], file[4352];

	snprintf(name, sizeof(name), "%.*s", (int)strcspn(ssh, " \t"), ssh);
	if (find_program(name, file, sizeof(file)))
		doctor_find(f, DOCTOR_OK, "", "%s",
		    strcmp(ssh, "ssh") == 0 ? file : ssh);
	else
		doctor_find(f, cfg->host == NULL ? DOCTOR_NOTE : DOCTOR_FAIL,
		    "install openssh-client, or name another with "
		    "--ssh=COMMAND",
		    "no %s in PATH: other machines cannot be reached", name);
}

static void
check_sandbox(UNUSED const struct doctor_cfg *cfg, struct doctor_finding *f)
{
	struct confine_result res;

	confine_look(&res);
	if (res.layers == CONFINE_ALL)
		doctor_find(f, DOCTOR_OK, "",
		    "processes that read other machines' data are confined%s",
		    res.landlock_abi > 0 && res.landlock_abi < 6
			? ", less than by newer kernels"
			: "");
	else
		doctor_find(f, DOCTOR_NOTE,
		    "rmux works, with fewer walls around processes that read "
		    "other machines' data; a newer kernel has them (Linux "
		    "6.12; "
		    "lsm=landlock,...)",
		    "%s", res.missing);
}

/* The checks in their order; far: a far end runs it, too. */
static const struct {
	const char *name;
	bool far;
	void (*fn)(const struct doctor_cfg *cfg, struct doctor_finding *f);
} checks[] = {
	{ "version", true, check_version },
	{ "locale", true, check_locale },
	{ "TERM", false, check_term },
	{ "terminal", false, check_terminal },
	{ "terminfo", true, check_terminfo },
	{ "runtime directory", true, check_directory },
	{ "server", true, check_server },
	{ "configuration", true, check_config },
	{ "shell", true, check_shell },
	{ "pseudo-terminals", true, check_pty },
	{ "open files", true, check_limits },
	{ "UDP ports", true, check_ports },
	{ "key exchange", true, check_keys },
	{ "sandbox", true, check_sandbox },
	{ "ssh", false, check_ssh },
};

void
doctor_here(const struct doctor_cfg *cfg, bool far, doctor_fn fn, void *arg)
{
	struct doctor_finding f;
	size_t i;

	for (i = 0; i < ARRAY_LEN(checks); i++) {
		if (far && !checks[i].far)
			continue;
		memset(&f, 0, sizeof(f));
		checks[i].fn(cfg, &f);
		fn(arg, checks[i].name, &f);
	}
}
