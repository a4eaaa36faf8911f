/*
 * server/help.h - rmux help and rmux completion, from the tables.
 *
 * Purpose:   what a command or an option is, without a server; scripts that
 *            teach bash, zsh and fish the commands.
 * Ownership: nothing is kept.
 * Units:     none.
 * Errors:    an unknown name or shell: a line on standard error, exit code 1.
 * Source:    conf/command.def, conf/option.def.
 * Tests:     regress/e2e/help.sh
 */
#ifndef SERVER_HELP_H
#define SERVER_HELP_H

/* `rmux --help`: usage and the first commands; returns the exit code. */
int help_short(void);

/* `rmux help [COMMAND | OPTION]`; returns the exit code. */
int help_main(const char *name);

/* `rmux completion SHELL`; returns the exit code. */
int help_completion(const char *shell);

#endif
