#include "server/run/notes.h"

#include <string.h>

#include "base/mem.h"
#include "server/run/run.h"

/* Bytes of errors shown at once; show-messages has all. */
#define NOTES_TEXT_MAX (1 << 20)

struct notes {
	char **files;
	size_t file_count;
	char **errors;
	size_t error_count;
	char *hint;
	bool loading;
};

static void
texts_add(char ***all, size_t *count, const char *text)
{
	*all = mem_resize(*all, *count + 1, sizeof(**all));
	(*all)[(*count)++] = mem_strdup(text);
}

static void
texts_free(char **all, size_t count)
{
	while (count > 0)
		mem_free(all[--count]);
	mem_free(all);
}

struct notes *
notes_new(void)
{
	return mem_zalloc(sizeof(struct notes));
}

void
notes_free(struct notes *n)
{
	if (n == NULL)
		return;
	texts_free(n->files, n->file_count);
	texts_free(n->errors, n->error_count);
	mem_free(n->hint);
	mem_free(n);
}

void
notes_error(struct run *run, const char *text)
{
	struct notes *n = run->notes;

	run_message(run, "config error: %s", text);
	if (n->error_count < NOTES_ERRORS_MAX)
		texts_add(&n->errors, &n->error_count, text);
}

void
notes_errors(struct run *run, const char *lines)
{
	char *text = mem_strdup(lines), *line, *rest = text;

	while ((line = strsep(&rest, "\n")) != NULL)
		if (*line != '\0')
			notes_error(run, line);
	mem_free(text);
}

void
notes_file(struct notes *n, const char *path)
{
	texts_add(&n->files, &n->file_count, path);
}

void
notes_files(const struct notes *n, struct buf *out)
{
	size_t i;

	for (i = 0; i < n->file_count; i++)
		(void)buf_addf(out, "%s%s", i > 0 ? "," : "", n->files[i]);
}

bool
notes_loading(const struct notes *n)
{
	return n->loading;
}

void
notes_set_loading(struct notes *n, bool loading)
{
	n->loading = loading;
}

void
notes_set_hint(struct notes *n, char *text)
{
	mem_free(n->hint);
	n->hint = text;
}

char *
notes_take(struct notes *n, bool *hint)
{
	struct buf lines;
	char *text;
	size_t i;

	*hint = n->error_count == 0;
	if (n->error_count == 0) {
		text = n->hint;
		n->hint = NULL;
		return text;
	}
	buf_init(&lines, NOTES_TEXT_MAX);
	for (i = 0; i < n->error_count; i++)
		if (buf_addf(&lines, i > 0 ? "\n%s" : "%s", n->errors[i]) != 0)
			break;
	text = mem_strdup(buf_cstr(&lines));
	buf_fini(&lines);
	texts_free(n->errors, n->error_count);
	n->errors = NULL;
	n->error_count = 0;
	return text;
}
