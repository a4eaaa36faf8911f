/*
 * server/io/job.h - shell commands that the server runs: run-shell, if-shell,
 * #() in formats.
 *
 * Purpose:   starts /bin/sh -c, collects its output and reports its end.
 * Ownership: the server owns jobs; DONE borrows the output.
 * Units:     bytes; at most JOB_OUTPUT_MAX are kept.
 * Errors:    job_start returns NULL and sets errno.
 * Tests:     regress/unit/check_job.c
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

/* Kills all jobs, at the end of the server; calls no DONE. */
void jobs_fini(struct jobs *js);

/* STATUS as waitpid gives it. */
typedef void (*job_done_fn)(
    void *arg, int status, const char *output, size_t len);

struct job_spec {
	const char *command;
	const char *cwd;           /* or NULL */
	const struct environ *env; /* or NULL: the global one */
	bool stderr_too;
	const void *input; /* [input_len] for its stdin, or NULL */
	size_t input_len;
};

/* Starts a job; returns NULL if that fails, without a call of DONE. */
struct job *job_start(
    struct jobs *js, const struct job_spec *spec, job_done_fn done, void *arg);

/* Kills a job; DONE will not be called. */
void job_cancel(struct job *j);

/* Handles the end of child PID; returns whether it was a job's. */
bool job_reaped(struct jobs *js, pid_t pid, int status);

/* Prints a line for each job (show-messages -J). */
void job_print(const struct jobs *js, struct buf *out);

#endif
