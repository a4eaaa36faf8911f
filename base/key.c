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
