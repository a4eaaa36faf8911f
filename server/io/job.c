#include "server/io/job.h"

#include <sys/wait.h>

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/io/sys.h"
#include "base/mem.h"
#include "conf/environ.h"
#include "mux/mux.h"
#include "server/io/spawn.h"
#include "server/run/run.h"

struct job {
	char *command;
	struct list_node node;
	struct jobs *all;
	pid_t pid; /* 0 once reaped */
	int status;
	int fd; /* -1 once closed */
	struct loop_io *io;
	struct buf out;
	job_done_fn done;
	void *arg;
};

void
jobs_init(struct jobs *js, struct run *run)
{
	js->run = run;
	list_init(&js->all);
}

static void
job_free(struct job *j)
{
	list_remove(&j->all->all, &j->node);
	loop_io_del(j->io);
	if (j->fd >= 0)
		close(j->fd);
	buf_fini(&j->out);
	mem_free(j->command);
	mem_free(j);
}

/* Ends the job once both its process and its output have ended. */
static void
job_check(struct job *j)
{
	struct run *run = j->all->run;
	job_done_fn done = j->done;

	if (j->pid != 0 || j->fd >= 0)
		return;
	j->done = NULL;
	if (done != NULL)
		done(j->arg, j->status, buf_cstr(&j->out), j->out.len);
	job_free(j);
	run_drain(run);
}

static void
job_readable(void *arg, int fd, UNUSED unsigned events)
{
	struct job *j = arg;
	uint8_t bytes[8192];
	ssize_t n;

	n = read(fd, bytes, sizeof(bytes));
	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (n > 0) {
		(void)buf_add(&j->out, bytes, (size_t)n);
		return;
	}
	loop_io_del(j->io);
	j->io = NULL;
	close(j->fd);
	j->fd = -1;
	job_check(j);
}

/*
 * A file without a name that holds the input: the program may read it slowly,
 * or not at all, and nobody waits.  NULL if there is none or on errors.
 */
static FILE *
job_input(const struct job_spec *spec)
{
	FILE *f;

	if (spec->input == NULL || (f = tmpfile()) == NULL)
		return NULL;
	if (fwrite(spec->input, 1, spec->input_len, f) != spec->input_len ||
	    fflush(f) != 0 || fseek(f, 0, SEEK_SET) != 0) {
		(void)fclose(f);
		return NULL;
	}
	(void)sys_set_cloexec(fileno(f));
	return f;
}

struct job *
job_start(
    struct jobs *js, const struct job_spec *spec, job_done_fn done, void *arg)
{
	char **env;
	struct job *j;
	pid_t pid;
	FILE *input;
	int p[2], e;

	if (pipe(p) != 0)
		return NULL;
	input = job_input(spec);
	env = spawn_env_new(js->run, spec->env, NULL, NULL);
	pid = spawn_command(spec->command, spec->cwd, env,
	    (int[]){ input == NULL ? -1 : fileno(input), p[1],
		spec->stderr_too ? p[1] : -1 });
	e = errno;
	spawn_env_free(env);
	if (input != NULL)
		(void)fclose(input);
	close(p[1]);
	if (pid < 0) {
		close(p[0]);
		errno = e;
		return NULL;
	}
	(void)sys_set_cloexec(p[0]);
	(void)sys_set_nonblock(p[0]);
	j = mem_zalloc(sizeof(*j));
	j->all = js;
	j->command = mem_strdup(spec->command);
	j->pid = pid;
	j->fd = p[0];
	j->done = done;
	j->arg = arg;
	buf_init(&j->out, JOB_OUTPUT_MAX);
	j->io = loop_io_add(js->run->loop, p[0], LOOP_READ, job_readable, j);
	list_push_back(&js->all, &j->node);
	return j;
}

static void
job_kill(const struct job *j)
{
	/* The child may not have called setsid yet. */
	if (j->pid > 0 && killpg(j->pid, SIGTERM) != 0)
		(void)kill(j->pid, SIGTERM);
}

void
job_cancel(struct job *j)
{
	job_kill(j);
	j->done = NULL;
}

bool
job_reaped(struct jobs *js, pid_t pid, int status)
{
	struct list_node *n;
	struct job *j;

	LIST_FOREACH(n, &js->all) {
		j = container_of(n, struct job, node);
		if (j->pid != pid)
			continue;
		j->pid = 0;
		j->status = status;
		job_check(j);
		return true;
	}
	return false;
}

void
jobs_fini(struct jobs *js)
{
	struct job *j;

	while (!list_empty(&js->all)) {
		j = container_of(list_first(&js->all), struct job, node);
		job_kill(j);
		job_free(j);
	}
}

void
job_print(const struct jobs *js, struct buf *out)
{
	const struct list_node *n;
	const struct job *j;
	unsigned i = 0;

	LIST_FOREACH(n, &js->all) {
		j = container_of(n, struct job, node);
		(void)buf_addf(out, "Job %u: %s [fd=%d, pid=%ld, status=%d]\n",
		    i++, j->command, j->fd, (long)j->pid, j->status);
	}
}
