#include "server/face/click.h"

enum key_mouse_kind
click_press(
    struct click *k, unsigned button, enum key_mouse_place place, uint32_t pane)
{
	const bool same =
	    k->button == button && k->place == place && k->pane == pane;

	k->button = button;
	k->place = place;
	k->pane = pane;
	if (k->count == 1 && same) {
		k->count = 2;
		return KEY_MOUSE_SECOND_CLICK;
	}
	if (k->count == 2 && same) {
		k->count = 0;
		return KEY_MOUSE_TRIPLE_CLICK;
	}
	k->count = 1;
	return KEY_MOUSE_DOWN;
}

bool
click_due(struct click *k)
{
	const bool twice = k->count == 2;

	k->count = 0;
	return twice;
}
