/*
 * server/io/job.h - shell commands that the server runs: run-shell, if-shell,
 * #() in formats.
 *
 * Purpose:   starts /bin/sh -c, collects its output, tells the end.
 * Ownership: the server owns jobs; DONE gets the output borrowed.
 * Units:     bytes; at most JOB_OUTPUT_MAX are kept.
 * Errors:    job_start returns NULL, errno says why.
 * Source:    our own.
 * Tests:     regress/e2e
 */
#ifndef SERVER_IO_JOB_H
#define SERVER_IO_JOB_H

#include <sys/types.h>

#include "base/io/loop.h"
#include "base/list.h"

#define JOB_OUTPUT_MAX (1u << 20)

struct buf;
struct environ;
struct run;
struct job;

/* The jobs of a server. */
struct jobs {
	struct run *run;
	struct list all; /* struct job */
};

void jobs_init(struct jobs *js, struct run *run);

/* The server ends: kills all jobs; DONE of none is called. */
void jobs_fini(struct jobs *js);

/* STATUS as waitpid gives it. */
typedef void (*job_done_fn)(
    void *arg, int status, const char *output, size_t len);

struct job_spec {
	const char *command;
	const char *cwd;           /* or NULL */
	const struct environ *env; /* or NULL: the global one */
	bool stderr_too;
};

/* Starts a job; NULL if it could not be (DONE is not called then). */
struct job *job_start(
    struct jobs *js, const struct job_spec *spec, job_done_fn done, void *arg);

/* Kills it and forgets DONE. */
void job_cancel(struct job *j);

/* A child is gone; true if it was a job's. */
bool job_reaped(struct jobs *js, pid_t pid, int status);

/* A line for each job that runs (show-messages -J). */
void job_print(const struct jobs *js, struct buf *out);

#endif
