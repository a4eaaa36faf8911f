/*
 * server/face/editor.h - the user's editor over the panes of a client.
 *
 * Purpose:   lets the program of the editor option change a text, in a popup.
 * Ownership: the text goes to the editor in a file of its own, which only the
 *            server's user can read and which is removed at the end.
 * Units:     bytes.
 * Errors:    a text that cannot be edited leaves a message on the client.
 * Tests:     regress/e2e/choose_more.sh
 */
#ifndef SERVER_FACE_EDITOR_H
#define SERVER_FACE_EDITOR_H

#include <stddef.h>

struct viewer;

#define EDITOR_TEXT_MAX ((size_t)16 << 20)

/*
 * The editor has left N > 0 bytes at P, valid until it returns, without an end
 * of line that the text did not have before.  NULL: it failed, or the text is
 * empty.
 */
typedef void (*editor_done_fn)(void *arg, const void *p, size_t n);

void editor_open(
    struct viewer *vw, const void *p, size_t n, editor_done_fn done, void *arg);

#endif
