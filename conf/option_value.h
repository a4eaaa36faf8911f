/*
 * conf/option_value.h - one value of an option: parse, check, print.
 *
 * Purpose:   converts between values and text by the type of the row.
 * Ownership: struct option_value owns its string or commands
 *            (option_value_fini).
 * Errors:    -ERR_SYNTAX or -ERR_RANGE with tmux's message in the cause: "bad
 *            value: X", "unknown value: X", "value is too small: X" ...
 * Source:    tmux(1); messages as tmux 3.3a prints them.
 * Tests:     regress/unit/check_option.c, regress/fuzz/fuzz_conf_option.c
 */
#ifndef CONF_OPTION_VALUE_H
#define CONF_OPTION_VALUE_H

#include "base/colour.h"
#include "base/key.h"
#include "conf/option_table.h"
#include "conf/parser.h"

/* Longest text of one value, in bytes. */
#define OPTION_VALUE_MAX ((size_t)1 << 20)

/* The type of the row tells which member is used. */
struct option_value {
	char *string;             /* OPTION_STRING, _STYLE; _COLOUR or NULL */
	int64_t number;           /* OPTION_NUMBER, _FLAG, _CHOICE */
	key_code key;             /* OPTION_KEY */
	colour colour;            /* OPTION_COLOUR; NONE: empty, or a format */
	struct cmdlist *commands; /* OPTION_COMMAND */
};

/* Callbacks of a check; the members and the whole may be NULL. */
struct option_hooks {
	const struct parser_hooks *parser; /* for OPTION_COMMAND */
	void *arg;
	bool (*shell_ok)(void *arg, const char *path);
};

/*
 * Makes a value of TEXT.
 * In:      row NULL for an @option, which takes any text; old the value before,
 *          to toggle a flag or choice if TEXT is NULL
 * Out:     *out only on success
 */
int option_value_parse(const struct option_row *row, const char *text,
    const struct option_value *old, const struct option_hooks *hooks,
    struct option_value *out, struct cause *cause);

void option_value_fini(struct option_value *v);
/* Prints as text; with QUOTE the parser reads it back as one word. */
void option_value_print(const struct option_row *row,
    const struct option_value *v, bool quote, struct buf *out);

#endif
