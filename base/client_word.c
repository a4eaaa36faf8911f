#include "base/client_word.h"

#include <string.h>

#include "base/compiler.h"

static const struct client_word words[] = {
#define X(id, name, arguments, long_, head, usage, text) \
 { CLIENT_WORD_##id, name, arguments, long_, head, usage, text },
#include "base/client_word.def"
#undef X
};

static const struct client_flag flags[] = {
#define F(id, flag, value, argument, text) \
 { CLIENT_WORD_##id, flag, CLIENT_VALUE_##value, argument, text },
#include "base/client_flag.def"
#undef F
};

static const struct client_long longs[] = {
#define X(id, name, argument, text) { name, argument, text },
#include "base/client_long.def"
#undef X
};

const struct client_word *
client_word_row(size_t i)
{
	return &words[i];
}

const struct client_word *
client_word_find(const char *name)
{
	size_t i;

	for (i = 0; i < ARRAY_LEN(words); i++)
		if (strcmp(words[i].name, name) == 0)
			return &words[i];
	return NULL;
}

const struct client_flag *
client_word_flags(const struct client_word *word, size_t *n)
{
	size_t i, k;

	for (i = 0; i < ARRAY_LEN(flags) && flags[i].id != word->id; i++)
		;
	for (k = i; k < ARRAY_LEN(flags) && flags[k].id == word->id; k++)
		;
	*n = k - i;
	return flags + i;
}

const struct client_long *
client_word_longs(size_t *n)
{
	*n = ARRAY_LEN(longs);
	return longs;
}
