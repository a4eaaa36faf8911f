/*
 * regress/unit/conf_util.h - parsing with hooks made for tests.
 *
 * Purpose:   a home, a few variables, aliases, and a list of errors as text.
 * Ownership: results are new strings (mem_free) or lists (cmdlist_unref).
 * Units:     none.
 * Errors:    collected, not returned.
 * Source:    our own.
 * Tests:     itself
 */
#ifndef REGRESS_CONF_UTIL_H
#define REGRESS_CONF_UTIL_H

#include "base/map.h"
#include "conf/parser.h"

/* What one parse leaves behind besides its commands. */
struct conf_test {
	struct map variables; /* char * values, "!" before hidden ones */
	struct buf errors;    /* "file:line: what" lines */
	unsigned error_count;
	struct parser_hooks hooks;
};

void conf_test_init(struct conf_test *t);
void conf_test_fini(struct conf_test *t);

/* Parses TEXT as the file "f"; the list is the caller's. */
struct cmdlist *conf_test_parse(struct conf_test *t, const char *text);

/* The commands of TEXT in print, one group a line, or its errors. */
char *conf_test_print_new(const char *text);

/* Fails the test at the first line in which the texts differ. */
void conf_test_same(const char *got, const char *want);

#endif
