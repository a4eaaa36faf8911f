#include "base/io/confine.h"
#include "config.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef __linux__
# include <sys/prctl.h>
# include <sys/syscall.h>
#endif

#include "base/io/confine_int.h"
#include "base/str.h"

bool
confine_mode_parse(const char *word, enum confine_mode *out)
{
	static const char *const words[] = { "auto", "require", "off" };
	int i;

	for (i = 0; i < (int)ARRAY_LEN(words); i++)
		if (strcmp(word, words[i]) == 0) {
			*out = (enum confine_mode)i;
			return true;
		}
	return false;
}

/*
 * Returns why this process is not to be confined (it runs under valgrind, or
 * writes what it covered at its end), or NULL.
 */
static const char *
confine_excused(void)
{
#ifdef RMUX_COVERAGE
	return "this build writes its coverage to files";
#else
	const char *preload = getenv("LD_PRELOAD");

	/* valgrind makes system calls of its own in this process. */
	if (preload != NULL && strstr(preload, "/vgpreload_") != NULL)
		return "it runs under valgrind";
	return NULL;
#endif
}

/* Adds a reason to OUT->missing. */
static void
missing(struct confine_result *out, const char *why)
{
	if (out->missing[0] != '\0')
		(void)str_append(out->missing, ", ", sizeof(out->missing));
	(void)str_append(out->missing, why, sizeof(out->missing));
}

#ifdef __linux__

/* Of Linux 6.3 and 6.6. */
# ifndef PR_SET_MDWE
#  define PR_SET_MDWE 65
#  define PR_MDWE_REFUSE_EXEC_GAIN (1UL << 0)
# endif
# ifndef PR_MDWE_NO_INHERIT
#  define PR_MDWE_NO_INHERIT (1UL << 1)
# endif

# ifndef PR_SET_NO_NEW_PRIVS
#  define PR_SET_NO_NEW_PRIVS 38
#  define PR_GET_NO_NEW_PRIVS 39
# endif

/* Of linux/capability.h, which some C libraries' headers contradict. */
# define CAPABILITY_VERSION_3 0x20080522

struct capability_header {
	uint32_t version;
	int pid;
};

struct capability_data {
	uint32_t effective;
	uint32_t permitted;
	uint32_t inheritable;
};

/*
 * Drops all capabilities, which a process of root has; and sees to it that no
 * program that it may run brings any.
 */
static int
drop_privileges(void)
{
	struct capability_header h = { CAPABILITY_VERSION_3, 0 };
	struct capability_data none[2] = { { 0, 0, 0 }, { 0, 0, 0 } };

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
		return -ERR_UNSUPPORTED;
	return syscall(SYS_capset, &h, none) == 0 ? 0 : -ERR_SYS;
}

static void
confine_linux(unsigned may, unsigned layers, struct confine_result *out)
{
	char text[80];

	out->landlock_abi = confine_landlock_abi();
	if (layers & CONFINE_PRIVILEGES) {
		if (drop_privileges() == 0)
			out->layers |= CONFINE_PRIVILEGES;
		else
			missing(out, "the kernel has no no_new_privs");
	}
	if ((layers & CONFINE_LANDLOCK) == 0 || out->landlock_abi == 0)
		missing(out, "the kernel has no Landlock");
	else if (confine_landlock(may, out->landlock_abi) == 0)
		out->layers |= CONFINE_LANDLOCK;
	else {
		snprintf(text, sizeof(text), "Landlock: %s", strerror(errno));
		missing(out, text);
	}
	/* The filter is last: it refuses the calls above. */
	if ((layers & CONFINE_CALLS) == 0 || confine_calls_look() != 0)
		missing(out, "no seccomp for this kernel and processor");
	else if (confine_calls(may) == 0)
		out->layers |= CONFINE_CALLS;
	else {
		snprintf(text, sizeof(text), "seccomp: %s", strerror(errno));
		missing(out, text);
	}
}

#elif defined(HAVE_PLEDGE)

/* The names of MAY in pledge(2); it hides all files unless there is rpath. */
static void
confine_pledge(unsigned may, struct confine_result *out)
{
	char promises[80] = "stdio";

	if (may & CONFINE_TERMINAL)
		(void)str_append(promises, " tty", sizeof(promises));
	if (may & CONFINE_DATAGRAMS)
		(void)str_append(promises, " recvfd", sizeof(promises));
	if (may & CONFINE_SOCKETS)
		(void)str_append(promises, " inet", sizeof(promises));
	if (may & CONFINE_FILES)
		(void)str_append(
		    promises, " rpath wpath cpath", sizeof(promises));
	if (may & CONFINE_LOOKUP)
		(void)str_append(promises, " rpath inet dns", sizeof(promises));
# ifdef HAVE_UNVEIL
	if (may & CONFINE_LOOKUP)
		(void)unveil("/etc", "r");
# endif
	if (pledge(promises, NULL) == 0)
		out->layers = CONFINE_ALL;
	else
		missing(out, strerror(errno));
}

#endif

int
confine(unsigned may, unsigned layers, enum confine_mode mode,
    struct confine_result *out, struct cause *c)
{
	const char *excuse = confine_excused();

	memset(out, 0, sizeof(*out));
	if (mode == CONFINE_OFF) {
		missing(out, "--sandbox=off");
		return 0;
	}
	if (excuse != NULL)
		missing(out, excuse);
	else {
#ifdef RMUX_ASAN
		may |= CONFINE_SANITIZER;
#endif
#if defined(__linux__)
		confine_linux(may, layers, out);
#elif defined(HAVE_PLEDGE)
		if (layers & CONFINE_CALLS)
			confine_pledge(may, out);
#else
		(void)may;
		missing(out, "rmux knows no sandbox of this system");
#endif
	}
	if (mode == CONFINE_REQUIRE && out->layers != CONFINE_ALL)
		return cause_set(c, -ERR_UNSUPPORTED,
		    "rmux: --sandbox=require, but %s (--sandbox=auto does "
		    "without)",
		    out->missing);
	return 0;
}

bool
confine_memory(void)
{
#ifdef __linux__
	/* valgrind makes code in this process. */
	return confine_excused() == NULL &&
	       prctl(PR_SET_MDWE, PR_MDWE_REFUSE_EXEC_GAIN | PR_MDWE_NO_INHERIT,
		   0, 0, 0) == 0;
#else
	return false;
#endif
}

void
confine_look(struct confine_result *out)
{
	const char *excuse = confine_excused();

	memset(out, 0, sizeof(*out));
	if (excuse != NULL) {
		missing(out, excuse);
		return;
	}
#if defined(__linux__)
	out->landlock_abi = confine_landlock_abi();
	if (prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) >= 0)
		out->layers |= CONFINE_PRIVILEGES;
	else
		missing(out, "the kernel has no no_new_privs");
	if (out->landlock_abi > 0)
		out->layers |= CONFINE_LANDLOCK;
	else
		missing(out, "the kernel has no Landlock");
	if (confine_calls_look() == 0)
		out->layers |= CONFINE_CALLS;
	else
		missing(out, "no seccomp for this kernel and processor");
#elif defined(HAVE_PLEDGE)
	out->layers = CONFINE_ALL;
#else
	missing(out, "rmux knows no sandbox of this system");
#endif
}
