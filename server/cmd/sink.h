/*
 * server/cmd/sink.h - the sink of a command, by the ids of its caller.
 *
 * Purpose:   finds where the output of a command goes, also after its body
 *            has returned.
 * Tests:     regress/e2e/output.sh, regress/e2e/shell.sh
 */
#ifndef SERVER_CMD_SINK_H
#define SERVER_CMD_SINK_H

#include "server/run/cmdq.h"
#include "server/run/sink.h"

struct server;

/* The caller of a command. */
struct cmd_ids {
	uint64_t conn;   /* caller, 0: none */
	uint32_t client; /* attached client, MUX_NONE: none */
	unsigned flags;  /* enum cmd_state_flag */
};

/*
 * Returns the caller's process if it reads output, else its client, else
 * nobody.
 */
struct sink cmd_sink(struct server *sv, const struct cmd_ids *ids);

#endif
