/*
 * regress/unit/run_util.h - a run floor for tests, with fakes above it.
 *
 * Purpose:   a struct run with a real loop and model; the calls up are logged
 *            and may be scripted.  Turns the loop until a condition holds.
 * Ownership: run_util_fini frees all.
 * Errors:    asserts.
 */
#ifndef REGRESS_RUN_UTIL_H
#define REGRESS_RUN_UTIL_H

#include <sys/types.h>

#include "base/buf.h"
#include "mux/mux.h"
#include "server/run/cmdq.h"
#include "server/run/run.h"

#define RUN_UTIL_MS 20000 /* RUN_UNTIL fails then */

struct run_util {
	struct run run;
	/* Words of the commands that ran and "dry CONN", each with a "|". */
	struct buf log;
	unsigned drains;
	/* The rest may be set by a test; NULL: nothing happens. */
	enum cmd_result (*command)(
	    struct run_util *u, struct cmdq_item *item, const char *word);
	void (*drain)(struct run_util *u);
	/* A child was reaped (RUN_UNTIL). */
	void (*reaped)(struct run_util *u, pid_t pid, int status);
	void *arg;
	struct loop_timer *tick;
};

void run_util_init(struct run_util *u);
void run_util_fini(struct run_util *u);

/* Parses TEXT; the first argument of each command is its word. */
struct cmdlist *run_util_list(const char *text);

/* Appends TEXT to Q. */
void run_util_append(
    struct cmdq *q, const char *text, cmdq_done_fn done, void *arg);

/* The log so far, which is then emptied; valid until the next call. */
const char *run_util_log(struct run_util *u);

/* The text of the newest message of show-messages, or "". */
const char *run_util_message(const struct run_util *u);

/* Waits for an event or some milliseconds; reaps children. */
void run_util_turn(struct run_util *u);

/* The time at which RUN_UNTIL fails. */
mono_ms run_util_deadline(void);
void run_util_late(mono_ms deadline, const char *what);

#define RUN_UNTIL(u, cond)                                 \
 for (mono_ms deadline_ = run_util_deadline(); !(cond);) { \
  run_util_late(deadline_, #cond);                         \
  run_util_turn(u);                                        \
 }

/* A new directory under $TMPDIR; the test's working directory from now on. */
char *run_util_dir(char *path, size_t size);
void run_util_file(const char *path, const char *text);

/* The bytes of a file, "" if there is none (mem_free). */
char *run_util_read(const char *path);

#endif
