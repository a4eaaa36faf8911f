#include "regress/predict/key_word.h"

#include <string.h>

#include "base/compiler.h"

bool
key_word(const char *w, key_code *key)
{
	static const char *const names[] = {
#define X(name, text) text,
#include "base/key.def"
#undef X
	};
	key_code mods = 0;
	size_t i;

	while (w[0] != '\0' && w[1] == '-' && w[2] != '\0') {
		mods |= w[0] == 'C'   ? KEY_CTRL
			: w[0] == 'M' ? KEY_META
				      : KEY_SHIFT;
		w += 2;
	}
	if (w[0] != '\0' && w[1] == '\0') {
		*key = mods | (key_code)w[0];
		return true;
	}
	for (i = 0; i < ARRAY_LEN(names); i++)
		if (strcmp(names[i], w) == 0) {
			*key = mods | (KEY_SPECIAL + i);
			return true;
		}
	return false;
}
