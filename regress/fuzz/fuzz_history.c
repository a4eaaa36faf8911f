/*
 * The file of history-file: after any bytes each history has at most so many
 * lines as the first byte says, and what is saved loads as the same.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/io/sys.h"
#include "base/mem.h"
#include "server/run/messages.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char path[4096];

static void
remove_file(void)
{
	(void)unlink(path);
}

/* Writes SIZE bytes to the file, which is made at the first call. */
static void
write_file(const void *p, size_t size)
{
	const char *dir = getenv("TMPDIR");
	int fd;

	if (*path == '\0') {
		(void)snprintf(path, sizeof(path), "%s/rmux-fuzz.XXXXXX",
		    dir == NULL || *dir == '\0' ? "/tmp" : dir);
		fd = mkstemp(path);
		(void)atexit(remove_file);
	} else
		fd = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC);
	bug_assert(fd >= 0 && sys_write_all(fd, p, size) == 0);
	(void)close(fd);
}

static void
compare(const struct prompt_log *a, const struct prompt_log *b)
{
	size_t i, t;

	for (t = 0; t < PROMPT_TYPES; t++) {
		bug_assert(a->count[t] == b->count[t]);
		for (i = 0; i < a->count[t]; i++)
			bug_assert(strcmp(a->lines[t][i], b->lines[t][i]) == 0);
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct prompt_log a = { .count = { 0 } }, b = { .count = { 0 } };
	const size_t limit = size == 0 ? 1 : (size_t)data[0] * 16;
	size_t t;

	write_file(data, size);
	prompt_log_load(&a, limit, path);
	for (t = 0; t < PROMPT_TYPES; t++)
		bug_assert(a.count[t] <= limit);
	prompt_log_save(&a, path);
	prompt_log_load(&b, limit, path);
	compare(&a, &b);
	prompt_log_fini(&a);
	prompt_log_fini(&b);
	return 0;
}
