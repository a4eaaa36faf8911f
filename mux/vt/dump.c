/*
 * Lines as text.  See dump.h.
 */
#include "mux/vt/dump.h"

#include "base/err.h"
#include "base/utf8.h"
#include "mux/vt/dump_sgr.h"

static const struct pen pen_default;

struct dump {
	struct buf *out;
	unsigned flags;
	struct pen pen;       /* pen after the SGR written so far */
	struct vt_link *link; /* link opened by OSC 8 */
	size_t trim;          /* length of OUT after the last character kept */
	const struct vt_dump_times *times; /* or NULL */
};

static void
dump_bytes(struct dump *d, const char *p, size_t n)
{
	size_t i;

	if ((d->flags & VT_DUMP_ESCAPE) == 0) {
		buf_add(d->out, p, n);
		return;
	}
	for (i = 0; i < n; i++) {
		unsigned char c = (unsigned char)p[i];

		if (c == '\\')
			buf_add_str(d->out, "\\\\");
		else if (c < ' ' || c == 0x7f)
			buf_addf(d->out, "\\%03o", c);
		else
			buf_add_u8(d->out, c);
	}
}

static void
dump_pen(struct dump *d, const struct pen *pen)
{
	char sgr[MAX_OF(PEN_SGR_MAX, DUMP_SGR_MAX)];
	size_t n;

	if (pen_equal(&d->pen, pen))
		return;
	n = (d->flags & VT_DUMP_CARRY) != 0 ? vt_dump_sgr(&d->pen, pen, sgr)
					    : pen_sgr(&d->pen, pen, sgr);
	dump_bytes(d, sgr, n);
	d->pen = *pen;
}

static void
dump_link(struct dump *d, struct vt_link *link)
{
	if (vt_link_equal(d->link, link))
		return;
	dump_bytes(d, "\033]8;", 4);
	if (link != NULL && link->id_len > 0) {
		dump_bytes(d, "id=", 3);
		dump_bytes(d, vt_link_id(link), link->id_len);
	}
	dump_bytes(d, ";", 1);
	if (link != NULL)
		dump_bytes(d, vt_link_uri(link), link->uri_len);
	dump_bytes(d, "\033\\", 2);
	d->link = link;
}

/*
 * Resets the pen and closes the link, so that each line is complete in itself.
 */
static void
dump_plain(struct dump *d)
{
	if ((d->flags & VT_DUMP_ANSI) == 0)
		return;
	dump_link(d, NULL);
	if ((d->flags & VT_DUMP_CARRY) == 0)
		dump_pen(d, &pen_default);
}

static void
dump_cells(
    struct dump *d, const struct vt_line *line, unsigned from, unsigned to)
{
	char text[VT_CLUSTER_MAX + 1];
	struct vt_cell c;
	unsigned i;
	size_t n;

	for (i = from; i < to; i++) {
		c = vt_line_cell(line, i);
		if (c.width == VT_TAIL && i > from)
			continue;
		if (c.width == VT_PAD && (d->flags & VT_DUMP_FULL) == 0)
			continue;
		/* The first cell of a block has all its text. */
		if (unlikely(c.flags > 1) && (d->flags & VT_DUMP_FULL) == 0 &&
		    vt_line_text(line, i, text) == 0)
			continue;
		if ((d->flags & VT_DUMP_ANSI) != 0) {
			if ((d->flags & VT_DUMP_CARRY) == 0)
				dump_link(d, vt_line_link(line, i));
			dump_pen(d, vt_line_pen(line, i));
			dump_link(d, vt_line_link(line, i));
		}
		n = vt_line_text(line, i, text);
		if (n == 0)
			text[n++] = ' ';
		if ((d->flags & VT_DUMP_TABS) != 0 && c.width >= VT_TAB) {
			if (c.width == VT_TAB_REST)
				continue;
			text[0] = '\t';
			buf_add_u8(d->out, '\t');
		} else {
			dump_bytes(d, text, n);
		}
		if (n != 1 || text[0] != ' ' || d->pen.bg != COLOUR_DEFAULT)
			d->trim = d->out->len;
	}
}

/* Returns the column after the last one to write of from..to-1. */
static unsigned
dump_end(const struct vt_line *line, unsigned from, unsigned to, unsigned flags)
{
	unsigned end;

	if ((flags & VT_DUMP_FULL) != 0)
		return to;
	end = (flags & (VT_DUMP_ANSI | VT_DUMP_WRITTEN)) == VT_DUMP_ANSI
		  ? vt_line_used(line)
		  : vt_line_written(line);
	return CLAMP(end, from, to);
}

/* Writes spaces from USED to the part of COLS that holds so many columns. */
static void
dump_room(struct dump *d, unsigned used, unsigned cols)
{
	const unsigned room = used == 0         ? 0
			      : used < cols / 4 ? cols / 4
			      : used < cols / 2 ? cols / 2
						: cols;

	if (used < room && (d->flags & VT_DUMP_ANSI) != 0) {
		dump_pen(d, &pen_default);
		dump_link(d, NULL);
	}
	for (; used < room; used++)
		buf_add_u8(d->out, ' ');
}

static void
dump_line(struct dump *d, const struct vt_line *line, unsigned from,
    unsigned to, bool more)
{
	const bool carry = (d->flags & VT_DUMP_CARRY) != 0;
	unsigned end = dump_end(line, from, to, d->flags);
	size_t start = d->out->len;

	dump_cells(d, line, from, end);
	if ((d->flags & VT_DUMP_ROOM) != 0)
		dump_room(d, end, to);
	if (more && (d->flags & VT_DUMP_JOIN) != 0)
		return;
	if (carry) {
		dump_plain(d);
		while ((d->flags & VT_DUMP_TRIM) != 0 && d->out->len > start &&
		       d->out->data[d->out->len - 1] == ' ')
			buf_truncate(d->out, d->out->len - 1);
		return;
	}
	if ((d->flags & VT_DUMP_TRIM) != 0 && d->out->len > d->trim)
		buf_truncate(d->out, d->trim);
	dump_plain(d);
}

static struct dump
dump_begin(struct buf *out, unsigned flags)
{
	struct dump d = { out, flags, pen_default, NULL, out->len, NULL };

	return d;
}

int
vt_dump_line(struct buf *out, const struct vt_line *line, unsigned from,
    unsigned to, unsigned flags)
{
	struct dump d = dump_begin(out, flags);

	to = MIN_OF(to, (unsigned)VT_LINE_CELLS_MAX);
	if (from < to)
		dump_line(&d, line, from, to, false);
	return out->overflow ? -ERR_LIMIT : 0;
}

static bool
dump_has_link(const struct vt_line *line)
{
	unsigned i, used = vt_line_used(line);

	for (i = 0; i < used && line->nlinks != 0; i++)
		if (vt_line_link(line, i) != NULL)
			return true;
	return false;
}

/* Whether tmux would store a character of the row in its large form. */
static bool
dump_has_large(const struct vt_line *line)
{
	unsigned i, used = vt_line_used(line);
	const struct pen *pen;

	for (i = 0; i < used; i++) {
		pen = vt_line_pen(line, i);
		if (vt_line_cell(line, i).width != VT_NARROW ||
		    vt_line_cell(line, i).ch >= 0x80 ||
		    vt_line_link(line, i) != NULL ||
		    colour_kind(pen->fg) == COLOUR_KIND_RGB ||
		    colour_kind(pen->bg) == COLOUR_KIND_RGB ||
		    pen->ul != COLOUR_DEFAULT ||
		    (pen->attrs & PEN_OVERLINE) != 0 ||
		    (pen->attrs & PEN_UL_MASK) > PEN_UL_SINGLE << PEN_UL_SHIFT)
			return true;
	}
	return false;
}

/* Writes the number, the time and the flags of a row, if asked for. */
static void
dump_head(
    struct dump *d, struct vt_grid *g, vt_row row, const struct vt_line *line)
{
	char text[8];
	size_t n = 0;

	if ((d->flags & VT_DUMP_NUMBER) != 0)
		buf_addf(d->out, "%lld ",
		    (long long)row - (long long)vt_grid_screen(g));
	if (d->times != NULL)
		buf_addf(d->out, "%lld ",
		    (long long)d->times->at(d->times->arg, row));
	if ((d->flags & VT_DUMP_FLAGS) != 0) {
		if (dump_has_link(line))
			text[n++] = 'H';
		if ((line->flags & VT_LINE_OUTPUT) != 0)
			text[n++] = 'O';
		if ((line->flags & VT_LINE_PROMPT) != 0)
			text[n++] = 'P';
		if ((line->flags & VT_LINE_WRAPPED) != 0)
			text[n++] = 'W';
		if (dump_has_large(line))
			text[n++] = 'X';
		if (n == 0)
			text[n++] = '-';
		text[n++] = ' ';
		buf_add(d->out, text, n);
	}
	d->trim = d->out->len;
}

/* Writes one row and, unless it is joined to the next, a newline. */
static void
dump_row(struct dump *d, const struct vt_line *line, unsigned cols, bool last)
{
	bool more = (line->flags & VT_LINE_WRAPPED) != 0 && !last;

	dump_line(d, line, 0, cols, more);
	if (!more || (d->flags & VT_DUMP_JOIN) == 0) {
		buf_add_u8(d->out, '\n');
		d->trim = d->out->len;
	}
}

/*
 * Writes the links of one row that are not in SEEN yet; true if there was one.
 */
static bool
dump_row_links(struct buf *out, struct map *seen, const struct vt_line *line)
{
	unsigned i, used = vt_line_used(line);
	struct vt_link *link, *old = NULL;
	size_t len = out->len;
	struct buf key;

	buf_init(&key, VT_LINK_MAX + VT_LINK_ID_MAX + 3);
	for (i = 0; i < used && line->nlinks != 0; i++, old = link) {
		link = vt_line_link(line, i);
		if (link == NULL || link == old)
			continue;
		buf_truncate(&key, 0);
		buf_addf(
		    &key, "%s %s%c", vt_link_uri(link), vt_link_id(link), '\0');
		if (map_set(seen, (const char *)key.data, seen) != NULL)
			continue;
		if (out->len > len)
			buf_add_u8(out, ' ');
		buf_add(out, vt_link_uri(link), link->uri_len);
	}
	buf_fini(&key);
	return out->len > len;
}

/*
 * Writes rows FIRST..LAST-1: their text, or with SEEN the links that are not in
 * it yet.
 */
static int
dump_grid(struct dump *d, struct map *seen, struct vt_grid *g, vt_row first,
    vt_row last)
{
	struct buf *out = d->out;
	const struct vt_line *line;
	size_t start;
	vt_row row;

	first = MAX_OF(first, vt_grid_first(g));
	for (row = first; row < last && !out->overflow; row++) {
		line = vt_grid_row(g, row);
		if (line == NULL)
			break;
		start = out->len;
		dump_head(d, g, row, line);
		if (seen == NULL)
			dump_row(d, line, g->cols,
			    row + 1 == last || row + 1 == vt_grid_end(g));
		else if (dump_row_links(out, seen, line))
			buf_add_u8(out, '\n');
		else
			buf_truncate(out, start);
	}
	return out->overflow ? -ERR_LIMIT : 0;
}

int
vt_dump_rows(struct buf *out, struct vt_grid *g, vt_row first, vt_row last,
    unsigned flags, const struct vt_dump_times *times)
{
	struct dump d = dump_begin(out, flags);

	d.times = times;
	return dump_grid(&d, NULL, g, first, last);
}

int
vt_dump_links(struct buf *out, struct map *seen, struct vt_grid *g,
    vt_row first, vt_row last, unsigned flags,
    const struct vt_dump_times *times)
{
	struct dump d = dump_begin(out, flags);

	d.times = times;
	return dump_grid(&d, seen, g, first, last);
}

/* --- the exact form ------------------------------------------------------- */

static const struct {
	unsigned flag;
	const char *name;
} raw_flags[] = {
	{ VT_LINE_WRAPPED, "wrapped" },
	{ VT_LINE_PROMPT, "prompt" },
	{ VT_LINE_INPUT, "input" },
	{ VT_LINE_OUTPUT, "output" },
	{ VT_LINE_DONE, "done" },
	{ VT_LINE_CONTINUATION, "continuation" },
	{ VT_LINE_FAILED, "failed" },
	{ VT_LINE_DOUBLE_WIDTH, "double" },
	{ VT_LINE_MARK, "mark" },
	{ VT_LINE_DOUBLE_TOP, "top" },
	{ VT_LINE_DOUBLE_BOTTOM, "bottom" },
	{ VT_LINE_BLOCKS, "blocks" },
};

static void
raw_text(struct buf *out, const struct vt_line *line, unsigned used)
{
	char text[VT_CLUSTER_MAX + 1];
	unsigned i;

	buf_add_u8(out, '|');
	for (i = 0; i < used; i++) {
		struct vt_cell c = vt_line_cell(line, i);

		if (c.width == VT_TAIL)
			buf_add_u8(out, '>');
		else if (c.width == VT_PAD)
			buf_add_u8(out, '#');
		else if (c.width >= VT_TAB)
			buf_add_u8(out, c.width == VT_TAB ? '{' : '-');
		else if (c.ch == 0)
			buf_add_u8(out, '.');
		else
			buf_add(out, text, vt_line_text(line, i, text));
	}
	buf_add_u8(out, '|');
}

static void
raw_block(struct buf *out, const struct vt_link *k)
{
	const struct vt_block *b;

	if (k == NULL)
		return;
	b = &k->block;
	buf_addf(out, " block=%ux%u,%u/%u,%u,%u+%u;%s", b->scale, b->width,
	    b->num, b->den, b->valign, b->halign, b->row, vt_link_uri(k));
}

static void
raw_style(struct buf *out, const struct vt_style *s, struct vt_link *link,
    unsigned from, unsigned to)
{
	buf_addf(out, " %u-%u", from, to);
	if (s->pen.fg != COLOUR_DEFAULT)
		buf_addf(out, " fg=%x", s->pen.fg);
	if (s->pen.bg != COLOUR_DEFAULT)
		buf_addf(out, " bg=%x", s->pen.bg);
	if (s->pen.ul != COLOUR_DEFAULT)
		buf_addf(out, " ul=%x", s->pen.ul);
	if (s->pen.attrs != 0)
		buf_addf(out, " attrs=%x", s->pen.attrs);
	if (link != NULL)
		buf_addf(
		    out, " link=%s;%s", vt_link_id(link), vt_link_uri(link));
}

int
vt_dump_raw(struct buf *out, const struct vt_line *line)
{
	unsigned i, j, used = vt_line_used(line);

	raw_text(out, line, used);
	for (i = 0; i < ARRAY_LEN(raw_flags); i++)
		if ((line->flags & raw_flags[i].flag) != 0)
			buf_addf(out, " %s", raw_flags[i].name);
	for (i = 0; i < used; i = j) {
		const struct vt_style *s =
		    vt_line_style_at(line, line->cells[i].style);
		struct vt_link *link = vt_line_link(line, i);

		for (j = i + 1; j < used; j++)
			if (!pen_equal(vt_line_pen(line, j), &s->pen) ||
			    !vt_link_equal(vt_line_link(line, j), link) ||
			    vt_line_block(line, j) != vt_line_block(line, i))
				break;
		if (line->cells[i].style != 0) {
			raw_style(out, s, link, i, j);
			raw_block(out, vt_line_block(line, i));
		}
	}
	buf_add_u8(out, '\n');
	return out->overflow ? -ERR_LIMIT : 0;
}
