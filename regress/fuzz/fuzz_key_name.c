/* Key names: a parsed key prints as a name that parses to the same key. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "conf/key_name.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *s = mem_strndup((const char *)data, size);
	char name[KEY_NAME_MAX];
	key_code key, again;

	if (key_name_parse(s, &key) == 0) {
		key_name_format(key, name, sizeof(name));
		if (key_name_parse(name, &again) != 0 || again != key)
			abort();
	}
	mem_free(s);
	/* Every code has a name that fits the buffer. */
	if (size >= sizeof(key)) {
		memcpy(&key, data, sizeof(key));
		key_name_format(key, name, sizeof(name));
	}
	return 0;
}
