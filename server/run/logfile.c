#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/io/sys.h"
#include "base/mem.h"
#include "base/str.h"
#include "server/run/logfile.h"
#include "server/run/run.h"

static bool
logfile_line(const struct logfile *l, const char *line, size_t n)
{
	off_t was = lseek(l->fd, 0, SEEK_END);
	ssize_t put = write(l->fd, line, n);

	if (put == (ssize_t)n)
		return true;
	/* Remove the incomplete line: the next one must begin a line. */
	if (put > 0 && (was < 0 || ftruncate(l->fd, was) != 0))
		return true;
	if (put > 0)
		errno = ENOSPC;
	return false;
}

static void
logfile_write(
    void *arg, enum log_level level, enum log_area area, const char *text)
{
	struct logfile *l = arg;
	char line[LOG_LINE_MAX + 64];
	int n, m = 0;

	if (l->lost > 0)
		m = snprintf(line, sizeof(line),
		    "%lld error base: %lu lines lost before this one\n",
		    (long long)sys_now(), l->lost);
	if (m > 0 && !logfile_line(l, line, (size_t)m)) {
		l->lost++;
		return;
	}
	n = snprintf(line, sizeof(line), "%lld %s %s: %s\n",
	    (long long)sys_now(), log_level_name(level), log_area_name(area),
	    text);
	if (n <= 0 || logfile_line(l, line, (size_t)n)) {
		l->lost = 0;
		return;
	}
	if (l->lost++ == 0 && !loop_stopped(l->run->loop))
		run_message(l->run,
		    "cannot write rmux-server-%ld.log: %s; its lines are lost "
		    "until there is room",
		    (long)getpid(), strerror(errno));
}

static void
logfile_close(struct logfile *l)
{
	if (l->fd >= 0)
		close(l->fd);
	l->fd = -1;
}

void
logfile_init(struct logfile *l)
{
	char *dir = getcwd(NULL, 0);

	memset(l, 0, sizeof(*l));
	l->fd = -1;
	l->verbose = 1;
	if (dir != NULL)
		l->dir = mem_strdup(dir);
	free(dir);
}

void
logfile_fini(struct logfile *l)
{
	logfile_close(l);
	mem_free(l->dir);
	l->dir = NULL;
}

void
logfile_open(struct logfile *l, struct run *run, int verbose)
{
	char *path =
	    mem_printf("%s%srmux-server-%ld.log", l->dir == NULL ? "" : l->dir,
		l->dir == NULL ? "" : "/", (long)getpid());

	l->run = run;
	l->verbose = verbose;
	l->fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
	if (l->fd < 0) {
		fprintf(stderr,
		    "rmux: no log: %s: %s (-v writes it in the "
		    "current directory)\n",
		    path, strerror(errno));
		run_message(run, "no log: %s: %s", path, strerror(errno));
		mem_free(path);
		return;
	}
	run->log = (struct log){
		.sink = logfile_write,
		.arg = l,
		.level = verbose > 1 ? LOG_DEBUG : LOG_INFO,
	};
	log_write(&run->log, LOG_INFO, LOG_SERVER,
	    "rmux " PACKAGE_VERSION " begins, pid %ld, socket %s",
	    (long)getpid(), run->socket_path);
	mem_free(path);
}

void
logfile_toggle(struct logfile *l, struct run *run)
{
	if (l->fd < 0) {
		logfile_open(l, run, l->verbose);
		if (l->fd >= 0)
			run_message(run,
			    "the log is on: %s/rmux-server-%ld.log",
			    l->dir == NULL ? "." : l->dir, (long)getpid());
		return;
	}
	log_write(&run->log, LOG_INFO, LOG_SERVER, "the log ends: SIGUSR2");
	run->log = (struct log){ .sink = NULL };
	logfile_close(l);
	run_message(run, "the log is off");
}
