/*
 * server/face/pager.h - the output of a command for an attached client.
 *
 * Purpose:   tmux's view mode: lines of a command that a key or a prompt ran,
 *            over the window, to be scrolled until a key ends it.
 * Ownership: an overlay; texts are copied.
 * Errors:    the oldest of more than PAGER_ROWS_MAX rows are dropped.
 * Source:    tmux(1), list-keys and its like from a key.
 * Tests:     regress/e2e/output.sh
 */
#ifndef SERVER_FACE_PAGER_H
#define SERVER_FACE_PAGER_H

#define PAGER_ROWS_MAX 100000

struct viewer;

/*
 * Adds one line or several.  When the command is through, one line is shown as
 * a message and several over the window.
 */
void pager_say(struct viewer *vw, const char *text);

#endif
