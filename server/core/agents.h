/*
 * server/core/agents.h - the ssh agent of whoever was used last, and other
 * sockets (option follow-sockets).
 *
 * Purpose:   programs in panes find one socket in SSH_AUTH_SOCK for ever; behind
 *            it is the agent of the client that was used last: on this machine the
 *            one that its environment names, elsewhere the one that it offers.
 *            The same for each variable that follow-sockets names.
 * Ownership: the server owns it.
 * Errors:    without an agent it is as if none ran.
 * Source:    OpenSSH's agent forwarding, whose path ends with its connection.
 * Tests:     regress/e2e/agent.sh, follow_socket.sh, forward.sh
 */
#ifndef SERVER_CORE_AGENTS_H
#define SERVER_CORE_AGENTS_H

struct agents;
struct conn;
struct environ;
struct server;

struct agents *agents_new(struct server *sv);
void agents_free(struct agents *as); /* NULL is fine */

/*
 * Puts the socket in the place of the agent that ENV, the environment of CN,
 * names, unless the option forward-agent is off.
 */
void agents_environ(
    struct agents *as, const struct conn *cn, struct environ *env);

/* The option follow-sockets or desk has changed. */
void agents_follow(struct agents *as);

#endif
