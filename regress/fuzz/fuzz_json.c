/*
 * JSON objects: an accepted one, printed in its normal form, is accepted again
 * and prints as the same text.
 */
#include <string.h>

#include "base/json.h"
#include "base/mem.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct cause why = { NULL };
	struct buf out, again;
	char *text = mem_strndup((const char *)data, size);

	buf_init(&out, (size_t)1 << 20);
	buf_init(&again, (size_t)1 << 20);
	if (json_print(&out, text, &why) == 0) {
		bug_assert(out.len <= strlen(text));
		bug_assert(json_print(&again, buf_cstr(&out), NULL) == 0);
		bug_assert(strcmp(buf_cstr(&out), buf_cstr(&again)) == 0);
	} else
		bug_assert(*cause_text(&why) != '\0');
	cause_fini(&why);
	buf_fini(&out);
	buf_fini(&again);
	mem_free(text);
	return 0;
}
