/* Modifiers of stage SOURCE: they make a value. */
#include "conf/format_mod.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/pen.h"
#include "base/str.h"
#include "base/utf8.h"
#include "conf/format_sub.h"
#include "conf/format_text.h"
#include "conf/match.h"
#include "conf/style.h"

/* Expands the text after the colon into B. */
static void
fmt_expand_text(const struct fmt_call *c, struct buf *b)
{
	buf_init(b, FORMAT_OUTPUT_MAX);
	fmt_expand(c->f, c->text.p, c->text.n, b);
}

/* Splits the text at its first comma and expands both halves. */
static bool
fmt_expand_pair(const struct fmt_call *c, struct buf *left, struct buf *right)
{
	struct fmt_text l, r;

	if (!fmt_split(c->text, &l, &r))
		return false;
	buf_init(left, FORMAT_OUTPUT_MAX);
	buf_init(right, FORMAT_OUTPUT_MAX);
	fmt_expand(c->f, l.p, l.n, left);
	fmt_expand(c->f, r.p, r.n, right);
	return true;
}

static bool
fmt_add_bool(struct buf *value, bool yes)
{
	(void)buf_add_u8(value, yes ? '1' : '0');
	return true;
}

/* l: removes the # that escape , # { } : outside of inner formats. */
bool
fmt_mod_literal(const struct fmt_call *c, struct buf *value)
{
	const char *p = c->text.p, *end = p + c->text.n;
	int depth = 0;

	fmt_trace(c->f, "literal string is '%.*s'", fmt_shown(c->text.n), p);
	for (; p < end; p++) {
		if (*p == '#' && p + 1 < end) {
			if (p[1] == '{')
				depth++;
			if (depth == 0 && p[1] != '\0' &&
			    strchr(",#{}:", p[1]) != NULL)
				p++;
		} else if (*p == '}') {
			depth--;
		}
		(void)buf_add_u8(value, (uint8_t)*p);
	}
	return fmt_work(c->f, c->text.n);
}

bool
fmt_mod_ascii(const struct fmt_call *c, struct buf *value)
{
	const char *s;
	struct buf b;
	int64_t n;

	fmt_expand_text(c, &b);
	for (s = buf_cstr(&b); *s == ' ' || *s == '\t'; s++)
		;
	if (str_to_int(s, 32, 126, &n) == 0)
		(void)buf_add_u8(value, (uint8_t)n);
	buf_fini(&b);
	return true;
}

/*
 * Converts a colour to RGB. The sixteen named colours have tmux's values, the
 * others those of xterm's palette.
 */
static bool
fmt_colour_rgb(colour col, uint32_t *rgb)
{
	static const uint32_t named[16] = { 0x000000, 0x800000, 0x008000,
		0x808000, 0x000080, 0x800080, 0x008080, 0xc0c0c0, 0x808080,
		0xff0000, 0x00ff00, 0xffff00, 0x0000ff, 0xff00ff, 0x00ffff,
		0xffffff };
	uint32_t v = col & 0xffffff;

	if (colour_kind(col) == COLOUR_KIND_RGB)
		*rgb = v;
	else if (colour_kind(col) == COLOUR_KIND_INDEX)
		*rgb = v < 16 ? named[v] : colour_palette_rgb(v);
	else
		return false;
	return true;
}

bool
fmt_mod_colour(const struct fmt_call *c, struct buf *value)
{
	static const struct pen plain = { 0, 0, 0, 0 };
	struct pen pen = plain;
	char sgr[PEN_SGR_MAX];
	struct buf b;
	uint32_t rgb;
	colour col;

	fmt_expand_text(c, &b);
	if (style_colour_parse(buf_cstr(&b), &col) == 0) {
		if (strchr(fmt_arg(c, 0), 'f') != NULL) {
			pen.fg = col;
			(void)buf_add(value, sgr, pen_sgr(&plain, &pen, sgr));
		} else if (strchr(fmt_arg(c, 0), 'b') != NULL) {
			pen.bg = col;
			(void)buf_add(value, sgr, pen_sgr(&plain, &pen, sgr));
		} else if (fmt_colour_rgb(col, &rgb)) {
			(void)buf_addf(value, "%06x", rgb);
		}
	}
	buf_fini(&b);
	return true;
}

bool
fmt_mod_repeat(const struct fmt_call *c, struct buf *value)
{
	struct buf left, right;
	const char *s;
	int64_t n;

	if (!fmt_expand_pair(c, &left, &right)) {
		fmt_trace(c->f, "repeat syntax error: %.*s",
		    fmt_shown(c->text.n), c->text.p);
		return false;
	}
	s = buf_cstr(&right);
	s += strspn(s, " \t");
	if (str_to_int(s, 1, 10000, &n) == 0 && left.len > 0) {
		for (; n > 0 && fmt_work(c->f, left.len); n--)
			if (buf_add(value, left.data, left.len) != 0)
				break;
	}
	buf_fini(&left);
	buf_fini(&right);
	return true;
}

/* A/n:f1,f2,...: shows each frame for n tenths of a second. */
bool
fmt_mod_animate(const struct fmt_call *c, struct buf *value)
{
	struct fmt_text t = c->text, frame;
	int64_t tenths = 1, at;
	size_t frames = 1, before = value->len;

	if ((c->f->flags & FORMAT_ANIMATE) != 0 &&
	    (c->use->argc == 0 ||
		str_to_int(fmt_arg(c, 0), 1, INT32_MAX, &tenths) == 0)) {
		while (fmt_split(t, &frame, &t))
			frames++;
		at = c->f->run->args->now_ms / 100 / tenths % (int64_t)frames;
		for (frame = t = c->text; fmt_split(t, &frame, &t); frame = t)
			if (at-- == 0)
				break;
		fmt_expand(c->f, frame.p, frame.n, value);
	}
	if (fmt_traced(c->f))
		fmt_trace(c->f, "cycle '%.*s' is: %s", fmt_shown(c->text.n),
		    c->text.p, buf_cstr(value) + before);
	return true;
}

/* The argument of fmt_loop_item. */
struct fmt_loop_arg {
	const struct fmt *f;
	struct fmt_text all;
	struct fmt_text current;
	struct buf *out;
	size_t index;
};

static bool
fmt_loop_item(void *arg, const struct format_item *item)
{
	struct fmt_loop_arg *a = arg;
	struct fmt sub = *a->f;
	struct fmt_text t = item->current ? a->current : a->all;
	bool ok;

	sub.scope = item->scope;
	sub.in_loop = true;
	sub.loop_index = a->index++;
	sub.loop_last = item->last;
	if (item->name != NULL)
		fmt_trace(a->f, "%s", item->name);
	ok = fmt_work(a->f, 32);
	if (ok)
		fmt_expand(&sub, t.p, t.n, a->out);
	return ok && !a->f->run->stop && !a->out->overflow;
}

/* Reads the order of a loop over the model: panes know i and z alone. */
static void
fmt_loop_sort(struct format_loop *loop)
{
	const bool panes = loop->kind == FORMAT_LOOP_PANES;

	loop->reverse = strchr(loop->flags, 'r') != NULL;
	if (strchr(loop->flags, 'i') != NULL)
		loop->sort = FORMAT_SORT_INDEX;
	else if (panes && strchr(loop->flags, 'z') != NULL)
		loop->sort = FORMAT_SORT_SIZE;
	else if (!panes && strchr(loop->flags, 'n') != NULL)
		loop->sort = FORMAT_SORT_NAME;
	else if (!panes && strchr(loop->flags, 't') != NULL)
		loop->sort = FORMAT_SORT_TIME;
}

/*
 * S: W: P: L: O: V: takes one text for all items, or a second for the current
 * item.
 */
bool
fmt_mod_loop(const struct fmt_call *c, struct buf *value)
{
	static const char letters[] = "SWPLOV";
	struct fmt_loop_arg a = { .f = c->f, .all = c->text, .out = value };
	struct format_loop loop = { .flags = fmt_arg(c, 0),
		.traced = fmt_traced(c->f) };
	const struct format_ops *ops = c->f->scope.ops;

	loop.kind =
	    (enum format_loop_kind)(strchr(letters, c->mod->name[0]) - letters);
	if (loop.kind <= FORMAT_LOOP_CLIENTS)
		fmt_loop_sort(&loop);
	if (loop.kind > FORMAT_LOOP_CLIENTS ||
	    !fmt_split(c->text, &a.all, &a.current))
		a.all = a.current = c->text;
	if (ops->loop != NULL && c->f->depth < FORMAT_DEPTH_MAX)
		ops->loop(c->f->scope.ctx, &loop, fmt_loop_item, &a);
	return true;
}

bool
fmt_mod_exists(const struct fmt_call *c, struct buf *value)
{
	const struct format_ops *ops = c->f->scope.ops;
	const char *flags = fmt_arg(c, 0);
	enum format_loop_kind kind;
	struct buf b;

	if (c->use->argc == 0 || strchr(flags, 'w') != NULL)
		kind = FORMAT_LOOP_WINDOWS;
	else if (strchr(flags, 's') != NULL)
		kind = FORMAT_LOOP_SESSIONS;
	else
		return true;
	fmt_expand_text(c, &b);
	fmt_add_bool(value, ops->exists != NULL && ops->exists(c->f->scope.ctx,
						       kind, buf_cstr(&b)));
	buf_fini(&b);
	return true;
}

bool
fmt_mod_client(const struct fmt_call *c, struct buf *value)
{
	const struct format_ops *ops = c->f->scope.ops;
	const char *flags = fmt_arg(c, 0);
	struct buf b;

	if (ops->has_client != NULL && !ops->has_client(c->f->scope.ctx))
		return true;
	fmt_expand_text(c, &b);
	if (ops->client_has != NULL && *flags != '\0' &&
	    strchr("fce", *flags) != NULL)
		(void)ops->client_has(
		    c->f->scope.ctx, *flags, buf_cstr(&b), value);
	buf_fini(&b);
	return true;
}

bool
fmt_mod_search(const struct fmt_call *c, struct buf *value)
{
	const struct format_ops *ops = c->f->scope.ops;
	const char *flags = fmt_arg(c, 0);
	struct buf b, pane;
	uint32_t line = 0;

	fmt_expand_text(c, &b);
	if (ops->search != NULL)
		line = ops->search(c->f->scope.ctx, buf_cstr(&b),
		    strchr(flags, 'r') != NULL, strchr(flags, 'i') != NULL);
	(void)buf_addf(value, "%u", line);
	if (fmt_traced(c->f) && ops->variable != NULL) {
		buf_init(&pane, FORMAT_OUTPUT_MAX);
		(void)ops->variable(c->f->scope.ctx, "pane_id", &pane);
		fmt_trace(
		    c->f, "search '%s' pane %s", buf_cstr(&b), buf_cstr(&pane));
		buf_fini(&pane);
	}
	buf_fini(&b);
	return true;
}

bool
fmt_mod_bool(const struct fmt_call *c, struct buf *value)
{
	struct buf b;

	fmt_expand_text(c, &b);
	fmt_add_bool(value, fmt_true(b.data, b.len));
	buf_fini(&b);
	return true;
}

bool
fmt_mod_not(const struct fmt_call *c, struct buf *value)
{
	struct buf b;

	fmt_expand_text(c, &b);
	fmt_add_bool(value, !fmt_true(b.data, b.len));
	buf_fini(&b);
	return true;
}

/* Tells whether one (with ALL: each) of the texts between commas is true. */
static bool
fmt_bool_list(const struct fmt_call *c, bool all)
{
	struct fmt_text t = c->text, left;
	bool more = true, yes = all;
	struct buf b;

	buf_init(&b, FORMAT_OUTPUT_MAX);
	while (more && yes == all && !c->f->run->stop) {
		more = fmt_split(t, &left, &t);
		if (!more)
			left = t;
		buf_clear(&b);
		fmt_expand(c->f, left.p, left.n, &b);
		yes = fmt_true(b.data, b.len);
		if (fmt_traced(c->f))
			fmt_trace(c->f, "operator %s has operand: %s",
			    c->mod->name, buf_cstr(&b));
	}
	buf_fini(&b);
	return yes;
}

bool
fmt_mod_or(const struct fmt_call *c, struct buf *value)
{
	return fmt_add_bool(value, fmt_bool_list(c, false));
}

bool
fmt_mod_and(const struct fmt_call *c, struct buf *value)
{
	return fmt_add_bool(value, fmt_bool_list(c, true));
}

/* Expands the two texts that a comparison compares. */
static bool
fmt_compared(const struct fmt_call *c, struct buf *left, struct buf *right)
{
	if (!fmt_expand_pair(c, left, right)) {
		fmt_trace(c->f, "compare %s syntax error: %.*s", c->mod->name,
		    fmt_shown(c->text.n), c->text.p);
		return false;
	}
	if (fmt_traced(c->f)) {
		fmt_trace(c->f, "compare %s left is: %s", c->mod->name,
		    buf_cstr(left));
		fmt_trace(c->f, "compare %s right is: %s", c->mod->name,
		    buf_cstr(right));
	}
	return true;
}

bool
fmt_mod_compare(const struct fmt_call *c, struct buf *value)
{
	struct buf left, right;
	bool yes;
	int r;

	if (!fmt_compared(c, &left, &right))
		return false;
	r = strcmp(buf_cstr(&left), buf_cstr(&right));
	switch (c->mod->name[0]) {
	case '=':
		yes = r == 0;
		break;
	case '!':
		yes = r != 0;
		break;
	case '<':
		yes = r < 0 || (r == 0 && c->mod->name[1] == '=');
		break;
	default:
		yes = r > 0 || (r == 0 && c->mod->name[1] == '=');
		break;
	}
	buf_fini(&left);
	buf_fini(&right);
	return fmt_add_bool(value, yes);
}

/* Prints the columns of a fuzzy match in TEXT with commas. */
static void
fmt_match_positions(const struct fmt_call *c, const struct match_fuzzy *m,
    const char *text, struct buf *value)
{
	const struct grapheme_table *w = c->f->run->args->widths;
	size_t i, n, from = 0, column = 0, end;
	uint32_t cp;

	for (i = 0; i < m->count; i++) {
		column += format_text_width(w, text + from, m->pos[i] - from);
		from = m->pos[i];
		n = utf8_decode_final((const uint8_t *)text + from,
		    strnlen(text + from, UTF8_MAX), &cp);
		end = column + format_text_width(w, text + from, n);
		from += n;
		for (; column < end; column++)
			(void)buf_addf(
			    value, "%s%zu", value->len == 0 ? "" : ",", column);
	}
}

bool
fmt_mod_match(const struct fmt_call *c, struct buf *value)
{
	const char *flags = fmt_arg(c, 0), *pattern, *text;
	struct match_fuzzy fuzzy;
	struct buf left, right;
	unsigned how = 0;
	bool yes = false;

	if (!fmt_compared(c, &left, &right))
		return false;
	pattern = buf_cstr(&left);
	text = buf_cstr(&right);
	if (strchr(flags, 'i') != NULL)
		how |= MATCH_NOCASE;
	if (strpbrk(flags, "zp") != NULL)
		yes = fmt_work(c->f, left.len * right.len) &&
		      match_fuzzy(pattern, text, &fuzzy);
	else if (strchr(flags, 'r') != NULL &&
		 fmt_work(c->f, format_sub_work(right.len)))
		(void)format_sub_match(pattern, text, how, &yes);
	else if (strchr(flags, 'r') == NULL &&
		 fmt_work(c->f, left.len * right.len))
		yes = match_glob(pattern, text, how);
	if (strchr(flags, 'p') != NULL) {
		if (yes)
			fmt_match_positions(c, &fuzzy, text, value);
	} else {
		fmt_add_bool(value, yes);
	}
	buf_fini(&left);
	buf_fini(&right);
	return true;
}
