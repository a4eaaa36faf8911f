#include "config.h"

#include "base/compiler.h"
#include "base/key.h"

#define X(name, text) text,
static const char *const key_names[] = {
#include "base/key.def"
};
#undef X

_Static_assert(ARRAY_LEN(key_names) == KEY_SPECIAL_END - KEY_SPECIAL,
    "a name for each special key, the first one at KEY_SPECIAL");
_Static_assert((unsigned)KEY_SPECIAL_END < (unsigned)KEY_USER0,
    "user keys follow the named ones");

const char *
key_special_name(uint32_t base)
{
	if (base < KEY_SPECIAL || base >= (uint32_t)KEY_SPECIAL_END)
		return NULL;
	return key_names[base - KEY_SPECIAL];
}

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
		/* Letters by their small form: C-a, but C-_ as it is. */
		cp |= 0x40;
		return KEY_CTRL | (cp >= 'A' && cp <= 'Z' ? cp | 0x20 : cp);
	}
}
