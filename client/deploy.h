/*
 * client/deploy.h - brings rmux along to a machine that has none.
 *
 * Purpose:   finds the builds of rmux that this machine can give away, asks the
 *            user, and copies one by ssh.
 * Ownership: deploy_new, deploy_free; the struct bootstrap_cfg is the caller's
 *            and outlives it.
 * Errors:    -ERR_* with a cause that tells the user what to do.
 * Source:    doc/SECURITY.md, "Deploying".
 * Tests:     regress/unit/check_deploy.c, regress/e2e/deploy.sh
 */
#ifndef CLIENT_DEPLOY_H
#define CLIENT_DEPLOY_H

#include "client/bootstrap.h"

enum deploy_mode {
	DEPLOY_ASK, /* the user, if standard input and error are a terminal */
	DEPLOY_YES, /* copy without a question */
	DEPLOY_NO   /* never copy, never ask */
};

struct deploy;

/*
 * Finds the builds: the file $RMUX_DEPLOY, else those of LIBEXECDIR/rmux/static,
 * and this program if it is static. Sets b->sums; before a launcher is forked.
 */
struct deploy *deploy_new(enum deploy_mode mode, struct bootstrap_cfg *b);
void deploy_free(struct deploy *d);

/* As bootstrap_run; brings rmux along if the far side has none. */
int deploy_bootstrap(struct deploy *d, struct launch *launch,
    struct bootstrap *b, struct cause *c) WARN_UNUSED;

/*
 * With DEPLOY_YES: looks whether the far side has rmux, and copies it if not.
 * Otherwise nothing.
 */
int deploy_ensure(struct deploy *d, struct cause *c) WARN_UNUSED;

#endif
