/*
 * conf/format_mod.h - inside of the format engine: state and modifiers.
 *
 * Purpose:   declares what the files of the format engine share. No other file
 *            includes it.
 * Ownership: struct fmt is a plain value copied at each level; fmt_mods_fini
 *            frees struct fmt_mods.
 * Errors:    struct fmt_run records limits; `stop` ends the expansion.
 * Source:    tmux(1), FORMATS.
 * Tests:     regress/unit/check_format.c
 */
#ifndef CONF_FORMAT_MOD_H
#define CONF_FORMAT_MOD_H

#include "conf/format.h"

#define FMT_MODS_MAX 16u /* modifiers of one #{...} */
#define FMT_ARGS_MAX 6u  /* arguments of one modifier */

struct fmt;

/* Expands N bytes at P and appends the result. */
typedef void (*fmt_expand_fn)(
    const struct fmt *f, const char *p, size_t n, struct buf *out);

/* The state of one call of format_expand. */
struct fmt_run {
	const struct format_args *args;
	fmt_expand_fn expand; /* fmt_expand calls it */
	size_t work;          /* bytes that may still be read */
	bool limited;         /* the expansion met a limit */
	bool stop;            /* ... and expands nothing more */
	bool have_tm;
	struct tm tm; /* of args->now_ms, on first use */
};

/* The state of one level of nesting. */
struct fmt {
	struct fmt_run *run;
	struct format_scope scope;
	unsigned flags; /* enum format_flag */
	unsigned depth;
	bool in_loop;
	bool loop_last;
	size_t loop_index;
};

struct fmt_text {
	const char *p;
	size_t n;
};

struct fmt_mod;

/* One modifier as written. */
struct fmt_use {
	const struct fmt_mod *mod;   /* NULL if it has no meaning */
	const struct fmt_mod *named; /* the row that the format names */
	uint32_t argc;
	uint32_t arg[FMT_ARGS_MAX]; /* offsets into fmt_mods.text */
};

struct fmt_mods {
	size_t count;
	struct fmt_use use[FMT_MODS_MAX];
	struct buf text;
};

/* The step in which a modifier acts. */
enum fmt_stage {
	FMT_SOURCE, /* makes the value from the text after the colon */
	FMT_FOUND,  /* changes the value of a variable that was found */
	FMT_POST,   /* changes any value; rows run in the order of the table */
	FMT_POST_EACH, /* as FMT_POST, but acts once for each use */
};

/* The arguments of a modifier's function. */
struct fmt_call {
	const struct fmt *f;
	const struct fmt_mod *mod;
	const struct fmt_mods *mods;
	const struct fmt_use *use;
	struct fmt_text text; /* the text after the colon */
};

/*
 * Runs a modifier: FMT_SOURCE appends to VALUE, the others replace its content.
 * Returns false if the text has no meaning; the expansion then ends.
 */
typedef bool (*fmt_mod_fn)(const struct fmt_call *c, struct buf *value);

struct fmt_mod {
	char name[3];
	bool takes_args;
	enum fmt_stage stage;
	fmt_mod_fn fn;
	const char *help;
};

/* Returns all rows in order; *count is their number. */
const struct fmt_mod *fmt_mod_rows(size_t *count);

/*
 * Reads the modifiers at the start of KEY and moves KEY after their colon.
 * Without modifiers, KEY stays and the count is 0.
 */
void fmt_mods_parse(
    const struct fmt *f, struct fmt_text *key, struct fmt_mods *mods);
void fmt_mods_fini(struct fmt_mods *mods);

/* Returns argument I of a modifier, or "". */
const char *fmt_arg(const struct fmt_call *c, size_t i);

/*
 * Expands N bytes at P and appends the result. The call goes through a pointer
 * because modifiers must not depend on conf/format.c.
 */
static inline void
fmt_expand(const struct fmt *f, const char *p, size_t n, struct buf *out)
{
	f->run->expand(f, p, n, out);
}

static inline bool
fmt_traced(const struct fmt *f)
{
	return f->run->args->trace != NULL;
}

/* Splits at the first comma that is not nested; returns false without one. */
bool fmt_split(
    struct fmt_text t, struct fmt_text *left, struct fmt_text *right);

/* Tells whether a value is true; P need not end in NUL. */
bool fmt_true(const void *p, size_t n);

/* Records that a limit was met; STOP ends the expansion. */
void fmt_limit(const struct fmt *f, bool stop);

/* Uses N units of work; returns false when the budget is spent. */
bool fmt_work(const struct fmt *f, size_t n);

/* Limits the bytes of a text in a trace, for "%.*s". */
static inline int
fmt_shown(size_t n)
{
	return (int)MIN_OF(n, 1024u);
}

/* Calls args->trace if it is set.  The texts are tmux's. */
void fmt_trace(const struct fmt *f, const char *format, ...) PRINTF_LIKE(2, 3);

/* Appends strftime(3) of P..N with TM: at most 8 KiB, nothing on overflow. */
void fmt_strftime(
    const struct tm *tm, const char *p, size_t n, struct buf *out);

/* Breaks T seconds down with the scope's local_time, else as UTC. */
void fmt_local_time(const struct fmt *f, int64_t t, struct tm *tm);

/* The functions of format_mod.def; rows may share a function. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wredundant-decls"
/* clang-format off */
#define X(name, args, stage, fn, help) \
	bool fmt_mod_##fn(const struct fmt_call *c, struct buf *value);
#include "conf/format_mod.def"
#undef X
/* clang-format on */
#pragma GCC diagnostic pop

#endif
