/*
 * Configuration text: parses it, prints it and parses that again, which must
 * give the same tree.
 */
#include "config.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/mem.h"
#include "conf/option.h"
#include "regress/unit/conf_equal.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

struct fuzz {
	unsigned errors;
};

/* Made once; read-only. */
static struct options fuzz_server;

static const char *
fuzz_variable(void *arg, const char *name)
{
	(void)arg;
	return name[0] == 'A' ? "value of A" : NULL;
}

static const char *
fuzz_home(void *arg, const char *user)
{
	(void)arg;
	return *user == '\0' ? "/home/me" : NULL;
}

static char *
fuzz_expand(void *arg, const char *format)
{
	(void)arg;
	return mem_strdup(format);
}

static const char *
fuzz_alias(void *arg, const char *name)
{
	(void)arg;
	return options_alias(&fuzz_server, name);
}

static void
fuzz_error(void *arg, const char *file, unsigned line, const char *text)
{
	struct fuzz *f = arg;

	(void)file;
	(void)line;
	f->errors += text != NULL;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct fuzz f = { .errors = 0 };
	struct parser_hooks hooks = { .arg = &f,
		.variable = fuzz_variable,
		.home = fuzz_home,
		.expand = fuzz_expand,
		.alias = fuzz_alias,
		.error = fuzz_error };
	struct cmdlist *a, *b;
	struct buf out;

	if (fuzz_server.count == 0) {
		options_init(&fuzz_server, NULL);
		options_set_defaults(&fuzz_server, OPT_SERVER);
	}
	(void)parser_parse((const char *)data, n, "fuzz", 1, &hooks, &a);
	buf_init(&out, (size_t)1 << 26);
	cmdlist_print(a, CMDLIST_LINES, &out);
	if (!out.overflow) {
		f.errors = 0;
		hooks.alias = NULL;
		(void)parser_parse((const char *)(void *)out.data, out.len,
		    NULL, 1, &hooks, &b);
		bug_assert(f.errors == 0);
		bug_assert(cmdlist_equal(a, b));
		cmdlist_unref(b);
	}
	buf_fini(&out);
	cmdlist_unref(a);
	return 0;
}
