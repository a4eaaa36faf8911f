/*
 * regress/unit/conf_util.h - parsing with hooks made for tests.
 *
 * Purpose:   provides a home, a few variables, aliases, and a list of errors as
 *            text.
 * Ownership: results are new strings (mem_free) or lists (cmdlist_unref).
 * Errors:    collected, not returned.
 */
#ifndef REGRESS_CONF_UTIL_H
#define REGRESS_CONF_UTIL_H

#include "base/map.h"
#include "conf/parser.h"

/* The result of one parse besides its commands. */
struct conf_test {
	struct map variables; /* char * values, "!" before hidden ones */
	struct buf errors;    /* "file:line: what" lines */
	unsigned error_count;
	struct parser_hooks hooks;
};

void conf_test_init(struct conf_test *t);
void conf_test_fini(struct conf_test *t);

/* Parses TEXT as the file "f"; the caller owns the list. */
struct cmdlist *conf_test_parse(struct conf_test *t, const char *text);

/* Prints the commands of TEXT, one group on each line, or its errors. */
char *conf_test_print_new(const char *text);

/* Fails the test at the first line that differs. */
void conf_test_same(const char *got, const char *want);

#endif
