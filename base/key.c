#include "config.h"

#include "base/key.h"

_Static_assert(KEY_SPECIAL_BEFORE + 1 == KEY_SPECIAL, "the first named key");
_Static_assert((unsigned)KEY_SPECIAL_END < (unsigned)KEY_USER0,
    "user keys follow the named ones");

key_code
key_from_control(uint32_t cp)
{
	switch (cp) {
	case 0x00:
		return KEY_CTRL | ' ';
	case 0x09:
		return KEY_TAB;
	case 0x0d:
		return KEY_ENTER;
	case 0x1b:
		return KEY_ESCAPE;
	case 0x7f:
		return KEY_BSPACE;
	default:
		/* Letters become lower case (C-a); C-_ and the like stay. */
		cp |= 0x40;
		return KEY_CTRL | (cp >= 'A' && cp <= 'Z' ? cp | 0x20 : cp);
	}
}

bool
key_is_modifier(key_code key)
{
	const key_code base = key & KEY_MASK;

	return base == KEY_CAPS_LOCK || base == KEY_NUM_LOCK ||
	       base == KEY_SCROLL_LOCK ||
	       (base >= KEY_LEFT_SHIFT && base <= KEY_ISO_LEVEL5_SHIFT);
}

/* True if Ctrl with the character C is one byte in the legacy encoding. */
static bool
ctrl_has_byte(uint32_t c, key_code mods)
{
	/* Shift with a letter, or with what it takes to type the others. */
	if (c >= 'a' && c <= 'z')
		return (mods & KEY_SHIFT) == 0;
	return c == ' ' || c == '?' || (c >= '@' && c <= '_');
}

bool
key_is_extended(key_code key)
{
	const uint32_t base = (uint32_t)(key & KEY_MASK);
	const key_code mods = key & KEY_MODS;

	if (base >= KEY_USER0 || base == KEY_ANY ||
	    (base >= KEY_FOCUS_IN && base <= KEY_PASTE_END))
		return false;
	if (mods & (KEY_SUPER | KEY_HYPER | KEY_META2))
		return true;
	if (base < KEY_SPECIAL)
		return (mods & KEY_CTRL) != 0 && !ctrl_has_byte(base, mods);
	switch (base) {
	case KEY_TAB:
	case KEY_BTAB:
		return (mods & KEY_CTRL) != 0;
	case KEY_ENTER:
	case KEY_ESCAPE:
	case KEY_BSPACE:
		return (mods & (KEY_CTRL | KEY_SHIFT)) != 0;
	default:
		return base >= KEY_CAPS_LOCK && base <= KEY_ISO_LEVEL5_SHIFT;
	}
}
