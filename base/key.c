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
