/*
 * base/key.h - keys and mouse events as values.
 *
 * Purpose:   one form for the keys and mouse events that a terminal sends, key
 *            tables bind and panes receive.
 * Units:     code points below KEY_SPECIAL; modifiers as bits above bit 32.
 * Source:    kitty keyboard protocol for modifiers and event types; tmux for
 *            the named keys.
 * Tests:     regress/unit/check_key.c
 */
#ifndef BASE_KEY_H
#define BASE_KEY_H

#include <stdbool.h>

#include "base/types.h"

/* base | modifiers; base is a code point or one of enum key_special. */
typedef uint64_t key_code;

#define KEY_NONE UINT64_C(0xffffffff)
#define KEY_SPECIAL UINT64_C(0x200000) /* first code beyond Unicode */
#define KEY_MASK UINT64_C(0xffffffff)

#define KEY_SHIFT (UINT64_C(1) << 32)
#define KEY_META (UINT64_C(1) << 33) /* Alt; tmux's M- */
#define KEY_CTRL (UINT64_C(1) << 34)
#define KEY_SUPER (UINT64_C(1) << 35)
#define KEY_HYPER (UINT64_C(1) << 36)
#define KEY_META2 (UINT64_C(1) << 37) /* kitty's own "meta" */
#define KEY_CAPS (UINT64_C(1) << 38)  /* lock states: never bound */
#define KEY_NUM (UINT64_C(1) << 39)
#define KEY_MODS \
 (KEY_SHIFT | KEY_META | KEY_CTRL | KEY_SUPER | KEY_HYPER | KEY_META2)
#define KEY_LOCKS (KEY_CAPS | KEY_NUM)

/* key.def: X(NAME, "tmux name"), one row for each named key, in this order. */
enum key_special {
	KEY_SPECIAL_BEFORE = 0x1fffff,
#define X(name, text) KEY_##name,
#include "base/key.def"
#undef X
	KEY_SPECIAL_END,
	/* 1000 user keys: KEY_USER0 + n */
	KEY_USER0 = 0x210000,
	/* mouse keys, see key_mouse() */
	KEY_MOUSE0 = 0x220000,
	KEY_MOUSE_END = 0x224000,
};

#define KEY_USER_COUNT 1000u

/* Mouse action and place: key_mouse.def. */
enum key_mouse_kind {
#define KIND(name, text, button) KEY_MOUSE_##name,
#include "base/key_mouse.def"
	KEY_MOUSE_KINDS
};

enum key_mouse_place {
#define PLACE(name, text) KEY_MOUSE_AT_##name,
#include "base/key_mouse.def"
	KEY_MOUSE_PLACES
};

/*
 * Returns the key of a mouse event as key tables bind it (MouseDown1Pane),
 * without modifiers: kind << 10 | button << 5 | place above KEY_MOUSE0.  BUTTON
 * is 1 to 11, or 0 for kinds without a button.
 */
static inline key_code
key_mouse(enum key_mouse_kind kind, unsigned button, enum key_mouse_place place)
{
	return (key_code)(KEY_MOUSE0 | (unsigned)kind << 10 |
			  (button & 31) << 5 | (unsigned)place);
}

static inline bool
key_is_mouse(key_code key)
{
	return (key & KEY_MASK) >= KEY_MOUSE0 &&
	       (key & KEY_MASK) < KEY_MOUSE_END;
}

static inline enum key_mouse_kind
key_mouse_kind(key_code key)
{
	return (enum key_mouse_kind)(((key & KEY_MASK) - KEY_MOUSE0) >> 10);
}

static inline unsigned
key_mouse_button(key_code key)
{
	return (unsigned)((key & KEY_MASK) >> 5 & 31);
}

static inline enum key_mouse_place
key_mouse_place(key_code key)
{
	return (enum key_mouse_place)(key & 31);
}

/* True for C0 codes and DEL, the codes that key_from_control accepts. */
static inline bool
key_is_control(uint32_t cp)
{
	return cp < 0x20 || cp == 0x7f;
}

/* Returns the key that sends the control code CP: Tab, Enter, Escape, C-a... */
key_code key_from_control(uint32_t cp);

/* True for Shift, Ctrl ... themselves, which only kitty's protocol reports. */
bool key_is_modifier(key_code key);

/*
 * True if terminals do not send KEY, or send it as another key (C-Tab, S-Enter,
 * C-S-a, Super), unless they are asked for an extended encoding.
 */
bool key_is_extended(key_code key);

enum key_event_type {
	KEY_PRESS,
	KEY_REPEAT,
	KEY_RELEASE
};

struct key_event {
	key_code key;
	uint32_t shifted;     /* kitty alternate: key with shift, 0 unknown */
	uint32_t base_layout; /* kitty alternate: US layout key, 0 unknown */
	enum key_event_type type;
	char text[32]; /* UTF-8 that the key inserts; may be "" */
};

enum mouse_button {
	MOUSE_NONE = 0, /* motion without a button */
	MOUSE_LEFT = 1,
	MOUSE_MIDDLE = 2,
	MOUSE_RIGHT = 3,
	MOUSE_WHEEL_UP = 4,
	MOUSE_WHEEL_DOWN = 5,
	MOUSE_WHEEL_LEFT = 6,
	MOUSE_WHEEL_RIGHT = 7,
	MOUSE_8 = 8, /* back */
	MOUSE_9 = 9, /* forward */
	MOUSE_10 = 10,
	MOUSE_11 = 11,
};

enum mouse_action {
	MOUSE_PRESS,
	MOUSE_RELEASE,
	MOUSE_MOTION
};

struct mouse_event {
	enum mouse_action action;
	enum mouse_button button; /* for motion: the pressed one */
	key_code mods;            /* KEY_SHIFT, KEY_META, KEY_CTRL */
	int x;                    /* cell, 0-based */
	int y;
	int px; /* pixel, 0-based; -1 unknown */
	int py;
};

#endif
