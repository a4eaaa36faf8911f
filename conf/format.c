#include "conf/format.h"

#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "conf/format_mod.h"

/*
 * A format is read once from left to right and written straight to the output.
 * Nested text is never copied: it is passed down as a slice. Nesting, bytes
 * read and bytes written each have a limit, so no format takes more than some
 * tens of milliseconds or a few megabytes.
 */

/* Letters that stand for a variable after '#'. */
static const struct {
	char letter;
	const char *name;
} format_aliases[] = {
	/* clang-format off */
	{ 'D', "pane_id" },
	{ 'F', "window_flags" },
	{ 'H', "host" },
	{ 'I', "window_index" },
	{ 'P', "pane_index" },
	{ 'S', "session_name" },
	{ 'T', "pane_title" },
	{ 'W', "window_name" },
	{ 'h', "host_short" },
	/* clang-format on */
};

/* Returns the variable of #S, #W ... (one letter), or NULL. */
static const char *
format_alias(char letter)
{
	size_t i;

	for (i = 0; i < ARRAY_LEN(format_aliases); i++)
		if (format_aliases[i].letter == letter)
			return format_aliases[i].name;
	return NULL;
}

/* Traces the text appended to OUT since it held BEFORE bytes. */
static void
fmt_trace_result(const struct fmt *f, struct buf *out, size_t before)
{
	if (f->run->args->trace != NULL)
		fmt_trace(f, "result is: %.*s", fmt_shown(out->len - before),
		    buf_cstr(out) + before);
}

/* Appends text; a full buffer ends the expansion. */
static void
fmt_add(const struct fmt *f, struct buf *out, const void *p, size_t n)
{
	if (n == 0 || !fmt_work(f, n / 8))
		return;
	if (buf_add(out, p, n) != 0)
		fmt_limit(f, true);
}

/*
 * Looks up the variables of the innermost loop, which the engine knows itself.
 */
static bool
fmt_lookup_loop(const struct fmt *f, const char *name, struct buf *out)
{
	if (!f->in_loop || strncmp(name, "loop_", 5) != 0)
		return false;
	if (strcmp(name, "loop_index") == 0)
		return buf_addf(out, "%zu", f->loop_index) == 0;
	if (strcmp(name, "loop_last_flag") == 0)
		return buf_add_str(out, f->loop_last ? "1" : "0") == 0;
	return false;
}

/* Looks NAME up in all places, in tmux's order. */
static bool
fmt_lookup_name(const struct fmt *f, const char *name, struct buf *out)
{
	const struct format_args *a = f->run->args;
	const struct format_ops *ops = f->scope.ops;
	size_t i;

	if (fmt_lookup_loop(f, name, out))
		return true;
	if (ops->option != NULL && ops->option(f->scope.ctx, name, out))
		return true;
	for (i = 0; i < a->var_count; i++) {
		if (strcmp(a->vars[i].name, name) == 0) {
			fmt_add(
			    f, out, a->vars[i].value, strlen(a->vars[i].value));
			return true;
		}
	}
	if (ops->variable != NULL && ops->variable(f->scope.ctx, name, out))
		return true;
	return ops->environ != NULL && ops->environ(f->scope.ctx, name, out);
}

/* Appends the value of a name; false if it has none. */
static bool
fmt_lookup(const struct fmt *f, const char *p, size_t n, struct buf *out)
{
	char name[FORMAT_NAME_MAX + 1];
	size_t before = out->len;
	bool found;

	if (n == 0 || n > FORMAT_NAME_MAX || memchr(p, '\0', n) != NULL)
		return false;
	memcpy(name, p, n);
	name[n] = '\0';
	found = fmt_lookup_name(f, name, out);
	(void)fmt_work(f, (out->len - before) / 8);
	return found;
}

/*
 * Evaluates a condition: a name with a value counts by that value, other text
 * by its expansion.
 */
static bool
fmt_condition(const struct fmt *f, struct fmt_text t)
{
	struct buf b;
	bool yes;

	buf_init(&b, FORMAT_OUTPUT_MAX);
	fmt_trace(f, "condition is: %.*s", fmt_shown(t.n), t.p);
	if (fmt_lookup(f, t.p, t.n, &b)) {
		if (fmt_traced(f))
			fmt_trace(f, "condition '%.*s' found: %.*s",
			    fmt_shown(t.n), t.p, fmt_shown(b.len),
			    buf_cstr(&b));
		yes = fmt_true(b.data, b.len);
	} else {
		fmt_expand(f, t.p, t.n, &b);
		yes = fmt_true(b.data, b.len);
		if (b.len == t.n &&
		    (t.n == 0 || memcmp(b.data, t.p, t.n) == 0)) {
			fmt_trace(f,
			    "condition '%.*s' not found; assuming false",
			    fmt_shown(t.n), t.p);
			yes = false;
		}
	}
	buf_fini(&b);
	fmt_trace(f, "condition '%.*s' is %s", fmt_shown(t.n), t.p,
	    yes ? "true" : "false");
	return yes;
}

/* Expands REST, which stands for no condition of ALL; NULL: nothing does. */
static bool
fmt_unconditional(const struct fmt *f, struct fmt_text all,
    const struct fmt_text *rest, struct buf *out)
{
	fmt_trace(f, "no condition matched in '%.*s'; using %s",
	    fmt_shown(all.n), all.p,
	    rest == NULL ? "empty string" : "last arg");
	if (rest != NULL)
		fmt_expand(f, rest->p, rest->n, out);
	return true;
}

/* Expands #{?c1,v1,c2,v2,...,else}; ALL is the text after the question mark. */
static bool
fmt_conditional(const struct fmt *f, struct fmt_text all, struct buf *out)
{
	struct fmt_text t = all, cond, value;
	bool more;

	if (!fmt_split(t, &cond, &t))
		return fmt_unconditional(f, all, &t, out);
	for (;;) {
		more = fmt_split(t, &value, &t);
		if (!more)
			value = t;
		if (fmt_condition(f, cond)) {
			fmt_expand(f, value.p, value.n, out);
			return true;
		}
		if (f->run->stop)
			return true;
		if (!more)
			return fmt_unconditional(f, all, NULL, out);
		if (!fmt_split(t, &cond, &t))
			return fmt_unconditional(f, all, &t, out);
	}
}

/* Tells whether T holds an inner #{. */
static bool
fmt_has_inner(struct fmt_text t)
{
	const char *p = t.p, *end = t.p + t.n;

	while ((p = memchr(p, '#', (size_t)(end - p))) != NULL) {
		if (p + 1 < end && p[1] == '{')
			return true;
		p++;
	}
	return false;
}

/* Runs the modifiers of STAGE that the format names on VALUE. */
static bool
fmt_run_stage(struct fmt_call *c, enum fmt_stage stage, struct buf *value)
{
	const struct fmt_mod *rows;
	size_t i, u, count;
	bool each;

	rows = fmt_mod_rows(&count);
	for (i = 0; i < count; i++) {
		each = stage == FMT_POST && rows[i].stage == FMT_POST_EACH;
		if (rows[i].stage != stage && !each)
			continue;
		c->use = NULL;
		for (u = 0; u < c->mods->count; u++) {
			if (c->mods->use[u].mod != &rows[i])
				continue;
			c->use = &c->mods->use[u];
			c->mod = &rows[i];
			if (each && !rows[i].fn(c, value))
				return false;
		}
		if (c->use == NULL)
			continue;
		if (!each && !rows[i].fn(c, value))
			return false;
		if (stage == FMT_SOURCE)
			break;
	}
	return true;
}

/* Expands a text with an inner #{ in the place of a name. */
static void
fmt_inner(const struct fmt *f, struct fmt_text t, struct buf *out)
{
	fmt_trace(f, "expanding inner format '%.*s'", fmt_shown(t.n), t.p);
	fmt_expand(f, t.p, t.n, out);
}

/* Traces the value that OUT has beyond BEFORE bytes, or that there is none. */
static void
fmt_trace_found(const struct fmt *f, struct fmt_text t, bool found,
    struct buf *out, size_t before)
{
	if (!fmt_traced(f))
		return;
	if (!found)
		fmt_trace(f, "format '%.*s' not found", fmt_shown(t.n), t.p);
	else
		fmt_trace(f, "format '%.*s' found: %.*s", fmt_shown(t.n), t.p,
		    fmt_shown(out->len - before), buf_cstr(out) + before);
}

/* Makes the value of a key; its modifiers are parsed already. */
static bool
fmt_value(struct fmt_call *c, struct buf *value)
{
	size_t i;
	bool found, ok;

	for (i = 0; i < c->mods->count; i++)
		if (c->mods->use[i].mod != NULL &&
		    c->mods->use[i].mod->stage == FMT_SOURCE)
			return fmt_run_stage(c, FMT_SOURCE, value);
	if (c->text.n > 0 && c->text.p[0] == '?') {
		c->text.p++;
		c->text.n--;
		return fmt_conditional(c->f, c->text, value);
	}
	if (fmt_has_inner(c->text)) {
		fmt_inner(c->f, c->text, value);
		return true;
	}
	found = fmt_lookup(c->f, c->text.p, c->text.n, value);
	ok = !found || fmt_run_stage(c, FMT_FOUND, value);
	fmt_trace_found(c->f, c->text, found, value, 0);
	return ok;
}

/* Expands the text between #{ and }. */
static bool
fmt_replace_key(const struct fmt *f, struct fmt_text key, struct buf *out)
{
	struct fmt_mods mods;
	struct fmt_call c = { .f = f, .mods = &mods };
	size_t before = out->len;
	struct buf value;
	bool ok;

	if (key.n > 0 && key.p[0] == '?') {
		key.p++;
		key.n--;
		return fmt_conditional(f, key, out);
	}
	if (memchr(key.p, ':', key.n) == NULL) {
		if (fmt_has_inner(key))
			fmt_inner(f, key, out);
		else {
			ok = fmt_lookup(f, key.p, key.n, out);
			fmt_trace_found(f, key, ok, out, before);
		}
		if (out->overflow)
			fmt_limit(f, true);
		return true;
	}
	fmt_mods_parse(f, &key, &mods);
	buf_init(&value, FORMAT_OUTPUT_MAX);
	c.text = key;
	ok = fmt_value(&c, &value) && fmt_run_stage(&c, FMT_POST, &value);
	if (value.overflow)
		fmt_limit(f, true);
	if (ok)
		fmt_add(f, out, value.data, value.len);
	buf_fini(&value);
	fmt_mods_fini(&mods);
	return ok;
}

/*
 * Expands #{KEY}, or with LETTER its short form; returns false to leave out the
 * rest of the format.
 */
static bool
fmt_replace(
    const struct fmt *f, struct fmt_text key, char letter, struct buf *out)
{
	size_t before = out->len;
	bool ok;

	if (f->run->args->trace == NULL)
		return fmt_replace_key(f, key, out);
	if (letter == '\0')
		fmt_trace(f, "found #{}: %.*s", fmt_shown(key.n), key.p);
	else
		fmt_trace(
		    f, "found #%c: %.*s", letter, fmt_shown(key.n), key.p);
	ok = fmt_replace_key(f, key, out);
	if (!ok)
		fmt_trace(f, "failed %.*s", fmt_shown(key.n), key.p);
	else
		fmt_trace(f, "replaced '%.*s' with '%.*s'", fmt_shown(key.n),
		    key.p, fmt_shown(out->len - before),
		    buf_cstr(out) + before);
	return ok;
}

/* Returns the parenthesis that closes a #( whose text begins at P, or NULL. */
static const char *
fmt_job_end(const char *p, const char *end)
{
	int depth = 1;

	for (; p < end; p++) {
		if (*p == '(')
			depth++;
		else if (*p == ')' && --depth == 0)
			return p;
	}
	return NULL;
}

/* Expands #(COMMAND); its output may hold formats but no further jobs. */
static void
fmt_job(const struct fmt *f, const char *p, size_t n, struct buf *out)
{
	const struct format_ops *ops = f->scope.ops;
	struct fmt sub = *f;
	struct buf command, text;

	if ((f->flags & FORMAT_NO_JOBS) || ops->job == NULL)
		return;
	buf_init(&command, FORMAT_OUTPUT_MAX);
	buf_init(&text, FORMAT_OUTPUT_MAX);
	fmt_trace(f, "found #(): %.*s", fmt_shown(n), p);
	fmt_expand(f, p, n, &command);
	ops->job(f->scope.ctx, buf_cstr(&command), &text);
	if (fmt_traced(f))
		fmt_trace(f, "#() result: %s", buf_cstr(&text));
	sub.flags = (f->flags | FORMAT_NO_JOBS) & ~(unsigned)FORMAT_STRFTIME;
	fmt_expand(&sub, (const char *)text.data, text.len, out);
	buf_fini(&text);
	buf_fini(&command);
}

/*
 * Expands the '#' at P[-1].
 * Returns: the position after it, or NULL to leave out the rest.
 */
static const char *
fmt_hash(const struct fmt *f, const char *p, const char *end, struct buf *out)
{
	const char *q, *name;
	size_t run;

	if (p == end)
		return p;
	switch (*p) {
	case '{':
		q = format_skip(p - 1, end, "}");
		if (q == NULL ||
		    !fmt_replace(f,
			(struct fmt_text){ p + 1, (size_t)(q - p - 1) }, '\0',
			out))
			return NULL;
		return q + 1;
	case '(':
		q = fmt_job_end(p + 1, end);
		if (q == NULL)
			return NULL;
		fmt_job(f, p + 1, (size_t)(q - p - 1), out);
		return q + 1;
	case '[':
	case '#':
		/* Hashes before a [ belong to a style: keep all of them. */
		for (q = p; q < end && *q == '#'; q++)
			;
		if (q < end && *q == '[') {
			fmt_trace(f, "found #*%zu[", (size_t)(q - p + 1));
			fmt_add(f, out, p - 1, (size_t)(q - p + 1));
			return q;
		}
		/* Two of them are one; an odd last one is read again. */
		run = (size_t)(q - p + 1) / 2;
		fmt_add(f, out, p, run);
		return p - 1 + 2 * run;
	case '}':
	case ',':
		fmt_trace(f, "found #%c", *p);
		fmt_add(f, out, p, 1);
		return p + 1;
	default:
		name = format_alias(*p);
		if (name == NULL)
			fmt_add(f, out, p - 1, 2);
		else
			(void)fmt_replace(f,
			    (struct fmt_text){ name, strlen(name) }, *p, out);
		return p + 1;
	}
}

/* Returns the time of the expansion, broken down once. */
static const struct tm *
fmt_now(const struct fmt *f)
{
	struct fmt_run *r = f->run;

	if (!r->have_tm) {
		fmt_local_time(f, r->args->now_ms / 1000, &r->tm);
		r->have_tm = true;
	}
	return &r->tm;
}

/* Expands the text of one level. */
static void
fmt_walk(const struct fmt *f, const char *p, const char *end, struct buf *out)
{
	const char *hash;

	while (p != NULL && p < end && !f->run->stop) {
		hash = memchr(p, '#', (size_t)(end - p));
		if (hash == NULL)
			hash = end;
		fmt_add(f, out, p, (size_t)(hash - p));
		p = hash == end ? end : fmt_hash(f, hash + 1, end, out);
	}
}

/* Implements fmt_run.expand. */
static void
fmt_expand_level(const struct fmt *f, const char *p, size_t n, struct buf *out)
{
	struct fmt sub = *f;
	size_t before = out->len;
	struct buf text;

	if (n == 0 || !fmt_work(f, n + 32))
		return;
	if (f->depth == FORMAT_DEPTH_MAX) {
		fmt_limit(f, false);
		return;
	}
	sub.depth++;
	fmt_trace(&sub, "expanding format: %.*s", fmt_shown(n), p);
	if (!(f->flags & FORMAT_STRFTIME) || memchr(p, '%', n) == NULL) {
		fmt_walk(&sub, p, p + n, out);
		fmt_trace_result(&sub, out, before);
		return;
	}
	buf_init(&text, FORMAT_OUTPUT_MAX);
	fmt_strftime(fmt_now(f), p, n, &text);
	if (fmt_traced(f) &&
	    (text.len != n || memcmp(buf_cstr(&text), p, n) != 0))
		fmt_trace(&sub, "after time expanded: %s", buf_cstr(&text));
	if (text.len > 0)
		fmt_walk(&sub, (const char *)text.data,
		    (const char *)text.data + text.len, out);
	buf_fini(&text);
	fmt_trace_result(&sub, out, before);
}

int
format_expand(const struct format_args *a, const char *fmt, struct buf *out)
{
	static const struct format_ops none = { .option = NULL };
	struct fmt_run run = {
		.args = a, .expand = fmt_expand_level, .work = FORMAT_WORK_MAX
	};
	struct fmt f = { .run = &run, .scope = a->scope, .flags = a->flags };

	if (f.scope.ops == NULL)
		f.scope.ops = &none;
	fmt_expand(&f, fmt, strlen(fmt), out);
	return run.limited || out->overflow ? -ERR_LIMIT : 0;
}

char *
format_expand_new(const struct format_args *a, const char *fmt)
{
	struct buf out;

	buf_init(&out, FORMAT_OUTPUT_MAX);
	(void)format_expand(a, fmt, &out);
	return buf_steal(&out, NULL);
}
