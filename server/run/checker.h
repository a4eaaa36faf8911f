/*
 * server/run/checker.h - this machine, for a check of a configuration.
 *
 * Purpose:   the callbacks of conf/check.h: files, homes, variables, shells.
 * Ownership: a struct checker is the caller's, and outlives the check.
 * Tests:     regress/e2e/config.sh, regress/e2e/config_watch.sh
 */
#ifndef SERVER_RUN_CHECKER_H
#define SERVER_RUN_CHECKER_H

#include "conf/check.h"

struct passwd;

struct checker {
	struct check_hooks hooks; /* for check_init */
	char host[256];
	char host_short[256];
	char pid[32];
	char uid[32];
	struct passwd *pw;
};

void checker_init(struct checker *m);

#endif
