/*
 * The format variables of copy mode.
 */
#include <stdio.h>
#include <string.h>

#include "mux/mode/copy_int.h"

static bool
is_word(struct copy *c, struct vt_pos p)
{
	return copy_is_tail(c, p) ||
	       (copy_blank(c, p) == 0 && !copy_separator(c, p, c->separators));
}

/* The word at the cursor, or the one right after it. */
static int
cursor_word(struct copy *c, struct buf *out)
{
	char text[VT_CLUSTER_MAX + 1];
	struct vt_pos p = copy_here(c);
	bool before = false;
	unsigned n;

	for (;;) {
		if (!is_word(c, p)) {
			before = true;
			break;
		}
		if (p.col > 0) {
			p.col--;
			continue;
		}
		if (p.row <= copy_first(c) || !copy_wrapped(c, p.row - 1) ||
		    (n = copy_len(c, p.row - 1)) == 0)
			break;
		p = (struct vt_pos){ p.row - 1, n - 1 };
	}
	for (;; before = true) {
		if (before) {
			n = copy_len(c, p.row);
			if (n == 0 || p.col == n - 1) {
				if (!copy_wrapped(c, p.row))
					return 0;
				p = (struct vt_pos){ p.row + 1, 0 };
			} else if (p.col >= c->cols) {
				return 0;
			} else {
				p.col++;
			}
		}
		if (!is_word(c, p))
			return 0;
		if (buf_add(out, text, copy_cell(c, p, text)) != 0)
			return -ERR_LIMIT;
	}
}

static int
cursor_line(struct copy *c, struct buf *out)
{
	const struct vt_pos a = { copy_row_here(c), 0 };
	const struct vt_pos b = { a.row, copy_len(c, a.row) };

	return copy_range(c, a, b, out);
}

static int
cursor_link(struct copy *c, struct buf *out)
{
	const struct vt_line *l = text_row(&c->text.text, copy_row_here(c));
	const struct vt_link *k = l == NULL ? NULL : vt_line_link(l, c->cx);

	return k == NULL ? 0 : buf_add_str(out, vt_link_uri(k));
}

static int
add_number(struct buf *out, uint64_t n)
{
	return buf_add_uint(out, n);
}

static int
unit_name(struct copy *c, struct buf *out)
{
	return buf_add_str(out, c->unit == COPY_WORD   ? "word"
				: c->unit == COPY_LINE ? "line"
						       : "char");
}

static int
selection(struct copy *c, const char *name, struct buf *out)
{
	const struct vt_pos a = c->at[COPY_AT_SEL], b = c->at[COPY_AT_END];

	if (strcmp(name, "mode") == 0)
		return unit_name(c, out);
	if (strcmp(name, "active") == 0)
		return add_number(
		    out, c->selecting && c->drag != COPY_DRAG_NONE);
	if (strcmp(name, "present") == 0)
		return add_number(
		    out, c->selecting && vt_pos_compare(a, b) != 0);
	if (!c->selecting)
		return 0;
	if (strcmp(name, "start_x") == 0)
		return add_number(out, a.col);
	if (strcmp(name, "start_y") == 0)
		return add_number(out, a.row - copy_first(c));
	if (strcmp(name, "end_x") == 0)
		return add_number(out, b.col);
	return add_number(out, b.row - copy_first(c));
}

static int
search(struct copy *c, const char *name, struct buf *out)
{
	if (strcmp(name, "present") == 0)
		return add_number(out, c->search_marks);
	if (strcmp(name, "timed_out") == 0)
		return add_number(out, c->search_late);
	if (strcmp(name, "match") == 0)
		return copy_search_text(c, out);
	if (c->search_uncounted)
		return 0;
	return add_number(
	    out, strcmp(name, "count") == 0
		     ? c->count.all
		     : (uint64_t)(c->counting || c->count.limited));
}

static int
plain(struct copy *c, const char *name, struct buf *out)
{
	uint64_t limit;

	if (strcmp(name, "scroll_position") == 0)
		return add_number(out, copy_base(c) - c->top);
	if (strcmp(name, "copy_cursor_x") == 0)
		return add_number(out, c->cx);
	if (strcmp(name, "copy_cursor_y") == 0)
		return add_number(out, c->cy);
	if (strcmp(name, "copy_position") == 0)
		return add_number(out, copy_position(c, &limit));
	if (strcmp(name, "copy_position_limit") == 0) {
		(void)copy_position(c, &limit);
		return add_number(out, limit);
	}
	if (strcmp(name, "top_line_time") == 0)
		return add_number(out, (uint64_t)copy_time(c, c->top));
	if (strcmp(name, "rectangle_toggle") == 0)
		return add_number(out, c->rect);
	if (strcmp(name, "refresh_active") == 0)
		return add_number(out, c->refresh);
	if (strcmp(name, "copy_line_numbers") == 0)
		return add_number(out, copy_numbers(c));
	return add_number(out, 0);
}

static const struct {
	const char *prefix;
	size_t skip; /* bytes of the name that FN does not get */
	int (*fn)(struct copy *c, const char *name, struct buf *out);
} names[] = {
	{ "scroll_position", 0, plain },
	{ "copy_cursor_x", 0, plain },
	{ "copy_cursor_y", 0, plain },
	{ "copy_position", 0, plain },
	{ "copy_position_limit", 0, plain },
	{ "rectangle_toggle", 0, plain },
	{ "refresh_active", 0, plain },
	{ "copy_line_numbers", 0, plain },
	{ "top_line_time", 0, plain },
	{ "selection_mode", 10, selection },
	{ "selection_active", 10, selection },
	{ "selection_present", 10, selection },
	{ "selection_start_x", 10, selection },
	{ "selection_start_y", 10, selection },
	{ "selection_end_x", 10, selection },
	{ "selection_end_y", 10, selection },
	{ "search_present", 7, search },
	{ "search_timed_out", 7, search },
	{ "search_count", 7, search },
	{ "search_count_partial", 7, search },
	{ "search_match", 7, search },
};

bool
copy_format(const struct mode *m, const char *name, struct buf *out)
{
	/* Looking at rows changes what the history has unpacked, no more. */
	struct copy *c =
	    (struct copy *)(uintptr_t)container_of(m, const struct copy, mode);
	size_t i;

	copy_sync(c);
	if (strcmp(name, "copy_cursor_word") == 0)
		return cursor_word(c, out) == 0;
	if (strcmp(name, "copy_cursor_line") == 0)
		return cursor_line(c, out) == 0;
	if (strcmp(name, "copy_cursor_hyperlink") == 0)
		return cursor_link(c, out) == 0;
	for (i = 0; i < ARRAY_LEN(names); i++)
		if (strcmp(names[i].prefix, name) == 0)
			return names[i].fn(c, name + names[i].skip, out) == 0;
	return false;
}
