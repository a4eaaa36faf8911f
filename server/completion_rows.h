/*
 * server/completion_rows.h - shared by the scripts of bash, zsh and fish.
 *
 * Purpose:   prints parts of them to standard output.
 * Tests:     regress/e2e/help.sh
 */
#ifndef SERVER_COMPLETION_ROWS_H
#define SERVER_COMPLETION_ROWS_H

#include <stdbool.h>

#include "base/client_word.h"
#include "conf/command.h"
#include "conf/option_table.h"

/*
 * Shell commands that print the hosts of ssh's configuration without patterns,
 * and the known ones whose names are not hashed.
 */
extern const char completion_rows_host_lines[];

/* Takes a flag of a command; VALUE: it has one. */
typedef void (*completion_rows_flag_fn)(
    const struct command_row *row, char flag, bool value);

/* Runs FN for each flag of a command. */
void completion_rows_each_flag(
    const struct command_row *row, completion_rows_flag_fn fn);

/*
 * Returns the function that completes the value of -c, -H, -s or -t, without
 * _rmux_, or NULL.
 */
const char *completion_rows_value(const struct command_row *row, char flag);

/* The same for a value of a command of the client's. */
const char *completion_rows_client_value(enum client_value value);

/* Prints the names of all options. */
void completion_rows_put_options(void);

/*
 * Prints an arm of a shell's case for each option that has few values: HEAD, its
 * name, MIDDLE, the values with blanks before them, TAIL.
 */
void completion_rows_put_choice_cases(
    const char *head, const char *middle, const char *tail);

/* Prints the names of the layouts. */
void completion_rows_put_layouts(void);

/* Print the whole scripts. */
void completion_bash(void);
void completion_zsh(void);
void completion_fish(void);

#endif
