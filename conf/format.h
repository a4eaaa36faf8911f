/*
 * conf/format.h - formats: #{...}, #(...), #S and strftime(3), expanded.
 *
 * Purpose:   is the engine of tmux's format language. It knows no panes: it
 *            looks up every variable, option, loop and job in a scope. A scope
 *            is a small table of callbacks from the model (mux/fmt) or a test.
 * Ownership: arguments belong to the caller and are only read; results go to
 *            the caller's buffer or to a new string (mem_free).
 * Units:     wall clock in milliseconds since 1970; text is UTF-8.
 * Errors:    a format is never invalid: text that cannot be expanded is empty,
 *            as in tmux. -ERR_LIMIT means that the expansion met a limit below;
 *            the buffer has the text so far.
 * Source:    tmux(1), FORMATS; compared with tmux in
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
	FORMAT_STRFTIME =
	    1 << 0, /* expand % conversions too, as in status lines */
	FORMAT_NO_JOBS = 1 << 1, /* #() is empty */
	FORMAT_ANIMATE = 1 << 2, /* A: shows its frames; else it is empty */
};

/* The kinds of loops. */
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
	const char *flags; /* as written, or "" (scopes of O: and V:) */
	bool traced;       /* items have names */
};

struct format_ops;

/* The place to look names up: callbacks and their context. */
struct format_scope {
	const struct format_ops *ops;
	void *ctx;
};

/* One round of a loop. */
struct format_item {
	struct format_scope scope; /* valid during the call */
	bool current;              /* the current window, active pane ... */
	bool last;                 /* no more items follow */
	const char *name;          /* for a trace: "pane loop: %0"; or NULL */
};

/* Receives an item; returns false to end the loop. */
typedef bool (*format_item_fn)(void *arg, const struct format_item *item);

/*
 * The callbacks of a scope. A member that is NULL finds nothing. Lookups append
 * the value to OUT and return true, or return false and leave OUT unchanged.
 * The engine looks a name up as an option, then in format_args.vars, then as a
 * variable, then in the environment.
 */
struct format_ops {
	bool (*option)(void *ctx, const char *name, struct buf *out);
	bool (*variable)(void *ctx, const char *name, struct buf *out);
	bool (*environ)(void *ctx, const char *name, struct buf *out);

	/* Calls EACH for each item in order. */
	void (*loop)(void *ctx, const struct format_loop *loop,
	    format_item_fn each, void *arg);

	/* N/w: and N/s: tells whether a window or session has that name. */
	bool (*exists)(void *ctx, enum format_loop_kind kind, const char *name);

	/*
	 * C: returns the line (from 1) of PATTERN in the pane, 0 if not found.
	 */
	uint32_t (*search)(
	    void *ctx, const char *pattern, bool regex, bool nocase);

	/*
	 * #(): appends the last line of a command's output, which is expanded.
	 */
	void (*job)(void *ctx, const char *command, struct buf *out);

	/* I/f: I/c: I/e: looks up a feature, capability or variable (WHAT). */
	bool (*client_has)(
	    void *ctx, char what, const char *name, struct buf *out);

	/* Returns whether there is a client to ask; NULL: there is one. */
	bool (*has_client)(void *ctx);

	/* Breaks T seconds since 1970 down as local time; NULL means UTC. */
	void (*local_time)(void *ctx, int64_t t, struct tm *tm);
};

/* A variable of one expansion, for example hook, line or buffer_name. */
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
	 * Receives each step, for display-message -v; NULL for no trace. DEPTH
	 * counts from 0; TEXT is valid during the call.
	 */
	void (*trace)(void *arg, unsigned depth, const char *text);
	void *trace_arg;
};

/*
 * Expands FMT and appends the result to OUT.
 * Returns: 0, or -ERR_LIMIT when nesting, work or output met a limit.
 */
int format_expand(
    const struct format_args *a, const char *fmt, struct buf *out);

/* Expands FMT into a new string (mem_free); does not report limits. */
char *format_expand_new(const struct format_args *a, const char *fmt);

/* Tells whether a value counts as true: not empty and not "0". */
bool format_true(const char *value);

/*
 * Finds one of the bytes of ENDS in P..END outside of #{...}; skips #, and #}
 * and similar escapes. Returns NULL if there is none.
 */
const char *format_skip(const char *p, const char *end, const char *ends);

#endif
