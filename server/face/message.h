/*
 * server/face/message.h - a message in the message line of a client.
 *
 * Purpose:   shows one text for a time or until a key is pressed.
 * Ownership: an overlay; the text is copied.
 * Units:     milliseconds.
 * Source:    tmux(1), display-message.
 * Tests:     regress/e2e/message.sh
 */
#ifndef SERVER_FACE_MESSAGE_H
#define SERVER_FACE_MESSAGE_H

#include "base/types.h"

struct viewer;

/* Shows TEXT for MS (0: until a key); replaces the last message. */
void message_show(struct viewer *vw, mono_ms ms, const char *text);

/* The same, but keys and the mouse are ignored while it is shown. */
void message_show_alone(struct viewer *vw, mono_ms ms, const char *text);

#endif
