/*
 * base/agent_wire.h - requests to an ssh agent, counted in a stream of bytes.
 *
 * Purpose:   a program that may not use an agent gets a failure for each of its
 *            requests, so the server must know where these end.
 * Ownership: plain value; zero-initialise it.
 * Units:     bytes. A request is its length in 4 bytes, big-endian, and that
 *            many bytes of content, which is not kept.
 * Source:    draft-ietf-sshm-ssh-agent, sections 3 and 3.1 (SSH_AGENT_FAILURE).
 * Tests:     regress/unit/check_agent_wire.c, regress/fuzz/fuzz_agent.c
 */
#ifndef BASE_AGENT_WIRE_H
#define BASE_AGENT_WIRE_H

#include <stddef.h>
#include <stdint.h>

#define AGENT_HEAD 4u

struct agent_wire {
	uint8_t head[AGENT_HEAD]; /* of the request that comes */
	uint8_t got;              /* bytes of it */
	uint32_t left;            /* bytes of content that are to come */
};

/*
 * Takes the next N bytes of a program; returns how many requests end in them. A
 * request without content is none: an agent has no answer to it.
 */
size_t agent_wire_count(struct agent_wire *w, const uint8_t *p, size_t n);

#endif
