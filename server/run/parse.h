/*
 * server/run/parse.h - one parse of command text by the server.
 *
 * Purpose:   gives the parser its hooks: variables and homes from the global
 *            environment, aliases from command-alias, formats by
 *            run_ops.expand; collects the errors. The text is one group of
 *            commands; a caller that reads a file clears hooks.one_group.
 * Ownership: the caller owns struct parse; it borrows the command state.
 * Errors:    lines "file:line: text" in errors, each with its newline.
 * Tests:     regress/unit/check_run.c
 */
#ifndef SERVER_RUN_PARSE_H
#define SERVER_RUN_PARSE_H

#include "base/buf.h"
#include "conf/parser.h"

#define PARSE_ERRORS_MAX (1u << 20) /* bytes */

struct cmd_state;
struct run;

struct parse {
	struct run *run;
	const struct cmd_state *state;
	struct parser_hooks hooks; /* their arg is this struct */
	struct buf errors;
};

void parse_init(
    struct parse *ps, struct run *run, const struct cmd_state *state);
/*
 * security: for text of a caller that may only read. Takes away variables,
 * homes, formats and assignments.
 */
void parse_restrict(struct parse *ps);
void parse_fini(struct parse *ps);

/* The errors without the last newline. */
const char *parse_errors(struct parse *ps);

#endif
