/*
 * conf/source.h - configuration files, their order and their errors.
 *
 * Purpose:   knows where configuration files are, keeps the stack of files that
 *            source each other, and collects errors with file and line.
 * Ownership: struct source owns its stack and errors; it frees the text that
 *            the callback returns.
 * Units:     lines count from 1.
 * Errors:    source_open returns -ERR_IO (with the callback's message),
 *            -ERR_LIMIT for files nested over SOURCE_DEPTH_MAX, -ERR_SYNTAX;
 *            each is in the list of errors too.
 * Source:    tmux(1), source-file and FILES.
 * Tests:     regress/unit/check_check.c
 */
#ifndef CONF_SOURCE_H
#define CONF_SOURCE_H

#include "conf/parser.h"

#define SOURCE_DEPTH_MAX 50
#define SOURCE_ERRORS_MAX 1000
#define SOURCE_FILE_MAX ((size_t)16 << 20) /* bytes of one file */

/* Callbacks of a source. */
struct source_hooks {
	void *arg;
	/*
	 * Reads a file of at most SOURCE_FILE_MAX bytes into a new string
	 * (mem_free). Returns 0, or a code with the reason in CAUSE.
	 */
	int (*read)(void *arg, const char *path, char **text, size_t *len,
	    struct cause *cause);
	/* All but error, which the source sets; they get ARG. */
	struct parser_hooks parser;
};

/* One error; its line is 0 if it concerns the file as a whole. */
struct source_error {
	char *file; /* or NULL */
	unsigned line;
	char *text;
};

struct source {
	const struct source_hooks *hooks;
	struct parser_hooks parser; /* the hooks; errors go to the list */
	char *stack[SOURCE_DEPTH_MAX];
	size_t depth;
	struct source_error *errors;
	size_t error_count;
	size_t errors_dropped; /* beyond SOURCE_ERRORS_MAX */
};

void source_init(struct source *s, const struct source_hooks *hooks);
void source_fini(struct source *s);

/*
 * Opens and parses a file; it is the current one until source_close.
 * In:      from, line the place that asked for it, where read errors are
 *          reported (NULL, 0: no file)
 * Out:     *out always a list
 */
int source_open(struct source *s, const char *path, const char *from,
    unsigned line, struct cmdlist **out);

/*
 * Leaves the current file; call it after each source_open, even a failed one.
 */
void source_close(struct source *s);

/* Parses text with the errors of FILE (NULL: the current file). */
int source_text(struct source *s, const char *file, unsigned line,
    const char *text, size_t len, struct cmdlist **out);

/* Returns the open file, or NULL; this is the format current_file. */
const char *source_current(const struct source *s);

/* Adds an error to the list; FILE NULL means the current file. */
void source_fail(struct source *s, const char *file, unsigned line,
    const char *fmt, ...) PRINTF_LIKE(4, 5);

/* Sorts neighbouring errors of the same file by line. */
void source_sort_errors(struct source *s);

/* Returns error I as "file:line: what", a new string (mem_free). */
char *source_error_new(const struct source *s, size_t i);

/* Directories where a configuration may be. */
struct source_places {
	const char *sysconfdir; /* "/etc" */
	const char *home;       /* or NULL */
	const char *xdg_config; /* $XDG_CONFIG_HOME, or NULL */
};

#define SOURCE_PATHS_MAX 8

struct source_paths {
	char *paths[SOURCE_PATHS_MAX];
	size_t count;
	size_t
	    ours; /* the first OURS are rmux's files, the others are tmux's */
};

/*
 * Lists the possible files in order: rmux's, then tmux's. The caller skips
 * files that do not exist, and reads tmux's only if none of rmux's exists.
 */
void source_paths_init(
    struct source_paths *p, const struct source_places *places);
void source_paths_fini(struct source_paths *p);

#endif
