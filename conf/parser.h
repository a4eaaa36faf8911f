/*
 * conf/parser.h - the command language: text or words to command lists.
 *
 * Purpose:   sequences, blocks, %if, %hidden, NAME=value and aliases; looks up
 *            every command and checks its flags and arguments.
 * Ownership: the result is a new cmdlist (cmdlist_unref); hooks and text are
 *            the caller's.
 * Units:     lines from 1.
 * Errors:    every error is reported through the error hook as it is met, and
 *            parsing goes on; the result then lacks the commands that were
 *            wrong and the return is -ERR_SYNTAX.  tmux runs nothing of a file
 *            that has an error; so should the caller.
 * Source:    tmux(1), PARSING SYNTAX.
 * Tests:     regress/unit/check_parser.c, regress/conf, regress/ref,
 *            regress/fuzz/fuzz_conf_parse.c
 *
 * Differences from tmux: all errors are told and not only the first; a command
 * has the line of its first word (tmux: of its last); %elif, %else and %endif
 * may stand on any line, in both forms of %if.
 */
#ifndef CONF_PARSER_H
#define CONF_PARSER_H

#include "conf/cmdlist.h"

#define PARSER_DEPTH_MAX 50                 /* { } in { }, and %if in %if */
#define PARSER_ERRORS_MAX 1000              /* after which parsing stops */
#define PARSER_BYTES_MAX ((size_t)64 << 20) /* memory of one result */

/* What parsing asks of its caller; every function may be NULL. */
struct parser_hooks {
	void *arg;
	/* Value of a variable, or NULL; valid until the next call. */
	const char *(*variable)(void *arg, const char *name);
	/* Home of USER ("" is oneself), or NULL; valid until the next call. */
	const char *(*home)(void *arg, const char *user);
	/* Expands a format, for %if: a new string (mem_free). */
	char *(*expand)(void *arg, const char *format);
	/* NAME=value was met; takes effect for what is parsed after it. */
	void (*assign)(
	    void *arg, const char *name, const char *value, bool hidden);
	/* Text that the alias NAME stands for, or NULL. */
	const char *(*alias)(void *arg, const char *name);
	/* FILE may be NULL. */
	void (*error)(
	    void *arg, const char *file, unsigned line, const char *text);
};

/*
 * Parses N bytes of TEXT, which begins at LINE of FILE (may be NULL).
 * Out:     *out  always a new list
 * Returns: 0, or -ERR_SYNTAX if anything was reported.
 */
int parser_parse(const char *text, size_t n, const char *file, unsigned line,
    const struct parser_hooks *hooks, struct cmdlist **out);

/*
 * Makes commands of words that are parsed already, such as the arguments of
 * bind-key or of the command line: a word that ends with ";" ends a command,
 * "\;" at its end is a plain ";".
 * In:      file, line  of the commands and errors; NULL and 0 for none
 * Out:     *out  always a new list
 * Returns: 0, or -ERR_SYNTAX if anything was reported.
 */
int parser_words(const struct args_value *words, size_t count, const char *file,
    unsigned line, const struct parser_hooks *hooks, struct cmdlist **out);

#endif
