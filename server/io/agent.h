/*
 * server/io/agent.h - a socket behind which a client's ssh agent is, or another
 * socket of the client's machine.
 *
 * Purpose:   programs in panes find one path in SSH_AUTH_SOCK for ever; behind
 *            it is the agent of whoever is attached and offers one.
 * Ownership: agent_free closes the socket and removes its path.
 * Errors:    agent_new: a cause.
 * Source:    OpenSSH's agent forwarding, whose path ends with its connection.
 * Tests:     regress/e2e/forward.sh
 */
#ifndef SERVER_IO_AGENT_H
#define SERVER_IO_AGENT_H

#include <stdbool.h>

#include "base/err.h"

struct agent;
struct loop;

/* Appended to the path of the server's socket: SSH_AUTH_SOCK of panes. */
#define AGENT_SUFFIX ".agent"

/* A program wants an agent; true: FD was taken; false: FD is closed. */
typedef bool (*agent_fn)(void *arg, int fd);

/* Listens at PATH. */
int agent_new(struct loop *loop, const char *path, agent_fn fn, void *arg,
    struct agent **out, struct cause *c) WARN_UNUSED;
void agent_free(struct agent *a); /* NULL is fine */

/*
 * Answers each request of the ssh agent's protocol that comes by FD with a
 * failure, and closes FD when the program does.  A program whose connection is
 * closed before it has written would die of SIGPIPE without a word.
 */
void agent_refuse(struct agent *a, int fd);

#endif
