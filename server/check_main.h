/*
 * server/check_main.h - rmux -n: checks configuration files.
 *
 * Purpose:   reads the files that conf/check asks for and prints its errors.
 * Errors:    printed to standard error as "file:line: text".
 * Tests:     regress/conf/check.sh
 */
#ifndef SERVER_CHECK_MAIN_H
#define SERVER_CHECK_MAIN_H

/*
 * Checks COUNT files, or if there are none the ones that a server would load.
 * Returns: the exit status: 0, or 1 if anything was wrong.
 */
int check_main(const char *const *paths, int count);

#endif
