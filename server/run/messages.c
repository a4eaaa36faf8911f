#include "server/run/messages.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/io/sys.h"
#include "base/mem.h"

#define PROMPT_FILE_MAX ((size_t)16 << 20)

/* --- messages ----------------------------------------------------------------- */

void
messages_fini(struct messages *ms)
{
	size_t i;

	for (i = 0; i < ms->count; i++)
		mem_free(ms->all[i].text);
	mem_free(ms->all);
	*ms = (struct messages){ .all = NULL };
}

/* Drops the oldest messages until LIMIT are left. */
static void
messages_cut(struct messages *ms, size_t limit)
{
	size_t i, drop = ms->count - limit;

	for (i = 0; i < drop; i++)
		mem_free(ms->all[i].text);
	memmove(ms->all, ms->all + drop, limit * sizeof(*ms->all));
	ms->count = limit;
}

void
messages_add(
    struct messages *ms, size_t limit, int64_t time, const char *fmt, ...)
{
	struct message m = { .number = ms->next++, .time = time };
	va_list ap;

	va_start(ap, fmt);
	m.text = mem_vprintf(fmt, ap);
	va_end(ap);
	if (strlen(m.text) > MESSAGES_TEXT_MAX)
		m.text[MESSAGES_TEXT_MAX] = '\0';
	ms->all = mem_resize(ms->all, ms->count + 1, sizeof(*ms->all));
	ms->all[ms->count++] = m;
	limit = MIN_OF(limit, (size_t)MESSAGES_MAX);
	if (ms->count > limit)
		messages_cut(ms, limit);
}

/* --- prompts -------------------------------------------------------------------- */

static const char *const prompt_types[PROMPT_TYPES] = {
	[PROMPT_TYPE_COMMAND] = "command",
	[PROMPT_TYPE_SEARCH] = "search",
	[PROMPT_TYPE_TARGET] = "target",
	[PROMPT_TYPE_WINDOW_TARGET] = "window-target",
};

const char *
prompt_type_name(enum prompt_type type)
{
	return prompt_types[type];
}

enum prompt_type
prompt_type_find(const char *name)
{
	unsigned i;

	for (i = 0; i < PROMPT_TYPES; i++)
		if (strcmp(prompt_types[i], name) == 0)
			break;
	return (enum prompt_type)i;
}

void
prompt_log_add(struct prompt_log *pl, enum prompt_type type, size_t limit,
    const char *text)
{
	size_t n = pl->count[type], drop;
	char **lines = pl->lines[type];

	if (*text == '\0' || limit == 0 ||
	    (n > 0 && strcmp(lines[n - 1], text) == 0))
		return;
	for (drop = 0; n - drop >= limit; drop++)
		mem_free(lines[drop]);
	if (drop > 0)
		memmove(lines, lines + drop, (n - drop) * sizeof(*lines));
	n -= drop;
	lines = mem_resize(lines, n + 1, sizeof(*lines));
	lines[n] = mem_strdup(text);
	pl->lines[type] = lines;
	pl->count[type] = n + 1;
}

void
prompt_log_clear(struct prompt_log *pl, enum prompt_type type)
{
	while (pl->count[type] > 0)
		mem_free(pl->lines[type][--pl->count[type]]);
	mem_free(pl->lines[type]);
	pl->lines[type] = NULL;
}

void
prompt_log_fini(struct prompt_log *pl)
{
	unsigned i;

	for (i = 0; i < PROMPT_TYPES; i++)
		prompt_log_clear(pl, (enum prompt_type)i);
}

/*
 * Reads lines "type:text". A line without a type is a command, as in old files.
 */
void
prompt_log_load(struct prompt_log *pl, size_t limit, const char *path)
{
	char *text = NULL, *rest, *line, *colon;
	enum prompt_type type;
	size_t len;

	if (sys_read_file(path, PROMPT_FILE_MAX, &text, &len, NULL) != 0)
		return;
	rest = text;
	while ((line = strsep(&rest, "\n")) != NULL) {
		type = PROMPT_TYPES;
		if ((colon = strchr(line, ':')) != NULL) {
			*colon = '\0';
			type = prompt_type_find(line);
			*colon = ':';
		}
		if (type == PROMPT_TYPES)
			prompt_log_add(pl, PROMPT_TYPE_COMMAND, limit, line);
		else
			prompt_log_add(pl, type, limit, colon + 1);
	}
	mem_free(text);
}

/*
 * Writes TEXT to a new file and renames it, so that a full disk leaves the old
 * file. Writes in place where the directory refuses new files.
 */
static void
file_replace(const char *path, const struct buf *text)
{
	char *real = realpath(path, NULL), *copy;
	const char *to = real == NULL ? path : real;
	bool good = false;
	int fd;

	copy = mem_printf("%s.new", to);
	/* security: nor does a pipe in its place hold the server up. */
	fd = open(copy,
	    O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC,
	    0600);
	if (fd < 0 && (errno == EACCES || errno == EPERM || errno == ELOOP)) {
		fd = open(to,
		    O_WRONLY | O_CREAT | O_TRUNC | O_NONBLOCK | O_CLOEXEC,
		    0600);
		if (fd >= 0) {
			(void)sys_write_all(fd, text->data, text->len);
			close(fd);
		}
	} else if (fd >= 0) {
		good = sys_write_all(fd, text->data, text->len) == 0;
		good = close(fd) == 0 && good;
		if (!good || rename(copy, to) != 0)
			(void)unlink(copy);
	}
	mem_free(copy);
	free(real);
}

void
prompt_log_save(const struct prompt_log *pl, const char *path)
{
	struct buf b;
	unsigned i;
	size_t n;

	buf_init(&b, PROMPT_FILE_MAX);
	for (i = 0; i < PROMPT_TYPES; i++)
		for (n = 0; n < pl->count[i]; n++)
			(void)buf_addf(
			    &b, "%s:%s\n", prompt_types[i], pl->lines[i][n]);
	file_replace(path, &b);
	buf_fini(&b);
}
