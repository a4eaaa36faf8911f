#include "config.h"

#include <string.h>

#include "base/mem.h"
#include "conf/source.h"

void
source_fail(
    struct source *s, const char *file, unsigned line, const char *fmt, ...)
{
	struct source_error *e;
	va_list ap;

	if (s->error_count == SOURCE_ERRORS_MAX) {
		s->errors_dropped++;
		return;
	}
	if (file == NULL)
		file = source_current(s);
	s->errors =
	    mem_resize(s->errors, s->error_count + 1, sizeof *s->errors);
	e = &s->errors[s->error_count++];
	va_start(ap, fmt);
	e->text = mem_vprintf(fmt, ap);
	va_end(ap);
	e->file = file == NULL ? NULL : mem_strdup(file);
	e->line = line;
}

/* Tells whether A and B are of one file and A has the later line. */
static bool
source_error_after(const struct source_error *a, const struct source_error *b)
{
	if (a->file == NULL || b->file == NULL)
		return false;
	return a->line > b->line && strcmp(a->file, b->file) == 0;
}

void
source_sort_errors(struct source *s)
{
	struct source_error e;
	size_t i, j;

	for (i = 1; i < s->error_count; i++) {
		e = s->errors[i];
		for (j = i; j > 0 && source_error_after(&s->errors[j - 1], &e);
		     j--)
			s->errors[j] = s->errors[j - 1];
		s->errors[j] = e;
	}
}

char *
source_error_new(const struct source *s, size_t i)
{
	const struct source_error *e = &s->errors[i];

	if (e->file == NULL)
		return mem_strdup(e->text);
	if (e->line == 0)
		return mem_printf("%s: %s", e->file, e->text);
	return mem_printf("%s:%u: %s", e->file, e->line, e->text);
}

/*
 * The parser has one argument for all hooks. This passes each call on with the
 * argument of the caller's hooks.
 */
static const char *
source_variable(void *arg, const char *name)
{
	const struct source *s = arg;

	return s->hooks->parser.variable(s->hooks->arg, name);
}

static const char *
source_home(void *arg, const char *user)
{
	const struct source *s = arg;

	return s->hooks->parser.home(s->hooks->arg, user);
}

static char *
source_expand(void *arg, const char *format)
{
	const struct source *s = arg;

	return s->hooks->parser.expand(s->hooks->arg, format);
}

static void
source_assign(void *arg, const char *name, const char *value, bool hidden)
{
	const struct source *s = arg;

	s->hooks->parser.assign(s->hooks->arg, name, value, hidden);
}

static const char *
source_alias(void *arg, const char *name)
{
	const struct source *s = arg;

	return s->hooks->parser.alias(s->hooks->arg, name);
}

static void
source_parser_error(
    void *arg, const char *file, unsigned line, const char *text)
{
	source_fail(arg, file, line, "%s", text);
}

void
source_init(struct source *s, const struct source_hooks *hooks)
{
	memset(s, 0, sizeof *s);
	s->hooks = hooks;
	s->parser.arg = s;
	s->parser.error = source_parser_error;
	if (hooks->parser.variable != NULL)
		s->parser.variable = source_variable;
	if (hooks->parser.home != NULL)
		s->parser.home = source_home;
	if (hooks->parser.expand != NULL)
		s->parser.expand = source_expand;
	if (hooks->parser.assign != NULL)
		s->parser.assign = source_assign;
	if (hooks->parser.alias != NULL)
		s->parser.alias = source_alias;
}

void
source_fini(struct source *s)
{
	size_t i;

	while (s->depth > 0)
		source_close(s);
	for (i = 0; i < s->error_count; i++) {
		mem_free(s->errors[i].file);
		mem_free(s->errors[i].text);
	}
	mem_free(s->errors);
	memset(s, 0, sizeof *s);
}

const char *
source_current(const struct source *s)
{
	return s->depth == 0 ? NULL
			     : s->stack[MIN_OF(s->depth, SOURCE_DEPTH_MAX) - 1];
}

/* Reports that PATH cannot be read, at the line that asked for it. */
static void
source_open_failed(struct source *s, const char *path, const char *from,
    unsigned line, const char *why)
{
	if (from == NULL)
		source_fail(s, path, 0, "%s", why);
	else
		source_fail(s, from, line, "%s: %s", path, why);
}

int
source_open(struct source *s, const char *path, const char *from, unsigned line,
    struct cmdlist **out)
{
	struct cause cause = { NULL };
	char *text = NULL;
	size_t len = 0;
	int e;

	/* Count it even when it fails, so that each open has one close. */
	s->depth++;
	if (s->depth > SOURCE_DEPTH_MAX) {
		*out = cmdlist_new();
		source_open_failed(
		    s, path, from, line, "files nested over 50 deep");
		return -ERR_LIMIT;
	}
	s->stack[s->depth - 1] = mem_strdup(path);
	e = s->hooks->read(s->hooks->arg, path, &text, &len, &cause);
	if (e != 0) {
		*out = cmdlist_new();
		source_open_failed(s, path, from, line,
		    cause.text == NULL ? err_text(e) : cause.text);
	} else
		e = source_text(s, path, 1, text, len, out);
	cause_fini(&cause);
	mem_free(text);
	return e;
}

void
source_close(struct source *s)
{
	bug_assert(s->depth > 0);
	s->depth--;
	if (s->depth < SOURCE_DEPTH_MAX) {
		mem_free(s->stack[s->depth]);
		s->stack[s->depth] = NULL;
	}
}

int
source_text(struct source *s, const char *file, unsigned line, const char *text,
    size_t len, struct cmdlist **out)
{
	if (file == NULL)
		file = source_current(s);
	return parser_parse(text, len, file, line, &s->parser, out);
}

static void
source_path_add(struct source_paths *p, const char *dir, const char *name)
{
	char *path;
	size_t i;

	if (dir == NULL || *dir == '\0')
		return;
	path = mem_printf("%s/%s", dir, name);
	for (i = 0; i < p->count; i++) {
		if (strcmp(p->paths[i], path) == 0) {
			mem_free(path);
			return;
		}
	}
	bug_assert(p->count < SOURCE_PATHS_MAX);
	p->paths[p->count++] = path;
}

/* Lists the four configuration files of one program. */
static void
source_paths_of(struct source_paths *p, const struct source_places *places,
    const char *program)
{
	char *name;

	name = mem_printf("%s.conf", program);
	source_path_add(p, places->sysconfdir, name);
	mem_free(name);
	name = mem_printf(".%s.conf", program);
	source_path_add(p, places->home, name);
	mem_free(name);
	name = mem_printf("%s/%s.conf", program, program);
	source_path_add(p, places->xdg_config, name);
	mem_free(name);
	name = mem_printf(".config/%s/%s.conf", program, program);
	source_path_add(p, places->home, name);
	mem_free(name);
}

void
source_paths_init(struct source_paths *p, const struct source_places *places)
{
	memset(p, 0, sizeof *p);
	source_paths_of(p, places, "rmux");
	p->ours = p->count;
	source_paths_of(p, places, "tmux");
}

void
source_paths_fini(struct source_paths *p)
{
	size_t i;

	for (i = 0; i < p->count; i++)
		mem_free(p->paths[i]);
	memset(p, 0, sizeof *p);
}
