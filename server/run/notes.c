#include "server/run/notes.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "server/run/run.h"

/* Bytes of errors shown at once; show-messages has all. */
#define NOTES_TEXT_MAX (1 << 20)

/* A file that was read. */
struct notes_file {
	char *path;   /* absolute */
	char *parent; /* absolute; NULL: named at start */
};

struct notes {
	char *dir; /* of the process when it began */
	struct notes_file read[NOTES_FILES_MAX];
	size_t read_count;
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

static void
notes_drop(struct notes *n, size_t i)
{
	mem_free(n->read[i].path);
	mem_free(n->read[i].parent);
	memmove(&n->read[i], &n->read[i + 1],
	    (--n->read_count - i) * sizeof(n->read[0]));
}

struct notes *
notes_new(void)
{
	struct notes *n = mem_zalloc(sizeof(*n));
	char *dir = getcwd(NULL, 0);

	n->dir = mem_strdup(dir == NULL ? "" : dir);
	free(dir);
	return n;
}

void
notes_free(struct notes *n)
{
	if (n == NULL)
		return;
	texts_free(n->files, n->file_count);
	texts_free(n->errors, n->error_count);
	while (n->read_count > 0)
		notes_drop(n, n->read_count - 1);
	mem_free(n->hint);
	mem_free(n->dir);
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

static char *
notes_full_new(const struct notes *n, const char *path)
{
	return *path == '/' ? mem_strdup(path)
			    : mem_printf("%s/%s", n->dir, path);
}

void
notes_read(struct notes *n, const char *path, const char *parent)
{
	char *full = notes_full_new(n, path);
	size_t i;

	for (i = 0; i < n->read_count; i++)
		if (strcmp(n->read[i].path, full) == 0)
			break;
	if (i < n->read_count || i == NOTES_FILES_MAX) {
		mem_free(full);
		return;
	}
	n->read[n->read_count++] = (struct notes_file){ full,
		parent == NULL ? NULL : notes_full_new(n, parent) };
}

void
notes_forget(struct notes *n, const char *path)
{
	const char *parent;
	char *child;
	size_t i = 0;

	/* Each call removes what it looks at before the next one. */
	while (i < n->read_count) {
		parent = n->read[i].parent;
		if (parent == NULL || strcmp(parent, path) != 0) {
			i++;
			continue;
		}
		child = mem_strdup(n->read[i].path);
		notes_drop(n, i);
		notes_forget(n, child);
		mem_free(child);
		i = 0;
	}
}

const char *
notes_read_at(const struct notes *n, size_t i, bool *top)
{
	if (i >= n->read_count)
		return NULL;
	*top = n->read[i].parent == NULL;
	return n->read[i].path;
}

bool
notes_failed(const struct notes *n)
{
	return n->error_count > 0;
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
