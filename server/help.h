/*
 * server/help.h - rmux help, from the tables.
 *
 * Purpose:   describes a command or an option, without a server.
 * Errors:    an unknown name: a line on standard error, exit code 1.
 * Source:    conf/command.def, conf/option.def.
 * Tests:     regress/e2e/help.sh
 */
#ifndef SERVER_HELP_H
#define SERVER_HELP_H

/* `rmux --help`: usage and the first commands; returns the exit code. */
int help_short(void);

/* `rmux help [COMMAND | OPTION]`; returns the exit code. */
int help_main(const char *name);

#endif
