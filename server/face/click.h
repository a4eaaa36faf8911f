/*
 * server/face/click.h - double and triple clicks.
 *
 * Purpose:   counts presses of one button at one place that follow each other
 *            within CLICK_MS.
 * Ownership: struct click is a plain value, all zero at first.
 * Units:     milliseconds.
 * Source:    tmux(1), MOUSE SUPPORT.
 * Tests:     regress/unit/check_click.c
 *
 * The second press is a key of its own at once. DoubleClick follows when no
 * third press comes in time, TripleClick with the third press.
 */
#ifndef SERVER_FACE_CLICK_H
#define SERVER_FACE_CLICK_H

#include "base/key.h"

#define CLICK_MS 300 /* between two presses */

struct click {
	unsigned count; /* presses that wait for another one: 0 to 2 */
	unsigned button;
	enum key_mouse_place place;
	uint32_t pane;
};

/*
 * Counts a press. Returns KEY_MOUSE_DOWN, KEY_MOUSE_SECOND_CLICK or
 * KEY_MOUSE_TRIPLE_CLICK. While count is not 0 the caller calls click_due after
 * CLICK_MS.
 */
enum key_mouse_kind click_press(struct click *k, unsigned button,
    enum key_mouse_place place, uint32_t pane);

/* No other press came. Returns whether that makes a double click. */
bool click_due(struct click *k);

#endif
