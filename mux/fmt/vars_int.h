/*
 * mux/fmt/vars_int.h - what the files of mux/fmt share.
 *
 * Purpose:   prototypes of the getters that vars.def names, and helpers.
 * Ownership: nothing.
 * Units:     as vars.h.
 * Errors:    getters return false for "not there".
 * Source:    our own.
 * Tests:     regress/unit/check_vars.c
 */
#ifndef MUX_FMT_VARS_INT_H
#define MUX_FMT_VARS_INT_H

#include "mux/fmt/vars.h"

/* Subjects that a row needs. */
enum vars_need {
	NEED_NONE = 0,
	NEED_CLIENT,
	NEED_SESSION,
	NEED_LINK, /* and its window and session */
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

/* Wall clock in milliseconds as seconds; 0 (never) is not there. */
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

/* Asks the server. */
bool vars_server(const struct vars *v, const char *name, struct buf *out);

#endif
