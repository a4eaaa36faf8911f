/*
 * client/notice.h - notifications on the user's terminal.
 *
 * Purpose:   writes a notice of the server (mux/sync/notice.h) in the best form
 *            that the terminal knows: OSC 99, OSC 777 or OSC 9.
 * Errors:    a notice that cannot be read is dropped.
 * Source:    kitty's desktop notifications; urxvt's and iTerm2's sequences.
 * Tests:     regress/unit/check_notice.c, regress/terminal/outer.sh
 */
#ifndef CLIENT_NOTICE_H
#define CLIENT_NOTICE_H

#include <stdbool.h>

#include "client/term/out.h"

/* Asks a terminal whether it knows OSC 99; others ignore it. */
#define NOTICE_ASK "\033]99;i=rmux:p=?;\033\\"

/* Bytes of an answer that are passed to the server. */
#define NOTICE_ANSWER_MAX 256

/* Writes the notice in the N bytes at P. */
void notice_write(struct term_out *o, term_caps caps, const void *p, size_t n);

/* Whether the OSC 99 of a terminal is an answer for the server. */
bool notice_is_answer(const void *p, size_t n);

#endif
