/*
 * Landlock: files, TCP ports, and sockets and signals of other processes.
 *
 * The numbers are the kernel's, because headers are often older than kernels
 * and some C libraries have none.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <unistd.h>

#include "base/err.h"
#include "base/io/confine.h"
#include "base/io/confine_int.h"

#ifdef __linux__
# include <sys/prctl.h>
# include <sys/syscall.h>

/* The same numbers on all processors. */
# define SYS_LANDLOCK_CREATE 444
# define SYS_LANDLOCK_ADD 445
# define SYS_LANDLOCK_RESTRICT 446

# define LANDLOCK_VERSION 1u /* flag: return the ABI */
# define LANDLOCK_PATH 1     /* type of rule */

/* Rights to files: the first 13 bits are ABI 1, then one a version. */
# define FS_EXECUTE (UINT64_C(1) << 0)
# define FS_WRITE_FILE (UINT64_C(1) << 1)
# define FS_READ_FILE (UINT64_C(1) << 2)
# define FS_READ_DIR (UINT64_C(1) << 3)
# define FS_REMOVE_DIR (UINT64_C(1) << 4)
# define FS_REMOVE_FILE (UINT64_C(1) << 5)
# define FS_MAKE_DIR (UINT64_C(1) << 7)
# define FS_MAKE_REG (UINT64_C(1) << 8)
# define FS_ABI1 ((UINT64_C(1) << 13) - 1)
# define FS_REFER (UINT64_C(1) << 13)     /* ABI 2 */
# define FS_TRUNCATE (UINT64_C(1) << 14)  /* ABI 3 */
# define FS_IOCTL_DEV (UINT64_C(1) << 15) /* ABI 5 */
# define NET_TCP_BIND (UINT64_C(1) << 0)  /* ABI 4 */
# define NET_TCP_CONNECT (UINT64_C(1) << 1)
# define SCOPE_ABSTRACT (UINT64_C(1) << 0) /* ABI 6 */
# define SCOPE_SIGNAL (UINT64_C(1) << 1)

struct landlock_ruleset {
	uint64_t fs;
	uint64_t net;
	uint64_t scope;
};

/* The kernel's, which is packed; the kernel reads 12 bytes. */
struct landlock_path {
	uint64_t allowed;
	int32_t fd;
	int32_t unused;
};

int
confine_landlock_abi(void)
{
	long abi = syscall(SYS_LANDLOCK_CREATE, NULL, 0, LANDLOCK_VERSION);

	return abi > 0 ? (int)abi : 0;
}

static int
allow_below(int set, const char *path, uint64_t rights)
{
	struct landlock_path p = { .allowed = rights };
	long r;

	p.fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (p.fd < 0)
		return -1;
	r = syscall(SYS_LANDLOCK_ADD, set, LANDLOCK_PATH, &p, 0);
	close(p.fd);
	return (int)r;
}

/* Fills RS with all that ABI can refuse but what MAY needs; returns its size. */
static size_t
ruleset_fill(struct landlock_ruleset *rs, unsigned may, int abi)
{
	size_t size = sizeof(rs->fs);

	*rs = (struct landlock_ruleset){ .fs = FS_ABI1 };
	if (abi >= 2)
		rs->fs |= FS_REFER;
	if (abi >= 3)
		rs->fs |= FS_TRUNCATE;
	/* Names are looked up in files, and by TCP if an answer is long. */
	if (abi >= 4) {
		rs->net = NET_TCP_BIND;
		if ((may & CONFINE_LOOKUP) == 0)
			rs->net |= NET_TCP_CONNECT;
		size += sizeof(rs->net);
	}
	if (abi >= 5)
		rs->fs |= FS_IOCTL_DEV;
	if (abi >= 6) {
		rs->scope = SCOPE_SIGNAL;
		if ((may & CONFINE_LOOKUP) == 0)
			rs->scope |= SCOPE_ABSTRACT;
		size += sizeof(rs->scope);
	}
	return size;
}

bool
confine_folder(const char *path)
{
	const uint64_t rights = FS_WRITE_FILE | FS_READ_FILE | FS_READ_DIR |
				FS_REMOVE_DIR | FS_REMOVE_FILE | FS_MAKE_DIR |
				FS_MAKE_REG | FS_REFER | FS_TRUNCATE;
	const int abi = confine_landlock_abi();
	struct landlock_ruleset rs;
	size_t size;
	int set, r;

	/* The first version refuses to move files from folder to folder. */
	if (abi < 2 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
		return false;
	size = ruleset_fill(&rs, 0, abi);
	set = (int)syscall(SYS_LANDLOCK_CREATE, &rs, size, 0);
	if (set < 0)
		return false;
	r = allow_below(set, path, rights & rs.fs);
	if (r == 0)
		r = (int)syscall(SYS_LANDLOCK_RESTRICT, set, 0);
	close(set);
	return r == 0;
}

int
confine_landlock(unsigned may, int abi)
{
	struct landlock_ruleset rs;
	const size_t size = ruleset_fill(&rs, may, abi);
	int set, saved, r = 0;

	/* Files that the user named: no rule can tell them from others. */
	if (may & CONFINE_FILES)
		rs.fs = FS_EXECUTE;
	set = (int)syscall(SYS_LANDLOCK_CREATE, &rs, size, 0);
	if (set < 0)
		return -ERR_SYS;
	if (may & (CONFINE_LOOKUP | CONFINE_SANITIZER) &&
	    (may & CONFINE_FILES) == 0)
		r = allow_below(set, "/", FS_READ_FILE | FS_READ_DIR);
	if (r == 0)
		r = (int)syscall(SYS_LANDLOCK_RESTRICT, set, 0);
	saved = errno;
	close(set);
	errno = saved;
	return r == 0 ? 0 : -ERR_SYS;
}

#else

int
confine_landlock_abi(void)
{
	return 0;
}

bool
confine_folder(const char *path)
{
	(void)path;
	return false;
}

int
confine_landlock(unsigned may, int abi)
{
	(void)may;
	(void)abi;
	errno = ENOSYS;
	return -ERR_UNSUPPORTED;
}

#endif
