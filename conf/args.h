/*
 * conf/args.h - the arguments of a command against its row.
 *
 * Purpose:   splits words into flags, values and arguments by tmux's
 *            conventions, and answers what a command's body asks of them.
 * Ownership: args_parse makes a struct args (args_free); getters return
 *            pointers into it.
 * Units:     flags are single bytes.
 * Errors:    args_parse: -ERR_SYNTAX with tmux's words in the cause, for
 *            example "command display-message: unknown flag -y".
 * Source:    tmux(1); messages as tmux 3.3a prints them.
 * Tests:     regress/unit/check_command.c
 */
#ifndef CONF_ARGS_H
#define CONF_ARGS_H

#include "conf/cmdlist.h"

/* Arguments that one command may have, flags and values together. */
#define ARGS_COUNT_MAX 10000

/*
 * Parses COUNT words (without the command's name) for ROW.
 * In:      values  copied; blocks are shared
 * Out:     *out    a new struct args
 * Returns: 0, or -ERR_SYNTAX with the message in CAUSE.
 */
int args_parse(const struct command_row *row, const struct args_value *values,
    size_t count, struct args **out, struct cause *cause);

/* How often a flag was given. */
unsigned args_has(const struct args *args, int flag);

/* Last value of a flag as text; NULL if there is none. */
const char *args_get(const struct args *args, int flag);

/* All values of a flag; *count 0 if there are none. */
const struct args_value *args_values(
    const struct args *args, int flag, size_t *count);

/* Argument number I as text, NULL if there is none or it is a block. */
const char *args_string(const struct args *args, size_t i);

/* Argument number I as block, NULL if there is none or it is text. */
struct cmdlist *args_block(const struct args *args, size_t i);

/*
 * Value of a flag as a number within MIN..MAX.
 * Returns: 0, -ERR_NOTFOUND if the flag has no value, or -ERR_RANGE or
 *          -ERR_SYNTAX with "value is too small: X" (or too large, invalid).
 */
int args_number(const struct args *args, int flag, int64_t min, int64_t max,
    int64_t *out, struct cause *cause);

/* As args_number, but "N%" means N percent of WHOLE (0..100). */
int args_percentage(const struct args *args, int flag, int64_t min, int64_t max,
    int64_t whole, int64_t *out, struct cause *cause);

/* Checks TEXT the same way: "value is invalid: X" and so on. */
int args_text_number(const char *text, int64_t min, int64_t max, int64_t *out,
    struct cause *cause);

/*
 * Puts VALUES into a template: %1 to %9 are the values, %% is the first one
 * (only the first %%, as tmux does), %%% and %1% are the same with quotes
 * and such escaped for use inside double quotes.
 * Returns: a new string (mem_free) of at most a megabyte.
 */
char *args_template_new(
    const char *template, const char *const *values, size_t count);

#endif
