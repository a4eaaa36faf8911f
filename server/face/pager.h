/*
 * server/face/pager.h - command output over an attached client's window.
 *
 * Purpose:   tmux's view mode: shows the output of a command that a key or a
 *            prompt ran, with scrolling, until a key closes it.
 * Ownership: an overlay; texts are copied.
 * Errors:    drops the oldest rows beyond PAGER_ROWS_MAX.
 * Source:    tmux(1), list-keys and similar commands run by a key.
 * Tests:     regress/e2e/output.sh
 */
#ifndef SERVER_FACE_PAGER_H
#define SERVER_FACE_PAGER_H

#define PAGER_ROWS_MAX 100000

struct viewer;

/*
 * Adds one or several lines.  When the command has ended, a single line is
 * shown as a message and several lines are shown over the window.
 */
void pager_say(struct viewer *vw, const char *text);

#endif
