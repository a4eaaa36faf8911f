/*
 * server/completion.h - rmux completion, from the tables.
 *
 * Purpose:   prints the scripts by which bash, zsh and fish complete commands.
 * Errors:    an unknown shell: a line on standard error, exit code 1.
 * Source:    conf/command.def, conf/option.def.
 * Tests:     regress/e2e/help.sh
 */
#ifndef SERVER_COMPLETION_H
#define SERVER_COMPLETION_H

/* `rmux completion SHELL`; returns the exit code. */
int completion_main(const char *shell);

#endif
