/*
 * mux/fmt/vars_int.h - shared by the files of mux/fmt.
 *
 * Purpose:   declares the getters that vars.def names, and helpers.
 * Errors:    getters return false for "not found".
 * Tests:     regress/unit/check_vars.c
 */
#ifndef MUX_FMT_VARS_INT_H
#define MUX_FMT_VARS_INT_H

#include "mux/fmt/vars.h"

/* The subjects that a row needs. */
enum vars_need {
	NEED_NONE = 0,
	NEED_CLIENT,
	NEED_SESSION,
	NEED_LINK, /* with its window and session */
	NEED_WINDOW,
	NEED_PANE,
	NEED_BUFFER,
	NEED_MOUSE
};

typedef bool (*vars_fn)(const struct vars *v, struct buf *out);

/* clang-format off */
#define X(name, need, help) \
	bool var_##name(const struct vars *v, struct buf *out);
#include "mux/fmt/vars.def"
#undef X
/* clang-format on */

/* What a round of O: or V: shows. */
struct vars_item {
	const char *name;
	const struct option_entry *option; /* NULL: a variable */
	const struct option_value *value;  /* NULL: an array without items */
	size_t at;                         /* item of an array */
	const struct environ_var *var;
};

/* format_ops.loop. */
void vars_loop(
    void *ctx, const struct format_loop *loop, format_item_fn each, void *arg);

static inline bool
put_str(struct buf *out, const char *s)
{
	return s != NULL && buf_add_str(out, s) == 0;
}

static inline bool
put_int(struct buf *out, int64_t n)
{
	return buf_addf(out, "%lld", (long long)n) == 0;
}

static inline bool
put_flag(struct buf *out, bool on)
{
	return buf_add_u8(out, on ? '1' : '0') == 0;
}

/* Prints milliseconds as seconds; 0 (never) is not found. */
static inline bool
put_time(struct buf *out, int64_t ms)
{
	return ms != 0 && put_int(out, ms / 1000);
}

/* Appends to a list with commas. */
static inline void
put_item(struct buf *out, size_t start, const char *s)
{
	if (out->len > start)
		(void)buf_add_u8(out, ',');
	(void)buf_add_str(out, s);
}

/* Looks a name up in the server. */
bool vars_server(const struct vars *v, const char *name, struct buf *out);

#endif
