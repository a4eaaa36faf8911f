/*
 * conf/args.h - parses the words of a command into flags and arguments.
 *
 * Purpose:   splits words into flags, values and arguments by tmux's
 *            conventions. The functions of commands read them from here.
 * Ownership: args_parse makes a struct args (args_free); getters return
 *            pointers into it.
 * Units:     a flag is one byte.
 * Errors:    args_parse returns -ERR_SYNTAX with tmux's message in the cause,
 *            for example "command display-message: unknown flag -y".
 * Source:    tmux(1); messages as tmux 3.3a prints them.
 * Tests:     regress/unit/check_command.c
 */
#ifndef CONF_ARGS_H
#define CONF_ARGS_H

#include "conf/cmdlist.h"

/* Limit of the arguments of one command, flags and values together. */
#define ARGS_COUNT_MAX 10000

/*
 * Parses COUNT words (without the command's name) for ROW.
 * In:      values  copied; blocks are shared
 * Out:     *out    a new struct args
 * Returns: 0, or -ERR_SYNTAX with the message in CAUSE.
 */
int args_parse(const struct command_row *row, const struct args_value *values,
    size_t count, struct args **out, struct cause *cause);

/* Returns how often a flag was given. */
unsigned args_has(const struct args *args, int flag);

/* Returns the last value of a flag as text, or NULL. */
const char *args_get(const struct args *args, int flag);

/* Returns all values of a flag; *count is 0 if there are none. */
const struct args_value *args_values(
    const struct args *args, int flag, size_t *count);

/* Returns argument I as text; NULL if it does not exist or is a block. */
const char *args_string(const struct args *args, size_t i);

/* Returns argument I as a block; NULL if it does not exist or is text. */
struct cmdlist *args_block(const struct args *args, size_t i);

/*
 * Reads the value of a flag as a number within MIN..MAX.
 * Returns: 0, -ERR_NOTFOUND if the flag has no value, or -ERR_RANGE or
 *          -ERR_SYNTAX with "value is too small: X" (or too large, invalid).
 */
int args_number(const struct args *args, int flag, int64_t min, int64_t max,
    int64_t *out, struct cause *cause);

/* As args_number; "N%" means N percent of WHOLE (0..100). */
int args_percentage(const struct args *args, int flag, int64_t min, int64_t max,
    int64_t whole, int64_t *out, struct cause *cause);

/* Checks TEXT with the limits and messages of args_number. */
int args_text_number(const char *text, int64_t min, int64_t max, int64_t *out,
    struct cause *cause);

/*
 * Puts VALUES into a template. %1 to %9 are the values. %% is the first value
 * (only the first %% counts, as in tmux). %%% and %1% escape the value for use
 * inside double quotes.
 * Returns: a new string (mem_free) of at most a megabyte.
 */
char *args_template_new(
    const char *template, const char *const *values, size_t count);

/*
 * As args_template_new, but each value is one word of a command, or a part of
 * one, also where TEMPLATE does not escape it.
 *
 * security: for names that the user has not typed, as choosers have them. A
 * command that reads its word again (a shell, a format) is not protected.
 */
char *args_template_words_new(
    const char *template, const char *const *values, size_t count);

/*
 * Returns a copy of LIST with VALUES put into each argument, also those of its
 * blocks. A value stays within its argument, whatever characters it has.
 */
struct cmdlist *args_template_fill(
    const struct cmdlist *list, const char *const *values, size_t count);

#endif
