/*
 * The words of a command line, each behind a NUL: what the server makes of them,
 * printed and parsed as text, gives the same commands.
 */
#include "config.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/mem.h"
#include "conf/args.h"
#include "conf/parser.h"
#include "regress/unit/conf_equal.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
words_error(void *arg, const char *file, unsigned line, const char *text)
{
	unsigned *errors = arg;

	(void)file;
	(void)line;
	*errors += text != NULL;
}

/* Splits TEXT, whose last byte is a NUL, into WORDS; returns their number. */
static size_t
split(char *text, size_t size, struct args_value *words)
{
	size_t at, n = 0;

	for (at = 0; at < size; at += strlen(text + at) + 1)
		words[n++] = (struct args_value){ .text = text + at };
	return n;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct args_value *words = mem_calloc(size + 1, sizeof(*words));
	char *text = mem_alloc(size + 1);
	unsigned errors = 0;
	struct parser_hooks hooks = { .arg = &errors, .error = words_error };
	struct cmdlist *a, *b;
	struct buf out;
	size_t n;

	memcpy(text, data, size);
	text[size] = '\0';
	n = split(text, size, words);
	(void)parser_words(words, n, NULL, 0, &hooks, &a);
	buf_init(&out, (size_t)1 << 26);
	cmdlist_print(a, CMDLIST_LINES, &out);
	if (!out.overflow) {
		errors = 0;
		(void)parser_parse((const char *)(void *)out.data, out.len,
		    NULL, 1, &hooks, &b);
		bug_assert(errors == 0);
		bug_assert(cmdlist_equal(a, b));
		cmdlist_unref(b);
	}
	buf_fini(&out);
	cmdlist_unref(a);
	mem_free(text);
	mem_free(words);
	return 0;
}
