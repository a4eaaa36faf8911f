/*
 * mux/control/control_subs.h - the subscriptions of one control client.
 *
 * Purpose:   expands formats at objects of the client's session and reports
 *            the values that have changed (refresh-client -B).
 * Ownership: keeps ids, no pointers to the model.
 * Errors:    -ERR_SYNTAX and -ERR_LIMIT with a cause.
 * Source:    tmux(1), refresh-client -B, %subscription-changed.
 * Tests:     regress/unit/check_control_subs.c
 */
#ifndef MUX_CONTROL_CONTROL_SUBS_H
#define MUX_CONTROL_CONTROL_SUBS_H

#include "base/err.h"
#include "base/list.h"

#define CONTROL_SUBS_MAX 256      /* subscriptions of one client */
#define CONTROL_SUBS_VALUES 20000 /* values that they remember */
#define CONTROL_SUBS_NAME 256     /* bytes of a name */
#define CONTROL_SUBS_PERIOD_MS 1000

struct pane;
struct session;
struct winlink;

struct control_subs {
	struct list all; /* oldest first */
	size_t values;
};

/* Calls of the owner. */
struct control_subs_host {
	void *arg;
	/* Expands FORMAT at S, WL and P (the last two may be NULL); a new
	 * string. */
	char *(*expand)(void *arg, struct session *s, struct winlink *wl,
	    struct pane *p, const char *format);
	/* Takes one line, with its newline. */
	void (*line)(void *arg, const char *text, size_t n);
};

void control_subs_init(struct control_subs *cs);
void control_subs_fini(struct control_subs *cs);

/*
 * Adds or replaces a subscription: SPEC is name:what:format. A name alone
 * removes it.
 */
int control_subs_set(
    struct control_subs *cs, const char *spec, struct cause *cause);

/* Looks at all values; the client shows session S. */
void control_subs_tick(struct control_subs *cs, struct session *s,
    const struct control_subs_host *host);

#endif
