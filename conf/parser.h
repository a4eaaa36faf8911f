/*
 * conf/parser.h - the command language: text or words to command lists.
 *
 * Purpose:   handles sequences, blocks, %if, %hidden, NAME=value and aliases;
 *            looks up each command and checks its flags and arguments.
 * Ownership: the result is a new cmdlist (cmdlist_unref); hooks and text belong
 *            to the caller.
 * Units:     lines count from 1.
 * Errors:    each error goes to the error hook at once, and parsing continues.
 *            The result then lacks the invalid commands, and the return value
 *            is -ERR_SYNTAX. tmux runs nothing of a file that has an error;
 *            callers should do the same.
 * Source:    tmux(1), PARSING SYNTAX.
 * Tests:     regress/unit/check_parser.c, regress/conf, regress/ref,
 *            regress/fuzz/fuzz_conf_parse.c
 *
 * Differences from tmux: all errors are reported and not only the first; a
 * command has the line of its first word (tmux: of its last); %elif, %else and
 * %endif may stand on any line, in both forms of %if.
 */
#ifndef CONF_PARSER_H
#define CONF_PARSER_H

#include "conf/cmdlist.h"

#define PARSER_DEPTH_MAX 50                 /* { } in { }, and %if in %if */
#define PARSER_ERRORS_MAX 1000              /* parsing stops after so many */
#define PARSER_BYTES_MAX ((size_t)64 << 20) /* memory of one result */

/* Callbacks of the parser; each function may be NULL. */
struct parser_hooks {
	void *arg;
	/*
	 * Returns the value of a variable, or NULL; valid until the next call.
	 */
	const char *(*variable)(void *arg, const char *name);
	/*
	 * Returns the home of USER ("" for the own one), or NULL; valid until
	 * the next call.
	 */
	const char *(*home)(void *arg, const char *user);
	/* Expands a format for %if into a new string (mem_free). */
	char *(*expand)(void *arg, const char *format);
	/* Sets NAME=value for the text that is parsed after it. */
	void (*assign)(
	    void *arg, const char *name, const char *value, bool hidden);
	/* Returns the text of the alias NAME, or NULL. */
	const char *(*alias)(void *arg, const char *name);
	/* Reports an error; FILE may be NULL. */
	void (*error)(
	    void *arg, const char *file, unsigned line, const char *text);
	/*
	 * Refuses a command outside of blocks with a message, or replaces its
	 * row, which must live as long as the result.
	 */
	int (*row)(
	    void *arg, const struct command_row **row, struct cause *why);
	/* Variables, NAME=value and %if are errors. */
	bool plain;
	/* All commands are one group: of texts that are no files. */
	bool one_group;
	unsigned errors_max; /* parsing stops after so many; 0: the default */
};

/*
 * Parses N bytes of TEXT, which begins at LINE of FILE (may be NULL).
 * Out:     *out always a new list
 * Returns: 0, or -ERR_SYNTAX if an error was reported.
 */
int parser_parse(const char *text, size_t n, const char *file, unsigned line,
    const struct parser_hooks *hooks, struct cmdlist **out);

/*
 * Makes commands of parsed words, such as the arguments of bind-key or of the
 * command line. A word that ends with ";" ends a command; "\;" at its end is a
 * plain ";".
 * In:      file, line of the commands and errors; NULL and 0 for none
 * Out:     *out always a new list
 * Returns: 0, or -ERR_SYNTAX if an error was reported.
 */
int parser_words(const struct args_value *words, size_t count, const char *file,
    unsigned line, const struct parser_hooks *hooks, struct cmdlist **out);

#endif
