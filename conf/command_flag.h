/*
 * conf/command_flag.h - the meaning of the flags of commands.
 *
 * Purpose:   has one row for each flag in the usage of a command, and for
 *            arguments that need an explanation. `rmux help` and the manual are
 *            made from them. A command that is not implemented has no rows.
 * Ownership: rows are constants.
 * Source:    the functions in server/cmd/.
 * Tests:     regress/unit/check_command.c, regress/e2e/help.sh
 */
#ifndef CONF_COMMAND_FLAG_H
#define CONF_COMMAND_FLAG_H

#include <stddef.h>

#include "conf/command.h"

#define COMMAND_FLAG_TEXT_MAX 200 /* bytes of a text */

struct command_flag_row {
	enum command_id id;
	char flag;            /* 0 for an argument of the command */
	const char *argument; /* name of the value or argument, or "" */
	const char *text;     /* a phrase without capital and full stop */
};

/*
 * Returns the rows of a command in order of its usage; *COUNT is their number.
 */
const struct command_flag_row *command_flag_rows(
    enum command_id id, size_t *count);

#endif
