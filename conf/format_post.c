/* Modifiers of stages FOUND and POST: they change a value. */
#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "conf/format_mod.h"
#include "conf/format_sub.h"
#include "conf/format_text.h"
#include "conf/match.h"

/* Moves the content of VALUE to OLD and empties VALUE. */
static void
fmt_take(struct buf *value, struct buf *old)
{
	*old = *value;
	buf_init(value, FORMAT_OUTPUT_MAX);
}

/* b: as basename(3), which gives "." for empty text. */
bool
fmt_mod_base(const struct fmt_call *c, struct buf *value)
{
	const char *s;
	struct buf old;
	size_t n, from;

	(void)c;
	fmt_take(value, &old);
	s = buf_cstr(&old);
	for (n = old.len; n > 1 && s[n - 1] == '/'; n--)
		;
	for (from = n; from > 0 && s[from - 1] != '/'; from--)
		;
	if (n == 0)
		(void)buf_add_str(value, ".");
	else if (from == n)
		(void)buf_add_str(value, "/");
	else
		(void)buf_add(value, s + from, n - from);
	buf_fini(&old);
	return true;
}

/* d: as dirname(3). */
bool
fmt_mod_dir(const struct fmt_call *c, struct buf *value)
{
	const char *s;
	struct buf old;
	size_t n;

	(void)c;
	fmt_take(value, &old);
	s = buf_cstr(&old);
	for (n = old.len; n > 0 && s[n - 1] == '/'; n--)
		;
	for (; n > 0 && s[n - 1] != '/'; n--)
		;
	for (; n > 1 && s[n - 1] == '/'; n--)
		;
	if (n == 0)
		(void)buf_add_str(value, *s == '/' ? "/" : ".");
	else
		(void)buf_add(value, s, n);
	buf_fini(&old);
	return true;
}

/* Appends S with ESC before each byte of SET. */
static void
fmt_quote_bytes(struct buf *out, const char *s, const char *set, uint8_t esc)
{
	for (; *s != '\0'; s++) {
		if (strchr(set, *s) != NULL)
			(void)buf_add_u8(out, esc);
		(void)buf_add_u8(out, (uint8_t)*s);
	}
}

/* Quotes S as one argument of a command in a configuration. */
static void
fmt_quote_argument(struct buf *out, const char *s)
{
	static const char special[] = " #';${}%\"";

	if (*s == '\0') {
		(void)buf_add_str(out, "''");
	} else if (s[1] == '\0' && *s != ' ' &&
		   (strchr(special, *s) != NULL || *s == '~')) {
		(void)buf_addf(out, "\\%c", *s);
	} else if (strpbrk(s, special) != NULL) {
		(void)buf_add_u8(out, '"');
		fmt_quote_bytes(out, s, "\\\"$", '\\');
		(void)buf_add_u8(out, '"');
	} else {
		fmt_quote_bytes(out, s, "\\", '\\');
	}
}

/* Quotes S in single quotes for sh. */
static void
fmt_quote_single(struct buf *out, const char *s)
{
	(void)buf_add_u8(out, '\'');
	for (; *s != '\0'; s++) {
		if (*s == '\'')
			(void)buf_add_str(out, "'\\''");
		else
			(void)buf_add_u8(out, (uint8_t)*s);
	}
	(void)buf_add_u8(out, '\'');
}

bool
fmt_mod_quote(const struct fmt_call *c, struct buf *value)
{
	const char *flags = fmt_arg(c, 0), *s;
	struct buf old;

	if (c->use->argc > 0 && strpbrk(flags, "eahs") == NULL)
		return true;
	fmt_take(value, &old);
	s = buf_cstr(&old);
	if (c->use->argc == 0)
		fmt_quote_bytes(value, s, "|&;<>()$`\\\"'*?[# =%{}", '\\');
	else if (strpbrk(flags, "eh") != NULL)
		fmt_quote_bytes(value, s, "#", '#');
	else if (strchr(flags, 'a') != NULL)
		fmt_quote_argument(value, s);
	else
		fmt_quote_single(value, s);
	buf_fini(&old);
	return true;
}

bool
fmt_mod_twice(const struct fmt_call *c, struct buf *value)
{
	struct buf old;

	fmt_take(value, &old);
	fmt_expand(c->f, (const char *)old.data, old.len, value);
	buf_fini(&old);
	return true;
}

bool
fmt_mod_twice_time(const struct fmt_call *c, struct buf *value)
{
	struct fmt sub = *c->f;
	struct buf old;

	sub.flags |= FORMAT_STRFTIME;
	fmt_take(value, &old);
	fmt_expand(&sub, (const char *)old.data, old.len, value);
	buf_fini(&old);
	return true;
}

bool
fmt_mod_substitute(const struct fmt_call *c, struct buf *value)
{
	struct buf old, from, to;
	unsigned how = 0;

	if (c->use->argc < 2 || !fmt_work(c->f, format_sub_work(value->len)))
		return true;
	if (strchr(fmt_arg(c, 2), 'i') != NULL)
		how |= MATCH_NOCASE;
	/* As in tmux, the arguments are expanded a second time. */
	buf_init(&from, FORMAT_OUTPUT_MAX);
	buf_init(&to, FORMAT_OUTPUT_MAX);
	fmt_expand(c->f, fmt_arg(c, 0), strlen(fmt_arg(c, 0)), &from);
	fmt_expand(c->f, fmt_arg(c, 1), strlen(fmt_arg(c, 1)), &to);
	fmt_take(value, &old);
	if (format_sub(buf_cstr(&from), buf_cstr(&to), buf_cstr(&old), how,
		value) == -ERR_LIMIT)
		fmt_limit(c->f, false);
	if (fmt_traced(c->f))
		fmt_trace(c->f, "substitute '%s' to '%s': %s", buf_cstr(&from),
		    buf_cstr(&to), buf_cstr(value));
	buf_fini(&old);
	buf_fini(&from);
	buf_fini(&to);
	return true;
}

bool
fmt_mod_trim(const struct fmt_call *c, struct buf *value)
{
	const struct grapheme_table *w = c->f->run->args->widths;
	const char *mark = fmt_arg(c, 1), *p;
	struct buf old;
	int64_t limit;
	bool cut;

	if (str_to_int(fmt_arg(c, 0), INT32_MIN, INT32_MAX, &limit) != 0 ||
	    limit == 0 || !fmt_work(c->f, value->len))
		return true;
	fmt_take(value, &old);
	p = (const char *)old.data;
	cut = format_text_width(w, p, old.len) >
	      (size_t)(limit < 0 ? -limit : limit);
	if (limit > 0) {
		format_text_trim_left(w, p, old.len, (size_t)limit, value);
		if (cut)
			(void)buf_add_str(value, mark);
	} else if (cut) {
		(void)buf_add_str(value, mark);
		format_text_trim_right(w, p, old.len, (size_t)-limit, value);
	} else {
		/* As in tmux, controls stay in a text that is not cut here. */
		(void)buf_add(value, old.data, old.len);
	}
	if (fmt_traced(c->f))
		fmt_trace(c->f, "applied length limit %lld: %s",
		    (long long)limit, buf_cstr(value));
	buf_fini(&old);
	return true;
}

bool
fmt_mod_pad(const struct fmt_call *c, struct buf *value)
{
	const struct grapheme_table *w = c->f->run->args->widths;
	struct buf old;
	int64_t width, have;

	if (str_to_int(fmt_arg(c, 0), INT32_MIN, INT32_MAX, &width) != 0 ||
	    !fmt_work(c->f, value->len))
		return true;
	have = (int64_t)format_text_plain_width(
	    w, (const char *)value->data, value->len);
	fmt_take(value, &old);
	if (width > 0)
		(void)buf_add(value, old.data, old.len);
	if (have < (width < 0 ? -width : width) &&
	    (width < 0 ? -width : width) <= (int64_t)FORMAT_OUTPUT_MAX)
		(void)buf_addf(value, "%*s",
		    (int)((width < 0 ? -width : width) - have), "");
	if (width <= 0)
		(void)buf_add(value, old.data, old.len);
	if (width != 0 && fmt_traced(c->f))
		fmt_trace(c->f, "applied padding width %lld: %s",
		    (long long)width, buf_cstr(value));
	buf_fini(&old);
	return true;
}

bool
fmt_mod_length(const struct fmt_call *c, struct buf *value)
{
	size_t n = value->len;

	fmt_trace(c->f, "replacing with length: %zu", n);
	buf_clear(value);
	(void)buf_addf(value, "%zu", n);
	return true;
}

bool
fmt_mod_width(const struct fmt_call *c, struct buf *value)
{
	size_t n = format_text_width(
	    c->f->run->args->widths, (const char *)value->data, value->len);

	fmt_trace(c->f, "replacing with width: %zu", n);
	buf_clear(value);
	(void)buf_addf(value, "%zu", n);
	return true;
}
