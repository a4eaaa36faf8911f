/*
 * conf/command_flag.h - what the flags of commands mean.
 *
 * Purpose:   one row for each flag that the usage of a command names, and for
 *            arguments whose meaning is not plain; `rmux help` and the manual
 *            are made from them.
 * Ownership: rows are constants.
 * Units:     none.
 * Errors:    a command that is not built yet has no rows.
 * Source:    what server/cmd/ does.
 * Tests:     regress/unit/check_command.c, regress/e2e/help.sh
 */
#ifndef CONF_COMMAND_FLAG_H
#define CONF_COMMAND_FLAG_H

#include <stddef.h>

#include "conf/command.h"

#define COMMAND_FLAG_TEXT_MAX 200 /* bytes of a text */

struct command_flag_row {
	enum command_id id;
	char flag;            /* 0: an argument of the command */
	const char *argument; /* what the value or argument is called, or "" */
	const char *text;     /* a phrase: no capital, no full stop */
};

/* The rows of a command in the order of its usage; their number in *COUNT. */
const struct command_flag_row *command_flag_rows(
    enum command_id id, size_t *count);

#endif
