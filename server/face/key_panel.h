/*
 * server/face/key_panel.h - the panel of keys that can follow a prefix.
 *
 * Purpose:   shows the bindings of the client's key table above the status
 *            lines until another table is set.
 * Ownership: an overlay.
 * Source:    the idea is from Emacs's which-key.
 * Tests:     regress/e2e/panel.sh
 */
#ifndef SERVER_FACE_KEY_PANEL_H
#define SERVER_FACE_KEY_PANEL_H

struct viewer;

void key_panel_open(struct viewer *vw);

/* Does nothing if the panel is not open. */
void key_panel_close(struct viewer *vw);

#endif
