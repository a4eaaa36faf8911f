/* Styles: a parsed style prints as text that parses to the same style. */
#include <stdlib.h>
#include <string.h>

#include "conf/style.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct style sy, again;
	char text[STYLE_TEXT_MAX], twice[STYLE_TEXT_MAX];
	struct pen pen = { 0, 0, 0, 0 };

	style_init(&sy);
	if (style_parse(&sy, NULL, (const char *)data, size) != 0)
		return 0;
	style_format(&sy, text, sizeof(text));
	style_init(&again);
	if (style_parse(&again, NULL, text, strlen(text)) != 0 ||
	    strcmp(text, style_format(&again, twice, sizeof(twice))) != 0)
		abort();
	style_apply(&sy, &pen);
	return 0;
}
