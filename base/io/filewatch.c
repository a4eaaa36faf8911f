#include "base/io/filewatch.h"

#include <unistd.h>

#ifdef __linux__
# include <sys/inotify.h>

int
filewatch_open(void)
{
	int fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);

	return fd < 0 ? -ERR_SYS : fd;
}

int
filewatch_add(int fd, const char *dir)
{
	const uint32_t what = IN_CLOSE_WRITE | IN_MODIFY | IN_ATTRIB |
			      IN_CREATE | IN_DELETE | IN_MOVED_FROM |
			      IN_MOVED_TO | IN_ONLYDIR;

	return inotify_add_watch(fd, dir, what) < 0 ? -ERR_SYS : 0;
}

#else

int
filewatch_open(void)
{
	return -ERR_UNSUPPORTED;
}

int
filewatch_add(int fd, const char *dir)
{
	(void)fd;
	(void)dir;
	return -ERR_UNSUPPORTED;
}

#endif

void
filewatch_drain(int fd)
{
	char bytes[4096];

	while (read(fd, bytes, sizeof(bytes)) > 0)
		;
}
