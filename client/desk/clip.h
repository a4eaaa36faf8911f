/*
 * client/desk/clip.h - files and images of this machine's clipboard.
 *
 * Purpose:   copies the files that the clipboard names, or its image, into a
 *            folder.
 * Errors:    what cannot be copied is left out.
 * Source:    wl-paste(1), xclip(1), pngpaste; text/uri-list is RFC 2483.
 * Tests:     regress/e2e/desk.sh
 */
#ifndef CLIENT_DESK_CLIP_H
#define CLIENT_DESK_CLIP_H

#include "base/compiler.h"

/* An image has this name. */
#define CLIP_IMAGE "clipboard.png"

/* Fills the folder DIR. */
void clip_collect(const char *dir);

#endif
