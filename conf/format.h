/*
 * conf/format.h - formats: #{...}, #(...), #S and strftime(3), expanded.
 *
 * Purpose:   the engine of tmux's format language.  It knows no pane: every
 *            variable, option, loop and job is asked of a scope, a small table
 *            of callbacks which the model (mux/fmt) or a test provides.
 * Ownership: all arguments stay the caller's and are read only; results go to
 *            a caller's buffer or are named "new" (mem_free).
 * Units:     wall clock in milliseconds since 1970; text is UTF-8.
 * Errors:    a format is never wrong: what cannot be expanded is empty, as in
 *            tmux.  -ERR_LIMIT says that a limit below was met; the text so
 *            far is still in the buffer.
 * Source:    tmux(1), FORMATS; checked against tmux in
 *            regress/ref/format-tmux.sh, which lists the deviations.
 * Tests:     regress/unit/check_format.c, regress/fuzz/fuzz_format.c
 */
#ifndef CONF_FORMAT_H
#define CONF_FORMAT_H

#include <stdbool.h>
#include <time.h>

#include "base/buf.h"
#include "base/grapheme.h"

#define FORMAT_DEPTH_MAX 100u      /* nested expansions */
#define FORMAT_OUTPUT_MAX 1048576u /* bytes of any one text */
#define FORMAT_WORK_MAX 8388608u   /* bytes read over all expansions */
#define FORMAT_NAME_MAX 255u       /* bytes of a variable's name */

enum format_flag {
	FORMAT_STRFTIME = 1 << 0, /* % conversions too, as status lines do */
	FORMAT_NO_JOBS = 1 << 1,  /* #() is empty */
};

/* What a loop runs over. */
enum format_loop_kind {
	FORMAT_LOOP_SESSIONS, /* S: */
	FORMAT_LOOP_WINDOWS,  /* W: */
	FORMAT_LOOP_PANES,    /* P: */
	FORMAT_LOOP_CLIENTS,  /* L: */
	FORMAT_LOOP_OPTIONS,  /* O: */
	FORMAT_LOOP_ENVIRON,  /* V: */
};

enum format_sort {
	FORMAT_SORT_DEFAULT, /* the model's own order */
	FORMAT_SORT_INDEX,   /* /i */
	FORMAT_SORT_NAME,    /* /n */
	FORMAT_SORT_TIME,    /* /t: most recent activity first */
	FORMAT_SORT_SIZE,    /* /z */
};

struct format_loop {
	enum format_loop_kind kind;
	enum format_sort sort;
	bool reverse;      /* /r */
	const char *flags; /* as written, "" if none (scopes of O: and V:) */
};

struct format_ops;

/* Where names are looked up: callbacks and what they work on. */
struct format_scope {
	const struct format_ops *ops;
	void *ctx;
};

/* One round of a loop. */
struct format_item {
	struct format_scope scope; /* valid during the call */
	bool current;              /* the current window, active pane ... */
	bool last;                 /* no more items follow */
};

/* Takes an item; false ends the loop. */
typedef bool (*format_item_fn)(void *arg, const struct format_item *item);

/*
 * The scope's table.  Every member may be NULL: nothing is found then.
 * Lookups append the value to OUT and return true, or return false (absent)
 * with OUT unchanged.  Names are tried as an option, then as one of
 * format_args.vars, then as a variable, then in the environment.
 */
struct format_ops {
	bool (*option)(void *ctx, const char *name, struct buf *out);
	bool (*variable)(void *ctx, const char *name, struct buf *out);
	bool (*environ)(void *ctx, const char *name, struct buf *out);

	/* Calls EACH for every item in order. */
	void (*loop)(void *ctx, const struct format_loop *loop,
	    format_item_fn each, void *arg);

	/* N/w: and N/s: does a window or session of that name exist? */
	bool (*exists)(void *ctx, enum format_loop_kind kind, const char *name);

	/* C: line (from 1) of PATTERN in the pane, 0 if it is not there. */
	uint32_t (*search)(
	    void *ctx, const char *pattern, bool regex, bool nocase);

	/* #(): last line of a command's output, which is expanded in turn. */
	void (*job)(void *ctx, const char *command, struct buf *out);

	/* I/f: I/c: I/e: client's feature, capability or variable (WHAT). */
	bool (*client_has)(
	    void *ctx, char what, const char *name, struct buf *out);

	/* Local time of T seconds since 1970; UTC where NULL. */
	void (*local_time)(void *ctx, int64_t t, struct tm *tm);
};

/* A variable of one expansion: hook, line, buffer_name and their like. */
struct format_var {
	const char *name;
	const char *value;
};

struct format_args {
	struct format_scope scope;
	const struct grapheme_table *widths; /* NULL: one cell a code point */
	const struct format_var *vars;       /* may be NULL */
	size_t var_count;
	int64_t now_ms; /* wall clock */
	unsigned flags; /* enum format_flag */

	/*
	 * Told what happens, for display-message -v; NULL: nobody is.  DEPTH
	 * counts from 0; TEXT is valid during the call.
	 */
	void (*trace)(void *arg, unsigned depth, const char *text);
	void *trace_arg;
};

/*
 * Expands FMT and appends the result to OUT.
 * Returns: 0, or -ERR_LIMIT when nesting, work or output passed a limit.
 */
int format_expand(
    const struct format_args *a, const char *fmt, struct buf *out);

/* The expansion as a string (mem_free); limits are not reported. */
char *format_expand_new(const struct format_args *a, const char *fmt);

/* Whether a value counts as true: not empty and not "0". */
bool format_true(const char *value);

/*
 * Finds one of the bytes of ENDS in P..END outside of #{...}; #, #} and the
 * like are stepped over.  Returns NULL if there is none.
 */
const char *format_skip(const char *p, const char *end, const char *ends);

#endif
